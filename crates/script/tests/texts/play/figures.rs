//! Published values of small games.

use std::collections::HashMap;

use stopwise_engine::chance::Chance;
use stopwise_engine::game::{Better, Event, Events, Game, MAX_METRICS, Node, NodeOf};
use stopwise_script::{Script, State};

use crate::common::{compiled, script};

/// Whether a turn was lost.
#[derive(Default)]
struct Lost(bool);

impl Events for Lost {
    fn event(&mut self, _: usize, event: Event) {
        self.0 |= event == Event::BUST;
    }
}

/// The score of a game for one under best play; no position comes again.
fn best(game: &Script, node: NodeOf<Script>, known: &mut HashMap<State, f64>) -> f64 {
    match node {
        Node::Terminal(end) => {
            let mut values = [0; MAX_METRICS];
            game.measure(end, 0, &mut values);
            values[0].into()
        }
        Node::Decision(state, question) => {
            let answers =
                question.actions.iter().map(|action| game.decide(state, question.kind, action, &mut ()));
            answers.map(|node| best(game, node, known)).fold(0.0, f64::max)
        }
        Node::Chance(state, _, throw) => {
            let state = game.forget(state, 0);
            if let Some(value) = known.get(&state) {
                return *value;
            }
            let (mut sum, mut total) = (0.0, 0.0);
            for (shown, weight) in throw.outcomes() {
                let node = game.resolve(state, shown, &mut ());
                sum += f64::from(weight) * best(game, node, known);
                total += f64::from(weight);
            }
            known.insert(state, sum / total);
            sum / total
        }
    }
}

/// The least points at which best play stops.
fn stops_at(game: &Script) -> i64 {
    use stopwise_engine::game::Action;
    use stopwise_engine::vocabulary::Vocabulary;
    let index = game.features().iter().position(|feature| feature.name == "points").expect("points");
    let mut known = HashMap::new();
    let mut rest = vec![game.root(&mut ())];
    let mut least = i64::MAX;
    while let Some(node) = rest.pop() {
        match node {
            Node::Terminal(_) => {}
            Node::Decision(state, question) => {
                let mut of =
                    |action| best(game, game.decide(state, question.kind, action, &mut ()), &mut known);
                if of(Action::YES) >= of(Action::NO) - 1e-9 {
                    least = least.min(game.feature(state, index));
                } else {
                    rest.push(game.decide(state, question.kind, Action::NO, &mut ()));
                }
            }
            Node::Chance(state, _, throw) => {
                rest.extend(throw.outcomes().map(|(shown, _)| game.resolve(state, shown, &mut ())));
            }
        }
    }
    least
}

fn one_turn(die: &str, roll: &str) -> Script {
    let text = format!(
        "game one_turn \"the most points of one turn\"\ndie d = {die}\nshared score = 0 in 0..60\nturn\n  \
         let points = 0 in 0..60\n  repeat\n    {roll}\n    ask stop where points < 60\n      score = points\n      \
         end turn\n    else\n      if points == 60\n        score = points\n        end turn\nend after 1 turns\n\
         alone most score\n"
    );
    compiled(&text, &[])
}

/// Nerves of Steel, and a turn of Pig and of two-dice Pig (Neller and Presser, 2004). A turn that is worth more than 60
/// points adds less than the digits shown.
#[test]
fn turns_of_pig_and_its_relatives() {
    let pig = "roll face = d\n    if face == 1: bust\n    points = min(points + face, 60)";
    let nerves = "roll face = d\n    if face == 6: bust\n    points = min(points + face, 60)";
    let two = "roll dice = 2 d\n    if count(dice, 1) > 0: bust\n    points = min(points + sum(dice), 60)";
    for (name, roll, value, stop) in [
        ("pig", pig, 8.141_795, 20),
        ("nerves of steel", nerves, 6.153_738, 15),
        ("two-dice pig", two, 8.096_993_3, 19),
    ] {
        let game = one_turn("1..6", roll);
        let found = best(&game, game.root(&mut ()), &mut HashMap::new());
        assert!((found - value).abs() < 1e-6, "{name}: {found}");
        assert_eq!(stops_at(&game), stop, "{name}");
    }
}

/// The weight of the outcomes of the first roll that lose the turn.
fn lost(game: &Script) -> u32 {
    let Node::Chance(state, _, throw) = game.root(&mut ()) else { panic!("a roll") };
    let mut sum = 0;
    for (shown, weight) in throw.outcomes() {
        let mut is_lost = Lost::default();
        let _ = game.resolve(state, shown, &mut is_lost);
        sum += if is_lost.0 { weight } else { 0 };
    }
    sum
}

/// Farkle's chance of nothing with six to one dice, without three pairs.
#[test]
fn nothing_in_farkle() {
    for (dice, nothing) in [(6, 1440), (5, 600), (4, 204), (3, 60), (2, 16), (1, 4)] {
        let game = script("farkle", &[("dice", &dice.to_string()), ("pairs", "0")]);
        assert_eq!(lost(&game), nothing, "{dice} dice");
    }
}

/// How often four dice give one of three sums: {6, 7, 8} in 1192 of 1296 cases, {2, 3, 12} in 568.
#[test]
fn columns_of_cant_stop() {
    for (columns, hits) in [("6, 7, 8", 1192), ("2, 3, 12", 568)] {
        let [a, b, c] = columns.split(", ").collect::<Vec<_>>()[..] else { panic!("three columns") };
        let is = format!("x.one == {a} or x.one == {b} or x.one == {c}");
        let text = format!(
            "game hits \"x\"\ndie d = 1..6\nturn\n  roll dice = 4 d\n  if not any(x in pairings(dice) where {is}): bust\n\
             end after 1 turns\nalone least turns\n"
        );
        let game = compiled(&text, &[]);
        assert_eq!(1296 - lost(&game), hits, "{columns}");
    }
}

/// Hire the best of n who come one by one: let r − 1 go by, and take the next who is better than all before. The chance of the
/// best is (r − 1) / n times the sum of 1 / (i − 1) from r to n (Lindley, 1961).
#[test]
fn the_best_of_all_applicants() {
    let text = |n: u32| {
        format!(
            "game hire \"x\"\noption n = {n} in 1..200\nplayer hired = 0 in 0..1\nturn\n  let seen = 0 in 0..n\n  \
             repeat while seen < n\n    seen += 1\n    roll better = chance(1, seen)\n    if better\n      ask take\n        \
             roll best = chance(seen, n)\n        if best: hired = 1\n        end turn\nend after 1 turns\nalone most hired\n"
        )
    };
    for n in [1_u32, 2, 3, 10, 20, 100] {
        let of = |r: u32| {
            let sum = |r: u32| (r..=n).map(|i| 1.0 / f64::from(i - 1)).sum::<f64>();
            if r == 1 { 1.0 / f64::from(n) } else { f64::from(r - 1) / f64::from(n) * sum(r) }
        };
        let greatest = (1..=n).map(of).fold(0.0, f64::max);
        let game = compiled(&text(n), &[]);
        let found = best(&game, game.root(&mut ()), &mut HashMap::new());
        assert!((found - greatest).abs() < 1e-12, "{n}: {found} and {greatest}");
    }
}

/// Alone one plays for few turns; of a single turn for what wins otherwise.
#[test]
fn what_a_single_turn_is_played_for() {
    for (name, options, unit, better) in [
        ("zombie-dice", &[("players", "1"), ("rounds", "1"), ("goal", "40")][..], "brains", Better::Higher),
        ("farkle", &[("players", "1"), ("rounds", "1")], "points", Better::Higher),
        ("farkle", &[("players", "1"), ("rounds", "2")], "turns", Better::Lower),
        ("pig", &[("players", "1"), ("turn_cap", "1")], "points", Better::Higher),
        ("shut-the-box", &[], "points", Better::Lower),
    ] {
        let metric = script(name, options).metrics()[0];
        assert_eq!((metric.name, metric.unit, metric.better), ("score", unit, better), "{name} {options:?}");
    }
}
