//! The games, in one folder each, and what games share: pyramids and predicates.

use std::fmt;

use serde::{Deserializer, Serialize};

use crate::game::Game;
use crate::lanes::LaneGame;
use crate::options::RuleOption;
use crate::vocabulary::{Prose, Vocabulary};

/// The registry: declares each game's folder and passes its rules to [`EachGame`].
macro_rules! games {
    (@visit $each:ident, $first:expr) => { $each.game($first) };
    (@visit $each:ident, $first:expr, lanes) => { $each.game_on_lanes($first) };
    ($($folder:ident::$Game:ident::$first:ident $(on $lanes:ident)?;)*) => {
        $(pub mod $folder;)*

        /// Calls `each` with the rules of every game's first preset, in the order of the list.
        pub fn each(each: &mut impl EachGame) {
            $(games!(@visit each, $folder::$Game::$first $(, $lanes)?);)*
        }
    };
}

games! {
    carbonite::Carbonite::WIKI on lanes;
    icedice::IceDice::TWO on lanes;
    freeze::Freeze::PUBLISHED on lanes;
    carcassonne::Carcassonne::TWO;
    pig::Pig::STANDARD on lanes;
}

mod predicates;
pub mod pyramids;

/// A game that can be played by name: with features for policies, texts for people, and rules that can be read and
/// written.
pub trait Playable: Vocabulary + Prose + Rules {}
impl<G: Vocabulary + Prose + Rules> Playable for G {}

/// A generic call for every game's type.
pub trait EachGame {
    /// Called for a game, with the rules of its first preset.
    fn game<G: Playable>(&mut self, first: G);
    /// Called for a game that can be played on lanes.
    fn game_on_lanes<G: Playable + LaneGame>(&mut self, first: G);
}

/// An error in the rules: which option is wrong, and what to write instead.
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

/// `Ok` if the options take these whole numbers, otherwise an error that names the first that is out of its range.
///
/// # Errors
///
/// The first option that is out of its range.
pub fn in_ranges(options: &[RuleOption], values: &[(&'static str, u32)]) -> Result<(), RulesError> {
    for &(name, value) in values {
        let option = options.iter().find(|option| option.name == name);
        if let Some(range) = option.and_then(|option| option.domain.range()) {
            range.check(value.into()).map_err(|message| RulesError { option: name, message })?;
        }
    }
    Ok(())
}

/// Rules as text: every option of a game can be read and written under its name.
pub trait Rules: Game + PartialEq + Serialize {
    /// The same game with these options, a map of all of them.
    ///
    /// # Errors
    ///
    /// If one of them is not there, or is not what the game can read.
    fn with_options<'de, D: Deserializer<'de>>(&self, options: D) -> Result<Self, D::Error>;

    /// Checks that every option is in its range, and that they fit together.
    ///
    /// # Errors
    ///
    /// Names the first option that is out of range.
    fn validate(&self) -> Result<(), RulesError>;
}
