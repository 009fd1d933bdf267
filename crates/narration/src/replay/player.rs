//! Who answers in a seat: a policy, or actions that are given.

use std::sync::Arc;

use stopwise_engine::games::Playable;
use stopwise_erased::AnyPolicy;
use stopwise_policy::TextPolicy;

/// The player of one seat, or of all seats. Its policy was compiled for the game, whose type is not known to callers.
#[derive(Clone, Debug)]
pub(crate) struct Player<'p, P = &'p AnyPolicy> {
    /// Its name, with its parameters.
    pub(crate) label: String,
    pub(crate) answers: Answers<'p, P>,
}

/// The origin of the player's answers.
#[derive(Clone, Debug)]
pub(crate) enum Answers<'p, P = &'p AnyPolicy> {
    Text(P),
    /// Actions to take, by index, without forced ones.
    Given(&'p [i64]),
}

/// A player of a game whose type is known.
pub(super) type Typed<'p, G> = Player<'p, Arc<TextPolicy<G>>>;

impl<'p> Player<'p> {
    /// The same player, of a game whose type is known.
    pub(super) fn typed<G: Playable>(&self, rules: &G) -> Typed<'p, G> {
        let answers = match self.answers {
            Answers::Text(policy) => Answers::Text(crate::policy(policy, rules)),
            Answers::Given(actions) => Answers::Given(actions),
        };
        Player { label: self.label.clone(), answers }
    }
}

impl<G: Playable> Typed<'_, G> {
    /// Whether some of its answers are by chance.
    pub(super) fn is_by_chance(&self) -> bool {
        matches!(&self.answers, Answers::Text(policy) if policy.is_mixed())
    }
}
