//! Which of the fast runners plays a game.

use std::any::Any;

use stopwise_engine::lanes::dispatch::InstructionSet;
use stopwise_lanes::Found;

use crate::{remembered, text_lanes};

/// Line-ups of any game on lanes: `game` is its name.
///
/// # Errors
///
/// The reason, in words, why lanes cannot play them.
pub(crate) fn on_lanes(game: &str, lineups: &dyn Any, set: InstructionSet) -> Found {
    let found = text_lanes::of(lineups).or_else(|| remembered::of(lineups));
    found.unwrap_or_else(|| stopwise_lanes::on_lanes(game, lineups, set))
}
