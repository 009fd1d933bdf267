//! Loops that only calculate, such as one over all parts of a bag: what they come to is remembered by what they begin with.
//!
//! As instructions over columns such a loop takes as long as the longest of all games. Where games meet with few numbers, the
//! boxes that are open and the sum of the dice, most of them come to what an earlier one came to.

use super::instr::Ref;
use super::known::Known;
use crate::lower::{Arg, Blocks, Ir};
use crate::op::{Program, Reg};

/// The most numbers with which a loop begins, and those that it comes to.
const READS: usize = 8;
const GIVES: usize = 2;

/// So many games, of which the later half tells whether results are met again often enough: by three of four.
const TRIED: u32 = 1 << 14;

/// The numbers that it reads, as bits.
pub(super) type Key = [u64; READS];
type Result = [i64; GIVES];

/// A loop of one block.
#[derive(Debug)]
pub(super) struct Repeat {
    steps: Vec<Ir>,
    registers: usize,
    /// The registers that it reads first, and those that are read after it, with their columns.
    pub(super) reads: Vec<(Reg, Ref)>,
    pub(super) gives: Vec<(Reg, Ref)>,
    /// The block after it.
    pub(super) exit: usize,
}

impl Repeat {
    /// A block, at its address, as a loop of its own that only calculates, if it is one; given the numbers of blocks and the
    /// columns of registers between them.
    pub(super) fn of(
        ir: &Blocks,
        (at, block): (usize, &[Ir]),
        number: impl Fn(usize) -> Option<usize>,
        home: impl Fn(Reg) -> Option<Ref>,
    ) -> Option<Self> {
        let (mut read, mut written) = (Vec::new(), Vec::new());
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
                if !written.contains(&register) && !read.contains(&register) {
                    read.push(register);
                }
            }
            match step {
                Ir::Copy(..) | Ir::Bin(..) | Ir::Select(..) | Ir::Table(..) | Ir::Bag(..) => {}
                Ir::JumpIf(_, _, to) if exit.is_none() => exit = Some(*to),
                _ => return None,
            }
            if let Some(register) = step.writes() {
                most = most.max(register);
                written.push(register);
            }
        }
        let exit = exit?;
        written.retain(|register| ir.is_live(exit, *register));
        written.sort_unstable();
        written.dedup();
        if read.len() > READS || written.len() > GIVES {
            return None;
        }
        let home = |register: Reg| Some((register, home(register)?));
        Some(Self {
            steps: steps.to_vec(),
            registers: most as usize + 1,
            reads: read.into_iter().map(home).collect::<Option<_>>()?,
            gives: written.into_iter().map(home).collect::<Option<_>>()?,
            exit: number(exit)?,
        })
    }

    /// What it comes to from what it begins with.
    fn result(&self, program: &Program, key: &Key) -> Result {
        let mut r = vec![0; self.registers];
        self.reads
            .iter()
            .zip(key)
            .for_each(|((register, _), value)| r[*register as usize] = value.cast_signed());
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
                        let entries = &program.tables[usize::from(*table)];
                        let at = usize::try_from(of(*a)).ok();
                        (*d, at.and_then(|at| entries.get(at)).copied().unwrap_or(0))
                    }
                    Ir::Bag(op, layout, d, a, b) => (*d, program.bag(*op, *layout, of(*a), of(*b))),
                    Ir::JumpIf(a, wanted, _) if (of(*a) != 0) == *wanted => {
                        let mut result = [0; GIVES];
                        let gives = self.gives.iter().zip(&mut result);
                        gives.for_each(|((register, _), value)| *value = r[*register as usize]);
                        return result;
                    }
                    _ => continue,
                };
                r[d as usize] = value;
            }
        }
    }
}

/// What a loop came to, by what it began with.
#[derive(Debug, Default)]
pub(super) struct Results {
    known: Known<READS, Result>,
    /// The games that have come, and those of the later ones for which it was not known.
    asked: u32,
    fresh: u32,
    /// Whether too few meet what is known.
    pub(super) is_off: bool,
}

impl Results {
    /// What a loop comes to from what it begins with.
    #[inline(always)]
    pub(super) fn of(&mut self, repeat: &Repeat, program: &Program, key: &Key) -> Result {
        let Self { known, asked, fresh, .. } = self;
        known.of(key, || {
            *fresh += u32::from(*asked > TRIED / 2);
            repeat.result(program, key)
        })
    }

    /// So many more games have come.
    pub(super) fn asked(&mut self, many: usize) {
        if self.asked < TRIED {
            self.asked += u32::try_from(many).unwrap_or(TRIED);
            self.is_off = self.asked >= TRIED && self.fresh > TRIED / 8;
        }
    }
}
