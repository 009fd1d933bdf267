//! The ranges of calculated numbers, by which columns get their widths.

use crate::op::Bin;

/// The least and the greatest number.
pub(super) type Range = (i64, i64);

pub(super) const ALL: Range = (i64::MIN, i64::MAX);

pub(super) fn joined(a: Range, b: Range) -> Range {
    (a.0.min(b.0), a.1.max(b.1))
}

fn of(numbers: impl Iterator<Item = i128>) -> Range {
    let (low, high) = numbers.fold((i128::MAX, i128::MIN), |(low, high), n| (low.min(n), high.max(n)));
    match (i64::try_from(low), i64::try_from(high)) {
        (Ok(low), Ok(high)) => (low, high),
        // It may wrap.
        _ => ALL,
    }
}

/// The greatest number of as many bits.
pub(super) fn filled(number: i64) -> i64 {
    if number <= 0 { 0 } else { i64::MAX >> (number.leading_zeros() - 1) }
}

/// The range of an operation.
pub(super) fn range(bin: Bin, a: Range, b: Range) -> Range {
    let corners = |f: fn(i128, i128) -> i128| {
        let pairs = [(a.0, b.0), (a.0, b.1), (a.1, b.0), (a.1, b.1)];
        of(pairs.into_iter().map(move |(a, b)| f(a.into(), b.into())))
    };
    let most = a.0.saturating_abs().max(a.1.saturating_abs());
    match bin {
        Bin::Add => corners(|a, b| a + b),
        Bin::Sub => corners(|a, b| a - b),
        Bin::Mul => corners(|a, b| a * b),
        Bin::Div => (if a.0 >= 0 && b.0 >= 0 { 0 } else { most.saturating_neg() }, most),
        Bin::Rem => {
            let other = b.0.saturating_abs().max(b.1.saturating_abs());
            let high = most.min(other);
            (if a.0 >= 0 { 0 } else { -high }, high)
        }
        Bin::Min => (a.0.min(b.0), a.1.min(b.1)),
        Bin::Max => (a.0.max(b.0), a.1.max(b.1)),
        Bin::Eq | Bin::Ne | Bin::Lt | Bin::Le => (0, 1),
        Bin::And if a.0 >= 0 && b.0 >= 0 => (0, a.1.min(b.1)),
        Bin::And if a.0 >= 0 => (0, a.1),
        Bin::And if b.0 >= 0 => (0, b.1),
        Bin::Or if a.0 >= 0 && b.0 >= 0 => (0, filled(a.1.max(b.1))),
        Bin::Shl if a.0 >= 0 && (0..62).contains(&b.1) && b.0 >= 0 => {
            of([0, i128::from(a.1) << b.1].into_iter())
        }
        Bin::Shr if b.0 >= 0 && b.1 < 64 => {
            let by = |number: i64, least: i64, most: i64| number >> if number < 0 { least } else { most };
            (by(a.0, b.0, b.1), by(a.1, b.1, b.0))
        }
        Bin::And | Bin::Or | Bin::Shl | Bin::Shr => ALL,
    }
}
