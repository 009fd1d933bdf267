//! Datasets as plain values of Python, which can be pickled, and back.

use std::collections::BTreeSet;
use std::sync::Mutex;

use pyo3::IntoPyObjectExt as _;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use stopwise_document::cell::NumberFormat;
use stopwise_document::{Cell, DataType, Dataset, Heading};

use crate::lock::held;

/// The file; name, type, unit and meaning of every column; and the cells row by row.
pub(crate) type Kept<'py> = (String, Vec<(String, String, String, String)>, Vec<Vec<Bound<'py, PyAny>>>);

/// The types of columns by their names.
const TYPES: [(&str, DataType); 5] = [
    ("text", DataType::Text),
    ("integer", DataType::Integer),
    ("unsigned", DataType::Unsigned),
    ("real", DataType::Real),
    ("flag", DataType::Flag),
];

/// A dataset as values of Python.
pub(crate) fn kept<'py>(py: Python<'py>, dataset: &Dataset) -> PyResult<Kept<'py>> {
    let heading = |Heading { name, data_type, unit, meaning }: &Heading| {
        let of = TYPES.iter().find(|(_, known)| known == data_type).map_or("", |(name, _)| name);
        (name.to_string(), of.to_owned(), unit.to_string(), meaning.to_string())
    };
    let row = |row: &Vec<Cell>| row.iter().map(|cell| value(py, cell)).collect();
    let rows: PyResult<_> = dataset.rows.iter().map(row).collect();
    Ok((dataset.file.to_owned(), dataset.columns.iter().map(heading).collect(), rows?))
}

/// The dataset of these values.
pub(crate) fn dataset((file, headings, rows): Kept<'_>) -> PyResult<Dataset> {
    let heading = |(name, of, unit, meaning): (String, String, String, String)| {
        let known = TYPES.into_iter().find(|(known, _)| *known == of);
        let (_, data_type) =
            known.ok_or_else(|| PyValueError::new_err(format!("no type of a column: {of}")))?;
        Ok(Heading { name: name.into(), data_type, unit: unit.into(), meaning: meaning.into() })
    };
    let columns: Vec<_> = headings.into_iter().map(heading).collect::<PyResult<_>>()?;
    if rows.iter().any(|row| row.len() != columns.len()) {
        return Err(PyValueError::new_err("a row has other columns than its table"));
    }
    let rows: PyResult<_> = rows.iter().map(|row| row.iter().map(cell).collect()).collect();
    Ok(Dataset { file: name(file), columns, rows: rows? })
}

/// A cell: nothing, a text, a truth value, or what kind of number it is, the number, and how it is written.
fn value<'py>(py: Python<'py>, cell: &Cell) -> PyResult<Bound<'py, PyAny>> {
    match cell {
        Cell::Empty => Ok(py.None().into_bound(py)),
        Cell::Text(text) => (&**text).into_bound_py_any(py),
        Cell::Flag(flag) => flag.into_bound_py_any(py),
        Cell::Count(number) => ("count", number).into_bound_py_any(py),
        Cell::Whole(number) => ("whole", number).into_bound_py_any(py),
        Cell::Real(number, form) => {
            let (kind, places) = match *form {
                NumberFormat::Decimals(places) => ("decimals", places),
                NumberFormat::Rounded(places) => ("rounded", places),
                NumberFormat::Down(places) => ("down", places),
                NumberFormat::Up(places) => ("up", places),
                NumberFormat::Exponent(places) => ("exponent", places),
                NumberFormat::Shortest => ("shortest", 0),
            };
            (kind, number, places).into_bound_py_any(py)
        }
    }
}

fn cell(value: &Bound<'_, PyAny>) -> PyResult<Cell> {
    if value.is_none() {
        return Ok(Cell::Empty);
    }
    if let Ok(text) = value.extract::<String>() {
        return Ok(Cell::text(text));
    }
    if let Ok(flag) = value.extract::<bool>() {
        return Ok(Cell::Flag(flag));
    }
    let kind: String = value.get_item(0)?.extract()?;
    let number = value.get_item(1)?;
    let real =
        |form: fn(u8) -> NumberFormat| Ok(Cell::Real(number.extract()?, form(value.get_item(2)?.extract()?)));
    match &*kind {
        "count" => Ok(Cell::Count(number.extract()?)),
        "whole" => Ok(Cell::Whole(number.extract()?)),
        "decimals" => real(NumberFormat::Decimals),
        "rounded" => real(NumberFormat::Rounded),
        "down" => real(NumberFormat::Down),
        "up" => real(NumberFormat::Up),
        "exponent" => real(NumberFormat::Exponent),
        "shortest" => real(|_| NumberFormat::Shortest),
        _ => Err(PyValueError::new_err(format!("no kind of number: {kind}"))),
    }
}

/// The names of files, of which there are few, so that they may stay for ever.
static NAMES: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());

fn name(name: String) -> &'static str {
    let mut names = held(&NAMES);
    if let Some(known) = names.get(&*name) {
        return known;
    }
    let name: &'static str = name.leak();
    names.insert(name);
    name
}
