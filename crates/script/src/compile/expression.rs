//! Expressions: kinds, ranges, instructions.

use super::value::{At, Kind, Val};
use super::{Compiler, Global, Local};
use crate::layout::BagOp;
use crate::op::Bin;
use crate::problem::{Problem, Span, unknown};
use crate::syntax::{Domain, Expr, Name, Operator, Term};

impl Compiler<'_> {
    /// An expression that must be a number.
    pub(super) fn number(&mut self, expr: &Expr) -> Val {
        let value = self.expression(expr);
        self.want_number(&value, &expr.span).unwrap_or_else(|| Val { kind: Kind::Number, ..Val::broken() })
    }

    pub(super) fn want_number(&mut self, value: &Val, span: &Span) -> Option<Val> {
        match value.kind {
            Kind::Number => Some(value.clone()),
            Kind::Broken => None,
            kind => {
                let problem = Problem::new(
                    span.clone(),
                    format!("this is {}, and a number is needed", kind.in_words()),
                );
                let problem = match kind {
                    Kind::Truth => problem.help("write `CONDITION ? 1 : 0`"),
                    Kind::Bag(_) => problem.help("`size(…)` is how many, `sum(…)` the sum of their numbers"),
                    Kind::Name(_) => problem.help("`number(…)` is the number on a face"),
                    _ => problem,
                };
                self.problem(problem);
                None
            }
        }
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

    /// The value as another kind, if it is one.
    pub(super) fn as_kind(&mut self, value: &Val, kind: Kind) -> Option<Val> {
        match (value.kind, kind) {
            (Kind::Broken, _) => None,
            (Kind::Nothing, Kind::Name(_)) => Some(Val { kind, lo: 0, hi: i64::MAX, ..value.clone() }),
            (Kind::Nothing, Kind::Bag(layout)) => {
                let none = vec![0; self.program.layouts[usize::from(layout)].fields.len()];
                Some(Val { kind, lo: 0, hi: 0, ..value.clone() }.with_most(none))
            }
            (a, b) if a == b => Some(value.clone()),
            (Kind::Name(a), Kind::Name(b)) => {
                let wanted = self.universes[b].atoms.clone();
                let own = &self.universes[a].atoms;
                let is_known = value.known().is_none_or(|atom| atom == 0 || wanted.contains(&atom));
                if !is_known || !own.iter().any(|atom| wanted.contains(atom)) {
                    return None;
                }
                if !own.iter().all(|atom| wanted.contains(atom)) && value.known().is_none() {
                    let table: Vec<i64> = (0_i64..)
                        .take(self.atoms.len() + 1)
                        .map(|atom| (atom == 0 || wanted.contains(&atom)).into())
                        .collect();
                    let is = self.look_up(table, value.at);
                    let is = self.truth_at(is);
                    self.require(&is, &(0..0), "a name is none of those that are possible here");
                }
                Some(Val { kind, ..value.clone() })
            }
            (Kind::Number, Kind::Name(universe)) => {
                let atoms = self.universes[universe].atoms.clone();
                let find = |number: i64| {
                    let found = atoms
                        .iter()
                        .copied()
                        .find(|&atom| self.atom_of(atom).and_then(|atom| atom.number) == Some(number));
                    found.unwrap_or(0)
                };
                let (lo, hi) = (value.lo.max(-1), value.hi.min(4096));
                if lo < 0 || lo > hi {
                    return None;
                }
                let table: Vec<i64> = (0..=hi).map(find).collect();
                if value.known().is_some_and(|number| find(number) == 0) {
                    return None;
                }
                let at = self.look_up(table, value.at);
                Some(Val::new(at, kind, 0, i64::MAX))
            }
            (Kind::Name(_) | Kind::Number, Kind::Bag(layout)) => {
                let fields = self.program.layouts[usize::from(layout)].fields.clone();
                let of: Vec<i64> = match value.kind {
                    Kind::Name(universe) => self.universes[universe].atoms.clone(),
                    _ => Vec::new(),
                };
                let is_field = |atom: &i64| fields.iter().any(|field| field.atom == *atom);
                let (table, index) = if of.is_empty() {
                    let (lo, hi) = (value.lo.max(0), value.hi.min(4096));
                    if lo > hi {
                        return None;
                    }
                    let unit = |number: i64| {
                        fields.iter().find(|field| {
                            self.atom_of(field.atom).and_then(|atom| atom.number) == Some(number)
                        })
                    };
                    let table: Vec<i64> =
                        (0..=hi).map(|number| unit(number).map_or(0, |field| field.unit())).collect();
                    (table, value.at)
                } else {
                    let is_possible = |atom: i64| atom == 0 || is_field(&atom);
                    if !value.known().map_or_else(|| of.iter().any(is_field), is_possible) {
                        return None;
                    }
                    if value.known().is_none() && !of.iter().all(is_field) {
                        let table = (0_i64..).take(self.atoms.len() + 1).map(|atom| is_possible(atom).into());
                        let is = self.look_up(table.collect(), value.at);
                        let is = self.truth_at(is);
                        self.require(&is, &(0..0), "a face is none of those of this bag");
                    }
                    let unit = |atom: i64| {
                        fields.iter().find(|field| field.atom == atom).map_or(0, |field| field.unit())
                    };
                    ((0_i64..).take(self.atoms.len() + 1).map(unit).collect(), value.at)
                };
                let most: Vec<i64> = fields
                    .iter()
                    .map(|field| match value.known() {
                        Some(atom) if !of.is_empty() => i64::from(field.atom == atom),
                        _ => i64::from(of.is_empty() || of.contains(&field.atom)),
                    })
                    .collect();
                let at = self.look_up(table, index);
                if at == At::Const(0) && value.known() != Some(0) {
                    return None;
                }
                Some(Val::new(at, kind, value.lo.clamp(0, 1), 1).with_most(most))
            }
            (Kind::Bag(from), Kind::Bag(to)) => {
                let (own, other) = (
                    &self.program.layouts[usize::from(from)].fields,
                    &self.program.layouts[usize::from(to)].fields,
                );
                // A bag of faces does not tell which dice show them.
                let is_known = |atom: i64| other.iter().any(|field| field.atom == atom);
                if other.iter().any(|field| field.die != 0) || !own.iter().all(|field| is_known(field.atom)) {
                    return None;
                }
                let most_of = |atom: i64| {
                    let of_all = own.iter().zip(&*value.most).filter(|(field, _)| field.atom == atom);
                    of_all.map(|(_, most)| most).sum::<i64>().min(value.hi)
                };
                let most: Vec<i64> = other.iter().map(|field| most_of(field.atom)).collect();
                if !most.iter().zip(other).all(|(most, field)| *most <= field.most()) {
                    return None;
                }
                let at = self.bag_op(BagOp::Into(to), from, value.at, At::Const(0));
                Some(Val { at, kind, ..value.clone() }.with_most(most))
            }
            _ => None,
        }
    }

    pub(super) fn as_kind_or(&mut self, value: &Val, kind: Kind, span: &Span) -> Option<Val> {
        if value.is_broken() || kind == Kind::Broken {
            return None;
        }
        let checks = self.program.checks.len();
        let found = self.as_kind(value, kind);
        // Checks of names that do not know their place.
        for check in self.program.checks.iter_mut().skip(checks) {
            check.span = span.clone();
        }
        if found.is_none() {
            let (is, wanted) = (value.kind.in_words(), kind.in_words());
            let problem = match (value.kind, kind) {
                (Kind::Bag(own), Kind::Bag(wanted)) => self.other_bag(own, value.hi, wanted, span),
                _ if is == wanted => {
                    Problem::new(span.clone(), format!("this is {is} of another kind than is needed"))
                }
                _ => Problem::new(span.clone(), format!("this is {is}, and {wanted} is needed")),
            };
            self.problem(problem);
        }
        found
    }

    /// The value as a name: a number is the face that shows it.
    pub(super) fn as_name(&mut self, value: &Val, span: &Span) -> Option<Val> {
        match value.kind {
            Kind::Name(_) => Some(value.clone()),
            Kind::Number if value.lo >= 0 && value.hi <= 1000 => {
                let atoms: Vec<i64> = (value.lo..=value.hi).map(|number| self.number_atom(number)).collect();
                let universe = self.universe(atoms, None);
                self.as_kind_or(value, Kind::Name(universe), span).map(|value| Val { lo: 1, ..value })
            }
            Kind::Broken => None,
            kind => {
                self.wrong(span, format!("this is {}, and a name or a face is needed", kind.in_words()));
                None
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

    fn word(&mut self, word: &str, span: &Span) -> Val {
        match word {
            "yes" => return Val::truth(true),
            "no" => return Val::truth(false),
            "none" => return Val::new(At::Const(0), Kind::Nothing, 0, 0),
            "round" => return self.read_round(),
            "me" => {
                return match self.me_value() {
                    Some(me) => me,
                    None => self.broken(span, "there is no `me` here: a round is everybody's"),
                };
            }
            _ => {}
        }
        match self.local(word).cloned() {
            Some(Local::Value(value)) => return value,
            Some(Local::Variable(number)) => return self.variable_value(number, &[], span),
            None => {}
        }
        match self.globals.get(word).cloned() {
            Some((Global::Constant(value) | Global::Bag(value), _)) => value,
            Some((Global::Named(..), _)) => {
                self.broken(span, format!("`{word}` is compared with its values only: `{word} == VALUE`"))
            }
            Some((Global::Atom(atom), _)) => {
                let universe = match self.universes.iter().position(|universe| universe.atoms.contains(&atom))
                {
                    Some(universe) => universe,
                    None => self.universe(vec![atom], None),
                };
                Val::name(atom, universe)
            }
            Some((Global::Names(_), _)) => {
                self.broken(span, format!("`{word}` is names; one of them is needed here"))
            }
            Some((Global::Die(die), _)) => {
                let atom = self.dice[die].atom;
                match self.universes.iter().position(|universe| universe.atoms.contains(&atom)) {
                    Some(universe) => Val::name(atom, universe),
                    None => self.broken(span, format!("`{word}` is a die; `roll` gives its faces")),
                }
            }
            Some((Global::Define(at), _)) => self.defined(at, &[], span),
            Some((Global::Variable(number), _)) => self.variable_value(number, &[], span),
            Some((Global::Steps(_), _)) => {
                self.broken(span, format!("`{word}` is steps: they are put in place by `do {word}`"))
            }
            None => {
                self.unknown(span, "name", word);
                Val::broken()
            }
        }
    }

    /// The value of a variable, of `me` where every player has one.
    pub(super) fn variable_value(&mut self, number: usize, indices: &[(Val, Span)], span: &Span) -> Val {
        match self.own_element(number, indices, span) {
            Some(element) => self.load(number, &element),
            None => Val::broken(),
        }
    }

    /// The element of a variable; of `me` where every player has one and none is named.
    pub(super) fn own_element(&mut self, number: usize, indices: &[(Val, Span)], span: &Span) -> Option<Val> {
        let mut all = indices.to_vec();
        if self.variables[number].is_players {
            let Some(me) = self.me_value() else {
                let message = format!("whose `{}`? A round is everybody's", self.variables[number].name);
                self.problem(
                    Problem::new(span.clone(), message).help("write `p.` before it, in a loop over players"),
                );
                return None;
            };
            all.insert(0, (me, span.clone()));
        }
        self.element(number, &all, span)
    }

    pub(super) fn variable_of(&self, name: &str) -> Option<usize> {
        match self.local(name) {
            Some(Local::Variable(number)) => return Some(*number),
            Some(Local::Value(_)) => return None,
            None => {}
        }
        match self.globals.get(name) {
            Some((Global::Variable(number), _)) => Some(*number),
            _ => None,
        }
    }

    fn indices(&mut self, indices: &[Expr]) -> Option<Vec<(Val, Span)>> {
        let values: Vec<_> =
            indices.iter().map(|index| (self.expression(index), index.span.clone())).collect();
        values.iter().all(|(value, _)| !value.is_broken()).then_some(values)
    }

    fn indexed(&mut self, array: &Expr, indices: &[Expr], span: &Span) -> Val {
        match self.target(array, indices, span) {
            Some((number, element)) => self.load(number, &element),
            None => Val::broken(),
        }
    }

    /// The variable and the element of `x[…]` or `p.x[…]`.
    pub(super) fn target(&mut self, array: &Expr, indices: &[Expr], span: &Span) -> Option<(usize, Val)> {
        let values = self.indices(indices);
        match &array.term {
            Term::Word(name) => {
                let Some(number) = self.variable_of(name) else {
                    if self.globals.contains_key(name) || self.local(name).is_some() {
                        self.wrong(&array.span, format!("`{name}` is no variable with indices"));
                    } else {
                        self.unknown(&array.span, "name", name);
                    }
                    return None;
                };
                let element = self.own_element(number, &values?, span)?;
                Some((number, element))
            }
            Term::Dot(player, name) => {
                let (number, player) = self.player_variable(player, name)?;
                let mut all = vec![(player, array.span.clone())];
                all.extend(values?);
                let element = self.element(number, &all, span)?;
                Some((number, element))
            }
            _ => {
                self.wrong(&array.span, "only variables have indices");
                None
            }
        }
    }

    fn player_variable(&mut self, player: &Expr, name: &Name) -> Option<(usize, Val)> {
        let player = self.expression(player);
        if player.is_broken() {
            return None;
        }
        let number = self.variable_of(&name.text).filter(|&number| self.variables[number].is_by_player());
        let Some(number) = number.filter(|_| player.kind == Kind::Player) else {
            let names: Vec<String> =
                self.variables.iter().filter(|var| var.is_by_player()).map(|var| var.name.clone()).collect();
            let problem = unknown(name.span.clone(), "part", &name.text, names.iter().map(String::as_str));
            self.problem(problem);
            return None;
        };
        Some((number, player))
    }

    fn dot(&mut self, left: &Expr, name: &Name, span: &Span) -> Val {
        if let Term::Word(word) = &left.term
            && let Some((Global::Constant(value), _)) = self.globals.get(&format!("{word}.{}", name.text))
        {
            return value.clone();
        }
        let value = self.expression(left);
        match value.kind {
            Kind::Name(universe) => {
                let Some((a, b)) = self.universes[universe].product else {
                    return self.broken(span, "this name has no parts");
                };
                let is = |at: usize| self.universes[at].name.as_deref() == Some(&name.text);
                let (part, is_first) = if is(a) { (a, true) } else { (b, false) };
                if !is_first && !is(b) {
                    self.unknown(&name.span, "part", &name.text);
                    return Val::broken();
                }
                let pick = |atom: usize| {
                    let pair =
                        atom.checked_sub(1).and_then(|at| self.atoms.get(at)).and_then(|atom| atom.pair);
                    pair.map_or(0, |(one, two)| if is_first { one } else { two })
                };
                let table = (0..=self.atoms.len()).map(pick).collect();
                let at = self.look_up(table, value.at);
                Val::new(at, Kind::Name(part), value.lo, i64::MAX)
            }
            Kind::Pairing => {
                let at = match name.text.as_str() {
                    "one" => self.bin(Bin::And, value.at, At::Const(0xffff)),
                    "two" => self.bin(Bin::Shr, value.at, At::Const(16)),
                    _ => return self.broken(&name.span, "a pairing has `.one` and `.two`"),
                };
                Val::new(at, Kind::Number, value.lo, value.hi)
            }
            Kind::Player => match self.player_variable(left, name) {
                Some((number, player)) => match self.element(number, &[(player, span.clone())], span) {
                    Some(element) => self.load(number, &element),
                    None => Val::broken(),
                },
                None => Val::broken(),
            },
            Kind::Broken => value,
            kind => self.broken(&name.span, format!("{} has no parts", kind.in_words())),
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
                let (a, b) = (self.number(left), self.number(right));
                self.product(&a, &b, span)
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
            self.problem(Problem::new(span.clone(), message).help("give what it is made of narrower ranges"));
        }
        Val::broken()
    }

    fn equal(&mut self, operator: Operator, left: &Expr, right: &Expr, span: &Span) -> Val {
        let is_equal = operator == Operator::Equal;
        for (option, value) in [(left, right), (right, left)] {
            if let (Some((chosen, values)), Term::Word(word)) = (self.named_option(option), &value.term) {
                if !values.contains(word) {
                    let known = values.iter().map(String::as_str);
                    let problem = unknown(value.span.clone(), "value", word, known);
                    self.problem(problem);
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
            Term::Dot(left, name) => match &left.term {
                Term::Word(word) => format!("{word}.{}", name.text),
                _ => return None,
            },
            _ => return None,
        };
        match self.globals.get(&name) {
            Some((Global::Named(chosen, values), _)) => Some((chosen.clone(), values.clone())),
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
                (_, Some((Global::Names(universe), _))) => {
                    let atoms = self.universes[*universe].atoms.clone();
                    let table: Vec<i64> = (0_i64..)
                        .take(self.atoms.len() + 1)
                        .map(|atom| atoms.contains(&atom).into())
                        .collect();
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
        let seats = i64::try_from(self.program.seats).unwrap_or(1);
        let places = i64::try_from(places).unwrap_or(0);
        let table: Vec<i64> = (0..seats).map(|seat| (seat + places) % seats).collect();
        let at = if places == 0 { player.at } else { self.look_up(table, player.at) };
        match at {
            At::Const(seat) => Val::player(usize::try_from(seat).unwrap_or(0)),
            At::Reg(_) => Val::new(at, Kind::Player, 0, seats - 1),
        }
    }
}
