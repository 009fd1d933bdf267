//! The balance report as JSON: the rows of the tables, with numbers as numbers.

use serde_json::{Value, json};

use super::{BalanceReport, tables};
use crate::failure::Failure;
use crate::report::document::document;

/// The whole document.
pub(crate) fn json(balanced: &BalanceReport) -> Result<String, Failure> {
    let mut value = json!({
        "game": balanced.game, "seed": balanced.seed, "trials": balanced.trials,
        "stream_scheme": stopwise_engine::stream::SCHEME,
        "variants": balanced.variants.iter().map(|ruled| json!({
            "rules": ruled.name, "changed": ruled.changed,
            "measures": ruled.measures.iter().map(|measure| json!({
                "measure": measure.name, "unit": measure.unit, "definition": measure.definition,
                "method": measure.method().to_string(),
            })).collect::<Vec<_>>(),
        })).collect::<Vec<_>>(),
        "policies": balanced.policies, "naive": balanced.policies[balanced.naive],
        "combinations": balanced.search.as_ref().map(|search| search.combinations),
    });
    for file in tables::files(!balanced.targets.is_empty(), balanced.search.is_some()) {
        let name = file.trim_end_matches(".csv");
        value[name] = rows(&tables::table(file, balanced)?)?;
    }
    document(value)
}

/// A table as a list of objects: numbers and booleans as such, empty cells as `null`.
fn rows(table: &[u8]) -> Result<Value, Failure> {
    let mut reader = csv::Reader::from_reader(table);
    let header = reader.headers()?.clone();
    let cell = |column: &str, text: &str| match (column, text) {
        (_, "") => Value::Null,
        ("can_be_best" | "is_sure", _) => (text == "true").into(),
        ("game" | "base" | "rules" | "changed" | "policy" | "seat" | "best" | "naive", _) => text.into(),
        _ => text
            .parse::<u64>()
            .map(Value::from)
            .or_else(|_| text.parse::<f64>().map(Value::from))
            .unwrap_or_else(|_| text.into()),
    };
    let row = |record: Result<csv::StringRecord, csv::Error>| {
        let record = record?;
        let cells = header.iter().zip(&record).map(|(column, text)| (column.to_owned(), cell(column, text)));
        Ok::<_, Failure>(Value::Object(cells.collect()))
    };
    Ok(Value::Array(reader.records().map(row).collect::<Result<_, _>>()?))
}
