//! The data dictionary: what the columns of all files mean.

use std::fmt::Write as _;

use stopwise_report::{Dataset, Heading};

use crate::report;

/// All files of all commands, without rows.
pub(crate) fn dictionary() -> Vec<Dataset> {
    [
        report::simulate::sheets::columns(),
        report::compare::sheets::columns(),
        unconverted("rank"),
        unconverted("matches"),
        report::sweep::sheets::columns(),
        unconverted("balance"),
        report::solve::sheets::columns(),
        report::bench::columns(),
    ]
    .concat()
}

/// The whole dictionary, for `help columns`.
pub(crate) fn help() -> String {
    format!("What the columns of every file mean, with their units.\n\n{}", text(&dictionary()).trim_end())
}

/// Columns as text, file by file.
pub(crate) fn text(files: &[Dataset]) -> String {
    let mut out = String::new();
    let columns = files.iter().flat_map(|file| &file.columns);
    let width = columns.map(|column| column.name.chars().count()).max().unwrap_or(0);
    for (at, file) in files.iter().enumerate() {
        let _ = writeln!(out, "{}{}", if at == 0 { "" } else { "\n" }, file.file);
        for Heading { name, unit, meaning } in &file.columns {
            let unit = if unit.is_empty() { String::new() } else { format!(" [{unit}]") };
            let _ = writeln!(out, "  {name:<width$}  {meaning}{unit}");
        }
    }
    out
}

fn unconverted(prefix: &str) -> Vec<Dataset> {
    let mut reader = csv::Reader::from_reader(include_str!("../data/columns.csv").as_bytes());
    let mut files: Vec<Dataset> = Vec::new();
    for row in reader.records().filter_map(Result::ok) {
        let [file, name, unit, meaning] = [0, 1, 2, 3].map(|at| row.get(at).unwrap_or_default().to_owned());
        let of_balance =
            ["effects.csv", "skill.csv", "contests.csv", "targets.csv", "search.csv", "standings.csv"];
        if !(file.starts_with(prefix) || prefix == "balance" && of_balance.contains(&&*file)) {
            continue;
        }
        if files.last().is_none_or(|last| last.file != file) {
            files.push(Dataset { file: file.leak(), columns: Vec::new(), rows: Vec::new() });
        }
        if let Some(last) = files.last_mut() {
            last.columns.push(Heading { name: name.into(), unit: unit.into(), meaning: meaning.into() });
        }
    }
    files
}
