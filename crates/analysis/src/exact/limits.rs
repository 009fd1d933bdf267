//! The limits of a walk, and reports of its progress.

use std::fmt;
use std::ops::ControlFlow;

use super::{ExactError, Limit, Size};

/// The limits of a walk, and its watcher.
#[derive(Clone, Copy)]
pub struct Limits<'w> {
    /// The greatest number of states.
    pub states: usize,
    /// The largest size of the tables of the walk, in bytes.
    pub bytes: usize,
    /// The target width of the bounds if a game has cycles; relative for values above 1.
    pub width: f64,
    /// The watcher: called with the progress many times a second, from several threads. Its answer says whether to
    /// continue.
    pub watch: &'w (dyn Fn(Progress) -> ControlFlow<()> + Sync),
}

/// The progress of a walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// States are being found, from the start forwards.
    Find {
        /// The size found so far.
        size: Size,
    },
    /// Values are being computed, from the end backwards.
    Evaluate {
        /// The number of states whose values are known.
        done: usize,
        /// The number of all states.
        states: usize,
    },
    /// Bounds are converging within a stage in which positions recur.
    CloseIn {
        /// The number of sweeps so far.
        sweeps: usize,
        /// The number of states of the stage.
        stage: usize,
        /// The number of states of later stages, whose values are known.
        done: usize,
        /// The number of all states.
        states: usize,
    },
    /// Probability is being propagated forwards.
    Flow {
        /// The number of states found.
        states: usize,
    },
    /// A part of a game is being explored.
    Explore {
        /// The number of its steps so far.
        steps: usize,
    },
}

impl Default for Limits<'_> {
    /// 40 million states, the bytes that they take, bounds to 10⁻¹¹, and no watcher.
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
    /// Explores a part of a game, with a watcher of the steps and bytes so far that keeps it within the limits.
    pub(super) fn explore<T>(
        &self,
        explore: impl FnOnce(&mut dyn FnMut(usize, usize) -> bool) -> Option<T>,
    ) -> Result<T, ExactError> {
        let mut ended = ExactError::Interrupted;
        let mut watch = |steps, bytes| {
            let size = Size { states: steps, bytes, ..Size::default() };
            let checked = self.tell(Progress::Explore { steps }).and(self.check(size));
            checked.map_err(|why| ended = why).is_ok()
        };
        explore(&mut watch).ok_or(ended)
    }

    /// Reports progress to the watcher; an error if it stops the walk.
    pub(super) fn tell(&self, step: Progress) -> Result<(), ExactError> {
        if (self.watch)(step).is_break() { Err(ExactError::Interrupted) } else { Ok(()) }
    }

    /// Checks a size against the limits.
    pub(super) fn check(&self, size: Size) -> Result<(), ExactError> {
        let limit = if size.states.max(size.states_at_least) > self.states {
            Limit::States(self.states)
        } else if size.bytes > self.bytes {
            Limit::Bytes(self.bytes)
        } else {
            return Ok(());
        };
        Err(ExactError::TooLarge { limit, size, varied: Vec::new() })
    }
}
