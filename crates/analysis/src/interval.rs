//! Intervals.

/// A closed interval; one or both limits may be infinite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The lower limit.
    pub low: f64,
    /// The upper limit.
    pub high: f64,
}

impl Interval {
    /// All real numbers: the interval of an unknown value.
    pub const UNBOUNDED: Self = Self { low: f64::NEG_INFINITY, high: f64::INFINITY };

    /// The interval if both limits are finite.
    pub fn bounded(self) -> Option<Self> {
        (self.low.is_finite() && self.high.is_finite()).then_some(self)
    }

    /// Half of its width.
    pub fn half_width(self) -> f64 {
        unsigned_zero((self.high - self.low) / 2.0)
    }

    /// The interval of the value plus a constant.
    #[must_use]
    pub fn plus(self, constant: f64) -> Self {
        Self { low: self.low + constant, high: self.high + constant }
    }

    /// The interval of the value times a factor above 0.
    #[must_use]
    pub fn times(self, factor: f64) -> Self {
        Self { low: self.low * factor, high: self.high * factor }
    }

    /// The interval of the value with the opposite sign.
    #[must_use]
    pub fn negated(self) -> Self {
        // Subtraction, where a negation would make −0 of 0.
        Self { low: 0.0 - self.high, high: 0.0 - self.low }
    }
}

/// The value, with 0 in place of −0, which would be printed with its sign.
pub fn unsigned_zero(value: f64) -> f64 {
    value + 0.0
}
