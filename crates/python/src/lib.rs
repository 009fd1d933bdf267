//! The program as a module of Python: words in, a document out.
//!
//! What is here is what Python cannot do itself: to ask [`stopwise::library`] while other threads of Python go on, and to hand
//! over documents and tables. All that has a name in Python, and its documentation, is in `python/stopwise`.

mod arrow;
mod ask;
mod callable;
mod column;
mod document;
mod kept;
mod lock;
mod nested;
mod table;
mod tables;

use pyo3::pymodule;

/// The module `stopwise._core`.
#[pymodule]
mod _core {
    #[pymodule_export]
    use crate::ask::{Found, Wanted, ask, merge_shards, run, stop, version};
    #[pymodule_export]
    use crate::callable::Questions;
    #[pymodule_export]
    use crate::column::Column;
    #[pymodule_export]
    use crate::document::Document;
    #[pymodule_export]
    use crate::table::Table;
    #[pymodule_export]
    use crate::tables::Tables;

    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
