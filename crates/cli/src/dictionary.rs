//! The data dictionary: what the columns of all files mean.

use std::fmt::Write as _;

use stopwise_findings::{columns, documents};
use stopwise_report::{Dataset, Heading};

/// The whole dictionary, for `help columns`.
pub(crate) fn help() -> String {
    format!("What the columns of every file mean, with their units.\n\n{}", text(&known()).trim_end())
}

/// All tables, and what is none: rows of trials, JSON and the manifest.
pub(crate) fn known() -> Vec<Dataset> {
    [columns(), documents()].concat()
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::output::TABLES;

    /// What clears a directory knows every table that a command writes, and no other.
    #[test]
    fn every_table_is_known_where_files_are_replaced() {
        let files: BTreeSet<_> = columns().into_iter().map(|file| file.file).collect();
        assert_eq!(files, BTreeSet::from(TABLES));
    }
}
