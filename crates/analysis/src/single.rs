//! The intervals of one run, according to how its number of trials is decided.
//!
//! With rotated policies the trials take turns, and the estimated quantity is the mean over the rotations. Over whole
//! rounds, a sum of independent shares deviates from its mean no more than one of equal shares does, and a pooled
//! standard deviation is at least that within the rotations. Sequences therefore hold at check points that are
//! multiples of the number of rotations.

use stopwise_engine::tally::Histogram;

use crate::binomial::mean_share_limits;
use crate::estimate::{Estimate, Interval, Level, Method, Summary, moments, quantile, quantile_ends};
use crate::mean::scale;
use crate::mover::Part;
use crate::paired::{BURN_IN, Stopping, anytime_ends};
use crate::sequential::{self, guarded_by};

impl Stopping {
    /// The share of `count` in `trials`, with an interval for its probability.
    pub fn share(self, count: u64, trials: u64) -> Estimate {
        self.share_of(count as f64, trials)
    }

    /// [`Stopping::share`] for a sum of values from 0 to 1, one a trial.
    pub fn share_of(self, sum: f64, trials: u64) -> Estimate {
        let value = if trials == 0 { 0.0 } else { sum / trials as f64 };
        let (interval, method, level) = match self {
            Self::Fixed => (mean_share_limits(sum, trials, Level::SINGLE), Method::Exact, Level::SINGLE),
            Self::Anytime(design) => {
                (sequential::share_of(sum, trials, design), Method::AnytimeShare, design.level())
            }
        };
        Estimate { value, interval: Some(interval), method, level }
    }

    /// [`Stopping::share_of`] for the sum of `values` values in `clusters` trials, each of which has the same number of
    /// values. The values of a trial may depend on each other.
    pub fn share_in(self, sum: f64, values: u64, clusters: u64) -> Estimate {
        if values == clusters {
            return self.share_of(sum, values);
        }
        let value = if values == 0 { 0.0 } else { sum / values as f64 };
        Estimate { value, ..self.share_of(value * clusters as f64, clusters) }
    }

    /// The mean of a metric in `clusters` trials, which may have several values each; `None` without values. `whole` is the
    /// greatest possible value, if the least is 0 and the mean is to be estimated as a share of it: 1 for values that are 0
    /// or 1.
    ///
    /// The interval is `None` until the data bound it.
    pub fn mean(self, histogram: &Histogram, clusters: u64, whole: Option<u32>) -> Option<Estimate> {
        let fixed = Summary::of(histogram)?.over(clusters).mean();
        let (sum, squares) = histogram.sums();
        if let Some(whole) = whole.map(f64::from) {
            return Some(self.share_in(sum as f64 / whole, histogram.total(), clusters).times(whole));
        }
        let Self::Anytime(design) = self else { return Some(fixed) };
        let (mean, std_dev) = moments(histogram.total(), sum, squares);
        let interval = guarded_by((mean, std_dev), clusters, scale(std_dev), BURN_IN, design).bounded();
        let (method, level) = (Method::AnytimeGuardedMean, design.level());
        Some(Estimate { value: fixed.value, interval, method, level })
    }

    /// A quantile of independent values; `None` without values. Where there are too few to bound it on a side, its interval
    /// is infinite there; it is `None` if nothing bounds it at all.
    pub fn quantile(self, histogram: &Histogram, share: f64) -> Option<Estimate> {
        let (ends, method, level) = match self {
            Self::Fixed => {
                (quantile_ends(histogram, share, Level::SINGLE), Method::OrderStatistics, Level::SINGLE)
            }
            Self::Anytime(design) => {
                (anytime_ends(histogram, share, design), Method::AnytimeOrderStatistics, design.level())
            }
        };
        let [low, high] = ends;
        let interval = low.or(high).map(|_| Interval {
            low: low.map_or(f64::NEG_INFINITY, Into::into),
            high: high.map_or(f64::INFINITY, Into::into),
        });
        let value = quantile(histogram, share).into();
        (histogram.total() > 0).then_some(Estimate { value, interval, method, level })
    }

    /// The sum of factor · share over independent parts; `None` if a part has no trials. For a fixed number of trials
    /// it is [`combination`](crate::mover::combination); otherwise each share has its own sequence, at its part of α.
    pub fn combination(self, parts: &[Part]) -> Option<Estimate> {
        let fixed = crate::mover::combination(parts)?;
        let Self::Anytime(design) = self else { return Some(fixed) };
        let mut sum = Interval { low: 0.0, high: 0.0 };
        for part in parts {
            let Interval { low, high } =
                sequential::share_of(part.count, part.trials, design.among(parts.len()));
            let [low, high] = [low, high].map(|limit| part.factor * limit);
            sum = Interval { low: sum.low + low.min(high), high: sum.high + low.max(high) };
        }
        let method = if parts.len() == 1 { Method::AnytimeShare } else { Method::AnytimeShares };
        Some(Estimate { interval: Some(sum), method, level: design.level(), ..fixed })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sequential::Design;

    const ANYTIME: fn() -> Stopping = || Stopping::Anytime(Design::new(0.05, 10_000));

    fn up_to(last: u32) -> Histogram {
        let mut histogram = Histogram::default();
        (0..=last).for_each(|value| histogram.add(value));
        histogram
    }

    fn width(estimate: Option<Estimate>) -> f64 {
        let Interval { low, high } = estimate.and_then(|found| found.interval).expect("an interval");
        high - low
    }

    /// Anytime-valid intervals contain those for a fixed number of trials.
    #[test]
    fn anytime_intervals_are_wider_by_their_factor() {
        let values = up_to(19_999);
        let parts = [
            Part { factor: 0.5, count: 3_000.0, trials: 10_000 },
            Part { factor: -0.5, count: 900.0, trials: 10_000 },
        ];
        let found = |stopping: Stopping| {
            [
                stopping.mean(&values, 20_000, None),
                Some(stopping.share_in(7_000.0, 20_000, 20_000)),
                Some(stopping.share_in(7_000.0, 20_000, 10_000)),
                stopping.quantile(&values, 0.5),
                stopping.combination(&parts),
                stopping.combination(&parts[..1]),
            ]
        };
        for (fixed, anytime) in found(Stopping::Fixed).into_iter().zip(found(ANYTIME())) {
            let ratio = width(anytime) / width(fixed);
            assert!(ratio > 1.4 && ratio < 2.6, "{ratio} {anytime:?}");
        }
    }

    /// The values of one trial may be copies of each other: with half as many trials the interval is as wide as if they
    /// were.
    #[test]
    fn trials_are_clusters() {
        let values = up_to(19_999);
        let [one, two] = [20_000, 10_000].map(|clusters| width(ANYTIME().mean(&values, clusters, None)));
        let known = ANYTIME().share_in(7_000.0, 20_000, 10_000);
        assert!(two > 1.35 * one);
        assert_eq!(known.interval, ANYTIME().share(3_500, 10_000).interval);
    }

    #[test]
    fn too_little_bounds_nothing() {
        let few = up_to(500);
        assert_eq!(ANYTIME().mean(&few, 501, None).expect("values").interval, None, "before the burn-in");
        assert_eq!(
            ANYTIME().mean(&up_to(1), 2, Some(1)).map(|found| found.method),
            Some(Method::AnytimeShare)
        );
        assert_eq!(ANYTIME().mean(&Histogram::default(), 0, None), None);
        assert_eq!(ANYTIME().quantile(&up_to(2), 0.5).expect("values").interval, None);
        let [low, high] =
            [0.01, 0.99].map(|share| ANYTIME().quantile(&up_to(40), share).expect("values").interval);
        assert!(low.is_some_and(|low| low.low == f64::NEG_INFINITY && low.high.is_finite()), "{low:?}");
        assert!(high.is_some_and(|high| high.low.is_finite() && high.high == f64::INFINITY), "{high:?}");
        let mut same = Histogram::default();
        same.add_many(7, 10_000);
        assert!(width(ANYTIME().mean(&same, 10_000, None)) > 0.0, "the next value may be another");
    }
}
