//! Differences of quantiles.

use stopwise_engine::tally::Histogram;

use super::Stopping;
use crate::estimate::{Estimate, Interval, Level, Method, quantile, quantile_limits};
use crate::sequential::{Design, is_above, is_below};

/// The shares at which quantiles are compared.
pub const SHARES: [f64; 5] = [0.05, 0.25, 0.50, 0.75, 0.95];

/// A quantile of A and of B.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct QuantileDifference {
    /// The probability of the quantile: at least this share of the trials has no greater value.
    pub share: f64,
    /// The quantile of A.
    pub a: u32,
    /// The quantile of B.
    pub b: u32,
    /// A − B with its 95 % interval, which is `None` if there are too few trials to bound one of the quantiles on both
    /// sides.
    ///
    /// The interval combines two 97.5 % intervals of the quantiles from order statistics. It is valid under any
    /// dependence of the two and for discrete values, and conservative where they are positively correlated.
    pub difference: Estimate,
}

impl QuantileDifference {
    /// A − B, an integer.
    pub fn value(&self) -> i64 {
        i64::from(self.a) - i64::from(self.b)
    }
}

/// The 5, 25, 50, 75 and 95 % quantiles of two samples; none if a sample is empty.
pub fn quantile_differences(a: &Histogram, b: &Histogram, stopping: Stopping) -> Vec<QuantileDifference> {
    if a.total() == 0 || b.total() == 0 {
        return Vec::new();
    }
    let limits = |histogram, share| match stopping {
        Stopping::Fixed => limits(histogram, share),
        Stopping::Anytime(design) => anytime_limits(histogram, share, design.among(2)),
    };
    let (method, level) = match stopping {
        Stopping::Fixed => (Method::TwoOrderStatistics, Level::SINGLE),
        Stopping::Anytime(design) => (Method::AnytimeOrderStatistics, design.level()),
    };
    let difference = |share| {
        let [a_value, b_value] = [a, b].map(|histogram| quantile(histogram, share));
        let interval = limits(a, share).zip(limits(b, share)).map(|(a, b)| Interval {
            low: f64::from(a.0) - f64::from(b.1),
            high: f64::from(a.1) - f64::from(b.0),
        });
        let value = f64::from(a_value) - f64::from(b_value);
        let difference = Estimate { value, interval, method, level };
        QuantileDifference { share, a: a_value, b: b_value, difference }
    };
    SHARES.map(difference).to_vec()
}

/// The 97.5 % limits of a quantile: two such intervals hold simultaneously with at least 95 % confidence under any
/// dependence of the samples (Bonferroni).
fn limits(histogram: &Histogram, share: f64) -> Option<(u32, u32)> {
    quantile_limits(histogram, share, Level::SINGLE.among(2))
}

/// Anytime-valid limits of a quantile, by inverting confidence sequences for the distribution function (as in Howard
/// and Ramdas, Bernoulli 28, 2022, 1704–1728): q is the quantile only if P(X ≤ q) is at least the share and P(X < q) at
/// most the share. Each probability has a sequence, and the limits are the extreme values at which neither condition is
/// ruled out.
pub(crate) fn anytime_limits(histogram: &Histogram, share: f64, design: Design) -> Option<(u32, u32)> {
    let [low, high] = anytime_ends(histogram, share, design);
    low.zip(high)
}

/// The same, each by itself: `None` on a side on which the quantile may lie outside the observed values.
pub(crate) fn anytime_ends(histogram: &Histogram, share: f64, design: Design) -> [Option<u32>; 2] {
    let (trials, each) = (histogram.total(), design.among(2));
    let is_above = |count| is_above(share, count, trials, each);
    let is_below = |count| is_below(share, count, trials, each);
    let mut below = 0;
    let mut least = None;
    let mut most = 0;
    for (value, count) in histogram.iter() {
        if is_above(below) {
            break;
        }
        below += count;
        most = value;
        if least.is_none() && !is_below(below) {
            least = Some(value);
        }
    }
    [least.filter(|_| is_below(0)), is_above(trials).then_some(most)]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn up_to(last: u32) -> Histogram {
        let mut histogram = Histogram::default();
        (1..=last).for_each(|value| histogram.add(value));
        histogram
    }

    #[test]
    fn limits_are_order_statistics() {
        // Of 100 fair coins 38 or fewer are heads with a chance of 0.0105, 39 or fewer with one of 0.0176.
        assert_eq!(limits(&up_to(100), 0.5), Some((39, 62)));
        assert_eq!(limits(&up_to(10), 0.05), None, "ten values do not bound their 5 % quantile");
    }

    /// Anytime-valid limits contain those for a fixed number of trials, are not much wider, and contain the quantile.
    #[test]
    fn anytime_limits_hold_the_fixed_ones() {
        let design = Design::new(0.05, 10_000).among(2);
        for share in SHARES {
            let (low, high) = anytime_limits(&up_to(10_000), share, design).expect("enough values");
            let (inner, outer) = limits(&up_to(10_000), share).expect("enough values");
            assert!(low < inner && high > outer && high - low < 2 * (outer - inner), "{low}, {high}");
        }
        assert_eq!(
            anytime_limits(&up_to(60), 0.05, design),
            None,
            "sixty values do not bound their 5 % quantile"
        );
        let [low, high] = anytime_ends(&up_to(60), 0.05, design);
        assert!(
            low.is_none() && high.is_some_and(|high| (4..60).contains(&high)),
            "but on one side: {high:?}"
        );
        let mut constant = Histogram::default();
        constant.add_many(7, 10_000);
        assert_eq!(anytime_limits(&constant, 0.5, design), Some((7, 7)));
    }

    #[test]
    fn differences_of_equal_samples_are_around_zero() {
        for difference in quantile_differences(&up_to(1000), &up_to(1000), Stopping::Fixed) {
            let interval = difference.difference.interval.expect("enough values");
            assert_eq!((difference.value(), interval.low), (0, -interval.high));
        }
        assert!(quantile_differences(&up_to(0), &up_to(5), Stopping::Fixed).is_empty());
    }
}
