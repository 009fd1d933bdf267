//! The options of Freeze Dice, and the published game and its variants as presets.

use serde::{Deserialize, Serialize};

use super::numbers::{Bank, Fraction, Rates};
use crate::game::Info;
use crate::games::{Limit, Rules, RulesError, in_range};

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

    /// The number of counters in the game.
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

impl Rules for Freeze {
    const INFO: &'static Info = super::INFO;

    fn validate(&self) -> Result<(), RulesError> {
        in_range("players", self.players.into(), 2, 8, Limit::Game)?;
        in_range("steps", self.steps.into(), 1, 60_000, Limit::Program)?;
        match self.bank {
            Bank::InAll(counters) => in_range("bank", counters.into(), 1, 10_000, Limit::Program)?,
            Bank::PerPlayer(counters) => in_range("bank", counters.into(), 1, 1000, Limit::Program)?,
        }
        in_range("start_counters", self.start_counters.into(), 0, 1000, Limit::Program)?;
        if let Some(rates) = self.rate.listed().filter(|&rates| rates != self.players) {
            let message = format!(
                "{rates} rate{} for {} players; write one number for all, or a list of one for each",
                if rates == 1 { "" } else { "s" },
                self.players
            );
            return Err(RulesError { option: "rate", message });
        }
        in_range("lightning_steps", self.lightning_steps.into(), 0, 60_000, Limit::Program)?;
        in_range("confirm_steps", self.confirm_steps.into(), 0, 7, Limit::Program)
    }
}
