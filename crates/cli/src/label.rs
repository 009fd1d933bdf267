//! The name of rules whose options were changed: `wiki+turns=5+retribution=any`.

use stopwise_policy::shipped;

/// The name of rules with these options set, one after the other. What is set twice has its last value, and the options
/// stand in the order in which the game's first preset has them, however they were typed.
pub(crate) fn changed(game: &str, base: &str, assignments: &[String]) -> String {
    let mut parts: Vec<(String, String)> = Vec::new();
    for assignment in assignments {
        let (key, value) = assignment.split_once('=').unwrap_or((assignment, ""));
        let (key, value) = (key.trim().to_owned(), plain(value));
        // Of a table only what it names is changed.
        if !value.starts_with('{') {
            parts.retain(|(known, _)| *known != key);
        }
        parts.push((key, value));
    }
    let order = Order::of(game);
    // What is set as a table and part by part is what the order makes of it.
    let is_whole = |key: &str| parts.iter().any(|(known, value)| known == key && value.starts_with('{'));
    let place = |key: &str| {
        let (option, part) = key.split_once('.').unwrap_or((key, ""));
        (order.option(option), if is_whole(option) { 0 } else { order.part(option, part) })
    };
    let mut places: Vec<_> = parts.iter().map(|(key, _)| place(key)).zip(&parts).collect();
    places.sort_by_key(|(place, _)| *place);
    places.iter().fold(base.to_owned(), |name, (_, (key, value))| format!("{name}+{key}={value}"))
}

/// A value as it is always written: without spaces, and a word without quotes.
fn plain(value: &str) -> String {
    let value = value.replace(' ', "");
    let inside = value.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    let is_word = |text: &&str| text.chars().all(|c| c.is_ascii_alphabetic() || c == '_');
    if let Some(word) = inside.filter(is_word) {
        return word.to_owned();
    }
    let is_number = value.starts_with(|c: char| c.is_ascii_digit())
        && value.chars().all(|c| c.is_ascii_digit() || "_.".contains(c));
    if is_number { value.replace('_', "") } else { value }
}

/// The order of a game's options: that of the file that explains them.
struct Order {
    text: &'static str,
}

impl Order {
    fn of(game: &str) -> Self {
        Self { text: shipped::default_rules(game).content }
    }

    fn line(&self, option: &str) -> Option<(usize, &'static str)> {
        let is_of = |line: &str| line.split_once('=').is_some_and(|(key, _)| key.trim() == option);
        self.text.lines().enumerate().find(|(_, line)| is_of(line))
    }

    fn option(&self, option: &str) -> usize {
        self.line(option).map_or(usize::MAX, |(at, _)| at)
    }

    fn part(&self, option: &str, part: &str) -> usize {
        self.line(option).and_then(|(_, line)| line.find(&format!("{part} ="))).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(game: &str, assignments: &[&str]) -> String {
        changed(game, "base", &assignments.iter().map(|&text| text.to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn names_are_canonical() {
        for (typed, expected) in [
            (&["retribution=none", "retribution=any"][..], "base+retribution=any"),
            (&["retribution=any", "turns=5"], "base+turns=5+retribution=any"),
            (&["turns = 5", "retribution=\"any\""], "base+turns=5+retribution=any"),
            (
                &["points.single=2", "points.solid=9", "turns=5"],
                "base+turns=5+points.solid=9+points.single=2",
            ),
            (&["points.solid=9", "points={ solid = 7 }"], "base+points.solid=9+points={solid=7}"),
            (&["points={solid=7}", "points.solid=9"], "base+points={solid=7}+points.solid=9"),
            (&[], "base"),
        ] {
            assert_eq!(name("carbonite", typed), expected, "{typed:?}");
        }
        assert_eq!(
            name("pig", &["turn_cap=60_000", "bust_faces=[1, 6]", "goal=5"]),
            "base+goal=5+bust_faces=[1,6]+turn_cap=60000"
        );
    }
}
