//! Calculations that are done game by game.

use stopwise_engine::lanes::simd::Vector16;

use super::column::{Column, Number};
use super::instr::{Instr, Ref, Width};
use super::run::Run;
use crate::layout::BagOp;

/// The time for a game, and to begin with one by one, in games; that for a part of a column is 1, 2, 4 or 8 by its width.
const GAME: usize = 4;
const FIRST_GAME: usize = 8;

#[inline(always)]
fn copy<T: Number>(columns: &mut [Box<Column<T>>], lane: usize, to: usize, from: usize) {
    let number = columns[from].get(lane);
    columns[to].set(lane, number);
}

impl<S: Vector16> Run<'_, S> {
    /// Whether so many games take less time one by one than all games, column by column of a row.
    pub(super) fn is_shorter_by_game(&self, many: usize, row: &[Ref], of: Ref) -> bool {
        let columns = self.loops.parts.all().len() * row.len() * (1 << of.width as u8);
        GAME * (many + FIRST_GAME) < columns
    }

    /// Game by game, one of some columns becomes `of`, or gives it.
    pub(super) fn one_of(&mut self, row: &[Ref], i: Ref, of: Ref, is_put: bool) {
        let here = self.loops.run(|parts| self.here.bits(parts, self.loops.simd));
        let Self { bytes, short, middle, long, .. } = self;
        here.each(|lane| {
            let place = usize::from(bytes[i.index()].get(lane)).min(row.len() - 1);
            let (column, of_game) = (row[place].index(), of.index());
            let (to, from) = if is_put { (column, of_game) } else { (of_game, column) };
            match of.width {
                Width::Byte => copy(bytes, lane, to, from),
                Width::Short => copy(short, lane, to, from),
                Width::Middle => copy(middle, lane, to, from),
                Width::Long => copy(long, lane, to, from),
            }
        });
    }

    /// An operation on bags, game by game: most look something up.
    pub(super) fn bags(&mut self, instr: &Instr) {
        let Instr::Bag(op, layout, d, a, b) = instr else { return };
        let (op, layout, columns) = (*op, *layout, [*d, *a, *b].map(Ref::index));
        let (program, bags) = (self.program, &*self.program.bags);
        match op {
            BagOp::Known(table) => self.each(columns, |a, _| bags.known(table, a)),
            BagOp::Worth => self.each(columns, |a, _| bags.worth(layout, a)),
            BagOp::Part => self.each(columns, |a, b| bags.part(layout, a, b)),
            op => self.each(columns, |a, b| program.bag(op, layout, a, b)),
        }
    }

    #[inline(always)]
    fn each(&mut self, [d, a, b]: [usize; 3], value: impl Fn(i64, i64) -> i64) {
        let here = self.loops.run(|parts| self.here.bits(parts, self.loops.simd));
        here.each(|lane| {
            let (a, b) = (self.long[a].get(lane), self.long[b].get(lane));
            self.long[d].set(lane, value(a, b));
        });
    }
}
