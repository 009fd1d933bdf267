//! The expected best of several games.

use stopwise_engine::game::Better;
use stopwise_engine::tally::Histogram;

use crate::band::limits_of_greatest;
use crate::estimate::{Estimate, Interval, std_dev};
use crate::level::Level;
use crate::mean;
use crate::method::Method;

/// With so many trials for each game the interval of [`best_of`] is normal. Fewer miss more often than they say: of
/// CarboniteDice, in which one game in 20,000 has twice the score of the next best, 13 of 100 without its guard at 100.
pub const TRIALS_A_GAME: u64 = 500;

/// The expected best value of `games` independent games. The estimate is the mean over all sets of `games` trials, which
/// is unbiased. `bounds` are the least and greatest possible value, if known. `None` if there are fewer trials than games,
/// or no games.
///
/// With [`TRIALS_A_GAME`] its interval is normal, from the projections of that U-statistic (W. Hoeffding, A class of
/// statistics with asymptotically normal distribution, Annals of Mathematical Statistics 19, 1948, section 7), and
/// guarded as that of a mean. With fewer, the best of the games depends on values that few trials have, or none: the
/// interval is then carried over from a band around the distribution function, and where more is better it has no upper
/// limit unless the bounds give one: that limit is infinite.
pub fn best_of(
    histogram: &Histogram,
    games: u32,
    better: Better,
    bounds: Option<(f64, f64)>,
) -> Option<Estimate> {
    let trials = histogram.total();
    if games == 0 || trials < u64::from(games) {
        return None;
    }
    let mut values: Vec<(f64, u64)> = histogram.iter().map(|(value, count)| (value.into(), count)).collect();
    let (low, high) = bounds.unwrap_or((0.0, f64::INFINITY));
    let mut ends = Interval { low, high };
    if better == Better::Lower {
        // The least value is the greatest of the negative ones.
        values.reverse();
        values.iter_mut().for_each(|(value, _)| *value = -*value);
        // How far the worst value may be hardly matters, but no number times 0 is infinite. Metrics are 32-bit numbers.
        ends = Interval { low: -high.min(u32::MAX.into()), high: 0.0 - low };
    }
    let value = mean_of_greatest(&values, trials, games);
    let estimate = if trials >= TRIALS_A_GAME * u64::from(games) {
        let n = f64::from(games);
        let scale = mean::scale(std_dev(histogram));
        let reach = mean::reach(n * projection(&values, trials, games), trials, n * scale, Level::SINGLE);
        let around = Estimate::around(value, reach, Method::Normal, Level::SINGLE);
        let within = |interval: Interval| Interval {
            low: interval.low.max(ends.low.min(value)),
            high: interval.high.min(ends.high.max(value)),
        };
        Estimate { interval: around.interval.map(within), ..around }
    } else {
        let Interval { low, high } = limits_of_greatest(&values, trials, games, ends, Level::SINGLE);
        let interval = Some(Interval { low: low.min(value), high: high.max(value) });
        Estimate { value, interval, method: Method::Band, level: Level::SINGLE }
    };
    Some(if better == Better::Lower { estimate.negated() } else { estimate })
}

/// The mean of the greatest value over all sets of `games` trials.
fn mean_of_greatest(values: &[(f64, u64)], trials: u64, games: u32) -> f64 {
    // The share of the sets that lie within the least `below` trials.
    let share = |below: u64| -> f64 {
        (0..u64::from(games))
            .map(|drawn| below.saturating_sub(drawn) as f64 / (trials - drawn) as f64)
            .product()
    };
    let (mut below, mut within, mut sum) = (0, 0.0, 0.0);
    for &(value, count) in values {
        below += count;
        let more = share(below);
        sum += value * (more - within);
        within = more;
    }
    sum
}

/// The standard deviation of the expected greatest value, given one of the games.
fn projection(values: &[(f64, u64)], trials: u64, games: u32) -> f64 {
    let total = trials as f64;
    let others = f64::from(games) - 1.0;
    let mut at_most = Vec::with_capacity(values.len());
    let mut below = 0;
    for &(_, count) in values {
        below += count;
        at_most.push((below as f64 / total).powf(others));
    }
    // From the greatest value down: what the others give where they have more.
    let (mut above, mut sum, mut squares) = (0.0, 0.0, 0.0);
    for (at, &(value, count)) in values.iter().enumerate().rev() {
        let given = value * at_most[at] + above;
        let share = count as f64 / total;
        sum += share * given;
        squares += share * given * given;
        let lower = if at == 0 { 0.0 } else { at_most[at - 1] };
        above += value * (at_most[at] - lower);
    }
    (squares - sum * sum).max(0.0).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::estimate::Z95;

    fn histogram(values: &[u32]) -> Histogram {
        let mut histogram = Histogram::default();
        values.iter().for_each(|&value| histogram.add(value));
        histogram
    }

    /// All sets of three of seven trials, one after the other.
    #[test]
    fn the_mean_over_all_sets() {
        let values = [4, 1, 7, 7, 2, 10, 3];
        for (better, pick) in [(Better::Higher, u32::max as fn(u32, u32) -> u32), (Better::Lower, u32::min)] {
            let (mut sum, mut sets) = (0, 0);
            for a in 0..7 {
                for b in a + 1..7 {
                    for c in b + 1..7 {
                        sum += pick(pick(values[a], values[b]), values[c]);
                        sets += 1;
                    }
                }
            }
            let found = best_of(&histogram(&values), 3, better, None).expect("enough trials");
            assert!((found.value - f64::from(sum) / f64::from(sets)).abs() < 1e-12, "{better:?}");
        }
    }

    #[test]
    fn the_best_of_one_is_the_mean() {
        let mut all = histogram(&[]);
        for value in 0..40 {
            all.add_many(value, u64::from(value + 1));
        }
        let mean = crate::estimate::Summary::of(&all).expect("trials");
        let found = best_of(&all, 1, Better::Higher, None).expect("enough trials");
        assert!((found.value - mean.mean).abs() < 1e-9);
        let (one, other) = (found.interval.expect("many"), mean.mean().interval.expect("many"));
        assert!((one.half_width() / other.half_width() - 1.0).abs() < 1e-3);
    }

    /// The greater of two dice is 161/36 in the mean; its standard deviation given one die is known as well.
    #[test]
    fn the_greater_of_two_dice() {
        let mut all = histogram(&[]);
        (1..=6).for_each(|face| all.add_many(face, 1_000_000));
        let found = best_of(&all, 2, Better::Higher, None).expect("enough trials");
        assert!((found.value - 161.0 / 36.0).abs() < 1e-5);
        // Given a face v: v²/6 plus the faces above it, a sixth each.
        let given = (1..=6).map(|v| (f64::from(v * v) + f64::from((v + 1..=6).sum::<u32>())) / 6.0);
        let given: Vec<f64> = given.collect();
        let mean = given.iter().sum::<f64>() / 6.0;
        let spread = (given.iter().map(|g| (g - mean).powi(2)).sum::<f64>() / 6.0).sqrt();
        let half = found.interval.expect("many").half_width();
        assert!((half / (Z95 * 2.0 * spread / 6e6_f64.sqrt()) - 1.0).abs() < 1e-5);
    }

    /// With few trials the best that was not seen is open, unless bounds are known.
    #[test]
    fn what_was_not_seen() {
        let limits = |better, bounds| {
            let found = best_of(&histogram(&[1, 2, 3, 4]), 2, better, bounds);
            found.and_then(|found| found.interval).expect("limits")
        };
        let open = limits(Better::Higher, None);
        assert!(open.low > 0.0 && open.low < 2.0 && open.high == f64::INFINITY, "{open:?}");
        let bounded = limits(Better::Higher, Some((0.0, 6.0)));
        assert!(bounded.low == open.low && bounded.high > 5.0 && bounded.high < 6.0, "{bounded:?}");
        // The mirror image.
        let lowest = limits(Better::Lower, Some((0.0, 6.0)));
        let mirrored = limits(Better::Higher, Some((-1.0, 5.0))).negated().plus(5.0);
        assert!((lowest.low - mirrored.low).abs() < 1e-12 && (lowest.high - mirrored.high).abs() < 1e-12);
        assert!(limits(Better::Lower, None).low >= 0.0, "metrics are not negative");
    }

    #[test]
    fn too_few_trials() {
        assert_eq!(best_of(&histogram(&[1, 2]), 3, Better::Higher, None), None);
        assert_eq!(best_of(&histogram(&[1, 2]), 0, Better::Higher, None), None);
    }
}
