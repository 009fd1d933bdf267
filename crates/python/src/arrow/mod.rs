//! A dataset in columns, as [Apache Arrow] has them: what polars, pandas, pyarrow and DuckDB read without copying.
//!
//! Columns are built once for a dataset, and shared with all who read them.
//!
//! [Apache Arrow]: https://arrow.apache.org/docs/format/Columnar.html

mod interface;

use stopwise_document::{Cell, DataType, Dataset, Heading};

pub(crate) use interface::{Schema, Stream};

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
    Integer(Vec<i64>),
    Unsigned(Vec<u64>),
    Real(Vec<f64>),
    /// A bit a row, the lowest first.
    Flag(Vec<u8>),
}

/// Why a column cannot hold its cells.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Overflow {
    /// More text than an offset of 32 bits reaches.
    Text,
    /// A whole number of 2⁶³ or more, in a column that is signed.
    Integer,
}

impl Columns {
    /// Those of a dataset.
    pub(crate) fn of(dataset: &Dataset) -> Result<Self, Overflow> {
        let column = |(at, heading): (usize, &Heading)| {
            Column::of(heading, dataset.rows.iter().map(move |row| &row[at]))
        };
        let columns = dataset.columns.iter().enumerate().map(column).collect::<Result<_, _>>()?;
        Ok(Self { rows: dataset.rows.len(), columns })
    }
}

impl Column {
    fn of<'c>(heading: &Heading, cells: impl Iterator<Item = &'c Cell> + Clone) -> Result<Self, Overflow> {
        let is_present = |cell: &Cell| !matches!(cell, Cell::Empty);
        let absent = cells.clone().filter(|cell| !is_present(cell)).count();
        let present = if absent == 0 { Vec::new() } else { bits(cells.clone().map(is_present)) };
        let values = Values::of(heading.data_type, cells)?;
        Ok(Self { heading: heading.clone(), values, present, absent })
    }
}

impl Values {
    fn of<'c>(data_type: DataType, cells: impl Iterator<Item = &'c Cell>) -> Result<Self, Overflow> {
        let cells = cells.map(|cell| data_type.read(cell));
        Ok(match data_type {
            DataType::Text => {
                let (mut starts, mut text) = (vec![0], Vec::new());
                for cell in cells {
                    text.extend_from_slice(cell.written().as_bytes());
                    starts.push(i32::try_from(text.len()).map_err(|_| Overflow::Text)?);
                }
                Self::Text(starts, text)
            }
            DataType::Integer => Self::Integer(cells.map(|cell| integer(&cell)).collect::<Result<_, _>>()?),
            DataType::Unsigned => Self::Unsigned(cells.map(|cell| unsigned(&cell)).collect()),
            DataType::Real => Self::Real(cells.map(|cell| real(&cell)).collect()),
            DataType::Flag => Self::Flag(bits(cells.map(|cell| matches!(*cell, Cell::Flag(true))))),
        })
    }
}

fn integer(cell: &Cell) -> Result<i64, Overflow> {
    match cell {
        Cell::Count(number) => i64::try_from(*number).map_err(|_| Overflow::Integer),
        Cell::Whole(number) => Ok(*number),
        _ => Ok(0),
    }
}

fn unsigned(cell: &Cell) -> u64 {
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
