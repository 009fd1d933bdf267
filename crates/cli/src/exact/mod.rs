//! Exact values, shared by commands: solving with progress, and messages for games that cannot be solved.

mod refusal;
mod walking;

use stopwise_analysis::exact::{ExactError, Limits};
use stopwise_erased::{AnyBestPlay, AnyRules};

pub(crate) use refusal::{INTERRUPTED, failure, instead, is_valued_by_turns, why};
pub(crate) use walking::Walking;

/// Best play, by a walk or, if there are too many positions, turn by turn.
pub(crate) fn best_play(
    rules: &dyn AnyRules,
    metric: usize,
    limits: Limits<'_>,
) -> Result<Box<dyn AnyBestPlay>, ExactError> {
    match rules.best_play(metric, limits) {
        Err(error @ ExactError::TooLarge { .. }) => by_turns(rules, metric, limits, error),
        found => found,
    }
}

/// Best play turn by turn, of a game that is too large for a walk.
pub(crate) fn by_turns(
    rules: &dyn AnyRules,
    metric: usize,
    limits: Limits<'_>,
    error: ExactError,
) -> Result<Box<dyn AnyBestPlay>, ExactError> {
    match rules.best_by_turns(metric, limits) {
        Ok(Some(best)) => Ok(best),
        Ok(None) | Err(ExactError::TooLarge { .. }) => Err(error),
        Err(other) => Err(other),
    }
}
