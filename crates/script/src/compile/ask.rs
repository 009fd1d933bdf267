//! Questions.

use std::collections::HashSet;

use super::Compiler;
use super::Local;
use super::candidates::Candidates;
use super::domain::Dom;
use super::value::{At, Kind, Val};
use crate::op::{Bin, Cell, Form as QuestionForm, NamedKind, Op, SiteForm};
use crate::syntax::{Block, Domain, Expr, Form, Loop, Name, Statement};

/// Who is asked.
#[derive(Clone, Copy)]
pub(super) enum Asked<'a> {
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

    pub(super) fn kind_of(&self, name: &Name) -> usize {
        self.program.kinds.iter().position(|kind| kind.name == name.text).unwrap_or(0)
    }

    /// Stops for an answer of a player, whose number among the actions is then taken.
    pub(super) fn question(&mut self, kind: usize, seat: &Val, actions: At) -> (u32, At) {
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
    pub(super) fn asked_in(
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
        let is_ranked = usize::try_from(most).unwrap_or(usize::MAX) > MOST_ACTIONS;
        self.is_of(kind, name, &dom, is_ranked);
        if is_ranked && filter.is_none() && self.dead == 0 {
            let message =
                format!("this question may have {most} candidates, and {MOST_ACTIONS} are the most");
            self.advise(&domain.span(), message, "say which of them are allowed: `where CONDITION`");
            return None;
        }
        let kept = self.keep(dom);
        let over = Loop {
            name: name.clone(),
            domain: Box::new(domain.clone()),
            filter: filter.cloned().map(Box::new),
        };
        let candidates = Candidates { over, kept, is_ranked };
        let legal = self.not_named(name, |compiler| compiler.legal(&candidates));
        let actions = if is_ranked { MOST_ACTIONS } else { usize::try_from(most).unwrap_or(2).max(2) };
        let actions = u8::try_from(actions).unwrap_or(64);
        self.program.kinds[kind].actions = self.program.kinds[kind].actions.max(actions);
        let is_some = self.truth_of(Bin::Ne, legal, At::Const(0));
        match otherwise {
            None if matches!(who, Asked::Nth(..)) => self.require(&is_some, &name.span, NOTHING_FOR_ALL),
            None => self.require(&is_some, &name.span, "this question has no candidate, and no `else`"),
            Some(block) => self.otherwise(&is_some, block, &name.span),
        }
        let mask = if is_ranked { self.first_of(legal, most, name) } else { legal };
        let seat = match who {
            Asked::One(of) => self.who_is_asked(of, name)?,
            Asked::Nth(seat, _) => Val::player(seat),
        };
        let (site, action) = self.question(kind, &seat, mask);
        self.program.sites[site as usize].is_mine = matches!(who, Asked::One(None));
        Some(self.not_named(name, |compiler| {
            compiler.legal_at(site, &candidates);
            compiler.rolled_at(site, Some(domain));
            match who {
                Asked::One(of) => compiler.readings_at(site, kind, of, Some(&candidates)),
                Asked::Nth(seat, answers) => {
                    compiler.veiled.insert(site, answers.to_vec());
                    compiler.of_player(seat, |compiler| {
                        compiler.readings_at(site, kind, None, Some(&candidates));
                    });
                }
            }
            compiler.candidate(&candidates, action)
        }))
    }

    /// Notes of what form the candidates of a kind of question are, which every question of its name has, and their values.
    fn is_of(&mut self, kind: usize, name: &Name, dom: &Dom, is_ranked: bool) {
        let is_new =
            !self.program.sites.iter().any(|site| matches!(site.form, SiteForm::Ask(of) if of == kind));
        let form = if dom.is_of_numbers() { QuestionForm::Number } else { QuestionForm::Items };
        if is_new {
            self.program.kinds[kind].form = form;
        } else if self.program.kinds[kind].form != form {
            self.is_of_another_form(name);
        }
        let known = if is_ranked { None } else { known_values(dom) };
        if is_new || self.program.kinds[kind].known != known {
            self.program.kinds[kind].known = known.filter(|_| is_new);
        }
    }

    /// Compiles what stands in the condition of a question, where its name stands for the candidate, even if it is the name of
    /// a variable.
    fn not_named<T>(&mut self, name: &Name, inside: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.locals.clone();
        self.locals.retain(|(local, _)| *local != name.text);
        let value = inside(self);
        self.locals = before;
        value
    }

    /// As many of the lowest bits as there are legal candidates.
    fn first_of(&mut self, many: At, most: i64, name: &Name) -> At {
        let many = Val::kept(many, Kind::Number, 0, most);
        let many = self.check(&many, (0, 64), &name.span, "the number of candidates");
        let table =
            (0..=64).map(|many| 1_u64.checked_shl(many).unwrap_or(0).wrapping_sub(1).cast_signed()).collect();
        self.look_up(table, many.at)
    }

    /// A question without candidates: what is below its `else` is done.
    pub(super) fn never_asked(&mut self, name: &Name, otherwise: Option<&Block>) {
        if let Some(block) = otherwise {
            self.otherwise(&Val::truth(false), block, &name.span);
        }
        if self.local(&name.text).is_none() {
            self.locals.push((name.text.clone(), Local::Value(Val::broken())));
        }
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
