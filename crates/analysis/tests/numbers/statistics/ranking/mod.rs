//! Races against known means, a few replicates of what `examples/ranking` runs at length.

mod behaviour;
mod fields;
mod harness;

use fields::Field;
use harness::races;
use stopwise_analysis::rank::Aim;

use super::sequences::populations;

/// Replicates, and how many of so many races, each wrong with a chance of 5 %, more than which are with a chance of one in
/// a million (binomial).
const DRAWN: (u64, u64) = (60, 13);
const PLAYED: (u64, u64) = (16, 7);

/// Wrong, ever, anywhere, in at most α of the races; whoever looks at plain intervals is wrong in most of those in which
/// arms are equal; and the first looks better than it is, but not in fresh trials.
#[test]
fn the_family_wise_error_is_kept() {
    for field in Field::all().iter().filter(|field| field.truths.len() <= 10) {
        let (replicates, allowed) = if field.name.starts_with("Pig") { PLAYED } else { DRAWN };
        let result = races(field, Aim::Order, replicates);
        let name = field.name;
        assert!(result.wrong <= allowed && result.missed <= allowed, "{name}: {result:?}");
        assert!(result.lost <= result.wrong && result.wrong <= result.missed, "{name}: {result:?}");
        let is_null = name.starts_with("ten ") && !name.contains("constants");
        assert!(!is_null || result.plain > replicates / 2, "{name}: {result:?}");
        assert!(!is_null || result.optimism.mean() > result.optimism.half(), "{name}: {result:?}");
        // 4.5 standard errors.
        let far = 4.5 / 1.96 * result.fresh.half();
        assert!(result.fresh.mean().abs() <= far, "{name}: {result:?}");
        if name.contains("near twins") {
            assert!(result.unguarded > replicates / 2 && result.wrong == 0, "{result:?}");
        }
    }
}

/// Where only the best is wanted it is found sooner, and as surely.
#[test]
fn the_best_is_found_sooner() {
    let fields = Field::all();
    let field = fields.iter().find(|field| field.name.starts_with("coins 0.5 0.5 0.49")).expect("the field");
    let [order, best] = [Aim::Order, Aim::Best].map(|aim| races(field, aim, DRAWN.0));
    assert!(best.games < 0.8 * order.games && best.wrong <= DRAWN.1 && best.lost == 0, "{order:?} {best:?}");
}
