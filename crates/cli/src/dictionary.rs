//! The data dictionary: what the columns of all files mean.

use std::borrow::Cow;
use std::fmt::Write as _;

use stopwise_reports::{columns, documents};

/// A column of a file, or a field of a document.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) file: &'static str,
    pub(crate) name: Cow<'static, str>,
    pub(crate) unit: Cow<'static, str>,
    pub(crate) meaning: Cow<'static, str>,
}

/// The whole dictionary, for `help columns`.
pub(crate) fn help() -> String {
    format!("What the columns of every file mean, with their units.\n\n{}", text(&known()).trim_end())
}

/// All datasets, and the other outputs with fields: rows of trials, JSON and the manifest.
pub(crate) fn known() -> Vec<Entry> {
    let mut all = Vec::new();
    for dataset in columns() {
        all.extend(dataset.columns.into_iter().map(|column| Entry {
            file: dataset.file,
            name: column.name,
            unit: column.unit,
            meaning: column.meaning,
        }));
    }
    for (file, fields) in documents() {
        all.extend(fields.into_iter().map(|(name, meaning)| Entry {
            file,
            name: name.into(),
            unit: "".into(),
            meaning: meaning.into(),
        }));
    }
    all
}

/// Entries as text, file by file.
pub(crate) fn text(entries: &[Entry]) -> String {
    let mut out = String::new();
    let width = entries.iter().map(|entry| entry.name.chars().count()).max().unwrap_or(0);
    for (at, of_file) in entries.chunk_by(|a, b| a.file == b.file).enumerate() {
        let _ = writeln!(out, "{}{}", if at == 0 { "" } else { "\n" }, of_file[0].file);
        for Entry { name, unit, meaning, .. } in of_file {
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
