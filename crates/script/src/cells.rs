//! Arrays in positions as text: all values with `,` between; or those that differ, by their names.
//!
//! Of yes and no stand the names that hold, `21,25,30..36`, or `not:` and those that do not; of anything else the values that are not
//! 0, `7:2,9:1`. `all` and `none` say it of all.

use crate::op::{NamedKind, Told};

const ALL: &str = "all";
const NONE: &str = "none";
/// Before the names that do not hold, and before what is not in a bag.
pub(crate) const NOT: &str = "not:";
/// Between the first and the last of several.
const TO: &str = "..";
/// The fewest names in a row that are written as their first and last.
const ROW: usize = 3;

/// The names of the cells of an array, if it has such forms.
pub(crate) fn names(told: &Told) -> Option<Vec<String>> {
    if told.indices.len() < 2 || matches!(told.kind, NamedKind::Player | NamedKind::Pairing) {
        return None;
    }
    let one_word = |index: &String| {
        let index = index.strip_prefix("seat ").unwrap_or(index);
        index.replace(", ", "-").replace(' ', "-")
    };
    let names: Vec<String> = told.indices.iter().map(one_word).collect();
    let is_plain = |(at, name): (usize, &String)| {
        let is_taken = [ALL, NONE, "yes", "no"].contains(&&**name) || names[..at].contains(name);
        !is_taken && !name.contains(['/', ':', '+', '*']) && !name.contains(TO)
    };
    names.iter().enumerate().all(is_plain).then_some(names)
}

/// The cells that a list of names means, in their order.
fn places<'n>(names: &[String], list: impl Iterator<Item = &'n str>) -> Result<Vec<usize>, String> {
    let at = |name: &str| {
        let found = names.iter().position(|known| known == name);
        found.ok_or_else(|| format!("`{name}` is none of {}", known(names)))
    };
    let mut places = Vec::new();
    for name in list {
        match name.split_once(TO) {
            Some((first, last)) => places.extend(at(first)?..=at(last)?),
            None => places.push(at(name)?),
        }
    }
    Ok(places)
}

/// The names in a sentence.
fn known(names: &[String]) -> String {
    const FEW: usize = 12;
    match names {
        [first, .., last] if names.len() > FEW => format!("{first} to {last}"),
        names => names.join(", "),
    }
}

/// The cells in rows of names.
fn listed(names: &[String], holds: impl Fn(usize) -> bool) -> String {
    let mut rows: Vec<String> = Vec::new();
    let mut at = 0;
    while at < names.len() {
        let many = (at..names.len()).take_while(|at| holds(*at)).count();
        match many {
            0 => {}
            many if many >= ROW => rows.push(format!("{}{TO}{}", names[at], names[at + many - 1])),
            many => rows.extend(names[at..at + many].iter().cloned()),
        }
        at += many.max(1);
    }
    rows.join(",")
}

/// Yes and no of every cell.
pub(crate) fn of_truths(names: &[String], values: &[i64]) -> String {
    match values.iter().filter(|value| **value != 0).count() {
        0 => NONE.to_owned(),
        many if many == values.len() => ALL.to_owned(),
        many if 2 * many > values.len() => format!("{NOT}{}", listed(names, |at| values[at] == 0)),
        _ => listed(names, |at| values[at] != 0),
    }
}

/// The same, read.
///
/// # Errors
///
/// If a name is unknown.
pub(crate) fn truths(names: &[String], text: &str) -> Result<Vec<i64>, String> {
    let (text, is_not) = match text.strip_prefix(NOT) {
        Some(text) => (text, true),
        None => (text, false),
    };
    let held = match text {
        ALL => (0..names.len()).collect(),
        NONE => Vec::new(),
        text => places(names, text.split(',')).map_err(|why| {
            format!("{why}; write those that hold, as in {}, or `{NOT}` and those that do not, or `{ALL}` or `{NONE}`", example(names))
        })?,
    };
    Ok((0..names.len()).map(|at| (held.contains(&at) != is_not).into()).collect())
}

/// Two of the names.
fn example(names: &[String]) -> String {
    names.iter().take(2).cloned().collect::<Vec<_>>().join(",")
}

/// The values that are not 0; `written` is one of them as text.
pub(crate) fn of_values(names: &[String], values: &[i64], written: impl Fn(i64) -> String) -> String {
    let held = names.iter().zip(values).filter(|(_, value)| **value != 0);
    let held: Vec<String> = held.map(|(name, value)| format!("{name}:{}", written(*value))).collect();
    if held.is_empty() { NONE.to_owned() } else { held.join(",") }
}

/// The same, read, if it is meant: what is left out is 0.
///
/// # Errors
///
/// If a name or a value is wrong.
pub(crate) fn values(
    names: &[String],
    text: &str,
    one: impl Fn(&str) -> Result<i64, String>,
) -> Option<Result<Vec<i64>, String>> {
    let mut values = vec![0; names.len()];
    if text == NONE {
        return Some(Ok(values));
    }
    let parts: Option<Vec<(&str, &str)>> = text.split(',').map(|part| part.split_once(':')).collect();
    let put = |parts: Vec<(&str, &str)>| {
        for (name, value) in parts {
            let value = one(value)?;
            for at in places(names, std::iter::once(name))? {
                values[at] = value;
            }
        }
        Ok(values)
    };
    parts.map(put)
}

/// What to write instead of so many values.
pub(crate) fn advice(names: &[String]) -> String {
    format!("the values of some, as in `{}:1`, or `{NONE}`", names[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tiles() -> Vec<String> {
        (21..=36).map(|tile| tile.to_string()).collect()
    }

    #[test]
    fn what_is_written_is_read() {
        let names = tiles();
        for bits in (0_u32..1 << 16).step_by(37) {
            let values: Vec<i64> = (0..16).map(|at| (bits >> at & 1).into()).collect();
            assert_eq!(truths(&names, &of_truths(&names, &values)).as_ref(), Ok(&values));
            let counts: Vec<i64> = (0..16).map(|at| i64::from(bits >> at & 3)).collect();
            let written = of_values(&names, &counts, |value| value.to_string());
            let read = values_of(&names, &written);
            assert_eq!(read, Some(Ok(counts)), "{written}");
        }
    }

    fn values_of(names: &[String], text: &str) -> Option<Result<Vec<i64>, String>> {
        values(names, text, |text| text.parse().map_err(|_| format!("`{text}` is no number")))
    }

    #[test]
    fn names_stand_for_cells() {
        let names = tiles();
        let held = |text| {
            let values = truths(&names, text).expect("names");
            let held = names.iter().zip(values).filter(|(_, value)| *value == 1);
            held.map(|(name, _)| name.as_str()).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(held("21,25"), "21 25");
        assert_eq!(held("33..36,21"), "21 33 34 35 36");
        assert_eq!(held("not:22..36"), "21");
        assert_eq!((held("none"), held("all").len()), (String::new(), 47));
        let why = truths(&names, "20").expect_err("no tile");
        assert!(why.starts_with("`20` is none of 21 to 36; write those that hold, as in 21,22"), "{why}");
        assert_eq!(of_truths(&names, &[1, 1, 1, 1, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0]), "not:25,36");
        assert_eq!(of_truths(&names, &[0, 1, 1, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0]), "22..24,27");
        let twice = values_of(&names, "21:3,30..31:2").expect("meant").expect("right");
        assert_eq!((twice[0], twice[9], twice[10], twice.iter().sum::<i64>()), (3, 2, 2, 7));
        assert_eq!(values_of(&names, "1,2,3"), None);
    }
}
