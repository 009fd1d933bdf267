//! Bags: their counts are fields of packed numbers, worked with face by face.

use super::build::Builder;
use super::cost::A_PLANE;
use super::instr::{Instr, Order, Packed, Ref, Width};
use super::local::Value;
use super::range::{ALL, Range, joined};
use crate::layout::{BagOp, Field, Layout, planes};
use crate::op::Bin;

/// Bags of more fields are taken from each other all fields at once.
const MOST_MINUS: usize = 4;
/// The faces of which one is picked by comparing.
const MOST_ATOMS: usize = 40;

impl Builder<'_> {
    /// One of a few numbers.
    pub(super) fn few(&mut self, values: Vec<i64>, nth: Value, range: Range) -> Value {
        if let Value::Known(nth) = nth {
            return Value::Known(values[Self::known_place(nth, values.len())]);
        }
        let nth = self.index(nth, values.len());
        Value::In(self.calculated(Width::of(range), |d| Instr::Few(d, values.as_slice().into(), nth)), range)
    }

    /// How many of a face are in a bag.
    pub(super) fn field(&mut self, field: &Field, bag: Value) -> Value {
        if let Some(count) = self.packed(bag, &[(field, 1)]) {
            return count;
        }
        let count = self.bin(Bin::Shr, bag, Value::Known(field.shift.into()));
        match self.bin(Bin::And, count, Value::Known(field.most())) {
            // A field is narrow however wide the bag is.
            count @ Value::In(column, range) if column.width != Width::of(range) => {
                Value::In(self.at(count, Width::of(range)), range)
            }
            count => count,
        }
    }

    /// The sum of some fields of a bag, each times a number. No set of instructions shifts bytes.
    fn packed(&mut self, bag: Value, fields: &[(&Field, i64)]) -> Option<Value> {
        let Value::In(column, (least, greatest)) = bag else { return None };
        if column.width == Width::Byte {
            return None;
        }
        let range = fields.iter().fold((0_i64, 0_i64), |(low, high), (field, times)| {
            let most = if least < 0 { field.most() } else { field.most().min(greatest >> field.shift) };
            let most = most.saturating_mul(*times);
            (low.saturating_add(most.min(0)), high.saturating_add(most.max(0)))
        });
        let packed =
            |&(field, times): &(&Field, i64)| Packed { shift: field.shift, most: field.most(), times };
        let work = fields.iter().map(|(_, times)| if times.abs().count_ones() == 1 { 1 } else { 2 });
        if column.width == Width::Long && fields.iter().all(|(_, times)| *times >= 0) {
            let planes = planes(fields.iter().copied());
            if planes.len() * A_PLANE < work.sum() {
                let planes: Box<[i64]> = planes.into();
                let sum = self.calculated(Width::of(range), |d| Instr::Counts(d, column, planes.clone()));
                return Some(Value::In(sum, range));
            }
        }
        let fields: Box<[Packed]> = fields.iter().map(packed).collect();
        let sum = self.calculated(Width::of(range), |d| Instr::Fields(d, column, fields.clone()));
        Some(Value::In(sum, range))
    }

    /// The sum of some fields of a bag, each times a number.
    fn fields(&mut self, layout: &Layout, bag: Value, times: impl Fn(&Field) -> i64) -> Value {
        let fields: Vec<_> = layout.fields.iter().map(|field| (field, times(field))).collect();
        let fields: Vec<_> = fields.into_iter().filter(|(_, times)| *times != 0).collect();
        if fields.is_empty() {
            return Value::Known(0);
        }
        if let Some(sum) = self.packed(bag, &fields) {
            return sum;
        }
        let mut sum = Value::Known(0);
        for (field, times) in fields {
            let count = self.field(field, bag);
            let count = self.bin(Bin::Mul, count, Value::Known(times));
            sum = self.bin(Bin::Add, sum, count);
        }
        sum
    }

    /// How many of a face that is not known, if every face has one field: the bag moved by a number that the face has.
    fn count_of(&mut self, layout: &Layout, bag: Value, atom: Value) -> Option<Value> {
        let atoms = usize::try_from(layout.fields.iter().map(|field| field.atom).max()?).ok()?;
        if atoms > MOST_ATOMS {
            return None;
        }
        if let Value::Known(bag) = bag {
            let counts: Vec<i64> = (0_i64..).take(atoms + 1).map(|atom| layout.count(bag, atom)).collect();
            let range = (0, counts.iter().copied().max()?);
            return Some(self.few(counts, atom, range));
        }
        let (Value::In(Ref { width: Width::Long, .. }, _), true) = (bag, layout.is_of_one) else {
            return None;
        };
        let field = |atom: i64| layout.fields.iter().find(|field| field.atom == atom);
        let all = || (0_i64..).take(atoms + 1).map(field);
        let shifts = all().map(|field| field.map_or(0, |field| field.shift.into())).collect();
        let most: Vec<i64> = all().map(|field| field.map_or(0, Field::most)).collect();
        let range = (0, most.iter().copied().max()?);
        let shift = self.few(shifts, atom, (0, 63));
        let count = self.bin(Bin::Shr, bag, shift);
        let most = self.few(most, atom, range);
        let count = Value::In(self.at(count, Width::of(range)), ALL);
        let count = self.bin(Bin::And, count, most);
        Some(Value::In(self.at(count, Width::of(range)), range))
    }

    pub(super) fn bag(&mut self, op: BagOp, number: u16, a: Value, b: Value) -> Value {
        if let (Value::Known(a), Value::Known(b)) = (a, b) {
            return Value::Known(self.program.bag(op, number, a, b));
        }
        let program = self.program;
        let layout = &program.layouts[usize::from(number)];
        let bits = |layout: &Layout| (0, layout.mask());
        match (op, b) {
            (BagOp::Size, _) => return self.fields(layout, a, |_| 1),
            (BagOp::Sum, _) => return self.fields(layout, a, |field| field.number),
            (BagOp::Count, Value::Known(atom)) => {
                return self.fields(layout, a, |field| i64::from(field.atom == atom));
            }
            (BagOp::Dice(dice), Value::Known(atom)) => {
                let dice = &program.layouts[usize::from(dice)];
                let bag =
                    self.fields(layout, a, |field| if field.atom == atom { dice.unit(field.die) } else { 0 });
                return bag;
            }
            (BagOp::Minus, _) if layout.fields.len() <= MOST_MINUS => {
                let mut left = Value::Known(0);
                for field in &layout.fields {
                    let (one, other) = (self.field(field, a), self.field(field, b));
                    let rest = self.bin(Bin::Sub, one, other);
                    let rest = self.bin(Bin::Max, rest, Value::Known(0));
                    let rest = self.bin(Bin::Mul, rest, Value::Known(field.unit()));
                    left = self.bin(Bin::Add, left, rest);
                }
                return left;
            }
            (BagOp::Count, nth) if let Some(count) = self.count_of(layout, a, nth) => return count,
            (BagOp::Within, _) => {
                // Limits whose bits are all ones are those that the other bits of the field tell.
                let is_mask = |field: &Field, limit: i64| (field.of(limit) + 1).count_ones() == 1;
                let mut rest: Vec<&Field> = layout.fields.iter().collect();
                let mut is = Value::Known(1);
                if let (Value::Known(limit), Value::In(..)) = (b, a) {
                    let over = |field: &&Field| (field.most() & !field.of(limit)) << field.shift;
                    let over = rest.iter().filter(|field| is_mask(field, limit)).map(over).sum();
                    rest.retain(|field| !is_mask(field, limit));
                    if over != 0 {
                        let over = self.bin(Bin::And, a, Value::Known(over));
                        is = self.compare(Order::Equal, over, Value::Known(0));
                    }
                }
                for field in rest {
                    let (one, other) = (self.field(field, a), self.field(field, b));
                    let own = self.compare(Order::AtMost, one, other);
                    is = self.bin(Bin::And, is, own);
                }
                return is;
            }
            (BagOp::Distinct | BagOp::Alike, _) => {
                let mut all = Value::Known(0);
                let mut atoms: Vec<i64> = layout.fields.iter().map(|field| field.atom).collect();
                atoms.sort_unstable();
                atoms.dedup();
                for atom in atoms {
                    let count = self.fields(layout, a, |field| i64::from(field.atom == atom));
                    all = if op == BagOp::Alike {
                        self.bin(Bin::Max, all, count)
                    } else {
                        let is_there = self.compare(Order::More, count, Value::Known(0));
                        self.bin(Bin::Add, all, is_there)
                    };
                }
                return all;
            }
            (BagOp::Highest | BagOp::Lowest, _) => {
                let mut fields: Vec<_> = layout.fields.iter().collect();
                fields.sort_by_key(|field| field.number);
                if op == BagOp::Lowest {
                    fields.reverse();
                }
                let mut found = Value::Known(0);
                for field in fields {
                    let count = self.field(field, a);
                    let is_there = self.compare(Order::More, count, Value::Known(0));
                    found = self.select(is_there, Value::Known(field.number), found);
                }
                return found;
            }
            (BagOp::Into(other), _) => {
                let other = &program.layouts[usize::from(other)];
                return self.fields(layout, a, |field| other.unit(field.atom));
            }
            _ => {}
        }
        if let (Value::In(..), Some(found)) = (a, self.looked_up(op, number, a, b)) {
            return found;
        }
        let faces = || layout.fields.iter().map(|field| field.number);
        let result = match op {
            BagOp::Highest | BagOp::Lowest => faces().fold((0, 0), |range, n| joined(range, (n, n))),
            BagOp::Size | BagOp::Alike | BagOp::Distinct | BagOp::Run | BagOp::Count => (0, 1 << 12),
            BagOp::Minus | BagOp::Part => bits(layout),
            BagOp::Within => (0, 1),
            BagOp::Parts => (0, 1 << 20),
            BagOp::Dice(other) | BagOp::Into(other) => bits(&program.layouts[usize::from(other)]),
            BagOp::Known(table) => program.bags.range(table),
            BagOp::Pairing => {
                let most = 2 * faces().max().unwrap_or(0);
                (-1, most | most << 16)
            }
            BagOp::Sum | BagOp::Worth => ALL,
        };
        let (a, b) = (self.at(a, Width::Long), self.at(b, Width::Long));
        Value::In(self.calculated(Width::Long, |d| Instr::Bag(op, number, d, a, b)), result)
    }
}
