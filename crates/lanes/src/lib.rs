//! Line-ups of text policies on lanes, as objects: the loops of all games on lanes are compiled here.
//!
//! This is a crate of its own so that it is compiled in parallel with the loops of the reference runner. Each of the
//! two crates is one codegen unit, because what a loop calls must be inlined, and takes half a minute to a minute on one
//! core.

use std::any::Any;
use std::sync::Arc;

use stopwise_engine::arms::Lineups;
use stopwise_engine::games::{self, EachGame, Playable};
use stopwise_engine::lanes::dispatch::InstructionSet;
use stopwise_engine::lanes::{LaneGame, LaneLineups};
use stopwise_engine::side_by_side::SideBySide;
use stopwise_policy::TextPolicy;

/// The line-ups of a game; their policies are shared.
pub type TextLineups<G> = Lineups<G, Arc<TextPolicy<G>>>;

/// Line-ups on lanes, or the reason, in words, why lanes cannot play them.
pub type Found = Result<Box<dyn SideBySide>, String>;

/// The [`TextLineups`] of any game on lanes, which are played with these instructions.
///
/// # Errors
///
/// The reason, in words, why lanes cannot play them; `game` is the game's name in it.
pub fn on_lanes(game: &str, lineups: &dyn Any, set: InstructionSet) -> Found {
    let mut search = Search { lineups, set, found: None };
    games::each(&mut search);
    search.found.unwrap_or_else(|| Err(format!("{game} has no lanes")))
}

struct Search<'s> {
    lineups: &'s dyn Any,
    set: InstructionSet,
    found: Option<Found>,
}

impl EachGame for Search<'_> {
    fn game<G: Playable>(&mut self, _: G) {}

    fn game_on_lanes<G: Playable + LaneGame>(&mut self, _: G) {
        if let Some(lineups) = self.lineups.downcast_ref::<TextLineups<G>>() {
            self.found = Some(of(lineups, self.set));
        }
    }
}

/// The line-ups of a game whose type is known.
fn of<G: Playable + LaneGame>(arm: &TextLineups<G>, set: InstructionSet) -> Found {
    if !set.plays_games_in_rust() {
        return Err("games in Rust have lanes for AVX2 and AVX-512".into());
    }
    if let Some(obstacle) = arm.game.obstacle() {
        return Err(obstacle);
    }
    let lineup = |lineup: &Vec<Arc<TextPolicy<G>>>| {
        lineup.iter().map(|policy| policy.on_lanes(&arm.game)).collect::<Result<Vec<_>, _>>()
    };
    let lineups = arm.lineups.iter().map(lineup).collect::<Result<_, _>>()?;
    Ok(Box::new(LaneLineups { game: arm.game, lineups }))
}
