//! One call at a time, and none from within a call.

use std::cell::{Cell, RefCell};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, ThreadId};

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use stopwise::library::Fork;

use crate::ask::{SLICE, held};

/// The thread of Python whose call is under way.
static CALLER: Mutex<Option<ThreadId>> = Mutex::new(None);
/// Is notified when the call ends.
static OVER: Condvar = Condvar::new();

thread_local! {
    /// Whether this thread plays for a call and is in a function of Python.
    static IS_ASKED: Cell<bool> = const { Cell::new(false) };
    /// The locks that this thread holds while it forks.
    static FORKING: RefCell<Option<(MutexGuard<'static, Option<ThreadId>>, Fork)>> = const { RefCell::new(None) };
}

/// A call that is under way, until it is dropped.
pub(crate) struct Turn(());

impl Drop for Turn {
    fn drop(&mut self) {
        *held(&CALLER) = None;
        OVER.notify_one();
    }
}

impl Turn {
    /// Waits until no other thread asks; meanwhile signals are heard.
    pub(crate) fn take(py: Python<'_>) -> PyResult<Self> {
        let this = thread::current().id();
        loop {
            let taken = py.detach(|| {
                let caller = held(&CALLER);
                let waits = |caller: &mut Option<ThreadId>| caller.is_some_and(|caller| caller != this);
                // The call that is under way waits for this function.
                if IS_ASKED.get() {
                    return Some(false);
                }
                let (mut caller, _) =
                    OVER.wait_timeout_while(caller, SLICE, waits).unwrap_or_else(PoisonError::into_inner);
                match *caller {
                    None => *caller = Some(this),
                    Some(caller) if caller == this => return Some(false),
                    Some(_) => return None,
                }
                Some(true)
            });
            match taken {
                Some(true) => return Ok(Self(())),
                Some(false) => {
                    return Err(PyRuntimeError::new_err(
                        "another call is under way on this thread: policies that are functions, progress and handlers of signals \
                         cannot call stopwise; ask before, and keep what was found",
                    ));
                }
                None => py.check_signals()?,
            }
        }
    }
}

/// Calls a function of Python for the call that is under way.
pub(crate) fn asked<T>(function: impl FnOnce() -> T) -> T {
    IS_ASKED.set(true);
    let answer = function();
    IS_ASKED.set(false);
    answer
}

/// The process is about to fork on this thread.
#[pyfunction]
pub(crate) fn before_fork() {
    FORKING.set(Some((held(&CALLER), Fork::begin())));
}

/// It has forked, and this is the parent or the child, in which no other thread is left that could have a call under way.
#[pyfunction]
pub(crate) fn after_fork(is_child: bool) {
    let Some((mut caller, fork)) = FORKING.take() else { return };
    if is_child {
        *caller = None;
        fork.forget_calls();
    }
}
