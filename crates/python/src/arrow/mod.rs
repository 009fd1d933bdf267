//! A dataset in columns, as [Apache Arrow] has them: what polars, pandas, pyarrow and DuckDB read without copying.
//!
//! Columns are built once for a dataset, and shared with all who read them.
//!
//! [Apache Arrow]: https://arrow.apache.org/docs/format/Columnar.html

mod interface;
mod kind;

use stopwise_report::{Cell, Dataset, Heading};

pub(crate) use interface::{Schema, Stream};
use kind::Kind;

/// A dataset in columns.
#[derive(Debug)]
pub(crate) struct Columns {
    /// How long each of them is.
    rows: usize,
    columns: Vec<Column>,
}

/// A column.
#[derive(Debug)]
struct Column {
    heading: Heading,
    values: Values,
    /// A bit a row, the lowest first: whether there is a value. Empty if there are all.
    present: Vec<u8>,
    /// How many rows have none.
    absent: usize,
}

/// What is in a column; 0 or nothing where there is no value.
#[derive(Debug)]
enum Values {
    /// Texts one after the other, and where each begins, with the end of the last.
    Text(Vec<i32>, Vec<u8>),
    Whole(Vec<i64>),
    Count(Vec<u64>),
    Real(Vec<f64>),
    /// A bit a row, the lowest first.
    Flag(Vec<u8>),
}

/// More text than a column can hold: two thousand million bytes.
#[derive(Debug)]
pub(crate) struct TooLong;

impl Columns {
    /// Those of a dataset.
    pub(crate) fn of(dataset: &Dataset) -> Result<Self, TooLong> {
        let column = |(at, heading): (usize, &Heading)| {
            Column::of(dataset.file, heading, dataset.rows.iter().map(|row| &row[at]))
        };
        let columns = dataset.columns.iter().enumerate().map(column).collect::<Result<_, _>>()?;
        Ok(Self { rows: dataset.rows.len(), columns })
    }
}

impl Column {
    fn of<'c>(
        file: &str,
        heading: &Heading,
        cells: impl Iterator<Item = &'c Cell> + Clone,
    ) -> Result<Self, TooLong> {
        let is_present = |cell: &Cell| !matches!(cell, Cell::Empty);
        let absent = cells.clone().filter(|cell| !is_present(cell)).count();
        let present = if absent == 0 { Vec::new() } else { bits(cells.clone().map(is_present)) };
        let values = Values::of(Kind::of(file, &heading.name, cells.clone()), cells)?;
        Ok(Self { heading: heading.clone(), values, present, absent })
    }
}

impl Values {
    fn of<'c>(kind: Kind, cells: impl Iterator<Item = &'c Cell>) -> Result<Self, TooLong> {
        Ok(match kind {
            Kind::Text => {
                let (mut starts, mut text) = (vec![0], Vec::new());
                for cell in cells {
                    text.extend_from_slice(cell.written().as_bytes());
                    starts.push(i32::try_from(text.len()).map_err(|_| TooLong)?);
                }
                Self::Text(starts, text)
            }
            Kind::Whole => Self::Whole(cells.map(whole).collect()),
            Kind::Count => Self::Count(cells.map(count).collect()),
            Kind::Real => Self::Real(cells.map(real).collect()),
            Kind::Flag => Self::Flag(bits(cells.map(|cell| matches!(cell, Cell::Flag(true))))),
        })
    }
}

fn whole(cell: &Cell) -> i64 {
    match cell {
        Cell::Count(number) => i64::try_from(*number).unwrap_or(i64::MAX),
        Cell::Whole(number) => *number,
        _ => 0,
    }
}

fn count(cell: &Cell) -> u64 {
    if let Cell::Count(number) = cell { *number } else { 0 }
}

fn real(cell: &Cell) -> f64 {
    match cell {
        Cell::Real(number, _) => *number,
        Cell::Count(number) => *number as f64,
        Cell::Whole(number) => *number as f64,
        _ => 0.0,
    }
}

/// A bit for each, eight a byte, the lowest first.
fn bits(flags: impl Iterator<Item = bool>) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (at, flag) in flags.enumerate() {
        if at % 8 == 0 {
            bytes.push(0);
        }
        if flag {
            bytes[at / 8] |= 1 << (at % 8);
        }
    }
    bytes
}
