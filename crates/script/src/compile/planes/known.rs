//! What was calculated since the state changed.

use rustc_hash::{FxHashMap, FxHashSet};

use super::super::value::At;
use crate::every::Every;
use crate::op::{Bin, Op, Reg};

/// What was calculated.
#[derive(Clone, Debug, Default)]
pub(super) struct Known {
    /// The registers that are set: since the state changed, or before, where an instruction read them since then.
    here: FxHashSet<Reg>,
    /// Those of them that were set since the state changed: what they read of the state is still there.
    made: FxHashSet<Reg>,
    /// What was set before to the same as another register.
    same: FxHashMap<Reg, Reg>,
    /// The registers that hold numbers that are known.
    constants: FxHashSet<Reg>,
    /// By instruction, without its result.
    pub(super) ops: FxHashMap<Op, Reg>,
    pub(super) bins: FxHashMap<(Bin, Key, Key), At>,
    pub(super) every: FxHashMap<Reg, (Reg, Every)>,
    pub(super) truths: FxHashMap<Vec<Key>, At>,
    pub(super) numbers: FxHashMap<Vec<Key>, Option<Vec<At>>>,
}

/// A value as a key.
pub(super) type Key = Result<Reg, i64>;

pub(super) fn key(at: At) -> Key {
    match at {
        At::Reg(register) => Ok(register),
        At::Const(value) => Err(value),
    }
}

pub(super) fn keys(lanes: &[At]) -> Vec<Key> {
    lanes.iter().map(|at| key(*at)).collect()
}

impl Known {
    pub(super) fn is_empty(&self) -> bool {
        self.here.is_empty()
    }

    /// Notes a calculation. It is returned with the first registers that were set to what it reads.
    pub(super) fn calculated(&mut self, mut op: Op) -> Op {
        let mut of = op;
        let mut d = 0;
        of.registers(&mut |register, is_write| match is_write {
            true => d = std::mem::take(register),
            false => *register = self.first(*register),
        });
        debug_assert!(!self.here.contains(&d), "it is set once, before it is read");
        self.here.insert(d);
        self.made.insert(d);
        self.here.extend(op.reads().map(|register| *register));
        match self.ops.get(&of).filter(|_| !matches!(op, Op::Take(..))) {
            Some(same) => drop(self.same.insert(d, *same)),
            None => drop(self.ops.insert(of, d)),
        }
        if let Op::Set(..) = op {
            self.constants.insert(d);
        }
        // Numbers stay next to where they are read.
        let moved = op.reads().filter(|register| !self.constants.contains(register));
        moved.for_each(|register| *register = self.first(*register));
        op
    }

    /// The register that holds the result of an instruction; a new one if it was not made before.
    pub(super) fn once(&mut self, op: Op, new: impl FnOnce() -> Reg) -> Result<Reg, Reg> {
        if let Some(register) = self.ops.get(&op) {
            return Ok(*register);
        }
        let d = new();
        self.ops.insert(op, d);
        self.here.insert(d);
        self.made.insert(d);
        Err(d)
    }

    /// Whether a register is sure to be set.
    pub(super) fn is_set(&self, register: Reg) -> bool {
        self.here.contains(&register)
    }

    /// Whether a register was set since the state changed.
    pub(super) fn is_made(&self, register: Reg) -> bool {
        self.made.contains(&register)
    }

    /// The register that was the first to be set to the same.
    pub(super) fn first(&self, register: Reg) -> Reg {
        *self.same.get(&register).unwrap_or(&register)
    }

    /// Forgets what is in registers that are not set any more.
    pub(super) fn keep(&mut self, is_kept: impl Fn(Reg) -> bool) {
        let is = |at: &At| if let At::Reg(register) = at { is_kept(*register) } else { true };
        self.here.retain(|register| is_kept(*register));
        self.made.retain(|register| is_kept(*register));
        self.same.retain(|_, same| is_kept(*same));
        self.ops.retain(|_, register| is_kept(*register));
        self.bins.retain(|_, at| is(at));
        self.every.retain(|register, (word, _)| is_kept(*register) && is_kept(*word));
        self.truths.retain(|_, at| is(at));
        self.numbers.retain(|_, planes| planes.iter().flatten().all(is));
    }
}
