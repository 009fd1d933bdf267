//! Instructions as loops over the columns of a run.
#![allow(clippy::needless_range_loop, reason = "loops count their lanes: iterators are not always inlined")]

use super::column::{Column, Number, PART, Parts};
use super::instr::{Packed, Ref};
use super::run::Run;

/// Numbers of which a run has columns.
pub(super) trait Held: Number {
    fn column<'a, S>(run: &'a mut Run<'_, S>, column: Ref) -> &'a mut Column<Self>;
}

macro_rules! held {
    ($($number:ty, $columns:ident);*) => {$(
        impl Held for $number {
            #[inline(always)]
            fn column<'a, S>(run: &'a mut Run<'_, S>, column: Ref) -> &'a mut Column<Self> {
                &mut run.$columns[column.index()]
            }
        }
    )*};
}

held!(i16, short; i32, middle; i64, long);

/// A part of a column.
#[inline(always)]
fn part<S, T: Held>(run: &mut Run<'_, S>, column: Ref, at: usize) -> [T; PART] {
    T::column(run, column).0[at]
}

/// `d` becomes what `f` makes of `a`.
#[inline(always)]
pub(super) fn one<S, T: Held, U: Held>(
    run: &mut Run<'_, S>,
    parts: Parts,
    [d, a]: [Ref; 2],
    f: impl Fn(T) -> U,
) {
    for at in parts.all() {
        let (a, mut out) = (part(run, a, at), [U::LEAST; PART]);
        for lane in 0..PART {
            out[lane] = f(a[lane]);
        }
        U::column(run, d).0[at] = out;
    }
}

/// `d` becomes what `f` makes of `a` and `b`.
#[inline(always)]
pub(super) fn two<S, T: Held, U: Held>(
    run: &mut Run<'_, S>,
    parts: Parts,
    [d, a, b]: [Ref; 3],
    f: impl Fn(T, T) -> U,
) {
    for at in parts.all() {
        let (a, b, mut out) = (part(run, a, at), part(run, b, at), [U::LEAST; PART]);
        for lane in 0..PART {
            out[lane] = f(a[lane], b[lane]);
        }
        U::column(run, d).0[at] = out;
    }
}

/// `d` becomes `a` where the truth is another number than 0, else `b`.
#[inline(always)]
pub(super) fn select<S, T: Held>(run: &mut Run<'_, S>, parts: Parts, truth: Ref, [d, a, b]: [Ref; 3]) {
    for at in parts.all() {
        let truth: [i16; PART] = part(run, truth, at);
        let (a, mut out): ([T; PART], [T; PART]) = (part(run, a, at), part(run, b, at));
        for lane in 0..PART {
            out[lane] = out[lane].or_new(-i16::from(truth[lane] != 0), a[lane]);
        }
        T::column(run, d).0[at] = out;
    }
}

/// `d` becomes `a` in the games of the block.
#[inline(always)]
pub(super) fn put<S, T: Held>(run: &mut Run<'_, S>, parts: Parts, [d, a]: [Ref; 2]) {
    for at in parts.all() {
        let (a, mut out): ([T; PART], [T; PART]) = (part(run, a, at), part(run, d, at));
        let here = run.here.0[at];
        for lane in 0..PART {
            out[lane] = out[lane].or_new(here[lane], a[lane]);
        }
        T::column(run, d).0[at] = out;
    }
}

/// `d` becomes a number in the games of the block.
#[inline(always)]
pub(super) fn put_number<S, T: Held>(run: &mut Run<'_, S>, parts: Parts, d: Ref, number: T) {
    for at in parts.all() {
        let (here, mut out): (_, [T; PART]) = (run.here.0[at], part(run, d, at));
        for lane in 0..PART {
            out[lane] = out[lane].or_new(here[lane], number);
        }
        T::column(run, d).0[at] = out;
    }
}

/// One of some columns, by a short index; the last for what is outside.
#[inline(always)]
pub(super) fn pick<S, T: Held>(run: &mut Run<'_, S>, parts: Parts, of: &[Ref], [d, i]: [Ref; 2]) {
    let Some((last, first)) = of.split_last() else { return };
    for at in parts.all() {
        let (i, mut out): ([i16; PART], [T; PART]) = (part(run, i, at), part(run, *last, at));
        for (number, column) in (0_i16..).zip(first) {
            let own = part(run, *column, at);
            for lane in 0..PART {
                out[lane] = out[lane].or_new(-i16::from(i[lane] == number), own[lane]);
            }
        }
        T::column(run, d).0[at] = out;
    }
}

/// In the games of the block, one of some columns, by a short index, becomes `a`.
#[inline(always)]
pub(super) fn put_at<S, T: Held>(run: &mut Run<'_, S>, parts: Parts, of: &[Ref], [i, a]: [Ref; 2]) {
    let last = i16::try_from(of.len()).unwrap_or(i16::MAX) - 1;
    for at in parts.all() {
        let (mut places, a): ([i16; PART], [T; PART]) = (part(run, i, at), part(run, a, at));
        let here = run.here.0[at];
        for lane in 0..PART {
            // Negative numbers are large ones without a sign.
            let place = places[lane].cast_unsigned().min(last.cast_unsigned()).cast_signed();
            places[lane] = place | !here[lane];
        }
        for (number, column) in (0_i16..).zip(of) {
            let mut own: [T; PART] = part(run, *column, at);
            for lane in 0..PART {
                own[lane] = own[lane].or_new(-i16::from(places[lane] == number), a[lane]);
            }
            T::column(run, *column).0[at] = own;
        }
    }
}

/// Entries of a table, by a middle index; 0 for what is outside.
#[inline(always)]
pub(super) fn entries<S, T: Held>(run: &mut Run<'_, S>, parts: Parts, table: &[i64], [d, i]: [Ref; 2]) {
    for at in parts.all() {
        let (places, mut out): ([i32; PART], _) = (part(run, i, at), [T::LEAST; PART]);
        for lane in 0..PART {
            let place = places[lane].cast_unsigned() as usize;
            out[lane] = T::of(if place < table.len() { table[place] } else { 0 });
        }
        T::column(run, d).0[at] = out;
    }
}

/// One of a few numbers, by a short index; 0 for what is outside.
#[inline(always)]
pub(super) fn few<S, T: Held>(run: &mut Run<'_, S>, parts: Parts, values: &[i64], [d, i]: [Ref; 2]) {
    for at in parts.all() {
        let (places, mut out): ([i16; PART], _) = (part(run, i, at), [T::of(0); PART]);
        for (number, value) in (0_i16..).zip(values) {
            let value = T::of(*value);
            for lane in 0..PART {
                out[lane] = out[lane].or_new(-i16::from(places[lane] == number), value);
            }
        }
        T::column(run, d).0[at] = out;
    }
}

/// The sum of some fields of packed numbers, each times a number.
#[inline(always)]
pub(super) fn packed<S, T: Held>(run: &mut Run<'_, S>, parts: Parts, fields: &[Packed], [d, a]: [Ref; 2]) {
    for at in parts.all() {
        let (part, mut sum, mut out): ([i64; PART], _, _) =
            (part(run, a, at), [0_i64; PART], [T::LEAST; PART]);
        for field in fields {
            let Packed { shift, most, times } = *field;
            if times == 1 {
                for lane in 0..PART {
                    sum[lane] += unpacked(part[lane], shift, most);
                }
            } else if times.count_ones() == 1 {
                for lane in 0..PART {
                    sum[lane] += unpacked(part[lane], shift, most) << times.trailing_zeros();
                }
            } else {
                for lane in 0..PART {
                    sum[lane] = sum[lane].wrapping_add(unpacked(part[lane], shift, most).wrapping_mul(times));
                }
            }
        }
        for lane in 0..PART {
            out[lane] = T::of(sum[lane]);
        }
        T::column(run, d).0[at] = out;
    }
}

/// How many bits of packed numbers are in a plane, and twice those in the next, and so on.
#[inline(always)]
pub(super) fn counted<S, T: Held>(run: &mut Run<'_, S>, parts: Parts, planes: &[i64], [d, a]: [Ref; 2]) {
    for at in parts.all() {
        let (part, mut sum, mut out): ([i64; PART], _, _) =
            (part(run, a, at), [0_i64; PART], [T::LEAST; PART]);
        for (times, plane) in (0..).zip(planes) {
            for lane in 0..PART {
                sum[lane] += i64::from((part[lane] & plane).count_ones()) << times;
            }
        }
        for lane in 0..PART {
            out[lane] = T::of(sum[lane]);
        }
        T::column(run, d).0[at] = out;
    }
}

#[inline(always)]
fn unpacked(number: i64, shift: u32, most: i64) -> i64 {
    (number.cast_unsigned() >> shift).cast_signed() & most
}
