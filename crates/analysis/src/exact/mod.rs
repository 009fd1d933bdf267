//! Exact values: a walk that tries every action and enumerates every chance event.
//!
//! It mirrors a trial: where a trial asks a policy, the walk takes the best action; where a trial samples the dice, it
//! averages over the outcomes. Evaluating a policy is the same walk with one action to try.

mod ahead;
mod bounds;
mod by_fold;
mod by_stage;
mod components;
mod discover;
mod distribution;
mod end_components;
mod error;
mod evaluate;
mod folds;
mod formulas;
mod in_turns;
mod interval_iteration;
mod limits;
mod listed;
mod losses;
mod parts;
mod situations;
mod size_bound;
mod solve;
mod stage;
mod turn;
mod turn_by_turn;
mod turns;
mod walk;

pub use distribution::{Distribution, distribution};
pub use error::{ExactError, Limit, Size};
pub use in_turns::{LossesInTurns, losses_in_turns};
pub use limits::{Limits, Progress};
pub use listed::{Decided, Listed, each_listed};
pub use losses::{Answered, Loss, Losses, best_answers, losses, losses_against_best};
pub use situations::{MOST_FEATURES, Situations, Times, situations};
pub use solve::{Solution, has_one_value, solve, solve_between_turns};
pub use turn_by_turn::{ByTurns, by_turns};
pub use turns::{Turns, best_turns};

pub use stopwise_engine::kept::KNOWN;
pub use stopwise_engine::look_ahead::Objective;
pub use stopwise_engine::part::Part;
