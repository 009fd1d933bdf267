//! The game of `docs/adding-a-game.md`, in the places where it finds what it uses.

pub use stopwise_engine::{chance, game, options, vocabulary};

/// The folder of games.
pub mod games {
    use stopwise_engine::games::{Rules, RulesError, in_ranges};

    include!(concat!(env!("OUT_DIR"), "/two_dice.rs"));
}
