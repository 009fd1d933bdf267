//! Questions: conditions of policies for all games at once; anything else is asked game by game.

use stopwise_engine::vocabulary::{Formula, Operation};

use super::build::{Builder, Obstacle};
use super::instr::{Instr, Order, Width};
use super::local::Value;
use super::stops::Ask;
use crate::op::{Bin, Form};

/// The legal actions of a question of yes and no.
const BOTH: i64 = 0b11;

impl Builder<'_> {
    pub(super) fn ask(
        &mut self,
        site: u32,
        kind: usize,
        seat: Value,
        actions: Value,
    ) -> Result<(), Obstacle> {
        let question = &self.program.kinds[kind];
        let most = i64::from(question.actions.max(2)) - 1;
        if let Value::Known(actions) = actions {
            if actions.count_ones() == 1 {
                let only = i64::from(actions.trailing_zeros());
                self.answer(site, (0, most), Value::Known(only));
                return Ok(());
            }
            if actions == BOTH
                && question.form == Form::YesNo
                && let Some(yes) = self.yes(site, kind, seat)?
            {
                self.answer(site, (0, 1), yes);
                if let Some(given) = self.gives(site, 0, (0, 1)) {
                    self.emit(Instr::Answer(given));
                }
                return Ok(());
            }
        }
        let given = self.gives(site, 0, (0, most));
        let seat = match seat {
            Value::Known(seat) => Ok(usize::try_from(seat).unwrap_or(0)),
            seat => Err(self.at(seat, Width::Short)),
        };
        let actions = match actions {
            Value::Known(actions) => Ok(actions.cast_unsigned()),
            actions => Err(self.at(actions, Width::Long)),
        };
        given.iter().for_each(|column| self.protect(*column));
        self.emit(Instr::Ask(self.asks.len(), actions.err(), seat.err()));
        let (seat, actions) = (seat.unwrap_or(0), actions.unwrap_or(0));
        let reads = self.read_for(site, kind);
        self.asks.push(Ask { site, kind, seat, actions, given, reads });
        Ok(())
    }

    fn answer(&mut self, site: u32, range: (i64, i64), answer: Value) {
        if let Some(column) = self.gives(site, 0, range) {
            self.put(column, answer);
        }
    }

    /// Yes or no by the policy of whoever is asked, if all conditions can be calculated.
    fn yes(&mut self, site: u32, kind: usize, seat: Value) -> Result<Option<Value>, Obstacle> {
        let asked: Vec<usize> = match seat {
            Value::Known(seat) => vec![usize::try_from(seat).unwrap_or(0)],
            _ => (0..self.program.seats).collect(),
        };
        let mut known: Vec<(&[Formula], Value)> = Vec::new();
        let mut answer: Option<Value> = None;
        for own in asked {
            let Some(formula) = &self.players[own % self.players.len()][kind].formula else {
                return Ok(None);
            };
            let same = known.iter().find(|(other, _)| *other == formula.as_slice()).map(|(_, value)| *value);
            let value = match same {
                Some(value) => value,
                None => {
                    let Some(value) = self.formula(site, formula)? else { return Ok(None) };
                    known.push((formula, value));
                    value
                }
            };
            answer = Some(match answer {
                Some(answer) if answer == value => answer,
                Some(answer) => {
                    let is_own = i64::try_from(own).unwrap_or(0);
                    let is_own = self.compare(Order::Equal, seat, Value::Known(is_own));
                    self.select(is_own, value, answer)
                }
                None => value,
            });
        }
        Ok(answer)
    }

    fn formula(&mut self, site: u32, steps: &[Formula]) -> Result<Option<Value>, Obstacle> {
        let readings: Vec<usize> = crate::words::of_state(self.program).collect();
        let mut stack: Vec<Value> = Vec::new();
        for step in steps {
            let mut pop = || stack.pop().unwrap_or(Value::Known(0));
            let value = match step {
                Formula::Number(number) => Value::Known(*number),
                Formula::Feature(index) => {
                    let Some(reading) = readings.get(*index).map(|at| &self.program.readings[*at]) else {
                        return Ok(None);
                    };
                    if reading.ahead.iter().any(|(own, _)| *own == site) {
                        return Ok(None);
                    }
                    match reading.at.iter().find(|(own, _)| *own == site) {
                        Some((_, at)) => match self.reading(*at as usize)? {
                            Some(value) => value,
                            None => return Ok(None),
                        },
                        None => Value::Known(reading.low.max(0).min(reading.high)),
                    }
                }
                Formula::Negate => {
                    let a = pop();
                    self.bin(Bin::Sub, Value::Known(0), a)
                }
                Formula::Not => {
                    let a = pop();
                    self.compare(Order::Equal, a, Value::Known(0))
                }
                Formula::Operation(operation) => {
                    let (b, a) = (pop(), pop());
                    self.operation(*operation, a, b)
                }
                Formula::Choose => {
                    let (no, yes, condition) = (pop(), pop(), pop());
                    self.select(condition, yes, no)
                }
            };
            stack.push(value);
        }
        Ok(stack.pop())
    }

    fn operation(&mut self, operation: Operation, a: Value, b: Value) -> Value {
        let order = match operation {
            Operation::Or => return self.bin(Bin::Or, a, b),
            Operation::And => return self.bin(Bin::And, a, b),
            Operation::Add => return self.bin(Bin::Add, a, b),
            Operation::Subtract => return self.bin(Bin::Sub, a, b),
            Operation::Multiply => return self.bin(Bin::Mul, a, b),
            Operation::Divide => return self.bin(Bin::Div, a, b),
            Operation::Remainder => return self.bin(Bin::Rem, a, b),
            Operation::Min => return self.bin(Bin::Min, a, b),
            Operation::Max => return self.bin(Bin::Max, a, b),
            Operation::Equal => Order::Equal,
            Operation::Unequal => Order::Unequal,
            Operation::Less => Order::Less,
            Operation::AtMost => Order::AtMost,
            Operation::More => Order::More,
            Operation::AtLeast => Order::AtLeast,
        };
        self.compare(order, a, b)
    }
}
