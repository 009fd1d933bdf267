//! The vector environment of any game: see [`stopwise_engine::vector_env`].

use std::sync::Arc;

use stopwise_engine::games::Playable;
use stopwise_engine::vector_env::{Tables, VectorEnv};
use stopwise_policy::TextPolicy;

use crate::policy::AnyPolicy;

/// Games side by side, each of which stops at every decision, where text policies may answer as well.
pub trait AnyVectorEnv: Tables {
    /// The answers of a policy at some tables, for whichever seat decides. Where a game is over the action is left
    /// unchanged.
    ///
    /// # Panics
    ///
    /// If the numbers of actions and tables differ, or the policy is not a text policy for this game.
    fn answer(&mut self, policy: &AnyPolicy, tables: &[u32], actions: &mut [i64]);
    /// Seats policies, by the order of the seats: see [`VectorEnv::seat`].
    ///
    /// # Panics
    ///
    /// If one of them is not a text policy for this game.
    fn seat(&mut self, policies: &[Option<AnyPolicy>]);
}

/// Tables at which text policies may have seats.
pub(crate) type TypedVectorEnv<G> = VectorEnv<G, Arc<TextPolicy<G>>>;

impl<G: Playable> AnyVectorEnv for TypedVectorEnv<G> {
    fn answer(&mut self, policy: &AnyPolicy, tables: &[u32], actions: &mut [i64]) {
        assert_eq!(tables.len(), actions.len(), "an action a table");
        let policy = policy.typed(self.game());
        for (&table, action) in tables.iter().zip(actions) {
            answer(self, &policy, table as usize, action);
        }
    }

    fn seat(&mut self, policies: &[Option<AnyPolicy>]) {
        let typed = |policy: &Option<AnyPolicy>| policy.as_ref().map(|policy| policy.typed(self.game()));
        let policies = policies.iter().map(typed).collect();
        self.seat(policies);
    }
}

/// A function of its own, so that the evaluation of policies is compiled only once.
#[inline(never)]
fn answer<G: Playable>(
    tables: &mut TypedVectorEnv<G>,
    policy: &TextPolicy<G>,
    table: usize,
    action: &mut i64,
) {
    if let Some(answer) = tables.ask(table, policy) {
        *action = answer.index().into();
    }
}
