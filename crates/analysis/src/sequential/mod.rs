//! Sequential inference: confidence sequences, and elimination and grouping of arms by them.
//!
//! A 95 % interval for a fixed number of trials misses one time in twenty *at each look*. A run that looks repeatedly
//! and stops at a favourable result errs far more often. **Confidence sequences** contain the true value at all check
//! points simultaneously with probability 1 − α, for any number of check points and any reason to stop. They may be
//! intersected from check point to check point.
//!
//! | values | sequence | holds |
//! |---|---|---|
//! | 0 or 1 (wins, early ends) | [`share`] | exactly, from the first trial |
//! | better, equal, worse (pairs) | [`pairs`] | exactly, from the first trial |
//! | in a known range | [`Bounded`] | exactly, from the first trial |
//! | anything with a variance | [`asymptotic`] | asymptotically, after a burn-in |
//! | differences that are mostly 0 | [`guarded`] | asymptotically, after a burn-in |
//!
//! Everything is computed from exact sums at check points. A check point is a number of trials, and its sums must be
//! those of exactly the first trials: batches in the order in which they finish are not valid if their content
//! correlates with their duration. The width of the intervals is tuned for a number of trials; their validity does not
//! depend on it. Error rates of sequences and of intervals for fixed n were counted on simulated data: see the tables
//! beside `examples/sequences`.

mod asymptotic;
mod bounded;
mod edge;
mod pairs;
mod race;
mod share;
mod sums;

pub use asymptotic::{asymptotic, guarded, guarded_by};
pub use bounded::Bounded;
pub use pairs::{PairInterval, Pairs, pair_difference, pairs};
pub use race::{groups, in_race, unbeaten};
pub(crate) use share::{is_above, is_below};
pub use share::{share, share_of};
pub use sums::Sums;

use crate::estimate::Level;
use edge::edge;

/// The α of a sequence, and the number of trials for which it is tuned. Both are fixed before the first trial.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Design {
    alpha: f64,
    target: u64,
    /// See [`weight`].
    weight: f64,
}

impl Design {
    /// A sequence that ever misses the true value with probability `alpha` at most, and is narrowest around `target`
    /// trials.
    ///
    /// # Panics
    ///
    /// If `alpha` is not between 0 and 1 or `target` is 0.
    pub fn new(alpha: f64, target: u64) -> Self {
        assert!(alpha > 0.0 && alpha < 1.0, "alpha {alpha} is not between 0 and 1");
        assert!(target > 0, "the target is a number of trials, at least 1");
        Self { alpha, target, weight: weight(-2.0 * alpha.ln()) }
    }

    /// The design of each of several simultaneous sequences: by the union bound each gets an equal part of α, under any
    /// dependence.
    ///
    /// # Panics
    ///
    /// If there are none.
    #[must_use]
    pub fn among(self, sequences: usize) -> Self {
        Self::new(self.alpha / sequences as f64, self.target)
    }

    /// The confidence level: that of one sequence alone.
    pub fn level(self) -> Level {
        Level::new(self.alpha)
    }

    /// −ln α: the evidence, in nats, that rules out a value.
    fn nats(self) -> f64 {
        -self.alpha.ln()
    }

    /// The ratio of the target to the prior sample size of the mixture over alternatives: see [`weight`].
    fn weight(self) -> f64 {
        self.weight
    }
}

/// The ratio *w* of the target to the prior sample size of the mixture over alternatives for which a normal mixture is
/// narrowest at the target, given −2 ln α. Its squared half width is proportional to (w + 1) (ln(w + 1) − 2 ln α) / w,
/// which is least at w = ln(w + 1) − 2 ln α.
fn weight(nats: f64) -> f64 {
    // A contraction with slope 1 / (w + 1); the width is flat around its root, so that the last digits do not matter.
    let mut weight = nats.max(1e-3);
    for _ in 0..40 {
        let next = nats + weight.ln_1p();
        if next.to_bits() == weight.to_bits() {
            break;
        }
        weight = next;
    }
    weight
}
