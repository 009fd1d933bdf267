//! Walks through the syntax tree.

use std::collections::BTreeSet;

use crate::syntax::{Alone, Block, Domain, End, EndForm, Expr, File, Form, Loop, Name, Statement, Term};

impl Expr {
    /// Calls `visit` with the expression and everything in it.
    pub(crate) fn each(&self, visit: &mut dyn FnMut(&Self)) {
        visit(self);
        match &self.term {
            Term::Number(_) | Term::Word(_) => {}
            Term::Index(array, indices) => {
                array.each(visit);
                indices.iter().for_each(|index| index.each(visit));
            }
            Term::Dot(inner, _) | Term::Not(inner) | Term::Negate(inner) => inner.each(visit),
            Term::Call(_, arguments) => arguments.iter().for_each(|argument| argument.each(visit)),
            Term::Fold(_, over, value) => {
                over.each(visit);
                value.iter().for_each(|value| value.each(visit));
            }
            Term::Binary(_, left, right) => [left, right].iter().for_each(|part| part.each(visit)),
            Term::In(inner, domain) => {
                inner.each(visit);
                domain.each(visit);
            }
            Term::Choose(a, b, c) => [a, b, c].iter().for_each(|part| part.each(visit)),
        }
    }
}

impl Domain {
    pub(crate) fn each(&self, visit: &mut dyn FnMut(&Expr)) {
        match self {
            Self::Range(from, to) => [from, to].iter().for_each(|part| part.each(visit)),
            Self::List(items) => items.iter().for_each(|item| item.each(visit)),
        }
    }
}

impl Loop {
    fn each(&self, visit: &mut dyn FnMut(&Expr)) {
        self.domain.each(visit);
        self.filter.iter().for_each(|filter| filter.each(visit));
    }
}

impl Statement {
    /// The blocks in it.
    pub(crate) fn blocks(&self) -> Vec<&Block> {
        match &self.form {
            Form::Draw { otherwise, .. } => otherwise.iter().collect(),
            Form::Ask { yes, otherwise, .. } => [yes].into_iter().chain(otherwise).collect(),
            Form::If(branches, otherwise) => {
                branches.iter().map(|(_, block)| block).chain(otherwise).collect()
            }
            Form::Repeat(_, block) | Form::For(_, block) => vec![block],
            _ => Vec::new(),
        }
    }

    /// The expressions of the statement itself, without those of its blocks.
    pub(crate) fn each_own(&self, visit: &mut dyn FnMut(&Expr)) {
        let mut all = |exprs: &[Option<&Expr>]| exprs.iter().flatten().for_each(|expr| expr.each(visit));
        match &self.form {
            Form::Let(variable) => {
                all(&[Some(&variable.value)]);
                variable.indices.iter().for_each(|(_, domain)| domain.each(visit));
                variable.range.iter().for_each(|range| range.each(visit));
            }
            Form::Assign(target, _, value) => all(&[Some(target), Some(value)]),
            Form::Roll { parts, by } => {
                parts.iter().for_each(|part| all(&[part.many.as_ref(), Some(&part.dice)]));
                all(&[by.as_ref()]);
            }
            Form::Chance { yes, of, by, .. } => all(&[Some(yes), Some(of), by.as_ref()]),
            Form::Draw { many, bag, by, .. } => all(&[many.as_ref(), Some(bag), by.as_ref()]),
            Form::Ask { of, domain, filter, .. } => {
                all(&[of.as_ref(), filter.as_ref()]);
                domain.iter().for_each(|domain| domain.each(visit));
            }
            Form::AskAll { domain, filter, choices, .. } => {
                all(&[filter.as_ref(), choices.as_ref().and_then(|(_, filter)| filter.as_ref())]);
                domain.each(visit);
                choices.iter().for_each(|(choices, _)| choices.each(visit));
            }
            Form::If(branches, _) => branches.iter().for_each(|(condition, _)| condition.each(visit)),
            Form::Repeat(condition, _) => all(&[condition.as_ref()]),
            Form::For(over, _) => over.each(visit),
            Form::Count { of, by, .. } => all(&[of.as_ref(), by.as_ref()]),
            Form::EndTurn(next) => all(&[next.as_ref()]),
            Form::EndGame(_, verdict) => all(&[verdict.as_ref().map(|(_, player)| player)]),
            Form::Break | Form::Again | Form::Do(_) | Form::Bust | Form::EndRound => {}
        }
    }

    pub(crate) fn each_statement<'s>(&'s self, visit: &mut dyn FnMut(&'s Self)) {
        visit(self);
        self.blocks().into_iter().flatten().for_each(|inner| inner.each_statement(visit));
    }
}

impl File {
    /// A game that passes players over ends when nobody has turns any more, whether the text says so or not.
    pub(crate) fn end_when_nobody_is_left(&mut self) {
        let filter = self.play.iter().find_map(|play| play.filter.as_ref());
        if let Some(filter) = filter
            && !self.ends.iter().any(|end| matches!(end.form, EndForm::Left(_)))
        {
            let name = Some(Name { text: "nobody_left".into(), span: filter.span.clone() });
            let (span, form) = (filter.span.clone(), EndForm::Left(0));
            self.ends.push(End { span, early: false, name, form, said: String::new() });
        }
    }

    /// Calls `visit` with every statement.
    pub(crate) fn each_statement<'f>(&'f self, visit: &mut dyn FnMut(&'f Statement)) {
        let setup = self.setup.iter().flatten();
        let play = setup.chain(self.play.iter().flat_map(|play| &play.block));
        let steps = self.steps.iter().flat_map(|(_, block)| block);
        play.chain(steps).for_each(|statement| statement.each_statement(visit));
    }

    /// Whether dice are rolled. Where they are not, what is drawn is counted in their place.
    pub(crate) fn has_rolls(&self) -> bool {
        let mut rolls = false;
        self.each_statement(&mut |statement| {
            rolls |= matches!(statement.form, Form::Roll { .. } | Form::Chance { .. });
        });
        rolls
    }

    /// What is counted as rolls, in words: draws, where something is drawn and nothing is rolled.
    pub(crate) fn rolls(&self) -> &'static str {
        let mut draws = false;
        self.each_statement(&mut |statement| draws |= matches!(statement.form, Form::Draw { .. }));
        if draws && !self.has_rolls() { "draws" } else { "rolls" }
    }

    /// The values that every player has which an expression reads without saying whose: those of the player whose turn it is.
    pub(crate) fn own_values(&self, expr: &Expr) -> BTreeSet<String> {
        let mut words = self.words(expr, false);
        words.retain(|word| self.player.iter().any(|variable| variable.name.text == *word));
        words
    }

    /// Whether an expression reads what has this name.
    pub(crate) fn reads(&self, expr: &Expr, name: &str) -> bool {
        self.words(expr, true).contains(name)
    }

    /// The names in an expression, and in the definitions that it reads, or calls.
    fn words(&self, expr: &Expr, with_calls: bool) -> BTreeSet<String> {
        let add = |expr: &Expr, words: &mut Vec<String>| {
            expr.each(&mut |expr| match &expr.term {
                Term::Call(name, _) if with_calls => words.push(name.text.clone()),
                _ => words.extend(expr.word().map(str::to_owned)),
            });
        };
        let (mut open, mut words) = (vec![], BTreeSet::new());
        add(expr, &mut open);
        while let Some(word) = open.pop() {
            let define = self.defines.iter().find(|define| define.name.text == word);
            if words.insert(word) {
                for (condition, value) in define.iter().flat_map(|define| &define.lines) {
                    condition.iter().chain([value]).for_each(|part| add(part, &mut open));
                }
            }
        }
        words
    }

    /// Calls `visit` with every expression that only policies read.
    pub(crate) fn each_seen(&self, visit: &mut dyn FnMut(&Expr)) {
        let candidates = self.candidates.iter().flat_map(|candidate| &candidate.lines);
        self.see.iter().chain(candidates).for_each(|seen| seen.value.each(visit));
    }

    /// The values that statements set of another player than the one whose turn it is.
    pub(crate) fn values_of_others(&self) -> BTreeSet<String> {
        fn of_another(target: &Expr) -> Option<&str> {
            match &target.term {
                Term::Index(array, _) => of_another(array),
                Term::Dot(player, name) if player.word() != Some("me") => Some(&name.text),
                _ => None,
            }
        }
        let mut values = BTreeSet::new();
        self.each_statement(&mut |statement| {
            if let Form::Assign(target, ..) = &statement.form {
                values.extend(of_another(target).map(str::to_owned));
            }
        });
        values
    }

    /// Calls `visit` with every expression of the rules, without those that only policies read.
    pub(crate) fn each_rule(&self, visit: &mut dyn FnMut(&Expr)) {
        self.each_declared(visit);
        self.each_statement(&mut |statement| statement.each_own(visit));
    }

    /// Calls `visit` with every expression of the rules outside of blocks.
    pub(crate) fn each_declared(&self, visit: &mut dyn FnMut(&Expr)) {
        for variable in self.shared.iter().chain(&self.player) {
            variable.value.each(visit);
            variable.indices.iter().for_each(|(_, domain)| domain.each(visit));
            variable.range.iter().for_each(|range| range.each(visit));
        }
        self.worth.iter().flat_map(|worth| &worth.lines).for_each(|(_, value)| value.each(visit));
        for (condition, value) in self.defines.iter().flat_map(|define| &define.lines) {
            condition.iter().for_each(|condition| condition.each(visit));
            value.each(visit);
        }
        self.play.iter().filter_map(|play| play.filter.as_ref()).for_each(|filter| filter.each(visit));
        for end in &self.ends {
            match &end.form {
                EndForm::When(expr, _) | EndForm::After(expr, _) => expr.each(visit),
                EndForm::Left(_) | EndForm::Means(_) => {}
            }
        }
        self.win.iter().for_each(|(_, value)| value.each(visit));
        if let Some(Alone::Score(_, value)) = &self.alone {
            value.each(visit);
        }
        self.reports.iter().filter_map(|report| report.value.as_ref()).for_each(|value| value.each(visit));
    }
}
