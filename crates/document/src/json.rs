//! The document as JSON: the facts, what was found in words, and every dataset under the stem of its file.

use serde_json::{Map, Value};

use crate::dataset::{Dataset, stem};
use crate::report::Report;

/// The whole document: the `command`, facts by name, `remarks`, `answer`, `warnings` and `notes` as lists of texts, `repeat`, and a
/// list of objects for every dataset, or null for one that is left out.
#[must_use]
pub fn json(report: &Report) -> Value {
    let mut value: Map<String, Value> =
        report.facts.iter().map(|fact| (fact.name.to_owned(), fact.value.value())).collect();
    value.insert("command".into(), report.command.into());
    value.insert("remarks".into(), report.remarks.clone().into());
    value.insert("answer".into(), report.answer.clone().into());
    value.insert("warnings".into(), report.warnings.clone().into());
    value.insert("notes".into(), report.notes.clone().into());
    value.insert("repeat".into(), report.repeat.clone().into());
    for dataset in &report.data {
        value.insert(dataset.stem().to_owned(), rows(dataset));
    }
    for file in &report.left_out {
        value.insert(stem(file).to_owned(), Value::Null);
    }
    value.into()
}

/// A dataset as a list of objects, whose values have the types of their columns.
#[must_use]
pub fn rows(dataset: &Dataset) -> Value {
    let row = |row: &Vec<_>| {
        let columns = dataset.columns.iter().zip(row);
        let named =
            columns.map(|(column, cell)| (column.name.to_string(), column.data_type.read(cell).value()));
        named.collect::<Map<_, _>>()
    };
    dataset.rows.iter().map(row).collect()
}
