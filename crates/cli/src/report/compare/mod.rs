//! Reports of paired comparisons, one file per format.

pub(crate) mod json;
pub(crate) mod tables;
pub(crate) mod text;

use stopwise_analysis::estimate::Estimate;
use stopwise_analysis::paired::{Comparison, Stopping};
use stopwise_engine::game::Metric;
use stopwise_engine::paired::PairTally;
use stopwise_engine::tally::Histogram;

use super::manifest::Subject;

/// The result of a comparison, with the names of its parts.
#[derive(Debug)]
pub(crate) struct ComparisonReport {
    pub(crate) game: &'static str,
    pub(crate) rules: String,
    pub(crate) seats: usize,
    /// The label of every line-up.
    pub(crate) lineups: Vec<String>,
    pub(crate) metrics: Vec<Metric>,
    /// Whether policies were rotated.
    pub(crate) is_rotated: bool,
    pub(crate) comparison: Comparison,
    /// A sentence on why the run stopped, if the number of trials was not fixed.
    pub(crate) stopped: Option<String>,
    /// Whether partings were asked for.
    pub(crate) is_divergent: bool,
    /// The first partings of each pair.
    pub(crate) partings: Vec<Vec<PartingReport>>,
    pub(crate) seed: u64,
}

/// The first decision in a trial that two line-ups make differently.
#[derive(Debug)]
pub(crate) struct PartingReport {
    pub(crate) trial: u64,
    /// From 1.
    pub(crate) seat: usize,
    /// From 1.
    pub(crate) turn: u32,
    /// The kind of decision.
    pub(crate) kind: &'static str,
    /// The number of decisions before it.
    pub(crate) before: usize,
    /// The actions of A and of B.
    pub(crate) a: String,
    pub(crate) b: String,
    /// The state, place by place.
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

    /// Its head in the manifest.
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

    /// The histograms of a metric for the first policies of A and of B.
    fn histograms(&self, pair: &PairTally, metric: usize) -> [Histogram; 2] {
        [pair.a, pair.b].map(|arm| self.comparison.tally.arms[arm].histogram(metric))
    }
}
