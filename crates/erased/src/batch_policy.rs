//! Policies that answer many questions at once: for programs in other languages, where one call costs as much as a
//! thousand answers.
//!
//! Their games are played side by side ([`VectorEnv`](stopwise_engine::vector_env)). Which questions are asked together
//! depends on threads and on the lengths of games. So that results are a function of the plan, an answer may depend
//! only on its own row. A policy that randomises must derive its random numbers from the trial's number and its
//! observation.

use std::fmt::Debug;
use std::sync::Arc;

use stopwise_engine::vocabulary::Candidates;

/// A policy that answers questions in batches. It is called from several threads at once.
pub trait BatchPolicy: Debug + Send + Sync {
    /// The columns that it needs.
    fn wants(&self) -> Wants {
        Wants::default()
    }

    /// Writes the index of a legal action for every question. An answer may depend only on its own row.
    ///
    /// # Errors
    ///
    /// The reason, in words, why it cannot answer. The run ends.
    fn answer(&self, questions: &Questions<'_>, actions: &mut [i64]) -> Result<(), String>;
}

/// The columns that a policy needs besides the question itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wants {
    /// The features, as bits by index; bits without a feature are ignored.
    pub features: u64,
    /// Their type.
    pub numbers: NumberType,
    /// Whether it needs the bits of states.
    pub states: bool,
    /// Whether it may look at candidates.
    pub candidates: bool,
}

impl Default for Wants {
    /// All features, in double precision, and no candidates.
    fn default() -> Self {
        Self { features: u64::MAX, numbers: NumberType::F64, states: false, candidates: false }
    }
}

/// Types of feature values, as in [`Numbers`](stopwise_engine::vector_env::Numbers).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberType {
    /// Single precision; chances from 0 to 1.
    F32,
    /// Double precision; chances from 0 to 1.
    F64,
    /// Exact integers; chances times their denominator.
    I64,
}

/// Questions, one per row. All columns have the same length, except that of the states.
#[derive(Clone, Copy, Debug)]
pub struct Questions<'q> {
    /// The seat that decides, from 0.
    pub seats: &'q [u8],
    /// The kind of decision, as an index into [`AnyRules::kinds`](crate::AnyRules::kinds).
    pub kinds: &'q [u8],
    /// The legal actions as bits; at least two.
    pub masks: &'q [u64],
    /// The number of the trial.
    pub trials: &'q [u64],
    /// The number of words of a state.
    pub words: usize,
    /// The bits of the states, row by row; empty if they were not requested.
    pub states: &'q [u64],
    /// The requested features: one column per feature in the order of their indices, one after the other.
    pub values: Values<'q>,
    /// The candidates of all questions; none if they were not requested. They can be read later, too.
    pub candidates: Option<&'q Arc<dyn Candidates>>,
}

/// Values of features, by type.
#[derive(Clone, Copy, Debug)]
pub enum Values<'q> {
    /// Of [`NumberType::F32`].
    F32(&'q [f32]),
    /// Of [`NumberType::F64`].
    F64(&'q [f64]),
    /// Of [`NumberType::I64`].
    I64(&'q [i64]),
}
