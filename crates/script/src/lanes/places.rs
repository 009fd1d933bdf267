//! Columns for what is calculated in a block: one is free again after its last use.

use std::collections::HashMap;

use super::instr::{CALCULATED, Instr, Ref};

/// The instructions without those whose results nothing reads, with columns from the first free ones on.
pub(super) fn placed(instrs: Vec<Instr>, free: [u32; 3]) -> Vec<Instr> {
    let mut instrs = needed(instrs);
    let mut last: HashMap<Ref, usize> = HashMap::new();
    for (at, instr) in instrs.iter_mut().enumerate() {
        instr.each(&mut |column, _| {
            last.insert(*column, at);
        });
    }
    let mut next = free;
    let mut unused: [Vec<u32>; 3] = Default::default();
    let mut homes: HashMap<Ref, Ref> = HashMap::new();
    for (at, instr) in instrs.iter_mut().enumerate() {
        let mut ended = Vec::new();
        instr.each(&mut |column, _| {
            if column.at < CALCULATED {
                return;
            }
            let width = column.width as usize;
            let home = *homes.entry(*column).or_insert_with(|| {
                let at = unused[width].pop().unwrap_or_else(|| {
                    next[width] += 1;
                    next[width] - 1
                });
                Ref { at, ..*column }
            });
            if last[column] == at && !ended.contains(&home) {
                ended.push(home);
            }
            *column = home;
        });
        // What is set in this instruction is not in the place of what it reads: a column may be of many parts.
        ended.into_iter().for_each(|home| unused[home.width as usize].push(home.at));
    }
    instrs
}

fn needed(mut instrs: Vec<Instr>) -> Vec<Instr> {
    let mut read: HashMap<Ref, ()> = HashMap::new();
    let mut kept = Vec::new();
    while let Some(mut instr) = instrs.pop() {
        let mut is_needed = !instr.is_pure();
        instr.each(&mut |column, is_set| is_needed |= is_set && read.contains_key(column));
        if is_needed {
            instr.each(&mut |column, is_set| {
                if !is_set {
                    read.insert(*column, ());
                }
            });
            kept.push(instr);
        }
    }
    kept.reverse();
    kept
}
