//! From the blocks of a program to instructions over columns.
//!
//! Blocks are carried out in their order, each for the games that are in it. What one block leaves to another has a column of
//! its own; what is calculated in a block is in a column that other calculations use later.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;
use stopwise_engine::vocabulary::{Answering, Reads};

use super::instr::{CALCULATED, Instr, Order, Ref, Width};
use super::local::{Local, Value};
use super::once::Once;
use super::places::{Constants, placed};
use super::range::{ALL, Range, joined, range};
use super::repeat::Repeat;
use super::stops::{Ask, Roll};
use crate::lower::{Arg, Blocks, Cells, Ir};
use crate::op::{Bin, Program, Reg};
use crate::script::Script;
use crate::state::Place;

/// Registers for what the calculation at the end gives.
const MEASURED: Reg = Reg::MAX - 64;
/// The calculation at the end is given the ending and a seat, as if by a stop.
const AT_THE_END: u32 = u32::MAX;
/// The entries of a table that are compared one by one.
const FEW: usize = 16;
/// What an operation on bags costs, which is done game by game, in instructions.
const A_BAG: usize = 50;
/// What a field of a bag costs.
const A_FIELD: usize = 3;
/// Passes after which a range that still grows is that of all numbers.
const PASSES: usize = 6;

/// A block, and the block after it if it does not leave.
#[derive(Debug, Default)]
pub(super) struct Block {
    pub(super) instrs: Vec<Instr>,
    pub(super) next: Option<usize>,
}

pub(super) struct Builder<'b> {
    pub(super) game: Script,
    pub(super) program: &'static Program,
    pub(super) ir: &'b Blocks,
    /// How every policy answers, by kind of question.
    pub(super) policies: &'b [Vec<Answering>],
    /// The number of the policy in every seat.
    pub(super) seating: Vec<Value>,
    pub(super) numbers: FxHashMap<usize, usize>,
    cells: FxHashMap<(u8, u8), (Ref, Range)>,
    homes: FxHashMap<Reg, Ref>,
    ranges: FxHashMap<Reg, Range>,
    is_wider: bool,
    /// Columns with places, and calculated ones, by width.
    fixed: [u32; 3],
    temporary: [u32; 3],
    constants: Constants,
    pub(super) local: Local,
    /// Registers with numbers that their columns do not have yet.
    unstored: BTreeSet<Reg>,
    pub(super) known: Once,
    pub(super) out: Vec<Instr>,
    /// How many there are before an attempt is given up.
    most: usize,
    /// What stops give: columns by stop, then by number.
    pub(super) given: FxHashMap<(u32, u8), Ref>,
    given_ranges: FxHashMap<(u32, u8), Range>,
    pub(super) rolls: Vec<Roll>,
    pub(super) asks: Vec<Ask>,
    repeats: Vec<Repeat>,
}

/// What is made of a program.
#[derive(Debug, Default)]
pub(super) struct Built {
    pub(super) blocks: Vec<Block>,
    /// The first block of the calculation at the end.
    pub(super) measure: usize,
    /// How many columns there are, by width.
    pub(super) columns: [usize; 3],
    /// Those of constants.
    pub(super) constants: Vec<(Ref, i64)>,
    /// Where every variable is in a state, and its column.
    pub(super) cells: Vec<(Place, Ref)>,
    /// The columns of the ending and the seat, for the calculation at the end, and of what it gives.
    pub(super) ending: Option<Ref>,
    pub(super) seat: Option<Ref>,
    pub(super) measured: Vec<Option<Ref>>,
    pub(super) rolls: Vec<Roll>,
    pub(super) asks: Vec<Ask>,
    pub(super) repeats: Vec<Repeat>,
    /// The numbers of the policies in every line-up, and of that in every seat of a game.
    pub(super) lineups: Vec<Vec<usize>>,
    pub(super) seating: Vec<Value>,
}

/// Why a game is not on lanes.
pub(super) type Obstacle = String;

/// Makes the instructions of a program for line-ups of these policies.
///
/// # Errors
///
/// What keeps it from lanes, in words.
pub(super) fn build(
    game: Script,
    ir: &Blocks,
    policies: &[Vec<Answering>],
    lineups: Vec<Vec<usize>>,
) -> Result<Built, Obstacle> {
    let (mut ranges, mut given_ranges) = (FxHashMap::default(), FxHashMap::default());
    for pass in 0.. {
        let mut builder = Builder::new(game, ir, (policies, &lineups), ranges, given_ranges);
        let blocks = builder.blocks()?;
        if !builder.is_wider {
            return Ok(builder.finish(blocks, lineups));
        }
        (ranges, given_ranges) = (builder.ranges, builder.given_ranges);
        if pass >= PASSES {
            ranges.values_mut().for_each(|range| *range = ALL);
        }
    }
    unreachable!("ranges of all numbers do not grow")
}

impl<'b> Builder<'b> {
    fn new(
        game: Script,
        ir: &'b Blocks,
        (policies, lineups): (&'b [Vec<Answering>], &[Vec<usize>]),
        ranges: FxHashMap<Reg, Range>,
        given_ranges: FxHashMap<(u32, u8), Range>,
    ) -> Self {
        let program = game.program();
        let numbers = ir.blocks.iter().enumerate().map(|(number, (at, _))| (*at, number)).collect();
        let mut builder = Self {
            game,
            program,
            ir,
            policies,
            seating: Vec::new(),
            numbers,
            cells: FxHashMap::default(),
            homes: FxHashMap::default(),
            ranges,
            is_wider: false,
            fixed: [0; 3],
            temporary: [0; 3],
            constants: Constants::default(),
            local: Local::default(),
            unstored: BTreeSet::new(),
            known: Once::default(),
            out: Vec::new(),
            most: usize::MAX,
            given: FxHashMap::default(),
            given_ranges,
            rolls: Vec::new(),
            asks: Vec::new(),
            repeats: Vec::new(),
        };
        // In the order of cells, so that rows lie side by side.
        for place in program.places.iter().filter(|place| place.bits > 0) {
            let low = i64::from(place.low);
            let high = if place.bits >= 63 { i64::MAX } else { low + (1 << place.bits) - 1 };
            let column = builder.column(Width::of((low, high)));
            builder.cells.insert((place.word, place.shift), (column, (low, high)));
        }
        let mut homes: Vec<Reg> = ir.homes().collect();
        homes.extend(MEASURED..MEASURED + 16);
        for register in homes {
            let range = builder.ranges.get(&register).copied().unwrap_or((0, 0));
            let home = builder.column(Width::of(range));
            builder.homes.insert(register, home);
        }
        let mut given: Vec<_> = builder.given_ranges.clone().into_iter().collect();
        given.sort_unstable();
        for (key, range) in given {
            let column = builder.column(Width::of(range));
            builder.given.insert(key, column);
        }
        builder.seating = builder.seated(program.seats, lineups);
        builder
    }

    /// A column with a place.
    pub(super) fn column(&mut self, width: Width) -> Ref {
        let next = &mut self.fixed[width as usize];
        *next += 1;
        Ref { width, at: *next - 1 }
    }

    /// A calculated column.
    fn fresh(&mut self, width: Width) -> Ref {
        let next = &mut self.temporary[width as usize];
        *next += 1;
        Ref { width, at: CALCULATED + *next - 1 }
    }

    pub(super) fn emit(&mut self, instr: Instr) {
        self.out.push(instr);
    }

    /// The column of a calculation, which is done once in a block.
    pub(super) fn calculated(&mut self, width: Width, make: impl Fn(Ref) -> Instr) -> Ref {
        let instr = make(Once::nowhere(width));
        if let Some(column) = self.known.get(&instr) {
            return column;
        }
        let d = self.fresh(width);
        self.emit(make(d));
        self.known.insert(instr, d);
        d
    }

    /// What a stop gives has a range; its column, where it is known already.
    pub(super) fn gives(&mut self, site: u32, number: u8, range: Range) -> Option<Ref> {
        let before = self.given_ranges.get(&(site, number)).copied();
        let whole = before.map_or(range, |before| joined(before, range));
        if before != Some(whole) {
            self.given_ranges.insert((site, number), whole);
            self.is_wider = true;
        }
        self.given.get(&(site, number)).copied()
    }

    /// A value as a column of a width.
    pub(super) fn at(&mut self, value: Value, width: Width) -> Ref {
        match value {
            Value::Known(number) => self.calculated(width, |d| Instr::Set(d, number)),
            Value::In(column, _) if column.width == width => column,
            Value::In(column, _) => self.calculated(width, |d| Instr::Convert(d, column)),
        }
    }

    /// A value as a truth that jumps and selections take: any number but 0.
    fn truth(&mut self, value: Value) -> Ref {
        match value {
            Value::In(column, range) if column.width != Width::Short && Width::of(range) != Width::Short => {
                let truth = self.compare(Order::Unequal, value, Value::Known(0));
                self.at(truth, Width::Short)
            }
            value => self.at(value, Width::Short),
        }
    }

    /// Makes instructions as long as they give something and are cheap enough; else it is as if nothing had been done.
    pub(super) fn attempt<T>(
        &mut self,
        most: usize,
        make: impl FnOnce(&mut Self) -> Result<Option<T>, Obstacle>,
    ) -> Result<Option<T>, Obstacle> {
        let (first, known, temporary) = (self.out.len(), self.known.len(), self.temporary);
        self.most = first + most;
        let made = make(self)?;
        if made.is_none() || cost(&self.out[first..]) > most {
            self.out.truncate(first);
            self.known.truncate(known);
            self.temporary = temporary;
            return Ok(None);
        }
        Ok(made)
    }

    /// Whether an attempt has made too many instructions.
    pub(super) fn is_spent(&self) -> bool {
        self.out.len() > self.most
    }

    pub(super) fn compare(&mut self, order: Order, a: Value, b: Value) -> Value {
        let (a, b, order) = match (a, b) {
            (Value::Known(a), Value::Known(b)) => return Value::Known(compared(order, a, b).into()),
            (Value::Known(_), _) => (b, a, turned(order)),
            _ => (a, b, order),
        };
        let width = a.width().max(b.width());
        let left = self.at(a, width);
        let d = match b {
            Value::Known(k) => self.calculated(Width::Short, |d| Instr::CompareK(order, d, left, k)),
            b => {
                let right = self.at(b, width);
                self.calculated(Width::Short, |d| Instr::Compare(order, d, left, right))
            }
        };
        Value::In(d, (0, 1))
    }

    pub(super) fn bin(&mut self, bin: Bin, a: Value, b: Value) -> Value {
        match (bin, a, b) {
            (_, Value::Known(a), Value::Known(b)) => return Value::Known(bin.apply(a, b)),
            (Bin::Eq, ..) => return self.compare(Order::Equal, a, b),
            (Bin::Ne, ..) => return self.compare(Order::Unequal, a, b),
            (Bin::Lt, ..) => return self.compare(Order::Less, a, b),
            (Bin::Le, ..) => return self.compare(Order::AtMost, a, b),
            (Bin::Add | Bin::Sub | Bin::Or | Bin::Shl | Bin::Shr, a, Value::Known(0)) => return a,
            (Bin::Add | Bin::Or, Value::Known(0), b) => return b,
            (Bin::Mul | Bin::Div, a, Value::Known(1)) => return a,
            (Bin::Mul, Value::Known(1), b) => return b,
            (Bin::And, Value::In(_, (0, 1)), Value::Known(1)) => return a,
            (Bin::And, Value::Known(1), Value::In(_, (0, 1))) => return b,
            (Bin::And | Bin::Mul, _, Value::Known(0)) | (Bin::And | Bin::Mul, Value::Known(0), _) => {
                return Value::Known(0);
            }
            _ => {}
        }
        let (a, b) = match (bin, a, b) {
            (
                Bin::Add | Bin::Mul | Bin::Min | Bin::Max | Bin::And | Bin::Or,
                a @ Value::Known(_),
                b @ Value::In(..),
            ) => (b, a),
            _ => (a, b),
        };
        let result = range(bin, a.range(), b.range());
        let width = Width::of(result).max(a.width()).max(b.width());
        let d = match (bin, a, b) {
            (Bin::Sub, Value::Known(k), b) => {
                let b = self.at(b, width);
                self.calculated(width, |d| Instr::From(d, k, b))
            }
            (bin, a, Value::Known(k)) if has_constants(bin, k, width) => {
                let a = self.at(a, width);
                self.calculated(width, |d| Instr::BinK(bin, d, a, k))
            }
            (bin, a, b) => {
                let (a, b) = (self.at(a, width), self.at(b, width));
                self.calculated(width, |d| Instr::Bin(bin, d, a, b))
            }
        };
        Value::In(d, result)
    }

    pub(super) fn select(&mut self, truth: Value, a: Value, b: Value) -> Value {
        if let Value::Known(truth) = truth {
            return if truth != 0 { a } else { b };
        }
        let result = joined(a.range(), b.range());
        let width = Width::of(result).max(a.width()).max(b.width());
        let truth = self.truth(truth);
        let (a, b) = (self.at(a, width), self.at(b, width));
        Value::In(self.calculated(width, |d| Instr::Select(d, truth, a, b)), result)
    }

    /// What has been read of a column keeps its number when the column changes.
    pub(super) fn protect(&mut self, column: Ref) {
        self.known.forget(column);
        let readers = self.local.readers(column);
        if readers.is_empty() {
            return;
        }
        let d = self.fresh(column.width);
        self.emit(Instr::Copy(d, column));
        for register in readers {
            if let Some(Value::In(_, range)) = self.local.get(register) {
                self.local.insert(register, Value::In(d, range));
            }
        }
    }

    /// In the games of the block.
    pub(super) fn put(&mut self, column: Ref, value: Value) {
        self.protect(column);
        match value {
            Value::Known(number) => self.emit(Instr::PutK(column, number)),
            value => {
                let a = self.at(value, column.width);
                if a != column {
                    self.emit(Instr::Put(column, a));
                }
            }
        }
    }

    fn set(&mut self, register: Reg, value: Value) {
        self.local.insert(register, value);
        if self.homes.contains_key(&register) {
            self.unstored.insert(register);
        }
    }

    /// Registers that others read get their columns.
    fn store(&mut self, is_read: impl Fn(Reg) -> bool) {
        let read: Vec<Reg> = self.unstored.iter().copied().filter(|register| is_read(*register)).collect();
        for register in read {
            self.unstored.remove(&register);
            let home = self.homes[&register];
            let Some(value) = self.local.get(register) else { continue };
            let before = self.ranges.get(&register).copied();
            let whole = before.map_or(value.range(), |before| joined(before, value.range()));
            if before != Some(whole) {
                self.ranges.insert(register, whole);
                self.is_wider = true;
            }
            self.put(home, value);
        }
    }

    /// Before a jump to an address.
    fn store_for(&mut self, at: usize) {
        let ir = self.ir;
        self.store(|register| ir.is_live(at, register));
    }

    pub(super) fn arg(&mut self, arg: Arg) -> Result<Value, Obstacle> {
        Ok(match arg {
            Arg::Const(number) => Value::Known(number),
            Arg::Me => self.me(),
            Arg::Reg(register) => match self.local.get(register) {
                Some(value) => value,
                None => {
                    let home = *self.homes.get(&register).ok_or("a register without a value")?;
                    let range = self.ranges.get(&register).copied().unwrap_or((0, 0));
                    Value::In(home, range)
                }
            },
        })
    }

    /// Whose turn it is.
    fn me(&self) -> Value {
        match self.ir.me.and_then(|place| self.cells.get(&(place.word, place.shift))) {
            Some((column, _)) => Value::In(*column, (0, 7)),
            None => Value::Known(0),
        }
    }

    fn cell(&self, place: Place) -> Value {
        match self.cells.get(&(place.word, place.shift)) {
            Some((column, range)) if place.bits > 0 => Value::In(*column, *range),
            _ => Value::Known(place.low.into()),
        }
    }

    /// The columns of a row.
    fn row(&self, cells: Cells) -> Result<Vec<(Ref, Range)>, Obstacle> {
        let columns = self.row_places(cells).into_iter().map(|place| self.cells.get(&place).copied());
        columns.collect::<Option<_>>().ok_or_else(|| "an array of numbers that never change".into())
    }

    /// Where the elements of a row are.
    fn row_places(&self, cells: Cells) -> Vec<(u8, u8)> {
        match cells {
            Cells::Near(row, _) => {
                (0..row.len).map(|at| (row.first.word, row.first.shift + row.step * at)).collect()
            }
            Cells::Wide(row, _) => {
                let in_word = 64 / row.step.max(1);
                let place = |at: u8| (row.first.word + at / in_word, row.step * (at % in_word));
                (0..row.len).map(place).collect()
            }
            Cells::Far(number) => {
                let far = &self.program.code.aside.far[number as usize];
                far.iter().map(|place| (place.word, place.shift)).collect()
            }
        }
    }

    /// An index as a short number, with the last place for what is outside.
    pub(super) fn index(&mut self, index: Value, len: usize) -> Ref {
        let len = i64::try_from(len).unwrap_or(i64::MAX);
        let index = if Width::of(index.range()) == Width::Short {
            index
        } else {
            let index = self.bin(Bin::Min, index, Value::Known(len));
            self.bin(Bin::Max, index, Value::Known(-1))
        };
        self.at(index, Width::Short)
    }

    pub(super) fn known_place(index: i64, len: usize) -> usize {
        usize::try_from(index).unwrap_or(usize::MAX).min(len - 1)
    }

    fn events(&mut self, event: u8, seat: Value, many: Option<Ref>) {
        let seats = u8::try_from(self.program.seats).unwrap_or(1);
        let (which, column) = match seat {
            Value::Known(seat) => (u8::try_from(seat).unwrap_or(0)..=u8::try_from(seat).unwrap_or(0), None),
            seat => (0..=seats - 1, Some(self.at(seat, Width::Short))),
        };
        for seat in which {
            self.emit(match many {
                None => Instr::Event(event, seat, column),
                Some(many) => Instr::Events(event, seat, column, many),
            });
        }
    }

    /// A pure instruction; nothing for others.
    pub(super) fn calculation(&mut self, ir: &Ir) -> Result<Option<(Reg, Value)>, Obstacle> {
        Ok(Some(match ir {
            Ir::Copy(d, a) => (*d, self.arg(*a)?),
            Ir::Bin(bin, d, a, b) => {
                let (a, b) = (self.arg(*a)?, self.arg(*b)?);
                (*d, self.bin(*bin, a, b))
            }
            Ir::Select(d, c, a, b) => {
                let (c, a, b) = (self.arg(*c)?, self.arg(*a)?, self.arg(*b)?);
                (*d, self.select(c, a, b))
            }
            Ir::Table(d, table, a) => {
                let mut a = self.arg(*a)?;
                if Width::of(a.range()) == Width::Long {
                    let len = self.program.tables[usize::from(*table)].len();
                    a = self.bin(Bin::Min, a, Value::Known(i64::try_from(len).unwrap_or(i64::MAX)));
                    a = self.bin(Bin::Max, a, Value::Known(-1));
                }
                let entries = self.program.tables[usize::from(*table)].iter();
                let result = entries.fold((0, 0), |range, n| joined(range, (*n, *n)));
                let few = &self.program.tables[usize::from(*table)];
                let e = if few.len() <= FEW && Width::of(a.range()) == Width::Short {
                    let a = self.at(a, Width::Short);
                    self.calculated(Width::of(result), |e| Instr::Few(e, few.as_slice().into(), a))
                } else {
                    let a = self.at(a, Width::Middle);
                    self.calculated(Width::of(result), |e| Instr::Table(e, *table, a))
                };
                (*d, Value::In(e, result))
            }
            Ir::Bag(op, layout, d, a, b) => {
                let (a, b) = (self.arg(*a)?, self.arg(*b)?);
                (*d, self.bag(*op, *layout, a, b))
            }
            Ir::Get(d, place) => (*d, self.cell(*place)),
            Ir::At(d, cells, i) => {
                let (row, i) = (self.row(*cells)?, self.arg(*i)?);
                let result = row.iter().fold(row[0].1, |range, (_, own)| joined(range, *own));
                if let Value::Known(i) = i {
                    let (column, range) = row[Self::known_place(i, row.len())];
                    return Ok(Some((*d, Value::In(column, range))));
                }
                let width = Width::of(result);
                let i = self.index(i, row.len());
                let row: Vec<Ref> =
                    row.into_iter().map(|(column, range)| self.at(Value::In(column, range), width)).collect();
                let e = self.calculated(width, |e| Instr::Pick(e, row.as_slice().into(), i));
                (*d, Value::In(e, result))
            }
            _ => return Ok(None),
        }))
    }

    /// The variables on which what is read of the state and of candidates depends at a question; nothing if that is not known.
    pub(super) fn variables(&self, site: u32, kind: usize, reads: &[Reads]) -> Option<Vec<(Place, Ref)>> {
        let mut places = BTreeSet::new();
        let (program, words) = self.game.read();
        for reads in reads {
            for reading in words.readings(program, kind, reads) {
                let reading = &program.readings[reading];
                if reading.ahead.iter().any(|(own, _)| *own == site) {
                    return None;
                }
                let Some((_, at)) = reading.at.iter().find(|(own, _)| *own == site) else { continue };
                let mut rows = Vec::new();
                let is_calculated = self.ir.reads(&self.numbers, *at as usize, &mut |read| match read {
                    Ok(place) => drop(places.insert((place.word, place.shift))),
                    Err(cells) => rows.push(cells),
                });
                if !is_calculated {
                    return None;
                }
                for cells in rows {
                    places.extend(self.row_places(cells));
                }
            }
        }
        let known = program.places.iter().filter(|place| place.bits > 0);
        let read = known.filter(|place| places.contains(&(place.word, place.shift)));
        Some(read.map(|place| (*place, self.cells[&(place.word, place.shift)].0)).collect())
    }

    fn instr(&mut self, ir: &Ir) -> Result<(), Obstacle> {
        if let Some((d, value)) = self.calculation(ir)? {
            self.set(d, value);
            return Ok(());
        }
        match ir {
            Ir::Put(place, a) => {
                let value = self.arg(*a)?;
                if let Value::In(column, _) = self.cell(*place) {
                    self.put(column, value);
                }
            }
            Ir::PutAt(cells, i, a) => {
                let (row, i, value) = (self.row(*cells)?, self.arg(*i)?, self.arg(*a)?);
                if let Value::Known(i) = i {
                    self.put(row[Self::known_place(i, row.len())].0, value);
                    return Ok(());
                }
                let width = row[0].0.width;
                if row.iter().any(|(column, _)| column.width != width) {
                    return Err("an array of numbers of several widths".into());
                }
                for (column, _) in &row {
                    self.protect(*column);
                }
                let (i, a) = (self.index(i, row.len()), self.at(value, width));
                self.emit(Instr::PutAt(row.into_iter().map(|(column, _)| column).collect(), i, a));
            }
            Ir::Jump(to) => {
                self.store_for(*to);
                let to = self.numbers[to];
                self.emit(Instr::Jump(to));
            }
            Ir::JumpIf(a, wanted, to) => {
                self.store_for(*to);
                let to = self.numbers[to];
                match self.arg(*a)? {
                    Value::Known(truth) if (truth != 0) == *wanted => self.emit(Instr::Jump(to)),
                    Value::Known(_) => {}
                    value => {
                        let truth = self.truth(value);
                        self.emit(Instr::JumpIf(truth, *wanted, to));
                    }
                }
            }
            Ir::Check(a, number) => {
                let (value, check) = (self.arg(*a)?, &self.program.checks[*number as usize]);
                let (low, high) = value.range();
                if low < check.low || high > check.high {
                    let limits = (check.low, check.high);
                    let column = self.at(value, Width::of(limits).max(value.width()));
                    self.emit(Instr::Check(column, check.low, check.high));
                }
            }
            Ir::Event(event, seat) => {
                let seat = self.arg(*seat)?;
                self.events(*event, seat, None);
            }
            Ir::Events(event, seat, many) => {
                let (seat, many) = (self.arg(*seat)?, self.arg(*many)?);
                let many = self.at(many, Width::Middle);
                self.events(*event, seat, Some(many));
            }
            Ir::Tick(place, to) => {
                self.store_for(*to);
                let to = self.numbers[to];
                if let Value::In(column, _) = self.cell(*place) {
                    self.protect(column);
                    self.emit(Instr::Tick(column, to));
                }
            }
            Ir::Give(number, a) => {
                let (value, register) = (self.arg(*a)?, MEASURED + Reg::from(*number & 15));
                self.set(register, value);
                self.store(|own| own == register);
            }
            Ir::Stop(site, seat, gives) => {
                let seat = self.arg(*seat)?;
                let gives = gives.iter().map(|give| self.arg(*give)).collect::<Result<Vec<_>, _>>()?;
                self.stop(*site, seat, &gives)?;
            }
            Ir::End(ending) => {
                let ending = i16::try_from(*ending).unwrap_or(0);
                self.emit(Instr::End(ending));
            }
            Ir::Return => self.emit(Instr::Return),
            _ => {}
        }
        Ok(())
    }

    /// The blocks that are reached.
    fn blocks(&mut self) -> Result<Vec<Block>, Obstacle> {
        let ir = self.ir;
        let resumes: FxHashMap<usize, u32> =
            (0..).zip(&self.program.sites).map(|(number, site)| (site.resume as usize, number)).collect();
        let reached = ir.reached(&self.numbers);
        let mut blocks = Vec::new();
        for (number, (at, block)) in ir.blocks.iter().enumerate() {
            if !reached[number] {
                blocks.push(Block::default());
                continue;
            }
            self.local.clear();
            self.unstored.clear();
            self.known.clear();
            self.temporary = [0; 3];
            if *at == ir.measure {
                self.gives(AT_THE_END, 0, (-1, 64));
                self.gives(AT_THE_END, 1, (0, 7));
            }
            let stop = resumes.get(at).copied().or((*at == ir.measure).then_some(AT_THE_END));
            for (k, stop) in (0..16).flat_map(|k| stop.map(|stop| (k, stop))) {
                // In the first pass nothing is known of what stops give.
                let given = self.given.get(&(stop, k));
                let value =
                    given.map_or(Value::Known(0), |column| Value::In(*column, self.given_ranges[&(stop, k)]));
                self.local.insert(ir.io + Reg::from(k), value);
            }
            let number_of = |at| self.numbers.get(&at).copied();
            let home = |register| self.homes.get(&register).copied();
            if let Some(repeat) = Repeat::of(ir, (*at, block), number_of, home) {
                self.emit(Instr::Repeat(self.repeats.len()));
                self.repeats.push(repeat);
            }
            for instruction in block {
                self.instr(instruction)?;
            }
            let leaves = block.last().is_some_and(|last| last.leaves() && !matches!(last, Ir::Stop(..)));
            let next = (!leaves && number + 1 < ir.blocks.len()).then_some(number + 1);
            if let Some(next) = next {
                self.store_for(ir.blocks[next].0);
            }
            let instrs = placed(std::mem::take(&mut self.out), self.fixed, &mut self.constants);
            blocks.push(Block { instrs, next });
        }
        Ok(blocks)
    }

    fn finish(self, mut blocks: Vec<Block>, lineups: Vec<Vec<usize>>) -> Built {
        let mut columns = self.fixed.map(|fixed| fixed as usize);
        for instr in blocks.iter_mut().flat_map(|block| &mut block.instrs) {
            instr.each(&mut |column, _| {
                if column.at < CALCULATED {
                    let most = &mut columns[column.width as usize];
                    *most = (*most).max(column.index() + 1);
                }
            });
        }
        let instrs = &mut blocks.iter_mut().flat_map(|block| &mut block.instrs);
        let constants = self.constants.placed(&mut columns, instrs);
        let places = self.program.places.iter().filter(|place| place.bits > 0);
        let cells = places.map(|place| (*place, self.cells[&(place.word, place.shift)].0)).collect();
        Built {
            blocks,
            measure: self.numbers[&self.ir.measure],
            columns,
            constants,
            cells,
            ending: self.given.get(&(AT_THE_END, 0)).copied(),
            seat: self.given.get(&(AT_THE_END, 1)).copied(),
            measured: (0..16).map(|k| self.homes.get(&(MEASURED + k)).copied()).collect(),
            rolls: self.rolls,
            asks: self.asks,
            repeats: self.repeats,
            lineups,
            seating: self.seating,
        }
    }
}

/// Whether an operation has an instruction with this number.
fn has_constants(bin: Bin, number: i64, width: Width) -> bool {
    match bin {
        Bin::Shl | Bin::Shr => number & 63 < width.bits(),
        bin => !matches!(bin, Bin::Div | Bin::Rem),
    }
}

/// What instructions cost for all games.
pub(super) fn cost(instrs: &[Instr]) -> usize {
    let cost = |instr: &Instr| match instr {
        Instr::Bag(..) => A_BAG,
        Instr::Fields(_, _, fields) => fields.len() * A_FIELD,
        _ => 1,
    };
    instrs.iter().map(cost).sum()
}

/// The order of the operands the other way round.
fn turned(order: Order) -> Order {
    match order {
        Order::Less => Order::More,
        Order::AtMost => Order::AtLeast,
        Order::More => Order::Less,
        Order::AtLeast => Order::AtMost,
        same => same,
    }
}

fn compared(order: Order, a: i64, b: i64) -> bool {
    match order {
        Order::Equal => a == b,
        Order::Unequal => a != b,
        Order::Less => a < b,
        Order::AtMost => a <= b,
        Order::More => a > b,
        Order::AtLeast => a >= b,
    }
}
