//! Two instructions in one: a calculation that only the next one reads is a part of it, and what a variable is set to is
//! calculated into its column. Each instruction less is a call less, and a column that is not written and read again.

use rustc_hash::FxHashMap;

use super::instr::{CALCULATED, CONSTANT, Instr, Ref};
use crate::op::Bin;

/// Instructions, two in one where they are a pair.
pub(super) fn fused(mut instrs: Vec<Instr>) -> Vec<Instr> {
    let mut reads: FxHashMap<Ref, usize> = FxHashMap::default();
    for instr in &mut instrs {
        instr.each(&mut |column, is_set| *reads.entry(*column).or_default() += usize::from(!is_set));
    }
    // Where a column is calculated that nothing has read yet, as long as what it is made of has not changed.
    let mut made: FxHashMap<Ref, usize> = FxHashMap::default();
    let mut left: Vec<Option<Instr>> = Vec::with_capacity(instrs.len());
    for at in 0..instrs.len() {
        let (before, after) = instrs.split_at_mut(at + 1);
        let mut instr = before[at].clone();
        let of = |column: &Ref| Some((made.get(column).copied()?, left[*made.get(column)?].as_ref()?));
        let alone = |column: &Ref| of(column).filter(|_| reads[column] == 1);
        let pair = match &instr {
            Instr::Bin(bin, d, a, b) => {
                let with = |(a, b): (&Ref, &Ref)| {
                    let (at, first) = alone(a)?;
                    Some((at, with_first(first, *bin, *d, *b)?))
                };
                [(a, b), (b, a)].into_iter().filter(|(a, b)| a != b).find_map(with)
            }
            Instr::Put(d, a) => of(a).and_then(|(at, first)| match first {
                Instr::Bin(bin, _, b, c)
                    if d != b && d != c && is_set_to(*bin) && takes_the_place(after, *d, *a) =>
                {
                    Some((at, Instr::PutBin(*bin, *d, *b, *c)))
                }
                _ => None,
            }),
            _ => None,
        };
        if let Some((at, pair)) = pair {
            left[at] = None;
            if let (Instr::Put(d, a), Instr::PutBin(..)) = (&instr, &pair) {
                for later in after {
                    later.each(&mut |column, _| *column = if column == a { *d } else { *column });
                }
            }
            instr = pair;
        }
        // An event that follows a roll does not depend on what is rolled.
        if let (Instr::Event(event, seat, column), [.., Some(tick), Some(Instr::Roll(..))]) =
            (&instr, &mut left[..])
            && let Instr::Tick(to) = *tick
        {
            *tick = Instr::TickEvent(to, *event, *seat, *column);
            continue;
        }
        let mut place = left.len();
        if let (Some(Some(Instr::PutKs(before))), Instr::PutK(d, k)) = (left.last_mut(), &instr)
            && before[0].0.width == d.width
        {
            before.push((*d, *k));
            place -= 1;
        } else if let Instr::PutK(d, k) = instr {
            left.push(Some(Instr::PutKs(vec![(d, k)])));
        } else {
            left.push(Some(instr.clone()));
        }
        instr.each(&mut |column, is_set| {
            if !is_set {
                made.remove(column);
            }
        });
        instr.each(&mut |column, is_set| {
            if is_set {
                made.remove(column);
                made.retain(|_, at| !left[*at].as_mut().is_some_and(|instr| is_read(instr, *column)));
            }
        });
        if let Instr::Roll(..) | Instr::Ask(_) | Instr::Asked | Instr::Repeat(_) = instr {
            // These set columns that they do not name.
            made.clear();
        }
        if let Instr::Bin(_, d, ..) | Instr::Compare(_, d, ..) | Instr::CompareK(_, d, ..) = &instr
            && (CALCULATED..CONSTANT).contains(&d.at)
        {
            made.insert(*d, place);
        }
    }
    left.into_iter().flatten().collect()
}

/// An operation on what an instruction calculates and another column, if there is one instruction for both.
fn with_first(first: &Instr, bin: Bin, d: Ref, with: Ref) -> Option<Instr> {
    match (first, bin) {
        (Instr::Compare(order, _, a, b), Bin::And | Bin::Or) => {
            Some(Instr::CompareAnd(*order, bin, d, [*a, *b, with]))
        }
        (Instr::CompareK(order, _, a, k), Bin::And | Bin::Or) => {
            Some(Instr::CompareKAnd(*order, bin, d, [*a, with], *k))
        }
        (Instr::Bin(one, _, a, b), _) if are_pair(*one, bin) && a.width == d.width => {
            Some(Instr::Three(*one, bin, d, [*a, *b, with]))
        }
        _ => None,
    }
}

/// Whether there is an instruction for two operations.
fn are_pair(one: Bin, other: Bin) -> bool {
    matches!(
        (one, other),
        (Bin::And | Bin::Or, Bin::And | Bin::Or) | (Bin::Add, Bin::Add | Bin::Min | Bin::Max)
    )
}

/// Whether there is an instruction that sets a variable to the result of an operation.
fn is_set_to(bin: Bin) -> bool {
    matches!(bin, Bin::Add | Bin::Sub | Bin::Min | Bin::Max | Bin::And | Bin::Or)
}

/// Whether in these instructions a column that has become another's number can be read in its place: it does not change before
/// the last of them that reads it.
fn takes_the_place(instrs: &mut [Instr], column: Ref, of: Ref) -> bool {
    let last = (0..instrs.len()).rev().find(|at| is_read(&mut instrs[*at], of));
    let mut is_changed = false;
    for instr in instrs.iter_mut().take(last.map_or(0, |last| last + 1)) {
        instr.each(&mut |own, is_set| is_changed |= is_set && *own == column);
    }
    !is_changed
}

fn is_read(instr: &mut Instr, column: Ref) -> bool {
    let mut is_read = false;
    instr.each(&mut |own, is_set| is_read |= !is_set && *own == column);
    is_read
}

#[cfg(test)]
mod tests {
    use super::super::instr::{Order, Width};
    use super::*;

    // Variables, and what is calculated.
    const A: Ref = column(0);
    const B: Ref = column(1);
    const D: Ref = column(2);
    const E: Ref = column(3);
    const S: Ref = column(CALCULATED);
    const T: Ref = column(CALCULATED + 1);
    const U: Ref = column(CALCULATED + 2);

    const fn column(at: u32) -> Ref {
        Ref { width: Width::Byte, at }
    }

    #[test]
    fn pairs_are_one_instruction() {
        let pairs = vec![
            Instr::Bin(Bin::Min, S, A, B),
            Instr::Put(D, S),
            Instr::CompareK(Order::AtLeast, T, S, 20),
            Instr::Bin(Bin::Or, U, E, T),
            Instr::JumpIf(U, true, 0),
        ];
        let expected = vec![
            Instr::PutBin(Bin::Min, D, A, B),
            Instr::CompareKAnd(Order::AtLeast, Bin::Or, U, [D, E], 20),
            Instr::JumpIf(U, true, 0),
        ];
        assert_eq!(fused(pairs), expected);
    }

    #[test]
    fn what_changes_in_between_keeps_them_apart() {
        let set = |d| Instr::PutKs(vec![(d, 1)]);
        let operand = [Instr::Bin(Bin::Add, S, A, B), set(A), Instr::Put(D, S)];
        assert_eq!(fused(operand.to_vec()), operand);
        let place = [Instr::Bin(Bin::Add, S, A, B), Instr::Put(D, S), set(D), Instr::Put(E, S)];
        assert_eq!(fused(place.to_vec()), place);
        let own = [Instr::Bin(Bin::Sub, S, B, A), Instr::Put(A, S)];
        assert_eq!(fused(own.to_vec()), own);
    }
}
