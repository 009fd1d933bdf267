//! A document, and what it is written as.

use std::sync::Arc;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use stopwise::library;
use stopwise_document::Report;

use crate::table::{Table, object};

/// What a command found.
#[pyclass(frozen)]
pub(crate) struct Document(Arc<Report>);

impl Document {
    pub(crate) fn new(report: Report) -> Self {
        Self(Arc::new(report))
    }
}

/// Those that may take a while let other threads go on.
#[pymethods]
impl Document {
    /// The command, such as `simulate`.
    #[getter]
    fn command(&self) -> &str {
        self.0.command
    }

    /// One line: what was played.
    #[getter]
    fn head(&self) -> &str {
        &self.0.head
    }

    /// What was found, in sentences.
    #[getter]
    fn answer(&self) -> Vec<&str> {
        self.0.answer.iter().map(String::as_str).collect()
    }

    /// What may mislead.
    #[getter]
    fn warnings(&self) -> Vec<&str> {
        self.0.warnings.iter().map(String::as_str).collect()
    }

    /// A command that gives the same again.
    #[getter]
    fn repeat(&self) -> &str {
        &self.0.repeat
    }

    /// What was played, by name.
    #[getter]
    fn facts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let facts = PyDict::new(py);
        for fact in &self.0.facts {
            facts.set_item(fact.name, object(py, &fact.value)?)?;
        }
        Ok(facts)
    }

    /// The tables for programs.
    fn tables(&self) -> Vec<Table> {
        Table::all(&self.0)
    }

    /// As a terminal of so many columns shows it, without colours.
    fn text(&self, py: Python<'_>, width: usize) -> String {
        py.detach(|| library::text(&self.0, width))
    }

    /// As a page.
    fn html(&self, py: Python<'_>) -> String {
        py.detach(|| library::page(&self.0))
    }

    /// As Markdown.
    fn markdown(&self, py: Python<'_>) -> String {
        py.detach(|| library::markdown(&self.0))
    }

    /// The first picture, if there is one.
    fn svg(&self, py: Python<'_>) -> Option<String> {
        py.detach(|| library::picture(&self.0))
    }

    /// As JSON.
    fn json(&self, py: Python<'_>) -> PyResult<String> {
        let json = py.detach(|| library::json(&self.0));
        json.map_err(|refusal| PyRuntimeError::new_err(refusal.to_string()))
    }
}
