//! Who asks: the process, whose words are its arguments and whose answers are printed; or a library, which hands over words
//! and takes what was found.
//!
//! There is one session at a time, of the whole process: signals, files that are not whole and threads are its own, too.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use stopwise_edge::AnyPolicy;
use stopwise_report::{Dataset, Report};

/// What a library has asked for, and what has come of it so far.
#[derive(Default)]
pub(crate) struct Session {
    /// The command line, with the program's name.
    pub(crate) words: Vec<OsString>,
    /// Is told lines of progress.
    pub(crate) progress: Option<Listener>,
    /// The document that was found.
    pub(crate) report: Option<Report>,
    /// The list that was asked for.
    pub(crate) list: Option<Dataset>,
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
    lock(&SESSION)
}

fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    // After another thread panicked what is behind the lock is still consistent.
    shared.lock().unwrap_or_else(PoisonError::into_inner)
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
    let spoken_for = || lock(&SPOKEN_FOR).clone();
    with(|session| session.words.clone()).or_else(spoken_for).unwrap_or_else(|| std::env::args_os().collect())
}

/// The same as texts: paths need not be UTF-8.
pub(crate) fn command_line() -> Vec<String> {
    words().iter().map(|word| word.to_string_lossy().into_owned()).collect()
}

/// Files that are known by content, and those that were read, by their paths.
#[derive(Debug)]
struct Texts {
    known: BTreeMap<String, String>,
    read: BTreeMap<String, String>,
}

static TEXTS: Mutex<Texts> = Mutex::new(Texts { known: BTreeMap::new(), read: BTreeMap::new() });

fn texts() -> MutexGuard<'static, Texts> {
    lock(&TEXTS)
}

/// From now on these files are known by content, and no others; none has been read.
pub(crate) fn know_texts(known: BTreeMap<String, String>) {
    *texts() = Texts { known, read: BTreeMap::new() };
}

/// The content of a file, if it is known without reading it.
pub(crate) fn known_text(path: &str) -> Option<String> {
    texts().known.get(path).cloned()
}

/// A file has been read: what is found depends on it.
pub(crate) fn note_text(path: &str, text: &str) {
    texts().read.insert(path.to_owned(), text.to_owned());
}

/// The files that were read.
pub(crate) fn texts_read() -> BTreeMap<String, String> {
    texts().read.clone()
}

/// Policies that are no texts, by the words that name them.
static POLICIES: Mutex<BTreeMap<String, AnyPolicy>> = Mutex::new(BTreeMap::new());

/// From now on these policies are known, and no others.
pub(crate) fn know_policies(known: BTreeMap<String, AnyPolicy>) {
    *lock(&POLICIES) = known;
}

/// The policy that a word names, if it is one that is no text.
pub(crate) fn known_policy(word: &str) -> Option<AnyPolicy> {
    lock(&POLICIES).get(word).cloned()
}

/// The command line stands for another: that of the run whose parts are merged.
pub(crate) fn speak_for(words: Vec<OsString>) {
    match &mut *current() {
        Some(session) => session.words = words,
        None => *lock(&SPOKEN_FOR) = Some(words),
    }
}

/// The command line that the one of this process stands for.
static SPOKEN_FOR: Mutex<Option<Vec<OsString>>> = Mutex::new(None);

/// All locks of the session.
#[derive(Debug)]
pub(crate) struct Locks {
    _session: MutexGuard<'static, Option<Session>>,
    _texts: MutexGuard<'static, Texts>,
    _policies: MutexGuard<'static, BTreeMap<String, AnyPolicy>>,
    _spoken_for: MutexGuard<'static, Option<Vec<OsString>>>,
}

impl Locks {
    /// Takes them, that of the session first, as [`speak_for`] does.
    pub(crate) fn take() -> Self {
        Self {
            _session: current(),
            _texts: texts(),
            _policies: lock(&POLICIES),
            _spoken_for: lock(&SPOKEN_FOR),
        }
    }
}
