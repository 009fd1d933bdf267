//! Intervals of means for a number of trials fixed beforehand.

use crate::level::Level;
use crate::student::two_sided_t;

/// How far the interval of a mean reaches to either side for a fixed number of independent trials with this sample
/// standard deviation: Student's t, guarded against what did not occur. Infinite for less than two trials.
///
/// Values that differ once in ten thousand trials differ once in the first thousand, or never, so that the sample
/// standard deviation is unreliable. So −ln(α / 2)² / t² pseudo-trials are added in which the value is `scale` away
/// from the mean. They make the interval of n equal values as wide as `scale` times −ln(α / 2) / n, the greatest
/// probability, at α / 2, of an event that did not occur in n trials (the rule of three). Where values vary on the scale
/// of `scale` the interval is wider by a sixth at most with ten trials, and by less than 1/500 from a thousand on.
pub(crate) fn reach(std_dev: f64, trials: u64, scale: f64, level: Level) -> f64 {
    if trials < 2 {
        return f64::INFINITY;
    }
    let root = (trials as f64).sqrt();
    let unseen = -(level.alpha() / 2.0).ln() / root;
    (two_sided_t(level.alpha(), trials - 1) * std_dev).hypot(unseen * scale) / root
}

/// The scale of what may be unseen of a metric with this standard deviation. Metrics are whole numbers: where they
/// differ, then by 1 at least.
pub(crate) fn scale(std_dev: f64) -> f64 {
    std_dev.max(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::estimate::{Estimate, Interval, Method, moments};

    /// How often the interval of the mean of n values misses that are `size` with a small probability and 0 otherwise:
    /// over all counts, with their exact chances.
    fn misses(trials: u64, probability: f64, size: u128, level: Level) -> f64 {
        let mut chance = (1.0 - probability).powf(trials as f64);
        let (mut missing, mut count) = (0.0, 0_u64);
        while count <= trials && (chance > 1e-12 || (count as f64) < trials as f64 * probability) {
            let n = u128::from(count);
            let (mean, std_dev) = moments(trials, n * size, n * size * size);
            let found =
                Estimate::around(mean, reach(std_dev, trials, scale(std_dev), level), Method::Student, level);
            let Interval { low, high } = found.interval.expect("two trials or more");
            missing += if (low..=high).contains(&(size as f64 * probability)) { 0.0 } else { chance };
            chance *= (trials - count) as f64 / (count + 1) as f64 * probability / (1.0 - probability);
            count += 1;
        }
        missing
    }

    /// One value in ten thousand trials, in a thousand trials and in ten thousand: normal intervals cover it with 9 % and
    /// 63 %. So do rare values of all frequencies, and where the error is divided.
    #[test]
    fn rare_values_are_covered() {
        for trials in [1_000, 10_000] {
            for expected in [0.1, 0.2, 0.5, 1.0, 2.0, 3.0, 4.0, 4.7, 5.5, 7.0, 10.0, 20.0, 40.0, 100.0] {
                let miss = misses(trials, expected / trials as f64, 1, Level::SINGLE);
                assert!(miss < 0.055, "{expected} of {trials}: {miss}");
            }
        }
        for expected in [0.1, 1.0, 5.0, 20.0, 100.0] {
            let miss = misses(10_000, expected / 1e4, 1, Level::SINGLE.among(20));
            assert!(miss < 0.004, "{expected}: {miss}");
        }
    }

    /// Coins, at very few trials.
    #[test]
    fn few_trials_are_covered() {
        for (trials, most) in [(2, 0.0), (3, 0.26), (10, 0.03), (30, 0.055), (100, 0.06)] {
            let miss = misses(trials, 0.5, 1, Level::SINGLE);
            assert!(miss <= most, "{trials}: {miss}");
        }
    }

    /// Student's t where values vary: 2, 4, 6, by hand.
    #[test]
    fn is_students_interval() {
        let plain = reach(2.0, 3, 0.0, Level::SINGLE);
        assert!((plain - 4.302_652_73 * 2.0 / 3_f64.sqrt()).abs() < 1e-6, "{plain}");
        let guarded = reach(2.0, 1_000_000, 2.0, Level::SINGLE);
        assert!((guarded / reach(2.0, 1_000_000, 0.0, Level::SINGLE) - 1.0).abs() < 2e-6);
        assert!((reach(0.0, 1_000, 3.0, Level::SINGLE) * 1_000.0 / 3.0 - 40_f64.ln()).abs() < 1e-9);
        assert_eq!(
            Estimate::around(1.0, reach(0.0, 1, 1.0, Level::SINGLE), Method::Student, Level::SINGLE).interval,
            None
        );
    }
}
