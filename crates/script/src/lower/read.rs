//! Reads a program block by block: what is known on the way is put into the instructions.

use std::collections::BTreeSet;

use super::{Lowering, MOST_SPARE, io, small};
use crate::ir::{Arg, Cells, Ir, bin_of};
use crate::op::{Bin, Op, Reg, SiteForm};
use crate::row::{Bits, Row};
use crate::state::Place;
use rustc_hash::{FxHashMap, FxHashSet};

/// What is known in a block.
#[derive(Default)]
struct Known {
    registers: FxHashMap<Reg, Arg>,
    /// Of cells, and of the bits of several side by side.
    cells: FxHashMap<Place, Arg>,
    /// Registers that are sums.
    sums: Vec<(Reg, Arg, Arg)>,
    /// Registers that are 0 or 1.
    truths: FxHashSet<Reg>,
}

impl Known {
    /// Bits change.
    fn forget(&mut self, place: Place) {
        self.cells.retain(|other, _| !other.meets(place));
    }

    fn of(&self, register: Reg) -> Arg {
        self.registers.get(&register).copied().unwrap_or(Arg::Reg(register))
    }

    /// A register changes.
    fn set(&mut self, register: Reg) {
        self.registers.remove(&register);
        self.registers.retain(|_, arg| *arg != Arg::Reg(register));
        self.cells.retain(|_, arg| *arg != Arg::Reg(register));
        self.sums.retain(|(d, a, b)| *d != register && ![*a, *b].contains(&Arg::Reg(register)));
        self.truths.remove(&register);
    }

    /// Whose turn it is changes.
    fn new_me(&mut self) {
        self.registers.retain(|_, arg| *arg != Arg::Me);
        self.cells.retain(|_, arg| *arg != Arg::Me);
        self.sums.retain(|(_, a, b)| ![*a, *b].contains(&Arg::Me));
    }
}

impl Lowering<'_> {
    /// The addresses at which blocks begin.
    fn starts(&self) -> Vec<bool> {
        let ops = self.ops;
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
        for at in self.program.readings.iter().flat_map(|reading| reading.starts()) {
            starts[at as usize] = true;
        }
        starts
    }

    /// Where a jump leads in the end.
    fn last_target(&self, mut to: usize) -> usize {
        for _ in 0..16 {
            match self.ops.get(to) {
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

    /// The registers that hold whose turn it is at the beginning of every block: a variable is read once for several.
    fn holding_me(&self, starts: &[bool]) -> FxHashMap<usize, BTreeSet<Reg>> {
        let program = self.program;
        let sites = program.sites.iter().map(|site| site.resume);
        let readings = program.readings.iter().flat_map(|reading| reading.starts());
        let mut open: Vec<usize> =
            sites.chain(readings).chain([0, program.measure]).map(|at| at as usize).collect();
        let mut held: FxHashMap<usize, BTreeSet<Reg>> =
            open.iter().map(|first| (*first, BTreeSet::new())).collect();
        while let Some(first) = open.pop() {
            let mut here = held[&first].clone();
            let mut lead = |to: usize, here: &BTreeSet<Reg>| {
                let both = held.get(&to).map_or_else(|| here.clone(), |before| before & here);
                if held.get(&to) != Some(&both) {
                    held.insert(to, both);
                    open.push(to);
                }
            };
            for (at, op) in self.ops.iter().enumerate().skip(first) {
                if at > first && starts[at] {
                    lead(at, &here);
                    break;
                }
                op.target().into_iter().for_each(|to| lead(to as usize, &here));
                let holds = match *op {
                    Op::Get(_, place) => self.is_me(place),
                    Op::Move(_, a) => here.contains(&a),
                    _ => false,
                };
                match *op {
                    Op::Put(place, _) if self.is_me(place) => here.clear(),
                    Op::Jump(_) | Op::End(_) | Op::Return => break,
                    op if op.is_stop() => break,
                    _ => {}
                }
                if let Some(d) = op.writes() {
                    if holds {
                        here.insert(d);
                    } else {
                        here.remove(&d);
                    }
                }
            }
        }
        held
    }

    /// The program block by block.
    pub(super) fn read(&mut self) {
        let starts = self.starts();
        let holding_me = self.holding_me(&starts);
        let mut known = Known::default();
        let mut block: Vec<Ir> = Vec::new();
        let mut first = 0;
        for (at, &op) in self.ops.iter().enumerate() {
            if starts[at] && at > 0 {
                self.blocks.push((first, std::mem::take(&mut block)));
                first = at;
                known = Known::default();
                let held = holding_me.get(&at).into_iter().flatten();
                known.registers.extend(held.map(|register| (*register, Arg::Me)));
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
                c => match (c, known.of(a), known.of(b)) {
                    (Arg::Reg(truth), Arg::Const(1), Arg::Const(0)) if known.truths.contains(&truth) => {
                        Ir::Copy(d, c)
                    }
                    (_, a, b) => Ir::Select(d, c, a, b),
                },
            },
            Op::Table(d, table, a) => match known.of(a) {
                Arg::Const(at) => {
                    let entry = usize::try_from(at).ok();
                    let entry = entry.and_then(|at| program.tables[usize::from(table)].get(at));
                    Ir::Copy(d, Arg::Const(entry.copied().unwrap_or(0)))
                }
                a => Ir::Table(d, table, a),
            },
            Op::Every(d, a, every) => match known.of(a) {
                Arg::Const(number) => Ir::Copy(d, Arg::Const(every.of(number))),
                a => Ir::Every(d, a, every),
            },
            Op::Ones(d, a) => Ir::Ones(d, known.of(a)),
            Op::Bag(op, layout, d, a, b) => Ir::Bag(op, layout, d, known.of(a), known.of(b)),
            Op::Get(d, place) if self.is_me(place) => Ir::Copy(d, Arg::Me),
            Op::Get(d, place) => match known.cells.get(&place) {
                Some(arg) => Ir::Copy(d, *arg),
                None => Ir::Get(d, place),
            },
            Op::Put(place, a) => Ir::Put(place, known.of(a)),
            Op::LoadAt(d, cell, len, i) => match known.of(i) {
                Arg::Const(i) if (0..i64::from(len)).contains(&i) => {
                    let place = program.places[cell as usize + usize::try_from(i).unwrap_or(0)];
                    match known.cells.get(&place) {
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
                        known.forget(*place);
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
                let check = &program.checks[number as usize];
                if let (Arg::Const(a), Arg::Const(b)) = (a, b)
                    && (check.low..=check.high).contains(&a.saturating_add(b))
                {
                    return;
                }
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
        if let (Some(d), true) = (ir.writes(), ir.is_truth()) {
            known.truths.insert(d);
        }
        match ir {
            Ir::Copy(d, arg) => {
                known.registers.insert(d, arg);
            }
            Ir::Bin(Bin::Add, d, a, b) if ![a, b].contains(&Arg::Reg(d)) => known.sums.push((d, a, b)),
            Ir::Get(d, place) => {
                known.cells.insert(place, Arg::Reg(d));
            }
            Ir::Put(place, arg) => {
                if self.is_me(place) {
                    known.new_me();
                } else {
                    known.forget(place);
                    known.cells.insert(place, arg);
                }
            }
            Ir::Tick(place, _) => {
                known.forget(place);
            }
            _ => {}
        }
        block.push(ir);
    }
}
