//! Locks that are of use after a panic as well.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locks, also after another thread panicked: every value behind these locks is consistent at any moment.
pub(crate) fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
