//! Operations on numbers: what is known is calculated here, anything else by instructions over columns as wide as need be.

use super::build::Builder;
use super::instr::{Instr, Order, Packed, Ref, Width};
use super::local::Value;
use super::once::Meaning;
use super::range::{joined, range};
use crate::op::Bin;

impl Builder<'_> {
    /// A value as a column of a width.
    pub(super) fn at(&mut self, value: Value, width: Width) -> Ref {
        match value {
            Value::Known(number) => self.calculated(width, |d| Instr::Set(d, number)),
            Value::In(column, _) if column.width == width => column,
            value if value.is_wider(width) && self.is_narrower(value, width) => self.narrower(value, width),
            Value::In(column, _) => self.calculated(width, |d| Instr::Convert(d, column)),
        }
    }

    /// Whether a value comes of operations whose lower bits are those of the operands' lower bits, and all that they begin
    /// with is at most this wide.
    fn is_narrower(&self, value: Value, width: Width) -> bool {
        match (value, self.meaning(value)) {
            (value, _) if !value.is_wider(width) => true,
            (_, Some(Meaning::Bin(Bin::Add | Bin::Sub | Bin::And | Bin::Or, a, b))) => {
                self.is_narrower(a, width) && self.is_narrower(b, width)
            }
            _ => false,
        }
    }

    /// The lower bits of such a value.
    fn narrower(&mut self, value: Value, width: Width) -> Ref {
        match (value, self.meaning(value)) {
            (value, Some(Meaning::Bin(bin, a, b))) if value.is_wider(width) => match (a, b) {
                (Value::Known(k), b) => {
                    let b = self.narrower(b, width);
                    self.calculated(width, |d| Instr::From(d, k, b))
                }
                (a, Value::Known(k)) => {
                    let a = self.narrower(a, width);
                    self.calculated(width, |d| Instr::BinK(bin, d, a, k))
                }
                (a, b) => {
                    let (a, b) = (self.narrower(a, width), self.narrower(b, width));
                    self.calculated(width, |d| Instr::Bin(bin, d, a, b))
                }
            },
            (value, _) => self.at(value, width),
        }
    }

    /// A value as a truth that jumps and selections take: any number but 0.
    pub(super) fn truth(&mut self, value: Value) -> Ref {
        match value {
            Value::In(column, range) if column.width != Width::Byte && Width::of(range) != Width::Byte => {
                let truth = self.compare(Order::Unequal, value, Value::Known(0));
                self.at(truth, Width::Byte)
            }
            value => self.at(value, Width::Byte),
        }
    }

    pub(super) fn compare(&mut self, order: Order, a: Value, b: Value) -> Value {
        let (a, b, order) = match (a, b) {
            (Value::Known(a), Value::Known(b)) => return Value::Known(order.is_so(a, b).into()),
            (Value::Known(_), _) => (b, a, order.turned()),
            _ => (a, b, order),
        };
        // Of what is not less than 0, one question about 0 is enough.
        let (order, b) = match (order, b) {
            (Order::More, Value::Known(0)) | (Order::AtLeast, Value::Known(1)) if a.range().0 >= 0 => {
                (Order::Unequal, Value::Known(0))
            }
            (Order::AtMost, Value::Known(0)) | (Order::Less, Value::Known(1)) if a.range().0 >= 0 => {
                (Order::Equal, Value::Known(0))
            }
            other => other,
        };
        self.known_compare(order, a, b).unwrap_or_else(|| self.compared(order, a, b))
    }

    /// A comparison of a column.
    pub(super) fn compared(&mut self, order: Order, a: Value, b: Value) -> Value {
        let width = a.width().max(b.width());
        let left = self.at(a, width);
        let d = match b {
            Value::Known(k) => self.calculated(Width::Byte, |d| Instr::CompareK(order, d, left, k)),
            b => {
                let right = self.at(b, width);
                self.calculated(Width::Byte, |d| Instr::Compare(order, d, left, right))
            }
        };
        self.known.mean(d, Meaning::Compare(order, a, b));
        Value::In(d, (0, 1))
    }

    pub(super) fn bin(&mut self, bin: Bin, a: Value, b: Value) -> Value {
        let order = match bin {
            Bin::Eq => Some(Order::Equal),
            Bin::Ne => Some(Order::Unequal),
            Bin::Lt => Some(Order::Less),
            Bin::Le => Some(Order::AtMost),
            _ => None,
        };
        if let Some(order) = order {
            return self.compare(order, a, b);
        }
        let (a, b) = match (bin, a, b) {
            (
                Bin::Add | Bin::Mul | Bin::Min | Bin::Max | Bin::And | Bin::Or,
                a @ Value::Known(_),
                b @ Value::In(..),
            ) => (b, a),
            _ => (a, b),
        };
        let a = match (bin, b) {
            (Bin::And, Value::Known(bits)) => self.with_bits(a, bits),
            _ => a,
        };
        if let Some(value) = self.known_bin(bin, a, b) {
            return value;
        }
        if let (Bin::And, Value::Known(most)) = (bin, b)
            && let Some(field) = self.one_field(a, most)
        {
            return field;
        }
        let mut result = range(bin, a.range(), b.range());
        if let (Bin::Add, Some(most)) = (bin, self.most_of_sum(a, b).or_else(|| self.most_of_sum(b, a))) {
            result.1 = result.1.min(most);
        }
        let mut width = Width::of(result).max(a.width()).max(b.width());
        if matches!(bin, Bin::Shl | Bin::Shr) {
            // No set of instructions shifts bytes.
            width = width.max(Width::Short);
        }
        let d = match (bin, a, b) {
            (Bin::Sub, Value::Known(k), b) => {
                let b = self.at(b, width);
                self.calculated(width, |d| Instr::From(d, k, b))
            }
            (bin, a, Value::Known(k)) if has_constants(bin, k, width) => {
                let a = self.at(a, width);
                self.calculated(width, |d| Instr::BinK(bin, d, a, k))
            }
            (bin, a, b) => {
                let (a, b) = (self.at(a, width), self.at(b, width));
                self.calculated(width, |d| Instr::Bin(bin, d, a, b))
            }
        };
        self.known.mean(d, Meaning::Bin(bin, a, b));
        Value::In(d, result)
    }

    /// The lower bits of a number, or of one that is shifted, in a narrower column.
    fn one_field(&mut self, a: Value, most: i64) -> Option<Value> {
        let (of, shift) = match self.meaning(a) {
            Some(Meaning::Bin(Bin::Shr, of, Value::Known(shift))) => (of, shift),
            _ => (a, 0),
        };
        let Value::In(column, (0.., high)) = of else { return None };
        let range = (0, most.min(high.checked_shr(shift.try_into().ok()?)?));
        let is_field = most > 0 && most & (most + 1) == 0 && shift < column.width.bits();
        if !is_field || column.width == Width::Byte || shift == 0 && Width::of(range) == column.width {
            return None;
        }
        let field = Packed { shift: shift.try_into().ok()?, most, times: 1 };
        Some(Value::In(
            self.calculated(Width::of(range), |d| Instr::Fields(d, column, [field].into())),
            range,
        ))
    }

    pub(super) fn select(&mut self, truth: Value, a: Value, b: Value) -> Value {
        if let Some(value) = self.known_select(truth, a, b) {
            return value;
        }
        let (truth, is_wanted) = self.whether(truth, true);
        let (a, b) = if is_wanted { (a, b) } else { (b, a) };
        let result = joined(a.range(), b.range());
        let width = Width::of(result).max(a.width()).max(b.width());
        let truth = self.truth(truth);
        let (a, b) = (self.at(a, width), self.at(b, width));
        Value::In(self.calculated(width, |d| Instr::Select(d, truth, a, b)), result)
    }

    /// An index: what is outside is none of so many places.
    pub(super) fn index(&mut self, index: Value, len: usize) -> Ref {
        let len = i64::try_from(len).unwrap_or(i64::MAX);
        let index = if Width::of(index.range()) == Width::Byte {
            index
        } else {
            let index = self.bin(Bin::Min, index, Value::Known(len));
            self.bin(Bin::Max, index, Value::Known(-1))
        };
        self.at(index, Width::Byte)
    }

    pub(super) fn known_place(index: i64, len: usize) -> usize {
        usize::try_from(index).unwrap_or(usize::MAX).min(len - 1)
    }
}

/// Whether an operation has an instruction with this number.
fn has_constants(bin: Bin, number: i64, width: Width) -> bool {
    match bin {
        Bin::Shl | Bin::Shr => number & 63 < width.bits(),
        bin => !matches!(bin, Bin::Div | Bin::Rem),
    }
}
