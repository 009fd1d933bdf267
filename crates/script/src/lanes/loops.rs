//! Instructions as loops over columns of one width.

use super::column::{Column, Mask, Number, Of, PART, Parts, convert, one, outside, put, truths, two};
use super::instr::{Instr, Order, Packed, Ref};
use super::stops::Part;
use super::streams::Words;
use crate::op::Bin;
use crate::pool::EventPlaces;

#[inline(always)]
pub(super) fn limits<T: Number>(
    parts: Parts,
    column: &Column<T>,
    low: i64,
    high: i64,
    games: &Mask,
) -> (Mask, usize) {
    // A limit that the width does not have is none.
    let low = if T::of(low).wide() == low { T::of(low) } else { T::LEAST };
    let high = if T::of(high).wide() == high { T::of(high) } else { T::GREATEST };
    let out = outside(parts, column, low, high, games);
    (out, out.count(parts))
}

#[inline(always)]
pub(super) fn compare<T: Number>(
    parts: Parts,
    a: &Column<T>,
    b: &Column<T>,
    order: Order,
    d: &mut Column<i16>,
) {
    match order {
        Order::Equal => truths(parts, a, b, d, |a, b| a == b),
        Order::Unequal => truths(parts, a, b, d, |a, b| a != b),
        Order::Less => truths(parts, a, b, d, |a, b| a < b),
        Order::AtMost => truths(parts, a, b, d, |a, b| a <= b),
        Order::More => truths(parts, a, b, d, |a, b| a > b),
        Order::AtLeast => truths(parts, a, b, d, |a, b| a >= b),
    }
}

#[inline(always)]
pub(super) fn compare_k<T: Number>(parts: Parts, a: &Column<T>, k: T, order: Order, d: &mut Column<i16>) {
    match order {
        Order::Equal => convert(parts, a, d, |a| (a == k).into()),
        Order::Unequal => convert(parts, a, d, |a| (a != k).into()),
        Order::Less => convert(parts, a, d, |a| (a < k).into()),
        Order::AtMost => convert(parts, a, d, |a| (a <= k).into()),
        Order::More => convert(parts, a, d, |a| (a > k).into()),
        Order::AtLeast => convert(parts, a, d, |a| (a >= k).into()),
    }
}

#[inline(always)]
pub(super) fn compare_short(parts: Parts, columns: &mut [Column<i16>], order: Order, d: Ref, a: Ref, b: Ref) {
    let (d, a, b) = (d.index(), a.index(), b.index());
    match order {
        Order::Equal => two(parts, columns, d, a, b, |a, b| (a == b).into()),
        Order::Unequal => two(parts, columns, d, a, b, |a, b| (a != b).into()),
        Order::Less => two(parts, columns, d, a, b, |a, b| (a < b).into()),
        Order::AtMost => two(parts, columns, d, a, b, |a, b| (a <= b).into()),
        Order::More => two(parts, columns, d, a, b, |a, b| (a > b).into()),
        Order::AtLeast => two(parts, columns, d, a, b, |a, b| (a >= b).into()),
    }
}

#[inline(always)]
pub(super) fn compare_short_k(
    parts: Parts,
    columns: &mut [Column<i16>],
    order: Order,
    d: Ref,
    a: Ref,
    k: i16,
) {
    let (d, a) = (d.index(), a.index());
    match order {
        Order::Equal => one(parts, columns, d, a, |a| (a == k).into()),
        Order::Unequal => one(parts, columns, d, a, |a| (a != k).into()),
        Order::Less => one(parts, columns, d, a, |a| (a < k).into()),
        Order::AtMost => one(parts, columns, d, a, |a| (a <= k).into()),
        Order::More => one(parts, columns, d, a, |a| (a > k).into()),
        Order::AtLeast => one(parts, columns, d, a, |a| (a >= k).into()),
    }
}

/// Instructions over columns of one width.
#[inline(always)]
pub(super) fn numbers<T: Number>(parts: Parts, columns: &mut [Column<T>], instr: &Instr, here: &Mask) {
    match instr {
        Instr::Copy(d, a) => one(parts, columns, d.index(), a.index(), |a| a),
        Instr::Put(d, a) => put(parts, columns, d.index(), a.index(), here),
        Instr::From(d, k, a) => {
            let k = T::of(*k);
            one(parts, columns, d.index(), a.index(), |a| k.sub(a));
        }
        Instr::Bin(bin, d, a, b) => {
            let (d, a, b) = (d.index(), a.index(), b.index());
            match bin {
                Bin::Add => two(parts, columns, d, a, b, T::add),
                Bin::Sub => two(parts, columns, d, a, b, T::sub),
                Bin::Mul => two(parts, columns, d, a, b, T::mul),
                Bin::Min => two(parts, columns, d, a, b, T::min),
                Bin::Max => two(parts, columns, d, a, b, T::max),
                Bin::And => two(parts, columns, d, a, b, T::and),
                Bin::Or => two(parts, columns, d, a, b, T::or),
                _ => {}
            }
        }
        Instr::BinK(bin, d, a, number) => {
            let (d, a, k) = (d.index(), a.index(), T::of(*number));
            let by = u32::try_from(*number & 63).unwrap_or(0);
            match bin {
                Bin::Add => one(parts, columns, d, a, |a| a.add(k)),
                Bin::Sub => one(parts, columns, d, a, |a| a.sub(k)),
                Bin::Mul => one(parts, columns, d, a, |a| a.mul(k)),
                Bin::Min => one(parts, columns, d, a, |a| a.min(k)),
                Bin::Max => one(parts, columns, d, a, |a| a.max(k)),
                Bin::And => one(parts, columns, d, a, |a| a.and(k)),
                Bin::Or => one(parts, columns, d, a, |a| a.or(k)),
                Bin::Shl if by < T::BITS => one(parts, columns, d, a, |a| a.shl(by)),
                Bin::Shr if by < T::BITS => one(parts, columns, d, a, |a| a.shr(by)),
                _ => {}
            }
        }
        _ => {}
    }
}

/// One of some columns, by a short index; the last for what is outside.
#[inline(always)]
pub(super) fn pick<T: Number>(
    parts: Parts,
    columns: &mut [Column<T>],
    d: usize,
    of: &[Ref],
    i: impl Of<T, i16>,
) {
    let Some((last, first)) = of.split_last() else { return };
    for at in parts.all() {
        let (i, mut part) = (i(columns, at), columns[last.index()].0[at]);
        for (number, column) in (0_i16..).zip(first) {
            let own = columns[column.index()].0[at];
            for lane in 0..PART {
                part[lane] = part[lane].or_new(-i16::from(i[lane] == number), own[lane]);
            }
        }
        columns[d].0[at] = part;
    }
}

/// In the games of a mask, one of some columns, by a short index, becomes `a`.
#[inline(always)]
pub(super) fn put_at<T: Number>(
    parts: Parts,
    columns: &mut [Column<T>],
    of: &[Ref],
    i: impl Of<T, i16>,
    a: usize,
    here: &Mask,
) {
    let last = i16::try_from(of.len()).unwrap_or(i16::MAX) - 1;
    for at in parts.all() {
        let (mut places, part, here) = (i(columns, at), columns[a].0[at], here.0[at]);
        for lane in 0..PART {
            // Negative numbers are large ones without a sign.
            let place = places[lane].cast_unsigned().min(last.cast_unsigned()).cast_signed();
            places[lane] = place | !here[lane];
        }
        for (number, column) in (0_i16..).zip(of) {
            let mut own = columns[column.index()].0[at];
            for lane in 0..PART {
                own[lane] = own[lane].or_new(-i16::from(places[lane] == number), part[lane]);
            }
            columns[column.index()].0[at] = own;
        }
    }
}

/// The weights and first places of events, by number; of the last one for what is outside.
#[inline(always)]
pub(super) fn numbered(
    parts: Parts,
    numbers: &Column<i32>,
    events: &[EventPlaces],
    weights: &mut Words,
    firsts: &mut Words,
) {
    for at in parts.all() {
        for lane in 0..PART {
            let number = numbers.0[at][lane].max(0).cast_unsigned() as usize;
            let event = events[number.min(events.len() - 1)];
            weights.0[at][lane] = event.weight;
            firsts.0[at][lane] = event.first;
        }
    }
}

/// In the games of a mask, what a part of a roll shows at a place.
#[inline(always)]
pub(super) fn show_part<T: Number>(
    parts: Parts,
    part: &Part,
    places: &Words,
    firsts: &Words,
    here: &Mask,
    column: &mut Column<T>,
) {
    match part {
        Part::Place(more) => {
            let more = T::of(*more);
            show(parts, places, firsts, here, column, |place| T::of(i64::from(place)).add(more));
        }
        Part::Table(values) => {
            let value = |place: u32| T::of(values.get(place as usize).copied().unwrap_or(0));
            show(parts, places, firsts, here, column, value);
        }
    }
}

#[inline(always)]
fn show<T: Number>(
    parts: Parts,
    places: &Words,
    firsts: &Words,
    here: &Mask,
    column: &mut Column<T>,
    value: impl Fn(u32) -> T,
) {
    for at in parts.all() {
        let (places, firsts, here, mut part) = (places.0[at], firsts.0[at], here.0[at], column.0[at]);
        for lane in 0..PART {
            let value = value(firsts[lane].wrapping_add(places[lane]));
            part[lane] = part[lane].or_new(here[lane], value);
        }
        column.0[at] = part;
    }
}

/// Entries of a table, by index; 0 for what is outside.
#[inline(always)]
pub(super) fn entries<T: Number>(
    parts: Parts,
    table: &[i64],
    i: impl Of<T, i32>,
    columns: &mut [Column<T>],
    d: usize,
) {
    for at in parts.all() {
        let (places, mut part) = (i(columns, at), columns[d].0[at]);
        for lane in 0..PART {
            let place = places[lane].cast_unsigned() as usize;
            part[lane] = T::of(if place < table.len() { table[place] } else { 0 });
        }
        columns[d].0[at] = part;
    }
}

/// One of a few numbers, by index; 0 for what is outside.
#[inline(always)]
pub(super) fn few<T: Number>(
    parts: Parts,
    values: &[i64],
    i: impl Of<T, i16>,
    columns: &mut [Column<T>],
    d: usize,
) {
    for at in parts.all() {
        let (places, mut part) = (i(columns, at), [T::of(0); PART]);
        for (number, value) in (0_i16..).zip(values) {
            let value = T::of(*value);
            for lane in 0..PART {
                part[lane] = part[lane].or_new(-i16::from(places[lane] == number), value);
            }
        }
        columns[d].0[at] = part;
    }
}

/// The sum of some fields of packed numbers, each times a number.
#[inline(always)]
pub(super) fn packed<T: Number>(parts: Parts, a: &Column<i64>, fields: &[Packed], d: &mut Column<T>) {
    for at in parts.all() {
        let (part, mut sum, mut out) = (a.0[at], [0_i64; PART], d.0[at]);
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
        d.0[at] = out;
    }
}

#[inline(always)]
fn unpacked(number: i64, shift: u32, most: i64) -> i64 {
    (number.cast_unsigned() >> shift).cast_signed() & most
}
