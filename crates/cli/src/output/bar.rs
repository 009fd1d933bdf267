//! Where progress goes: to a terminal, to whatever else reads what the program says, or to the caller of the library.

use std::fmt;
use std::io::{self, IsTerminal as _};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle, TermLike};

use super::note;
use crate::session::{Listener, Session};

/// How often it is shown, a second.
const RATE: u8 = 5;
/// The columns of a line that a library is told.
const WIDTH: u16 = 120;

/// How often a line is written where there is no terminal, to a file or a pipe.
const EVERY: Duration = Duration::from_secs(10);

/// Where progress is shown, unless it is not wanted; what is hidden costs nothing.
pub(crate) fn bar_target(session: &Session, quiet: bool) -> ProgressDrawTarget {
    match session.caller().map(|caller| caller.progress.clone()) {
        Some(Some(listener)) if !quiet => {
            ProgressDrawTarget::term_like_with_hz(Box::new(Told { listener, line: Mutex::default() }), RATE)
        }
        None if !quiet && io::stderr().is_terminal() => ProgressDrawTarget::stderr_with_hz(RATE),
        None if !quiet => ProgressDrawTarget::term_like_with_hz(
            Box::new(Told { listener: now_and_then(session), line: Mutex::default() }),
            RATE,
        ),
        _ => ProgressDrawTarget::hidden(),
    }
}

/// A bar of so many steps with this template, shown on this target.
pub(crate) fn bar(steps: Option<u64>, target: ProgressDrawTarget, template: &str) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(steps, target);
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar
}

/// Writes a line to stderr, unless it wrote another shortly before.
fn now_and_then(session: &Session) -> Listener {
    let (session, written) = (session.clone(), session.written());
    Arc::new(move |line| {
        let line = in_words(line);
        let mut last = written.lock().unwrap_or_else(PoisonError::into_inner);
        if !line.is_empty() && last.elapsed() >= EVERY {
            *last = Instant::now();
            drop(last);
            note(&session, &line);
        }
    })
}

/// What a line says, without what is drawn in it: bars, and signs that turn.
fn in_words(line: &str) -> String {
    let is_drawn = |c: char| matches!(c, '\u{2580}'..='\u{259f}' | '\u{2800}'..='\u{28ff}');
    let words = line.replace(is_drawn, " ");
    words.split("  ").map(str::trim).filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ")
}

/// A terminal of one line, whose text goes to a listener.
struct Told {
    listener: Listener,
    line: Mutex<String>,
}

impl fmt::Debug for Told {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Told").finish_non_exhaustive()
    }
}

impl Told {
    fn write(&self, text: &str) {
        self.line.lock().unwrap_or_else(PoisonError::into_inner).push_str(text);
    }
}

impl TermLike for Told {
    fn width(&self) -> u16 {
        WIDTH
    }

    fn move_cursor_up(&self, _: usize) -> io::Result<()> {
        Ok(())
    }

    fn move_cursor_down(&self, _: usize) -> io::Result<()> {
        Ok(())
    }

    fn move_cursor_right(&self, _: usize) -> io::Result<()> {
        Ok(())
    }

    fn move_cursor_left(&self, _: usize) -> io::Result<()> {
        Ok(())
    }

    fn write_line(&self, text: &str) -> io::Result<()> {
        self.write(text);
        Ok(())
    }

    fn write_str(&self, text: &str) -> io::Result<()> {
        self.write(text);
        Ok(())
    }

    fn clear_line(&self) -> io::Result<()> {
        Ok(())
    }

    fn flush(&self) -> io::Result<()> {
        let line = std::mem::take(&mut *self.line.lock().unwrap_or_else(PoisonError::into_inner));
        // Not while the line is held: who is told may take its time.
        (self.listener)(line.trim_end());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_without_what_is_drawn() {
        for (drawn, words) in [
            (
                "12,000 of 1,000,000 trials  ███░░░░░  1.23 million a second  5s left",
                "12,000 of 1,000,000 trials, 1.23 million a second, 5s left",
            ),
            (
                "⠙ finding 40.0M states, stage 2 of 9+, 1.2 GB                12s",
                "finding 40.0M states, stage 2 of 9+, 1.2 GB, 12s",
            ),
            ("", ""),
        ] {
            assert_eq!(in_words(drawn), words);
        }
    }
}
