//! Linear combinations of independent shares, with intervals by the method of variance estimates recovery (MOVER).

use crate::binomial::mean_share_limits;
use crate::estimate::{Estimate, Interval, Level, Method};

/// One of the independent parts of a [`combination`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Part {
    /// The factor of the part's share; any number.
    pub factor: f64,
    /// The sum of what each trial counts, from 0 to 1: of events their number.
    pub count: f64,
    /// Trials of the part.
    pub trials: u64,
}

/// The sum of factor · share over independent parts; `None` if a part has no trials.
///
/// The interval comes from the parts' exact limits by the method of variance estimates recovery (MOVER: Newcombe,
/// Stat. Med. 17, 1998, 873–890, method 10; Zou, Huang and Zhang, Comput. Stat. Data Anal. 53, 2009, 1080–1085): its
/// squared distance from the estimate, on either side, is the sum of the parts' squared distances. With a single part
/// it is the exact one. Parts with a share of 0 or 1 still add uncertainty.
pub fn combination(parts: &[Part]) -> Option<Estimate> {
    let level = Level::SINGLE;
    let sum = parts.iter().map(|part| Combined::of(part, level)).fold(Combined::default(), Combined::plus);
    let method = if parts.len() == 1 { Method::Exact } else { Method::Mover };
    sum.estimate(method, level)
}

/// What a linear combination of independent shares comes to. It is 0 by default.
///
/// Sums over independent parts add up, so that of many that have most of their parts in common each takes a few
/// additions.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Combined {
    /// Not a number if a part has no trials.
    value: f64,
    /// The squared distance of the lower limit.
    below: f64,
    /// The squared distance of the upper limit.
    above: f64,
}

impl Combined {
    /// A single part, with its limits at a level.
    pub(crate) fn of(part: &Part, level: Level) -> Self {
        let &Part { factor, count, trials } = part;
        Self::of_sum(factor, count, trials, level)
    }

    /// A part of which each trial counts some share.
    pub(crate) fn of_sum(factor: f64, sum: f64, trials: u64, level: Level) -> Self {
        if trials == 0 {
            return Self { value: f64::NAN, ..Self::default() };
        }
        let share = sum / trials as f64;
        let Interval { low, high } = mean_share_limits(sum, trials, level);
        let (down, up) = (factor * (share - low), factor * (high - share));
        let (down, up) = if factor < 0.0 { (up, down) } else { (down, up) };
        Self { value: factor * share, below: down * down, above: up * up }
    }

    /// With another one, which has no part in common with it.
    pub(crate) fn plus(self, other: Self) -> Self {
        Self {
            value: self.value + other.value,
            below: self.below + other.below,
            above: self.above + other.above,
        }
    }

    /// Without some of its parts.
    pub(crate) fn without(self, parts: Self) -> Self {
        Self {
            value: self.value - parts.value,
            below: (self.below - parts.below).max(0.0),
            above: (self.above - parts.above).max(0.0),
        }
    }

    /// So many times as much.
    pub(crate) fn times(self, factor: f64) -> Self {
        let (below, above) = if factor < 0.0 { (self.above, self.below) } else { (self.below, self.above) };
        let square = factor * factor;
        Self { value: factor * self.value, below: square * below, above: square * above }
    }

    /// With a constant.
    pub(crate) fn offset(self, constant: f64) -> Self {
        Self { value: self.value + constant, ..self }
    }

    /// The estimate; `None` if a part has no trials.
    pub(crate) fn estimate(self, method: Method, level: Level) -> Option<Estimate> {
        let Self { value, below, above } = self;
        let interval = Some(Interval { low: value - below.sqrt(), high: value + above.sqrt() });
        (!value.is_nan()).then_some(Estimate { value, interval, method, level })
    }
}
