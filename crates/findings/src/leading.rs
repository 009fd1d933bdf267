//! The columns with which nearly every table begins.

use stopwise_report::{Cell, Column, column};

use super::words::{GAME, RULES};

/// A row that begins with a game and its rules.
pub(crate) trait Leading {
    /// The game.
    fn game(&self) -> Cell;
    /// The name of the rules, with what was changed.
    fn rules(&self) -> Cell;
}

/// The column `game`.
pub(crate) fn game<R>(of: fn(&R) -> Cell) -> Column<R> {
    column("game", "", GAME, of)
}

/// The column `rules`.
pub(crate) fn rules<R>(of: fn(&R) -> Cell) -> Column<R> {
    column("rules", "", RULES, of)
}

/// The columns `game` and `rules`, and after them those of the table itself.
pub(crate) fn after_game_and_rules<R: Leading>(own: Vec<Column<R>>) -> Vec<Column<R>> {
    let mut columns = vec![game(R::game), rules(R::rules)];
    columns.extend(own);
    columns
}
