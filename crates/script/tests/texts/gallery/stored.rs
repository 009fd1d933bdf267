//! Law: which questions the exact walk stores changes no value, and a stored position is one moment.

use std::collections::HashMap;

use stopwise_analysis::exact::{ExactError, Limits, Objective, Solution, solve};
use stopwise_engine::chance::Chance as _;
use stopwise_engine::game::{Game, Node, NodeOf, Question};
use stopwise_engine::stream::{Keys, WordSource as _};
use stopwise_script::Script;

use crate::common::{compiled, text};

/// A game under these options, in which all questions are stored, or none. A text of its own is a program of its own.
fn game(name: &str, options: &[(&str, &str)], is_stored: bool) -> Script {
    let script = compiled(&format!("{}# {is_stored}\n", text(name)), options);
    script.store(is_stored);
    script
}

fn best(game: &Script) -> Solution<Script> {
    let free: Vec<Option<&Solution<Script>>> = vec![None; game.seats()];
    let limits = Limits { states: 100_000, ..Limits::default() };
    solve(game, &free, Objective::new(game, 0), limits)
        .unwrap_or_else(|error| panic!("{}: {error}", game.info().name))
}

const SMALL: [(&str, &[(&str, &str)]); 8] = [
    ("pig", &[("goal", "20")]),
    ("pig", &[("goal", "30"), ("players", "1")]),
    ("yahtzee", &[("boxes", "2"), ("needed", "6")]),
    ("cant-stop", &[("players", "1"), ("sides", "2"), ("shortest", "1"), ("finished", "2")]),
    ("shut-the-box", &[("boxes", "6"), ("players", "2")]),
    ("farkle", &[("dice", "2"), ("players", "1"), ("goal", "500"), ("entry", "0")]),
    ("zombie-dice", &[("greens", "2"), ("yellows", "1"), ("reds", "0"), ("players", "1"), ("goal", "2")]),
    ("carbonite", &[("colours", "2"), ("turns", "3")]),
];

/// Two who may pass for ever, with nothing rolled between: where questions are stored, the bounds of the value do not meet, since who
/// draws first hits one time in three; where none is, they are too many to follow.
#[test]
fn questions_without_end_are_no_walk() {
    let duel = "game duel \"Who draws first\"\noption players = 2 in 2..2\ndie d = 1..6\nplayer score = 0 in 0..1\nturn\n  \
                ask shoot \"draw\"\n    roll face = d\n    if face <= 2: end game shot won by me\n    \
                end game shot lost by me\nend shot \"somebody has drawn\"\nwin most score\n";
    let error = |script: &Script| {
        let free: Vec<Option<&Solution<Script>>> = vec![None; 2];
        solve(script, &free, Objective::new(script, 0), Limits::default()).expect_err("nobody draws")
    };
    let found = error(&compiled(duel, &[]));
    let ExactError::Wide { bounds: Some([low, high]) } = found else { panic!("{found:?}") };
    assert!((low - 1.0 / 3.0).abs() < 1e-9 && (high - 2.0 / 3.0).abs() < 1e-9, "{low} {high}");
    let none = compiled(&format!("{duel}# none\n"), &[]);
    none.store(false);
    assert_eq!(error(&none), ExactError::Questions);
}

/// Stored or not, values are the same, and so are the answers of best play.
#[test]
fn stored_questions_change_no_value() {
    for (name, options) in SMALL {
        let games = [false, true].map(|is_stored| game(name, options, is_stored));
        let [none, all] = games.map(|game| best(&game));
        let error = none.error() + all.error();
        assert!((none.middle() - all.middle()).abs() <= error, "{name}: {} {}", none.middle(), all.middle());
        assert!(none.states < all.states, "{name}");
        for number in 0..10 {
            each_node(&games[0], number, &mut |node| {
                let Node::Decision(state, question) = node else { return };
                let worths = [&none, &all].map(|solution| solution.worths(state, question));
                let [Some(none), Some(all)] = worths else { panic!("{name}: {worths:?}") };
                let is_same = |(a, b): (&f64, &f64)| (a - b).abs() <= 1e-9;
                assert!(none.iter().zip(&all).all(is_same), "{name}: {none:?}, {all:?}");
            });
        }
    }
}

/// A stored state tells its question and nothing that the rules do not read; stages never fall; one state is one moment.
#[test]
fn stored_states_tell_their_questions() {
    for (name, options) in SMALL {
        let game = game(name, options, true);
        let mut moments = HashMap::new();
        for number in 0..30 {
            let mut last = 0;
            each_node(&game, number, &mut |node| {
                let (state, question) = match node {
                    Node::Chance(state, ..) => (state, None),
                    Node::Decision(state, question) => {
                        let Some(told) = game.met_again(state, question) else { return };
                        assert_eq!(game.ask_again(told, question.kind), Some(question), "{name}");
                        for action in question.actions.iter() {
                            let after = |from| match game.decide(from, question.kind, action, &mut ()) {
                                Node::Chance(state, ..) | Node::Decision(state, _) => {
                                    Ok(game.canonical(state))
                                }
                                Node::Terminal(end) => Err(game.ending(end)),
                            };
                            assert_eq!(after(state), after(game.canonical(told)), "{name}");
                        }
                        (told, Some(question))
                    }
                    Node::Terminal(_) => return,
                };
                let key = game.canonical(state);
                assert_eq!(game.canonical(key), key, "{name}");
                assert_eq!(*moments.entry(key).or_insert(question), question, "{name}");
                assert!(game.stage(key) >= last, "{name}");
                last = game.stage(key);
            });
        }
    }
}

/// The nodes of a game with random answers.
fn each_node(game: &Script, number: u64, visit: &mut dyn FnMut(NodeOf<Script>)) {
    let mut words = Keys::new(4).streams(number, game.seats());
    let mut node = game.root(&mut ());
    loop {
        visit(node);
        node = match node {
            Node::Terminal(_) => return,
            Node::Chance(state, seat, throw) => game.resolve(state, throw.sample(words.word(seat)), &mut ()),
            Node::Decision(state, Question { seat, kind, actions }) => {
                let number = (words.word(seat) % actions.count()) as usize;
                let action = actions.iter().nth(number).expect("an action");
                game.decide(state, kind, action, &mut ())
            }
        }
    }
}
