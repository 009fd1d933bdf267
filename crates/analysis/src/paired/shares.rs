//! Differences of paired shares.

use rustc_hash::FxHashMap;
use stopwise_engine::paired::{Differences, PairTally};
use stopwise_engine::tally::Histogram;

use super::Stopping;
use crate::binomial::share_limits;
use crate::estimate::{Estimate, Interval, Level, Method};
use crate::sequential::{Design, Pairs, pair_difference};

/// The difference A − B of two shares of the same trials, from the numbers of trials in which both, only A, only B or
/// neither held, with its interval at a level; `None` without trials.
///
/// The difference is that of the shares of the trials in which only A and only B held. Their exact limits are combined
/// by the method of variance estimates recovery with their correlation, that of two of the classes of a multinomial
/// (Zou and Donner, Stat. Med. 27, 2008, 1693–1702; Tang, Ling, Ling and Tian, Stat. Med. 29, 2010, 86–96). Where one of the
/// two never occurred, or both are rare, the interval is as wide as what may be unseen.
pub fn share_difference([both, a_alone, b_alone, neither]: [u64; 4], level: Level) -> Option<Estimate> {
    let trials = both + a_alone + b_alone + neither;
    if trials == 0 {
        return None;
    }
    let [a, b] = [a_alone, b_alone].map(|count| {
        let share = count as f64 / trials as f64;
        let Interval { low, high } = share_limits(count, trials, level);
        (share, share - low, high - share)
    });
    let odds = |share: f64| share / (1.0 - share);
    let correlation = if a.0 + b.0 < 1.0 { -(odds(a.0) * odds(b.0)).sqrt() } else { -1.0 };
    let root = |x: f64, y: f64| (x * x - 2.0 * correlation * x * y + y * y).max(0.0).sqrt();
    let value = (a_alone as f64 - b_alone as f64) / trials as f64;
    let interval =
        Interval { low: (value - root(a.1, b.2)).max(-1.0), high: (value + root(a.2, b.1)).min(1.0) };
    Some(Estimate { value, interval: Some(interval), method: Method::PairedShares, level })
}

/// [`share_difference`] of a metric that is 0 or 1, from its differences.
pub fn difference_of_shares(differences: &Differences, level: Level) -> Option<Estimate> {
    share_difference([0, differences.more(), differences.less(), differences.equal()], level)
}

/// The difference from the same four counts, with an interval that is valid under this stopping.
fn difference(table: [u64; 4], stopping: Stopping, known: &mut Known) -> Option<Estimate> {
    let [both, a_alone, b_alone, neither] = table;
    let fixed = share_difference(table, Level::SINGLE)?;
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

    /// How often intervals miss, over all tables of as many trials and their exact probabilities: of events in one trial
    /// of a hundred or a thousand, and of common ones.
    #[test]
    fn covers_rare_and_common_differences() {
        for (level, most) in [(Level::SINGLE, 0.05), (Level::SINGLE.among(20), 0.0025)] {
            for (trials, [only_a, only_b]) in [
                (40_u64, [0.01, 0.0]),
                (40, [0.01, 0.02]),
                (40, [0.1, 0.0]),
                (40, [0.1, 0.05]),
                (40, [0.3, 0.1]),
                (40, [0.5, 0.5]),
                (120, [0.001, 0.0]),
                (120, [0.03, 0.0]),
                (120, [0.02, 0.03]),
                (120, [0.25, 0.2]),
            ] {
                let miss = misses(trials, only_a, only_b, level);
                assert!(miss < 1.05 * most, "{trials} {only_a} {only_b}: {miss}");
            }
        }
    }

    fn misses(trials: u64, only_a: f64, only_b: f64, level: Level) -> f64 {
        let ln_factorial = |n: u64| (1..=n).map(|k| (k as f64).ln()).sum::<f64>();
        let ln_power = |p: f64, k: u64| if k == 0 { 0.0 } else { k as f64 * p.ln() };
        let tables = (0..=trials).flat_map(|a| (0..=trials - a).map(move |b| (a, b)));
        let missing = tables.filter(|&(a, b)| {
            let found = share_difference([0, a, b, trials - a - b], level).expect("trials");
            let Interval { low, high } = found.interval.expect("trials");
            !(low..=high).contains(&(only_a - only_b))
        });
        let of = |(a, b): (u64, u64)| {
            let rest = trials - a - b;
            let ways = ln_factorial(trials) - [a, b, rest].map(ln_factorial).iter().sum::<f64>();
            (ways + ln_power(only_a, a) + ln_power(only_b, b) + ln_power(1.0 - only_a - only_b, rest)).exp()
        };
        missing.map(of).sum()
    }

    #[test]
    fn exchanging_the_two_exchanges_the_limits() {
        for [both, a, b, neither] in [[36, 12, 2, 0], [0, 0, 0, 9], [9, 0, 0, 0], [1, 0, 0, 0], [0, 7, 0, 1]]
        {
            let one = share_difference([both, a, b, neither], Level::SINGLE).expect("trials");
            let other = share_difference([both, b, a, neither], Level::SINGLE).expect("trials");
            assert_eq!(one.value, -other.value);
            let [limits, mirrored] = [one, other].map(|it| it.interval.expect("trials"));
            assert!((limits.low + mirrored.high).abs() < 1e-12);
            assert!((limits.high + mirrored.low).abs() < 1e-12);
            assert!(limits.low <= one.value && one.value <= limits.high, "{one:?}");
            assert!(limits.low < limits.high, "{one:?}");
        }
        assert_eq!(share_difference([0; 4], Level::SINGLE), None);
    }
}
