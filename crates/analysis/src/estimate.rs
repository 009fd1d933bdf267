//! Estimates with their intervals, and summaries of histograms. Floating point begins here.

use stopwise_engine::tally::Histogram;

use crate::binomial::{quantile_ranks, share_limits};
pub use crate::interval::{Interval, unsigned_zero};
pub use crate::level::{LEAST_ALPHA, Level};
use crate::mean;
pub use crate::method::{Method, Pairing};

/// The standard normal quantile of a two-sided 95 % interval.
pub const Z95: f64 = 1.959_963_984_540_054;

/// An estimated value, with what is needed to report it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The estimate, in the unit of what is estimated.
    pub value: f64,
    /// Its interval; `None` if there are too few trials for one.
    pub interval: Option<Interval>,
    /// How the interval is made.
    pub method: Method,
    /// The confidence level of the interval.
    pub level: Level,
}

impl Estimate {
    /// The share of `count` in `trials`, with its exact interval at a level. For 0 trials the share is 0 and its interval
    /// 0 to 1.
    pub fn share(count: u64, trials: u64, level: Level) -> Self {
        let value = if trials == 0 { 0.0 } else { count as f64 / trials as f64 };
        let interval = Some(share_limits(count, trials, level));
        Self { value, interval, method: Method::Exact, level }
    }

    /// The estimate with limits at this distance, which may be infinite: then there is no interval.
    pub(crate) fn around(value: f64, reach: f64, method: Method, level: Level) -> Self {
        let limits = Interval { low: unsigned_zero(value - reach), high: unsigned_zero(value + reach) };
        Self { value, interval: limits.bounded(), method, level }
    }

    /// The estimate without its interval, unless the values that it is made of differ: where all of a mean are alike, nothing says
    /// how far another may be off.
    #[must_use]
    pub fn of_values_that(self, differ: bool) -> Self {
        Self { interval: self.interval.filter(|_| differ), ..self }
    }

    /// The estimate of the value plus a constant.
    #[must_use]
    pub fn plus(self, constant: f64) -> Self {
        let interval = self.interval.map(|interval| interval.plus(constant));
        Self { value: self.value + constant, interval, ..self }
    }

    /// The estimate of the value times a factor, 0 or more.
    #[must_use]
    pub fn times(self, factor: f64) -> Self {
        let interval =
            self.interval.map(|Interval { low, high }| Interval { low: factor * low, high: factor * high });
        Self { value: factor * self.value, interval, ..self }
    }

    /// The estimate of the value with the opposite sign.
    #[must_use]
    pub fn negated(self) -> Self {
        Self { value: 0.0 - self.value, interval: self.interval.map(Interval::negated), ..self }
    }

    /// Whether the whole interval lies above a value.
    pub fn is_above(&self, value: f64) -> bool {
        self.interval.is_some_and(|interval| interval.low > value)
    }

    /// Whether the whole interval lies below a value.
    pub fn is_below(&self, value: f64) -> bool {
        self.interval.is_some_and(|interval| interval.high < value)
    }
}

/// Summary statistics of a histogram, in the unit of the metric.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    /// The number of trials.
    pub trials: u64,
    /// The number of independent trials: fewer, where a trial has several values.
    pub clusters: u64,
    /// The mean of the trials.
    pub mean: f64,
    /// The standard error of the mean: the standard deviation divided by the root of the number of trials; `None` for
    /// one trial.
    pub std_error: Option<f64>,
    /// The standard deviation of a trial (n − 1 in the denominator); `None` for one trial.
    pub std_dev: Option<f64>,
    /// The least value.
    pub min: u32,
    /// The greatest value.
    pub max: u32,
    /// The values at [`QUANTILES`].
    pub quantiles: [u32; 7],
}

/// The probabilities of the quantiles in [`Summary`].
pub const QUANTILES: [f64; 7] = [0.01, 0.05, 0.25, 0.50, 0.75, 0.95, 0.99];

impl Summary {
    /// Summarises a histogram; `None` if it is empty. Sums are exact integers, divided once.
    pub fn of(histogram: &Histogram) -> Option<Self> {
        let trials = histogram.total();
        if trials == 0 {
            return None;
        }
        let (sum, squares) = histogram.sums();
        let (mean, std_dev) = moments(trials, sum, squares);
        let mut values = histogram.iter();
        let (min, _) = values.next()?;
        let max = values.last().map_or(min, |(value, _)| value);
        let quantiles = QUANTILES.map(|share| quantile(histogram, share));
        let std_dev = (trials > 1).then_some(std_dev);
        let std_error = std_dev.map(|std_dev| std_dev / (trials as f64).sqrt());
        Some(Self { trials, clusters: trials, mean, std_error, std_dev, min, max, quantiles })
    }

    /// The summary with the standard error of a mean of `clusters` independent values: an upper bound where the values
    /// of one trial form a cluster of any dependence.
    pub fn over(self, clusters: u64) -> Self {
        let std_error = self.std_dev.map(|std_dev| std_dev / (clusters as f64).sqrt());
        Self { clusters, std_error, ..self }
    }

    /// The mean, with its 95 % interval for a number of trials fixed beforehand (Student's t, guarded against values that
    /// did not occur); no interval for one trial.
    pub fn mean(&self) -> Estimate {
        let std_dev = self.std_dev.unwrap_or_default();
        let reach = mean::reach(std_dev, self.clusters, mean::scale(std_dev), Level::SINGLE);
        Estimate::around(self.mean, reach, Method::Student, Level::SINGLE)
    }
}

/// Mean and standard deviation from a count, a sum and a sum of squares, all exact.
pub fn moments(trials: u64, sum: u128, squares: u128) -> (f64, f64) {
    let n = trials as f64;
    let mean = sum as f64 / n;
    if trials < 2 {
        return (mean, 0.0);
    }
    // n Σx² − (Σx)² is an exact integer, so that cancellation loses nothing, unless it does not fit 128 bits.
    let spread = match u128::from(trials).checked_mul(squares).zip(sum.checked_mul(sum)) {
        Some((left, right)) => left.saturating_sub(right) as f64,
        None => n * squares as f64 - (sum as f64).powi(2),
    };
    (mean, (spread.max(0.0) / (n * (n - 1.0))).sqrt())
}

/// The standard deviation of the values; 0 of less than two.
pub fn std_dev(histogram: &Histogram) -> f64 {
    let (sum, squares) = histogram.sums();
    moments(histogram.total().max(1), sum, squares).1
}

/// The least value that at least this share of the trials does not exceed.
pub fn quantile(histogram: &Histogram, share: f64) -> u32 {
    let target = share * histogram.total() as f64;
    let mut below = 0;
    for (value, count) in histogram.iter() {
        below += count;
        if below as f64 >= target {
            return value;
        }
    }
    0
}

/// The limits of a quantile of independent values, whatever their distribution: the order statistics between which it
/// lies with the confidence of the level. `None` if there are too few values to bound it on both sides.
pub fn quantile_limits(histogram: &Histogram, share: f64, level: Level) -> Option<(u32, u32)> {
    let [low, high] = quantile_ends(histogram, share, level);
    low.zip(high)
}

/// The same, each by itself: `None` on a side on which there are too few values to bound it.
pub(crate) fn quantile_ends(histogram: &Histogram, share: f64, level: Level) -> [Option<u32>; 2] {
    quantile_ranks(histogram.total(), share, level).map(|rank| Some(ranked(histogram, rank?)))
}

/// The value with this rank, from 1.
fn ranked(histogram: &Histogram, rank: u64) -> u32 {
    let mut below = 0;
    for (value, count) in histogram.iter() {
        below += count;
        if below >= rank {
            return value;
        }
    }
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn histogram(values: &[u32]) -> Histogram {
        let mut histogram = Histogram::default();
        values.iter().for_each(|&value| histogram.add(value));
        histogram
    }

    #[test]
    fn summary_of_a_small_sample() {
        let summary = Summary::of(&histogram(&[2, 4, 4, 4, 5, 5, 7, 9])).expect("not empty");
        assert_eq!((summary.mean, summary.min, summary.max), (5.0, 2, 9));
        assert!((summary.std_dev.expect("many") - (32.0_f64 / 7.0).sqrt()).abs() < 1e-12);
        assert!(summary.std_error == summary.std_dev.map(|std_dev| std_dev / 8.0_f64.sqrt()));
        assert_eq!(summary.quantiles, [2, 2, 4, 4, 5, 9, 9]);
    }

    #[test]
    fn one_trial_and_none() {
        assert_eq!(Summary::of(&histogram(&[])), None);
        let one = Summary::of(&histogram(&[3])).expect("not empty");
        assert_eq!((one.mean, one.std_error, one.std_dev), (3.0, None, None));
        assert_eq!(one.mean().interval, None);
    }
}
