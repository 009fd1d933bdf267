//! Calculations: instructions that set a column for all games, and those that set one for the games of a block.

use stopwise_engine::lanes::simd::Vector16;

use super::column::{Column, Loops, Number, Parts, convert, fill, select, two};
use super::instr::{Instr, Ref, Width};
use super::loops::{
    compare, compare_k, compare_short, compare_short_k, entries, few, numbers, packed, pick, put_at,
};
use super::over::{over, over_by};
use super::run::Run;
use crate::layout::BagOp;
use crate::op::Bin;

/// The time for a game, and to begin with one by one, in games; that for a part of a column is 2, 4 or 8 by its width.
const GAME: usize = 4;
const FIRST_GAME: usize = 8;

#[inline(always)]
fn copy<T: Number>(columns: &mut [Column<T>], lane: usize, to: usize, from: usize) {
    let number = columns[from].get(lane);
    columns[to].set(lane, number);
}

/// Operations of which each has a loop of its own: in a function with others they would not be inlined.
fn uncommon<S: Vector16, T: Number>(
    loops: Loops<S>,
    columns: &mut [Column<T>],
    bin: Bin,
    [d, a, b]: [usize; 3],
) {
    match bin {
        Bin::Shl => loops.run(|parts| two(parts, columns, d, a, b, T::shl_by)),
        Bin::Shr => loops.run(|parts| two(parts, columns, d, a, b, T::shr_by)),
        Bin::Div => loops.run(|parts| two(parts, columns, d, a, b, T::div)),
        _ => loops.run(|parts| two(parts, columns, d, a, b, |a, b| a.sub(a.div(b).mul(b)))),
    }
}

impl<S: Vector16> Run<'_, S> {
    /// Carries out an instruction in a block with so many games.
    pub(super) fn calculate(&mut self, instr: &Instr, many: usize) {
        let loops = self.loops;
        match instr {
            Instr::PutK(d, k) => over!(self, d.width, |parts, columns| {
                fill(parts, &mut columns[d.index()], Number::of(*k), &self.here);
            }),
            Instr::Convert(d, a) => loops.run(|parts| self.convert(parts, *d, *a)),
            Instr::Compare(order, d, a, b) => match a.width {
                Width::Short => loops.run(|parts| compare_short(parts, &mut self.short, *order, *d, *a, *b)),
                Width::Middle => {
                    let (a, b) = (&self.middle[a.index()], &self.middle[b.index()]);
                    loops.run(|parts| compare(parts, a, b, *order, &mut self.short[d.index()]));
                }
                Width::Long => {
                    let (a, b) = (&self.long[a.index()], &self.long[b.index()]);
                    loops.run(|parts| compare(parts, a, b, *order, &mut self.short[d.index()]));
                }
            },
            Instr::CompareK(order, d, a, k) => match a.width {
                Width::Short => {
                    loops.run(|parts| compare_short_k(parts, &mut self.short, *order, *d, *a, i16::of(*k)))
                }
                Width::Middle => loops.run(|parts| {
                    compare_k(
                        parts,
                        &self.middle[a.index()],
                        i32::of(*k),
                        *order,
                        &mut self.short[d.index()],
                    );
                }),
                Width::Long => loops.run(|parts| {
                    compare_k(parts, &self.long[a.index()], *k, *order, &mut self.short[d.index()]);
                }),
            },
            Instr::Table(d, table, a) => {
                let (table, at, d, width) =
                    (&self.program.tables[usize::from(*table)], a.index(), d.index(), d.width);
                let Self { short, middle, long, .. } = self;
                match width {
                    Width::Short => {
                        loops.run(|parts| entries(parts, table, |_, part| middle[at].0[part], short, d))
                    }
                    Width::Middle => {
                        loops.run(|parts| entries(parts, table, |own, part| own[at].0[part], middle, d))
                    }
                    Width::Long => {
                        loops.run(|parts| entries(parts, table, |_, part| middle[at].0[part], long, d))
                    }
                }
            }
            Instr::Few(d, values, a) => {
                over_by!(self, d.width, a, |parts, columns, of| few(parts, values, of, columns, d.index()));
            }
            Instr::Fields(d, a, fields) => {
                let (a, width) = (a.index(), d.width);
                let (d, Self { short, middle, long, .. }) = (d.index(), self);
                match width {
                    Width::Short => loops.run(|parts| packed(parts, &long[a], fields, &mut short[d])),
                    Width::Middle => loops.run(|parts| packed(parts, &long[a], fields, &mut middle[d])),
                    Width::Long => loops.run(|parts| {
                        let of = long[a];
                        packed(parts, &of, fields, &mut long[d]);
                    }),
                }
            }
            Instr::Bag(op, layout, d, a, b) => self.bags(*op, *layout, [d.index(), a.index(), b.index()]),
            Instr::Select(d, truth, a, b) => {
                let places = [d.index(), a.index(), b.index()];
                over_by!(self, d.width, truth, |parts, columns, of| select(parts, columns, of, places));
            }
            Instr::Pick(d, row, i) if self.is_shorter_by_game(many, row, *d) => {
                self.one_of(row, *i, *d, false)
            }
            Instr::PutAt(row, i, a) if self.is_shorter_by_game(many, row, *a) => {
                self.one_of(row, *i, *a, true);
            }
            Instr::Pick(d, row, i) => {
                over_by!(self, d.width, i, |parts, columns, of| pick(parts, columns, d.index(), row, of));
            }
            Instr::PutAt(row, i, a) => over_by!(self, a.width, i, |parts, columns, of| {
                put_at(parts, columns, row, of, a.index(), &self.here);
            }),
            Instr::Bin(bin @ (Bin::Shl | Bin::Shr | Bin::Div | Bin::Rem), d, a, b) => {
                let (of, Self { short, middle, long, .. }) = ([d.index(), a.index(), b.index()], self);
                match d.width {
                    Width::Short => uncommon(loops, short, *bin, of),
                    Width::Middle => uncommon(loops, middle, *bin, of),
                    Width::Long => uncommon(loops, long, *bin, of),
                }
            }
            Instr::Copy(d, _)
            | Instr::Put(d, _)
            | Instr::Bin(_, d, ..)
            | Instr::BinK(_, d, ..)
            | Instr::From(d, ..) => {
                over!(self, d.width, |parts, columns| numbers(parts, columns, instr, &self.here));
            }
            _ => {}
        }
    }

    /// Whether so many games take less time one by one than all games, column by column of a row.
    fn is_shorter_by_game(&self, many: usize, row: &[Ref], of: Ref) -> bool {
        let columns = self.loops.parts.all().len() * row.len() * (2 << of.width as u8);
        GAME * (many + FIRST_GAME) < columns
    }

    /// Game by game, one of some columns becomes `of`, or gives it.
    fn one_of(&mut self, row: &[Ref], i: Ref, of: Ref, is_put: bool) {
        let here = self.here.bits(self.loops.parts, self.loops.simd);
        let Self { short, middle, long, .. } = self;
        here.each(|lane| {
            // Negative numbers are large ones without a sign; the last is taken for what is outside.
            let place = usize::from(short[i.index()].get(lane).cast_unsigned()).min(row.len() - 1);
            let (column, of_game) = (row[place].index(), of.index());
            let (to, from) = if is_put { (column, of_game) } else { (of_game, column) };
            match of.width {
                Width::Short => copy(short, lane, to, from),
                Width::Middle => copy(middle, lane, to, from),
                Width::Long => copy(long, lane, to, from),
            }
        });
    }

    /// An operation on bags, game by game: most look something up.
    fn bags(&mut self, op: BagOp, layout: u16, columns: [usize; 3]) {
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

    #[inline(always)]
    fn convert(&mut self, parts: Parts, d: Ref, a: Ref) {
        let (short, middle, long) = (&mut self.short, &mut self.middle, &mut self.long);
        match (a.width, d.width) {
            (Width::Short, Width::Middle) => {
                convert(parts, &short[a.index()], &mut middle[d.index()], i32::from)
            }
            (Width::Short, Width::Long) => convert(parts, &short[a.index()], &mut long[d.index()], i64::from),
            (Width::Middle, Width::Short) => {
                convert(parts, &middle[a.index()], &mut short[d.index()], |n| i16::of(n.into()));
            }
            (Width::Middle, Width::Long) => {
                convert(parts, &middle[a.index()], &mut long[d.index()], i64::from)
            }
            (Width::Long, Width::Short) => convert(parts, &long[a.index()], &mut short[d.index()], i16::of),
            (Width::Long, Width::Middle) => convert(parts, &long[a.index()], &mut middle[d.index()], i32::of),
            // Columns are converted to other widths only.
            _ => {}
        }
    }
}
