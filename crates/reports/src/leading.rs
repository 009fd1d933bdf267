//! The columns with which nearly every table begins.

use stopwise_document::{Sheet, Value};

use super::words::{GAME, RULES};

/// A table that begins with the columns `game` and `rules`: the name of the rules, with what was changed.
pub(crate) fn sheet<R, G: Value, N: Value>(
    file: &'static str,
    game: impl Fn(&R) -> G + Send + Sync + 'static,
    rules: impl Fn(&R) -> N + Send + Sync + 'static,
) -> Sheet<R> {
    Sheet::new(file).column("game", "", GAME, game).column("rules", "", RULES, rules)
}
