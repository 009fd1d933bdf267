//! Statements.

use super::domain::Dom;
use super::value::{At, Kind, Val};
use super::{Compiler, Global, Local, LoopLabels};
use crate::op::{Bin, Op};
use crate::problem::{Problem, Span, unknown};
use crate::syntax::{Block, Expr, Form, Loop, Name, Operator, Statement, Term};

impl Compiler<'_> {
    pub(super) fn block(&mut self, block: &[Statement]) {
        let Some(first) = block.first() else { return };
        self.deeper(&first.span, |compiler| compiler.statements(block));
    }

    fn statements(&mut self, block: &[Statement]) {
        let (locals, meant) = (self.locals.len(), self.meant.clone());
        for (at, statement) in block.iter().enumerate() {
            self.statement(statement);
            self.now_means(statement);
            if std::mem::take(&mut self.is_stuck) || self.has_left() {
                self.shut_off(|compiler| compiler.block(&block[at + 1..]));
                break;
            }
        }
        self.locals.truncate(locals);
        // What this block changes is told by the statement that it is of.
        self.meant = meant;
    }

    /// Whether nothing goes on from here.
    fn has_left(&self) -> bool {
        matches!(self.ops.last(), Some(Op::Jump(_)))
    }

    fn statement(&mut self, statement: &Statement) {
        let span = &statement.span;
        match &statement.form {
            Form::Let(variable) => {
                let number = self.new_variable(variable, false);
                let local = match number {
                    Some(number) => Local::Variable(number),
                    None => Local::Value(Val::broken()),
                };
                self.bind(&variable.name.text, &variable.name.span, local);
            }
            Form::Assign(target, sign, value) => self.assign(target, sign, value),
            Form::Roll { parts, by } => self.roll(parts, by.as_ref(), span),
            Form::Chance { name, yes, of, by } => self.chance(name, yes, of, by.as_ref()),
            Form::Draw { name, many, bag, by, otherwise } => {
                self.draw(name, many.as_ref(), bag, by.as_ref(), otherwise.as_ref());
            }
            Form::Ask { name, of, domain, filter, yes, otherwise, .. } => match domain {
                None => self.ask(name, of.as_ref(), filter.as_ref(), yes, otherwise.as_ref()),
                Some(domain) => self.ask_in(name, of.as_ref(), domain, filter.as_ref(), otherwise.as_ref()),
            },
            Form::AskAll { name, player, domain, filter, choices, .. } => {
                let choices = choices.as_ref().map(|(domain, filter)| (domain, filter.as_ref()));
                self.ask_all(name, player, domain, filter.as_ref(), choices);
            }
            Form::If(branches, otherwise) => self.branches(branches, otherwise.as_ref()),
            Form::Repeat(condition, block) => {
                self.check_repeat(condition.as_ref(), block, span);
                let (top, end) = (self.label(), self.label());
                self.place(top);
                if let Some(condition) = condition {
                    let condition = self.condition(condition);
                    self.jump_unless(condition.at, end);
                }
                self.body(block, LoopLabels { again: top, leave: end });
                self.emit(Op::Jump(top));
                self.place(end);
            }
            Form::For(over, block) => self.for_each(over, block),
            Form::Break | Form::Again => match self.loops.last() {
                Some(labels) => {
                    let to = if matches!(statement.form, Form::Break) { labels.leave } else { labels.again };
                    self.emit(Op::Jump(to));
                }
                None => self.wrong(span, "there is no loop around this"),
            },
            Form::Do(name) => self.do_steps(name),
            Form::Bust => match self.labels_of.bust {
                Some(bust) => self.emit(Op::Jump(bust)),
                None if self.is_setup => self.no_turn_yet(span),
                None => {
                    self.advise(
                        span,
                        "a round has no `bust`: it is everybody's",
                        "write `count busts of p`, and `end round`",
                    );
                }
            },
            Form::EndTurn(_) | Form::EndRound => {
                let is_round = matches!(statement.form, Form::EndRound);
                if self.is_setup {
                    self.no_turn_yet(span);
                } else if is_round == self.program.is_round {
                    if let Form::EndTurn(Some(next)) = &statement.form {
                        self.then(next);
                    }
                    self.emit(Op::Jump(self.labels_of.end));
                } else {
                    let (is, word) = if is_round { ("turns", "turn") } else { ("rounds", "round") };
                    self.advise(span, format!("this game is of {is}"), format!("write `end {word}`"));
                }
            }
            Form::EndGame(name, verdict) => {
                if let Some((verdict, player)) = verdict {
                    self.decide(name, *verdict, player);
                }
                if let Some(ending) = self.ending(name) {
                    self.emit(Op::Jump(ending));
                }
            }
            Form::Count { name, of, by } => self.count(name, of.as_ref(), by.as_ref()),
        }
    }

    fn body(&mut self, block: &Block, labels: LoopLabels) {
        self.loops.push(labels);
        self.may_change(block);
        self.block(block);
        self.loops.pop();
    }

    fn assign(&mut self, target: &Expr, sign: &str, value: &Expr) {
        let new = self.expression(value);
        let place = match &target.term {
            Term::Word(name) => match self.variable_of(name) {
                Some(number) => self.own_element(number, &[], &target.span).map(|element| (number, element)),
                None => {
                    match self.local(name).is_some() || self.globals.contains_key(name) {
                        true if matches!(self.local(name), Some(Local::Value(value)) if value.is_broken()) => {
                        }
                        true => {
                            self.wrong(&target.span, format!("`{name}` is no variable, and cannot be set"))
                        }
                        false => {
                            let names: Vec<String> = self.visible();
                            let problem = unknown(
                                target.span.clone(),
                                "variable",
                                name,
                                names.iter().map(String::as_str),
                            );
                            let new = format!("a new one begins with `let {name} = …`");
                            let both = |near: String| match near.ends_with('?') {
                                true => format!("{near} Or: {new}"),
                                false => format!("{near}; {new}"),
                            };
                            let help = problem.help.clone().map_or(new.clone(), both);
                            self.problem(problem.help(help));
                        }
                    }
                    None
                }
            },
            Term::Index(array, indices) => self.target(array, indices, &target.span),
            Term::Dot(..) => self.target(target, &[], &target.span),
            _ => {
                self.wrong(&target.span, "this cannot be set");
                None
            }
        };
        let Some((number, element)) = place else { return };
        if self.variables[number].is_fixed {
            let name = self.variables[number].name.clone();
            self.advise(
                &target.span,
                format!("`{name}` has no range, and so it does not change"),
                format!("declare it with a range: `let {name} = … in LEAST..MOST`"),
            );
            return;
        }
        if new.is_broken() {
            return;
        }
        if sign == "=" {
            let is_truth = |truth| self.variables[number].kind == Kind::Truth && new.is(truth);
            let (is_yes, is_no) = (is_truth(true), is_truth(false));
            self.moved(number, !is_no, !is_yes);
            self.give_less(number, &new);
            return self.set(number, &element, &new, None, &value.span);
        }
        let is_sum = sign == "+=";
        let operator = if is_sum { Operator::Add } else { Operator::Subtract };
        let before = self.load(number, &element);
        let whole = self.changed(operator, &before, &new, &value.span);
        let is_more = whole.kind == Kind::Number && new.lo >= 0;
        self.moved(number, is_sum || !is_more, !is_sum || !is_more);
        self.pay(number, is_sum && is_more, new.at);
        let sum = (is_sum && is_more).then_some((before.at, new.at));
        self.give_less(number, &whole);
        self.set(number, &element, &whole, sum, &value.span);
    }

    fn no_turn_yet(&mut self, span: &Span) {
        self.advise(
            span,
            "`setup` is before the first turn: there is none to lose or to end",
            "leave it out; what is done in some cases only stands below an `if`",
        );
    }

    /// Notes what an assignment may do to a variable.
    pub(super) fn moved(&mut self, number: usize, raises: bool, lowers: bool) {
        self.emit(Op::Mark(u32::try_from(self.moves.len()).unwrap_or(0)));
        self.moves.push((number, raises, lowers));
    }

    fn branches(&mut self, branches: &[(Expr, Block)], otherwise: Option<&Block>) {
        let end = self.label();
        let mut is_met = false;
        for (at, (condition, block)) in branches.iter().enumerate() {
            let condition = self.condition(condition);
            if condition.is(false) {
                self.shut_off(|compiler| compiler.block(block));
                continue;
            }
            if condition.is(true) {
                self.block(block);
                self.shut_off(|compiler| {
                    for (condition, block) in &branches[at + 1..] {
                        let _ = compiler.condition(condition);
                        compiler.block(block);
                    }
                    otherwise.into_iter().for_each(|block| compiler.block(block));
                });
                if is_met {
                    self.place(end);
                }
                return;
            }
            let next = self.label();
            self.jump_unless(condition.at, next);
            self.block(block);
            if !self.has_left() {
                self.emit(Op::Jump(end));
                is_met = true;
            }
            self.place(next);
        }
        if let Some(block) = otherwise {
            self.block(block);
        }
        if is_met {
            self.place(end);
        }
    }

    fn do_steps(&mut self, name: &Name) {
        let file = self.file;
        let Some(Global::Steps(at)) = self.globals.get(&name.text).cloned() else {
            let known = file.steps.iter().map(|(steps, _)| steps.text.as_str());
            self.none_of(&name.span, "steps", &name.text, known);
            return;
        };
        if self.calls.contains(&name.text) {
            self.wrong(&name.span, format!("`{}` does itself", name.text));
            return;
        }
        self.calls.push(name.text.clone());
        self.block(&file.steps[at].1);
        self.calls.pop();
    }

    fn count(&mut self, name: &Name, of: Option<&Expr>, by: Option<&Expr>) {
        let event = if name.text == "busts" {
            Some(2)
        } else {
            let counted = self.file.reports.iter().filter(|report| report.value.is_none());
            let at = counted.clone().position(|report| report.name.text == name.text);
            if at.is_none() {
                let known = counted.map(|report| report.name.text.as_str()).chain(["busts"]);
                let problem = unknown(name.span.clone(), "count", &name.text, known);
                let new = format!("declare it: `report {} UNIT \"…\"`", name.text);
                self.problem(problem.help(new));
            }
            at.and_then(|at| u8::try_from(at + 3).ok()).filter(|event| *event < 16)
        };
        let seat = self.player_or_me(of, &name.span);
        if of.is_none() && self.me_value().is_none() {
            let word = &name.text;
            let all =
                if self.is_setup { "before the first turn nobody plays" } else { "in a round all play" };
            let problem = Problem::new(name.span.clone(), format!("{all}: whose is this?"));
            let help =
                format!("write `count {word} of p`, within `for p in everyone: …` if it is everybody's");
            self.problem(problem.help(help));
        }
        let by = by.map(|by| {
            let value = self.number(by);
            self.check(&value, (0, 1000), &by.span, "what is counted")
        });
        let (Some(event), Some(seat)) = (event, seat) else { return };
        if event == 2 && self.is_setup {
            return self.no_turn_yet(&name.span);
        }
        if event == 2 && by.is_none() {
            return self.count_bust(&seat);
        }
        let seat = self.get(seat.at);
        match by {
            None => self.emit(Op::Event(event, seat)),
            Some(by) => {
                let by = self.get(by.at);
                self.emit(Op::Events(event, seat, by));
            }
        }
    }

    /// The player named, or `me`, or in a round the first.
    pub(super) fn player_or_me(&mut self, named: Option<&Expr>, span: &Span) -> Option<Val> {
        let Some(named) = named else { return Some(self.me_value().unwrap_or_else(|| Val::player(0))) };
        let player = self.expression(named);
        match player.kind {
            Kind::Player => {
                self.somebody(&player, span);
                Some(player)
            }
            Kind::Broken => None,
            kind => {
                self.wrong(span, format!("this is {}, and a player is needed", kind.in_words()));
                None
            }
        }
    }

    fn for_each(&mut self, over: &Loop, block: &Block) {
        let Some(dom) = self.domain(&over.domain) else { return };
        let end = self.label();
        let locals = self.locals.len();
        match dom {
            Dom::Items(items) if self.is_looped(&items, block) => self.go_round(over, &items, block, end),
            Dom::Items(items) => {
                // What depends on the game is worked out before the first pass.
                let items: Vec<(Local, Option<usize>)> =
                    items.into_iter().map(|item| self.keep_item(item)).collect();
                for (at, (local, is_there)) in items.into_iter().enumerate() {
                    let next = self.label();
                    if let Some(is_there) = is_there {
                        let is_there = self.variable_value(is_there, &[], &over.name.span);
                        self.jump_unless(is_there.at, next);
                    }
                    self.bind_nth(at, &over.name, local);
                    self.pass(over, block, LoopLabels { again: next, leave: end });
                    self.locals.truncate(locals);
                    self.place(next);
                }
            }
            dom => {
                let span = &over.name.span;
                let (many, most) = self.many(&dom);
                let kept = self.keep(dom);
                let many = self.let_value("", &Val { lo: many.lo.min(0), ..many });
                let counter = self.let_value("", &Val::kept(At::Const(0), Kind::Number, 0, most.max(1)));
                let passes = self.passes;
                self.passes = passes.saturating_mul(most.max(1));
                let (top, next) = (self.label(), self.label());
                self.place(top);
                let (i, n) = (self.variable_value(counter, &[], span), self.variable_value(many, &[], span));
                let more = self.truth_of(Bin::Lt, i.at, n.at);
                self.jump_unless(more.at, end);
                let dom = self.kept(&kept);
                let (value, is_there) = self.value_at(&dom, &i);
                if let Some(is_there) = is_there {
                    self.jump_unless(is_there.at, next);
                }
                let value = self.let_value("", &value);
                self.bind(&over.name.text, span, Local::Variable(value));
                self.pass(over, block, LoopLabels { again: next, leave: end });
                self.locals.truncate(locals);
                self.place(next);
                self.advance(counter, most, span);
                self.emit(Op::Jump(top));
                self.passes = passes;
            }
        }
        self.place(end);
    }

    fn advance(&mut self, counter: usize, most: i64, span: &Span) {
        let i = self.variable_value(counter, &[], span);
        let i = self.bin(Bin::Add, i.at, At::Const(1));
        self.store(counter, &Val::number(0), &Val::kept(i, Kind::Number, 0, most), span);
    }

    /// A loop over known values that is not written out: after each pass to the next value that it lets through.
    fn go_round(&mut self, over: &Loop, items: &[(Val, Option<Val>)], block: &Block, end: u32) {
        let span = &over.name.span;
        let most = i64::try_from(items.len()).unwrap_or(0);
        let counter = self.let_value("", &Val::kept(At::Const(0), Kind::Number, 0, most));
        let (top, next) = (self.label(), self.label());
        self.place(top);
        let from = self.variable_value(counter, &[], span);
        let i = self.next_through(over, items, &from);
        let more = self.truth_of(Bin::Lt, i.at, At::Const(most));
        self.jump_unless(more.at, end);
        if over.filter.is_some() {
            self.store(counter, &Val::number(0), &i, span);
        }
        let value = self.nth_of(items, i.at);
        let value = self.let_value("", &value);
        let locals = self.locals.len();
        self.bind(&over.name.text, span, Local::Variable(value));
        self.body(block, LoopLabels { again: next, leave: end });
        self.locals.truncate(locals);
        self.place(next);
        self.advance(counter, most, span);
        self.emit(Op::Jump(top));
    }

    fn pass(&mut self, over: &Loop, block: &Block, labels: LoopLabels) {
        if let Some(filter) = &over.filter {
            let filter = self.condition(filter);
            self.jump_unless(filter.at, labels.again);
        }
        self.body(block, labels);
    }
}
