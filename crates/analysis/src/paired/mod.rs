//! Two arms on the same trials: what one has more than the other, and how sure that is.
//!
//! Everything is read from a [`PairedTally`](stopwise_engine::paired::PairedTally). A difference is A − B, of the first
//! policies, in the same trial; its standard error is that of the differences themselves, so that what the common dice do
//! to both is not in it. All intervals are 95 % intervals, each by itself; [`Stopping`] says whether for a number of
//! trials fixed beforehand, or for every moment at once.

mod quantiles;
mod shares;
mod stopping;
mod until;

pub use quantiles::{QuantileDifference, quantile_differences};
pub use shares::{BinDifference, bin_differences, early_difference, newcombe, newcombe_at};
pub use stopping::{BURN_IN, Means, Rule, SAME_AFTER, Stopping, check_points, is_same};
pub use until::{ALPHA, Comparison, Ended, TARGET, compare};

use stopwise_engine::game::Better;
use stopwise_engine::paired::Differences;
use stopwise_engine::tally::Histogram;

use crate::estimate::{Estimate, Interval, Level, Method, Z95, moments};

/// The mean difference of a metric in a number of trials.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeanDifference {
    /// How many trials.
    pub trials: u64,
    /// The mean of A − B: an exact integer, divided once.
    pub value: f64,
    /// The paired standard error: the standard deviation of the differences over the root of the trials. One trial
    /// says nothing about it.
    pub std_error: Option<f64>,
}

impl MeanDifference {
    /// Sums up differences; `None` if there are none.
    pub fn of(differences: &Differences) -> Option<Self> {
        let trials = differences.total();
        if trials == 0 {
            return None;
        }
        let (more, less, squares) = differences.sums();
        let size = more.abs_diff(less);
        let (mean, std_dev) = moments(trials, size, squares);
        let value = if more >= less { mean } else { -mean };
        let std_error = (trials > 1).then(|| std_dev / (trials as f64).sqrt());
        Some(Self { trials, value, std_error })
    }

    /// The mean with its 95 % interval for a number of trials fixed beforehand (normal approximation). It must not be used
    /// to decide when to stop.
    pub fn fixed(&self) -> Estimate {
        self.with_quantile(Z95, Level::SINGLE)
    }

    /// [`MeanDifference::fixed`] at any level.
    pub fn fixed_at(&self, level: Level) -> Estimate {
        self.with_quantile(level.z(), level)
    }

    fn with_quantile(&self, z: f64, level: Level) -> Estimate {
        let interval = self.std_error.map(|error| {
            let half = z * error;
            Interval { low: self.value - half, high: self.value + half }
        });
        Estimate { value: self.value, interval, method: Method::Paired, level }
    }
}

/// In how many trials A did better than B, equally well, and worse.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WinTieLoss {
    /// A did better.
    pub a_better: u64,
    /// Both did equally well.
    pub equal: u64,
    /// B did better.
    pub b_better: u64,
}

impl WinTieLoss {
    /// Counts in the sense of a metric.
    pub fn of(differences: &Differences, better: Better) -> Self {
        let (more, equal, less) = (differences.more(), differences.equal(), differences.less());
        let (a_better, b_better) = match better {
            Better::Higher => (more, less),
            Better::Lower => (less, more),
        };
        Self { a_better, equal, b_better }
    }
}

/// What pairing bought: (Var A + Var B) / Var(A − B), how many times as many trials independent runs would need for the
/// same standard error. Below 1 where the same dice set the two apart. `None` where the difference never varied, or in
/// fewer than two trials.
pub fn variance_ratio(differences: &Differences, a: &Histogram, b: &Histogram) -> Option<f64> {
    let trials = differences.total();
    let variance = |sum, squares| moments(trials, sum, squares).1.powi(2);
    let (more, less, squares) = differences.sums();
    let paired = variance(more.abs_diff(less), squares);
    let [a, b] = [a, b].map(|histogram| {
        let (sum, squares) = histogram.sums();
        variance(sum, squares)
    });
    (paired > 0.0).then(|| (a + b) / paired)
}
