//! Given functions and definitions.

use super::value::{At, Kind, Val};
use super::world::DieForm;
use super::{Compiler, Global, Local};
use crate::layout::{BagOp, Field};
use crate::op::Bin;
use crate::problem::{Span, quoted};
use crate::syntax::{Expr, Name, Term};

/// The given functions.
pub(crate) const FUNCTIONS: [&str; 18] = [
    "min", "max", "abs", "power", "size", "sum", "count", "highest", "lowest", "alike", "distinct", "run",
    "worth", "dice", "number", "place", "nth", "those",
];

impl Compiler<'_> {
    pub(super) fn call(&mut self, name: &Name, arguments: &[Expr], span: &Span) -> Val {
        if let Some(Global::Define(at)) = self.globals.get(&name.text).cloned() {
            return self.defined(at, arguments, span);
        }
        match name.text.as_str() {
            "chance" if arguments.len() == 2 => {
                let message = "`chance` of two numbers stands alone: `roll NAME = chance(1, 6)`, `see NAME = chance(1, 6)`";
                return self.broken(span, message);
            }
            "chance" | "mean" => {
                return self.broken(span, format!("`{}` is known in `see` and in policies only", name.text));
            }
            "nth" => return self.nth(arguments, span),
            function if self.globals.contains_key(function) || self.local(function).is_some() => {
                return self.broken(
                    &name.span,
                    format!("`{function}` is no function: nothing follows it in brackets"),
                );
            }
            function if !FUNCTIONS.contains(&function) => {
                let visible = self.visible();
                let known = visible.iter().map(String::as_str).chain(FUNCTIONS);
                self.none_of(&name.span, "function", function, known);
                return Val::broken();
            }
            _ => {}
        }
        let Some(values) = self.values(arguments) else { return Val::broken() };
        let wanted = match name.text.as_str() {
            "min" | "max" => values.len().max(1),
            "dice" => values.len().clamp(1, 2),
            "power" | "count" => 2,
            _ => 1,
        };
        if values.len() != wanted {
            return self
                .broken(span, format!("`{}` takes {wanted}, and {} are given", name.text, values.len()));
        }
        match name.text.as_str() {
            "min" | "max" => self.least_or_most(&name.text, &values, arguments),
            "abs" => {
                let Some(a) = self.want_number(&values[0], span) else { return Val::broken() };
                let minus = self.bin(Bin::Mul, a.at, At::Const(-1));
                let at = self.bin(Bin::Max, a.at, minus);
                let lo = if a.lo <= 0 && a.hi >= 0 { 0 } else { a.lo.abs().min(a.hi.abs()) };
                Val::new(at, Kind::Number, lo, a.lo.abs().max(a.hi.abs()))
            }
            "power" => self.power(&values, arguments, span),
            "number" => {
                let Some(face) = self.as_name(&values[0], span) else { return Val::broken() };
                let Kind::Name(universe) = face.kind else { return Val::broken() };
                let numbers: Vec<i64> = self.each_atom().map(|atom| self.number_of(atom)).collect();
                let own = self.universes[universe].atoms.iter().map(|atom| self.number_of(*atom));
                let (lo, hi) = own.fold((0, 0), |(lo, hi), number| (lo.min(number), hi.max(number)));
                let at = self.look_up(numbers, face.at);
                self.ranged_number(at, lo, hi)
            }
            "place" if values[0].kind == Kind::Player => {
                let at = self.bin(Bin::Add, values[0].at, At::Const(1));
                self.ranged_number(at, values[0].lo + 1, values[0].hi + 1)
            }
            "place" => {
                let Some(face) = self.as_name(&values[0], span) else { return Val::broken() };
                let Kind::Name(universe) = face.kind else { return Val::broken() };
                let atoms = self.universes[universe].atoms.clone();
                let lines = self.lines_of_names(universe);
                let place = |atom: i64| {
                    let at = lines.iter().find_map(|names| names.iter().position(|other| *other == atom));
                    at.and_then(|at| i64::try_from(at + 1).ok()).unwrap_or(0)
                };
                if let Some(atom) = atoms.iter().find(|atom| place(**atom) == 0) {
                    let name = usize::try_from(atom - 1).ok().and_then(|at| self.atoms.get(at));
                    let name = name.map_or_else(String::new, |atom| atom.name.clone());
                    self.advise(
                        span,
                        format!("{} stands in no line of names, so that it has no place", quoted(&name)),
                        format!("give it one: `names NAME = …, {name}`"),
                    );
                    return Val::broken();
                }
                let table: Vec<i64> = self.each_atom().map(place).collect();
                let hi = atoms.iter().map(|&atom| place(atom)).max().unwrap_or(0);
                let at = self.look_up(table, face.at);
                self.ranged_number(at, face.lo.clamp(0, 1), hi)
            }
            function => self.bag_function(function, &values, arguments, span),
        }
    }

    /// Names in the order of their own line; of faces that are no line of names, the lines in which they stand. Where none of
    /// them stands in a line, they are one.
    fn lines_of_names(&self, universe: usize) -> Vec<Vec<i64>> {
        let own = &self.universes[universe];
        let names = self.file.names.iter().filter(|_| own.name.is_none());
        let lines = names.filter_map(|names| match self.globals.get(&names.name.text) {
            Some(Global::Names(at)) => Some(self.universes[*at].atoms.clone()),
            _ => None,
        });
        let mut lines: Vec<Vec<i64>> = lines.collect();
        if !lines.iter().flatten().any(|atom| own.atoms.contains(atom)) {
            lines = vec![own.atoms.clone()];
        }
        lines
    }

    fn ranged_number(&mut self, at: At, lo: i64, hi: i64) -> Val {
        match at {
            At::Const(number) => Val::number(number),
            At::Reg(_) => Val::new(at, Kind::Number, lo, hi),
        }
    }

    fn least_or_most(&mut self, name: &str, values: &[Val], arguments: &[Expr]) -> Val {
        let mut result: Option<Val> = None;
        for (value, argument) in values.iter().zip(arguments) {
            let Some(value) = self.want_number(value, &argument.span) else { return Val::broken() };
            result = Some(match result {
                None => value,
                Some(before) => {
                    let bin = if name == "min" { Bin::Min } else { Bin::Max };
                    let (lo, hi) = (bin.apply(before.lo, value.lo), bin.apply(before.hi, value.hi));
                    self.arithmetic(bin, &before, &value, lo, hi)
                }
            });
        }
        result.unwrap_or_else(Val::broken)
    }

    /// The exponent has a small range: a table over it for each known base, else multiplications.
    fn power(&mut self, values: &[Val], arguments: &[Expr], span: &Span) -> Val {
        let (Some(base), Some(exponent)) = (
            self.want_number(&values[0], &arguments[0].span),
            self.want_number(&values[1], &arguments[1].span),
        ) else {
            return Val::broken();
        };
        if exponent.lo < 0 || exponent.hi > 31 {
            return self.broken(&arguments[1].span, "an exponent is from 0 to 31");
        }
        let mut result = Val::number(1);
        let mut power = Val::number(1);
        for n in 1..=exponent.hi {
            power = self.product(&power, &base, span);
            if power.is_broken() {
                return power;
            }
            let is = self.compare(Bin::Le, &Val::number(n), &exponent);
            result = self.choose(&is, span, |_| power.clone(), |_| result.clone());
        }
        result
    }

    fn nth(&mut self, arguments: &[Expr], span: &Span) -> Val {
        let [Expr { term: Term::Word(word), .. }, at] = arguments else {
            return self.broken(span, "`nth(NAMES, NUMBER)` takes names and a number");
        };
        if word == "everyone" {
            let number = self.number(at);
            let number = self.check(&number, (1, self.seats()), &at.span, "the seat");
            let seat = self.bin(Bin::Sub, number.at, At::Const(1));
            return Val::new(seat, Kind::Player, number.lo - 1, number.hi - 1);
        }
        let Some(Global::Names(universe)) = self.globals.get(word).cloned() else {
            self.unknown(span, "names", word);
            return Val::broken();
        };
        let atoms = self.universes[universe].atoms.clone();
        let many = i64::try_from(atoms.len()).unwrap_or(0);
        let number = self.number(at);
        let number = self.check(&number, (1, many), &at.span, "the place");
        let at = self.look_up([0].into_iter().chain(atoms).collect(), number.at);
        Val::new(at, Kind::Name(universe), 1, i64::MAX)
    }

    fn bag_function(&mut self, function: &str, values: &[Val], arguments: &[Expr], span: &Span) -> Val {
        let mut bag = values[0].clone();
        if let Kind::Name(universe) = bag.kind
            && let Some(layout) = self.layout_for(universe, span)
        {
            bag = self.as_kind(&bag, Kind::Bag(layout)).unwrap_or(bag);
        }
        let Kind::Bag(layout) = bag.kind else {
            let message = format!("this is {}, and a bag is needed", bag.kind.in_words());
            return self.broken(&arguments[0].span, message);
        };
        let fields = self.fields(layout).to_vec();
        let numbers = || fields.iter().map(|field| field.number);
        let (low, high) = (numbers().min().unwrap_or(0), numbers().max().unwrap_or(0));
        let kinds = i64::try_from(fields.len()).unwrap_or(0);
        let (op, lo, hi) = match function {
            "count" => return self.count_of(&bag, &values[1], &arguments[1].span),
            "worth" => return self.worth_of(&bag, span),
            "dice" => return self.dice_that_show(&bag, values.get(1), span),
            "size" => (BagOp::Size, bag.lo, bag.hi),
            "sum" => {
                let part = |positive: bool| {
                    let each = fields.iter().zip(&*bag.most).map(|(field, most)| most * field.number);
                    each.filter(|part| (*part > 0) == positive).sum::<i64>()
                };
                (BagOp::Sum, part(false).max(low.min(0) * bag.hi), part(true).min(high.max(0) * bag.hi))
            }
            "highest" => (BagOp::Highest, if bag.lo > 0 { low } else { low.min(0) }, high.max(0)),
            "lowest" => (BagOp::Lowest, if bag.lo > 0 { low } else { low.min(0) }, high.max(0)),
            "alike" => (BagOp::Alike, bag.lo.clamp(0, 1), bag.hi),
            "distinct" => (BagOp::Distinct, bag.lo.clamp(0, 1), kinds.min(bag.hi)),
            _ => (BagOp::Run, bag.lo.clamp(0, 1), kinds.min(bag.hi)),
        };
        let at = match bag.at {
            At::Const(bag) => At::Const(self.program.bag(op, layout, bag, 0)),
            At::Reg(_) => self.bag_op(op, layout, bag.at, At::Const(0)),
        };
        let value = self.ranged_number(at, lo, hi);
        self.fits(value, span)
    }

    /// `dice(rolled)`, or `dice(rolled, face)`.
    fn dice_that_show(&mut self, bag: &Val, face: Option<&Val>, span: &Span) -> Val {
        let Kind::Bag(layout) = bag.kind else { return Val::broken() };
        let fields = self.fields(layout).to_vec();
        let mut dice: Vec<i64> = Vec::new();
        for field in fields.iter().filter(|field| field.die != 0) {
            if !dice.contains(&field.die) {
                dice.push(field.die);
            }
        }
        if dice.is_empty() {
            self.advise(
                span,
                "these dice did not come from a bag of dice",
                "`dice(…)` is for dice of several kinds; of one kind `size(…)` and `count(…)` say how many",
            );
            return Val::broken();
        }
        // The declared universe with these dice, so that they fit variables of its bags.
        let known =
            self.universes.iter().position(|universe| dice.iter().all(|die| universe.atoms.contains(die)));
        let universe = known.unwrap_or_else(|| self.universe(dice.clone(), None));
        let Some(to) = self.layout_for(universe, span) else { return Val::broken() };
        let Some(face) = face else { return self.dice_in(bag, (layout, to), span) };
        let Some(face) = self.as_name(face, span) else { return Val::broken() };
        let most: Vec<i64> = self
            .fields(to)
            .iter()
            .map(|die| {
                let shown = fields.iter().zip(&*bag.most).filter(|(field, _)| field.die == die.atom);
                shown.map(|(_, most)| *most).max().unwrap_or(0)
            })
            .collect();
        let at = self.bag_op(BagOp::Dice(to), layout, bag.at, face.at);
        Val { at, kind: Kind::Bag(to), lo: 0, hi: bag.hi, most: most.into() }
    }

    /// All dice of a bag of what dice show.
    fn dice_in(&mut self, bag: &Val, (layout, to): (u16, u16), span: &Span) -> Val {
        let fields = self.fields(layout).to_vec();
        let dice = self.fields(to).to_vec();
        let most = |die: &Field| {
            let shown = fields.iter().zip(&*bag.most).filter(|(field, _)| field.die == die.atom);
            shown.map(|(_, most)| most).sum::<i64>().min(bag.hi)
        };
        let most: Vec<i64> = dice.iter().map(most).collect();
        if most.iter().zip(&dice).any(|(most, die)| *most > die.most()) {
            return self.broken(span, "these may be more dice than there is room for");
        }
        let mut faces: Vec<i64> = fields.iter().map(|field| field.atom).collect();
        faces.sort_unstable();
        faces.dedup();
        let mut at = At::Const(0);
        for face in faces {
            let those = self.bag_op(BagOp::Dice(to), layout, bag.at, At::Const(face));
            at = self.bin(Bin::Add, at, those);
        }
        Val { at, kind: Kind::Bag(to), lo: bag.lo, hi: bag.hi, most: most.into() }
    }

    /// The values of arguments; `None` if there is a mistake in one.
    fn values(&mut self, arguments: &[Expr]) -> Option<Vec<Val>> {
        let values: Vec<Val> = arguments.iter().map(|argument| self.expression(argument)).collect();
        (!values.iter().any(Val::is_broken)).then_some(values)
    }

    /// A definition, put in place.
    pub(super) fn defined(&mut self, at: usize, arguments: &[Expr], span: &Span) -> Val {
        let define = &self.file.defines[at];
        let name = &define.name.text;
        if self.calls.contains(name) {
            return self.broken(span, format!("`{name}` uses itself"));
        }
        if define.parameters.len() != arguments.len() {
            let (wanted, given) = (define.parameters.len(), arguments.len());
            return self.broken(span, format!("`{name}` takes {wanted}, and {given} are given"));
        }
        let Some(values) = self.values(arguments) else { return Val::broken() };
        // A definition sees what is declared, and its own parameters, and the locals where it is used.
        let locals = self.locals.len();
        let scope = std::mem::replace(&mut self.scope, locals);
        for (parameter, value) in define.parameters.iter().zip(values) {
            self.check_word(&parameter.text, &parameter.span);
            self.locals.push((parameter.text.clone(), Local::Value(value)));
        }
        self.calls.push(name.clone());
        let result = self.rows(&define.lines, span);
        self.calls.pop();
        self.scope = scope;
        self.locals.truncate(locals);
        result
    }

    fn rows(&mut self, lines: &[(Option<Expr>, Expr)], span: &Span) -> Val {
        match lines {
            [] => Val::broken(),
            [(None, value), ..] | [(_, value)] => self.expression(value),
            [(Some(condition), value), rest @ ..] => {
                let condition = self.condition(condition);
                if condition.is_broken() {
                    return condition;
                }
                self.choose(&condition, span, |c| c.expression(value), |c| c.rows(rest, span))
            }
        }
    }

    /// The values that one die shows, as a roll gives them.
    pub(super) fn die_kind(&mut self, die: usize, span: &Span) -> Option<(Kind, i64, i64)> {
        let die = self.dice[die].clone();
        Some(match die.form {
            DieForm::Numbers(lo, hi) => (Kind::Number, lo, hi),
            DieForm::Names => (Kind::Name(die.universe), 1, i64::MAX),
            DieForm::Sets => {
                let most = die.faces.iter().map(|(names, _)| names.len()).max().unwrap_or(0);
                (Kind::Bag(self.layout_for(die.universe, span)?), 1, i64::try_from(most).unwrap_or(0))
            }
        })
    }
}
