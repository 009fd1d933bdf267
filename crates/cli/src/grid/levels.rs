//! The levels of an axis as people write them: `1..5`, `2,4,8`, `0.1..0.5:0.1`, `choice,reroll`.

use std::collections::BTreeSet;

use stopwise_narration::grouped;

/// Numbers are counted in millionths: policies know six decimals, and nothing is rounded.
const ONE: i64 = 1_000_000;
/// Digits before the point.
const DIGITS: usize = 12;

/// What a list stands for, before anything is counted out.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Item {
    /// A word, or a number as it is always written: `0.5`, not `.50`.
    Value(String),
    /// First, last and step, in millionths.
    Range(i64, i64, i64),
}

/// Reads a list of values and ranges, separated by commas; what stands in brackets or quotes is one value. At most
/// `most` levels, none of them twice.
pub(crate) fn levels(list: &str, most: usize) -> Result<Vec<String>, String> {
    let items: Vec<_> = split(list).into_iter().map(item).collect::<Result<_, _>>()?;
    let count: u64 = items.iter().map(Item::count).fold(0, u64::saturating_add);
    if count > most as u64 {
        return Err(format!("{} levels are too many; at most {}", grouped(count), grouped(most as u64)));
    }
    let levels: Vec<_> = items.iter().flat_map(Item::values).collect();
    let mut seen = BTreeSet::new();
    match levels.iter().find(|&level| !seen.insert(level)) {
        Some(level) => Err(format!("`{level}` comes twice; write it once")),
        None => Ok(levels),
    }
}

/// At the commas, but for those in brackets or quotes.
fn split(list: &str) -> Vec<&str> {
    let (mut parts, mut from, mut depth, mut quote) = (Vec::new(), 0, 0_u32, None);
    for (at, c) in list.char_indices() {
        match (quote, c) {
            (Some(open), _) if c == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            (None, '[' | '{') => depth += 1,
            (None, ']' | '}') => depth = depth.saturating_sub(1),
            (None, ',') if depth == 0 => {
                parts.push(list[from..at].trim());
                from = at + 1;
            }
            _ => {}
        }
    }
    parts.push(list[from..].trim());
    parts
}

fn item(text: &str) -> Result<Item, String> {
    if text.is_empty() {
        return Err(
            "a level is missing; write values and ranges with commas, for example 1..5 or 2,4,8".into()
        );
    }
    // A path may go up a folder.
    let (low, rest) = match text.split_once("..") {
        Some(parts) if !text.contains(['/', '\\', '"', '\'']) => parts,
        _ => return value(text),
    };
    let (high, step) = rest.split_once(':').map_or((rest, None), |(high, step)| (high, Some(step)));
    let (low_text, high_text) = (low.trim(), high.trim());
    let (Some(low), Some(high)) = (number(low_text), number(high_text)) else {
        return Err(format!(
            "`{text}` is no range of numbers; write for example 1..5, 1..21:5 for every fifth, or 0.1..0.5:0.1"
        ));
    };
    let step = match step {
        None if low % ONE == 0 && high % ONE == 0 => ONE,
        None => {
            return Err(format!(
                "`{text}` needs a step; write for example {text}:{}",
                written(step_like(low, high))
            ));
        }
        Some(step) => number(step.trim()).filter(|&step| step > 0).ok_or_else(|| {
            format!(
                "`{text}`: the step must be a number above 0; write for example {low_text}..{high_text}:1"
            )
        })?,
    };
    if high < low {
        return Err(format!("`{text}` runs backwards and holds nothing; write {high_text}..{low_text}"));
    }
    Ok(Item::Range(low, high, step))
}

/// A word, or a number; two numbers with a dash between them are a range in other languages.
fn value(text: &str) -> Result<Item, String> {
    let ends = ["-", "–", "…", " to "].iter().find_map(|dash| {
        let at = text.char_indices().map(|(at, _)| at).skip(1).find(|&at| text[at..].starts_with(dash))?;
        let (low, high) = (text[..at].trim(), text[at + dash.len()..].trim());
        (number(low).is_some() && number(high).is_some()).then_some((low, high))
    });
    match ends {
        Some((low, high)) => {
            Err(format!("`{text}` is no number; from {low} to {high} is written {low}..{high}"))
        }
        None => Ok(Item::Value(number(text).map_or_else(|| text.to_owned(), written))),
    }
}

/// The least power of ten that both are multiples of.
fn step_like(low: i64, high: i64) -> i64 {
    let is_step = |step: &i64| low % step == 0 && high % step == 0;
    [ONE, ONE / 10, ONE / 100, ONE / 1000].into_iter().find(is_step).unwrap_or(1)
}

impl Item {
    fn count(&self) -> u64 {
        match self {
            Self::Value(_) => 1,
            Self::Range(low, high, step) => low.abs_diff(*high) / step.unsigned_abs() + 1,
        }
    }

    fn values(&self) -> Vec<String> {
        match self {
            Self::Value(value) => vec![value.clone()],
            Self::Range(low, high, step) => {
                let next = |&number: &i64| number.checked_add(*step).filter(|next| next <= high);
                std::iter::successors(Some(*low), next).map(written).collect()
            }
        }
    }
}

/// A number in millionths; `None` for other words.
fn number(text: &str) -> Option<i64> {
    let plain: String = text.chars().filter(|&c| c != '_').collect();
    let (sign, size) = plain.strip_prefix('-').map_or((1, plain.as_str()), |size| (-1, size));
    let (whole, decimals) = size.split_once('.').unwrap_or((size, "0"));
    let is_digits = |digits: &str| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    if !is_digits(whole) || !is_digits(decimals) || whole.len() > DIGITS || decimals.len() > 6 {
        return None;
    }
    format!("{whole}{decimals:0<6}").parse::<i64>().ok().map(|size| sign * size)
}

fn written(number: i64) -> String {
    let (whole, rest) =
        (number.unsigned_abs() / ONE.unsigned_abs(), number.unsigned_abs() % ONE.unsigned_abs());
    let sign = if number < 0 { "-" } else { "" };
    let decimals = if rest == 0 { String::new() } else { format!(".{rest:06}") };
    format!("{sign}{whole}{}", decimals.trim_end_matches('0'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_and_ranges() {
        let good: [(&str, &[&str]); 14] = [
            ("1..5", &["1", "2", "3", "4", "5"]),
            ("1..21:5", &["1", "6", "11", "16", "21"]),
            ("1..10:4", &["1", "5", "9"]),
            ("2, 4,8", &["2", "4", "8"]),
            ("1..3,10..30:10,7", &["1", "2", "3", "10", "20", "30", "7"]),
            ("0.1..0.3:0.1", &["0.1", "0.2", "0.3"]),
            ("-1..1", &["-1", "0", "1"]),
            ("-0.5..0.5:0.5", &["-0.5", "0", "0.5"]),
            ("7..7", &["7"]),
            ("choice,reroll", &["choice", "reroll"]),
            ("[1],[1,2]", &["[1]", "[1,2]"]),
            ("\"25 per player\",100", &["\"25 per player\"", "100"]),
            ("../mine.toml,wiki", &["../mine.toml", "wiki"]),
            ("0.250,1_000", &["0.25", "1000"]),
        ];
        for (list, expected) in good {
            assert_eq!(levels(list, 100).expect(list), expected, "{list}");
        }
    }

    #[test]
    fn what_is_wrong_comes_with_what_to_write() {
        for (list, words) in [
            ("", "a level is missing"),
            ("1,,2", "a level is missing"),
            ("5..1", "write 1..5"),
            ("1..x", "no range of numbers"),
            ("..5", "no range of numbers"),
            ("1...5", "no range of numbers"),
            ("0.1..0.5", "write for example 0.1..0.5:0.1"),
            ("1..5:0", "above 0"),
            ("1..5:-1", "above 0"),
            ("1..5:x", "above 0"),
            ("1,2,1", "`1` comes twice"),
            ("0.5,0.50", "`0.5` comes twice"),
            ("1..3,2", "`2` comes twice"),
            ("1..101", "101 levels are too many; at most 100"),
            ("1-3", "from 1 to 3 is written 1..3"),
            ("0.5 – 1.5", "from 0.5 to 1.5 is written 0.5..1.5"),
            ("1 to 3", "written 1..3"),
            ("2,-3--1", "written -3..-1"),
            ("-999999999999..999999999999:0.000001", "too many"),
        ] {
            let error = levels(list, 100).expect_err(list);
            assert!(error.contains(words), "{list}: {error}");
        }
    }

    #[test]
    fn numbers_are_exact() {
        for (text, same) in [("0.000001", "0.000001"), ("-12.50", "-12.5"), ("007", "7"), ("-0", "0")] {
            assert_eq!(number(text).map(written).as_deref(), Some(same));
        }
        for text in ["", ".", "1.", ".5", "1e3", "0.0000001", "1234567890123", "--1", "+1", "k"] {
            assert_eq!(number(text), None, "{text}");
        }
    }
}
