//! From one instruction of a block to instructions over columns.

use super::build::{Builder, Obstacle};
use super::instr::{Instr, Ref, Width};
use super::left::Left;
use super::local::Value;
use super::range::joined;
use crate::ir::Ir;
use crate::op::{Bin, Reg};

/// The entries of a table that are compared one by one.
const FEW: usize = 16;

impl Builder<'_> {
    fn events(&mut self, event: u8, seat: Value, many: Option<Ref>) {
        let seats = u8::try_from(self.program.seats).unwrap_or(1);
        let (which, column) = match seat {
            Value::Known(seat) => (u8::try_from(seat).unwrap_or(0)..=u8::try_from(seat).unwrap_or(0), None),
            seat => (0..=seats - 1, Some(self.at(seat, Width::Byte))),
        };
        let Some(many) = many else { return self.emit(Instr::Event(event, *which.start(), column)) };
        for seat in which {
            self.emit(Instr::Events(event, seat, column, many));
        }
    }

    /// A pure instruction; nothing for others.
    pub(super) fn calculation(&mut self, ir: &Ir) -> Result<Option<(Reg, Value)>, Obstacle> {
        Ok(Some(match ir {
            Ir::Copy(d, a) => (*d, self.arg(*a)?),
            Ir::Bin(bin, d, a, b) => {
                let (a, b) = (self.arg(*a)?, self.arg(*b)?);
                (*d, self.bin(*bin, a, b))
            }
            Ir::Select(d, c, a, b) => {
                let (c, a, b) = (self.arg(*c)?, self.arg(*a)?, self.arg(*b)?);
                (*d, self.select(c, a, b))
            }
            Ir::Table(d, table, a) => {
                let a = self.arg(*a)?;
                (*d, self.entry(*table, a))
            }
            Ir::Bag(op, layout, d, a, b) => {
                let (a, b) = (self.arg(*a)?, self.arg(*b)?);
                (*d, self.bag(*op, *layout, a, b))
            }
            Ir::Get(d, place) => (*d, self.cell(*place)),
            Ir::At(d, cells, i) => {
                let (row, i) = (self.row(*cells)?, self.arg(*i)?);
                let result = row.iter().fold(row[0].1, |range, (_, own)| joined(range, *own));
                if let Value::Known(i) = i {
                    let (column, range) = row[Self::known_place(i, row.len())];
                    return Ok(Some((*d, Value::In(column, range))));
                }
                let width = Width::of(result);
                let i = self.index(i, row.len());
                let row: Vec<Ref> =
                    row.into_iter().map(|(column, range)| self.at(Value::In(column, range), width)).collect();
                let e = self.calculated(width, |e| Instr::Pick(e, row.as_slice().into(), i));
                (*d, Value::In(e, result))
            }
            _ => return Ok(None),
        }))
    }

    /// An entry of a table; 0 for what is outside.
    fn entry(&mut self, number: u16, i: Value) -> Value {
        let table: &'static [i64] = &self.program.tables[usize::from(number)];
        if let Value::Known(i) = i {
            return Value::Known(usize::try_from(i).ok().and_then(|i| table.get(i)).copied().unwrap_or(0));
        }
        let result = table.iter().fold((0, 0), |range, n| joined(range, (*n, *n)));
        if table.len() <= FEW && Width::of(i.range()) <= Width::Short {
            return self.few(table.to_vec(), i, result);
        }
        let mut i = i;
        if Width::of(i.range()) == Width::Long {
            i = self.bin(Bin::Min, i, Value::Known(i64::try_from(table.len()).unwrap_or(i64::MAX)));
            i = self.bin(Bin::Max, i, Value::Known(-1));
        }
        let i = self.at(i, Width::Middle);
        Value::In(self.calculated(Width::of(result), |d| Instr::Table(d, number, i)), result)
    }

    pub(super) fn instr(&mut self, ir: &Ir) -> Result<(), Obstacle> {
        if let Some((d, value)) = self.calculation(ir)? {
            self.set(d, value);
            return Ok(());
        }
        match ir {
            Ir::Put(place, _) if Some(*place) == self.ticks => self.emit(Instr::Untick),
            Ir::Put(place, a) => {
                let value = self.arg(*a)?;
                if let Some((column, (low, high))) = self.cells.get(&(place.word, place.shift)).copied() {
                    let is_added = self.added(column, value).is_some();
                    self.put(column, value);
                    if let Value::In(of, range) = value
                        && of != column
                        && !is_added
                        && of.width <= column.width
                    {
                        let range = (range.0.max(low), range.1.min(high));
                        self.stored.insert(column, Value::In(of, range));
                    }
                }
            }
            Ir::PutAt(cells, i, a) => {
                let row = self.row(*cells)?;
                if let Value::Known(i) = self.arg(*i)? {
                    let value = self.arg(*a)?;
                    self.put(row[Self::known_place(i, row.len())].0, value);
                    return Ok(());
                }
                let width = row[0].0.width;
                if row.iter().any(|(column, _)| column.width != width) {
                    return Err("an array of numbers of several widths".into());
                }
                for (column, _) in &row {
                    self.protect(*column);
                }
                // Only now: they may have been elements of the row, and are copies of them then.
                let (i, value) = (self.arg(*i)?, self.arg(*a)?);
                let (i, a) = (self.index(i, row.len()), self.at(value, width));
                self.emit(Instr::PutAt(row.into_iter().map(|(column, _)| column).collect(), i, a));
            }
            Ir::Jump(to) => {
                self.store_for(*to);
                let to = self.ir.numbers[to];
                self.emit(Instr::Jump(to));
            }
            Ir::JumpIf(a, wanted, to) => {
                self.store_for(*to);
                let to = self.ir.numbers[to];
                let truth = self.arg(*a)?;
                match self.whether(truth, *wanted) {
                    (Value::Known(truth), wanted) if (truth != 0) == wanted => self.emit(Instr::Jump(to)),
                    (Value::Known(_), _) => {}
                    (value, wanted) => {
                        let truth = self.truth(value);
                        self.emit(Instr::JumpIf(truth, wanted, to));
                    }
                }
            }
            Ir::Check(a, number) => {
                let (value, check) = (self.arg(*a)?, &self.program.checks[*number as usize]);
                let (low, high) = value.range();
                if low < check.low || high > check.high {
                    let limits = (check.low, check.high);
                    let column = self.at(value, Width::of(limits).max(value.width()));
                    self.emit(Instr::Check(column, check.low, check.high));
                }
            }
            Ir::Event(event, seat) => {
                let seat = self.arg(*seat)?;
                self.events(*event, seat, None);
            }
            Ir::Events(event, seat, many) => {
                let (seat, many) = (self.arg(*seat)?, self.arg(*many)?);
                let many = self.at(many, Width::Middle);
                self.events(*event, seat, Some(many));
            }
            Ir::Tick(_, to) => {
                self.store_for(*to);
                let to = self.ir.numbers[to];
                self.emit(Instr::Tick(to));
            }
            Ir::Give(number, a) => {
                let value = self.arg(*a)?;
                self.leave(Left::Measured(*number & 15), value);
            }
            Ir::Stop(site, seat, gives) => {
                let seat = self.arg(*seat)?;
                let gives = gives.iter().map(|give| self.arg(*give)).collect::<Result<Vec<_>, _>>()?;
                self.stop(*site, seat, &gives)?;
            }
            Ir::End(ending) => {
                let ending = i16::try_from(*ending).unwrap_or(0);
                self.emit(Instr::End(ending));
            }
            Ir::Return => self.emit(Instr::Return),
            _ => {}
        }
        Ok(())
    }
}
