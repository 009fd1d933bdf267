//! A dataset: its rows for people, its columns for programs.

use std::sync::{Arc, OnceLock};

use pyo3::IntoPyObjectExt as _;
use pyo3::exceptions::{PyIndexError, PyOverflowError, PyRuntimeError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyCapsule, PyTuple};
use stopwise_document::{Cell, Dataset, Report, csv};

use crate::arrow::{Columns, Overflow, Schema, Stream};
use crate::kept::{Kept, dataset, kept};

/// A dataset of a report.
#[pyclass(frozen)]
pub(crate) struct Table {
    report: Arc<Report>,
    /// Its place among the datasets.
    at: usize,
    /// Its columns, once they have been asked for.
    columns: OnceLock<Arc<Columns>>,
}

impl Table {
    /// All datasets of a report.
    pub(crate) fn all(report: &Arc<Report>) -> Vec<Self> {
        let table = |at| Self { report: Arc::clone(report), at, columns: OnceLock::new() };
        (0..report.data.len()).map(table).collect()
    }

    /// A dataset that belongs to no report.
    pub(crate) fn alone(dataset: Dataset) -> Self {
        let report = Arc::new(Report { data: vec![dataset], ..Report::default() });
        Self { report, at: 0, columns: OnceLock::new() }
    }

    fn dataset(&self) -> &Dataset {
        &self.report.data[self.at]
    }

    /// The value in a row and a column.
    fn value<'py>(&self, py: Python<'py>, row: &[Cell], at: usize) -> PyResult<Bound<'py, PyAny>> {
        object(py, &self.dataset().columns[at].data_type.read(&row[at]))
    }

    fn arrow(&self, py: Python<'_>) -> PyResult<Arc<Columns>> {
        if let Some(columns) = self.columns.get() {
            return Ok(Arc::clone(columns));
        }
        let columns = py.detach(|| Columns::of(self.dataset()));
        let columns = columns.map_err(|overflow| {
            PyOverflowError::new_err(match overflow {
                Overflow::Text => "more than 2 GiB of text in a column; use csv()",
                Overflow::Integer => "a whole number of 2**63 or more; use csv()",
            })
        })?;
        Ok(Arc::clone(self.columns.get_or_init(|| Arc::new(columns))))
    }
}

#[pymethods]
impl Table {
    /// The table of what [`kept`](Self::kept) gives.
    #[staticmethod]
    fn of_kept(kept: Kept<'_>) -> PyResult<Self> {
        Ok(Self::alone(dataset(kept)?))
    }

    /// All of it as values that can be pickled.
    fn kept<'py>(&self, py: Python<'py>) -> PyResult<Kept<'py>> {
        kept(py, self.dataset())
    }

    /// The name of its file, such as `summary.csv`.
    #[getter]
    fn file(&self) -> &str {
        self.dataset().file
    }

    /// The same without `.csv`.
    #[getter]
    fn stem(&self) -> &str {
        self.dataset().stem()
    }

    /// Name, unit and meaning of every column.
    #[getter]
    fn headings(&self) -> Vec<(&str, &str, &str)> {
        self.dataset().columns.iter().map(|column| (&*column.name, &*column.unit, &*column.meaning)).collect()
    }

    fn __len__(&self) -> usize {
        self.dataset().rows.len()
    }

    /// The values of a row.
    fn row<'py>(&self, py: Python<'py>, at: usize) -> PyResult<Bound<'py, PyTuple>> {
        let row = self.dataset().rows.get(at).ok_or_else(|| PyIndexError::new_err("no such row"))?;
        PyTuple::new(py, (0..row.len()).map(|at| self.value(py, row, at)).collect::<PyResult<Vec<_>>>()?)
    }

    /// The values of a column.
    fn column<'py>(&self, py: Python<'py>, at: usize) -> PyResult<Vec<Bound<'py, PyAny>>> {
        if at >= self.dataset().columns.len() {
            return Err(PyIndexError::new_err("no such column"));
        }
        self.dataset().rows.iter().map(|row| self.value(py, row, at)).collect()
    }

    /// The cells of a row as CSV writes them.
    fn written(&self, at: usize) -> PyResult<Vec<String>> {
        let row = self.dataset().rows.get(at).ok_or_else(|| PyIndexError::new_err("no such row"))?;
        Ok(row.iter().map(Cell::written).collect())
    }

    /// The bytes of its file.
    fn csv<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = py.detach(|| csv::csv(self.dataset()));
        Ok(PyBytes::new(py, &bytes.map_err(|error| PyRuntimeError::new_err(error.to_string()))?))
    }

    /// The types of its columns, as the Arrow PyCapsule interface has it.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        PyCapsule::new_with_value(py, Schema::of(&*self.arrow(py)?), c"arrow_schema")
    }

    /// Its columns, as the Arrow PyCapsule interface has it; their types are as they are.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        drop(requested_schema);
        PyCapsule::new_with_value(py, Stream::of(self.arrow(py)?), c"arrow_array_stream")
    }
}

/// A cell as Python has it.
pub(crate) fn object<'py>(py: Python<'py>, cell: &Cell) -> PyResult<Bound<'py, PyAny>> {
    match cell {
        Cell::Empty => Ok(py.None().into_bound(py)),
        Cell::Text(text) => (&**text).into_bound_py_any(py),
        Cell::Count(number) => number.into_bound_py_any(py),
        Cell::Whole(number) => number.into_bound_py_any(py),
        Cell::Real(number, _) => number.into_bound_py_any(py),
        Cell::Flag(flag) => flag.into_bound_py_any(py),
    }
}
