//! Exact values: a walk that tries every action and enumerates every chance event.
//!
//! It mirrors a trial: where a trial asks a policy, the walk takes the best action; where a trial samples the dice, it
//! averages over the outcomes. Evaluating a policy is the same walk with one action to try.

mod bounds;
mod by_stage;
mod distribution;
mod error;
mod folds;
mod formulas;
mod interval_iteration;
mod limits;
mod losses;
mod part;
mod parts;
mod size_bound;
mod solve;
mod stage;
mod turns;
mod walk;

pub use distribution::{Distribution, distribution};
pub use error::{ExactError, Limit, Size};
pub use limits::{Limits, Progress};
pub use losses::{Answered, Loss, Losses, best_answers, losses, losses_against_best};
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
