//! A band around a distribution function, and what it implies for the greatest of several independent values.

use crate::beta;
use crate::estimate::{Interval, Level};

/// Limits of the expected greatest of `games` independent values, from a sample of `trials` of them, whatever their
/// distribution between `ends`. `values` are in ascending order, each with how often it occurred.
///
/// The share of a distribution at or above the r-th greatest value of a sample is at least, and the share above that
/// value at most, a variable with the distribution Beta(r, n − r + 1) (David and Nagaraja, Order Statistics, 3rd ed.,
/// 2003, sections 2.3 and 7.1). Its limits at some ranks, each at an equal part of α, are a band that contains the whole
/// distribution function, and is as narrow in the tail, on which the greatest value depends, as the sample allows (as are
/// the bands of Owen, JASA 90, 1995). The limits are the expected greatest values at the edges of the band (as Anderson's
/// of a mean, Stanford Technical Report 1, 1969). Some of the distribution may lie above the whole sample, as far as its
/// upper end: the upper limit is finite only if that is.
pub(crate) fn limits_of_greatest(
    values: &[(f64, u64)],
    trials: u64,
    games: u32,
    ends: Interval,
    level: Level,
) -> Interval {
    let ranks = ranks(trials, games);
    let tail = level.among(2 * ranks.len()).alpha();
    // The chance that one of the games at least is within an upper tail with this share.
    let any = |share: f64| -(f64::from(games) * (-share).ln_1p()).exp_m1();
    let (mut low, mut high) = (0.0, 0.0);
    let (mut least, mut above) = (0.0, ends.high);
    let mut descending = values.iter().rev();
    let (mut value, mut seen, mut most_before) = (0.0, 0, 0.0);
    for rank in ranks {
        while seen < rank {
            let Some(&(next, count)) = descending.next() else { break };
            (value, seen) = (next, seen + count);
        }
        let (r, rest) = (rank as f64, (trials - rank + 1) as f64);
        let at_least = any(beta::quantile(tail, r, rest));
        let at_most = any(beta::upper_quantile(tail, r, rest));
        low += value * (at_least - least);
        high += above * (at_most - most_before);
        (least, most_before, above) = (at_least, at_most, value);
    }
    Interval { low: low + ends.low * (1.0 - least), high: high + above * (1.0 - most_before) }
}

/// Ranks from 1, the greatest value, as far as the greatest of `games` values may be, and the last. They are a standard
/// deviation of the number of trials in the tail apart: more would not make the band narrower.
fn ranks(trials: u64, games: u32) -> Vec<u64> {
    // In all but e⁻⁸ of the cases the greatest value lies in an upper tail with this part of the trials.
    let far = (8 * trials).div_ceil(games.into());
    let mut ranks: Vec<u64> = std::iter::successors(Some(1), |&rank: &u64| Some(rank + rank.isqrt()))
        .take_while(|&rank| rank < far.min(trials))
        .collect();
    if far < trials {
        ranks.push(far);
    }
    ranks.push(trials);
    ranks
}
