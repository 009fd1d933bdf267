//! Expressions compiled for questions that take longer: flat code without tables.

use super::check::Checked;
use super::flat::{Op, SHORT, STACK, emit, run};

/// A compiled expression for a number, or for a yes or no: 1 or 0.
#[derive(Clone, Debug)]
pub(crate) struct Quantity(Box<[Op]>);

impl Quantity {
    /// Compiles a checked expression.
    pub(crate) fn compile(checked: &Checked) -> Self {
        let mut ops = Vec::new();
        emit(checked, None, &mut ops);
        Self(ops.into_boxed_slice())
    }

    /// The number, times its denominator, where features have these values.
    #[inline]
    pub(crate) fn of(&self, value: impl Fn(usize) -> i64) -> i64 {
        match self.0.as_ref() {
            [Op::Feature(feature)] => value(*feature),
            ops if ops.len() <= SHORT => run::<SHORT>(ops, value),
            ops => run::<STACK>(ops, value),
        }
    }
}
