//! Expressions as formulas, for those who compile them themselves.

use stopwise_engine::vocabulary::{Formula, Operation, Preference};

use crate::expression::check::{Checked, Instruction};
use crate::preference::Holds;
use crate::words::Origin;

/// An expression of the state.
pub(crate) fn of_state(checked: &Checked) -> Vec<Formula> {
    of_candidate(checked, &[])
}

/// An expression of a candidate and the state, whose words come from `origins` and then from the state.
pub(crate) fn of_candidate(checked: &Checked, origins: &[Origin]) -> Vec<Formula> {
    let mut steps = Vec::new();
    emit(checked, origins, &mut steps);
    steps
}

/// Predicates of a candidate, joined.
pub(crate) fn holds(entry: &Holds) -> Preference {
    let mut steps = Vec::new();
    join(entry, &mut steps);
    Preference::Where(steps)
}

fn join(entry: &Holds, steps: &mut Vec<Formula>) {
    let (left, right, operation) = match entry {
        Holds::Is(index) => return steps.push(Formula::Predicate(*index)),
        Holds::Not(inner) => {
            join(inner, steps);
            return steps.push(Formula::Not);
        }
        Holds::Both(left, right) => (left, right, Operation::And),
        Holds::Either(left, right) => (left, right, Operation::Or),
    };
    join(left, steps);
    join(right, steps);
    steps.push(Formula::Operation(operation));
}

fn emit(checked: &Checked, origins: &[Origin], steps: &mut Vec<Formula>) {
    match &checked.step {
        Instruction::Constant(number) => steps.push(Formula::Number(*number)),
        Instruction::Feature(word) => steps.push(match origins.get(*word) {
            Some(Origin::Predicate(index)) => Formula::Predicate(*index),
            Some(Origin::Number(index)) => Formula::OfCandidate(*index),
            None => Formula::Feature(*word - origins.len()),
        }),
        Instruction::Negate(inner) => {
            emit(inner, origins, steps);
            steps.push(Formula::Negate);
        }
        Instruction::Not(inner) => {
            emit(inner, origins, steps);
            steps.push(Formula::Not);
        }
        Instruction::Binary(operator, left, right) => {
            emit(left, origins, steps);
            emit(right, origins, steps);
            steps.push(Formula::Operation(*operator));
        }
        Instruction::Choose(condition, yes, no) => {
            emit(condition, origins, steps);
            emit(yes, origins, steps);
            emit(no, origins, steps);
            steps.push(Formula::Choose);
        }
    }
}
