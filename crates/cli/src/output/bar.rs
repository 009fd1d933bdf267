//! Where progress goes: to a terminal, or to the caller of the library.

use std::fmt;
use std::io::{self, IsTerminal as _};
use std::sync::{Mutex, PoisonError};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle, TermLike};

use crate::session::{Listener, Session};

/// How often it is shown, a second.
const RATE: u8 = 5;
/// The columns of a line that a library is told.
const WIDTH: u16 = 120;

/// Where progress is shown, unless it is not wanted; what is hidden costs nothing.
pub(crate) fn bar_target(session: &Session, quiet: bool) -> ProgressDrawTarget {
    match session.caller().map(|caller| caller.progress.clone()) {
        Some(Some(listener)) if !quiet => {
            ProgressDrawTarget::term_like_with_hz(Box::new(Told { listener, line: Mutex::default() }), RATE)
        }
        None if !quiet && io::stderr().is_terminal() => ProgressDrawTarget::stderr_with_hz(RATE),
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
