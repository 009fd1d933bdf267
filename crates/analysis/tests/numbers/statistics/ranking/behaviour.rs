//! The steps of a race.

use std::convert::Infallible;
use std::ops::ControlFlow;

use stopwise_analysis::estimate::{Estimate, Interval};
use stopwise_analysis::paired::SAME_AFTER;
use stopwise_analysis::rank::{Aim, LegOutcome, Race, RaceConfig, Resolution, Verdict, play_leg};
use stopwise_engine::arms::{Arm, Lineups, Products, run_arms};
use stopwise_engine::game::Better;
use stopwise_engine::games::pig::Pig;
use stopwise_policy::{TextPolicy, shipped};

const CONFIG: RaceConfig = RaceConfig {
    alpha: 0.05,
    most: 50_000,
    aim: Aim::Order,
    resolution: Resolution::OfDeviation(0.01),
    better: Better::Higher,
    range: None,
};

/// Runs a race to its end; the value of an arm in a trial is a function of both.
fn run(arms: usize, racing: RaceConfig, value: impl Fn(usize, u64) -> u32) -> Race {
    let mut race = Race::new(arms, racing);
    while let Some(leg) = race.leg() {
        let columns: Vec<Vec<u32>> =
            leg.arms.iter().map(|&arm| leg.trials.clone().map(|trial| value(arm, trial)).collect()).collect();
        let mut products = Products::new(leg.arms.len());
        products.add_block(&columns);
        race.enter(&products);
    }
    race
}

/// A value between 0 and 99 that looks random.
fn noise(arm: usize, trial: u64) -> u32 {
    let mixed = (trial + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)
        ^ (arm as u64 + 7).wrapping_mul(0xd1b5_4a32_d192_ed03);
    let mixed = (mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    u32::try_from((mixed ^ (mixed >> 32)) % 100).expect("small")
}

fn limits(estimate: Estimate) -> Interval {
    estimate.interval.unwrap_or(Interval::UNBOUNDED)
}

fn is_sound(race: &Race, arms: usize) {
    for a in 0..arms {
        let arm = race.estimate(a);
        assert!(arm.value.is_finite() && !limits(arm).low.is_nan());
        for b in 0..arms {
            let [there, back] = [race.difference(a, b), race.difference(b, a)];
            let Interval { low, high } = limits(there);
            assert!(there.value.is_finite() && low <= high);
            assert_eq!(race.trials_of_both(a, b), race.trials_of(a).min(race.trials_of(b)));
            assert!((there.value + back.value).abs() < 1e-12);
            assert!(limits(back).low == -high && limits(back).high == -low);
        }
    }
    let ranking = race.ranking();
    let mut order = ranking.order.clone();
    order.sort_unstable();
    assert_eq!(order, (0..arms).collect::<Vec<_>>());
    let is_in_place = |(place, &arm): (usize, &usize)| {
        let (best, worst) = ranking.places[arm];
        best <= place + 1 && place < worst
    };
    assert!(ranking.order.iter().enumerate().all(is_in_place), "{ranking:?}");
}

/// Arms leave as they are settled and keep what they had; the race ends when all are.
#[test]
fn arms_leave_one_by_one() {
    let race = run(4, CONFIG, |arm, trial| noise(arm, trial) + [60, 40, 41, 0][arm]);
    is_sound(&race, 4);
    let trials = [0, 1, 2, 3].map(|arm| race.trials_of(arm));
    assert_eq!(trials[3], 1_000, "who is far off leaves at once");
    assert!(trials[0] < trials[1] && trials[1] == trials[2] && trials[2] == race.trials(), "{trials:?}");
    assert_eq!(race.trials_of_both(0, 3), 1_000);
    let ranking = race.ranking();
    assert_eq!((ranking.order[0], ranking.order[3]), (0, 3));
    // Who is best is known much sooner.
    let best = run(4, RaceConfig { aim: Aim::Best, ..CONFIG }, |arm, trial| {
        noise(arm, trial) + [60, 40, 41, 0][arm]
    });
    is_sound(&best, 4);
    assert!(best.trials() < race.trials() && best.left().is_empty());
    let may_be_best: Vec<_> = best.ranking().places.iter().map(|places| places.0 == 1).collect();
    assert!(may_be_best[0] && !may_be_best[1..].contains(&true), "{may_be_best:?}");
}

/// Less can be better, and then everything is mirrored.
#[test]
fn less_is_better() {
    let value = |arm: usize, trial| noise(arm, trial) + [10, 0, 30][arm];
    let lower = run(3, RaceConfig { better: Better::Lower, ..CONFIG }, value);
    assert_eq!(lower.ranking().order, [1, 0, 2]);
    assert_eq!(lower.verdict(1, 2), Verdict::A);
    let higher = run(3, CONFIG, value);
    assert_eq!(higher.ranking().order, [2, 0, 1]);
    assert_eq!(higher.difference(0, 1), lower.difference(0, 1));
}

/// Twins that always do the same are settled soon and without nonsense, and arms that never vary where their range is known; of
/// others that do not it takes [`SAME_AFTER`] trials.
#[test]
fn twins_and_constants() {
    let twins = run(3, CONFIG, |arm, trial| noise(arm / 2, trial) + 20 * u32::from(arm < 2));
    is_sound(&twins, 3);
    assert_eq!((twins.verdict(0, 1), twins.verdict(0, 2)), (Verdict::Equal, Verdict::A));
    assert!(twins.trials() < 5_000, "{}", twins.trials());
    assert_eq!(twins.ranking().places, [(1, 2), (1, 2), (3, 3)]);
    let long = 2 * SAME_AFTER;
    for (range, most) in [(None, 50_000), (None, long), (Some(Interval { low: 0.0, high: 1.0 }), 50_000)] {
        let racing = RaceConfig { range, most, ..CONFIG };
        let is_told = range.is_some() || most == long;
        let same = run(3, racing, |_, _| 1);
        is_sound(&same, 3);
        assert!(same.verdict(0, 2) != Verdict::A && same.left().is_empty() == is_told, "{range:?}");
        let known = run(2, racing, |arm, _| u32::from(arm == 1));
        let verdict = if is_told { Verdict::A } else { Verdict::Open };
        let trials = if range.is_some() { 1_000 } else { most.min(1_038_000) };
        assert_eq!((known.verdict(1, 0), known.trials()), (verdict, trials));
    }
}

/// Too few trials for a first look say nothing, and no look comes after the last.
#[test]
fn one_trial() {
    for most in [1, 999] {
        let race =
            run(2, RaceConfig { most, ..CONFIG }, |arm, trial| noise(arm, trial) + 50 * u32::from(arm == 1));
        is_sound(&race, 2);
        assert_eq!((race.trials(), race.verdict(0, 1)), (most, Verdict::Open));
        assert_eq!(race.estimate(0).interval, None);
        assert_eq!(race.ranking().order, [1, 0]);
    }
    let won =
        run(2, RaceConfig { most: 1, range: Some(Interval { low: 0.0, high: 1.0 }), ..CONFIG }, |arm, _| {
            u32::from(arm == 1)
        });
    let limits = won.estimate(1).interval;
    assert_eq!((won.verdict(0, 1), limits), (Verdict::Open, Some(Interval { low: 0.0, high: 1.0 })));
}

/// A value that is worth as much as all the others together.
#[test]
fn heavy_tails() {
    let race = run(2, CONFIG, |arm, trial| if noise(arm, trial) == 0 { 4_000_000_000 } else { 1 });
    is_sound(&race, 2);
    assert_eq!(race.verdict(0, 1), Verdict::Open);
}

/// Played in any number of threads, stopped and gone on with, a race is the same.
#[test]
fn a_race_is_a_function_of_its_plan() {
    let text = shipped::policy("pig", "hold").expect("shipped").text();
    let hold =
        |n: u32| TextPolicy::compile(&text, &Pig::SOLO, &[("n".into(), n.to_string())]).expect("compiles");
    let lineups: Vec<_> = [15, 20, 25, 30].map(|n| [vec![hold(n)]]).into();
    let arms: Vec<_> = lineups.iter().map(|lineups| Lineups::of(&Pig::SOLO, lineups)).collect();
    let racing = RaceConfig { most: 20_000, better: Better::Lower, ..CONFIG };
    let run = |threads: usize, is_stopped: bool| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
        let mut race = Race::new(arms.len(), racing);
        let stopped = std::cell::Cell::new(is_stopped);
        loop {
            let before = race.trials();
            let flow = if stopped.get() && before > 2_000 {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            };
            let played = pool.install(|| {
                play_leg(&mut race, 3, &mut |playing, plan| {
                    let arms: Vec<_> = playing.iter().map(|&arm| &arms[arm] as &dyn Arm).collect();
                    Ok::<_, Infallible>(run_arms(&arms, 0, plan, &|_| flow))
                })
            });
            let Ok(step) = played;
            match step {
                LegOutcome::Over => return format!("{race:?}"),
                LegOutcome::Stopped => {
                    assert_eq!(race.trials(), before);
                    stopped.set(false);
                }
                LegOutcome::Played => assert!(race.trials() > before),
            }
        }
    };
    let once = run(1, false);
    assert_eq!(once, run(3, false));
    assert_eq!(once, run(2, true));
}
