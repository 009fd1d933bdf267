//! Writes code: results stay in the accumulator where the next instruction wants them.

use std::collections::BTreeMap;

use super::steps::{Order, from_constant, is_binary, is_comparison, not, straight, turned, with_constant};
use super::{Lowering, io, k32, small};
use crate::code::{HaltForm, Slot, Step, Who};
use crate::ir::{Arg, Cells, Ir, step_back};
use crate::op::{Bin, Reg, event_of};
use crate::row::Bits;
use crate::set::Set;
use crate::state::Place;
use rustc_hash::FxHashMap;

/// Writes the steps of a block.
pub(super) struct Writer<'l, 'p> {
    pub(super) lowering: &'l mut Lowering<'p>,
    pub(super) live: &'l FxHashMap<usize, Set>,
    /// The register whose value is in the accumulator, and whether it is in the register, too.
    pub(super) acc: Option<Reg>,
    pub(super) is_kept: bool,
    /// Another register with the same value.
    pub(super) same: Option<Reg>,
    pub(super) block: &'l [Ir],
    pub(super) out: Set,
    pub(super) next: Option<usize>,
    pub(super) is_reading: bool,
}

pub(super) fn slot(register: Reg) -> Slot {
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
            at += self.ir(at, &after);
        }
        let falls = self.block.last().is_none_or(|last| !last.leaves());
        if falls {
            self.keep(&self.out.clone());
        }
    }

    fn emit(&mut self, step: Step) {
        self.lowering.code.steps.push(step);
    }

    fn jump(&mut self, step: Step) {
        self.lowering.jumps.push(self.lowering.code.steps.len());
        self.emit(step);
    }

    /// Puts the accumulator into its register if that is still read.
    fn keep(&mut self, live: &Set) {
        if let Some(register) = self.acc.filter(|register| !self.is_kept && live.has(*register)) {
            self.emit(Step::Keep(slot(register)));
            self.is_kept = true;
        }
    }

    /// Puts a value into the accumulator.
    fn load(&mut self, arg: Arg, live: &Set) {
        match arg {
            Arg::Reg(register) if self.acc == Some(register) || self.same == Some(register) => {}
            Arg::Reg(register) => {
                self.keep(live);
                self.emit(Step::Slot(slot(register)));
                (self.acc, self.is_kept, self.same) = (Some(register), true, None);
            }
            known => {
                self.keep(live);
                self.emit(if let Arg::Const(value) = known { Step::Const(value) } else { Step::Me });
                (self.acc, self.same) = (None, None);
            }
        }
    }

    /// A register with a value, for an operand that must be in one.
    fn in_register(&mut self, arg: Arg, spare: Reg, live: &Set) -> Slot {
        match arg {
            Arg::Reg(register) => {
                if self.acc == Some(register) && !self.is_kept {
                    self.emit(Step::Keep(slot(register)));
                    self.is_kept = true;
                }
                slot(register)
            }
            other => {
                self.load(other, live);
                self.emit(Step::Keep(slot(spare)));
                self.lowering.top = self.lowering.top.max(spare + 1);
                slot(spare)
            }
        }
    }

    /// Puts a value into the accumulator, to be changed.
    fn take(&mut self, arg: Arg, live: &Set) {
        self.load(arg, live);
        self.keep(live);
    }

    fn set(&mut self, d: Reg) {
        (self.acc, self.is_kept, self.same) = (Some(d), false, None);
    }

    /// Writes an instruction; returns how many were used up.
    fn ir(&mut self, at: usize, after: &[Set]) -> usize {
        let block = self.block;
        // What may still be needed when this one is done, and all that it reads.
        let mut live = after[at + 1].clone();
        let d = block[at].writes();
        if let Some(d) = d {
            live.put(d, false);
        }
        if let Some(target) = block[at].target().and_then(|to| self.live.get(&to)) {
            live.join(target);
        }
        let mut with_reads = live.clone();
        block[at].reads().into_iter().for_each(|register| with_reads.put(register, true));
        match block[at].clone() {
            Ir::Copy(d, arg) => {
                self.take(arg, &live);
                let same = self.acc.filter(|_| self.is_kept);
                self.set(d);
                self.same = same;
            }
            Ir::Bin(bin, d, a, b) => {
                if let (Some(Ir::JumpIf(Arg::Reg(c), wanted, to)), true) =
                    (block.get(at + 1), is_comparison(bin))
                    && *c == d
                    && !after[at + 2].has(d)
                    && self.live.get(to).is_none_or(|set| !set.has(d))
                {
                    self.compare(if *wanted { bin } else { not(bin) }, *wanted, a, b, *to, &after[at + 2]);
                    return 2;
                }
                self.bin(bin, a, b, &live, &with_reads);
                self.set(d);
            }
            Ir::Select(d, c, a, b) => {
                if let (Arg::Const(a), Arg::Const(b)) = (a, b)
                    && let (Some(a), Some(b)) = (k32(a), k32(b))
                {
                    self.take(c, &live);
                    self.emit(Step::SelectK(a, b));
                } else {
                    let spare = self.lowering.spare;
                    let a = self.in_register(a, spare, &with_reads);
                    let b = self.in_register(b, spare + 1, &with_reads);
                    self.take(c, &live);
                    self.emit(Step::Select(a, b));
                }
                self.set(d);
            }
            Ir::Table(d, table, a) => {
                self.take(a, &live);
                let (first, len) = self.lowering.tables[usize::from(table)];
                self.emit(Step::Table(first, len));
                self.set(d);
            }
            Ir::Bag(op, layout, d, a, b) => {
                let spare = self.lowering.spare;
                let b = if is_binary(op) { self.in_register(b, spare, &with_reads) } else { 0 };
                self.take(a, &live);
                self.emit(Step::Bag(op, layout, b));
                self.set(d);
            }
            Ir::Get(d, place) => {
                // What is added to the accumulator and not needed apart.
                if let Some(Ir::Bin(Bin::Add, e, Arg::Reg(a), Arg::Reg(b))) = block.get(at + 1)
                    && a != b
                    && [*a, *b].contains(&d)
                    && (*e == d || !after[at + 2].has(d))
                    && self.acc.is_some_and(|acc| [*a, *b].contains(&acc) && acc != d)
                {
                    let mut live = after[at + 2].clone();
                    live.put(*e, false);
                    self.keep(&live);
                    self.emit(Step::AddGet(Bits::of(place), place.low));
                    self.set(*e);
                    return 2;
                }
                self.keep(&live);
                let bits = Bits::of(place);
                self.emit(if place.low == 0 { Step::Get(bits) } else { Step::GetLow(bits, place.low) });
                self.set(d);
            }
            Ir::At(d, Cells::Near(row, low), Arg::Me) => {
                self.keep(&live);
                self.emit(Step::AtMe(row, low));
                self.set(d);
            }
            Ir::At(d, cells, i) => {
                self.take(i, &live);
                self.emit(match cells {
                    Cells::Near(row, low) => Step::At(row, low),
                    Cells::Wide(row, low) => Step::Wide(row, low),
                    Cells::Far(number) => Step::Far(number),
                });
                self.set(d);
            }
            Ir::Put(place, Arg::Const(value)) if !self.is_me(place) && value == i64::from(place.low) => {
                return self.clear(at);
            }
            Ir::Put(place, a) => {
                self.load(a, &live);
                let bits = Bits::of(place);
                self.emit(match place.low {
                    _ if self.is_me(place) => Step::PutMe,
                    0 => Step::Put(bits),
                    low => Step::PutLow(bits, low),
                });
            }
            Ir::PutAt(Cells::Near(row, low), Arg::Me, a) => {
                self.load(a, &live);
                self.emit(Step::PutAtMe(row, low));
            }
            Ir::PutAt(cells, i, a) => {
                let spare = self.lowering.spare;
                let i = self.in_register(i, spare, &with_reads);
                self.load(a, &live);
                self.emit(match cells {
                    Cells::Near(row, low) => Step::PutAt(row, low, i),
                    Cells::Wide(row, low) => Step::PutWide(row, low, i),
                    Cells::Far(number) => Step::PutFar(number, i),
                });
            }
            Ir::Jump(to) => {
                self.keep_for(to);
                if self.next != Some(to) {
                    self.jump(Step::Jump(small(to)));
                }
            }
            Ir::JumpIf(a, wanted, to) => {
                self.load(a, &with_reads);
                self.keep_for(to);
                self.jump(if wanted { Step::JumpIf(small(to)) } else { Step::JumpUnless(small(to)) });
            }
            Ir::Check(a, number) => {
                self.load(a, &live);
                let check = &self.lowering.program.checks[number as usize];
                let step = match (k32(check.low), k32(check.high)) {
                    (Some(low), Some(high)) => Step::Within(low, high, number),
                    _ => Step::Check(number),
                };
                self.emit(step);
            }
            Ir::Event(event, seat) => match seat {
                Arg::Me => self.emit(Step::EventMe(event_of(event))),
                Arg::Const(seat) => {
                    self.emit(Step::EventOf(event_of(event), u8::try_from(seat & 7).unwrap_or(0)));
                }
                seat => {
                    self.load(seat, &live);
                    self.emit(Step::Event(event_of(event)));
                }
            },
            Ir::Events(event, seat, many) => {
                let spare = self.lowering.spare;
                let seat = self.in_register(seat, spare, &with_reads);
                self.load(many, &live);
                self.emit(Step::Events(event_of(event), seat));
            }
            Ir::Tick(_, to) => {
                self.keep_for(to);
                if let Some(Ir::Stop(site, ..)) = block.get(at + 1) {
                    self.lowering.capped.insert(*site, to);
                } else {
                    self.jump(Step::Tick(small(to)));
                }
            }
            Ir::Give(k, a) => {
                self.load(a, &live);
                // A reading has one number, which is the accumulator.
                if !self.is_reading {
                    self.emit(Step::Give(slot(io(self.lowering.io, k))));
                }
            }
            Ir::Stop(site, seat, gives) => self.stop(site, seat, &gives, &with_reads),
            Ir::End(ending) => self.emit(Step::End(ending)),
            Ir::Return => self.emit(Step::Return),
        }
        1
    }

    fn is_me(&self, place: Place) -> bool {
        self.lowering.me.is_some_and(|me| (me.word, me.shift) == (place.word, place.shift))
    }

    /// Sets cells to 0 that are set one after the other, word by word; returns how many instructions that are.
    fn clear(&mut self, at: usize) -> usize {
        let mut words: BTreeMap<u8, u64> = BTreeMap::new();
        let mut many = 0;
        while let Some(Ir::Put(place, Arg::Const(value))) = self.block.get(at + many) {
            if *value != i64::from(place.low) || self.is_me(*place) {
                break;
            }
            *words.entry(place.word).or_default() |= place.mask() << (place.shift & 63);
            many += 1;
        }
        words.into_iter().for_each(|(word, mask)| self.emit(Step::Clear(word, !mask)));
        many
    }

    /// Puts the accumulator into its register if what a jump leads to reads it.
    fn keep_for(&mut self, to: usize) {
        if let Some(target) = self.live.get(&to).cloned() {
            self.keep(&target);
        }
    }

    fn bin(&mut self, bin: Bin, a: Arg, b: Arg, live: &Set, with_reads: &Set) {
        if let Arg::Const(k) = b
            && let Some(step) = with_constant(bin, k)
        {
            self.take(a, live);
            return self.emit(step);
        }
        if let Arg::Const(k) = a
            && let Some(step) = from_constant(bin, k)
        {
            self.take(b, live);
            return self.emit(step);
        }
        let spare = self.lowering.spare;
        let is_second = matches!(b, Arg::Reg(b) if self.acc == Some(b)) && a != b;
        if let (true, Some(turned), Arg::Reg(a)) = (is_second, turned(bin), a) {
            self.keep(live);
            return self.emit(turned(slot(a)));
        }
        let b = self.in_register(b, spare, with_reads);
        self.take(a, live);
        self.emit(straight(bin)(b));
    }

    /// Jumps if a comparison holds.
    fn compare(&mut self, bin: Bin, wanted: bool, a: Arg, b: Arg, to: usize, live: &Set) {
        let label = small(to);
        let mut live = live.clone();
        if let Some(target) = self.live.get(&to) {
            live.join(target);
        }
        // `bin` is Eq, Ne, Lt or Le, or with `wanted` false the opposite of one.
        let order = |bin: Bin| match (bin, wanted) {
            (Bin::Eq, _) => Order::Eq,
            (Bin::Ne, _) => Order::Ne,
            (Bin::Lt, true) => Order::Lt,
            (Bin::Le, true) => Order::Le,
            (Bin::Lt, false) => Order::Ge,
            _ => Order::Gt,
        };
        let order = order(bin);
        let (order, a, b) = match (a, b) {
            (Arg::Const(_), b) => (order.turned(), b, a),
            (a, Arg::Reg(b)) if self.acc == Some(b) && a != Arg::Reg(b) => (order.turned(), Arg::Reg(b), a),
            _ => (order, a, b),
        };
        if let Arg::Const(k) = b {
            let step = match order {
                Order::Eq => k32(k).map(|k| Step::JumpEqK(k, label)),
                Order::Ne => k32(k).map(|k| Step::JumpNeK(k, label)),
                Order::Lt => k32(k).map(|k| Step::JumpLtK(k, label)),
                Order::Ge => k32(k).map(|k| Step::JumpGeK(k, label)),
                Order::Le => k32(k.saturating_add(1)).map(|k| Step::JumpLtK(k, label)),
                Order::Gt => k32(k.saturating_add(1)).map(|k| Step::JumpGeK(k, label)),
            };
            if let Some(step) = step {
                self.load(a, &live);
                self.keep_for(to);
                return self.jump(step);
            }
        }
        let spare = self.lowering.spare;
        let mut with_reads = live.clone();
        for arg in [a, b] {
            if let Arg::Reg(register) = arg {
                with_reads.put(register, true);
            }
        }
        let b = self.in_register(b, spare, &with_reads);
        self.load(a, &live);
        self.keep_for(to);
        self.jump(match order {
            Order::Eq => Step::JumpEq(b, label),
            Order::Ne => Step::JumpNe(b, label),
            Order::Lt => Step::JumpLt(b, label),
            Order::Ge => Step::JumpGe(b, label),
            Order::Le => Step::JumpLe(b, label),
            Order::Gt => Step::JumpGt(b, label),
        });
    }

    fn stop(&mut self, site: u32, seat: Arg, gives: &[Arg], with_reads: &Set) {
        let mut spare = self.lowering.spare;
        let who = match seat {
            Arg::Me => Who::Me,
            // Nobody else plays.
            Arg::Const(0) if self.lowering.program.seats == 1 => Who::Me,
            Arg::Const(seat) => Who::Seat(u8::try_from(seat & 7).unwrap_or(0)),
            other => Who::Slot(self.in_register(other, spare, with_reads)),
        };
        let mut slots = Vec::new();
        for give in gives {
            slots.push(match give {
                Arg::Const(value) => Ok(*value),
                Arg::Me => {
                    spare += 1;
                    Err(self.in_register(Arg::Me, spare, with_reads))
                }
                other => Err(self.in_register(*other, spare, with_reads)),
            });
        }
        let halt = &mut self.lowering.code.aside.halts[site as usize];
        halt.who = who;
        let step = match &mut halt.form {
            HaltForm::Roll(choice, sum, slots_of) => {
                for (kind, slot) in slots.into_iter().enumerate() {
                    match slot {
                        Ok(many) => *sum += many * choice.step(kind),
                        Err(slot) => slots_of.push((slot, choice.step(kind))),
                    }
                }
                let is_known =
                    slots_of.is_empty() && who == Who::Me && self.lowering.capped.contains_key(&site);
                if is_known { Step::RollMe(site) } else { Step::Stop(site) }
            }
            HaltForm::Loop(_) => return,
            HaltForm::Ask(_, actions) => {
                *actions = match slots[0] {
                    Ok(known) => Ok(known.cast_unsigned()),
                    Err(slot) => Err(slot),
                };
                match (who, slots[0]) {
                    (Who::Me, Ok(actions))
                        if actions.count_ones() > 1
                            && u32::try_from(actions).is_ok()
                            && self.lowering.capped.contains_key(&site) =>
                    {
                        Step::AskMe(site, u32::try_from(actions).unwrap_or(0))
                    }
                    _ => Step::Stop(site),
                }
            }
        };
        self.emit(step);
    }
}
