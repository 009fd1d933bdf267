//! From the blocks of a program to instructions over columns.
//!
//! Blocks are carried out in their order, each for the games that are in it. What one block leaves to another has a column of
//! its own; what is calculated in a block is in a column that other calculations use later.

use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};
use stopwise_engine::vocabulary::Answering;

use super::column::lanes;
use super::cost::cost;
use super::fused::fused;
use super::instr::{Block, CALCULATED, Instr, Ref, Width};
use super::jumps::{with_comparisons, with_far_jumps, with_tests_before_loops};
use super::left::{Left, Ranges};
use super::list::List;
use super::local::{Local, Value};
use super::looked::Look;
use super::needed::needed;
use super::once::{Meaning, Once};
use super::places::{Constants, placed};
use super::range::{Range, joined};
use super::repeat::Repeat;
use super::stops::{Ask, Roll};
use super::sums::with_sums;
use crate::ir::{Arg, Ir};
use crate::lower::Blocks;
use crate::op::{Bin, Program, Reg};
use crate::script::Script;
use crate::state::Place;

/// The entries of a table that are compared one by one.
const FEW: usize = 16;

pub(super) struct Builder<'b> {
    pub(super) game: Script,
    pub(super) program: &'static Program,
    pub(super) ir: &'b Blocks,
    /// How every policy answers, by kind of question.
    pub(super) policies: &'b [Vec<Answering>],
    /// The number of the policy in every seat.
    pub(super) seating: Vec<Value>,
    pub(super) cells: FxHashMap<(u8, u8), (Ref, Range)>,
    /// Where stops are counted, which nothing but ticks reads.
    ticks: Option<Place>,
    /// Columns of what blocks leave to others, and its ranges.
    left: FxHashMap<Left, Ref>,
    pub(super) ranges: Ranges,
    /// Columns with places, and calculated ones, by width.
    fixed: [u32; 4],
    temporary: [u32; 4],
    constants: Constants,
    pub(super) local: Local,
    /// The games in which a check of what a policy reads fails.
    pub(super) failing: Value,
    /// The answer of the stop before, where it is calculated.
    pub(super) answer: Option<Value>,
    /// What variables were set to in the block, as wide as they are or narrower.
    pub(super) stored: FxHashMap<Ref, Value>,
    /// Registers with numbers that their columns do not have yet.
    unstored: BTreeSet<Reg>,
    pub(super) known: Once,
    pub(super) out: Vec<Instr>,
    /// How many there are before an attempt is given up.
    most: usize,
    pub(super) rolls: Vec<Roll>,
    pub(super) asks: Vec<Ask>,
    pub(super) lists: Vec<&'static List>,
    pub(super) looks: Vec<Look>,
    repeats: Vec<Repeat>,
}

/// What is made of a program.
#[derive(Debug, Default)]
pub(super) struct Built {
    pub(super) blocks: Vec<Block>,
    /// The first block of the calculation at the end.
    pub(super) measure: usize,
    /// How many columns there are, by width; the first of them, so many, are left from block to block.
    pub(super) columns: [usize; 4],
    pub(super) left: [usize; 4],
    /// How many games are played side by side.
    pub(super) lanes: usize,
    /// Those of constants.
    pub(super) constants: Vec<(Ref, i64)>,
    /// Where every variable that is read is in a state, and its column.
    pub(super) cells: Vec<(Place, Ref)>,
    /// Where stops are counted.
    pub(super) ticks: Option<Place>,
    /// The columns of the ending and the seat, for the calculation at the end, and of what it gives.
    pub(super) ending: Option<Ref>,
    pub(super) seat: Option<Ref>,
    pub(super) measured: Vec<Option<Ref>>,
    pub(super) rolls: Vec<Roll>,
    pub(super) asks: Vec<Ask>,
    pub(super) lists: Vec<&'static List>,
    pub(super) looks: Vec<Look>,
    /// How many jumps there are by numbers that are far.
    pub(super) far: usize,
    pub(super) repeats: Vec<Repeat>,
    /// The numbers of the policies in every line-up, and of that in every seat of a game.
    pub(super) lineups: Vec<Vec<usize>>,
    pub(super) seating: Vec<Value>,
}

/// Why a game is not on lanes.
pub(super) type Obstacle = String;

impl<'b> Builder<'b> {
    pub(super) fn new(
        game: Script,
        ir: &'b Blocks,
        ranges: Ranges,
        policies: &'b [Vec<Answering>],
        lineups: &[Vec<usize>],
    ) -> Self {
        let program = game.program();
        let mut builder = Self {
            game,
            program,
            ir,
            policies,
            seating: Vec::new(),
            cells: FxHashMap::default(),
            ticks: ir.blocks.iter().flat_map(|(_, block)| block).find_map(|ir| match ir {
                Ir::Tick(place, _) => Some(*place),
                _ => None,
            }),
            left: FxHashMap::default(),
            ranges,
            fixed: [0; 4],
            temporary: [0; 4],
            constants: Constants::default(),
            local: Local::default(),
            failing: Value::Known(0),
            answer: None,
            stored: FxHashMap::default(),
            unstored: BTreeSet::new(),
            known: Once::default(),
            out: Vec::new(),
            most: usize::MAX,
            rolls: Vec::new(),
            asks: Vec::new(),
            lists: Vec::new(),
            looks: Vec::new(),
            repeats: Vec::new(),
        };
        // In the order of cells, so that rows lie side by side.
        let cells = program.places.iter().zip(&program.highs).filter(|(place, _)| place.bits > 0);
        for (place, high) in cells {
            if Some(*place) == builder.ticks {
                continue;
            }
            let range = (place.low.into(), *high);
            let column = builder.column(Width::of(range));
            builder.cells.insert((place.word, place.shift), (column, range));
        }
        let registers = ir.homes().map(Left::Register);
        let left: BTreeSet<Left> =
            registers.chain((0..16).map(Left::Measured)).chain(builder.ranges.all()).collect();
        for left in left {
            let column = builder.column(Width::of(builder.ranges.of(left)));
            builder.left.insert(left, column);
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

    /// Numbers of a range are left; their column, where it is known already.
    pub(super) fn gives(&mut self, left: Left, range: Range) -> Option<Ref> {
        self.ranges.join(left, range);
        self.left.get(&left).copied()
    }

    /// What was left.
    fn left(&self, left: Left) -> Option<Value> {
        self.left.get(&left).map(|column| Value::In(*column, self.ranges.of(left)))
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

    /// What has been read of a column keeps its number when the column changes.
    pub(super) fn protect(&mut self, column: Ref) {
        self.known.forget(column);
        self.stored
            .retain(|own, value| *own != column && !matches!(value, Value::In(of, _) if *of == column));
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
        let added = self.added(column, value);
        self.protect(column);
        if let Some(added) = added {
            return self.add(column, value, added);
        }
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

    /// A number of another column or a known one, if the value is that and a column of the same width.
    fn added(&self, column: Ref, value: Value) -> Option<Value> {
        let (Value::In(sum, _), Some(Meaning::Bin(Bin::Add, Value::In(of, _), added))) =
            (value, self.meaning(value))
        else {
            return None;
        };
        let is_other = !matches!(added, Value::In(other, _) if other == column);
        (of == column && sum.width == column.width && is_other).then_some(added)
    }

    /// A column becomes a value, that and what is added, in the games of the block: whoever reads the value reads the column.
    fn add(&mut self, column: Ref, value: Value, added: Value) {
        match added {
            Value::Known(number) => self.emit(Instr::AddK(column, number)),
            added => {
                let added = self.at(added, column.width);
                self.emit(Instr::Add(column, added));
            }
        }
        if let Value::In(sum, range) = value {
            for register in self.local.readers(sum) {
                self.local.insert(register, Value::In(column, range));
            }
        }
    }

    fn set(&mut self, register: Reg, value: Value) {
        self.local.insert(register, value);
        if self.left.contains_key(&Left::Register(register)) {
            self.unstored.insert(register);
        }
    }

    /// Registers that others read get their columns.
    fn store(&mut self, is_read: impl Fn(Reg) -> bool) {
        let read: Vec<Reg> = self.unstored.iter().copied().filter(|register| is_read(*register)).collect();
        for register in read {
            self.unstored.remove(&register);
            if let Some(value) = self.local.get(register) {
                self.leave(Left::Register(register), value);
            }
        }
    }

    fn leave(&mut self, left: Left, value: Value) {
        if let Some(column) = self.gives(left, value.range()) {
            self.put(column, value);
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
                None => self.left(Left::Register(register)).ok_or("a register without a value")?,
            },
        })
    }

    fn events(&mut self, event: u8, seat: Value, many: Option<Ref>) {
        let seats = u8::try_from(self.program.seats).unwrap_or(1);
        let (which, column) = match seat {
            Value::Known(seat) => (u8::try_from(seat).unwrap_or(0)..=u8::try_from(seat).unwrap_or(0), None),
            seat => (0..=seats - 1, Some(self.at(seat, Width::Byte))),
        };
        let Some(many) = many else { return self.emit(Instr::Event(event, *which.start(), column)) };
        for seat in which {
            self.emit(Instr::Events(event, seat, column, many));
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
                let a = self.arg(*a)?;
                (*d, self.entry(*table, a))
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

    /// An entry of a table; 0 for what is outside.
    fn entry(&mut self, number: u16, i: Value) -> Value {
        let table: &'static [i64] = &self.program.tables[usize::from(number)];
        if let Value::Known(i) = i {
            return Value::Known(usize::try_from(i).ok().and_then(|i| table.get(i)).copied().unwrap_or(0));
        }
        let result = table.iter().fold((0, 0), |range, n| joined(range, (*n, *n)));
        if table.len() <= FEW && Width::of(i.range()) <= Width::Short {
            return self.few(table.to_vec(), i, result);
        }
        let mut i = i;
        if Width::of(i.range()) == Width::Long {
            i = self.bin(Bin::Min, i, Value::Known(i64::try_from(table.len()).unwrap_or(i64::MAX)));
            i = self.bin(Bin::Max, i, Value::Known(-1));
        }
        let i = self.at(i, Width::Middle);
        Value::In(self.calculated(Width::of(result), |d| Instr::Table(d, number, i)), result)
    }

    fn instr(&mut self, ir: &Ir) -> Result<(), Obstacle> {
        if let Some((d, value)) = self.calculation(ir)? {
            self.set(d, value);
            return Ok(());
        }
        match ir {
            Ir::Put(place, _) if Some(*place) == self.ticks => self.emit(Instr::Untick),
            Ir::Put(place, a) => {
                let value = self.arg(*a)?;
                if let Some((column, (low, high))) = self.cells.get(&(place.word, place.shift)).copied() {
                    let is_added = self.added(column, value).is_some();
                    self.put(column, value);
                    if let Value::In(of, range) = value
                        && of != column
                        && !is_added
                        && of.width <= column.width
                    {
                        let range = (range.0.max(low), range.1.min(high));
                        self.stored.insert(column, Value::In(of, range));
                    }
                }
            }
            Ir::PutAt(cells, i, a) => {
                let row = self.row(*cells)?;
                if let Value::Known(i) = self.arg(*i)? {
                    let value = self.arg(*a)?;
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
                // Only now: they may have been elements of the row, and are copies of them then.
                let (i, value) = (self.arg(*i)?, self.arg(*a)?);
                let (i, a) = (self.index(i, row.len()), self.at(value, width));
                self.emit(Instr::PutAt(row.into_iter().map(|(column, _)| column).collect(), i, a));
            }
            Ir::Jump(to) => {
                self.store_for(*to);
                let to = self.ir.numbers[to];
                self.emit(Instr::Jump(to));
            }
            Ir::JumpIf(a, wanted, to) => {
                self.store_for(*to);
                let to = self.ir.numbers[to];
                let truth = self.arg(*a)?;
                match self.whether(truth, *wanted) {
                    (Value::Known(truth), wanted) if (truth != 0) == wanted => self.emit(Instr::Jump(to)),
                    (Value::Known(_), _) => {}
                    (value, wanted) => {
                        let truth = self.truth(value);
                        self.emit(Instr::JumpIf(truth, wanted, to));
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
            Ir::Tick(_, to) => {
                self.store_for(*to);
                let to = self.ir.numbers[to];
                self.emit(Instr::Tick(to));
            }
            Ir::Give(number, a) => {
                let value = self.arg(*a)?;
                self.leave(Left::Measured(*number & 15), value);
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
    pub(super) fn blocks(&mut self) -> Result<Vec<Block>, Obstacle> {
        let ir = self.ir;
        let resumes: FxHashMap<usize, u32> =
            (0..).zip(&self.program.sites).map(|(number, site)| (site.resume as usize, number)).collect();
        let reached = ir.reached();
        let targets: FxHashSet<usize> =
            ir.blocks.iter().flat_map(|(_, block)| block.iter().filter_map(Ir::target)).collect();
        // What follows a stop is a part of the block before it, unless games come from elsewhere, too.
        let is_joined = |number: usize| {
            let Some((at, _)) = ir.blocks.get(number).filter(|(at, _)| !targets.contains(at)) else {
                return false;
            };
            let before = ir.blocks[number - 1].1.last();
            matches!(before, Some(Ir::Stop(site, ..)) if resumes.get(at) == Some(site)) && reached[number - 1]
        };
        let mut blocks: Vec<Block> = Vec::new();
        let mut first = 0;
        for (number, (at, block)) in ir.blocks.iter().enumerate() {
            blocks.push(Block::default());
            if !reached[number] {
                continue;
            }
            if number == 0 || !is_joined(number) {
                self.local.clear();
                self.unstored.clear();
                self.known.clear();
                self.stored.clear();
                self.temporary = [0; 4];
                self.answer = None;
                first = number;
            }
            let mut given = Vec::new();
            if *at == ir.measure {
                self.gives(Left::Ending, (-1, 64));
                self.gives(Left::Seat, (0, 7));
                given.extend([Left::Ending, Left::Seat]);
            }
            if let Some(stop) = resumes.get(at) {
                given.extend((0..16).map(|k| Left::Given(*stop, k)));
            }
            for (register, left) in (ir.io..).zip(given) {
                // In the first pass nothing is known of what stops give.
                let value = self.answer.take().or_else(|| self.left(left)).unwrap_or(Value::Known(0));
                self.local.insert(register, value);
            }
            let column = |register| self.left.get(&Left::Register(register)).copied();
            if let Some(repeat) = Repeat::of(ir, number, column) {
                self.emit(Instr::Repeat(self.repeats.len()));
                self.repeats.push(repeat);
            }
            for instruction in block {
                self.instr(instruction)?;
            }
            let leaves = block.last().is_some_and(|last| last.leaves() && !matches!(last, Ir::Stop(..)));
            let next = (!leaves && number + 1 < ir.blocks.len()).then_some(number + 1);
            if next.is_some_and(is_joined) {
                continue;
            }
            if let Some(next) = next {
                self.store_for(ir.blocks[next].0);
            }
            blocks[first] = Block { instrs: std::mem::take(&mut self.out), next };
        }
        Ok(blocks)
    }

    /// The columns that are read by something else than instructions: what is measured, who sits where, what loops begin
    /// with, and the variables where a policy is shown a state.
    fn read_alone(&self) -> FxHashSet<Ref> {
        let mut read: FxHashSet<Ref> = self.measured().into_iter().flatten().collect();
        for policy in &self.seating {
            if let Value::In(column, _) = policy {
                read.insert(*column);
            }
        }
        read.extend(self.repeats.iter().flat_map(|repeat| &repeat.reads));
        if !self.asks.is_empty() {
            read.extend(self.cells.values().map(|(column, _)| column));
        }
        read
    }

    fn measured(&self) -> Vec<Option<Ref>> {
        (0..16).map(|k| self.left.get(&Left::Measured(k)).copied()).collect()
    }

    /// All that is made, where the ranges are known.
    pub(super) fn built(mut self, lineups: Vec<Vec<usize>>) -> Result<Built, Obstacle> {
        let mut blocks = self.blocks()?;
        let measured = self.measured();
        let mut instrs: Vec<_> = blocks.iter_mut().map(|block| &mut block.instrs).collect();
        let read = needed(&mut instrs, self.read_alone());
        for column in self.rolls.iter_mut().flat_map(|roll| &mut roll.given) {
            *column = column.filter(|column| read.contains(column));
        }
        for block in &mut blocks {
            let instrs = fused(with_comparisons(with_sums(std::mem::take(&mut block.instrs))));
            block.instrs = placed(instrs, self.fixed, &mut self.constants);
        }
        with_tests_before_loops(&mut blocks);
        let cells: Vec<_> = self
            .program
            .places
            .iter()
            .filter_map(|place| Some((*place, self.cells.get(&(place.word, place.shift))?.0)))
            .collect();
        let far = with_far_jumps(&mut blocks, self.ir.numbers[&self.ir.measure], &cells);
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
        let cells = cells.into_iter().filter(|(_, column)| read.contains(column)).collect();
        let left = |left| self.left.get(&left).copied();
        Ok(Built {
            blocks,
            measure: self.ir.numbers[&self.ir.measure],
            columns,
            lanes: lanes(columns),
            left: self.fixed.map(|fixed| fixed as usize),
            constants,
            cells,
            ticks: self.ticks,
            ending: left(Left::Ending),
            seat: left(Left::Seat),
            measured,
            rolls: self.rolls,
            asks: self.asks,
            lists: self.lists,
            looks: self.looks,
            far,
            repeats: self.repeats,
            lineups,
            seating: self.seating,
        })
    }
}
