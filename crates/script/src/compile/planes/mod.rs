//! The same calculation for each of many cells or candidates becomes one on all their bits at once: which candidates are legal,
//! whether any or all of several conditions hold.
//!
//! Only games that are played one by one gain by it: columns of many games are calculated with as they were written.

mod distinct;
mod flat;
mod known;
mod lanes;
mod masks;
mod numbers;
mod row;
#[cfg(test)]
mod tests;

use rustc_hash::{FxHashMap, FxHashSet};

use self::flat::Flat;
use self::known::Known;
use self::lanes::all;
use super::value::At;
use super::{Compiler, MOST_OPS};
use crate::op::{Bin, Op, Reg, Target};

/// The fewest instructions in a row that are looked at, and the fewest conditions of which any or all may hold.
const FEWEST_OPS: usize = 6;
const FEWEST: usize = 4;
/// The most tables of a program to which more are added.
const MOST_TABLES: usize = 1 << 15;
/// The most bits of a number that is calculated with.
const MOST: usize = 60;

impl Compiler<'_> {
    pub(super) fn planes(&mut self) {
        if self.is_plain {
            return;
        }
        let original = std::mem::take(&mut self.ops);
        let mut flat = self.flat(&original);
        let mut result = Vec::with_capacity(original.len());
        let mut known = Known::default();
        let mut at_jumps: FxHashMap<Target, Known> = FxHashMap::default();
        let mut at = 0;
        while let Some((op, first)) = flat.ops.get(at) {
            let len = flat.ops[at..].iter().take_while(|(op, _)| flat.is_calculated(op)).count();
            if len == 0 {
                match op {
                    Op::Label(label) => {
                        let is_after_jump = matches!(result.last(), Some(Op::Jump(_)));
                        let before = at_jumps.remove(label).filter(|_| is_after_jump);
                        known = before.unwrap_or_default();
                    }
                    Op::JumpIf(_, to) | Op::JumpUnless(_, to) => {
                        if flat.jumps.get(to) == Some(&1) && !known.is_empty() {
                            at_jumps.insert(*to, known.clone());
                        }
                    }
                    Op::Check(..) | Op::CheckSum(..) | Op::Give(..) | Op::Jump(_) => {}
                    _ => known = Known::default(),
                }
                result.push(*op);
                at += 1;
                continue;
            }
            let next = flat.ops.get(at + len).map_or(original.len(), |(_, next)| *next);
            let before = &original[*first..next];
            let run: Vec<Op> = flat.ops[at..at + len].iter().map(|(op, _)| *op).collect();
            let shorter = (len >= FEWEST_OPS).then(|| self.shorter(&flat, &run, before, &known)).flatten();
            match shorter {
                Some((ops, more)) => {
                    result.extend(ops);
                    known = more;
                }
                // Calculations change nothing of what is known.
                None => result.extend(before),
            }
            at += len;
        }
        self.ops = result;
        self.masks(&mut flat);
    }

    /// What a run of calculations comes to, if that is much shorter than it was before; and what is known after it.
    fn shorter(&mut self, flat: &Flat, run: &[Op], before: &[Op], known: &Known) -> Option<(Vec<Op>, Known)> {
        let roots = roots(flat, run);
        if roots.is_empty() || self.program.tables.len() > MOST_TABLES {
            return None;
        }
        let mut known = known.clone();
        let mut ops = Vec::new();
        for op in run {
            let op = known.calculated(*op);
            let root = op.writes().and_then(|d| Some((d, roots.get(&d)?)));
            let Some((d, root)) = root else {
                ops.push(op);
                continue;
            };
            let (value, more) = self.aside(|compiler| {
                let mut lanes = lanes::Lanes { compiler, flat, known: &mut known };
                root.value(&mut lanes)
            });
            ops.extend(more);
            if ops.len() > MOST_OPS {
                return None;
            }
            ops.push(match value {
                Some(At::Const(value)) => Op::Set(d, value),
                Some(At::Reg(a)) => Op::Move(d, a),
                None => op,
            });
        }
        // What nothing reads any more is left out.
        let mut reads = Reads { besides: &flat.reads, more: FxHashMap::default() };
        run.iter().for_each(|op| reads.add(*op, -1));
        leave_out(&mut ops, &mut reads);
        if cost(&ops) * 2 > cost(before) {
            return None;
        }
        known.keep(|register| reads.are(register));
        Some((ops, known))
    }
}

/// How often registers are read: in the program, and more often, or less, by what is looked at.
struct Reads<'r> {
    besides: &'r FxHashMap<Reg, i32>,
    more: FxHashMap<Reg, i32>,
}

impl Reads<'_> {
    fn add(&mut self, mut op: Op, times: i32) {
        op.reads().for_each(|register| *self.more.entry(*register).or_default() += times);
    }

    /// Whether a register is read at all.
    fn are(&self, register: Reg) -> bool {
        let of = |reads: &FxHashMap<Reg, i32>| reads.get(&register).copied().unwrap_or(0);
        of(self.besides) + of(&self.more) > 0
    }
}

/// Leaves out what nothing reads, given how often registers are read besides; then how often they are in all.
fn leave_out(ops: &mut Vec<Op>, reads: &mut Reads<'_>) {
    ops.reverse();
    ops.retain(|op| {
        let is_read = op.writes().is_some_and(|d| reads.are(d));
        if is_read {
            reads.add(*op, 1);
        }
        is_read
    });
    ops.reverse();
}

/// The number of steps.
fn cost(ops: &[Op]) -> usize {
    ops.iter().filter(|op| !matches!(op, Op::Set(..) | Op::Label(_) | Op::Mark(_) | Op::Move(..))).count()
}

/// What is calculated with all bits at once.
enum Root {
    /// A number with these truths as its bits.
    Bits(Vec<At>),
    /// Whether any, or all, of several truths hold.
    Any(Vec<At>),
    All(Vec<At>),
    /// The sum of several truths, or small numbers.
    Total(Vec<At>),
}

impl Root {
    fn value(&self, lanes: &mut lanes::Lanes<'_, '_>) -> Option<At> {
        Some(match self {
            Self::Bits(bits) => lanes.truths(bits),
            Self::Any(of) => {
                let bits = lanes.truths(of);
                lanes.bin(Bin::Ne, bits, At::Const(0))
            }
            Self::All(of) => {
                let bits = lanes.truths(of);
                lanes.bin(Bin::Eq, bits, At::Const(all(of.len())))
            }
            Self::Total(of) => return lanes.total(of),
        })
    }
}

/// The calculations of a run, by the register of the result, of which no other is a part.
fn roots(flat: &Flat, run: &[Op]) -> FxHashMap<Reg, Root> {
    let mut roots = FxHashMap::default();
    let set: FxHashSet<Reg> = run.iter().filter_map(|op| op.writes()).collect();
    for op in run {
        let Op::Bin(bin @ (Bin::Or | Bin::And | Bin::Add), d, a, b) = *op else { continue };
        // The sum of two sums, such as `count(…) + sum(…)`: each is calculated by itself.
        if bin == Bin::Add && matches!(roots.get(&b), Some(Root::Total(_))) {
            continue;
        }
        let mut parts = flat.spine(bin, d, &set);
        let is_truth = flat.is_truth(At::Reg(d));
        if let (Bin::Or, false, Some(bits)) = (bin, is_truth, flat.bits(&parts, &set)) {
            roots.remove(&a);
            roots.insert(d, Root::Bits(bits));
        } else if is_truth != (bin == Bin::Add) && (FEWEST..=MOST).contains(&parts.len()) {
            roots.remove(&a);
            parts.reverse();
            let parts = parts.into_iter().map(At::Reg).collect();
            let root = match bin {
                Bin::Or => Root::Any(parts),
                Bin::And => Root::All(parts),
                _ => Root::Total(parts),
            };
            roots.insert(d, root);
        }
    }
    roots
}
