//! Rules as text: a file with a game, a preset as the base, and the options that differ; and single options, as `--set`
//! changes them.

mod setting;
mod value;

use stopwise_engine::games::{Rules, RulesError};
use stopwise_engine::info::Info;
use toml::{Table, Value};

use crate::read::{Entries, Toml as _};
use crate::shipped::Shipped;
use setting::{Setting, assigned, settings};
use stopwise_text::Text;
use stopwise_text::{Problem, TextError, quoted};

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
    /// Reads a preset or a file. `game` has any rules of the game, and `presets` are those that the text may have as its
    /// base, the default first.
    ///
    /// # Errors
    ///
    /// All problems of the text: unknown options, values out of range, an unknown base.
    pub fn read(text: &Text, game: &G, presets: &[Shipped]) -> Result<Self, TextError> {
        let read = |text: &Text| OptionsText::read(text, game.info(), presets);
        let OptionsText { name, summary, options, settings } = read(text)?;
        let rules = with_options(game, options).map_err(|refused| match refused {
            Refused::Value(message) => {
                // The game does not say which value it cannot read: it is the one that the default rules refuse as well.
                let default = presets.first().and_then(|preset| read(&preset.text()).ok());
                let is_it = |setting: &&Setting| {
                    let mut options = default.as_ref().map(|read| read.options.clone()).unwrap_or_default();
                    put(&mut options, setting.option.name, setting.value.clone());
                    matches!(with_options(game, options), Err(Refused::Value(_)))
                };
                text.error(match settings.iter().find(is_it) {
                    Some(Setting { option, span, .. }) => {
                        Problem::new(span.clone(), format!("{}: {message}", option.name))
                    }
                    None => Problem::new(0..0, message),
                })
            }
            Refused::Rules(error) => {
                let is_it = |setting: &&Setting| {
                    setting.option.name.split('.').next() == error.option.split('.').next()
                };
                let span = settings.iter().find(is_it).map_or(0..0, |setting| setting.span.clone());
                text.error(Problem::new(span, error.to_string()))
            }
        })?;
        Ok(Self { name, summary, rules })
    }
}

/// Why a game refuses options that are all in their domains.
enum Refused {
    /// One of the values is not what the game can read.
    Value(String),
    /// They do not fit together.
    Rules(RulesError),
}

/// The rules with these options, all of them.
fn with_options<G: Rules>(game: &G, options: Table) -> Result<G, Refused> {
    let rules = game
        .with_options(options)
        .map_err(|error: toml::de::Error| Refused::Value(error.message().replace('\n', " ")))?;
    rules.validate().map_err(Refused::Rules)?;
    Ok(rules)
}

/// The options of rules as read, including those of their base.
struct OptionsText {
    name: String,
    summary: String,
    options: Table,
    /// Those that stand in the text.
    settings: Vec<Setting>,
}

impl OptionsText {
    fn read(text: &Text, info: &Info, presets: &[Shipped]) -> Result<Self, TextError> {
        let table = text.table()?;
        let entries = Entries::new(text, &table);
        let game = entries.string_such_as("game", info.name).map_err(|problem| text.error(problem))?;
        // A file's game has the name that its text says.
        if game != info.name && !game.ends_with(".game") {
            let span = entries.get("game").map_or(0..0, toml::Spanned::span);
            let message = format!("these rules are for {}, not for `{}`", quoted(&game), info.name);
            return Err(text.error(Problem::new(span, message)));
        }
        let name = entries.name().map_err(|problem| text.error(problem))?;
        let summary = match entries.get("summary") {
            Some(_) => entries.string("summary").map_err(|problem| text.error(problem))?,
            None => String::new(),
        };
        let mut options = match entries.get("base") {
            Some(value) => {
                let base = entries.string("base").map_err(|problem| text.error(problem))?;
                let Some(preset) = presets.iter().find(|preset| preset.name == base) else {
                    let known = presets.iter().map(|preset| preset.name);
                    return Err(text.error(Problem::unknown(value.span(), "preset", &base, known)));
                };
                Self::read(&preset.text(), info, presets)?.options
            }
            None => Table::new(),
        };
        let (mut found, mut refused) = (Vec::new(), Vec::new());
        for (key, span, value) in entries.iter().filter(|(key, ..)| !HEADER.contains(key)) {
            settings(info.options, key, &span, value, &mut found, &mut refused);
        }
        if !refused.is_empty() {
            return Err(text.errors(refused.into_iter().map(setting::Refused::problem).collect()));
        }
        for Setting { option, value, .. } in &found {
            put(&mut options, option.name, value.clone());
        }
        let is_missing = |name: &&str| at_path(&options, name).is_none();
        let missing: Vec<_> = info.options.iter().map(|option| option.name).filter(is_missing).collect();
        if !missing.is_empty() {
            let problem = Problem::new(0..0, format!("no value for `{}`", missing.join("`, `")));
            return Err(text.error(match presets.first() {
                Some(Shipped { name, .. }) => {
                    problem.help(format!("name a preset to take the other options from: base = \"{name}\""))
                }
                None => problem,
            }));
        }
        Ok(Self { name, summary, options, settings: found })
    }
}

/// Changes one option, or parts of a group: `turns=5`, `points.solid=9`, `points={ solid = 9, mixed = 7 }`.
///
/// # Errors
///
/// Names an unknown option and the known ones, or says what is wrong with the value.
pub fn set_option<G: Rules>(rules: &G, assignment: &str) -> Result<G, RulesError> {
    let mut options = options_of(rules);
    let settings = assigned(rules.info().options, assignment)?;
    for Setting { option, value, .. } in &settings {
        put(&mut options, option.name, value.clone());
    }
    with_options(rules, options).map_err(|refused| match refused {
        Refused::Value(message) => {
            RulesError { option: settings.first().map_or("--set", |setting| setting.option.name), message }
        }
        Refused::Rules(error) => error,
    })
}

/// The rules as a file that needs no base: every option, and a name.
pub fn write_rules<G: Rules>(name: &str, rules: &G) -> String {
    written(rules.info().name, name, options_of(rules))
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

/// The options with their values, a line each, and what they mean and take as a remark.
pub fn explain_options<G: Rules>(rules: &G) -> String {
    explained(rules.info(), &options_of(rules))
}

fn explained(info: &Info, options: &Table) -> String {
    let lines: Vec<_> = info
        .options
        .iter()
        .filter_map(|option| Some((format!("{} = {}", option.name, at_path(options, option.name)?), option)))
        .collect();
    let longest = lines.iter().map(|(line, _)| line.len()).max().unwrap_or(0);
    let explained = lines.iter().map(|(line, option)| {
        let takes = option.domain.in_short();
        let gap = if takes.is_empty() || option.meaning.is_empty() { "" } else { ": " };
        format!("{line:longest$}  # {}{gap}{takes}\n", option.meaning)
    });
    explained.collect()
}

fn options_of<G: Rules>(rules: &G) -> Table {
    match Value::try_from(rules) {
        Ok(Value::Table(table)) => table,
        _ => Table::new(),
    }
}

/// The value of an option, a part of a group after the name of the group and a dot.
fn at_path<'t>(options: &'t Table, name: &str) -> Option<&'t Value> {
    match name.split_once('.') {
        None => options.get(name),
        Some((group, part)) => at_path(options.get(group)?.as_table()?, part),
    }
}

/// Gives an option a value.
fn put(options: &mut Table, name: &str, value: Value) {
    match name.split_once('.') {
        None => {
            options.insert(name.to_owned(), value);
        }
        Some((group, part)) => {
            let group = options.entry(group).or_insert_with(|| Value::Table(Table::new()));
            if let Value::Table(parts) = group {
                put(parts, part, value);
            }
        }
    }
}
