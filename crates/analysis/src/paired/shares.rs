//! Differences of paired shares.

use rustc_hash::FxHashMap;
use stopwise_engine::paired::PairTally;
use stopwise_engine::tally::Histogram;

use super::Stopping;
use crate::estimate::{Estimate, Interval, Level, Method, Z95, wilson_at};
use crate::sequential::{Design, Pairs, pair_difference};

/// The difference A − B of two shares of the same trials, from the numbers of trials in which both, only A, only B or
/// neither held; `None` without trials.
///
/// The interval is that of Newcombe (Stat. Med. 17, 1998, 2635–2650, method 10): the two shares' Wilson limits,
/// combined with their correlation, which is shrunk towards 0 if it is positive. It is reliable also if a share is 0 or
/// 1.
pub fn newcombe(both: u64, a_alone: u64, b_alone: u64, neither: u64) -> Option<Estimate> {
    method_10([both, a_alone, b_alone, neither], Z95, Level::SINGLE)
}

/// [`newcombe`] at any level.
pub fn newcombe_at(both: u64, a_alone: u64, b_alone: u64, neither: u64, level: Level) -> Option<Estimate> {
    method_10([both, a_alone, b_alone, neither], level.z(), level)
}

/// [`newcombe`] with limits `z` standard deviations away, the normal quantile of the level.
fn method_10([both, a_alone, b_alone, neither]: [u64; 4], z: f64, level: Level) -> Option<Estimate> {
    let trials = both + a_alone + b_alone + neither;
    if trials == 0 {
        return None;
    }
    let [a, b] = [both + a_alone, both + b_alone].map(|count| {
        let share = count as f64 / trials as f64;
        let Interval { low, high } = wilson_at(share, trials, z);
        (share - low, high - share)
    });
    let correlation = correlation(both, a_alone, b_alone, neither);
    let root = |x: f64, y: f64| (x * x - 2.0 * correlation * x * y + y * y).max(0.0).sqrt();
    let value = (a_alone as f64 - b_alone as f64) / trials as f64;
    let interval =
        Interval { low: (value - root(a.0, b.1)).max(-1.0), high: (value + root(a.1, b.0)).min(1.0) };
    Some(Estimate { value, interval: Some(interval), method: Method::PairedShares, level })
}

/// The φ coefficient of the table, with method 10's continuity correction; 0 if one of the two never varied.
fn correlation(both: u64, a_alone: u64, b_alone: u64, neither: u64) -> f64 {
    let [both, a_alone, b_alone, neither] = [both, a_alone, b_alone, neither].map(|count| count as f64);
    let trials = both + a_alone + b_alone + neither;
    let product = both * neither - a_alone * b_alone;
    let corrected = if product > 0.0 { (product - trials / 2.0).max(0.0) } else { product };
    let margins = (both + a_alone) * (b_alone + neither) * (both + b_alone) * (a_alone + neither);
    if margins > 0.0 { corrected / margins.sqrt() } else { 0.0 }
}

/// The difference from the same four counts, with an interval that is valid under this stopping.
fn difference(table: [u64; 4], stopping: Stopping, known: &mut Known) -> Option<Estimate> {
    let [both, a_alone, b_alone, neither] = table;
    let fixed = newcombe(both, a_alone, b_alone, neither)?;
    Some(match stopping {
        Stopping::Fixed => fixed,
        Stopping::Anytime(design) => {
            let counts = Pairs { better: a_alone, equal: both + neither, worse: b_alone };
            let interval = Some(known.interval(counts, design));
            Estimate { interval, method: Method::AnytimeShare, level: design.level(), ..fixed }
        }
    })
}

/// The most intervals that are remembered.
const MOST_KNOWN: usize = 1 << 18;

/// Intervals that were computed before. Of many pairs and values, many have the same counts.
#[derive(Clone, Debug, Default)]
pub struct Known {
    design: Option<Design>,
    intervals: FxHashMap<[u64; 3], Interval>,
}

impl Known {
    fn interval(&mut self, counts: Pairs, design: Design) -> Interval {
        if self.design != Some(design) {
            *self = Self { design: Some(design), intervals: FxHashMap::default() };
        }
        let key = [counts.better, counts.equal, counts.worse];
        if let Some(&interval) = self.intervals.get(&key) {
            return interval;
        }
        let interval = pair_difference(counts, design);
        if self.intervals.len() < MOST_KNOWN {
            self.intervals.insert(key, interval);
        }
        interval
    }
}

/// The difference A − B of the shares of trials that ended early.
pub fn early_difference(pair: &PairTally, stopping: Stopping) -> Option<Estimate> {
    let [[neither, b_alone], [a_alone, both]] = pair.early;
    difference([both, a_alone, b_alone, neither], stopping, &mut Known::default())
}

/// The frequency of one value under A and under B.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BinDifference {
    /// The value.
    pub value: u32,
    /// Trials with this value under A.
    pub a: u64,
    /// Trials with this value under B.
    pub b: u64,
    /// The difference of the two shares. The intervals are not simultaneous: about five of a hundred bins may miss.
    pub difference: Estimate,
}

/// The difference between two distributions of the first metric, value by value. `known` is for all pairs of a comparison.
pub fn bin_differences(
    pair: &PairTally,
    a: &Histogram,
    b: &Histogram,
    stopping: Stopping,
    known: &mut Known,
) -> Vec<BinDifference> {
    let mut values: Vec<_> = a.iter().chain(b.iter()).map(|(value, _)| value).collect();
    values.sort_unstable();
    values.dedup();
    let bin = |value| {
        let (a, b, both) = (a.count(value), b.count(value), pair.common.count(value));
        let table = [both, a - both, b - both, pair.trials - (a + b - both)];
        let difference = difference(table, stopping, known)?;
        Some(BinDifference { value, a, b, difference })
    };
    values.into_iter().filter_map(bin).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Worked by hand from the paper's formulas: 48 and 38 of 50, of which 36 together. Wilson gives 0.8654 to 0.9890
    /// and 0.6259 to 0.8570, the correlation is −24 / √(48 · 2 · 38 · 12).
    #[test]
    fn newcombe_agrees_with_a_worked_example() {
        let found = newcombe(36, 12, 2, 0).expect("trials");
        assert!((found.value - 0.2).abs() < 1e-12);
        let interval = found.interval.expect("trials");
        assert!((interval.low - 0.0569).abs() < 5e-5, "{found:?}");
        assert!((interval.high - 0.3404).abs() < 5e-5, "{found:?}");
    }

    #[test]
    fn exchanging_the_two_exchanges_the_limits() {
        for [both, a, b, neither] in [[36, 12, 2, 0], [0, 0, 0, 9], [9, 0, 0, 0], [1, 0, 0, 0], [0, 7, 0, 1]]
        {
            let one = newcombe(both, a, b, neither).expect("trials");
            let other = newcombe(both, b, a, neither).expect("trials");
            assert_eq!(one.value, -other.value);
            let [limits, mirrored] = [one, other].map(|it| it.interval.expect("trials"));
            assert!((limits.low + mirrored.high).abs() < 1e-12);
            assert!((limits.high + mirrored.low).abs() < 1e-12);
            assert!(limits.low <= one.value && one.value <= limits.high, "{one:?}");
        }
        assert_eq!(newcombe(0, 0, 0, 0), None);
    }
}
