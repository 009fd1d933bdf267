//! What calculated columns mean, from which simpler ways to the same number are found: most calculations of a candidate that
//! a policy may choose come to little once it is known which candidate it is.

use super::build::Builder;
use super::instr::{Order, Width};
use super::local::Value;
use super::once::Meaning;
use super::range::{ALL, filled};
use crate::op::Bin;

impl Order {
    /// The order of the operands the other way round.
    pub(super) fn turned(self) -> Self {
        match self {
            Self::Less => Self::More,
            Self::AtMost => Self::AtLeast,
            Self::More => Self::Less,
            Self::AtLeast => Self::AtMost,
            same => same,
        }
    }

    /// What is so where this is not.
    pub(super) fn negated(self) -> Self {
        match self {
            Self::Equal => Self::Unequal,
            Self::Unequal => Self::Equal,
            Self::Less => Self::AtLeast,
            Self::AtMost => Self::More,
            Self::More => Self::AtMost,
            Self::AtLeast => Self::Less,
        }
    }

    pub(super) fn is_so(self, a: i64, b: i64) -> bool {
        match self {
            Self::Equal => a == b,
            Self::Unequal => a != b,
            Self::Less => a < b,
            Self::AtMost => a <= b,
            Self::More => a > b,
            Self::AtLeast => a >= b,
        }
    }

    /// Whether it is so for all numbers of two ranges, or for none.
    fn of_ranges(self, a: (i64, i64), b: (i64, i64)) -> Option<bool> {
        match self {
            Self::Equal if a.1 < b.0 || b.1 < a.0 => Some(false),
            Self::Equal => None,
            Self::Less if a.1 < b.0 => Some(true),
            Self::Less if a.0 >= b.1 => Some(false),
            Self::AtMost if a.1 <= b.0 => Some(true),
            Self::AtMost if a.0 > b.1 => Some(false),
            Self::Less | Self::AtMost => None,
            Self::Unequal | Self::More | Self::AtLeast => self.negated().of_ranges(a, b).map(|is| !is),
        }
    }
}

impl Value {
    /// Whether it is 0 or 1.
    pub(super) fn is_truth(self) -> bool {
        let (low, high) = self.range();
        low >= 0 && high <= 1
    }

    pub(super) fn is_same(self, other: Self) -> bool {
        match (self, other) {
            (Self::Known(a), Self::Known(b)) => a == b,
            (Self::In(a, _), Self::In(b, _)) => a == b,
            _ => false,
        }
    }
}

impl Builder<'_> {
    pub(super) fn meaning(&self, value: Value) -> Option<Meaning> {
        match value {
            Value::In(column, _) => self.known.meaning(column),
            Value::Known(_) => None,
        }
    }

    /// The bits that a number may have.
    fn bits(&self, value: Value) -> i64 {
        match (value, self.meaning(value)) {
            (Value::Known(number), _) => number,
            (Value::In(_, (0, high)), Some(Meaning::Bin(Bin::Mul, a, Value::Known(bits))))
                if a.is_truth() && high == bits =>
            {
                bits
            }
            (Value::In(_, (low, high)), _) if low >= 0 => filled(high),
            _ => -1,
        }
    }

    /// A number of which only some bits are asked for, without what has none of them.
    pub(super) fn with_bits(&self, mut value: Value, bits: i64) -> Value {
        while let Some(Meaning::Bin(Bin::Or, a, b)) = self.meaning(value) {
            if self.bits(b) & bits == 0 {
                value = a;
            } else if self.bits(a) & bits == 0 {
                value = b;
            } else {
                break;
            }
        }
        value
    }

    /// What an operation comes to, if it is one of its operands or a number.
    pub(super) fn known_bin(&self, bin: Bin, a: Value, b: Value) -> Option<Value> {
        let (ranges, is_same) = ((a.range(), b.range()), a.is_same(b));
        let ((low, high), (b_low, b_high)) = ranges;
        Some(match (bin, a, b) {
            (_, Value::Known(a), Value::Known(b)) => Value::Known(bin.apply(a, b)),
            (Bin::Add | Bin::Sub | Bin::Or | Bin::Shl | Bin::Shr, a, Value::Known(0)) => a,
            (Bin::Add | Bin::Or, Value::Known(0), b) => b,
            (Bin::Mul | Bin::Div, a, Value::Known(1)) => a,
            (Bin::Mul, Value::Known(1), b) => b,
            (Bin::And | Bin::Mul, _, Value::Known(0)) | (Bin::And | Bin::Mul, Value::Known(0), _) => {
                Value::Known(0)
            }
            (Bin::And | Bin::Or | Bin::Min | Bin::Max, a, _) if is_same => a,
            (Bin::Sub, ..) if is_same => Value::Known(0),
            (Bin::Or, a, Value::Known(1)) | (Bin::Or, Value::Known(1), a) if a.is_truth() => Value::Known(1),
            (Bin::And, a, Value::Known(bits)) | (Bin::And, Value::Known(bits), a) => {
                let own = self.bits(a);
                if own & !bits == 0 {
                    a
                } else if own & bits == 0 {
                    Value::Known(0)
                } else {
                    return None;
                }
            }
            (Bin::Min, a, _) if high <= b_low => a,
            (Bin::Min, _, b) if b_high <= low => b,
            (Bin::Max, a, _) if low >= b_high => a,
            (Bin::Max, _, b) if b_low >= high => b,
            (Bin::Rem, a, Value::Known(by)) if low >= 0 && high < by => a,
            (Bin::Div, _, Value::Known(by)) if low >= 0 && high < by => Value::Known(0),
            _ => return None,
        })
    }

    /// The greatest sum of a number and another that is at most what is missing to that.
    pub(super) fn most_of_sum(&self, a: Value, b: Value) -> Option<i64> {
        match self.meaning(b)? {
            Meaning::Bin(Bin::Min, one, other) => {
                self.most_of_sum(a, one).or_else(|| self.most_of_sum(a, other))
            }
            Meaning::Bin(Bin::Sub, Value::Known(most), of) if of.is_same(a) => Some(most),
            _ => None,
        }
    }

    /// What a comparison comes to, if it is a number, a value or another comparison.
    pub(super) fn known_compare(&mut self, order: Order, a: Value, b: Value) -> Option<Value> {
        if let Some(is_so) = order.of_ranges(a.range(), b.range()) {
            return Some(Value::Known(is_so.into()));
        }
        if a.is_same(b) {
            return Some(Value::Known(order.is_so(0, 0).into()));
        }
        let Value::Known(number) = b else { return None };
        if a.is_truth() {
            return Some(match (order.is_so(0, number), order.is_so(1, number)) {
                (false, _) => a,
                (true, _) => self.not(a),
            });
        }
        let is_of_zero = matches!(order, Order::Equal | Order::Unequal) && number == 0;
        match self.meaning(a) {
            // A product that may wrap has the range of all numbers.
            Some(Meaning::Bin(Bin::Mul, of, Value::Known(_))) if is_of_zero && a.range() != ALL => {
                Some(self.compare(order, of, b))
            }
            _ => None,
        }
    }

    /// The other truth.
    fn not(&mut self, truth: Value) -> Value {
        match self.meaning(truth) {
            Some(Meaning::Compare(order, a, b)) => self.compare(order.negated(), a, b),
            _ => self.compared(Order::Equal, truth, Value::Known(0)),
        }
    }

    /// A number that is other than 0 where, and only where, the truth is as it is wanted; and how it is wanted then.
    pub(super) fn whether(&self, mut truth: Value, mut wanted: bool) -> (Value, bool) {
        while let Some(Meaning::Compare(order @ (Order::Equal | Order::Unequal), a, Value::Known(0))) =
            self.meaning(truth)
            && a.width() == Width::Byte
        {
            (truth, wanted) = (a, wanted == (order == Order::Unequal));
        }
        (truth, wanted)
    }

    /// What a selection comes to, if it is an operand or an operation on truths.
    pub(super) fn known_select(&mut self, truth: Value, a: Value, b: Value) -> Option<Value> {
        if a.is_same(b) {
            return Some(a);
        }
        match (truth, a, b) {
            (Value::Known(0), _, b) => Some(b),
            (Value::Known(_), a, _) => Some(a),
            (_, Value::Known(1), Value::Known(0)) => {
                Some(self.compare(Order::Unequal, truth, Value::Known(0)))
            }
            (_, Value::Known(0), Value::Known(1)) => Some(self.compare(Order::Equal, truth, Value::Known(0))),
            (_, Value::Known(1), b) if truth.is_truth() && b.is_truth() => Some(self.bin(Bin::Or, truth, b)),
            (_, a, Value::Known(0)) if truth.is_truth() && a.is_truth() => Some(self.bin(Bin::And, truth, a)),
            _ => None,
        }
    }
}
