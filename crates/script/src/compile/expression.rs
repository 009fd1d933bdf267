//! Expressions: kinds, ranges, instructions.

use super::value::{At, Kind, Val};
use super::{Compiler, Global};
use crate::op::Bin;
use crate::problem::{Problem, Span};
use crate::syntax::{Domain, Expr, Operator, Term};

impl Compiler<'_> {
    /// An expression that must be a number.
    pub(super) fn number(&mut self, expr: &Expr) -> Val {
        let value = self.expression(expr);
        self.want_number(&value, &expr.span).unwrap_or_else(|| Val { kind: Kind::Number, ..Val::broken() })
    }

    /// An expression that must be a yes or no; a broken one is a yes that is not known.
    pub(super) fn condition(&mut self, expr: &Expr) -> Val {
        let value = self.expression(expr);
        match value.kind {
            Kind::Truth => value,
            Kind::Broken => value,
            kind => {
                let message = format!("this is {}, and a yes or no is needed", kind.in_words());
                let problem = Problem::new(expr.span.clone(), message);
                self.problem(match kind {
                    Kind::Number => problem.help("compare it with something, for example `points >= 20`"),
                    _ => problem,
                });
                Val::broken()
            }
        }
    }

    /// An expression of any kind.
    pub(super) fn expression(&mut self, expr: &Expr) -> Val {
        if self.ops.len() > super::MOST_OPS {
            if self.problems.is_empty() {
                self.wrong(
                    &expr.span,
                    "the game is too large: loops in loops, or definitions in definitions",
                );
            }
            return Val::broken();
        }
        self.deeper(&expr.span, |compiler| compiler.value_of(expr)).unwrap_or_else(Val::broken)
    }

    fn value_of(&mut self, expr: &Expr) -> Val {
        let span = &expr.span;
        match &expr.term {
            Term::Number(number) => Val::number(*number),
            Term::Word(word) => self.word(word, span),
            Term::Index(array, indices) => self.indexed(array, indices, span),
            Term::Dot(left, name) => self.dot(left, name, span),
            Term::Call(name, arguments) => self.call(name, arguments, span),
            Term::Fold(fold, over, value) => self.fold(*fold, over, value.as_deref(), span),
            Term::Not(inner) => {
                let inner = self.condition(inner);
                if inner.is_broken() { inner } else { self.not(&inner) }
            }
            Term::Negate(inner) => {
                let inner = self.number(inner);
                let at = self.bin(Bin::Mul, inner.at, At::Const(-1));
                Val::new(at, Kind::Number, -inner.hi, -inner.lo)
            }
            Term::Binary(operator, left, right) => self.binary(*operator, left, right, span),
            Term::In(left, domain) => self.is_in(left, domain),
            Term::Choose(condition, yes, no) => {
                let condition = self.condition(condition);
                if condition.is_broken() {
                    let _ = (self.expression(yes), self.expression(no));
                    return condition;
                }
                self.choose(&condition, span, |c| c.expression(yes), |c| c.expression(no))
            }
        }
    }

    fn binary(&mut self, operator: Operator, left: &Expr, right: &Expr, span: &Span) -> Val {
        match operator {
            Operator::And | Operator::Or => {
                let a = self.condition(left);
                if a.is_broken() {
                    let _ = self.condition(right);
                    return a;
                }
                let is_broken = std::cell::Cell::new(false);
                let b = |compiler: &mut Self| {
                    let b = compiler.condition(right);
                    is_broken.set(b.is_broken());
                    b
                };
                let value = if operator == Operator::And { self.and(&a, b) } else { self.or(&a, b) };
                if is_broken.get() { Val::broken() } else { value }
            }
            Operator::Equal | Operator::Unequal => self.equal(operator, left, right, span),
            Operator::Less | Operator::LessEqual | Operator::Greater | Operator::GreaterEqual => {
                let (a, b) = (self.number(left), self.number(right));
                match operator {
                    Operator::Less => self.compare(Bin::Lt, &a, &b),
                    Operator::LessEqual => self.compare(Bin::Le, &a, &b),
                    Operator::Greater => self.compare(Bin::Lt, &b, &a),
                    _ => self.compare(Bin::Le, &b, &a),
                }
            }
            Operator::Add | Operator::Subtract => {
                let (a, b) = (self.expression(left), self.expression(right));
                if a.is_broken() || b.is_broken() {
                    return Val::broken();
                }
                let is_bag = |value: &Val| matches!(value.kind, Kind::Bag(_) | Kind::Name(_) | Kind::Nothing);
                if is_bag(&a) || is_bag(&b) {
                    return self.bag_sum(operator, &a, &b, span);
                }
                let (Some(a), Some(b)) =
                    (self.want_number(&a, &left.span), self.want_number(&b, &right.span))
                else {
                    return Val::broken();
                };
                let value = if operator == Operator::Add {
                    self.arithmetic(Bin::Add, &a, &b, a.lo + b.lo, a.hi + b.hi)
                } else {
                    self.arithmetic(Bin::Sub, &a, &b, a.lo - b.hi, a.hi - b.lo)
                };
                self.fits(value, span)
            }
            Operator::Multiply => {
                let (a, b) = (self.expression(left), self.expression(right));
                match (a.kind, b.kind) {
                    (Kind::Name(one), Kind::Name(two)) => return self.pair((&a, one), (&b, two), span),
                    (Kind::Broken, _) | (_, Kind::Broken) => return Val::broken(),
                    _ => {}
                }
                match (self.want_number(&a, &left.span), self.want_number(&b, &right.span)) {
                    (Some(a), Some(b)) => self.product(&a, &b, span),
                    _ => Val::broken(),
                }
            }
            Operator::Divide | Operator::Remainder => {
                let (a, b) = (self.number(left), self.number(right));
                if b.lo <= 0 && b.hi >= 0 {
                    let is_zero = self.bin(Bin::Ne, b.at, At::Const(0));
                    let is_not =
                        if (b.lo, b.hi) == (0, 0) { Val::truth(false) } else { self.truth_at(is_zero) };
                    self.require(&is_not, &right.span, "this divides by zero");
                }
                if operator == Operator::Divide {
                    let divisors =
                        [b.lo, b.hi, -1, 1].into_iter().filter(|&by| by != 0 && b.lo <= by && by <= b.hi);
                    let corners: Vec<i64> = divisors.flat_map(|by| [a.lo / by, a.hi / by]).collect();
                    let (lo, hi) = (
                        corners.iter().min().copied().unwrap_or(0),
                        corners.iter().max().copied().unwrap_or(0),
                    );
                    return self.arithmetic(Bin::Div, &a, &b, lo.min(hi), hi);
                }
                let most = (b.lo.abs().max(b.hi.abs()) - 1).max(0);
                let lo = if a.lo < 0 { (-most).max(a.lo) } else { 0 };
                let hi = if a.hi > 0 { most.min(a.hi) } else { 0 };
                self.arithmetic(Bin::Rem, &a, &b, lo, hi)
            }
        }
    }

    pub(super) fn product(&mut self, a: &Val, b: &Val, span: &Span) -> Val {
        let corners = [a.lo * b.lo, a.lo * b.hi, a.hi * b.lo, a.hi * b.hi];
        let (lo, hi) = (*corners.iter().min().unwrap_or(&0), *corners.iter().max().unwrap_or(&0));
        let value = self.arithmetic(Bin::Mul, a, b, lo, hi);
        self.fits(value, span)
    }

    pub(super) fn fits(&mut self, value: Val, span: &Span) -> Val {
        let limits = i64::from(i32::MIN)..=i64::from(i32::MAX);
        if limits.contains(&value.lo) && limits.contains(&value.hi) {
            return value;
        }
        if self.dead == 0 {
            let message = format!("this may be {} to {}, which does not fit 32 bits", value.lo, value.hi);
            self.advise(span, message, "give what it is made of narrower ranges");
        }
        Val::broken()
    }

    fn equal(&mut self, operator: Operator, left: &Expr, right: &Expr, span: &Span) -> Val {
        let is_equal = operator == Operator::Equal;
        for (option, value) in [(left, right), (right, left)] {
            if let (Some((chosen, values)), Term::Word(word)) = (self.named_option(option), &value.term) {
                if !values.contains(word) {
                    let known = values.iter().map(String::as_str);
                    self.none_of(&value.span, "value", word, known);
                }
                return Val::truth((chosen == *word) == is_equal);
            }
        }
        let (a, b) = (self.expression(left), self.expression(right));
        self.equal_values(is_equal, &a, &b, span)
    }

    pub(super) fn equal_values(&mut self, is_equal: bool, a: &Val, b: &Val, span: &Span) -> Val {
        if a.is_broken() || b.is_broken() {
            return Val::broken();
        }
        let bin = if is_equal { Bin::Eq } else { Bin::Ne };
        let both = match (a.kind, b.kind) {
            (x, y) if x == y => Some((a.clone(), b.clone())),
            (Kind::Name(_), Kind::Name(_)) => Some((a.clone(), b.clone())),
            (Kind::Nothing, Kind::Name(_) | Kind::Bag(_)) | (Kind::Name(_) | Kind::Bag(_), Kind::Nothing) => {
                Some((a.clone(), b.clone()))
            }
            (Kind::Player, Kind::Nothing) => self.as_kind(b, a.kind).map(|b| (a.clone(), b)),
            (Kind::Nothing, Kind::Player) => return self.equal_values(is_equal, b, a, span),
            (Kind::Name(universe), Kind::Number) => {
                let b = self.as_kind(b, Kind::Name(universe));
                Some((a.clone(), b.unwrap_or_else(|| Val::number(-1))))
            }
            (Kind::Number, Kind::Name(_)) => return self.equal_values(is_equal, b, a, span),
            (kind @ Kind::Bag(_), _) => self.as_kind(b, kind).map(|b| (a.clone(), b)),
            (_, kind @ Kind::Bag(_)) => self.as_kind(a, kind).map(|a| (a, b.clone())),
            _ => None,
        };
        let Some((a, b)) = both else {
            let message = format!("{} is compared with {}", a.kind.in_words(), b.kind.in_words());
            return self.broken(span, message);
        };
        self.compare(bin, &a, &b)
    }

    fn named_option(&self, expr: &Expr) -> Option<(String, Vec<String>)> {
        let name = match &expr.term {
            Term::Word(word) => word.clone(),
            Term::Dot(left, name) => format!("{}.{}", left.word()?, name.text),
            _ => return None,
        };
        match self.globals.get(&name) {
            Some(Global::Named(chosen, values)) => Some((chosen.clone(), values.clone())),
            _ => None,
        }
    }

    /// `x in DOMAIN`.
    fn is_in(&mut self, left: &Expr, domain: &Domain) -> Val {
        let value = self.expression(left);
        match domain {
            Domain::Range(from, to) => {
                let (from, to) = (self.number(from), self.number(to));
                let Some(value) = self.want_number(&value, &left.span) else { return Val::broken() };
                let low = self.compare(Bin::Le, &from, &value);
                self.and(&low, |compiler| compiler.compare(Bin::Le, &value, &to))
            }
            Domain::List(items) => {
                let mut any = Val::truth(false);
                for item in items {
                    let is = self.is_in_item(&value, item);
                    if is.is_broken() {
                        return is;
                    }
                    any = self.or(&any, |_| is);
                }
                any
            }
        }
    }

    fn is_in_item(&mut self, value: &Val, item: &Expr) -> Val {
        if value.is_broken() {
            return Val::broken();
        }
        if let Term::Word(word) = &item.term {
            match (word.as_str(), self.globals.get(word)) {
                ("everyone", _) => return Val::truth(true),
                ("others", _) => {
                    let Some(me) = self.me_value() else { return self.word("me", &item.span) };
                    return self.equal_values(false, value, &me, &item.span);
                }
                (_, Some(Global::Names(universe))) => {
                    let atoms = self.universes[*universe].atoms.clone();
                    let table: Vec<i64> = self.each_atom().map(|atom| atoms.contains(&atom).into()).collect();
                    let Some(value) = self.as_name(value, &item.span) else { return Val::broken() };
                    let at = self.look_up(table, value.at);
                    return self.truth_at(at);
                }
                _ => {}
            }
        }
        let bag = self.expression(item);
        match bag.kind {
            Kind::Bag(_) => {
                let count = self.count_of(&bag, value, &item.span);
                self.compare(Bin::Lt, &Val::number(0), &count)
            }
            _ => self.equal_values(true, value, &bag, &item.span),
        }
    }

    /// A player so many places after another.
    pub(super) fn player_after(&mut self, player: &Val, places: usize) -> Val {
        let seats = self.seats();
        let places = i64::try_from(places).unwrap_or(0);
        let table: Vec<i64> = (0..seats).map(|seat| (seat + places) % seats).collect();
        let at = if places == 0 { player.at } else { self.look_up(table, player.at) };
        match at {
            At::Const(seat) => Val::player(usize::try_from(seat).unwrap_or(0)),
            At::Reg(_) => Val::new(at, Kind::Player, 0, seats - 1),
        }
    }
}
