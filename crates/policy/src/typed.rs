//! A policy as it is typed on a command line, without a file: `stop = points >= n; n = 20`.

use std::fmt::Write as _;

use stopwise_engine::info::{AnswerForm, Kind};
use stopwise_text::Text;
use toml::Value;

/// The longest name that is made of what was typed, in letters.
const LONGEST_NAME: usize = 40;

/// Whether this is a policy as typed: it begins with a word and `=`, and is no file's name, and no name with parameters.
pub fn is_typed(spec: &str) -> bool {
    let word = |key: &str| !key.is_empty() && key.chars().all(|c| c.is_alphanumeric() || c == '_');
    let begins = spec.split_once('=').is_some_and(|(key, _)| word(key.trim()));
    begins && !spec.ends_with(".toml") && !spec.contains(".toml:") && !spec.contains(['\n', '\r'])
}

/// The text of a policy as typed: entries `KEY = VALUE` between semicolons, each as in a file but for the quotes. An answer is an
/// expression, or for a list its entries between commas; what is no kind of decision of the game is a parameter.
///
/// Its name is made of what was typed, unless it has one.
pub fn typed(spec: &str, game: &str, kinds: &[Kind]) -> Text {
    let (mut answers, mut parameters, mut others) = (String::new(), Vec::new(), String::new());
    let (mut is_named, mut of) = (false, game);
    for entry in entries(spec) {
        let (key, value) = entry.split_once('=').unwrap_or((entry, ""));
        let (key, value) = (key.trim(), value.trim());
        let kind = kinds.iter().find(|kind| kind.name == key);
        let _ = match kind {
            Some(kind) => writeln!(answers, "{key} = {}", answer(kind.form, value)),
            None if key == "game" => {
                of = value;
                Ok(())
            }
            None if key == "name" || key == "summary" => {
                is_named |= key == "name";
                writeln!(others, "{key} = {}", quoted(value))
            }
            None if is_value(value) => {
                let value = value.replace("yes", "true").replace("no", "false");
                parameters.push(format!("{key} = {value}"));
                Ok(())
            }
            // Who reads the text says what there is in its place.
            None => writeln!(answers, "{key} = {}", quoted(value)),
        };
    }
    if !parameters.is_empty() {
        let _ = writeln!(answers, "params = {{ {} }}", parameters.join(", "));
    }
    if !is_named {
        let _ = writeln!(others, "name = \"{}\"", name(spec, kinds));
    }
    // What may be wrong stands first, in the order in which it was typed.
    Text::new(spec, format!("{answers}{others}game = {}\n", quoted(of)))
}

/// The policy as typed with other values of its parameters.
pub fn retyped(spec: &str, values: &[(String, String)]) -> String {
    let is_other = |entry: &&str| values.iter().all(|(name, _)| key(entry) != name);
    let kept = entries(spec).filter(is_other).map(str::to_owned);
    let given = values.iter().map(|(name, value)| format!("{name} = {value}"));
    kept.chain(given).collect::<Vec<_>>().join("; ")
}

/// The policy as typed, with this parameter if it reads one of this name and gives it no value.
pub fn declared(spec: String, name: &str, value: &str) -> String {
    let is_read = spec.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == name);
    let is_given = entries(&spec).any(|entry| key(entry) == name);
    if is_typed(&spec) && is_read && !is_given { format!("{spec}; {name} = {value}") } else { spec }
}

fn entries(spec: &str) -> impl Iterator<Item = &str> {
    spec.split(';').map(str::trim).filter(|entry| !entry.is_empty())
}

fn key(entry: &str) -> &str {
    entry.split('=').next().unwrap_or_default().trim()
}

/// An answer as a value of TOML; one that is such a value already stays.
fn answer(form: AnswerForm, value: &str) -> String {
    if value.starts_with(['"', '\'', '[']) {
        return value.to_owned();
    }
    let parts = parts(value);
    // A number is answered by an expression, or by a list as items are.
    let is_compared = |part: &&str| ["most ", "least "].iter().any(|word| part.starts_with(word));
    let is_list = match form {
        AnswerForm::YesNo => false,
        AnswerForm::Number => parts.len() > 1 || parts.iter().any(is_compared),
        AnswerForm::Items => true,
    };
    match is_list {
        true => format!("[{}]", parts.into_iter().map(quoted).collect::<Vec<_>>().join(", ")),
        false => quoted(value),
    }
}

/// Whether this may be the value of a parameter.
fn is_value(value: &str) -> bool {
    matches!(value, "yes" | "no" | "true" | "false") || value.parse::<f64>().is_ok()
}

fn quoted(value: &str) -> String {
    let bare = value.strip_prefix('"').and_then(|value| value.strip_suffix('"')).unwrap_or(value);
    Value::String(bare.to_owned()).to_string()
}

/// What stands between the commas that are in no parentheses.
fn parts(value: &str) -> Vec<&str> {
    let (mut depth, mut begin, mut parts) = (0_i32, 0, Vec::new());
    for (at, letter) in value.char_indices() {
        match letter {
            '(' => depth += 1,
            ')' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(&value[begin..at]);
                begin = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&value[begin..]);
    parts.into_iter().map(str::trim).filter(|part| !part.is_empty()).collect()
}

/// What was typed as a name: its words and signs, without the parameters, such as `stop-points-ge-20`.
fn name(spec: &str, kinds: &[Kind]) -> String {
    const SIGNS: [(&str, &str); 17] = [
        (">=", "ge"),
        ("<=", "le"),
        ("==", "eq"),
        ("!=", "ne"),
        ("&&", "and"),
        ("||", "or"),
        (">", "gt"),
        ("<", "lt"),
        ("=", ""),
        ("!", "not"),
        ("+", "plus"),
        ("-", "minus"),
        ("*", "times"),
        ("/", "by"),
        ("%", "mod"),
        ("?", "then"),
        (":", "else"),
    ];
    let is_answer = |entry: &&str| kinds.iter().any(|kind| kind.name == key(entry));
    let mut words = entries(spec).filter(is_answer).collect::<Vec<_>>().join(" ");
    for (sign, word) in SIGNS {
        words = words.replace(sign, &format!(" {word} "));
    }
    let words: Vec<&str> =
        words.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let mut name = words.join("-");
    if name.chars().count() > LONGEST_NAME {
        // What is cut off tells it apart from others that begin alike (FNV-1a).
        let hash = |hash: u32, byte: u8| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193);
        let digits = spec.bytes().fold(0x811c_9dc5, hash) & 0xffff;
        let short = |at: &usize| name[..*at].chars().count() + 5 <= LONGEST_NAME;
        let end = name.match_indices('-').map(|(at, _)| at).rfind(short).unwrap_or(0);
        name = format!("{}-{digits:04x}", if end == 0 { "typed" } else { &name[..end] });
    }
    if name.is_empty() { "typed".to_owned() } else { name }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KINDS: [Kind; 2] = [
        Kind { name: "stop", form: AnswerForm::YesNo, actions: 2, meaning: "" },
        Kind { name: "keep", form: AnswerForm::Items, actions: 8, meaning: "" },
    ];

    #[test]
    fn texts_are_those_of_files() {
        for (spec, expected) in [
            (
                "stop = points >= n; n = 20",
                "stop = \"points >= n\"\nparams = { n = 20 }\nname = \"stop-points-ge-n\"\ngame = \"pig\"\n",
            ),
            (
                "keep=uses_all, most max(pays, 3) - used;stop=\"no\";name=mine",
                "keep = [\"uses_all\", \"most max(pays, 3) - used\"]\nstop = \"no\"\nname = \"mine\"\ngame = \"pig\"\n",
            ),
            (
                "stop = points > 3 and bold; bold = yes",
                "stop = \"points > 3 and bold\"\nparams = { bold = true }\nname = \"stop-points-gt-3-and-bold\"\ngame = \"pig\"\n",
            ),
            ("halt = points > 3", "halt = \"points > 3\"\nname = \"typed\"\ngame = \"pig\"\n"),
            ("stop = !wins_now", "stop = \"!wins_now\"\nname = \"stop-not-wins-now\"\ngame = \"pig\"\n"),
        ] {
            assert!(is_typed(spec), "{spec}");
            assert_eq!(typed(spec, "pig", &KINDS).text, expected, "{spec}");
        }
    }

    #[test]
    fn names_and_files_are_not_typed() {
        for spec in [
            "hold",
            "hold:n=20",
            "mine.toml",
            "a=b.toml",
            "mine.toml:n=3",
            "dir/a=b.toml",
            "a\nb = 3",
            "",
            "=3",
        ] {
            assert!(!is_typed(spec), "{spec}");
        }
    }

    #[test]
    fn other_values_are_typed_again() {
        let values = [("n".to_owned(), "25".to_owned())];
        assert_eq!(retyped("stop = points >= n; n = 20", &values), "stop = points >= n; n = 25");
        assert_eq!(declared("stop = points >= n".into(), "n", "3"), "stop = points >= n; n = 3");
        for spec in ["stop = points >= n; n = 20", "stop = points >= new", "hold"] {
            assert_eq!(declared(spec.into(), "n", "3"), spec);
        }
        assert!(is_typed(&retyped("n = 20; stop = points >= n", &values)));
    }
}
