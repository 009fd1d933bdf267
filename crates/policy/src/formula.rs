//! A policy's conditions and lists, for those who compile them themselves.

use stopwise_engine::game::Game;
use stopwise_engine::vocabulary::{Answering, Formula, List, Operation, Preference, Reads};

use crate::answer::Full;
use crate::draft::Order;
use crate::expression::check::{Checked, Instruction};
use crate::expression::columns::features_of;
use crate::expression::parse::Operator;
use crate::policy::TextPolicy;
use crate::preference::Holds;
use crate::words::Origin;

impl<G: Game> TextPolicy<G> {
    /// How it answers a kind of question.
    pub fn answering(&self, kind: usize) -> Answering {
        if self.worths.is_some() {
            return Answering::default();
        }
        let (mut formula, mut lists, mut reads) = (None, None, Some(Reads::default()));
        let found = reads.get_or_insert_default();
        match &self.answers[kind].full {
            Full::YesNo(_, checked) => {
                formula = Some(of_state(checked));
                features_of(checked, &mut found.features);
            }
            Full::Items(own) => {
                lists = Some(own.iter().map(list).collect());
                for list in own {
                    list.checked.iter().for_each(|checked| features_of(checked, &mut found.features));
                    match &list.order {
                        Order::Preferences(preferences) => found.predicates |= preferences.wanted(),
                        Order::Comparisons(comparisons) => comparisons.reads(found),
                    }
                }
            }
            Full::Number(_) => reads = None,
        }
        Answering { formula, lists, reads }
    }
}

fn list(list: &crate::draft::List) -> List {
    let entries = match &list.order {
        Order::Preferences(preferences) => preferences.entries().map(|entry| holds(&entry)).collect(),
        Order::Comparisons(comparisons) => comparisons.formulas().to_vec(),
    };
    List { when: list.checked.as_ref().map(of_state), entries }
}

/// An expression of the state.
fn of_state(checked: &Checked) -> Vec<Formula> {
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
            steps.push(Formula::Operation(operation(*operator)));
        }
        Instruction::Choose(condition, yes, no) => {
            emit(condition, origins, steps);
            emit(yes, origins, steps);
            emit(no, origins, steps);
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
