//! The reference runner: one trial, one loop, one match over the node.

use crate::chance::Chance;
use crate::game::{Action, Events, Game, Node, Policy, Question};
use crate::stream::Words;

/// Whoever watches a trial from outside: besides the events, what was decided and what the dice showed.
pub trait Watch<G: Game>: Events {
    /// A seat took `action` in `state`.
    #[inline]
    fn decided(&mut self, state: G::State, question: Question, action: Action) {
        let _ = (state, question, action);
    }

    /// The dice showed `outcome` in `state`.
    #[inline]
    fn resolved(&mut self, state: G::State, outcome: <G::Chance as Chance>::Outcome) {
        let _ = (state, outcome);
    }
}

impl<G: Game> Watch<G> for () {}

/// Plays one trial to its end and returns the terminal state.
///
/// `lineup` holds a policy for every seat, or one for all of them.
///
/// # Panics
///
/// If the line-up is shorter than the seats and longer than one.
#[inline]
pub fn trial<G: Game, P: Policy<G>>(
    game: &G,
    lineup: &[P],
    words: &mut impl Words,
    watch: &mut impl Watch<G>,
) -> G::State {
    let mut node = game.root(watch);
    loop {
        node = match node {
            Node::Chance(state, seat, chance) => {
                let outcome = chance.sample(words.word(seat));
                watch.resolved(state, outcome);
                game.resolve(state, outcome, watch)
            }
            Node::Decision(state, question) => {
                let policy = if lineup.len() == 1 { &lineup[0] } else { &lineup[question.seat] };
                let action = policy.choose(game, state, question);
                watch.decided(state, question, action);
                game.decide(state, question.kind, action, watch)
            }
            Node::Terminal(state) => return state,
        }
    }
}
