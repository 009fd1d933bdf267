//! Targets for measures: verdicts from intervals, and the number of trials that a verdict needs.

use crate::estimate::{Estimate, Interval};

/// The bounds of a target: a least value, a greatest value, or both.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Bounds {
    /// The least value.
    pub at_least: Option<f64>,
    /// The greatest value.
    pub at_most: Option<f64>,
}

/// Whether a measure is within its bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The whole interval is within.
    Pass,
    /// The whole interval is outside.
    Fail,
    /// The interval contains a bound, or there is no interval.
    Undecided,
}

/// The normal quantile of the power, 90 %: the probability that the trials of [`Bounds::trials_to_decide`] decide.
const POWER: f64 = 1.281_551_565_544_600_4;
/// Forecasts above this number of trials are not given.
const MOST_TRIALS: f64 = 1e12;

impl Bounds {
    /// The verdict from an interval.
    pub fn judge(&self, interval: Option<Interval>) -> Verdict {
        let Some(Interval { low, high }) = interval else { return Verdict::Undecided };
        let least = self.at_least.unwrap_or(f64::NEG_INFINITY);
        let most = self.at_most.unwrap_or(f64::INFINITY);
        if high < least || low > most {
            Verdict::Fail
        } else if low >= least && high <= most {
            Verdict::Pass
        } else {
            Verdict::Undecided
        }
    }

    /// How far a value lies outside the bounds; 0 within.
    pub fn shortfall(&self, value: f64) -> f64 {
        let below = self.at_least.map_or(0.0, |least| least - value);
        let above = self.at_most.map_or(0.0, |most| value - most);
        below.max(above).max(0.0)
    }

    /// The total number of trials, approximately, that would decide with a probability of 90 % if the estimate were
    /// exact: the half width shrinks with the root of the trials until the interval is clear of the nearest bound
    /// inside it. `None` if the value is too near a bound, the interval contains none, or there is no interval.
    pub fn trials_to_decide(&self, measured: Estimate, trials: u64) -> Option<u64> {
        let Interval { low, high } = measured.interval?;
        let value = measured.value;
        let across = [self.at_least, self.at_most].into_iter().flatten().filter(|&at| low < at && at < high);
        let z = measured.level.z();
        let power = ((z + POWER) / z).powi(2);
        let needed = across.map(|bound| {
            let half = if bound < value { value - low } else { high - value };
            trials as f64 * (half / (value - bound).abs()).powi(2) * power
        });
        // A value outside the bounds is decided by one of them, a value inside only by both.
        let needed = if self.shortfall(value) > 0.0 {
            needed.fold(f64::INFINITY, f64::min)
        } else {
            needed.fold(0.0, f64::max)
        };
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 1 and 10¹²")]
        let whole = needed.ceil() as u64;
        (needed > 0.0 && needed < MOST_TRIALS).then_some(whole)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::estimate::{Level, Method};

    fn bounds(at_least: f64, at_most: f64) -> Bounds {
        Bounds { at_least: Some(at_least), at_most: Some(at_most) }
    }

    #[test]
    fn inside_outside_across() {
        let wanted = bounds(8.0, 10.0);
        for (low, high, verdict) in [
            (8.0, 10.0, Verdict::Pass),
            (9.0, 9.0, Verdict::Pass),
            (7.9, 9.0, Verdict::Undecided),
            (9.0, 10.1, Verdict::Undecided),
            (7.0, 11.0, Verdict::Undecided),
            (6.0, 7.9, Verdict::Fail),
            (10.1, 12.0, Verdict::Fail),
        ] {
            assert_eq!(wanted.judge(Some(Interval { low, high })), verdict, "{low} {high}");
        }
        assert_eq!(wanted.judge(None), Verdict::Undecided);
        assert_eq!([7.0, 8.0, 9.0, 12.0].map(|value| wanted.shortfall(value)), [1.0, 0.0, 0.0, 2.0]);
        assert_eq!(Bounds::default().judge(Some(Interval { low: -1e9, high: 1e9 })), Verdict::Pass);
    }

    /// At 9.5 ± 1 and a bound of 10 the half width must halve and leave room for chance: (z + 1.28)² / z² · 4 · 1,000.
    #[test]
    fn trials_to_decide() {
        let wanted = bounds(0.0, 10.0);
        let between = |low, value, high| {
            let interval = Some(Interval { low, high });
            Estimate { value, interval, method: Method::Normal, level: Level::SINGLE }
        };
        let needed = |low, value, high| wanted.trials_to_decide(between(low, value, high), 1000);
        assert_eq!(needed(8.5, 9.5, 10.5), Some(10_942));
        assert_eq!(needed(9.5, 10.5, 11.5), Some(10_942));
        assert_eq!(needed(9.0, 10.0, 11.0), None, "on the bound");
        assert_eq!(needed(8.0, 9.0, 9.9), None, "decided already");
        let unknown = Estimate { interval: None, ..between(1.0, 1.0, 1.0) };
        assert_eq!(wanted.trials_to_decide(unknown, 1000), None);
        // Across both: the nearer bound takes longer.
        let both = bounds(9.0, 10.0).trials_to_decide(between(8.6, 9.6, 10.6), 1000);
        assert_eq!(both, Some(17_096));
    }
}
