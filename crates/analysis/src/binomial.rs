//! Exact limits from binomial counts: of a share, and of the ranks around a quantile.

use crate::beta;
use crate::interval::Interval;
use crate::level::Level;

/// The exact interval of a share (Clopper and Pearson, Biometrika 26, 1934): the probabilities under which neither this
/// count or more, nor this count or less, has a chance below α / 2. It covers at least as often as its level says, for
/// every probability, however rare, and at every part of a divided α. For 0 trials it is 0 to 1.
pub fn share_limits(count: u64, trials: u64, level: Level) -> Interval {
    mean_share_limits(count as f64, trials, level)
}

/// [`share_limits`] for a sum of `trials` shares that is not a whole number, such as that of the mean shares of the
/// values of each trial; its limits are those of the whole numbers on either side.
pub fn mean_share_limits(sum: f64, trials: u64, level: Level) -> Interval {
    if trials == 0 {
        return Interval { low: 0.0, high: 1.0 };
    }
    let (tail, n) = (level.alpha() / 2.0, trials as f64);
    // A mean of counts times their number is a whole number but for rounding.
    let whole = sum.round();
    let (less, more) =
        if (sum - whole).abs() < 1e-9 * n { (whole, whole) } else { (sum.floor(), sum.ceil()) };
    Interval { low: lower(less, n, tail), high: upper(more, n, tail) }
}

/// The probability under which this count or more has the chance `tail`.
fn lower(count: f64, trials: f64, tail: f64) -> f64 {
    if count < 1.0 { 0.0 } else { beta::quantile(tail, count, trials - count + 1.0) }
}

/// The probability under which this count or less has the chance `tail`.
fn upper(count: f64, trials: f64, tail: f64) -> f64 {
    if count >= trials { 1.0 } else { beta::upper_quantile(tail, count + 1.0, trials - count) }
}

/// The ranks, from 1, of two order statistics of independent values between which the quantile at `share` lies with the
/// confidence of the level, whatever the distribution: the number of values below it is binomial (David and Nagaraja,
/// Order Statistics, 3rd ed., 2003, section 7.1). `None` on a side on which there are too few values to bound it.
pub(crate) fn quantile_ranks(trials: u64, share: f64, level: Level) -> [Option<u64>; 2] {
    let (tail, n) = (level.alpha() / 2.0, trials as f64);
    // So many values at or below the quantile, or more, are too many; so many, or fewer, are too few.
    let is_too_many = |count: u64| lower(count as f64, n, tail) >= share;
    let is_too_few = |count: u64| upper(count as f64, n, tail) <= share;
    let low = first(trials, |count| !is_too_few(count));
    let high = first(trials, is_too_many);
    [(low >= 1).then_some(low), (high <= trials).then_some(high)]
}

/// The first number up to `most` for which a condition holds that goes on to hold; `most` + 1 if there is none.
fn first(most: u64, holds: impl Fn(u64) -> bool) -> u64 {
    let (mut from, mut to) = (0, most + 1);
    while from < to {
        let middle = from + (to - from) / 2;
        if holds(middle) { to = middle } else { from = middle + 1 }
    }
    from
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Published examples: 81 of 263 (Newcombe, Stat. Med. 17, 1998, table I, method 5), 0 of 20 and 1 of 29.
    #[test]
    fn shares_agree_with_the_literature() {
        for (count, trials, low, high) in [
            (81, 263, 0.2527, 0.3676),
            (15, 148, 0.0578, 0.1617),
            (0, 20, 0.0, 0.1684),
            (1, 29, 0.0009, 0.1776),
        ] {
            let found = share_limits(count, trials, Level::SINGLE);
            assert!((found.low - low).abs() < 5.1e-5 && (found.high - high).abs() < 5.1e-5, "{found:?}");
        }
        assert_eq!(share_limits(0, 0, Level::SINGLE), Interval { low: 0.0, high: 1.0 });
    }

    /// The chance of a count or less, and of a count or more, by adding up.
    fn tails(count: u64, trials: u64, p: f64) -> (f64, f64) {
        let (mut term, mut less, mut more) = ((1.0 - p).powf(trials as f64), 0.0, 0.0);
        for k in 0..=trials {
            less += if k <= count { term } else { 0.0 };
            more += if k >= count { term } else { 0.0 };
            term *= (trials - k) as f64 / (k + 1) as f64 * p / (1.0 - p);
        }
        (less, more)
    }

    #[test]
    fn limits_have_the_chance_that_they_say() {
        for level in [Level::SINGLE, Level::SINGLE.among(1_000)] {
            for (count, trials) in [(1, 3), (3, 10), (50, 100), (1, 1_000), (3, 5_000)] {
                let Interval { low, high } = share_limits(count, trials, level);
                let tail = level.alpha() / 2.0;
                assert!((tails(count, trials, high).0 / tail - 1.0).abs() < 1e-6, "{count} of {trials}");
                assert!((tails(count, trials, low).1 / tail - 1.0).abs() < 1e-6, "{count} of {trials}");
                let others = share_limits(trials - count, trials, level);
                assert!((others.low - (1.0 - high)).abs() < 1e-9 && (others.high - (1.0 - low)).abs() < 1e-9);
            }
        }
    }

    /// How often intervals miss, over all counts: never more often than they say, also where less than one event is
    /// expected (a single Wilson interval misses 16 % near 0.17 expected events), and where the error is divided.
    #[test]
    fn rare_shares_are_covered() {
        for (level, alpha) in [(Level::SINGLE, 0.05), (Level::SINGLE.among(7), 0.05 / 7.0)] {
            for expected in [0.01, 0.0782, 0.17, 0.5, 1.0, 2.5, 4.0, 8.0, 15.0] {
                let p: f64 = expected / 1_000.0;
                let mut chance = (1.0 - p).powi(1_000);
                let mut missed = 0.0;
                for count in 0..60_u64 {
                    let Interval { low, high } = share_limits(count, 1_000, level);
                    missed += if (low..=high).contains(&p) { 0.0 } else { chance };
                    chance *= (1_000 - count) as f64 / (count + 1) as f64 * p / (1.0 - p);
                }
                assert!(missed <= alpha, "{expected}: {missed}");
            }
        }
    }

    /// Other values than whole numbers have the limits of those around them.
    #[test]
    fn sums_of_shares_are_rounded_outwards() {
        let between = mean_share_limits(2.5, 100, Level::SINGLE);
        let [two, three] = [2, 3].map(|count| share_limits(count, 100, Level::SINGLE));
        assert_eq!(between, Interval { low: two.low, high: three.high });
        let third: f64 = 7.0 / 30.0;
        assert_eq!(mean_share_limits(third * 30.0, 30, Level::SINGLE), share_limits(7, 30, Level::SINGLE));
    }

    /// The median of ten lies between the second and the ninth with a chance of 0.979, and between the third and the
    /// eighth with 0.891 (David and Nagaraja).
    #[test]
    fn ranks_around_the_median() {
        assert_eq!(quantile_ranks(10, 0.5, Level::SINGLE), [Some(2), Some(9)]);
        assert_eq!(quantile_ranks(10, 0.5, Level::new(0.12)), [Some(3), Some(8)]);
        assert_eq!(quantile_ranks(5, 0.5, Level::SINGLE), [None; 2]);
        assert_eq!(quantile_ranks(1_000_000, 0.5, Level::SINGLE), [Some(499_020), Some(500_981)]);
        assert_eq!(quantile_ranks(0, 0.5, Level::SINGLE), [None; 2]);
    }

    /// Of 20 values 14 or fewer lie below their 90 % quantile with a chance of 0.0113, and 15 or fewer with one of 0.0432; of
    /// 100 four or more lie below their 1 % quantile with a chance of 0.0184, three or more with one of 0.0794.
    #[test]
    fn ranks_near_an_end_bound_one_side() {
        assert_eq!(quantile_ranks(20, 0.9, Level::SINGLE), [Some(15), None], "the last may be below it");
        assert_eq!(quantile_ranks(100, 0.01, Level::SINGLE), [None, Some(4)], "the first may be above it");
    }
}
