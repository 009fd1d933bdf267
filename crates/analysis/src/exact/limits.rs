//! How far the walk may go, and who is told how far it has come.

use std::fmt;
use std::ops::ControlFlow;

use super::{ExactError, Limit, Size};

/// Limits of the walk, and who watches it.
#[derive(Clone, Copy)]
pub struct Limits<'w> {
    /// The greatest number of states.
    pub states: usize,
    /// The greatest number of bytes that the tables of the walk take.
    pub bytes: usize,
    /// The width of the bounds to reach where a game has cycles; relative for values above 1.
    pub width: f64,
    /// Told how far the walk has come, many times a second and from several threads; says whether to go on.
    pub watch: &'w (dyn Fn(Step) -> ControlFlow<()> + Sync),
}

/// How far the walk has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// States are being found, forwards.
    Find {
        /// What has been found.
        size: Size,
    },
    /// Values are being computed, backwards.
    Evaluate {
        /// States whose values are known.
        done: usize,
        /// All states.
        states: usize,
    },
    /// Bounds close in within a stage in which positions return.
    CloseIn {
        /// Sweeps so far.
        sweeps: usize,
        /// States of the stage.
        stage: usize,
        /// States of later stages, whose values are known.
        done: usize,
        /// All states.
        states: usize,
    },
    /// Probability flows forward, through so many states so far.
    Flow {
        /// States found.
        states: usize,
    },
    /// A part of a game is being explored.
    Explore {
        /// Its steps so far.
        steps: usize,
    },
}

impl Default for Limits<'_> {
    /// 40 million states, as many bytes as they take, bounds to 10⁻¹¹; nobody watches.
    fn default() -> Self {
        Self { states: 40_000_000, bytes: usize::MAX, width: 1e-11, watch: &|_| ControlFlow::Continue(()) }
    }
}

impl fmt::Debug for Limits<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { states, bytes, width, watch: _ } = self;
        let mut limits = f.debug_struct("Limits");
        limits.field("states", states).field("bytes", bytes).field("width", width).finish_non_exhaustive()
    }
}

impl Limits<'_> {
    /// Tells who watches, and hears whether to go on.
    pub(super) fn tell(&self, step: Step) -> Result<(), ExactError> {
        if (self.watch)(step).is_break() { Err(ExactError::Interrupted) } else { Ok(()) }
    }

    /// Whether so much is within the limits.
    pub(super) fn check(&self, size: Size) -> Result<(), ExactError> {
        let limit = if size.states.max(size.states_at_least) > self.states {
            Limit::States(self.states)
        } else if size.bytes > self.bytes {
            Limit::Bytes(self.bytes)
        } else {
            return Ok(());
        };
        Err(ExactError::TooLarge { limit, size })
    }
}
