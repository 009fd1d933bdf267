//! A policy's conditions, for those who compile them themselves.

use stopwise_engine::game::Game;
use stopwise_engine::vocabulary::{Answering, Formula, Operation, Reads};

use crate::answer::Full;
use crate::draft::Order;
use crate::expression::check::{Checked, Instruction};
use crate::expression::columns::features_of;
use crate::expression::parse::Operator;
use crate::policy::TextPolicy;

impl<G: Game> TextPolicy<G> {
    /// How it answers a kind of question.
    pub fn answering(&self, kind: usize) -> Answering {
        if self.worths.is_some() {
            return Answering { formula: None, reads: None };
        }
        let (mut formula, mut reads) = (None, Some(Reads::default()));
        let found = reads.get_or_insert_default();
        match &self.answers[kind].full {
            Full::YesNo(_, checked) => {
                emit(checked, formula.get_or_insert_default());
                features_of(checked, &mut found.features);
            }
            Full::Items(lists) => {
                for list in lists {
                    list.checked.iter().for_each(|checked| features_of(checked, &mut found.features));
                    match &list.order {
                        Order::Preferences(preferences) => found.predicates |= preferences.wanted(),
                        Order::Comparisons(comparisons) => comparisons.reads(found),
                    }
                }
            }
            Full::Number(_) => reads = None,
        }
        Answering { formula, reads }
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
