//! What nothing reads is left out: numbers that only a person or a report asks for, and what is calculated for them.

use rustc_hash::FxHashSet;

use super::instr::{CALCULATED, Instr, Ref};

/// Leaves out of all blocks what nothing reads. `read` are the columns that are read by something else than instructions;
/// returns all columns with places that are read.
pub(super) fn needed(blocks: &mut [&mut Vec<Instr>], mut read: FxHashSet<Ref>) -> FxHashSet<Ref> {
    loop {
        let before = read.len();
        for block in blocks.iter_mut().rev() {
            walk(block, &mut read, |_, _| {});
        }
        if read.len() == before {
            break;
        }
    }
    for block in blocks {
        let mut kept = vec![false; block.len()];
        walk(block, &mut read, |at, is_needed| kept[at] = is_needed);
        let mut kept = kept.into_iter();
        block.retain(|_| kept.next().unwrap_or(true));
    }
    read
}

/// Calls `visit` with every instruction of a block, from the last to the first, and whether it is needed. Adds the columns
/// with places that are read.
fn walk(instrs: &mut [Instr], read: &mut FxHashSet<Ref>, mut visit: impl FnMut(usize, bool)) {
    // Calculated columns are those of their block.
    let mut here: FxHashSet<Ref> = FxHashSet::default();
    for (at, instr) in instrs.iter_mut().enumerate().rev() {
        let mut is_needed = !instr.only_sets();
        instr.each(&mut |column, is_set| {
            is_needed |= is_set && (read.contains(column) || here.contains(column));
        });
        if is_needed {
            instr.each(&mut |column, is_set| {
                if !is_set {
                    if column.at < CALCULATED { &mut *read } else { &mut here }.insert(*column);
                }
            });
        }
        visit(at, is_needed);
    }
}
