//! Text on its way to a terminal: stdout and stderr.
//!
//! All text of the program leaves here, and here it is made harmless: names, arguments and files may hold characters that a
//! terminal obeys.

use std::borrow::Cow;
use std::io::{self, BufWriter, IsTerminal, Write as _};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use stopwise_document::text::{ascii, folded};
use stopwise_policy::visible;

use super::locale::{is_ascii, message_width, terminal_width};
use super::narrow;
use super::patience::{LAST_WORD, PATIENCE, patiently};
use crate::failure::Failure;
use crate::session::Session;

/// Prints on stdout, with control characters made visible.
pub(crate) fn print(session: &Session, text: &str) -> Result<(), Failure> {
    put(session, &visible(text))
}

/// Prints text for people: on a terminal long lines are broken between words.
pub(crate) fn tell(session: &Session, text: &str) -> Result<(), Failure> {
    put(session, &told(session, &visible(text)))
}

/// Prints a file, with control characters made visible; on a terminal its long comments are broken between words.
pub(crate) fn print_file(session: &Session, text: &str) -> Result<(), Failure> {
    let text = visible(text);
    let narrow = room(session).map(|width| narrow::file(&text, width));
    put(session, narrow.as_deref().unwrap_or(&text))
}

/// As wide as the terminal, if there is one, and in its characters.
fn told<'t>(session: &Session, text: &'t str) -> Cow<'t, str> {
    let text = match session.caller().is_none() && is_ascii() {
        true => Cow::Owned(ascii(text)),
        false => Cow::Borrowed(text),
    };
    match room(session) {
        Some(width) => Cow::Owned(folded(&text, width)),
        None => text,
    }
}

/// The columns of the terminal, if that is where text goes.
pub(crate) fn room(session: &Session) -> Option<usize> {
    if session.caller().is_some() { None } else { terminal_width() }
}

/// Prints text that has colours of our own; all else that a terminal would obey is made visible.
pub(crate) fn print_painted(session: &Session, text: &str) -> Result<(), Failure> {
    put(session, &painted(text))
}

/// Prints on stdout what cannot hold anything from outside.
pub(crate) fn put(session: &Session, text: &str) -> Result<(), Failure> {
    if let Some(caller) = session.caller() {
        caller.said().text.push_str(text);
        return Ok(());
    }
    match patiently(io::stdout(), text, PATIENCE, &session.stop) {
        Some(written) => written.map_err(unwritten),
        None => Err(Failure::Interrupted(UNREAD.into())),
    }
}

/// What is said when a signal comes and nobody reads what is printed.
const UNREAD: &str = "interrupted: nobody read what was printed; files, if there are any, are complete";

fn unwritten(error: io::Error) -> Failure {
    match error.kind() {
        io::ErrorKind::BrokenPipe => Failure::BrokenPipe,
        _ => Failure::Other(format!("cannot write to stdout: {error}")),
    }
}

/// Stdout for text that is printed as it comes, with control characters made visible.
#[derive(Debug)]
pub(crate) struct Stream<'s> {
    session: &'s Session,
    to: BufWriter<io::Stdout>,
}

impl<'s> Stream<'s> {
    /// Text goes out in pieces of so many bytes.
    const PIECE: usize = 1 << 16;

    pub(crate) fn new(session: &'s Session) -> Self {
        Self { session, to: BufWriter::with_capacity(Self::PIECE, io::stdout()) }
    }

    pub(crate) fn print(&mut self, text: &str) -> Result<(), Failure> {
        match self.session.caller() {
            Some(caller) => caller.said().text.push_str(&visible(text)),
            None => self.to.write_all(visible(text).as_bytes()).map_err(unwritten)?,
        }
        Ok(())
    }

    /// Prints text for people, in whole lines: on a terminal long ones are broken between words.
    pub(crate) fn tell(&mut self, text: &str) -> Result<(), Failure> {
        self.print(&told(self.session, text))
    }

    /// Prints what is left.
    pub(crate) fn finish(mut self) -> Result<(), Failure> {
        self.to.flush().map_err(unwritten)
    }
}

/// Says on stderr what whoever reads the result is to know of what is played: the report has it, too.
pub(crate) fn note_of_play(session: &Session, text: &str) {
    session.noted(text);
    note(session, &format!("note: {text}"));
}

/// Says something on stderr; on a terminal long lines are broken between words.
pub(crate) fn note(session: &Session, text: &str) {
    if let Some(caller) = session.caller() {
        return caller.said().notes.push(text.to_owned());
    }
    let text = visible(text);
    let text =
        message_width().map_or(Cow::Borrowed(&*text), |width| Cow::Owned(narrow::message(&text, width)));
    complain(session, &format!("{text}\n"));
}

/// Says on stderr what cannot hold anything from outside.
pub(crate) fn complain(session: &Session, text: &str) {
    // Whether nobody reads stderr, so that nothing more is said there.
    static IS_UNREAD: AtomicBool = AtomicBool::new(false);
    // What cannot be said is no reason to stop.
    if !IS_UNREAD.load(Relaxed) && patiently(io::stderr(), text, LAST_WORD, &session.stop).is_none() {
        IS_UNREAD.store(true, Relaxed);
    }
}

/// [`visible`], but for sequences that set colours.
fn painted(text: &str) -> String {
    let mut parts = text.split('\u{1b}');
    let mut out = parts.next().map(visible).unwrap_or_default().into_owned();
    for part in parts {
        let end =
            part.strip_prefix('[').and_then(|rest| rest.find(|c: char| !c.is_ascii_digit() && c != ';'));
        let is_colour = end.is_some_and(|end| part[end + 1..].starts_with('m'));
        out.push_str(if is_colour { "\u{1b}" } else { "\\u{1b}" });
        out.push_str(&visible(part));
    }
    out
}

/// Whether to print in colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Colour {
    Always,
    Never,
}

impl Colour {
    /// On a terminal, or where `CLICOLOR_FORCE` asks for it; never where `NO_COLOR` has a value.
    pub(crate) fn of(stream: &impl IsTerminal) -> Self {
        let value = |name| std::env::var_os(name).filter(|value| !value.is_empty());
        let is = |name, wanted: &str| value(name).is_some_and(|value| value == *wanted);
        let is_forced = value("CLICOLOR_FORCE").is_some_and(|value| value != *"0");
        let is_able = stream.is_terminal() && !is("CLICOLOR", "0") && !is("TERM", "dumb");
        if (is_forced || is_able) && value("NO_COLOR").is_none() { Self::Always } else { Self::Never }
    }

    pub(crate) fn of_stdout() -> Self {
        Self::of(&io::stdout())
    }

    /// What clap has written for stderr. Where a line does not fit the terminal it is broken, and colours are left out: they
    /// would be broken, too.
    pub(crate) fn styled_message(text: &clap::builder::StyledStr) -> String {
        let plain = visible(&text.to_string()).into_owned();
        match message_width() {
            Some(width) if plain.lines().any(|line| line.chars().count() > width) => {
                narrow::message(&plain, width)
            }
            _ => Self::of(&io::stderr()).styled(text),
        }
    }

    /// What clap has written, with its colours or without.
    pub(crate) fn styled(self, text: &clap::builder::StyledStr) -> String {
        match self {
            Self::Always => text.ansi().to_string(),
            Self::Never => visible(&text.to_string()).into_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_pass_and_nothing_else() {
        assert_eq!(painted("a \u{1b}[48;5;3;38;5;0mb\u{1b}[0m\n"), "a \u{1b}[48;5;3;38;5;0mb\u{1b}[0m\n");
        assert_eq!(painted("\u{1b}[2J\u{1b}]0;x\u{7}\u{1b}"), "\\u{1b}[2J\\u{1b}]0;x\\u{7}\\u{1b}");
        assert_eq!(painted("\u{1b}[31\u{9b}m"), "\\u{1b}[31\\u{9b}m");
    }
}
