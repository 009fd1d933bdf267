//! Who asks: the process, whose words are its arguments and whose answers are printed; or a library, which hands over words
//! and takes what was found.
//!
//! There is one session at a time, of the whole process: signals, files that are not whole and threads are its own, too.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use stopwise_report::Report;

/// What a library has asked for, and what has come of it so far.
#[derive(Default)]
pub(crate) struct Session {
    /// The command line, with the program's name.
    pub(crate) words: Vec<OsString>,
    /// Files by their paths that are known by content.
    pub(crate) texts: BTreeMap<String, String>,
    /// Is told lines of progress.
    pub(crate) progress: Option<Listener>,
    /// The document that was found.
    pub(crate) report: Option<Report>,
    /// What would have been printed.
    pub(crate) text: String,
    /// What was said besides.
    pub(crate) notes: Vec<String>,
}

/// Who is told lines of progress.
pub type Listener = Arc<dyn Fn(&str) + Send + Sync>;

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session").field("words", &self.words).finish_non_exhaustive()
    }
}

/// None while it is the process that asks.
static SESSION: Mutex<Option<Session>> = Mutex::new(None);

fn current() -> MutexGuard<'static, Option<Session>> {
    // Whoever panicked left a session that is whole all the same.
    SESSION.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A library asks from now on.
pub(crate) fn begin(session: Session) {
    *current() = Some(session);
}

/// What has come of it; from now on the process asks.
pub(crate) fn end() -> Session {
    current().take().unwrap_or_default()
}

/// What the session of a library makes of something; `None` if it is the process that asks.
pub(crate) fn with<T>(take: impl FnOnce(&mut Session) -> T) -> Option<T> {
    current().as_mut().map(take)
}

/// Whether it is a library that asks.
pub(crate) fn is_library() -> bool {
    current().is_some()
}

/// The command line, with the program's name.
pub(crate) fn words() -> Vec<OsString> {
    with(|session| session.words.clone()).unwrap_or_else(|| std::env::args_os().collect())
}

/// The same as texts: paths need not be UTF-8.
pub(crate) fn command_line() -> Vec<String> {
    words().iter().map(|word| word.to_string_lossy().into_owned()).collect()
}

/// The content of a file, if it is known without reading it.
pub(crate) fn text(path: &str) -> Option<String> {
    with(|session| session.texts.get(path).cloned()).flatten()
}
