//! Flat code on 32-bit numbers: an expression as steps on a stack, run for all lanes at once.

use stopwise_engine::lanes::LaneView;
use stopwise_engine::lanes::simd::{Job, Numbers, Vector};

use crate::expression::check::{Checked, Instruction};
use crate::expression::parse::Operation;

/// The deepest stack of flat code.
pub(super) const STACK: usize = 12;

/// A step of flat code on a stack. No step is skipped: both sides of every operator are computed, and neither can fail.
#[derive(Clone, Copy, Debug)]
pub(super) enum Op {
    Push(i32),
    Feature(usize),
    Negate,
    Not,
    Binary(Operation),
    Choose,
}

/// Appends the steps of an expression. Returns the depth of the stack that they need.
///
/// # Errors
///
/// If its numbers do not fit 32 bits.
pub(super) fn emit(checked: &Checked, ops: &mut Vec<Op>) -> Result<usize, String> {
    let beyond = || String::from("its numbers do not fit 32 bits");
    i32::try_from(checked.low).and(i32::try_from(checked.high)).map_err(|_| beyond())?;
    Ok(match &checked.step {
        Instruction::Constant(constant) => {
            ops.push(Op::Push(i32::try_from(*constant).map_err(|_| beyond())?));
            1
        }
        Instruction::Feature(feature) => {
            ops.push(Op::Feature(*feature));
            1
        }
        Instruction::Negate(inner) => {
            let depth = emit(inner, ops)?;
            ops.push(Op::Negate);
            depth
        }
        Instruction::Not(inner) => {
            let depth = emit(inner, ops)?;
            ops.push(Op::Not);
            depth
        }
        Instruction::Binary(operator, ..) if operator.is_associative() => {
            let row = checked.row(*operator);
            let mut depth = emit(row[0], ops)?;
            for operand in &row[1..] {
                depth = depth.max(1 + emit(operand, ops)?);
                ops.push(Op::Binary(*operator));
            }
            depth
        }
        Instruction::Binary(operator, left, right) => {
            let depth = emit(left, ops)?.max(1 + emit(right, ops)?);
            ops.push(Op::Binary(*operator));
            depth
        }
        Instruction::Choose(condition, yes, no) => {
            let depth = emit(condition, ops)?.max(1 + emit(yes, ops)?).max(2 + emit(no, ops)?);
            ops.push(Op::Choose);
            depth
        }
    })
}

/// A job that runs flat code for the games on the lanes.
pub(super) struct Code<'c, L> {
    pub(super) ops: &'c [Op],
    pub(super) view: L,
}

impl<S: Vector, L: LaneView<S>> Job<S> for Code<'_, L> {
    /// 1 for yes, 0 for no.
    type Output = S::Numbers;

    #[inline(always)]
    fn run(self, simd: S) -> S::Numbers {
        let truths = run::<S, L>(simd, self.ops, &self.view);
        let mut lanes = S::Numbers::ZEROS;
        for (lane, &truth) in truths.as_ref()[..S::LANES].iter().enumerate() {
            lanes.set(lane, u16::from(truth != 0));
        }
        lanes
    }
}

/// The values of flat code, for every lane.
#[inline(always)]
fn run<S: Vector, L: LaneView<S>>(simd: S, ops: &[Op], view: &L) -> S::Column {
    let mut stack = [S::ZEROS; STACK];
    let mut depth = 0;
    for op in ops {
        match op {
            Op::Push(constant) => {
                stack[depth % STACK].as_mut().fill(*constant);
                depth += 1;
            }
            Op::Feature(feature) => {
                stack[depth % STACK] = view.feature(simd, *feature);
                depth += 1;
            }
            Op::Negate => {
                let top = stack[(depth - 1) % STACK].as_mut();
                for value in &mut top[..S::LANES] {
                    *value = value.wrapping_neg();
                }
            }
            Op::Not => {
                let top = stack[(depth - 1) % STACK].as_mut();
                for value in &mut top[..S::LANES] {
                    *value = 1 - (*value & 1);
                }
            }
            Op::Binary(operator) => {
                depth -= 1;
                let right = stack[depth % STACK];
                binary::<S>(*operator, &mut stack[(depth - 1) % STACK], &right);
            }
            Op::Choose => {
                depth -= 2;
                let (yes, no) = (stack[depth % STACK], stack[(depth + 1) % STACK]);
                let (yes, no) = (&yes.as_ref()[..S::LANES], &no.as_ref()[..S::LANES]);
                let top = &mut stack[(depth - 1) % STACK].as_mut()[..S::LANES];
                for lane in 0..S::LANES {
                    top[lane] = if top[lane] != 0 { yes[lane] } else { no[lane] };
                }
            }
        }
    }
    stack[0]
}

/// Applies an operator to two columns and stores the result in the first. Lanes that are not asked may hold anything,
/// even a divisor of 0.
#[inline(always)]
fn binary<S: Vector>(operator: Operation, left: &mut S::Column, right: &S::Column) {
    let (left, right) = (&mut left.as_mut()[..S::LANES], &right.as_ref()[..S::LANES]);
    macro_rules! each {
        (|$left:ident, $right:ident| $result:expr) => {
            for lane in 0..S::LANES {
                let ($left, $right) = (left[lane], right[lane]);
                left[lane] = $result;
            }
        };
    }
    match operator {
        Operation::Or => each!(|l, r| l | r),
        Operation::And => each!(|l, r| l & r),
        Operation::Equal => each!(|l, r| i32::from(l == r)),
        Operation::Unequal => each!(|l, r| i32::from(l != r)),
        Operation::Less => each!(|l, r| i32::from(l < r)),
        Operation::AtMost => each!(|l, r| i32::from(l <= r)),
        Operation::More => each!(|l, r| i32::from(l > r)),
        Operation::AtLeast => each!(|l, r| i32::from(l >= r)),
        Operation::Add => each!(|l, r| l.wrapping_add(r)),
        Operation::Subtract => each!(|l, r| l.wrapping_sub(r)),
        Operation::Multiply => each!(|l, r| l.wrapping_mul(r)),
        Operation::Divide => each!(|l, r| if r == 0 { 0 } else { l.wrapping_div(r) }),
        Operation::Remainder => each!(|l, r| if r == 0 { 0 } else { l.wrapping_rem(r) }),
        Operation::Min => each!(|l, r| l.min(r)),
        Operation::Max => each!(|l, r| l.max(r)),
    }
}
