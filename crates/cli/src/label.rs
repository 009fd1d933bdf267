//! The name of rules whose options were changed: `wiki+turns=5+retribution=any`.

use serde_json::Value;
use stopwise_erased::AnyRules;
use stopwise_narration::InWords;

/// The name of rules that differ from the base in some options: those stand in the order of the game's options, whatever
/// was typed.
pub(crate) fn changed(name: &str, base: &dyn AnyRules, rules: &dyn AnyRules) -> String {
    let (before, after) = (base.options(), rules.options());
    let mut label = name.to_owned();
    for option in rules.info().options {
        let value = at(&after, option.name);
        if value != at(&before, option.name) {
            label += &format!("+{}={}", option.name, plain(value));
        }
    }
    label
}

/// The settings that make rules of the base, as they are typed.
pub(crate) fn settings(base: &dyn AnyRules, rules: &dyn AnyRules) -> Vec<String> {
    let (before, after) = (base.options(), rules.options());
    let names = rules.info().options.iter().map(|option| option.name);
    let changed = names.filter(|name| at(&after, name) != at(&before, name));
    changed.map(|name| format!("{name}={}", plain(at(&after, name)))).collect()
}

/// The value of an option; null if it has no value.
fn at<'v>(options: &'v Value, name: &str) -> &'v Value {
    name.split('.').fold(options, |options, part| &options[part])
}

/// A value without spaces, and a text without quotes.
fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), |text| text.replace(' ', ""))
}

#[cfg(test)]
mod tests {
    use crate::args::GameArgs;
    use crate::session::Session;
    use crate::setup;

    #[test]
    fn names_are_canonical() {
        for (game, typed, expected) in [
            ("carbonite", &["retribution=all", "doubling = false"][..], "wiki+doubling=false"),
            ("carbonite", &["retribution=any", "turns=5"], "wiki+turns=5+retribution=any"),
            ("carbonite", &["turns = 5", "retribution=\"any\""], "wiki+turns=5+retribution=any"),
            (
                "carbonite",
                &["points.single=2", "points.solid=9", "turns=5"],
                "wiki+turns=5+points.solid=9+points.single=2",
            ),
            ("carbonite", &["points.solid=9", "points={ solid = 8 }"], "wiki+points.solid=8"),
            ("carbonite", &[], "wiki"),
            (
                "pig",
                &["turn_cap=60_000", "bust_faces=[6, 1]", "goal=5"],
                "standard+goal=5+bust_faces=[1,6]+turn_cap=60000",
            ),
            ("freeze", &["bank=\"50 per player\"", "rate=1"], "published+bank=50perplayer"),
        ] {
            let set = typed.iter().map(|&text| text.to_owned()).collect();
            let named =
                setup::rules(&Session::default(), &GameArgs { game: game.to_owned(), rules: None, set });
            assert_eq!(named.expect("good").name, expected, "{typed:?}");
        }
    }
}
