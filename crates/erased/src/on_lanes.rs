//! Which of the fast runners plays a game.

use std::any::Any;

use stopwise_engine::lanes::dispatch::InstructionSet;
use stopwise_engine::side_by_side::SideBySide;

use crate::{remembered, text_lanes};

/// Line-ups on lanes, or the reason, in words, why lanes cannot play them.
pub(crate) type Found = Result<Box<dyn SideBySide>, String>;

/// Line-ups of any game on lanes: `game` is its name.
///
/// # Errors
///
/// The reason, in words, why lanes cannot play them.
pub(crate) fn on_lanes(game: &str, lineups: &dyn Any, set: InstructionSet) -> Found {
    let found = text_lanes::of(lineups).or_else(|| remembered::of(lineups));
    found.unwrap_or_else(|| stopwise_lanes::on_lanes(game, lineups, set))
}
