//! The vector environment of any game: see [`stopwise_engine::vector_env`].

use std::fmt::Debug;

use stopwise_engine::game::Policy as _;
use stopwise_engine::games::Playable;
use stopwise_engine::stream::Keys;
use stopwise_engine::vector_env::{
    Finished, Observation, Recorded, Renewal, Start, VectorEnv, VectorEnvError,
};
use stopwise_policy::TextPolicy;

use crate::policy::AnyPolicy;

/// Games side by side, each of which stops at every decision. A call serves all tables.
pub trait AnyVectorEnv: Debug + Send {
    /// [`VectorEnv::tables`].
    fn tables(&self) -> usize;
    /// [`VectorEnv::words`].
    fn words(&self) -> usize;
    /// [`VectorEnv::reset`].
    ///
    /// # Errors
    ///
    /// If no trial has a decision.
    fn reset(&mut self, seed: u64, first: u64) -> Result<(), VectorEnvError>;
    /// [`VectorEnv::begin`].
    fn begin(&mut self, keys: &Keys, starts: &[Start]);
    /// [`VectorEnv::observe`].
    fn observe(&self, tables: &[u32], observation: &mut Observation<'_>);
    /// [`VectorEnv::step`].
    ///
    /// # Errors
    ///
    /// If an action is illegal: then no table has moved. If a table finds no further trial with a decision.
    fn step(
        &mut self,
        tables: &[u32],
        actions: &[i64],
        renewal: Renewal,
        rewards: &mut [f64],
        ended: &mut [bool],
    ) -> Result<(), VectorEnvError>;
    /// [`VectorEnv::finished`].
    fn finished(&self) -> &Finished;
    /// [`VectorEnv::noted`].
    fn noted(&mut self) -> &mut Recorded;
    /// [`VectorEnv::legal`].
    fn legal(&self, table: usize) -> Vec<(u32, String)>;
    /// [`VectorEnv::turn`].
    fn turn(&self, table: usize, seat: usize) -> u32;
    /// [`VectorEnv::places`].
    fn places(&self, table: usize) -> Vec<(&'static str, String)>;
    /// The answers of a policy at some tables, for whichever seat decides. Where a game is over the action is left
    /// unchanged.
    ///
    /// # Panics
    ///
    /// If the numbers of actions and tables differ, or the policy is not a text policy for this game.
    fn answer(&self, policy: &AnyPolicy, tables: &[u32], actions: &mut [i64]);
}

impl<G: Playable> AnyVectorEnv for VectorEnv<G> {
    fn tables(&self) -> usize {
        self.tables()
    }

    fn words(&self) -> usize {
        self.words()
    }

    fn reset(&mut self, seed: u64, first: u64) -> Result<(), VectorEnvError> {
        self.reset(seed, first)
    }

    fn begin(&mut self, keys: &Keys, starts: &[Start]) {
        self.begin(keys, starts);
    }

    fn observe(&self, tables: &[u32], observation: &mut Observation<'_>) {
        self.observe(tables, observation);
    }

    fn step(
        &mut self,
        tables: &[u32],
        actions: &[i64],
        renewal: Renewal,
        rewards: &mut [f64],
        ended: &mut [bool],
    ) -> Result<(), VectorEnvError> {
        self.step(tables, actions, renewal, rewards, ended)
    }

    fn finished(&self) -> &Finished {
        self.finished()
    }

    fn noted(&mut self) -> &mut Recorded {
        self.noted()
    }

    fn legal(&self, table: usize) -> Vec<(u32, String)> {
        self.legal(table)
    }

    fn turn(&self, table: usize, seat: usize) -> u32 {
        self.turn(table, seat)
    }

    fn places(&self, table: usize) -> Vec<(&'static str, String)> {
        self.places(table)
    }

    fn answer(&self, policy: &AnyPolicy, tables: &[u32], actions: &mut [i64]) {
        assert_eq!(tables.len(), actions.len(), "an action a table");
        let policy = policy.typed(self.game());
        for (&table, action) in tables.iter().zip(actions) {
            answer(self, &policy, table as usize, action);
        }
    }
}

/// A function of its own, so that the evaluation of policies is compiled only once.
#[inline(never)]
fn answer<G: Playable>(tables: &VectorEnv<G>, policy: &TextPolicy<G>, table: usize, action: &mut i64) {
    if let Some((game, state, question)) = tables.question(table) {
        *action = policy.choose(game, state, question).index().into();
    }
}
