//! Questions to all at once, who do not see each other's answers.

use std::rc::Rc;

use super::ask::Asked;
use super::domain::Dom;
use super::value::{At, Kind, Val};
use super::variable::{Dim, Var, base};
use super::{Compiler, Local};
use crate::op::{Cell, Op};
use crate::problem::Span;
use crate::syntax::{Domain, Expr, Name};

/// What all are asked for: nothing for yes or no, or among what, and which of it is allowed.
type Choices<'a> = Option<(&'a Domain, Option<&'a Expr>)>;

/// What stands for the answer of who is not asked.
fn none_of(kind: Kind) -> i64 {
    if kind == Kind::Player { -1 } else { 0 }
}

impl Compiler<'_> {
    pub(super) fn ask_all(
        &mut self,
        name: &Name,
        player: &Name,
        domain: &Domain,
        filter: Option<&Expr>,
        choices: Choices<'_>,
    ) {
        let kind = self.kind_of(name);
        if domain.is_word("others") && self.me_value().is_none() {
            let message = "there are no `others` here: a round is everybody's";
            self.advise(&domain.span(), message, "write `everyone`");
            return self.never_asked(name, None);
        }
        let is_new = self.variable_of(&name.text).is_none();
        let answers = self.answers(player, (domain, filter), choices.map(|(domain, _)| domain));
        let Some(number) = self.variable_of_answers(name, answers) else { return };
        let cells: Vec<_> = (self.variables[number].first..).take(self.program.seats).collect();
        // Who is not asked has no answer.
        let none = self.get(At::Const(none_of(self.variables[number].kind)));
        cells.iter().for_each(|&cell| self.emit(Op::Store(cell, none)));
        for (seat, &cell) in cells.iter().enumerate() {
            let next = self.label();
            let locals = self.locals.len();
            let asked = Val::player(seat);
            self.bind_nth(seat, player, Local::Value(asked.clone()));
            let is_in = self.is_asked(&asked, (domain, filter));
            if !is_in.is(false) {
                self.jump_unless(is_in.at, next);
                let answer = match choices {
                    None => Some(self.yes_or_no_of(seat, kind, filter, &cells)),
                    Some((domain, filter)) => {
                        let chosen = self.asked_in(name, Asked::Nth(seat, &cells), domain, filter, None);
                        chosen.map(|value| self.answer_of(seat, name, &value, number))
                    }
                };
                answer.into_iter().for_each(|answer| self.store_cell(cell, answer));
                self.place(next);
            }
            self.locals.truncate(locals);
        }
        if is_new {
            self.bind(&name.text, &name.span, Local::Variable(number));
        }
    }

    /// The variable that has the answers of all: one that the text names so, or a new one; nothing where the name is another's.
    fn variable_of_answers(&mut self, name: &Name, answers: Option<Val>) -> Option<usize> {
        let found = self.variable_of(&name.text);
        let answer = answers.unwrap_or_else(|| {
            let kind = found.map_or(Kind::Number, |number| self.variables[number].kind);
            Val { kind, ..Val::number(0) }
        });
        if let Some(number) = found {
            let var = &self.variables[number];
            if var.kind != answer.kind || !var.is_by_player() || var.dims.len() != 1 {
                self.wrong(&name.span, format!("`{}` is the name of something else already", name.text));
                return None;
            }
        }
        let number = found.unwrap_or_else(|| self.new_answers(name, &answer));
        self.moved(number, true, true);
        let none = none_of(answer.kind);
        let Var { lows, highs, .. } = &self.variables[number];
        if !lows.iter().zip(highs).all(|(low, high)| (*low..=*high).contains(&none)) {
            let message = format!("`{}` cannot say that somebody was not asked", name.text);
            let help =
                if none < 0 { "let it begin so: `= none in everyone`" } else { "let its range begin at 0" };
            self.advise(&name.span, message, help);
        }
        Some(number)
    }

    /// A new variable for the answers of all.
    fn new_answers(&mut self, name: &Name, answer: &Val) -> usize {
        let seats = self.program.seats;
        let high = self.highest(answer.kind, answer.hi);
        let first = self.new_cells(seats, base(answer.lo, high), high, false);
        self.variables.push(Var {
            name: name.text.clone(),
            kind: answer.kind,
            dims: vec![Dim::Player(seats)],
            first,
            lows: vec![answer.lo; seats],
            highs: vec![answer.hi; seats],
            most: Rc::new([]),
            is_players: false,
            is_fixed: false,
            unit: String::new(),
            meaning: String::new(),
        });
        self.variables.len() - 1
    }

    /// Asks one of all for yes or no.
    fn yes_or_no_of(&mut self, seat: usize, kind: usize, filter: Option<&Expr>, cells: &[Cell]) -> At {
        let (site, answer) = self.question(kind, &Val::player(seat), At::Const(3));
        self.asked_where(site, filter);
        self.veiled.insert(site, cells.to_vec());
        self.of_player(seat, |compiler| compiler.readings_at(site, kind, None, None));
        answer
    }

    /// What one of all has chosen, within the range of the variable of the answers.
    fn answer_of(&mut self, seat: usize, name: &Name, value: &Val, number: usize) -> At {
        if value.kind != Kind::Number {
            return value.at;
        }
        let var = &self.variables[number];
        let range = (var.lows[seat], var.highs[seat]);
        self.check(value, range, &name.span, &format!("`{}`", name.text)).at
    }

    /// What the answers of all are among, and what stands for none: yes or no, or what each who may be asked may choose;
    /// nothing where nobody may be, or there is a mistake.
    fn answers(
        &mut self,
        player: &Name,
        (asked, filter): (&Domain, Option<&Expr>),
        choices: Option<&Domain>,
    ) -> Option<Val> {
        let Some(choices) = choices else { return Some(Val::new(At::Const(0), Kind::Truth, 0, 1)) };
        let (mut values, mut is_asked) = (Vec::new(), false);
        for seat in 0..self.program.seats {
            let (problems, locals) = (self.problems.len(), self.locals.len());
            let is = Val::player(seat);
            self.locals.push((player.text.clone(), Local::Value(is.clone())));
            // Only the ranges are needed here, and mistakes are found again.
            let (dom, _) = self.aside(|compiler| {
                let is_in = compiler.is_asked(&is, (asked, filter));
                (!is_in.is(false)).then(|| compiler.domain(choices)).flatten()
            });
            self.locals.truncate(locals);
            self.problems.truncate(problems);
            is_asked |= dom.is_some();
            match dom {
                Some(Dom::Items(items)) => values.extend(items.into_iter().map(|(value, _)| value)),
                Some(Dom::Range(from, to)) => values.extend([from, to]),
                Some(Dom::Parts(..) | Dom::Pairings(_)) => values.push(Val::broken()),
                None => {}
            }
        }
        let Some(first) = values.first().cloned() else {
            if is_asked && self.dead == 0 {
                self.wrong(&choices.span(), "there is nothing to choose from");
            }
            return None;
        };
        let is_of_one_kind = values.iter().all(|value| value.kind == first.kind);
        let lo = values.iter().map(|value| value.lo).min().unwrap_or(0);
        let hi = values.iter().map(|value| value.hi).max().unwrap_or(0);
        let (lo, hi) = match first.kind {
            Kind::Number if is_of_one_kind => (lo.min(0), hi.max(0)),
            Kind::Name(_) if is_of_one_kind => (0, i64::MAX),
            Kind::Player if is_of_one_kind => (-1, self.seats() - 1),
            _ => {
                self.wrong(&choices.span(), "all at once choose among numbers, names or players");
                return None;
            }
        };
        Some(Val { lo, hi, ..first })
    }

    /// Whether a player is among those who are asked.
    fn is_asked(&mut self, player: &Val, (domain, filter): (&Domain, Option<&Expr>)) -> Val {
        let is_in = self.is_of_those(player, domain);
        match filter {
            Some(filter) => self.and(&is_in, |compiler| compiler.condition(filter)),
            None => is_in,
        }
    }

    /// Whether a player is among those of a domain.
    fn is_of_those(&mut self, player: &Val, domain: &Domain) -> Val {
        let Some(Dom::Items(items)) = self.domain(domain) else { return Val::truth(false) };
        let span: Span = domain.span();
        let mut any = Val::truth(false);
        for (value, is_there) in items {
            if value.kind != Kind::Player {
                self.wrong(&span, "`ask all` asks players: `in everyone`, `in others`");
                return Val::truth(false);
            }
            let is = self.equal_values(true, player, &value, &span);
            let is = match is_there {
                Some(is_there) => self.and(&is, |_| is_there),
                None => is,
            };
            any = self.or(&any, |_| is);
        }
        any
    }
}
