//! Playing the legs of a race.

use stopwise_engine::arms::{MetricArm, run_arms};
use stopwise_engine::run::{Plan, Watcher};

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
pub fn play_leg(
    race: &mut Race,
    arms: &[&dyn MetricArm],
    metric: usize,
    seed: u64,
    progress: &Watcher<'_>,
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
