//! What policies read: a calculation of all games at once. Of a jump forward both ways are calculated, and each game has what
//! its own way gives.

use std::collections::BTreeMap;

use super::build::{Builder, Obstacle};
use super::instr::{Instr, Order, Ref, Width};
use super::local::{Local, Value};
use super::looked::Look;
use super::range::ALL;
use crate::ir::Ir;
use crate::op::Bin;

/// The ways to a block that are known so far: which games take one of them, and what registers hold then.
type Ways = BTreeMap<usize, (Value, Local)>;

impl Builder<'_> {
    /// What is looked at ahead at a question.
    pub(super) fn looked(&mut self, site: u32, number: u32) -> Value {
        let look = Look { site, number };
        let known = self.looks.iter().position(|known| *known == look);
        let number = known.unwrap_or_else(|| {
            self.looks.push(look);
            self.looks.len() - 1
        });
        // Any variable may decide it.
        let places = self.program.places.iter().filter(|place| place.bits > 0);
        let columns = places.filter_map(|place| self.cells.get(&(place.word, place.shift)));
        let columns: Box<[Ref]> = columns.map(|(column, _)| *column).collect();
        Value::In(self.calculated(Width::Long, |d| Instr::Look(d, number, columns.clone())), ALL)
    }

    /// What is calculated at an address, of the state or of a candidate; nothing if it is more than a calculation, or if a
    /// jump leads back.
    pub(super) fn reading(&mut self, at: usize, candidate: i64) -> Result<Option<Value>, Obstacle> {
        let Some(&number) = self.ir.numbers.get(&at) else { return Ok(None) };
        let mut registers = Local::default();
        registers.insert(self.ir.io, Value::Known(candidate));
        let outer = std::mem::replace(&mut self.local, registers);
        let found = self.calculated_from(number);
        self.local = outer;
        found
    }

    fn calculated_from(&mut self, number: usize) -> Result<Option<Value>, Obstacle> {
        let ir = self.ir;
        let mut ways = Ways::from([(number, (Value::Known(1), self.local.clone()))]);
        let mut result: Option<Value> = None;
        'blocks: while let Some((number, (mut are_here, registers))) = ways.pop_first() {
            self.local = registers;
            let Some((_, block)) = ir.blocks.get(number) else { return Ok(None) };
            let mut given = Value::Known(0);
            for instruction in block {
                match instruction {
                    Ir::Give(0, a) => given = self.arg(*a)?,
                    Ir::Return => {
                        result = Some(match result {
                            Some(before) => self.select(are_here, given, before),
                            None => given,
                        });
                        continue 'blocks;
                    }
                    Ir::Jump(to) if self.ir.numbers[to] > number => {
                        self.on(&mut ways, self.ir.numbers[to], are_here);
                        continue 'blocks;
                    }
                    Ir::JumpIf(a, wanted, to) if self.ir.numbers[to] > number => {
                        let truth = self.arg(*a)?;
                        let [jumps, stays] = if *wanted {
                            [Order::Unequal, Order::Equal]
                        } else {
                            [Order::Equal, Order::Unequal]
                        }
                        .map(|order| {
                            let is_so = self.compare(order, truth, Value::Known(0));
                            self.bin(Bin::And, are_here, is_so)
                        });
                        if jumps != Value::Known(0) {
                            self.on(&mut ways, self.ir.numbers[to], jumps);
                        }
                        if stays == Value::Known(0) {
                            continue 'blocks;
                        }
                        are_here = stays;
                    }
                    Ir::Check(a, check) => {
                        let (value, check) = (self.arg(*a)?, &self.program.checks[*check as usize]);
                        let is_under = self.compare(Order::Less, value, Value::Known(check.low));
                        let is_over = self.compare(Order::More, value, Value::Known(check.high));
                        let fails = self.bin(Bin::Or, is_under, is_over);
                        let fails = self.bin(Bin::And, are_here, fails);
                        self.failing = self.bin(Bin::Or, self.failing, fails);
                    }
                    instruction => match self.calculation(instruction)? {
                        Some((d, value)) => self.local.insert(d, value),
                        None => return Ok(None),
                    },
                }
            }
            self.on(&mut ways, number + 1, are_here);
        }
        Ok(result)
    }

    /// These games go on in a block, with what registers hold here.
    fn on(&mut self, ways: &mut Ways, block: usize, are_here: Value) {
        let Some((others, mut registers)) = ways.remove(&block) else {
            ways.insert(block, (are_here, self.local.clone()));
            return;
        };
        let Some(at) = self.ir.blocks.get(block).map(|(at, _)| *at) else { return };
        let ir = self.ir;
        for register in self.local.registers().into_iter().filter(|register| ir.is_live(at, *register)) {
            let Some(value) = self.local.get(register) else { continue };
            let value = match registers.get(register) {
                Some(other) if other != value => self.select(are_here, value, other),
                _ => value,
            };
            registers.insert(register, value);
        }
        let all = self.bin(Bin::Or, others, are_here);
        ways.insert(block, (all, registers));
    }
}
