//! Seats: identities, published examples, exact values of Pig, and samples of very few trials.

use std::ops::ControlFlow;

use stopwise_analysis::binomial::share_limits;
use stopwise_analysis::estimate::{Estimate, Interval, Level, Summary, Z95};
use stopwise_analysis::exact::{Limits, distribution};
use stopwise_analysis::mover::{Part, combination};
use stopwise_analysis::paired::Stopping;
use stopwise_analysis::seats::{Standing, Wins, by_policy, by_seat};
use stopwise_engine::game::Game;
use stopwise_engine::games::pig::Pig;
use stopwise_engine::rotation::rotations;
use stopwise_engine::run::{Plan, run, run_in_turn};
use stopwise_engine::tally::Tally;
use stopwise_policy::{TextPolicy, shipped};

fn hold(game: &Pig, n: u32) -> TextPolicy<Pig> {
    let text = shipped::policy("pig", "hold").expect("shipped").text();
    TextPolicy::compile(&text, game, &[("n".to_owned(), n.to_string())]).expect("compiles")
}

fn play(game: &Pig, lineup: &[TextPolicy<Pig>], trials: u64) -> Vec<Tally> {
    let plan = Plan { seed: 3, trials: 0..trials };
    run_in_turn(game, &rotations(lineup), &plan, |_| ControlFlow::Continue(()))
}

fn close(found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() <= tolerance, "{found} is not {expected}");
}

fn limits(estimate: Estimate) -> Interval {
    estimate.interval.expect("shares always have one")
}

/// 4.5 standard errors, 7 in a million for each comparison; an interval of 95 % is [`Z95`] to each side, the longer
/// side here.
fn agrees(found: Option<Estimate>, exact: f64) {
    let found = found.expect("games were played");
    let (value, Interval { low, high }) = (found.value, limits(found));
    assert!(low <= value && value <= high);
    close(value, exact, 4.5 / Z95 * (value - low).max(high - value));
}

fn part(factor: f64, count: u64, trials: u64) -> Part {
    Part { factor, count: count as f64, trials }
}

/// The first example of Newcombe (Stat. Med. 17, 1998, 873–890, table II), 56 of 70 less 48 of 80, and a case of its
/// extremes, 10 of 10 less 0 of 10: method 10, worked by hand from the exact limits (by SciPy's quantiles of the beta
/// distribution). It is a little wider than from Wilson's limits: 0.0524 to 0.3339, and 0.6075 to 1.
#[test]
fn a_difference_is_made_of_the_exact_limits() {
    for (a, b, value, [low, high]) in
        [((56, 70), (48, 80), 0.2, [0.043_887, 0.344_171]), ((10, 10), (0, 10), 1.0, [0.563_719, 1.0])]
    {
        let found = combination(&[part(1.0, a.0, a.1), part(-1.0, b.0, b.1)]).expect("trials");
        close(found.value, value, 1e-12);
        close(limits(found).low, low, 1e-6);
        close(limits(found).high, high, 1e-6);
    }
}

#[test]
fn one_part_is_exact() {
    for (count, trials) in [(0, 1), (1, 1), (0, 20), (7, 20), (20, 20), (123_456, 1_000_000)] {
        let found = combination(&[part(1.0, count, trials)]).expect("trials");
        let exact = share_limits(count, trials, Level::SINGLE);
        close(found.value, count as f64 / trials as f64, 0.0);
        close(limits(found).low, exact.low, 1e-15);
        close(limits(found).high, exact.high, 1e-15);
    }
    assert_eq!(combination(&[part(1.0, 0, 0), part(1.0, 1, 2)]), None);
}

/// A mean of shares has an interval of some length within what a share can be, and turns over with hits and misses.
#[test]
fn a_mean_of_shares_is_a_share() {
    let mean = |parts: [(u64, u64); 2]| combination(&parts.map(|(count, trials)| part(0.5, count, trials)));
    for parts in [[(3, 10), (7, 20)], [(0, 5), (5, 5)], [(0, 3), (0, 4)], [(3, 3), (4, 4)], [(1, 1), (0, 1)]]
    {
        let found = mean(parts).expect("trials");
        let (value, Interval { low, high }) = (found.value, limits(found));
        assert!(0.0 <= low && low <= value && value <= high && high <= 1.0 && low < high, "{parts:?}");
        let turned = mean(parts.map(|(count, trials)| (trials - count, trials))).expect("trials");
        close(limits(turned).low, 1.0 - high, 1e-15);
        close(limits(turned).high, 1.0 - low, 1e-15);
    }
}

/// The chance that the interval of the mean of two shares covers the true mean: all 441 results of 20 trials each,
/// added up. It is 95 % or more, also where the shares lie far apart, and no more than the steps of counts make it.
#[test]
fn coverage_of_a_mean_of_two_shares() {
    let binomial = |p: f64| {
        let next = move |(k, chance): (u32, f64)| {
            (k + 1, chance * f64::from(20 - k) / f64::from(k + 1) * p / (1.0 - p))
        };
        let all = std::iter::successors(Some((0, (1.0 - p).powi(20))), move |&at| Some(next(at)));
        all.take(21).map(|(k, chance)| (u64::from(k), chance)).collect::<Vec<_>>()
    };
    for (p, q) in [(0.5, 0.5), (0.3, 0.6), (0.1, 0.9), (0.2, 0.9), (0.05, 0.1)] {
        let mean = (p + q) / 2.0;
        let mut covered = 0.0;
        for (a, chance_a) in binomial(p) {
            for (b, chance_b) in binomial(q) {
                let Interval { low, high } =
                    limits(combination(&[part(0.5, a, 20), part(0.5, b, 20)]).expect("trials"));
                covered += if low <= mean && mean <= high { chance_a * chance_b } else { 0.0 };
            }
        }
        assert!((0.95..0.995).contains(&covered), "{p} and {q}: {covered}");
    }
}

/// Hold at 20 against itself. The first seat wins .5347 (T. W. Neller's exercises on Pig,
/// <http://nifty.stanford.edu/2010/neller-pig/advantage.html>; further digits from the exact walk), rotated or not.
#[test]
fn the_edge_of_equal_policies() {
    let exact = 0.534_698_326_2;
    let policy = hold(&Pig::STANDARD, 20);
    let rotated = play(&Pig::STANDARD, &[policy.clone(), policy.clone()], 200_001);
    assert_eq!(rotated.iter().map(|tally| tally.trials).collect::<Vec<_>>(), [100_001, 100_000]);
    let plan = Plan { seed: 3, trials: 0..200_001 };
    let alone = [run(&Pig::STANDARD, &[policy], &plan, |_| ControlFlow::Continue(()))];
    for rotations in [&rotated[..], &alone] {
        let wins =
            Wins { rotations, lineup: &[0, 0], metrics: Pig::STANDARD.metrics(), stopping: Stopping::Fixed };
        agrees(wins.seat(0), exact);
        agrees(wins.seat(1), 1.0 - exact);
        agrees(wins.first_seat_edge(), exact - 0.5);
        // The policy sits everywhere: it wins every game.
        close(wins.policy(0, None).expect("games").value, 1.0, 0.0);
        agrees(wins.policy(0, Some(0)), exact);
        assert_eq!(wins.policy(1, None), None);
    }
    // What is rotated are equal policies: nothing changes.
    let mut sum = rotated[0].clone();
    sum.merge(&rotated[1]);
    assert_eq!(sum, alone[0]);
}

/// Three players, all different or two alike, against the exact walk of every rotation.
#[test]
fn rotated_wins_are_the_exact_ones() {
    let game = Pig { players: 3, goal: 25, ..Pig::STANDARD };
    for (points, lineup) in [([6, 10, 18], [0, 1, 2]), ([6, 15, 6], [0, 1, 0]), ([4, 4, 12], [0, 0, 1])] {
        let policies = points.map(|n| hold(&game, n));
        let tallies = play(&game, &policies, 150_000);
        let wins =
            Wins { rotations: &tallies, lineup: &lineup, metrics: game.metrics(), stopping: Stopping::Fixed };
        let exact: Vec<Vec<f64>> = rotations(&policies.each_ref())
            .iter()
            .map(|lineup| distribution(&game, lineup, Limits::default()).expect("ends"))
            .map(|found| found.means.iter().map(|seat| seat[0]).collect())
            .collect();
        let exactly = |rotation: usize, seat: usize| exact[rotation][seat];
        let mean = |of: &mut dyn Iterator<Item = f64>| {
            let (sum, count) = of.fold((0.0, 0.0), |(sum, count), value| (sum + value, count + 1.0));
            sum / count
        };
        for seat in 0..3 {
            agrees(wins.seat(seat), mean(&mut exact.iter().map(|wins| wins[seat])));
        }
        agrees(wins.first_seat_edge(), mean(&mut exact.iter().map(|wins| wins[0])) - 1.0 / 3.0);
        assert_eq!(wins.nobody().expect("games").value, 0.0);
        for policy in lineup {
            let held = |rotation: usize| {
                (0..3).filter(move |&place| lineup[place] == policy).map(move |place| (place + rotation) % 3)
            };
            let all = |rotation: usize| held(rotation).map(|seat| exactly(rotation, seat)).sum::<f64>();
            agrees(wins.policy(policy, None), mean(&mut (0..3).map(all)));
            for seat in 0..3 {
                let there = (0..3).filter(|&rotation| held(rotation).any(|held| held == seat));
                agrees(
                    wins.policy(policy, Some(seat)),
                    mean(&mut there.map(|rotation| exactly(rotation, seat))),
                );
            }
        }
    }
}

/// Standings hold every seat of every trial once for each policy, and their means lie between those of their seats.
#[test]
fn standings_share_out_the_tallies() {
    let game = Pig { players: 3, goal: 25, ..Pig::STANDARD };
    let lineup = [0, 1, 0];
    let tallies = play(&game, &[6, 15, 6].map(|n| hold(&game, n)), 1000);
    let standings = by_policy(&tallies, &lineup);
    let keys: Vec<_> = standings
        .iter()
        .map(|one| (one.policy, one.seat, one.trials, one.tally.metrics[0].total()))
        .collect();
    assert_eq!(
        keys,
        [
            (0, None, 1000, 2000),
            (0, Some(0), 667, 667),
            (0, Some(1), 666, 666),
            (0, Some(2), 667, 667),
            (1, None, 1000, 1000),
            (1, Some(0), 333, 333),
            (1, Some(1), 334, 334),
            (1, Some(2), 333, 333),
        ]
    );
    for metric in 0..tallies[0].seats[0].metrics.len() {
        let sum = |of: &dyn Fn(&&Standing) -> bool| -> u128 {
            standings.iter().filter(of).map(|one| one.tally.metrics[metric].sums().0).sum()
        };
        let all: u128 =
            tallies.iter().flat_map(|tally| &tally.seats).map(|seat| seat.metrics[metric].sums().0).sum();
        assert_eq!((sum(&|one| one.seat.is_none()), sum(&|one| one.seat.is_some())), (all, all));
    }
    // The wins of the shares are the wins of the standings.
    let wins =
        Wins { rotations: &tallies, lineup: &lineup, metrics: game.metrics(), stopping: Stopping::Fixed };
    for one in &standings {
        let share = one.tally.metrics[0].count(1) as f64 / one.trials as f64;
        close(wins.policy(one.policy, one.seat).expect("games").value, share, 1e-12);
        let summary = Summary::of(&one.tally.metrics[1]).expect("games");
        let over = summary.clone().over(one.trials);
        assert!(over.std_error >= summary.std_error && (one.trials == summary.trials) == (over == summary));
    }
    // Without rotation there is a standing a seat.
    let seats = by_seat(&tallies[0], &lineup);
    let keys: Vec<_> = seats.iter().map(|one| (one.policy, one.seat, one.trials)).collect();
    assert_eq!(keys, [(0, Some(0), 334), (1, Some(1), 334), (0, Some(2), 334)]);
}

/// One trial, fewer than there are rotations, games that nobody wins, games that one seat always wins: every number
/// is finite, or there is none.
#[test]
fn no_nonsense_from_few_games() {
    let sane = |estimate: Option<Estimate>| {
        if let Some(Estimate { value, interval: Some(Interval { low, high }), .. }) = estimate {
            assert!(
                -1.0 <= low && low <= value && value <= high && high <= 1.0 && low < high,
                "{estimate:?}"
            );
        }
    };
    let standard = Pig::STANDARD;
    for (game, ways, trials) in [
        (standard, [20, 25], 1),
        (standard, [20, 25], 2),
        (standard, [20, 25], 3),
        (Pig { turn_cap: 1, ..standard }, [20, 25], 100),
        // Only the first seat has a turn, and only a goal of a single point can be missed by a bust alone.
        (Pig { turn_cap: 1, goal: 1, ..standard }, [20, 25], 100),
    ] {
        let tallies = play(&game, &ways.map(|n| hold(&game, n)), trials);
        let wins =
            Wins { rotations: &tallies, lineup: &[0, 1], metrics: game.metrics(), stopping: Stopping::Fixed };
        for policy in 0..2 {
            for seat in [None, Some(0), Some(1)] {
                sane(wins.policy(policy, seat));
            }
            sane(wins.seat(policy));
        }
        sane(wins.nobody());
        sane(wins.first_seat_edge());
        let decided = tallies.iter().all(|tally| tally.seats.iter().any(|seat| seat.metrics[0].count(1) > 0));
        assert_eq!(wins.first_seat_edge().is_some(), decided);
        assert_eq!(wins.nobody().expect("games").value == 1.0, game.turn_cap == 1 && game.goal == 100);
    }
}
