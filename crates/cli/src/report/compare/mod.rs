//! A paired comparison to bytes: pure functions, one file a format.

pub(crate) mod json;
pub(crate) mod tables;
pub(crate) mod text;

use stopwise_analysis::estimate::Estimate;
use stopwise_analysis::paired::{Comparison, Stopping};
use stopwise_engine::game::Metric;
use stopwise_engine::paired::PairTally;
use stopwise_engine::tally::Histogram;

use super::manifest::Subject;

/// What a comparison found, with all that names it.
#[derive(Debug)]
pub(crate) struct ComparisonReport {
    pub(crate) game: &'static str,
    pub(crate) rules: String,
    pub(crate) seats: usize,
    /// A label for every line-up.
    pub(crate) lineups: Vec<String>,
    pub(crate) metrics: &'static [Metric],
    /// Whether policies moved from seat to seat.
    pub(crate) is_rotated: bool,
    pub(crate) comparison: Comparison,
    /// Where the number of trials was not fixed, why there were so many, in a sentence.
    pub(crate) stopped: Option<String>,
    /// Whether partings were asked for.
    pub(crate) is_divergent: bool,
    /// Where each pair parts first.
    pub(crate) partings: Vec<Vec<PartingReport>>,
    pub(crate) seed: u64,
}

/// The decision with which two line-ups part in a trial.
#[derive(Debug)]
pub(crate) struct PartingReport {
    pub(crate) trial: u64,
    /// From 1.
    pub(crate) seat: usize,
    /// From 1.
    pub(crate) turn: u32,
    /// The kind of decision.
    pub(crate) kind: &'static str,
    /// How many decisions came before it.
    pub(crate) before: usize,
    /// What A chose, and what B.
    pub(crate) a: String,
    pub(crate) b: String,
    /// What lies where.
    pub(crate) places: Vec<(&'static str, String)>,
}

impl ComparisonReport {
    /// The trials of every pair.
    pub(crate) fn trials(&self) -> u64 {
        self.comparison.tally.trials()
    }

    /// The pairs, with their numbers.
    fn pairs(&self) -> impl Iterator<Item = (usize, &PairTally)> {
        self.comparison.tally.pairs.iter().enumerate()
    }

    /// The mean difference of a pair; `None` without trials.
    fn mean_difference(&self, pair: usize, metric: usize) -> Option<Estimate> {
        self.comparison.means.estimate(&self.comparison.tally, pair, metric)
    }

    fn stopping(&self) -> Stopping {
        self.comparison.means.stopping()
    }

    /// What the manifest says of it.
    pub(crate) fn subject(&self) -> Subject<'_> {
        Subject {
            game: self.game,
            rules: &self.rules,
            seed: self.seed,
            trials: self.trials(),
            rotations: self.is_rotated.then(|| {
                let rotations = self.comparison.tally.arms.first().map(|arm| &arm.rotations);
                rotations.into_iter().flatten().map(|tally| tally.trials).collect()
            }),
        }
    }

    /// The labels of a pair.
    fn names(&self, pair: &PairTally) -> [&str; 2] {
        [&self.lineups[pair.a], &self.lineups[pair.b]]
    }

    /// What the first policies of A and of B had of a metric.
    fn histograms(&self, pair: &PairTally, metric: usize) -> [Histogram; 2] {
        [pair.a, pair.b].map(|arm| self.comparison.tally.arms[arm].histogram(metric))
    }
}
