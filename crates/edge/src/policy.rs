//! A policy whose game's type is not known.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use stopwise_engine::vocabulary::Vocabulary;
use stopwise_policy::{Heading, TextPolicy};

/// A policy read from text and compiled for a game under one set of rules. Cheap to clone.
#[derive(Clone)]
pub struct AnyPolicy {
    heading: Arc<Heading>,
    bytes: usize,
    /// A [`TextPolicy`] of the game whose rules compiled it.
    compiled: Arc<dyn Any + Send + Sync>,
}

impl AnyPolicy {
    pub(crate) fn new<G: Vocabulary>(policy: TextPolicy<G>) -> Self {
        Self { heading: policy.heading().clone(), bytes: policy.bytes(), compiled: Arc::new(policy) }
    }

    /// Its name, its text and its parameters.
    pub fn heading(&self) -> &Heading {
        &self.heading
    }

    /// How much memory it takes, about.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// The name with all parameters, as reports show it: `first:k=2`.
    pub fn label(&self) -> String {
        self.heading.label()
    }

    /// The policy with its game's type.
    ///
    /// # Panics
    ///
    /// If it was compiled for another game.
    pub(crate) fn typed<G: Vocabulary>(&self) -> Arc<TextPolicy<G>> {
        let same_game = Arc::clone(&self.compiled).downcast();
        same_game.unwrap_or_else(|_| panic!("the policy {} is not for {}", self.heading.name, G::NAME))
    }
}

impl fmt::Debug for AnyPolicy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AnyPolicy").field("heading", &self.heading).finish_non_exhaustive()
    }
}
