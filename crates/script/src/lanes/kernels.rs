//! The loop that carries an instruction out: found once for each, so that a calculation costs one call.

use stopwise_engine::lanes::simd::Vector16;

use super::instr::{Instr, Order, Packed, Width};
use super::loops::{
    Held, add, add_number, compared, counted, entries, few, one, packed, pick, put, put_at, put_numbers,
    put_two, select, three, two,
};
use super::run::{Kernel, Run};
use crate::layout::BagOp;
use crate::op::Bin;

/// A kernel for instructions with these operands: a loop.
macro_rules! kernel {
    ($operands:pat => $run:ident, $parts:ident, $loop:expr) => {
        |$run, instr, many| {
            let $operands = instr else { return many };
            $run.loops.run(|$parts| $loop);
            many
        }
    };
}

macro_rules! of_two {
    ($f:expr) => {
        kernel!(Instr::Bin(_, d, a, b) => run, parts, two(run, parts, [*d, *a, *b], $f))
    };
}

macro_rules! of_three {
    (|$a:ident, $b:ident, $c:ident| $f:expr) => {
        kernel!(Instr::Three(_, _, d, of) => run, parts, three(run, parts, *d, *of, |$a: T, $b: T, $c: T| $f))
    };
}

macro_rules! put_two {
    ($f:expr) => {
        kernel!(Instr::PutBin(_, d, a, b) => run, parts, put_two(run, parts, [*d, *a, *b], $f))
    };
}

macro_rules! compare_and {
    ($compares:expr, $with:expr) => {
        kernel!(Instr::CompareAnd(order, _, d, [a, b, truth]) => run, parts,
            compared::<S, T>(run, parts, *d, ([Ok(*a), Ok(*b)], *truth), ($compares, $with), is_plain(*order)))
    };
}

macro_rules! compare_k_and {
    ($compares:expr, $with:expr) => {
        kernel!(Instr::CompareKAnd(order, _, d, [a, truth], k) => run, parts, {
            let operands = [Ok(*a), Err(T::of(*k))];
            compared::<S, T>(run, parts, *d, (operands, *truth), ($compares, $with), is_plain(*order))
        })
    };
}

macro_rules! of_one {
    (|$a:ident, $k:ident| $f:expr) => {
        kernel!(Instr::BinK(_, d, a, k) => run, parts, {
            let $k = T::of(*k);
            one(run, parts, [*d, *a], |$a: T| $f)
        })
    };
}

macro_rules! by_bits {
    (|$a:ident, $by:ident| $f:expr) => {
        kernel!(Instr::BinK(_, d, a, k) => run, parts, {
            let $by = u32::try_from(*k & 63).unwrap_or(0);
            one(run, parts, [*d, *a], |$a: T| $f)
        })
    };
}

macro_rules! compare {
    (|$a:ident, $b:ident| $f:expr) => {
        kernel!(Instr::Compare(_, d, a, b) => run, parts,
            two(run, parts, [*d, *a, *b], |$a: T, $b: T| u8::from($f)))
    };
}

macro_rules! compare_k {
    (|$a:ident, $k:ident| $f:expr) => {
        kernel!(Instr::CompareK(_, d, a, k) => run, parts, {
            let $k = T::of(*k);
            one(run, parts, [*d, *a], |$a: T| u8::from($f))
        })
    };
}

impl<S: Vector16> Run<'_, S> {
    /// The kernel for instructions like this; nothing for what is more than a calculation.
    pub(super) fn kernel_of(instr: &Instr) -> Option<Kernel<S>> {
        let width = match instr {
            Instr::Compare(_, _, a, _)
            | Instr::CompareK(_, _, a, _)
            | Instr::Convert(_, a)
            | Instr::CompareAnd(_, _, _, [a, ..])
            | Instr::CompareKAnd(_, _, _, [a, _], _)
            | Instr::PutAt(_, _, a) => a.width,
            Instr::PutKs(of) => of[0].0.width,
            Instr::Bag(BagOp::Minus, ..) => {
                return Some(kernel!(Instr::Bag(_, layout, d, a, b) => run, parts, {
                    let layout = &run.program.layouts[usize::from(*layout)];
                    two(run, parts, [*d, *a, *b], |a: i64, b: i64| layout.minus(a, b))
                }));
            }
            Instr::Bag(..) => {
                return Some(|run, instr, many| {
                    run.bags(instr);
                    many
                });
            }
            Instr::Copy(d, _)
            | Instr::Bin(_, d, ..)
            | Instr::BinK(_, d, ..)
            | Instr::From(d, ..)
            | Instr::Select(d, ..)
            | Instr::Table(d, ..)
            | Instr::Listed(d, ..)
            | Instr::Few(d, ..)
            | Instr::Fields(d, ..)
            | Instr::Counts(d, ..)
            | Instr::Pick(d, ..)
            | Instr::Three(_, _, d, _)
            | Instr::PutBin(_, d, ..)
            | Instr::Put(d, _)
            | Instr::Add(d, _)
            | Instr::AddK(d, _) => d.width,
            _ => return None,
        };
        Some(match width {
            Width::Byte => of_width::<S, u8>(instr),
            Width::Short => of_width::<S, i16>(instr),
            Width::Middle => of_width::<S, i32>(instr),
            Width::Long => of_width::<S, i64>(instr),
        })
    }
}

fn of_width<S: Vector16, T: Held>(instr: &Instr) -> Kernel<S> {
    match instr {
        Instr::Bin(bin, ..) => match bin {
            Bin::Add => of_two!(T::add),
            Bin::Sub => of_two!(T::sub),
            Bin::Mul => of_two!(T::mul),
            Bin::Min => of_two!(T::min),
            Bin::Max => of_two!(T::max),
            Bin::And => of_two!(T::and),
            Bin::Or => of_two!(T::or),
            Bin::Shl => of_two!(T::shl_by),
            Bin::Shr => of_two!(T::shr_by),
            Bin::Div => of_two!(T::div),
            _ => of_two!(|a: T, b: T| a.sub(a.div(b).mul(b))),
        },
        Instr::BinK(bin, ..) => match bin {
            Bin::Add => of_one!(|a, k| a.add(k)),
            Bin::Sub => of_one!(|a, k| a.sub(k)),
            Bin::Mul => of_one!(|a, k| a.mul(k)),
            Bin::Min => of_one!(|a, k| a.min(k)),
            Bin::Max => of_one!(|a, k| a.max(k)),
            Bin::And => of_one!(|a, k| a.and(k)),
            Bin::Or => of_one!(|a, k| a.or(k)),
            Bin::Shl => by_bits!(|a, by| a.shl(by)),
            _ => by_bits!(|a, by| a.shr(by)),
        },
        Instr::Three(one, other, ..) => match (one, other) {
            (Bin::And, Bin::And) => of_three!(|a, b, c| a.and(b).and(c)),
            (Bin::And, _) => of_three!(|a, b, c| a.and(b).or(c)),
            (Bin::Or, Bin::And) => of_three!(|a, b, c| a.or(b).and(c)),
            (Bin::Or, _) => of_three!(|a, b, c| a.or(b).or(c)),
            (_, Bin::Add) => of_three!(|a, b, c| a.add(b).add(c)),
            (_, Bin::Min) => of_three!(|a, b, c| a.add(b).min(c)),
            _ => of_three!(|a, b, c| a.add(b).max(c)),
        },
        Instr::PutBin(bin, ..) => match bin {
            Bin::Add => put_two!(T::add),
            Bin::Sub => put_two!(T::sub),
            Bin::Min => put_two!(T::min),
            Bin::Max => put_two!(T::max),
            Bin::And => put_two!(T::and),
            _ => put_two!(T::or),
        },
        Instr::CompareAnd(order, bin, ..) => match (order, bin) {
            (Order::Equal | Order::Unequal, Bin::And) => compare_and!(|a, b| a == b, |a, b| a & b),
            (Order::Equal | Order::Unequal, _) => compare_and!(|a, b| a == b, |a, b| a | b),
            (Order::Less | Order::AtLeast, Bin::And) => compare_and!(|a, b| a < b, |a, b| a & b),
            (Order::Less | Order::AtLeast, _) => compare_and!(|a, b| a < b, |a, b| a | b),
            (_, Bin::And) => compare_and!(|a, b| a <= b, |a, b| a & b),
            _ => compare_and!(|a, b| a <= b, |a, b| a | b),
        },
        Instr::CompareKAnd(order, bin, ..) => match (order, bin) {
            (Order::Equal | Order::Unequal, Bin::And) => compare_k_and!(|a, b| a == b, |a, b| a & b),
            (Order::Equal | Order::Unequal, _) => compare_k_and!(|a, b| a == b, |a, b| a | b),
            (Order::Less | Order::AtLeast, Bin::And) => compare_k_and!(|a, b| a < b, |a, b| a & b),
            (Order::Less | Order::AtLeast, _) => compare_k_and!(|a, b| a < b, |a, b| a | b),
            (_, Bin::And) => compare_k_and!(|a, b| a <= b, |a, b| a & b),
            _ => compare_k_and!(|a, b| a <= b, |a, b| a | b),
        },
        Instr::From(..) => kernel!(Instr::From(d, k, a) => run, parts, {
            let k = T::of(*k);
            one(run, parts, [*d, *a], |a: T| k.sub(a))
        }),
        Instr::Compare(order, ..) => match order {
            Order::Equal => compare!(|a, b| a == b),
            Order::Unequal => compare!(|a, b| a != b),
            Order::Less => compare!(|a, b| a < b),
            Order::AtMost => compare!(|a, b| a <= b),
            Order::More => compare!(|a, b| a > b),
            Order::AtLeast => compare!(|a, b| a >= b),
        },
        Instr::CompareK(order, ..) => match order {
            Order::Equal => compare_k!(|a, k| a == k),
            Order::Unequal => compare_k!(|a, k| a != k),
            Order::Less => compare_k!(|a, k| a < k),
            Order::AtMost => compare_k!(|a, k| a <= k),
            Order::More => compare_k!(|a, k| a > k),
            Order::AtLeast => compare_k!(|a, k| a >= k),
        },
        Instr::Convert(d, _) => match d.width {
            Width::Byte => convert::<S, T, u8>(),
            Width::Short => convert::<S, T, i16>(),
            Width::Middle => convert::<S, T, i32>(),
            Width::Long => convert::<S, T, i64>(),
        },
        Instr::Copy(..) => kernel!(Instr::Copy(d, a) => run, parts, one(run, parts, [*d, *a], |a: T| a)),
        Instr::Select(..) => kernel!(Instr::Select(d, truth, a, b) => run, parts,
            select::<S, T>(run, parts, *truth, [*d, *a, *b])),
        Instr::Table(..) => kernel!(Instr::Table(d, table, i) => run, parts, {
            let table = &run.program.tables[usize::from(*table)];
            entries::<S, T>(run, parts, table, [*d, *i])
        }),
        Instr::Listed(..) => kernel!(Instr::Listed(d, list, i) => run, parts,
            entries::<S, T>(run, parts, &run.built.lists[*list].numbers, [*d, *i])),
        Instr::Few(..) => {
            kernel!(Instr::Few(d, values, i) => run, parts, few::<S, T>(run, parts, values, [*d, *i]))
        }
        Instr::Fields(_, a, fields) => match a.width {
            Width::Byte => of_fields::<S, T, u8>(fields),
            Width::Short => of_fields::<S, T, i16>(fields),
            Width::Middle => of_fields::<S, T, i32>(fields),
            Width::Long => of_fields::<S, T, i64>(fields),
        },
        Instr::Counts(..) => kernel!(Instr::Counts(d, a, planes) => run, parts,
            counted::<S, T>(run, parts, planes, [*d, *a])),
        Instr::Pick(..) => |run, instr, many| {
            let Instr::Pick(d, row, i) = instr else { return many };
            if run.is_shorter_by_game(many, row, *d) {
                run.one_of(row, *i, *d, false);
            } else {
                run.loops.run(|parts| pick::<S, T>(run, parts, row, [*d, *i]));
            }
            many
        },
        Instr::PutAt(..) => |run, instr, many| {
            let Instr::PutAt(row, i, a) = instr else { return many };
            if run.is_shorter_by_game(many, row, *a) {
                run.one_of(row, *i, *a, true);
            } else {
                run.loops.run(|parts| put_at::<S, T>(run, parts, row, [*i, *a]));
            }
            many
        },
        Instr::Put(..) => kernel!(Instr::Put(d, a) => run, parts, put::<S, T>(run, parts, [*d, *a])),
        Instr::Add(..) => kernel!(Instr::Add(d, a) => run, parts, add::<S, T>(run, parts, [*d, *a])),
        Instr::AddK(..) => kernel!(Instr::AddK(d, k) => run, parts, add_number(run, parts, *d, T::of(*k))),
        _ => kernel!(Instr::PutKs(of) => run, parts, put_numbers::<S, T>(run, parts, of)),
    }
}

fn convert<S: Vector16, T: Held, U: Held>() -> Kernel<S> {
    kernel!(Instr::Convert(d, a) => run, parts, one(run, parts, [*d, *a], |a: T| U::of(a.wide())))
}

fn of_fields<S: Vector16, T: Held, A: Held>(fields: &[Packed]) -> Kernel<S> {
    match fields {
        [Packed { times: 1, .. }] => kernel!(Instr::Fields(d, a, fields) => run, parts, {
            let Packed { shift, most, .. } = fields[0];
            let most = A::of(most);
            one(run, parts, [*d, *a], |a: A| T::of(a.shr(shift).and(most).wide()))
        }),
        _ => kernel!(Instr::Fields(d, a, fields) => run, parts, {
            packed::<S, T, A>(run, parts, fields, [*d, *a])
        }),
    }
}

/// Whether a comparison is done as it is said, and not as its opposite.
fn is_plain(order: Order) -> bool {
    matches!(order, Order::Equal | Order::Less | Order::AtMost)
}
