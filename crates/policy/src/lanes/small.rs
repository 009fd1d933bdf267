//! Flat code on 16-bit numbers. It takes about half the time of 32-bit numbers, and suffices for most conditions.
//!
//! It is used if no number is negative, nothing is divided, and in every comparison one side is known exactly: the
//! greatest 16-bit number then stands for all greater ones as well.

use stopwise_engine::lanes::LaneView;
use stopwise_engine::lanes::simd::{Job, Vector};

use super::code::{Op, STACK};
use crate::expression::check::{Checked, Instruction};
use crate::expression::parse::Operator;

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
                Operator::Or | Operator::And | Operator::Add | Operator::Multiply => true,
                Operator::Min | Operator::Max => true,
                Operator::Equal | Operator::Unequal | Operator::Less => is_exact(left) || is_exact(right),
                Operator::AtMost | Operator::More | Operator::AtLeast => is_exact(left) || is_exact(right),
                Operator::Subtract => is_exact(left) && is_exact(right),
                Operator::Divide | Operator::Remainder => false,
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
fn small_binary<S: Vector>(simd: S, operator: Operator, left: S::V, right: S::V) -> S::V {
    let one = simd.splat(1);
    match operator {
        Operator::Or => simd.or(left, right),
        Operator::And => simd.and(left, right),
        Operator::Equal => simd.zero_unless(simd.eq(left, right), one),
        Operator::Unequal => simd.sub(one, simd.zero_unless(simd.eq(left, right), one)),
        Operator::Less => simd.sub(one, simd.zero_unless(simd.at_least(left, right), one)),
        Operator::AtMost => simd.zero_unless(simd.at_least(right, left), one),
        Operator::More => simd.sub(one, simd.zero_unless(simd.at_least(right, left), one)),
        Operator::AtLeast => simd.zero_unless(simd.at_least(left, right), one),
        Operator::Add => simd.add_saturating(left, right),
        Operator::Subtract => simd.sub(left, right),
        Operator::Multiply => simd.mul_saturating(left, right),
        Operator::Min => simd.min(left, right),
        // a + b − min(a, b), of which the sum may wrap and the difference wraps back.
        Operator::Max => simd.sub(simd.add(left, right), simd.min(left, right)),
        Operator::Divide | Operator::Remainder => unreachable!("not for small numbers"),
    }
}
