//! The ways in which a trial ends.

/// A way a trial can end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ending {
    /// Column value in the reports.
    pub name: &'static str,
    /// Whether the game was cut short, not played to its regular end.
    pub early: bool,
    /// Whether it is a cap on turns that cut the game short, which no game for people has.
    pub cap: bool,
    /// Whether the rules could not go on, and say nothing about this game: see [`Game::fault`](crate::game::Game::fault).
    pub fault: bool,
    /// A description of this ending.
    pub meaning: &'static str,
}

impl Ending {
    /// A cap on the turns of all players.
    pub const CAPPED: Self =
        Self { cap: true, ..Self::early("capped", "the turn cap was reached without a winner") };

    /// The game is played to its regular end.
    pub const fn regular(name: &'static str, meaning: &'static str) -> Self {
        Self { name, early: false, cap: false, fault: false, meaning }
    }

    /// The game is cut short.
    pub const fn early(name: &'static str, meaning: &'static str) -> Self {
        Self { early: true, ..Self::regular(name, meaning) }
    }
}
