//! Several truths as the bits of one number.

use super::super::Compiler;
use super::super::value::At;
use super::distinct::{Distinct, bits};
use super::flat::Flat;
use super::known::{Known, key, keys};
use crate::every::Every;
use crate::op::{Bin, Op, Reg};

/// A calculation, with the numbers in it that are known.
pub(super) enum Node {
    Bin(Bin, At, At),
    Select(At, At, At),
    Other(Op),
}

/// The calculations of a run.
pub(super) struct Lanes<'l, 'f> {
    pub(super) compiler: &'l mut Compiler<'f>,
    pub(super) flat: &'l Flat,
    pub(super) known: &'l mut Known,
}

/// All bits of so many.
pub(super) fn all(many: usize) -> i64 {
    (1 << many) - 1
}

impl Lanes<'_, '_> {
    /// The result of an instruction, which is made once.
    pub(super) fn once(&mut self, op: impl Fn(Reg) -> Op) -> At {
        let d = self.known.once(op(0), || self.compiler.register());
        d.inspect_err(|d| self.compiler.emit(op(*d))).map_or_else(At::Reg, At::Reg)
    }

    /// The sum of several truths, or small numbers.
    pub(super) fn total(&mut self, lanes: &[At]) -> Option<At> {
        let is_truth = lanes.iter().all(|at| self.flat.is_truth(*at));
        let planes = if is_truth { vec![self.truths(lanes)] } else { self.numbers(lanes)? };
        Some((0..).zip(planes).fold(At::Const(0), |all, (bit, plane)| {
            let many = match plane {
                At::Const(bits) => At::Const(bits.count_ones().into()),
                At::Reg(a) => self.once(|d| Op::Ones(d, a)),
            };
            let part = self.bin(Bin::Mul, many, At::Const(1 << bit));
            self.bin(Bin::Add, all, part)
        }))
    }

    /// Bits side by side that stand for bits at equal distances, by what they were before.
    fn apart(&self, at: At) -> Option<(Reg, Every)> {
        let At::Reg(register) = at else { return None };
        self.known.every.get(&register).copied()
    }

    pub(super) fn every(&mut self, word: Reg, every: Every) -> At {
        let at = self.once(|d| Op::Every(d, word, every));
        if let At::Reg(register) = at {
            self.known.every.insert(register, (word, every));
        }
        at
    }

    pub(super) fn bin(&mut self, bin: Bin, a: At, b: At) -> At {
        if let (Bin::And | Bin::Or, Some((a, of_a)), Some((b, of_b))) = (bin, self.apart(a), self.apart(b))
            && (of_a.step, of_a.many) == (of_b.step, of_b.many)
            && (a, of_a) != (b, of_b)
        {
            // They are put side by side afterwards: that takes longer than anything else.
            let a = self.bin(Bin::Shr, At::Reg(a), At::Const(of_a.from.into()));
            let b = self.bin(Bin::Shr, At::Reg(b), At::Const(of_b.from.into()));
            return match self.bin(bin, a, b) {
                At::Reg(word) => self.every(word, Every { from: 0, ..of_a }),
                at => at,
            };
        }
        match (bin, a, b) {
            (Bin::And | Bin::Mul, _, At::Const(0)) | (Bin::And | Bin::Mul, At::Const(0), _) => {
                return At::Const(0);
            }
            (Bin::And | Bin::Or, a, b) if a == b => return a,
            (Bin::Shl | Bin::Shr, a, At::Const(0)) => return a,
            _ => {}
        }
        let of = (bin, key(a), key(b));
        if let Some(at) = self.known.bins.get(&of) {
            return *at;
        }
        let at = self.compiler.bin(bin, a, b);
        self.known.bins.insert(of, at);
        at
    }

    pub(super) fn and(&mut self, a: At, b: At, many: usize) -> At {
        match (a, b) {
            (At::Const(bits), other) | (other, At::Const(bits)) if bits == all(many) => other,
            _ => self.bin(Bin::And, a, b),
        }
    }

    pub(super) fn or(&mut self, a: At, b: At, many: usize) -> At {
        match (a, b) {
            (At::Const(bits), _) | (_, At::Const(bits)) if bits == all(many) => At::Const(bits),
            _ => self.bin(Bin::Or, a, b),
        }
    }

    pub(super) fn not(&mut self, a: At, many: usize) -> At {
        self.bin(Bin::Sub, At::Const(all(many)), a)
    }

    /// A value, by the first register that was set to it.
    pub(super) fn first(&self, at: At) -> At {
        match at {
            At::Reg(register) => {
                self.flat.at(self.known.first(register), |register| self.known.is_set(register))
            }
            at => at,
        }
    }

    /// How a register was calculated, if what it was calculated from is still there: registers that are set once, and the state.
    pub(super) fn node(&self, at: At) -> Option<Node> {
        let At::Reg(register) = at else { return None };
        let mut op = *self.flat.defs.get(&register)?;
        let reads_state = matches!(op, Op::Get(..) | Op::LoadAt(..) | Op::Take(..) | Op::Bag(..));
        let is_there = |register: &Reg| self.known.is_set(*register) && self.flat.defs.contains_key(register);
        if reads_state && !self.known.is_made(register)
            || !op.reads().map(|read| *read).chain([register]).all(|register| is_there(&register))
        {
            return None;
        }
        let of = |register: Reg| self.first(At::Reg(register));
        Some(match op {
            Op::Bin(bin, _, a, b) => Node::Bin(bin, of(a), of(b)),
            Op::BinK(bin, _, a, k) => Node::Bin(bin, of(a), At::Const(k.into())),
            Op::Select(_, c, a, b) => Node::Select(of(c), of(a), of(b)),
            op => Node::Other(op),
        })
    }

    /// Truths as the bits of a number.
    pub(super) fn truths(&mut self, lanes: &[At]) -> At {
        let lanes = &lanes.iter().map(|at| self.first(*at)).collect::<Vec<_>>();
        let of = keys(lanes);
        if let Some(at) = self.known.truths.get(&of) {
            return *at;
        }
        let at = match Distinct::of(lanes) {
            Distinct::Known(values) => At::Const(bits(&values, 0)),
            Distinct::Partly(filled, known) => {
                let planes = vec![self.truths(&filled)];
                self.with_known(planes, &known)[0]
            }
            Distinct::One(truth) => self.bin(Bin::Mul, truth, At::Const(all(lanes.len()))),
            Distinct::Few(values, which) => {
                let plane = self.truths(&values);
                self.spread(plane, values.len(), &which)
            }
            Distinct::Many => match self.same_truths(lanes) {
                Some(at) => at,
                None => {
                    let part = |(at, truth): (usize, &At)| (*truth, At::Const(1 << at));
                    let parts: Vec<_> = lanes.iter().enumerate().map(part).collect();
                    parts.into_iter().fold(At::Const(0), |all, (truth, bit)| {
                        let part = self.bin(Bin::Mul, truth, bit);
                        self.bin(Bin::Or, all, part)
                    })
                }
            },
        };
        self.known.truths.insert(of, at);
        at
    }

    /// The same of truths that are all worked out in the same way.
    fn same_truths(&mut self, lanes: &[At]) -> Option<At> {
        let many = lanes.len();
        let is_truth = |of: &[At]| of.iter().all(|at| self.flat.is_truth(*at));
        let Some((bin, a, b)) = self.operands(lanes) else {
            if let Some((c, a, b)) = self.choices(lanes) {
                if !is_truth(&a) || !is_truth(&b) {
                    return None;
                }
                let [c, a, b] = [c, a, b].map(|of| self.truths(&of));
                return Some(self.chosen(c, a, b, many));
            }
            return match self.numbers(lanes)?[..] {
                [plane] => Some(plane),
                _ => None,
            };
        };
        let one = |of: &[At]| of.iter().all(|at| *at == of[0]).then(|| of[0]);
        match (bin, one(&a), one(&b)) {
            (Bin::And | Bin::Or, ..) if is_truth(&a) && is_truth(&b) => {
                let [a, b] = [a, b].map(|of| self.truths(&of));
                Some(if bin == Bin::And { self.and(a, b, many) } else { self.or(a, b, many) })
            }
            (Bin::Eq | Bin::Ne, _, Some(At::Const(k @ 0..=1))) if is_truth(&a) => {
                let a = self.truths(&a);
                Some(if (bin == Bin::Eq) == (k == 1) { a } else { self.not(a, many) })
            }
            (Bin::Eq | Bin::Ne, Some(a @ At::Reg(_)), None) => {
                let values: Option<Vec<usize>> = b.iter().map(|at| entry(*at)).collect();
                let values = values?;
                let mut entries = vec![0; values.iter().max()? + 1];
                values.iter().enumerate().for_each(|(lane, value)| entries[*value] |= 1 << lane);
                let is = self.look_up(entries, a);
                Some(if bin == Bin::Eq { is } else { self.not(is, many) })
            }
            (Bin::Eq | Bin::Ne | Bin::Lt | Bin::Le, ..) => {
                let (a, b) = (self.numbers(&a)?, self.numbers(&b)?);
                Some(match bin {
                    Bin::Lt => self.less(&a, &b, many),
                    Bin::Le => {
                        let more = self.less(&b, &a, many);
                        self.not(more, many)
                    }
                    Bin::Eq => self.equal(&a, &b, many),
                    _ => {
                        let equal = self.equal(&a, &b, many);
                        self.not(equal, many)
                    }
                })
            }
            _ => None,
        }
    }

    /// The operands of equal operations.
    pub(super) fn operands(&self, lanes: &[At]) -> Option<(Bin, Vec<At>, Vec<At>)> {
        let first = self.node(lanes[0])?;
        let Node::Bin(bin, ..) = first else { return None };
        let mut operands = (Vec::new(), Vec::new());
        for at in lanes {
            match self.node(*at)? {
                Node::Bin(own, a, b) if own == bin => {
                    operands.0.push(a);
                    operands.1.push(b);
                }
                _ => return None,
            }
        }
        Some((bin, operands.0, operands.1))
    }

    /// The operands of choices.
    pub(super) fn choices(&self, lanes: &[At]) -> Option<(Vec<At>, Vec<At>, Vec<At>)> {
        let mut operands = (Vec::new(), Vec::new(), Vec::new());
        for at in lanes {
            let Node::Select(c, a, b) = self.node(*at)? else { return None };
            operands.0.push(c);
            operands.1.push(a);
            operands.2.push(b);
        }
        operands.0.iter().all(|c| self.flat.is_truth(*c)).then_some(operands)
    }

    /// An entry of a table; 0 outside of it.
    pub(super) fn look_up(&mut self, entries: Vec<i64>, at: At) -> At {
        match at {
            At::Const(at) => {
                let entry = usize::try_from(at).ok().and_then(|at| entries.get(at));
                At::Const(entry.copied().unwrap_or(0))
            }
            At::Reg(a) => {
                let table = self.compiler.table(entries);
                self.once(|d| Op::Table(d, table, a))
            }
        }
    }
}

/// A number as the place of an entry.
fn entry(at: At) -> Option<usize> {
    let At::Const(value) = at else { return None };
    usize::try_from(value).ok().filter(|value| *value < 256)
}
