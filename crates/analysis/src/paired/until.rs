//! Paired comparisons with a stopping rule.

use stopwise_engine::paired::{PairedArm, PairedTally, run_paired};
use stopwise_engine::run::{Plan, Watcher};

use super::{Means, Rule, Stopping, check_points, is_same};
use crate::sequential::Design;

/// The default α of anytime-valid intervals.
pub const ALPHA: f64 = 0.05;
/// The default number of trials at which anytime-valid intervals are narrowest.
pub const TARGET: u64 = 100_000;

/// Why a comparison ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// Its rule was met.
    Enough,
    /// All trials of the plan were played.
    AllPlayed,
    /// The callback stopped it.
    BrokenOff,
}

/// The result of a comparison.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// The tally of all trials.
    pub tally: PairedTally,
    /// The mean differences, with their intervals.
    pub means: Means,
    /// Why it ended.
    pub ended: Ended,
}

/// Plays the trials of a plan with every arm and compares pairs, as [`run_paired`] does. Unless the number of trials is
/// fixed, it stops at the first check point at which every pair meets the rule.
///
/// The result is a function of the arms, the pairs, the plan, the rule and the design, unless `progress` interrupts it;
/// then it is the result of a first part of the trials. Interrupted runs get anytime-valid intervals, even if the
/// number of trials was to be fixed.
///
/// # Panics
///
/// If there are no arms.
pub fn compare(
    arms: &[&dyn PairedArm],
    pairs: &[(usize, usize)],
    plan: &Plan,
    partings: usize,
    (rule, stopping): (&Rule, Stopping),
    progress: &Watcher<'_>,
) -> Comparison {
    let mut means = Means::new(arms[0], pairs.len(), stopping);
    let mut tally = PairedTally::new(arms, pairs, partings);
    let all = plan.trials.end.saturating_sub(plan.trials.start);
    let mut looks: Box<dyn Iterator<Item = u64>> = match stopping {
        Stopping::Fixed => Box::new(std::iter::once(all)),
        Stopping::Anytime(_) => Box::new(check_points(all)),
    };
    let ended = loop {
        let Some(look) = looks.next() else { break Ended::AllPlayed };
        let start = plan.trials.start;
        let trials = start + tally.trials()..start + look;
        let batch = run_paired(arms, pairs, &Plan { seed: plan.seed, trials }, partings, progress);
        means.enter(&batch);
        tally.merge(&batch);
        if tally.trials() < look {
            break Ended::BrokenOff;
        }
        let is_met =
            |pair| rule.is_met(is_same(&tally.pairs[pair]), means.interval(&tally, pair, rule.metric));
        if stopping != Stopping::Fixed && look < all && (0..pairs.len()).all(is_met) {
            break Ended::Enough;
        }
    };
    let comparison = Comparison { tally, means, ended };
    if ended == Ended::BrokenOff { comparison.broken_off(arms[0]) } else { comparison }
}

impl Comparison {
    /// The same trials as the first ones of a longer plan that was interrupted after them, which says what an interrupted
    /// run says: whoever stopped it may have done so for what there was to see, so that fixed-n intervals would not hold.
    /// `arm` is any of the arms.
    pub fn broken_off(mut self, arm: &dyn PairedArm) -> Self {
        self.ended = Ended::BrokenOff;
        if self.means.stopping() == Stopping::Fixed {
            let stopping = Stopping::Anytime(Design::new(ALPHA, TARGET));
            self.means = Means::new(arm, self.tally.pairs.len(), stopping);
            self.means.enter(&self.tally);
        }
        self
    }
}
