//! What a block leaves: variables and registers get their columns, and what has been read of them before keeps its number.

use super::build::Builder;
use super::instr::{Instr, Ref};
use super::left::Left;
use super::local::Value;
use super::once::Meaning;
use crate::op::{Bin, Reg};

impl Builder<'_> {
    /// What has been read of a column keeps its number when the column changes.
    pub(super) fn protect(&mut self, column: Ref) {
        self.known.forget(column);
        self.stored
            .retain(|own, value| *own != column && !matches!(value, Value::In(of, _) if *of == column));
        let readers = self.local.readers(column);
        if readers.is_empty() {
            return;
        }
        let d = self.fresh(column.width);
        self.emit(Instr::Copy(d, column));
        for register in readers {
            if let Some(Value::In(_, range)) = self.local.get(register) {
                self.local.insert(register, Value::In(d, range));
            }
        }
    }

    /// In the games of the block.
    pub(super) fn put(&mut self, column: Ref, value: Value) {
        let added = self.added(column, value);
        self.protect(column);
        if let Some(added) = added {
            return self.add(column, value, added);
        }
        match value {
            Value::Known(number) => self.emit(Instr::PutK(column, number)),
            value => {
                let a = self.at(value, column.width);
                if a != column {
                    self.emit(Instr::Put(column, a));
                }
            }
        }
    }

    /// A number of another column or a known one, if the value is that and a column of the same width.
    pub(super) fn added(&self, column: Ref, value: Value) -> Option<Value> {
        let (Value::In(sum, _), Some(Meaning::Bin(Bin::Add, Value::In(of, _), added))) =
            (value, self.meaning(value))
        else {
            return None;
        };
        let is_other = !matches!(added, Value::In(other, _) if other == column);
        (of == column && sum.width == column.width && is_other).then_some(added)
    }

    /// A column becomes a value, that and what is added, in the games of the block: whoever reads the value reads the column.
    fn add(&mut self, column: Ref, value: Value, added: Value) {
        match added {
            Value::Known(number) => self.emit(Instr::AddK(column, number)),
            added => {
                let added = self.at(added, column.width);
                self.emit(Instr::Add(column, added));
            }
        }
        if let Value::In(sum, range) = value {
            for register in self.local.readers(sum) {
                self.local.insert(register, Value::In(column, range));
            }
        }
    }

    pub(super) fn set(&mut self, register: Reg, value: Value) {
        self.local.insert(register, value);
        if self.left.contains_key(&Left::Register(register)) {
            self.unstored.insert(register);
        }
    }

    /// Registers that others read get their columns.
    fn store(&mut self, is_read: impl Fn(Reg) -> bool) {
        let read: Vec<Reg> = self.unstored.iter().copied().filter(|register| is_read(*register)).collect();
        for register in read {
            self.unstored.remove(&register);
            if let Some(value) = self.local.get(register) {
                self.leave(Left::Register(register), value);
            }
        }
    }

    pub(super) fn leave(&mut self, left: Left, value: Value) {
        if let Some(column) = self.gives(left, value.range()) {
            self.put(column, value);
        }
    }

    /// Before a jump to an address.
    pub(super) fn store_for(&mut self, at: usize) {
        let ir = self.ir;
        self.store(|register| ir.is_live(at, register));
    }
}
