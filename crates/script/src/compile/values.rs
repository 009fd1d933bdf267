//! Equal calculations are done once: what is known stays known on every way on from there, and what does not change in a
//! loop is worked out before it.

use rustc_hash::{FxHashMap, FxHashSet};

use super::Compiler;
use crate::op::{Cell, Op, Reg, Target};

/// The most loops from which calculations are taken out.
const MOST_LOOPS: usize = 256;

/// Calculations whose results are in registers, in the order in which they became known.
#[derive(Default)]
struct Known {
    registers: FxHashMap<Op, (Reg, usize)>,
    order: Vec<Op>,
    /// How many had become known at the first jump to a label.
    jumps: FxHashMap<Target, usize>,
    /// How many became known.
    count: usize,
}

impl Known {
    fn insert(&mut self, op: Op, register: Reg) {
        self.registers.insert(op, (register, self.count));
        self.order.push(op);
        self.count += 1;
    }

    fn clear(&mut self) {
        self.registers.clear();
        self.order.clear();
    }

    fn jump(&mut self, to: Target) {
        self.jumps.entry(to).or_insert(self.count);
    }

    /// Forgets the numbers of a clock: every block reads them itself.
    fn forget(&mut self, clocks: [Cell; 2]) {
        self.registers.retain(|op, _| !matches!(op, Op::Load(_, cell) if clocks.contains(cell)));
    }

    /// Forgets what is not known on all ways to a label.
    fn label(&mut self, label: Target) {
        let Some(&count) = self.jumps.get(&label) else { return };
        while let Some(op) = self.order.last() {
            match self.registers.get(op) {
                Some((_, at)) if *at < count => break,
                _ => self.registers.remove(op),
            };
            self.order.pop();
        }
    }

    /// A cell changes, or one of a row.
    fn store(&mut self, first: u32, len: u32, is_one: bool) {
        let cells = first..first + len;
        self.registers.retain(|op, _| match op {
            Op::Load(_, cell) => !cells.contains(cell),
            Op::LoadAt(_, row, many, _) if is_one => !(*row..*row + *many).contains(&first),
            Op::LoadAt(_, row, ..) => *row != first,
            _ => true,
        });
    }
}

impl Compiler<'_> {
    /// How often every register is written.
    fn writes(&mut self) -> Vec<u32> {
        let mut writes = vec![0_u32; self.registers as usize];
        for op in &mut self.ops {
            op.writes().into_iter().for_each(|register| writes[register as usize] += 1);
        }
        writes
    }

    /// Equal calculations are done once, and a stored value is not loaded again.
    pub(super) fn number_values(&mut self) {
        let writes = self.writes();
        let is_single = |register: Reg| writes[register as usize] == 1;
        let readings = self.program.readings.iter().flat_map(|reading| &reading.at).map(|(_, label)| *label);
        let entries: FxHashSet<Target> = readings.chain([self.measure]).collect();
        let mut placed: FxHashSet<Target> = FxHashSet::default();
        let later: FxHashSet<Target> = self
            .ops
            .iter()
            .filter_map(|op| {
                if let Op::Label(label) = op {
                    placed.insert(*label);
                }
                op.target().filter(|to| placed.contains(to))
            })
            .collect();
        let clocks = [self.hidden.round, self.hidden.turns];
        let mut known = Known::default();
        let mut renamed: FxHashMap<Reg, Reg> = FxHashMap::default();
        let mut ops = Vec::with_capacity(self.ops.len());
        for mut op in std::mem::take(&mut self.ops) {
            for register in op.reads() {
                *register = *renamed.get(register).unwrap_or(register);
            }
            if let Some(to) = op.target() {
                known.jump(to);
                known.forget(clocks);
            }
            match op {
                Op::Label(label) if later.contains(&label) || entries.contains(&label) => known.clear(),
                Op::Label(label) => {
                    known.label(label);
                    known.forget(clocks);
                }
                Op::Roll(_) | Op::Draw(_) | Op::Ask(_) => known.clear(),
                Op::Store(cell, register) => {
                    known.store(cell, 1, true);
                    if is_single(register) {
                        known.insert(Op::Load(0, cell), register);
                    }
                }
                Op::StoreAt(first, len, ..) => known.store(first, len, false),
                _ if op.is_pure() && !matches!(op, Op::Take(..)) => {
                    let mut key = op;
                    let (mut d, mut is_sure) = (0, true);
                    key.registers(&mut |register, is_write| {
                        is_sure &= is_single(*register);
                        if is_write {
                            d = std::mem::take(register);
                        }
                    });
                    if is_sure {
                        if let Some((same, _)) = known.registers.get(&key) {
                            renamed.insert(d, *same);
                            continue;
                        }
                        known.insert(key, d);
                    }
                }
                _ => {}
            }
            ops.push(op);
        }
        self.ops = ops;
    }

    /// Takes calculations out of loops in which nothing that they read changes, and in which nothing stops.
    pub(super) fn hoist(&mut self) {
        let mut at = 0;
        for _ in 0..MOST_LOOPS {
            let Some((top, bottom)) = self.next_loop(at) else { return };
            let moved = self.hoist_from(top, bottom);
            at = bottom + moved + 1;
        }
    }

    /// The next loop that ends after an address: its label, and the last jump there. Nothing leads to it from further up.
    fn next_loop(&self, from: usize) -> Option<(usize, usize)> {
        let mut ends: FxHashMap<Target, (usize, usize)> = FxHashMap::default();
        for (at, to) in self.ops.iter().enumerate().filter_map(|(at, op)| Some((at, op.target()?))) {
            ends.entry(to).or_insert((at, at)).1 = at;
        }
        let loops = self.ops.iter().enumerate().filter_map(|(top, op)| match op {
            Op::Label(label) => {
                ends.get(label).filter(|(first, _)| *first > top).map(|(_, last)| (top, *last))
            }
            _ => None,
        });
        let closed = loops.filter(|(top, bottom)| {
            *bottom >= from && !self.ops[*top..*bottom].iter().any(|op| op.is_stop())
        });
        closed.min_by_key(|(_, bottom)| *bottom)
    }

    /// Returns by how much the loop became later.
    fn hoist_from(&mut self, top: usize, bottom: usize) -> usize {
        let writes = self.writes();
        let mut changed: FxHashSet<Reg> = FxHashSet::default();
        let mut constants: FxHashMap<Reg, i64> = FxHashMap::default();
        let mut stored: Vec<(u32, u32)> = Vec::new();
        for op in &mut self.ops[top..bottom] {
            match *op {
                Op::Store(cell, _) | Op::Tick(cell, _) => stored.push((cell, 1)),
                Op::StoreAt(first, len, ..) => stored.push((first, len)),
                Op::Set(d, value) if writes[d as usize] == 1 => {
                    constants.insert(d, value);
                }
                _ => {}
            }
            changed.extend(op.writes());
        }
        let is_stored = |first: u32, len: u32| {
            stored.iter().any(|(other, many)| first < other + many && *other < first + len)
        };
        let (mut before, mut body) = (Vec::new(), Vec::new());
        let inside = self.ops[top..bottom].to_vec();
        for mut op in inside {
            let is_still = match op {
                Op::Load(_, cell) => !is_stored(cell, 1),
                Op::LoadAt(_, first, len, _) => !is_stored(first, len),
                Op::Set(..) | Op::Move(..) | Op::Take(..) => false,
                op => op.is_pure(),
            };
            let d = op.writes().filter(|d| is_still && writes[*d as usize] == 1);
            let is_fixed =
                |register: &mut Reg| !changed.contains(register) || constants.contains_key(register);
            let Some(d) = d.filter(|_| op.reads().all(is_fixed)) else {
                body.push(op);
                continue;
            };
            self.with_constants(&mut op, &constants, &mut before);
            changed.remove(&d);
            before.push(op);
        }
        let moved = before.len();
        let grown = before.len() + body.len() - (bottom - top);
        self.ops.splice(top..bottom, before.into_iter().chain(body));
        debug_assert!(moved >= grown);
        grown
    }

    /// Puts constants next to where they are read: there they become operands.
    pub(super) fn constants_near(&mut self) {
        let writes = self.writes();
        let constants: FxHashMap<Reg, i64> = self
            .ops
            .iter()
            .filter_map(|op| match op {
                Op::Set(d, value) if writes[*d as usize] == 1 => Some((*d, *value)),
                _ => None,
            })
            .collect();
        let mut ops = Vec::with_capacity(self.ops.len());
        for mut op in std::mem::take(&mut self.ops) {
            if !matches!(op, Op::Set(d, _) if constants.contains_key(&d)) {
                self.with_constants(&mut op, &constants, &mut ops);
                ops.push(op);
            }
        }
        self.ops = ops;
    }

    /// Has an instruction read constants from registers that are set just before it.
    fn with_constants(&mut self, op: &mut Op, constants: &FxHashMap<Reg, i64>, before: &mut Vec<Op>) {
        for register in op.reads() {
            if let Some(value) = constants.get(register) {
                *register = self.register();
                before.push(Op::Set(*register, *value));
            }
        }
    }
}
