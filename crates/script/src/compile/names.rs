//! What names stand for in expressions: values, variables and their elements, parts.

use super::value::{At, Kind, Val};
use super::world::Universe;
use super::{Compiler, Global, Local};
use crate::op::Bin;
use crate::problem::Span;
use crate::syntax::{Expr, Name, Term};

impl Compiler<'_> {
    pub(super) fn word(&mut self, word: &str, span: &Span) -> Val {
        match word {
            "yes" => return Val::truth(true),
            "no" => return Val::truth(false),
            "none" => return Val::new(At::Const(0), Kind::Nothing, 0, 0),
            "round" => return self.read_round(),
            "me" => {
                return match self.me_value() {
                    Some(me) => me,
                    None => self.broken(span, format!("there is no `me` here: {}", self.nobodys())),
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
            Some(Global::Constant(value) | Global::Bag(value)) => value,
            Some(Global::Named(..)) => {
                self.broken(span, format!("`{word}` is compared with its values only: `{word} == VALUE`"))
            }
            Some(Global::Atom(atom)) => {
                let universe = match self.universes.iter().position(|universe| universe.atoms.contains(&atom))
                {
                    Some(universe) => universe,
                    None => self.universe(vec![atom], None),
                };
                Val::name(atom, universe)
            }
            Some(Global::Names(_)) => {
                self.broken(span, format!("`{word}` is names; one of them is needed here"))
            }
            Some(Global::Die(die)) => {
                let atom = self.dice[die].atom;
                match self.universes.iter().position(|universe| universe.atoms.contains(&atom)) {
                    Some(universe) => Val::name(atom, universe),
                    None => self.broken(span, format!("`{word}` is a die; `roll` gives its faces")),
                }
            }
            Some(Global::Define(at)) => self.defined(at, &[], span),
            Some(Global::Variable(number)) => self.variable_value(number, &[], span),
            Some(Global::Steps(_)) => {
                self.broken(span, format!("`{word}` is steps: they are put in place by `do {word}`"))
            }
            None => {
                self.unknown(span, "name", word);
                Val::broken()
            }
        }
    }

    /// Why there is no `me`.
    pub(super) fn nobodys(&self) -> &'static str {
        if self.is_setup { "nobody plays before the first turn" } else { "a round is everybody's" }
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
                let message = format!(
                    "whose `{}` is it? Here is no `me`: {}",
                    self.variables[number].name,
                    self.nobodys()
                );
                self.advise(span, message, "write `p.` before it, in a loop over players");
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
            Some(Global::Variable(number)) => Some(*number),
            _ => None,
        }
    }

    fn indices(&mut self, indices: &[Expr]) -> Option<Vec<(Val, Span)>> {
        let values: Vec<_> =
            indices.iter().map(|index| (self.expression(index), index.span.clone())).collect();
        values.iter().all(|(value, _)| !value.is_broken()).then_some(values)
    }

    pub(super) fn indexed(&mut self, array: &Expr, indices: &[Expr], span: &Span) -> Val {
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
            if player.kind == Kind::Player && self.local(&name.text).is_some() {
                let message = format!("`{}` is one value here, and not one of every player", name.text);
                self.advise(&name.span, message, format!("write `{}` alone", name.text));
                return None;
            }
            let names: Vec<String> =
                self.variables.iter().filter(|var| var.is_by_player()).map(|var| var.name.clone()).collect();
            self.none_of(&name.span, "part", &name.text, names.iter().map(String::as_str));
            return None;
        };
        Some((number, player))
    }

    /// The name of two names together, such as a card of its suit and its rank; with none it is none.
    pub(super) fn pair(&mut self, (a, one): (&Val, usize), (b, two): (&Val, usize), span: &Span) -> Val {
        let all = &self.universes;
        let is_in =
            |part: usize, whole: usize| all[part].atoms.iter().all(|atom| all[whole].atoms.contains(atom));
        let of_both =
            |universe: &&Universe| universe.product.is_some_and(|(a, b)| is_in(one, a) && is_in(two, b));
        let found = all.iter().find(of_both).and_then(|found| Some((found.product?, found.atoms.clone())));
        let Some(((rows, columns), atoms)) = found else {
            self.advise(
                span,
                "there is no name for these two together",
                "declare one for each: `names card = suit * rank`",
            );
            return Val::broken();
        };
        let width = self.universes[columns].atoms.len();
        let mut place = |universe: usize, times: usize, at: At| {
            let own = &self.universes[universe].atoms;
            let places = (0..=self.atoms.len() as i64).map(|atom| {
                let place = own.iter().position(|own| *own == atom).map(|place| place * times);
                place.unwrap_or(atoms.len()) as i64
            });
            let places = places.collect();
            self.look_up(places, at)
        };
        let row = place(rows, width, a.at);
        let column = place(columns, 1, b.at);
        let at = self.bin(Bin::Add, row, column);
        let universe = self.universe(atoms.clone(), None);
        let at = self.look_up(atoms, at);
        Val::new(at, Kind::Name(universe), a.lo.min(b.lo).min(1), i64::MAX)
    }

    pub(super) fn dot(&mut self, left: &Expr, name: &Name, span: &Span) -> Val {
        if let Term::Word(word) = &left.term
            && let Some(Global::Constant(value)) = self.globals.get(&format!("{word}.{}", name.text))
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
            kind => {
                let is_player =
                    matches!(self.local(&name.text), Some(Local::Value(Val { kind: Kind::Player, .. })));
                let own = left.word().filter(|_| is_player);
                let is_everybodys =
                    self.variable_of(&name.text).is_some_and(|number| self.variables[number].is_by_player());
                let message = format!("{} has no parts", kind.in_words());
                let help = match own {
                    Some(own) => format!("of a player write `{}.{own}`", name.text),
                    None if is_everybodys => {
                        format!("only players have `{}`: all of them are `everyone`", name.text)
                    }
                    None => return self.broken(&name.span, message),
                };
                self.advise(&name.span, message, help);
                Val::broken()
            }
        }
    }
}
