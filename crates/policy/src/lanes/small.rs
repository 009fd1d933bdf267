//! Flat code on 16-bit numbers. It takes about half the time of 32-bit numbers, and suffices for most conditions.
//!
//! It is used if no number is negative, nothing is divided, and in every comparison one side is known exactly: the
//! greatest 16-bit number then stands for all greater ones as well.

use stopwise_engine::lanes::LaneView;
use stopwise_engine::lanes::simd::{Job, Vector};

use super::code::{Op, STACK};
use crate::expression::check::{Checked, Instruction};
use crate::expression::parse::Operation;

/// Whether 16-bit numbers suffice, the greatest of which stands for all greater ones as well. Sums, products and
/// choices of such numbers are such numbers; in a comparison one side must be known exactly.
pub(super) fn is_small(checked: &Checked) -> bool {
    let is_exact = |checked: &Checked| checked.high < u16::MAX.into();
    let is_fit = match &checked.step {
        Instruction::Constant(_) => is_exact(checked),
        Instruction::Feature(_) => true,
        Instruction::Negate(_) => false,
        Instruction::Not(inner) => is_small(inner),
        Instruction::Binary(operator, left, right) => {
            let is_fit = match operator {
                Operation::Or | Operation::And | Operation::Add | Operation::Multiply => true,
                Operation::Min | Operation::Max => true,
                Operation::Equal | Operation::Unequal | Operation::Less => is_exact(left) || is_exact(right),
                Operation::AtMost | Operation::More | Operation::AtLeast => is_exact(left) || is_exact(right),
                Operation::Subtract => is_exact(left) && is_exact(right),
                Operation::Divide | Operation::Remainder => false,
            };
            is_fit && is_small(left) && is_small(right)
        }
        Instruction::Choose(condition, yes, no) => is_small(condition) && is_small(yes) && is_small(no),
    };
    is_fit && checked.low >= 0
}

/// A job that runs flat code on [small](is_small) numbers for the games on the lanes.
pub(super) struct SmallCode<'c, L> {
    pub(super) ops: &'c [Op],
    pub(super) view: L,
}

impl<S: Vector, L: LaneView<S>> Job<S> for SmallCode<'_, L> {
    /// 1 for yes, 0 for no.
    type Output = S::V;

    #[inline(always)]
    fn run(self, simd: S) -> S::V {
        let one = simd.splat(1);
        // The top of the stack stays in a register; below the first number lies anything.
        let mut stack = [one; STACK];
        let mut top = one;
        let mut depth = 0;
        for op in self.ops {
            match op {
                Op::Push(constant) => {
                    stack[depth % STACK] = top;
                    top = simd.splat(u16::try_from(*constant).unwrap_or(u16::MAX));
                    depth += 1;
                }
                Op::Feature(feature) => {
                    stack[depth % STACK] = top;
                    top = self.view.small_feature(simd, *feature);
                    depth += 1;
                }
                Op::Negate => unreachable!("no small number is negative"),
                Op::Not => top = simd.sub(one, top),
                Op::Binary(operator) => {
                    depth -= 1;
                    top = small_binary(simd, *operator, stack[depth % STACK], top);
                }
                Op::Choose => {
                    depth -= 2;
                    let (condition, yes) = (stack[depth % STACK], stack[(depth + 1) % STACK]);
                    top = simd.select(simd.eq(condition, one), yes, top);
                }
            }
        }
        top
    }
}

/// Applies an operator to two small numbers.
#[inline(always)]
fn small_binary<S: Vector>(simd: S, operator: Operation, left: S::V, right: S::V) -> S::V {
    let one = simd.splat(1);
    match operator {
        Operation::Or => simd.or(left, right),
        Operation::And => simd.and(left, right),
        Operation::Equal => simd.zero_unless(simd.eq(left, right), one),
        Operation::Unequal => simd.sub(one, simd.zero_unless(simd.eq(left, right), one)),
        Operation::Less => simd.sub(one, simd.zero_unless(simd.at_least(left, right), one)),
        Operation::AtMost => simd.zero_unless(simd.at_least(right, left), one),
        Operation::More => simd.sub(one, simd.zero_unless(simd.at_least(right, left), one)),
        Operation::AtLeast => simd.zero_unless(simd.at_least(left, right), one),
        Operation::Add => simd.add_saturating(left, right),
        Operation::Subtract => simd.sub(left, right),
        Operation::Multiply => simd.mul_saturating(left, right),
        Operation::Min => simd.min(left, right),
        // a + b − min(a, b), of which the sum may wrap and the difference wraps back.
        Operation::Max => simd.sub(simd.add(left, right), simd.min(left, right)),
        Operation::Divide | Operation::Remainder => unreachable!("not for small numbers"),
    }
}
