//! A policy for a game whose type is not known.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use stopwise_engine::vocabulary::Vocabulary;
use stopwise_policy::{Heading, TextPolicy};

use crate::batch::BatchPolicy;

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
    /// A compiled [`TextPolicy`] of the game whose rules compiled it.
    Compiled(Arc<dyn Any + Send + Sync>),
    InBatches(Arc<dyn BatchPolicy>),
    /// Recorded actions of one trial.
    Given(Arc<[i64]>),
}

impl AnyPolicy {
    pub(crate) fn new<G: Vocabulary>(policy: TextPolicy<G>) -> Self {
        Self {
            heading: policy.heading().clone(),
            bytes: policy.bytes(),
            answers: Answers::Compiled(Arc::new(policy)),
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
            Answers::Compiled(_) | Answers::Given(_) => None,
        }
    }

    /// Whether it was compiled from text.
    pub fn is_text(&self) -> bool {
        matches!(self.answers, Answers::Compiled(_))
    }

    /// The recorded actions, if it has them.
    pub fn actions(&self) -> Option<&[i64]> {
        match &self.answers {
            Answers::Given(actions) => Some(&**actions),
            Answers::Compiled(_) | Answers::InBatches(_) => None,
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

    /// The name with all parameters, as reports show it: `first:k=2`.
    pub fn label(&self) -> String {
        self.heading.label()
    }

    /// The compiled policy, as its own type.
    ///
    /// # Panics
    ///
    /// If it was not compiled from text.
    pub fn compiled(&self) -> &dyn Any {
        match &self.answers {
            Answers::Compiled(policy) => &**policy,
            Answers::InBatches(_) | Answers::Given(_) => {
                panic!("the policy {} is no text", self.heading.name)
            }
        }
    }

    /// The policy for a game whose type is known.
    ///
    /// # Panics
    ///
    /// If it was compiled for another game, or not from text.
    pub(crate) fn typed<G: Vocabulary>(&self) -> Arc<TextPolicy<G>> {
        let same_game = match &self.answers {
            Answers::Compiled(policy) => Arc::clone(policy).downcast().ok(),
            Answers::InBatches(_) | Answers::Given(_) => None,
        };
        same_game.unwrap_or_else(|| panic!("the policy {} was compiled for another game", self.heading.name))
    }
}

impl fmt::Debug for AnyPolicy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AnyPolicy").field("heading", &self.heading).finish_non_exhaustive()
    }
}
