//! Several truths as the bits of one number, and several small numbers as few of those: the lowest bits of all of them, the
//! next bits, and so on.

use rustc_hash::{FxHashMap, FxHashSet};

use super::super::Compiler;
use super::super::value::At;
use super::MOST;
use super::flat::Flat;
use crate::every::Every;
use crate::op::{Bin, Op, Reg};

/// The most bits of a number.
const MOST_BITS: usize = 5;
/// The most different values that are looked up by their bits.
const MOST_LOOKED_UP: usize = 8;
/// The most ways in which values are moved to their places.
const MOST_MOVES: usize = 6;

/// What was calculated.
#[derive(Clone, Debug, Default)]
pub(super) struct Known {
    /// The registers that were set since the state changed.
    here: FxHashSet<Reg>,
    /// What was set before to the same as another register.
    same: FxHashMap<Reg, Reg>,
    /// The registers that hold numbers that are known.
    constants: FxHashSet<Reg>,
    /// By instruction, without its result.
    ops: FxHashMap<Op, Reg>,
    bins: FxHashMap<(Bin, Key, Key), At>,
    every: FxHashMap<Reg, (Reg, Every)>,
    truths: FxHashMap<Vec<Key>, At>,
    numbers: FxHashMap<Vec<Key>, Option<Vec<At>>>,
}

/// A value as a key.
type Key = Result<Reg, i64>;

fn key(at: At) -> Key {
    match at {
        At::Reg(register) => Ok(register),
        At::Const(value) => Err(value),
    }
}

fn keys(lanes: &[At]) -> Vec<Key> {
    lanes.iter().map(|at| key(*at)).collect()
}

impl Known {
    pub(super) fn is_empty(&self) -> bool {
        self.here.is_empty()
    }

    /// Notes a calculation. It is returned with the first registers that were set to what it reads.
    pub(super) fn calculated(&mut self, mut op: Op) -> Op {
        let mut of = op;
        let mut d = 0;
        of.registers(&mut |register, is_write| match is_write {
            true => d = std::mem::take(register),
            false => *register = self.first(*register),
        });
        self.here.insert(d);
        match self.ops.get(&of).filter(|_| !matches!(op, Op::Take(..))) {
            Some(same) => drop(self.same.insert(d, *same)),
            None => drop(self.ops.insert(of, d)),
        }
        if let Op::Set(..) = op {
            self.constants.insert(d);
        }
        // Numbers stay next to where they are read.
        let moved = op.reads().filter(|register| !self.constants.contains(register));
        moved.for_each(|register| *register = self.first(*register));
        op
    }

    /// The register that holds the result of an instruction; a new one if it was not made before.
    pub(super) fn once(&mut self, op: Op, new: impl FnOnce() -> Reg) -> Result<Reg, Reg> {
        if let Some(register) = self.ops.get(&op) {
            return Ok(*register);
        }
        let d = new();
        self.ops.insert(op, d);
        self.here.insert(d);
        Err(d)
    }

    pub(super) fn first(&self, register: Reg) -> Reg {
        *self.same.get(&register).unwrap_or(&register)
    }

    /// Forgets what is in registers that are not set any more.
    pub(super) fn keep(&mut self, is_kept: impl Fn(Reg) -> bool) {
        let is = |at: &At| if let At::Reg(register) = at { is_kept(*register) } else { true };
        self.here.retain(|register| is_kept(*register));
        self.same.retain(|_, same| is_kept(*same));
        self.ops.retain(|_, register| is_kept(*register));
        self.bins.retain(|_, at| is(at));
        self.every.retain(|register, (word, _)| is_kept(*register) && is_kept(*word));
        self.truths.retain(|_, at| is(at));
        self.numbers.retain(|_, planes| planes.iter().flatten().all(is));
    }
}

/// A calculation, with the numbers in it that are known.
enum Node {
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
        if let Some(register) = self.known.ops.get(&op(0)) {
            return At::Reg(*register);
        }
        let d = self.compiler.register();
        self.compiler.emit(op(d));
        self.known.ops.insert(op(0), d);
        At::Reg(d)
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

    fn and(&mut self, a: At, b: At, many: usize) -> At {
        match (a, b) {
            (At::Const(bits), other) | (other, At::Const(bits)) if bits == all(many) => other,
            _ => self.bin(Bin::And, a, b),
        }
    }

    fn or(&mut self, a: At, b: At, many: usize) -> At {
        match (a, b) {
            (At::Const(bits), _) | (_, At::Const(bits)) if bits == all(many) => At::Const(bits),
            _ => self.bin(Bin::Or, a, b),
        }
    }

    fn not(&mut self, a: At, many: usize) -> At {
        self.bin(Bin::Sub, At::Const(all(many)), a)
    }

    /// A value, by the first register that was set to it.
    fn first(&self, at: At) -> At {
        match at {
            At::Reg(register) => self.flat.at(self.known.first(register)),
            at => at,
        }
    }

    fn node(&self, at: At) -> Option<Node> {
        let At::Reg(register) = at else { return None };
        if !self.known.here.contains(&register) {
            return None;
        }
        let of = |register: Reg| self.first(self.flat.at(register));
        Some(match *self.flat.defs.get(&register)? {
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

    /// Numbers that are not negative, as planes of their bits.
    fn numbers(&mut self, lanes: &[At]) -> Option<Vec<At>> {
        let lanes = &lanes.iter().map(|at| self.first(*at)).collect::<Vec<_>>();
        let of = keys(lanes);
        if let Some(planes) = self.known.numbers.get(&of) {
            return planes.clone();
        }
        let planes = self.rearranged(&of).or_else(|| self.new_numbers(lanes));
        self.known.numbers.insert(of, planes.clone());
        planes
    }

    /// Numbers of which the planes are known in other places.
    fn rearranged(&mut self, of: &[Key]) -> Option<Vec<At>> {
        let known = self.known.numbers.iter().find_map(|(other, planes)| {
            let place = |key: &Key| other.iter().position(|own| own == key).filter(|_| key.is_ok());
            let which = of.iter().map(place).collect::<Option<Vec<usize>>>()?;
            Some((planes.clone()?, which))
        });
        let (planes, which) = known?;
        planes.into_iter().map(|plane| self.moved(plane, &which)).collect()
    }

    fn new_numbers(&mut self, lanes: &[At]) -> Option<Vec<At>> {
        match Distinct::of(lanes) {
            Distinct::Known(values) => {
                let most = values.iter().max().filter(|_| values.iter().all(|value| *value >= 0))?;
                let many = (0..=MOST_BITS).find(|many| most >> many == 0)?;
                Some((0..many).map(|at| At::Const(bits(&values, at))).collect())
            }
            Distinct::Partly(filled, known) => {
                let planes = self.numbers(&filled)?;
                let fits = known.iter().flatten().all(|value| (0..1 << MOST_BITS).contains(value));
                fits.then(|| self.with_known(planes, &known))
            }
            Distinct::One(_) => None,
            Distinct::Few(values, which) => {
                let planes = self.numbers(&values)?;
                Some(planes.into_iter().map(|plane| self.spread(plane, values.len(), &which)).collect())
            }
            Distinct::Many => self.same_numbers(lanes),
        }
    }

    fn same_numbers(&mut self, lanes: &[At]) -> Option<Vec<At>> {
        let many = lanes.len();
        if let Some((bin, a, b)) = self.operands(lanes) {
            return match bin {
                Bin::Add => {
                    let (a, b) = (self.numbers(&a)?, self.numbers(&b)?);
                    self.sum(&a, &b, many)
                }
                Bin::Min | Bin::Max => {
                    let (a, b) = (self.numbers(&a)?, self.numbers(&b)?);
                    let less = self.less(&a, &b, many);
                    let (a, b) = if bin == Bin::Min { (a, b) } else { (b, a) };
                    Some(self.chosen_numbers(less, &a, &b, many))
                }
                Bin::Eq | Bin::Ne | Bin::Lt | Bin::Le => Some(vec![self.truths(lanes)]),
                Bin::And | Bin::Or if lanes.iter().all(|at| self.flat.is_truth(*at)) => {
                    Some(vec![self.truths(lanes)])
                }
                _ => None,
            };
        }
        if let Some((c, a, b)) = self.choices(lanes) {
            if !c.iter().all(|at| self.flat.is_truth(*at)) {
                return None;
            }
            let (a, b, c) = (self.numbers(&a)?, self.numbers(&b)?, self.truths(&c));
            return Some(self.chosen_numbers(c, &a, &b, many));
        }
        let ops: Option<Vec<Op>> = lanes
            .iter()
            .map(|at| match self.node(*at)? {
                Node::Other(op) => Some(op),
                _ => None,
            })
            .collect();
        self.cells(&ops?)
    }

    /// The operands of equal operations.
    fn operands(&self, lanes: &[At]) -> Option<(Bin, Vec<At>, Vec<At>)> {
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
    fn choices(&self, lanes: &[At]) -> Option<(Vec<At>, Vec<At>, Vec<At>)> {
        let mut operands = (Vec::new(), Vec::new(), Vec::new());
        for at in lanes {
            let Node::Select(c, a, b) = self.node(*at)? else { return None };
            operands.0.push(c);
            operands.1.push(a);
            operands.2.push(b);
        }
        operands.0.iter().all(|c| self.flat.is_truth(*c)).then_some(operands)
    }

    /// Planes in which some lanes have values that are known.
    fn with_known(&mut self, mut planes: Vec<At>, known: &[Option<i64>]) -> Vec<At> {
        let many = known.len();
        let values: Vec<i64> = known.iter().map(|value| value.unwrap_or(0)).collect();
        let open: Vec<i64> = known.iter().map(|value| value.is_none().into()).collect();
        while planes.len() < MOST_BITS && values.iter().any(|value| value >> planes.len() != 0) {
            planes.push(At::Const(0));
        }
        let with = (0..).zip(planes).map(|(at, plane)| {
            let plane = self.and(plane, At::Const(bits(&open, 0)), many);
            self.or(plane, At::Const(bits(&values, at)), many)
        });
        with.collect()
    }

    /// A plane of few values, each in the lanes that have it.
    fn spread(&mut self, plane: At, values: usize, which: &[usize]) -> At {
        let lanes_of = |value: usize| {
            let is: Vec<i64> = which.iter().map(|own| i64::from(*own == value)).collect();
            bits(&is, 0)
        };
        let lanes: Vec<i64> = (0..values).map(lanes_of).collect();
        let of = |index: usize| {
            (0..values).filter(|value| index >> value & 1 == 1).fold(0, |all, value| all | lanes[value])
        };
        if let At::Const(index) = plane {
            return At::Const(of(usize::try_from(index).unwrap_or(0)));
        }
        if lanes.iter().enumerate().all(|(value, own)| *own == lanes[0] << value) {
            return self.bin(Bin::Mul, plane, At::Const(lanes[0]));
        }
        if values <= MOST_LOOKED_UP {
            let entries = (0..1 << values).map(of).collect();
            return self.look_up(entries, plane);
        }
        self.moved(plane, which).unwrap_or_else(|| {
            // There is nothing quicker for so many.
            (0..values).fold(At::Const(0), |all, value| {
                let bit = self.bin(Bin::Shr, plane, At::Const(i64::try_from(value).unwrap_or(0)));
                let bit = self.bin(Bin::And, bit, At::Const(1));
                let part = self.bin(Bin::Mul, bit, At::Const(lanes[value]));
                self.bin(Bin::Or, all, part)
            })
        })
    }

    /// The bit of a plane with each of these numbers, if few moves bring them to their places.
    pub(super) fn moved(&mut self, plane: At, which: &[usize]) -> Option<At> {
        let mut moves: Vec<(i64, i64)> = Vec::new();
        for (lane, from) in which.iter().enumerate() {
            let by = i64::try_from(*from).ok()? - i64::try_from(lane).ok()?;
            match moves.iter_mut().find(|(known, _)| *known == by) {
                Some((_, lanes)) => *lanes |= 1 << lane,
                None => moves.push((by, 1 << lane)),
            }
        }
        (moves.len() <= MOST_MOVES).then(|| {
            moves.into_iter().fold(At::Const(0), |all, (by, lanes)| {
                let (bin, by) = if by < 0 { (Bin::Shl, -by) } else { (Bin::Shr, by) };
                let part = self.bin(bin, plane, At::Const(by));
                let part = self.bin(Bin::And, part, At::Const(lanes));
                self.bin(Bin::Or, all, part)
            })
        })
    }

    fn look_up(&mut self, entries: Vec<i64>, at: At) -> At {
        let (_, ops) = {
            let compiler = &mut *self.compiler;
            compiler.aside(|compiler| compiler.look_up(entries, at))
        };
        match ops[..] {
            [Op::Table(_, table, a)] => self.once(|d| Op::Table(d, table, a)),
            _ => At::Const(0),
        }
    }

    fn chosen(&mut self, c: At, a: At, b: At, many: usize) -> At {
        let not = self.not(c, many);
        let (a, b) = (self.and(c, a, many), self.and(not, b, many));
        self.or(a, b, many)
    }

    fn chosen_numbers(&mut self, c: At, a: &[At], b: &[At], many: usize) -> Vec<At> {
        let planes = (0..a.len().max(b.len())).map(|at| self.chosen(c, plane(a, at), plane(b, at), many));
        planes.collect()
    }

    /// Where the first is less than the second.
    fn less(&mut self, a: &[At], b: &[At], many: usize) -> At {
        (0..a.len().max(b.len())).fold(At::Const(0), |less, at| {
            let (a, b) = (self.not(plane(a, at), many), plane(b, at));
            let (both, any) = (self.and(a, b, many), self.or(a, b, many));
            let less = self.and(less, any, many);
            self.or(both, less, many)
        })
    }

    fn equal(&mut self, a: &[At], b: &[At], many: usize) -> At {
        let different = (0..a.len().max(b.len())).fold(At::Const(0), |all, at| {
            let one = self.other(plane(a, at), plane(b, at), many);
            self.or(all, one, many)
        });
        self.not(different, many)
    }

    /// Where one of two is.
    fn other(&mut self, a: At, b: At, many: usize) -> At {
        match (a, b) {
            (At::Const(bits), a) | (a, At::Const(bits)) if bits == all(many) => self.not(a, many),
            _ => {
                let (both, any) = (self.and(a, b, many), self.or(a, b, many));
                self.bin(Bin::Sub, any, both)
            }
        }
    }

    fn sum(&mut self, a: &[At], b: &[At], many: usize) -> Option<Vec<At>> {
        let mut carry = At::Const(0);
        let mut planes = Vec::new();
        for at in 0..a.len().max(b.len()) {
            let (a, b) = (plane(a, at), plane(b, at));
            let half = self.other(a, b, many);
            planes.push(self.other(half, carry, many));
            let (both, more) = (self.and(a, b, many), self.and(half, carry, many));
            carry = self.or(both, more, many);
        }
        if carry != At::Const(0) {
            planes.push(carry);
        }
        (planes.len() <= MOST_BITS).then_some(planes)
    }
}

fn plane(planes: &[At], at: usize) -> At {
    planes.get(at).copied().unwrap_or(At::Const(0))
}

/// A bit of several values.
fn bits(values: &[i64], at: usize) -> i64 {
    (0..).zip(values).fold(0, |all, (lane, value)| all | (value >> at & 1) << lane)
}

/// A number as the place of an entry.
fn entry(at: At) -> Option<usize> {
    let At::Const(value) = at else { return None };
    usize::try_from(value).ok().filter(|value| *value < 256)
}

/// Several values, as far as they are known or the same.
enum Distinct {
    Known(Vec<i64>),
    /// Those that are known, and all with one of the others in their places.
    Partly(Vec<At>, Vec<Option<i64>>),
    One(At),
    /// Each once, and which it is of every lane.
    Few(Vec<At>, Vec<usize>),
    Many,
}

impl Distinct {
    fn of(lanes: &[At]) -> Self {
        debug_assert!(lanes.len() <= MOST);
        let known = |at: &At| if let At::Const(value) = at { Some(*value) } else { None };
        let values: Vec<Option<i64>> = lanes.iter().map(known).collect();
        let Some(open) = lanes.iter().find(|at| known(at).is_none()) else {
            return Self::Known(values.into_iter().flatten().collect());
        };
        if values.iter().any(Option::is_some) {
            let filled = lanes.iter().map(|at| if known(at).is_some() { *open } else { *at });
            return Self::Partly(filled.collect(), values);
        }
        let (mut distinct, mut which) = (Vec::new(), Vec::new());
        for lane in lanes {
            let at = distinct.iter().position(|own| own == lane).unwrap_or(distinct.len());
            if at == distinct.len() {
                distinct.push(*lane);
            }
            which.push(at);
        }
        match distinct.len() {
            1 => Self::One(*open),
            many if many < lanes.len() => Self::Few(distinct, which),
            _ => Self::Many,
        }
    }
}
