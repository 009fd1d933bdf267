//! Questions.

use std::collections::HashSet;
use std::rc::Rc;

use super::domain::Dom;
use super::value::{At, Kind, Val};
use super::variable::{Dim, Var, base};
use super::{Compiler, Local};
use crate::op::{Bin, Cell, Form as QuestionForm, NamedKind, Op, SiteForm};
use crate::problem::Span;
use crate::syntax::{Block, Domain, Expr, Form, Loop, Name, Statement};

/// A domain whose values outlast a stop.
#[derive(Clone, Debug)]
pub(super) enum Kept {
    Items(Vec<(Local, Option<usize>)>),
    Range(usize, usize),
    Parts(usize, usize),
    Pairings(usize),
}

/// How an action of a question is one of its candidates.
#[derive(Clone, Debug)]
pub(super) struct Candidates {
    pub(super) over: Loop,
    pub(super) kept: Kept,
    /// Whether actions number the legal candidates, of which there may be more than 64 in all.
    pub(super) is_ranked: bool,
}

/// Who is asked.
#[derive(Clone, Copy)]
enum Asked<'a> {
    /// A player, or whose turn it is.
    One(Option<&'a Expr>),
    /// One of all who are asked at once, who does not see these answers.
    Nth(usize, &'a [Cell]),
}

/// What is wrong where one of all has no candidate.
pub(crate) const NOTHING_FOR_ALL: &str = "a player who is asked has nothing to choose from";

/// The values of a domain, if they are known and all different.
fn known_values(dom: &Dom) -> Option<(NamedKind, Vec<i64>)> {
    let Dom::Items(items) = dom else { return None };
    let kind = items.first()?.0.kind;
    let known = |(value, _): &(Val, Option<Val>)| value.known().filter(|_| value.kind == kind);
    let values: Vec<i64> = items.iter().map(known).collect::<Option<_>>()?;
    let is_distinct = values.iter().collect::<HashSet<_>>().len() == values.len();
    is_distinct.then_some((kind.named()?, values))
}

/// The most actions of a question, and kinds of questions.
const MOST_ACTIONS: usize = 64;

impl Compiler<'_> {
    /// Finds all questions of the text, so that their numbers do not depend on options.
    pub(super) fn questions(&mut self) {
        let file = self.file;
        let mut found = Vec::new();
        file.setup.iter().for_each(|block| questions_of(block, &mut found));
        if let Some(play) = &file.play {
            questions_of(&play.block, &mut found);
        }
        file.steps.iter().for_each(|(_, block)| questions_of(block, &mut found));
        for (name, meaning, is_yes_no) in found {
            let known = self.program.kinds.iter().find(|kind| kind.name == name.text);
            match known {
                Some(kind) if (kind.form == QuestionForm::YesNo) != is_yes_no => {
                    self.is_of_another_form(name)
                }
                Some(_) => {}
                None => {
                    let (name, actions) = (name.text.clone(), 2);
                    let form = if is_yes_no { QuestionForm::YesNo } else { QuestionForm::Items };
                    let names = (!is_yes_no).then(Vec::new);
                    self.program.kinds.push(crate::op::Kind {
                        name,
                        meaning,
                        form,
                        actions,
                        known: None,
                        names,
                    });
                }
            }
        }
        let most = stopwise_engine::game::MAX_KINDS;
        if self.program.kinds.len() > most {
            let many = self.program.kinds.len();
            self.advise(
                &(0..0),
                format!("a game has at most {most} questions, and this one has {many}"),
                "a question may be asked in several places; one of several candidates can stand for several questions for yes or no",
            );
        }
        for candidate in &file.candidates {
            for question in &candidate.questions {
                let kinds: Vec<String> = self
                    .program
                    .kinds
                    .iter()
                    .filter(|kind| kind.form != QuestionForm::YesNo)
                    .map(|kind| kind.name.clone())
                    .collect();
                if !kinds.contains(&question.text) {
                    let known = kinds.iter().map(String::as_str);
                    self.none_of(&question.span, "question with candidates", &question.text, known);
                }
            }
            let seen = |name: &str| file.see.iter().any(|seen| seen.name.text == name);
            for line in candidate.lines.iter().filter(|line| seen(&line.name.text)) {
                self.wrong(&line.name.span, format!("`{}` is a word of `see` already", line.name.text));
            }
        }
    }

    fn is_of_another_form(&mut self, name: &Name) {
        self.wrong(&name.span, format!("`{}` is a question of another form already", name.text));
    }

    fn kind_of(&self, name: &Name) -> usize {
        self.program.kinds.iter().position(|kind| kind.name == name.text).unwrap_or(0)
    }

    /// Stops for an answer of a player, whose number among the actions is then taken.
    fn question(&mut self, kind: usize, seat: &Val, actions: At) -> (u32, At) {
        self.give(1, actions);
        self.give(0, seat.at);
        self.tick();
        let site = self.site(SiteForm::Ask(kind));
        self.emit(Op::Ask(site));
        let answer = self.take(0);
        (site, answer)
    }

    fn who_is_asked(&mut self, of: Option<&Expr>, name: &Name) -> Option<Val> {
        if of.is_none() && self.me_value().is_none() {
            let message = format!("who is asked? Here is no `me`: {}", self.nobodys());
            self.advise(&name.span, message, format!("say who: `ask {} of PLAYER`", name.text));
            return None;
        }
        self.player_or_me(of, &name.span)
    }

    pub(super) fn ask(
        &mut self,
        name: &Name,
        of: Option<&Expr>,
        filter: Option<&Expr>,
        yes: &Block,
        otherwise: Option<&Block>,
    ) {
        let kind = self.kind_of(name);
        let condition = filter;
        let filter = filter.map(|filter| self.condition(filter)).unwrap_or_else(|| Val::truth(true));
        if filter.is(false) {
            self.shut_off(|compiler| compiler.ask(name, of, None, yes, None));
            self.give_name(name, &Val::truth(false));
            return otherwise.into_iter().for_each(|block| self.block(block));
        }
        let Some(seat) = self.who_is_asked(of, name) else { return };
        let answer = self.register();
        let join = self.label();
        if !filter.is(true) {
            self.emit(Op::Set(answer, 0));
            self.jump_unless(filter.at, join);
        }
        let (site, taken) = self.question(kind, &seat, At::Const(3));
        self.program.sites[site as usize].is_mine = of.is_none();
        self.asked_where(site, condition);
        self.rolled_at(site, None);
        self.readings_at(site, kind, of, None);
        self.assign_register(answer, taken);
        self.place(join);
        let answer = Val::new(At::Reg(answer), Kind::Truth, 0, 1);
        self.give_name(name, &answer);
        let (no, end) = (self.label(), self.label());
        self.jump_unless(answer.at, no);
        self.block(yes);
        self.emit(Op::Jump(end));
        self.place(no);
        otherwise.into_iter().for_each(|block| self.block(block));
        self.place(end);
    }

    /// Keeps a domain over a stop, or over the passes of a loop.
    pub(super) fn keep(&mut self, dom: Dom) -> Kept {
        match dom {
            Dom::Items(items) => Kept::Items(items.into_iter().map(|item| self.keep_item(item)).collect()),
            Dom::Range(from, to) => Kept::Range(self.let_value("", &from), self.let_value("", &to)),
            Dom::Parts(bag, most) => Kept::Parts(self.let_value("", &bag), most),
            Dom::Pairings(bag) => Kept::Pairings(self.let_value("", &bag)),
        }
    }

    /// Keeps an item of a domain: what is not known, and the condition for its being there, as variables.
    pub(super) fn keep_item(&mut self, (value, is_there): (Val, Option<Val>)) -> (Local, Option<usize>) {
        let local = match value.known() {
            Some(_) => Local::Value(value),
            None => Local::Variable(self.let_value("", &value)),
        };
        (local, is_there.map(|is_there| self.let_value("", &is_there)))
    }

    /// The domain that was kept.
    pub(super) fn kept(&mut self, kept: &Kept) -> Dom {
        let span = 0..0;
        match kept {
            Kept::Items(items) => {
                let items = items.iter().map(|(local, is_there)| {
                    let value = match local {
                        Local::Value(value) => value.clone(),
                        Local::Variable(number) => self.variable_value(*number, &[], &span),
                    };
                    (value, is_there.map(|number| self.variable_value(number, &[], &span)))
                });
                Dom::Items(items.collect())
            }
            Kept::Range(from, to) => {
                Dom::Range(self.variable_value(*from, &[], &span), self.variable_value(*to, &[], &span))
            }
            Kept::Parts(bag, most) => Dom::Parts(self.variable_value(*bag, &[], &span), *most),
            Kept::Pairings(bag) => Dom::Pairings(self.variable_value(*bag, &[], &span)),
        }
    }

    /// The legal actions as bits, or their number.
    pub(super) fn legal(&mut self, candidates: &Candidates) -> At {
        let dom = self.kept(&candidates.kept);
        self.legal_of(&candidates.over, &dom, candidates.is_ranked)
    }

    /// The same of a domain.
    pub(super) fn legal_of(&mut self, over: &Loop, dom: &Dom, is_ranked: bool) -> At {
        let mut mask = At::Const(0);
        let kept = self.register();
        let is_written_out = matches!(dom, Dom::Items(_)) && !is_ranked;
        let position = self.register();
        let mut bit = 1_i64;
        let ((), mut ops) = self.aside(|compiler| {
            compiler.each(over, dom, |compiler, _, lets| {
                if is_written_out {
                    let part = compiler.bin(Bin::Mul, lets.at, At::Const(bit));
                    mask = compiler.bin(Bin::Or, mask, part);
                    bit = bit.wrapping_shl(1);
                    return;
                }
                let part = if is_ranked {
                    compiler.bin(Bin::Add, At::Reg(kept), lets.at)
                } else {
                    let part = compiler.bin(Bin::Shl, lets.at, At::Reg(position));
                    compiler.bin(Bin::Or, At::Reg(kept), part)
                };
                compiler.assign_register(kept, part);
                compiler.emit(Op::BinK(Bin::Add, position, position, 1));
            })
        });
        if is_written_out {
            self.append(ops);
            return mask;
        }
        let zeros = [Op::Set(kept, 0), Op::Set(position, 0)];
        ops.splice(0..0, zeros);
        match self.by_bag(dom, &mut ops, At::Reg(kept)) {
            Some(known) => known,
            None => {
                self.append(ops);
                At::Reg(kept)
            }
        }
    }

    /// The candidate of an action.
    pub(super) fn candidate(&mut self, candidates: &Candidates, action: At) -> Val {
        let dom = self.kept(&candidates.kept);
        if candidates.is_ranked {
            let (rank, found) = (self.register(), self.register());
            self.emit(Op::Set(rank, 0));
            self.emit(Op::Set(found, 0));
            let mut like = Val::broken();
            let locals = std::mem::take(&mut self.locals);
            self.locals.clone_from(&locals);
            self.each(&candidates.over, &dom, |compiler, value, lets| {
                let is = compiler.bin(Bin::Eq, At::Reg(rank), action);
                let is = compiler.bin(Bin::And, is, lets.at);
                let (c, a) = (compiler.get(is), compiler.get(value.at));
                compiler.emit(Op::Select(found, c, a, found));
                let next = compiler.bin(Bin::Add, At::Reg(rank), lets.at);
                compiler.assign_register(rank, next);
                let most = like.most.iter().zip(&*value.most).map(|(a, b)| *a.max(b)).collect::<Vec<_>>();
                like = match like.kind {
                    Kind::Broken => value.clone(),
                    _ => Val { lo: like.lo.min(value.lo), hi: like.hi.max(value.hi), ..value.clone() }
                        .with_most(most),
                };
            });
            self.locals = locals;
            return Val { at: At::Reg(found), ..like };
        }
        let Dom::Items(items) = dom else {
            let (_, most) = self.many(&dom);
            let at = Val::kept(action, Kind::Number, 0, (most - 1).max(0));
            return self.value_at(&dom, &at).0;
        };
        let Some((first, _)) = items.first().cloned() else { return Val::broken() };
        let (lo, hi) = items
            .iter()
            .fold((first.lo, first.hi), |(lo, hi), (value, _)| (lo.min(value.lo), hi.max(value.hi)));
        let known: Option<Vec<i64>> = items.iter().map(|(value, _)| value.known()).collect();
        let at = match known {
            Some(table) => self.look_up(table, action),
            None => {
                let mut at = first.at;
                for (number, (value, _)) in (0_i64..).zip(&items).skip(1) {
                    let is = self.bin(Bin::Eq, action, At::Const(number));
                    at = self.select(is, value.at, at);
                }
                at
            }
        };
        Val { at, lo, hi, ..first }
    }

    pub(super) fn ask_in(
        &mut self,
        name: &Name,
        of: Option<&Expr>,
        domain: &Domain,
        filter: Option<&Expr>,
        otherwise: Option<&Block>,
    ) {
        match self.asked_in(name, Asked::One(of), domain, filter, otherwise) {
            Some(value) => self.give_name(name, &value),
            None => {
                let is_stuck = std::mem::take(&mut self.is_stuck);
                self.never_asked(name, otherwise);
                self.is_stuck = is_stuck;
            }
        }
    }

    /// Asks for one of several, and returns what was chosen; nothing where nothing is asked.
    fn asked_in(
        &mut self,
        name: &Name,
        who: Asked<'_>,
        domain: &Domain,
        filter: Option<&Expr>,
        otherwise: Option<&Block>,
    ) -> Option<Val> {
        let dom = self.domain(domain)?;
        let (_, most) = self.many(&dom);
        if most == 0 {
            if otherwise.is_none() && self.dead == 0 {
                self.advise(
                    &domain.span(),
                    "there is nothing to choose from",
                    "say what is done then: `else` below the question, or an `if` around it, such as `if players > 1`",
                );
            }
            self.is_stuck = true;
            return None;
        }
        let kind = self.kind_of(name);
        let is_new =
            !self.program.sites.iter().any(|site| matches!(site.form, SiteForm::Ask(of) if of == kind));
        let form = if dom.is_of_numbers() { QuestionForm::Number } else { QuestionForm::Items };
        if is_new {
            self.program.kinds[kind].form = form;
        } else if self.program.kinds[kind].form != form {
            self.is_of_another_form(name);
        }
        let is_ranked = usize::try_from(most).unwrap_or(usize::MAX) > MOST_ACTIONS;
        let known = if is_ranked { None } else { known_values(&dom) };
        if is_new || self.program.kinds[kind].known != known {
            self.program.kinds[kind].known = known.filter(|_| is_new);
        }
        if is_ranked && filter.is_none() && self.dead == 0 {
            let message =
                format!("this question may have {most} candidates, and {MOST_ACTIONS} are the most");
            self.advise(&domain.span(), message, "say which of them are allowed: `where CONDITION`");
            return None;
        }
        let kept = self.keep(dom);
        // In its own condition the name stands for the candidate, even if it is the name of a variable.
        let before: Vec<_> = self.locals.clone();
        self.locals.retain(|(local, _)| *local != name.text);
        let over = Loop {
            name: name.clone(),
            domain: Box::new(domain.clone()),
            filter: filter.cloned().map(Box::new),
        };
        let candidates = Candidates { over, kept, is_ranked };
        let legal = self.legal(&candidates);
        self.locals = before;
        let actions = if is_ranked { MOST_ACTIONS } else { usize::try_from(most).unwrap_or(2).max(2) };
        let actions = u8::try_from(actions).unwrap_or(64);
        self.program.kinds[kind].actions = self.program.kinds[kind].actions.max(actions);
        let is_some = self.truth_of(Bin::Ne, legal, At::Const(0));
        match otherwise {
            None if matches!(who, Asked::Nth(..)) => self.require(&is_some, &name.span, NOTHING_FOR_ALL),
            None => self.require(&is_some, &name.span, "this question has no candidate, and no `else`"),
            Some(block) => self.otherwise(&is_some, block, &name.span),
        }
        let mask = if is_ranked {
            let many = Val::kept(legal, Kind::Number, 0, most);
            let many = self.check(&many, (0, 64), &name.span, "the number of candidates");
            let table = (0..=64)
                .map(|many| 1_u64.checked_shl(many).unwrap_or(0).wrapping_sub(1).cast_signed())
                .collect();
            self.look_up(table, many.at)
        } else {
            legal
        };
        let seat = match who {
            Asked::One(of) => self.who_is_asked(of, name)?,
            Asked::Nth(seat, _) => Val::player(seat),
        };
        let (site, action) = self.question(kind, &seat, mask);
        self.program.sites[site as usize].is_mine = matches!(who, Asked::One(None));
        let before = self.locals.clone();
        self.locals.retain(|(local, _)| *local != name.text);
        self.legal_at(site, &candidates);
        self.rolled_at(site, Some(domain));
        match who {
            Asked::One(of) => self.readings_at(site, kind, of, Some(&candidates)),
            Asked::Nth(seat, answers) => {
                self.veiled.insert(site, answers.to_vec());
                self.of_player(seat, |compiler| {
                    compiler.readings_at(site, kind, None, Some(&candidates));
                });
            }
        }
        let value = self.candidate(&candidates, action);
        self.locals = before;
        Some(value)
    }

    /// A question without candidates: what is below its `else` is done.
    fn never_asked(&mut self, name: &Name, otherwise: Option<&Block>) {
        if let Some(block) = otherwise {
            self.otherwise(&Val::truth(false), block, &name.span);
        }
        if self.local(&name.text).is_none() {
            self.locals.push((name.text.clone(), Local::Value(Val::broken())));
        }
    }

    pub(super) fn ask_all(
        &mut self,
        name: &Name,
        player: &Name,
        domain: &Domain,
        filter: Option<&Expr>,
        choices: Option<(&Domain, Option<&Expr>)>,
    ) {
        let kind = self.kind_of(name);
        let seats = self.program.seats;
        if domain.is_word("others") && self.me_value().is_none() {
            let message = "there are no `others` here: a round is everybody's";
            self.advise(&domain.span(), message, "write `everyone`");
            return self.never_asked(name, None);
        }
        let found = self.variable_of(&name.text);
        let answers = self.answers(player, (domain, filter), choices.map(|(domain, _)| domain));
        let answer = answers.unwrap_or_else(|| {
            let kind = found.map_or(Kind::Number, |number| self.variables[number].kind);
            Val { kind, ..Val::number(0) }
        });
        let variable = found.filter(|number| {
            let var = &self.variables[*number];
            var.kind == answer.kind && var.is_by_player() && var.dims.len() == 1
        });
        if found.is_some() != variable.is_some() {
            self.wrong(&name.span, format!("`{}` is the name of something else already", name.text));
            return;
        }
        let number = variable.unwrap_or_else(|| {
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
        });
        self.moved(number, true, true);
        let Var { first, lows, highs, .. } = self.variables[number].clone();
        let none = if answer.kind == Kind::Player { -1 } else { 0 };
        if !lows.iter().zip(&highs).all(|(low, high)| (*low..=*high).contains(&none)) {
            let message = format!("`{}` cannot say that somebody was not asked", name.text);
            let help =
                if none < 0 { "let it begin so: `= none in everyone`" } else { "let its range begin at 0" };
            self.advise(&name.span, message, help);
        }
        let cells: Vec<_> = (first..).take(seats).collect();
        // Who is not asked has no answer.
        let none = self.get(At::Const(none));
        cells.iter().for_each(|&cell| self.emit(Op::Store(cell, none)));
        for (seat, &cell) in cells.iter().enumerate() {
            let next = self.label();
            let locals = self.locals.len();
            let asked = Val::player(seat);
            self.bind_nth(seat, player, Local::Value(asked.clone()));
            let is_in = self.is_asked(&asked, domain);
            let is_in = match filter {
                Some(filter) => self.and(&is_in, |compiler| compiler.condition(filter)),
                None => is_in,
            };
            if is_in.is(false) {
                self.locals.truncate(locals);
                continue;
            }
            self.jump_unless(is_in.at, next);
            let answer = match choices {
                None => {
                    let (site, answer) = self.question(kind, &asked, At::Const(3));
                    self.asked_where(site, filter);
                    self.veiled.insert(site, cells.clone());
                    self.of_player(seat, |compiler| compiler.readings_at(site, kind, None, None));
                    Some(answer)
                }
                Some((domain, filter)) => {
                    let chosen = self.asked_in(name, Asked::Nth(seat, &cells), domain, filter, None);
                    chosen.map(|value| match value.kind {
                        Kind::Number => {
                            let range = (lows[seat], highs[seat]);
                            self.check(&value, range, &name.span, &format!("`{}`", name.text)).at
                        }
                        _ => value.at,
                    })
                }
            };
            answer.into_iter().for_each(|answer| self.store_cell(cell, answer));
            self.locals.truncate(locals);
            self.place(next);
        }
        if variable.is_none() {
            self.bind(&name.text, &name.span, Local::Variable(number));
        }
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
                let is_in = compiler.is_asked(&is, asked);
                let is_in = match filter {
                    Some(filter) => compiler.and(&is_in, |compiler| compiler.condition(filter)),
                    None => is_in,
                };
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

    /// Whether a player is among those of a domain.
    fn is_asked(&mut self, player: &Val, domain: &Domain) -> Val {
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

fn questions_of<'f>(block: &'f [Statement], found: &mut Vec<(&'f Name, String, bool)>) {
    for statement in block {
        match &statement.form {
            Form::Ask { name, domain, meaning, yes, otherwise, .. } => {
                found.push((name, meaning.clone().unwrap_or_default(), domain.is_none()));
                questions_of(yes, found);
                otherwise.iter().for_each(|block| questions_of(block, found));
            }
            Form::AskAll { name, choices, meaning, .. } => {
                found.push((name, meaning.clone().unwrap_or_default(), choices.is_none()));
            }
            Form::Draw { otherwise: Some(block), .. } | Form::Repeat(_, block) | Form::For(_, block) => {
                questions_of(block, found);
            }
            Form::If(branches, otherwise) => {
                branches.iter().for_each(|(_, block)| questions_of(block, found));
                otherwise.iter().for_each(|block| questions_of(block, found));
            }
            _ => {}
        }
    }
}
