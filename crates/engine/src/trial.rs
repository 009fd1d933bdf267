//! The reference runner: one trial, one loop, one match over the node.

use crate::chance::Chance;
use crate::game::{Action, Events, Game, Node, Policy, Question, Seat};
use crate::stream::Words;

/// Whoever watches a trial from outside: besides the events, what was decided and what the dice showed.
pub trait Watch<G: Game>: Events {
    /// A seat took `action` in `state`.
    #[inline]
    fn decided(&mut self, state: G::State, question: Question, action: Action) {
        let _ = (state, question, action);
    }

    /// The dice of a seat showed `outcome` in `state`.
    #[inline]
    fn resolved(&mut self, state: G::State, seat: Seat, outcome: <G::Chance as Chance>::Outcome) {
        let _ = (state, seat, outcome);
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
                watch.resolved(state, seat, outcome);
                game.resolve(state, outcome, watch)
            }
            // An arm for every kind, so that question, answer and consequence of one kind are one straight path:
            // with the kind a variable, a text policy played 3.9 million games a second instead of 4.2.
            Node::Decision(state, question) => match question.kind {
                0 => ask::<0, _, _>(game, lineup, state, question, watch),
                1 => ask::<1, _, _>(game, lineup, state, question, watch),
                2 => ask::<2, _, _>(game, lineup, state, question, watch),
                3 => ask::<3, _, _>(game, lineup, state, question, watch),
                _ => unreachable!("a game has at most four kinds of decision"),
            },
            Node::Terminal(state) => return state,
        }
    }
}

/// Asks the seat's policy a question of this kind and follows its answer.
#[inline(always)]
fn ask<const KIND: usize, G: Game, P: Policy<G>>(
    game: &G,
    lineup: &[P],
    state: G::State,
    question: Question,
    watch: &mut impl Watch<G>,
) -> Node<G> {
    let question = Question { kind: KIND, ..question };
    let policy = if lineup.len() == 1 { &lineup[0] } else { &lineup[question.seat] };
    let action = policy.choose(game, state, question);
    watch.decided(state, question, action);
    game.decide(state, KIND, action, watch)
}
