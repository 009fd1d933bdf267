//! Simulated figures against known ones; `data/figures.csv` gives their sources.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use crate::common::{HoldAt, Prefer, Trader, rows};
use stopwise_engine::game::{Game, Policy};
use stopwise_engine::games::carbonite::Carbonite;
use stopwise_engine::games::icedice::IceDice;
use stopwise_engine::games::pig::Pig;
use stopwise_engine::run::{Plan, run};
use stopwise_engine::tally::{Histogram, Tally};

/// With as many a mean may be off by 1.4 % of the spread from game to game, and a share by 0.7 points. That is enough to
/// show that the rules are those of the known figures; single games are held to the naive implementations in `oracles`, or to
/// texts.
const TRIALS: u64 = 100_000;
/// How many standard errors a figure may be off. A right figure is, in one case of 150,000; the seed is fixed,
/// so that a test which passes once passes always.
const WIDTH: f64 = 4.5;

/// A simulated figure, and its spread from game to game.
struct Figure {
    value: f64,
    deviation: f64,
}

fn mean_of(histogram: &Histogram) -> Figure {
    let (sum, squares) = histogram.sums();
    let n = histogram.total() as f64;
    let value = sum as f64 / n;
    Figure { value, deviation: (squares as f64 / n - value * value).sqrt() }
}

/// The spread of a share is that of a yes/no variable. `known` joins in so that what was never seen has one, too.
fn share_of(count: u64, known: f64) -> Figure {
    let value = count as f64 / TRIALS as f64;
    let p = value.max(known).max(1.0 / TRIALS as f64);
    Figure { value, deviation: (p * (1.0 - p)).sqrt() }
}

fn figure<G: Game>(game: &G, tally: &Tally, name: &str, known: f64) -> Figure {
    let of_seat = |seat: usize, metric: &str| {
        let index = game.metrics().iter().position(|known| known.name == metric);
        &tally.seats[seat].metrics[index.expect("a metric of the game")]
    };
    let histogram = |metric| of_seat(0, metric);
    match name.split(' ').collect::<Vec<_>>()[..] {
        ["mean", metric] => mean_of(histogram(metric)),
        ["seat", seat, metric] => mean_of(of_seat(seat.parse::<usize>().expect("a seat") - 1, metric)),
        ["total", metric] => (0..tally.seats.len()).map(|seat| mean_of(of_seat(seat, metric))).fold(
            Figure { value: 0.0, deviation: 0.0 },
            |sum, seat| Figure { value: sum.value + seat.value, deviation: sum.deviation + seat.deviation },
        ),
        ["ending", ending] => {
            let index = game.endings().iter().position(|known| known.name == ending);
            share_of(tally.endings[index.expect("an ending of the game")], known)
        }
        ["share", metric, value] => share_of(histogram(metric).count(value.parse().expect("a value")), known),
        _ => unreachable!("no figure {name}"),
    }
}

/// Holds every known figure of one game against a run with the policy, or policies, that its row names.
fn check<G: Game, P: Policy<G>>(label: &str, game: &G, policy: impl Fn(&str) -> P) {
    let mut tallies = BTreeMap::new();
    let mut seen = 0;
    for row in rows("figures.csv").iter().filter(|row| row[0] == label) {
        let [_, name, figure_name, text, games] = &row[..] else { unreachable!("five columns: {row:?}") };
        let tally = tallies.entry(name.clone()).or_insert_with(|| {
            let lineup: Vec<_> = name.split(" v ").map(&policy).collect();
            run(game, &lineup, &Plan { seed: 1, trials: 0..TRIALS }, |_| ControlFlow::Continue(()))
        });
        let known: f64 = text.parse().expect("a number");
        let Figure { value, deviation } = figure(game, tally, figure_name, known);
        // The variances of both means add up. Where the known figure was simulated, too, the games it rests on
        // are as widely spread as ours; the exact ones have no variance.
        let their_share = games.parse().map_or(0.0, |games: f64| 1.0 / games);
        let error = deviation * (1.0 / TRIALS as f64 + their_share).sqrt();
        // The known figure is rounded to the digits it is written with.
        let digits = text.split_once('.').map_or(0, |(_, digits)| digits.len());
        let rounding = 0.5 * 0.1_f64.powi(i32::try_from(digits).expect("a few digits"));
        let tolerance = WIDTH * error + rounding;
        let off = (value - known).abs();
        assert!(off <= tolerance, "{label}, {name}: {figure_name} is {value}, not {known} ± {tolerance}");
        seen += 1;
    }
    assert!(seen > 0, "{label} has figures");
}

fn number(name: &str) -> u32 {
    name.rsplit(' ').next().and_then(|number| number.parse().ok()).expect("a number at the end")
}

#[test]
fn carbonite() {
    let policy = |name: &str| if name == "tidy" { Prefer::tidy() } else { Prefer::first(number(name)) };
    check("carbonite", &Carbonite::WIKI, policy);
}

#[test]
fn icedice() {
    for (label, game) in [("icedice two", IceDice::TWO), ("icedice three", IceDice::THREE)] {
        check(label, &game, |name| Trader::first(number(name)));
    }
}

#[test]
fn pig_alone() {
    check("pig solo", &Pig::SOLO, |name| HoldAt(number(name)));
}

/// One turn: the cap ends the game after it, and the goal is out of reach.
#[test]
fn one_turn_of_pig() {
    let game = Pig { goal: 1000, turn_cap: 1, ..Pig::SOLO };
    check("pig turn", &game, |name| HoldAt(number(name)));
}
