//! Cells and tables as text: to be replaced by datasets.

use crate::failure::Failure;

/// A mean or deviation: six decimals.
pub(super) fn number(value: f64) -> String {
    format!("{value:.6}")
}

/// A share: nine decimals, which resolve one trial in a thousand million.
pub(super) fn share(value: f64) -> String {
    format!("{value:.9}")
}

/// A cell, empty where there is nothing to write.
pub(super) fn maybe<T>(value: Option<T>, show: impl Fn(T) -> String) -> String {
    value.map_or_else(String::new, show)
}

/// The bytes of a table from its header and rows.
pub(super) fn csv<const N: usize>(
    header: [&str; N],
    rows: impl IntoIterator<Item = [String; N]>,
) -> Result<Vec<u8>, Failure> {
    let mut writer = csv::WriterBuilder::new().from_writer(Vec::new());
    writer.write_record(header)?;
    for row in rows {
        writer.write_record(row)?;
    }
    writer.into_inner().map_err(Failure::other)
}
