//! The laws of every game, and the one call that holds a game to all of them.

mod chance;
mod digests;
mod memory;
mod names;
mod nodes;
mod paired;
mod positions;
mod runs;
mod seeds;
mod tables;
mod watched;

use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;

use rayon::ThreadPoolBuilder;
use stopwise_engine::game::{Node, NodeOf};
use stopwise_engine::run::Batch;
use stopwise_engine::stream::Keys;
use stopwise_engine::vocabulary::{Prose, Vocabulary};

use crate::common::{Whim, path};

/// What `play` returns on so many threads. Compiled for each result, not for each game.
pub(crate) fn on_pool<T: Send>(threads: usize, play: &(dyn Fn() -> T + Sync)) -> T {
    ThreadPoolBuilder::new().num_threads(threads).build().expect("threads").install(play)
}

/// Stops a run once a batch has been played.
pub(crate) fn after_a_batch(batch: Batch) -> ControlFlow<()> {
    if batch.trials > 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
}

/// Paths a game: four of each of the seven kinds of whim.
const SALTS: u64 = 28;

/// Holds one game, under some of its rules, to all laws.
///
/// What a node must be is asked of each once: paths share their beginnings, their dice and, in small games, most of their
/// states. How trials are handed out, counted and merged depends on the number of seats alone, one or several, and is
/// asked of the first rules with each; the shortest games stand first.
pub(crate) fn check<G: Vocabulary + Prose + PartialEq>(rules: &[G]) {
    let mut kinds_of_runs = HashSet::new();
    for game in rules {
        names::check(game);
        nodes::names(game);
        digests::of_numbers(game);
        let keys = Keys::new(1);
        let (mut seen, mut rolled, mut told) = (HashSet::new(), HashSet::new(), HashSet::new());
        let mut moments = HashMap::new();
        for salt in 0..SALTS {
            let nodes = path(game, &Whim(salt), &mut keys.streams(salt, game.seats()));
            assert!(matches!(nodes.last(), Some(Node::Terminal(_))), "it ends");
            memory::stages(game, &nodes);
            memory::moments(game, &nodes[..1], &mut moments);
            let question =
                |node: &NodeOf<G>| if let Node::Decision(_, asked) = *node { Some(asked) } else { None };
            let is_new = |node: &NodeOf<G>| seen.insert((node.state(), question(node)));
            let new: Vec<_> = nodes.iter().map(is_new).collect();
            for (at, node) in nodes.iter().enumerate().filter(|&(at, _)| new[at]) {
                let ways = nodes::check(game, node, nodes.get(at + 1), &mut told);
                memory::moments(game, &ways, &mut moments);
                memory::check(game, node);
                digests::of_state(game, node);
                positions::check(game, node);
                if let Node::Chance(_, _, chance) = *node
                    && rolled.insert(chance)
                {
                    chance::check(chance);
                }
            }
        }
        seeds::check(game);
        tables::check(game);
        if kinds_of_runs.insert(game.seats() == 1) {
            runs::check(game);
            paired::check(game);
        }
    }
}
