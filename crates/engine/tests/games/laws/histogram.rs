//! Histograms count exactly, for any values in any order.

use std::collections::BTreeMap;

use proptest::prelude::*;
use stopwise_engine::tally::Histogram;

/// Small values, values around the length that no array exceeds, and any.
fn value() -> impl Strategy<Value = u32> {
    prop_oneof![0..40_u32, 65_530..65_545_u32, any::<u32>()]
}

/// A few values of all kinds, or so many from a range that values move from the map to the array, wherever they are
/// counted first.
fn values() -> impl Strategy<Value = Vec<u32>> {
    let many = (1..3000_u32).prop_flat_map(|most| prop::collection::vec(0..most, 0..600));
    prop_oneof![prop::collection::vec(value(), 0..50), many]
}

fn counted(values: &[u32]) -> Histogram {
    let mut histogram = Histogram::default();
    values.iter().for_each(|&value| histogram.add(value));
    histogram
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn counts_like_a_map(values in values()) {
        let mut map = BTreeMap::new();
        for &value in &values {
            *map.entry(value).or_insert(0_u64) += 1;
        }
        let histogram = counted(&values);
        prop_assert_eq!(histogram.total(), values.len() as u64);
        for (&value, &count) in &map {
            prop_assert_eq!(histogram.count(value), count);
            prop_assert_eq!(histogram.count(value ^ 1), map.get(&(value ^ 1)).copied().unwrap_or(0));
        }
        prop_assert!(histogram.iter().eq(map));
        let sums = values.iter().map(|&value| u128::from(value)).fold((0, 0), |(sum, squares), value| {
            (sum + value, squares + value * value)
        });
        prop_assert_eq!(histogram.sums(), sums);
    }

    #[test]
    fn order_and_grouping_do_not_show(values in values(), cut in 0..600_usize) {
        let whole = counted(&values);
        let mut reversed = values.clone();
        reversed.reverse();
        prop_assert_eq!(&counted(&reversed), &whole);
        let (head, tail) = values.split_at(cut.min(values.len()));
        let mut merged = counted(tail);
        merged.merge(&counted(head));
        prop_assert_eq!(&merged, &whole);
    }
}

/// The squares of the greatest values, counted often, still fit.
#[test]
fn sums_do_not_overflow() {
    let mut histogram = Histogram::default();
    histogram.add_many(u32::MAX, 1 << 40);
    let value = u128::from(u32::MAX);
    assert_eq!(histogram.sums(), (value << 40, (value * value) << 40));
    assert_eq!(histogram.total(), 1 << 40);
}
