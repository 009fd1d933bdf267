//! Confidence levels of intervals that are read alone or together.

use std::fmt;

use crate::normal::upper;

/// The least α of a family of intervals. Divided among any number of intervals it is still far above the smallest
/// positive floating-point number, and its logarithm is exact.
pub const LEAST_ALPHA: f64 = 1e-100;

/// The confidence level of an interval, and of the family of intervals that it is read with.
///
/// It is displayed as the level of the family, in per cent: `95 %`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Level {
    /// The probability that this interval misses.
    alpha: f64,
    /// The largest probability that any interval of the family misses.
    family: f64,
    /// The number of intervals in the family.
    together: usize,
}

impl Level {
    /// 95 %, for an interval that is read alone.
    pub const SINGLE: Self = Self { alpha: 0.05, family: 0.05, together: 1 };

    /// The level 1 − `alpha`, with `alpha` between 0 and 1, for an interval that is read alone.
    pub const fn new(alpha: f64) -> Self {
        Self { alpha, family: alpha, together: 1 }
    }

    /// The level of each of several intervals that hold simultaneously: each gets an equal part of α, which is valid
    /// under any dependence (Bonferroni). 0 intervals count as one.
    #[must_use]
    pub fn among(self, intervals: usize) -> Self {
        let intervals = intervals.max(1);
        Self { alpha: self.alpha / intervals as f64, together: self.together * intervals, ..self }
    }

    /// The probability that this interval misses.
    pub fn alpha(self) -> f64 {
        self.alpha
    }

    /// The standard normal quantile of the two-sided interval.
    pub fn z(self) -> f64 {
        upper(self.alpha / 2.0)
    }

    /// The number of intervals that hold simultaneously at the displayed level.
    pub fn together(self) -> usize {
        self.together
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Six decimals of a per cent: as exact as α is written, without the rounding of 1 − α. With a smaller α as many as
        // show it, as far as a number near 100 has them: no level is 100 %.
        let scale = |places: usize| std::iter::repeat_n(10.0, places + 2).product::<f64>();
        match (6..=11).find(|&places| self.family * scale(places) > 0.999) {
            Some(6) => write!(f, "{} %", (1e8 * (1.0 - self.family)).round() / 1e6),
            Some(places) => write!(f, "{:.places$} %", 100.0 - 100.0 * self.family),
            None => write!(f, "more than 99.99999999999 %"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::estimate::Z95;

    #[test]
    fn levels() {
        assert!((Level::SINGLE.z() - Z95).abs() < 1e-12);
        assert!((Level::SINGLE.among(2).z() - 2.241_402_727_604_947).abs() < 1e-12);
        assert_eq!(Level::SINGLE.among(0), Level::SINGLE);
        assert_eq!(Level::SINGLE.among(2).among(3).together(), 6);
    }

    #[test]
    fn the_level_of_the_family_is_displayed() {
        assert_eq!(Level::SINGLE.among(7).to_string(), "95 %");
        assert_eq!(Level::new(0.001).to_string(), "99.9 %");
        assert_eq!(Level::new(0.3).to_string(), "70 %");
        assert_eq!(Level::new(1e-8).to_string(), "99.999999 %");
        assert_eq!(Level::new(3e-9).to_string(), "99.9999997 %");
        assert_eq!(Level::new(1e-12).to_string(), "99.9999999999 %");
        assert_eq!(Level::new(1e-100).to_string(), "more than 99.99999999999 %");
    }
}
