//! Draws: out of a bag that is a variable.

use std::ops::RangeInclusive;

use super::value::{At, Kind, Val};
use super::winners::lcm;
use super::{Compiler, Local};
use crate::layout::BagOp;
use crate::op::{Bin, NamedKind, Op, SiteForm};
use crate::problem::Span;
use crate::syntax::{Block, Expr, Name, Term};

/// More than any denominator of what is looked at ahead.
const MOST_WEIGHT: i64 = 1 << 40;

impl Compiler<'_> {
    pub(super) fn draw(
        &mut self,
        name: &Name,
        many: Option<&Expr>,
        bag: &Expr,
        by: Option<&Expr>,
        otherwise: Option<&Block>,
    ) {
        let before = self.expression(bag);
        let Kind::Bag(layout) = before.kind else {
            if !before.is_broken() {
                self.wrong(&bag.span, format!("this is {}, and a bag is needed", before.kind.in_words()));
            }
            self.bind(&name.text, &name.span, Local::Value(Val::broken()));
            return;
        };
        let target = bag.word().and_then(|word| self.variable_of(word));
        let Some(variable) = target.filter(|number| self.variables[*number].kind == before.kind) else {
            self.is_no_variable(bag);
            self.bind(&name.text, &name.span, Local::Value(Val::broken()));
            return;
        };
        let kind = before.kind;
        let size = self.bag_op(BagOp::Size, layout, before.at, At::Const(0));
        let Some(many) = many else {
            let is_some = self.truth_of(Bin::Lt, At::Const(0), size);
            match otherwise {
                None => self.require(&is_some, &bag.span, "the bag from which one is drawn is empty"),
                Some(block) => self.otherwise(&is_some, block, &name.span),
            }
            let (face, _) = self.draw_one(variable, layout, bag, by);
            let atoms = self.fields(layout).iter().map(|field| field.atom).collect();
            let universe = self.universe(atoms, None);
            self.give_name(name, &Val::new(face, Kind::Name(universe), 1, i64::MAX));
            return;
        };
        let many_value = self.number(many);
        let (_, hi) = (many_value.lo, many_value.hi.min(before.hi).max(0));
        let wanted = self.bin(Bin::Min, many_value.at, size);
        let wanted = self.bin(Bin::Max, wanted, At::Const(0));
        let rest = self.hidden_cell(hi.max(1), false);
        self.store_cell(rest, wanted);
        let most: Vec<i64> = before.most.iter().map(|most| (*most).min(hi)).collect();
        let none = Val { at: At::Const(0), kind, lo: 0, hi, most: most.clone().into() };
        let drawn = self.let_value("", &none);
        let (top, end) = (self.label(), self.label());
        self.place(top);
        let left = self.load_cell(rest);
        self.jump_unless(left, end);
        let (_, unit) = self.draw_one(variable, layout, bag, by);
        let first = self.variables[drawn].first;
        self.change_cell(first, Bin::Add, unit);
        self.change_cell(rest, Bin::Sub, At::Const(1));
        self.emit(Op::Jump(top));
        self.place(end);
        let value = self.load_cell(first);
        self.give_name(name, &Val { at: value, kind, lo: 0, hi, most: most.into() });
    }

    /// Says that this bag is no variable, and how it becomes one.
    fn is_no_variable(&mut self, bag: &Expr) {
        let part = match &bag.term {
            Term::Index(array, _) => array.word().map(|array| format!("{array}[…]")),
            Term::Dot(_, name) => Some(format!("….{}", name.text)),
            _ => None,
        };
        let (message, help) = match part {
            Some(part) => (
                "what is drawn from is a variable with a name of its own",
                format!("write `let rest = {part}`, draw from `rest`, and then `{part} = rest`"),
            ),
            None => (
                "what is drawn from is a variable: it becomes less",
                "write `let NAME = BAG in BAG`, and draw from NAME".into(),
            ),
        };
        self.advise(&bag.span, message, help);
    }

    /// Takes one out of a bag; gives its name, and the bag of it.
    fn draw_one(&mut self, variable: usize, layout: u16, bag: &Expr, by: Option<&Expr>) -> (At, At) {
        let before = self.variable_value(variable, &[], &bag.span);
        let (face, unit) = self.draw_from(before.at, layout, 1..=before.hi, (by, &bag.span));
        if !self.file.has_rolls() {
            self.rolled(by, &bag.span);
        }
        let before = self.variable_value(variable, &[], &bag.span);
        let after = self.bin(Bin::Sub, before.at, unit);
        let after = Val { at: after, ..before };
        if let Some(element) = self.own_element(variable, &[], &bag.span) {
            self.store(variable, &element, &after, &bag.span);
        }
        (face, unit)
    }

    /// Draws from a bag of some of these sizes; gives the name of what is drawn, and the bag of it.
    pub(super) fn draw_from(
        &mut self,
        bag: At,
        layout: u16,
        sizes: RangeInclusive<i64>,
        (by, span): (Option<&Expr>, &Span),
    ) -> (At, At) {
        self.give(1, bag);
        self.keep_thrown(&[(bag, self.layout(layout).mask())]);
        let seat = self.player_or_me(by, span).unwrap_or_else(|| Val::player(0));
        let site = self.site(SiteForm::Draw(layout));
        let weight = sizes.fold(1, |all, size| if all < MOST_WEIGHT { lcm(all, size) } else { all });
        self.ahead.weights.insert(site, weight.min(MOST_WEIGHT));
        self.tell_rolled(site as usize, &[(String::new(), NamedKind::Name)], by);
        self.stop(&seat, Op::Draw(site));
        (self.take(0), self.take(1))
    }

    /// What is done where there is nothing to take or to choose: it leads elsewhere.
    pub(super) fn otherwise(&mut self, is_some: &Val, block: &Block, span: &Span) {
        let some = self.label();
        let register = self.get(is_some.at);
        self.emit(Op::JumpIf(register, some));
        self.block(block);
        if !self.leaves(block) {
            self.advise(
                span,
                "after this `else` there is nothing to go on with",
                "end it by `bust`, `end …`, `again` or `break`",
            );
        }
        self.place(some);
    }
}
