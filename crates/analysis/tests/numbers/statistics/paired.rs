//! Paired comparisons against exact values, against independent runs, and against themselves.

use std::ops::ControlFlow;

use stopwise_analysis::estimate::{Interval, Level, Summary};
use stopwise_analysis::exact::{Distribution, Limits, distribution};
use stopwise_analysis::paired::{
    BinDifference, Known, MeanDifference, Stopping, WinTieLoss, bin_differences, early_difference,
    quantile_differences, variance_ratio,
};
use stopwise_engine::arms::Lineups;
use stopwise_engine::game::{Better, Ending, Event, Events, Game, MAX_METRICS, Policy, Seat};
use stopwise_engine::games::carbonite::Carbonite;
use stopwise_engine::games::pig::Pig;
use stopwise_engine::paired::{PairedTally, run_paired};
use stopwise_engine::run::Plan;
use stopwise_engine::stream::Keys;
use stopwise_engine::trial::{Watch, trial};
use stopwise_engine::trial_result::measure_seat;
use stopwise_engine::vocabulary::Vocabulary;
use stopwise_policy::{TextPolicy, shipped};

/// 4.5 standard errors: a chance of 7 in a million for each comparison.
const FAR: f64 = 4.5;

fn policy<G: Vocabulary>(game: &G, name: &str, parameters: &[(&str, u32)]) -> TextPolicy<G> {
    let text = shipped::policy(game.info().name, name).expect("shipped").text();
    let named = |&(name, value): &(&str, u32)| (name.to_owned(), value.to_string());
    let parameters: Vec<_> = parameters.iter().map(named).collect();
    TextPolicy::compile(&text, game, &parameters).expect("compiles")
}

fn hold(points: u32) -> TextPolicy<Pig> {
    policy(&Pig::SOLO, "hold", &[("n", points)])
}

fn compared<G: Game>(game: &G, policies: [&impl Policy<G>; 2], seed: u64, trials: u64) -> PairedTally {
    let plan = Plan { seed, trials: 0..trials };
    let lineups = policies.map(|policy| [[policy]]);
    let arms = lineups.each_ref().map(|lineups| Lineups::of(game, lineups));
    run_paired(&arms.each_ref().map(|arm| arm as _), &[(0, 1)], &plan, 0, &|_| ControlFlow::Continue(()))
}

fn exact_turns(points: u32) -> f64 {
    distribution(&Pig::SOLO, &[&hold(points)], Limits::default()).expect("small enough").means[0][0]
}

/// Turns to 100 alone: the exact difference of any two thresholds is where the pairs say, and the order is right.
#[test]
fn exact_differences_of_pig() {
    for (a, b) in [(20, 25), (25, 20), (20, 15), (20, 21)] {
        let found = compared(&Pig::SOLO, [&hold(a), &hold(b)], 5, 200_000);
        let pair = &found.pairs[0];
        let mean = MeanDifference::of(&pair.metrics[0], 0.0).expect("trials");
        let (expected, error) = (exact_turns(a) - exact_turns(b), mean.std_error.expect("many trials"));
        assert!((mean.value - expected).abs() <= FAR * error, "{a}, {b}: {mean:?}, exactly {expected}");
        // Neither pair of thresholds that are five apart is anywhere near a tie.
        if a.abs_diff(b) == 5 {
            assert!(expected.abs() > FAR * error, "{a}, {b}: enough trials to tell");
            assert_eq!(mean.value > 0.0, expected > 0.0);
            let interval = mean.fixed(Level::SINGLE).interval.expect("many trials");
            assert!(interval.low > 0.0 || interval.high < 0.0);
        }
    }
}

/// The intervals of the mean and of the share of early ends hold the exact difference in 95 of 100 replicates, those of
/// the quantiles at least.
#[test]
fn coverage() {
    const REPLICATES: u32 = 600;
    let small = Carbonite { colours: 2, copies: 1, turns: 4, ..Carbonite::WIKI };
    let policies = [policy(&small, "tidy", &[("k", 1)]), policy(&small, "first", &[("k", 2)])];
    let exact = policies
        .each_ref()
        .map(|policy| distribution(&small, &[policy], Limits::default()).expect("small enough"));
    let difference = |of: &dyn Fn(&Distribution) -> f64| of(&exact[0]) - of(&exact[1]);
    let mean = difference(&|exact| exact.means[0][0]);
    let is_early = |(ending, _): &(&Ending, &f64)| ending.early;
    let early = difference(&|exact| {
        small.endings().iter().zip(&exact.endings).filter(is_early).map(|(_, chance)| chance).sum()
    });
    let quantile = |share| {
        difference(&|exact| {
            let mut below = 0.0;
            let reaches = |&(_, chance): &(&u32, &f64)| {
                below += chance;
                below >= share
            };
            f64::from(*exact.shares[0][0].iter().find(reaches).expect("some value").0)
        })
    };
    let (mut means, mut ends, mut quantiles) = (0, 0, [0; 5]);
    for seed in 0..u64::from(REPLICATES) {
        let found = compared(&small, policies.each_ref(), seed, 400);
        let holds = |interval: Interval, value| u32::from((interval.low..=interval.high).contains(&value));
        let pair = &found.pairs[0];
        let estimate = MeanDifference::of(&pair.metrics[0], 0.0).expect("trials");
        means += holds(estimate.fixed(Level::SINGLE).interval.expect("many trials"), mean);
        ends += holds(
            early_difference(pair, Stopping::Fixed).and_then(|found| found.interval).expect("trials"),
            early,
        );
        let [of_a, of_b] = [0, 1].map(|at: usize| found.arms[at].histogram(0));
        for (count, found) in quantiles.iter_mut().zip(quantile_differences(&of_a, &of_b, Stopping::Fixed)) {
            *count += holds(found.difference.interval.expect("many trials"), quantile(found.share));
        }
    }
    let slack = FAR * (0.95 * 0.05 / f64::from(REPLICATES)).sqrt();
    let share = |count: u32| f64::from(count) / f64::from(REPLICATES);
    assert!((share(means) - 0.95).abs() <= slack, "means: {}", share(means));
    assert!((0.95 - slack..0.99).contains(&share(ends)), "early ends: {}", share(ends));
    for count in quantiles {
        assert!(share(count) >= 0.95 - slack, "quantiles: {}", share(count));
    }
}

/// A variance, and its relative standard error √((κ − 1) / n), κ being the kurtosis.
fn variance(values: &[f64]) -> (f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let moment = |power| values.iter().map(|value| (value - mean).powi(power)).sum::<f64>() / n;
    let (second, fourth) = (moment(2), moment(4));
    (second, ((fourth / (second * second) - 1.0) / n).sqrt())
}

/// Counts the events of the only seat.
#[derive(Default)]
struct Counts([u32; Event::COUNT]);

impl Events for Counts {
    fn event(&mut self, _: Seat, event: Event) {
        self.0[event.index()] += 1;
    }
}

impl<G: Game> Watch<G> for Counts {}

/// The first metric in every trial.
fn values<G: Vocabulary>(game: &G, policy: &TextPolicy<G>, seed: u64, trials: u64) -> Vec<f64> {
    let keys = Keys::new(seed);
    let play = |number| {
        let (mut counts, mut values) = (Counts::default(), [0; MAX_METRICS]);
        let end = trial(game, &[policy], &mut keys.stream(number, 0), &mut counts);
        measure_seat(game, end, 0, &counts.0, &mut values);
        f64::from(values[0])
    };
    (0..trials).map(play).collect()
}

fn minus(a: &[f64], b: &[f64]) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| a - b).collect()
}

/// What pairing bought is what runs of different seeds measure. The tolerance is that of the variances in it: those of
/// one seed may go together, those of different seeds do not.
fn ratio_is_measured<G: Vocabulary>(game: &G, a: &TextPolicy<G>, b: &TextPolicy<G>) {
    const TRIALS: u64 = 40_000;
    let found = compared(game, [a, b], 1, TRIALS);
    let [of_a, of_b] = [0, 1].map(|at: usize| found.arms[at].histogram(0));
    let ratio = variance_ratio(&found.pairs[0].metrics[0], &of_a, &of_b).expect("they differ");

    let independent = variance(&minus(&values(game, a, 2, TRIALS), &values(game, b, 3, TRIALS)));
    let [alone_a, alone_b] = [a, b].map(|policy| values(game, policy, 4, TRIALS));
    let paired = variance(&minus(&alone_a, &alone_b));
    let measured = independent.0 / paired.0;
    let of_the_ratio = variance(&alone_a).1.max(variance(&alone_b).1) + paired.1;
    let tolerance = FAR * (independent.1.powi(2) + paired.1.powi(2) + of_the_ratio.powi(2)).sqrt();
    assert!((ratio / measured - 1.0).abs() <= tolerance, "{ratio}, measured {measured} ± {tolerance}");
    assert!(tolerance < 0.2, "a tolerance that says something: {tolerance}");
}

#[test]
fn the_variance_ratio_is_what_independent_runs_measure() {
    let wiki = Carbonite::WIKI;
    let [one, two, three] = [1, 2, 3].map(|k| policy(&wiki, "first", &[("k", k)]));
    let tidy = policy(&wiki, "tidy", &[]);
    ratio_is_measured(&wiki, &tidy, &two);
    ratio_is_measured(&wiki, &one, &three);
    ratio_is_measured(&Pig::SOLO, &hold(20), &hold(25));
}

/// What holds of any comparison: of A with B, of B with A, and of each alone.
#[test]
fn identities() {
    let wiki = Carbonite::WIKI;
    let (tidy, first) = (policy(&wiki, "tidy", &[]), policy(&wiki, "first", &[]));
    let (ab, ba) = (compared(&wiki, [&tidy, &first], 9, 5_001), compared(&wiki, [&first, &tidy], 9, 5_001));
    let (one, other) = (&ab.pairs[0], &ba.pairs[0]);
    for (at, (metric, differences)) in wiki.metrics().iter().zip(&one.metrics).enumerate() {
        let [a, b] = [0, 1].map(|lineup: usize| ab.arms[lineup].histogram(at));
        let (mean, turned) = (
            MeanDifference::of(differences, 0.0).expect("trials"),
            MeanDifference::of(&other.metrics[at], 0.0).expect("trials"),
        );
        assert_eq!((mean.value, mean.std_error), (-turned.value, turned.std_error), "{}", metric.name);
        // The difference of the means to the last integer.
        let (more, less, _) = differences.sums();
        assert_eq!(a.sums().0 + less, b.sums().0 + more, "{}", metric.name);
        let means = [&a, &b].map(|histogram| Summary::of(histogram).expect("trials").mean);
        assert!((mean.value - (means[0] - means[1])).abs() < 1e-9 * (1.0 + means[0].abs()));
        let (duel, turned) =
            (WinTieLoss::of(differences, metric.better), WinTieLoss::of(&other.metrics[at], metric.better));
        assert_eq!(
            (duel.a_better, duel.equal, duel.b_better),
            (turned.b_better, turned.equal, turned.a_better)
        );
        assert_eq!(duel.a_better + duel.equal + duel.b_better, 5_001);
        assert_eq!(variance_ratio(differences, &a, &b), variance_ratio(&other.metrics[at], &b, &a));
    }
    let [a, b] = [0, 1].map(|lineup: usize| ab.arms[lineup].histogram(0));
    let of = |pair, a, b| bin_differences(pair, a, b, Stopping::Fixed, &mut Known::default());
    let (bins, turned) = (of(one, &a, &b), of(other, &b, &a));
    assert!(bins.iter().map(|bin| bin.difference.value).sum::<f64>().abs() < 1e-9);
    for (bin, turned) in bins.iter().zip(&turned) {
        assert_eq!((bin.value, bin.a, bin.b), (turned.value, turned.b, turned.a));
        let [limits, mirrored] =
            [bin, turned].map(|bin: &BinDifference| bin.difference.interval.expect("trials"));
        let (low, high) = (limits.low, mirrored.high);
        assert!((low + high).abs() < 1e-12, "turned round up to rounding");
    }
    for (quantile, turned) in quantile_differences(&a, &b, Stopping::Fixed).iter().zip(quantile_differences(
        &b,
        &a,
        Stopping::Fixed,
    )) {
        assert_eq!(quantile.value(), -turned.value());
        let (interval, turned) =
            (quantile.difference.interval.expect("enough"), turned.difference.interval.expect("enough"));
        assert_eq!((interval.low, interval.high), (-turned.high, -turned.low));
    }
}

/// The same policy twice, and one trial: a difference of 0 with room for what may be unseen, nothing that is no number.
#[test]
fn nothing_to_tell_apart() {
    let same = compared(&Pig::SOLO, [&hold(20), &hold(20)], 1, 3_000);
    let pair = &same.pairs[0];
    assert_eq!(pair.identical, 3_000);
    for differences in &pair.metrics {
        let mean = MeanDifference::of(differences, 0.0).expect("trials");
        assert_eq!((mean.value, mean.std_error), (0.0, Some(0.0)));
        // A difference of 1 that has a chance of −ln 0.025 / n is unseen in n trials in one run of forty.
        let unseen = 40_f64.ln() / 3_000.0;
        let Interval { low, high } = mean.fixed(Level::SINGLE).interval.expect("many trials");
        assert!((high / unseen - 1.0).abs() < 1e-12 && low == -high, "{low} to {high}");
        let duel = WinTieLoss::of(differences, Better::Higher);
        assert_eq!((duel.a_better, duel.equal, duel.b_better), (0, 3_000, 0));
        let histogram = &same.arms[0].histogram(0);
        assert_eq!(variance_ratio(differences, histogram, histogram), None);
    }
    let one = compared(&Pig::SOLO, [&hold(20), &hold(25)], 1, 1);
    let mean = MeanDifference::of(&one.pairs[0].metrics[0], 0.0).expect("a trial");
    assert!((mean.std_error, mean.fixed(Level::SINGLE).interval) == (None, None) && mean.value.is_finite());
    let [a, b] = [0, 1].map(|at: usize| one.arms[at].histogram(0));
    assert_eq!(variance_ratio(&one.pairs[0].metrics[0], &a, &b), None);
    assert!(
        quantile_differences(&a, &b, Stopping::Fixed)
            .iter()
            .all(|quantile| quantile.difference.interval.is_none())
    );
    let none = compared(&Pig::SOLO, [&hold(20), &hold(25)], 1, 0);
    assert_eq!(MeanDifference::of(&none.pairs[0].metrics[0], 0.0), None);
}
