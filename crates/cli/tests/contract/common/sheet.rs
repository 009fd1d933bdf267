//! Golden files of sections: what a command line prints, and every file that it writes.
//!
//! What is long is shortened to what a person reads: tables to the first row with every word, JSON to the first value of
//! every form, other text to the ends of its paragraphs. The number of lines and a hash of the whole stand below, so
//! that no byte changes unseen.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use serde_json::Value;
use sha2::{Digest as _, Sha256};

use super::golden;

/// As many lines are read without shortening.
const SHORT: usize = 30;
/// As many lines of a paragraph are shown from its beginning and from its end.
const ENDS: (usize, usize) = (5, 2);

/// The sections of one golden file.
#[derive(Debug)]
pub(crate) struct Sheet {
    name: String,
    shown: String,
    whole: String,
}

impl Sheet {
    pub(crate) fn new(name: &str) -> Self {
        Self { name: name.to_owned(), shown: String::new(), whole: String::new() }
    }

    /// A section that is shown to its last line, as is what people read on a terminal.
    pub(crate) fn whole(&mut self, title: &str, text: &str) {
        self.add(title, text, text);
    }

    /// A section that is shortened if it is long.
    pub(crate) fn section(&mut self, title: &str, text: &str) {
        let lines = text.lines().count();
        if lines <= SHORT {
            return self.whole(title, text);
        }
        let mut shown = match serde_json::from_str(text) {
            Ok(value) => forms(value),
            Err(_) if title.ends_with(".csv") => words(text),
            Err(_) => ends(text),
        };
        let hash: String = Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect();
        let _ = writeln!(shown, "({lines} lines, sha256 {hash})");
        self.add(title, &shown, text);
    }

    fn add(&mut self, title: &str, shown: &str, text: &str) {
        let gap = if self.shown.is_empty() { "" } else { "\n" };
        let _ = write!(self.shown, "{gap}=== {title}\n{shown}");
        let _ = write!(self.whole, "{gap}=== {title}\n{text}");
    }

    /// Compares with `data/formats/NAME.txt`. All that was found, unshortened, is left among the scratch files: beside
    /// that of another commit it shows what a hash cannot.
    pub(crate) fn check(self) {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("formats");
        fs::create_dir_all(&folder).expect("a scratch folder");
        fs::write(folder.join(&self.name).with_extension("txt"), self.whole).expect("written");
        golden(&format!("formats/{}.txt", self.name), &self.shown);
    }
}

/// Lines that were left out, if any.
fn gap(lines: usize) -> String {
    if lines == 0 { String::new() } else { format!("… {lines}\n") }
}

/// The rows of a table in which a word stands in its column for the first time, and the last row.
fn words(table: &str) -> String {
    let mut lines = table.lines();
    let mut shown = lines.next().unwrap_or_default().to_owned() + "\n";
    let mut seen = HashSet::new();
    let mut left_out = 0;
    let mut lines = lines.peekable();
    while let Some(line) = lines.next() {
        let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(line.as_bytes());
        let cells = reader.records().next().expect("a row").expect("cells");
        let words = cells.iter().enumerate().filter(|(_, cell)| cell.parse::<f64>().is_err());
        let new = words.filter(|(column, word)| seen.insert((*column, (*word).to_owned()))).count();
        if new > 0 || lines.peek().is_none() {
            let _ = writeln!(shown, "{}{line}", gap(left_out));
            left_out = 0;
        } else {
            left_out += 1;
        }
    }
    shown
}

/// The beginning and the end of every paragraph.
fn ends(text: &str) -> String {
    let mut shown = String::new();
    let lines: Vec<_> = text.lines().collect();
    for (at, paragraph) in lines.split(|line| line.is_empty()).enumerate() {
        shown += if at > 0 { "\n" } else { "" };
        let left_out = match paragraph.len().saturating_sub(ENDS.0 + ENDS.1) {
            1 => 0,
            lines => lines,
        };
        for (at, line) in paragraph.iter().enumerate() {
            match at.checked_sub(ENDS.0) {
                Some(0) if left_out > 0 => shown += &gap(left_out),
                Some(after) if after < left_out => {}
                _ => shown += &format!("{line}\n"),
            }
        }
    }
    shown
}

/// The value, with the first object of every form. Steps of a replay, which name a seat, differ by their own names.
fn forms(value: Value) -> String {
    let shown = first_of_forms(value, &mut HashSet::new());
    serde_json::to_string_pretty(&shown).expect("a value can be written") + "\n"
}

/// The names and types of a value.
fn form(value: &Value) -> String {
    match value {
        Value::Object(fields) => {
            let is_step = fields.contains_key("seat");
            let field = |(name, value): (&String, &Value)| match value {
                Value::String(step) if name == "step" && is_step => format!("step {step},"),
                _ => format!("{name} {},", form(value)),
            };
            format!("{{{}}}", fields.iter().map(field).collect::<String>())
        }
        Value::Array(values) => {
            let forms: std::collections::BTreeSet<_> = values.iter().map(form).collect();
            format!("[{}]", forms.into_iter().collect::<String>())
        }
        Value::String(_) => "text".into(),
        Value::Number(_) => "number".into(),
        Value::Bool(_) => "bool".into(),
        Value::Null => "null".into(),
    }
}

fn first_of_forms(value: Value, seen: &mut HashSet<String>) -> Value {
    match value {
        // Short lists of plain values are shown: there is nothing inside to be left out.
        Value::Array(values) if values.iter().any(|value| value.is_object() || value.is_array()) => {
            let mut shown = Vec::new();
            let mut left_out = 0;
            for value in values {
                if (value.is_object() || value.is_array()) && seen.contains(&form(&value)) {
                    left_out += 1;
                } else {
                    shown.extend((left_out > 0).then(|| format!("… {left_out}").into()));
                    left_out = 0;
                    shown.push(first_of_forms(value, seen));
                }
            }
            shown.extend((left_out > 0).then(|| format!("… {left_out}").into()));
            Value::Array(shown)
        }
        Value::Object(fields) => {
            if !seen.insert(form(&Value::Object(fields.clone()))) {
                return "…".into();
            }
            let shown = fields.into_iter().map(|(name, value)| (name, first_of_forms(value, seen)));
            Value::Object(shown.collect())
        }
        other => other,
    }
}
