//! Rules files: a game, a preset as the base, and the options that differ.

use std::collections::BTreeSet;

use stopwise_engine::games::{Rules, RulesError};
use toml::{Table, Value};

use crate::problem::{Problem, TextError};
use crate::read::{Entries, PolicyText};
use crate::shipped;

const HEADER: [&str; 4] = ["game", "name", "summary", "base"];

/// Rules as read from text.
#[derive(Clone, Debug, PartialEq)]
pub struct RulesText<G> {
    /// The name in reports.
    pub name: String,
    /// What is special about them, in a sentence.
    pub summary: String,
    /// The rules.
    pub rules: G,
}

impl<G: Rules> RulesText<G> {
    /// Reads a preset or a file.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with the text: unknown options, values out of range, an unknown base.
    pub fn read(text: &PolicyText) -> Result<Self, TextError> {
        let table = text.table()?;
        let entries = Entries::new(text, &table);
        let game = entries.string("game").map_err(|problem| text.error(problem))?;
        if game != G::NAME {
            let span = entries.get("game").map_or(0..0, toml::Spanned::span);
            return Err(text
                .error(Problem::new(span, format!("these rules are for `{game}`, not for `{}`", G::NAME))));
        }
        let name = entries.string("name").map_err(|problem| text.error(problem))?;
        let summary =
            entries.get("summary").and_then(|value| value.get_ref().as_str()).unwrap_or("").to_owned();

        let default = shipped::default_rules(G::NAME);
        let mut options = match entries.get("base") {
            Some(value) => {
                let base = value.get_ref().as_str().unwrap_or_default();
                let Some(preset) = shipped::rules(G::NAME, base) else {
                    let known = shipped::rules_of(G::NAME).map(|preset| preset.name);
                    return Err(text.error(Problem::unknown(value.span(), "preset", base, known)));
                };
                options_of::<G>(&Self::read(&preset.text())?.rules)
            }
            None => Table::new(),
        };
        // The names of all options, from a preset; the default preset itself names them all.
        let known: BTreeSet<String> = if default.text().text == text.text {
            entries.iter().map(|(key, ..)| key.to_owned()).collect()
        } else {
            options_of::<G>(&Self::read(&default.text())?.rules).keys().cloned().collect()
        };
        let values: Table = toml::from_str(&text.text)
            .map_err(|error| text.error(Problem::new(error.span().unwrap_or(0..0), error.message())))?;
        let mut problems = Vec::new();
        for (key, span, value) in entries.iter().filter(|(key, ..)| !HEADER.contains(key)) {
            if !known.contains(key) {
                let names = known.iter().map(String::as_str).filter(|name| !HEADER.contains(name));
                problems.push(Problem::unknown(span, "option", key, names));
                continue;
            }
            let mut changed = options.clone();
            merge(&mut changed, key, values[key].clone());
            if entries.get("base").is_some()
                && let Err(error) = changed.clone().try_into::<G>()
            {
                problems.push(Problem::new(value.span(), format!("{key}: {}", error.message())));
                continue;
            }
            options = changed;
        }
        if !problems.is_empty() {
            return Err(text.errors(problems));
        }
        let rules: G =
            Value::Table(options).try_into().map_err(|error: toml::de::Error| {
                let problem = Problem::new(0..0, error.message());
                text.error(problem.help(format!(
                    "name a preset to take the other options from: base = \"{}\"",
                    default.name
                )))
            })?;
        rules.validate().map_err(|error| {
            let key = error.option.split('.').next().unwrap_or_default();
            let span = entries.get(key).map_or(0..0, toml::Spanned::span);
            text.error(Problem::new(span, error.to_string()))
        })?;
        Ok(Self { name, summary, rules })
    }
}

fn options_of<G: Rules>(rules: &G) -> Table {
    match Value::try_from(rules) {
        Ok(Value::Table(table)) => table,
        _ => Table::new(),
    }
}

/// Sets `key` to `value`; a table changes only what it names.
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

/// Changes one option, named as in a rules file with dots for nested ones: `points.solid=9`.
///
/// # Errors
///
/// Says which option is unknown, or what is wrong with the value.
pub fn set_option<G: Rules>(rules: &G, assignment: &str) -> Result<G, RulesError> {
    let fail = |message: String| RulesError { option: "--set", message };
    let (path, text) = assignment.split_once('=').ok_or_else(|| {
        fail(format!("`{assignment}` is no assignment; write KEY=VALUE, for example turns=5"))
    })?;
    let (path, text) = (path.trim(), text.trim());
    // A word without quotes is a text.
    let value = toml::from_str::<Table>(&format!("value = {text}"))
        .ok()
        .and_then(|mut table| table.remove("value"))
        .unwrap_or_else(|| Value::String(text.to_owned()));
    let mut options = options_of(rules);
    let mut table = &mut options;
    let mut keys = path.split('.').peekable();
    while let Some(key) = keys.next() {
        let known: Vec<String> = table.keys().cloned().collect();
        let is_last = keys.peek().is_none();
        match table.get_mut(key) {
            Some(slot) if is_last => {
                if slot.is_table() && !value.is_table() {
                    let names = slot.as_table().map(|table| table.keys().cloned().collect::<Vec<_>>());
                    let names = names.unwrap_or_default().join(", ");
                    return Err(fail(format!(
                        "`{path}` has parts ({names}); write for example {path}.{}=…",
                        names.split(',').next().unwrap_or_default()
                    )));
                }
                *slot = value;
                break;
            }
            Some(Value::Table(inner)) => table = inner,
            _ => {
                let problem = Problem::unknown(0..0, "option", path, known.iter().map(String::as_str));
                let help = problem.help.map(|help| format!("; {help}")).unwrap_or_default();
                return Err(fail(format!("{}{help}", problem.message)));
            }
        }
    }
    let changed: G = Value::Table(options).try_into().map_err(|error: toml::de::Error| {
        fail(format!("{assignment}: {}", error.message().replace('\n', " ")))
    })?;
    changed.validate()?;
    Ok(changed)
}
