//! Domains: what loops run through.

use stopwise_engine::vocabulary::grouped;

use super::value::{At, Kind, Val};
use super::{Compiler, Global, Local, MOST_PASSES};
use crate::layout::BagOp;
use crate::op::{Bin, Op};
use crate::problem::Span;
use crate::syntax::{Block, Domain, Expr, Fold, Loop, Operator, Term};

/// What a loop runs through.
#[derive(Clone, Debug)]
pub(super) enum Dom {
    /// Values, each with a condition for its being there.
    Items(Vec<(Val, Option<Val>)>),
    /// Numbers between two.
    Range(Val, Val),
    /// The parts of a bag, of which there are so many at most.
    Parts(Val, usize),
    /// The pairings of four dice.
    Pairings(Val),
}

impl Dom {
    /// Whether its values are numbers.
    pub(super) fn is_of_numbers(&self) -> bool {
        match self {
            Self::Items(items) => items.iter().all(|(value, _)| value.kind == Kind::Number),
            Self::Range(..) => true,
            Self::Parts(..) | Self::Pairings(_) => false,
        }
    }
}

/// The longest loop that is written out, and the most stops that one is written out with.
const UNROLLED: i64 = 64;
const MOST_WRITTEN: usize = 8;

impl Compiler<'_> {
    pub(super) fn domain(&mut self, domain: &Domain) -> Option<Dom> {
        match domain {
            Domain::Range(from, to) => {
                let (from, to) = (self.number(from), self.number(to));
                match (from.known(), to.known()) {
                    (Some(low), Some(high)) if high - low < UNROLLED => {
                        Some(Dom::Items((low..=high).map(|number| (Val::number(number), None)).collect()))
                    }
                    _ => {
                        self.passing(to.hi.saturating_sub(from.lo) + 1, &domain.span());
                        Some(Dom::Range(from, to))
                    }
                }
            }
            Domain::List(items) => match &items[..] {
                [item] => self.one(item),
                _ => {
                    let mut all = Vec::new();
                    for item in items {
                        let Dom::Items(values) = self.one(item)? else {
                            self.wrong(&item.span, "this cannot stand in a list");
                            return None;
                        };
                        all.extend(values);
                    }
                    Some(Dom::Items(all))
                }
            },
        }
    }

    /// Counts the passes of loops in loops, so that no text runs for ever.
    fn passing(&mut self, many: i64, span: &Span) {
        if many.max(1).saturating_mul(self.passes) > MOST_PASSES && self.dead == 0 {
            self.wrong(
                span,
                format!("loops in loops have more than {} passes here", grouped(MOST_PASSES.unsigned_abs())),
            );
        }
    }

    fn one(&mut self, item: &Expr) -> Option<Dom> {
        match &item.term {
            Term::Word(word) if self.local(word).is_none() => {
                match (word.as_str(), self.globals.get(word).cloned()) {
                    ("everyone", _) => return Some(Dom::Items(self.players(0))),
                    ("others", _) if self.is_setup && self.me_value().is_none() => {
                        self.advise(
                            &item.span,
                            "there are no `others` here: nobody plays before the first turn",
                            "write `everyone`",
                        );
                        return None;
                    }
                    ("others", _) => return Some(Dom::Items(self.players(1))),
                    (_, Some(Global::Names(universe))) => {
                        let atoms = self.universes[universe].atoms.clone();
                        return Some(Dom::Items(
                            atoms.into_iter().map(|atom| (Val::name(atom, universe), None)).collect(),
                        ));
                    }
                    _ => {}
                }
            }
            Term::Call(name, arguments) if arguments.len() == 1 && !self.globals.contains_key(&name.text) => {
                match name.text.as_str() {
                    "parts" => {
                        let bag = self.bag(&arguments[0])?;
                        let most = self.tabulate_parts(&bag, &item.span)?;
                        return Some(Dom::Parts(bag, most));
                    }
                    "pairings" => {
                        let bag = self.bag(&arguments[0])?;
                        return Some(Dom::Pairings(bag));
                    }
                    _ => {}
                }
            }
            _ => {}
        }
        let value = self.expression(item);
        match value.kind {
            Kind::Broken => None,
            Kind::Bag(layout) => {
                let fields = self.fields(layout).to_vec();
                let mut items: Vec<(Val, Option<Val>)> = Vec::new();
                let mut seen = Vec::new();
                for (field, most) in fields.iter().zip(&*value.most.clone()) {
                    if *most == 0 || seen.contains(&field.atom) {
                        continue;
                    }
                    seen.push(field.atom);
                    let universe = self.universe_of(layout);
                    let name = Val::name(field.atom, universe);
                    let count = self.count_of(&value, &name, &item.span);
                    let is_there = self.compare(Bin::Lt, &Val::number(0), &count);
                    let all_numbers = fields
                        .iter()
                        .all(|field| self.atom_of(field.atom).is_some_and(|atom| atom.number.is_some()));
                    let face = if all_numbers { Val::number(field.number) } else { name };
                    if !is_there.is(false) {
                        items.push((face, (!is_there.is(true)).then_some(is_there)));
                    }
                }
                Some(Dom::Items(items))
            }
            _ => Some(Dom::Items(vec![(value, None)])),
        }
    }

    fn universe_of(&mut self, layout: u16) -> usize {
        let mut atoms: Vec<i64> = Vec::new();
        for field in self.fields(layout) {
            if !atoms.contains(&field.atom) {
                atoms.push(field.atom);
            }
        }
        self.universe(atoms, None)
    }

    fn bag(&mut self, expr: &Expr) -> Option<Val> {
        let value = self.expression(expr);
        match value.kind {
            Kind::Bag(_) => Some(value),
            Kind::Broken => None,
            kind => {
                self.wrong(&expr.span, format!("this is {}, and a bag is needed", kind.in_words()));
                None
            }
        }
    }

    /// Everybody, or everybody but the first so many, in order.
    fn players(&mut self, skipped: usize) -> Vec<(Val, Option<Val>)> {
        let first = self.me_value();
        let from = if first.is_none() { 0 } else { skipped };
        let first = first.unwrap_or_else(|| Val::player(0));
        let seats = self.program.seats;
        let player = |places| {
            let player = self.player_after(&first, places);
            let plays = self.plays(&player);
            (player, (!plays.is(true)).then_some(plays))
        };
        (from..seats).map(player).collect()
    }

    /// Whether a loop goes round at play, as it has many stops if it is written out. It is over players: of numbers and names the
    /// rules may make more, such as ranges, which are known before a game.
    pub(super) fn is_looped(&self, items: &[(Val, Option<Val>)], block: &Block) -> bool {
        let is_player = |(value, is_there): &(Val, Option<Val>)| {
            value.kind == Kind::Player && value.known().is_some() && is_there.is_none()
        };
        items.len() > 1 && items.iter().all(is_player) && items.len() * self.stops(block, 0) > MOST_WRITTEN
    }

    /// The number of values of a domain that is not written out, and the value with a number; a negative one is none.
    pub(super) fn many(&mut self, dom: &Dom) -> (Val, i64) {
        match dom {
            Dom::Items(items) => {
                let many = i64::try_from(items.len()).unwrap_or(0);
                (Val::number(many), many)
            }
            Dom::Range(from, to) => {
                let at = self.bin(Bin::Sub, to.at, from.at);
                let at = self.bin(Bin::Add, at, At::Const(1));
                let most = (to.hi - from.lo + 1).max(0);
                (Val::new(at, Kind::Number, to.lo - from.hi + 1, most), most)
            }
            Dom::Parts(bag, most) => {
                let Kind::Bag(layout) = bag.kind else { return (Val::number(0), 0) };
                let at = self.bag_op(BagOp::Parts, layout, bag.at, At::Const(0));
                let most = i64::try_from(*most).unwrap_or(0);
                (Val::new(at, Kind::Number, 0, most), most)
            }
            Dom::Pairings(_) => (Val::number(6), 6),
        }
    }

    /// The value with a number, and whether it is there.
    pub(super) fn value_at(&mut self, dom: &Dom, at: &Val) -> (Val, Option<Val>) {
        match dom {
            Dom::Items(_) => (Val::broken(), None),
            Dom::Range(from, to) => {
                let place = self.bin(Bin::Add, from.at, at.at);
                (Val::new(place, Kind::Number, from.lo, to.hi.max(from.lo)), None)
            }
            Dom::Parts(bag, _) => {
                let Kind::Bag(layout) = bag.kind else { return (Val::broken(), None) };
                let place = self.bag_op(BagOp::Part, layout, bag.at, at.at);
                (Val { at: place, lo: 1, ..bag.clone() }, None)
            }
            Dom::Pairings(bag) => {
                let Kind::Bag(layout) = bag.kind else { return (Val::broken(), None) };
                let numbers: Vec<i64> = self.fields(layout).iter().map(|field| field.number).collect();
                let (low, high) =
                    (numbers.iter().min().unwrap_or(&0) * 2, numbers.iter().max().unwrap_or(&0) * 2);
                self.tabulate_pairings(layout);
                let place = self.bag_op(BagOp::Pairing, layout, bag.at, at.at);
                let is_there = self.truth_of(Bin::Le, At::Const(0), place);
                (Val::kept(place, Kind::Pairing, low, high), Some(is_there))
            }
        }
    }

    /// The place, from one on, of the first value that a loop lets through; as many as there are if there is none.
    pub(super) fn next_through(&mut self, over: &Loop, items: &[(Val, Option<Val>)], from: &Val) -> Val {
        let Some(filter) = &over.filter else { return from.clone() };
        let span = &over.name.span;
        let none = Val::number(i64::try_from(items.len()).unwrap_or(0));
        let (mut next, locals) = (none.clone(), self.locals.len());
        for (at, (value, _)) in items.iter().enumerate() {
            let place = Val::number(i64::try_from(at).unwrap_or(0));
            self.bind_nth(at, &over.name, Local::Value(value.clone()));
            let is_open = self.compare(Bin::Eq, &next, &none);
            let is_from = self.and(&is_open, |compiler| compiler.compare(Bin::Le, from, &place));
            let is_through = self.and(&is_from, |compiler| compiler.condition(filter));
            next = self.choose(&is_through, span, |_| place, |_| next.clone());
            self.locals.truncate(locals);
        }
        next
    }

    /// One of some known values.
    pub(super) fn nth_of(&mut self, items: &[(Val, Option<Val>)], at: At) -> Val {
        let known: Vec<i64> = items.iter().filter_map(|(value, _)| value.known()).collect();
        let all = items.iter().map(|(value, _)| value.clone()).reduce(|all, value| all.joined(&value));
        let is_place = (0..).zip(&known).all(|(at, known)| at == *known);
        let at = if is_place { at } else { self.look_up(known, at) };
        Val { at, ..all.unwrap_or_else(Val::broken) }
    }

    /// Runs through a domain at once: `pass` is called with every value that the loop lets through, in a condition.
    pub(super) fn each(&mut self, over: &Loop, dom: &Dom, mut pass: impl FnMut(&mut Self, &Val, &Val)) {
        let locals = self.locals.len();
        let mut through = |compiler: &mut Self, value: &Val, is_there: Option<Val>| {
            let lets = is_there.unwrap_or_else(|| Val::truth(true));
            let lets = match &over.filter {
                Some(filter) => compiler.and(&lets, |compiler| compiler.condition(filter)),
                None => lets,
            };
            if !lets.is_broken() {
                pass(compiler, value, &lets);
            }
            compiler.locals.truncate(locals);
        };
        match dom {
            Dom::Items(items) => {
                for (at, (value, is_there)) in items.iter().enumerate() {
                    self.bind_nth(at, &over.name, Local::Value(value.clone()));
                    through(self, value, is_there.clone());
                }
            }
            _ => {
                let (many, most) = self.many(dom);
                let before = self.passes;
                self.passes = self.passes.saturating_mul(most.max(1));
                self.passing(1, &over.name.span);
                let i = self.register();
                self.emit(Op::Set(i, 0));
                let (top, end) = (self.label(), self.label());
                self.place(top);
                let more = self.register();
                let many = self.get(many.at);
                self.emit(Op::Bin(Bin::Lt, more, i, many));
                self.emit(Op::JumpUnless(more, end));
                let at = Val::kept(At::Reg(i), Kind::Number, 0, (most - 1).max(0));
                let (value, is_there) = self.value_at(dom, &at);
                self.bind(&over.name.text, &over.name.span, Local::Value(value.clone()));
                through(self, &value, is_there);
                self.emit(Op::BinK(Bin::Add, i, i, 1));
                self.emit(Op::Jump(top));
                self.place(end);
                self.passes = before;
            }
        }
    }

    /// `sum(x in D where c: e)` and its like.
    pub(super) fn fold(&mut self, fold: Fold, over: &Loop, value: Option<&Expr>, span: &Span) -> Val {
        let Some(dom) = self.domain(&over.domain) else { return Val::broken() };
        if value.is_none() && matches!(fold, Fold::Sum | Fold::Min | Fold::Max) {
            return self.broken(span, "of what? Write `: EXPR` after what is run through");
        }
        if fold == Fold::Those {
            return self.those(over, &dom, span);
        }
        let kind = if matches!(fold, Fold::Any | Fold::All) { Kind::Truth } else { Kind::Number };
        let mut result = if kind == Kind::Truth { Val::truth(fold == Fold::All) } else { Val::number(0) };
        let mut has = Val::truth(false);
        // In a loop that is not written out, results live in registers of their own.
        let is_loop = !matches!(dom, Dom::Items(_));
        let most = if is_loop { self.many(&dom).1 } else { 0 };
        let (kept, kept_has) = (self.register(), self.register());
        if is_loop {
            self.assign_register(kept, result.at);
            self.emit(Op::Set(kept_has, 0));
        }
        let mut is_broken = false;
        let mut range = (i64::MAX, i64::MIN);
        self.each(over, &dom, |compiler, _, lets| {
            if is_loop {
                let (lo, hi) =
                    if kind == Kind::Truth { (0, 1) } else { (i64::from(i32::MIN), i64::from(i32::MAX)) };
                result = Val::kept(At::Reg(kept), kind, lo, hi);
                has = Val::kept(At::Reg(kept_has), Kind::Truth, 0, 1);
            }
            let mut bounds = (0, 0);
            let next = compiler.fold_pass(fold, &result, &has, lets, value, &mut bounds, span);
            range = (range.0.min(bounds.0), range.1.max(bounds.1));
            is_broken |= next.is_broken();
            if is_loop {
                compiler.assign_register(kept, next.at);
                let some = compiler.or(&has, |_| lets.clone());
                compiler.assign_register(kept_has, some.at);
            } else {
                has = compiler.or(&has, |_| lets.clone());
                result = next;
            }
        });
        if is_broken {
            return Val::broken();
        }
        if !is_loop {
            return result;
        }
        let (lo, hi) = match fold {
            Fold::Any | Fold::All => (0, 1),
            Fold::Count => (0, most),
            Fold::Sum => (range.0.min(0).saturating_mul(most), range.1.max(0).saturating_mul(most)),
            _ => (range.0.min(0), range.1.max(0)),
        };
        let result = Val::kept(At::Reg(kept), kind, lo, hi);
        self.fits(result, span)
    }

    #[allow(clippy::too_many_arguments, reason = "the state of a fold")]
    fn fold_pass(
        &mut self,
        fold: Fold,
        result: &Val,
        has: &Val,
        lets: &Val,
        value: Option<&Expr>,
        bounds: &mut (i64, i64),
        span: &Span,
    ) -> Val {
        match fold {
            Fold::Any => self.or(result, |c| match value {
                Some(value) => c.and(lets, |c| c.condition(value)),
                None => lets.clone(),
            }),
            Fold::All => self.and(result, |c| match value {
                Some(value) => {
                    let not = c.not(lets);
                    c.or(&not, |c| c.condition(value))
                }
                None => lets.clone(),
            }),
            Fold::Count => {
                let lets = match value {
                    Some(value) => self.and(lets, |c| c.condition(value)),
                    None => lets.clone(),
                };
                let one = Val { kind: Kind::Number, ..lets };
                self.arithmetic(Bin::Add, result, &one, result.lo + one.lo, result.hi + one.hi)
            }
            Fold::Sum => {
                let Some(value) = value else { return Val::broken() };
                let part = self.choose(lets, span, |c| c.number(value), |_| Val::number(0));
                if part.is_broken() {
                    return part;
                }
                *bounds = (part.lo, part.hi);
                self.arithmetic(Bin::Add, result, &part, result.lo + part.lo, result.hi + part.hi)
            }
            Fold::Min | Fold::Max => {
                let Some(value) = value else { return Val::broken() };
                let bin = if fold == Fold::Min { Bin::Min } else { Bin::Max };
                let bounds = &mut *bounds;
                self.choose(
                    lets,
                    span,
                    |c| {
                        let part = c.number(value);
                        *bounds = (part.lo, part.hi);
                        let (lo, hi) = if fold == Fold::Min {
                            (part.lo.min(result.lo), part.hi.min(result.hi))
                        } else {
                            (part.lo.max(result.lo), part.hi.max(result.hi))
                        };
                        c.choose(has, span, |c| c.arithmetic(bin, result, &part, lo, hi), |_| part.clone())
                    },
                    |_| result.clone(),
                )
            }
            Fold::Those => Val::broken(),
        }
    }

    /// `those(x in D where c)`: each once.
    fn those(&mut self, over: &Loop, dom: &Dom, span: &Span) -> Val {
        let Dom::Items(items) = dom else {
            return self.broken(span, "`those` runs through names, or through at most 64 numbers");
        };
        let mut atoms: Vec<i64> = Vec::new();
        for (value, _) in items {
            match (value.kind, value.known()) {
                (Kind::Number, Some(number)) => atoms.push(self.number_atom(number)),
                (Kind::Name(_), Some(atom)) => atoms.push(atom),
                _ => {
                    return self
                        .broken(span, "`those` runs through names or numbers that depend on options only");
                }
            }
        }
        let universe = self.universe(atoms, None);
        let Some(layout) = self.layout_for(universe, span) else { return Val::broken() };
        let units: Vec<i64> = self.fields(layout).iter().map(|field| field.unit()).collect();
        let mut at = At::Const(0);
        let mut most = Vec::new();
        let mut size = (0, 0);
        let mut units = units.into_iter();
        self.each(over, dom, |compiler, _, lets| {
            let unit = units.next().unwrap_or(0);
            let part = compiler.bin(Bin::Mul, lets.at, At::Const(unit));
            at = compiler.bin(Bin::Add, at, part);
            most.push(lets.hi);
            size = (size.0 + lets.lo, size.1 + lets.hi);
        });
        Val::new(at, Kind::Bag(layout), size.0, size.1).with_most(most)
    }

    /// `+=` and `-=`.
    pub(super) fn changed(&mut self, operator: Operator, before: &Val, by: &Val, span: &Span) -> Val {
        match before.kind {
            Kind::Number => {
                let Some(by) = self.want_number(by, span) else { return Val::broken() };
                let value = if operator == Operator::Add {
                    self.arithmetic(Bin::Add, before, &by, before.lo + by.lo, before.hi + by.hi)
                } else {
                    self.arithmetic(Bin::Sub, before, &by, before.lo - by.hi, before.hi - by.lo)
                };
                self.fits(value, span)
            }
            Kind::Bag(_) => self.bag_sum(operator, before, by, span),
            kind => self.broken(span, format!("{} cannot be added to", kind.in_words())),
        }
    }
}
