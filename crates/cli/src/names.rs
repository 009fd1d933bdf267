//! Names of games, as they are typed.

use std::convert::Infallible;

use stopwise_policy::shipped;

/// The game that is meant, by its own name. A text that means no game stays as it is, to be refused where it is looked up.
pub(crate) fn game_name(typed: &str) -> Result<String, Infallible> {
    Ok(meant(typed).to_owned())
}

/// The game that is meant.
pub(crate) fn meant(typed: &str) -> &str {
    shipped::meant_game(typed).unwrap_or(typed)
}
