//! Exact values: the walk that tries every action and enumerates every chance event.
//!
//! It mirrors a trial: where a trial asks a policy, the walk takes the best action, and where a trial samples the dice,
//! it averages over their outcomes. Evaluating a policy is the same walk with one action to try.

mod distribution;
mod folds;
mod part;
mod solve;
mod turns;
mod walk;

use std::fmt;

pub use distribution::{Distribution, distribution};
pub use part::Part;
pub use solve::{Solution, solve};
pub use turns::{Turns, best_turns};

use stopwise_engine::game::{Better, Event, Events, Game, MAX_METRICS, Seat, Source};

/// The objective of the walk: a metric of the first seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Objective {
    /// Index into [`Game::metrics`].
    pub metric: usize,
    source: Source,
    better: Better,
}

impl Objective {
    /// The metric with this index.
    pub fn new<G: Game>(game: &G, metric: usize) -> Self {
        let declared = game.metrics()[metric];
        Self { metric, source: declared.source, better: declared.better }
    }

    /// The payoff of a terminal state; 0 if the metric counts events.
    fn payoff<G: Game>(&self, game: &G, end: G::State) -> f64 {
        match self.source {
            Source::Count(_) => 0.0,
            Source::End => {
                let mut values = [0; MAX_METRICS];
                game.measure(end, 0, &mut values);
                f64::from(values[self.metric])
            }
        }
    }
}

/// Counts the first seat's events of the objective.
struct Reward {
    event: Option<Event>,
    sum: f64,
}

impl Reward {
    fn new(objective: &Objective) -> Self {
        let event = match objective.source {
            Source::Count(event) => Some(event),
            Source::End => None,
        };
        Self { event, sum: 0.0 }
    }
}

impl Events for Reward {
    #[inline]
    fn event(&mut self, seat: Seat, event: Event) {
        if seat == 0 && self.event == Some(event) {
            self.sum += 1.0;
        }
    }
}

/// Limits of the walk.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// The greatest number of states in memory.
    pub states: usize,
    /// The width of the bounds to reach where a game has cycles; relative for values above 1.
    pub width: f64,
}

impl Default for Limits {
    /// 40 million states (about 4 GiB for a state of a few words), bounds to 10⁻¹¹.
    fn default() -> Self {
        Self { states: 40_000_000, width: 1e-11 }
    }
}

/// Why there is no exact value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExactError {
    /// There are more states than the limit.
    TooLarge {
        /// The limit.
        states: usize,
    },
    /// Positions recur, and the metric has no known bounds for interval iteration.
    Unbounded {
        /// The first stage in which positions recur.
        stage: u64,
    },
    /// The bounds do not converge: under some policy the game need not end.
    Stuck {
        /// The stage in which they do not.
        stage: u64,
    },
    /// The bounds converged too far apart.
    Wide,
    /// With more than one free seat among three or more, best play has no single value.
    SeveralFree,
}

impl fmt::Display for ExactError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLarge { states } => write!(
                f,
                "too large for an exact walk: more than {states} states; make the game smaller (fewer turns, colours or \
                 copies, a lower goal), or allow more with --max-states"
            ),
            Self::Unbounded { stage } => write!(
                f,
                "positions return (first in stage {stage}), so the value of this metric needs bounds that it does not have"
            ),
            Self::Stuck { stage } => write!(
                f,
                "the bounds stopped closing in (stage {stage}): under this policy the game need not end"
            ),
            Self::Wide => write!(
                f,
                "the bounds stay too far apart: under this play the game need not end, or hardly ever does"
            ),
            Self::SeveralFree => write!(
                f,
                "with three or more seats best play is not one number; name a policy for every seat (or for all but one)"
            ),
        }
    }
}

impl std::error::Error for ExactError {}
