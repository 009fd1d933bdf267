//! What is read later: cells and registers, at the beginning of every block.
//!
//! Where the number of the round, or of the turn, is bounded by a small number, every block is looked at once for each
//! value of this clock: what a condition on it shuts off is not read then.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use super::Compiler;
use crate::op::{Bin, Cell, Op, Program, Reading, Reg};
use crate::set::Set;

/// What is read from a point on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Live {
    pub(super) cells: Set,
    /// Few of many.
    registers: BTreeSet<Reg>,
}

/// Whose reading counts.
#[derive(Clone, Copy)]
pub(super) enum Reads<'r> {
    /// That of the rules, of safety nets, and of everything for policies.
    All,
    /// That of the rules, and of these calculations for policies, which need these safety nets.
    Rules(&'r [(u32, u32)], &'r [Cell]),
}

impl<'r> Reads<'r> {
    /// The calculations for policies that count: each with its question and its label.
    fn calculations(self, program: &'r Program) -> impl Iterator<Item = (u32, u32)> + 'r {
        let (all, some): (&[Reading], &[_]) = match self {
            Self::All => (&program.readings, &[]),
            Self::Rules(calculations, _) => (&[], calculations),
        };
        all.iter().flat_map(|reading| &reading.at).chain(some).copied()
    }
}

/// The blocks of a program, and how they follow each other.
pub(super) struct Flow {
    pub(super) starts: Vec<usize>,
    /// The block of every label.
    pub(super) by_label: FxHashMap<u32, usize>,
    /// Every stop with the block after it.
    pub(super) stops: Vec<(u32, usize)>,
    /// Of every block, those after which it is run or read.
    before: Vec<Vec<usize>>,
    /// The values of the clock; 1 without a clock.
    pub(super) times: usize,
    /// What blocks do that look at the clock, by its value and the block.
    timed: FxHashMap<(usize, usize), Timed>,
}

/// What a block does at one value of the clock.
struct Timed {
    /// Instructions whose results are known.
    known: Vec<usize>,
    /// Whether the jump at the end is taken, if that is known.
    is_taken: Option<bool>,
    /// The value of the clock at the end.
    after: usize,
    /// Whether it is not known.
    is_lost: bool,
}

impl Flow {
    /// Whether the clock is known at the end of every block.
    pub(super) fn is_timed(&self) -> bool {
        !self.timed.values().any(|timed| timed.is_lost)
    }

    /// The number of a block at a value of the clock.
    pub(super) fn node(&self, (time, block): (usize, usize)) -> usize {
        time * self.starts.len() + block
    }
}

impl Compiler<'_> {
    /// The blocks; with a clock, a cell that takes so many values from its least.
    pub(super) fn flow(&self, clock: Option<(Cell, usize)>) -> Flow {
        let mut starts = vec![0];
        let mut by_label = FxHashMap::default();
        let mut stops = Vec::new();
        for (at, op) in self.ops.iter().enumerate() {
            let is_end = op.target().is_some() || op.is_stop() || matches!(op, Op::End(_) | Op::Return);
            if matches!(op, Op::Label(_)) && starts.last() != Some(&at) {
                starts.push(at);
            }
            if let Op::Label(label) = op {
                by_label.insert(*label, starts.len() - 1);
            }
            if is_end && at + 1 < self.ops.len() {
                starts.push(at + 1);
            }
            if let Op::Roll(site) | Op::Draw(site) | Op::Ask(site) = op {
                stops.push((*site, starts.len() - 1));
            }
        }
        let before = vec![Vec::new(); starts.len()];
        let mut flow = Flow { starts, by_label, stops, before, times: 1, timed: FxHashMap::default() };
        for block in 0..flow.starts.len() {
            for after in self.after(&flow, block, Reads::All) {
                flow.before[after].push(block);
            }
        }
        let Some((cell, times)) = clock else { return flow };
        flow.times = times;
        for block in 0..flow.starts.len() {
            let ops = &self.ops[self.range(&flow, block)];
            if ops.iter().any(|op| matches!(op, Op::Load(_, of) | Op::Store(of, _) if *of == cell)) {
                for time in 0..times {
                    flow.timed.insert((time, block), self.timed(&flow, block, cell, time));
                }
            }
        }
        flow
    }

    pub(super) fn range(&self, flow: &Flow, block: usize) -> std::ops::Range<usize> {
        flow.starts[block]..flow.starts.get(block + 1).copied().unwrap_or(self.ops.len())
    }

    /// The blocks that may be run after a block, and what is read at its end.
    fn after(&self, flow: &Flow, block: usize, reads: Reads<'_>) -> Vec<usize> {
        let last = self.ops[self.range(flow, block).end - 1];
        let goes_on = !matches!(last, Op::Jump(_) | Op::End(_) | Op::Return);
        let next = (goes_on && block + 1 < flow.starts.len()).then_some(block + 1);
        let mut labels: Vec<u32> = last.target().into_iter().collect();
        match last {
            Op::Ask(site) => {
                let calculations = reads.calculations(&self.program).filter(|(of, _)| *of == site);
                labels.extend(calculations.map(|(_, label)| label));
            }
            Op::End(_) => labels.push(self.measure),
            _ => {}
        }
        next.into_iter().chain(labels.iter().filter_map(|label| flow.by_label.get(label).copied())).collect()
    }

    /// The blocks that are run or read.
    fn reached(&self, flow: &Flow, reads: Reads<'_>) -> BTreeSet<usize> {
        let (mut reached, mut rest) = (BTreeSet::new(), vec![0]);
        while let Some(block) = rest.pop() {
            if reached.insert(block) {
                rest.extend(self.after(flow, block, reads));
            }
        }
        reached
    }

    /// What a block does at a value of the clock.
    fn timed(&self, flow: &Flow, block: usize, clock: Cell, time: usize) -> Timed {
        let low = self.cells[clock as usize].low;
        let mut now = low + i64::try_from(time).unwrap_or(0);
        let mut values: FxHashMap<Reg, i64> = FxHashMap::default();
        let mut timed = Timed { known: Vec::new(), is_taken: None, after: time, is_lost: false };
        for at in self.range(flow, block) {
            let op = self.ops[at];
            let get = |register: Reg| values.get(&register).copied();
            let (written, value) = match op {
                Op::Set(d, value) => (d, Some(value)),
                Op::Move(d, a) => (d, get(a)),
                Op::Load(d, cell) if cell == clock => (d, Some(now)),
                Op::BinK(bin, d, a, k) => (d, joined(bin, get(a), Some(k.into()))),
                Op::Bin(bin, d, a, b) => (d, joined(bin, get(a), get(b))),
                Op::Table(d, table, a) => {
                    let table = &self.program.tables[usize::from(table)];
                    let entry = |at: i64| usize::try_from(at).ok().and_then(|at| table.get(at)).copied();
                    (d, get(a).map(|at| entry(at).unwrap_or(0)))
                }
                Op::Select(d, c, a, b) => (d, get(c).and_then(|c| get(if c != 0 { a } else { b }))),
                Op::Store(cell, a) => {
                    if cell == clock {
                        timed.is_lost |= get(a).is_none();
                        now = get(a).unwrap_or(now);
                    }
                    continue;
                }
                Op::JumpIf(a, _) => {
                    timed.is_taken = get(a).map(|a| a != 0);
                    continue;
                }
                Op::JumpUnless(a, _) => {
                    timed.is_taken = get(a).map(|a| a == 0);
                    continue;
                }
                other => match other.writes() {
                    Some(written) => (written, None),
                    None => continue,
                },
            };
            match value {
                Some(value) => {
                    timed.known.push(at);
                    values.insert(written, value);
                }
                None => drop(values.remove(&written)),
            }
        }
        timed.after = usize::try_from(now - low).unwrap_or(0).min(flow.times - 1);
        timed
    }

    /// What is read later, at the beginning of every block that is reached, at every value of the clock. What is only
    /// read to set itself is not read.
    pub(super) fn liveness(&self, flow: &Flow, reads: Reads<'_>) -> Vec<Live> {
        let empty = Live { cells: Set::new(self.cells.len()), registers: BTreeSet::new() };
        let mut starts = vec![empty; flow.starts.len() * flow.times];
        let reached = self.reached(flow, reads);
        // The clock never goes back.
        for time in (0..flow.times).rev() {
            let mut open = reached.clone();
            while let Some(block) = open.pop_last() {
                let live = self.backwards(flow, &starts, (time, block), reads, |_, _| {});
                let node = flow.node((time, block));
                if live != starts[node] {
                    starts[node] = live;
                    open.extend(&flow.before[block]);
                }
            }
        }
        starts
    }

    /// What is live at the start of a block. `visit` is told of every instruction whether it is needed.
    pub(super) fn backwards(
        &self,
        flow: &Flow,
        starts: &[Live],
        (time, block): (usize, usize),
        reads: Reads<'_>,
        mut visit: impl FnMut(usize, bool),
    ) -> Live {
        let range = self.range(flow, block);
        let timed = flow.timed.get(&(time, block));
        let after = timed.map_or(time, |timed| timed.after);
        let is_taken = timed.and_then(|timed| timed.is_taken);
        let at_label =
            |label: u32| flow.by_label.get(&label).map(|&block| &starts[flow.node((after, block))]);
        let mut live = Live { cells: Set::new(self.cells.len()), registers: BTreeSet::new() };
        let goes_on = !matches!(self.ops[range.end - 1], Op::Jump(_) | Op::End(_) | Op::Return);
        if goes_on && is_taken != Some(true) && block + 1 < flow.starts.len() {
            live.clone_from(&starts[flow.node((after, block + 1))]);
        }
        let with_all = matches!(reads, Reads::All);
        let read_at =
            |live: &mut Live, label| at_label(label).into_iter().for_each(|at| live.cells.join(&at.cells));
        for at in range.rev() {
            let mut op = self.ops[at];
            if is_taken != Some(false)
                && let Some(target) = op.target().and_then(&at_label)
            {
                live.cells.join(&target.cells);
                live.registers.extend(&target.registers);
            }
            if let (Op::Roll(site) | Op::Draw(site), true) = (op, with_all) {
                let is_kept = live.cells.has(self.hidden.thrown) || self.untold.contains(&site);
                live.cells.put(self.hidden.thrown, is_kept);
            }
            let is_needed = match op {
                Op::Store(cell, _) => live.cells.has(cell),
                Op::StoreAt(first, len, ..) => (first..first + len).any(|cell| live.cells.has(cell)),
                Op::Tick(cell, _) => {
                    live.cells.put(cell, with_all);
                    true
                }
                Op::JumpIf(..) | Op::JumpUnless(..) => is_taken.is_none(),
                _ => op.writes().is_none_or(|register| live.registers.contains(&register)),
            };
            visit(at, is_needed);
            if with_all && (op.is_stop() || matches!(op, Op::End(_))) {
                let clock = [self.hidden.round, self.hidden.turns];
                let clock = clock.iter().filter(|cell| !self.cells[**cell as usize].is_memory);
                self.ahead.cells.values().chain(clock).for_each(|cell| live.cells.put(*cell, true));
            }
            match op {
                Op::End(_) => read_at(&mut live, self.measure),
                Op::Ask(site) => {
                    let calculations = reads.calculations(&self.program).filter(|(of, _)| *of == site);
                    calculations.for_each(|(_, label)| read_at(&mut live, label));
                }
                _ => {}
            }
            if !is_needed {
                continue;
            }
            let is_known = timed.is_some_and(|timed| timed.known.contains(&at));
            if let Some(register) = op.writes() {
                live.registers.remove(&register);
            }
            if is_known {
                continue;
            }
            // A sum that leaves its range is found by trials: to the exact walk the check does not read the variable.
            if let (Op::CheckSum(_, more, number), false) = (op, with_all) {
                op = Op::Check(more, number);
            }
            live.registers.extend(op.reads().map(|register| *register));
            let counts = |cell: Cell| match reads {
                Reads::All => true,
                Reads::Rules(_, nets) => !self.cells[cell as usize].is_memory || nets.contains(&cell),
            };
            match op {
                Op::Store(cell, _) => live.cells.put(cell, false),
                Op::Load(_, cell) if counts(cell) => live.cells.put(cell, true),
                Op::LoadAt(_, first, len, _) => {
                    (first..first + len)
                        .filter(|cell| counts(*cell))
                        .for_each(|cell| live.cells.put(cell, true));
                }
                _ => {}
            }
        }
        live
    }
}

/// The result of an operation, if what is known of its operands fixes it.
fn joined(bin: Bin, a: Option<i64>, b: Option<i64>) -> Option<i64> {
    match (bin, a, b) {
        (_, Some(a), Some(b)) => Some(bin.apply(a, b)),
        (Bin::And | Bin::Mul, Some(0), _) | (Bin::And | Bin::Mul, _, Some(0)) => Some(0),
        _ => None,
    }
}
