//! Datasets as CSV (RFC 4180): fields are quoted where they must be, lines end with `\n`.

use csv::{Writer, WriterBuilder};

use crate::cell::Cell;
use crate::dataset::{Dataset, Heading};

/// The bytes of a dataset's file.
///
/// # Errors
///
/// Those of the writer, which memory has none of.
pub fn csv(dataset: &Dataset) -> Result<Vec<u8>, csv::Error> {
    let mut writer = writer();
    writer.write_record(names(&dataset.columns))?;
    write(&mut writer, &dataset.rows)?;
    bytes(writer)
}

/// The first line alone, for a file that grows.
///
/// # Errors
///
/// As for [`csv()`].
pub fn header(columns: &[Heading]) -> Result<Vec<u8>, csv::Error> {
    let mut writer = writer();
    writer.write_record(names(columns))?;
    bytes(writer)
}

/// Rows alone, for a file that grows.
///
/// # Errors
///
/// As for [`csv()`].
pub fn rows(rows: &[Vec<Cell>]) -> Result<Vec<u8>, csv::Error> {
    let mut writer = writer();
    write(&mut writer, rows)?;
    bytes(writer)
}

fn writer() -> Writer<Vec<u8>> {
    WriterBuilder::new().from_writer(Vec::new())
}

fn names(columns: &[Heading]) -> impl Iterator<Item = &str> {
    columns.iter().map(|column| column.name.as_ref())
}

fn write(writer: &mut Writer<Vec<u8>>, rows: &[Vec<Cell>]) -> Result<(), csv::Error> {
    for row in rows {
        writer.write_record(row.iter().map(Cell::written))?;
    }
    Ok(())
}

fn bytes(writer: Writer<Vec<u8>>) -> Result<Vec<u8>, csv::Error> {
    writer.into_inner().map_err(|error| std::io::Error::other(error.to_string()).into())
}
