//! How long games for several are, in turns of all seats together: a number of the game, and no seat's, that can be asked about as
//! the metrics of a seat can. Its place is after theirs.

use stopwise_engine::game::{Event, Metric};
use stopwise_engine::tally::Histogram;
use stopwise_erased::AnyRules;

use super::about::RowContext;
use super::{Measured, SimulationReport};

/// The length of a game.
pub const LENGTH: Metric = Metric::count(
    "length",
    "turns",
    "turns of all seats together, which is how long the game is",
    Event::TURN,
);

/// What can be asked about in a simulation: the metrics of a seat, and the length of a game for several, if it has turns and the
/// game has no metric of that name.
pub fn asked_about(rules: &dyn AnyRules) -> Vec<Metric> {
    let (seats, metrics) = (rules.seats(), rules.metrics());
    metrics.iter().copied().chain(has_length(seats, metrics).then_some(LENGTH)).collect()
}

fn has_length(seats: usize, metrics: &[Metric]) -> bool {
    seats > 1
        && metrics.iter().any(|metric| metric.counts(Event::TURN))
        && metrics.iter().all(|metric| metric.name != LENGTH.name)
}

/// The values of a metric in all trials.
#[derive(Debug)]
pub(super) struct Values<'f> {
    /// Whose they are.
    pub(super) about: RowContext,
    /// The same, for people.
    pub(super) name: String,
    pub(super) histogram: &'f Histogram,
    pub(super) trials: u64,
}

impl SimulationReport {
    /// Whether the length of a game can be asked about.
    pub(super) fn has_length(&self) -> bool {
        has_length(self.policies.len(), &self.metrics)
    }

    /// Whether it was asked about: then its distribution is told.
    pub(super) fn is_about_length(&self) -> bool {
        self.drawn.is_some_and(|at| at >= self.metrics.len())
    }

    /// The metric at this place.
    pub(super) fn about(&self, at: usize) -> Metric {
        self.metrics.get(at).copied().unwrap_or(LENGTH)
    }

    /// Its values: of each standing, or of the game.
    pub(super) fn values<'f>(
        &'f self,
        at: usize,
        standings: impl IntoIterator<Item = &'f Measured>,
    ) -> Vec<Values<'f>> {
        let of = |Measured { standing, .. }: &'f Measured| Values {
            about: RowContext::of(self, standing),
            name: self.name(standing),
            histogram: &standing.tally.metrics[at],
            trials: standing.trials,
        };
        if at < self.metrics.len() {
            return standings.into_iter().map(of).collect();
        }
        vec![Values {
            about: RowContext::of_all(self),
            name: self.lineup(),
            histogram: &self.tally.lengths,
            trials: self.tally.trials,
        }]
    }
}
