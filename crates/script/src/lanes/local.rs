//! What registers hold within a block, and which of them hold a column: writing into a column asks for its readers.

use std::collections::BTreeSet;

use super::instr::{Ref, Width};
use super::range::Range;
use crate::op::Reg;
use rustc_hash::FxHashMap;

/// A number while instructions are made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Value {
    Known(i64),
    In(Ref, Range),
}

impl Value {
    pub(super) fn range(self) -> Range {
        match self {
            Self::Known(number) => (number, number),
            Self::In(_, range) => range,
        }
    }

    /// Whether it is in a column that is wider.
    pub(super) fn is_wider(self, width: Width) -> bool {
        matches!(self, Self::In(column, _) if column.width > width)
    }

    pub(super) fn width(self) -> Width {
        match self {
            Self::Known(number) => Width::of((number, number)),
            Self::In(column, range) if Width::of(range) == Width::Long => column.width,
            Self::In(_, range) => Width::of(range),
        }
    }
}

/// The values of registers.
#[derive(Clone, Default)]
pub(super) struct Local {
    values: FxHashMap<Reg, Value>,
    /// Registers that hold a column, or held it.
    readers: FxHashMap<Ref, BTreeSet<Reg>>,
}

impl Local {
    pub(super) fn get(&self, register: Reg) -> Option<Value> {
        self.values.get(&register).copied()
    }

    pub(super) fn insert(&mut self, register: Reg, value: Value) {
        if let Value::In(column, _) = value {
            self.readers.entry(column).or_default().insert(register);
        }
        self.values.insert(register, value);
    }

    /// The registers that hold this column, in order.
    pub(super) fn readers(&self, column: Ref) -> Vec<Reg> {
        let held =
            |register: &&Reg| matches!(self.values.get(register), Some(Value::In(own, _)) if *own == column);
        self.readers.get(&column).into_iter().flatten().filter(held).copied().collect()
    }

    /// The registers that have a value, in order.
    pub(super) fn registers(&self) -> Vec<Reg> {
        let mut registers: Vec<Reg> = self.values.keys().copied().collect();
        registers.sort_unstable();
        registers
    }

    pub(super) fn clear(&mut self) {
        self.values.clear();
        self.readers.clear();
    }
}
