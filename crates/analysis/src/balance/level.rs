//! How sure an interval is to be, where several are read together.

use crate::normal::upper;

/// The probability with which an interval may miss.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Level {
    alpha: f64,
}

impl Level {
    /// An interval by itself: 95 %.
    pub const SINGLE: Self = Self { alpha: 0.05 };

    /// The same for each of several intervals that are to hold together: each gets an equal part of α, whatever their
    /// dependence (Bonferroni). One of none is one by itself.
    #[must_use]
    pub fn among(self, intervals: usize) -> Self {
        Self { alpha: self.alpha / intervals.max(1) as f64 }
    }

    /// The standard normal quantile of the two-sided interval.
    pub fn z(self) -> f64 {
        upper(self.alpha / 2.0)
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
    }
}
