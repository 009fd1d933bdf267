//! Flat code for the trial: an expression as steps on a stack, in which tables replace parts of it.

use stopwise_engine::vocabulary::Feature;

use super::check::{Checked, Instruction, Kind};
use super::columns::apply;
use super::parse::Operation;
use super::table::AnswerTable;

/// The deepest stack; the parser's limit on nesting keeps below it.
const STACK: usize = 64;
/// The stack for most conditions: clearing the deepest takes as long as a short condition.
const SHORT: usize = 8;

/// An expression as flat code.
#[derive(Clone, Debug)]
pub(crate) struct Flat {
    ops: Box<[Op]>,
    is_deep: bool,
}

impl Flat {
    /// Of a checked expression; with the ranges of features, parts that read few of small range become tables.
    pub(super) fn new(checked: &Checked, features: Option<&[Feature]>) -> Self {
        let mut ops = Vec::new();
        emit(checked, features, &mut ops);
        let mut depth = 0;
        let depths = ops.iter().map(|op| {
            match op {
                Op::Push(_) | Op::Feature(_) | Op::AnswerTable(_) => depth += 1,
                // What follows a skip is another way to what came before it.
                Op::Binary(_)
                | Op::SkipIfFalse(_)
                | Op::SkipIfTrue(_)
                | Op::BranchIfFalse(_)
                | Op::Skip(_) => depth -= 1,
                Op::Negate | Op::Not | Op::With(..) => {}
            }
            depth
        });
        let is_deep = depths.max().is_some_and(|most| most > SHORT);
        Self { ops: ops.into(), is_deep }
    }

    /// What it comes to, given the value of each feature.
    #[inline(always)]
    pub(super) fn run(&self, value: impl Fn(usize) -> i64) -> i64 {
        match &*self.ops {
            [Op::Feature(feature)] => value(*feature),
            ops if self.is_deep => run::<STACK>(ops, value),
            ops => run::<SHORT>(ops, value),
        }
    }
}

/// One step of flat code on a stack.
#[derive(Clone, Debug)]
enum Op {
    Push(i64),
    Feature(usize),
    AnswerTable(AnswerTable),
    Negate,
    Not,
    /// An operator on the two values on top.
    Binary(Operation),
    /// An operator on the top and a constant or a feature: most have one, which so takes no steps of its own.
    With(Operation, Leaf),
    /// If the top is false, skips this number of steps and leaves it; otherwise drops it.
    SkipIfFalse(usize),
    /// If the top is true, skips this number of steps and leaves it; otherwise drops it.
    SkipIfTrue(usize),
    /// Drops the top; if it was false, skips this number of steps.
    BranchIfFalse(usize),
    Skip(usize),
}

/// A value that is at hand without a step.
#[derive(Clone, Copy, Debug)]
enum Leaf {
    Constant(i64),
    Feature(usize),
}

/// Appends the steps of an expression.
#[inline]
fn emit(checked: &Checked, features: Option<&[Feature]>, ops: &mut Vec<Op>) {
    let is_bare = matches!(checked.step, Instruction::Constant(_) | Instruction::Feature(_));
    if !is_bare
        && checked.kind == Kind::Truth
        && let Some(features) = features
        && let Some(table) = AnswerTable::compile(checked, features)
    {
        ops.push(Op::AnswerTable(table));
        return;
    }
    match &checked.step {
        Instruction::Constant(constant) => ops.push(Op::Push(*constant)),
        Instruction::Feature(feature) => ops.push(Op::Feature(*feature)),
        Instruction::Negate(inner) => {
            emit(inner, features, ops);
            ops.push(Op::Negate);
        }
        Instruction::Not(inner) => {
            emit(inner, features, ops);
            ops.push(Op::Not);
        }
        Instruction::Binary(operator @ (Operation::And | Operation::Or), left, right) => {
            emit(left, features, ops);
            let skip = ops.len();
            ops.push(Op::Skip(0));
            emit(right, features, ops);
            let steps = ops.len() - skip - 1;
            ops[skip] =
                if *operator == Operation::And { Op::SkipIfFalse(steps) } else { Op::SkipIfTrue(steps) };
        }
        Instruction::Binary(operator, ..) if operator.is_associative() => {
            let row = checked.row(*operator);
            emit(row[0], features, ops);
            row[1..].iter().for_each(|operand| emit_with(*operator, operand, features, ops));
        }
        Instruction::Binary(operator, left, right) => {
            emit(left, features, ops);
            emit_with(*operator, right, features, ops);
        }
        Instruction::Choose(condition, yes, no) => {
            emit(condition, features, ops);
            let branch = ops.len();
            ops.push(Op::Skip(0));
            emit(yes, features, ops);
            let skip = ops.len();
            ops.push(Op::Skip(0));
            emit(no, features, ops);
            ops[branch] = Op::BranchIfFalse(skip - branch);
            ops[skip] = Op::Skip(ops.len() - skip - 1);
        }
    }
}

/// Appends an operator on the top and an operand.
fn emit_with(operator: Operation, operand: &Checked, features: Option<&[Feature]>, ops: &mut Vec<Op>) {
    match operand.step {
        Instruction::Constant(constant) => ops.push(Op::With(operator, Leaf::Constant(constant))),
        Instruction::Feature(feature) => ops.push(Op::With(operator, Leaf::Feature(feature))),
        _ => {
            emit(operand, features, ops);
            ops.push(Op::Binary(operator));
        }
    }
}

/// Runs flat code. The top of the stack is a separate variable, so that most steps touch little memory.
fn run<const STACK: usize>(ops: &[Op], value: impl Fn(usize) -> i64) -> i64 {
    let mut below = [0_i64; STACK];
    let mut depth = 0_usize;
    let mut top = 0;
    let mut at = 0;
    let push = |below: &mut [i64; STACK], depth: &mut usize, top: &mut i64, new: i64| {
        below[*depth % STACK] = *top;
        *depth += 1;
        *top = new;
    };
    while let Some(op) = ops.get(at) {
        at += 1;
        match op {
            Op::Push(constant) => push(&mut below, &mut depth, &mut top, *constant),
            Op::Feature(feature) => push(&mut below, &mut depth, &mut top, value(*feature)),
            Op::AnswerTable(table) => {
                push(&mut below, &mut depth, &mut top, i64::from(table.look_up(&value)))
            }
            Op::Negate => top = -top,
            Op::Not => top = 1 - top,
            Op::Binary(operator) => {
                depth -= 1;
                top = apply(*operator, below[depth % STACK], top);
            }
            Op::With(operator, leaf) => {
                let right = match leaf {
                    Leaf::Constant(constant) => *constant,
                    Leaf::Feature(feature) => value(*feature),
                };
                top = apply(*operator, top, right);
            }
            Op::SkipIfFalse(steps) | Op::SkipIfTrue(steps) => {
                if (top != 0) == matches!(op, Op::SkipIfTrue(_)) {
                    at += steps;
                } else {
                    depth -= 1;
                    top = below[depth % STACK];
                }
            }
            Op::BranchIfFalse(steps) => {
                if top == 0 {
                    at += steps;
                }
                depth -= 1;
                top = below[depth % STACK];
            }
            Op::Skip(steps) => at += steps,
        }
    }
    top
}
