//! Who answers.

use std::fmt;
use std::sync::Arc;

/// A question of the page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// What is asked, the last part of the address.
    pub name: String,
    /// What it is about.
    pub body: Vec<u8>,
}

/// What is sent back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The status of HTTP.
    pub status: u16,
    /// The kind of content.
    pub kind: &'static str,
    /// The content.
    pub body: Vec<u8>,
}

/// The work of an answer.
pub struct Work {
    /// Does it, on a thread of its own.
    pub run: Box<dyn FnOnce() -> Answer + Send>,
    /// Asks it to end, from any thread, also before it has begun. It then has to end within moments, whatever it answers.
    pub end: Arc<dyn Fn() + Send + Sync>,
}

impl fmt::Debug for Work {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Work").finish_non_exhaustive()
    }
}

/// Who answers the questions of the page.
pub trait Desk: Send + Sync {
    /// The work of an answer, not yet begun; this itself takes no time.
    fn begin(&self, question: Question) -> Work;
}
