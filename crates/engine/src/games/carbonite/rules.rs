//! The options of `CarboniteDice`, and the two published rule texts as presets.

use serde::{Deserialize, Deserializer, Serialize};

use crate::games::{Rules, RulesError, in_ranges};
use crate::options::{Domain, RuleOption};

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

/// Every option, with what it takes.
pub(super) const OPTIONS: &[RuleOption] = &[
    RuleOption::new("turns", Domain::whole(1, 10), "turns of a full game"),
    RuleOption::new(
        "colours",
        Domain::whole(2, 5),
        "colours of the pyramids; the colour die has a face for each and the Atom",
    ),
    RuleOption::new("copies", Domain::supported(1, 2), "pieces of every type"),
    RuleOption::new("points.solid", Domain::supported(0, 1000), "points of a tree of one colour"),
    RuleOption::new("points.mixed", Domain::supported(0, 1000), "points of another tree"),
    RuleOption::new("points.single", Domain::supported(0, 1000), "points of a piece in no tree"),
    RuleOption::new("doubling", Domain::YesNo, "every colour with two solid trees doubles the Vault points"),
    RuleOption::new(
        "multiplier",
        Domain::Words(&["last_completed", "pips", "pips_minus_one", "none"]),
        "the factor on the Vault points: the completed turns | the pips of the markers | one less | one",
    ),
    RuleOption::new(
        "retribution",
        Domain::Words(&["all", "any", "none"]),
        "what a bomb-out must remove, or the game ends: a piece of every size shown | of one of them | nothing",
    ),
    RuleOption::new(
        "atom",
        Domain::Words(&["choice", "reroll", "bust"]),
        "what the Atom is: any colour not on the Counter | both dice again | the turn is lost",
    ),
    RuleOption::new(
        "vault_match",
        Domain::Words(&["forced_roll", "free", "no_match"]),
        "a match from the Vault: forces a roll | leaves the choice | is not possible",
    ),
];

impl Rules for Carbonite {
    fn with_options<'de, D: Deserializer<'de>>(&self, options: D) -> Result<Self, D::Error> {
        Self::deserialize(options)
    }

    fn validate(&self) -> Result<(), RulesError> {
        let numbers = [
            ("turns", self.turns.into()),
            ("colours", self.colours.into()),
            ("copies", self.copies.into()),
            ("points.solid", self.points.solid.into()),
            ("points.mixed", self.points.mixed.into()),
            ("points.single", self.points.single.into()),
        ];
        in_ranges(OPTIONS, &numbers)
    }
}
