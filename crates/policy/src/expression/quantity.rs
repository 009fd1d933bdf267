//! Expressions compiled for questions that take longer: flat code without tables.

use super::check::Checked;
use super::flat::Flat;

/// A compiled expression for a number, or for a yes or no: 1 or 0.
#[derive(Clone, Debug)]
pub(crate) struct Quantity(Flat);

impl Quantity {
    /// Compiles a checked expression.
    pub(crate) fn compile(checked: &Checked) -> Self {
        Self(Flat::new(checked, None))
    }

    /// The number, times its denominator, where features have these values.
    #[inline]
    pub(crate) fn of(&self, value: impl Fn(usize) -> i64) -> i64 {
        self.0.run(value)
    }
}
