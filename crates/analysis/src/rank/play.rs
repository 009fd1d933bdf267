//! Playing the legs of a race.

use stopwise_engine::arms::Products;
use stopwise_engine::run::Plan;

use super::race::Race;

/// The outcome of [`play_leg`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LegOutcome {
    /// The leg was played and added.
    Played,
    /// The leg was interrupted: the race stays at its last check point.
    Stopped,
    /// There was no leg: the race is over.
    Over,
}

/// Plays a plan with the given arms, all on the same dice.
pub type Player<'p, E> = dyn FnMut(&[usize], &Plan) -> Result<Products, E> + 'p;

/// Plays the next leg of a race and adds it. `play` plays it with the given arms, as
/// [`run_arms`](stopwise_engine::arms::run_arms) does.
///
/// # Errors
///
/// Those of `play`.
pub fn play_leg<E>(race: &mut Race, seed: u64, play: &mut Player<'_, E>) -> Result<LegOutcome, E> {
    let Some(leg) = race.leg() else { return Ok(LegOutcome::Over) };
    let whole = leg.trials.end - leg.trials.start;
    let products = play(&leg.arms, &Plan { seed, trials: leg.trials })?;
    if products.trials < whole {
        return Ok(LegOutcome::Stopped);
    }
    race.enter(&products);
    Ok(LegOutcome::Played)
}
