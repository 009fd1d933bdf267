//! Histograms for people: bins whose limits are round numbers, and cumulative lines.

use stopwise_analysis::binomial::mean_share_limits;
use stopwise_analysis::estimate::{Level, quantile};
use stopwise_document::chart::{Bin, Line, Point, Tone};
use stopwise_engine::tally::Histogram;

use super::words::pair;

/// The most bins.
const MOST: u32 = 40;
/// A cumulative line has at most so many points.
const POINTS: usize = 256;

/// The limits of bins: `step` whole numbers each, from `start`; what is beyond `top` is in a last one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Breaks {
    start: u32,
    step: u32,
    top: u32,
}

impl Breaks {
    /// The same bins for several histograms, up to the greatest 99.5 % quantile; a bin a value where there are few.
    pub(crate) fn of(histograms: &[&Histogram]) -> Self {
        let top = histograms.iter().map(|histogram| quantile(histogram, 0.995)).max().unwrap_or(0);
        let low =
            histograms.iter().filter_map(|histogram| histogram.iter().next()).map(|(value, _)| value).min();
        let low = low.unwrap_or(0);
        let step = nice_step((top.saturating_sub(low) / MOST).max(1));
        Self { start: low / step * step, step, top }
    }
}

/// The bars of a histogram from so many trials, as shares with 95 % intervals. A trial with a value of each of several seats, which may
/// be dependent, counts once.
pub(crate) fn bins(histogram: &Histogram, trials: u64, breaks: &Breaks) -> Vec<Bin> {
    let Breaks { start, step, top } = *breaks;
    let total = histogram.total();
    let trials = trials.min(total);
    let mut counts = vec![0_u64; ((top - start) / step + 1) as usize];
    let mut above = 0;
    for (value, count) in histogram.iter() {
        match counts.get_mut(((value - start) / step) as usize) {
            Some(bar) => *bar += count,
            None => above += count,
        }
    }
    let bin = |from: f64, to: f64, count: u64| {
        let value = count as f64 / total.max(1) as f64;
        let interval = (total > 0).then(|| mean_share_limits(value * trials as f64, trials, Level::SINGLE));
        Bin { from, to, value, interval: pair(interval) }
    };
    let mut bars: Vec<_> = (start..)
        .step_by(step as usize)
        .zip(counts)
        .map(|(from, count)| bin(from.into(), f64::from(from) + f64::from(step - 1), count))
        .collect();
    if above > 0 {
        let from = bars.last().map_or(0.0, |bar| bar.to + 1.0);
        bars.push(bin(from, f64::INFINITY, above));
    }
    bars
}

/// The share of the trials with each value or less.
pub(crate) fn cumulative(name: &str, histogram: &Histogram) -> Line {
    let total = histogram.total().max(1) as f64;
    let values = histogram.iter().count();
    let every = values.div_ceil(POINTS).max(1);
    let mut below = 0;
    let mut points = Vec::new();
    for (at, (value, count)) in histogram.iter().enumerate() {
        below += count;
        if at % every == 0 || at + 1 == values {
            let share = below as f64 / total;
            points.push(Point { x: value.into(), y: share, interval: None, tone: Tone::Plain });
        }
    }
    Line { name: name.to_owned(), points, is_step: true }
}

/// The least of 1, 2, 5, 10, 20, 50, … that is at least `least`.
fn nice_step(least: u32) -> u32 {
    let mut scale = 1;
    loop {
        for step in [1, 2, 5] {
            if step * scale >= least {
                return step * scale;
            }
        }
        scale *= 10;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Limits of Clopper and Pearson for 170 of 1,000, whether each of them has one value or four.
    #[test]
    fn seats_of_a_trial_count_once() {
        let limits = (0.147_217_022_352, 0.194_744_145_071);
        for seats in [1, 4] {
            let values = Histogram::from(vec![(7, 170 * seats), (8, 830 * seats)]);
            let bars = bins(&values, 1000, &Breaks::of(&[&values]));
            let [low, high] = bars[0].interval.expect("values");
            assert!((low - limits.0).abs() < 1e-9 && (high - limits.1).abs() < 1e-9, "{low} {high}");
        }
    }
}
