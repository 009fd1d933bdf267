//! The calculations of a block, each of which is done once.

use super::instr::{Instr, Ref, Width};
use rustc_hash::FxHashMap;

/// The columns of calculations.
#[derive(Default)]
pub(super) struct Once {
    columns: FxHashMap<Instr, Ref>,
    /// All of them, in order, and those that read a column, by their places.
    order: Vec<Instr>,
    readers: FxHashMap<Ref, Vec<usize>>,
}

impl Once {
    /// A calculation in this form is the same wherever its result is.
    pub(super) fn nowhere(width: Width) -> Ref {
        Ref { width, at: u32::MAX }
    }

    pub(super) fn get(&self, instr: &Instr) -> Option<Ref> {
        self.columns.get(instr).copied()
    }

    pub(super) fn insert(&mut self, mut instr: Instr, column: Ref) {
        let at = self.order.len();
        instr.each(&mut |read, is_set| {
            if !is_set {
                self.readers.entry(*read).or_default().push(at);
            }
        });
        self.order.push(instr.clone());
        self.columns.insert(instr, column);
    }

    pub(super) fn len(&self) -> usize {
        self.order.len()
    }

    /// Forgets those after the first so many.
    pub(super) fn truncate(&mut self, len: usize) {
        for instr in self.order.drain(len..) {
            self.columns.remove(&instr);
        }
        for readers in self.readers.values_mut() {
            readers.retain(|reader| *reader < len);
        }
    }

    /// Forgets those that read a column.
    pub(super) fn forget(&mut self, column: Ref) {
        for at in self.readers.remove(&column).unwrap_or_default() {
            self.columns.remove(&self.order[at]);
        }
    }

    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }
}
