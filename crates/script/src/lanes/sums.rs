//! Sums of fields: what only adds up fields of one column, or makes their sum narrower, is a sum of fields itself.

use rustc_hash::FxHashMap;

use super::instr::{CALCULATED, Instr, Packed, Ref};
use crate::op::Bin;

/// Instructions with the sums of fields that only one other reads in that one.
pub(super) fn with_sums(mut instrs: Vec<Instr>) -> Vec<Instr> {
    let mut reads: FxHashMap<Ref, usize> = FxHashMap::default();
    for instr in &mut instrs {
        instr.each(&mut |column, is_set| *reads.entry(*column).or_default() += usize::from(!is_set));
    }
    // Where a sum is made, of which column, as long as that has not changed.
    let mut sums: FxHashMap<Ref, (usize, Ref)> = FxHashMap::default();
    let mut left: Vec<Option<Instr>> = Vec::with_capacity(instrs.len());
    for mut instr in instrs {
        let sum_of = |column: &Ref| {
            let (at, of) = sums.get(column).filter(|_| reads[column] == 1)?;
            match &left[*at] {
                Some(Instr::Fields(_, _, fields)) => Some((*at, *of, fields.as_ref())),
                _ => None,
            }
        };
        let joined = match &instr {
            Instr::Bin(Bin::Add, d, a, b) => match (sum_of(a), sum_of(b)) {
                (Some((at, of, one)), Some((other, same, more))) if of == same => {
                    let fields: Box<[Packed]> = one.iter().chain(more).copied().collect();
                    Some((Instr::Fields(*d, of, fields), [Some(at), Some(other)]))
                }
                _ => None,
            },
            Instr::Convert(d, a) => {
                sum_of(a).map(|(at, of, fields)| (Instr::Fields(*d, of, fields.into()), [Some(at), None]))
            }
            _ => None,
        };
        if let Some((sum, made)) = joined {
            made.into_iter().flatten().for_each(|at| left[at] = None);
            instr = sum;
        }
        instr.each(&mut |column, is_set| {
            if is_set {
                sums.retain(|made, (_, of)| made != column && of != column);
            }
        });
        if let Instr::Fields(d, of, _) = &instr
            && d.at >= CALCULATED
        {
            sums.insert(*d, (left.len(), *of));
        }
        left.push(Some(instr));
    }
    left.into_iter().flatten().collect()
}
