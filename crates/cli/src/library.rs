//! The program as a library: a command line in, what it found out.
//!
//! Everything that the program does, it does here, with the same numbers, texts and files; only what it would print is handed
//! over as a document, and what it would say beside that as notes.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt;
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError, TryLockError};
use std::thread::ThreadId;

use stopwise_report::Report;

use crate::args::{self, Instead};
use crate::failure::Failure;
use crate::session::{self, Session};
use crate::{obey, signals};

pub use crate::run;
pub use crate::session::Listener;

/// A command line to be asked for.
#[derive(Clone, Default)]
pub struct Call {
    /// Its words, without the program's name: `simulate`, `pig`, …
    pub words: Vec<OsString>,
    /// Files by their paths, as the words name them, that are known by content and not read from a disk.
    pub texts: BTreeMap<String, String>,
    /// Is told a line of progress, several times a second, from any thread.
    pub progress: Option<Listener>,
}

impl fmt::Debug for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Call").field("words", &self.words).finish_non_exhaustive()
    }
}

/// What a command found.
#[derive(Clone, Debug)]
pub struct Found {
    /// Its document, of commands that make one.
    pub report: Option<Report>,
    /// What it printed, of those that make none.
    pub text: String,
    /// What it said besides: warnings, what was written, how long it took.
    pub notes: Vec<String>,
    /// If it was cut short, the message that says so: what is here is complete for the trials that were played.
    pub interrupted: Option<String>,
}

/// Why nothing was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The words, or the texts that they name, are wrong; the message says what to change.
    Input(String),
    /// It was ended before there was anything to say.
    Interrupted(String),
    /// Anything else.
    Other(String),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Self::Input(message) | Self::Interrupted(message) | Self::Other(message)) = self;
        f.write_str(message)
    }
}

impl std::error::Error for Refusal {}

/// One call at a time: each takes all threads, and signals are the process's.
static TURN: Mutex<()> = Mutex::new(());
/// Whose turn it is.
static CALLER: Mutex<Option<ThreadId>> = Mutex::new(None);

/// Does what a command line says. A second thread that asks waits for its turn.
///
/// # Errors
///
/// Everything for which the program would end with an exit code other than 0, in its words, but for results that were cut
/// short; a call from within a call.
pub fn ask(call: Call) -> Result<Found, Refusal> {
    let caller = || CALLER.lock().unwrap_or_else(PoisonError::into_inner);
    let this = std::thread::current().id();
    let _turn = match TURN.try_lock() {
        Ok(turn) => turn,
        Err(TryLockError::WouldBlock) if *caller() == Some(this) => {
            return Err(Refusal::Input("another call is under way on this thread: end that first".into()));
        }
        Err(TryLockError::WouldBlock) => TURN.lock().unwrap_or_else(PoisonError::into_inner),
        Err(TryLockError::Poisoned(turn)) => turn.into_inner(),
    };
    *caller() = Some(this);
    let Call { mut words, texts, progress } = call;
    words.insert(0, "stopwise".into());
    signals::reset();
    session::begin(Session { words: words.clone(), texts, progress, ..Session::default() });
    let done = match args::typed(&words) {
        Ok(cli) => obey(cli.command),
        Err(Instead::Answer(text)) => crate::output::put(&text),
        Err(Instead::Refusal(text)) => Err(Failure::Usage(text)),
    };
    let Session { report, text, notes, .. } = session::end();
    *caller() = None;
    let is_found = report.is_some() || !text.is_empty();
    let found = Found { report, text, notes, interrupted: None };
    match done {
        Ok(()) | Err(Failure::BrokenPipe) => Ok(found),
        Err(Failure::Interrupted(message)) if is_found => Ok(Found { interrupted: Some(message), ..found }),
        Err(Failure::Interrupted(message)) => Err(Refusal::Interrupted(message)),
        Err(Failure::Input(message) | Failure::Usage(message)) => Err(Refusal::Input(message)),
        Err(Failure::Other(message)) => Err(Refusal::Other(message)),
    }
}

/// Asks the call that is under way to end in order, as Ctrl-C asks the program: what is complete is found, within two
/// seconds.
pub fn end() {
    signals::end();
}

/// Does what these words say, as the program does, on stdout and stderr and with signals; the exit code. The first is the
/// program's name. For a process that is about to end with it.
pub fn run_words(words: &[OsString]) -> ExitCode {
    crate::run_words(words)
}
