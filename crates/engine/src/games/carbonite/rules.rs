//! The options of `CarboniteDice`, and the two published rule texts as presets.

use crate::game::Info;
use serde::{Deserialize, Serialize};

use crate::games::{Limit, Rules, RulesError, in_range};

/// The rules: every option of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Carbonite {
    /// Turns of a full game, 1 to 10.
    pub turns: u8,
    /// Colours of the pyramids, 2 to 5. The colour die has a face for each, and the Atom.
    pub colours: u8,
    /// Copies of every piece type, 1 or 2.
    pub copies: u8,
    /// The points of trees and single pieces.
    pub points: Points,
    /// Whether every colour with two solid trees doubles the Vault points.
    pub doubling: bool,
    /// The factor on the Vault points.
    pub multiplier: Multiplier,
    /// What a bomb-out must be able to remove, or else the game ends.
    pub retribution: Retribution,
    /// What the Atom does.
    pub atom: Atom,
    /// What follows from a match from the Vault.
    pub vault_match: VaultMatch,
}

/// Vault points, each 0 to 1000.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Points {
    /// A tree of one colour.
    pub solid: u16,
    /// A tree of several colours.
    pub mixed: u16,
    /// A piece in no tree.
    pub single: u16,
}

/// The factor on the Vault points at the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Multiplier {
    /// The number of completed turns.
    LastCompleted,
    /// The pips of the markers: the turn in which the game ended, minus one if that turn could not be marked.
    Pips,
    /// The pips minus one, but at least 0.
    PipsMinusOne,
    /// One.
    None,
}

/// What a bomb-out must be able to remove, or else the game ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Retribution {
    /// A piece of every size shown.
    All,
    /// A piece of at least one size shown; all pieces that can be removed are.
    Any,
    /// Nothing; no piece is removed.
    None,
}

/// What the Atom on the colour die does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Atom {
    /// Stands for any colour that is not on the Counter.
    Choice,
    /// Both dice are rolled again.
    Reroll,
    /// The turn is lost: the Counter goes to the Bank.
    Bust,
}

/// What follows from a match from the Vault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum VaultMatch {
    /// The player must roll again.
    ForcedRoll,
    /// The player may stop as after any match.
    Free,
    /// Matches from the Vault are not allowed.
    NoMatch,
}

impl Carbonite {
    /// The later rule text, from the Looney Pyramids wiki.
    pub const WIKI: Self = Self {
        turns: 10,
        colours: 5,
        copies: 2,
        points: Points { solid: 7, mixed: 5, single: 1 },
        doubling: true,
        multiplier: Multiplier::LastCompleted,
        retribution: Retribution::All,
        atom: Atom::Choice,
        vault_match: VaultMatch::ForcedRoll,
    };

    /// The first rule text, from the author's repository.
    pub const README_V1: Self = Self { doubling: false, multiplier: Multiplier::Pips, ..Self::WIKI };
}

impl Rules for Carbonite {
    const INFO: &'static Info = super::INFO;

    fn validate(&self) -> Result<(), RulesError> {
        in_range("turns", self.turns.into(), 1, 10, Limit::Game)?;
        in_range("colours", self.colours.into(), 2, 5, Limit::Game)?;
        in_range("copies", self.copies.into(), 1, 2, Limit::Program)?;
        in_range("points.solid", self.points.solid.into(), 0, 1000, Limit::Program)?;
        in_range("points.mixed", self.points.mixed.into(), 0, 1000, Limit::Program)?;
        in_range("points.single", self.points.single.into(), 0, 1000, Limit::Program)
    }
}
