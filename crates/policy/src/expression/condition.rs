//! Conditions compiled for the trial: a table if the features have few values, otherwise flat code.
//!
//! Nothing here allocates or can fail after compilation: ranges, divisors and the depth of the stack have been checked.

use stopwise_engine::vocabulary::{Feature, Vocabulary};

use super::check::{Checked, Instruction};
use super::flat::Flat;
use super::table::{AnswerTable, ByBits};

/// A compiled condition.
#[derive(Clone, Debug)]
pub(crate) enum Condition {
    /// A constant answer.
    Always(bool),
    /// One feature with at most 64 values: one bit per value.
    Bits { feature: usize, low: i64, bits: u64 },
    /// A few features with small ranges.
    AnswerTable(AnswerTable),
    /// All other conditions.
    Code(Flat),
}

impl Condition {
    /// Compiles a checked condition.
    #[inline]
    pub(crate) fn compile(checked: &Checked, features: &[Feature]) -> Self {
        if let Instruction::Constant(value) = checked.step {
            return Self::Always(value != 0);
        }
        if let Some(table) = AnswerTable::compile(checked, features) {
            if let ([key], true) = (table.keys.as_slice(), table.answers.len() <= 64) {
                let bits = table.answers.iter().rev().fold(0, |bits, &yes| bits << 1 | u64::from(yes));
                return Self::Bits { feature: key.feature, low: key.low, bits };
            }
            return Self::AnswerTable(table);
        }
        Self::Code(Flat::new(checked, Some(features)))
    }

    /// Its table by bits of the state; empty if it has none.
    #[inline]
    pub(crate) fn by_bits(&self, game: &impl Vocabulary) -> ByBits {
        match self {
            Self::Bits { feature, low, bits } => AnswerTable::of_bits(*feature, *low, *bits).by_bits(game),
            Self::AnswerTable(table) => table.by_bits(game),
            Self::Always(_) | Self::Code(_) => ByBits::default(),
        }
    }

    /// The answer in a state.
    #[inline(always)]
    pub(crate) fn holds<G: Vocabulary>(&self, game: &G, state: &G::State) -> bool {
        self.holds_of(|feature| game.feature_in_place(state, feature))
    }

    /// The answer where features have these values.
    #[inline(always)]
    pub(crate) fn holds_of(&self, value: impl Fn(usize) -> i64) -> bool {
        match self {
            Self::Bits { feature, low, bits } => bits >> (value(*feature) - low) & 1 == 1,
            Self::Always(yes) => *yes,
            Self::AnswerTable(table) => table.look_up(value),
            Self::Code(flat) => flat.run(value) != 0,
        }
    }
}
