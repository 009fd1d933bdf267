//! Instructions as loops over the columns of a run.
#![allow(clippy::needless_range_loop, reason = "loops count their lanes: iterators are not always inlined")]

use super::column::{Column, Number, PART, Parts, fill};
use super::instr::{Packed, Ref};
use super::run::Run;

/// Numbers of which a run has columns.
pub(super) trait Held: Number {
    fn columns<'a, S>(run: &'a Run<'_, S>) -> &'a [Box<Column<Self>>];
    fn columns_mut<'a, S>(run: &'a mut Run<'_, S>) -> &'a mut Vec<Box<Column<Self>>>;

    #[inline(always)]
    fn column<'a, S>(run: &'a Run<'_, S>, column: Ref) -> &'a Column<Self> {
        &Self::columns(run)[column.index()]
    }

    /// Takes out a column that changes, which is no other operand: the last one, which is spare, is in its place meanwhile.
    #[inline(always)]
    fn taken<S>(run: &mut Run<'_, S>, column: Ref) -> Box<Column<Self>> {
        Self::columns_mut(run).swap_remove(column.index())
    }

    #[inline(always)]
    fn put_back<S>(run: &mut Run<'_, S>, at: Ref, mut column: Box<Column<Self>>) {
        let columns = Self::columns_mut(run);
        std::mem::swap(&mut columns[at.index()], &mut column);
        columns.push(column);
    }
}

macro_rules! held {
    ($($number:ty, $columns:ident);*) => {$(
        impl Held for $number {
            #[inline(always)]
            fn columns<'a, S>(run: &'a Run<'_, S>) -> &'a [Box<Column<Self>>] {
                &run.$columns
            }

            #[inline(always)]
            fn columns_mut<'a, S>(run: &'a mut Run<'_, S>) -> &'a mut Vec<Box<Column<Self>>> {
                &mut run.$columns
            }
        }
    )*};
}

held!(u8, bytes; i16, short; i32, middle; i64, long);

/// `d` becomes what `f` makes of `a`.
#[inline(always)]
pub(super) fn one<S, T: Held, U: Held>(
    run: &mut Run<'_, S>,
    parts: Parts,
    [d, a]: [Ref; 2],
    f: impl Fn(T) -> U,
) {
    let mut changed = U::taken(run, d);
    let a = T::column(run, a);
    for at in parts.all() {
        let (a, mut out) = (a.0[at], [U::LEAST; PART]);
        for lane in 0..PART {
            out[lane] = f(a[lane]);
        }
        changed.0[at] = out;
    }
    U::put_back(run, d, changed);
}

/// `d` becomes what `f` makes of `a` and `b`.
#[inline(always)]
pub(super) fn two<S, T: Held, U: Held>(
    run: &mut Run<'_, S>,
    parts: Parts,
    [d, a, b]: [Ref; 3],
    f: impl Fn(T, T) -> U,
) {
    let mut changed = U::taken(run, d);
    let (a, b) = (T::column(run, a), T::column(run, b));
    for at in parts.all() {
        let (a, b, mut out) = (a.0[at], b.0[at], [U::LEAST; PART]);
        for lane in 0..PART {
            out[lane] = f(a[lane], b[lane]);
        }
        changed.0[at] = out;
    }
    U::put_back(run, d, changed);
}

/// `d` becomes what `f` makes of `a`, `b` and `c`.
#[inline(always)]
pub(super) fn three<S, T: Held>(
    run: &mut Run<'_, S>,
    parts: Parts,
    d: Ref,
    [a, b, c]: [Ref; 3],
    f: impl Fn(T, T, T) -> T,
) {
    let mut changed = T::taken(run, d);
    let (a, b, c) = (T::column(run, a), T::column(run, b), T::column(run, c));
    for at in parts.all() {
        let (a, b, c, mut out) = (a.0[at], b.0[at], c.0[at], [T::LEAST; PART]);
        for lane in 0..PART {
            out[lane] = f(a[lane], b[lane], c[lane]);
        }
        changed.0[at] = out;
    }
    T::put_back(run, d, changed);
}

/// `d` becomes what `with` makes of a truth and whether `a` and `b`, or a number, compare so.
#[inline(always)]
pub(super) fn compared<S, T: Held>(
    run: &mut Run<'_, S>,
    parts: Parts,
    d: Ref,
    ([a, b], truth): ([Result<Ref, T>; 2], Ref),
    (compares, with): (impl Fn(T, T) -> bool, impl Fn(u8, u8) -> u8),
    is_so: bool,
) {
    let mut changed = u8::taken(run, d);
    let flip = u8::from(!is_so);
    let truth = u8::column(run, truth);
    for at in parts.all() {
        let of = |operand: Result<Ref, T>| match operand {
            Ok(column) => T::column(run, column).0[at],
            Err(number) => [number; PART],
        };
        let (a, b, mut out) = (of(a), of(b), truth.0[at]);
        for lane in 0..PART {
            out[lane] = with(out[lane], u8::from(compares(a[lane], b[lane])) ^ flip);
        }
        changed.0[at] = out;
    }
    u8::put_back(run, d, changed);
}

/// `d` becomes what `f` makes of `a` and `b` in the games of the block.
#[inline(always)]
pub(super) fn put_two<S, T: Held>(
    run: &mut Run<'_, S>,
    parts: Parts,
    [d, a, b]: [Ref; 3],
    f: impl Fn(T, T) -> T,
) {
    let mut changed = T::taken(run, d);
    let (here, a, b) = (&*run.here, T::column(run, a), T::column(run, b));
    for at in parts.all() {
        let (here, a, b, mut out) = (here.0[at], a.0[at], b.0[at], changed.0[at]);
        for lane in 0..PART {
            out[lane] = out[lane].or_new(here[lane], f(a[lane], b[lane]));
        }
        changed.0[at] = out;
    }
    T::put_back(run, d, changed);
}

/// `d` becomes `a` where the truth is another number than 0, else `b`.
#[inline(always)]
pub(super) fn select<S, T: Held>(run: &mut Run<'_, S>, parts: Parts, truth: Ref, [d, a, b]: [Ref; 3]) {
    let mut changed = T::taken(run, d);
    let (truth, a, b) = (u8::column(run, truth), T::column(run, a), T::column(run, b));
    for at in parts.all() {
        let (truth, a, mut out) = (truth.0[at], a.0[at], b.0[at]);
        for lane in 0..PART {
            out[lane] = out[lane].or_new(-i8::from(truth[lane] != 0), a[lane]);
        }
        changed.0[at] = out;
    }
    T::put_back(run, d, changed);
}

/// `d` becomes `a` in the games of the block.
#[inline(always)]
pub(super) fn put<S, T: Held>(run: &mut Run<'_, S>, parts: Parts, [d, a]: [Ref; 2]) {
    let mut changed = T::taken(run, d);
    let (here, a) = (&*run.here, T::column(run, a));
    for at in parts.all() {
        let (here, a, mut out) = (here.0[at], a.0[at], changed.0[at]);
        for lane in 0..PART {
            out[lane] = out[lane].or_new(here[lane], a[lane]);
        }
        changed.0[at] = out;
    }
    T::put_back(run, d, changed);
}

/// Columns become numbers in the games of the block.
#[inline(always)]
pub(super) fn put_numbers<S, T: Held>(run: &mut Run<'_, S>, parts: Parts, numbers: &[(Ref, i64)]) {
    for (d, number) in numbers {
        let mut changed = T::taken(run, *d);
        fill(parts, &mut changed, T::of(*number), &run.here);
        T::put_back(run, *d, changed);
    }
}

/// `a` is added to `d` in the games of the block.
#[inline(always)]
pub(super) fn add<S, T: Held>(run: &mut Run<'_, S>, parts: Parts, [d, a]: [Ref; 2]) {
    let mut changed = T::taken(run, d);
    let (here, a) = (&*run.here, T::column(run, a));
    for at in parts.all() {
        let (here, a, mut out) = (here.0[at], a.0[at], changed.0[at]);
        for lane in 0..PART {
            out[lane] = out[lane].or_new(here[lane], out[lane].add(a[lane]));
        }
        changed.0[at] = out;
    }
    T::put_back(run, d, changed);
}

/// A number is added to `d` in the games of the block.
#[inline(always)]
pub(super) fn add_number<S, T: Held>(run: &mut Run<'_, S>, parts: Parts, d: Ref, number: T) {
    let mut changed = T::taken(run, d);
    for at in parts.all() {
        let (here, mut out) = (run.here.0[at], changed.0[at]);
        for lane in 0..PART {
            out[lane] = out[lane].or_new(here[lane], out[lane].add(number));
        }
        changed.0[at] = out;
    }
    T::put_back(run, d, changed);
}

/// One of some columns, by an index; the last for what is outside.
#[inline(always)]
pub(super) fn pick<S, T: Held>(run: &mut Run<'_, S>, parts: Parts, of: &[Ref], [d, i]: [Ref; 2]) {
    let Some((last, first)) = of.split_last() else { return };
    let mut changed = T::taken(run, d);
    let (i, last) = (u8::column(run, i), T::column(run, *last));
    for at in parts.all() {
        let (i, mut out) = (i.0[at], last.0[at]);
        for (number, column) in (0_u8..).zip(first) {
            let own = T::column(run, *column).0[at];
            for lane in 0..PART {
                out[lane] = out[lane].or_new(-i8::from(i[lane] == number), own[lane]);
            }
        }
        changed.0[at] = out;
    }
    T::put_back(run, d, changed);
}

/// In the games of the block, one of some columns, by an index, becomes `a`; the last for what is outside.
#[inline(always)]
pub(super) fn put_at<S, T: Held>(run: &mut Run<'_, S>, parts: Parts, of: &[Ref], [i, a]: [Ref; 2]) {
    let last = u8::try_from(of.len() - 1).unwrap_or(u8::MAX);
    for (number, column) in (0..=last).zip(of) {
        let mut changed = T::taken(run, *column);
        let (here, i, a) = (&*run.here, u8::column(run, i), T::column(run, a));
        for at in parts.all() {
            let (here, i, a, mut out) = (here.0[at], i.0[at], a.0[at], changed.0[at]);
            for lane in 0..PART {
                let is_here = here[lane] & -i8::from(i[lane].min(last) == number);
                out[lane] = out[lane].or_new(is_here, a[lane]);
            }
            changed.0[at] = out;
        }
        T::put_back(run, *column, changed);
    }
}

/// Entries of a table, by a middle index; 0 for what is outside.
#[inline(always)]
pub(super) fn entries<S, T: Held>(run: &mut Run<'_, S>, parts: Parts, table: &[i64], [d, i]: [Ref; 2]) {
    let mut changed = T::taken(run, d);
    let places = i32::column(run, i);
    for at in parts.all() {
        let (places, mut out) = (places.0[at], [T::LEAST; PART]);
        for lane in 0..PART {
            let place = places[lane].cast_unsigned() as usize;
            out[lane] = T::of(if place < table.len() { table[place] } else { 0 });
        }
        changed.0[at] = out;
    }
    T::put_back(run, d, changed);
}

/// One of a few numbers, by an index; 0 for what is outside.
#[inline(always)]
pub(super) fn few<S, T: Held>(run: &mut Run<'_, S>, parts: Parts, values: &[i64], [d, i]: [Ref; 2]) {
    let mut changed = T::taken(run, d);
    let places = u8::column(run, i);
    for at in parts.all() {
        let (places, mut out) = (places.0[at], [T::of(0); PART]);
        for (number, value) in (0_u8..).zip(values) {
            let value = T::of(*value);
            for lane in 0..PART {
                out[lane] = out[lane].or_new(-i8::from(places[lane] == number), value);
            }
        }
        changed.0[at] = out;
    }
    T::put_back(run, d, changed);
}

/// The sum of some fields of packed numbers, each times a number: in the wider one of the two widths.
#[inline(always)]
pub(super) fn packed<S, T: Held, A: Held>(
    run: &mut Run<'_, S>,
    parts: Parts,
    fields: &[Packed],
    [d, a]: [Ref; 2],
) {
    let mut changed = T::taken(run, d);
    let a = A::column(run, a);
    for at in parts.all() {
        let part = a.0[at];
        changed.0[at] = if size_of::<A>() >= size_of::<T>() {
            let (sum, mut out) = (sum_of::<A, A>(&part, fields), [T::LEAST; PART]);
            for lane in 0..PART {
                out[lane] = T::of(sum[lane].wide());
            }
            out
        } else {
            sum_of(&part, fields)
        };
    }
    T::put_back(run, d, changed);
}

#[inline(always)]
fn sum_of<A: Held, U: Held>(part: &[A; PART], fields: &[Packed]) -> [U; PART] {
    let mut sum = [U::of(0); PART];
    for field in fields {
        let Packed { shift, most, times } = *field;
        let up = times.trailing_zeros();
        if times.count_ones() == 1 && up <= shift && (up == 0 || size_of::<A>() >= size_of::<U>()) {
            // It is moved down by so much less.
            let (down, most) = (shift - up, A::of(most << up));
            for lane in 0..PART {
                sum[lane] = sum[lane].add(U::of(part[lane].shr(down).and(most).wide()));
            }
            continue;
        }
        let (most, factor) = (A::of(most), U::of(times));
        let field = |lane: usize| U::of(part[lane].shr(shift).and(most).wide());
        if times.count_ones() == 1 {
            for lane in 0..PART {
                sum[lane] = sum[lane].add(field(lane).shl(times.trailing_zeros()));
            }
        } else {
            for lane in 0..PART {
                sum[lane] = sum[lane].add(field(lane).mul(factor));
            }
        }
    }
    sum
}

/// How many bits of packed numbers are in a plane, and twice those in the next, and so on.
#[inline(always)]
pub(super) fn counted<S, T: Held>(run: &mut Run<'_, S>, parts: Parts, planes: &[i64], [d, a]: [Ref; 2]) {
    let mut changed = T::taken(run, d);
    let a = i64::column(run, a);
    for at in parts.all() {
        let (part, mut sum, mut out) = (a.0[at], [0_i64; PART], [T::LEAST; PART]);
        for (times, plane) in (0..).zip(planes) {
            for lane in 0..PART {
                sum[lane] += i64::from((part[lane] & plane).count_ones()) << times;
            }
        }
        for lane in 0..PART {
            out[lane] = T::of(sum[lane]);
        }
        changed.0[at] = out;
    }
    T::put_back(run, d, changed);
}
