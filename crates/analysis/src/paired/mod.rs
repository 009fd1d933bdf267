//! Paired comparison of two arms on the same trials.
//!
//! Everything is computed from a [`PairedTally`](stopwise_engine::paired::PairedTally). A difference is A − B, of the
//! first policies, in the same trial. Its standard error is that of the differences, so effects of the dice that both
//! share cancel. Each interval is a 95 % interval by itself. [`Stopping`] says whether it holds for a number of trials
//! fixed beforehand, or at all check points simultaneously.

mod quantiles;
mod shares;
mod stopping;
mod until;

pub(crate) use quantiles::anytime_limits;
pub use quantiles::{QuantileDifference, SHARES, quantile_differences};
pub use shares::{BinDifference, Known, bin_differences, early_difference, newcombe, newcombe_at};
pub use stopping::{BURN_IN, Means, Rule, SAME_AFTER, Stopping, check_points, is_same};
pub use until::{ALPHA, Comparison, Ended, TARGET, compare};

use stopwise_engine::game::Better;
use stopwise_engine::paired::Differences;
use stopwise_engine::tally::Histogram;

use crate::estimate::{Estimate, Interval, Level, Method, Z95, moments};

/// The mean difference of a metric in a number of trials.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeanDifference {
    /// The number of trials.
    pub trials: u64,
    /// The mean of A − B: an exact integer, divided once.
    pub value: f64,
    /// The paired standard error: the standard deviation of the differences over the root of the trials. `None` after
    /// one trial.
    pub std_error: Option<f64>,
}

impl MeanDifference {
    /// Summarises differences; `None` if there are none.
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

    /// The mean with its 95 % interval for a number of trials fixed beforehand (normal approximation). It must not be
    /// used to decide when to stop.
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

/// The numbers of trials in which A did better than B, equally well, and worse.
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
    /// Counts the trials, with more or less of the metric as better.
    pub fn of(differences: &Differences, better: Better) -> Self {
        let (more, equal, less) = (differences.more(), differences.equal(), differences.less());
        let (a_better, b_better) = match better {
            Better::Higher => (more, less),
            Better::Lower => (less, more),
        };
        Self { a_better, equal, b_better }
    }
}

/// The variance of independent runs divided by that of paired ones, (Var A + Var B) / Var(A − B): the factor by which
/// independent runs would need more trials for the same standard error. It is below 1 if common dice correlate the two
/// negatively. `None` if the difference never varied, or there are fewer than two trials.
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
