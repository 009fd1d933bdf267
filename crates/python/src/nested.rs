//! No call from within a call: what a call waits for cannot make one.

use std::cell::Cell;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

thread_local! {
    /// Whether this thread has a call under way, or is in a function of Python that one waits for.
    static IS_WITHIN: Cell<bool> = const { Cell::new(false) };
}

/// The call that this thread has under way, until it is dropped. Other threads may have theirs.
pub(crate) struct Calling(());

impl Calling {
    /// Begins a call.
    pub(crate) fn begin() -> PyResult<Self> {
        match IS_WITHIN.replace(true) {
            false => Ok(Self(())),
            true => Err(Python::attach(|py| {
                let said = "another call is under way on this thread: policies that are functions, progress and handlers of \
                            signals cannot call stopwise; ask before, and keep what was found";
                // It is of the package around this module, and a `RuntimeError`, too.
                let error =
                    py.import("stopwise._errors").and_then(|errors| errors.getattr("Error")?.call1((said,)));
                error.map_or_else(|_| PyRuntimeError::new_err(said), PyErr::from_value)
            })),
        }
    }
}

impl Drop for Calling {
    fn drop(&mut self) {
        IS_WITHIN.set(false);
    }
}

/// Calls a function of Python that a call waits for, on one of the call's own threads.
pub(crate) fn asked<T>(function: impl FnOnce() -> T) -> T {
    IS_WITHIN.set(true);
    let answer = function();
    IS_WITHIN.set(false);
    answer
}
