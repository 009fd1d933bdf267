//! Random policies under random rules.

use std::cell::Cell;
use std::ops::Range;

use proptest::prelude::*;
use proptest::test_runner::{TestCaseResult, TestRunner};
use stopwise_engine::games::Rules;
use stopwise_engine::run::Plan;
use stopwise_engine::tally::Tally;
use stopwise_engine::vocabulary::Vocabulary;
use stopwise_policy::Text;

use super::case::{Case, cases};
use super::compare::{Lineup, object, same_run, same_trials};
use super::rules;

/// Trials of a case, where its games are short.
const TRIALS: u64 = 300;
/// Of which so many are played one at a time as well.
const SINGLES: u64 = 12;
/// Rolls of a case, by which long games are limited; of the single trials a 32nd as many, as each takes a vector to itself.
const ROLLS: u64 = 20_000;

/// What became of the cases.
#[derive(Default)]
struct Seen {
    compiled: Cell<u32>,
    played: Cell<u32>,
    /// Cases with games of more than 32 and of more than 64 turns of a seat, and with every ending.
    long: Cell<u32>,
    longer: Cell<u32>,
    endings: [Cell<u32>; 4],
}

fn add(cell: &Cell<u32>, more: bool) {
    cell.set(cell.get() + u32::from(more));
}

impl Seen {
    fn enter(&self, tally: &Tally, turns: usize) {
        let most = tally.seats.iter().filter_map(|seat| seat.metrics[turns].iter().last()).max();
        let most = most.map_or(0, |(turns, _)| turns);
        add(&self.long, most > 32);
        add(&self.longer, most > 64);
        for (cell, &games) in self.endings.iter().zip(&tally.endings) {
            add(cell, games > 0);
        }
    }
}

/// Plays `count` line-ups of `policies` policies each under random rules.
fn agree<G: Vocabulary + Rules>(
    count: u32,
    rules: impl Strategy<Value = G>,
    policies: fn(&G) -> Range<usize>,
) -> Seen {
    let seen = Seen::default();
    let case = rules.prop_flat_map(|game| {
        let lineup = prop::collection::vec(cases(&game, false), policies(&game));
        let starts = prop_oneof![Just(0), any::<u64>()];
        (Just(game), lineup, any::<u64>(), starts)
    });
    let config = ProptestConfig { cases: count, failure_persistence: None, ..ProptestConfig::default() };
    let result = TestRunner::new(config)
        .run(&case, |(game, lineup, seed, start)| check(&game, &texts(&game, &lineup), seed, start, &seen));
    if let Err(error) = result {
        panic!("{error}");
    }
    let (compiled, played) = (seen.compiled.get(), seen.played.get());
    assert!(compiled * 2 > count, "only {compiled} of {count} line-ups compiled");
    assert!(played * 4 > compiled * 3, "lanes play only {played} of {compiled}");
    seen
}

/// The texts of a line-up: one for all seats, or one for each.
fn texts<G: Vocabulary>(game: &G, lineup: &[Case]) -> Vec<String> {
    let all = if lineup.len() < game.seats() { &lineup[..1] } else { lineup };
    all.iter().map(|case| case.to_text(game)).collect()
}

fn check<G: Vocabulary + Rules>(
    game: &G,
    texts: &[String],
    seed: u64,
    start: u64,
    seen: &Seen,
) -> TestCaseResult {
    prop_assert_eq!(game.validate(), Ok(()));
    let rules = object(game);
    let compile = |text: &String| rules.compile(&Text::new("random.toml", text.clone()), &[]);
    let Ok(policies) = texts.iter().map(compile).collect::<Result<Vec<_>, _>>() else { return Ok(()) };
    add(&seen.compiled, true);
    let lineup = match Lineup::new(&rules, &[policies]) {
        Ok(lineup) => lineup,
        Err(message) => {
            let named = game.info().kinds.iter().any(|kind| message.contains(&format!("`{}`", kind.name)));
            prop_assert!(named, "{message}");
            return Ok(());
        }
    };
    add(&seen.played, true);
    let context = |error| match error {
        TestCaseError::Fail(reason) => {
            TestCaseError::fail(format!("{reason}\n{game:?}\n{}", texts.join("\n")))
        }
        error => error,
    };
    let plan = |trials: u64| Plan { seed, trials: start..start.saturating_add(trials) };
    let rolls = rolls_a_game(game, &lineup, &plan(4));
    let tally = same_run(&lineup, &plan((ROLLS / rolls).clamp(5, TRIALS))).map_err(context)?;
    same_trials(&lineup, &plan((ROLLS / 32 / rolls).clamp(1, SINGLES))).map_err(context)?;
    seen.enter(&tally, metric(game, "turns"));
    Ok(())
}

fn metric<G: Vocabulary>(game: &G, name: &str) -> usize {
    game.metrics().iter().position(|metric| metric.name == name).expect("a metric")
}

/// How long the games are: the mean over a few.
fn rolls_a_game<G: Vocabulary>(game: &G, lineup: &Lineup, plan: &Plan) -> u64 {
    let rolls = metric(game, "rolls");
    let tally = lineup.one_by_one(plan);
    let sum: u128 = tally.seats.iter().map(|seat| seat.metrics[rolls].sums().0).sum();
    u64::try_from(sum).expect("few") / tally.trials.max(1) + 1
}

#[test]
fn of_carbonite() {
    let seen = agree(160, rules::carbonite(), |_| 1..2);
    for (ending, cases) in seen.endings.iter().enumerate() {
        assert!(cases.get() >= 5, "only {} cases with ending {ending}", cases.get());
    }
}

#[test]
fn of_pig() {
    let seen = agree(160, rules::pig(), |game| 1..usize::from(game.players) + 1);
    for (what, cases) in [
        ("games longer than 32 rounds", &seen.long),
        ("games longer than 64 rounds", &seen.longer),
        ("games won", &seen.endings[0]),
        ("games capped", &seen.endings[1]),
    ] {
        assert!(cases.get() >= 5, "only {} cases with {what}", cases.get());
    }
}

#[test]
fn of_icedice() {
    let seen = agree(100, rules::icedice(), |game| 1..usize::from(game.players) + 1);
    for (what, cases) in [
        ("games longer than 32 rounds", &seen.long),
        ("games won", &seen.endings[0]),
        ("games capped", &seen.endings[1]),
    ] {
        assert!(cases.get() >= 5, "only {} cases with {what}", cases.get());
    }
}

#[test]
fn of_freeze() {
    let seen = agree(200, rules::freeze(), |game| 1..usize::from(game.players) + 1);
    for (ending, cases) in seen.endings.iter().enumerate().take(2) {
        assert!(cases.get() >= 5, "only {} cases with ending {ending}", cases.get());
    }
}

#[test]
fn of_carcassonne() {
    let seen = agree(150, rules::carcassonne(), |game| 1..usize::from(game.players) + 1);
    for (ending, cases) in seen.endings.iter().enumerate().take(3).step_by(2) {
        assert!(cases.get() >= 5, "only {} cases with ending {ending}", cases.get());
    }
}
