//! What texts expect, by the exact walk.

use stopwise_analysis::exact::{ExactError, Limits, Objective, solve};
use stopwise_engine::game::Game;
use stopwise_script::{Expect, GameText, Script};

use super::{policy, texts};

/// The most states of what is tried in every run of the tests; the rest is tried by those that are ignored.
const STATES: usize = 3_000;

/// The mean that is expected, if the game is small enough: by all seats' policies, where `best` is best play.
fn mean(name: &str, text: &GameText, expect: &Expect, states: usize) -> Option<f64> {
    let game = text.script(&expect.options).unwrap_or_else(|error| panic!("{error}"));
    let metric = game.metrics().iter().position(|metric| metric.name == expect.metric).expect("a metric");
    let seat = |seat: usize| {
        let own = expect.policies.get(seat % expect.policies.len().max(1))?;
        (own != "best").then(|| policy(&game, name, own))
    };
    let seats: Vec<_> = (0..game.seats()).map(seat).collect();
    let limits = Limits { states, ..Limits::default() };
    match solve(&game, &seats, Objective::new(&game, metric), limits) {
        Ok(solution) => Some(solution.middle() / whole(&game, metric)),
        Err(ExactError::TooLarge { .. }) => None,
        Err(error) => panic!("{name}, {}: {error:?}", expect.metric),
    }
}

/// A win is counted in shares.
fn whole(game: &Script, metric: usize) -> f64 {
    let unit = game.metrics()[metric].unit;
    unit.strip_prefix("1/").and_then(|rest| rest.split(' ').next()?.parse().ok()).unwrap_or(1.0)
}

fn try_all(wanted: impl Fn(&str) -> bool, states: usize) -> Vec<String> {
    let mut left = Vec::new();
    for (name, text) in texts().filter(|(name, _)| wanted(name)) {
        for expect in text.expects() {
            let told = format!("{name}: {} = {}", expect.metric, expect.number);
            match mean(&name, &text, expect, states) {
                Some(found) => {
                    assert!((found - expect.number).abs() <= expect.within, "{told}, and it is {found}");
                }
                None => left.push(told),
            }
        }
    }
    left
}

#[test]
fn what_texts_expect_is_found() {
    let left = try_all(|_| true, STATES);
    assert!(left.len() < 40, "{left:?}");
}

/// Minutes and gigabytes: `cargo test --release -p stopwise-script --test texts gallery:: -- --ignored`.
#[test]
#[ignore = "takes minutes in a release build"]
fn what_large_texts_expect_is_found() {
    assert_eq!(try_all(|_| true, 40_000_000), Vec::<String>::new());
}
