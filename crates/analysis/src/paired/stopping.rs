//! Stopping: a fixed number of trials, or stopping during the run, with the intervals that each needs.

use rayon::prelude::*;
use stopwise_engine::arms::Arm;
use stopwise_engine::paired::{PairTally, PairedTally};

use super::{MeanDifference, difference_of_shares};
use crate::estimate::{Estimate, Interval, Level, Method};
use crate::mean::scale;
use crate::sequential::{Bounded, Design, Sums, guarded};

/// The number of pairs up to which one thread adds them all.
const FEW: usize = 1024;

/// Trials before the first interval of an asymptotic sequence.
pub const BURN_IN: u64 = 1_000;

/// How the number of trials is decided.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Stopping {
    /// Before the first trial. Intervals are 95 % intervals for that number of trials.
    #[default]
    Fixed,
    /// During the run, by its results or by the clock. Intervals are confidence sequences, valid at all check points
    /// simultaneously.
    Anytime(Design),
}

/// The mean differences of all pairs, added batch by batch.
#[derive(Clone, Debug)]
pub struct Means {
    stopping: Stopping,
    /// The metrics that are 0 or 1.
    shares: Vec<usize>,
    /// For every pair, the differences of these metrics, which have a known range.
    bounded: Vec<Bounded>,
    /// The values of every arm, metric by metric.
    arms: Vec<Vec<Sums>>,
}

impl Means {
    /// Means of this number of pairs of these arms, without trials. All have the same metrics.
    pub fn new(arms: &[&dyn Arm], pairs: usize, stopping: Stopping) -> Self {
        let metrics = arms.first().map_or(0, |arm| arm.tally().seats[0].metrics.len());
        // Rules may bound a metric more narrowly than others do.
        let is_share = |&metric: &usize| arms.iter().all(|arm| arm.bounds(metric) == Some((0.0, 1.0)));
        let shares: Vec<_> = (0..metrics).filter(is_share).collect();
        let bounded = vec![Bounded::new(Interval { low: -1.0, high: 1.0 }); pairs * shares.len()];
        Self { stopping, shares, bounded, arms: Vec::new() }
    }

    /// Adds the next trials.
    pub fn enter(&mut self, batch: &PairedTally) {
        let Self { shares, bounded, arms, .. } = self;
        arms.resize_with(batch.arms.len(), Vec::new);
        for (sums, arm) in arms.iter_mut().zip(&batch.arms) {
            for (seat, tally) in arm.rotations.iter().enumerate() {
                sums.resize(tally.seats[seat].metrics.len(), Sums::default());
                let metrics = sums.iter_mut().zip(&tally.seats[seat].metrics);
                metrics.for_each(|(sums, values)| sums.merge(&Sums::from(values)));
            }
        }
        let of_pairs = bounded.par_chunks_mut(shares.len().max(1)).zip(&batch.pairs).with_min_len(FEW);
        of_pairs.for_each(|(bounded, pair)| {
            for (bounded, &metric) in bounded.iter_mut().zip(&*shares) {
                bounded.add(&Sums::from(&pair.metrics[metric]));
            }
        });
    }

    /// The differences of a pair in a metric that is 0 or 1; `None` for another metric.
    fn bounded(&self, pair: usize, metric: usize) -> Option<&Bounded> {
        let at = self.shares.iter().position(|&share| share == metric)?;
        self.bounded.get(pair * self.shares.len() + at)
    }

    /// Whether a metric is 0 or 1.
    pub fn is_share(&self, metric: usize) -> bool {
        self.shares.contains(&metric)
    }

    /// How the number of trials is decided.
    pub fn stopping(&self) -> Stopping {
        self.stopping
    }

    /// The mean difference of a pair; `None` without trials. Its interval is `None` until the data bound it. `whole` is
    /// the tally of all trials added.
    pub fn estimate(&self, whole: &PairedTally, pair: usize, metric: usize) -> Option<Estimate> {
        let differences = &whole.pairs[pair].metrics[metric];
        let mean = self.mean(whole, pair, metric)?;
        Some(match (self.stopping, self.bounded(pair, metric)) {
            (Stopping::Fixed, None) => mean.fixed(Level::SINGLE),
            (Stopping::Fixed, Some(_)) => difference_of_shares(differences, Level::SINGLE)?,
            (Stopping::Anytime(design), bounded) => {
                let interval = match bounded {
                    Some(bounded) => Some(bounded.interval(design)),
                    None => guarded(&Sums::from(differences), scale(mean.spread), BURN_IN, design).bounded(),
                };
                Estimate { value: mean.value, interval, method: self.method(metric), level: design.level() }
            }
        })
    }

    /// The mean difference of a pair and what its interval needs; `None` without trials.
    pub fn mean(&self, whole: &PairedTally, pair: usize, metric: usize) -> Option<MeanDifference> {
        let PairTally { a, b, ref metrics, .. } = whole.pairs[pair];
        let std_dev = |arm: usize| Some(self.arms.get(arm)?[metric].moments()?.1);
        let most = [a, b].into_iter().filter_map(std_dev).fold(0.0, f64::max);
        MeanDifference::of(&metrics[metric], most)
    }

    /// The interval of [`Means::estimate`].
    pub fn interval(&self, whole: &PairedTally, pair: usize, metric: usize) -> Option<Interval> {
        self.estimate(whole, pair, metric)?.interval
    }

    /// Whether the values of a pair say how far others may be off: they have a known range, or are not all alike.
    pub fn varies(&self, whole: &PairedTally, pair: usize, metric: usize) -> bool {
        self.is_share(metric) || self.mean(whole, pair, metric).is_some_and(|mean| mean.spread > 0.0)
    }

    /// Whether a pair meets a rule. Values that are all alike say nothing about how far others may be off, so that their
    /// intervals count only from [`SAME_AFTER`] trials on.
    pub fn meets(&self, whole: &PairedTally, pair: usize, rule: &Rule) -> bool {
        let is_told = self.varies(whole, pair, rule.metric) || whole.trials() >= SAME_AFTER;
        let interval = is_told.then(|| self.interval(whole, pair, rule.metric)).flatten();
        rule.is_met(is_same(&whole.pairs[pair]), interval)
    }

    /// The method of the intervals of a metric.
    pub fn method(&self, metric: usize) -> Method {
        match self.stopping {
            Stopping::Fixed if self.is_share(metric) => Method::PairedShares,
            Stopping::Fixed => Method::Paired,
            Stopping::Anytime(_) if self.is_share(metric) => Method::AnytimePairedBounded,
            Stopping::Anytime(_) => Method::AnytimePaired,
        }
    }
}

/// A stopping rule: when a comparison has enough trials.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rule {
    /// The metric that decides.
    pub metric: usize,
    /// Stop once every interval is no wider than this.
    pub width: Option<f64>,
    /// Stop once every pair is known to differ, or to differ by no more than this.
    pub decided: Option<f64>,
}

/// The number of trials after which what never differed needs no more: two arms that always played the same game, or values
/// that were all alike.
pub const SAME_AFTER: u64 = 1_000_000;

/// Whether two arms played the same game in all of at least [`SAME_AFTER`] trials: under different rules, equal answers with
/// equal results.
pub fn is_same(pair: &PairTally) -> bool {
    let has_equal_ends = pair.early[0][1] + pair.early[1][0] == 0;
    let are_equal = pair.metrics.iter().all(|metric| metric.equal() == pair.trials);
    pair.identical == pair.trials && has_equal_ends && are_equal && pair.trials >= SAME_AFTER
}

impl Rule {
    /// Whether a pair meets the rule, given whether it always played the same game, and its interval.
    pub fn is_met(&self, is_same: bool, interval: Option<Interval>) -> bool {
        if self.width.is_none() && self.decided.is_none() {
            return false;
        }
        if is_same {
            return true;
        }
        let Some(Interval { low, high }) = interval else { return false };
        let is_narrow = |width| high - low <= width;
        let is_decided = |delta: f64| low > 0.0 || high < 0.0 || (low >= -delta && high <= delta);
        self.width.is_none_or(is_narrow) && self.decided.is_none_or(is_decided)
    }
}

/// The numbers of trials at which a run may stop, up to `most`: the first is [`BURN_IN`], each further one an eighth
/// more, in whole thousands. They depend on nothing else, so that where a run stops is a function of its plan.
pub fn check_points(most: u64) -> impl Iterator<Item = u64> {
    let next = |&at: &u64| Some(at.saturating_add((at / 8).next_multiple_of(BURN_IN).max(BURN_IN)));
    let before = std::iter::successors(Some(BURN_IN), next).take_while(move |&at| at < most);
    before.chain(std::iter::once(most))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn check_points_end_at_the_most() {
        assert_eq!(check_points(3_500).collect::<Vec<_>>(), [1_000, 2_000, 3_000, 3_500]);
        assert_eq!(check_points(10).collect::<Vec<_>>(), [10]);
        assert_eq!(check_points(2_000).collect::<Vec<_>>(), [1_000, 2_000]);
        let many: Vec<_> = check_points(100_000_000).collect();
        assert!(many.is_sorted_by(|a, b| a < b) && many.len() < 120 && many.last() == Some(&100_000_000));
        assert!(check_points(u64::MAX).count() < 400);
    }

    #[test]
    fn a_rule_is_met_by_what_it_asks_for() {
        let interval = |low, high| Some(Interval { low, high });
        let width = Rule { width: Some(1.0), ..Rule::default() };
        assert!(width.is_met(false, interval(-0.5, 0.5)) && !width.is_met(false, interval(2.0, 3.1)));
        let decided = Rule { decided: Some(0.1), ..Rule::default() };
        assert!(decided.is_met(false, interval(0.01, 9.0)) && decided.is_met(false, interval(-0.1, 0.1)));
        assert!(!decided.is_met(false, interval(-0.11, 0.1)) && !decided.is_met(false, None));
        let both = Rule { width: Some(1.0), ..decided };
        assert!(!both.is_met(false, interval(0.01, 9.0)) && both.is_met(false, interval(0.01, 1.0)));
        assert!(!Rule::default().is_met(false, interval(0.0, 0.0)), "nothing asked for");
        assert!(!Rule::default().is_met(true, None));
        assert!(decided.is_met(true, None), "they never play differently");
    }
}
