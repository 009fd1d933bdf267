//! Evaluation of checked expressions: the features that they read, and their values for many states at once.

use super::check::{Checked, Instruction};
use super::parse::Operation;

/// Collects the features that an expression reads, each once.
pub(crate) fn features_of(checked: &Checked, used: &mut Vec<usize>) {
    match &checked.step {
        Instruction::Constant(_) => {}
        Instruction::Feature(feature) => {
            if !used.contains(feature) {
                used.push(*feature);
            }
        }
        Instruction::Negate(inner) | Instruction::Not(inner) => features_of(inner, used),
        Instruction::Binary(_, left, right) => {
            features_of(left, used);
            features_of(right, used);
        }
        Instruction::Choose(condition, yes, no) => {
            for part in [condition, yes, no] {
                features_of(part, used);
            }
        }
    }
}

/// The values of an expression in every row of a table with a column for every feature that it reads. Whole columns are
/// evaluated, and both sides of `&&`, `||` and `?` are computed: neither can fail.
#[inline]
pub(super) fn walk(checked: &Checked, columns: &[Vec<i64>], rows: usize) -> Vec<i64> {
    let column = |inner: &Checked| walk(inner, columns, rows);
    match &checked.step {
        Instruction::Constant(constant) => vec![*constant; rows],
        Instruction::Feature(feature) => columns[*feature].clone(),
        Instruction::Negate(inner) => column(inner).into_iter().map(|value| -value).collect(),
        Instruction::Not(inner) => column(inner).into_iter().map(|truth| 1 - truth).collect(),
        Instruction::Binary(operator, left, right) => {
            column(left).into_iter().zip(column(right)).map(|(l, r)| apply(*operator, l, r)).collect()
        }
        Instruction::Choose(condition, yes, no) => {
            let branches = column(yes).into_iter().zip(column(no));
            let chosen = column(condition).into_iter().zip(branches);
            chosen.map(|(condition, (yes, no))| if condition != 0 { yes } else { no }).collect()
        }
    }
}

/// Applies an operator to two values.
#[inline(always)]
pub(super) fn apply(operator: Operation, left: i64, right: i64) -> i64 {
    match operator {
        Operation::Or => left | right,
        Operation::And => left & right,
        Operation::Equal => i64::from(left == right),
        Operation::Unequal => i64::from(left != right),
        Operation::Less => i64::from(left < right),
        Operation::AtMost => i64::from(left <= right),
        Operation::More => i64::from(left > right),
        Operation::AtLeast => i64::from(left >= right),
        Operation::Add => left + right,
        Operation::Subtract => left - right,
        Operation::Multiply => left * right,
        Operation::Divide => left / right,
        Operation::Remainder => left % right,
        Operation::Min => left.min(right),
        Operation::Max => left.max(right),
    }
}
