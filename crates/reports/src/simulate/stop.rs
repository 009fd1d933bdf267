//! How the number of trials of a simulation was decided, and the intervals that follow from it.

use std::collections::HashMap;

use stopwise_analysis::estimate::Interval;
use stopwise_analysis::paired::Stopping;
use stopwise_analysis::seats::Standing;
use stopwise_engine::game::Metric;
use stopwise_engine::tally::Histogram;

use super::SimulationReport;
use crate::stopped::Stopped;

/// The end of a simulation: by default of a number of trials that was fixed beforehand.
#[derive(Clone, Debug, Default)]
pub struct Stop {
    /// The rule.
    pub stopping: Stopping,
    /// What every metric is at least and at most, where that is known.
    pub bounds: Vec<Option<(f64, f64)>>,
    /// Why the run stopped, if the number of trials was not fixed.
    pub told: Option<Stopped>,
}

impl Stop {
    /// Whether the run could stop by looking.
    /// What a metric is at least and at most, if that is known.
    pub(super) fn bounds(&self, metric: usize) -> Option<(f64, f64)> {
        self.bounds.get(metric).copied().flatten()
    }

    pub(crate) fn is_open(&self) -> bool {
        self.stopping != Stopping::Fixed
    }
}

/// What the whole counts of which a metric is a share: wins, and what is 0 or 1.
pub fn whole(metric: &Metric, bounds: Option<(f64, f64)>) -> Option<u32> {
    (metric.is_share() || bounds == Some((0.0, 1.0))).then(|| metric.whole())
}

/// The intervals of shares of one standing. Of tens of thousands of values most are as rare as others.
#[derive(Debug)]
pub(super) struct Shares {
    stopping: Stopping,
    /// The values of each trial: more than one where a policy has several seats.
    each: u64,
    known: HashMap<(u64, u64), Option<Interval>>,
}

impl SimulationReport {
    /// The intervals of shares of a standing.
    pub(super) fn shares(&self, standing: &Standing) -> Shares {
        let values = standing.tally.metrics.first().map_or(0, Histogram::total);
        let each = values.checked_div(standing.trials).unwrap_or(1).max(1);
        self.shares_of(each)
    }

    /// Those of so many values a trial.
    pub(super) fn shares_of(&self, each: u64) -> Shares {
        Shares { stopping: self.stop.stopping, each, known: HashMap::new() }
    }
}

impl Shares {
    /// The interval for `count` of so many values. Those of one trial may depend on each other: all of them count as one.
    pub(super) fn interval(&mut self, count: u64, values: u64) -> Option<Interval> {
        let (stopping, clusters) = (self.stopping, values.div_ceil(self.each));
        let known = self.known.entry((count, values));
        *known.or_insert_with(|| stopping.share_in(count as f64, values, clusters).interval)
    }
}
