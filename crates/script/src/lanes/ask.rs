//! Questions: conditions and lists of policies for all games at once; anything else is asked game by game.

use stopwise_engine::vocabulary::{Answering, Formula, List, Operation, Preference, Reads};

use super::build::{Builder, Obstacle};
use super::cost::cost;
use super::instr::{Instr, Order, Question, Ref, Width};
use super::left::Left;
use super::local::Value;
use super::range::joined;
use super::stops::{Ask, READ};
use crate::op::{Bin, Form};
use crate::state::Place;

/// The instructions above which a question is asked game by game.
const MOST: usize = 4000;
/// What asking one game costs, in instructions for all.
const A_QUESTION: usize = 12;

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
        let given = self.gives(Left::Given(site, 0), (0, most));
        if self.policies.is_empty() {
            // What is found whoever plays.
            return Ok(());
        }
        if let Value::Known(actions) = actions
            && actions.count_ones() == 1
        {
            let only = i64::from(actions.trailing_zeros());
            given.iter().for_each(|column| self.put(*column, Value::Known(only)));
            self.answer = Some(Value::Known(only));
            return Ok(());
        }
        let form = question.form;
        let (first, known) = (self.out.len(), self.known.len());
        self.failing = Value::Known(0);
        let answered = self.attempt(MOST, |own| {
            let answer = match form {
                Form::YesNo => {
                    let yes = own.by_policy(kind, seat, |own, policy| match &policy.formula {
                        Some(formula) => own.formula(site, formula, None),
                        None => Ok(None),
                    })?;
                    yes.map(|yes| own.if_legal(actions, yes))
                }
                Form::Items => {
                    let legal = own.legal(actions, most);
                    own.by_policy(kind, seat, |own, policy| match &policy.lists {
                        Some(lists) => own.listed(site, kind, lists, &legal),
                        None => Ok(None),
                    })?
                }
                Form::Number => None,
            };
            let Some(answer) = answer else { return Ok(None) };
            let mut several = own.are_several(actions).unwrap_or(Value::Known(1));
            // Where a check of what is read fails, the game is asked alone, as in a trial.
            let (failing, holds) = (own.failing, own.compare(Order::Equal, own.failing, Value::Known(0)));
            several = own.bin(Bin::And, several, holds);
            let [several, failing] = [several, failing].map(|truth| match truth {
                Value::Known(_) => None,
                truth => Some(own.at(truth, Width::Byte)),
            });
            Ok(Some((answer, several, failing)))
        })?;
        // What is asked of few games is asked of them alone.
        let calculated = self.out.split_off(first);
        let few = cost(&calculated) / A_QUESTION;
        if answered.is_none() || few > 0 {
            self.known.truncate(known);
            let few = answered.map(|_| few);
            self.ask_each((site, kind, given), seat, actions, (few, None))?;
        }
        if let Some((answer, several, failing)) = answered {
            self.out.extend(calculated);
            if let Some(given) = given {
                self.put(given, answer);
                let answer = self.at(answer, given.width);
                self.emit(Instr::Answer(answer, several));
            }
            if few == 0 && failing.is_none() {
                self.answer = Some(answer);
            }
            if failing.is_some() {
                self.ask_each((site, kind, given), seat, actions, (None, failing))?;
            }
            if few > 0 {
                self.emit(Instr::Asked);
                self.known.truncate(known);
            }
        }
        Ok(())
    }

    /// A question that is asked game by game: of all games, of few, or of those with a truth.
    fn ask_each(
        &mut self,
        (site, kind, given): (u32, usize, Option<Ref>),
        seat: Value,
        actions: Value,
        (few, only): (Option<usize>, Option<Ref>),
    ) -> Result<(), Obstacle> {
        let seat = match seat {
            Value::Known(seat) => Ok(usize::try_from(seat).unwrap_or(0)),
            seat => Err(self.at(seat, Width::Byte)),
        };
        let actions = match actions {
            Value::Known(actions) => Ok(actions.cast_unsigned()),
            actions => Err(self.at(actions, Width::Long)),
        };
        self.failing = Value::Known(0);
        let conditions = self.attempt(MOST, |own| own.conditions(site, kind))?;
        let reads: Option<Vec<Reads>> = match conditions {
            Some(_) => {
                let lists = self.policies.iter().filter_map(|player| player[kind].lists.as_deref());
                Some(lists.map(entries).collect())
            }
            None => self.policies.iter().map(|player| player[kind].reads.clone()).collect(),
        };
        let reads = reads.and_then(|reads| side_by_side(self.variables(site, kind, &reads)?));
        let truths = conditions.filter(|_| reads.is_some()).unwrap_or_default().into();
        given.iter().for_each(|column| self.protect(*column));
        let question =
            Question { number: self.asks.len(), actions: actions.err(), seat: seat.err(), truths, few, only };
        self.emit(Instr::Ask(Box::new(question)));
        let (seat, actions) = (seat.unwrap_or(0), actions.unwrap_or(0));
        self.asks.push(Ask { site, kind, seat, actions, given, reads });
        Ok(())
    }

    /// The conditions under which the lists of the policies apply, if all can be calculated.
    fn conditions(&mut self, site: u32, kind: usize) -> Result<Option<Vec<Ref>>, Obstacle> {
        let mut truths = Vec::new();
        for player in self.policies {
            let Some(lists) = &player[kind].lists else { return Ok(None) };
            for when in lists.iter().filter_map(|list| list.when.as_ref()) {
                let Some(truth) = self.formula(site, when, None)? else { return Ok(None) };
                let truth = self.at(truth, Width::Byte);
                if !truths.contains(&truth) {
                    truths.push(truth);
                }
            }
        }
        let are_known = truths.len() <= 60 && self.failing == Value::Known(0);
        Ok(are_known.then_some(truths))
    }

    /// Whether each action is legal.
    fn legal(&mut self, actions: Value, most: i64) -> Vec<Value> {
        (0..=most).map(|action| self.is_legal(actions, action)).collect()
    }

    fn is_legal(&mut self, actions: Value, action: i64) -> Value {
        let legal = self.bin(Bin::And, actions, Value::Known(1 << action));
        self.compare(Order::Unequal, legal, Value::Known(0))
    }

    /// Yes, if that is legal and wanted, or if no is not legal.
    fn if_legal(&mut self, actions: Value, yes: Value) -> Value {
        let [no_is_legal, yes_is_legal] = [0, 1].map(|action| self.is_legal(actions, action));
        let is_forced = self.compare(Order::Equal, no_is_legal, Value::Known(0));
        let yes = self.bin(Bin::Or, yes, is_forced);
        self.bin(Bin::And, yes, yes_is_legal)
    }

    /// Whether several actions are legal, as they are if a game is asked; nothing if they always are.
    fn are_several(&mut self, actions: Value) -> Option<Value> {
        let Value::In(..) = actions else { return None };
        let others = self.bin(Bin::Sub, actions, Value::Known(1));
        let others = self.bin(Bin::And, actions, others);
        Some(self.compare(Order::Unequal, others, Value::Known(0)))
    }

    /// The answer by the policy of whoever is asked, if all can be calculated.
    fn by_policy(
        &mut self,
        kind: usize,
        seat: Value,
        mut answer_of: impl FnMut(&mut Self, &Answering) -> Result<Option<Value>, Obstacle>,
    ) -> Result<Option<Value>, Obstacle> {
        let (policies, who) = (self.policies, self.who(seat));
        let asked = match who {
            Value::Known(own) => own..own + 1,
            Value::In(..) => 0..i64::try_from(policies.len()).unwrap_or(0),
        };
        let mut known: Vec<(&Answering, Value)> = Vec::new();
        let mut answer: Option<Value> = None;
        for own in asked {
            let policy = &policies[Self::known_place(own, policies.len())][kind];
            let same = known.iter().find(|(other, _)| *other == policy).map(|(_, value)| *value);
            let value = match same {
                Some(value) => value,
                None => {
                    let Some(value) = answer_of(self, policy)? else { return Ok(None) };
                    known.push((policy, value));
                    value
                }
            };
            answer = Some(match answer {
                Some(answer) if answer == value => answer,
                Some(answer) => {
                    let is_own = self.compare(Order::Equal, who, Value::Known(own));
                    self.select(is_own, value, answer)
                }
                None => value,
            });
        }
        Ok(answer)
    }

    /// The candidate that the first list prefers which applies, or the first one if none does.
    fn listed(
        &mut self,
        site: u32,
        kind: usize,
        lists: &[List],
        legal: &[Value],
    ) -> Result<Option<Value>, Obstacle> {
        let mut answer = first(self, legal);
        for list in lists.iter().rev() {
            let Some(preferred) = self.preferred(site, kind, &list.entries, legal)? else { return Ok(None) };
            answer = match &list.when {
                Some(when) => {
                    let Some(applies) = self.formula(site, when, None)? else { return Ok(None) };
                    self.select(applies, preferred, answer)
                }
                None => preferred,
            };
        }
        Ok(Some(answer))
    }

    /// The first of the candidates that a list leaves.
    fn preferred(
        &mut self,
        site: u32,
        kind: usize,
        entries: &[Preference],
        legal: &[Value],
    ) -> Result<Option<Value>, Obstacle> {
        let mut left = legal.to_vec();
        for entry in entries {
            let (Preference::Where(steps) | Preference::Most(steps)) = entry;
            let mut values = Vec::new();
            for action in (0..).take(legal.len()) {
                match self.formula(site, steps, Some((kind, action)))? {
                    Some(value) if !self.is_spent() => values.push(value),
                    _ => return Ok(None),
                }
            }
            let is_kept = match entry {
                Preference::Where(_) => values,
                Preference::Most(_) => {
                    let range = values.iter().map(|value| value.range()).reduce(joined).unwrap_or((0, 0));
                    let none = Value::Known(range.0.saturating_sub(1));
                    let mut most = none;
                    for (value, is_left) in values.iter_mut().zip(&left) {
                        *value = self.select(*is_left, *value, none);
                        most = self.bin(Bin::Max, *value, most);
                    }
                    values.iter().map(|value| self.compare(Order::Equal, *value, most)).collect()
                }
            };
            let mut kept = Vec::new();
            let mut is_any = Value::Known(0);
            for (is_kept, is_left) in is_kept.into_iter().zip(&left) {
                let is_kept = self.bin(Bin::And, is_kept, *is_left);
                is_any = self.bin(Bin::Or, is_any, is_kept);
                kept.push(is_kept);
            }
            for (left, kept) in left.iter_mut().zip(kept) {
                *left = self.select(is_any, kept, *left);
            }
        }
        Ok(Some(first(self, &left)))
    }

    /// An expression of the state, and of a candidate of a kind of question.
    fn formula(
        &mut self,
        site: u32,
        steps: &[Formula],
        candidate: Option<(usize, i64)>,
    ) -> Result<Option<Value>, Obstacle> {
        let (program, words) = self.game.read();
        let (kind, action) = candidate.unwrap_or_default();
        let mut stack: Vec<Value> = Vec::new();
        for step in steps {
            let word = match step {
                Formula::Predicate(index) => words.predicate(*index, kind),
                Formula::OfCandidate(index) => words.number(*index),
                _ => None,
            };
            let reading = match step {
                Formula::Feature(index) => crate::words::of_state(program).nth(*index),
                _ => word.map(|word| word.reading),
            };
            let mut pop = || stack.pop().unwrap_or(Value::Known(0));
            let value = match step {
                Formula::Number(number) => Value::Known(*number),
                Formula::Feature(_) | Formula::Predicate(_) | Formula::OfCandidate(_) => {
                    let Some(value) = self.read(site, reading, action)? else { return Ok(None) };
                    match (step, word.and_then(|word| word.name)) {
                        (_, Some(name)) => self.compare(Order::Equal, value, Value::Known(name)),
                        (Formula::Predicate(_), None) => self.compare(Order::Unequal, value, Value::Known(0)),
                        _ => value,
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

    /// What a policy reads at a stop.
    fn read(&mut self, site: u32, reading: Option<usize>, action: i64) -> Result<Option<Value>, Obstacle> {
        let program = self.program;
        let Some(reading) = reading.map(|reading| &program.readings[reading]) else { return Ok(None) };
        if let Some((_, look)) = reading.ahead.iter().find(|(own, _)| *own == site) {
            return Ok(Some(self.looked(site, *look)));
        }
        match reading.at.iter().find(|(own, _)| *own == site) {
            Some((_, at)) => self.reading(*at as usize, action),
            None => Ok(Some(Value::Known(reading.low.max(0).min(reading.high)))),
        }
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

/// Variables with places side by side, if there is room for them.
fn side_by_side(variables: Vec<(Place, Ref)>) -> Option<Vec<(Place, Ref)>> {
    let (mut word, mut shift) = (0, 0);
    let moved = variables.into_iter().map(|(place, column)| {
        if shift + place.bits > 64 {
            (word, shift) = (word + 1, 0);
        }
        let moved = Place { word, shift, ..place };
        shift += place.bits;
        (usize::from(word) < READ).then_some((moved, column))
    });
    moved.collect()
}

/// What the entries of lists read.
fn entries(lists: &[List]) -> Reads {
    let mut reads = Reads::default();
    for entry in lists.iter().flat_map(|list| &list.entries) {
        let (Preference::Where(steps) | Preference::Most(steps)) = entry;
        for step in steps {
            match step {
                Formula::Feature(index) => reads.features.push(*index),
                Formula::Predicate(index) => reads.predicates |= 1 << index,
                Formula::OfCandidate(index) => reads.numbers.push(*index),
                _ => {}
            }
        }
    }
    reads
}

/// The first of the actions that are left; 64 where none is.
fn first(builder: &mut Builder<'_>, left: &[Value]) -> Value {
    let mut first = Value::Known(64);
    for (action, is_left) in (0..64).rev().skip(64 - left.len()).zip(left.iter().rev()) {
        first = builder.select(*is_left, Value::Known(action), first);
    }
    first
}
