//! The games: one folder each.

use std::fmt;

use crate::lanes::LaneGame;
use crate::vocabulary::{Prose, Vocabulary};

/// The registry: declares each game's folder, and hands its type to [`EachGame`].
macro_rules! games {
    (@visit $each:ident, $Game:ty) => { $each.game::<$Game>() };
    (@visit $each:ident, $Game:ty, lanes) => { $each.game_on_lanes::<$Game>() };
    ($($folder:ident::$Game:ident $(on $lanes:ident)?;)*) => {
        $(pub mod $folder;)*

        /// Does something with the type of every game, in the order in which they are listed.
        pub fn each(each: &mut impl EachGame) {
            $(games!(@visit each, $folder::$Game $(, $lanes)?);)*
        }
    };
}

games! {
    carbonite::Carbonite on lanes;
    icedice::IceDice on lanes;
    freeze::Freeze;
    carcassonne::Carcassonne;
    pig::Pig on lanes;
}

mod predicates;

/// A game that can be played by name: with words for policies, prose for people, and rules as text.
pub trait Playable: Vocabulary + Prose + Rules {}
impl<G: Vocabulary + Prose + Rules> Playable for G {}

/// Something that is done with every game's type.
pub trait EachGame {
    /// Does it with a game.
    fn game<G: Playable>(&mut self);
    /// Does it with a game that lanes can play.
    fn game_on_lanes<G: Playable + LaneGame>(&mut self);
}

/// Rules that cannot be played: which option is wrong, and what to write instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RulesError {
    /// The option's name.
    pub option: &'static str,
    /// What is wrong with it and what is allowed.
    pub message: String,
}

impl fmt::Display for RulesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.option, self.message)
    }
}

impl std::error::Error for RulesError {}

/// Whose limit the range of an option is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Limit {
    /// There is no more of it in the game's box, or in its rules.
    Game,
    /// This program counts no further.
    Program,
}

/// `Ok` if `value` lies in `low..=high`, otherwise an error that names the option, and whose limit it is.
fn in_range(option: &'static str, value: u32, low: u32, high: u32, limit: Limit) -> Result<(), RulesError> {
    if (low..=high).contains(&value) {
        return Ok(());
    }
    let whose = match limit {
        Limit::Game => "the game",
        Limit::Program => "this program",
    };
    Err(RulesError {
        option,
        message: format!(
            "{value} is out of range; write a number from {low} to {high} (the limits of {whose})"
        ),
    })
}

/// Rules that can be written down and read back: every option of a game under its name.
pub trait Rules: crate::game::Game + serde::Serialize + serde::de::DeserializeOwned {
    /// Whether every option is in its range.
    ///
    /// # Errors
    ///
    /// Names the first option that is not.
    fn validate(&self) -> Result<(), RulesError>;
}
