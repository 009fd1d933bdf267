//! Calculations: instructions that set a column for all games, and those that set one for the games of a block.

use stopwise_engine::lanes::simd::Vector16;

use super::column::{Column, Number, convert, fill, select, two};
use super::instr::{Instr, Ref, Width};
use super::loops::{
    compare, compare_k, compare_short, compare_short_k, entries, few, numbers, packed, pick, put_at,
};
use super::run::{Run, looped};
use crate::layout::BagOp;
use crate::op::Bin;

/// Operations of which each has a loop of its own: in a function with others they would not be inlined.
fn uncommon<S: Vector16, T: Number>(simd: S, columns: &mut [Column<T>], bin: Bin, [d, a, b]: [usize; 3]) {
    match bin {
        Bin::Shl => looped(simd, || two(columns, d, a, b, T::shl_by)),
        Bin::Shr => looped(simd, || two(columns, d, a, b, T::shr_by)),
        Bin::Div => looped(simd, || two(columns, d, a, b, T::div)),
        _ => looped(simd, || two(columns, d, a, b, |a, b| a.sub(a.div(b).mul(b)))),
    }
}

impl<S: Vector16> Run<'_, S> {
    pub(super) fn calculate(&mut self, instr: &Instr) {
        let simd = self.simd;
        match instr {
            Instr::PutK(d, k) => match d.width {
                Width::Short => looped(simd, || fill(&mut self.short[d.index()], i16::of(*k), &self.here)),
                Width::Middle => looped(simd, || fill(&mut self.middle[d.index()], i32::of(*k), &self.here)),
                Width::Long => looped(simd, || fill(&mut self.long[d.index()], *k, &self.here)),
            },
            Instr::Convert(d, a) => looped(simd, || self.convert(*d, *a)),
            Instr::Compare(order, d, a, b) => match a.width {
                Width::Short => looped(simd, || compare_short(&mut self.short, *order, *d, *a, *b)),
                Width::Middle => {
                    let (a, b) = (&self.middle[a.index()], &self.middle[b.index()]);
                    looped(simd, || compare(a, b, *order, &mut self.short[d.index()]));
                }
                Width::Long => {
                    let (a, b) = (&self.long[a.index()], &self.long[b.index()]);
                    looped(simd, || compare(a, b, *order, &mut self.short[d.index()]));
                }
            },
            Instr::CompareK(order, d, a, k) => match a.width {
                Width::Short => {
                    looped(simd, || compare_short_k(&mut self.short, *order, *d, *a, i16::of(*k)))
                }
                Width::Middle => looped(simd, || {
                    compare_k(&self.middle[a.index()], i32::of(*k), *order, &mut self.short[d.index()]);
                }),
                Width::Long => looped(simd, || {
                    compare_k(&self.long[a.index()], *k, *order, &mut self.short[d.index()]);
                }),
            },
            Instr::Table(d, table, a) => {
                let (table, at, d, width) =
                    (&self.program.tables[usize::from(*table)], a.index(), d.index(), d.width);
                let Self { short, middle, long, .. } = self;
                match width {
                    Width::Short => looped(simd, || entries(table, |_, part| middle[at].0[part], short, d)),
                    Width::Middle => looped(simd, || entries(table, |own, part| own[at].0[part], middle, d)),
                    Width::Long => looped(simd, || entries(table, |_, part| middle[at].0[part], long, d)),
                }
            }
            Instr::Few(d, values, a) => {
                let (at, d, width) = (a.index(), d.index(), d.width);
                let Self { short, middle, long, .. } = self;
                match width {
                    Width::Short => looped(simd, || few(values, |own, part| own[at].0[part], short, d)),
                    Width::Middle => looped(simd, || few(values, |_, part| short[at].0[part], middle, d)),
                    Width::Long => looped(simd, || few(values, |_, part| short[at].0[part], long, d)),
                }
            }
            Instr::Fields(d, a, fields) => {
                let (a, width) = (a.index(), d.width);
                let (d, Self { short, middle, long, .. }) = (d.index(), self);
                match width {
                    Width::Short => looped(simd, || packed(&long[a], fields, &mut short[d])),
                    Width::Middle => looped(simd, || packed(&long[a], fields, &mut middle[d])),
                    Width::Long => looped(simd, || {
                        let of = long[a];
                        packed(&of, fields, &mut long[d]);
                    }),
                }
            }
            Instr::Bag(op, layout, d, a, b) => self.bags(*op, *layout, [d.index(), a.index(), b.index()]),
            Instr::Select(d, truth, a, b) => {
                let (at, of, width) = (truth.index(), [d.index(), a.index(), b.index()], d.width);
                let Self { short, middle, long, .. } = self;
                match width {
                    Width::Short => looped(simd, || select(short, |own, part| own[at].0[part], of)),
                    Width::Middle => looped(simd, || select(middle, |_, part| short[at].0[part], of)),
                    Width::Long => looped(simd, || select(long, |_, part| short[at].0[part], of)),
                }
            }
            Instr::Pick(d, of, i) => {
                let (at, d, width) = (i.index(), d.index(), d.width);
                let Self { short, middle, long, .. } = self;
                match width {
                    Width::Short => looped(simd, || pick(short, d, of, |own, part| own[at].0[part])),
                    Width::Middle => looped(simd, || pick(middle, d, of, |_, part| short[at].0[part])),
                    Width::Long => looped(simd, || pick(long, d, of, |_, part| short[at].0[part])),
                }
            }
            Instr::PutAt(of, i, a) => {
                let (at, a, width) = (i.index(), a.index(), a.width);
                let Self { short, middle, long, here, .. } = self;
                match width {
                    Width::Short => looped(simd, || put_at(short, of, |own, part| own[at].0[part], a, here)),
                    Width::Middle => {
                        looped(simd, || put_at(middle, of, |_, part| short[at].0[part], a, here))
                    }
                    Width::Long => looped(simd, || put_at(long, of, |_, part| short[at].0[part], a, here)),
                }
            }
            Instr::Bin(bin @ (Bin::Shl | Bin::Shr | Bin::Div | Bin::Rem), d, a, b) => {
                let (of, Self { short, middle, long, .. }) = ([d.index(), a.index(), b.index()], self);
                match d.width {
                    Width::Short => uncommon(simd, short, *bin, of),
                    Width::Middle => uncommon(simd, middle, *bin, of),
                    Width::Long => uncommon(simd, long, *bin, of),
                }
            }
            Instr::Copy(d, _)
            | Instr::Put(d, _)
            | Instr::Bin(_, d, ..)
            | Instr::BinK(_, d, ..)
            | Instr::From(d, ..) => match d.width {
                Width::Short => looped(simd, || numbers(&mut self.short, instr, &self.here)),
                Width::Middle => looped(simd, || numbers(&mut self.middle, instr, &self.here)),
                Width::Long => looped(simd, || numbers(&mut self.long, instr, &self.here)),
            },
            _ => {}
        }
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
        let here = looped(self.simd, || self.here.bits(self.simd));
        here.each(|lane| {
            let (a, b) = (self.long[a].get(lane), self.long[b].get(lane));
            self.long[d].set(lane, value(a, b));
        });
    }

    #[inline(always)]
    fn convert(&mut self, d: Ref, a: Ref) {
        let (short, middle, long) = (&mut self.short, &mut self.middle, &mut self.long);
        match (a.width, d.width) {
            (Width::Short, Width::Middle) => convert(&short[a.index()], &mut middle[d.index()], i32::from),
            (Width::Short, Width::Long) => convert(&short[a.index()], &mut long[d.index()], i64::from),
            (Width::Middle, Width::Short) => {
                convert(&middle[a.index()], &mut short[d.index()], |n| i16::of(n.into()));
            }
            (Width::Middle, Width::Long) => convert(&middle[a.index()], &mut long[d.index()], i64::from),
            (Width::Long, Width::Short) => convert(&long[a.index()], &mut short[d.index()], i16::of),
            (Width::Long, Width::Middle) => convert(&long[a.index()], &mut middle[d.index()], i32::of),
            (Width::Short, Width::Short) => short[d.index()] = short[a.index()],
            (Width::Middle, Width::Middle) => middle[d.index()] = middle[a.index()],
            (Width::Long, Width::Long) => long[d.index()] = long[a.index()],
        }
    }
}
