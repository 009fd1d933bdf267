//! The columns with which nearly every table begins.

use std::sync::Arc;

use stopwise_document::Sheet;

use super::words::{GAME, RULES};

/// A row that begins with a game and its rules.
pub(crate) trait Leading {
    /// The game.
    fn game(&self) -> Arc<str>;
    /// The name of the rules, with what was changed.
    fn rules(&self) -> Arc<str>;
}

/// A table that begins with the columns `game` and `rules`.
pub(crate) fn sheet<R: Leading>(file: &'static str) -> Sheet<R> {
    let of_game = Sheet::new(file).column("game", "", GAME, |r: &R| r.game());
    of_game.column("rules", "", RULES, |r| r.rules())
}
