//! `columns`: the data dictionary.

use serde_json::json;

use crate::args::{Columns, Format};
use crate::dictionary::{Column, dictionary, text};
use crate::failure::Failure;
use crate::output::print;
use crate::report::document::document;
use crate::report::markdown::markdown;
use crate::setup::unknown;

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
            print(&document(wanted.iter().map(of).collect())?)
        }
    }
}

fn csv(columns: &[Column]) -> Result<Vec<u8>, Failure> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(["file", "column", "unit", "meaning"])?;
    for column in columns {
        writer.write_record([&column.file, &column.name, &column.unit, &column.meaning])?;
    }
    writer.into_inner().map_err(Failure::other)
}
