//! Assumptions of the exact walk: a state tells what comes next, stages never fall, and forgetting removes only memory that was
//! not to be kept.

use std::collections::HashMap;

use stopwise_engine::chance::Chance;
use stopwise_engine::game::{Game, MAX_METRICS, Node, NodeOf};
use stopwise_engine::vocabulary::Vocabulary;

/// What may be kept.
fn keeps<G: Vocabulary>(game: &G) -> impl Iterator<Item = u32> + Clone {
    let bits = game.features().iter().fold(0, |bits, feature| bits | feature.memory);
    (0..=bits).filter(move |keep| keep & !bits == 0).chain([u32::MAX])
}

pub(super) fn check<G: Vocabulary + PartialEq>(game: &G, node: &NodeOf<G>) {
    let keeps = keeps(game);
    let state = node.state();
    let canonical = game.canonical(state);
    assert_eq!(game.canonical(canonical), canonical, "canonical twice: {state:?}");
    assert_eq!(game.forget(canonical, 0), canonical, "nothing is left to forget: {state:?}");
    assert_eq!(game.forget(state, u32::MAX), state, "all is kept");
    for keep in keeps.clone() {
        let less = game.forget(state, keep);
        assert_eq!(game.forget(less, keep), less, "forgotten twice: {state:?}");
        assert_eq!(game.canonical(less), canonical, "canonical forgets all: {state:?}");
        for again in keeps.clone() {
            assert_eq!(game.forget(less, again), game.forget(state, keep & again), "{state:?}");
        }
        if let Node::Decision(..) = node {
            features(game, state, less, keep);
        }
        futures(game, node, less, keep);
    }
}

/// What the walk knows by its state alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Moment<C> {
    Roll(C),
    Ask(usize),
}

fn moment<G: Game>(game: &G, node: &NodeOf<G>) -> Option<(G::State, Moment<G::Chance>)> {
    match *node {
        Node::Chance(state, _, chance) => Some((state, Moment::Roll(chance))),
        Node::Decision(state, question) => {
            let state = game.met_again(state, question)?;
            assert_eq!(game.ask_again(state, question.kind), Some(question), "{state:?}");
            Some((state, Moment::Ask(question.kind)))
        }
        Node::Terminal(_) => None,
    }
}

/// One state stands before one roll, or one question that is asked again from it.
pub(crate) fn moments<G: Game>(
    game: &G,
    nodes: &[NodeOf<G>],
    known: &mut HashMap<G::State, Moment<G::Chance>>,
) {
    for node in nodes {
        if let Some((state, moment)) = moment(game, node) {
            let state = game.canonical(state);
            let earlier = *known.entry(state).or_insert(moment);
            assert_eq!(
                earlier, moment,
                "two moments of one state: what tells them apart belongs into {state:?}"
            );
        }
    }
}

/// From one moment of a path to the next the stage does not fall, whatever is kept.
pub(crate) fn stages<G: Vocabulary>(game: &G, nodes: &[NodeOf<G>]) {
    for keep in keeps(game) {
        let moments = nodes.iter().filter_map(|node| moment(game, node));
        let stages: Vec<_> = moments.map(|(state, _)| game.stage(game.forget(state, keep))).collect();
        assert!(stages.is_sorted(), "{stages:?}");
    }
}

/// Forgetting changes no feature that looks at nothing forgotten, and moves none out of its range.
fn features<G: Vocabulary>(game: &G, state: G::State, less: G::State, keep: u32) {
    for (index, feature) in game.features().iter().enumerate() {
        let value = game.feature(less, index);
        if feature.memory & !keep == 0 {
            assert_eq!(value, game.feature(state, index), "{} of {state:?}", feature.name);
        }
        assert!((feature.low..=feature.high).contains(&value), "{value}: {feature:?}");
    }
}

/// Forgetting first and going on afterwards is the same as going on first.
fn futures<G: Vocabulary + PartialEq>(game: &G, node: &NodeOf<G>, less: G::State, keep: u32) {
    let forgetful = |node: NodeOf<G>| -> NodeOf<G> {
        match node {
            Node::Decision(state, question) => Node::Decision(game.forget(state, keep), question),
            Node::Chance(state, seat, chance) => Node::Chance(game.forget(state, keep), seat, chance),
            Node::Terminal(state) => Node::Terminal(game.forget(state, keep)),
        }
    };
    match *node {
        Node::Decision(state, question) => {
            for action in question.actions.iter() {
                let [then, now] =
                    [state, less].map(|state| forgetful(game.decide(state, question.kind, action, &mut ())));
                assert_eq!(then, now, "{action:?} in {state:?}");
            }
        }
        Node::Chance(state, _, chance) => {
            for (outcome, _) in chance.outcomes() {
                let [then, now] = [state, less].map(|state| forgetful(game.resolve(state, outcome, &mut ())));
                assert_eq!(then, now, "{outcome:?} in {state:?}");
            }
        }
        Node::Terminal(end) => {
            same_end(game, end, less);
            same_end(game, end, game.canonical(end));
        }
    }
}

/// What is reported of the end is not forgotten, and like ends are worth the same.
fn same_end<G: Vocabulary>(game: &G, end: G::State, like: G::State) {
    assert_eq!(game.ending(end), game.ending(like), "{end:?}");
    for seat in 0..game.seats() {
        let [ours, theirs] = [end, like].map(|end| {
            let mut values = [0; MAX_METRICS];
            game.measure(end, seat, &mut values);
            values
        });
        assert_eq!(ours, theirs, "{end:?}");
    }
}
