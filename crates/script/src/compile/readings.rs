//! What policies can read at a question: variables, `see`, and of a candidate what `candidate` says. Each is a small
//! calculation of the state.

use std::collections::HashSet;

use super::ahead::looks_ahead;
use super::candidates::{Candidates, Kept};
use super::value::{Kind, Val};
use super::{Compiler, Global, Local};
use crate::op::{Form, Op, Reading};
use crate::syntax::{Expr, Seen, Term, Words};

impl Compiler<'_> {
    /// Compiles what can be read at a question.
    pub(super) fn readings_at(
        &mut self,
        site: u32,
        kind: usize,
        of: Option<&Expr>,
        candidates: Option<&Candidates>,
    ) {
        if self.dead > 0 {
            return;
        }
        let file = self.file;
        // A word of `see` stands before what has the same name.
        let is_seen = |name: &str| file.see.iter().any(|seen| seen.name.text == name);
        let named =
            |number: &usize| !self.variables[*number].name.is_empty() && self.variables[*number].len() <= 8;
        let mut numbers: Vec<usize> = self.seen_variables().filter(named).collect();
        numbers.sort_unstable();
        numbers.dedup();
        for number in numbers {
            let var = self.variables[number].clone();
            let own = usize::from(var.is_players);
            let is_read = matches!(var.kind, Kind::Number | Kind::Truth) && !is_seen(&var.name);
            if var.dims.len() != own || !is_read {
                continue;
            }
            let words = Words { unit: Some(var.unit.clone()), meaning: Some(var.meaning.clone()) };
            self.reading(site, None, of, &var.name, &words, |c| c.variable_value(number, &[], &(0..0)));
        }
        for option in &file.options {
            if let Some(Global::Constant(value)) = self.globals.get(&option.name.text).cloned()
                && !option.name.text.contains('.')
                && !is_seen(&option.name.text)
            {
                self.reading(site, None, of, &option.name.text, &option.words, |_| value);
            }
        }
        if self.hidden.tells_round && !is_seen("round") {
            let meaning = Some("the number of the round".to_owned());
            self.reading(site, None, of, "round", &Words { unit: None, meaning }, Self::read_round);
        }
        let is_mine = of.is_none() && self.me.is_none() && self.me_value().is_some();
        self.means_at(site, is_mine);
        for seen in &file.see {
            if looks_ahead(&seen.value) {
                self.look(site, kind, is_mine, seen);
                continue;
            }
            let before = self.problems.len();
            self.seen(site, of, seen);
            let problems = self.problems.split_off(before);
            if problems.is_empty() {
                self.seen.insert(seen.name.text.clone(), None);
            } else {
                // It may read what another question has.
                self.seen.entry(seen.name.text.clone()).or_insert(Some(problems));
            }
        }
        let Some(candidates) = candidates else { return };
        self.reading(site, Some(kind), of, "", &Words::default(), |c| c.asked(candidates));
        let (name, meaning) =
            (self.program.kinds[kind].name.clone(), self.program.kinds[kind].meaning.clone());
        if self.program.kinds[kind].form == Form::Number {
            let words = Words { unit: None, meaning: Some(meaning) };
            self.reading(site, Some(kind), of, &name, &words, |c| c.asked(candidates));
        }
        let own = file
            .candidates
            .iter()
            .filter(|candidate| candidate.questions.iter().any(|question| question.text == name));
        for line in own.flat_map(|candidate| &candidate.lines) {
            self.reading(site, Some(kind), of, &line.name.text, &line.words, |c| {
                let it = c.asked(candidates);
                c.locals.push(("it".into(), Local::Value(it)));
                let value = c.expression(&line.value);
                c.locals.pop();
                value
            });
        }
        self.names_at(kind, candidates);
    }

    /// Notes the names among which is chosen at a question.
    fn names_at(&mut self, kind: usize, candidates: &Candidates) {
        let Some(mut names) = self.program.kinds[kind].names.take() else { return };
        let Kept::Items(items) = &candidates.kept else { return };
        for (item, _) in items {
            let (of, known) = match item {
                Local::Value(value) => (value.kind, value.known()),
                Local::Variable(number) => (self.variables[*number].kind, None),
            };
            // A question that is about something else in another place has no names.
            let Kind::Name(universe) = of else { return };
            names.extend(known.map_or_else(|| self.universes[universe].atoms.clone(), |name| vec![name]));
        }
        let question = &self.program.kinds[kind].name;
        let file = self.file;
        let of_candidate =
            file.candidates.iter().filter(|own| own.questions.iter().any(|of| of.text == *question));
        let means: HashSet<&str> = of_candidate
            .flat_map(|own| own.lines.iter().map(|line| &*line.name.text))
            .chain(file.see.iter().map(|seen| &*seen.name.text))
            .collect();
        let is_free = |name: &i64| {
            let name = self.atom_of(*name).map_or("", |atom| &atom.name);
            matches!(self.globals.get(name), Some(Global::Atom(_) | Global::Die(_))) && !means.contains(name)
        };
        names.retain(is_free);
        names.sort_unstable();
        names.dedup();
        self.program.kinds[kind].names = Some(names);
    }

    /// A word of `see`: a value, or so many of so many cases.
    fn seen(&mut self, site: u32, of: Option<&Expr>, seen: &Seen) {
        let (name, words) = (&seen.name.text, &seen.words);
        let Some((yes, all)) = cases(&seen.value) else {
            self.reading(site, None, of, name, words, |c| c.expression(&seen.value));
            return;
        };
        let denominator = self.constant(all);
        if denominator < 1 {
            self.wrong(&all.span, "there must be one case at least");
        }
        self.reading(site, None, of, name, words, |c| c.number(yes));
        let is_it = |reading: &&mut Reading| reading.name == *name && reading.kind.is_none();
        if let Some(reading) = self.program.readings.iter_mut().find(is_it) {
            reading.denominator = denominator.max(1);
        }
    }

    /// The candidate that a calculation is called for.
    fn asked(&mut self, candidates: &Candidates) -> Val {
        let action = self.take(0);
        self.candidate(candidates, action)
    }

    /// A calculation for policies at a site; without a name, for people.
    pub(super) fn reading(
        &mut self,
        site: u32,
        kind: Option<usize>,
        of: Option<&Expr>,
        name: &str,
        words: &Words,
        compile: impl FnOnce(&mut Self) -> Val,
    ) {
        let label = self.label();
        let is_reading = std::mem::replace(&mut self.is_reading, true);
        let scope = std::mem::replace(&mut self.scope, self.locals.len());
        let (value, ops) = self.aside(|c| {
            c.place(label);
            let me = c.me.clone();
            if let Some(of) = of {
                let player = c.expression(of);
                c.me = Some(player);
            }
            let value = compile(c);
            c.me = me;
            c.give(0, value.at);
            c.emit(Op::Return);
            value
        });
        (self.is_reading, self.scope) = (is_reading, scope);
        let told = value.kind.named().filter(|_| name.is_empty());
        if !matches!(value.kind, Kind::Number | Kind::Truth) && told.is_none() {
            return;
        }
        self.readings.extend(ops);
        let known =
            self.program.readings.iter_mut().find(|reading| reading.name == name && reading.kind == kind);
        match known {
            Some(reading) => (reading.lo_hi(value.lo, value.hi), reading.at.push((site, label))).1,
            None => {
                let reading =
                    Reading::new(name, words, kind, (value.lo, value.hi), value.kind == Kind::Truth);
                self.program.readings.push(Reading { at: vec![(site, label)], told, ..reading });
            }
        }
    }
}

/// The numbers of `chance(NUMBER, OF)`.
fn cases(value: &Expr) -> Option<(&Expr, &Expr)> {
    match &value.term {
        Term::Call(name, arguments) if name.text == "chance" => match &arguments[..] {
            [yes, all] => Some((yes, all)),
            _ => None,
        },
        _ => None,
    }
}

impl Reading {
    pub(super) fn lo_hi(&mut self, lo: i64, hi: i64) {
        (self.low, self.high) = (self.low.min(lo), self.high.max(hi));
    }
}
