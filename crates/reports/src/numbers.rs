//! How numbers and their intervals are written for people: with as many decimals as they need to be true.
//!
//! A number that is not 0 is never written as 0, nor a share that is not all as 100 %. A number that is read with an
//! interval has the decimals that show two digits of half its width, and limits are rounded outwards, so that what is
//! printed contains what was found.

use stopwise_analysis::estimate::Interval;
use stopwise_document::Rounding;
use stopwise_engine::game::Metric;

/// What is this small is the rounding of sums, and 0.
const NOTHING: f64 = 1e-12;

/// Ten, but for the last bits of a product.
const TEN: f64 = 10.0 - 1e-9;

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

    /// The decimals that it has at least.
    pub(super) const fn decimals(self) -> u8 {
        self.decimals
    }

    /// Of numbers that are multiplied with this as well.
    pub(super) const fn times(self, scale: f64) -> Self {
        Self { scale: scale * self.scale, ..self }
    }

    /// With its sign.
    pub(super) const fn signed(self) -> Self {
        Self { is_signed: true, ..self }
    }

    /// Without its sign, where it is clear.
    pub(super) const fn unsigned(self) -> Self {
        Self { is_signed: false, ..self }
    }

    /// With the unit of percentage points, in a table that has other numbers too.
    pub(super) const fn in_points(self) -> Self {
        Self { unit: " %-points", ..self }
    }

    /// Without the unit, where it stands elsewhere.
    pub(super) const fn bare(self) -> Self {
        Self { unit: "", ..self }
    }

    /// With as many decimals as this interval has meaning for, for a number that is read with it.
    pub(super) fn fine(self, interval: Option<Interval>) -> Self {
        let half = interval.map_or(0.0, |interval| self.scale * interval.half_width());
        match half.is_finite() && half > NOTHING && self.kind != Kind::Whole {
            true => self.to(decimals_of(half)),
            false => self,
        }
    }

    /// A number.
    pub(super) fn number(self, value: f64) -> String {
        self.rounded(value, Rounding::Nearest)
    }

    /// The number with the digits that its interval has meaning for, where it is not written but drawn.
    pub(super) fn known(self, value: f64, interval: Option<Interval>) -> f64 {
        Rounding::Nearest.to(self.fine(interval).decimals, value)
    }

    /// A number that somebody wrote: up to six decimals, without zeros at the end.
    pub(super) fn as_asked(self, value: f64) -> String {
        let text = format!("{:.6}", self.scale * value);
        format!("{}{}", text.trim_end_matches('0').trim_end_matches('.'), self.unit)
    }

    /// A number that is a lower limit.
    pub(super) fn down(self, value: f64) -> String {
        self.rounded(value, Rounding::Down)
    }

    /// A number that is an upper limit.
    pub(super) fn up(self, value: f64) -> String {
        self.rounded(value, Rounding::Up)
    }

    /// `2.5 to 3.1`; `at least 2.5` where nothing bounds it above.
    pub(super) fn range(self, interval: Option<Interval>) -> String {
        let Some(Interval { low, high }) = interval else { return "not known".into() };
        let style = self.fine(interval);
        let (down, up) = (|| style.down(low), || style.up(high));
        match (low.is_infinite(), high.is_infinite()) {
            (_, true) => format!("at least {}", down()),
            (true, false) => format!("at most {}", up()),
            (false, false) => format!("{} to {}", down(), up()),
        }
    }

    /// Half the width of an interval: `0.12`.
    pub(super) fn half(self, interval: Interval) -> String {
        let style = self.fine(Some(interval));
        style.unsigned().rounded(interval.half_width(), Rounding::Up)
    }

    /// How far an interval reaches from a value, to the side on which that is more: `0.12`.
    pub(super) fn reach(self, value: f64, interval: Interval) -> String {
        let reach = (interval.high - value).max(value - interval.low);
        let half = interval.half_width();
        // Halves of one width differ in their last bits.
        let reach = if reach < half * (1.0 + 1e-9) { half } else { reach };
        self.fine(Some(interval)).unsigned().rounded(reach, Rounding::Up)
    }

    /// A number and how far its interval reaches: `8.12 ± 0.12`.
    pub(super) fn with_reach(self, value: f64, interval: Option<Interval>) -> String {
        let reach =
            interval.map_or_else(String::new, |interval| format!(" ± {}", self.reach(value, interval)));
        format!("{}{reach}", self.fine(interval).number(value))
    }

    /// The same of a number without its sign.
    pub(super) fn size_with_reach(self, value: f64, interval: Option<Interval>) -> String {
        let turned = |Interval { low, high }: Interval| Interval { low: -high, high: -low };
        let interval = if value < 0.0 { interval.map(turned) } else { interval };
        self.with_reach(value.abs(), interval)
    }

    fn rounded(self, value: f64, rounding: Rounding) -> String {
        let value = self.scale * value;
        let value = if value.abs() < NOTHING { 0.0 } else { value };
        let to = |decimals: u8| rounding.to(decimals, value);
        // Of a share that is nearly all, what is missing counts.
        let rest = 100.0 - value;
        let is_nearly_all = self.kind == Kind::Share && rest > NOTHING && rest < value;
        let small = if is_nearly_all { rest } else { value.abs() };
        let reads_as_nothing =
            |rounded: f64| small > NOTHING && if is_nearly_all { rounded >= 100.0 } else { rounded == 0.0 };
        let rounded = to(self.decimals);
        let (rounded, decimals) = match reads_as_nothing(rounded) {
            true => (to(decimals_of(small)), decimals_of(small)),
            false => (rounded, self.decimals),
        };
        let decimals = usize::from(decimals);
        match self.is_signed {
            true => format!("{rounded:+.decimals$}{}", self.unit),
            false => format!("{rounded:.decimals$}{}", self.unit),
        }
    }
}

/// How means of a metric are read: a factor, and their unit. Wins, and shares of them, are read in per cent.
pub(super) fn of_means(metric: &Metric) -> (f64, &'static str) {
    in_per_cent(metric, "% of the games")
}

/// The same of differences of means.
pub(super) fn of_differences(metric: &Metric) -> (f64, &'static str) {
    in_per_cent(metric, "percentage points")
}

fn in_per_cent(metric: &Metric, unit: &'static str) -> (f64, &'static str) {
    match metric.is_won() {
        true => (100.0 * as_read(metric).0, unit),
        false => (1.0, metric.unit),
    }
}

/// What values of a metric are multiplied with where people read them, and the unit that they then have: a share of a win is
/// counted in parts of one (`1/12 games`), and read as games.
pub fn as_read(metric: &Metric) -> (f64, &'static str) {
    let unit = if metric.is_share() { "games" } else { metric.unit };
    (1.0 / f64::from(metric.whole()), unit)
}

/// The decimals that show two digits of a number; none are needed for 0.
fn decimals_of(value: f64) -> u8 {
    if value < NOTHING {
        return 0;
    }
    let first = (1..=MOST).find(|&places| value * 10_f64.powi(places.into()) >= TEN);
    if value >= TEN { 0 } else { first.unwrap_or(MOST) }
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
    fn numbers_end_where_their_interval_has_two_digits() {
        let rare = Some(Interval { low: 2.04e-6, high: 1.196e-5 });
        assert_eq!(PERCENT.range(rare), "0.00020 % to 0.00120 %");
        assert_eq!(PERCENT.fine(rare).number(5e-6), "0.00050 %");
        assert_eq!(PERCENT.range(around(0.3439, 0.0009)), "34.300 % to 34.480 %");
        assert_eq!(PERCENT.range(around(0.343_921, 0.000_012)), "34.3909 % to 34.3933 %");
        assert_eq!(POINTS.range(around(-0.012, 0.000_1)), "-1.210 to -1.190");
        // What is known to half a unit has no thousandths.
        assert_eq!(MEAN.range(around(348.006, 0.51)), "347.49 to 348.52");
        assert_eq!(MEAN.with_reach(348.006, around(348.006, 0.511)), "348.01 ± 0.52");
        assert_eq!(MEAN.known(349.363, around(349.363, 0.511)), 349.36);
        assert_eq!(MEAN.with_reach(1234.56, around(1234.56, 34.2)), "1235 ± 35");
        assert_eq!(PERCENT.range(around(0.344, 0.094)), "25.0 % to 43.8 %");
    }

    /// What is printed contains what was found.
    #[test]
    fn limits_are_rounded_outwards() {
        assert_eq!(MEAN.range(Some(Interval { low: 1.0009, high: 2.0001 })), "1.00 to 2.01");
        assert_eq!(MEAN.half(Interval { low: 0.0, high: 0.0049 }), "0.0025");
        assert_eq!(MEAN.half(Interval { low: 1.0, high: 1.0 }), "0.000");
        // The limits are not beyond what is said, however far they are to one side.
        assert_eq!(PERCENT.with_reach(1.0, Some(Interval { low: 0.692, high: 1.0 })), "100 % ± 31 %");
        assert_eq!(MEAN.with_reach(2.0, Some(Interval { low: 1.5, high: 2.5 })), "2.00 ± 0.50");
        assert_eq!(MEAN.size_with_reach(-2.0, Some(Interval { low: -2.1, high: -1.5 })), "2.00 ± 0.50");
        assert_eq!(MEAN.range(Some(Interval { low: 104.98, high: f64::INFINITY })), "at least 104.980");
        // 100 · 0.07 is not 7.
        assert_eq!(PERCENT.range(Some(Interval { low: 0.07, high: 0.57 })), "7 % to 57 %");
        // A difference that is not 0 has no limit that reads as 0, nor a share below all one of 100 %.
        assert_eq!(DIFFERENCE.range(Some(Interval { low: 0.004, high: 1.0 })), "+0.0040 to +1.00");
        assert_eq!(PERCENT.range(Some(Interval { low: 0.97, high: 0.99998 })), "97.0 % to 99.9980 %");
    }
}
