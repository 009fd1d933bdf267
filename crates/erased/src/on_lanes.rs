//! Which of the fast runners plays a game.

use std::any::Any;

use stopwise_lanes::LaneArm;

use crate::{remembered, text_lanes};

/// Line-ups of any game on lanes: `game` is its name.
///
/// # Errors
///
/// The reason, in words, why lanes cannot play them.
pub(crate) fn on_lanes(game: &str, lineups: &dyn Any) -> Result<Box<dyn LaneArm>, String> {
    let found = text_lanes::of(lineups).or_else(|| remembered::of(lineups));
    found.unwrap_or_else(|| stopwise_lanes::on_lanes(game, lineups))
}
