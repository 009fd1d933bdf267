//! The stopping rule of a simulation, applied at every check point.

use stopwise_analysis::paired::{Ended, SAME_AFTER, check_points};
use stopwise_analysis::seats::{by_policy, by_seat};
use stopwise_engine::game::Metric;
use stopwise_engine::run::Plan;
use stopwise_engine::tally::{Histogram, Tally};
use stopwise_erased::AnyArm;
use stopwise_reports::simulate::stop::{Stop as Told, whole};

use super::ending::{ALL_ALIKE, Ending};
use crate::failure::Failure;

/// The stopping rule of a simulation, with the bounds of the metrics that it needs.
#[derive(Debug)]
pub(super) struct End {
    pub(super) ending: Ending,
    /// The least and greatest possible value of every metric, where they are known.
    bounds: Vec<Option<(f64, f64)>>,
    /// What the whole counts, if the metric that is looked at is a share.
    whole: Option<u32>,
    /// The number of line-ups that take turns.
    rotations: u64,
}

impl End {
    pub(super) fn new(ending: Ending, arm: &dyn AnyArm, metrics: &[Metric]) -> Self {
        let bounds: Vec<_> = (0..metrics.len()).map(|metric| arm.bounds(metric)).collect();
        let whole = whole(&ending.about, bounds.get(ending.metric).copied().flatten());
        Self { ending, bounds, whole, rotations: arm.lineups() as u64 }
    }

    /// Plays the trials of a plan from check point to check point, until enough is known or `play`, which plays a part of a
    /// plan with a tally for each line-up, plays less than its part. `lineup` is the number of every seat's policy.
    ///
    /// Where it stops is a function of the plan, the policies and the rule, unless `play` breaks off.
    pub(super) fn play(
        &self,
        plan: &Plan,
        lineup: &[usize],
        mut play: impl FnMut(&Plan) -> Result<Vec<Tally>, Failure>,
    ) -> Result<(Vec<Tally>, Ended), Failure> {
        let all = plan.trials.end;
        if self.ending.is_fixed() {
            let tallies = play(plan)?;
            let is_whole = trials(&tallies) == self.ending.most;
            return Ok((tallies, if is_whole { Ended::AllPlayed } else { Ended::BrokenOff }));
        }
        let mut whole: Vec<Tally> = Vec::new();
        for look in check_points(all) {
            // Sequences over rotations hold after whole rounds.
            let look = look.next_multiple_of(self.rotations).min(all);
            let first = trials(&whole);
            if look > first {
                let tallies = play(&Plan { seed: plan.seed, trials: first..look })?;
                if whole.is_empty() {
                    whole = tallies;
                } else {
                    whole.iter_mut().zip(&tallies).for_each(|(whole, tally)| whole.merge(tally));
                }
            }
            if trials(&whole) < look {
                return Ok((whole, Ended::BrokenOff));
            }
            // The end of a run that repeats one that was broken off is no check point.
            if (look < all || all == self.ending.most) && self.is_enough(&whole, lineup) {
                return Ok((whole, Ended::Enough));
            }
        }
        Ok((whole, if all == self.ending.most { Ended::AllPlayed } else { Ended::BrokenOff }))
    }

    /// Whether the interval of every mean, by seat or by rotated policy, is narrow enough; of a length, that of the game.
    fn is_enough(&self, rotations: &[Tally], lineup: &[usize]) -> bool {
        let Some(width) = self.ending.width() else { return false };
        let is_narrow = |histogram: &Histogram, trials| {
            // Values that are all alike say nothing about how far others may be off.
            if self.whole.is_none() && !varies(histogram) && trials < SAME_AFTER {
                return false;
            }
            let mean = self.ending.stopping.mean(histogram, trials, self.whole);
            mean.and_then(|mean| mean.interval).is_some_and(|found| found.high - found.low <= width)
        };
        let metric = self.ending.metric;
        if metric >= self.bounds.len() {
            let whole = Tally::whole(rotations);
            return is_narrow(&whole.lengths, whole.trials);
        }
        let standings = match rotations {
            [only] => by_seat(only, lineup),
            _ => {
                by_policy(rotations, lineup).into_iter().filter(|standing| standing.seat.is_none()).collect()
            }
        };
        standings.iter().all(|standing| is_narrow(&standing.tally.metrics[metric], standing.trials))
    }

    /// The rule and its outcome after these trials, for the report.
    pub(super) fn told(&self, ended: Ended, tally: &Tally) -> Told {
        let is_open = !self.ending.is_fixed();
        let metric = self.ending.metric;
        let is_constant = self.whole.is_none()
            && match metric < self.bounds.len() {
                true => tally.seats.iter().any(|seat| !varies(&seat.metrics[metric])),
                false => !varies(&tally.lengths),
            };
        let otherwise = if is_constant { ALL_ALIKE } else { "" };
        let told = is_open.then(|| self.ending.told(ended, tally.trials, "the mean of ", otherwise));
        Told { stopping: self.ending.stopping, bounds: self.bounds.clone(), told }
    }
}

fn varies(values: &Histogram) -> bool {
    values.iter().nth(1).is_some()
}

fn trials(tallies: &[Tally]) -> u64 {
    tallies.iter().map(|tally| tally.trials).sum()
}
