//! The options of `IceDice`.

use serde::{Deserialize, Deserializer, Serialize};

use crate::games::{Rules, RulesError, in_ranges};
use crate::options::{Domain, RuleOption};

/// The rules: every option of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IceDice {
    /// Seats, 2 to 4.
    pub players: u8,
    /// Copies of every piece type.
    pub copies: Copies,
    /// Solid trios in the Vault needed to win, 1 to five times the copies.
    pub trios: u8,
    /// The effect of a roll that leaves nothing to choose.
    pub no_choice: NoChoice,
    /// Turns of all players together after which a game without a winner ends, 1 to 60000.
    pub turn_cap: u16,
}

/// The number of copies of every piece type; in text a number, or the word `players`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "CopiesText", into = "CopiesText")]
pub enum Copies {
    /// One per player: a full set of trios for each.
    Players,
    /// This number, 1 to 4.
    Number(u8),
}

#[derive(Serialize, Deserialize)]
#[serde(untagged, expecting = "copies is a number from 1 to 4, or \"players\"")]
enum CopiesText {
    Number(u8),
    Bitboard(String),
}

impl TryFrom<CopiesText> for Copies {
    type Error = String;

    fn try_from(text: CopiesText) -> Result<Self, String> {
        match text {
            CopiesText::Number(number) => Ok(Self::Number(number)),
            CopiesText::Bitboard(word) if word == "players" => Ok(Self::Players),
            CopiesText::Bitboard(word) => {
                Err(format!("`{word}` is no number of copies; write a number from 1 to 4, or \"players\""))
            }
        }
    }
}

impl From<Copies> for CopiesText {
    fn from(copies: Copies) -> Self {
        match copies {
            Copies::Players => Self::Bitboard("players".into()),
            Copies::Number(number) => Self::Number(number),
        }
    }
}

/// The effect of a roll that is no bust but leaves nothing to choose.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NoChoice {
    /// None: the player stops or rolls again.
    Skip,
    /// The roll is a bust.
    Bust,
    /// Both dice are rolled again.
    Reroll,
}

impl IceDice {
    /// Two players, two copies of every piece type, three trios.
    pub const TWO: Self =
        Self { players: 2, copies: Copies::Players, trios: 3, no_choice: NoChoice::Skip, turn_cap: 2000 };

    /// Three players, three copies of every piece type.
    pub const THREE: Self = Self { players: 3, ..Self::TWO };

    /// Four players, four copies of every piece type.
    pub const FOUR: Self = Self { players: 4, ..Self::TWO };

    /// The number of copies of every piece type.
    #[inline(always)]
    pub fn copies(&self) -> u8 {
        match self.copies {
            Copies::Players => self.players,
            Copies::Number(number) => number,
        }
    }
}

/// Every option, with what it takes.
pub(super) const OPTIONS: &[RuleOption] = &[
    RuleOption::new("players", Domain::whole(2, 4), "players"),
    RuleOption::new(
        "copies",
        Domain::Either(&[Domain::Words(&["players"]), Domain::whole(1, 4)]),
        "pieces of every type: as many as players, or a number",
    ),
    RuleOption::new("trios", Domain::whole(1, 20), "solid trios that win; at most five times the copies"),
    RuleOption::new(
        "no_choice",
        Domain::Words(&["skip", "bust", "reroll"]),
        "a roll that leaves nothing to choose: nothing happens | is a bust | is rolled again",
    ),
    RuleOption::new(
        "turn_cap",
        Domain::supported(1, 60_000),
        "turns of all players together, after which a game without a winner ends",
    ),
];

impl Rules for IceDice {
    fn with_options<'de, D: Deserializer<'de>>(&self, options: D) -> Result<Self, D::Error> {
        Self::deserialize(options)
    }

    fn validate(&self) -> Result<(), RulesError> {
        let numbers = [
            ("players", self.players.into()),
            ("copies", self.copies().into()),
            ("turn_cap", self.turn_cap.into()),
        ];
        in_ranges(OPTIONS, &numbers)?;
        let most = 5 * self.copies();
        if (1..=most).contains(&self.trios) {
            return Ok(());
        }
        let message = format!(
            "{} trios cannot be made of {} of every piece type; write a number from 1 to {most}",
            self.trios,
            self.copies(),
        );
        Err(RulesError { option: "trios", message })
    }
}
