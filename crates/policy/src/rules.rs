//! Rules files: a game, a preset as the base, and the options that differ.

use std::fmt;

use stopwise_engine::games::{Rules, RulesError};
use toml::{Table, Value};

use crate::problem::{Problem, TextError, quoted};
use crate::read::{Entries, PolicyText};
use crate::shipped;
use crate::visible::is_unseen;

const HEADER: [&str; 4] = ["game", "name", "summary", "base"];

/// Rules read from text.
#[derive(Clone, Debug, PartialEq)]
pub struct RulesText<G> {
    /// The name in reports.
    pub name: String,
    /// One sentence about what distinguishes them.
    pub summary: String,
    /// The rules.
    pub rules: G,
}

impl<G: Rules> RulesText<G> {
    /// Reads a preset or a file.
    ///
    /// # Errors
    ///
    /// All problems of the text: unknown options, values out of range, an unknown base.
    pub fn read(text: &PolicyText) -> Result<Self, TextError> {
        let complete = complete::<G>;
        let OptionsText { name, summary, options } = OptionsText::read(text, G::INFO.name, &complete)?;
        let rules: G = Value::Table(options).try_into().map_err(|error: toml::de::Error| {
            let problem = Problem::new(0..0, in_words(&error));
            text.error(problem.help(format!(
                "name a preset to take the other options from: base = \"{}\"",
                shipped::default_rules(G::INFO.name).name
            )))
        })?;
        rules.validate().map_err(|error| {
            let key = error.option.split('.').next().unwrap_or_default();
            let at = || {
                let table = text.table().ok()?;
                Some(Entries::new(text, &table).get(key)?.span())
            };
            text.error(Problem::new(at().unwrap_or(0..0), error.to_string()))
        })?;
        Ok(Self { name, summary, rules })
    }
}

/// Reads options as rules of a game, and writes them again with all other options.
fn complete<G: Rules>(options: Table) -> Result<Table, Refused> {
    let rules: G =
        Value::Table(options).try_into().map_err(|error: toml::de::Error| Refused::Kind(in_words(&error)))?;
    rules.validate().map_err(Refused::Range)?;
    Ok(options_of(&rules))
}

/// Why options are not valid rules.
#[derive(Clone, Debug)]
enum Refused {
    /// A value has the wrong type: the message of `serde`.
    Kind(String),
    /// A value has the right type but is out of range.
    Range(RulesError),
}

/// The options of rules as read, including those of their base. Not generic, so that reading is compiled once.
struct OptionsText {
    name: String,
    summary: String,
    options: Table,
}

/// Reads options as the rules of a particular game, and writes them again with all other options.
type Complete<'c> = dyn Fn(Table) -> Result<Table, Refused> + 'c;

impl OptionsText {
    fn read(text: &PolicyText, wanted: &str, complete: &Complete<'_>) -> Result<Self, TextError> {
        let table = text.table()?;
        let entries = Entries::new(text, &table);
        let game = entries.string("game").map_err(|problem| text.error(problem))?;
        if game != wanted {
            let span = entries.get("game").map_or(0..0, toml::Spanned::span);
            return Err(text.error(Problem::new(
                span,
                format!("these rules are for {}, not for `{wanted}`", quoted(&game)),
            )));
        }
        let name = entries.name().map_err(|problem| text.error(problem))?;
        let summary = match entries.get("summary") {
            Some(_) => entries.string("summary").map_err(|problem| text.error(problem))?,
            None => String::new(),
        };

        // A shipped preset is complete, and good.
        let of_preset = |preset: &shipped::Shipped| {
            let text = preset.text();
            let options = Self::read(&text, wanted, complete)?.options;
            complete(options).map_err(|refused| text.error(Problem::new(0..0, refused.to_string())))
        };
        let mut options = match entries.get("base") {
            Some(value) => {
                let base = entries.string("base").map_err(|problem| text.error(problem))?;
                let Some(preset) = shipped::rules(wanted, &base) else {
                    let known = shipped::rules_of(wanted).map(|preset| preset.name);
                    return Err(text.error(Problem::unknown(value.span(), "preset", &base, known)));
                };
                of_preset(preset)?
            }
            None => Table::new(),
        };
        // Every option is tried on rules that have them all, so that an error has its place. The default preset
        // is what has them all.
        let default = shipped::default_rules(wanted);
        let all = match default.text().text == text.text {
            true => None,
            false => Some(of_preset(default)?),
        };
        let values: Table = toml::from_str(&text.text)
            .map_err(|error| text.error(Problem::new(error.span().unwrap_or(0..0), error.message())))?;
        let mut problems = Vec::new();
        for (key, span, value) in entries.iter().filter(|(key, ..)| !HEADER.contains(key)) {
            if let Some(all) = &all {
                if !all.contains_key(key) {
                    let known = all.keys().map(String::as_str);
                    problems.push(Problem::unknown(span, "option", key, known));
                    continue;
                }
                let mut tried = all.clone();
                merge(&mut tried, key, values[key].clone());
                // Ranges may depend on each other: they are for all options together.
                if let Err(Refused::Kind(message)) = complete(tried) {
                    let message = told(complete, all, &[key], &values[key], message);
                    problems.push(Problem::new(value.span(), format!("{key}: {message}")));
                    continue;
                }
            }
            merge(&mut options, key, values[key].clone());
        }
        if problems.is_empty() { Ok(Self { name, summary, options }) } else { Err(text.errors(problems)) }
    }
}

fn options_of<G: Rules>(rules: &G) -> Table {
    match Value::try_from(rules) {
        Ok(Value::Table(table)) => table,
        _ => Table::new(),
    }
}

/// The rules as a file that needs no base: every option, and a name.
pub fn write_rules<G: Rules>(name: &str, rules: &G) -> String {
    written(G::INFO.name, name, options_of(rules))
}

fn written(game: &str, name: &str, options: Table) -> String {
    let mut table = Table::new();
    for (key, value) in [("game", game), ("name", name)] {
        table.insert(key.to_owned(), Value::String(value.to_owned()));
    }
    // What a table holds comes last in TOML.
    let (nested, plain): (Vec<_>, Vec<_>) = options.into_iter().partition(|(_, value)| value.is_table());
    let lines = table.into_iter().chain(plain).chain(nested).map(|(key, value)| match value {
        Value::Table(parts) => {
            let parts: Vec<_> = parts.iter().map(|(key, value)| format!("{key} = {value}")).collect();
            format!("{key} = {{ {} }}\n", parts.join(", "))
        }
        value => format!("{key} = {value}\n"),
    });
    lines.collect()
}

/// Sets `key` to `value`. A table changes only the keys that it contains.
fn merge(options: &mut Table, key: &str, value: Value) {
    match (options.get_mut(key), value) {
        (Some(Value::Table(old)), Value::Table(new)) => {
            for (key, value) in new {
                merge(old, &key, value);
            }
        }
        (_, value) => {
            options.insert(key.to_owned(), value);
        }
    }
}

/// Changes one option. Nested options are named with dots, as in a rules file: `points.solid=9`.
///
/// # Errors
///
/// Names an unknown option and the known ones, or says what is wrong with the value.
pub fn set_option<G: Rules>(rules: &G, assignment: &str) -> Result<G, RulesError> {
    let before = options_of(rules);
    let options = assigned(before.clone(), assignment)?;
    match Value::Table(options).try_into::<G>() {
        Ok(changed) => changed.validate().map(|()| changed),
        Err(error) => Err(refused(&complete::<G>, &before, assignment, in_words(&error))),
    }
}

/// The words that are values of an option; empty if it takes other values, or does not exist.
pub fn option_words<G: Rules>(rules: &G, option: &str) -> Vec<String> {
    let all = options_of(rules);
    let path: Vec<_> = option.split('.').collect();
    if at_path(&all, &path).is_some_and(Value::is_bool) {
        return ["false", "true"].map(str::to_owned).to_vec();
    }
    words(&complete::<G>, &all, &path)
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Kind(message) => f.write_str(message),
            Self::Range(error) => error.fmt(f),
        }
    }
}

/// The error for a value of the wrong type, assigned to a known option.
fn refused(complete: &Complete<'_>, before: &Table, assignment: &str, message: String) -> RulesError {
    let (path, text) = assignment.split_once('=').unwrap_or((assignment, ""));
    let path: Vec<_> = path.trim().split('.').collect();
    let message = told(complete, before, &path, &value_of(text.trim()), message);
    RulesError { option: "--set", message: format!("{assignment}: {message}") }
}

/// The problem of a value of the wrong type, with the possible values if they are known, otherwise `message`.
fn told(complete: &Complete<'_>, all: &Table, path: &[&str], value: &Value, message: String) -> String {
    // What of a number is said of its type holds of the number before that of the game's range.
    if message.contains("expected a whole number from")
        && let Some(range) = BEYOND.iter().find_map(|&number| range(complete, all, path, number))
    {
        return match value {
            Value::Integer(number) => format!("{number} is out of range; {range}"),
            other => format!("{} is no whole number; {range}", quoted(&shown(other))),
        };
    }
    let words = words(complete, all, path);
    if words.is_empty() {
        return message;
    }
    let words: Vec<_> = words.iter().map(|word| format!("`{word}`")).collect();
    format!("{} is none of its values; write one of {}", quoted(&shown(value)), words.join(", "))
}

/// Numbers that fit options of two bytes, or of one, but are out of their range: they provoke an error with the range.
const BEYOND: [i64; 2] = [65_535, 255];

/// The allowed range of an option, if this number is outside it.
fn range(complete: &Complete<'_>, all: &Table, path: &[&str], number: i64) -> Option<String> {
    at_path(all, path).filter(|value| value.is_integer())?;
    match complete(with(all, path, Value::Integer(number))) {
        Err(Refused::Range(error)) if error.option == path.join(".") => {
            Some(error.message.strip_prefix(&format!("{number} is out of range; "))?.to_owned())
        }
        _ => None,
    }
}

/// The words that are values of an option: those that `serde` lists when it finds another.
fn words(complete: &Complete<'_>, all: &Table, path: &[&str]) -> Vec<String> {
    if !at_path(all, path).is_some_and(Value::is_str) {
        return Vec::new();
    }
    let Err(Refused::Kind(message)) = complete(with(all, path, Value::String(String::new()))) else {
        return Vec::new();
    };
    // "unknown variant ``, expected one of `all`, `any`, `none`"
    let Some((_, expected)) = message.split_once("unknown variant ``, expected ") else { return Vec::new() };
    expected.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

/// The value at a path of keys.
fn at_path<'t>(table: &'t Table, path: &[&str]) -> Option<&'t Value> {
    let (first, rest) = path.split_first()?;
    let value = table.get(*first)?;
    match rest {
        [] => Some(value),
        rest => at_path(value.as_table()?, rest),
    }
}

/// The same table with another value at a path of keys.
fn with(table: &Table, path: &[&str], value: Value) -> Table {
    let mut table = table.clone();
    let value = path
        .iter()
        .rev()
        .fold(value, |value, key| Value::Table(Table::from_iter([(key.to_string(), value)])));
    if let Value::Table(change) = value {
        for (key, value) in change {
            merge(&mut table, &key, value);
        }
    }
    table
}

/// A value as it was typed, without quotes.
fn shown(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// The value of typed text. A word without quotes is a string.
fn value_of(text: &str) -> Value {
    toml::from_str::<Table>(&format!("value = {text}"))
        .ok()
        .filter(|table| table.len() == 1)
        .and_then(|mut table| table.remove("value"))
        .unwrap_or_else(|| Value::String(text.to_owned()))
}

/// The options after one assignment.
fn assigned(mut options: Table, assignment: &str) -> Result<Table, RulesError> {
    let fail = |message: String| RulesError { option: "--set", message };
    // What is assigned becomes part of the rules' name, in tables and on terminals.
    if assignment.contains(is_unseen) {
        return Err(fail(format!(
            "{}: write it on one line, without control characters",
            quoted(assignment)
        )));
    }
    let (path, text) = assignment.split_once('=').ok_or_else(|| {
        fail(format!("`{assignment}` is no assignment; write KEY=VALUE, for example turns=5"))
    })?;
    let (path, text) = (path.trim(), text.trim());
    let value = value_of(text);
    let mut table = &mut options;
    let (parents, key) = path.rsplit_once('.').map_or((None, path), |(parents, key)| (Some(parents), key));
    for parent in parents.iter().flat_map(|parents| parents.split('.')) {
        if !table.contains_key(parent) {
            return Err(fail(unknown_option(parent, table)));
        }
        table = match &mut table[parent] {
            Value::Table(inner) => inner,
            _ => return Err(fail(format!("`{parent}` has no parts"))),
        };
    }
    match table.get(key) {
        None => return Err(fail(unknown_option(key, table))),
        Some(Value::Table(parts)) if !value.is_table() => {
            let names: Vec<_> = parts.keys().map(String::as_str).collect();
            let (all, first) = (names.join(", "), names.first().unwrap_or(&""));
            return Err(fail(format!("`{path}` has parts ({all}); write for example {path}.{first}=…")));
        }
        Some(_) => merge(table, key, value),
    }
    Ok(options)
}

/// The message of `serde`, with plain names of types instead of Rust's.
fn in_words(error: &toml::de::Error) -> String {
    let names = [
        ("expected u8", "expected a whole number from 0 to 255"),
        ("expected u16", "expected a whole number from 0 to 65535"),
        ("expected f64", "expected a number"),
        ("expected a boolean", "expected true or false"),
        ("expected a sequence", "expected a list in brackets"),
        ("expected struct Points", "expected a table"),
    ];
    let message = error.message().replace('\n', " ");
    names.iter().fold(message, |message, (from, to)| message.replace(from, to))
}

fn unknown_option(key: &str, known: &Table) -> String {
    let holds =
        |(_, value): &(&String, &Value)| value.as_table().is_some_and(|table| table.contains_key(key));
    if let Some((outer, _)) = known.iter().find(holds) {
        return format!("unknown option `{key}`; did you mean `{outer}.{key}`?");
    }
    let problem = Problem::unknown(0..0, "option", key, known.keys().map(String::as_str));
    let help = problem.help.map(|help| format!("; {help}")).unwrap_or_default();
    format!("{}{help}", problem.message)
}
