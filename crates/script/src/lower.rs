//! From instructions to executable code: what is known on the way is put into the instructions, what is then not needed is
//! left out, and results stay in the accumulator where the next instruction wants them.

use std::collections::{BTreeMap, HashMap, HashSet};

use crate::code::{Bits, Code, Halt, HaltForm, Row, Slot, Source, Step, Who};
use crate::machine::event_of;
use crate::op::{BagOp, Bin, Op, Place, Program, Reg, SiteForm};
use crate::pool::Throws;

/// An operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Arg {
    Reg(Reg),
    Const(i64),
    /// Whose turn it is.
    Me,
}

/// Cells in a row: side by side, or in words one after the other, with what is added; or by their number among those that
/// are neither.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cells {
    Near(Row, i32),
    Wide(Row, i32),
    Far(u32),
}

/// An instruction with operands that may be known.
#[derive(Clone, Debug, PartialEq)]
enum Ir {
    Copy(Reg, Arg),
    Bin(Bin, Reg, Arg, Arg),
    Select(Reg, Arg, Arg, Arg),
    Table(Reg, u16, Arg),
    Bag(BagOp, u16, Reg, Arg, Arg),
    Get(Reg, Place),
    Put(Place, Arg),
    At(Reg, Cells, Arg),
    PutAt(Cells, Arg, Arg),
    Jump(usize),
    /// If the first is true, or is not.
    JumpIf(Arg, bool, usize),
    Check(Arg, u32),
    Event(u8, Arg),
    Events(u8, Arg, Arg),
    Tick(Place, usize),
    Give(u8, Arg),
    Stop(u32, Arg, Vec<Arg>),
    End(u32),
    Return,
}

impl Ir {
    fn reads(&self) -> Vec<Reg> {
        let args: Vec<Arg> = match self {
            Self::Copy(_, a)
            | Self::Table(_, _, a)
            | Self::Put(_, a)
            | Self::At(_, _, a)
            | Self::JumpIf(a, ..)
            | Self::Check(a, _)
            | Self::Event(_, a)
            | Self::Give(_, a) => vec![*a],
            Self::Bin(_, _, a, b)
            | Self::Bag(_, _, _, a, b)
            | Self::PutAt(_, a, b)
            | Self::Events(_, a, b) => vec![*a, *b],
            Self::Select(_, c, a, b) => vec![*c, *a, *b],
            Self::Stop(_, seat, gives) => gives.iter().chain([seat]).copied().collect(),
            Self::Get(..) | Self::Jump(_) | Self::Tick(..) | Self::End(_) | Self::Return => Vec::new(),
        };
        args.into_iter()
            .filter_map(|arg| match arg {
                Arg::Reg(register) => Some(register),
                _ => None,
            })
            .collect()
    }

    fn writes(&self) -> Option<Reg> {
        match self {
            Self::Copy(d, _)
            | Self::Bin(_, d, ..)
            | Self::Select(d, ..)
            | Self::Table(d, ..)
            | Self::Bag(_, _, d, ..)
            | Self::Get(d, _)
            | Self::At(d, ..) => Some(*d),
            _ => None,
        }
    }

    fn target(&self) -> Option<usize> {
        match self {
            Self::Jump(to) | Self::JumpIf(_, _, to) | Self::Tick(_, to) => Some(*to),
            _ => None,
        }
    }

    fn leaves(&self) -> bool {
        matches!(self, Self::Jump(_) | Self::Stop(..) | Self::End(_) | Self::Return)
    }
}

/// Registers by number.
type Set = Vec<u64>;

fn has(set: &Set, register: Reg) -> bool {
    set[register as usize / 64] >> (register % 64) & 1 == 1
}

fn put(set: &mut Set, register: Reg, is: bool) {
    let word = &mut set[register as usize / 64];
    *word = *word & !(1 << (register % 64)) | u64::from(is) << (register % 64);
}

struct Lowering<'p> {
    program: &'p Program,
    me: Option<Place>,
    /// The first register of what stops give.
    io: Reg,
    /// Instructions with their labels: addresses in the program.
    blocks: Vec<(usize, Vec<Ir>)>,
    rows: BTreeMap<(u32, u32), Cells>,
    code: Code,
    /// Steps that jump, to labels at first.
    jumps: Vec<usize>,
    /// The label to which a stop too many leads.
    capped: HashMap<u32, usize>,
    /// A register for constants that must be in one.
    spare: Reg,
    /// The number of registers.
    top: Reg,
    /// Where the entries of each table begin.
    tables: Vec<(u32, u32)>,
}

/// The most registers for constants at a time; the next is for sums.
const MOST_SPARE: Reg = 9;

/// The register of a value of a stop.
fn io(first: Reg, number: u8) -> Reg {
    first + Reg::from(number & 15)
}

/// Turns a finished program into code.
pub(crate) fn lower(program: &Program, me: Option<Place>) -> (Code, Throws) {
    let io = Reg::try_from(program.registers).unwrap_or(0);
    let mut throws = Throws::default();
    let mut code = Code { io: io as usize, ..Code::default() };
    let mut tables = Vec::new();
    for table in &program.tables {
        tables.push((small(code.aside.entries.len()), small(table.len())));
        code.aside.entries.extend(table);
    }
    for site in &program.sites {
        let form = match &site.form {
            SiteForm::Roll(kinds) => {
                let pools = |first: u32, many: u32| &program.pools[first as usize..(first + many) as usize];
                let kinds: Vec<_> =
                    kinds.iter().map(|kind| (pools(kind.first, kind.many), kind.part)).collect();
                HaltForm::Roll(throws.roll(&kinds), 0, Vec::new())
            }
            SiteForm::Draw(layout) => {
                HaltForm::Roll(throws.draw(&program.layouts[usize::from(*layout)]), 0, Vec::new())
            }
            SiteForm::Ask(kind) => HaltForm::Ask(*kind, Ok(0)),
        };
        code.aside.halts.push(Halt {
            who: Who::Seat(0),
            resume: 0,
            capped: u32::MAX,
            live: site.live,
            form,
            throw: None,
            next: [u32::MAX; 2],
        });
    }
    let mut lowering = Lowering {
        program,
        me,
        io,
        blocks: Vec::new(),
        rows: BTreeMap::new(),
        code,
        jumps: Vec::new(),
        capped: HashMap::new(),
        spare: io,
        top: io,
        tables,
    };
    lowering.spare += lowering.handed();
    lowering.top = lowering.spare;
    lowering.read();
    let live = lowering.leave_out();
    lowering.write(&live);
    lowering.code.slots = lowering.top as usize;
    (lowering.code, throws)
}

fn small(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// What is known in a block.
#[derive(Default)]
struct Known {
    registers: HashMap<Reg, Arg>,
    cells: HashMap<(u8, u8), Arg>,
    /// Registers that are sums.
    sums: Vec<(Reg, Arg, Arg)>,
}

impl Known {
    fn of(&self, register: Reg) -> Arg {
        self.registers.get(&register).copied().unwrap_or(Arg::Reg(register))
    }

    /// A register changes.
    fn set(&mut self, register: Reg) {
        self.registers.remove(&register);
        self.registers.retain(|_, arg| *arg != Arg::Reg(register));
        self.cells.retain(|_, arg| *arg != Arg::Reg(register));
        self.sums.retain(|(d, a, b)| *d != register && ![*a, *b].contains(&Arg::Reg(register)));
    }

    /// Whose turn it is changes.
    fn new_me(&mut self) {
        self.registers.retain(|_, arg| *arg != Arg::Me);
        self.cells.retain(|_, arg| *arg != Arg::Me);
        self.sums.retain(|(_, a, b)| ![*a, *b].contains(&Arg::Me));
    }
}

impl Lowering<'_> {
    /// The most values that a stop takes or gives.
    fn handed(&self) -> Reg {
        let ops = self.program.ops.iter().map(|op| match op {
            Op::Give(k, _) | Op::Take(_, k) => Reg::from(*k & 15) + 1,
            _ => 1,
        });
        let widths = self.code.aside.halts.iter().map(|halt| match &halt.form {
            HaltForm::Roll(choice, ..) => small(choice.width),
            HaltForm::Ask(..) => 1,
        });
        ops.chain(widths).max().unwrap_or(1)
    }

    /// The words of a set of registers.
    fn words(&self) -> usize {
        (self.spare + MOST_SPARE + 1).div_ceil(64) as usize
    }

    /// The addresses at which blocks begin.
    fn starts(&self) -> Vec<bool> {
        let ops = &self.program.ops;
        let mut starts = vec![false; ops.len() + 1];
        starts[0] = true;
        for (at, op) in ops.iter().enumerate() {
            if let Some(to) = op.target() {
                starts[self.last_target(to as usize)] = true;
                starts[to as usize] = true;
            }
            if op.is_stop() || matches!(op, Op::Jump(_) | Op::End(_) | Op::Return) {
                starts[at + 1] = true;
            }
        }
        starts[self.program.measure as usize] = true;
        for (_, at) in self.program.readings.iter().flat_map(|reading| &reading.at) {
            starts[*at as usize] = true;
        }
        starts
    }

    /// Where a jump leads in the end.
    fn last_target(&self, mut to: usize) -> usize {
        for _ in 0..16 {
            match self.program.ops.get(to) {
                Some(Op::Jump(next)) => to = *next as usize,
                _ => break,
            }
        }
        to
    }

    fn row(&mut self, first: u32, len: u32) -> Cells {
        if let Some(row) = self.rows.get(&(first, len)) {
            return *row;
        }
        let places = &self.program.places[first as usize..(first + len) as usize];
        let one = places[0];
        let step = places.get(1).map_or(0, |two| two.shift.saturating_sub(one.shift));
        let is = |at: usize, place: &Place, in_word: usize| {
            let shift = usize::from(one.shift) + usize::from(step) * (at % in_word);
            let word = usize::from(one.word) + at / in_word;
            (usize::from(place.word), usize::from(place.shift)) == (word, shift)
                && (place.bits, place.low) == (one.bits, one.low)
        };
        let is_row = |in_word: usize| places.iter().enumerate().all(|(at, place)| is(at, place, in_word));
        let row = u8::try_from(len).ok().map(|len| Row { first: Bits::of(one), step, len });
        let cells = match row {
            Some(row) if is_row(usize::MAX) => Cells::Near(row, one.low),
            Some(row) if step.is_power_of_two() && one.shift == 0 && is_row(64 / usize::from(step)) => {
                Cells::Wide(row, one.low)
            }
            _ => {
                self.code.aside.far.push(places.to_vec());
                Cells::Far(small(self.code.aside.far.len() - 1))
            }
        };
        self.rows.insert((first, len), cells);
        cells
    }

    /// Reads the program block by block, with what is known.
    fn read(&mut self) {
        let starts = self.starts();
        let program = self.program;
        let mut known = Known::default();
        let mut block: Vec<Ir> = Vec::new();
        let mut first = 0;
        for (at, &op) in program.ops.iter().enumerate() {
            if starts[at] && at > 0 {
                self.blocks.push((first, std::mem::take(&mut block)));
                first = at;
                known = Known::default();
            }
            // What follows a jump whose condition is known is not reached.
            if !matches!(block.last(), Some(Ir::Jump(_))) {
                self.read_op(op, &mut known, &mut block);
            }
        }
        self.blocks.push((first, block));
    }

    fn read_op(&mut self, op: Op, known: &mut Known, block: &mut Vec<Ir>) {
        let program = self.program;
        let me = self.me;
        let is_me = |place: Place| me.is_some_and(|me| (me.word, me.shift) == (place.word, place.shift));
        let target = op.target().map_or(0, |to| self.last_target(to as usize));
        let ir = match op {
            Op::Label(_) | Op::Mark(_) | Op::Load(..) | Op::Store(..) => return,
            Op::Set(d, value) => Ir::Copy(d, Arg::Const(value)),
            Op::Move(d, a) => Ir::Copy(d, known.of(a)),
            Op::Take(d, k) => Ir::Copy(d, known.of(io(self.io, k))),
            Op::Bin(bin, d, a, b) => bin_of(bin, d, known.of(a), known.of(b)),
            Op::BinK(bin, d, a, k) => bin_of(bin, d, known.of(a), Arg::Const(k.into())),
            Op::Select(d, c, a, b) => match known.of(c) {
                Arg::Const(c) => Ir::Copy(d, known.of(if c != 0 { a } else { b })),
                c => Ir::Select(d, c, known.of(a), known.of(b)),
            },
            Op::Table(d, table, a) => match known.of(a) {
                Arg::Const(at) => {
                    let entry = usize::try_from(at).ok();
                    let entry = entry.and_then(|at| program.tables[usize::from(table)].get(at));
                    Ir::Copy(d, Arg::Const(entry.copied().unwrap_or(0)))
                }
                a => Ir::Table(d, table, a),
            },
            Op::Bag(op, layout, d, a, b) => Ir::Bag(op, layout, d, known.of(a), known.of(b)),
            Op::Get(d, place) if is_me(place) => Ir::Copy(d, Arg::Me),
            Op::Get(d, place) => match known.cells.get(&(place.word, place.shift)) {
                Some(arg) => Ir::Copy(d, *arg),
                None => Ir::Get(d, place),
            },
            Op::Put(place, a) => Ir::Put(place, known.of(a)),
            Op::LoadAt(d, cell, len, i) => match known.of(i) {
                Arg::Const(i) if (0..i64::from(len)).contains(&i) => {
                    let place = program.places[cell as usize + usize::try_from(i).unwrap_or(0)];
                    match known.cells.get(&(place.word, place.shift)) {
                        Some(arg) => Ir::Copy(d, *arg),
                        None => Ir::Get(d, place),
                    }
                }
                i => {
                    let row = self.row(cell, len);
                    Ir::At(d, row, i)
                }
            },
            Op::StoreAt(cell, len, i, a) => match known.of(i) {
                Arg::Const(i) if (0..i64::from(len)).contains(&i) => {
                    Ir::Put(program.places[cell as usize + usize::try_from(i).unwrap_or(0)], known.of(a))
                }
                i => {
                    let row = self.row(cell, len);
                    let places = &program.places[cell as usize..(cell + len) as usize];
                    for place in places {
                        known.cells.remove(&(place.word, place.shift));
                    }
                    Ir::PutAt(row, i, known.of(a))
                }
            },
            Op::Jump(_) => Ir::Jump(target),
            Op::JumpIf(a, _) | Op::JumpUnless(a, _) => {
                let wanted = matches!(op, Op::JumpIf(..));
                match known.of(a) {
                    Arg::Const(truth) if (truth != 0) == wanted => Ir::Jump(target),
                    Arg::Const(_) => return,
                    a => Ir::JumpIf(a, wanted, target),
                }
            }
            Op::Check(a, number) => {
                let check = &program.checks[number as usize];
                match known.of(a) {
                    Arg::Const(value) if (check.low..=check.high).contains(&value) => return,
                    a => Ir::Check(a, number),
                }
            }
            Op::CheckSum(a, b, number) => {
                let (a, b) = (known.of(a), known.of(b));
                let sum = known.sums.iter().find(|(d, one, two)| {
                    [(a, b), (b, a)].contains(&(*one, *two)) && known.of(*d) == Arg::Reg(*d)
                });
                let sum = sum.map(|(d, ..)| *d).unwrap_or_else(|| {
                    let sum = self.spare + MOST_SPARE;
                    block.push(Ir::Bin(Bin::Add, sum, a, b));
                    self.top = self.top.max(sum + 1);
                    sum
                });
                Ir::Check(Arg::Reg(sum), number)
            }
            Op::Event(event, seat) => Ir::Event(event, known.of(seat)),
            Op::Events(event, seat, many) => Ir::Events(event, known.of(seat), known.of(many)),
            Op::Tick(cell, _) => Ir::Tick(program.places[cell as usize], target),
            Op::Give(k, a) => {
                let (slot, arg) = (io(self.io, k), known.of(a));
                known.set(slot);
                known.registers.insert(slot, arg);
                block.push(Ir::Copy(slot, arg));
                Ir::Give(k, arg)
            }
            Op::Roll(site) | Op::Draw(site) | Op::Ask(site) => {
                let many = match &program.sites[site as usize].form {
                    SiteForm::Roll(kinds) => kinds.len(),
                    SiteForm::Draw(_) | SiteForm::Ask(_) => 1,
                };
                let give = |k: usize| known.of(io(self.io, u8::try_from(k).unwrap_or(0)));
                Ir::Stop(site, give(0), (1..=many).map(give).collect())
            }
            Op::End(ending) => Ir::End(ending),
            Op::Return => Ir::Return,
        };
        if let Ir::Copy(d, Arg::Reg(a)) = ir
            && d == a
        {
            return;
        }
        if let Some(d) = ir.writes() {
            known.set(d);
        }
        match ir {
            Ir::Copy(d, arg) => {
                known.registers.insert(d, arg);
            }
            Ir::Bin(Bin::Add, d, a, b) if ![a, b].contains(&Arg::Reg(d)) => known.sums.push((d, a, b)),
            Ir::Get(d, place) => {
                known.cells.insert((place.word, place.shift), Arg::Reg(d));
            }
            Ir::Put(place, arg) => {
                if is_me(place) {
                    known.new_me();
                } else {
                    known.cells.insert((place.word, place.shift), arg);
                }
            }
            Ir::Tick(place, _) => {
                known.cells.remove(&(place.word, place.shift));
            }
            _ => {}
        }
        block.push(ir);
    }

    /// Leaves out what nothing reads. Returns what is live at the start of every block.
    fn leave_out(&mut self) -> HashMap<usize, Set> {
        let words = self.words();
        let mut live: HashMap<usize, Set> = self.blocks.iter().map(|(at, _)| (*at, vec![0; words])).collect();
        self.drop_gives();
        loop {
            let mut is_done = true;
            let mut next: Option<usize> = None;
            for number in (0..self.blocks.len()).rev() {
                let first = self.blocks[number].0;
                let mut set = self.live_out(number, next, &live);
                for ir in self.blocks[number].1.iter().rev() {
                    step_back(ir, &mut set, &live);
                }
                if live[&first] != set {
                    live.insert(first, set);
                    is_done = false;
                }
                next = Some(first);
            }
            if is_done {
                break;
            }
        }
        let mut next: Option<usize> = None;
        for number in (0..self.blocks.len()).rev() {
            let mut set = self.live_out(number, next, &live);
            next = Some(self.blocks[number].0);
            let mut kept = Vec::new();
            for ir in std::mem::take(&mut self.blocks[number].1).into_iter().rev() {
                if ir.writes().is_some_and(|d| !has(&set, d)) {
                    continue;
                }
                step_back(&ir, &mut set, &live);
                kept.push(ir);
            }
            kept.reverse();
            self.blocks[number].1 = kept;
        }
        live
    }

    /// What is handed over at a stop is an operand of the stop.
    fn drop_gives(&mut self) {
        for (_, block) in &mut self.blocks {
            if matches!(block.last(), Some(Ir::Stop(..))) {
                block.retain(|ir| !matches!(ir, Ir::Give(..)));
            }
        }
    }

    fn live_out(&self, number: usize, next: Option<usize>, live: &HashMap<usize, Set>) -> Set {
        let falls = self.blocks[number].1.last().is_none_or(|last| !last.leaves());
        match next.filter(|_| falls) {
            Some(next) => live[&next].clone(),
            None => vec![0; self.words()],
        }
    }

    fn write(&mut self, live: &HashMap<usize, Set>) {
        let mut addresses = HashMap::new();
        let starts =
            || self.program.readings.iter().flat_map(|reading| &reading.at).map(|(_, at)| *at as usize);
        let resumes = self.program.sites.iter().map(|site| site.resume as usize);
        let entries: HashSet<usize> =
            resumes.chain(starts()).chain([self.program.measure as usize]).collect();
        // They come last.
        let readings = starts().min().unwrap_or(usize::MAX);
        let blocks = std::mem::take(&mut self.blocks);
        for (number, (first, block)) in blocks.iter().enumerate() {
            addresses.insert(*first, small(self.code.steps.len()));
            let next = blocks.get(number + 1).map(|(first, _)| *first);
            let falls = block.last().is_none_or(|last| !last.leaves());
            let out = match next.filter(|_| falls) {
                Some(next) => live[&next].clone(),
                None => vec![0; self.words()],
            };
            let is_entry = entries.contains(first);
            let is_reading = *first >= readings;
            let acc = is_entry.then_some(self.io);
            Writer { lowering: self, live, acc, is_kept: false, same: None, block, out, next, is_reading }
                .block();
        }
        let of = |at: usize| addresses.get(&at).copied().unwrap_or(0);
        for &step in &self.jumps {
            match &mut self.code.steps[step] {
                Step::Jump(to)
                | Step::JumpIf(to)
                | Step::JumpUnless(to)
                | Step::JumpEq(_, to)
                | Step::JumpNe(_, to)
                | Step::JumpLt(_, to)
                | Step::JumpGe(_, to)
                | Step::JumpLe(_, to)
                | Step::JumpGt(_, to)
                | Step::JumpEqK(_, to)
                | Step::JumpNeK(_, to)
                | Step::JumpLtK(_, to)
                | Step::JumpGeK(_, to)
                | Step::Tick(to) => *to = of(*to as usize),
                _ => {}
            }
        }
        for ((number, halt), site) in (0..).zip(&mut self.code.aside.halts).zip(&self.program.sites) {
            halt.resume = of(site.resume as usize);
            halt.capped = self.capped.get(&number).map_or(u32::MAX, |label| of(*label));
        }
        self.code.measure = of(self.program.measure as usize);
        for reading in &self.program.readings {
            let missing = Source::fixed(reading.low.max(0).min(reading.high));
            let mut sources = vec![missing; self.program.sites.len()];
            for (site, at) in &reading.at {
                let block = blocks.binary_search_by_key(&(*at as usize), |(first, _)| *first);
                let simple = block.ok().and_then(|block| simple(&blocks[block].1));
                sources[*site as usize] = simple.unwrap_or_else(|| Source::Code(of(*at as usize)));
            }
            for (site, look) in &reading.ahead {
                sources[*site as usize] = Source::Ahead(*look);
            }
            self.code.sources.push(sources);
        }
    }
}

/// A reading that takes no code.
fn simple(block: &[Ir]) -> Option<Source> {
    let (first, rest) = match block {
        [Ir::Give(0, Arg::Const(value)), Ir::Return] => {
            return k32(*value).map(|_| Source::fixed(*value));
        }
        [first, rest @ ..] => (first, rest),
        [] => return None,
    };
    let d = first.writes()?;
    let (factor, more) = match rest {
        [Ir::Give(0, Arg::Reg(a)), Ir::Return] if *a == d => (1, 0),
        [Ir::Bin(bin, e, a, b), Ir::Give(0, Arg::Reg(f)), Ir::Return] if e == f => match (bin, *a, *b) {
            (Bin::Add, Arg::Reg(a), Arg::Const(k)) | (Bin::Add, Arg::Const(k), Arg::Reg(a)) if a == d => {
                (1, k)
            }
            (Bin::Sub, Arg::Reg(a), Arg::Const(k)) if a == d => (1, -k),
            (Bin::Sub, Arg::Const(k), Arg::Reg(a)) if a == d => (-1, k),
            _ => return None,
        },
        _ => return None,
    };
    let more = |low: i32| k32(i64::from(factor) * i64::from(low) + more);
    match *first {
        Ir::Get(_, place) => {
            let row = Row { first: Bits::of(place), step: 0, len: 1 };
            Some(Source::Row(row, factor, more(place.low)?))
        }
        Ir::At(_, Cells::Near(row, low), Arg::Me) => Some(Source::Row(row, factor, more(low)?)),
        _ => None,
    }
}

fn bin_of(bin: Bin, d: Reg, a: Arg, b: Arg) -> Ir {
    match (bin, a, b) {
        (_, Arg::Const(a), Arg::Const(b)) => Ir::Copy(d, Arg::Const(bin.apply(a, b))),
        (Bin::Add | Bin::Sub | Bin::Or, a, Arg::Const(0)) | (Bin::Add | Bin::Or, Arg::Const(0), a) => {
            Ir::Copy(d, a)
        }
        (Bin::Mul, a, Arg::Const(1)) | (Bin::Mul, Arg::Const(1), a) => Ir::Copy(d, a),
        _ => Ir::Bin(bin, d, a, b),
    }
}

fn step_back(ir: &Ir, set: &mut Set, live: &HashMap<usize, Set>) {
    if let Some(target) = ir.target().and_then(|to| live.get(&to)) {
        set.iter_mut().zip(target).for_each(|(word, target)| *word |= target);
    }
    if let Some(d) = ir.writes() {
        if !has(set, d) {
            return;
        }
        put(set, d, false);
    }
    ir.reads().into_iter().for_each(|register| put(set, register, true));
}

/// Writes the steps of a block.
struct Writer<'l, 'p> {
    lowering: &'l mut Lowering<'p>,
    live: &'l HashMap<usize, Set>,
    /// The register whose value is in the accumulator, and whether it is in the register, too.
    acc: Option<Reg>,
    is_kept: bool,
    /// Another register with the same value.
    same: Option<Reg>,
    block: &'l [Ir],
    out: Set,
    next: Option<usize>,
    is_reading: bool,
}

fn slot(register: Reg) -> Slot {
    Slot::try_from(register).unwrap_or(0)
}

fn k32(number: i64) -> Option<i32> {
    i32::try_from(number).ok()
}

impl Writer<'_, '_> {
    fn block(&mut self) {
        // What is read after every instruction.
        let mut after = vec![self.out.clone()];
        for ir in self.block.iter().rev() {
            let mut set = after[after.len() - 1].clone();
            step_back(ir, &mut set, self.live);
            after.push(set);
        }
        after.reverse();
        let mut at = 0;
        while at < self.block.len() {
            at += self.ir(at, &after);
        }
        let falls = self.block.last().is_none_or(|last| !last.leaves());
        if falls {
            self.keep(&self.out.clone());
        }
    }

    fn emit(&mut self, step: Step) {
        self.lowering.code.steps.push(step);
    }

    fn jump(&mut self, step: Step) {
        self.lowering.jumps.push(self.lowering.code.steps.len());
        self.emit(step);
    }

    /// Puts the accumulator into its register if that is still read.
    fn keep(&mut self, live: &Set) {
        if let Some(register) = self.acc.filter(|register| !self.is_kept && has(live, *register)) {
            self.emit(Step::Keep(slot(register)));
            self.is_kept = true;
        }
    }

    /// Puts a value into the accumulator.
    fn load(&mut self, arg: Arg, live: &Set) {
        match arg {
            Arg::Reg(register) if self.acc == Some(register) || self.same == Some(register) => {}
            Arg::Reg(register) => {
                self.keep(live);
                self.emit(Step::Slot(slot(register)));
                (self.acc, self.is_kept, self.same) = (Some(register), true, None);
            }
            Arg::Const(value) => {
                self.keep(live);
                self.emit(Step::Const(value));
                (self.acc, self.same) = (None, None);
            }
            Arg::Me => {
                self.keep(live);
                self.emit(Step::Me);
                (self.acc, self.same) = (None, None);
            }
        }
    }

    /// A register with a value, for an operand that must be in one.
    fn in_register(&mut self, arg: Arg, spare: Reg, live: &Set) -> Slot {
        match arg {
            Arg::Reg(register) => {
                if self.acc == Some(register) && !self.is_kept {
                    self.emit(Step::Keep(slot(register)));
                    self.is_kept = true;
                }
                slot(register)
            }
            other => {
                self.load(other, live);
                self.emit(Step::Keep(slot(spare)));
                self.lowering.top = self.lowering.top.max(spare + 1);
                slot(spare)
            }
        }
    }

    fn set(&mut self, d: Reg) {
        (self.acc, self.is_kept, self.same) = (Some(d), false, None);
    }

    /// Writes an instruction; returns how many were used up.
    fn ir(&mut self, at: usize, after: &[Set]) -> usize {
        let block = self.block;
        // What may still be needed when this one is done, and all that it reads.
        let mut live = after[at + 1].clone();
        let d = block[at].writes();
        if let Some(d) = d {
            put(&mut live, d, false);
        }
        if let Some(target) = block[at].target().and_then(|to| self.live.get(&to)) {
            live.iter_mut().zip(target).for_each(|(word, target)| *word |= target);
        }
        let mut with_reads = live.clone();
        block[at].reads().into_iter().for_each(|register| put(&mut with_reads, register, true));
        match block[at].clone() {
            Ir::Copy(d, arg) => {
                self.load(arg, &live);
                self.keep(&live);
                let same = self.acc.filter(|_| self.is_kept);
                self.set(d);
                self.same = same;
            }
            Ir::Bin(bin, d, a, b) => {
                if let (Some(Ir::JumpIf(Arg::Reg(c), wanted, to)), true) =
                    (block.get(at + 1), is_comparison(bin))
                    && *c == d
                    && !has(&after[at + 2], d)
                    && self.live.get(to).is_none_or(|set| !has(set, d))
                {
                    self.compare(if *wanted { bin } else { not(bin) }, *wanted, a, b, *to, &after[at + 2]);
                    return 2;
                }
                self.bin(bin, a, b, &live, &with_reads);
                self.set(d);
            }
            Ir::Select(d, c, a, b) => {
                if let (Arg::Const(a), Arg::Const(b)) = (a, b)
                    && let (Some(a), Some(b)) = (k32(a), k32(b))
                {
                    self.load(c, &live);
                    self.keep(&live);
                    self.emit(Step::SelectK(a, b));
                } else {
                    let spare = self.lowering.spare;
                    let a = self.in_register(a, spare, &with_reads);
                    let b = self.in_register(b, spare + 1, &with_reads);
                    self.load(c, &live);
                    self.keep(&live);
                    self.emit(Step::Select(a, b));
                }
                self.set(d);
            }
            Ir::Table(d, table, a) => {
                self.load(a, &live);
                self.keep(&live);
                let (first, len) = self.lowering.tables[usize::from(table)];
                self.emit(Step::Table(first, len));
                self.set(d);
            }
            Ir::Bag(op, layout, d, a, b) => {
                let spare = self.lowering.spare;
                let b = if is_binary(op) { self.in_register(b, spare, &with_reads) } else { 0 };
                self.load(a, &live);
                self.keep(&live);
                self.emit(Step::Bag(op, layout, b));
                self.set(d);
            }
            Ir::Get(d, place) => {
                // What is added to the accumulator and not needed apart.
                if let Some(Ir::Bin(Bin::Add, e, Arg::Reg(a), Arg::Reg(b))) = block.get(at + 1)
                    && a != b
                    && [*a, *b].contains(&d)
                    && (*e == d || !has(&after[at + 2], d))
                    && self.acc.is_some_and(|acc| [*a, *b].contains(&acc) && acc != d)
                {
                    let mut live = after[at + 2].clone();
                    put(&mut live, *e, false);
                    self.keep(&live);
                    self.emit(Step::AddGet(Bits::of(place), place.low));
                    self.set(*e);
                    return 2;
                }
                self.keep(&live);
                let bits = Bits::of(place);
                self.emit(if place.low == 0 { Step::Get(bits) } else { Step::GetLow(bits, place.low) });
                self.set(d);
            }
            Ir::At(d, Cells::Near(row, low), Arg::Me) => {
                self.keep(&live);
                self.emit(Step::AtMe(row, low));
                self.set(d);
            }
            Ir::At(d, cells, i) => {
                self.load(i, &live);
                self.keep(&live);
                self.emit(match cells {
                    Cells::Near(row, low) => Step::At(row, low),
                    Cells::Wide(row, low) => Step::Wide(row, low),
                    Cells::Far(number) => Step::Far(number),
                });
                self.set(d);
            }
            Ir::Put(place, Arg::Const(value)) if !self.is_me(place) && value == i64::from(place.low) => {
                return self.clear(at);
            }
            Ir::Put(place, a) => {
                self.load(a, &live);
                let bits = Bits::of(place);
                self.emit(match place.low {
                    _ if self.is_me(place) => Step::PutMe,
                    0 => Step::Put(bits),
                    low => Step::PutLow(bits, low),
                });
            }
            Ir::PutAt(Cells::Near(row, low), Arg::Me, a) => {
                self.load(a, &live);
                self.emit(Step::PutAtMe(row, low));
            }
            Ir::PutAt(cells, i, a) => {
                let spare = self.lowering.spare;
                let i = self.in_register(i, spare, &with_reads);
                self.load(a, &live);
                self.emit(match cells {
                    Cells::Near(row, low) => Step::PutAt(row, low, i),
                    Cells::Wide(row, low) => Step::PutWide(row, low, i),
                    Cells::Far(number) => Step::PutFar(number, i),
                });
            }
            Ir::Jump(to) => {
                let target = self.live.get(&to).cloned().unwrap_or_default();
                if !target.is_empty() {
                    self.keep(&target);
                }
                if self.next != Some(to) {
                    self.jump(Step::Jump(small(to)));
                }
            }
            Ir::JumpIf(a, wanted, to) => {
                self.load(a, &with_reads);
                self.keep_for(to);
                self.jump(if wanted { Step::JumpIf(small(to)) } else { Step::JumpUnless(small(to)) });
            }
            Ir::Check(a, number) => {
                self.load(a, &live);
                let check = &self.lowering.program.checks[number as usize];
                let step = match (k32(check.low), k32(check.high)) {
                    (Some(low), Some(high)) => Step::Within(low, high, number),
                    _ => Step::Check(number),
                };
                self.emit(step);
            }
            Ir::Event(event, seat) => match seat {
                Arg::Me => self.emit(Step::EventMe(event_of(event))),
                Arg::Const(seat) => {
                    self.emit(Step::EventOf(event_of(event), u8::try_from(seat & 7).unwrap_or(0)));
                }
                seat => {
                    self.load(seat, &live);
                    self.emit(Step::Event(event_of(event)));
                }
            },
            Ir::Events(event, seat, many) => {
                let spare = self.lowering.spare;
                let seat = self.in_register(seat, spare, &with_reads);
                self.load(many, &live);
                self.emit(Step::Events(event_of(event), seat));
            }
            Ir::Tick(_, to) => {
                self.keep_for(to);
                if let Some(Ir::Stop(site, ..)) = block.get(at + 1) {
                    self.lowering.capped.insert(*site, to);
                } else {
                    self.jump(Step::Tick(small(to)));
                }
            }
            Ir::Give(k, a) => {
                self.load(a, &live);
                // A reading has one number, which is the accumulator.
                if !self.is_reading {
                    self.emit(Step::Give(slot(io(self.lowering.io, k))));
                }
            }
            Ir::Stop(site, seat, gives) => self.stop(site, seat, &gives, &with_reads),
            Ir::End(ending) => self.emit(Step::End(ending)),
            Ir::Return => self.emit(Step::Return),
        }
        1
    }

    fn is_me(&self, place: Place) -> bool {
        self.lowering.me.is_some_and(|me| (me.word, me.shift) == (place.word, place.shift))
    }

    /// Sets cells to 0 that are set one after the other, word by word; returns how many instructions that are.
    fn clear(&mut self, at: usize) -> usize {
        let mut words: BTreeMap<u8, u64> = BTreeMap::new();
        let mut many = 0;
        while let Some(Ir::Put(place, Arg::Const(value))) = self.block.get(at + many) {
            if *value != i64::from(place.low) || self.is_me(*place) {
                break;
            }
            *words.entry(place.word).or_default() |= place.mask() << (place.shift & 63);
            many += 1;
        }
        words.into_iter().for_each(|(word, mask)| self.emit(Step::Clear(word, !mask)));
        many
    }

    /// Puts the accumulator into its register if what a jump leads to reads it.
    fn keep_for(&mut self, to: usize) {
        if let Some(target) = self.live.get(&to).cloned() {
            self.keep(&target);
        }
    }

    fn bin(&mut self, bin: Bin, a: Arg, b: Arg, live: &Set, with_reads: &Set) {
        if let Arg::Const(k) = b
            && let Some(step) = with_constant(bin, k)
        {
            self.load(a, live);
            self.keep(live);
            return self.emit(step);
        }
        if let Arg::Const(k) = a
            && let Some(step) = from_constant(bin, k)
        {
            self.load(b, live);
            self.keep(live);
            return self.emit(step);
        }
        let spare = self.lowering.spare;
        let is_second = matches!(b, Arg::Reg(b) if self.acc == Some(b)) && a != b;
        if let (true, Some(turned), Arg::Reg(a)) = (is_second, turned(bin), a) {
            self.keep(live);
            return self.emit(turned(slot(a)));
        }
        let b = self.in_register(b, spare, with_reads);
        self.load(a, live);
        self.keep(live);
        self.emit(straight(bin)(b));
    }

    /// Jumps if a comparison holds.
    fn compare(&mut self, bin: Bin, wanted: bool, a: Arg, b: Arg, to: usize, live: &Set) {
        let label = small(to);
        let mut live = live.clone();
        if let Some(target) = self.live.get(&to) {
            live.iter_mut().zip(target).for_each(|(word, target)| *word |= target);
        }
        // `bin` is Eq, Ne, Lt or Le, or with `wanted` false the opposite of one.
        let order = |bin: Bin| match (bin, wanted) {
            (Bin::Eq, _) => Order::Eq,
            (Bin::Ne, _) => Order::Ne,
            (Bin::Lt, true) => Order::Lt,
            (Bin::Le, true) => Order::Le,
            (Bin::Lt, false) => Order::Ge,
            _ => Order::Gt,
        };
        let order = order(bin);
        let (order, a, b) = match (a, b) {
            (Arg::Const(_), b) => (order.turned(), b, a),
            (a, Arg::Reg(b)) if self.acc == Some(b) && a != Arg::Reg(b) => (order.turned(), Arg::Reg(b), a),
            _ => (order, a, b),
        };
        if let Arg::Const(k) = b {
            let step = match order {
                Order::Eq => k32(k).map(|k| Step::JumpEqK(k, label)),
                Order::Ne => k32(k).map(|k| Step::JumpNeK(k, label)),
                Order::Lt => k32(k).map(|k| Step::JumpLtK(k, label)),
                Order::Ge => k32(k).map(|k| Step::JumpGeK(k, label)),
                Order::Le => k32(k.saturating_add(1)).map(|k| Step::JumpLtK(k, label)),
                Order::Gt => k32(k.saturating_add(1)).map(|k| Step::JumpGeK(k, label)),
            };
            if let Some(step) = step {
                self.load(a, &live);
                self.keep_for(to);
                return self.jump(step);
            }
        }
        let spare = self.lowering.spare;
        let mut with_reads = live.clone();
        for arg in [a, b] {
            if let Arg::Reg(register) = arg {
                put(&mut with_reads, register, true);
            }
        }
        let b = self.in_register(b, spare, &with_reads);
        self.load(a, &live);
        self.keep_for(to);
        self.jump(match order {
            Order::Eq => Step::JumpEq(b, label),
            Order::Ne => Step::JumpNe(b, label),
            Order::Lt => Step::JumpLt(b, label),
            Order::Ge => Step::JumpGe(b, label),
            Order::Le => Step::JumpLe(b, label),
            Order::Gt => Step::JumpGt(b, label),
        });
    }

    fn stop(&mut self, site: u32, seat: Arg, gives: &[Arg], with_reads: &Set) {
        let mut spare = self.lowering.spare;
        let who = match seat {
            Arg::Me => Who::Me,
            // Nobody else plays.
            Arg::Const(0) if self.lowering.program.seats == 1 => Who::Me,
            Arg::Const(seat) => Who::Seat(u8::try_from(seat & 7).unwrap_or(0)),
            other => Who::Slot(self.in_register(other, spare, with_reads)),
        };
        let mut slots = Vec::new();
        for give in gives {
            slots.push(match give {
                Arg::Const(value) => Ok(*value),
                Arg::Me => {
                    spare += 1;
                    Err(self.in_register(Arg::Me, spare, with_reads))
                }
                other => Err(self.in_register(*other, spare, with_reads)),
            });
        }
        let halt = &mut self.lowering.code.aside.halts[site as usize];
        halt.who = who;
        let step = match &mut halt.form {
            HaltForm::Roll(choice, sum, slots_of) => {
                for (kind, slot) in slots.into_iter().enumerate() {
                    match slot {
                        Ok(many) => *sum += many * choice.step(kind),
                        Err(slot) => slots_of.push((slot, choice.step(kind))),
                    }
                }
                let is_known =
                    slots_of.is_empty() && who == Who::Me && self.lowering.capped.contains_key(&site);
                if is_known { Step::RollMe(site) } else { Step::Stop(site) }
            }
            HaltForm::Ask(_, actions) => {
                *actions = match slots[0] {
                    Ok(known) => Ok(known.cast_unsigned()),
                    Err(slot) => Err(slot),
                };
                match (who, slots[0]) {
                    (Who::Me, Ok(actions))
                        if actions.count_ones() > 1
                            && u32::try_from(actions).is_ok()
                            && self.lowering.capped.contains_key(&site) =>
                    {
                        Step::AskMe(site, u32::try_from(actions).unwrap_or(0))
                    }
                    _ => Step::Stop(site),
                }
            }
        };
        self.emit(step);
    }
}

/// How two numbers compare.
#[derive(Clone, Copy, Debug)]
enum Order {
    Eq,
    Ne,
    Lt,
    Ge,
    Le,
    Gt,
}

impl Order {
    /// The same of the numbers the other way round.
    fn turned(self) -> Self {
        match self {
            Self::Lt => Self::Gt,
            Self::Ge => Self::Le,
            Self::Le => Self::Ge,
            Self::Gt => Self::Lt,
            other => other,
        }
    }
}

fn is_comparison(bin: Bin) -> bool {
    matches!(bin, Bin::Eq | Bin::Ne | Bin::Lt | Bin::Le)
}

/// The opposite of `Eq` and `Ne`; of the others it is said apart.
fn not(bin: Bin) -> Bin {
    match bin {
        Bin::Eq => Bin::Ne,
        Bin::Ne => Bin::Eq,
        other => other,
    }
}

fn is_binary(op: BagOp) -> bool {
    matches!(op, BagOp::Count | BagOp::Minus | BagOp::Within | BagOp::Part | BagOp::Pairing | BagOp::Dice(_))
}

/// A step for acc and a constant.
fn with_constant(bin: Bin, k: i64) -> Option<Step> {
    let shift = u8::try_from(k & 63).unwrap_or(0);
    Some(match bin {
        Bin::Add => Step::AddK(k),
        Bin::Sub => Step::AddK(k.wrapping_neg()),
        Bin::Mul => Step::MulK(k),
        Bin::Div => Step::DivK(k),
        Bin::Rem => Step::RemK(k),
        Bin::Min => Step::MinK(k),
        Bin::Max => Step::MaxK(k),
        Bin::Eq => Step::EqK(k),
        Bin::Ne => Step::NeK(k),
        Bin::Lt => Step::LtK(k),
        Bin::Le => Step::LtK(k.checked_add(1)?),
        Bin::And => Step::AndK(k),
        Bin::Or => Step::OrK(k),
        Bin::Shl => Step::ShlK(shift),
        Bin::Shr => Step::ShrK(shift),
    })
}

/// A step for a constant and acc.
fn from_constant(bin: Bin, k: i64) -> Option<Step> {
    Some(match bin {
        Bin::Sub => Step::FromK(k),
        Bin::Lt => Step::GtK(k),
        Bin::Le => Step::GtK(k.checked_sub(1)?),
        Bin::Add | Bin::Mul | Bin::Min | Bin::Max | Bin::Eq | Bin::Ne | Bin::And | Bin::Or => {
            return with_constant(bin, k);
        }
        Bin::Div | Bin::Rem | Bin::Shl | Bin::Shr => return None,
    })
}

fn straight(bin: Bin) -> fn(Slot) -> Step {
    match bin {
        Bin::Add => Step::Add,
        Bin::Sub => Step::Sub,
        Bin::Mul => Step::Mul,
        Bin::Div => Step::Div,
        Bin::Rem => Step::Rem,
        Bin::Min => Step::Min,
        Bin::Max => Step::Max,
        Bin::Eq => Step::Eq,
        Bin::Ne => Step::Ne,
        Bin::Lt => Step::Lt,
        Bin::Le => Step::Le,
        Bin::And => Step::And,
        Bin::Or => Step::Or,
        Bin::Shl => Step::Shl,
        Bin::Shr => Step::Shr,
    }
}

/// The step for the second operand in acc.
fn turned(bin: Bin) -> Option<fn(Slot) -> Step> {
    Some(match bin {
        Bin::Sub => Step::From,
        Bin::Lt => Step::Gt,
        Bin::Le => Step::Ge,
        Bin::Div | Bin::Rem | Bin::Shl | Bin::Shr => return None,
        other => straight(other),
    })
}
