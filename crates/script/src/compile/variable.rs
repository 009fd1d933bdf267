//! Variables: their cells, their ranges, and their indices.

use std::rc::Rc;

use super::value::{At, Kind, Val};
use super::{CellInfo, Compiler, Global, Local};
use crate::layout::BagOp;
use crate::op::{Bin, Cell, Op};
use crate::problem::{Problem, Span};
use crate::syntax::{Domain, Name, Variable};

/// The most values of an array.
const MOST_CELLS: usize = 2048;

/// A variable.
#[derive(Clone, Debug)]
pub(super) struct Var {
    pub(super) name: String,
    pub(super) kind: Kind,
    pub(super) dims: Vec<Dim>,
    pub(super) first: Cell,
    /// The range of every element.
    pub(super) lows: Vec<i64>,
    pub(super) highs: Vec<i64>,
    /// Of a bag, the most of every face.
    pub(super) most: Rc<[i64]>,
    /// Whether every player has one.
    pub(super) is_players: bool,
    /// Whether it can be set: a number has a range then.
    pub(super) is_fixed: bool,
    pub(super) unit: String,
    pub(super) meaning: String,
}

/// An index of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dim {
    Player(usize),
    /// From the least, so many.
    Number(i64, usize),
    /// Of a universe, so many.
    Names(usize, usize),
}

impl Dim {
    fn len(self) -> usize {
        match self {
            Self::Player(len) | Self::Number(_, len) | Self::Names(_, len) => len,
        }
    }
}

impl Var {
    pub(super) fn len(&self) -> usize {
        self.dims.iter().map(|dim| dim.len()).product()
    }

    /// Whether its first index is a player.
    pub(super) fn is_by_player(&self) -> bool {
        matches!(self.dims.first(), Some(Dim::Player(_)))
    }
}

/// The bits of a number from 0.
pub(super) fn bits(most: i64) -> u32 {
    64 - most.max(0).leading_zeros()
}

/// What is added to the stored number of a variable that is always set before it is read: 0 where that takes no more bits.
pub(super) fn base(low: i64, high: i64) -> i64 {
    if low > 0 && bits(high) == bits(high - low) { 0 } else { low }
}

impl Compiler<'_> {
    /// New cells in a row.
    pub(super) fn new_cells(&mut self, len: usize, low: i64, high: i64, is_memory: bool) -> Cell {
        let first = Cell::try_from(self.cells.len()).unwrap_or(0);
        let range = high.saturating_sub(low);
        let info = CellInfo { bits: bits(range), low, values: range.saturating_add(1), is_memory };
        self.cells.extend((0..len).map(|_| info));
        first
    }

    /// A variable of the machinery.
    pub(super) fn hidden_cell(&mut self, high: i64, is_memory: bool) -> Cell {
        self.new_cells(1, 0, high, is_memory)
    }

    /// The dimensions of a variable.
    fn dims(&mut self, variable: &Variable, is_players: bool) -> Option<Vec<Dim>> {
        let mut dims = Vec::new();
        if is_players {
            dims.push(Dim::Player(self.program.seats));
        }
        for (_, domain) in &variable.indices {
            let dim = match domain {
                Domain::Range(from, to) => {
                    let (low, high) = (self.constant(from), self.constant(to));
                    let len = usize::try_from(high - low + 1).unwrap_or(0);
                    if len == 0 || len > MOST_CELLS {
                        self.wrong(&domain.span(), format!("{low}..{high} is no range of an index"));
                        return None;
                    }
                    Dim::Number(low, len)
                }
                Domain::List(items) => {
                    let word = if let [item] = &items[..] { item.word().unwrap_or_default() } else { "" };
                    match self.globals.get(word) {
                        _ if word == "everyone" => Dim::Player(self.program.seats),
                        Some(Global::Names(universe)) => {
                            Dim::Names(*universe, self.universes[*universe].atoms.len())
                        }
                        Some(Global::Die(die)) => {
                            let universe = self.dice[*die].universe;
                            Dim::Names(universe, self.universes[universe].atoms.len())
                        }
                        _ => {
                            self.advise(
                                &domain.span(),
                                "this is no index",
                                "an index is in numbers `1..6`, in names, or in `everyone`",
                            );
                            return None;
                        }
                    }
                }
            };
            dims.push(dim);
        }
        Some(dims)
    }

    /// The values of an index, in order.
    fn index_values(&mut self, dim: Dim) -> Vec<Val> {
        match dim {
            Dim::Player(len) => (0..len).map(Val::player).collect(),
            Dim::Number(low, len) => (low..).take(len).map(Val::number).collect(),
            Dim::Names(universe, _) => {
                let atoms = self.universes[universe].atoms.clone();
                atoms.into_iter().map(|atom| Val::name(atom, universe)).collect()
            }
        }
    }

    /// Declares a variable, with instructions that give it its first value. Returns its number.
    pub(super) fn new_variable(&mut self, variable: &Variable, is_players: bool) -> Option<usize> {
        let dims = self.dims(variable, is_players)?;
        let len: usize = dims.iter().map(|dim| dim.len()).product();
        if len > MOST_CELLS {
            self.wrong(
                &variable.name.span,
                format!("`{}` has more than {MOST_CELLS} values", variable.name.text),
            );
            return None;
        }
        // The names of indices, with every combination of their values.
        let names: Vec<Option<Name>> = dims
            .iter()
            .enumerate()
            .map(|(at, _)| {
                let at = at.checked_sub(usize::from(is_players))?;
                variable.indices.get(at)?.0.clone()
            })
            .collect();
        let values: Vec<Vec<Val>> = dims.iter().map(|&dim| self.index_values(dim)).collect();
        let uses_index = names.iter().any(Option::is_some);
        let mut var = Var {
            name: variable.name.text.clone(),
            kind: Kind::Broken,
            dims,
            first: 0,
            lows: Vec::new(),
            highs: Vec::new(),
            most: Rc::new([]),
            is_players,
            is_fixed: false,
            unit: variable.words.unit.clone().unwrap_or_default(),
            meaning: variable.words.meaning.clone().unwrap_or_default(),
        };
        let mut firsts = Vec::new();
        let me = self.me.clone();
        for at in 0..len {
            let locals = self.locals.len();
            let mut rest = at;
            for (name, values) in names.iter().zip(&values).rev() {
                let value = values[rest % values.len()].clone();
                rest /= values.len();
                if let Some(name) = name {
                    if at == 0 {
                        self.bind(&name.text, &name.span, Local::Value(value));
                    } else {
                        self.locals.push((name.text.clone(), Local::Value(value)));
                    }
                }
            }
            if at == 0 || uses_index {
                let value = self.expression(&variable.value);
                let ranged = self.ranged(variable, &value);
                self.locals.truncate(locals);
                let (value, low, high) = ranged?;
                if at == 0 {
                    (var.kind, var.most) = (value.kind, value.most.clone());
                    var.is_fixed = value.kind == Kind::Number && variable.range.is_none();
                }
                var.lows.push(low);
                var.highs.push(high);
                firsts.push(value.at);
            } else {
                self.locals.truncate(locals);
                var.lows.push(var.lows[0]);
                var.highs.push(var.highs[0]);
                firsts.push(firsts[0]);
            }
        }
        self.me = me;
        let low = var.lows.iter().copied().min().unwrap_or(0);
        let high = var.highs.iter().copied().max().unwrap_or(0);
        let low = if matches!(var.kind, Kind::Number | Kind::Player) { low } else { 0 };
        let high = self.highest(var.kind, high);
        var.first = self.new_cells(len, base(low, high), high, false);
        (var.first..).zip(firsts).for_each(|(cell, at)| self.store_cell(cell, at));
        self.variables.push(var);
        Some(self.variables.len() - 1)
    }

    /// The greatest number that a cell of a kind holds, given that of numbers.
    pub(super) fn highest(&self, kind: Kind, number: i64) -> i64 {
        match kind {
            Kind::Truth => 1,
            Kind::Player => self.seats() - 1,
            Kind::Name(_) => i64::try_from(self.atoms.len()).unwrap_or(0),
            Kind::Bag(layout) => self.layout(layout).mask(),
            Kind::Pairing => i64::from(i32::MAX),
            _ => number,
        }
    }

    /// The first value as the kind of the variable, with its range.
    fn ranged(&mut self, variable: &Variable, value: &Val) -> Option<(Val, i64, i64)> {
        let what = format!("`{}`", variable.name.text);
        let Some(range) = &variable.range else {
            if value.kind == Kind::Nothing {
                self.advise(
                    &variable.value.span,
                    format!("of what is {what} none?"),
                    "say in what names or bag it is: `= none in NAMES`",
                );
                return None;
            }
            return (!value.is_broken()).then(|| self.unranged(value));
        };
        match range {
            Domain::Range(from, to) => {
                let (low, high) = (self.constant(from), self.constant(to));
                if low > high || low < i64::from(i32::MIN) || high > i64::from(i32::MAX) {
                    self.wrong(&range.span(), format!("{low}..{high} is no range"));
                    return None;
                }
                let value = self.want_number(value, &variable.value.span)?;
                let value = self.check(&value, (low, high), &variable.value.span, &what);
                Some((Val { lo: low, hi: high, ..value }, low, high))
            }
            Domain::List(items) => {
                let [item] = &items[..] else {
                    self.wrong(&range.span(), "a variable is in a range, in names, or in a bag");
                    return None;
                };
                let word = item.word().unwrap_or_default();
                match self.globals.get(word).cloned() {
                    Some(Global::Names(universe)) => {
                        let value = self.as_kind_or(value, Kind::Name(universe), &variable.value.span)?;
                        Some((Val { lo: 0, ..value }, 0, i64::MAX))
                    }
                    Some(Global::Bag(bag)) => {
                        let value = self.as_kind_or(value, bag.kind, &variable.value.span)?;
                        self.within(&value, &bag, &variable.value.span, &what);
                        Some((Val { lo: 0, hi: bag.hi, most: bag.most.clone(), ..value }, 0, bag.hi))
                    }
                    None if word == "everyone" => {
                        let value = self.as_kind_or(value, Kind::Player, &variable.value.span)?;
                        let (least, most) = (value.lo.min(0), self.seats() - 1);
                        Some((Val { lo: least, hi: most, ..value }, least, most))
                    }
                    global => {
                        // `in d`, or `in 5 d`.
                        let unit =
                            variable.words.unit.as_ref().and_then(|unit| self.globals.get(unit).cloned());
                        let die = match (global, unit) {
                            (Some(Global::Die(die)), _) | (None, Some(Global::Die(die))) => Some(die),
                            _ => None,
                        };
                        let help = match die.map(|die| self.universes[self.dice[die].universe].atoms.clone())
                        {
                            Some(faces) => {
                                let many = if word.is_empty() { self.constant(item) } else { 1 };
                                let declared = self.faces_in_words(faces.into_iter(), many);
                                format!("what dice show is held by a bag of faces: declare {declared}")
                            }
                            None => "a number is in `LEAST..MOST`, a name in names, a bag in a bag, a player in `everyone`".into(),
                        };
                        self.advise(&item.span, "this is no range", help);
                        None
                    }
                }
            }
        }
    }

    /// What changes without a range: everything but numbers, over all that its kind has.
    fn unranged(&self, value: &Val) -> (Val, i64, i64) {
        let (lo, hi) = match value.kind {
            Kind::Truth => (0, 1),
            Kind::Name(_) => (0, i64::MAX),
            Kind::Player => (value.lo.min(0), self.seats() - 1),
            Kind::Bag(layout) => {
                let fields = self.fields(layout);
                let most: Vec<i64> = fields.iter().map(|field| field.most()).collect();
                let hi = most.iter().sum();
                return (value.clone().with_most(most), 0, hi);
            }
            _ => (value.lo, value.hi),
        };
        (value.clone(), lo, hi)
    }

    /// Ends the run unless a bag is within another.
    pub(super) fn within(&mut self, value: &Val, limit: &Val, span: &Span, what: &str) {
        let (Kind::Bag(layout), true) = (value.kind, value.kind == limit.kind) else { return };
        if value.most.iter().zip(&*limit.most).all(|(a, b)| a <= b) {
            return;
        }
        let is = self.bag_op(BagOp::Within, layout, value.at, limit.at);
        let is = self.truth_at(is);
        self.require(&is, span, &format!("{what} holds more than its bag"));
    }

    /// Ends the run where a player is none.
    pub(super) fn somebody(&mut self, player: &Val, span: &Span) {
        if player.lo < 0 {
            let is = self.compare(Bin::Le, &Val::player(0), player);
            self.require(&is, span, "a player is needed, and this is `none`");
        }
    }

    /// Refuses to set a player variable to none that does not begin so.
    fn never_none(&mut self, value: &Val, span: &Span, what: &str) {
        if value.hi < 0 && self.dead == 0 {
            let help = "a variable that may be `none` begins so: `= none in everyone`";
            self.advise(span, format!("{what} is always a player"), help);
        } else {
            self.somebody(value, span);
        }
    }

    /// The position of an index, checked.
    fn position(&mut self, dim: Dim, index: &Val, span: &Span, what: &str) -> Option<Val> {
        let most = i64::try_from(dim.len()).unwrap_or(1) - 1;
        let what = format!("the index of {what}");
        match (dim, index.kind) {
            (_, Kind::Broken) => None,
            (Dim::Player(_), Kind::Player) => {
                self.somebody(index, span);
                Some(Val { kind: Kind::Number, lo: 0, hi: most, ..index.clone() })
            }
            (Dim::Number(low, _), Kind::Number) => {
                let index = self.check(index, (low, low + most), span, &what);
                let at = self.bin(Bin::Sub, index.at, At::Const(low));
                Some(Val::new(at, Kind::Number, index.lo - low, index.hi - low))
            }
            (Dim::Names(universe, _), Kind::Name(_) | Kind::Number) => {
                let index = self.as_name(index, span)?;
                let Kind::Name(of) = index.kind else { return None };
                let mut table = vec![-1; self.atoms.len() + 1];
                for (at, &atom) in (0..).zip(&self.universes[universe].atoms) {
                    table[usize::try_from(atom).unwrap_or(0)] = at;
                }
                let is_in = |&atom: &i64| usize::try_from(atom).is_ok_and(|atom| table[atom] >= 0);
                let is_sure = index.lo > 0 && self.universes[of].atoms.iter().all(is_in);
                let at = self.look_up(table, index.at);
                let (low, high) = match at {
                    At::Const(at) => (at, at),
                    At::Reg(_) => (if is_sure { 0 } else { -1 }, most),
                };
                let position = Val::new(at, Kind::Number, low, high);
                Some(self.check(&position, (0, most), span, &what))
            }
            _ => {
                let wanted = match dim {
                    Dim::Player(_) => "a player",
                    Dim::Number(..) => "a number",
                    Dim::Names(..) => "a name",
                };
                self.wrong(span, format!("{what} is {}, and {wanted} is needed", index.kind.in_words()));
                None
            }
        }
    }

    /// The number of an element: what of the cells in a row it is.
    pub(super) fn element(&mut self, number: usize, indices: &[(Val, Span)], span: &Span) -> Option<Val> {
        let var = self.variables[number].clone();
        let what = format!("`{}`", var.name);
        let mut left = indices.iter();
        let mut whole = Val::number(0);
        for &dim in &var.dims {
            let missing = |compiler: &mut Self| {
                let many = var.dims.len() - usize::from(var.is_players);
                let indices = if many == 1 { "an index" } else { "indices" };
                let problem = Problem::new(span.clone(), format!("{what} has {indices}, and this has fewer"));
                compiler.problem(match var.is_by_player() && many == 1 {
                    true => problem
                        .help(format!("whose? `p.{0}`, or `me.{0}` for the player looked at", var.name)),
                    false => problem.help(format!("an element is written `{}[…]`", var.name)),
                });
            };
            let Some((index, place)) = left.next() else {
                missing(self);
                return None;
            };
            let product = match dim {
                Dim::Names(universe, _) => self.universes[universe].product,
                _ => None,
            };
            let is_pair = product.is_some_and(|(a, _)| {
                let Kind::Name(of) = index.kind else { return false };
                of == a || self.universes[of].product.is_none()
            });
            let position = match product.filter(|_| is_pair) {
                Some((a, b)) => {
                    let (one, two) =
                        (Dim::Names(a, self.universes[a].atoms.len()), self.universes[b].atoms.len());
                    let Some((second, second_place)) = left.next() else {
                        missing(self);
                        return None;
                    };
                    let first = self.position(one, index, place, &what)?;
                    let second = self.position(Dim::Names(b, two), second, second_place, &what)?;
                    self.row_major(&first, two, &second)
                }
                None => self.position(dim, index, place, &what)?,
            };
            whole = self.row_major(&whole, dim.len(), &position);
        }
        if left.next().is_some() {
            self.wrong(span, format!("{what} has fewer indices"));
            return None;
        }
        Some(whole)
    }

    fn row_major(&mut self, row: &Val, len: usize, column: &Val) -> Val {
        let len = i64::try_from(len).unwrap_or(1);
        let at = self.bin(Bin::Mul, row.at, At::Const(len));
        let at = self.bin(Bin::Add, at, column.at);
        Val::new(at, Kind::Number, row.lo * len + column.lo, row.hi * len + column.hi)
    }

    /// The range of an element.
    fn range_of(var: &Var, element: &Val) -> (i64, i64) {
        let all = 0..var.len();
        let known = element.known().and_then(|at| usize::try_from(at).ok()).filter(|at| all.contains(at));
        match known {
            Some(at) => (var.lows[at], var.highs[at]),
            None => {
                (var.lows.iter().copied().min().unwrap_or(0), var.highs.iter().copied().max().unwrap_or(0))
            }
        }
    }

    /// The value of a variable.
    pub(super) fn load(&mut self, number: usize, element: &Val) -> Val {
        let var = self.variables[number].clone();
        let (lo, hi) = Self::range_of(&var, element);
        let d = self.register();
        match element.at {
            At::Const(at) => self.emit(Op::Load(d, var.first + u32::try_from(at).unwrap_or(0))),
            At::Reg(i) => self.emit(Op::LoadAt(d, var.first, u32::try_from(var.len()).unwrap_or(1), i)),
        }
        Val::new(At::Reg(d), var.kind, lo, hi).with_most(var.most)
    }

    /// Sets a variable to any value, checked.
    pub(super) fn store(&mut self, number: usize, element: &Val, value: &Val, span: &Span) {
        self.moved(number, true, true);
        self.set(number, element, value, None, span);
    }

    /// Sets a variable, checked; the value may be the sum of what it was and of something that is not negative.
    pub(super) fn set(
        &mut self,
        number: usize,
        element: &Val,
        value: &Val,
        sum: Option<(At, At)>,
        span: &Span,
    ) {
        let var = self.variables[number].clone();
        let what = format!("`{}`", var.name);
        let Some(mut value) = self.as_kind_or(value, var.kind, span) else { return };
        match var.kind {
            Kind::Number => {
                let (low, high) = Self::range_of(&var, element);
                value = self.check_sum(&value, sum, (low, high), span, &what);
                if let (At::Reg(_), true) = (
                    element.at,
                    var.lows.iter().chain(&var.highs).any(|bound| *bound != low && *bound != high),
                ) {
                    let low = self.look_up(var.lows.clone(), element.at);
                    let high = self.look_up(var.highs.clone(), element.at);
                    let (low, high) = (self.bin(Bin::Le, low, value.at), self.bin(Bin::Le, value.at, high));
                    let is = self.bin(Bin::And, low, high);
                    let is = self.truth_at(is);
                    self.require(&is, span, &format!("{what} leaves its range"));
                }
            }
            Kind::Bag(layout) => {
                let fields = self.fields(layout);
                let limit = fields.iter().zip(&*var.most).map(|(field, most)| most << field.shift).sum();
                let limit = Val::new(At::Const(limit), var.kind, 0, var.highs[0]).with_most(var.most.clone());
                self.within(&value, &limit, span, &what);
                if value.hi.min(limit.most.iter().sum()) > limit.hi {
                    let size = self.bag_op(BagOp::Size, layout, value.at, At::Const(0));
                    let size = Val::new(size, Kind::Number, 0, value.hi);
                    let _ = self.check(&size, (0, limit.hi), span, &format!("the size of {what}"));
                }
            }
            Kind::Player if var.lows[0] == 0 => self.never_none(&value, span, &what),
            _ => {}
        }
        let register = self.get(value.at);
        match element.at {
            At::Const(at) => self.emit(Op::Store(var.first + u32::try_from(at).unwrap_or(0), register)),
            At::Reg(i) => {
                self.emit(Op::StoreAt(var.first, u32::try_from(var.len()).unwrap_or(1), i, register));
            }
        }
    }

    /// A new variable with one value, that is set to `value`.
    pub(super) fn let_value(&mut self, name: &str, value: &Val) -> usize {
        let high = self.highest(value.kind, value.hi);
        let low = if value.kind == Kind::Number { value.lo } else { 0 };
        let first = self.new_cells(1, base(low, high), high, false);
        self.variables.push(Var {
            name: name.to_owned(),
            kind: value.kind,
            dims: Vec::new(),
            first,
            lows: vec![value.lo],
            highs: vec![value.hi],
            most: value.most.clone(),
            is_players: false,
            is_fixed: value.kind == Kind::Number,
            unit: String::new(),
            meaning: String::new(),
        });
        self.store_cell(first, value.at);
        self.variables.len() - 1
    }
}
