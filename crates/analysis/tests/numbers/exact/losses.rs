//! Losses of policies: the parts sum to the regret, and on a tiny game they equal those from enumerating every path.

use std::collections::BTreeMap;

use stopwise_analysis::exact::{Limits, Loss, Objective, best_answers, losses, losses_against_best, solve};
use stopwise_engine::chance::Chance as _;
use stopwise_engine::game::{Action, Better, Game, Node, NodeOf, Policy, Source};
use stopwise_engine::games::carbonite::Carbonite;
use stopwise_engine::games::carcassonne::Carcassonne;
use stopwise_engine::games::pig::{Pig, State};
use stopwise_engine::vocabulary::Vocabulary;
use stopwise_policy::{TextPolicy, shipped};

fn shipped_policy<G: Vocabulary>(game: &G, name: &str, parameters: &[(&str, &str)]) -> TextPolicy<G> {
    let parameters: Vec<_> = parameters.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
    let text = shipped::policy(game.info().name, name).expect("shipped").text();
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

/// What is charted are the stops that are counted by turn, answered as the policy says; best play stops where it must.
#[test]
fn answers_are_those_of_the_policy() {
    let game = Carbonite { colours: 2, turns: 3, ..Carbonite::WIKI };
    let best =
        solve::<_, &TextPolicy<Carbonite>>(&game, &[None], Objective::new(&game, 0), Limits::default())
            .expect("solves");
    let policy = shipped_policy(&game, "first", &[("k", "2")]);
    let found = losses(&best, &policy, Limits::default()).expect("ends");
    let stops = found.rows.expect("few positions");
    let of_turn =
        |turn: u32| stops.iter().find(|loss| loss.kind == 2 && loss.turn == Some(turn)).expect("stops");
    assert_eq!(game.frequency().expect("a chart").kind, 2);
    for turn in 1..=3 {
        let cells: Vec<_> = found.answers.iter().filter(|cell| cell.row == i64::from(turn)).collect();
        let sum: f64 = cells.iter().map(|cell| cell.decisions).sum();
        assert!((sum - of_turn(turn).decisions).abs() < 1e-12, "turn {turn}");
        for cell in cells {
            let expected = if cell.column >= 2 { cell.decisions } else { 0.0 };
            assert!((cell.yes - expected).abs() < 1e-15, "{cell:?}");
        }
    }
    let answers = best_answers(&best, Limits::default()).expect("ends");
    // A Counter of all colours is always stashed: any further roll is a bomb-out.
    assert!(answers.iter().all(|cell| cell.decisions > 0.0 && (0.0..=cell.decisions).contains(&cell.yes)));
    assert!(
        answers.iter().filter(|cell| cell.column == 2).all(|cell| cell.yes == cell.decisions),
        "{answers:?}"
    );
    assert!(answers.iter().any(|cell| cell.column == 1 && cell.yes == 0.0));
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
fn best(game: &Pig, node: NodeOf<Pig>, metric: usize) -> f64 {
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
    node: NodeOf<Pig>,
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

/// The losses of a policy in a seat, what it makes of the first seat's mean there, and what best play makes of it.
fn judged_in_seat<G: Vocabulary>(
    game: &G,
    policy: &TextPolicy<G>,
    metric: usize,
    seat: usize,
) -> (Vec<Loss>, [f64; 2]) {
    let objective = Objective::new(game, metric);
    let best = solve::<G, &TextPolicy<G>>(game, &[None, None], objective, Limits::default()).expect("solves");
    let found = losses_against_best(&best, policy, seat, Limits::default()).expect("ends");
    (found.rows.expect("few positions"), [found.distribution.means[0][metric], best.middle()])
}

fn assert_sums_in_seats<G: Vocabulary>(
    game: &G,
    name: &str,
    parameters: &[(&str, &str)],
    metric: usize,
) -> Vec<Loss> {
    let policy = shipped_policy(game, name, parameters);
    let mut all = Vec::new();
    for (seat, sign) in [(0, 1.0), (1, -1.0)] {
        let (rows, [mean, best]) = judged_in_seat(game, &policy, metric, seat);
        let sum: f64 = rows.iter().map(|loss| loss.regret).sum();
        let regret = sign * (best - mean);
        assert!((sum - regret).abs() < 1e-9, "{name} {parameters:?} in seat {seat}: {sum} is not {regret}");
        for loss in &rows {
            assert!(loss.regret >= 0.0 && loss.mistakes <= loss.decisions + 1e-12, "{loss:?}");
        }
        all.extend(rows);
    }
    all
}

/// The same lemma with best play, which never changes, in the other seat.
#[test]
fn the_parts_sum_to_the_regret_in_both_seats() {
    for goal in [10, 25] {
        let game = Pig { goal, ..Pig::STANDARD };
        for n in ["3", "8", "20"] {
            let rows = assert_sums_in_seats(&game, "hold", &[("n", n)], 0);
            assert!(rows.len() == 2 && rows.iter().all(|loss| loss.turn.is_none()), "{rows:?}");
        }
        assert_sums_in_seats(&game, "end-race-or-keep-pace", &[], 0);
    }
    let capped = Pig { goal: 20, turn_cap: 3, ..Pig::STANDARD };
    for name in ["win", "points"] {
        let metric = capped.metrics().iter().position(|metric| metric.name == name).expect("a metric");
        let rows = assert_sums_in_seats(&capped, "hold", &[("n", "6")], metric);
        // In the last turn there may be nothing left to play for.
        assert!(rows.iter().all(|loss| loss.turn.is_some_and(|turn| (1..=3).contains(&turn))), "{rows:?}");
        assert!(rows.iter().any(|loss| loss.turn == Some(2)), "{rows:?}");
    }
    let game = Carcassonne { dice: 3, goal: 2, turn_cap: 6, ..Carcassonne::TWO };
    for name in ["one", "first-city"] {
        let rows = assert_sums_in_seats(&game, name, &[], 0);
        assert!(rows.iter().any(|loss| loss.regret > 1e-5), "{name}: {rows:?}");
    }
}

/// Pig for two by itself: chances to win of who is to move, by own score, the other's, and the total of the turn.
struct Duel {
    goal: usize,
    /// With best play of both, before a roll or a decision.
    best: Vec<f64>,
}

impl Duel {
    /// Value iteration until nothing moves.
    fn solved(goal: usize) -> Self {
        let mut duel = Self { goal, best: vec![0.0; goal * goal * goal] };
        loop {
            let mut moved = 0.0_f64;
            for at in (0..goal * goal * goal).rev() {
                let [own, other, total] = duel.scores(at);
                if own + total >= goal {
                    continue;
                }
                let [hold, roll] = duel.answers(own, other, total);
                let chance = if total == 0 { roll } else { roll.max(hold) };
                moved = moved.max((chance - duel.best[at]).abs());
                duel.best[at] = chance;
            }
            if moved < 1e-15 {
                return duel;
            }
        }
    }

    fn scores(&self, at: usize) -> [usize; 3] {
        [at / (self.goal * self.goal), at / self.goal % self.goal, at % self.goal]
    }

    fn at(&self, own: usize, other: usize, total: usize) -> usize {
        (own * self.goal + other) * self.goal + total
    }

    /// What holding and rolling are worth, with best play afterwards; with the goal in hand it is won.
    fn answers(&self, own: usize, other: usize, total: usize) -> [f64; 2] {
        let is_won = |total| own + total >= self.goal;
        let hold = if is_won(total) { 1.0 } else { 1.0 - self.best[self.at(other, own + total, 0)] };
        let scored =
            |face| if is_won(total + face) { 1.0 } else { self.best[self.at(own, other, total + face)] };
        let bust = 1.0 - self.best[self.at(other, own, 0)];
        [hold, ((2..=6).map(scored).sum::<f64>() + bust) / 6.0]
    }

    /// The policy that holds from `n` in a seat, against best play: decisions, mistakes and regret of a game, and its chance
    /// to win. Probability flows from the start until none is left.
    fn judged(&self, n: usize, seat: usize) -> ([f64; 3], f64) {
        let (mut sums, mut wins) = ([0.0; 3], 0.0);
        // Before a roll: whose move it is (1 for the judged), own score, the other's, the total.
        let mut flow = BTreeMap::from([((usize::from(seat == 0), 0, 0, 0), 1.0)]);
        while flow.values().sum::<f64>() > 1e-17 {
            for ((judged, own, other, total), share) in std::mem::take(&mut flow) {
                let share = share / 6.0;
                *flow.entry((1 - judged, other, own, 0)).or_default() += share;
                for total in (2..=6).map(|face| (total + face).min(self.goal - own)) {
                    let [hold, roll] = self.answers(own, other, total);
                    assert!((hold - roll).abs() > 1e-9, "both are best: {own} : {other}, {total}");
                    let holds =
                        if judged == 1 { total >= n || own + total >= self.goal } else { hold > roll };
                    if judged == 1 {
                        let lost = hold.max(roll) - if holds { hold } else { roll };
                        let is_mistake = f64::from(u8::from(lost > 1e-9));
                        for (sum, more) in sums.iter_mut().zip([1.0, is_mistake, lost]) {
                            *sum += share * more;
                        }
                    }
                    if !holds {
                        *flow.entry((judged, own, other, total)).or_default() += share;
                    } else if own + total < self.goal {
                        *flow.entry((1 - judged, other, own + total, 0)).or_default() += share;
                    } else {
                        wins += share * judged as f64;
                    }
                }
            }
        }
        (sums, wins)
    }
}

#[test]
fn pig_for_two_by_itself_gives_the_same() {
    for goal in [7, 12, 20] {
        let (game, duel) = (Pig { goal, ..Pig::STANDARD }, Duel::solved(usize::from(goal)));
        let first = duel.best[duel.at(0, 0, 0)];
        for n in [3, 5, 9, 20] {
            let policy = shipped_policy(&game, "hold", &[("n", &n.to_string())]);
            for seat in 0..2 {
                let (rows, [mean, best]) = judged_in_seat(&game, &policy, 0, seat);
                let (expected, wins) = duel.judged(n, seat);
                let [loss] = rows[..] else { panic!("{rows:?}") };
                let of_first = if seat == 0 { wins } else { 1.0 - wins };
                let found = [loss.decisions, loss.mistakes, loss.regret, mean, best];
                let expected = expected.into_iter().chain([of_first, first]);
                for (found, expected) in found.into_iter().zip(expected) {
                    assert!(
                        (found - expected).abs() < 1e-9,
                        "goal {goal}, {n}, {seat}: {found} is not {expected}"
                    );
                }
            }
        }
    }
}
