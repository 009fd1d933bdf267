//! Reads the parameters of a policy file.

use toml::Spanned;
use toml::de::DeValue;

use super::reader::Reader;
use crate::expression::parameter::Parameter;
use crate::heading::signed_fraction;
use crate::read::wrong_kind;
use stopwise_text::{Problem, quoted};

/// The keys of a parameter that says more than its value.
const VALUE: &str = "value";
const WORDS: [&str; 2] = ["unit", "meaning"];

/// The largest number of parameters.
const PARAMETERS: usize = 64;

impl Reader<'_> {
    /// The parameters with the values in the file.
    pub(super) fn parameters(&mut self) -> Vec<Parameter> {
        let Some(value) = self.entries.get("params") else {
            return Vec::new();
        };
        let Some(table) = value.get_ref().as_table() else {
            self.problems.push(wrong_kind(value, "a table such as { k = 2 }"));
            return Vec::new();
        };
        if table.len() > PARAMETERS {
            let message = format!("a policy has at most {PARAMETERS} parameters");
            self.problems.push(Problem::new(value.span(), message));
            return Vec::new();
        }
        let mut parameters = Vec::new();
        for (key, value) in table {
            let name = key.get_ref().as_ref();
            let numbers = self.words.numbers.iter().map(|number| (&number.number, "number of candidates"));
            let features = self.words.features.iter().map(|feature| (feature, "feature of the game"));
            if let Some((word, what)) = features.chain(numbers).find(|(word, _)| word.name == name) {
                let message = format!("`{name}` is a {what}: {}", word.meaning);
                self.problems.push(Problem::new(key.span(), message).help("give the parameter another name"));
            }
            if !is_name(name) {
                let problem = Problem::new(key.span(), format!("{} is no name", quoted(name))).help(
                    "write letters, digits and _ only, a letter first, but not and, or, not, true, false, yes, no",
                );
                self.problems.push(problem);
            }
            let (value, [unit, meaning]) = self.described(value);
            let truth = match value.get_ref() {
                DeValue::Boolean(truth) => Some(*truth),
                DeValue::String(word) => truth(word),
                _ => None,
            };
            let value = truth.map_or_else(|| number(value), |truth| Ok((truth.into(), 1)));
            // After a problem any number will do: the name is known.
            let (numerator, denominator) = value.unwrap_or_else(|problem| {
                self.problems.push(problem);
                (1, 1)
            });
            let is_truth = truth.is_some();
            parameters.push(Parameter {
                name: name.to_owned(),
                numerator,
                denominator,
                is_truth,
                is_changed: false,
                unit,
                meaning,
            });
        }
        parameters
    }

    /// The value of a parameter, its unit and its meaning: a value alone, or a table of them.
    fn described<'v>(&mut self, value: &'v Spanned<DeValue<'v>>) -> (&'v Spanned<DeValue<'v>>, [String; 2]) {
        let mut words = [String::new(), String::new()];
        let Some(table) = value.get_ref().as_table() else { return (value, words) };
        let mut found = value;
        for (key, entry) in table {
            let name = key.get_ref().as_ref();
            match WORDS.iter().position(|word| *word == name) {
                _ if name == VALUE => found = entry,
                Some(at) => match entry.get_ref().as_str() {
                    Some(text) => words[at] = text.to_owned(),
                    None => self.problems.push(wrong_kind(entry, "a text in quotes")),
                },
                None => {
                    let known = std::iter::once(VALUE).chain(WORDS);
                    self.problems.push(Problem::unknown(key.span(), "key", name, known));
                }
            }
        }
        (found, words)
    }

    /// Replaces the values of parameters.
    pub(super) fn apply(&mut self, parameters: &mut [Parameter], overrides: &[(String, String)]) {
        for (name, value) in overrides {
            let known: Vec<_> = parameters.iter().map(|parameter| parameter.name.clone()).collect();
            let Some(parameter) = parameters.iter_mut().find(|parameter| parameter.name == *name) else {
                let problem = if known.is_empty() {
                    Problem::new(
                        0..0,
                        format!("the policy has no parameters, so {} cannot be set", quoted(name)),
                    )
                } else {
                    Problem::unknown(0..0, "parameter", name, known.iter().map(String::as_str))
                };
                self.problems.push(problem);
                continue;
            };
            let value = match parameter.is_truth {
                true => truth(value)
                    .map(|truth| (truth.into(), 1))
                    .ok_or_else(|| format!("{} is neither yes nor no", quoted(value))),
                false => signed_fraction(value),
            };
            match value {
                Ok((numerator, denominator)) => {
                    let is_changed = (numerator, denominator) != (parameter.numerator, parameter.denominator);
                    *parameter = Parameter { numerator, denominator, is_changed, ..parameter.clone() };
                }
                Err(message) => {
                    self.problems.push(Problem::new(0..0, format!("parameter {}: {message}", quoted(name))))
                }
            }
        }
    }
}

fn is_name(name: &str) -> bool {
    !["and", "or", "not"].contains(&name)
        && truth(name).is_none()
        && name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// A yes or no.
fn truth(word: &str) -> Option<bool> {
    match word {
        "yes" | "true" => Some(true),
        "no" | "false" => Some(false),
        _ => None,
    }
}

/// A number in a file, as an exact fraction.
fn number(value: &Spanned<DeValue<'_>>) -> Result<(i64, i64), Problem> {
    let text = match value.get_ref() {
        DeValue::Integer(integer) if integer.radix() == 10 => integer.as_str(),
        DeValue::Float(float) => float.as_str(),
        DeValue::Integer(_) => {
            return Err(Problem::new(value.span(), "write this number with decimal digits"));
        }
        DeValue::Table(_) => {
            return Err(Problem::new(value.span(), "the key `value` is missing")
                .help("write for example { value = 20, unit = \"points\", meaning = \"hold at so many\" }"));
        }
        _ => return Err(wrong_kind(value, "a number such as 2 or 0.35, or \"yes\" or \"no\",")),
    };
    signed_fraction(text).map_err(|message| Problem::new(value.span(), message))
}
