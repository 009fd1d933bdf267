//! Targets files: the desired values of a game's measures.
//!
//! ```toml
//! "mean turns" = "8 to 10"
//! "early end" = "at most 40 %"
//!
//! ["second-tree"]                # only for the policies of this name; the entries above are for every policy
//! "mean score" = "at least 300"
//! ```

use std::ops::Range;

use toml::Spanned;
use toml::de::DeValue;

use crate::read::{Entries, Toml as _, wrong_kind};
use stopwise_text::Text;
use stopwise_text::{Problem, TextError};

/// The names that a targets file may use.
#[derive(Clone, Copy, Debug)]
pub struct Known<'k> {
    /// The measures: name, unit, and whether it is a share, which may be written in per cent.
    pub measures: &'k [(&'k str, &'k str, bool)],
    /// The policies.
    pub policies: &'k [&'k str],
}

/// The bounds for a measure.
#[derive(Clone, Debug, PartialEq)]
pub struct Target {
    /// The measure.
    pub measure: String,
    /// The policy to which it applies; `None` for every policy.
    pub policy: Option<String>,
    /// The lower bound.
    pub at_least: Option<f64>,
    /// The upper bound.
    pub at_most: Option<f64>,
}

/// Advice on how to write a bound.
const FORMS: &str = "write for example \"8 to 10\", \"at most 40 %\", \"at least 3\" or \"about 20 %\"";

/// Reads a targets file.
///
/// # Errors
///
/// All problems: unknown measures and policies, invalid bounds.
pub fn read_targets(text: &Text, known: Known<'_>) -> Result<Vec<Target>, TextError> {
    let table = text.table()?;
    let (mut targets, mut problems) = (Vec::new(), Vec::new());
    let mut enter = |entry: (&str, Range<usize>, &Spanned<DeValue<'_>>), policy: Option<&str>| {
        let at = entry.1.start;
        match target(entry, policy, known) {
            Ok(target) => targets.push((at, target)),
            Err(problem) => problems.push(problem),
        }
    };
    let mut strangers = Vec::new();
    for (key, span, value) in Entries::new(text, &table).iter() {
        let DeValue::Table(inner) = value.get_ref() else {
            enter((key, span, value), None);
            continue;
        };
        let meant: Vec<_> = known.policies.iter().filter(|label| is_meant(key, label)).collect();
        if meant.is_empty() {
            strangers.push(Problem::unknown(span, "policy", key, known.policies.iter().copied()));
        }
        for policy in meant {
            Entries::new(text, inner).iter().for_each(|entry| enter(entry, Some(policy)));
        }
    }
    problems.append(&mut strangers);
    if problems.is_empty() && targets.is_empty() {
        problems.push(Problem::new(0..0, "there is no target in it").help("\"mean turns\" = \"8 to 10\""));
    }
    if !problems.is_empty() {
        return Err(text.errors(problems));
    }
    // In the order of the file.
    targets.sort_by_key(|(at, _)| *at);
    Ok(targets.into_iter().map(|(_, target)| target).collect())
}

/// Whether a heading names a policy: by its label, `hold:n=20`, or by the name alone, which stands for all that have it.
fn is_meant(heading: &str, label: &str) -> bool {
    heading == label || label.split_once(':').is_some_and(|(name, _)| heading == name)
}

fn target(
    (measure, span, value): (&str, Range<usize>, &Spanned<DeValue<'_>>),
    policy: Option<&str>,
    known: Known<'_>,
) -> Result<Target, Problem> {
    // What is counted is meant on average: `turns` are `mean turns`.
    let mean = format!("mean {measure}");
    let called = |wanted: &str| known.measures.iter().find(|(name, ..)| *name == wanted);
    let Some(&(measure, unit, is_share)) = called(measure).or_else(|| called(&mean)) else {
        let names = known.measures.iter().map(|(name, ..)| *name);
        return Err(Problem::unknown(span, "measure", measure, names));
    };
    let Some(words) = value.get_ref().as_str() else {
        return Err(wrong_kind(value, "a text in quotes").help(FORMS));
    };
    let (at_least, at_most) =
        bounds(words, is_share, unit).map_err(|message| Problem::new(value.span(), message).help(FORMS))?;
    Ok(Target { measure: measure.to_owned(), policy: policy.map(str::to_owned), at_least, at_most })
}

/// Around a value that is only about right, this part of it to either side is as right.
const ABOUT: f64 = 0.1;

/// Parses bounds: `8 to 10`, `at most 40 %`, `≥ 3`, `about 20 %`.
fn bounds(words: &str, is_share: bool, unit: &str) -> Result<(Option<f64>, Option<f64>), String> {
    let plain = words.replace(['–', '—'], " to ").replace('−', "-").to_lowercase();
    // As reports write differences of shares.
    let plain = ["%-points", "percentage points", "per cent", "percent"]
        .iter()
        .fold(plain, |plain, word| plain.replace(word, "%"));
    let mut counted: Vec<_> = plain.split_whitespace().filter(|word| *word != unit).collect();
    // As people count: `8 rounds each`.
    match unit {
        "rounds" => counted.retain(|word| *word != "each"),
        "turns" if counted.contains(&"each") => {
            return Err(
                "these are the turns of all seats together; `mean rounds` counts those of each".into()
            );
        }
        _ => {}
    }
    let plain = counted.join(" ");
    // A hyphen after a digit is no sign.
    let hyphen = plain
        .match_indices('-')
        .map(|(at, _)| at)
        .find(|&at| plain[..at].ends_with(|c: char| c.is_ascii_digit()));
    let plain = hyphen.map_or(plain.clone(), |at| format!("{} to {}", &plain[..at], &plain[at + 1..]));
    let after = |starts: &[&str]| starts.iter().find_map(|start| plain.strip_prefix(start));
    let one = |text: &str| number(text, false, is_share, unit);
    if let Some(rest) = after(&["about", "around", "roughly", "approximately", "circa", "ca.", "≈", "~"]) {
        let value = one(rest)?;
        let apart = value.abs() * ABOUT;
        return Ok((Some(value - apart), Some(value + apart)));
    }
    if let Some(rest) = after(&["at most", "up to", "≤", "<="]) {
        return Ok((None, Some(one(rest)?)));
    }
    if let Some(rest) = after(&["at least", "from", "≥", ">="]) {
        let only_from = !plain.starts_with("from") || !rest.contains(" to ");
        if only_from {
            return Ok((Some(one(rest)?), None));
        }
    }
    let range = after(&["between"]).and_then(|rest| rest.split_once(" and "));
    let range = range.or_else(|| plain.strip_prefix("from ").unwrap_or(&plain).split_once(" to "));
    let (low, high) = range.ok_or_else(|| format!("`{words}` is no bound"))?;
    // 30 to 40 %.
    let low = number(low, high.trim_end().ends_with('%'), is_share, unit)?;
    let high = one(high)?;
    if low > high {
        return Err(format!("`{words}` runs backwards and holds nothing"));
    }
    Ok((Some(low), Some(high)))
}

fn number(text: &str, in_percent: bool, is_share: bool, unit: &str) -> Result<f64, String> {
    let text = text.trim();
    let (digits, percent) = match text.strip_suffix('%') {
        Some(digits) => (digits.trim_end(), true),
        None => (text, in_percent),
    };
    let plain: String = digits.chars().filter(|&c| c != '_').collect();
    let is_digits = |c: char| c.is_ascii_digit() || matches!(c, '.' | '-' | '+');
    let value = plain.parse::<f64>().ok().filter(|_| plain.chars().all(is_digits));
    let value = value.ok_or_else(|| match text.split_once(' ') {
        Some((number, word)) if number.parse::<f64>().is_ok() => {
            format!("this is counted in {unit}, not in {word}")
        }
        _ => format!("`{text}` is no number"),
    })?;
    match (is_share, percent) {
        (true, true) if value.abs() > 100.0 => Err(format!("`{text}`: a share is at most 100 %")),
        (true, true) => Ok(value / 100.0),
        (true, false) if value.abs() > 1.0 => {
            Err(format!("a share is at most 1; write {digits} % if that is meant"))
        }
        (false, true) => Err(format!("this is counted in {unit}, not in per cent")),
        _ => Ok(value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KNOWN: Known<'static> = Known {
        measures: &[("mean turns", "turns", false), ("early end", "share of games", true)],
        policies: &["hold:n=20", "hold:n=25"],
    };

    fn read(text: &str) -> Result<Vec<Target>, String> {
        read_targets(&Text::new("targets.toml", text), KNOWN).map_err(|error| error.to_string())
    }

    fn one(measure: &str, bounds: &str) -> (Option<f64>, Option<f64>) {
        let found = read(&format!("\"{measure}\" = \"{bounds}\"")).unwrap_or_else(|error| panic!("{error}"));
        (found[0].at_least, found[0].at_most)
    }

    #[test]
    fn bounds_as_people_write_them() {
        for words in ["8 to 10", "8–10", "8-10", "between 8 and 10", "from 8 to 10", "8  to  10.0"] {
            assert_eq!(one("mean turns", words), (Some(8.0), Some(10.0)), "{words}");
        }
        for words in ["8 to 10 turns", "8 turns to 10 turns", "Between 8 and 10 turns"] {
            assert_eq!(one("mean turns", words), (Some(8.0), Some(10.0)), "{words}");
            assert_eq!(one("turns", words), (Some(8.0), Some(10.0)), "{words}");
        }
        for words in ["at most 40 %", "At most 40%", "≤ 40 %", "<= 0.4", "up to 40 %"] {
            assert_eq!(one("early end", words), (None, Some(0.4)), "{words}");
        }
        for words in ["at least -2 %", "≥ -0.02", ">=-2%", "from -2 %"] {
            assert_eq!(one("early end", words), (Some(-0.02), None), "{words}");
        }
        assert_eq!(one("early end", "30 to 40 %"), (Some(0.3), Some(0.4)));
        // A tenth to either side.
        for words in ["about 20 %", "about 0.2", "~20%", "Around 20 %", "≈ 20 per cent"] {
            let (low, high) = one("early end", words);
            let (low, high) = (low.expect("a bound"), high.expect("a bound"));
            assert!((low - 0.18).abs() < 1e-12 && (high - 0.22).abs() < 1e-12, "{words}: {low} to {high}");
        }
        let (low, high) = one("mean turns", "about -10");
        assert_eq!((low, high), (Some(-11.0), Some(-9.0)));
        // As reports print shares and differences of shares.
        for words in ["at most 12.50 %", "at most 12.5%", "at most 0.125", "at most +12.50 %-points"] {
            assert_eq!(one("early end", words), (None, Some(0.125)), "{words}");
        }
        for words in ["−1.25 to +3.00 percentage points", "-1.25 % to +3.00 %", "-1.25 to +3.00 %-points"] {
            assert_eq!(one("early end", words), (Some(-0.0125), Some(0.03)), "{words}");
        }
    }

    #[test]
    fn a_table_is_for_one_policy() {
        let found = read("\"mean turns\" = \"8 to 9\"\n[\"hold:n=25\"]\n\"early end\" = \"at most 1 %\"")
            .expect("good");
        assert_eq!(
            found.iter().map(|target| target.policy.as_deref()).collect::<Vec<_>>(),
            [None, Some("hold:n=25")]
        );
        let found = read("[hold]\n\"mean turns\" = \"8 to 9\"").expect("every policy of the name");
        assert_eq!(
            found.iter().map(|target| target.policy.as_deref()).collect::<Vec<_>>(),
            [Some("hold:n=20"), Some("hold:n=25")]
        );
    }

    #[test]
    fn what_is_wrong_comes_with_its_line() {
        for (text, words) in [
            ("", "there is no target in it"),
            ("\n\"mean turn\" = \"8 to 10\"", "targets.toml:2:1"),
            ("\"mean turn\" = \"8 to 10\"", "did you mean `mean turns`?"),
            ("\"mean turns\" = 9", "a text in quotes is needed here, not a number"),
            ("\"mean turns\" = \"9\"", "`9` is no bound"),
            ("\"mean turns\" = \"at most ten\"", "`ten` is no number"),
            ("\"mean turns\" = \"at most inf\"", "`inf` is no number"),
            ("\"mean turns\" = \"at most 8 rounds\"", "counted in turns, not in rounds"),
            ("\"mean turns\" = \"10 to 8\"", "runs backwards"),
            ("\"mean turns\" = \"at most 40 %\"", "counted in turns, not in per cent"),
            ("\"early end\" = \"at most 40\"", "write 40 % if that is meant"),
            ("\"early end\" = \"at most 300 %\"", "a share is at most 100 %"),
            ("\"early end\" = \"50 to 101 %\"", "a share is at most 100 %"),
            ("[\"hold:n=52\"]\n\"mean turns\" = \"8 to 9\"", "did you mean `hold:n=25`?"),
            ("mean turns = 3", "targets.toml:1:6"),
        ] {
            let error = read(text).expect_err(text);
            assert!(error.contains(words), "{text}: {error}");
        }
    }
}
