//! Calculations without jumps: what only decides whether something else is looked at is calculated as well.

use rustc_hash::{FxHashMap, FxHashSet};

use super::super::Compiler;
use super::super::value::At;
use super::MOST;
use crate::op::{Bin, Op, Program, Reg, Target};

/// Instructions in which conditions are calculated without jumps, as far as they may be, each with the first of those that
/// it stands for.
pub(super) struct Flat {
    pub(super) ops: Vec<(Op, usize)>,
    /// What sets a register that is set once.
    pub(super) defs: FxHashMap<Reg, Op>,
    /// How often every register is read.
    pub(super) reads: FxHashMap<Reg, i32>,
    /// How many jumps lead to a label.
    pub(super) jumps: FxHashMap<Target, u32>,
    truths: FxHashMap<Reg, bool>,
}

impl Compiler<'_> {
    pub(super) fn flat(&self, original: &[Op]) -> Flat {
        let mut writes: FxHashMap<Reg, u32> = FxHashMap::default();
        let mut jumps: FxHashMap<Target, u32> = FxHashMap::default();
        for op in original {
            op.writes().into_iter().for_each(|d| *writes.entry(d).or_default() += 1);
            op.target().into_iter().for_each(|to| *jumps.entry(to).or_default() += 1);
        }
        let readings = self.program.readings.iter().flat_map(|reading| &reading.at).map(|(_, label)| *label);
        readings.chain([self.measure]).for_each(|label| *jumps.entry(label).or_default() += 2);
        let mut flat = Flat {
            ops: Vec::with_capacity(original.len()),
            defs: FxHashMap::default(),
            reads: FxHashMap::default(),
            jumps,
            truths: FxHashMap::default(),
        };
        for (at, op) in original.iter().enumerate() {
            if let Op::Label(label) = op
                && flat.jumps.get(label) == Some(&1)
                && let Some(op) = flat.closed(*label, &writes)
            {
                flat.push(op, at, &self.program);
                continue;
            }
            match op.writes() {
                Some(d) if writes[&d] == 1 => flat.push(*op, at, &self.program),
                _ => flat.ops.push((*op, at)),
            }
        }
        for (mut op, _) in flat.ops.iter().copied() {
            op.reads().for_each(|register| *flat.reads.entry(*register).or_default() += 1);
        }
        flat
    }
}

impl Flat {
    /// Adds a calculation whose register nothing else sets.
    fn push(&mut self, op: Op, at: usize, program: &Program) {
        self.ops.push((op, at));
        self.note(op, program);
    }

    /// Notes what sets a register that nothing else sets.
    pub(super) fn note(&mut self, op: Op, program: &Program) {
        if let Some(d) = op.writes() {
            self.defs.insert(d, op);
            let is_truth = self.gives_truth(op, program);
            self.truths.insert(d, is_truth);
        }
    }

    /// Whether it is a calculation of a register that nothing else sets.
    pub(super) fn is_calculated(&self, op: &Op) -> bool {
        op.writes().is_some_and(|d| self.defs.contains_key(&d))
    }

    /// At a label to which one jump leads: the last of the instructions since the jump, and one in place of both, if they are
    /// calculations: `a and b` or `a or b`.
    fn closed(&mut self, label: Target, writes: &FxHashMap<Reg, u32>) -> Option<Op> {
        let is_inner =
            |(op, _): &(Op, usize)| self.is_calculated(op) && !matches!(op, Op::Bag(..) | Op::Take(..));
        let last = self.ops.len().checked_sub(1)?;
        let (Op::Move(d, b), _) = self.ops[last] else { return None };
        let inner = self.ops[..last].iter().rev().take_while(|op| is_inner(op)).count();
        let jump = last.checked_sub(inner + 1)?;
        let first = jump.checked_sub(1)?;
        let (bin, c) = match self.ops[jump].0 {
            Op::JumpUnless(c, to) if to == label => (Bin::And, c),
            Op::JumpIf(c, to) if to == label => (Bin::Or, c),
            _ => return None,
        };
        let (Op::Move(e, a), origin) = self.ops[first] else { return None };
        let fits = (c, e) == (d, d)
            && writes.get(&d) == Some(&2)
            && self.is_truth(At::Reg(a))
            && self.is_truth(At::Reg(b));
        if !fits || inner == 0 {
            return None;
        }
        self.ops.truncate(last);
        self.ops.drain(first..=jump);
        self.ops[first].1 = origin;
        Some(Op::Bin(bin, d, a, b))
    }

    pub(super) fn is_truth(&self, at: At) -> bool {
        match at {
            At::Const(value) => (0..=1).contains(&value),
            At::Reg(register) => self.truths.get(&register) == Some(&true),
        }
    }

    fn gives_truth(&self, op: Op, program: &Program) -> bool {
        let is = |register| self.is_truth(self.at(register, |_| true));
        match op {
            Op::Set(_, value) => (0..=1).contains(&value),
            Op::Bin(Bin::Eq | Bin::Ne | Bin::Lt | Bin::Le, ..)
            | Op::BinK(Bin::Eq | Bin::Ne | Bin::Lt | Bin::Le, ..) => true,
            Op::Bin(Bin::And | Bin::Or, _, a, b) => is(a) && is(b),
            Op::Select(_, _, a, b) => is(a) && is(b),
            Op::Move(_, a) => is(a),
            Op::Get(_, place) => (place.bits, place.low) == (1, 0),
            Op::LoadAt(_, first, len, _) => {
                let mut places = program.places[first as usize..(first + len) as usize].iter();
                places.all(|place| (place.bits, place.low) == (1, 0))
            }
            Op::Table(_, table, _) => {
                program.tables[usize::from(table)].iter().all(|entry| (0..=1).contains(entry))
            }
            _ => false,
        }
    }

    /// The number in a register, if it is known; or a register that was copied to it and is set.
    pub(super) fn at(&self, register: Reg, is_set: impl Fn(Reg) -> bool + Copy) -> At {
        match self.defs.get(&register) {
            Some(Op::Set(_, value)) => At::Const(*value),
            Some(Op::Move(_, a)) if self.defs.contains_key(a) && is_set(*a) => self.at(*a, is_set),
            _ => At::Reg(register),
        }
    }

    /// The parts of a row of operations, `((a or b) or c) or d`, from the last on, as far as these registers hold them.
    pub(super) fn spine(&self, bin: Bin, mut register: Reg, run: &FxHashSet<Reg>) -> Vec<Reg> {
        let is_truth = self.is_truth(At::Reg(register));
        let mut parts = Vec::new();
        while let Some(Op::Bin(own, _, a, b)) = self.defs.get(&register)
            && run.contains(&register)
            && *own == bin
            && self.is_truth(At::Reg(register)) == is_truth
            && parts.len() < MOST
        {
            parts.push(*b);
            register = *a;
        }
        parts.push(register);
        parts
    }

    /// The bits of a number that is the sum of truths, each times a power of two, which these registers hold.
    pub(super) fn bits(&self, parts: &[Reg], run: &FxHashSet<Reg>) -> Option<Vec<At>> {
        let at = |register| self.at(register, |register| run.contains(&register));
        let mut bits = Vec::new();
        for part in parts {
            let (truth, times) = match self.defs.get(part).filter(|_| run.contains(part)) {
                Some(Op::BinK(Bin::Mul, _, a, k)) => (*a, i64::from(*k)),
                Some(Op::Bin(Bin::Mul, _, a, b)) => match (at(*a), at(*b)) {
                    (At::Reg(a), At::Const(k)) => (a, k),
                    _ => return None,
                },
                _ => (*part, 1),
            };
            let bit = times.trailing_zeros() as usize;
            if !self.is_truth(At::Reg(truth)) || times.count_ones() != 1 || bit >= MOST {
                return None;
            }
            if bits.len() <= bit {
                bits.resize(bit + 1, None);
            }
            if bits[bit].replace(at(truth)).is_some() {
                return None;
            }
        }
        let bits = bits.into_iter().map(|bit| bit.unwrap_or(At::Const(0)));
        (parts.len() >= super::FEWEST).then(|| bits.collect())
    }
}
