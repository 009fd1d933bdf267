//! How often the limits of the expected best of several games miss, against exact distributions.

use std::collections::BTreeMap;

use rand::{RngExt, SeedableRng};
use rand_pcg::Lcg64Xsh32;
use stopwise_analysis::best_of::best_of;
use stopwise_analysis::estimate::Interval;
use stopwise_analysis::exact::{Limits, distribution};
use stopwise_engine::game::Better;
use stopwise_engine::games::carbonite::Carbonite;
use stopwise_engine::tally::Histogram;
use stopwise_policy::{TextPolicy, shipped};

/// The exact scores of a policy in a small game, of which one in 20,000 is about twice the next lower.
fn scores() -> BTreeMap<u32, f64> {
    let game = Carbonite { colours: 2, ..Carbonite::WIKI };
    let text = shipped::policy("carbonite", "tidy").expect("shipped").text();
    let policy = TextPolicy::compile(&text, &game, &[]).expect("compiles");
    let found = distribution(&game, &[&policy], Limits::default()).expect("ends");
    found.shares[0][0].clone()
}

fn sample(shares: &BTreeMap<u32, f64>, trials: u64, seed: u64) -> Histogram {
    let mut generator = Lcg64Xsh32::seed_from_u64(seed);
    let mut sum = 0.0;
    let cumulative = shares.iter().map(|(&value, share)| {
        sum += share;
        (sum, value)
    });
    let cumulative: Vec<_> = cumulative.collect();
    let mut counts = vec![0; cumulative.len()];
    let last = counts.len() - 1;
    for _ in 0..trials {
        let drawn: f64 = generator.random();
        counts[cumulative.partition_point(|&(sum, _)| sum <= drawn).min(last)] += 1;
    }
    let mut histogram = Histogram::default();
    cumulative.iter().zip(counts).for_each(|(&(_, value), count)| histogram.add_many(value, count));
    histogram
}

/// The expected best of so many values.
fn expected(shares: &BTreeMap<u32, f64>, games: u32, better: Better) -> f64 {
    let mut values: Vec<_> = shares.iter().collect();
    if better == Better::Lower {
        values.reverse();
    }
    let (mut sum, mut within, mut best) = (0.0, 0.0, 0.0);
    for (&value, share) in values {
        sum += share;
        let more = f64::powf(sum, games.into());
        best += f64::from(value) * (more - within);
        within = more;
    }
    best
}

/// Of 10,000 trials: normal limits, and those of a band with what the rules bound and without.
#[test]
fn limits_of_the_best_hold() {
    const RUNS: u32 = 200;
    let scores = scores();
    // As counted from the exact distribution by other means.
    assert!((expected(&scores, 1_000, Better::Higher) - 112.59).abs() < 0.005);
    let most = f64::from(*scores.keys().next_back().expect("scores"));
    let plans = [1, 3, 20, 100, 300, 1_000, 10_000].map(|games| {
        let of = |better| (games, better, expected(&scores, games, better));
        [of(Better::Higher), of(Better::Lower)]
    });
    let mut missed = [[0_u32; 2]; 7];
    for seed in 0..RUNS {
        let trials = sample(&scores, 10_000, seed.into());
        for (missed, plans) in missed.iter_mut().zip(&plans) {
            for (missed, &(games, better, exact)) in missed.iter_mut().zip(plans) {
                let limits = |bounds| best_of(&trials, games, better, bounds)?.interval;
                let [open, bounded] = [None, Some((0.0, most))].map(|bounds| limits(bounds).expect("limits"));
                let holds = |found: Interval| found.low <= exact && exact <= found.high;
                *missed += u32::from(!(holds(open) && holds(bounded)));
                assert!(open.low <= bounded.low + 1e-9 && bounded.high <= open.high, "{games} {better:?}");
                let is_open = better == Better::Higher && games > 20;
                assert_eq!(open.high.is_infinite(), is_open, "{games} {better:?}");
            }
        }
    }
    // 4 standard errors above 5 of 100.
    let limit = (0.05 + 4.0 * (0.05 * 0.95 / f64::from(RUNS)).sqrt()) * f64::from(RUNS);
    assert!(missed.as_flattened().iter().all(|&missed| f64::from(missed) <= limit), "{missed:?} of {RUNS}");
}
