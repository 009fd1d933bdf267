//! The intervals of a run with a stopping rule, at all its check points, against exact values.

use std::ops::ControlFlow;

use stopwise_analysis::exact::{Limits, distribution};
use stopwise_analysis::paired::{Stopping, check_points};
use stopwise_analysis::seats::by_policy;
use stopwise_analysis::sequential::Design;
use stopwise_engine::games::pig::Pig;
use stopwise_engine::rotation::rotations;
use stopwise_engine::run::{Plan, run_in_turn};
use stopwise_engine::tally::Tally;
use stopwise_policy::{TextPolicy, shipped};

fn hold(game: &Pig, n: u32) -> TextPolicy<Pig> {
    let text = shipped::policy("pig", "hold").expect("shipped").text();
    TextPolicy::compile(&text, game, &[("n".to_owned(), n.to_string())]).expect("compiles")
}

/// Three policies of which two are alike take turns in the seats: trials have different expectations, and two values that
/// depend on each other. In 95 of 100 runs the intervals of wins and turns hold the exact means at every check point.
#[test]
fn rotated_means_hold_at_every_check_point() {
    const RUNS: u64 = 200;
    let game = Pig { players: 3, goal: 25, ..Pig::STANDARD };
    let (points, lineup) = ([6, 15, 6], [0, 1, 0]);
    let policies = points.map(|n| hold(&game, n));
    let found: Vec<_> = rotations(&policies.each_ref())
        .iter()
        .map(|lineup| distribution(&game, lineup, Limits::default()).expect("ends").means)
        .collect();
    // The mean over rotations and the seats that the policy has there.
    let exact = |policy: usize, metric: usize| {
        let held = |rotation: usize| {
            (0..3).filter(move |&place| lineup[place] == policy).map(move |place| (place + rotation) % 3)
        };
        let values: Vec<f64> = (0..3)
            .flat_map(|rotation| held(rotation).map(move |seat| (rotation, seat)))
            .map(|(rotation, seat)| found[rotation][seat][metric])
            .collect();
        values.iter().sum::<f64>() / values.len() as f64
    };
    let stopping = Stopping::Anytime(Design::new(0.05, 10_000));
    let mut missed = [[0_u64; 2]; 2];
    for seed in 0..RUNS {
        let mut whole: Option<Vec<Tally>> = None;
        let mut misses = [[false; 2]; 2];
        let mut first = 0;
        for look in check_points(20_000).map(|look: u64| look.next_multiple_of(3)) {
            let plan = Plan { seed, trials: first..look };
            let tallies = run_in_turn(&game, &rotations(&policies), &plan, |_| ControlFlow::Continue(()));
            match &mut whole {
                None => whole = Some(tallies),
                Some(whole) => whole.iter_mut().zip(&tallies).for_each(|(whole, more)| whole.merge(more)),
            }
            first = look;
            let standings = by_policy(whole.as_deref().expect("trials"), &lineup);
            for standing in standings.iter().filter(|standing| standing.seat.is_none()) {
                for (metric, whole) in [(0, Some(1)), (1, None)] {
                    let mean = stopping.mean(&standing.tally.metrics[metric], standing.trials, whole);
                    let interval = mean.and_then(|mean| mean.interval).expect("past the burn-in");
                    let exact = exact(standing.policy, metric);
                    misses[standing.policy][metric] |= exact < interval.low || exact > interval.high;
                }
            }
        }
        for (missed, misses) in missed.as_flattened_mut().iter_mut().zip(misses.as_flattened()) {
            *missed += u64::from(*misses);
        }
    }
    // 4.5 standard errors above 5 of 100.
    let most = (0.05 + 4.5 * (0.05 * 0.95 / RUNS as f64).sqrt()) * RUNS as f64;
    assert!(missed.as_flattened().iter().all(|&missed| missed as f64 <= most), "{missed:?} of {RUNS}");
}
