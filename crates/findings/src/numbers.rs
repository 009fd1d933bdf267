//! How numbers and their intervals are written for people: with as many decimals as they need to be true.
//!
//! A number that is not 0 is never written as 0, nor a share that is not all as 100 %. An interval has two digits of its
//! width at least, and its limits are rounded outwards, so that what is printed contains what was found.

use stopwise_analysis::estimate::Interval;

/// What is this small is the rounding of sums, and 0.
const NOTHING: f64 = 1e-12;

/// The most decimals.
const MOST: u8 = 12;

/// How a kind of number is written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Style {
    /// What a number is multiplied with.
    scale: f64,
    /// Decimals, unless more are needed.
    decimals: u8,
    is_signed: bool,
    kind: Kind,
    unit: &'static str,
}

/// What numbers can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Any number.
    Real,
    /// Per cent, of which 100 are all.
    Share,
    /// Whole numbers, with whole limits.
    Whole,
}

/// A share from 0 to 1, in per cent: `12.30 %`.
pub(super) const PERCENT: Style =
    Style { scale: 100.0, decimals: 2, is_signed: false, kind: Kind::Share, unit: " %" };
/// A difference of two shares, in percentage points: `+1.20`.
pub(super) const POINTS: Style =
    Style { scale: 100.0, decimals: 2, is_signed: true, kind: Kind::Real, unit: "" };
/// A mean: `8.125`.
pub(super) const MEAN: Style =
    Style { scale: 1.0, decimals: 3, is_signed: false, kind: Kind::Real, unit: "" };
/// A value that was seen: `8`.
pub(super) const VALUE: Style =
    Style { scale: 1.0, decimals: 0, is_signed: false, kind: Kind::Whole, unit: "" };
/// A difference of two means: `+0.125`.
pub(super) const DIFFERENCE: Style =
    Style { scale: 1.0, decimals: 3, is_signed: true, kind: Kind::Real, unit: "" };

impl Style {
    /// With so many decimals, unless more are needed.
    pub(super) const fn to(self, decimals: u8) -> Self {
        Self { decimals, ..self }
    }

    /// Of numbers that are multiplied with this as well.
    pub(super) const fn times(self, scale: f64) -> Self {
        Self { scale: scale * self.scale, ..self }
    }

    /// With its sign.
    pub(super) const fn signed(self) -> Self {
        Self { is_signed: true, ..self }
    }

    /// Without the unit, where it stands elsewhere.
    pub(super) const fn bare(self) -> Self {
        Self { unit: "", ..self }
    }

    /// With as many decimals as this interval needs, for a number that is read with it.
    pub(super) fn fine(self, interval: Option<Interval>) -> Self {
        let width = interval.map_or(0.0, |interval| self.scale * 2.0 * interval.half_width());
        if width.is_finite() && self.kind != Kind::Whole {
            self.to(self.decimals.max(decimals_of(width)))
        } else {
            self
        }
    }

    /// A number.
    pub(super) fn number(self, value: f64) -> String {
        self.rounded(value, f64::round)
    }

    /// A number that is a lower limit.
    pub(super) fn down(self, value: f64) -> String {
        self.rounded(value, f64::floor)
    }

    /// `2.5 to 3.1`; `at least 2.5` where nothing bounds it above.
    pub(super) fn range(self, interval: Option<Interval>) -> String {
        let Some(Interval { low, high }) = interval else { return "not known".into() };
        let style = self.fine(interval);
        let (low, up) = (|| style.down(low), || style.rounded(high, f64::ceil));
        match high.is_infinite() {
            true => format!("at least {}", low()),
            false => format!("{} to {}", low(), up()),
        }
    }

    /// Half the width of an interval: `0.12`.
    pub(super) fn half(self, interval: Interval) -> String {
        let style = self.fine(Some(interval));
        Self { is_signed: false, ..style }.rounded(interval.half_width(), f64::ceil)
    }

    /// A number and half the width of its interval: `8.12 ± 0.12`.
    pub(super) fn with_half(self, value: f64, interval: Option<Interval>) -> String {
        let half = interval.map_or_else(String::new, |interval| format!(" ± {}", self.half(interval)));
        format!("{}{half}", self.fine(interval).number(value))
    }

    fn rounded(self, value: f64, round: fn(f64) -> f64) -> String {
        let value = self.scale * value;
        let value = if value.abs() < NOTHING { 0.0 } else { value };
        // Of a share that is nearly all, what is missing counts.
        let rest = 100.0 - value;
        let small =
            if self.kind == Kind::Share && rest > NOTHING && rest < value { rest } else { value.abs() };
        let reads_as_nothing = small < 0.5 * 0.1_f64.powi(self.decimals.into());
        let decimals = if reads_as_nothing { self.decimals.max(decimals_of(small)) } else { self.decimals };
        let unit = 10_f64.powi(decimals.into());
        // A number with so many decimals is not moved to the next by the last bit.
        let steps = value * unit;
        let near = steps.round();
        let steps = if (steps - near).abs() < 1e-6 { near } else { round(steps) };
        let (rounded, decimals) = (steps / unit + 0.0, usize::from(decimals));
        match self.is_signed {
            true => format!("{rounded:+.decimals$}{}", self.unit),
            false => format!("{rounded:.decimals$}{}", self.unit),
        }
    }
}

/// The decimals that show two digits of a number; none are needed for 0.
fn decimals_of(value: f64) -> u8 {
    if value < NOTHING {
        return 0;
    }
    let first = (1..=MOST).find(|&places| value * 10_f64.powi(places.into()) >= 10.0);
    if value >= 10.0 { 0 } else { first.unwrap_or(MOST) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn around(value: f64, half: f64) -> Option<Interval> {
        Some(Interval { low: value - half, high: value + half })
    }

    #[test]
    fn nothing_but_0_is_written_as_0() {
        assert_eq!(PERCENT.number(0.0), "0.00 %");
        assert_eq!(PERCENT.number(2.0e-6), "0.00020 %");
        assert_eq!(PERCENT.number(1.0 - 2.0e-6), "99.99980 %");
        assert_eq!(PERCENT.number(1.0), "100.00 %");
        assert_eq!(PERCENT.number(0.3439), "34.39 %");
        assert_eq!(DIFFERENCE.number(-0.000_348), "-0.00035");
        assert_eq!(DIFFERENCE.number(-1e-17), "+0.000");
        assert_eq!(POINTS.number(-1e-17), "+0.00");
        assert_eq!(MEAN.number(8.125), "8.125");
    }

    #[test]
    fn intervals_have_two_digits_at_least() {
        let rare = Some(Interval { low: 2.04e-6, high: 1.196e-5 });
        assert_eq!(PERCENT.range(rare), "0.00020 % to 0.00120 %");
        assert_eq!(PERCENT.fine(rare).number(5e-6), "0.00050 %");
        assert_eq!(PERCENT.range(around(0.3439, 0.0009)), "34.30 % to 34.48 %");
        assert_eq!(PERCENT.range(around(0.343_921, 0.000_012)), "34.3909 % to 34.3933 %");
        assert_eq!(MEAN.range(around(348.006, 0.51)), "347.496 to 348.516");
        assert_eq!(POINTS.range(around(-0.012, 0.000_1)), "-1.210 to -1.190");
    }

    /// What is printed contains what was found.
    #[test]
    fn limits_are_rounded_outwards() {
        assert_eq!(MEAN.range(Some(Interval { low: 1.0009, high: 2.0001 })), "1.000 to 2.001");
        assert_eq!(MEAN.half(Interval { low: 0.0, high: 0.0049 }), "0.0025");
        assert_eq!(MEAN.half(Interval { low: 1.0, high: 1.0 }), "0.000");
        assert_eq!(MEAN.range(Some(Interval { low: 104.98, high: f64::INFINITY })), "at least 104.980");
        // 100 · 0.07 is not 7.
        assert_eq!(PERCENT.range(Some(Interval { low: 0.07, high: 0.57 })), "7.00 % to 57.00 %");
    }
}
