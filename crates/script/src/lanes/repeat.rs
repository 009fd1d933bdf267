//! Loops that only calculate, with their columns.

use super::instr::Ref;
use crate::known::Known;
use crate::lower::Blocks;
use crate::op::Reg;
use crate::pure_loop::{Gives, Key, PureLoop, READS};

/// So many games, of which the later half tells whether results are met again often enough: by three of four.
const TRIED: u32 = 1 << 14;

/// A loop that is carried out game by game, and remembered.
#[derive(Debug)]
pub(super) struct Repeat {
    pub(super) of_one: PureLoop,
    pub(super) reads: Vec<Ref>,
    pub(super) gives: Vec<Ref>,
    /// The block after it.
    pub(super) exit: usize,
}

impl Repeat {
    /// A block that is such a loop, with the columns of registers.
    pub(super) fn of(ir: &Blocks, block: usize, column: impl Fn(Reg) -> Option<Ref>) -> Option<Self> {
        let of_one = ir.pure_loop(block)?;
        let columns = |registers: &[Reg]| -> Option<Vec<Ref>> {
            registers.iter().map(|&register| column(register)).collect()
        };
        Some(Self {
            reads: columns(&of_one.reads)?,
            gives: columns(&of_one.gives)?,
            exit: *ir.numbers.get(&of_one.exit)?,
            of_one,
        })
    }
}

/// What a loop came to, by what it began with.
#[derive(Debug, Default)]
pub(super) struct Results {
    known: Known<READS, Gives>,
    /// The games that have come, and those of the later ones for which it was not known.
    asked: u32,
    fresh: u32,
    /// Whether too few meet what is known.
    pub(super) is_off: bool,
}

impl Results {
    /// What a loop comes to from what it begins with.
    #[inline(always)]
    pub(super) fn of(&mut self, key: &Key, find: impl FnOnce() -> Gives) -> Gives {
        let Self { known, asked, fresh, .. } = self;
        known.of(key, || {
            *fresh += u32::from(*asked > TRIED / 2);
            find()
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
