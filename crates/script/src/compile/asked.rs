//! What must hold where a question is asked, for positions that people type: its condition, which candidates are legal, and how
//! many dice lie there.

use std::collections::BTreeSet;

use super::candidates::{Candidates, Kept};
use super::liveness::{Flow, Live};
use super::value::{At, Kind, Val};
use super::world::DieForm;
use super::{Compiler, Global, Local};
use crate::op::{ASKED, ASKED_ANEW, ROLLED};
use crate::set::Set;
use crate::syntax::{Block, Domain, Expr, Form, Operator, RollPart, Statement, Term, Words};

/// What a `let` stands for, or how many dice were rolled, as long as nothing that it reads has changed.
#[derive(Clone, Debug)]
pub(super) struct Meant {
    name: String,
    value: Option<Expr>,
    /// The names in it, and its own.
    names: BTreeSet<String>,
    is_rolled: bool,
}

/// The names that are certainly yes or no where a condition holds.
fn certain(condition: &Expr, names: &mut Vec<(String, bool)>) {
    match &condition.term {
        Term::Word(name) => names.push((name.clone(), true)),
        Term::Not(inner) => names.extend(inner.word().map(|name| (name.to_owned(), false))),
        Term::Binary(Operator::And, left, right) => {
            [left, right].into_iter().for_each(|part| certain(part, names))
        }
        _ => {}
    }
}

/// The name of what is chosen from, one by one, in parts or in pairs.
fn chosen_from(domain: &Domain) -> Option<&str> {
    let Domain::List(items) = domain else { return None };
    let [item] = &**items else { return None };
    match &item.term {
        Term::Call(_, arguments) => arguments.first().and_then(Expr::word),
        _ => item.word(),
    }
}

/// Steps lead to steps up to so deep.
const DEEP: usize = 16;

impl Compiler<'_> {
    /// Has the condition of a question worked out at the question itself.
    pub(super) fn asked_where(&mut self, site: u32, filter: Option<&Expr>) {
        let Some(filter) = filter.filter(|_| self.dead == 0) else { return };
        let before = self.problems.len();
        certain(filter, &mut self.program.sites[site as usize].certain);
        self.reading(site, None, None, ASKED, &Words::default(), |compiler| {
            compiler.as_meant(|compiler| compiler.condition(filter))
        });
        // They were found before.
        self.problems.truncate(before);
    }

    /// Has the numbers of dice worked out that were rolled, of what is chosen from and of variables.
    pub(super) fn rolled_at(&mut self, site: u32, domain: Option<&Domain>) {
        if self.dead > 0 {
            return;
        }
        let before = self.problems.len();
        let among = domain.and_then(chosen_from);
        for Meant { name, value, .. } in self.meant.clone().into_iter().filter(|meant| meant.is_rolled) {
            let Some(many) = value else { continue };
            let own = if among == Some(&*name) { Some("") } else { None };
            for part in own.into_iter().chain([&*name]) {
                let rolled = format!("{ROLLED}{part} {}", many.word().unwrap_or_default());
                self.reading(site, None, None, &rolled, &Words::default(), |compiler| {
                    compiler.as_meant(|compiler| compiler.expression(&many))
                });
            }
        }
        self.problems.truncate(before);
    }

    /// Compiles with the names at hand that stand for something.
    fn as_meant(&mut self, compile: impl FnOnce(&mut Self) -> Val) -> Val {
        let locals = self.locals.len();
        for Meant { name, value, is_rolled, .. } in self.meant.clone() {
            if let Some(value) = value.filter(|_| !is_rolled) {
                let value = self.expression(&value);
                self.locals.push((name, Local::Value(value)));
            }
        }
        let value = compile(self);
        self.locals.truncate(locals);
        value
    }

    /// Has the legal candidates of a question worked out as bits.
    pub(super) fn legal_at(&mut self, site: u32, candidates: &Candidates) {
        if candidates.is_ranked || self.dead > 0 {
            return;
        }
        let before = self.problems.len();
        self.reading(site, None, None, ASKED, &Words::default(), |compiler| {
            let legal = compiler.legal(candidates);
            Val::kept(legal, Kind::Number, 0, 1)
        });
        if !matches!(candidates.kept, Kept::Items(_)) {
            return self.problems.truncate(before);
        }
        self.reading(site, None, None, ASKED_ANEW, &Words::default(), |compiler| {
            compiler.as_meant(|compiler| {
                let dom = compiler.domain(&candidates.over.domain);
                let legal = dom.map_or(At::Const(0), |dom| compiler.legal_of(&candidates.over, &dom, false));
                Val::kept(legal, Kind::Number, 0, 1)
            })
        });
        self.problems.truncate(before);
    }

    /// Forgets conditions that read what the rules do not keep until the answer. Whether there were any.
    pub(super) fn leave_out_conditions(&mut self, flow: &Flow, live: &[Live], played: &[Vec<Set>]) -> bool {
        let is_played = |site: u32, label: u32| {
            let block = flow.by_label.get(&label).map(|block| &live[*block]);
            block.is_some_and(|block| {
                block.cells.all().all(|cell| played.iter().all(|time| time[site as usize].has(cell)))
            })
        };
        let mut is_any = false;
        let is_asked = |name: &str| [ASKED, ASKED_ANEW].contains(&name) || name.starts_with(ROLLED);
        for reading in self.program.readings.iter_mut().filter(|reading| is_asked(&reading.name)) {
            let many = reading.at.len();
            reading.at.retain(|(site, label)| is_played(*site, *label));
            is_any |= reading.at.len() < many;
        }
        is_any
    }

    /// Notes what a statement means for the names that stand for something.
    pub(super) fn now_means(&mut self, statement: &Statement) {
        let mut changed = BTreeSet::new();
        self.changed_by(statement, &mut changed, 0);
        self.no_longer_means(&changed);
        if let Form::Let(variable) = &statement.form
            && variable.indices.is_empty()
        {
            let mut names = BTreeSet::from([variable.name.text.clone()]);
            self.names_in(&variable.value, &mut names, 0);
            let (name, value) = (variable.name.text.clone(), Some(variable.value.clone()));
            self.meant.push(Meant { name, value, names, is_rolled: false });
        }
        if let Form::Roll { parts, .. } = &statement.form {
            parts.iter().for_each(|part| self.now_rolled(part));
        }
    }

    /// Notes how many dice lie there, each of which shows one thing.
    fn now_rolled(&mut self, RollPart { name, many, dice }: &RollPart) {
        let die = dice.word().and_then(|word| self.globals.get(word));
        let Some(Global::Die(die)) = die else { return };
        if let (Some(many), false) = (many, matches!(self.dice[*die].form, DieForm::Sets)) {
            let mut names = BTreeSet::from([name.text.clone()]);
            self.names_in(many, &mut names, 0);
            let (name, value) = (name.text.clone(), Some(many.clone()));
            self.meant.push(Meant { name, value, names, is_rolled: true });
        }
    }

    /// Before a block that may be run again.
    pub(super) fn may_change(&mut self, block: &Block) {
        let mut changed = BTreeSet::new();
        block.iter().for_each(|statement| self.changed_by(statement, &mut changed, 0));
        self.no_longer_means(&changed);
    }

    fn no_longer_means(&mut self, changed: &BTreeSet<String>) {
        for meant in self.meant.iter_mut().filter(|meant| !meant.names.is_disjoint(changed)) {
            meant.value = None;
        }
    }

    /// The names that a statement may give another value, if anything follows it.
    fn changed_by(&self, statement: &Statement, changed: &mut BTreeSet<String>, depth: usize) {
        let mut put = |name: &str| {
            changed.insert(name.to_owned());
        };
        match &statement.form {
            Form::Let(variable) => put(&variable.name.text),
            Form::Assign(target, ..) => target.each(&mut |part| match &part.term {
                Term::Word(name) => put(name),
                Term::Dot(_, name) => put(&name.text),
                _ => {}
            }),
            Form::Roll { parts, .. } => parts.iter().for_each(|part| put(&part.name.text)),
            Form::Chance { name, .. }
            | Form::Draw { name, .. }
            | Form::Ask { name, .. }
            | Form::AskAll { name, .. } => put(&name.text),
            Form::For(over, _) => put(&over.name.text),
            Form::Do(name) if depth < DEEP => {
                if let Some((_, block)) = self.file.steps.iter().find(|(steps, _)| steps.text == name.text) {
                    self.changed_by_block(block, changed, depth + 1);
                }
            }
            _ => {}
        }
        for block in statement.blocks() {
            self.changed_by_block(block, changed, depth);
        }
    }

    fn changed_by_block(&self, block: &Block, changed: &mut BTreeSet<String>, depth: usize) {
        let mut is_left = self.leaves(block);
        let mut look =
            |statement: &Statement| is_left &= !matches!(statement.form, Form::Break | Form::Again);
        block.iter().for_each(|statement| statement.each_statement(&mut look));
        if !is_left {
            block.iter().for_each(|statement| self.changed_by(statement, changed, depth));
        }
    }

    /// The names in an expression, and in what they are defined by.
    fn names_in(&self, expr: &Expr, names: &mut BTreeSet<String>, depth: usize) {
        let mut found = Vec::new();
        expr.each(&mut |part| match &part.term {
            Term::Word(name) => found.push(name.clone()),
            Term::Call(name, _) => found.push(name.text.clone()),
            Term::Dot(_, name) => found.push(name.text.clone()),
            _ => {}
        });
        for name in found {
            let define = self.file.defines.iter().find(|define| define.name.text == name);
            if names.insert(name) && depth < DEEP {
                for (condition, value) in define.iter().flat_map(|define| &define.lines) {
                    condition.iter().chain([value]).for_each(|part| self.names_in(part, names, depth + 1));
                }
            }
        }
    }
}
