//! Playing the legs of a race.

use std::ops::ControlFlow;

use stopwise_engine::arms::{Arm, run_arms};
use stopwise_engine::game::{Game, Policy};
use stopwise_engine::run::{Batch, Plan};

use super::race::Race;

/// The outcome of [`play_leg`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The leg was played and entered.
    Played,
    /// It was interrupted: the race stays at its last check point.
    Stopped,
    /// There was no leg: the race is over.
    Over,
}

/// Plays the next leg of a race on the threads of the current rayon pool. `progress` is called as by
/// [`run_arms`], with the sums of the first arm that still plays.
pub fn play_leg<G: Game, P: Policy<G>, L: AsRef<[P]> + Sync>(
    race: &mut Race,
    arms: &[Arm<'_, G, L>],
    metric: usize,
    seed: u64,
    progress: impl Fn(Batch) -> ControlFlow<()> + Sync,
) -> Step {
    let Some(leg) = race.leg() else { return Step::Over };
    let arms: Vec<_> = leg.arms.iter().map(|&arm| arms[arm]).collect();
    let whole = leg.trials.end - leg.trials.start;
    let products = run_arms(&arms, metric, &Plan { seed, trials: leg.trials }, progress);
    if products.trials < whole {
        return Step::Stopped;
    }
    race.enter(&products);
    Step::Played
}
