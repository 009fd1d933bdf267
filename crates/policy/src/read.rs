//! Reads files as TOML tables with positions.

use std::ops::Range;

use serde::de::Error as _;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::expression::lex::{fraction, percentage};
use stopwise_text::{Problem, Text, TextError, in_order};

/// The longest text, in bytes.
const LENGTH: usize = Text::LONGEST;
/// The largest number of lines that are reported as invalid TOML.
const ERRORS: usize = 100;

/// What a text in TOML says of itself.
pub trait TomlText {
    /// The game that the text names.
    ///
    /// # Errors
    ///
    /// If the text names no game.
    fn game(&self) -> Result<String, TextError>;

    /// Whether it can be read, and names no game.
    fn lacks_game(&self) -> bool;

    /// The names of its parameters, in its order; none if the text cannot be read.
    fn parameters(&self) -> Vec<String>;

    /// The value of `summary`, if the text can be read.
    fn summary(&self) -> Option<String>;
}

impl TomlText for Text {
    fn game(&self) -> Result<String, TextError> {
        let (table, _) = self.recovered()?;
        Entries::new(self, &table).string("game").map_err(|problem| self.error(problem))
    }

    fn lacks_game(&self) -> bool {
        self.recovered().is_ok_and(|(table, _)| !table.contains_key("game"))
    }

    fn parameters(&self) -> Vec<String> {
        let Ok(table) = self.table() else { return Vec::new() };
        let parameters =
            Entries::new(self, &table).get("params").and_then(|value| value.get_ref().as_table());
        let mut names: Vec<_> = parameters.into_iter().flat_map(|parameters| parameters.iter()).collect();
        names.sort_by_key(|(name, _)| name.span().start);
        names.into_iter().map(|(name, _)| name.get_ref().to_string()).collect()
    }

    fn summary(&self) -> Option<String> {
        let table = self.table().ok()?;
        Entries::new(self, &table).string("summary").ok()
    }
}

/// A text, read as TOML.
pub(crate) trait Toml {
    /// Its entries.
    fn table(&self) -> Result<DeTable<'_>, TextError>;
    /// The entries that can be read, and the problems of the others. If a text does not even name a game, only its
    /// first problem is reported, because it may be something else entirely.
    fn recovered(&self) -> Result<(DeTable<'_>, Vec<Problem>), TextError>;
    /// Combines the problems of the entries with those of unreadable lines. Problems that may only follow from an
    /// unreadable line are left out.
    fn with_unreadable(&self, problems: Vec<Problem>, unreadable: Vec<Problem>) -> Vec<Problem>;
}

impl Toml for Text {
    fn table(&self) -> Result<DeTable<'_>, TextError> {
        let parsed = if self.text.len() > LENGTH {
            Err(toml::de::Error::custom(format!("the text is longer than {LENGTH} bytes")))
        } else {
            DeTable::parse(&self.text)
        };
        parsed.map(Spanned::into_inner).map_err(|error| self.error(no_toml(self, &error)))
    }

    fn recovered(&self) -> Result<(DeTable<'_>, Vec<Problem>), TextError> {
        if self.text.len() > LENGTH {
            return Ok((self.table()?, Vec::new()));
        }
        let (table, errors) = DeTable::parse_recoverable(&self.text);
        let table = table.into_inner();
        let is_policy = table.get("game").is_some_and(|game| game.get_ref().is_str());
        if !errors.is_empty() && !is_policy {
            return Ok((self.table()?, Vec::new()));
        }
        // The first of a line says what is wrong; the others follow from it.
        let mut problems: Vec<_> = errors.iter().take(ERRORS).map(|error| no_toml(self, error)).collect();
        in_order(&mut problems);
        problems.dedup_by_key(|problem| line(self, problem.span.start));
        Ok((table, problems))
    }

    fn with_unreadable(&self, problems: Vec<Problem>, unreadable: Vec<Problem>) -> Vec<Problem> {
        if unreadable.is_empty() {
            return problems;
        }
        let lines: Vec<_> = unreadable.iter().map(|problem| line(self, problem.span.start)).collect();
        let is_sure =
            |problem: &Problem| problem.span != (0..0) && !lines.contains(&line(self, problem.span.start));
        let others = problems.into_iter().filter(is_sure);
        others.chain(unreadable).collect()
    }
}

/// The problem of what the reader of TOML refuses.
fn no_toml(text: &Text, error: &toml::de::Error) -> Problem {
    let span = error.span().unwrap_or(0..0);
    let message = error.message().lines().collect::<Vec<_>>().join("; ");
    let help = advice(text, &span, &message).unwrap_or_else(|| in_general(&message).to_owned());
    Problem { span, message, help: Some(help) }
}

/// Advice for a line that is not TOML, if the intention is clear.
fn advice(text: &Text, span: &Range<usize>, message: &str) -> Option<String> {
    if message.contains("duplicate key") {
        return None;
    }
    if let Some(Ok((numerator, denominator))) =
        text.text.get(span.clone())?.strip_suffix('%').map(|number| fraction(number.trim()))
    {
        return percentage(numerator, denominator, Problem::new(0..0, "")).help;
    }
    let start = text.text.get(..span.start)?.rfind('\n').map_or(0, |end| end + 1);
    let line = text.text.get(start..)?.lines().next()?;
    let (key, value) = line.split_once('=')?;
    let (key, value) = (key.trim(), value.trim());
    let is_word = !key.is_empty() && key.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if line.contains(CURLY) && !line.contains(['"', '#']) {
        let straight = value.trim_matches(CURLY);
        let is_one = is_word && is_plain(straight) && straight.len() < value.len();
        return Some(match is_one {
            true if straight.parse::<f64>().is_ok() => {
                format!("a number has no quotes: {key} = {straight}")
            }
            true => format!("write straight quotes: {key} = \"{straight}\""),
            false => "write straight quotes, \" or ', in place of curly ones".into(),
        });
    }
    if let Some((written, meant)) = with_comma(value) {
        return Some(format!("write {meant} for {written}: a comma is no part of a number"));
    }
    let small = value.to_ascii_lowercase();
    if is_word && ["true", "false"].contains(&&*small) {
        return Some(format!("write it in small letters: {key} = {small}"));
    }
    if is_word && is_plain(value) && value.parse::<f64>().is_err() {
        return Some(format!("put what follows in quotes: {key} = \"{value}\""));
    }
    let written = text.text.get(span.start..)?.split(|c: char| !c.is_ascii_alphabetic()).next()?;
    let truth = [("yes", "true"), ("no", "false")].into_iter().find(|(word, _)| *word == written);
    truth.map(|(word, truth)| format!("write {truth}, or \"{word}\" in quotes"))
}

/// The number of the line of a byte, from 0.
fn line(text: &Text, at: usize) -> usize {
    text.text.get(..at).unwrap_or(&text.text).matches('\n').count()
}

/// Quotes of a word processor, which are none to TOML.
const CURLY: [char; 7] = ['“', '”', '„', '‘', '’', '«', '»'];

/// Whether a value without quotes is short and has nothing in it that means something to TOML.
fn is_plain(value: &str) -> bool {
    (1..=100).contains(&value.len()) && !value.contains(['"', '\'', '#', '[', '{', '\\'])
}

/// A number with a comma in a value, as written and as meant: `1,000` is 1_000, and `0,5` is 0.5. In a list a comma has
/// its meaning.
fn with_comma(value: &str) -> Option<(&str, String)> {
    let is_part = |c: char| c.is_ascii_digit() || c == ',';
    let mut words = value.split(|c: char| !is_part(c)).map(|word| word.trim_matches(','));
    let written = words.find(|word| word.contains(',')).filter(|_| !value.contains(['[', '"', '\'', '#']))?;
    let mut parts = written.split(',');
    let first = parts.next()?;
    let rest: Vec<_> = parts.collect();
    let are_thousands =
        rest.iter().all(|part| part.len() == 3) && (1..=3).contains(&first.len()) && first != "0";
    match rest.as_slice() {
        _ if are_thousands => Some((written, written.replace(',', "_"))),
        [decimals] if !decimals.is_empty() => Some((written, format!("{first}.{decimals}"))),
        _ => None,
    }
}

/// General advice for a line that is not TOML, based on the message of the parser.
fn in_general(message: &str) -> &'static str {
    let advice = [
        ("key with no value", "write what it is to be: name = value; a remark begins with #"),
        ("basic string", "end the text with a second quote, on the same line"),
        ("literal string", "end the text with a second quote, on the same line"),
        ("unclosed table", "write the name of a table in brackets, such as [params]"),
        ("unclosed array", "end the list with ]"),
        ("unclosed inline table", "end it with }"),
        ("array elements", "put a comma between two of a list, and ] at its end"),
        ("inline table elements", "put a comma between two entries, and } at the end"),
        ("unquoted keys", "begin the line with a name, such as k = 2"),
        ("duplicate key", "leave one of the two out"),
    ];
    let found = advice.iter().find(|(part, _)| message.contains(part));
    found.map_or(
        "write a line as name = value: a text in quotes, a number, true or false, or a list such as [\"a\", \"b\"]",
        |(_, advice)| advice,
    )
}

/// The entries of a table, with their positions in the text.
#[derive(Clone, Copy)]
pub(crate) struct Entries<'t> {
    text: &'t Text,
    table: &'t DeTable<'t>,
}

impl<'t> Entries<'t> {
    pub(crate) fn new(text: &'t Text, table: &'t DeTable<'t>) -> Self {
        Self { text, table }
    }

    /// Every key with its position and value.
    pub(crate) fn iter(self) -> impl Iterator<Item = (&'t str, Range<usize>, &'t Spanned<DeValue<'t>>)> {
        self.table.iter().map(|(key, value)| (key.get_ref().as_ref(), key.span(), value))
    }

    pub(crate) fn get(self, key: &str) -> Option<&'t Spanned<DeValue<'t>>> {
        self.table.get(key)
    }

    /// The string value of a required key.
    pub(crate) fn string(self, key: &str) -> Result<String, Problem> {
        self.string_such_as(key, "…")
    }

    /// The same, with what may be written if it is missing.
    pub(crate) fn string_such_as(self, key: &str, example: &str) -> Result<String, Problem> {
        let value = self.get(key).ok_or_else(|| {
            Problem::new(0..0, format!("the key `{key}` is missing"))
                .help(format!("write {key} = \"{example}\""))
        })?;
        value.get_ref().as_str().map(str::to_owned).ok_or_else(|| wrong_kind(value, "a text in quotes"))
    }

    /// The value of `name`: a word that can be used in file names, tables and command lines.
    pub(crate) fn name(self) -> Result<String, Problem> {
        let name = self.string("name")?;
        let is_good = |c: char| c.is_alphanumeric() || c == '-';
        if !name.is_empty() && name.chars().all(is_good) {
            return Ok(name);
        }
        let span = self.get("name").map_or(0..0, Spanned::span);
        let words = name.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        let like = words.collect::<Vec<_>>().join("-");
        let like = if like.is_empty() || like.len() > 40 { "bank-late" } else { &like };
        Err(Problem::new(span, "a name has letters, digits and hyphens only")
            .help(format!("for example \"{like}\"")))
    }

    /// The position in the file at which the content of a string value begins; `None` if escapes shift its characters.
    fn content_start(self, value: &Spanned<DeValue<'_>>) -> Option<usize> {
        let content = value.get_ref().as_str()?;
        let raw = self.text.text.get(value.span())?;
        let quotes = if raw.starts_with("\"\"\"") || raw.starts_with("'''") { 3 } else { 1 };
        let inside = raw.get(quotes..raw.len().checked_sub(quotes)?)?;
        // From the end: a line break right after three quotes is not part of the content.
        inside.ends_with(content).then(|| value.span().end - quotes - content.len())
    }

    /// Moves a problem of a string's content to its position in the file.
    pub(crate) fn place(self, value: &Spanned<DeValue<'_>>, problem: Problem) -> Problem {
        match self.content_start(value) {
            Some(start) => problem.shifted(start),
            None => Problem { span: value.span(), ..problem },
        }
    }
}

/// The problem of a value with the wrong type.
pub(crate) fn wrong_kind(value: &Spanned<DeValue<'_>>, wanted: &str) -> Problem {
    Problem::new(value.span(), format!("{wanted} is needed here, not {}", kind_name(value.get_ref())))
}

fn kind_name(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "a text",
        DeValue::Integer(_) | DeValue::Float(_) => "a number",
        DeValue::Boolean(_) => "true or false",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "a table",
    }
}
