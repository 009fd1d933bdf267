//! Expressions for a number, compiled for the trial.

use stopwise_engine::vocabulary::Feature;

use super::check::Checked;
use super::flat::{Op, STACK, emit, run};

/// A compiled expression for a number.
#[derive(Clone, Debug)]
pub(crate) struct Quantity(Box<[Op]>);

impl Quantity {
    /// Compiles a checked expression.
    pub(crate) fn compile(checked: &Checked, features: &[Feature]) -> Self {
        let mut ops = Vec::new();
        emit(checked, features, &mut ops);
        Self(ops.into_boxed_slice())
    }

    /// The number, times its denominator, where features have these values.
    #[inline]
    pub(crate) fn of(&self, value: impl Fn(usize) -> i64) -> i64 {
        match self.0.as_ref() {
            [Op::Feature(feature)] => value(*feature),
            ops => run::<STACK>(ops, value),
        }
    }
}
