//! Properties for arbitrary inputs.

use proptest::prelude::*;
use stopwise_analysis::estimate::Interval;
use stopwise_analysis::sequential::{
    Bounded, Design, Pairs, Sums, asymptotic, groups, in_race, pairs, share,
};

fn designs() -> impl Strategy<Value = Design> {
    ((-300.0..-0.001_f64), (0_u32..64)).prop_map(|(log, bits)| Design::new(10_f64.powf(log), 1 << bits))
}

/// Numbers of every size.
fn sizes() -> impl Strategy<Value = u64> {
    (any::<u64>(), 0_u32..64).prop_map(|(bits, shift)| bits >> shift)
}

fn is_ordered(interval: Interval) -> bool {
    interval.low <= interval.high
}

fn contains(interval: Interval, value: f64) -> bool {
    let slack = 1e-9 * value.abs().max(1e-9);
    interval.low <= value + slack && value - slack <= interval.high
}

fn arms() -> impl Strategy<Value = Vec<Interval>> {
    let limits = prop_oneof![4 => -10.0..10.0, 1 => Just(f64::NEG_INFINITY), 1 => Just(f64::INFINITY)];
    let arm = (limits, 0.0..5.0).prop_map(|(low, width): (f64, f64)| match low {
        f64::INFINITY => Interval { low: width, high: f64::INFINITY },
        f64::NEG_INFINITY => Interval { low, high: if width < 2.0 { f64::INFINITY } else { width } },
        _ => Interval { low, high: low + width },
    });
    prop::collection::vec(arm, 0..9)
}

proptest! {
    /// Whatever the counts, limits are numbers in order, around the sample share.
    #[test]
    fn shares(a in sizes(), b in sizes(), design in designs()) {
        let (count, trials) = (a.min(b), a.max(b));
        let interval = share(count, trials, design);
        prop_assert!(is_ordered(interval) && interval.low >= 0.0 && interval.high <= 1.0, "{:?}", interval);
        if trials > 0 {
            prop_assert!(contains(interval, count as f64 / trials as f64), "{:?}", interval);
        }
    }

    /// The same evidence from more trials rules out more, and more caution rules out less.
    #[test]
    fn shares_narrow(count in 0_u64..50, others in 0_u64..50, times in 2_u64..50, log in -8.0..-0.5_f64) {
        let trials = count + others;
        let design = |alpha| Design::new(alpha, 1000);
        let alpha = 10_f64.powf(log);
        let few = share(count, trials, design(alpha));
        let many = share(count * times, trials * times, design(alpha));
        prop_assert!(many.low >= few.low - 1e-12 && many.high <= few.high + 1e-12, "{:?} {:?}", few, many);
        let more = share(count + 1, trials + 1, design(alpha));
        let fewer = share(count, trials + 1, design(alpha));
        prop_assert!(more.low >= fewer.low - 1e-12 && more.high >= fewer.high - 1e-12);
    }

    #[test]
    fn pairs_of_any_counts(better in sizes(), equal in sizes(), worse in sizes(), design in designs()) {
        let counts = Pairs { better: better >> 2, equal: equal >> 2, worse: worse >> 2 };
        let result = pairs(counts, design);
        for interval in [result.differ, result.better, result.difference] {
            prop_assert!(is_ordered(interval) && interval.low >= -1.0 && interval.high <= 1.0);
        }
        let trials = counts.better + counts.equal + counts.worse;
        if trials > 0 {
            let mean = (i128::from(counts.better) - i128::from(counts.worse)) as f64 / trials as f64;
            prop_assert!(contains(result.difference, mean));
        }
        prop_assert_eq!(result.better.low > 0.5, result.difference.low > 0.0 && counts.better > 0);
    }

    /// Also sums that no values have.
    #[test]
    fn asymptotic_of_any_sums(
        trials in sizes(),
        sum in any::<i128>(),
        squares in any::<u128>(),
        shift in 0_u32..127,
        burn_in in 0_u64..1000,
        design in designs(),
    ) {
        let sums = Sums { trials, sum: sum >> shift, squares: squares >> (shift / 2) };
        let interval = asymptotic(&sums, burn_in, design);
        prop_assert!(is_ordered(interval), "{:?}", interval);
        if let Some((mean, _)) = sums.moments() {
            prop_assert!(contains(interval, mean));
        }
    }

    #[test]
    fn asymptotic_of_real_values(
        values in prop::collection::vec(-(1_i64 << 32)..=1 << 32, 0..40),
        times in 1_u64..1 << 57,
        design in designs(),
    ) {
        let mut sums = Sums::default();
        values.iter().for_each(|&value| sums.add(value, times));
        prop_assert!(is_ordered(asymptotic(&sums, 0, design)));
    }

    /// Batches of values in a range: around the sample mean, within the range.
    #[test]
    fn bounded_of_any_batches(
        low in -1_000_000_i64..1_000_000,
        width in 0_i64..1_000_000,
        batches in prop::collection::vec((0.0..=1.0_f64, 0.0..=1.0_f64, 0_u64..1 << 40, 0_u64..1 << 40), 0..12),
        design in designs(),
    ) {
        let range = Interval { low: low as f64, high: (low + width) as f64 };
        let mut values = Bounded::new(range);
        for (a, b, times_a, times_b) in batches {
            let mut batch = Sums::default();
            for (place, times) in [(a, times_a), (b, times_b)] {
                #[allow(clippy::cast_possible_truncation, reason = "below a million")]
                batch.add(low + (place * width as f64) as i64, times);
            }
            values.add(&batch);
            let interval = values.interval(design);
            prop_assert!(is_ordered(interval) && interval.low >= range.low && interval.high <= range.high);
            if let Some((mean, _)) = values.sums().moments() {
                prop_assert!(contains(interval, mean), "{:?} {}", interval, mean);
            }
        }
    }

    /// At least one arm remains, and two arms share a group unless they are distinguished.
    #[test]
    fn races_of_any_arms(arms in arms()) {
        let is_in = in_race(&arms);
        prop_assert!(arms.is_empty() || is_in.contains(&true));
        let is_apart = |a: usize, b: usize| arms[a].high < arms[b].low || arms[b].high < arms[a].low;
        let groups = groups(arms.len(), usize::MAX, is_apart).expect("no limit");
        prop_assert!(groups.len() <= arms.len());
        for a in 0..arms.len() {
            for b in a..arms.len() {
                let share_a_group = groups.iter().any(|group| group.contains(&a) && group.contains(&b));
                prop_assert_eq!(share_a_group, !is_apart(a, b));
            }
        }
    }
}
