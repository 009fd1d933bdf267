//! A policy's conditions, for those who compile them themselves.

use stopwise_engine::game::Game;
use stopwise_engine::vocabulary::{Formula, Operation};

use crate::answer::Full;
use crate::expression::check::{Checked, Instruction};
use crate::expression::parse::Operator;
use crate::policy::TextPolicy;

impl<G: Game> TextPolicy<G> {
    /// The condition for the answer yes to a kind of question; nothing if it is no question of yes and no.
    pub fn formula(&self, kind: usize) -> Option<Vec<Formula>> {
        let Full::YesNo(_, checked) = &self.answers[kind].full else { return None };
        let mut steps = Vec::new();
        emit(checked, &mut steps);
        Some(steps)
    }
}

fn emit(checked: &Checked, steps: &mut Vec<Formula>) {
    match &checked.step {
        Instruction::Constant(number) => steps.push(Formula::Number(*number)),
        Instruction::Feature(index) => steps.push(Formula::Feature(*index)),
        Instruction::Negate(inner) => {
            emit(inner, steps);
            steps.push(Formula::Negate);
        }
        Instruction::Not(inner) => {
            emit(inner, steps);
            steps.push(Formula::Not);
        }
        Instruction::Binary(operator, left, right) => {
            emit(left, steps);
            emit(right, steps);
            steps.push(Formula::Operation(operation(*operator)));
        }
        Instruction::Choose(condition, yes, no) => {
            emit(condition, steps);
            emit(yes, steps);
            emit(no, steps);
            steps.push(Formula::Choose);
        }
    }
}

fn operation(operator: Operator) -> Operation {
    match operator {
        Operator::Or => Operation::Or,
        Operator::And => Operation::And,
        Operator::Equal => Operation::Equal,
        Operator::Unequal => Operation::Unequal,
        Operator::Less => Operation::Less,
        Operator::AtMost => Operation::AtMost,
        Operator::More => Operation::More,
        Operator::AtLeast => Operation::AtLeast,
        Operator::Add => Operation::Add,
        Operator::Subtract => Operation::Subtract,
        Operator::Multiply => Operation::Multiply,
        Operator::Divide => Operation::Divide,
        Operator::Remainder => Operation::Remainder,
        Operator::Min => Operation::Min,
        Operator::Max => Operation::Max,
    }
}
