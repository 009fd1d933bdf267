//! Value tables: the best turns, written as a policy and read again, against their exact values.

use std::ops::ControlFlow;

use stopwise_analysis::exact::{Distribution, Limits, Turns, best_turns, distribution};
use stopwise_engine::game::Game;
use stopwise_engine::games::carcassonne::Carcassonne;
use stopwise_engine::run::{Plan, run};
use stopwise_policy::{Text, TextPolicy, write_table};

const SOLO: Carcassonne = Carcassonne::SOLO;

/// What is answered where the table says nothing: the opposite of good play.
const BAD: &str = "game = \"carcassonne\"\nname = \"mine\"\nsummary = \"s\"\nplace = ['done']\nstop = 'true'\nkeep = 'true'\n";

/// The best turns of these rules, written and loaded.
fn loaded(game: &Carcassonne) -> (Turns, TextPolicy<Carcassonne>) {
    let turns = best_turns(game, Limits::default()).expect("small").expect("a game alone");
    let text = format!("{BAD}{}", write_table(game, &turns.rows));
    let policy = TextPolicy::compile(&Text::new("mine.toml", text), game, &[]);
    (turns, policy.unwrap_or_else(|error| panic!("{error}")))
}

fn exactly(game: &Carcassonne, policy: &TextPolicy<Carcassonne>) -> Distribution {
    distribution(game, &[policy], Limits::default()).expect("ends")
}

fn mean(game: &Carcassonne, policy: &TextPolicy<Carcassonne>, metric: &str) -> f64 {
    let place = game.metrics().iter().position(|known| known.name == metric).expect("a metric");
    exactly(game, policy).means[0][place]
}

/// Sampled, the mean score is within 4.5 standard errors of the exact one.
fn check_sampled(game: &Carcassonne, policy: &TextPolicy<Carcassonne>, trials: u64, expected: f64) {
    let plan = Plan { seed: 7, trials: 0..trials };
    let tally = run(game, &[policy], &plan, |_| ControlFlow::Continue(()));
    let (sum, squares) = tally.seats[0].metrics[0].sums();
    let trials = trials as f64;
    let mean = sum as f64 / trials;
    let error = ((squares as f64 / trials - mean * mean) / trials).sqrt();
    assert!((mean - expected).abs() <= 4.5 * error, "{mean} ± {error} is not {expected}");
}

/// A row of the file of best turns.
struct Row {
    dice: u8,
    rolls: u8,
    without_keeping: f64,
    with_keeping: f64,
    kept_knight: f64,
}

fn published() -> Vec<Row> {
    let lines = include_str!("../../data/carcassonne-turns.csv")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .skip(1);
    let row = |line: &str| {
        let cells: Vec<_> = line.split(',').collect();
        let small = |place: usize| cells[place].parse().expect("a small number");
        let number = |place: usize| cells[place].parse().expect("a number");
        Row {
            dice: small(0),
            rolls: small(1),
            without_keeping: number(2),
            with_keeping: number(3),
            kept_knight: number(4),
        }
    };
    lines.map(row).collect()
}

/// Walked exactly, the loaded policy is worth what best play is.
#[test]
fn turns_without_the_knight() {
    for Row { dice, rolls, without_keeping: expected, .. } in published() {
        if !(3..=7).contains(&dice) {
            continue;
        }
        let game = Carcassonne { dice, rolls, ..SOLO };
        let (turns, policy) = loaded(&game);
        assert!(
            turns.error == 0.0 && (turns.mean - expected).abs() < 0.6e-10,
            "{dice} {rolls} {}",
            turns.mean
        );
        let worth = mean(&game, &policy, "score");
        assert!(
            (worth - turns.mean).abs() < 1e-10,
            "{dice} dice, {rolls} rolls: {worth}, not {}",
            turns.mean
        );
        check_sampled(&game, &policy, 20_000, turns.mean);
    }
}

/// With the knight, turns are worth the long run's mean each, less what a knight would be worth that is kept at the end:
/// how often one is kept in the last of *n* turns is what *n* turns keep more than *n* − 1.
#[test]
fn turns_with_the_knight() {
    for Row { dice, rolls, with_keeping: expected, kept_knight: knight, .. } in published() {
        if !(3..=5).contains(&dice) {
            continue;
        }
        let game = Carcassonne { dice, rolls, keeping: true, turns: 4, ..SOLO };
        let (turns, policy) = loaded(&game);
        assert!((turns.mean - expected).abs() < 0.6e-10, "{dice} {rolls} {}", turns.mean);
        let kept = |turns| mean(&Carcassonne { turns, ..game }, &policy, "knights_kept");
        let score = mean(&game, &policy, "score");
        let worth = (score + knight * (kept(4) - kept(3))) / 4.0;
        assert!(
            (worth - turns.mean).abs() < 1e-10,
            "{dice} dice, {rolls} rolls: {worth}, not {}",
            turns.mean
        );
        check_sampled(&game, &policy, 20_000, score);
    }
}

/// The shipped one, with all dice.
#[test]
fn the_shipped_table() {
    let text = stopwise_policy::shipped::policy("carcassonne", "best-turn").expect("shipped").text();
    let policy = TextPolicy::compile(&text, &SOLO, &[]).expect("compiles");
    assert_eq!(policy.heading().remark.clone(), None);
    let worth = mean(&SOLO, &policy, "score");
    assert!((worth - 8.550_839_944_0).abs() < 0.6e-10, "{worth}");
    check_sampled(&SOLO, &policy, 20_000, worth);
}

/// Under rules that it is not for, a table says nothing, and that is said.
#[test]
fn other_rules() {
    let game = Carcassonne { dice: 4, ..SOLO };
    let turns = best_turns(&game, Limits::default()).expect("small").expect("a game alone");
    let text = Text::new("mine.toml", format!("{BAD}{}", write_table(&game, &turns.rows)));
    let other = Carcassonne { rolls: 2, ..game };
    let policy = TextPolicy::compile(&text, &other, &[]).expect("compiles");
    assert!(policy.heading().remark.clone().expect("a remark").contains("for other rules (4 dice, 3 rolls"));
    assert_eq!(mean(&other, &policy, "score"), 0.0);
    assert_eq!(exactly(&other, &policy).endings, [1.0]);
    assert!(best_turns(&Carcassonne::TWO, Limits::default()).is_ok_and(|turns| turns.is_none()));
}
