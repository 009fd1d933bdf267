//! What nothing reads is left out.

use super::Lowering;
use crate::ir::{Ir, step_back};
use crate::set::Set;
use rustc_hash::FxHashMap;

impl Lowering<'_> {
    /// Leaves out what nothing reads. Returns what is live at the start of every block.
    pub(super) fn leave_out(&mut self) -> FxHashMap<usize, Set> {
        let mut live: FxHashMap<usize, Set> = self.blocks.iter().map(|(at, _)| (*at, self.none())).collect();
        self.drop_gives();
        loop {
            let mut is_done = true;
            let mut next: Option<usize> = None;
            for number in (0..self.blocks.len()).rev() {
                let first = self.blocks[number].0;
                let mut set = self.live_out(number, next, &live);
                for ir in self.blocks[number].1.iter().rev() {
                    step_back(ir, &mut set, &live);
                }
                if live[&first] != set {
                    live.insert(first, set);
                    is_done = false;
                }
                next = Some(first);
            }
            if is_done {
                break;
            }
        }
        let mut next: Option<usize> = None;
        for number in (0..self.blocks.len()).rev() {
            let mut set = self.live_out(number, next, &live);
            next = Some(self.blocks[number].0);
            let mut kept = Vec::new();
            for ir in std::mem::take(&mut self.blocks[number].1).into_iter().rev() {
                if ir.writes().is_some_and(|d| !set.has(d)) {
                    continue;
                }
                step_back(&ir, &mut set, &live);
                kept.push(ir);
            }
            kept.reverse();
            self.blocks[number].1 = kept;
        }
        live
    }

    /// What is handed over at a stop is an operand of the stop.
    fn drop_gives(&mut self) {
        for (_, block) in &mut self.blocks {
            if matches!(block.last(), Some(Ir::Stop(..))) {
                block.retain(|ir| !matches!(ir, Ir::Give(..)));
            }
        }
    }

    /// What is read after a block.
    fn live_out(&self, number: usize, next: Option<usize>, live: &FxHashMap<usize, Set>) -> Set {
        let falls = self.blocks[number].1.last().is_none_or(|last| !last.leaves());
        match next.filter(|_| falls) {
            Some(next) => live[&next].clone(),
            None => self.none(),
        }
    }
}
