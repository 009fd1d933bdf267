//! Comparisons of grids against stored samples, against exact values, and with degenerate data.

use std::ops::ControlFlow;

use rand::{RngExt as _, SeedableRng as _};
use rand_pcg::Pcg32;
use stopwise_analysis::estimate::{Interval, Level, Method};
use stopwise_analysis::exact::{Limits, distribution};
use stopwise_analysis::student::two_sided_t;
use stopwise_analysis::sweep::{ALPHA, Best, Cell, Cells, Standing, best, sensitivities};
use stopwise_engine::arms::{Lineups, Products, run_arms};
use stopwise_engine::game::Better;
use stopwise_engine::games::pig::Pig;
use stopwise_engine::run::Plan;
use stopwise_policy::{TextPolicy, shipped};

/// The values of every trial, one a cell; the products are of the first `paired` trials, or not there.
fn cells(samples: &[Vec<u32>], paired: Option<usize>) -> Cells {
    let count = samples[0].len();
    let of = |cell: usize| {
        let values = || samples.iter().map(|trial| trial[cell]);
        Cell {
            sum: values().map(u128::from).sum(),
            squares: values().map(|value| u128::from(value).pow(2)).sum(),
            min: values().min().unwrap_or_default(),
            max: values().max().unwrap_or_default(),
            whole: None,
        }
    };
    let products = paired.map(|paired| {
        let mut products = Products::new(count);
        samples[..paired].iter().for_each(|trial| products.add(trial));
        products
    });
    Cells::new(samples.len() as u64, (0..count).map(of).collect(), products)
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

fn std_dev(values: &[f64]) -> f64 {
    let middle = mean(values);
    (values.iter().map(|value| (value - middle).powi(2)).sum::<f64>() / (values.len() as f64 - 1.0)).sqrt()
}

/// The mean of some cells less that of others, trial by trial: its mean in all trials, and how far its interval reaches,
/// among `forms`. The deviation is that of the first trials, bounded with a tenth of 5 %.
fn naive(samples: &[Vec<u32>], paired: usize, more: &[usize], less: &[usize], forms: usize) -> (f64, f64) {
    let side = |trial: &Vec<u32>, cells: &[usize]| {
        mean(&cells.iter().map(|&cell| f64::from(trial[cell])).collect::<Vec<_>>())
    };
    let values: Vec<_> = samples.iter().map(|trial| side(trial, more) - side(trial, less)).collect();
    let cell = |cell: usize| samples.iter().map(|trial| f64::from(trial[cell])).collect::<Vec<_>>();
    let range = |values: Vec<f64>| {
        values.iter().fold(0.0, |most, &value| f64::max(most, value))
            - values.iter().fold(1e9, |least, &value| f64::min(least, value))
    };
    let ranges: f64 = more.iter().chain(less).map(|&at| range(cell(at))).sum();
    let alpha = alpha(samples, paired) / forms as f64;
    let deviations = |cells: &[usize]| cells.iter().map(|&at| std_dev(&cell(at))).collect::<Vec<_>>();
    let all = deviations(&[more, less].concat());
    let size = more.len() as f64;
    let at_most = all.iter().map(|&deviation| half(deviation, deviation.max(1.0), samples.len(), alpha));
    let at_most = at_most.sum::<f64>() / size;
    let first = std_dev(&values[..paired]);
    let deviation = if paired == samples.len() {
        first
    } else {
        let nats = (forms as f64 / (0.1 * ALPHA)).ln();
        first + ranges / size * (2.0 * nats / (paired as f64 - 1.0)).sqrt()
    };
    let scale = |cells: &[usize]| {
        mean(&deviations(cells).iter().map(|deviation| deviation.max(1.0)).collect::<Vec<_>>())
    };
    (mean(&values), half(deviation, scale(more).max(scale(less)), samples.len(), alpha).min(at_most))
}

/// Student's interval, and what is unseen in so many trials.
fn half(deviation: f64, scale: f64, trials: usize, alpha: f64) -> f64 {
    let n = trials as f64;
    let [seen, unseen] =
        [two_sided_t(alpha, trials as u64 - 1) * deviation / n.sqrt(), (2.0 / alpha).ln() * scale / n];
    (seen.powi(2) + unseen.powi(2)).sqrt()
}

/// What is left of 5 % for means.
fn alpha(samples: &[Vec<u32>], paired: usize) -> f64 {
    if paired == samples.len() { ALPHA } else { 0.9 * ALPHA }
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-9 * (1.0 + a.abs())
}

/// Correlated values, some cells alike.
fn samples(trials: usize, count: usize, seed: u64) -> Vec<Vec<u32>> {
    let mut random = Pcg32::seed_from_u64(seed);
    let trial = |_| {
        let common = random.random_range(0..40);
        let cell =
            |cell: usize| common + random.random_range(0..12) + u32::try_from(cell % 3).expect("small");
        (0..count).map(cell).collect()
    };
    (0..trials).map(trial).collect()
}

#[test]
fn levels_as_if_all_samples_were_kept() {
    for (axes, trials, paired, better) in [
        (vec![2, 3], 4000, 4000, Better::Higher),
        (vec![3, 2, 2], 4000, 1500, Better::Lower),
        (vec![4], 50, 50, Better::Higher),
    ] {
        let count = axes.iter().product();
        let samples = samples(trials, count, 3);
        let effects = sensitivities(&cells(&samples, Some(paired)), &axes, better);
        let pairs: usize = axes.iter().map(|levels| levels * (levels - 1) / 2).sum();
        let naive = |more: &[usize], less: &[usize]| naive(&samples, paired, more, less, pairs);
        for (axis, effect) in effects.iter().enumerate() {
            let step: usize = axes[axis + 1..].iter().product();
            let group =
                |level| (0..count).filter(|cell| cell / step % axes[axis] == level).collect::<Vec<_>>();
            let means: Vec<_> = (0..axes[axis]).map(|level| naive(&group(level), &[0]).0).collect();
            assert!(effect.levels[0].more.is_none());
            for (level, found) in effect.levels.iter().enumerate().skip(1) {
                let (value, half) = naive(&group(level), &group(0));
                let more = found.more.expect("not the first");
                let interval = more.interval.expect("many");
                assert!(close(more.value, value) && close(interval.high, value + half), "{more:?} {half}");
                assert!(close(found.mean - effect.levels[0].mean, value));
            }
            let (mut low, mut high) = (0.0_f64, 0.0_f64);
            for a in 0..axes[axis] {
                for b in (0..axes[axis]).filter(|&b| b != a) {
                    let (value, half) = naive(&group(a), &group(b));
                    (low, high) = (low.max(value - half), high.max(value + half));
                }
            }
            let range = effect.range.interval.expect("many");
            assert!(close(range.low, low) && close(range.high, high));
            let sign = if better == Better::Higher { 1.0 } else { -1.0 };
            let is_least = |level| means.iter().all(|&other| sign * means[level] <= sign * other + 1e-9);
            let is_most = |level| means.iter().all(|&other| sign * means[level] >= sign * other - 1e-9);
            assert!(is_most(effect.best) && is_least(effect.worst));
            assert!(close(effect.range.value, (means[effect.best] - means[effect.worst]).abs()));
        }
    }
}

/// Straight from the definition, with all samples kept: whichever cell may be the best is taken for it in turn.
fn naive_best(samples: &[Vec<u32>], paired: usize, better: Better) -> Vec<(f64, Interval, bool)> {
    let count = samples[0].len();
    let sign = if better == Better::Higher { 1.0 } else { -1.0 };
    let pair = |a: usize, b: usize| {
        let (value, half) = naive(samples, paired, &[a], &[b], count - 1);
        (sign * value, sign * value - half, sign * value + half)
    };
    let others = |a: usize| (0..count).filter(|&b| b != a).collect::<Vec<_>>();
    let least = |a: usize, of: fn((f64, f64, f64)) -> f64| {
        others(a).into_iter().map(|b| of(pair(a, b))).fold(f64::INFINITY, f64::min)
    };
    let may_be_best = |a: usize| others(a).into_iter().all(|b| pair(a, b).2 >= 0.0);
    let of = |a: usize| {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for best in (0..count).filter(|&best| may_be_best(best)) {
            let (from, to) = if best == a {
                (-least(a, |pair| pair.2), -least(a, |pair| pair.1).max(0.0))
            } else {
                (pair(best, a).1.max(0.0), pair(best, a).2)
            };
            (low, high) = (low.min(from), high.max(to));
        }
        (-least(a, |pair| pair.0), Interval { low, high }, may_be_best(a))
    };
    (0..count).map(of).collect()
}

#[test]
fn the_best_as_if_all_samples_were_kept() {
    for (count, trials, paired, better) in [
        (7, 3000, 3000, Better::Higher),
        (7, 300, 300, Better::Lower),
        (5, 9000, 2500, Better::Higher),
        (2, 20, 20, Better::Lower),
    ] {
        let samples = samples(trials, count, 11);
        let found = best(&cells(&samples, Some(paired)), better).expect("cells");
        for (standing, (loss, interval, is_possible)) in
            found.standings.iter().zip(naive_best(&samples, paired, better))
        {
            let ours = limits(standing);
            assert!(close(standing.loss.expect("others").value, loss), "{standing:?} {loss}");
            assert!(
                close(ours.low, interval.low) && close(ours.high, interval.high),
                "{ours:?} {interval:?}"
            );
            assert_eq!(standing.is_possible, is_possible);
        }
        assert!(found.standings[found.cell].loss.expect("others").value <= 0.0);
        assert!(found.ties().all(|tie| tie != found.cell));
    }
}

/// Without products nothing is assumed of how the cells go together. With those of the first trials the
/// interval is wider than with those of all, and narrower than without any.
#[test]
fn unknown_dependence_is_allowed_for() {
    let samples = samples(20_000, 6, 5);
    let reach = |paired| {
        let effects = sensitivities(&cells(&samples, paired), &[2, 3], Better::Higher);
        let more = effects[0].levels[1].more.expect("not the first");
        more.interval.expect("many").high - more.value
    };
    let of = |cell: usize| std_dev(&samples.iter().map(|trial| f64::from(trial[cell])).collect::<Vec<_>>());
    let alone = |cell| half(of(cell), of(cell), 20_000, ALPHA / 4.0);
    assert!(close(reach(None), (0..6).map(alone).sum::<f64>() / 3.0));
    assert!(reach(Some(20_000)) < reach(Some(5000)) && reach(Some(5000)) < reach(None) / 2.0);

    // Two cells that differ in one of 10,000 trials, and not in the first 5,000, which must not be taken for certainty.
    let differs = |trial: u32| trial % 10_000 == 9999;
    let rare: Vec<_> =
        (0..20_000).map(|trial| vec![trial % 2, trial % 2 + u32::from(differs(trial))]).collect();
    let found = best(&cells(&rare, Some(5000)), Better::Higher).expect("cells");
    assert_eq!((found.cell, found.ties().collect::<Vec<_>>()), (1, vec![0]));
}

/// The interval of a loss.
fn limits(standing: &Standing) -> Interval {
    standing.loss.and_then(|loss| loss.interval).expect("others, and many trials")
}

/// The chance that the truly best cell is excluded, or that an interval of a loss misses, is at most 5 %: of 2,000 grids of
/// five cells with correlated values, the worst case of equal means and one of unequal ones. A count of 2,000 · 0.05
/// strays by 9.7; 4 of those are allowed for.
#[test]
fn the_best_is_in_the_group() {
    let truths = [[0.5; 5], [0.5, 0.45, 0.5, 0.4, 0.3]];
    for (chances, seed) in truths.iter().zip(1..) {
        let mut random = Pcg32::seed_from_u64(seed);
        let top = chances.iter().copied().fold(0.0, f64::max);
        let (mut excluded, mut missed) = (0, 0);
        for _ in 0..2000 {
            let mut trial = || {
                let common: f64 = random.random();
                // Half of the time all cells have the same luck.
                let mut luck = || if random.random::<bool>() { common } else { random.random() };
                chances.iter().map(|&chance| u32::from(luck() < chance)).collect::<Vec<_>>()
            };
            let samples: Vec<_> = (0..400).map(|_| trial()).collect();
            let found = best(&cells(&samples, Some(400)), Better::Higher).expect("cells");
            let is_top = |cell: &usize| chances[*cell] >= top;
            excluded += usize::from((0..5).filter(is_top).any(|cell| !found.standings[cell].is_possible));
            let truth = |cell: usize| {
                let others = (0..5).filter(|&other| other != cell).map(|other| chances[other]);
                others.fold(0.0, f64::max) - chances[cell]
            };
            missed += usize::from((0..5).any(|cell| {
                let interval = limits(&found.standings[cell]);
                !(interval.low - 1e-12..=interval.high + 1e-12).contains(&truth(cell))
            }));
        }
        assert!(missed <= 139, "{chances:?}: {missed}");
        // Where several are best any one of them is in the group with 95 %; all together need not be.
        assert!(chances[0] == chances[1] || excluded <= 200, "{chances:?}: {excluded}");
    }
}

fn swept(policies: &[TextPolicy<Pig>], seed: u64) -> Cells {
    let lineups: Vec<_> = policies.iter().map(|policy| [[policy]]).collect();
    let arms: Vec<_> = lineups.iter().map(|lineups| Lineups::of(&Pig::SOLO, lineups)).collect();
    let products = run_arms(
        &arms.iter().map(|arm| arm as _).collect::<Vec<_>>(),
        0,
        &Plan { seed, trials: 0..100_000 },
        &|_| ControlFlow::Continue(()),
    );
    let cell = |arm| Cell {
        sum: products.sum(arm),
        squares: products.product(arm, arm),
        min: 1,
        max: 100,
        whole: None,
    };
    Cells::new(products.trials, (0..policies.len()).map(cell).collect(), Some(products))
}

/// The mean of a metric that is 0 or 1 has the exact interval of a share: published examples (Newcombe, Stat. Med. 17,
/// 1998, table I, method 5). So has a share of a win, counted in parts of one: its limits are those of the whole numbers of
/// wins on either side.
#[test]
fn shares_have_exact_intervals() {
    let cell = |sum: u128, whole| Cell { sum, squares: sum, min: 0, max: 1, whole: Some(whole) };
    for (sum, whole, trials, low, high) in [
        (81, 1, 263, 0.2527, 0.3676),
        (15, 1, 148, 0.0578, 0.1617),
        (0, 1, 20, 0.0, 0.1684),
        (1, 1, 29, 0.0009, 0.1776),
        (162, 2, 263, 0.2527, 0.3676),
    ] {
        let cells = Cells::new(trials, vec![cell(sum, whole)], None);
        let found = cells.estimate(0, Level::SINGLE);
        let Interval { low: least, high: most } =
            found.interval.expect("trials").times(1.0 / f64::from(whole));
        assert_eq!(found.method, Method::Exact);
        assert!((least - low).abs() < 5.1e-5 && (most - high).abs() < 5.1e-5, "{least} to {most}");
    }
}

/// Turns to 100 alone, for hold at 15 to 30: exact values lie inside the intervals, all of them, and the one that is best
/// by exact value is in a small group: hold at 20 with 12.6368 turns, before 19 with 12.6385 and 25 with 12.6852. That may
/// fail for one seed in twenty, and so for more than one of four with a chance of 1.4 %; the seeds are fixed.
#[test]
fn exact_values_of_pig() {
    let hold = |points: u32| {
        let text = shipped::policy("pig", "hold").expect("shipped").text();
        TextPolicy::compile(&text, &Pig::SOLO, &[("n".into(), points.to_string())]).expect("compiles")
    };
    let policies: Vec<_> = (15..=30).map(hold).collect();
    let exact: Vec<_> = policies
        .iter()
        .map(|policy| {
            distribution(&Pig::SOLO, &[policy], Limits::default()).expect("small enough").means[0][0]
        })
        .collect();
    let truly = (0..16).min_by(|&a, &b| exact[a].total_cmp(&exact[b])).expect("cells");
    assert_eq!(truly, 5, "hold at 20");
    let (least, most) = exact.iter().fold((f64::INFINITY, 0.0_f64), |(a, b), &x| (a.min(x), b.max(x)));
    let holds = |interval: Option<Interval>, truth: f64| {
        let Interval { low, high } = interval.expect("many trials");
        (low..=high).contains(&truth)
    };
    let (mut losses, mut levels) = (0, 0);
    for seed in 1..=4 {
        let cells = swept(&policies, seed);
        let Best { cell, standings, .. } = best(&cells, Better::Lower).expect("cells");
        assert!(standings[cell].is_possible);
        assert!(standings.iter().filter(|standing| standing.is_possible).count() < 6, "{standings:?}");
        let loss = |at: usize| {
            let others = exact.iter().enumerate().filter(|&(other, _)| other != at);
            exact[at] - others.map(|(_, &turns)| turns).fold(f64::INFINITY, f64::min)
        };
        let all_hold =
            standings.iter().enumerate().all(|(at, standing)| holds(Some(limits(standing)), loss(at)));
        losses += usize::from(!all_hold || !standings[truly].is_possible);
        let effect = &sensitivities(&cells, &[16], Better::Lower)[0];
        let more = |at: usize| effect.levels[at].more.expect("not the first").interval;
        let all_hold = (1..16).all(|at| holds(more(at), exact[at] - exact[0]));
        levels += usize::from(!all_hold || !holds(effect.range.interval, most - least));
    }
    assert!(losses <= 1 && levels <= 1, "{losses} {levels}");
}

#[test]
fn little_to_say() {
    let twins: Vec<_> = (0..50).map(|trial| vec![trial % 7; 4]).collect();
    let constant = vec![vec![3; 4]; 50];
    for (samples, paired, is_told) in [(&twins, 50, true), (&constant, 50, false), (&constant, 20, false)] {
        for better in [Better::Higher, Better::Lower] {
            let found = best(&cells(samples, Some(paired)), better).expect("cells");
            assert_eq!((found.cell, found.ties().collect::<Vec<_>>()), (0, vec![1, 2, 3]));
            // What may be unseen in fifty trials: of a scale that values have. Of those that are all alike nothing is known.
            let is_room = |interval: Option<Interval>| match interval {
                Some(Interval { low, high }) => is_told && low <= 0.0 && high >= 40_f64.ln() / 50.0,
                None => !is_told,
            };
            let losses: Vec<_> = found.standings.iter().filter_map(|standing| standing.loss).collect();
            assert_eq!(losses.len(), 4);
            assert!(losses.iter().all(|loss| loss.value == 0.0 && is_room(loss.interval)));
            let effects = sensitivities(&cells(samples, Some(paired)), &[2, 2], better);
            assert!(effects.iter().all(|effect| is_room(effect.range.interval)));
            assert!(effects.iter().all(|effect| (effect.best, effect.worst) == (0, 0)));
        }
    }

    let one_trial = cells(&[vec![5, 7, 6]], Some(1));
    let found = best(&one_trial, Better::Higher).expect("cells");
    assert_eq!((found.cell, found.ties().count()), (1, 2));
    assert!(found.standings.iter().all(|standing| standing.loss.is_none_or(|loss| loss.interval.is_none())));
    let effects = sensitivities(&one_trial, &[3], Better::Higher);
    assert_eq!((effects[0].best, effects[0].worst, effects[0].range.interval), (1, 0, None));

    let alone = cells(&[vec![5], vec![6]], Some(2));
    let found = best(&alone, Better::Higher).expect("a cell");
    assert_eq!((found.cell, found.ties().count(), found.standings[0].loss), (0, 0, None));
    assert!(found.standings[0].is_possible);
    assert_eq!(sensitivities(&alone, &[1, 1], Better::Higher)[1].range.interval, None);
    assert_eq!(best(&Cells::new(10, Vec::new(), None), Better::Higher), None);
}

/// Some cells of a grid are as a grid of their own; as one of several statements they have a part of α, so that intervals are wider.
#[test]
fn some_cells_are_a_grid_of_their_own() {
    let all = samples(400, 5, 7);
    let some: Vec<Vec<u32>> = all.iter().map(|trial| [1, 3, 4].map(|cell| trial[cell]).to_vec()).collect();
    for paired in [None, Some(100), Some(400)] {
        let of = |statements| {
            best(&cells(&all, paired).only(&[1, 3, 4], statements), Better::Higher).expect("there are cells")
        };
        assert_eq!(Some(of(1)), best(&cells(&some, paired), Better::Higher));
        let width =
            |found: Best| found.standings[0].loss.and_then(|loss| loss.interval).map(Interval::half_width);
        assert!(width(of(3)) > width(of(1)), "{paired:?}");
    }
}
