//! A comparison that goes on until it has said enough.

use stopwise_engine::paired::{PairedArm, PairedTally, run_paired};
use stopwise_engine::run::{Plan, Watcher};

use super::{Means, Rule, Stopping, check_points, is_same};
use crate::sequential::Design;

/// How often an interval may be wrong, where nothing else was asked for.
pub const ALPHA: f64 = 0.05;
/// The number of trials at which intervals that hold at every moment are narrowest, where nothing else was asked for.
pub const TARGET: u64 = 100_000;

/// Why a comparison ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// Its rule was met.
    Enough,
    /// All trials were played that were allowed.
    AllPlayed,
    /// The call-back broke it off.
    BrokenOff,
}

/// What a comparison saw.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// Everything that was counted.
    pub tally: PairedTally,
    /// The mean differences, with their intervals.
    pub means: Means,
    /// Why it ended.
    pub ended: Ended,
}

/// Plays the trials of a plan with every arm and compares pairs, as [`run_paired`] does, and where trials are not fixed
/// beforehand stops at the first check point at which the rule is met for every pair.
///
/// The result is a function of the arms, the pairs, the plan, the rule and the design, unless `progress` breaks it
/// off; then it is that of exactly the first so many trials. That it stops when it likes to is what intervals that hold at
/// any time allow; a run that is broken off has them, too, even if its trials were to be fixed.
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
    if ended == Ended::BrokenOff && stopping == Stopping::Fixed {
        // Whoever broke it off may have done so for what there was to see.
        means = Means::new(arms[0], pairs.len(), Stopping::Anytime(Design::new(ALPHA, TARGET)));
        means.enter(&tally);
    }
    Comparison { tally, means, ended }
}
