//! The reference runner: one trial, one loop over the node.

use crate::chance::Chance;
use crate::game::{Action, Events, Game, MAX_KINDS, Node, Policy, Question, Seat};
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
    const { assert!(G::KINDS.len() <= MAX_KINDS, "a game has at most four kinds of decision") };
    let mut node = game.root(watch);
    // In the order in which most turns go, each test following the step that may have led there: what comes next is
    // then mostly known, and a state goes on in its registers. With one match a round, every step met every other at
    // the head of the loop and moved the whole state through memory (IceDice: 22 thousand instructions a game, not
    // 12).
    loop {
        if let Node::Chance(state, seat, chance) = node {
            let outcome = chance.sample(words.word(seat));
            watch.resolved(state, seat, outcome);
            node = game.resolve(state, outcome, watch);
        }
        node = ask::<0, _, _>(game, lineup, node, watch);
        node = ask::<1, _, _>(game, lineup, node, watch);
        node = ask::<2, _, _>(game, lineup, node, watch);
        node = ask::<3, _, _>(game, lineup, node, watch);
        if let Node::Terminal(state) = node {
            return state;
        }
    }
}

/// Asks the seat's policy the question of a node, if it is one of this kind, and follows its answer.
///
/// The kind is a constant, so that question, answer and consequence of one kind are one straight path: with the kind a
/// variable, a text policy of CarboniteDice played 3.9 million games a second instead of 4.2.
#[inline(always)]
fn ask<const KIND: usize, G: Game, P: Policy<G>>(
    game: &G,
    lineup: &[P],
    node: Node<G>,
    watch: &mut impl Watch<G>,
) -> Node<G> {
    let Node::Decision(state, question) = node else { return node };
    if KIND >= G::KINDS.len() || question.kind != KIND {
        return node;
    }
    let question = Question { kind: KIND, ..question };
    let policy = if lineup.len() == 1 { &lineup[0] } else { &lineup[question.seat] };
    let action = policy.choose(game, state, question);
    watch.decided(state, question, action);
    game.decide(state, KIND, action, watch)
}
