//! Comparisons that only a jump reads are a part of it.

use rustc_hash::FxHashMap;

use super::instr::{CALCULATED, Instr, Ref};

/// Instructions with the comparisons in the jumps that follow them.
pub(super) fn with_comparisons(instrs: Vec<Instr>) -> Vec<Instr> {
    let mut reads: FxHashMap<Ref, usize> = FxHashMap::default();
    let mut joined: Vec<Instr> = Vec::with_capacity(instrs.len());
    for mut instr in instrs.iter().cloned() {
        instr.each(&mut |column, is_set| *reads.entry(*column).or_default() += usize::from(!is_set));
    }
    for instr in instrs {
        let jump = match (joined.last(), &instr) {
            (Some(&Instr::CompareK(order, d, a, k)), &Instr::JumpIf(truth, wanted, to))
                if truth == d && d.at >= CALCULATED && reads[&d] == 1 =>
            {
                let order = if wanted { order } else { order.negated() };
                Some(Instr::JumpBy(order, a, k, to))
            }
            _ => None,
        };
        match jump {
            Some(jump) => {
                joined.pop();
                joined.push(jump);
            }
            None => joined.push(instr),
        }
    }
    joined
}
