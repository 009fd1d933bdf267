//! Freeze Dice, exact and sampled: the figures of the rules page, closed forms, and line-ups by both methods.

use std::ops::ControlFlow;

use stopwise_analysis::estimate::Summary;
use stopwise_analysis::exact::{Distribution, Limits, Objective, distribution, solve};
use stopwise_engine::chance::Chance;
use stopwise_engine::game::{Game, Source};
use stopwise_engine::games::freeze::{
    Bank, Doubles, Draw, Drawn, Fraction, Freeze, Rates, Simultaneous, StakeAtEnd,
};
use stopwise_engine::run::{Plan, run};
use stopwise_engine::tally::Tally;
use stopwise_policy::{Text, TextPolicy, shipped};

/// 4.5 standard errors: a chance of 7 in a million for each comparison, and the seed is fixed.
const ERRORS: f64 = 4.5;

const SHORT: Freeze = Freeze { steps: 3, bank: Bank::InAll(3), start_counters: 1, ..Freeze::PUBLISHED };

fn policy(game: &Freeze, name: &str) -> TextPolicy<Freeze> {
    let text = shipped::policy("freeze", name).expect("shipped").text();
    TextPolicy::compile(&text, game, &[]).expect("compiles")
}

fn written(game: &Freeze, condition: &str) -> TextPolicy<Freeze> {
    let text =
        format!("game = \"freeze\"\nname = \"written\"\nsummary = \"A test.\"\nfreeze = \"{condition}\"\n");
    TextPolicy::compile(&Text::new("written.toml", text), game, &[]).expect("compiles")
}

fn exactly(game: &Freeze, lineup: &[TextPolicy<Freeze>]) -> Distribution {
    distribution(game, lineup, Limits::default()).expect("small enough")
}

fn sampled(game: &Freeze, lineup: &[TextPolicy<Freeze>], trials: u64) -> Tally {
    run(game, lineup, &Plan { seed: 5, trials: 0..trials }, |_| ControlFlow::Continue(()))
}

fn metric(name: &str) -> usize {
    let place = Freeze::PUBLISHED.metrics().iter().position(|metric| metric.name == name);
    place.expect("a metric of the game")
}

fn mean(exact: &Distribution, seat: usize, name: &str) -> f64 {
    exact.means[seat][metric(name)]
}

fn assert_close(found: f64, expected: f64, tolerance: f64, what: &str) {
    assert!((found - expected).abs() <= tolerance, "{what} is {found}, not {expected}");
}

fn assert_sampled(tally: &Tally, seat: usize, name: &str, expected: f64) {
    let summary = Summary::of(&tally.seats[seat].metrics[metric(name)]).expect("trials were played");
    // Something that happens in less than one game of all may not be seen at all.
    let error = summary.std_error.expect("many trials").max((expected.abs() / tally.trials as f64).sqrt());
    assert_close(summary.mean, expected, ERRORS * error, name);
}

fn fractions(values: &[f64]) -> Vec<Fraction> {
    values.iter().map(|&value| Fraction::try_from(value).expect("a chance")).collect()
}

/// "P(a freeze in a step) = 1 − (35/36)^n", "P(exactly one caller | freeze)"; where rates differ, the product. One step in
/// which nobody has a counter: everybody ties, unless exactly one calls and is paid.
#[test]
fn a_single_step() {
    let step = Freeze { steps: 1, simultaneous: Simultaneous::All, ..Freeze::PUBLISHED };
    for (players, freeze, one) in [
        (2, 0.054784, 0.985915),
        (3, 0.081040, 0.971965),
        (4, 0.106567, 0.958149),
        (5, 0.131384, 0.944466),
        (6, 0.155512, 0.930918),
    ] {
        let game = Freeze { players, ..step };
        let found = exactly(&game, &[policy(&game, "never")]);
        let freezes = mean(&found, 0, "freezes");
        assert_close(freezes, freeze, 0.5e-6, "a freeze");
        assert_close(freezes, 1.0 - (35.0_f64 / 36.0).powi(players.into()), 1e-14, "a freeze");
        assert_close((1.0 - mean(&found, 0, "tie_break")) / freezes, one, 0.5e-6, "exactly one caller");
    }
    for rates in [&[0.5, 0.3][..], &[0.25, 0.0, 1.0], &[0.1234, 0.9, 1.0, 0.5]] {
        let players = u8::try_from(rates.len()).expect("few");
        let rate = Rates::each(&fractions(rates)).expect("two to eight");
        let game = Freeze { players, rate, ..step };
        let found = exactly(&game, &[policy(&game, "never")]);
        let none: f64 = rates.iter().map(|rate| 1.0 - rate / 36.0).product();
        assert_close(mean(&found, 0, "freezes"), 1.0 - none, 1e-14, "a freeze");
    }
}

/// "P(sum 7 | not double six) = 6/35, with a frozen die 1/5"; a call has 1/36, with a frozen die 1/6.
#[test]
fn sevens_and_sixes() {
    let share = |draw: Draw, holds: fn((u8, u8)) -> bool| -> (u32, u32) {
        draw.outcomes().fold((0, 0), |(held, all), (drawn, weight)| match drawn {
            Drawn::Dice(dice) if holds(dice.faces()) => (held + weight, all + weight),
            _ => (held, all + weight),
        })
    };
    let (both, loose) = (Draw::Both(Fraction::ONE), Draw::Loose(Fraction::ONE));
    let seven = |(low, high)| low + high == 7;
    let sixes = |faces| faces == (6, 6);
    assert_eq!((share(both, seven), share(both, sixes)), ((6, 36), (1, 36)));
    assert_eq!((share(loose, seven), share(loose, sixes)), ((1, 6), (1, 6)));
    // Seat 1 alone calls and seat 2 pays: 6/35 of the cases in which it does not call.
    let game = Freeze { players: 2, steps: 1, ..SHORT };
    let found = exactly(&game, &[policy(&game, "never")]);
    assert_close(mean(&found, 1, "busts"), 1.0 / 36.0 * 6.0 / 36.0, 1e-15, "a payment");
}

/// P(at least k of n).
fn binomial_tail(n: u16, p: f64, k: u16) -> f64 {
    let term = |j: u16| {
        (1..=j).fold(1.0, |product, i| product * f64::from(n - j + i) / f64::from(i))
            * p.powi(j.into())
            * (1.0 - p).powi((n - j).into())
    };
    (k..=n).map(term).sum()
}

/// Without frozen dice every freeze takes one counter from the bank, so that it is empty in time if there are enough of
/// them: a binomial tail.
#[test]
fn an_empty_bank_exactly() {
    for (players, steps, bank) in [(2, 20, 2), (2, 30, 4), (3, 12, 2), (3, 9, 3), (4, 7, 1)] {
        let game = Freeze { players, steps, bank: Bank::InAll(bank), ..Freeze::WORKSHOP };
        let found = exactly(&game, &[policy(&game, "never")]);
        let p = 1.0 - (35.0_f64 / 36.0).powi(players.into());
        assert_close(found.endings[1], binomial_tail(steps, p, bank), 1e-13, "bank_empty");
        assert_close(found.endings.iter().sum(), 1.0, 1e-13, "all endings");
    }
}

/// "`freezing = false`, bank 60, 600 steps: P(bank_empty) …; four players: E[steps] 549.720295".
#[test]
fn an_empty_bank_sampled() {
    const TRIALS: u64 = 6_000;
    for (players, empty) in [(2, 0.0000071431), (3, 0.0551855629), (4, 0.7176784323), (5, 0.9920559567)] {
        let game = Freeze { players, bank: Bank::InAll(60), ..Freeze::WORKSHOP };
        let tally = sampled(&game, &[policy(&game, "never")], TRIALS);
        let error = (empty * (1.0 - empty) / TRIALS as f64).sqrt();
        let share = tally.endings[1] as f64 / TRIALS as f64;
        // Of an event that rare, one case is within what chance does.
        assert_close(share, empty, ERRORS * error + 1.0 / TRIALS as f64, "bank_empty");
        if players == 4 {
            assert_sampled(&tally, 0, "steps", 549.720295);
        }
    }
}

/// "Two players, steps 3, bank 3, start_counters 1, seat 1 freezes whenever it may, seat 2 never: seat 1 wins
/// 45420857/90699264; tie-break share 3691750825/4353564672."
#[test]
fn always_against_never_in_three_steps() {
    let game = Freeze { players: 2, ..SHORT };
    let lineup = ["always", "never"].map(|name| policy(&game, name));
    let found = exactly(&game, &lineup);
    assert_close(mean(&found, 0, "win"), 45_420_857.0 / 90_699_264.0, 1e-14, "seat 1");
    assert_close(mean(&found, 1, "win"), 1.0 - 45_420_857.0 / 90_699_264.0, 1e-14, "seat 2");
    assert_close(mean(&found, 0, "tie_break"), 3_691_750_825.0 / 4_353_564_672.0, 1e-14, "a tie");
    // The same by the walk that solves, where positions of the tie-break return.
    let fixed = lineup.each_ref().map(Some);
    let walked = solve(&game, &fixed, Objective::new(&game, 0), Limits::default()).expect("solves");
    assert!(walked.cyclic_stages > 0 && walked.error() < 1e-11);
    assert_close(walked.middle(), 45_420_857.0 / 90_699_264.0, 1e-11, "seat 1");
}

/// "Two players, bank 60, 600 steps, start 0, always against never: seat 1 wins .408153175195, counters 7.20132637 /
/// 9.47316252."
#[test]
fn always_against_never_in_ten_minutes() {
    let game = Freeze { players: 2, bank: Bank::InAll(60), ..Freeze::PUBLISHED };
    let tally = sampled(&game, &["always", "never"].map(|name| policy(&game, name)), 20_000);
    assert_sampled(&tally, 0, "win", 0.408153175195);
    assert_sampled(&tally, 0, "counters", 7.20132637);
    assert_sampled(&tally, 1, "counters", 9.47316252);
}

/// The same, walked exactly.
#[test]
#[ignore = "takes about two minutes"]
fn always_against_never_in_ten_minutes_exactly() {
    let game = Freeze { players: 2, bank: Bank::InAll(60), ..Freeze::PUBLISHED };
    let lineup = ["always", "never"].map(|name| policy(&game, name));
    let limits = Limits { states: usize::MAX, ..Limits::default() };
    let found = distribution(&game, &lineup, limits).expect("no limit");
    assert_close(mean(&found, 0, "win"), 0.408_153_175_194_48, 1e-13, "seat 1");
    assert_close(mean(&found, 0, "counters"), 7.201_326_37, 0.5e-8, "counters of seat 1");
    assert_close(mean(&found, 1, "counters"), 9.473_162_52, 0.5e-8, "counters of seat 2");
}

/// Line-ups of two and three seats under all kinds of options: every metric and ending, sampled and exact.
#[test]
fn sampled_and_exact_agree() {
    const TRIALS: u64 = 100_000;
    let paces = |values: &[f64]| Rates::each(&fractions(values)).expect("two to eight");
    let half = fractions(&[0.5])[0];
    let two = Freeze { players: 2, steps: 5, ..SHORT };
    let three = Freeze { players: 3, steps: 3, ..SHORT };
    for game in [
        two,
        three,
        Freeze { steps: 30, start_counters: 0, freezing: true, ..two },
        Freeze { rate: paces(&[0.5, 1.0]), broke_bonus: true, ..two },
        Freeze { rate: paces(&[0.3, 0.8, 0.0]), bank: Bank::InAll(2), ..three },
        Freeze { doubles: Doubles::Always, fumble: half, confirm_steps: 2, bank: Bank::InAll(4), ..two },
        Freeze { doubles: Doubles::Lightning, lightning_steps: 2, simultaneous: Simultaneous::All, ..three },
        Freeze { doubles: Doubles::Always, fumble: Fraction::ONE, stake_at_end: StakeAtEnd::Paid, ..three },
    ] {
        let words = ["lead <= 0", "bank > 2 || sevens > 0", "steps_left < 3 && stakes == 0"];
        let lineup: Vec<_> = words[..game.seats()].iter().map(|text| written(&game, text)).collect();
        let exact = exactly(&game, &lineup);
        let tally = sampled(&game, &lineup, TRIALS);
        for seat in 0..game.seats() {
            for (index, known) in game.metrics().iter().enumerate() {
                assert_sampled(&tally, seat, known.name, exact.means[seat][index]);
                if known.source == Source::End {
                    let all: f64 = exact.shares[seat][index].values().sum();
                    assert_close(all, 1.0, 1e-12, known.name);
                }
            }
        }
        let wins: f64 = (0..game.seats()).map(|seat| mean(&exact, seat, "win")).sum();
        assert_close(wins, 1.0, 1e-12, "somebody wins");
    }
}

/// Counters come from the bank and from others, so that whoever freezes pays for it on average; behind with few steps
/// left it is worth it. Nobody does better against "never" than the best reply.
#[test]
fn the_best_reply() {
    let game = Freeze { players: 2, steps: 6, bank: Bank::InAll(4), ..SHORT };
    let never = policy(&game, "never");
    let win = Objective::new(&game, 0);
    let best = solve(&game, &[None, Some(&never)], win, Limits::default()).expect("solves").middle();
    let value = |name: &str| {
        let lineup = [policy(&game, name), policy(&game, "never")];
        mean(&exactly(&game, &lineup), 0, "win")
    };
    let values: Vec<_> = shipped::policies_of("freeze").iter().map(|shipped| value(shipped.name)).collect();
    assert!(values.iter().all(|&value| value <= best + 1e-9), "{values:?} and {best}");
    assert!(best > value("never") + 1e-3, "a gamble pays for who is behind");
    assert_close(value("never"), 0.5, 1e-12, "the same at both seats");
}
