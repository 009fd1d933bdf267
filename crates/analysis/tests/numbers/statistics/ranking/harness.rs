//! Error rates of races, and the selection bias of their winners.

use stopwise_analysis::estimate::{Estimate, Interval, Z95, moments};
use stopwise_analysis::paired::{BURN_IN, check_points};
use stopwise_analysis::rank::{Aim, Race, RaceConfig, Resolution, TARGET};
use stopwise_analysis::sequential::{Design, Sums, asymptotic};
use stopwise_engine::arms::Products;
use stopwise_engine::game::Better;

use super::fields::Field;

/// The family-wise error rate of the races.
pub(crate) const ALPHA: f64 = 0.05;
/// The greatest number of trials of an arm.
pub(crate) const MOST: u64 = 20_000;

/// Counts over the races of a field.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Races {
    /// Races that conclude an arm to be better than one that is as good or better: the family-wise error.
    pub(crate) wrong: u64,
    /// Races in which any interval of a mean or difference misses at some look.
    pub(crate) missed: u64,
    /// Races that conclude a best arm not to be best.
    pub(crate) lost: u64,
    /// Races in which plain 95 % intervals of all differences err at some look.
    pub(crate) plain: u64,
    /// Races in which simultaneous asymptotic sequences without a guard err.
    pub(crate) unguarded: u64,
    /// Races after which a single arm may be best.
    pub(crate) decided: u64,
    /// Games played, as a share of those of a race without elimination.
    pub(crate) games: f64,
    /// The bias of the first arm's mean in the race, in the metric's unit.
    pub(crate) optimism: Average,
    /// Its bias in as many fresh trials.
    pub(crate) fresh: Average,
}

/// A running mean with its spread.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Average {
    count: f64,
    sum: f64,
    squares: f64,
}

impl Average {
    fn add(&mut self, value: f64) {
        self.count += 1.0;
        self.sum += value;
        self.squares += value * value;
    }

    pub(crate) fn mean(&self) -> f64 {
        self.sum / self.count
    }

    /// Half of a 95 % interval.
    pub(crate) fn half(&self) -> f64 {
        let variance = (self.squares / self.count - self.mean().powi(2)).max(0.0);
        Z95 * (variance / (self.count - 1.0)).sqrt()
    }
}

/// Runs races of a field.
pub(crate) fn races(field: &Field, aim: Aim, replicates: u64) -> Races {
    let racing = RaceConfig {
        alpha: ALPHA,
        most: MOST,
        aim,
        // So small that equal arms are looked at to the end.
        resolution: Resolution::OfDeviation(0.001),
        better: field.better,
        range: field.range,
    };
    let arms = field.truths.len();
    let sign = if field.better == Better::Higher { 1.0 } else { -1.0 };
    let goods: Vec<f64> = field.truths.iter().map(|truth| sign * truth).collect();
    let best = goods.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let mut result = Races::default();
    for replicate in 0..replicates {
        let mut trials = field.replicate(replicate);
        let mut race = Race::new(arms, racing);
        let mut all = Products::new(arms);
        let (mut plain, mut unguarded) = (false, false);
        for point in check_points(MOST) {
            let leg = race.leg();
            let some = leg.as_ref().map_or(&[][..], |leg| &leg.arms);
            let (more, few) = trials.next(all.trials..point, some);
            all.merge(&more);
            if leg.is_some() {
                race.enter(&few);
            }
            plain |= is_wrong(&goods, &all, sign, fixed);
            let design = Design::new(ALPHA, TARGET).among(arms * (arms + 1) / 2);
            unguarded |= is_wrong(&goods, &all, sign, |sums| asymptotic(sums, BURN_IN, design));
        }
        let ranking = race.ranking();
        let pairs = || (0..arms).flat_map(|a| (0..arms).map(move |b| (a, b)));
        let misses =
            |found: Estimate, truth: f64| found.is_above(truth + 1e-9) || found.is_below(truth - 1e-9);
        let truth = |a: usize, b: usize| field.truths[a] - field.truths[b];
        let first = ranking.order[0];
        let played = race.trials_of(first);
        result.wrong +=
            u64::from(pairs().any(|(a, b)| ranking.is_better(a, b) && goods[a] < goods[b] + 1e-9));
        result.missed += u64::from(
            pairs().any(|(a, b)| misses(race.difference(a, b), truth(a, b)))
                || (0..arms).any(|arm| misses(race.estimate(arm), field.truths[arm])),
        );
        let is_lost = |arm: usize| goods[arm] > best - 1e-9 && ranking.places[arm].0 > 1;
        result.lost += u64::from((0..arms).any(is_lost));
        result.plain += u64::from(plain);
        result.unguarded += u64::from(unguarded);
        result.decided += u64::from(ranking.places.iter().filter(|places| places.0 == 1).count() == 1);
        let games: u64 = (0..arms).map(|arm| race.trials_of(arm)).sum();
        result.games += games as f64 / (arms as u64 * MOST) as f64 / replicates as f64;
        result.optimism.add(sign * race.mean(first) - goods[first]);
        result.fresh.add(sign * trials.fresh(first, played) - goods[first]);
    }
    result
}

/// The interval for a number of trials fixed beforehand.
fn fixed(sums: &Sums) -> Interval {
    let (mean, std_dev) = sums.moments().expect("trials");
    let half = Z95 * std_dev / (sums.trials as f64).sqrt();
    Interval { low: mean - half, high: mean + half }
}

/// Whether an interval holds an arm to be better than another that is as good.
fn is_wrong(goods: &[f64], all: &Products, sign: f64, interval: impl Fn(&Sums) -> Interval) -> bool {
    let mut pairs = (0..goods.len()).flat_map(|a| (0..a).map(move |b| (a, b)));
    pairs.any(|(a, b)| {
        let sum = all.sum(a).cast_signed() - all.sum(b).cast_signed();
        let squares = all.product(a, a) + all.product(b, b) - 2 * all.product(a, b);
        let Interval { low, high } = interval(&Sums { trials: all.trials, sum, squares });
        // No value varied: the plain interval is a point, and says nothing.
        let varies = moments(all.trials, sum.unsigned_abs(), squares).1 > 0.0;
        let (a_better, b_better) = if sign > 0.0 { (low > 0.0, high < 0.0) } else { (high < 0.0, low > 0.0) };
        varies && ((a_better && goods[a] < goods[b] + 1e-9) || (b_better && goods[b] < goods[a] + 1e-9))
    })
}
