//! Confidence sequences against drawn values, 100 replicates of what `examples/sequences` runs at length.

mod harness;
pub(crate) mod populations;
mod properties;
mod races;

use harness::{ALPHA, Looks, Method, coverage};
use populations::Population;
use races::{Field, fields, race};

/// With as many, sequences may miss in 18; plain intervals miss in more, and the same test must see it.
const REPLICATES: u64 = 100;

/// The least number that so many replicates, each wrong with chance α, exceed with a chance below one in a million.
fn allowed(replicates: u64) -> u64 {
    let n = replicates as f64;
    let (mut chance, mut tail) = ((1.0 - ALPHA).powf(n), 1.0);
    for wrong in 0..replicates {
        tail -= chance;
        if tail < 1e-6 {
            return wrong;
        }
        chance *= (n - wrong as f64) / (wrong as f64 + 1.0) * ALPHA / (1.0 - ALPHA);
    }
    replicates
}

#[test]
fn looks_are_as_many_as_they_say() {
    let doubling = Looks::Doubling.trials();
    assert_eq!(doubling[7..], [12_800, 25_600, 51_200, 100_000]);
    assert_eq!((doubling.len(), Looks::Often.trials().len()), (11, 74));
    assert!(Looks::Often.trials().is_sorted());
}

#[test]
fn the_allowance_is_the_binomial_tail() {
    // One in a million lies 4.75 standard deviations above the mean of a normal variable; here the mean is 20, the
    // standard deviation 4.36, and the tail a little longer.
    let allowed = allowed(400);
    assert!((41..=45).contains(&allowed), "{allowed}");
}

/// Exact sequences are wrong at most as often as they say, on whatever is drawn; the asymptotic one after its burn-in
/// on these; and the interval for fixed n is not, wherever there is any variance.
#[test]
fn sequences_cover_where_fixed_intervals_do_not() {
    let allowed = allowed(REPLICATES);
    for population in Population::all() {
        let varies = population.sums().moments().expect("values").1 > 0.0;
        let looks = if varies { Looks::Often } else { Looks::Doubling };
        for result in coverage(&population, looks, REPLICATES) {
            assert!(result.empty <= result.missed, "{result:?}");
            if result.method.is_exact() || result.method == Method::Asymptotic {
                assert!(result.missed <= allowed, "{}: {result:?}", population.name);
            }
            if result.method == Method::Fixed {
                assert_eq!(result.missed > allowed, varies, "{}: {result:?}", population.name);
            }
        }
    }
}

/// Told apart wrongly, ever, in at most α of the races; and clear differences are found.
#[test]
fn races_keep_the_family_wise_error() {
    let allowed = allowed(REPLICATES);
    for Field { name, arms, methods } in fields() {
        for (by, methods) in methods {
            for race in race(&arms, by, &methods, REPLICATES) {
                if race.method != Method::Fixed {
                    assert!(race.wrong <= allowed, "{name}, {by:?}: {race:?}");
                    let is_clear = name.starts_with("coins 0.5 0.47");
                    assert!(!is_clear || race.decided > REPLICATES / 2, "{name}, {by:?}: {race:?}");
                }
            }
        }
    }
}
