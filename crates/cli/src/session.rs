//! A call, of the program or of the library: what it is given besides its request, and what it says. Any number go on at once in
//! one process.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fmt;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD as STANDARD;
use indicatif::ProgressBar;
use stopwise_document::{Dataset, Report};
use stopwise_erased::AnyPolicy;
use stopwise_policy::Text;

use crate::stop::StopToken;

/// A call.
#[derive(Clone, Default)]
pub(crate) struct Session {
    /// Asks it to end.
    pub(crate) stop: StopToken,
    /// Its command line, with the program's name.
    words: Vec<OsString>,
    /// Files that are known by content, by their paths.
    known: BTreeMap<String, String>,
    /// Tables of values that are known, by their paths.
    tables: BTreeMap<String, Arc<[u8]>>,
    /// Whether there are no others.
    only_known: bool,
    /// Files that were read: what is found depends on them.
    read: Arc<Mutex<BTreeMap<String, Content>>>,
    /// The game, if it is a text.
    game: Arc<Mutex<Option<Text>>>,
    /// Notes that were said, for the report.
    noted: Arc<Mutex<Vec<String>>>,
    /// What was said and is not said again.
    said_once: Arc<Mutex<BTreeSet<(String, usize)>>>,
    /// Policies that are no texts, by the words that name them.
    policies: BTreeMap<String, AnyPolicy>,
    /// When a line of progress was written last, or when it began.
    written: Written,
    /// What shows its progress at the moment.
    followed: Arc<Mutex<Option<ProgressBar>>>,
    /// The library's caller; `None` if this is the program, which prints.
    caller: Option<Arc<Caller>>,
}

/// When a line of progress was written last, or when it began.
#[derive(Clone)]
struct Written(Arc<Mutex<Instant>>);

impl Default for Written {
    fn default() -> Self {
        Self(Arc::new(Mutex::new(Instant::now())))
    }
}

/// What is in a file.
#[derive(Clone)]
enum Content {
    Text(String),
    Bytes(Arc<[u8]>),
}

/// Who has called the library, and what was found and said so far.
pub(crate) struct Caller {
    /// Is told lines of progress.
    pub(crate) progress: Option<Listener>,
    said: Mutex<Said>,
}

/// What is said to the caller of the library.
#[derive(Debug, Default)]
pub(crate) struct Said {
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

impl Session {
    /// The program, with these words.
    pub(crate) fn program(words: Vec<OsString>) -> Self {
        Self { words, ..Self::default() }
    }

    /// A call of the library.
    pub(crate) fn library(
        words: Vec<OsString>,
        stop: StopToken,
        known: BTreeMap<String, String>,
        policies: BTreeMap<String, AnyPolicy>,
        progress: Option<Listener>,
    ) -> Self {
        let caller = Some(Arc::new(Caller { progress, said: Mutex::default() }));
        Self { stop, words, known, policies, caller, ..Self::default() }
    }

    /// The same call; with `only_known` there are no files but those that are known by content.
    pub(crate) fn reading(self, only_known: bool) -> Self {
        Self { only_known, ..self }
    }

    /// The same call, with these tables of values.
    pub(crate) fn with_tables(self, tables: BTreeMap<String, Arc<[u8]>>) -> Self {
        Self { tables, ..self }
    }

    /// Whether files may be read.
    pub(crate) fn may_read(&self) -> bool {
        !self.only_known
    }

    /// The same call for the run whose parts are merged: with its command line, and its files.
    pub(crate) fn speaking_for(&self, words: Vec<OsString>, known: BTreeMap<String, String>) -> Self {
        Self { words, known, read: Arc::default(), ..self.clone() }
    }

    /// Its words, with the program's name.
    pub(crate) fn words(&self) -> &[OsString] {
        &self.words
    }

    /// The same as texts: paths need not be UTF-8.
    pub(crate) fn command_line(&self) -> Vec<String> {
        self.words.iter().map(|word| word.to_string_lossy().into_owned()).collect()
    }

    /// Whether it has been asked to end.
    pub(crate) fn is_ending(&self) -> bool {
        self.stop.is_ending()
    }

    /// The caller of the library; `None` if this is the program.
    pub(crate) fn caller(&self) -> Option<&Caller> {
        self.caller.as_deref()
    }

    /// What has been said so far.
    pub(crate) fn take_said(&self) -> Said {
        self.caller().map(|caller| std::mem::take(&mut *caller.said())).unwrap_or_default()
    }

    /// The content of a file, if it is known without reading it.
    pub(crate) fn known_text(&self, path: &str) -> Option<&String> {
        self.known.get(path)
    }

    /// The files of a directory whose content is known without reading them.
    pub(crate) fn known_in(&self, directory: &Path) -> impl Iterator<Item = &String> {
        self.known.keys().filter(move |file| Path::new(file).parent() == Some(directory))
    }

    /// A table of values, if it is known without reading it.
    pub(crate) fn known_table(&self, path: &str) -> Option<&Arc<[u8]>> {
        self.tables.get(path)
    }

    /// A file has been read.
    pub(crate) fn note_text(&self, path: &str, text: &str) {
        lock(&self.read).insert(path.to_owned(), Content::Text(text.to_owned()));
    }

    /// A file that is no text has been read.
    pub(crate) fn note_bytes(&self, path: &str, bytes: &Arc<[u8]>) {
        lock(&self.read).insert(path.to_owned(), Content::Bytes(Arc::clone(bytes)));
    }

    /// The text of the game, if the game is one.
    pub(crate) fn game_text(&self) -> Option<Text> {
        lock(&self.game).clone()
    }

    /// A game that is a text has been read.
    pub(crate) fn note_game(&self, text: &Text) {
        lock(&self.game).get_or_insert_with(|| text.clone());
    }

    /// The files that were read; those that are no texts in Base64, as they are known by content.
    pub(crate) fn texts_read(&self) -> BTreeMap<String, String> {
        let text = |content: &Content| match content {
            Content::Text(text) => text.clone(),
            Content::Bytes(bytes) => STANDARD.encode(bytes),
        };
        lock(&self.read).iter().map(|(path, content)| (path.clone(), text(content))).collect()
    }

    /// Whether something is said for the first time of this place of a text.
    pub(crate) fn is_new_of(&self, text: &str, place: usize) -> bool {
        lock(&self.said_once).insert((text.to_owned(), place))
    }

    /// A note has been said.
    pub(crate) fn noted(&self, note: &str) {
        let mut noted = lock(&self.noted);
        if !noted.iter().any(|other| other == note) {
            noted.push(note.to_owned());
        }
    }

    /// The notes that were said, each once.
    pub(crate) fn notes(&self) -> Vec<String> {
        lock(&self.noted).clone()
    }

    /// The policy that a word names, if it is one that is no text.
    pub(crate) fn known_policy(&self, word: &str) -> Option<&AnyPolicy> {
        self.policies.get(word)
    }

    /// The first word that names a policy that is no text.
    pub(crate) fn first_policy(&self) -> Option<&str> {
        self.policies.keys().next().map(String::as_str)
    }

    /// When a line of progress was written last, or when the call began.
    pub(crate) fn written(&self) -> Arc<Mutex<Instant>> {
        Arc::clone(&self.written.0)
    }

    /// From now on this shows its progress.
    pub(crate) fn follow(&self, bar: &ProgressBar) {
        *lock(&self.followed) = Some(bar.clone());
    }

    /// What shows its progress, whatever that is at the time.
    pub(crate) fn followed(&self) -> impl Fn() -> Option<ProgressBar> + Send + 'static {
        let followed = Arc::clone(&self.followed);
        move || lock(&followed).clone()
    }
}

impl Caller {
    /// What has been said so far, to add to.
    pub(crate) fn said(&self) -> MutexGuard<'_, Said> {
        lock(&self.said)
    }
}

fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    // After another thread panicked what is behind the lock is still consistent.
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}
