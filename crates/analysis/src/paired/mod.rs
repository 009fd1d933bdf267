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

pub(crate) use quantiles::anytime_ends;
pub use quantiles::{QuantileDifference, SHARES, quantile_differences};
pub use shares::{
    BinDifference, Known, bin_differences, difference_of_shares, early_difference, share_difference,
};
pub use stopping::{BURN_IN, Means, Rule, SAME_AFTER, Stopping, check_points, is_same};
pub use until::{ALPHA, Comparison, Ended, TARGET, compare};

use stopwise_engine::game::Better;
use stopwise_engine::paired::Differences;
use stopwise_engine::tally::Histogram;

use crate::estimate::{Estimate, Level, Method, moments};
use crate::mean;

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
    /// The greater of the standard deviations of the two arms, or 0: about as large a difference may be that did not occur.
    pub spread: f64,
}

impl MeanDifference {
    /// Summarises differences; `None` if there are none. `std_dev` is the greater of the standard deviations of the two
    /// arms, or 0.
    pub fn of(differences: &Differences, std_dev: f64) -> Option<Self> {
        let trials = differences.total();
        if trials == 0 {
            return None;
        }
        let (more, less, squares) = differences.sums();
        let size = more.abs_diff(less);
        let spread = std_dev;
        let (mean, std_dev) = moments(trials, size, squares);
        let value = if more >= less { mean } else { -mean };
        let std_error = (trials > 1).then(|| std_dev / (trials as f64).sqrt());
        Some(Self { trials, value, std_error, spread })
    }

    /// The mean with its interval at a level, for a number of trials fixed beforehand (Student's t, guarded against
    /// differences that did not occur). Of a metric that is 0 or 1 it is a difference of shares
    /// ([`difference_of_shares`]). It must not be used to decide when to stop.
    pub fn fixed(&self, level: Level) -> Estimate {
        let std_dev = self.std_error.unwrap_or_default() * (self.trials as f64).sqrt();
        let reach = mean::reach(std_dev, self.trials, mean::scale(self.spread), level);
        Estimate::around(self.value, reach, Method::Paired, level)
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
