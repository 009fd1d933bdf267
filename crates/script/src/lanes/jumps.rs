//! Jumps by comparisons: those that only a jump reads are a part of it, and a variable that grows slowly is not looked at
//! before it can have come to its limit.

use rustc_hash::FxHashMap;

use super::instr::{Block, CALCULATED, Growth, Instr, Order, Ref};
use crate::state::Place;

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

/// A test with which a loop begins and that leads out of it is done before the jump back, too: games that are through leave
/// at once instead of in the next pass.
pub(super) fn with_tests_before_loops(blocks: &mut [Block]) {
    for number in 0..blocks.len() {
        let leaves = |instr: &Instr| matches!(instr, Instr::Jump(_) | Instr::Return);
        let instrs = &blocks[number].instrs;
        let Some(end) = instrs.iter().position(leaves) else { continue };
        let Instr::Jump(to) = instrs[end] else { continue };
        let first = blocks[to].instrs.first();
        let Some(test @ (Instr::JumpIf(_, _, out) | Instr::JumpBy(_, _, _, out))) = first else { continue };
        if to <= number && *out > number {
            let test = test.clone();
            blocks[number].instrs.insert(end, test);
        }
    }
}

/// Jumps at a number that a variable comes near after many passes, such as the most turns, become [`Instr::JumpFar`]. Returns
/// how many they are. Each block is carried out at most once in a pass but for those of the calculation at the end.
pub(super) fn with_far_jumps(blocks: &mut [Block], measure: usize, cells: &[(Place, Ref)]) -> usize {
    let mut jumps = 0;
    for number in 0..measure.min(blocks.len()) {
        for at in 0..blocks[number].instrs.len() {
            let Instr::JumpBy(order @ (Order::AtLeast | Order::More), column, limit, to) =
                blocks[number].instrs[at]
            else {
                continue;
            };
            let limit = limit.saturating_add((order == Order::More).into());
            let Some((place, _)) = cells.iter().find(|(_, own)| *own == column) else { continue };
            let Some((by, from)) = growth(blocks, measure, column, place.low.into()) else { continue };
            if limit.saturating_sub(from) / by > MANY_PASSES {
                blocks[number].instrs[at] =
                    Instr::JumpFar(column, limit, to, Growth { by, from, jump: jumps });
                jumps += 1;
            }
        }
    }
    jumps
}

/// By how much a column that begins with a number grows in a pass at most, and from which number at most, if it is only added to
/// and set to numbers that are known.
fn growth(blocks: &mut [Block], measure: usize, column: Ref, begins: i64) -> Option<(i64, i64)> {
    let (mut growth, mut from) = (0_i64, begins);
    for (number, block) in blocks.iter_mut().enumerate() {
        for instr in &mut block.instrs {
            let mut is_set = false;
            instr.each(&mut |own, sets| is_set |= sets && *own == column);
            match instr {
                _ if !is_set => {}
                Instr::PutKs(of) => {
                    let own = of.iter().filter(|(own, _)| *own == column);
                    from = own.fold(from, |from, (_, number)| from.max(*number));
                }
                Instr::AddK(_, by @ 0..) if number < measure => growth = growth.saturating_add(*by),
                _ => return None,
            }
        }
    }
    (growth > 0).then_some((growth, from))
}

/// A limit that is reached sooner is always looked at.
const MANY_PASSES: i64 = 64;
