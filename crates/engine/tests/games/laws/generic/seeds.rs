//! A trial is a function of its seed and number: it can be replayed alone, and other seeds give other games.

use std::collections::HashSet;

use stopwise_engine::game::{Action, Game, MAX_METRICS, Node, Policy, Question};
use stopwise_engine::stream::Keys;
use stopwise_engine::vocabulary::Vocabulary;

use super::watched::watched;
use crate::common::{Whim, path};

/// How a trial ended: its last state, and the metrics of every seat.
fn play<G: Game>(game: &G, seed: u64, number: u64) -> (G::State, Vec<[u32; MAX_METRICS]>) {
    let played = watched(game, &[Whim(6)], seed, number);
    (played.end, played.metrics)
}

pub(super) fn check<G: Vocabulary + PartialEq>(game: &G) {
    alone(game);
    line_up(game);
    other_seeds(game);
}

/// Neither the trials before nor the way of walking matters.
fn alone<G: Vocabulary>(game: &G) {
    let keys = Keys::new(3);
    let in_order: Vec<_> = (0..40).map(|number| play(game, 3, number)).collect();
    for number in (0..40).rev() {
        let expected = &in_order[usize::try_from(number).expect("small")];
        assert_eq!(&play(game, 3, number), expected, "trial {number}");
        let nodes = path(game, &Whim(6), &mut keys.streams(number, game.seats()));
        assert_eq!(nodes.last().map(Node::state), Some(expected.0), "trial {number}");
    }
    if game.seats() == 1 {
        let nodes = path(game, &Whim(6), &mut keys.stream(9, 0));
        assert_eq!(
            nodes.last().map(Node::state),
            Some(in_order[9].0),
            "a stream alone is the stream of seat 0"
        );
    }
}

/// Every seat has a whim of its own.
struct Each;

impl<G: Game> Policy<G> for Each {
    fn choose(&self, game: &G, state: G::State, question: Question) -> Action {
        Whim(question.seat as u64).choose(game, state, question)
    }
}

/// A line-up holds the policies of the seats in order.
fn line_up<G: Vocabulary>(game: &G) {
    let policies: Vec<_> = (0..game.seats() as u64).map(Whim).collect();
    for number in 0..40 {
        let nodes = path(game, &Each, &mut Keys::new(4).streams(number, game.seats()));
        let end = watched(game, &policies, 4, number).end;
        assert_eq!(nodes.last().map(Node::state), Some(end), "trial {number}");
    }
}

/// No seed's run of 60 trials is that of another seed or a shifted one. The smallest game here has about a dozen
/// results, so that chance would bring it about once in 10⁶⁰ tries.
fn other_seeds<G: Vocabulary>(game: &G) {
    let mut seen = HashSet::new();
    for seed in (0..6).chain([u64::MAX]) {
        let results: Vec<_> = (0..70).map(|number| play(game, seed, number).1).collect();
        for window in results.windows(60) {
            assert!(seen.insert(window.to_vec()), "seed {seed} repeats another");
        }
    }
}
