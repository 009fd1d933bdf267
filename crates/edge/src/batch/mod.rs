//! Policies that answer many questions at once: for programs in other languages, where one call costs as much as a thousand
//! answers.
//!
//! Their games are played side by side ([`Tables`](stopwise_engine::tables)); which questions come together hangs on threads
//! and on how long games take. So that results are a function of the plan, an answer may depend on its own row alone. A policy
//! that wants to decide at random hashes the number of the trial with what it sees.

mod arm;
mod one;
mod player;

use std::fmt::Debug;

pub(crate) use arm::BatchArm;
pub(crate) use one::{actions, parting};

/// Answers questions in batches. Called from several threads at once.
pub trait BatchPolicy: Debug + Send + Sync {
    /// What it wants to be shown.
    fn wants(&self) -> Wants {
        Wants::default()
    }

    /// Writes the number of a legal action for every question: an answer may depend on its own row alone.
    ///
    /// # Errors
    ///
    /// In words why it cannot answer: the run ends.
    fn answer(&self, questions: &Questions<'_>, actions: &mut [i64]) -> Result<(), String>;
}

/// What a policy wants to be shown besides the question itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wants {
    /// Which features, as bits by their numbers; numbers that the game does not have are ignored.
    pub features: u64,
    /// As what.
    pub numbers: NumberType,
    /// Whether it looks at the bits of states.
    pub states: bool,
}

impl Default for Wants {
    /// All features, each as exact as it can be.
    fn default() -> Self {
        Self { features: u64::MAX, numbers: NumberType::F64, states: false }
    }
}

/// Types of numbers, as in [`Numbers`](stopwise_engine::tables::Numbers).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberType {
    /// Numbers; chances from 0 to 1.
    F32,
    /// The same, twice as exact.
    F64,
    /// Counts: chances times their denominator.
    I64,
}

/// Questions, a row each: every column has as many places, except that of the states.
#[derive(Clone, Copy, Debug)]
pub struct Questions<'q> {
    /// Who decides, from 0.
    pub seats: &'q [u8],
    /// What is decided, by its place among [`AnyRules::kinds`](crate::AnyRules::kinds).
    pub kinds: &'q [u8],
    /// The legal actions as bits, of which there are at least two.
    pub masks: &'q [u64],
    /// The number of the trial.
    pub trials: &'q [u64],
    /// How many words a state takes.
    pub words: usize,
    /// The bits of the states, row by row; empty if they are not wanted.
    pub states: &'q [u64],
    /// The features that were wanted: a column each in the order of their numbers, one after the other.
    pub values: Values<'q>,
}

/// Values of features.
#[derive(Clone, Copy, Debug)]
pub enum Values<'q> {
    /// Of [`NumberType::F32`].
    F32(&'q [f32]),
    /// Of [`NumberType::F64`].
    F64(&'q [f64]),
    /// Of [`NumberType::I64`].
    I64(&'q [i64]),
}
