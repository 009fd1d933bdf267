//! What depends on nothing but a bag is worked out when the game is loaded, for every bag that can be met.

use rustc_hash::{FxHashMap, FxHashSet};

use super::Compiler;
use super::domain::Dom;
use super::value::{At, Kind};
use crate::layout::BagOp;
use crate::op::{Op, Program, Reg, Target};

/// The most bags that are tabulated so, and the most instructions that this takes.
const MOST_ROWS: usize = 8192;
const MOST_STEPS: usize = 4_000_000;

impl Compiler<'_> {
    /// A table of what instructions make of a bag; `None` if they read anything else, or if there are too many bags.
    pub(super) fn by_bag(&mut self, dom: &Dom, ops: &mut [Op], result: At) -> Option<At> {
        let (Dom::Parts(bag, _) | Dom::Pairings(bag)) = dom else { return None };
        let (Kind::Bag(number), At::Reg(input), At::Reg(result)) = (bag.kind, bag.at, result) else {
            return None;
        };
        if !reads_only(ops, input) {
            return None;
        }
        let bags = self.layout(number).bags(&bag.most, bag.hi, MOST_ROWS)?;
        let mut registers = vec![0; self.registers as usize];
        let mut left = MOST_STEPS;
        let labels = labels(ops);
        let mut rows = Vec::with_capacity(bags.len());
        for bag in bags {
            registers[input as usize] = bag;
            run(&self.program, ops, &labels, &mut registers, &mut left)?;
            rows.push((bag, registers[result as usize]));
        }
        let table = self.program.bags.to_mut().add_table(rows)?;
        Some(self.bag_op(BagOp::Known(table), number, At::Reg(input), At::Reg(input)))
    }
}

/// Whether instructions only compute registers, from one register alone.
fn reads_only(ops: &mut [Op], input: Reg) -> bool {
    let mut written = FxHashSet::from_iter([input]);
    let mut is_alone = true;
    for op in ops {
        is_alone &= match *op {
            Op::Label(_) | Op::Jump(_) | Op::JumpIf(..) | Op::JumpUnless(..) => true,
            Op::Load(..) | Op::LoadAt(..) | Op::Take(..) | Op::Get(..) => false,
            op => op.is_pure(),
        };
        is_alone &= op.reads().all(|register| written.contains(register)) && op.writes() != Some(input);
        written.extend(op.writes());
    }
    is_alone
}

fn labels(ops: &[Op]) -> FxHashMap<Target, usize> {
    let labels = ops.iter().enumerate().filter_map(|(at, op)| match op {
        Op::Label(label) => Some((*label, at)),
        _ => None,
    });
    labels.collect()
}

/// Runs instructions that only compute registers to their end; `None` if that takes too long.
fn run(
    program: &Program,
    ops: &[Op],
    labels: &FxHashMap<Target, usize>,
    r: &mut [i64],
    left: &mut usize,
) -> Option<()> {
    let n = |register: Reg| register as usize;
    let mut at = 0;
    while let Some(&op) = ops.get(at) {
        *left = left.checked_sub(1)?;
        at += 1;
        let jump = match op {
            Op::Jump(to) => Some(to),
            Op::JumpIf(a, to) => (r[n(a)] != 0).then_some(to),
            Op::JumpUnless(a, to) => (r[n(a)] == 0).then_some(to),
            _ => None,
        };
        if let Some(to) = jump {
            at = *labels.get(&to)?;
        }
        match op {
            Op::Set(d, value) => r[n(d)] = value,
            Op::Move(d, a) => r[n(d)] = r[n(a)],
            Op::Bin(bin, d, a, b) => r[n(d)] = bin.apply(r[n(a)], r[n(b)]),
            Op::BinK(bin, d, a, k) => r[n(d)] = bin.apply(r[n(a)], k.into()),
            Op::Select(d, c, a, b) => r[n(d)] = if r[n(c)] != 0 { r[n(a)] } else { r[n(b)] },
            Op::Table(d, table, a) => {
                let entry = usize::try_from(r[n(a)]).ok();
                let entry = entry.and_then(|at| program.tables[usize::from(table)].get(at));
                r[n(d)] = entry.copied().unwrap_or(0);
            }
            Op::Bag(op, layout, d, a, b) => r[n(d)] = program.bag(op, layout, r[n(a)], r[n(b)]),
            _ => {}
        }
    }
    Some(())
}
