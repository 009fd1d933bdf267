//! Where policies lose: the parts sum to the regret, and on a tiny game they are what every path by itself gives.

use std::collections::BTreeMap;

use stopwise_analysis::exact::{Limits, Loss, Objective, losses, solve};
use stopwise_engine::chance::Chance as _;
use stopwise_engine::game::{Action, Better, Game, Node, Policy, Source};
use stopwise_engine::games::carbonite::Carbonite;
use stopwise_engine::games::carcassonne::Carcassonne;
use stopwise_engine::games::pig::{Pig, State};
use stopwise_engine::vocabulary::Vocabulary;
use stopwise_policy::{TextPolicy, shipped};

fn shipped_policy<G: Vocabulary>(game: &G, name: &str, parameters: &[(&str, &str)]) -> TextPolicy<G> {
    let parameters: Vec<_> = parameters.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
    let text = shipped::policy(G::NAME, name).expect("shipped").text();
    TextPolicy::compile(&text, game, &parameters).expect("compiles")
}

/// The losses of a policy, and its regret: the difference of two values, each from a walk of its own.
fn judged<G: Vocabulary>(game: &G, policy: &TextPolicy<G>, metric: usize) -> (Vec<Loss>, f64) {
    let objective = Objective::new(game, metric);
    let best = solve::<G, &TextPolicy<G>>(game, &[None], objective, Limits::default()).expect("solves");
    let fixed = solve(game, &[Some(policy)], objective, Limits::default()).expect("solves");
    let found = losses(&best, policy, Limits::default()).expect("ends");
    (found.rows.expect("few positions"), (best.middle() - fixed.middle()).abs())
}

fn assert_sums<G: Vocabulary>(game: &G, name: &str, parameters: &[(&str, &str)], metric: usize) -> Vec<Loss> {
    let (rows, regret) = judged(game, &shipped_policy(game, name, parameters), metric);
    let sum: f64 = rows.iter().map(|loss| loss.regret).sum();
    assert!((sum - regret).abs() < 1e-9, "{name} {parameters:?}: {sum} is not {regret}");
    for loss in &rows {
        assert!(loss.regret >= 0.0 && loss.mistakes <= loss.decisions + 1e-12, "{loss:?}");
    }
    rows
}

/// The performance difference lemma, where positions return and where they do not.
#[test]
fn the_parts_sum_to_the_regret() {
    for goal in [20, 25, 30] {
        let game = Pig { goal, ..Pig::SOLO };
        for n in ["3", "8", "15", "20"] {
            let rows = assert_sums(&game, "hold", &[("n", n)], 0);
            assert!(rows.len() == 1 && rows[0].turn.is_none(), "turns are not counted: {rows:?}");
        }
    }
    let capped = Pig { goal: 20, turn_cap: 6, ..Pig::SOLO };
    let points = capped.metrics().iter().position(|metric| metric.name == "points").expect("a metric");
    let rows = assert_sums(&capped, "hold", &[("n", "8")], points);
    assert_eq!(rows.iter().map(|loss| loss.turn).collect::<Vec<_>>(), (1..=6).map(Some).collect::<Vec<_>>());

    let game = Carcassonne { dice: 4, ..Carcassonne::SOLO };
    let rows = assert_sums(&game, "builder", &[], 0);
    assert!(rows.iter().any(|loss| loss.regret > 0.1), "{rows:?}");

    let game = Carbonite { colours: 2, turns: 3, ..Carbonite::WIKI };
    for (name, parameters) in [("tidy", &[][..]), ("first", &[("k", "1")]), ("first", &[("k", "3")])] {
        let rows = assert_sums(&game, name, parameters, 0);
        assert!(rows.iter().all(|loss| loss.turn.is_some_and(|turn| (1..=3).contains(&turn))), "{rows:?}");
        assert!(rows.iter().any(|loss| loss.regret > 0.0));
    }
}

/// The value of best play from here, by trying everything; where the goal is reached one holds, lest paths have no end.
fn best(game: &Pig, node: Node<Pig>, metric: usize) -> f64 {
    match node {
        Node::Terminal(end) => payoff(game, end, metric),
        Node::Chance(state, _, chance) => {
            let total: u32 = chance.outcomes().map(|(_, weight)| weight).sum();
            let worth = |(outcome, weight)| {
                f64::from(weight) / f64::from(total)
                    * best(game, game.resolve(state, outcome, &mut ()), metric)
            };
            chance.outcomes().map(worth).sum()
        }
        Node::Decision(state, question) => {
            if is_there(game, state) {
                return best(game, game.decide(state, question.kind, Action::YES, &mut ()), metric);
            }
            let worth =
                |action: Action| best(game, game.decide(state, question.kind, action, &mut ()), metric);
            question.actions.iter().map(worth).fold(f64::NEG_INFINITY, f64::max)
        }
    }
}

/// Whether the points of the turn reach the goal.
fn is_there(game: &Pig, state: State) -> bool {
    state.score() + state.turn_total() == u32::from(game.goal)
}

fn payoff(game: &Pig, end: State, metric: usize) -> f64 {
    let mut values = [0; stopwise_engine::game::MAX_METRICS];
    game.measure(end, 0, &mut values);
    values[metric].into()
}

/// Turn and kind of decision, with decisions, mistakes and regret.
type Parts = BTreeMap<(i64, usize), [f64; 3]>;

/// Every path of a policy by itself.
fn paths(
    game: &Pig,
    policy: &TextPolicy<Pig>,
    node: Node<Pig>,
    metric: usize,
    chance_of: f64,
    parts: &mut Parts,
) {
    match node {
        Node::Terminal(_) => {}
        Node::Chance(state, _, chance) => {
            let total: u32 = chance.outcomes().map(|(_, weight)| weight).sum();
            for (outcome, weight) in chance.outcomes() {
                let share = chance_of * f64::from(weight) / f64::from(total);
                paths(game, policy, game.resolve(state, outcome, &mut ()), metric, share, parts);
            }
        }
        Node::Decision(state, question) => {
            let action = policy.choose(game, state, question);
            let next = game.decide(state, question.kind, action, &mut ());
            if question.actions.count() > 1 {
                let turn = game.features().iter().position(|feature| feature.name == "turn").expect("a turn");
                let lost = best(game, node, metric) - best(game, next, metric);
                let sums = parts.entry((game.feature(state, turn), question.kind)).or_default();
                let is_mistake = f64::from(u8::from(lost > 1e-9));
                for (sum, more) in sums.iter_mut().zip([1.0, is_mistake, lost]) {
                    *sum += chance_of * more;
                }
            }
            paths(game, policy, next, metric, chance_of, parts);
        }
    }
}

fn assert_same(game: &Pig, policy: &TextPolicy<Pig>, metric: usize) {
    let declared = game.metrics()[metric];
    assert!(declared.source == Source::End && declared.better == Better::Higher);
    let mut expected = Parts::new();
    paths(game, policy, game.root(&mut ()), metric, 1.0, &mut expected);
    let (rows, _) = judged(game, policy, metric);
    assert!(rows.len() == expected.len() && rows.len() == 3, "{rows:?}\n{expected:?}");
    for loss in rows {
        let turn = loss.turn.map_or(0, i64::from);
        let found = [loss.decisions, loss.mistakes, loss.regret];
        for (found, expected) in found.iter().zip(expected[&(turn, loss.kind)]) {
            assert!((found - expected).abs() < 1e-12, "{loss:?} is not {expected}");
        }
    }
}

#[test]
fn every_path_by_itself_gives_the_same() {
    let pig = Pig { goal: 5, sides: 3, turn_cap: 3, ..Pig::SOLO };
    let points = pig.metrics().iter().position(|metric| metric.name == "points").expect("a metric");
    for n in ["2", "3", "4"] {
        assert_same(&pig, &shipped_policy(&pig, "hold", &[("n", n)]), points);
    }
}
