//! Numbers that a game for one only adds to, and that only its score or a report reads: they are paid out as they are
//! added to, by events that are counted, and are no part of positions.

use super::Compiler;
use super::value::{At, Val};
use crate::op::Op;
use crate::syntax::{Alone, Expr, Form, Term};

/// The first number of an event that is free, and that of all events.
const FIRST: usize = 3;
const EVENTS: usize = 16;

impl Compiler<'_> {
    /// Finds them. That nothing negative is added is seen when the text is compiled.
    pub(super) fn paid_out(&mut self) {
        let file = self.file;
        if self.program.seats > 1 {
            return;
        }
        let score = match &file.alone {
            Some(Alone::Score(_, expr)) => Some(expr),
            _ => None,
        };
        let metrics: Vec<&Expr> =
            score.into_iter().chain(file.reports.iter().filter_map(|report| report.value.as_ref())).collect();
        let counted = file.reports.iter().filter(|report| report.value.is_none()).count();
        for variable in file.shared.iter().chain(&file.player) {
            let name = variable.name.text.as_str();
            let is_it = |expr: &Expr| match &expr.term {
                Term::Word(word) => word == name,
                Term::Dot(_, field) => field.text == name,
                _ => false,
            };
            let is_metric = metrics.iter().any(|expr| is_it(expr));
            if !is_metric || !variable.indices.is_empty() {
                continue;
            }
            let mut uses = 0;
            file.each_rule(&mut |expr| uses += usize::from(is_it(expr)));
            // Who is alone wins against nobody.
            file.win.iter().for_each(|(_, value)| value.each(&mut |expr| uses -= usize::from(is_it(expr))));
            let metrics = metrics.iter().filter(|expr| is_it(expr)).count();
            let mut added = 0;
            file.each_statement(&mut |statement| {
                added +=
                    usize::from(matches!(&statement.form, Form::Assign(target, "+=", _) if is_it(target)));
            });
            let event = FIRST + counted + self.paid.len();
            if uses == metrics + added && event < EVENTS {
                self.paid.push((name.to_owned(), u8::try_from(event).unwrap_or(0)));
            }
        }
    }

    /// The event of a number that is paid out.
    pub(super) fn paid(&self, expr: &Expr) -> Option<u8> {
        let word = expr.word()?;
        self.paid.iter().find(|(name, _)| name == word).map(|(_, event)| *event)
    }

    pub(super) fn paid_variable(&self, number: usize) -> Option<u8> {
        let name = &self.variables[number].name;
        self.paid.iter().find(|(paid, _)| paid == name).map(|(_, event)| *event)
    }

    /// Pays out what the variable begins with.
    pub(super) fn pay_first(&mut self, number: usize) {
        if self.paid_variable(number).is_some() {
            let first = self.load(number, &Val::number(0));
            self.pay(number, first.lo >= 0, first.at);
        }
    }

    /// Pays out what is added to a variable, unless it may be negative.
    pub(super) fn pay(&mut self, number: usize, is_more: bool, more: At) {
        let Some(event) = self.paid_variable(number) else { return };
        self.is_unpaid |= !is_more;
        if more != At::Const(0) {
            let (seat, more) = (self.get(At::Const(0)), self.get(more));
            self.emit(Op::Events(event, seat, more));
        }
    }
}
