//! Paired comparisons with a stopping rule.

use stopwise_engine::arms::Arm;
use stopwise_engine::paired::PairedTally;
use stopwise_engine::run::Plan;

use super::{Means, Rule, Stopping, check_points};
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

/// Compares pairs over the trials of a plan, which `play` plays as [`run_paired`](stopwise_engine::paired::run_paired)
/// does. Unless the number of trials is fixed, it stops at the first check point at which every pair meets the rule.
///
/// `pairs` is the number of pairs, and `arms` are all arms.
///
/// The result is a function of the arms, the pairs, the plan, the rule and the design, unless `play` plays fewer trials
/// than requested; then it is the result of the first part of the trials. Interrupted runs get anytime-valid intervals,
/// even if the number of trials was to be fixed.
///
/// # Errors
///
/// Those of `play`.
pub fn compare<E>(
    arms: &[&dyn Arm],
    pairs: usize,
    plan: &Plan,
    (rule, stopping): (&Rule, Stopping),
    play: &mut dyn FnMut(&Plan) -> Result<PairedTally, E>,
) -> Result<Comparison, E> {
    let mut means = Means::new(arms, pairs, stopping);
    let all = plan.trials.end.saturating_sub(plan.trials.start);
    let mut looks: Box<dyn Iterator<Item = u64>> = match stopping {
        Stopping::Fixed => Box::new(std::iter::once(all)),
        Stopping::Anytime(_) => Box::new(check_points(all)),
    };
    let start = plan.trials.start;
    let mut leg = |trials| play(&Plan { seed: plan.seed, trials });
    let mut look = looks.next().unwrap_or(all);
    let mut tally = leg(start..start + look)?;
    means.enter(&tally);
    let ended = loop {
        if tally.trials() < look {
            break Ended::BrokenOff;
        }
        let is_met = |pair| means.meets(&tally, pair, rule);
        if stopping != Stopping::Fixed && look < all && (0..pairs).all(is_met) {
            break Ended::Enough;
        }
        let Some(next) = looks.next() else { break Ended::AllPlayed };
        let batch = leg(start + look..start + next)?;
        means.enter(&batch);
        tally.merge(&batch);
        look = next;
    };
    let comparison = Comparison { tally, means, ended };
    Ok(if ended == Ended::BrokenOff { comparison.broken_off(arms) } else { comparison })
}

impl Comparison {
    /// Whether every pair meets a rule after all of the trials.
    pub fn meets(&self, rule: &Rule) -> bool {
        let Self { tally, means, .. } = self;
        (0..tally.pairs.len()).all(|pair| means.meets(tally, pair, rule))
    }

    /// The result for the first trials of a longer plan that was interrupted after them. It has the intervals of an
    /// interrupted run: the interruption may have depended on the results, so fixed-n intervals would not be valid.
    /// `arms` are all arms.
    pub fn broken_off(mut self, arms: &[&dyn Arm]) -> Self {
        self.ended = Ended::BrokenOff;
        if self.means.stopping() == Stopping::Fixed {
            let stopping = Stopping::Anytime(Design::new(ALPHA, TARGET));
            self.means = Means::new(arms, self.tally.pairs.len(), stopping);
            self.means.enter(&self.tally);
        }
        self
    }
}
