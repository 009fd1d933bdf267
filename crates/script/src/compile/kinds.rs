//! Values as those of another kind: a number as a face, a face as a bag.

use super::Compiler;
use super::value::{At, Kind, Val};
use crate::layout::BagOp;
use crate::problem::{Problem, Span};

impl Compiler<'_> {
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
                    Kind::Bag(_) => problem.help("it is several dice or cards: `size(…)` is how many, `sum(…)` the sum of their numbers, `highest(…)` the highest"),
                    Kind::Name(_) => problem.help("`number(…)` is the number on a face"),
                    _ => problem,
                };
                self.problem(problem);
                None
            }
        }
    }

    /// The value as another kind, if it is one.
    pub(super) fn as_kind(&mut self, value: &Val, kind: Kind) -> Option<Val> {
        match (value.kind, kind) {
            (Kind::Broken, _) => None,
            (Kind::Nothing, Kind::Name(_)) => Some(Val { kind, lo: 0, hi: i64::MAX, ..value.clone() }),
            (Kind::Nothing, Kind::Player) => Some(Val::new(At::Const(-1), kind, -1, -1)),
            (Kind::Nothing, Kind::Bag(layout)) => {
                let none = vec![0; self.fields(layout).len()];
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
                    let table: Vec<i64> =
                        self.each_atom().map(|atom| (atom == 0 || wanted.contains(&atom)).into()).collect();
                    let is = self.look_up(table, value.at);
                    let is = self.truth_at(is);
                    self.require(&is, &(0..0), "a name is none of those that are possible here");
                }
                Some(Val { kind, ..value.clone() })
            }
            (Kind::Number, Kind::Name(universe)) => {
                let atoms = self.universes[universe].atoms.clone();
                let find = |number: i64| {
                    let found = atoms.iter().copied().find(|&atom| self.number_on(atom) == Some(number));
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
                let fields = self.fields(layout).to_vec();
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
                    let unit =
                        |number: i64| fields.iter().find(|field| self.number_on(field.atom) == Some(number));
                    let table: Vec<i64> =
                        (0..=hi).map(|number| unit(number).map_or(0, |field| field.unit())).collect();
                    (table, value.at)
                } else {
                    let is_possible = |atom: i64| atom == 0 || is_field(&atom);
                    if !value.known().map_or_else(|| of.iter().any(is_field), is_possible) {
                        return None;
                    }
                    if value.known().is_none() && !of.iter().all(is_field) {
                        let table = self.each_atom().map(|atom| is_possible(atom).into());
                        let is = self.look_up(table.collect(), value.at);
                        let is = self.truth_at(is);
                        self.require(&is, &(0..0), "a face is none of those of this bag");
                    }
                    let unit = |atom: i64| {
                        fields.iter().find(|field| field.atom == atom).map_or(0, |field| field.unit())
                    };
                    (self.each_atom().map(unit).collect(), value.at)
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
                let (own, other) = (self.fields(from), self.fields(to));
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
                let message = format!("this is {}, and a name or a face is needed", kind.in_words());
                match kind {
                    Kind::Bag(_) => self.advise(
                        span,
                        message,
                        "one die that is rolled without a number, `roll r = red`, is a face; of several `count(…)` and `sum(…)` tell",
                    ),
                    _ => self.wrong(span, message),
                }
                None
            }
        }
    }
}
