//! Signals: the first asks for an orderly end, the second ends at once.
//!
//! Ctrl-C, a request to end (`timeout`, batch systems) and a terminal that is closed are one thing here: what is complete
//! is written and printed, and the exit code says which signal it was. SIGUSR1, which batch systems send ahead of a time limit
//! and people to ask, only has the state so far said.

use std::io::{self, IsTerminal as _};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use crate::failure::Failure;
use crate::output::{note, remove_temporaries};
use crate::session::Session;
#[cfg(not(unix))]
use crate::stop::CTRL_C;

/// From now on a signal asks a call of the program for an orderly end.
pub(crate) fn catch(session: &Session) -> Result<(), Failure> {
    on_first(session, |session, _| {
        if io::stderr().is_terminal() {
            say(
                session,
                "\nending: games that have begun are finished first; press Ctrl-C again to stop at once",
            );
        }
    })
}

/// The same where nothing has to be finished: what has not ended after [`GRACE`] ends then, as it would by itself, with
/// this message. A reader may have left a pipe full, a table of states may be growing.
pub(crate) fn catch_for(session: &Session, message: &'static str) -> Result<(), Failure> {
    on_first(session, move |session, signal| {
        let ending = session.clone();
        let end = move || {
            std::thread::sleep(GRACE);
            leave(&ending, signal, message)
        };
        if std::thread::Builder::new().name("grace".into()).spawn(end).is_err() {
            leave(session, signal, message);
        }
    })
}

/// The same where something else has to be told that the end has come.
pub(crate) fn catch_with(session: &Session, end: impl Fn() + Send + 'static) -> Result<(), Failure> {
    on_first(session, move |_, _| end())
}

/// How long a command may take to end by itself.
const GRACE: Duration = Duration::from_secs(1);

/// The first signal is noted and told; the second ends at once. Those of a process that uses the library are its own.
fn on_first(session: &Session, tell: impl Fn(&Session, i32) + Send + 'static) -> Result<(), Failure> {
    if session.caller().is_some() {
        return Ok(());
    }
    let session = session.clone();
    let mut came: Option<Instant> = None;
    on_signal(move |signal| {
        if session.stop.signalled(signal) {
            came = Some(Instant::now());
            tell(&session, signal);
        } else if came.is_none_or(|came| came.elapsed() > ECHO) {
            leave(&session, signal, "ended at once: nothing more was written");
        }
    })
}

/// What comes so soon after the first signal is the first once more: `timeout` sends it to the process, then to the group in
/// which it is.
const ECHO: Duration = Duration::from_millis(200);

fn leave(session: &Session, signal: i32, message: &'static str) -> ! {
    remove_temporaries();
    // It may never be said.
    let _ = say(session, message).recv_timeout(LAST_WORD);
    std::process::exit(128 + signal)
}

/// How long the last word may take.
const LAST_WORD: Duration = Duration::from_millis(200);

/// Says something on a thread of its own, so that signals are heard although nobody reads, or a terminal is held. The channel
/// is closed when it was said.
fn say(session: &Session, text: &'static str) -> Receiver<()> {
    let session = session.clone();
    let (speaks, said) = channel();
    // Without a thread it is not said.
    let _ = std::thread::Builder::new().spawn(move || {
        note(&session, text);
        drop(speaks);
    });
    said
}

/// Calls the handler with the number of every signal, on a thread of its own.
#[cfg(unix)]
fn on_signal(handler: impl FnMut(i32) + Send + 'static) -> Result<(), Failure> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

    let is_kept = |&signal: &i32| signal != SIGHUP || !is_ignored(signal);
    heard([SIGINT, SIGTERM, SIGHUP].into_iter().filter(is_kept), handler)
}

/// From now on SIGUSR1 is answered with the state so far, on stderr.
#[cfg(unix)]
pub(crate) fn answer_questions(
    session: &Session,
    state: impl Fn() -> String + Send + 'static,
) -> Result<(), Failure> {
    use signal_hook::consts::SIGUSR1;

    let session = session.clone();
    heard([SIGUSR1].into_iter().filter(|&signal| !is_ignored(signal)), move |_| note(&session, &state()))
}

/// There is no such signal.
#[cfg(not(unix))]
pub(crate) fn answer_questions(_: &Session, _: impl Fn() -> String) -> Result<(), Failure> {
    Ok(())
}

#[cfg(unix)]
fn heard(
    signals: impl Iterator<Item = i32>,
    handler: impl FnMut(i32) + Send + 'static,
) -> Result<(), Failure> {
    let mut signals = signal_hook::iterator::Signals::new(signals).map_err(Failure::other)?;
    let thread = std::thread::Builder::new().name("signals".into());
    thread.spawn(move || signals.forever().for_each(handler)).map_err(Failure::other)?;
    Ok(())
}

/// Whether who started the program wants a signal ignored, as `nohup` does with the one of a closed terminal. Linux says
/// so in a file; elsewhere none is.
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    mask >> (signal - 1) & 1 == 1
}

/// Calls the handler at every Ctrl-C, on a thread of its own.
#[cfg(not(unix))]
fn on_signal(mut handler: impl FnMut(i32) + Send + 'static) -> Result<(), Failure> {
    ctrlc::set_handler(move || handler(CTRL_C)).map_err(Failure::other)
}
