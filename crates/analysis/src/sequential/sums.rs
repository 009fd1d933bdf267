//! Exact sums, from which the sequences for means are computed.

use stopwise_engine::paired::Differences;
use stopwise_engine::tally::Histogram;

use crate::estimate::moments;

/// The number of trials with the exact sums of values and squares. Values are metrics or differences of two: with sizes
/// up to 2³² nothing overflows before 2⁶³ trials.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sums {
    /// The number of trials.
    pub trials: u64,
    /// The sum of their values.
    pub sum: i128,
    /// The sum of the squares of their values.
    pub squares: u128,
}

impl Sums {
    /// Enters a value `times` times.
    pub fn add(&mut self, value: i64, times: u64) {
        self.trials += times;
        self.sum += i128::from(value) * i128::from(times);
        self.squares += u128::from(value.unsigned_abs()).pow(2) * u128::from(times);
    }

    /// Adds other trials.
    pub fn merge(&mut self, other: &Self) {
        self.trials += other.trials;
        self.sum += other.sum;
        self.squares += other.squares;
    }

    /// Mean and standard deviation (n − 1 in the denominator; 0 for one trial); `None` without trials.
    pub fn moments(&self) -> Option<(f64, f64)> {
        if self.trials == 0 {
            return None;
        }
        let (size, std_dev) = moments(self.trials, self.sum.unsigned_abs(), self.squares);
        Some((if self.sum < 0 { -size } else { size }, std_dev))
    }
}

impl From<&Histogram> for Sums {
    fn from(histogram: &Histogram) -> Self {
        let mut sums = Self::default();
        histogram.iter().for_each(|(value, count)| sums.add(i64::from(value), count));
        sums
    }
}

impl From<&Differences> for Sums {
    fn from(differences: &Differences) -> Self {
        let mut sums = Self::default();
        differences.iter().for_each(|(value, count)| sums.add(value, count));
        sums
    }
}
