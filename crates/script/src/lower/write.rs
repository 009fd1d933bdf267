//! Writes code: a step for an instruction, or for two of which only the second is read by others.

use std::collections::BTreeMap;

use super::steps::{Order, from_constant, is_binary, straight, with_constant};
use super::{Lowering, MOST_SPARE, io, k32, small};
use crate::arithmetic::{Bin, Reg};
use crate::code::{HaltForm, ME_SLOT, Slot, Step, Who};
use crate::ir::{Arg, Cells, Ir, step_back};
use crate::op::event_of;
use crate::row::{Bits, Row};
use crate::set::Set;
use crate::state::Place;
use rustc_hash::FxHashMap;

/// Writes the steps of a block.
pub(super) struct Writer<'l, 'p> {
    pub(super) lowering: &'l mut Lowering<'p>,
    pub(super) live: &'l FxHashMap<usize, Set>,
    pub(super) block: &'l [Ir],
    /// Whether a bust may come from each instruction on, where that is asked.
    pub(super) perils: &'l [bool],
    /// What is read after it, and the block that follows.
    pub(super) out: Set,
    pub(super) next: Option<usize>,
    /// The numbers in the spare registers.
    pub(super) spares: [Option<i64>; MOST_SPARE as usize],
}

fn slot(register: Reg) -> Slot {
    Slot::try_from(register).unwrap_or(0)
}

impl Writer<'_, '_> {
    pub(super) fn block(&mut self) {
        // What is read after every instruction.
        let mut after = vec![self.out.clone()];
        for ir in self.block.iter().rev() {
            let mut set = after[after.len() - 1].clone();
            step_back(ir, &mut set, self.live);
            after.push(set);
        }
        after.reverse();
        let mut at = 0;
        while at < self.block.len() {
            let is_peril = self.perils.get(at).copied();
            at += self.ir(at, &after);
            let Lowering { code, .. } = &mut *self.lowering;
            code.aside.perils.resize(is_peril.map_or(0, |_| code.steps.len()), is_peril == Some(true));
        }
    }

    fn emit(&mut self, step: Step) {
        self.lowering.code.steps.push(step);
    }

    /// The register of an operand: of a number, a spare register with this number, which is set to it.
    fn slot(&mut self, arg: Arg, spare: Reg) -> Slot {
        let number = match arg {
            Arg::Reg(register) => return slot(register),
            Arg::Me => return ME_SLOT,
            Arg::Const(number) => number,
        };
        let held = self.spares[spare as usize].replace(number);
        let spare = self.lowering.spare + spare;
        self.lowering.top = self.lowering.top.max(spare + 1);
        if held != Some(number) {
            self.copy(slot(spare), arg);
        }
        slot(spare)
    }

    fn copy(&mut self, d: Slot, arg: Arg) {
        self.emit(match arg {
            Arg::Reg(register) => Step::Copy(d, slot(register)),
            Arg::Const(value) => Step::Const(d, value),
            Arg::Me => Step::Copy(d, ME_SLOT),
        });
    }

    /// Writes an instruction; returns how many were used up.
    fn ir(&mut self, at: usize, after: &[Set]) -> usize {
        let ir = &self.block[at];
        if let Some(step) = self.up_to(&self.block[at..], &after[at..]) {
            self.emit(step);
            return 6;
        }
        if let Ir::Get(d, place) = *ir
            && let Some((step, many)) = self.of_cell(d, place, at, after)
        {
            self.emit(step);
            return many;
        }
        let Some(d) = ir.writes() else { return self.effect(at) };
        // Whether nothing but the next instruction reads the register.
        let next = self.block.get(at + 1);
        let is_for_next =
            !after.get(at + 2).is_none_or(|after| after.has(d) && next.and_then(Ir::writes) != Some(d));
        if let Ir::Bin(Bin::Shr, _, from, Arg::Const(by)) = *ir
            && let Some(Ir::Bin(Bin::And, e, Arg::Reg(a), Arg::Const(mask))) = next
            && *a == d
            && is_for_next
        {
            let from = self.slot(from, 0);
            self.emit(Step::Bits(slot(*e), from, u8::try_from(by & 63).unwrap_or(0), *mask));
            return 2;
        }
        match (ir, next) {
            (
                Ir::At(_, Cells::Near(row, low), Arg::Me),
                Some(Ir::Bin(Bin::Sub, e, Arg::Const(k), Arg::Reg(a))),
            ) if *a == d
                && is_for_next
                && let Some(k) = k32(k.wrapping_sub((*low).into())) =>
            {
                self.emit(Step::FromAtMe(slot(*e), *row, k));
                return 2;
            }
            (Ir::At(_, Cells::Near(row, low), i), Some(Ir::Bin(Bin::Add, e, Arg::Reg(a), Arg::Const(k))))
                if *a == d
                    && is_for_next
                    && let Some(low) = k32(k.wrapping_add((*low).into())) =>
            {
                self.value(&Ir::At(*e, Cells::Near(*row, low), *i), slot(*e));
                return 2;
            }
            (Ir::Bin(Bin::Min, _, Arg::Reg(a), Arg::Reg(b)), Some(Ir::Put(place, Arg::Reg(least))))
                if *least == d && is_for_next && place.low == 0 && !self.lowering.is_me(*place) =>
            {
                let bits = place.bits_of_word();
                self.emit(Step::PutMin(place.word, place.shift & 63, slot(*a), slot(*b), bits));
                return 2;
            }
            _ => {}
        }
        match next {
            Some(Ir::JumpIf(Arg::Reg(a), wanted, to))
                if *a == d && is_for_next && !self.is_live(*to, d) && self.jump(ir, *wanted, *to) =>
            {
                return 2;
            }
            Some(Ir::Copy(e, Arg::Reg(a))) if *a == d && is_for_next => {
                self.value(ir, slot(*e));
                return 2;
            }
            Some(Ir::Give(k, Arg::Reg(a))) if *a == d && is_for_next => {
                self.value(ir, slot(io(self.lowering.io, *k)));
                return 2;
            }
            _ => {}
        }
        self.value(ir, slot(d));
        1
    }

    fn is_live(&self, at: usize, register: Reg) -> bool {
        self.live.get(&at).is_some_and(|set| set.has(register))
    }

    /// Sets a register to what an instruction gives.
    fn value(&mut self, ir: &Ir, d: Slot) {
        let step = match *ir {
            Ir::Copy(_, arg) => return self.copy(d, arg),
            Ir::Bin(bin, _, a, b) => {
                let with_number = match (a, b) {
                    (a, Arg::Const(k)) => with_constant(bin, k).map(|(step, k)| (step, a, k)),
                    (Arg::Const(k), b) => from_constant(bin, k).map(|(step, k)| (step, b, k)),
                    _ => None,
                };
                match with_number {
                    Some((step, a, k)) => step(d, self.slot(a, 0), k),
                    None => straight(bin)(d, self.slot(a, 0), self.slot(b, 1)),
                }
            }
            Ir::Select(_, c, a, b) => {
                let c = self.slot(c, 0);
                let number = |arg| if let Arg::Const(k) = arg { k32(k) } else { None };
                match (number(a), number(b)) {
                    (Some(a), Some(b)) => Step::SelectK(d, c, a, b),
                    _ => Step::Select(d, c, self.slot(a, 1), self.slot(b, 2)),
                }
            }
            Ir::Table(_, table, a) => {
                let (first, len) = self.lowering.tables[usize::from(table)];
                Step::Table(d, self.slot(a, 0), first, len)
            }
            Ir::Ones(_, a) => Step::Ones(d, self.slot(a, 0)),
            Ir::Every(_, a, every) => Step::Every(d, self.slot(a, 0), every),
            Ir::Bag(op, layout, _, a, b) => {
                let a = self.slot(a, 0);
                Step::Bag(d, op, layout, a, if is_binary(op) { self.slot(b, 1) } else { a })
            }
            Ir::Get(_, place) if place.low == 0 => Step::Get(d, place.word, place.shift & 63, place.mask()),
            Ir::Get(_, place) => Step::GetLow(d, Bits::of(place), place.low),
            Ir::At(_, Cells::Near(row, low), Arg::Me) => Step::AtMe(d, row, low),
            Ir::At(_, cells, i) => {
                let i = self.slot(i, 0);
                match cells {
                    Cells::Near(row, low) => Step::At(d, i, row, low),
                    Cells::Wide(row, low) => Step::Wide(d, i, row, low),
                    Cells::Far(number) => Step::Far(d, i, number),
                }
            }
            _ => return,
        };
        self.emit(step);
    }

    /// The step for a cell that is read and what is done with it at once, if nothing else reads it; and of how many
    /// instructions that is.
    fn of_cell(&self, cell: Reg, place: Place, at: usize, after: &[Set]) -> Option<(Step, usize)> {
        let (word, shift, low) = (place.word, place.shift & 63, i64::from(place.low));
        // Whether nothing reads a register after an instruction.
        let is_free = |register: Reg, at: usize| after.get(at + 1).is_some_and(|after| !after.has(register));
        if let Some(Ir::Put(to, Arg::Reg(a))) = self.block.get(at + 1)
            && *a == cell
            && is_free(cell, at + 1)
            && to.low == place.low
            && !self.lowering.is_me(*to)
        {
            return Some((Step::PutCell(Bits::of(*to), Bits::of(place)), 2));
        }
        let Some(Ir::Bin(bin, d, a, b)) = self.block.get(at + 1) else { return None };
        if *d != cell && !is_free(cell, at + 1) {
            return None;
        }
        let (is_first, other) = match (*a, *b) {
            (Arg::Reg(a), b) if a == cell && b != Arg::Reg(cell) => (true, b),
            (a, Arg::Reg(b)) if b == cell && a != Arg::Reg(cell) => (false, a),
            _ => return None,
        };
        let then = self.block.get(at + 2);
        let is_put = matches!(then, Some(Ir::Put(to, Arg::Reg(a))) if *to == place && a == d);
        let is_put = is_put && is_free(*d, at + 2);
        let small_k = if let Arg::Const(k) = other { i16::try_from(k).ok() } else { None };
        let step = match (bin, other, small_k) {
            (Bin::Add, _, Some(k)) if is_put => {
                return Some((Step::AddKTo(word, shift, k, place.bits_of_word()), 3));
            }
            (Bin::Add, Arg::Reg(a), _) if is_put => {
                return Some((Step::AddTo(word, shift, slot(a), place.bits_of_word()), 3));
            }
            (Bin::Add, Arg::Const(k), _) => {
                Step::GetLow(slot(*d), Bits::of(place), k32(k.checked_add(low)?)?)
            }
            (Bin::Add, Arg::Reg(a), _) if low == 0 => {
                Step::AddCell(slot(*d), slot(a), word, shift, place.mask())
            }
            (Bin::Sub, Arg::Const(k), _) if !is_first => {
                Step::FromCell(slot(*d), Bits::of(place), k32(k.checked_sub(low)?)?)
            }
            (_, Arg::Const(k), _) => {
                let Some(Ir::JumpIf(Arg::Reg(c), wanted, to)) = then else { return None };
                if c != d || !is_free(*d, at + 2) || self.is_live(*to, *d) || self.is_live(*to, cell) {
                    return None;
                }
                let order = Order::of(*bin, *wanted)?;
                let (order, k) =
                    if is_first { order } else { order.turned() }.with_constant(k.checked_sub(low)?);
                let jump = match order {
                    Order::Eq => Step::JumpCellEq,
                    Order::Ne => Step::JumpCellNe,
                    Order::Lt | Order::Le => Step::JumpCellLt,
                    Order::Ge | Order::Gt => Step::JumpCellGe,
                };
                return Some((jump(Bits::of(place), k32(k)?, small(*to)), 3));
            }
            _ => return None,
        };
        Some((step, 2))
    }

    /// The step for six instructions that add to a cell, up to a number minus another, if nothing else reads what they find.
    fn up_to(&self, block: &[Ir], after: &[Set]) -> Option<Step> {
        let [
            Ir::Get(cell, place),
            Ir::Bin(Bin::Add, sum, Arg::Reg(a), Arg::Reg(b)),
            other,
            Ir::Bin(Bin::Sub, most, Arg::Const(k), Arg::Reg(c)),
            Ir::Bin(Bin::Min, least, Arg::Reg(d), Arg::Reg(e)),
            Ir::Put(to, Arg::Reg(f)),
            ..,
        ] = block
        else {
            return None;
        };
        let more = if a == cell { b } else { a };
        let (row, low) = match other {
            Ir::Get(_, place) => (Row { first: Bits::of(*place), step: 0, len: 1 }, place.low),
            Ir::At(_, Cells::Near(row, low), Arg::Me) => (*row, *low),
            _ => return None,
        };
        let fits = more != cell
            && [a, b].contains(&cell)
            && other.writes() == Some(*c)
            && [(d, e), (e, d)].contains(&(sum, most))
            && ![most, c].contains(&sum)
            && (to, f) == (place, least)
            && place.low == 0
            && !self.lowering.is_me(*place)
            && ![cell, sum, c, most, least].into_iter().any(|register| after[6].has(*register));
        let k = k32(k.checked_sub(low.into())?)?;
        fits.then(|| Step::AddUpTo(Bits::of(*place), slot(*more), row, k))
    }

    /// Jumps if what an instruction gives is true, or is not; whether there is a step for both.
    fn jump(&mut self, ir: &Ir, wanted: bool, to: usize) -> bool {
        let label = small(to);
        match *ir {
            Ir::Get(_, place) => match 0_i32.checked_sub(place.low) {
                Some(zero) if wanted => self.emit(Step::JumpCellNe(Bits::of(place), zero, label)),
                Some(zero) => self.emit(Step::JumpCellEq(Bits::of(place), zero, label)),
                None => return false,
            },
            Ir::Bin(bin, _, a, b) => match Order::of(bin, wanted) {
                Some(order) => self.compare(order, a, b, label),
                None => return false,
            },
            _ => return false,
        }
        true
    }

    /// Jumps if a comparison holds.
    fn compare(&mut self, order: Order, a: Arg, b: Arg, label: u32) {
        let (order, a, b) = if let Arg::Const(_) = a { (order.turned(), b, a) } else { (order, a, b) };
        if let Arg::Const(k) = b {
            let (order, k) = order.with_constant(k);
            if let Some(k) = k32(k) {
                let a = self.slot(a, 0);
                return self.emit(match order {
                    Order::Eq => Step::JumpEqK(a, k, label),
                    Order::Ne => Step::JumpNeK(a, k, label),
                    Order::Lt | Order::Le => Step::JumpLtK(a, k, label),
                    Order::Ge | Order::Gt => Step::JumpGeK(a, k, label),
                });
            }
        }
        let (a, b) = (self.slot(a, 0), self.slot(b, 1));
        self.emit(match order {
            Order::Eq => Step::JumpEq(a, b, label),
            Order::Ne => Step::JumpNe(a, b, label),
            Order::Lt => Step::JumpLt(a, b, label),
            Order::Ge => Step::JumpLe(b, a, label),
            Order::Le => Step::JumpLe(a, b, label),
            Order::Gt => Step::JumpLt(b, a, label),
        });
    }

    /// Writes an instruction that sets no register; returns how many were used up.
    fn effect(&mut self, at: usize) -> usize {
        let step = match self.block[at] {
            Ir::Put(place, a) if self.lowering.is_me(place) => Step::PutMe(self.slot(a, 0)),
            Ir::Put(place, Arg::Const(value)) if value == i64::from(place.low) => return self.clear(at),
            Ir::Put(place, Arg::Const(value)) => {
                Step::PutK(Bits::of(place), value.wrapping_sub(place.low.into()))
            }
            Ir::Put(place, a) if place.low == 0 => {
                Step::Put(place.word, place.shift & 63, self.slot(a, 0), place.bits_of_word())
            }
            Ir::Put(place, a) => Step::PutLow(Bits::of(place), place.low, self.slot(a, 0)),
            Ir::PutAt(Cells::Near(row, low), Arg::Me, a) => Step::PutAtMe(row, low, self.slot(a, 0)),
            Ir::PutAt(cells, i, a) => {
                let (i, a) = (self.slot(i, 0), self.slot(a, 1));
                match cells {
                    Cells::Near(row, low) => Step::PutAt(row, low, i, a),
                    Cells::Wide(row, low) => Step::PutWide(row, low, i, a),
                    Cells::Far(number) => Step::PutFar(number, i, a),
                }
            }
            Ir::Jump(to) if self.next == Some(to) => return 1,
            Ir::Jump(to) => Step::Jump(small(to)),
            Ir::JumpIf(a, true, to) => Step::JumpIf(self.slot(a, 0), small(to)),
            Ir::JumpIf(a, false, to) => Step::JumpUnless(self.slot(a, 0), small(to)),
            Ir::Check(a, number) => {
                let (a, check) = (self.slot(a, 0), &self.lowering.program.checks[number as usize]);
                match (k32(check.low), k32(check.high)) {
                    (Some(low), Some(high)) => Step::Within(a, low, high, number),
                    _ => Step::Check(a, number),
                }
            }
            Ir::Event(event, Arg::Me) => Step::EventMe(event_of(event)),
            // Nobody else plays.
            Ir::Event(event, Arg::Const(0)) if self.lowering.program.seats == 1 => {
                Step::EventMe(event_of(event))
            }
            Ir::Event(event, Arg::Const(seat)) => {
                Step::EventOf(event_of(event), u8::try_from(seat & 7).unwrap_or(0))
            }
            Ir::Event(event, seat) => Step::Event(event_of(event), self.slot(seat, 0)),
            Ir::Events(event, seat, many) => {
                Step::Events(event_of(event), self.slot(seat, 0), self.slot(many, 1))
            }
            Ir::Tick(_, to) => match self.block.get(at + 1) {
                Some(Ir::Stop(site, ..)) => {
                    self.lowering.capped.insert(*site, to);
                    return 1;
                }
                _ => Step::Tick(small(to)),
            },
            Ir::Give(k, a) => {
                self.copy(slot(io(self.lowering.io, k)), a);
                return 1;
            }
            Ir::Stop(site, seat, ref gives) => self.stop(site, seat, gives),
            Ir::End(ending) => Step::End(ending),
            Ir::Return => Step::Return,
            _ => return 1,
        };
        self.emit(step);
        1
    }

    /// Sets cells to 0 that are set one after the other, word by word, before the events in between, which read none; returns how
    /// many instructions that are.
    fn clear(&mut self, at: usize) -> usize {
        let mut words: BTreeMap<u8, u64> = BTreeMap::new();
        let (mut many, mut events) = (0, Vec::new());
        while let Some(ir) = self.block.get(at + many) {
            match ir {
                Ir::Put(place, Arg::Const(value))
                    if *value == i64::from(place.low) && !self.lowering.is_me(*place) =>
                {
                    *words.entry(place.word).or_default() |= place.bits_of_word();
                }
                Ir::Event(..) => events.push(at + many),
                _ => break,
            }
            many += 1;
        }
        words.into_iter().for_each(|(word, mask)| self.emit(Step::Clear(word, !mask)));
        for event in events {
            self.effect(event);
        }
        many
    }

    /// The step of a stop, with what it takes.
    fn stop(&mut self, site: u32, seat: Arg, gives: &[Arg]) -> Step {
        let who = match seat {
            Arg::Me => Who::Me,
            // Nobody else plays.
            Arg::Const(0) if self.lowering.program.seats == 1 => Who::Me,
            Arg::Const(seat) => Who::Seat(u8::try_from(seat & 7).unwrap_or(0)),
            other => Who::Slot(self.slot(other, 0)),
        };
        let gives = (1..).zip(gives).map(|(spare, give)| match give {
            Arg::Const(value) => Ok(*value),
            other => Err(self.slot(*other, spare)),
        });
        let slots: Vec<_> = gives.collect();
        let halt = &mut self.lowering.code.aside.halts[site as usize];
        halt.who = who;
        match &mut halt.form {
            HaltForm::Roll(choice, sum, slots_of) => {
                for (kind, slot) in slots.into_iter().enumerate() {
                    match slot {
                        Ok(many) => *sum += many * choice.step(kind),
                        Err(slot) => slots_of.push((slot, choice.step(kind))),
                    }
                }
            }
            HaltForm::Ask(_, actions) => *actions = slots[0].map(i64::cast_unsigned),
            HaltForm::Loop(_) => {}
        }
        Step::Stop(site)
    }
}
