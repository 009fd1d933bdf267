//! Loops that only calculate, such as one over all parts of a bag: what they come to is remembered by what they begin with.
//!
//! Where games meet with few numbers, the boxes that are open and the sum of the dice, most of them come to what an earlier one
//! came to. And as instructions over columns such a loop takes as long as the longest of all games.

use crate::arithmetic::Reg;
use crate::ir::{Arg, Ir};
use crate::layout::BagOp;
use crate::set::Set;
use rustc_hash::FxHashMap;

/// The most numbers with which a loop begins, and those that it comes to.
pub(crate) const READS: usize = 8;
const GIVES: usize = 2;

/// The numbers that it reads, as bits, and what it comes to.
pub(crate) type Key = [u64; READS];
pub(crate) type Gives = [i64; GIVES];

/// A loop of one block.
#[derive(Debug)]
pub(crate) struct PureLoop {
    steps: Vec<Ir>,
    registers: usize,
    /// The registers that it reads first, and those that are read after it.
    pub(crate) reads: Vec<Reg>,
    pub(crate) gives: Vec<Reg>,
    /// Where it leads to.
    pub(crate) exit: usize,
}

impl PureLoop {
    /// A block, at its address, as a loop of its own that only calculates, if it is one; given what is read at the start of
    /// each block.
    pub(crate) fn of((at, block): (usize, &[Ir]), live: &FxHashMap<usize, Set>) -> Option<Self> {
        let (mut reads, mut gives) = (Vec::new(), Vec::new());
        let (mut exit, mut most) = (None, 0);
        let (last, steps) = block.split_last()?;
        if *last != Ir::Jump(at) {
            return None;
        }
        for step in steps {
            if step.args().contains(&Arg::Me) {
                return None;
            }
            for register in step.reads() {
                most = most.max(register);
                if !gives.contains(&register) && !reads.contains(&register) {
                    reads.push(register);
                }
            }
            match step {
                Ir::Copy(..) | Ir::Bin(..) | Ir::Select(..) | Ir::Table(..) | Ir::Bag(..) => {}
                Ir::JumpIf(_, _, to) if exit.is_none() => exit = Some(*to),
                _ => return None,
            }
            if let Some(register) = step.writes() {
                most = most.max(register);
                gives.push(register);
            }
        }
        let exit = exit?;
        gives.retain(|register| live.get(&exit).is_some_and(|set| set.has(*register)));
        gives.sort_unstable();
        gives.dedup();
        let is_small = reads.len() <= READS && gives.len() <= GIVES;
        is_small.then(|| Self { steps: steps.to_vec(), registers: most as usize + 1, reads, gives, exit })
    }

    /// Whether it goes over the parts of a bag: other loops take no longer than to remember them.
    pub(crate) fn is_long(&self) -> bool {
        self.steps.iter().any(|step| matches!(step, Ir::Bag(BagOp::Part, ..)))
    }

    /// What it comes to from what it begins with, with the tables of a program and what it does with bags.
    pub(crate) fn result(
        &self,
        key: &Key,
        tables: &[Vec<i64>],
        bag: impl Fn(BagOp, u16, i64, i64) -> i64,
    ) -> Gives {
        let mut r = vec![0; self.registers];
        self.reads.iter().zip(key).for_each(|(register, value)| r[*register as usize] = value.cast_signed());
        loop {
            for step in &self.steps {
                let of = |arg: Arg| match arg {
                    Arg::Reg(register) => r[register as usize],
                    Arg::Const(number) => number,
                    Arg::Me => 0,
                };
                let (d, value) = match step {
                    Ir::Copy(d, a) => (*d, of(*a)),
                    Ir::Bin(bin, d, a, b) => (*d, bin.apply(of(*a), of(*b))),
                    Ir::Select(d, c, a, b) => (*d, of(if of(*c) != 0 { *a } else { *b })),
                    Ir::Table(d, table, a) => {
                        let entries = &tables[usize::from(*table)];
                        let at = usize::try_from(of(*a)).ok();
                        (*d, at.and_then(|at| entries.get(at)).copied().unwrap_or(0))
                    }
                    Ir::Bag(op, layout, d, a, b) => (*d, bag(*op, *layout, of(*a), of(*b))),
                    Ir::JumpIf(a, wanted, _) if (of(*a) != 0) == *wanted => {
                        let mut result = Gives::default();
                        let gives = self.gives.iter().zip(&mut result);
                        gives.for_each(|(register, value)| *value = r[*register as usize]);
                        return result;
                    }
                    _ => continue,
                };
                r[d as usize] = value;
            }
        }
    }
}
