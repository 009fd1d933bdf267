//! A setting: an option, and the value that it is to have.

use std::ops::Range;

use serde::Deserialize as _;
use serde::de::IntoDeserializer as _;
use stopwise_engine::games::RulesError;
use stopwise_engine::options::{Domain, RuleOption};
use toml::de::{DeTable, DeValue};
use toml::{Spanned, Value};

use super::value::refusal;
use stopwise_text::is_unseen;
use stopwise_text::{Problem, quoted};

/// An option, the value that it is to have, and where that stands.
pub(super) struct Setting {
    pub(super) option: &'static RuleOption,
    pub(super) value: Value,
    pub(super) span: Range<usize>,
}

/// Why something is no setting.
pub(super) struct Refused {
    /// The option, if the name is that of one.
    option: Option<&'static str>,
    problem: Problem,
}

impl Refused {
    /// For a text, which shows the place.
    pub(super) fn problem(self) -> Problem {
        let message = match self.option {
            Some(option) => format!("{option}: {}", self.problem.message),
            None => self.problem.message,
        };
        Problem { message, ..self.problem }
    }

    /// For an assignment on the command line.
    fn error(self) -> RulesError {
        let Problem { message, help, .. } = self.problem;
        let help = help.map(|help| format!("; {help}")).unwrap_or_default();
        RulesError { option: self.option.unwrap_or("--set"), message: format!("{message}{help}") }
    }
}

/// Collects the settings of a key with its value: one, or one for each part of a group that is named.
pub(super) fn settings(
    options: &'static [RuleOption],
    name: &str,
    key: &Range<usize>,
    value: &Spanned<DeValue<'_>>,
    found: &mut Vec<Setting>,
    refused: &mut Vec<Refused>,
) {
    let span = value.span();
    if let Some(option) = options.iter().find(|option| option.name == name) {
        let read = Value::deserialize(value.clone().into_deserializer());
        // As texts have it.
        let read = read.map(|value| match (&option.domain, value.as_str()) {
            (Domain::YesNo, Some("yes")) => Value::Boolean(true),
            (Domain::YesNo, Some("no")) => Value::Boolean(false),
            _ => value,
        });
        let message = match read {
            Ok(value) => match refusal(&option.domain, &value) {
                None => return found.push(Setting { option, value, span }),
                Some(message) => message,
            },
            Err(error) => error.message().to_owned(),
        };
        return refused.push(Refused { option: Some(option.name), problem: Problem::new(span, message) });
    }
    let parts: Vec<_> =
        options.iter().filter_map(|option| option.name.strip_prefix(name)?.strip_prefix('.')).collect();
    let problem = match (parts.first(), value.get_ref()) {
        (Some(_), DeValue::Table(table)) => {
            for (part, value) in table {
                let name = format!("{name}.{}", part.get_ref());
                settings(options, &name, &part.span(), value, found, refused);
            }
            return;
        }
        (Some(first), _) => Problem::new(span, format!("{} has parts ({})", quoted(name), parts.join(", ")))
            .help(format!("write for example {name}.{first}=…")),
        (None, _) => unknown(options, name, key.clone()),
    };
    refused.push(Refused { option: None, problem });
}

/// The problem of a name that no option has.
fn unknown(options: &'static [RuleOption], name: &str, span: Range<usize>) -> Problem {
    let known = || options.iter().map(|option| option.name);
    match known().find(|known| known.rsplit_once('.').is_some_and(|(_, part)| part == name)) {
        Some(whole) => Problem::new(span, format!("unknown option {}", quoted(name)))
            .help(format!("did you mean `{whole}`?")),
        None => Problem::unknown(span, "option", name, known()),
    }
}

/// The settings of an assignment such as `turns=5`.
pub(super) fn assigned(options: &'static [RuleOption], assignment: &str) -> Result<Vec<Setting>, RulesError> {
    let fail = |message: String| RulesError { option: "--set", message };
    // What is assigned becomes part of the rules' name, in tables and on terminals.
    if assignment.contains(is_unseen) {
        return Err(fail(format!(
            "{}: write it on one line, without control characters",
            quoted(assignment)
        )));
    }
    let (name, text) = assignment.split_once('=').ok_or_else(|| {
        let option = options.first().map_or("turns", |option| option.name);
        fail(format!("`{assignment}` is no assignment; write KEY=VALUE, for example {option}=…"))
    })?;
    // A word without quotes is a text.
    let text = text.trim();
    let line = format!("value = {text}");
    let table = DeTable::parse(&line).map(Spanned::into_inner).ok().filter(|table| table.len() == 1);
    let word = Spanned::new(0..0, DeValue::String(text.into()));
    let value = table.as_ref().and_then(|table| table.get("value")).unwrap_or(&word);
    let (mut found, mut refused) = (Vec::new(), Vec::new());
    settings(options, name.trim(), &(0..0), value, &mut found, &mut refused);
    match refused.into_iter().next() {
        Some(refused) => Err(refused.error()),
        None => Ok(found),
    }
}
