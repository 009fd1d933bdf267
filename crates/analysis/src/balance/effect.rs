//! The effect of a rule change on a measure.

use stopwise_engine::game::Metric;
use stopwise_engine::paired::{GameSums, Number};

use super::measure::{Measure, Sample, Statistic};
use super::numbers::MeanOf;
use crate::estimate::{Estimate, Interval, Level, Method, moments, unsigned_zero};
use crate::mean;
use crate::paired::{MeanDifference, share_difference};

/// A measure under a variant of the rules, compared with the same measure under the base.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Effect {
    /// The measure under the base, in its unit.
    pub base: f64,
    /// The measure under the variant.
    pub variant: f64,
    /// Variant − base.
    pub difference: Estimate,
}

/// The effect of a variant on a measure; `None` where the measure has no value under the variant or the base. Given are the measure
/// of the variant and that of the base, which have one name, and their samples.
///
/// What is a mean of games is compared trial by trial, where the products of the variant's numbers with those of the base were
/// counted ([`to_count`](super::to_count)). Otherwise two intervals, each at half of α, are subtracted: valid under any
/// dependence, conservative where the two are positively correlated.
pub fn effect(measures: [&Measure; 2], samples: [Sample<'_>; 2], level: Level) -> Option<Effect> {
    let half = level.among(2);
    let under = |at: usize| measures[at].of(samples[at], half);
    let (variant, base) = (under(0)?, under(1)?);
    let difference = paired(measures, samples, level).unwrap_or_else(|| subtracted(variant, base, level));
    let difference = Estimate { value: unsigned_zero(difference.value), ..difference };
    Some(Effect { base: base.value, variant: variant.value, difference })
}

/// The difference of two estimates, each at half of α.
fn subtracted(variant: Estimate, base: Estimate, level: Level) -> Estimate {
    let interval = variant
        .interval
        .zip(base.interval)
        .map(|(variant, base)| Interval { low: variant.low - base.high, high: variant.high - base.low });
    Estimate { value: variant.value - base.value, interval, method: Method::TwoIntervals, level }
}

/// The paired difference, for the measures that have one.
fn paired(measures: [&Measure; 2], samples: [Sample<'_>; 2], level: Level) -> Option<Estimate> {
    let means = [0, 1].map(|at| measures[at].mean(samples[at].metrics));
    let [Some(variant), Some(base)] = means else { return None };
    let pair = Pair { games: [samples[0].games?, samples[1].games?], trials: samples[0].tally.trials };
    match (variant.among, base.among) {
        (None, None) if is_event(variant.number) => {
            let found = pair.shares([variant.number, base.number], level)?;
            // What is counted is the opposite: the games with a winner.
            Some(if measures[0].statistic == Statistic::NoWinner { found.negated() } else { found })
        }
        (None, None) => pair.means([variant.number, base.number], level),
        _ => {
            let factors = [0, 1].map(|at| factor(measures[at], samples[at]));
            let found = pair.ratios([variant, base], factors, level)?;
            // An edge is over a fair share, which the number of seats decides.
            let fair = |at: usize| match measures[at].statistic {
                Statistic::FirstSeatEdge => 1.0 / samples[at].tally.seats.len() as f64,
                _ => 0.0,
            };
            Some(found.plus(fair(1) - fair(0)))
        }
    }
}

/// Whether a number is 0 or 1.
fn is_event(number: Number) -> bool {
    !matches!(number, Number::Sum(_) | Number::Rounds(_) | Number::Of(..))
}

/// What a ratio of two numbers is to be multiplied with, and how much of it one game is at most: a win may be counted in parts, and
/// seats win multiples of a fair share.
fn factor(measure: &Measure, sample: Sample<'_>) -> (f64, f64) {
    let whole = || Metric::of_wins(sample.metrics).map_or(1.0, |at| f64::from(sample.metrics[at].whole()));
    let seats = sample.tally.seats.len() as f64;
    match measure.statistic {
        Statistic::SeatWins(_) => (seats / whole(), seats),
        Statistic::FirstSeatEdge => (1.0 / whole(), 1.0),
        _ => (1.0, 1.0),
    }
}

/// The games of a variant and of the base, trial by trial.
struct Pair<'g> {
    games: [&'g GameSums; 2],
    trials: u64,
}

impl Pair<'_> {
    /// The sums of two numbers, of their squares, and of their products.
    fn sums(&self, [a, b]: [Number; 2]) -> Option<([u128; 2], [u128; 2], u128)> {
        let [variant, base] = self.games;
        let product = variant.product(variant.place(a)?, base.place(b)?)?;
        Some((variant.sum(a)?, base.sum(b)?, product))
    }

    /// Of two events.
    fn shares(&self, numbers: [Number; 2], level: Level) -> Option<Estimate> {
        let ([a, _], [b, _], both) = self.sums(numbers)?;
        let [both, a, b] = [both, a, b].map(|count| u64::try_from(count).unwrap_or(u64::MAX));
        share_difference([both, a - both, b - both, self.trials + both - a - b], level)
    }

    /// Of two means.
    fn means(&self, numbers: [Number; 2], level: Level) -> Option<Estimate> {
        let ([a, a_squares], [b, b_squares], product) = self.sums(numbers)?;
        let std_dev = |sum, squares| moments(self.trials, sum, squares).1;
        let (mean, spread) = moments(self.trials, a.abs_diff(b), (a_squares + b_squares) - 2 * product);
        let found = MeanDifference {
            trials: self.trials,
            value: if a >= b { mean } else { -mean },
            std_error: (self.trials > 1).then(|| spread / (self.trials as f64).sqrt()),
            spread: std_dev(a, a_squares).max(std_dev(b, b_squares)),
        };
        Some(found.fixed(level))
    }

    /// Of two ratios, each times its factor: of what was won of the games with a winner.
    ///
    /// Where all games have one, of events it is a difference of shares. Else, or of parts of a win, it is the mean of what each
    /// trial adds to it, to first order (the delta method): x − R·d over the mean of d, with the ratio R of the sums of x and d.
    /// What did not occur may change a ratio by one game of those with a winner, of the two the fewer.
    fn ratios(&self, means: [MeanOf; 2], factors: [(f64, f64); 2], level: Level) -> Option<Estimate> {
        let numbers = means.map(|mean| mean.number);
        let [Some(of_a), Some(of_b)] = means.map(|mean| mean.among) else { return None };
        let ([a, a_squares], [b, b_squares], product) = self.sums(numbers)?;
        let ([all_a, _], [all_b, _], both) = self.sums([of_a, of_b])?;
        let (_, _, a_product) = self.sums([numbers[0], of_b])?;
        let (_, _, b_product) = self.sums([of_a, numbers[1]])?;
        let fewer = u64::try_from(all_a.min(all_b)).ok().filter(|&fewer| fewer > 0)?;
        // A win that is not counted in parts.
        let are_events = factors.iter().all(|(factor, most)| factor == most);
        let (factors, most) = (factors.map(|(factor, _)| factor), factors[0].1.max(factors[1].1));
        if fewer == self.trials && are_events && factors[0] == factors[1] {
            return Some(self.shares(numbers, level)?.times(factors[0]));
        }
        let (n, sizes) = (self.trials as f64, [all_a as f64, all_b as f64]);
        let ratios = [a as f64 / sizes[0], b as f64 / sizes[1]];
        let units = [0, 1].map(|at| factors[at] * n / sizes[at]);
        // Sums of products of x − R·d. What has x is among d.
        let residual = |[first, second]: [usize; 2], [xx, xd, dx, dd]: [u128; 4]| {
            let (r, s) = (ratios[first], ratios[second]);
            units[first] * units[second] * (xx as f64 - s * xd as f64 - r * dx as f64 + r * s * dd as f64)
        };
        let squares = residual([0, 0], [a_squares, a, a, all_a]) + residual([1, 1], [b_squares, b, b, all_b])
            - 2.0 * residual([0, 1], [product, a_product, b_product, both]);
        let std_dev = (squares.max(0.0) / (n - 1.0).max(1.0)).sqrt();
        let reach = mean::reach(std_dev * (fewer as f64 / n).sqrt(), fewer, most, level);
        let value = factors[0] * ratios[0] - factors[1] * ratios[1];
        Some(Estimate::around(value, reach, Method::Paired, level))
    }
}
