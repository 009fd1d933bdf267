//! Laws that every game obeys, and values that must never change. A new game is one more line at the end.

#[path = "../common/mod.rs"]
mod common;

mod chance;
mod digests;
mod figures;
mod histogram;
mod leads;
mod memory;
mod names;
mod nodes;
mod paired;
mod rules;
mod runs;
mod seeds;
mod streams;
mod tables;
mod transcripts;
mod watched;

use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;

use common::{Whim, path, state_of};
use rayon::ThreadPoolBuilder;
use stopwise_engine::game::Node;
use stopwise_engine::games::carbonite::{Atom, Carbonite, Points, Retribution, VaultMatch};
use stopwise_engine::games::carcassonne::{self, Carcassonne, NineCatapults};
use stopwise_engine::games::freeze::{Bank, Doubles, Fraction, Freeze, Rates, Simultaneous, StakeAtEnd};
use stopwise_engine::games::icedice::{Copies, IceDice, NoChoice};
use stopwise_engine::games::pig::{Faces, Pig};
use stopwise_engine::run::Batch;
use stopwise_engine::stream::Keys;
use stopwise_engine::vocabulary::{Prose, Vocabulary};

/// What `play` returns on so many threads. Compiled for each result, not for each game.
fn on_pool<T: Send>(threads: usize, play: &(dyn Fn() -> T + Sync)) -> T {
    ThreadPoolBuilder::new().num_threads(threads).build().expect("threads").install(play)
}

/// Stops a run once a batch has been played.
fn after_a_batch(batch: Batch) -> ControlFlow<()> {
    if batch.trials > 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
}

/// Paths a game: four of each of the seven kinds of whim.
const SALTS: u64 = 28;

/// Holds one game, under some of its rules, to all laws.
///
/// What a node must be is asked of each once: paths share their beginnings, their dice and, in small games, most of their
/// states. How trials are handed out, counted and merged depends on the number of seats alone, one or several, and is
/// asked of the first rules with each; the shortest games stand first.
fn check<G: Vocabulary + Prose + PartialEq>(rules: &[G]) {
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
                |node: &Node<G>| if let Node::Decision(_, asked) = *node { Some(asked) } else { None };
            let is_new = |node: &Node<G>| seen.insert((state_of(node), question(node)));
            let new: Vec<_> = nodes.iter().map(is_new).collect();
            for (at, node) in nodes.iter().enumerate().filter(|&(at, _)| new[at]) {
                let ways = nodes::check(game, node, nodes.get(at + 1), &mut told);
                memory::moments(game, &ways, &mut moments);
                memory::check(game, node);
                digests::of_state(game, node);
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

#[test]
fn carbonite() {
    let wiki = Carbonite::WIKI;
    let dear = Points { solid: 1000, mixed: 700, single: 300 };
    check(&[
        wiki,
        Carbonite::README_V1,
        Carbonite { atom: Atom::Reroll, vault_match: VaultMatch::Free, ..wiki },
        Carbonite { atom: Atom::Bust, vault_match: VaultMatch::NoMatch, points: dear, ..wiki },
        Carbonite { retribution: Retribution::Any, colours: 4, vault_match: VaultMatch::Free, ..wiki },
        Carbonite { retribution: Retribution::None, points: dear, ..wiki },
        Carbonite { colours: 2, copies: 1, turns: 3, ..wiki },
    ]);
}

#[test]
fn icedice() {
    let two = IceDice::TWO;
    check(&[
        IceDice { copies: Copies::Number(1), trios: 1, turn_cap: 5, ..two },
        two,
        IceDice { no_choice: NoChoice::Bust, ..IceDice::THREE },
        IceDice { no_choice: NoChoice::Reroll, trios: 2, ..IceDice::FOUR },
        IceDice { players: 4, copies: Copies::Number(1), trios: 5, turn_cap: 60, ..two },
        IceDice { copies: Copies::Number(4), trios: 20, turn_cap: 60, ..two },
    ]);
}

#[test]
fn freeze() {
    let fraction = |value: f64| Fraction::try_from(value).expect("a chance");
    let short = Freeze { steps: 12, start_counters: 1, ..Freeze::PUBLISHED };
    let paces = [1.0, 0.5, 0.0].map(fraction);
    let all = Freeze {
        doubles: Doubles::Always,
        simultaneous: Simultaneous::All,
        broke_bonus: true,
        fumble: fraction(0.3),
        stake_at_end: StakeAtEnd::Paid,
        ..short
    };
    check(&[
        short,
        Freeze { steps: 100, ..Freeze::PUBLISHED },
        all,
        Freeze { players: 8, bank: Bank::InAll(9), confirm_steps: 7, ..all },
        Freeze { players: 3, rate: Rates::each(&paces).expect("three"), start_counters: 0, ..all },
        Freeze {
            players: 2,
            doubles: Doubles::Lightning,
            lightning_steps: 5,
            fumble: Fraction::ONE,
            ..short
        },
    ]);
}

#[test]
fn pig() {
    let two_faces = Faces::try_from(vec![1, 20]).expect("faces of a die");
    check(&[
        Pig::PIGLET,
        Pig::SOLO,
        Pig::STANDARD,
        Pig { players: 4, goal: 60, turn_cap: 30, ..Pig::STANDARD },
        Pig { players: 3, goal: 1000, sides: 20, bust_faces: two_faces, turn_cap: 1000, ..Pig::STANDARD },
    ]);
}

#[test]
fn carcassonne() {
    let faces = |texts: [&str; 4]| {
        carcassonne::Faces::try_from(texts.map(str::to_owned).to_vec()).expect("faces of a die")
    };
    let corners = faces(["CCFF", "CCCF", "CCFF", "CCFF"]);
    let caps = faces(["CCCF", "CFFF", "CFFF", "CFCF"]);
    // Whims need more turns than anybody who plays to win, and the walk takes a cap beyond reach for none.
    let two = Carcassonne { goal: 6, turn_cap: 60_000, ..Carcassonne::TWO };
    check(&[
        Carcassonne { dice: 7, rolls: 9, faces: corners, keeping: false, turn_cap: 20, ..two },
        Carcassonne::SOLO,
        two,
        Carcassonne { turns: 5, keeping: true, knights_needed: 2, faces: caps, ..Carcassonne::SOLO },
        Carcassonne { players: 5, rolls: 5, nine_catapults: NineCatapults::Roll, ..two },
        Carcassonne { players: 3, dice: 5, knights_needed: 1, faces: caps, turn_cap: 12, goal: 1000, ..two },
        Carcassonne { dice: 3, goal: 1, nine_catapults: NineCatapults::Off, knights_needed: 9, ..two },
    ]);
}
