//! The calculations of a block, each of which is done once.

use super::instr::{Instr, Order, Ref, Width};
use super::local::Value;
use crate::op::Bin;
use rustc_hash::FxHashMap;

/// A calculation of other values.
#[derive(Clone, Copy, Debug)]
pub(super) enum Meaning {
    Bin(Bin, Value, Value),
    Compare(Order, Value, Value),
}

impl Meaning {
    pub(super) fn operands(self) -> [Value; 2] {
        let (Self::Bin(_, a, b) | Self::Compare(_, a, b)) = self;
        [a, b]
    }
}

/// The columns of calculations.
#[derive(Default)]
pub(super) struct Once {
    columns: FxHashMap<Instr, Ref>,
    /// All of them, in order, and those that read a column, by their places.
    order: Vec<Instr>,
    readers: FxHashMap<Ref, Vec<usize>>,
    /// What calculated columns mean, and those whose meaning reads a column.
    meanings: FxHashMap<Ref, Meaning>,
    meant: FxHashMap<Ref, Vec<Ref>>,
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

    /// What the column of a calculation means.
    pub(super) fn mean(&mut self, column: Ref, meaning: Meaning) {
        for operand in meaning.operands() {
            if let Value::In(read, _) = operand {
                self.meant.entry(read).or_default().push(column);
            }
        }
        self.meanings.insert(column, meaning);
    }

    pub(super) fn meaning(&self, column: Ref) -> Option<Meaning> {
        self.meanings.get(&column).copied()
    }

    pub(super) fn len(&self) -> usize {
        self.order.len()
    }

    /// Forgets those after the first so many.
    pub(super) fn truncate(&mut self, len: usize) {
        for instr in self.order.drain(len..) {
            if let Some(column) = self.columns.remove(&instr) {
                self.meanings.remove(&column);
            }
        }
        for readers in self.readers.values_mut() {
            readers.retain(|reader| *reader < len);
        }
    }

    /// Forgets those that read a column.
    pub(super) fn forget(&mut self, column: Ref) {
        for at in self.readers.remove(&column).unwrap_or_default() {
            if let Some(own) = self.columns.remove(&self.order[at]) {
                self.meanings.remove(&own);
            }
        }
        for own in self.meant.remove(&column).unwrap_or_default() {
            self.meanings.remove(&own);
        }
    }

    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }
}
