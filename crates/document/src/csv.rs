//! Datasets as CSV (RFC 4180): fields are quoted where they must be, lines end with `\n`.

use csv::{Writer, WriterBuilder};
use rayon::prelude::*;

use crate::cell::Cell;
use crate::dataset::{Dataset, Heading};

/// Threads share tables of more rows.
const CHUNK: usize = 1024;
/// The rows of a piece.
pub const PIECE: usize = 64 * CHUNK;

/// The bytes of a dataset's file.
///
/// # Errors
///
/// Those of the writer, which memory has none of.
pub fn csv(dataset: &Dataset) -> Result<Vec<u8>, csv::Error> {
    Ok(pieces(dataset).collect::<Result<Vec<_>, _>>()?.concat())
}

/// The same piece by piece: the header, then [`PIECE`] rows each, which are some ten megabytes.
pub fn pieces(dataset: &Dataset) -> impl Iterator<Item = Result<Vec<u8>, csv::Error>> + '_ {
    let piece = |some: &[Vec<Cell>]| {
        Ok(some.par_chunks(CHUNK).map(rows).collect::<Result<Vec<_>, csv::Error>>()?.concat())
    };
    std::iter::once(header(&dataset.columns)).chain(dataset.rows.chunks(PIECE).map(piece))
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
    let mut text = String::new();
    for row in rows {
        for cell in row {
            text.clear();
            cell.write(&mut text);
            writer.write_field(&text)?;
        }
        writer.write_record(None::<&[u8]>)?;
    }
    Ok(())
}

fn bytes(writer: Writer<Vec<u8>>) -> Result<Vec<u8>, csv::Error> {
    writer.into_inner().map_err(|error| std::io::Error::other(error.to_string()).into())
}
