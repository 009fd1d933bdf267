//! The data dictionary: what the columns of all files mean.

use std::fmt::Write as _;

/// What every column of every file means: `file,column,unit,meaning`.
const DICTIONARY: &str = include_str!("../data/columns.csv");

/// A column of a file.
pub(crate) struct Column {
    pub(crate) file: String,
    pub(crate) name: String,
    pub(crate) unit: String,
    pub(crate) meaning: String,
}

pub(crate) fn dictionary() -> Vec<Column> {
    let mut reader = csv::Reader::from_reader(DICTIONARY.as_bytes());
    let of = |row: csv::StringRecord| {
        let [file, name, unit, meaning] = [0, 1, 2, 3].map(|at| row.get(at).unwrap_or_default().to_owned());
        Column { file, name, unit, meaning }
    };
    reader.records().filter_map(Result::ok).map(of).collect()
}

/// The whole dictionary, for `help columns`.
pub(crate) fn help() -> String {
    format!("What the columns of every file mean, with their units.\n\n{}", text(&dictionary()).trim_end())
}

/// Columns as text, file by file.
pub(crate) fn text(columns: &[Column]) -> String {
    let mut out = String::new();
    let width = columns.iter().map(|column| column.name.len()).max().unwrap_or(0);
    let mut last = "";
    for column in columns {
        if column.file != last {
            let _ = writeln!(out, "{}{}", if last.is_empty() { "" } else { "\n" }, column.file);
            last = &column.file;
        }
        let unit = if column.unit.is_empty() { String::new() } else { format!(" [{}]", column.unit) };
        let _ = writeln!(out, "  {:<width$}  {}{unit}", column.name, column.meaning);
    }
    out
}
