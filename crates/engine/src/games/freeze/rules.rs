//! The options of Freeze Dice, and the published game and its variants as presets.

use serde::{Deserialize, Deserializer, Serialize};

use super::numbers::{Bank, Fraction, Rates};
use crate::games::{Rules, RulesError, in_ranges};
use crate::options::{Domain, Limit, Range, RuleOption};

/// The rules: every option of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Freeze {
    /// Seats, 2 to 8.
    pub players: u8,
    /// Number of time steps, 1 to 60000.
    pub steps: u16,
    /// Counters in the bank at the start, 1 to 10000 in all.
    pub bank: Bank,
    /// Counters every player starts with, 0 to 1000.
    pub start_counters: u16,
    /// The probability that a player rolls in a step, 0 to 1.
    pub rate: Rates,
    /// Whether players may put a counter on a six.
    pub freezing: bool,
    /// Who calls if several players show double sixes in one step.
    pub simultaneous: Simultaneous,
    /// Whether a freeze pays everybody if a player who must pay has no counters.
    pub broke_bonus: bool,
    /// When pairs other than sixes count.
    pub doubles: Doubles,
    /// The number of lightning steps at the end, 0 to 60000.
    pub lightning_steps: u16,
    /// The number of steps that a player waits for a pair to be confirmed, 0 to 7.
    pub confirm_steps: u8,
    /// The probability that a pair does not count because the player has touched the dice, 0 to 1.
    pub fumble: Fraction,
    /// Who gets the counters that lie on dice at the end.
    pub stake_at_end: StakeAtEnd,
}

/// Who calls if several players show double sixes in one step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Simultaneous {
    /// One of them, drawn uniformly.
    First,
    /// All of them, in seat order.
    All,
}

/// When pairs other than sixes count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Doubles {
    /// In no step.
    Never,
    /// In every step.
    Always,
    /// In the lightning steps at the end.
    Lightning,
}

/// Who gets the counters that lie on dice at the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StakeAtEnd {
    /// Their owners.
    Returned,
    /// The bank.
    Paid,
}

impl Freeze {
    /// The published rules.
    pub const PUBLISHED: Self = Self {
        players: 4,
        steps: 600,
        bank: Bank::PerPlayer(25),
        start_counters: 0,
        rate: Rates::ONE,
        freezing: true,
        simultaneous: Simultaneous::First,
        broke_bonus: false,
        doubles: Doubles::Never,
        lightning_steps: 60,
        confirm_steps: 1,
        fumble: Fraction::ZERO,
        stake_at_end: StakeAtEnd::Returned,
    };

    /// The earlier version, in which counters cannot freeze a six.
    pub const WORKSHOP: Self = Self { freezing: false, ..Self::PUBLISHED };

    /// Every player starts with three counters.
    pub const TABLE: Self = Self { start_counters: 3, ..Self::PUBLISHED };

    /// A freeze pays everybody if a player has nothing to pay with.
    pub const BROKE_BONUS: Self = Self { broke_bonus: true, ..Self::PUBLISHED };

    /// Pairs count in every step.
    pub const DOUBLES: Self =
        Self { doubles: Doubles::Always, bank: Bank::PerPlayer(100), ..Self::PUBLISHED };

    /// Pairs count in the lightning steps at the end.
    pub const LIGHTNING: Self =
        Self { doubles: Doubles::Lightning, bank: Bank::PerPlayer(40), ..Self::PUBLISHED };

    /// The number of counters in the bank at the start.
    pub(super) fn start_bank(&self) -> u16 {
        match self.bank {
            Bank::InAll(counters) => counters,
            Bank::PerPlayer(counters) => counters * u16::from(self.players),
        }
    }

    /// The number of counters in the game: in the bank, before the players, and on frozen sixes.
    pub(super) fn counters(&self) -> u16 {
        self.start_bank() + u16::from(self.players) * self.start_counters
    }

    /// All seats, as bits.
    #[inline(always)]
    pub(super) fn everybody(&self) -> u64 {
        (1 << self.players) - 1
    }

    /// Whether pairs other than sixes count in this step.
    #[inline(always)]
    pub(super) fn doubles_count(&self, step: u16) -> bool {
        match self.doubles {
            Doubles::Never => false,
            Doubles::Always => true,
            Doubles::Lightning => step > self.steps.saturating_sub(self.lightning_steps),
        }
    }
}

/// A chance.
const CHANCE: Domain = Domain::Number(0.0, 1.0);

/// Every option, with what it takes.
pub(super) const OPTIONS: &[RuleOption] = &[
    RuleOption::new("players", Domain::whole(2, 8), "players"),
    RuleOption::new("steps", Domain::supported(1, 60_000), "steps of the clock"),
    RuleOption::new(
        "bank",
        Domain::Either(&[Domain::supported(1, 10_000), Domain::Text("25 per player")]),
        "counters in the bank at the start, for all together or for each player",
    ),
    RuleOption::new("start_counters", Domain::supported(0, 1000), "what every player starts with"),
    RuleOption::new(
        "rate",
        Domain::Either(&[CHANCE, Domain::List(&CHANCE)]),
        "chance that a player rolls in a step; a list has one for each player",
    ),
    RuleOption::new("freezing", Domain::YesNo, "whether a counter can freeze a six"),
    RuleOption::new(
        "simultaneous",
        Domain::Words(&["first", "all"]),
        "who calls of several with double sixes: one is drawn | all",
    ),
    RuleOption::new(
        "broke_bonus",
        Domain::YesNo,
        "whether a freeze pays everybody if somebody would have to pay and has nothing",
    ),
    RuleOption::new(
        "doubles",
        Domain::Words(&["never", "always", "lightning"]),
        "when other pairs count: in no step | in every step | in the last lightning_steps",
    ),
    RuleOption::new("lightning_steps", Domain::supported(0, 60_000), "lightning steps at the end"),
    RuleOption::new(
        "confirm_steps",
        Domain::supported(0, 7),
        "steps that a player waits for a pair to be confirmed",
    ),
    RuleOption::new("fumble", CHANCE, "chance that a pair does not count because the dice were touched"),
    RuleOption::new(
        "stake_at_end",
        Domain::Words(&["returned", "paid"]),
        "whose the counters on dice are at the end: their owners' | the bank's",
    ),
];

impl Rules for Freeze {
    fn with_options<'de, D: Deserializer<'de>>(&self, options: D) -> Result<Self, D::Error> {
        Self::deserialize(options)
    }

    fn validate(&self) -> Result<(), RulesError> {
        let bank = match self.bank {
            Bank::InAll(counters) => counters,
            Bank::PerPlayer(counters) => {
                let each = Range { low: 1, high: 1000, limit: Limit::Program };
                each.check(counters.into()).map_err(|message| RulesError { option: "bank", message })?;
                counters
            }
        };
        let numbers = [
            ("players", self.players.into()),
            ("steps", self.steps.into()),
            ("bank", bank.into()),
            ("start_counters", self.start_counters.into()),
            ("lightning_steps", self.lightning_steps.into()),
            ("confirm_steps", self.confirm_steps.into()),
        ];
        in_ranges(OPTIONS, &numbers)?;
        if let Some(rates) = self.rate.listed().filter(|&rates| rates != self.players) {
            let message = format!(
                "{rates} rate{} for {} players; write one number for all, or a list of one for each",
                if rates == 1 { "" } else { "s" },
                self.players
            );
            return Err(RulesError { option: "rate", message });
        }
        Ok(())
    }
}
