//! A policy for a game whose type is not known.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use stopwise_engine::games::Playable;
use stopwise_policy::{Heading, TextPolicy};

use crate::batch_policy::BatchPolicy;

/// A policy read from text and compiled for a game under one set of rules, or one that answers in batches. Cheap to clone.
#[derive(Clone)]
pub struct AnyPolicy {
    heading: Arc<Heading>,
    bytes: usize,
    answers: Answers,
}

/// How a policy answers.
#[derive(Clone)]
enum Answers {
    /// A [`Compiled`] of the game with this name.
    Compiled(&'static str, Arc<dyn Any + Send + Sync>),
    InBatches(Arc<dyn BatchPolicy>),
    /// Recorded actions of one trial.
    Given(Arc<[i64]>),
}

/// A compiled policy and the rules for which it was compiled: it knows their ranges and tables, and games that are made at
/// run time share a type.
struct Compiled<G: Playable> {
    rules: G,
    policy: Arc<TextPolicy<G>>,
}

/// A policy is to play where it cannot: under other rules than those for which it was compiled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OtherRules {
    policy: String,
    /// The game for which it was compiled; `None` if it is no text.
    compiled_for: Option<&'static str>,
    /// The game that it is to play.
    game: &'static str,
}

impl fmt::Display for OtherRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { policy, compiled_for, game } = self;
        match compiled_for {
            None => write!(f, "the policy `{policy}` is no text, which is needed here"),
            Some(other) if other == game => {
                write!(
                    f,
                    "the policy `{policy}` was compiled for other rules of {game}; compile it for these"
                )
            }
            Some(other) => {
                write!(
                    f,
                    "the policy `{policy}` was compiled for {other}; name one for {game}, compiled for these rules"
                )
            }
        }
    }
}

impl std::error::Error for OtherRules {}

impl AnyPolicy {
    pub(crate) fn new<G: Playable>(policy: TextPolicy<G>, rules: &G) -> Self {
        Self {
            heading: policy.heading().clone(),
            bytes: policy.bytes(),
            answers: Answers::Compiled(
                rules.info().name,
                Arc::new(Compiled { rules: *rules, policy: Arc::new(policy) }),
            ),
        }
    }

    /// A policy that answers many questions at once, for any game.
    ///
    /// It plays in every [`AnyArm`](crate::AnyArm), and its trials can be compared and replayed. Exact values and lanes
    /// need text policies.
    pub fn in_batches(heading: Heading, policy: Arc<dyn BatchPolicy>) -> Self {
        Self { heading: Arc::new(heading), bytes: 0, answers: Answers::InBatches(policy) }
    }

    /// Actions recorded in one trial, by index, in order and without forced ones, such as those of an agent at a table.
    /// They can only be replayed.
    pub fn given(heading: Heading, actions: &[i64]) -> Self {
        Self {
            heading: Arc::new(heading),
            bytes: size_of_val(actions),
            answers: Answers::Given(actions.into()),
        }
    }

    /// The policy that answers in batches, if it is one.
    pub fn batch(&self) -> Option<&Arc<dyn BatchPolicy>> {
        match &self.answers {
            Answers::InBatches(policy) => Some(policy),
            Answers::Compiled(..) | Answers::Given(_) => None,
        }
    }

    /// Whether it was compiled from text.
    pub fn is_text(&self) -> bool {
        matches!(self.answers, Answers::Compiled(..))
    }

    /// The recorded actions, if it has them.
    pub fn actions(&self) -> Option<&[i64]> {
        match &self.answers {
            Answers::Given(actions) => Some(&**actions),
            Answers::Compiled(..) | Answers::InBatches(_) => None,
        }
    }

    /// Its name, text and parameters.
    pub fn heading(&self) -> &Heading {
        &self.heading
    }

    /// Its approximate size in bytes.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// The name with its parameters, as reports show it: [`Heading::label`].
    pub fn label(&self) -> String {
        self.heading.label()
    }

    /// The policy for rules whose type is known.
    ///
    /// # Errors
    ///
    /// If it was compiled for another game, for other rules, or not from text.
    pub fn compiled_for<G: Playable>(&self, rules: &G) -> Result<Arc<TextPolicy<G>>, OtherRules> {
        let (compiled, game) = match &self.answers {
            Answers::Compiled(game, compiled) => (compiled.downcast_ref::<Compiled<G>>(), Some(*game)),
            Answers::InBatches(_) | Answers::Given(_) => (None, None),
        };
        match compiled {
            Some(compiled) if compiled.rules == *rules => Ok(Arc::clone(&compiled.policy)),
            _ => Err(OtherRules { policy: self.label(), compiled_for: game, game: rules.info().name }),
        }
    }

    /// The policy for rules whose type is known.
    ///
    /// # Panics
    ///
    /// If it was compiled for other rules, or not from text.
    pub(crate) fn typed<G: Playable>(&self, rules: &G) -> Arc<TextPolicy<G>> {
        self.compiled_for(rules).unwrap_or_else(|error| panic!("{error}"))
    }
}

/// A line-up for a game whose type is known.
///
/// # Panics
///
/// If a policy was compiled for other rules, or not from text.
pub(crate) fn typed<G: Playable>(rules: &G, lineup: &[AnyPolicy]) -> Vec<Arc<TextPolicy<G>>> {
    lineup.iter().map(|policy| policy.typed(rules)).collect()
}

impl fmt::Debug for AnyPolicy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AnyPolicy").field("heading", &self.heading).finish_non_exhaustive()
    }
}
