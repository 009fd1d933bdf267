//! The options of Carcassonne: The Dice Game, and its presets.

use serde::{Deserialize, Deserializer, Serialize};

use super::cities::MOST_DICE;
use super::segments::Faces;
use crate::games::{Rules, RulesError, in_ranges};
use crate::options::{Domain, Limit, Range, RuleOption};

/// The smallest city that scores, in dice.
const SMALLEST: usize = 3;
/// The number of sizes of city that score.
const SIZES: usize = MOST_DICE - SMALLEST + 1;

/// The rules: every option of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Carcassonne {
    /// Seats, 1 to 5. With one seat, the player has a number of turns to score points, each with all dice.
    pub players: u8,
    /// Dice, 3 to 9, and at least one a player.
    pub dice: u8,
    /// The four segments of a die; beside them it shows a knight and a catapult.
    pub faces: Faces,
    /// Rolls of a turn, 1 to 9.
    pub rolls: u8,
    /// The points of the largest city of a turn.
    pub points: Points,
    /// Points needed to win, 1 to 1000; ignored in a solitaire game.
    pub goal: u16,
    /// Knights that must be set aside in a turn before one can be kept, 1 to 9.
    pub knights_needed: u8,
    /// Whether a knight can be kept.
    pub keeping: bool,
    /// When catapults on all dice win; in a solitaire game, when they are counted.
    pub nine_catapults: NineCatapults,
    /// Turns of all players together after which a game without a winner ends, 1 to 60000; ignored in a solitaire game.
    pub turn_cap: u16,
    /// Turns of a solitaire game, 1 to 1000.
    pub turns: u16,
}

/// Points of a city of three dice, four dice, and so on; a list in text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "Vec<u16>", into = "Vec<u16>")]
pub struct Points {
    of_sizes: [u16; SIZES],
    /// The largest city in the table.
    largest: u8,
}

impl Points {
    /// 1, 3, 6, 10, 15, 21 and 28.
    pub const STANDARD: Self = Self { of_sizes: [1, 3, 6, 10, 15, 21, 28], largest: 9 };

    /// The points of a city with this number of dice; 0 below three dice.
    #[inline(always)]
    pub fn of(&self, size: u8) -> u16 {
        let place = usize::from(size).wrapping_sub(SMALLEST);
        if place < SIZES { self.of_sizes[place] } else { 0 }
    }

    /// The most points that a city can score.
    pub(super) fn most(&self) -> u16 {
        self.of_sizes.iter().copied().max().unwrap_or(0)
    }
}

impl TryFrom<Vec<u16>> for Points {
    type Error = String;

    fn try_from(list: Vec<u16>) -> Result<Self, String> {
        if list.len() > SIZES {
            return Err(format!(
                "{} numbers; write at most {SIZES}: the points of a city of 3 dice, of 4, up to {MOST_DICE}",
                list.len()
            ));
        }
        let mut of_sizes = [0; SIZES];
        of_sizes[..list.len()].copy_from_slice(&list);
        let largest = u8::try_from(list.len() + SMALLEST - 1).unwrap_or(u8::MAX);
        Ok(Self { of_sizes, largest })
    }
}

impl From<Points> for Vec<u16> {
    fn from(points: Points) -> Self {
        let sizes = usize::from(points.largest) + 1 - SMALLEST;
        points.of_sizes[..sizes].to_vec()
    }
}

/// When catapults on all dice of the game win.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NineCatapults {
    /// When all have been catapults within one turn.
    Turn,
    /// When all are in a single roll.
    Roll,
    /// Never.
    Off,
}

impl Carcassonne {
    /// Two players, to 42 points.
    pub const TWO: Self = Self {
        players: 2,
        dice: 9,
        faces: Faces::STANDARD,
        rolls: 3,
        points: Points::STANDARD,
        goal: 42,
        knights_needed: 3,
        keeping: true,
        nine_catapults: NineCatapults::Turn,
        turn_cap: 500,
        turns: 1,
    };

    /// One turn of one player, for points.
    pub const SOLO: Self = Self { players: 1, keeping: false, ..Self::TWO };

    /// Whether one player plays alone for points.
    #[inline(always)]
    pub(super) fn is_solo(&self) -> bool {
        self.players == 1
    }
}

/// Every option, with what it takes.
pub(super) const OPTIONS: &[RuleOption] = &[
    RuleOption::new("players", Domain::whole(1, 5), "players; alone, one plays for points"),
    RuleOption::new("dice", Domain::whole(3, 9), "dice, at least one a player"),
    RuleOption::new(
        "faces",
        Domain::List(&Domain::Text("CFFF")),
        "the four segments of a die: sides clockwise, C for city and F for field",
    ),
    RuleOption::new("rolls", Domain::supported(1, 9), "rolls of a turn"),
    RuleOption::new(
        "points",
        Domain::List(&Domain::supported(0, 1000)),
        "points of a city of 3 dice, of 4, up to the number of dice",
    ),
    RuleOption::new("goal", Domain::supported(1, 1000), "points that win; nothing when alone"),
    RuleOption::new("knights_needed", Domain::whole(1, 9), "knights set aside in a turn, to keep one"),
    RuleOption::new(
        "keeping",
        Domain::YesNo,
        "a knight can be kept instead of scoring, and doubles the next turn",
    ),
    RuleOption::new(
        "nine_catapults",
        Domain::Words(&["turn", "roll", "off"]),
        "all dice catapults win: within one turn | in one roll | never",
    ),
    RuleOption::new(
        "turn_cap",
        Domain::supported(1, 60_000),
        "turns of all players together, after which a game without a winner ends; nothing when alone",
    ),
    RuleOption::new("turns", Domain::supported(1, 1000), "turns of a game alone"),
];

impl Rules for Carcassonne {
    fn with_options<'de, D: Deserializer<'de>>(&self, options: D) -> Result<Self, D::Error> {
        Self::deserialize(options)
    }

    fn validate(&self) -> Result<(), RulesError> {
        let numbers = [
            ("players", self.players.into()),
            ("dice", self.dice.into()),
            ("rolls", self.rolls.into()),
            ("goal", self.goal.into()),
            ("knights_needed", self.knights_needed.into()),
            ("turn_cap", self.turn_cap.into()),
            ("turns", self.turns.into()),
        ];
        in_ranges(OPTIONS, &numbers)?;
        let wrong = |option, message| Err(RulesError { option, message });
        let one_each = Range { low: self.players.into(), high: 9, limit: Limit::Game };
        one_each.check(self.dice.into()).or_else(|message| wrong("dice", message))?;
        if !self.faces.can_close() {
            let message = "no city of these segments can be closed; take CFFF or CCFF among them";
            return wrong("faces", message.into());
        }
        if self.points.most() > 1000 {
            return wrong("points", "more than 1000 for a city; write numbers from 0 to 1000".into());
        }
        if self.points.largest < self.dice {
            let message = format!(
                "a city of {} dice is not on the table; write the points of 3 dice, of 4, up to {}",
                self.points.largest + 1,
                self.dice
            );
            return wrong("points", message);
        }
        Ok(())
    }
}
