//! What policies read of candidates, yes or no, for all candidates at once.

use rustc_hash::{FxHashMap, FxHashSet};

use super::super::value::At;
use super::super::{Compiler, MOST_OPS};
use super::flat::Flat;
use super::known::Known;
use super::lanes::Lanes;
use super::{MOST, MOST_TABLES, Reads, cost, leave_out};
use crate::op::{Bin, Op, Reg};

/// What a calculation costs besides its steps, in steps, and for how many candidates it is made at least.
const A_CALL: usize = 8;
const CANDIDATES: usize = 4;

impl Compiler<'_> {
    /// Adds calculations for all candidates at once.
    pub(super) fn masks(&mut self, flat: &mut Flat) {
        let labels = flat.ops.iter().enumerate().filter_map(|(at, (op, _))| match op {
            Op::Label(label) => Some((*label, at)),
            _ => None,
        });
        let labels: FxHashMap<u32, usize> = labels.collect();
        for number in 0..self.program.readings.len() {
            let reading = &self.program.readings[number];
            let Some(kind) = reading.kind.filter(|_| reading.is_truth && reading.told.is_none()) else {
                continue;
            };
            let many = usize::from(self.program.kinds[kind].actions);
            if !(2..=MOST).contains(&many) {
                continue;
            }
            for (site, label) in reading.at.clone() {
                let Some(at) = labels.get(&label) else { continue };
                let ops = flat.ops[at + 1..].iter().map(|(op, _)| *op);
                let run: Vec<Op> = ops.take_while(|op| flat.is_calculated(op)).collect();
                let Some([(Op::Give(0, of), _), (Op::Return, _)]) =
                    flat.ops.get(at + 1 + run.len()..at + 3 + run.len())
                else {
                    continue;
                };
                let of = *of;
                if let Some((ops, mask)) = self.mask(flat, &run, of, many)
                    && self.ops.len() + ops.len() + 3 <= MOST_OPS
                {
                    let label = self.label();
                    self.place(label);
                    self.append(ops);
                    self.give(0, mask);
                    self.emit(Op::Return);
                    self.program.readings[number].masks.push((site, label));
                }
            }
        }
    }

    /// A calculation for so many candidates, and what it comes to, if that is not much longer than for one.
    fn mask(&mut self, flat: &mut Flat, run: &[Op], of: Reg, many: usize) -> Option<(Vec<Op>, At)> {
        let is_large = run.len() * many > MOST_OPS || self.program.tables.len() > MOST_TABLES;
        if is_large || run.iter().any(|op| matches!(op, Op::Take(_, 1..))) {
            return None;
        }
        let mut known = Known::default();
        let (lanes, mut ops) = self.aside(|compiler| {
            let mut one = One { compiler, flat, known: &mut known };
            let lane = |candidate| one.value(run, of, candidate);
            (0..).map(lane).take(many).collect::<Vec<_>>()
        });
        if !lanes.iter().all(|lane| flat.is_truth(*lane)) {
            return None;
        }
        let (mask, more) = self.aside(|compiler| Lanes { compiler, flat, known: &mut known }.truths(&lanes));
        ops.extend(more);
        if ops.len() > MOST_OPS {
            return None;
        }
        let mut reads: FxHashMap<Reg, i32> = FxHashMap::default();
        if let At::Reg(register) = mask {
            reads.insert(register, 1);
        }
        leave_out(&mut ops, &mut Reads { besides: &reads, more: FxHashMap::default() });
        let ops = near(&ops, mask);
        (cost(&ops) <= CANDIDATES * (cost(run) + A_CALL)).then_some((ops, mask))
    }
}

/// The same calculations, each just before the first that reads it: then few registers are in use at a time.
fn near(ops: &[Op], of: At) -> Vec<Op> {
    let by_register: FxHashMap<Reg, Op> = ops.iter().filter_map(|op| Some((op.writes()?, *op))).collect();
    let mut near: Vec<Op> = Vec::with_capacity(ops.len());
    let mut done: FxHashSet<Reg> = FxHashSet::default();
    let mut open: Vec<(Reg, bool)> =
        if let At::Reg(register) = of { vec![(register, false)] } else { Vec::new() };
    while let Some((register, is_ready)) = open.pop() {
        let Some(mut op) = by_register.get(&register).copied().filter(|_| !done.contains(&register)) else {
            continue;
        };
        if is_ready {
            done.insert(register);
            near.push(op);
        } else {
            open.push((register, true));
            let reads: Vec<Reg> = op.reads().map(|read| *read).collect();
            open.extend(reads.into_iter().rev().map(|read| (read, false)));
        }
    }
    near
}

/// The calculation for one candidate.
struct One<'o, 'f> {
    compiler: &'o mut Compiler<'f>,
    flat: &'o mut Flat,
    known: &'o mut Known,
}

impl One<'_, '_> {
    fn value(&mut self, run: &[Op], of: Reg, candidate: i64) -> At {
        let mut values: FxHashMap<Reg, At> = FxHashMap::default();
        for op in run {
            let at = |register: Reg| values.get(&register).copied().unwrap_or(At::Reg(register));
            let value = match *op {
                Op::Take(..) => At::Const(candidate),
                Op::Set(_, value) => At::Const(value),
                Op::Move(_, a) => at(a),
                Op::Bin(bin, _, a, b) => self.bin(bin, at(a), at(b)),
                Op::BinK(bin, _, a, k) => self.bin(bin, at(a), At::Const(k.into())),
                Op::Select(_, c, a, b) => match at(c) {
                    At::Const(c) => at(if c != 0 { a } else { b }),
                    c => {
                        let [c, a, b] = [c, at(a), at(b)].map(|value| self.register(value));
                        self.make(Op::Select(0, c, a, b))
                    }
                },
                Op::Table(_, table, a) => match at(a) {
                    At::Const(a) => {
                        let entries = &self.compiler.program.tables[usize::from(table)];
                        At::Const(usize::try_from(a).ok().and_then(|a| entries.get(a)).copied().unwrap_or(0))
                    }
                    At::Reg(a) => self.make(Op::Table(0, table, a)),
                },
                Op::LoadAt(_, first, len, index) => match at(index) {
                    At::Const(index) if (0..i64::from(len)).contains(&index) => {
                        let cell = first as usize + usize::try_from(index).unwrap_or(0);
                        let place = self.compiler.program.places[cell];
                        self.make(Op::Get(0, place))
                    }
                    index => {
                        let index = self.register(index);
                        self.make(Op::LoadAt(0, first, len, index))
                    }
                },
                mut op => {
                    for register in op.reads() {
                        *register = self.register(at(*register));
                    }
                    op.registers(&mut |register, is_write| {
                        if is_write {
                            *register = 0
                        }
                    });
                    self.make(op)
                }
            };
            values.extend(op.writes().map(|d| (d, value)));
        }
        values.get(&of).copied().unwrap_or(At::Reg(of))
    }

    /// The result of an instruction, which is made once.
    fn make(&mut self, op: Op) -> At {
        let d = self.known.once(op, || self.compiler.register());
        if let Err(d) = d {
            let mut op = op;
            op.registers(&mut |register, is_write| {
                if is_write {
                    *register = d
                }
            });
            self.compiler.emit(op);
            self.flat.note(op, &self.compiler.program);
        }
        At::Reg(d.unwrap_or_else(|d| d))
    }

    fn register(&mut self, at: At) -> Reg {
        match at {
            At::Reg(register) => register,
            At::Const(value) => match self.make(Op::Set(0, value)) {
                At::Reg(register) => register,
                At::Const(_) => 0,
            },
        }
    }

    fn bin(&mut self, bin: Bin, a: At, b: At) -> At {
        let is_either_way =
            matches!(bin, Bin::Add | Bin::Mul | Bin::Min | Bin::Max | Bin::Eq | Bin::Ne | Bin::And | Bin::Or);
        let (a, b) = if is_either_way && matches!(a, At::Const(_)) { (b, a) } else { (a, b) };
        match (bin, a, b) {
            (_, At::Const(a), At::Const(b)) => At::Const(bin.apply(a, b)),
            (Bin::Add | Bin::Sub | Bin::Or, a, At::Const(0)) | (Bin::Mul, a, At::Const(1)) => a,
            (Bin::And | Bin::Mul, _, At::Const(0)) => At::Const(0),
            (Bin::And, a, At::Const(1)) if self.flat.is_truth(a) => a,
            (Bin::Or, a, At::Const(1)) if self.flat.is_truth(a) => At::Const(1),
            (_, At::Reg(a), At::Const(k)) if i32::try_from(k).is_ok() => {
                self.make(Op::BinK(bin, 0, a, i32::try_from(k).unwrap_or(0)))
            }
            _ => {
                let [a, b] = [a, b].map(|value| self.register(value));
                self.make(Op::Bin(bin, 0, a, b))
            }
        }
    }
}
