//! Differences of quantiles.

use stopwise_engine::tally::Histogram;

use crate::estimate::{Interval, quantile, quantile_limits};

/// The standard normal quantile of a two-sided 97.5 % interval: two such intervals hold together in 95 % of the cases at
/// least, however the samples depend on each other (Bonferroni).
const Z975: f64 = 2.241_402_727_604_947;

/// The shares at which quantiles are compared.
const SHARES: [f64; 5] = [0.05, 0.25, 0.50, 0.75, 0.95];

/// A quantile with A and with B.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct QuantileDifference {
    /// Which quantile: of all trials this share has no more.
    pub share: f64,
    /// The quantile of A.
    pub a: u32,
    /// The quantile of B.
    pub b: u32,
    /// The 95 % interval of A − B; `None` if there are too few trials to bound one of the quantiles on both sides.
    ///
    /// The two 97.5 % intervals of the quantiles, from order statistics, taken together: right for any dependence
    /// of the two, and for values that come in steps; wider than need be where they go together.
    pub interval: Option<Interval>,
}

impl QuantileDifference {
    /// A − B.
    pub fn value(&self) -> i64 {
        i64::from(self.a) - i64::from(self.b)
    }
}

/// The 5, 25, 50, 75 and 95 % quantiles of two samples; none if a sample is empty.
pub fn quantile_differences(a: &Histogram, b: &Histogram) -> Vec<QuantileDifference> {
    if a.total() == 0 || b.total() == 0 {
        return Vec::new();
    }
    let difference = |share| {
        let interval = limits(a, share).zip(limits(b, share)).map(|(a, b)| Interval {
            low: f64::from(a.0) - f64::from(b.1),
            high: f64::from(a.1) - f64::from(b.0),
        });
        QuantileDifference { share, a: quantile(a, share), b: quantile(b, share), interval }
    };
    SHARES.map(difference).to_vec()
}

/// The 97.5 % limits of a quantile.
fn limits(histogram: &Histogram, share: f64) -> Option<(u32, u32)> {
    quantile_limits(histogram, share, Z975)
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
        // 1 to 100: 50 ± 2.2414 · 5 ± ½, outwards.
        assert_eq!(limits(&up_to(100), 0.5), Some((38, 63)));
        assert_eq!(limits(&up_to(10), 0.05), None, "ten values do not bound their 5 % quantile");
    }

    #[test]
    fn differences_of_equal_samples_are_around_zero() {
        for difference in quantile_differences(&up_to(1000), &up_to(1000)) {
            let interval = difference.interval.expect("enough values");
            assert_eq!((difference.value(), interval.low), (0, -interval.high));
        }
        assert!(quantile_differences(&up_to(0), &up_to(5)).is_empty());
    }
}
