//! Positions before a roll tell what is rolled: where what the rules read later does not, the number of the event is kept
//! in a cell beside it.

use std::collections::BTreeSet;

use super::Compiler;
use super::value::At;
use super::variable::bits;
use crate::op::{Bin, Op, Reg};
use crate::set::Set;

impl Compiler<'_> {
    /// Keeps what is handed to a roll: numbers from 0, each with the most that it can be.
    pub(super) fn keep_thrown(&mut self, given: &[(At, i64)]) {
        let (mut number, mut many) = (At::Const(0), 1_i64);
        for &(at, most) in given {
            let part = self.bin(Bin::Mul, at, At::Const(many));
            number = self.bin(Bin::Add, number, part);
            many = many.saturating_mul(most.saturating_add(1));
        }
        if let At::Reg(register) = number {
            let cell = self.hidden.thrown;
            let info = &mut self.cells[cell as usize];
            info.bits = info.bits.max(bits(many - 1));
            info.values = info.values.max(many);
            self.emit(Op::Store(cell, register));
        }
    }

    /// The rolls that are not fixed by the cells that the rules read after them, `read`.
    pub(super) fn untold(&self, read: impl Fn(u32, u32) -> bool) -> BTreeSet<u32> {
        let rolls = self.ops.iter().enumerate().filter_map(|(at, op)| match op {
            Op::Roll(site) | Op::Draw(site) => Some((*site, at)),
            _ => None,
        });
        rolls
            .filter(|(site, at)| !self.is_told(*at, |cell| read(*site, cell)))
            .map(|(site, _)| site)
            .collect()
    }

    /// Whether what is handed over to a roll is calculated, on the only way to it, from cells that are read later.
    fn is_told(&self, roll: usize, read: impl Fn(u32) -> bool) -> bool {
        let mut needed: BTreeSet<Reg> = BTreeSet::new();
        let mut stored = Set::new(self.cells.len());
        for &(mut op) in self.ops[..roll].iter().rev() {
            match op {
                Op::Give(0, _) => continue,
                Op::Give(_, a) => {
                    needed.insert(a);
                    continue;
                }
                Op::Label(_) | Op::Jump(_) | Op::End(_) | Op::Return => break,
                op if op.is_stop() => break,
                Op::Store(cell, _) | Op::Tick(cell, _) => stored.put(cell, true),
                Op::StoreAt(first, len, ..) => (first..first + len).for_each(|cell| stored.put(cell, true)),
                _ => {}
            }
            if !op.writes().is_some_and(|written| needed.remove(&written)) {
                continue;
            }
            match op {
                Op::Load(_, cell) if !read(cell) || stored.has(cell) => return false,
                Op::LoadAt(..) | Op::Take(..) => return false,
                _ => needed.extend(op.reads().map(|register| *register)),
            }
        }
        needed.is_empty()
    }
}
