//! Numbers, intervals and line-ups as text, and the limits of intervals for tables.

use stopwise_analysis::estimate::{Interval, unsigned_zero};
use stopwise_words::trials;

/// What the column `game` means, in every file.
pub(super) const GAME: &str = "the game";
/// What the column `rules` means.
pub(super) const RULES: &str = "the preset or file, with every option that was changed";

/// A warning if intervals of means rest on less than a thousand trials, a number that was fixed beforehand.
pub(super) fn few_trials(number: u64) -> Option<String> {
    let said = || {
        format!(
            "Only {}: the intervals of means are Student's, which hold for values that are about normal, or some thousands \
             of them. Use --trials 100k.",
            trials(number)
        )
    };
    (number < 1_000).then(said)
}

/// A line-up in one cell: one label if all seats have the same, otherwise one per seat.
pub fn one_label(labels: &[String]) -> String {
    match labels.split_first() {
        Some((first, rest)) if rest.iter().all(|label| label == first) => first.clone(),
        _ => labels.join(" / "),
    }
}

/// What is measured, with its unit; points are not in points.
pub(super) fn with_unit(name: &str, unit: &str) -> String {
    if name == unit { name.to_owned() } else { format!("{name} ({unit})") }
}

/// A share from 0 to 1 in per cent, with two decimals: `12.30 %`.
pub(super) fn percent(share: f64) -> String {
    format!("{:.2} %", 100.0 * share)
}

/// A difference of two shares in percentage points, with its sign and two decimals: `+1.20`.
pub(super) fn points(difference: f64) -> String {
    format!("{:+.2}", unsigned_zero((difference * 1e4).round() / 100.0))
}

/// `2.5 to 3.1`, with each limit as `show` writes it.
pub(super) fn range(show: &dyn Fn(f64) -> String, interval: Option<Interval>) -> String {
    match interval {
        Some(Interval { low, high }) => format!("{} to {}", show(low), show(high)),
        None => "not known".into(),
    }
}

/// Both limits, for tables; `None` where nothing is known.
pub(super) fn limits(interval: Option<Interval>) -> [Option<f64>; 2] {
    [interval.map(|interval| interval.low), interval.map(|interval| interval.high)]
}

/// Both limits, for charts.
pub(super) fn pair(interval: Option<Interval>) -> Option<[f64; 2]> {
    interval.map(|interval| [interval.low, interval.high])
}

/// Rounded to this many decimals; 0 is never negative.
pub(super) fn rounded(value: f64, decimals: i32) -> f64 {
    let scale = 10_f64.powi(decimals);
    unsigned_zero((value * scale).round() / scale)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zero_has_no_sign() {
        assert_eq!(points(-1e-9), "+0.00");
        assert_eq!(format!("{:.3}", rounded(-1e-9, 3)), "0.000");
    }
}
