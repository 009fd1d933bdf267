//! Loops that only calculate, with their columns.

use super::build::Builder;
use super::instr::Ref;
use super::left::Left;
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

impl Builder<'_> {
    /// A block that is such a loop.
    pub(super) fn repeat(&self, ir: &Blocks, block: usize) -> Option<Repeat> {
        let of_one = ir.pure_loop(block)?;
        let column = |register: &Reg| self.left.get(&Left::Register(*register)).copied();
        Some(Repeat {
            reads: of_one.reads.iter().map(column).collect::<Option<_>>()?,
            gives: of_one.gives.iter().map(column).collect::<Option<_>>()?,
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
