//! Columns for what is calculated in a block: one is free again after its last use. Constants have their own, which no
//! instruction sets.

use super::instr::{CALCULATED, CONSTANT, Instr, Ref};
use rustc_hash::FxHashMap;

/// The constants of a game.
#[derive(Debug, Default)]
pub(super) struct Constants(Vec<(Ref, i64)>);

impl Constants {
    /// The instructions without those that set a constant, whose column is read instead.
    fn taken_from(&mut self, instrs: Vec<Instr>) -> Vec<Instr> {
        let mut columns: FxHashMap<Ref, Ref> = FxHashMap::default();
        let mut left = Vec::with_capacity(instrs.len());
        for mut instr in instrs {
            if let Instr::Set(column, number) = instr {
                columns.insert(column, self.column(column, number));
                continue;
            }
            instr.each(&mut |column, _| *column = columns.get(column).copied().unwrap_or(*column));
            left.push(instr);
        }
        left
    }

    fn column(&mut self, like: Ref, number: i64) -> Ref {
        let found = self.0.iter().find(|(column, own)| (column.width, *own) == (like.width, number));
        if let Some((column, _)) = found {
            return *column;
        }
        let at = CONSTANT + u32::try_from(self.0.len()).unwrap_or(0);
        self.0.push((Ref { at, ..like }, number));
        self.0[self.0.len() - 1].0
    }

    /// The constants in columns of their own, after those of each width; `columns` counts them too, and instructions read
    /// them there.
    pub(super) fn placed(
        self,
        columns: &mut [usize; 4],
        instrs: &mut dyn Iterator<Item = &mut Instr>,
    ) -> Vec<(Ref, i64)> {
        let place = |(column, number): (Ref, i64)| {
            let next = &mut columns[column.width as usize];
            *next += 1;
            (Ref { at: u32::try_from(*next - 1).unwrap_or(0), ..column }, number)
        };
        let placed: Vec<_> = self.0.into_iter().map(place).collect();
        for instr in instrs {
            instr.each(&mut |column, _| {
                if let Some(constant) = column.at.checked_sub(CONSTANT) {
                    *column = placed[constant as usize].0;
                }
            });
        }
        placed
    }
}

/// The instructions with columns from the first free ones on.
pub(super) fn placed(instrs: Vec<Instr>, free: [u32; 4], constants: &mut Constants) -> Vec<Instr> {
    let mut instrs = constants.taken_from(instrs);
    let mut last: FxHashMap<Ref, usize> = FxHashMap::default();
    for (at, instr) in instrs.iter_mut().enumerate() {
        instr.each(&mut |column, _| {
            last.insert(*column, at);
        });
    }
    let mut next = free;
    let mut unused: [Vec<u32>; 4] = Default::default();
    let mut homes: FxHashMap<Ref, Ref> = FxHashMap::default();
    for (at, instr) in instrs.iter_mut().enumerate() {
        let mut ended = Vec::new();
        instr.each(&mut |column, _| {
            if !(CALCULATED..CONSTANT).contains(&column.at) {
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
