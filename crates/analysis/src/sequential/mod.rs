//! The statistics of stopping: intervals that hold at every moment of a run at once, and rules that use them.
//!
//! A 95 % interval for a number of trials fixed beforehand is wrong one time in twenty *each time it is looked at*. Who
//! looks again and again, and stops when it says what was hoped for, is wrong far more often. The intervals here
//! are **confidence sequences**: with probability 1 − α they hold the truth at all check points together, however
//! many there are and whatever the reason to stop. They may be intersected from check point to check point.
//!
//! | values | sequence | holds |
//! |---|---|---|
//! | 0 or 1 (wins, early ends) | [`share`] | exactly, from the first trial |
//! | better, equal, worse (pairs) | [`pairs`] | exactly, from the first trial |
//! | in a known range | [`Bounded`] | exactly, from the first trial |
//! | anything with a variance | [`asymptotic`] | nearly, after a burn-in |
//! | differences that are mostly 0 | [`guarded`] | nearly, after a burn-in |
//!
//! Everything is computed from exact sums at check points. A check point is a number of trials, and what is summed up
//! there must be exactly the first so many: batches in the order in which they happened to be finished are not, if what
//! they hold has to do with how long they take. How wide the intervals are is tuned for a number of trials; that they
//! hold does not depend on it. How often they and the interval for fixed n are wrong was counted by drawing: the tables
//! beside `examples/sequences`.

mod asymptotic;
mod bounded;
mod gamma;
mod pairs;
mod race;
mod share;
mod sums;

pub use asymptotic::{asymptotic, guarded};
pub use bounded::Bounded;
pub use pairs::{PairInterval, Pairs, pairs};
pub use race::{groups, in_race, unbeaten};
pub use share::share;
pub use sums::Sums;

use crate::estimate::Level;

/// How often a sequence may be wrong, and for how many trials it is tuned. Both are fixed before the first trial.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Design {
    alpha: f64,
    target: u64,
}

impl Design {
    /// A sequence that misses the truth, ever, with probability `alpha` at most, and is narrow around `target` trials.
    ///
    /// # Panics
    ///
    /// If `alpha` is not between 0 and 1 or `target` is 0.
    pub fn new(alpha: f64, target: u64) -> Self {
        assert!(alpha > 0.0 && alpha < 1.0, "alpha {alpha} is not between 0 and 1");
        assert!(target > 0, "the target is a number of trials, at least 1");
        Self { alpha, target }
    }

    /// The same for each of several sequences that are to hold together: by the union bound each gets an equal part
    /// of α, whatever their dependence.
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

    /// −ln α: how unlikely, in nats, something must be to be ruled out.
    fn nats(self) -> f64 {
        -self.alpha.ln()
    }

    /// Trials at the target for each trial that the mixture over alternatives is worth beforehand: of all normal
    /// mixtures the one with this *w* is narrowest there. Its squared half width is proportional to
    /// (w + 1) (ln(w + 1) − 2 ln α) / w, least where w = ln(w + 1) − 2 ln α.
    fn weight(self) -> f64 {
        let nats = 2.0 * self.nats();
        // A contraction with slope 1 / (w + 1); the width is flat around its root, so that the last digits do not matter.
        (0..40).fold(nats.max(1e-3), |w: f64, _| nats + w.ln_1p())
    }
}

/// The point between `inside` and `outside`, on the side of `outside`, where `is_out` changes.
fn edge(mut inside: f64, mut outside: f64, is_out: impl Fn(f64) -> bool) -> f64 {
    // Enough for every bit of a number that is as little as 10⁻³⁰ of the distance.
    for _ in 0..160 {
        let middle = f64::midpoint(inside, outside);
        if middle == inside || middle == outside {
            break;
        }
        *(if is_out(middle) { &mut outside } else { &mut inside }) = middle;
    }
    outside
}
