//! Rolls and draws.

use super::value::{At, Kind, Val};
use super::world::DieForm;
use super::{Compiler, Global, Local};
use crate::layout::Layout;
use crate::mask::Mask;
use crate::op::{Bin, Cell, NamedKind, Op, Reg, RollEvent, Rolled, Site, SiteForm};
use crate::pool::{HEAVIEST, MOST_PARTS, Pool};
use crate::problem::{Problem, Span};
use crate::syntax::{Block, Expr, Name, RollPart, Term};

/// The most dice of a roll of one kind.
const MOST_DICE: i64 = 60;

/// Equal dice in a roll.
struct Equal {
    /// The part of the roll.
    part: usize,
    /// The first pool, and the most dice of one event.
    pool: u32,
    group: u32,
    many: Val,
    /// The weight of one die.
    weight: u64,
}

impl Compiler<'_> {
    pub(super) fn site(&mut self, form: SiteForm) -> u32 {
        let none = Mask::default();
        let site = Site {
            form,
            resume: 0,
            live: none,
            played: Vec::new(),
            kept: Vec::new(),
            of_candidates: none,
            rank: 0,
            hidden: none,
            rolled: Vec::new(),
            event: None,
        };
        self.program.sites.push(site);
        let number = u32::try_from(self.program.sites.len() - 1).unwrap_or(0);
        self.veiled.remove(&number);
        number
    }

    /// Sets what a roll, a draw or an answer gives: a variable that can be seen, or a new one.
    pub(super) fn give_name(&mut self, name: &Name, value: &Val) {
        match self.variable_of(&name.text) {
            Some(number) if self.variables[number].is_fixed || self.variables[number].name.is_empty() => {
                let fixed = format!("`{}` is a value, and cannot be set", name.text);
                self.wrong(&name.span, fixed);
            }
            Some(number) => {
                self.give_room(number, value);
                if let Some(element) = self.own_element(number, &[], &name.span) {
                    self.store(number, &element, value, &name.span);
                }
            }
            None => {
                let wider = self.wider.get(&name.span.start).filter(|wider| wider.kind == value.kind);
                let whole = wider.map_or_else(|| value.clone(), |wider| value.joined(wider));
                let number = self.let_value(&name.text, &Val { at: value.at, ..whole });
                self.variables[number].is_fixed = false;
                self.given.insert(number, name.span.start);
                self.bind(&name.text, &name.span, Local::Variable(number));
            }
        }
    }

    /// Where the name of a roll is set again to what it had no room for, it has room in the next pass.
    fn give_room(&mut self, number: usize, value: &Val) {
        let Some(&place) = self.given.get(&number) else { return };
        let var = &mut self.variables[number];
        if var.kind != value.kind || !matches!(value.kind, Kind::Number | Kind::Bag(_)) || self.dead > 0 {
            return;
        }
        let before = Val { lo: var.lows[0], hi: var.highs[0], most: var.most.clone(), ..value.clone() };
        let whole = before.joined(value);
        if (before.lo, before.hi, &before.most) != (whole.lo, whole.hi, &whole.most) {
            (var.lows, var.highs, var.most) = (vec![whole.lo], vec![whole.hi], whole.most.clone());
            self.wider.insert(place, whole);
            self.is_wider = true;
        }
    }

    /// What is rolled or drawn may be fewer dice later, where the text takes some out.
    pub(super) fn give_less(&mut self, number: usize, value: &Val) {
        if matches!(value.kind, Kind::Bag(_)) && value.lo < self.variables[number].lows[0] {
            let least = Val { lo: 0, ..value.clone() };
            let var = &self.variables[number];
            let narrow = Val { hi: var.highs[0], ..least }.with_most(var.most.to_vec());
            self.give_room(number, &narrow);
        }
    }

    /// Hands over who rolls, and stops; at most so often a turn.
    fn stop(&mut self, seat: &Val, op: Op) {
        let seat = self.get(seat.at);
        self.emit(Op::Give(0, seat));
        self.tick();
        self.emit(op);
    }

    pub(super) fn tick(&mut self) {
        let op = Op::Tick(self.hidden.steps, self.labels_of.capped);
        self.emit(op);
    }

    fn rolled(&mut self, by: Option<&Expr>, span: &Span) {
        if let Some(seat) = self.player_or_me(by, span) {
            let seat = self.get(seat.at);
            self.emit(Op::Event(1, seat));
        }
    }

    /// The pools of so many of a die, from 1, and the most dice in one event.
    fn pools(&mut self, die: usize, layout: u16, owner: i64) -> (u32, u32) {
        if let Some(known) = self.pools.get(&(die, layout, owner)) {
            return *known;
        }
        let fields = self.program.layouts[usize::from(layout)].fields.clone();
        let faces: Vec<(i64, u64)> = self.dice[die]
            .faces
            .iter()
            .map(|(atoms, weight)| {
                let unit = |atom: &i64| {
                    let field = fields.iter().find(|field| field.atom == *atom && field.die == owner);
                    field.map_or(0, |field| field.unit())
                };
                (atoms.iter().map(unit).sum(), *weight)
            })
            .collect();
        // Equal faces are one face.
        let mut merged: Vec<(i64, u64)> = Vec::new();
        for (unit, weight) in faces {
            match merged.iter_mut().find(|(other, _)| *other == unit) {
                Some((_, sum)) => *sum += weight,
                None => merged.push((unit, weight)),
            }
        }
        let weight: u64 = merged.iter().map(|(_, weight)| weight).sum();
        let room = fields.iter().map(|field| field.most()).min().unwrap_or(1);
        let first = u32::try_from(self.program.pools.len()).unwrap_or(0);
        let mut total = 1;
        let mut group = 0;
        while total * weight <= HEAVIEST && i64::from(group) < room.min(MOST_DICE) && group < 31 {
            total *= weight;
            group += 1;
            self.program.pools.push(Pool::of_dice(&merged, group));
        }
        self.pools.insert((die, layout, owner), (first, group));
        (first, group)
    }

    fn die_of(&self, expr: &Expr) -> Option<usize> {
        match &expr.term {
            Term::Word(word) if self.local(word).is_none() => match self.globals.get(word) {
                Some((Global::Die(die), _)) => Some(*die),
                _ => None,
            },
            _ => None,
        }
    }

    pub(super) fn roll(&mut self, parts: &[RollPart], by: Option<&Expr>, span: &Span) {
        let mut all = Vec::new();
        let mut values = Vec::new();
        for (at, part) in parts.iter().enumerate() {
            let value = match self.die_of(&part.dice) {
                Some(die) => self.equal_dice(part, die, at, &mut all),
                None => self.dice_of_bag(part, at, &mut all),
            };
            values.push(value.unwrap_or_else(Val::broken));
        }
        let seat = self.player_or_me(by, span);
        if let (Some(seat), false) = (seat, values.iter().any(Val::is_broken)) {
            if all.len() > MOST_PARTS {
                self.wrong(span, format!("a roll has at most {MOST_PARTS} kinds of dice"));
                return;
            }
            let named = parts.iter().zip(&values);
            let named = named.filter_map(|(part, value)| Some((part.name.text.clone(), value.kind.named()?)));
            let (first, named) = (self.program.sites.len(), named.collect::<Vec<_>>());
            self.throw(&all, &mut values, &seat, by, span);
            self.program.sites[first..].iter_mut().for_each(|site| site.rolled.clone_from(&named));
        }
        for (part, value) in parts.iter().zip(&values) {
            if value.is_broken() {
                self.bind(&part.name.text, &part.name.span, Local::Value(Val::broken()));
            } else {
                self.give_name(&part.name, value);
            }
        }
    }

    /// `NAME = [EXPR] DIE`.
    fn equal_dice(&mut self, part: &RollPart, die: usize, at: usize, all: &mut Vec<Equal>) -> Option<Val> {
        let Die { weight, universe, form } = self.die(die);
        let Some(many) = &part.many else {
            let (kind, lo, hi) = self.die_kind(die, &part.dice.span)?;
            let faces = self.dice[die].faces.clone();
            let results: Vec<(i64, u64)> = match kind {
                Kind::Bag(layout) => {
                    let layout = self.program.layouts[usize::from(layout)].clone();
                    let sum = |atoms: &Vec<i64>| atoms.iter().map(|atom| layout.unit(*atom)).sum();
                    faces.iter().map(|(atoms, weight)| (sum(atoms), *weight)).collect()
                }
                _ => {
                    let is_number = kind == Kind::Number;
                    let value = |atoms: &Vec<i64>| {
                        let atom = atoms.first().copied().unwrap_or(0);
                        if is_number { self.number_of(atom) } else { atom }
                    };
                    faces.iter().map(|(atoms, weight)| (value(atoms), *weight)).collect()
                }
            };
            let pool = match self.pools.get(&(die, u16::MAX, 0)) {
                Some((pool, _)) => *pool,
                None => {
                    self.program.pools.push(Pool::new(results));
                    let pool = u32::try_from(self.program.pools.len() - 1).unwrap_or(0);
                    self.pools.insert((die, u16::MAX, 0), (pool, 1));
                    pool
                }
            };
            all.push(Equal { part: at, pool, group: 1, many: Val::number(1), weight });
            let most = match kind {
                Kind::Bag(layout) => vec![1; self.program.layouts[usize::from(layout)].fields.len()],
                _ => Vec::new(),
            };
            return Some(Val { at: At::Const(0), kind, lo, hi, most: most.into() });
        };
        let many_value = self.number(many);
        if form == DieForm::Sets {
            self.wrong(&part.dice.span, "a die with several names on a face is rolled alone");
            return None;
        }
        let layout = self.layout_for(universe, &part.dice.span)?;
        let (pool, group) = self.pools(die, layout, 0);
        let many = self.dice_count(&many_value, layout, Err(universe), &many.span)?;
        let (lo, hi) = (many.lo.max(0), many.hi.max(0));
        let most = vec![hi; self.program.layouts[usize::from(layout)].fields.len()];
        all.push(Equal { part: at, pool, group, many, weight });
        Some(Val { at: At::Const(0), kind: Kind::Bag(layout), lo, hi, most: most.into() })
    }

    /// A number of dice that a bag has room for: dice of an owner, or those whose faces are a universe. For these there is room
    /// the next time.
    fn dice_count(&mut self, many: &Val, layout: u16, of: Result<i64, usize>, span: &Span) -> Option<Val> {
        let owner = of.unwrap_or(0);
        let fields =
            self.program.layouts[usize::from(layout)].fields.iter().filter(|field| field.die == owner);
        let room = fields.map(|field| field.most()).min().unwrap_or(0).min(MOST_DICE);
        if many.hi > room {
            if let Err(universe) = of
                && many.hi <= MOST_DICE
                && self.room.get(&universe).is_none_or(|known| *known < many.hi)
            {
                self.room.insert(universe, many.hi);
                self.is_crowded = true;
                return None;
            }
            if self.dead == 0 {
                let problem = Problem::new(
                    span.clone(),
                    format!("this may be {} dice, and {room} is the limit", many.hi),
                );
                self.problem(problem.help("give the number a narrower range"));
            }
            return None;
        }
        Some(if many.lo < 0 { self.check(many, (0, room), span, "the number of dice") } else { many.clone() })
    }

    /// `NAME = BAG`: all dice of a bag, or the one that was drawn or chosen.
    fn dice_of_bag(&mut self, part: &RollPart, at: usize, all: &mut Vec<Equal>) -> Option<Val> {
        let mut bag = self.expression(&part.dice);
        if let Kind::Name(universe) = bag.kind {
            let layout = self.layout_for(universe, &part.dice.span)?;
            bag = self.as_kind(&bag, Kind::Bag(layout))?;
        }
        let Kind::Bag(from) = bag.kind else {
            if !bag.is_broken() {
                let problem = Problem::new(part.dice.span.clone(), "this is no die, and no bag of dice");
                self.problem(problem.help("declare dice: `die d = 1..6`"));
            }
            return None;
        };
        if part.many.is_some() {
            self.wrong(&part.dice.span, "all dice of a bag are rolled; how many is not said");
            return None;
        }
        let kinds = self.program.layouts[usize::from(from)].fields.clone();
        let mut faces: Vec<(i64, i64, i64)> = Vec::new();
        let mut most: Vec<i64> = Vec::new();
        let mut dice = Vec::new();
        for (kind, count) in kinds.iter().zip(&*bag.most) {
            let Some(die) = self.dice.iter().position(|die| die.atom == kind.atom) else {
                self.wrong(&part.dice.span, "this bag does not hold dice");
                return None;
            };
            dice.push(die);
            for &atom in &self.universes[self.dice[die].universe].atoms {
                faces.push((atom, self.number_of(atom), kind.atom));
                most.push((*count).max(1));
            }
        }
        let layout = self.add_layout(Layout::new(&faces, &most), &part.dice.span)?;
        for (kind, (&die, count)) in kinds.iter().zip(dice.iter().zip(&*bag.most)) {
            let (pool, group) = self.pools(die, layout, kind.atom);
            let many = self.bin(Bin::Shr, bag.at, At::Const(kind.shift.into()));
            let many = self.bin(Bin::And, many, At::Const(kind.most()));
            let weight = self.die(die).weight;
            let many = Val { at: many, kind: Kind::Number, lo: 0, hi: *count, most: std::rc::Rc::new([]) };
            all.push(Equal { part: at, pool, group, many, weight });
        }
        Some(Val { at: At::Const(0), kind: Kind::Bag(layout), lo: bag.lo, hi: bag.hi, most: most.into() })
    }

    fn die(&self, die: usize) -> Die {
        let die = &self.dice[die];
        Die {
            weight: die.faces.iter().map(|(_, weight)| weight).sum(),
            universe: die.universe,
            form: die.form,
        }
    }

    /// One event, or where it would be too heavy, one for every group of dice.
    fn throw(&mut self, all: &[Equal], values: &mut [Val], seat: &Val, by: Option<&Expr>, span: &Span) {
        let heaviest = all.iter().fold(1_u64, |product, equal| {
            let many = u32::try_from(equal.many.hi.max(0)).unwrap_or(0);
            product.saturating_mul(equal.weight.saturating_pow(many))
        });
        let is_light =
            heaviest <= HEAVIEST && all.iter().all(|equal| equal.many.hi <= i64::from(equal.group));
        if is_light {
            self.throw_at_once(all, seat);
            for (part, value) in (0_u8..).zip(values.iter_mut()) {
                let d = self.register();
                self.emit(Op::Take(d, part));
                value.at = At::Reg(d);
            }
            self.rolled(by, span);
            return;
        }
        // What has been thrown, and how many dice are left: they outlast the events.
        let high = i64::MAX;
        let sums: Vec<Cell> = values.iter().map(|_| self.new_cells(1, 0, high, false)).collect();
        let rests: Vec<Cell> =
            all.iter().map(|equal| self.hidden_cell(equal.many.hi.max(1), false)).collect();
        let (heavy, end) = (self.label(), self.label());
        let limit = i64::try_from(HEAVIEST).unwrap_or(0) + 1;
        let mut product = At::Const(1);
        for equal in all {
            let powers = |n: i64| {
                let power = equal.weight.saturating_pow(u32::try_from(n).unwrap_or(0));
                if n > i64::from(equal.group) {
                    limit
                } else {
                    i64::try_from(power).unwrap_or(limit).min(limit)
                }
            };
            let weight = self.look_up((0..=equal.many.hi.max(0)).map(powers).collect(), equal.many.at);
            product = self.bin(Bin::Mul, product, weight);
            product = self.bin(Bin::Min, product, At::Const(limit));
        }
        let fits = self.bin(Bin::Lt, product, At::Const(limit));
        let fits = self.truth_at(fits);
        self.jump_unless(&fits, heavy);
        self.throw_at_once(all, seat);
        for (part, &sum) in (0_u8..).zip(&sums) {
            let d = self.register();
            self.emit(Op::Take(d, part));
            self.emit(Op::Store(sum, d));
        }
        self.emit(Op::Jump(end));
        self.place(heavy);
        let zero = self.get(At::Const(0));
        for &sum in &sums {
            self.emit(Op::Store(sum, zero));
        }
        for (equal, &rest) in all.iter().zip(&rests) {
            let many = self.get(equal.many.at);
            self.emit(Op::Store(rest, many));
        }
        for (at, (equal, &rest)) in all.iter().zip(&rests).enumerate() {
            let (top, next) = (self.label(), self.label());
            self.place(top);
            let left = self.load_cell(rest);
            self.emit(Op::JumpUnless(left, next));
            let group = self.bin(Bin::Min, At::Reg(left), At::Const(equal.group.into()));
            let group = self.get(group);
            self.emit(Op::Give(1, group));
            self.keep_thrown(&[(At::Reg(group), equal.group.into())]);
            let seat = self.player_or_me(by, span).unwrap_or_else(|| seat.clone());
            let site =
                self.site(SiteForm::Roll(vec![Rolled { first: equal.pool, many: equal.group, part: 0 }]));
            self.program.sites[site as usize].event =
                Some(RollEvent { part: equal.part, most: equal.group, rests: rests[at..].to_vec() });
            self.stop(&seat, Op::Roll(site));
            let d = self.register();
            self.emit(Op::Take(d, 0));
            let sum = self.load_cell(sums[equal.part]);
            let new = self.bin(Bin::Add, At::Reg(sum), At::Reg(d));
            let new = self.get(new);
            self.emit(Op::Store(sums[equal.part], new));
            let left = self.load_cell(rest);
            let group = self.bin(Bin::Min, At::Reg(left), At::Const(equal.group.into()));
            let new = self.bin(Bin::Sub, At::Reg(left), group);
            let new = self.get(new);
            self.emit(Op::Store(rest, new));
            self.emit(Op::Jump(top));
            self.place(next);
        }
        self.place(end);
        for (value, &sum) in values.iter_mut().zip(&sums) {
            value.at = At::Reg(self.load_cell(sum));
        }
        self.rolled(by, span);
    }

    pub(super) fn load_cell(&mut self, cell: Cell) -> Reg {
        let d = self.register();
        self.emit(Op::Load(d, cell));
        d
    }

    fn throw_at_once(&mut self, all: &[Equal], seat: &Val) {
        let kind = |equal: &Equal| Rolled {
            first: equal.pool,
            many: equal.group,
            part: u8::try_from(equal.part).unwrap_or(0),
        };
        let kinds = all.iter().map(kind).collect();
        for (k, equal) in (1_u8..).zip(all) {
            let many = self.get(equal.many.at);
            self.emit(Op::Give(k, many));
        }
        let given: Vec<(At, i64)> = all.iter().map(|equal| (equal.many.at, equal.many.hi.max(0))).collect();
        self.keep_thrown(&given);
        let site = self.site(SiteForm::Roll(kinds));
        let weight = all.iter().fold(1_i64, |weight, equal| {
            let many = equal.many.hi.clamp(0, equal.group.into());
            let dice =
                i64::try_from(equal.weight).unwrap_or(0).saturating_pow(u32::try_from(many).unwrap_or(0));
            weight.saturating_mul(dice)
        });
        self.ahead.weights.insert(site, weight);
        self.stop(seat, Op::Roll(site));
    }

    /// `roll NAME = chance(EXPR, EXPR)`: yes is the first outcome.
    pub(super) fn chance(&mut self, name: &Name, yes: &Expr, of: &Expr, by: Option<&Expr>) {
        let (a, b) = (self.constant(yes), self.constant(of));
        let heaviest = i64::try_from(HEAVIEST).unwrap_or(0);
        if b < 1 || a < 0 || a > b || b > heaviest {
            self.wrong(&yes.span, format!("{a} of {b} cases is no chance"));
            return;
        }
        let weights = [(1, a.cast_unsigned()), (0, (b - a).cast_unsigned())];
        let pool = Pool::new(weights.into_iter().filter(|(_, weight)| *weight > 0).collect());
        self.program.pools.push(pool);
        let pool = u32::try_from(self.program.pools.len() - 1).unwrap_or(0);
        let Some(seat) = self.player_or_me(by, &name.span) else { return };
        let one = Equal { part: 0, pool, group: 1, many: Val::number(1), weight: b.cast_unsigned() };
        self.throw_at_once(&[one], &seat);
        let d = self.register();
        self.emit(Op::Take(d, 0));
        self.rolled(by, &name.span);
        self.give_name(
            name,
            &Val { at: At::Reg(d), kind: Kind::Truth, lo: 0, hi: 1, most: std::rc::Rc::new([]) },
        );
    }

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
        let target = match &bag.term {
            Term::Word(word) => {
                self.variable_of(word).filter(|number| self.variables[*number].kind == before.kind)
            }
            _ => None,
        };
        let Some(variable) = target else {
            let problem = Problem::new(bag.span.clone(), "what is drawn from is a variable: it becomes less");
            self.problem(problem.help("write `let NAME = BAG in BAG`, and draw from NAME"));
            self.bind(&name.text, &name.span, Local::Value(Val::broken()));
            return;
        };
        let kind = before.kind;
        let size = self.bag_op(crate::op::BagOp::Size, layout, before.at, At::Const(0));
        let size = Val { at: size, kind: Kind::Number, lo: 0, hi: before.hi, most: std::rc::Rc::new([]) };
        let Some(many) = many else {
            let is_some = self.bin(Bin::Lt, At::Const(0), size.at);
            let is_some = self.truth_at(is_some);
            match otherwise {
                None => self.require(&is_some, &bag.span, "the bag from which one is drawn is empty"),
                Some(block) => {
                    let some = self.label();
                    let register = self.get(is_some.at);
                    self.emit(Op::JumpIf(register, some));
                    self.block(block);
                    if !self.leaves(block) {
                        self.must_leave(&name.span);
                    }
                    self.place(some);
                }
            }
            let (face, _) = self.draw_one(variable, layout, bag, by);
            let atoms =
                self.program.layouts[usize::from(layout)].fields.iter().map(|field| field.atom).collect();
            let universe = self.universe(atoms, None);
            self.give_name(
                name,
                &Val {
                    at: face,
                    kind: Kind::Name(universe),
                    lo: 1,
                    hi: i64::MAX,
                    most: std::rc::Rc::new([]),
                },
            );
            return;
        };
        let many_value = self.number(many);
        let (_, hi) = (many_value.lo, many_value.hi.min(before.hi).max(0));
        let wanted = self.bin(Bin::Min, many_value.at, size.at);
        let wanted = self.bin(Bin::Max, wanted, At::Const(0));
        let rest = self.hidden_cell(hi.max(1), false);
        let wanted = self.get(wanted);
        self.emit(Op::Store(rest, wanted));
        let most: Vec<i64> = before.most.iter().map(|most| (*most).min(hi)).collect();
        let none = Val { at: At::Const(0), kind, lo: 0, hi, most: most.clone().into() };
        let drawn = self.let_value("", &none);
        let (top, end) = (self.label(), self.label());
        self.place(top);
        let left = self.load_cell(rest);
        self.emit(Op::JumpUnless(left, end));
        let (_, unit) = self.draw_one(variable, layout, bag, by);
        let first = self.variables[drawn].first;
        let sum = self.load_cell(first);
        let sum = self.bin(Bin::Add, At::Reg(sum), unit);
        let sum = self.get(sum);
        self.emit(Op::Store(first, sum));
        let left = self.load_cell(rest);
        let left = self.bin(Bin::Sub, At::Reg(left), At::Const(1));
        let left = self.get(left);
        self.emit(Op::Store(rest, left));
        self.emit(Op::Jump(top));
        self.place(end);
        let value = self.load_cell(first);
        self.give_name(name, &Val { at: At::Reg(value), kind, lo: 0, hi, most: most.into() });
    }

    /// Takes one out of a bag; gives its name, and the bag of it.
    fn draw_one(&mut self, variable: usize, layout: u16, bag: &Expr, by: Option<&Expr>) -> (At, At) {
        let before = self.variable_value(variable, &[], &bag.span);
        let value = self.get(before.at);
        self.emit(Op::Give(1, value));
        let bits = self.program.layouts[usize::from(layout)].bits();
        self.keep_thrown(&[(before.at, (1 << bits) - 1)]);
        let seat = self.player_or_me(by, &bag.span).unwrap_or_else(|| Val::player(0));
        let site = self.site(SiteForm::Draw(layout));
        // A bag may hold any number up to its most.
        let sizes = 1..=before.hi.clamp(1, 64);
        self.ahead.weights.insert(site, sizes.fold(1, |all, size| super::ends::lcm(all, size).min(1 << 40)));
        self.program.sites[site as usize].rolled = vec![(String::new(), NamedKind::Name)];
        self.stop(&seat, Op::Draw(site));
        let (face, unit) = (self.register(), self.register());
        self.emit(Op::Take(face, 0));
        self.emit(Op::Take(unit, 1));
        let before = self.variable_value(variable, &[], &bag.span);
        let after = self.bin(Bin::Sub, before.at, At::Reg(unit));
        let after = Val { at: after, ..before };
        if let Some(element) = self.own_element(variable, &[], &bag.span) {
            self.store(variable, &element, &after, &bag.span);
        }
        (At::Reg(face), At::Reg(unit))
    }

    pub(super) fn must_leave(&mut self, span: &Span) {
        let problem = Problem::new(span.clone(), "after this `else` there is nothing to go on with");
        self.problem(problem.help("end it by `bust`, `end …`, `again` or `break`"));
    }
}

/// What is needed of a die.
struct Die {
    weight: u64,
    universe: usize,
    form: DieForm,
}
