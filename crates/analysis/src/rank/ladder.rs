//! When a ranking looks at its results.

/// Trials before the first look: a mean that rests on fewer is no normal variable yet.
pub const BURN_IN: u64 = 1000;

/// The rungs of a decade: each is a third to two thirds more than the one before.
const RUNGS: [u64; 6] = [10, 15, 20, 30, 50, 70];

/// The check points of a ranking that plays `most` trials at most: 1,000, 1,500, 2,000, 3,000, 5,000, 7,000, 10,000, …
/// and `most` itself. They hang on nothing else, so that a shorter ranking looks where a longer one does.
pub fn rungs(most: u64) -> impl Iterator<Item = u64> {
    let decades = std::iter::successors(Some(BURN_IN / 10), |decade: &u64| decade.checked_mul(10));
    let all = decades.flat_map(|decade| RUNGS.map(|rung| decade.saturating_mul(rung)));
    all.take_while(move |&rung| rung < most).chain(std::iter::once(most))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ladder() {
        let to = |most| rungs(most).collect::<Vec<_>>();
        assert_eq!(to(12_000), [1_000, 1_500, 2_000, 3_000, 5_000, 7_000, 10_000, 12_000]);
        assert_eq!((to(1), to(1_000), to(1_001)), (vec![1], vec![1_000], vec![1_000, 1_001]));
        assert!(to(u64::MAX).is_sorted_by(|a, b| a < b) && to(u64::MAX).len() < 120);
    }
}
