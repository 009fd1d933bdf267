//! From instructions to executable code: what is known on the way is put into the instructions, what is then not needed is
//! left out.

mod live;
mod perils;
mod read;
mod steps;
mod write;

use std::collections::BTreeMap;

use self::write::Writer;
use crate::code::{Aside, Code, Halt, HaltForm, Source, Step};
use crate::ir::{Arg, Cells, Ir};
use crate::mask::Mask;
use crate::op::{Bin, Op, Program, Reg, SiteForm};
use crate::pool::Throws;
use crate::pure_loop::PureLoop;
use crate::repeat::Repeat;
use crate::row::{Bits, Row};
use crate::set::Set;
use crate::state::Place;
use rustc_hash::{FxHashMap, FxHashSet};

struct Lowering<'p> {
    program: &'p Program,
    ops: &'p [Op],
    me: Option<Place>,
    /// The first register of what stops give.
    io: Reg,
    /// Instructions with their labels: addresses in the program.
    blocks: Vec<(usize, Vec<Ir>)>,
    rows: BTreeMap<(u32, u32), Cells>,
    code: Code,
    /// The label to which a stop too many leads.
    capped: FxHashMap<u32, usize>,
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
        code.aside.halts.push(Halt::new(form, site.live));
    }
    let mut lowering = Lowering::new(program, &program.ops, me, code, tables);
    let live = lowering.leave_out();
    lowering.write(&live);
    lowering.code.slots = lowering.top as usize + 1;
    (lowering.code, throws)
}

/// The blocks of a program, with what is read at the start of each.
pub(crate) struct Blocks {
    /// By address.
    pub(crate) blocks: Vec<(usize, Vec<Ir>)>,
    /// The number of the block at an address.
    pub(crate) numbers: FxHashMap<usize, usize>,
    live: FxHashMap<usize, Set>,
    /// The first register of what stops give.
    pub(crate) io: Reg,
    handed: Reg,
    /// Where it stands whose turn it is.
    pub(crate) me: Option<Place>,
    /// The address of the calculation at the end.
    pub(crate) measure: usize,
}

impl Blocks {
    /// Of a program that has been lowered.
    pub(crate) fn of(program: &Program) -> Self {
        let me = program.me.map(|cell| program.places[cell as usize]).filter(|place| place.bits > 0);
        let halts = program.code.aside.halts.clone();
        let (ops, io) = &program.unshared;
        let code = Code { io: *io, aside: Box::new(Aside { halts, ..Aside::default() }), ..Code::default() };
        let mut lowering = Lowering::new(program, ops, me, code, Vec::new());
        let live = lowering.leave_out();
        let handed = lowering.handed();
        let Lowering { blocks, io, .. } = lowering;
        let numbers = blocks.iter().enumerate().map(|(number, (at, _))| (*at, number)).collect();
        Self { blocks, numbers, live, io, handed, me, measure: program.measure as usize }
    }

    /// The registers by which blocks leave something to others.
    pub(crate) fn homes(&self) -> impl Iterator<Item = Reg> + '_ {
        let mut sets = self.live.values().cloned();
        let first = sets.next().unwrap_or_else(|| Set::new(0));
        let of_any = sets.fold(first, |mut all, set| {
            all.join(&set);
            all
        });
        let handed = self.io..self.io + self.handed;
        of_any.all().filter(move |register| !handed.contains(register)).collect::<Vec<_>>().into_iter()
    }

    /// What a calculation reads of a state: calls `visit` with all places and rows. Whether it is nothing but a calculation.
    pub(crate) fn reads(&self, at: usize, visit: &mut impl FnMut(Result<Place, Cells>)) -> bool {
        let (mut rest, mut seen) = (vec![self.numbers[&at]], FxHashSet::default());
        while let Some(number) = rest.pop() {
            let Some((_, block)) = self.blocks.get(number).filter(|_| seen.insert(number)) else { continue };
            for ir in block {
                if ir.args().contains(&Arg::Me) {
                    self.me.iter().for_each(|me| visit(Ok(*me)));
                }
                match ir {
                    Ir::Get(_, place) => visit(Ok(*place)),
                    Ir::At(_, cells, _) => visit(Err(*cells)),
                    Ir::Stop(..) | Ir::Put(..) | Ir::PutAt(..) | Ir::End(_) => return false,
                    _ => {}
                }
            }
            rest.extend(block.iter().filter_map(Ir::target).map(|to| self.numbers[&to]));
            if block.last().is_none_or(|last| !last.leaves()) {
                rest.push(number + 1);
            }
        }
        true
    }

    /// A block as a loop that only calculates, if it is one.
    pub(crate) fn pure_loop(&self, block: usize) -> Option<PureLoop> {
        let (at, block) = &self.blocks[block];
        PureLoop::of((*at, block), &self.live)
    }

    /// Whether a register is read at an address or after it.
    pub(crate) fn is_live(&self, at: usize, register: Reg) -> bool {
        self.live.get(&at).is_some_and(|set| set.has(register))
    }

    /// The blocks that the game and the calculation at its end reach.
    pub(crate) fn reached(&self) -> Vec<bool> {
        let mut reached = vec![false; self.blocks.len()];
        let mut rest = vec![0, self.numbers[&self.measure]];
        while let Some(number) = rest.pop() {
            if std::mem::replace(&mut reached[number], true) {
                continue;
            }
            let block = &self.blocks[number].1;
            rest.extend(block.iter().filter_map(Ir::target).map(|to| self.numbers[&to]));
            let leaves = block.last().is_some_and(|last| last.leaves() && !matches!(last, Ir::Stop(..)));
            if !leaves && number + 1 < self.blocks.len() {
                rest.push(number + 1);
            }
        }
        reached
    }
}

fn small(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

fn k32(number: i64) -> Option<i32> {
    i32::try_from(number).ok()
}

impl<'p> Lowering<'p> {
    /// With the program read into blocks.
    fn new(
        program: &'p Program,
        ops: &'p [Op],
        me: Option<Place>,
        code: Code,
        tables: Vec<(u32, u32)>,
    ) -> Self {
        let io = Reg::try_from(code.io).unwrap_or(0);
        let mut lowering = Lowering {
            program,
            ops,
            me,
            io,
            blocks: Vec::new(),
            rows: BTreeMap::new(),
            code,
            capped: FxHashMap::default(),
            spare: io,
            top: io,
            tables,
        };
        lowering.spare += lowering.handed();
        lowering.top = lowering.spare;
        lowering.read();
        lowering
    }

    /// Whether it stands there whose turn it is.
    fn is_me(&self, place: Place) -> bool {
        self.me.is_some_and(|me| (me.word, me.shift) == (place.word, place.shift))
    }

    /// The most values that a stop takes or gives.
    fn handed(&self) -> Reg {
        let ops = self.ops.iter().map(|op| match op {
            Op::Give(k, _) | Op::Take(_, k) => Reg::from(*k & 15) + 1,
            _ => 1,
        });
        let widths = self.code.aside.halts.iter().map(|halt| match &halt.form {
            HaltForm::Roll(choice, ..) => small(choice.width),
            HaltForm::Ask(..) | HaltForm::Loop(_) => 1,
        });
        ops.chain(widths).max().unwrap_or(1)
    }

    /// No registers.
    fn none(&self) -> Set {
        Set::new((self.spare + MOST_SPARE + 1) as usize)
    }

    /// Writes all blocks, then where jumps, stops and readings lead.
    fn write(&mut self, live: &FxHashMap<usize, Set>) {
        let mut addresses = FxHashMap::default();
        let starts =
            || self.program.readings.iter().flat_map(|reading| reading.starts()).map(|at| at as usize);
        let resumes = self.program.sites.iter().map(|site| site.resume as usize);
        let entries: FxHashSet<usize> =
            resumes.chain(starts()).chain([self.program.measure as usize]).collect();
        let perils = if self.program.looks.is_empty() { Vec::new() } else { self.perils() };
        let blocks = std::mem::take(&mut self.blocks);
        for (number, (first, block)) in blocks.iter().enumerate() {
            let perils = perils.get(number).map_or(&[][..], |perils| perils);
            addresses.insert(*first, small(self.code.steps.len()));
            let next = blocks.get(number + 1).map(|(first, _)| *first);
            let falls = block.last().is_none_or(|last| !last.leaves());
            let out = match next.filter(|_| falls) {
                Some(next) => live[&next].clone(),
                None => self.none(),
            };
            let is_entry = entries.contains(first);
            let pure = PureLoop::of((*first, block), live)
                .filter(|pure| pure.is_long() && !is_entry && !entries.contains(&pure.exit));
            if let Some(pure) = pure {
                let aside = &mut self.code.aside;
                self.code.steps.push(Step::Stop(small(aside.halts.len())));
                aside.perils.extend(perils.first());
                let mut halt = Halt::new(HaltForm::Loop(aside.repeats.len()), Mask::default());
                halt.resume = small(pure.exit);
                aside.halts.push(halt);
                aside.repeats.push(Repeat::new(pure));
                continue;
            }
            let spares = [None; MOST_SPARE as usize];
            Writer { lowering: self, live, block, perils, out, next, spares }.block();
        }
        let of = |at: usize| addresses.get(&at).copied().unwrap_or(0);
        for to in self.code.steps.iter_mut().filter_map(Step::target) {
            *to = of(*to as usize);
        }
        for halt in &mut self.code.aside.halts[self.program.sites.len()..] {
            halt.resume = of(halt.resume as usize);
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
            let mut masks = vec![None; if reading.masks.is_empty() { 0 } else { self.program.sites.len() }];
            reading.masks.iter().for_each(|(site, at)| masks[*site as usize] = Some(of(*at as usize)));
            self.code.masks.push(masks);
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
        Ir::Get(_, place) if factor == 1 => Some(Source::Cell(Bits::of(place), more(place.low)?)),
        Ir::Get(_, place) => {
            let row = Row { first: Bits::of(place), step: 0, len: 1 };
            Some(Source::Row(row, factor, more(place.low)?))
        }
        Ir::At(_, Cells::Near(row, low), Arg::Me) => Some(Source::Row(row, factor, more(low)?)),
        _ => None,
    }
}
