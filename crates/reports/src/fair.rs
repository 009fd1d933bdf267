//! Along an option of the rules of a game for several: how far apart the seats' wins are, and where they are nearest to equal.
//! Made of the table of a sweep.

use stopwise_analysis::binomial::mean_share_limits;
use stopwise_analysis::estimate::{Interval, Level};
use stopwise_document::chart::{Axis, Line, Lines, Plot, Point, Tone};
use stopwise_document::{Chart, Report};

use crate::row::rows;

/// A value of the option.
#[derive(Clone, Debug, PartialEq)]
pub struct Setting {
    /// The value, as it is typed.
    pub value: String,
    /// The share of the games that each seat wins.
    pub wins: Vec<f64>,
    /// The largest share less the smallest.
    pub apart: f64,
    /// Its limits; those of all settings hold together at 95 %.
    pub interval: Interval,
    /// Whether it is the fairest, or may be.
    pub tone: Tone,
}

/// The settings of a sweep along this option, if it is of a game for several, and for as many with every value.
pub fn settings(report: &Report, option: &str) -> Option<Vec<Setting>> {
    // Where wins are shared, a tie is a part for each.
    let has_shares = rows(report, "sweep.csv").any(|row| row.is("metric", "share"));
    let won = if has_shares { "share" } else { "win" };
    let mut found: Vec<(String, Vec<(f64, u64)>)> = Vec::new();
    for row in rows(report, "sweep.csv").filter(|row| row.is("metric", won)) {
        let (value, win) = (row.text(option), (row.number("mean")?, row.count("trials")?));
        row.count("seat")?;
        match found.last_mut().filter(|(last, _)| *last == value) {
            Some((_, wins)) => wins.push(win),
            None => found.push((value, vec![win])),
        }
    }
    let seats = found.first()?.1.len();
    if seats < 2 || found.iter().any(|(_, wins)| wins.len() != seats) {
        return None;
    }
    let level = Level::SINGLE.among(seats * found.len());
    let mut settings: Vec<_> = found.into_iter().map(|(value, wins)| setting(value, &wins, level)).collect();
    let least = settings.iter().map(|setting| setting.interval.high).fold(f64::INFINITY, f64::min);
    let best = (0..settings.len()).min_by(|&a, &b| settings[a].apart.total_cmp(&settings[b].apart))?;
    for (at, setting) in settings.iter_mut().enumerate() {
        setting.tone = match () {
            () if at == best => Tone::Best,
            () if setting.interval.low <= least => Tone::Possible,
            () => Tone::Plain,
        };
    }
    Some(settings)
}

/// How far the largest of some shares is from the smallest, where every share is within its limits: the largest is at least the
/// largest of the lower ones, and so on.
pub(crate) fn apart(limits: &[Interval]) -> Interval {
    let lows = || limits.iter().map(|limits| limits.low);
    let highs = || limits.iter().map(|limits| limits.high);
    Interval { low: (most(lows()) - least(highs())).max(0.0), high: most(highs()) - least(lows()) }
}

fn setting(value: String, wins: &[(f64, u64)], level: Level) -> Setting {
    let limits = wins.iter().map(|&(share, trials)| mean_share_limits(share * trials as f64, trials, level));
    let limits: Vec<_> = limits.collect();
    let wins: Vec<_> = wins.iter().map(|&(share, _)| share).collect();
    let interval = apart(&limits);
    let apart = most(wins.iter().copied()) - least(wins.iter().copied());
    Setting { value, wins, apart, interval, tone: Tone::Plain }
}

fn most(values: impl Iterator<Item = f64>) -> f64 {
    values.fold(f64::NEG_INFINITY, f64::max)
}

fn least(values: impl Iterator<Item = f64>) -> f64 {
    values.fold(f64::INFINITY, f64::min)
}

/// The settings along the option, as a picture.
pub fn chart(settings: &[Setting], option: &str) -> Chart {
    let numbers: Option<Vec<f64>> = settings.iter().map(|setting| setting.value.parse().ok()).collect();
    let names = || settings.iter().map(|setting| setting.value.clone()).collect();
    let x = if numbers.is_some() { Axis::of(option, "") } else { Axis::levels(option, names()) };
    let points = settings.iter().enumerate().map(|(at, setting)| Point {
        x: numbers.as_ref().map_or(at as f64, |numbers| numbers[at]),
        y: setting.apart,
        interval: Some([setting.interval.low, setting.interval.high]),
        tone: setting.tone,
    });
    let line = Line { name: String::new(), points: points.collect(), is_step: false };
    let plot = Lines {
        x,
        y: Axis::points("most wins less least wins"),
        series: vec![line],
        marks: Vec::new(),
        reference: None,
    };
    let sentence = "The less, the fairer: how much of the games the seat that wins most wins more than the one that wins least, with \
                    95 % intervals that hold together. The same policy plays in every seat.";
    Chart::new("How far apart the seats are", sentence, Plot::Lines(plot))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limits_hold_whatever_the_shares_are_within_theirs() {
        let level = Level::SINGLE.among(6);
        for wins in [[0.36, 0.33, 0.31], [0.5, 0.3, 0.2], [1.0, 0.0, 0.0]] {
            let counted = wins.map(|share| (share, 1000));
            let found = setting("a".into(), &counted, level);
            let limits = wins.map(|share| mean_share_limits(1000.0 * share, 1000, level));
            // Every corner of the box of the three intervals.
            for corner in 0..8_usize {
                let at = |seat: usize| match corner >> seat & 1 {
                    0 => limits[seat].low,
                    _ => limits[seat].high,
                };
                let shares = [at(0), at(1), at(2)];
                let apart = most(shares.into_iter()) - least(shares.into_iter());
                let Interval { low, high } = found.interval;
                assert!(apart >= low && apart <= high, "{shares:?}: {apart}, {low} to {high}");
            }
            assert!((found.apart - (wins[0] - wins[2])).abs() < 1e-12);
        }
    }
}
