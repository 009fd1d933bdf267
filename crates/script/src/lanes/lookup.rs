//! What is tabulated of bags, for all games at once: the counts of a bag are the digits of a place in a table.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use super::build::Builder;
use super::instr::{Instr, Order, Packed, Width};
use super::list::List;
use super::local::Value;
use crate::layout::{BagOp, Bags, Layout};
use crate::op::Bin;

/// The most places of a table.
const MOST: usize = 1 << 18;

/// A table by the counts of a bag.
struct BagTable {
    digits: Box<[Packed]>,
    /// The bits of all digits: a bag with others is not in the table.
    bits: i64,
    /// 0 where a bag is not in the table.
    values: List,
    /// The list in which the values are places, for operations with a number.
    rows: Option<List>,
}

impl BagTable {
    /// Nothing if it has too many places.
    fn new(layout: &Layout, rows: &[(i64, i64)], list: Option<Vec<i64>>) -> Option<Self> {
        let (mut digits, mut bits, mut size) = (Vec::new(), 0, 1_i64);
        for field in &layout.fields {
            let most = rows.iter().map(|(bag, _)| field.of(*bag)).max()?;
            if most > 0 {
                let most = i64::MAX >> (most.leading_zeros() - 1);
                digits.push(Packed { shift: field.shift, most, times: size });
                bits |= most << field.shift;
                size = size.checked_mul(most + 1)?;
            }
        }
        let mut values = vec![0; usize::try_from(size).ok().filter(|size| *size <= MOST)?];
        for (bag, value) in rows {
            let place: i64 = digits.iter().map(|digit| (bag >> digit.shift & digit.most) * digit.times).sum();
            values[usize::try_from(place).ok()?] = *value;
        }
        Some(Self { digits: digits.into(), bits, values: List::new(values), rows: list.map(List::new) })
    }

    /// What an operation gives for bags, if it is tabulated and not too large. It is kept as long as the bags are.
    fn of(bags: &'static Bags, op: BagOp, number: u16, layout: &Layout) -> Option<&'static Self> {
        /// The bags of a program, an operation and its layout.
        type Key = (usize, BagOp, u16);
        static KEPT: Mutex<BTreeMap<Key, Option<&'static BagTable>>> = Mutex::new(BTreeMap::new());
        let key = (std::ptr::from_ref(bags).addr(), op, number);
        let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
        *kept.entry(key).or_insert_with(|| {
            let (rows, list) = bags.tabulated(op, number)?;
            Self::new(layout, &rows, list).map(|table| &*Box::leak(Box::new(table)))
        })
    }
}

impl Builder<'_> {
    /// What a table has of a bag, if the operation has one.
    pub(super) fn looked_up(&mut self, op: BagOp, number: u16, bag: Value, nth: Value) -> Option<Value> {
        let program = self.program;
        let layout = &program.layouts[usize::from(number)];
        let table = BagTable::of(&program.bags, op, number, layout)?;
        let nth = match op {
            // As they are in the list: one of each bag before the first and after the last.
            BagOp::Pairing => {
                let nth = self.bin(Bin::Min, nth, Value::Known(6));
                let nth = self.bin(Bin::Max, nth, Value::Known(-1));
                self.bin(Bin::Add, nth, Value::Known(1))
            }
            _ if table.rows.is_none() => Value::Known(0),
            _ if nth.range().0 < 0 || nth.range().1 >= Bags::MOST_OF_ONE => return None,
            _ => nth,
        };
        let mask = layout.mask();
        let column = self.at(bag, Width::Long);
        let place = self.calculated(Width::Middle, |d| Instr::Fields(d, column, table.digits.clone()));
        let others = self.bin(Bin::And, Value::In(column, (0, mask)), Value::Known(mask & !table.bits));
        let is_in = self.compare(Order::Equal, others, Value::Known(0));
        let place = self.select(is_in, Value::In(place, (0, i64::from(i32::MAX))), Value::Known(-1));
        let value = self.number_of(&table.values, place);
        let Some(rows) = &table.rows else { return Some(value) };
        let place = self.bin(Bin::Add, value, nth);
        Some(self.number_of(rows, place))
    }

    /// A number of a list; 0 for what is outside.
    fn number_of(&mut self, list: &'static List, place: Value) -> Value {
        let known = self.lists.iter().position(|other| std::ptr::eq(*other, list));
        let number = known.unwrap_or_else(|| {
            self.lists.push(list);
            self.lists.len() - 1
        });
        let place = self.at(place, Width::Middle);
        Value::In(self.calculated(Width::of(list.range), |d| Instr::Listed(d, number, place)), list.range)
    }
}
