//! One call of the library at a time: each takes all threads, and signals and the session are the process's.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, ThreadId};

use crate::session;

/// The thread whose call is under way. It is locked for a moment only, however long the call takes.
static HOLDER: Mutex<Option<ThreadId>> = Mutex::new(None);
/// Is notified when a call ends.
static OVER: Condvar = Condvar::new();

fn holder() -> MutexGuard<'static, Option<ThreadId>> {
    HOLDER.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The call of this thread, until it is dropped.
#[derive(Debug)]
pub(crate) struct Turn(());

impl Turn {
    /// Waits until no other thread has a call under way; `None` if this thread has one itself.
    pub(crate) fn take() -> Option<Self> {
        let this = Some(thread::current().id());
        let mut holder = holder();
        if *holder == this {
            return None;
        }
        while holder.is_some() {
            holder = OVER.wait(holder).unwrap_or_else(PoisonError::into_inner);
        }
        *holder = this;
        Some(Self(()))
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        *holder() = None;
        OVER.notify_one();
    }
}

/// Held while the process forks, so that no lock of the library is held by a thread that the child does not have.
#[derive(Debug)]
pub struct Fork {
    holder: MutexGuard<'static, Option<ThreadId>>,
    _session: session::Locks,
}

impl Fork {
    /// Waits until no thread holds a lock, which is a moment.
    #[must_use]
    pub fn begin() -> Self {
        Self { holder: holder(), _session: session::Locks::take() }
    }

    /// In the child: the thread whose call was under way is not there, and calls may begin.
    pub fn forget_calls(mut self) {
        *self.holder = None;
    }
}
