//! A confidence sequence for the difference of paired shares.

use super::Design;
use super::share::{share, share_at_least, share_at_most};
use crate::estimate::Interval;

/// The outcomes of paired trials.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pairs {
    /// Trials in which the first was better.
    pub better: u64,
    /// Trials in which both were equal.
    pub equal: u64,
    /// Trials in which the second was better.
    pub worse: u64,
}

/// Simultaneous intervals from paired trials.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairInterval {
    /// The probability that the two differ.
    pub differ: Interval,
    /// The probability that the first is better, given that they differ.
    pub better: Interval,
    /// The probability that the first is better less that of the second: the difference in wins per trial.
    pub difference: Interval,
}

/// The confidence sequence for the mean of values −1, 0 and 1.
///
/// The mean is δ (2θ − 1), where δ is the probability that the two differ and θ the probability that the first is
/// better, given that they differ. Both are shares, θ of the decided trials, whichever these are. Each has a sequence
/// ([`share`]) at α / 2, and the corners of both bound the difference. The interval of the difference excludes 0
/// exactly when that of θ excludes ½: a sequential sign test. It is exact and needs only the counts.
///
/// The price is half of α for each, and that θ is tuned for as many decided trials as the design has trials.
/// [`Bounded`] over −1 to 1 has neither cost but needs the batches: at 100,000 trials, designed for 10,000, it was 8 %
/// narrower where 55 % of the trials were decided, and 23 % narrower where 1 % were.
///
/// [`Bounded`]: super::Bounded
pub fn pairs(counts: Pairs, design: Design) -> PairInterval {
    let (decided, trials) = counts.decided();
    let each = design.among(2);
    PairInterval {
        differ: share(decided, trials, each),
        better: share(counts.better, decided, each),
        difference: pair_difference(counts, design),
    }
}

/// The difference of [`pairs`] alone, which takes three of the four limits of the shares, mostly.
pub fn pair_difference(counts: Pairs, design: Design) -> Interval {
    let (decided, trials) = counts.decided();
    let each = design.among(2);
    let better = share(counts.better, decided, each);
    let most = share_at_most(decided, trials, each);
    // Of the corners of both intervals, the least and the greatest product.
    let least = || share_at_least(decided, trials, each);
    let (low, high) = (2.0 * better.low - 1.0, 2.0 * better.high - 1.0);
    Interval {
        low: low * if low > 0.0 { least() } else { most },
        high: high * if high < 0.0 { least() } else { most },
    }
}

impl Pairs {
    /// Trials in which the two differ, and all.
    fn decided(self) -> (u64, u64) {
        let decided = self.better.saturating_add(self.worse);
        (decided, decided.saturating_add(self.equal))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sign_is_known_when_the_share_of_the_decided_is() {
        let design = Design::new(0.05, 10_000);
        let clear = pairs(Pairs { better: 300, equal: 9_600, worse: 100 }, design);
        assert!(clear.better.low > 0.5 && clear.difference.low > 0.0);
        assert!(clear.difference.low < 0.02 && clear.difference.high > 0.02);
        let open = pairs(Pairs { better: 110, equal: 9_800, worse: 90 }, design);
        assert!(open.difference.low < 0.0 && open.difference.high > 0.0);
    }

    #[test]
    fn swapping_the_two_mirrors_the_difference() {
        let design = Design::new(0.01, 500);
        let one = pairs(Pairs { better: 40, equal: 500, worse: 11 }, design).difference;
        let other = pairs(Pairs { better: 11, equal: 500, worse: 40 }, design).difference;
        assert!((one.low + other.high).abs() < 1e-12 && (one.high + other.low).abs() < 1e-12);
    }

    #[test]
    fn nothing_known_and_never_different() {
        let design = Design::new(0.05, 1000);
        let nothing = pairs(Pairs::default(), design).difference;
        assert_eq!(nothing, Interval { low: -1.0, high: 1.0 });
        let twins = pairs(Pairs { better: 0, equal: 1_000, worse: 0 }, design).difference;
        assert!(twins.low == -twins.high && twins.high < 0.02);
    }
}
