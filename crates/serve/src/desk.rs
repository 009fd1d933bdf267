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

/// How much work an answer is, and how soon it is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// Some milliseconds of one thread.
    Little,
    /// As many threads as there are, for a moment.
    Soon,
    /// As many as there are but one, for seconds.
    Long,
}

/// The work of an answer.
pub struct Work {
    /// How much it is.
    pub need: Need,
    /// Does it, on so many threads, of which the one that calls this waits for the others or is the only one.
    pub run: Box<dyn FnOnce(usize) -> Answer + Send>,
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
