//! Rolls and draws.

use super::value::{At, Kind, Val};
use super::world::DieForm;
use super::{Compiler, Global, Local};
use crate::layout::Layout;
use crate::mask::Mask;
use crate::op::{Bin, Cell, NamedKind, Op, RollEvent, Rolled, Site, SiteForm};
use crate::pool::{HEAVIEST, MOST_PARTS, Pool};
use crate::problem::Span;
use crate::syntax::{Expr, Name, RollPart};

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
            is_of_all: false,
            event: None,
            is_mine: false,
            certain: Vec::new(),
        };
        self.program.sites.push(site);
        let number = u32::try_from(self.program.sites.len() - 1).unwrap_or(0);
        self.veiled.remove(&number);
        number
    }

    /// What is rolled or drawn at the stops from one on, and whether that is done for all together.
    pub(super) fn tell_rolled(&mut self, first: usize, rolled: &[(String, NamedKind)], by: Option<&Expr>) {
        let has_me = self.me.is_some() || self.program.seats == 1;
        let is_of_all = by.is_none() && !has_me && (self.program.is_round || self.is_setup);
        for site in &mut self.program.sites[first..] {
            site.rolled = rolled.to_vec();
            site.is_of_all = is_of_all;
        }
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
    pub(super) fn stop(&mut self, seat: &Val, op: Op) {
        self.give(0, seat.at);
        self.tick();
        self.emit(op);
    }

    pub(super) fn tick(&mut self) {
        let op = Op::Tick(self.hidden.steps, self.labels_of.capped);
        self.emit(op);
    }

    /// Counts a roll; in a game without dice, a draw.
    pub(super) fn rolled(&mut self, by: Option<&Expr>, span: &Span) {
        if let Some(seat) = self.player_or_me(by, span) {
            self.event(1, seat.at);
        }
    }

    /// The pools of so many of a die, from 1, and the most dice in one event.
    fn pools(&mut self, die: usize, layout: u16, owner: i64) -> (u32, u32) {
        if let Some(known) = self.pools.get(&(die, layout, owner)) {
            return *known;
        }
        let fields = self.fields(layout).to_vec();
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
        let word = expr.word().filter(|word| self.local(word).is_none())?;
        match self.globals.get(word) {
            Some(Global::Die(die)) => Some(*die),
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
            self.tell_rolled(first, &named, by);
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
                    let layout = self.layout(layout).clone();
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
                Kind::Bag(layout) => vec![1; self.fields(layout).len()],
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
        let most = vec![hi; self.fields(layout).len()];
        all.push(Equal { part: at, pool, group, many, weight });
        Some(Val { at: At::Const(0), kind: Kind::Bag(layout), lo, hi, most: most.into() })
    }

    /// A number of dice that a bag has room for: dice of an owner, or those whose faces are a universe. For these there is room
    /// the next time.
    fn dice_count(&mut self, many: &Val, layout: u16, of: Result<i64, usize>, span: &Span) -> Option<Val> {
        let owner = of.unwrap_or(0);
        let fields = self.fields(layout).iter().filter(|field| field.die == owner);
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
                self.advise(
                    span,
                    format!("this may be {} dice, and {room} is the limit", many.hi),
                    "give the number a narrower range",
                );
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
                self.advise(
                    &part.dice.span,
                    "this is no die, and no bag of dice",
                    "declare dice: `die d = 1..6`",
                );
            }
            return None;
        };
        if part.many.is_some() {
            self.wrong(&part.dice.span, "all dice of a bag are rolled; how many is not said");
            return None;
        }
        let kinds = self.fields(from).to_vec();
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
            let many = Val::kept(many, Kind::Number, 0, *count);
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
                value.at = self.take(part);
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
        self.jump_unless(fits, heavy);
        self.throw_at_once(all, seat);
        for (part, &sum) in (0_u8..).zip(&sums) {
            let thrown = self.take(part);
            self.store_cell(sum, thrown);
        }
        self.emit(Op::Jump(end));
        self.place(heavy);
        let zero = self.get(At::Const(0));
        for &sum in &sums {
            self.emit(Op::Store(sum, zero));
        }
        for (equal, &rest) in all.iter().zip(&rests) {
            self.store_cell(rest, equal.many.at);
        }
        for (at, (equal, &rest)) in all.iter().zip(&rests).enumerate() {
            let (top, next) = (self.label(), self.label());
            self.place(top);
            let left = self.load_cell(rest);
            self.jump_unless(left, next);
            let group = self.bin(Bin::Min, left, At::Const(equal.group.into()));
            self.give(1, group);
            self.keep_thrown(&[(group, equal.group.into())]);
            let seat = self.player_or_me(by, span).unwrap_or_else(|| seat.clone());
            let site =
                self.site(SiteForm::Roll(vec![Rolled { first: equal.pool, many: equal.group, part: 0 }]));
            self.program.sites[site as usize].event =
                Some(RollEvent { part: equal.part, most: equal.group, rests: rests[at..].to_vec() });
            self.stop(&seat, Op::Roll(site));
            let thrown = self.take(0);
            self.change_cell(sums[equal.part], Bin::Add, thrown);
            let left = self.load_cell(rest);
            let group = self.bin(Bin::Min, left, At::Const(equal.group.into()));
            let left = self.bin(Bin::Sub, left, group);
            self.store_cell(rest, left);
            self.emit(Op::Jump(top));
            self.place(next);
        }
        self.place(end);
        for (value, &sum) in values.iter_mut().zip(&sums) {
            value.at = self.load_cell(sum);
        }
        self.rolled(by, span);
    }

    fn throw_at_once(&mut self, all: &[Equal], seat: &Val) {
        let kind = |equal: &Equal| Rolled {
            first: equal.pool,
            many: equal.group,
            part: u8::try_from(equal.part).unwrap_or(0),
        };
        let kinds = all.iter().map(kind).collect();
        for (k, equal) in (1_u8..).zip(all) {
            self.give(k, equal.many.at);
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

    /// `roll NAME = chance(EXPR, EXPR)`.
    pub(super) fn chance(&mut self, name: &Name, yes: &Expr, of: &Expr, by: Option<&Expr>) {
        let (cases, all) = (self.number(yes), self.number(of));
        let first = self.program.sites.len();
        let (thrown, shown) = match (cases.at, all.at) {
            (At::Const(cases), At::Const(all)) => {
                (self.fixed_chance(cases, all, by, &yes.span), NamedKind::Truth)
            }
            _ => (self.changing_chance(&cases, &all, by, (&yes.span, &of.span)), NamedKind::Name),
        };
        self.tell_rolled(first, &[(name.text.clone(), shown)], by);
        let Some(thrown) = thrown else {
            self.bind(&name.text, &name.span, Local::Value(Val::broken()));
            return;
        };
        self.rolled(by, &name.span);
        self.give_name(name, &Val::new(thrown, Kind::Truth, 0, 1));
    }

    /// A chance that options decide: yes is the first outcome.
    fn fixed_chance(&mut self, cases: i64, all: i64, by: Option<&Expr>, span: &Span) -> Option<At> {
        if all < 1 || cases < 0 || cases > all || all > MOST_CASES {
            self.wrong(span, format!("{cases} of {all} cases is no chance"));
            return None;
        }
        let weights = [(1, cases.cast_unsigned()), (0, (all - cases).cast_unsigned())];
        let pool = Pool::new(weights.into_iter().filter(|(_, weight)| *weight > 0).collect());
        self.program.pools.push(pool);
        let pool = u32::try_from(self.program.pools.len() - 1).unwrap_or(0);
        let seat = self.player_or_me(by, span)?;
        let one = Equal { part: 0, pool, group: 1, many: Val::number(1), weight: all.cast_unsigned() };
        self.throw_at_once(&[one], &seat);
        Some(self.take(0))
    }

    /// A chance that changes during play: all cases are a bag of two faces, from which one is drawn.
    fn changing_chance(
        &mut self,
        cases: &Val,
        all: &Val,
        by: Option<&Expr>,
        (yes, of): (&Span, &Span),
    ) -> Option<At> {
        if cases.is_broken() || all.is_broken() {
            return None;
        }
        let all = self.check(all, (1, MOST_CASES), of, "the number of all cases");
        let cases = self.check(cases, (0, all.hi), yes, "the number of cases");
        let others = self.bin(Bin::Sub, all.at, cases.at);
        let others = Val::kept(others, Kind::Number, all.lo - cases.hi, all.hi - cases.lo);
        let others = self.check(&others, (0, all.hi), yes, "the number of other cases");
        let faces = ["yes", "no"].map(|face| (self.atom(face, None), 0, 0));
        let layout = self.add_layout(Layout::new(&faces, &[cases.hi, others.hi]), yes)?;
        let unit = self.layout(layout).fields[1].unit();
        let others = self.bin(Bin::Mul, others.at, At::Const(unit));
        let bag = self.bin(Bin::Add, cases.at, others);
        let (_, drawn) = self.draw_from(bag, layout, all.lo..=all.hi, (by, of));
        Some(self.truth_of(Bin::Eq, drawn, At::Const(1)).at)
    }
}

/// The most cases of a chance.
const MOST_CASES: i64 = HEAVIEST.cast_signed();

/// What is needed of a die.
struct Die {
    weight: u64,
    universe: usize,
    form: DieForm,
}
