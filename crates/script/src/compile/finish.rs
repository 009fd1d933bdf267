//! The last steps: equal calculations are done once, what nothing reads is left out, cells get places in the words of the
//! state, registers are shared, and labels become addresses.

use std::borrow::Cow;
use std::sync::atomic::{AtomicU64, Ordering};

use rustc_hash::FxHashMap;

use super::Compiler;
use super::liveness::{Flow, Live, Reads};
use super::variable::Var;
use crate::kept::Kept;
use crate::layout::Bags;
use crate::lower::lower;
use crate::machine::MOST_REGISTERS;
use crate::op::{Named, Op, Program};
use crate::pool::Throws;
use crate::problem::Problem;

/// How many programs were compiled.
static PROGRAMS: AtomicU64 = AtomicU64::new(1);

static BAGS: Kept<Bags> = Kept::new();
static THROWS: Kept<Throws> = Kept::new();

impl Compiler<'_> {
    pub(super) fn finish(mut self) -> Result<Program, Vec<Problem>> {
        if self.ops.len() > super::MOST_OPS {
            let (many, most) = (self.ops.len(), super::MOST_OPS);
            let message =
                format!("the game is too large: it takes {many} instructions, and {most} are the most");
            let help = "a loop over names or players is written out for each of them, in every place where its `define` is used, and \
                        every `see` and `candidate` once more for each question: use fewer names, or loops in loops";
            return Err(vec![Problem::new(0..0, message).help(help)]);
        }
        self.check_looks()?;
        self.reachable();
        self.straighten();
        self.hoist();
        self.number_values();
        let mut flow = self.flow(None);
        let played = self.played(&flow);
        let mut live = self.liveness(&flow, Reads::All);
        if self.leave_out_conditions(&flow, &live, &played) {
            self.reachable();
            flow = self.flow(None);
            live = self.liveness(&flow, Reads::All);
        }
        let positions = self.positions(&flow, &live, played);
        self.leave_out(&flow, &live);
        self.places()?;
        self.put_positions(positions);
        self.constants_near();
        let (unshared, registers) = (self.ops.clone(), self.registers as usize);
        let labels: Vec<_> = self.program.readings.iter().map(|reading| reading.at.clone()).collect();
        self.planes();
        if self.allocate().is_err() {
            // What is calculated for all at once takes too many registers.
            self.ops.clone_from(&unshared);
            self.program.readings.iter_mut().for_each(|reading| reading.masks.clear());
            self.allocate()?;
        }
        let ops = std::mem::take(&mut self.ops);
        self.program.ops = self.addressed(ops);
        self.program.me = self.hidden.me;
        // What is paid out is no part of states.
        let is_kept = |number: usize| self.paid_variable(number).is_none();
        let kept = self.variables.iter().enumerate().map(|(number, var)| is_kept(number).then_some(var));
        self.program.named = kept.map(|var| named(var?)).collect();
        self.program.told =
            self.variables.iter().enumerate().filter_map(|(number, var)| self.told(number, var)).collect();
        (self.program.counts, self.program.clocks) = self.counts();
        self.program.atoms = self.atoms.iter().map(|atom| atom.name.clone()).collect();
        let me = self.hidden.me.map(|cell| self.program.places[cell as usize]).filter(|place| place.bits > 0);
        self.program.bags = Cow::Borrowed(BAGS.one_of(self.program.bags.into_owned()));
        let (code, throws) = lower(&self.program, me);
        self.program.code = code;
        let throws = THROWS.one_of(throws);
        self.program.throws = Some(throws);
        // Steps are what is run, and lanes are made of the same without planes, in registers of its own.
        self.program.ops = Vec::new();
        self.program.readings.iter_mut().zip(labels).for_each(|(reading, labels)| {
            reading.at = labels;
            reading.masks.clear();
        });
        self.program.unshared = (self.addressed(unshared), registers);
        self.program.code.settle(throws);
        self.program.number = PROGRAMS.fetch_add(1, Ordering::Relaxed);
        Ok(self.program)
    }

    /// Leaves out what no way leads to.
    fn reachable(&mut self) {
        let labels: FxHashMap<u32, usize> = self
            .ops
            .iter()
            .enumerate()
            .filter_map(|(at, op)| match op {
                Op::Label(label) => Some((*label, at)),
                _ => None,
            })
            .collect();
        let mut seen = vec![false; self.ops.len()];
        let readings =
            self.program.readings.iter().flat_map(|reading| reading.at.iter().map(|(_, label)| *label));
        let entries = readings.chain([self.measure]).filter_map(|label| labels.get(&label).copied());
        let mut rest: Vec<usize> = entries.chain([0]).collect();
        while let Some(mut at) = rest.pop() {
            while at < seen.len() && !seen[at] {
                seen[at] = true;
                if let Some(to) = self.ops[at].target().and_then(|to| labels.get(&to)) {
                    rest.push(*to);
                }
                if matches!(self.ops[at], Op::Jump(_) | Op::End(_) | Op::Return) {
                    break;
                }
                at += 1;
            }
        }
        let mut seen = seen.into_iter();
        self.ops.retain(|_| seen.next() == Some(true));
    }

    fn leave_out(&mut self, flow: &Flow, live: &[Live]) {
        let mut needed = vec![true; self.ops.len()];
        for block in 0..flow.starts.len() {
            let _ = self.backwards(flow, live, (0, block), Reads::All, |at, is| needed[at] = is);
        }
        self.certain(flow, live, &needed);
        let mut needed = needed.into_iter();
        self.ops.retain(|_| needed.next() == Some(true));
    }

    /// Checks show those variables whose values are in the state when they fail.
    fn certain(&mut self, flow: &Flow, live: &[Live], needed: &[bool]) {
        for (block, live) in live.iter().enumerate() {
            let mut cells = live.cells.clone();
            for at in self.range(flow, block) {
                match self.ops[at] {
                    Op::Store(cell, _) => cells.put(cell, needed[at]),
                    Op::StoreAt(first, len, ..) if !needed[at] => {
                        (first..first + len).for_each(|cell| cells.put(cell, false));
                    }
                    Op::Check(_, number) | Op::CheckSum(_, _, number) => {
                        let variables = &self.variables;
                        let is_certain = |variable: &usize| {
                            let var = &variables[*variable];
                            (var.first..).take(var.len()).all(|cell| cells.has(cell))
                        };
                        self.program.checks[number as usize].seen.retain(is_certain);
                    }
                    _ => {}
                }
            }
        }
    }

    /// Shares registers: one is free again after its last use.
    fn allocate(&mut self) -> Result<(), Vec<Problem>> {
        let len = self.registers as usize;
        let (mut first, mut last) = (vec![usize::MAX; len], vec![0; len]);
        for (at, op) in self.ops.iter_mut().enumerate() {
            op.registers(&mut |register, _| {
                let register = *register as usize;
                first[register] = first[register].min(at);
                last[register] = at;
            });
        }
        // What is made before a loop and used in it is used until its end.
        let mut by_label = FxHashMap::default();
        let mut backwards = Vec::new();
        for (at, op) in self.ops.iter().enumerate() {
            match op {
                Op::Label(label) => {
                    by_label.insert(*label, at);
                }
                op => backwards.extend(op.target().and_then(|to| by_label.get(&to)).map(|to| (*to, at))),
            }
        }
        loop {
            let mut is_done = true;
            for &(top, bottom) in &backwards {
                for register in 0..len {
                    if first[register] < top && (top..bottom).contains(&last[register]) {
                        last[register] = bottom;
                        is_done = false;
                    }
                }
            }
            if is_done {
                break;
            }
        }
        let mut order: Vec<usize> = (0..len).filter(|register| first[*register] != usize::MAX).collect();
        order.sort_by_key(|register| first[*register]);
        let mut homes = vec![0_u32; len];
        let mut free: Vec<u32> = Vec::new();
        let mut busy: Vec<(usize, u32)> = Vec::new();
        let mut next = 0;
        for register in order {
            busy.retain(|&(end, home)| {
                let is_busy = end > first[register];
                if !is_busy {
                    free.push(home);
                }
                is_busy
            });
            let home = free.pop().unwrap_or_else(|| {
                next += 1;
                next - 1
            });
            homes[register] = home;
            busy.push((last[register], home));
        }
        self.program.registers = next as usize;
        // Some are for what stops give, for constants, and for whose turn it is.
        if self.program.registers > MOST_REGISTERS - 32 {
            return Err(vec![Problem::new(0..0, "some calculation of this game is too large")]);
        }
        for op in &mut self.ops {
            op.registers(&mut |register, _| *register = homes[*register as usize]);
        }
        Ok(())
    }

    /// Instructions with addresses in place of labels.
    fn addressed(&mut self, mut ops: Vec<Op>) -> Vec<Op> {
        let mut labels = FxHashMap::default();
        let mut address = 0;
        for op in &ops {
            match op {
                Op::Label(label) => {
                    labels.insert(*label, address);
                }
                Op::Mark(_) => {}
                _ => address += 1,
            }
        }
        let of = |label: u32| labels.get(&label).copied().unwrap_or(0);
        ops.retain(|op| !matches!(op, Op::Label(_) | Op::Mark(_)));
        for (at, op) in (0_u32..).zip(&mut ops) {
            match op {
                Op::Jump(to) | Op::JumpIf(_, to) | Op::JumpUnless(_, to) | Op::Tick(_, to) => *to = of(*to),
                Op::Roll(site) | Op::Draw(site) | Op::Ask(site) => {
                    self.program.sites[*site as usize].resume = at + 1;
                }
                _ => {}
            }
        }
        self.program.measure = of(self.measure);
        for reading in &mut self.program.readings {
            reading.at.iter_mut().chain(&mut reading.masks).for_each(|(_, at)| *at = of(*at));
        }
        ops
    }
}

/// A variable as people are shown it, if it is one value.
fn named(var: &Var) -> Option<Named> {
    let kind = var.kind.named()?;
    let is_one = var.dims.len() == usize::from(var.is_players) && !var.name.is_empty();
    let range = (*var.lows.first()?, *var.highs.first()?);
    is_one.then(|| Named {
        name: var.name.clone(),
        kind,
        first: var.first,
        is_players: var.is_players,
        range,
    })
}
