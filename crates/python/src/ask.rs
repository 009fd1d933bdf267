//! Asking the program, on a thread of its own, so that threads of Python go on and signals are heard.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::Write as _;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use pyo3::exceptions::{PyKeyboardInterrupt, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use stopwise::library::{self, Call, Mistake, Players, Refusal, StopToken, Trials};

use crate::callable::{Watch, policies};
use crate::document::Document;
use crate::lock::held;
use crate::nested::Calling;
use crate::table::Table;

/// How long signals and lines of progress may lie.
pub(crate) const SLICE: Duration = Duration::from_millis(40);

/// How long functions are still asked after the first Ctrl-C, so that the trials under way may end and count.
const GRACE: Duration = Duration::from_millis(500);

/// How often all calls were asked to end.
static STOPS: AtomicU64 = AtomicU64::new(0);

/// A mistake: file, line, column, what is wrong, and what to write instead.
pub(crate) type Told = (String, Option<usize>, Option<usize>, String, Option<String>);

/// The mistakes that a refusal tells of.
pub(crate) fn told(refusal: &Refusal) -> Vec<Told> {
    let told = |mistake: &Mistake| {
        let Mistake { file, line, column, message, help } = mistake.clone();
        (file, line, column, message, help)
    };
    refusal.mistakes().iter().map(told).collect()
}

/// What a command line found, or why nothing.
#[pyclass(frozen, get_all)]
pub(crate) struct Found {
    /// Of a command that makes a document.
    document: Option<Py<Document>>,
    /// Of a command that lists what there is.
    listing: Option<Py<Table>>,
    /// What it printed.
    text: String,
    /// What it said besides.
    notes: Vec<String>,
    /// The files that it has read, by their paths.
    texts: BTreeMap<String, String>,
    /// Why it is not all that was asked for.
    interrupted: Option<String>,
    /// Why there is nothing: `input`, `interrupted` or `other`, a message, and mistakes in texts.
    refused: Option<(&'static str, String, Vec<Told>)>,
    /// Whether Ctrl-C came while it was asked, or `stop` was called.
    stopped: bool,
}

/// Asks. `texts` are files by the names that the words have for them; `show` is called with lines of progress. `functions` are
/// policies that answer [`Questions`](crate::callable::Questions), and `given` are actions of one trial, each with the word that
/// names it and what it is called.
///
/// `players` play the trials: called from another thread with what is [`Wanted`], they give the texts of calls with `only`, in
/// order. `only` are a stage, its first trial, the one after its last, and what is known: what a call plays, and gives as its text.
///
/// Threads of Python may ask at once. The first Ctrl-C ends the call in order, the second raises at once: with functions or `players` once none of them is being
/// called, since a thread that is in Python when the process ends would crash it. Whatever else is raised meanwhile, by handlers
/// of signals or by `show`, ends it, too, and is raised then.
#[pyfunction]
#[allow(clippy::too_many_arguments, reason = "they have names in Python")]
#[pyo3(signature = (words, texts, show=None, functions=Vec::new(), given=Vec::new(), players=None, only=None))]
pub(crate) fn ask(
    py: Python<'_>,
    words: Vec<OsString>,
    texts: BTreeMap<String, String>,
    show: Option<Py<PyAny>>,
    functions: Vec<(String, String, Py<PyAny>)>,
    given: Vec<(String, String, Vec<i64>)>,
    players: Option<Py<PyAny>>,
    only: Option<(String, u64, u64, String)>,
) -> PyResult<Found> {
    let trials = match (players, only) {
        (Some(players), _) => Trials::Elsewhere(called(players)),
        (None, Some((stage, first, end, known))) => Trials::Only { stage, trials: first..end, known },
        (None, None) => Trials::Here,
    };
    let _calling = Calling::begin()?;
    let calls_python = !functions.is_empty() || matches!(trials, Trials::Elsewhere(_));
    let watch = Arc::new(Watch::default());
    let policies = policies(functions, given, &watch);
    let line = Arc::new(Mutex::new(None));
    let told = Arc::clone(&line);
    let listener = move |line: &str| *held(&told) = Some(line.to_owned());
    let progress = show.is_some().then(|| Arc::new(listener) as library::Listener);
    let stop = StopToken::default();
    let stops = STOPS.load(Ordering::Relaxed);
    let call = Call { texts, policies, progress, trials, stop: stop.clone(), ..Call::default() };
    let (send, answer) = channel();
    let asking = thread::Builder::new().name("stopwise".into());
    // If the caller has raised an exception meanwhile, nobody receives the answer.
    asking.spawn(move || drop(send.send(library::ask_words(words, call))))?;

    // It stays on this thread, but a receiver alone may not be used while others run Python.
    let answer = Mutex::new(answer);
    let mut raised: Option<PyErr> = None;
    let mut raised_again: Option<PyErr> = None;
    let found = loop {
        match py.detach(|| held(&answer).recv_timeout(SLICE)) {
            Ok(found) => break found,
            Err(RecvTimeoutError::Disconnected) => {
                return Err(PyRuntimeError::new_err("stopwise has failed; its message is on stderr"));
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
        // What a policy raises is worth more than what the program says of it.
        if raised.is_none() {
            raised = watch.take();
        }
        if let Err(error) = py.check_signals() {
            if raised.is_none() {
                raised = Some(error);
            } else if calls_python {
                watch.ask_no_longer_than(Duration::ZERO);
                raised_again = Some(error);
            } else {
                return Err(error);
            }
        }
        if raised.is_none() && STOPS.load(Ordering::Relaxed) != stops {
            raised = Some(PyKeyboardInterrupt::new_err("stopwise.stop() was called"));
        }
        match (&raised, &show) {
            (Some(_), _) => {
                stop.end();
                watch.ask_no_longer_than(GRACE);
            }
            (None, Some(show)) => {
                let line = held(&line).take();
                raised = line.and_then(|line| show.call1(py, (line,)).err());
            }
            (None, None) => {}
        }
    };
    if let Some(error) = raised_again {
        return Err(error);
    }
    let raised = raised.or_else(|| watch.take());
    let stopped = raised.is_some();
    match raised {
        Some(error) if !error.is_instance_of::<PyKeyboardInterrupt>(py) => Err(error),
        _ => Found::of(py, found, stopped),
    }
}

/// Who plays, as a function of Python; what it raises is the message.
fn called(players: Py<PyAny>) -> Players {
    Arc::new(move |wanted: &library::Wanted<'_>| {
        let wanted = Wanted {
            stage: wanted.stage.to_owned(),
            first: wanted.trials.start,
            end: wanted.trials.end,
            known: wanted.known.to_owned(),
            texts: wanted.texts.clone(),
            stop: wanted.stop.clone(),
        };
        Python::attach(|py| {
            let lines = players.call1(py, (wanted,));
            lines.and_then(|lines| lines.extract(py)).map_err(|error| error.to_string())
        })
    })
}

/// Ends all calls under way, in whichever thread, as the first Ctrl-C does.
#[pyfunction]
pub(crate) fn stop() {
    STOPS.fetch_add(1, Ordering::Relaxed);
}

/// Several parts of a run as one.
#[pyfunction]
pub(crate) fn merge_shards(py: Python<'_>, shards: Vec<String>) -> PyResult<String> {
    py.detach(|| library::merge_shards(&shards)).map_err(|refusal| PyValueError::new_err(refusal.to_string()))
}

/// The program's version, and a digest of what it plays.
#[pyfunction]
pub(crate) fn version() -> String {
    library::version()
}

/// Trials that are to be played elsewhere.
#[pyclass(frozen)]
pub(crate) struct Wanted {
    /// The stage.
    #[pyo3(get)]
    stage: String,
    /// The first trial, and the one after the last.
    #[pyo3(get)]
    first: u64,
    #[pyo3(get)]
    end: u64,
    /// What is known so far.
    #[pyo3(get)]
    known: String,
    /// The files that the call has read, by their paths.
    #[pyo3(get)]
    texts: BTreeMap<String, String>,
    stop: StopToken,
}

#[pymethods]
impl Wanted {
    /// Whether the call was asked to end.
    fn is_ending(&self) -> bool {
        self.stop.is_ending()
    }
}

impl Found {
    fn of(py: Python<'_>, found: Result<library::Found, Refusal>, stopped: bool) -> PyResult<Self> {
        let nothing = Self {
            document: None,
            listing: None,
            text: String::new(),
            notes: Vec::new(),
            texts: BTreeMap::new(),
            interrupted: None,
            refused: None,
            stopped,
        };
        Ok(match found {
            Ok(library::Found { report, list, text, notes, texts, interrupted }) => {
                let document = report.map(|report| Py::new(py, Document::new(report))).transpose()?;
                let listing = list.map(|list| Py::new(py, Table::alone(list))).transpose()?;
                Self { document, listing, text, notes, texts, interrupted, ..nothing }
            }
            Err(refusal) => {
                let kind = match refusal {
                    Refusal::Input { .. } => "input",
                    Refusal::Interrupted(_) => "interrupted",
                    Refusal::Other(_) => "other",
                };
                Self { refused: Some((kind, refusal.to_string(), told(&refusal))), ..nothing }
            }
        })
    }
}

/// Does what the program does with these words, on stdout and stderr, with its signals; its exit code.
#[pyfunction]
pub(crate) fn run(py: Python<'_>, words: Vec<OsString>) -> u8 {
    py.detach(|| {
        let code = library::run_words(words);
        // In a program the runtime does it.
        let _ = std::io::stdout().flush();
        code
    })
}
