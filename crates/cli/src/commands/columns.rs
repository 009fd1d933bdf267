//! `columns`: the data dictionary.

use std::fmt::Write as _;

use serde_json::json;

use crate::args::{Columns, Format};
use crate::failure::Failure;
use crate::output::print;
use crate::report::markdown::markdown;
use crate::setup::unknown;

/// What every column of every file means: `file,column,unit,meaning`.
const DICTIONARY: &str = include_str!("../../data/columns.csv");

/// A column of a file.
struct Column {
    file: String,
    name: String,
    unit: String,
    meaning: String,
}

fn dictionary() -> Vec<Column> {
    let mut reader = csv::Reader::from_reader(DICTIONARY.as_bytes());
    let of = |row: csv::StringRecord| {
        let [file, name, unit, meaning] = [0, 1, 2, 3].map(|at| row.get(at).unwrap_or_default().to_owned());
        Column { file, name, unit, meaning }
    };
    reader.records().filter_map(Result::ok).map(of).collect()
}

pub(crate) fn columns(args: &Columns) -> Result<(), Failure> {
    let all = dictionary();
    if let Some(file) = args.file.as_ref().filter(|&file| all.iter().all(|column| column.file != *file)) {
        let mut files: Vec<_> = all.iter().map(|column| column.file.as_str()).collect();
        files.dedup();
        return Err(unknown("file", file, files.into_iter()));
    }
    let wanted: Vec<_> =
        all.into_iter().filter(|column| args.file.as_ref().is_none_or(|file| column.file == *file)).collect();
    match args.format {
        Format::Table => print(&text(&wanted)),
        Format::Csv => print(&String::from_utf8_lossy(&csv(&wanted)?)),
        Format::Markdown => print(&markdown(&[("columns.csv", csv(&wanted)?)])?),
        Format::Json => {
            let of = |column: &Column| json!({ "file": column.file, "column": column.name, "unit": column.unit, "meaning": column.meaning });
            print(&(serde_json::to_string_pretty(&wanted.iter().map(of).collect::<Vec<_>>())? + "\n"))
        }
    }
}

/// The whole dictionary, for `help columns`.
pub(crate) fn help() -> String {
    format!("What the columns of every file mean, with their units.\n\n{}", text(&dictionary()).trim_end())
}

fn text(columns: &[Column]) -> String {
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

fn csv(columns: &[Column]) -> Result<Vec<u8>, Failure> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(["file", "column", "unit", "meaning"])?;
    for column in columns {
        writer.write_record([&column.file, &column.name, &column.unit, &column.meaning])?;
    }
    writer.into_inner().map_err(Failure::other)
}
