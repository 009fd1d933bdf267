//! A game to begin with, one with one die, and a policy for it: what `games new` writes, and what the page begins one's own game
//! with.

const GAME: &str = include_str!("new.game");
const POLICY: &str = include_str!("new.toml");

/// The texts of a game with this name, and of its policy.
pub(crate) fn fresh(name: &str) -> [String; 2] {
    [named(GAME, "NAME", name), renamed(POLICY, "NAME", name)]
}

/// The text of a game, with another name.
pub(crate) fn named(text: &str, old: &str, name: &str) -> String {
    text.replacen(&format!("game {old}"), &format!("game {name}"), 1)
}

/// The text of a policy, for a game with another name.
pub(crate) fn renamed(text: &str, old: &str, name: &str) -> String {
    text.replacen(&format!("game = \"{old}\""), &format!("game = \"{name}\""), 1)
}
