//! Instructions: constants are folded, and what is not needed on a way is not worked out on it.

use super::value::{At, Kind, Val};
use super::{Compiler, Global, Local, MOST_OPS};
use crate::layout::BagOp;
use crate::op::{Bin, Cell, Check, Op, Reg, Target};
use crate::problem::Span;

/// Instructions that are worked out at once rather than jumped over.
const CHEAP: usize = 6;

impl Compiler<'_> {
    pub(super) fn emit(&mut self, op: Op) {
        if self.ops.len() < MOST_OPS * 2 {
            self.ops.push(op);
        }
    }

    pub(super) fn register(&mut self) -> Reg {
        self.registers += 1;
        self.registers - 1
    }

    pub(super) fn label(&mut self) -> Target {
        self.labels += 1;
        self.labels - 1
    }

    pub(super) fn place(&mut self, label: Target) {
        self.emit(Op::Label(label));
    }

    /// The register of a value.
    pub(super) fn get(&mut self, at: At) -> Reg {
        match at {
            At::Reg(register) => register,
            At::Const(value) => {
                let d = self.register();
                self.emit(Op::Set(d, value));
                d
            }
        }
    }

    /// What a stop, or a caller, gives.
    pub(super) fn take(&mut self, number: u8) -> At {
        let d = self.register();
        self.emit(Op::Take(d, number));
        At::Reg(d)
    }

    /// Hands a value over to a stop, or to a caller.
    pub(super) fn give(&mut self, number: u8, at: At) {
        let register = self.get(at);
        self.emit(Op::Give(number, register));
    }

    pub(super) fn event(&mut self, event: u8, seat: At) {
        let seat = self.get(seat);
        self.emit(Op::Event(event, seat));
    }

    /// The second value if the first is not 0, else the third.
    pub(super) fn select(&mut self, c: At, a: At, b: At) -> At {
        let (c, a, b) = (self.get(c), self.get(a), self.get(b));
        let d = self.register();
        self.emit(Op::Select(d, c, a, b));
        At::Reg(d)
    }

    pub(super) fn jump_if(&mut self, condition: At, to: Target) {
        match condition {
            At::Const(0) => {}
            At::Const(_) => self.emit(Op::Jump(to)),
            At::Reg(c) => self.emit(Op::JumpIf(c, to)),
        }
    }

    pub(super) fn jump_unless(&mut self, condition: At, to: Target) {
        match condition {
            At::Const(0) => self.emit(Op::Jump(to)),
            At::Const(_) => {}
            At::Reg(c) => self.emit(Op::JumpUnless(c, to)),
        }
    }

    pub(super) fn bin(&mut self, bin: Bin, a: At, b: At) -> At {
        match (a, b) {
            (At::Const(a), At::Const(b)) => return At::Const(bin.apply(a, b)),
            (At::Reg(_), At::Const(0)) if matches!(bin, Bin::Add | Bin::Sub | Bin::Or) => return a,
            (At::Const(0), At::Reg(_)) if matches!(bin, Bin::Add | Bin::Or) => return b,
            (At::Reg(_), At::Const(1)) if matches!(bin, Bin::Mul) => return a,
            _ => {}
        }
        let d = self.register();
        match (a, b) {
            (At::Reg(a), At::Const(k)) if i32::try_from(k).is_ok() => {
                let k = i32::try_from(k).unwrap_or(0);
                self.emit(Op::BinK(bin, d, a, k));
            }
            (At::Const(k), At::Reg(_))
                if matches!(
                    bin,
                    Bin::Add | Bin::Mul | Bin::Min | Bin::Max | Bin::Eq | Bin::Ne | Bin::And | Bin::Or
                ) && i32::try_from(k).is_ok() =>
            {
                return self.bin(bin, b, a);
            }
            _ => {
                let (a, b) = (self.get(a), self.get(b));
                self.emit(Op::Bin(bin, d, a, b));
            }
        }
        At::Reg(d)
    }

    /// Puts a value into a cell.
    pub(super) fn store_cell(&mut self, cell: Cell, at: At) {
        let register = self.get(at);
        self.emit(Op::Store(cell, register));
    }

    pub(super) fn load_cell(&mut self, cell: Cell) -> At {
        let d = self.register();
        self.emit(Op::Load(d, cell));
        At::Reg(d)
    }

    /// Changes what is in a cell.
    pub(super) fn change_cell(&mut self, cell: Cell, bin: Bin, by: At) {
        let before = self.load_cell(cell);
        let after = self.bin(bin, before, by);
        self.store_cell(cell, after);
    }

    /// Arithmetic on numbers with this range of results.
    pub(super) fn arithmetic(&mut self, bin: Bin, a: &Val, b: &Val, lo: i64, hi: i64) -> Val {
        let at = self.bin(bin, a.at, b.at);
        Val::new(at, Kind::Number, lo, hi)
    }

    pub(super) fn compare(&mut self, bin: Bin, a: &Val, b: &Val) -> Val {
        let (lo, hi) = match bin {
            Bin::Lt => (a.hi < b.lo, a.lo < b.hi),
            Bin::Le => (a.hi <= b.lo, a.lo <= b.hi),
            Bin::Eq => (false, a.lo <= b.hi && b.lo <= a.hi),
            _ => (a.hi < b.lo || b.hi < a.lo, true),
        };
        let is_ranged = matches!(a.kind, Kind::Number | Kind::Truth | Kind::Player);
        let (lo, hi) = if is_ranged { (lo, hi) } else { (false, true) };
        if lo == hi {
            return Val::truth(lo);
        }
        self.truth_of(bin, a.at, b.at)
    }

    pub(super) fn truth_at(&mut self, at: At) -> Val {
        match at {
            At::Const(truth) => Val::truth(truth != 0),
            At::Reg(_) => Val::new(at, Kind::Truth, 0, 1),
        }
    }

    /// The truth value of an operation.
    pub(super) fn truth_of(&mut self, bin: Bin, a: At, b: At) -> Val {
        let at = self.bin(bin, a, b);
        self.truth_at(at)
    }

    pub(super) fn not(&mut self, a: &Val) -> Val {
        self.truth_of(Bin::Eq, a.at, At::Const(0))
    }

    pub(super) fn bag_op(&mut self, op: BagOp, layout: u16, a: At, b: At) -> At {
        let (a, b) = (self.get(a), self.get(b));
        let d = self.register();
        self.emit(Op::Bag(op, layout, d, a, b));
        At::Reg(d)
    }

    /// An entry of a table.
    pub(super) fn look_up(&mut self, entries: Vec<i64>, at: At) -> At {
        if let At::Const(at) = at {
            let at = usize::try_from(at).unwrap_or(usize::MAX);
            return At::Const(entries.get(at).copied().unwrap_or(0));
        }
        let number = self.table(entries);
        let a = self.get(at);
        let d = self.register();
        self.emit(Op::Table(d, number, a));
        At::Reg(d)
    }

    /// The number of a table.
    pub(super) fn table(&mut self, entries: Vec<i64>) -> u16 {
        if let Some(number) = self.tables.get(&entries) {
            return *number;
        }
        let number = u16::try_from(self.program.tables.len()).unwrap_or(u16::MAX);
        self.program.tables.push(entries.clone());
        self.tables.insert(entries, number);
        number
    }

    /// Compiles into a list of its own.
    pub(super) fn aside<T>(&mut self, compile: impl FnOnce(&mut Self) -> T) -> (T, Vec<Op>) {
        let before = std::mem::take(&mut self.ops);
        let result = compile(self);
        let ops = std::mem::replace(&mut self.ops, before);
        (result, ops)
    }

    pub(super) fn append(&mut self, ops: Vec<Op>) {
        ops.into_iter().for_each(|op| self.emit(op));
    }

    fn is_cheap(ops: &[Op]) -> bool {
        ops.len() <= CHEAP && ops.iter().all(|op| op.is_pure())
    }

    /// `condition ? yes : no`; what is not needed is not looked at.
    pub(super) fn choose(
        &mut self,
        condition: &Val,
        span: &Span,
        yes: impl FnOnce(&mut Self) -> Val,
        no: impl FnOnce(&mut Self) -> Val,
    ) -> Val {
        if condition.is(true) {
            self.shut_off(|compiler| drop(no(compiler)));
            return yes(self);
        }
        if condition.is(false) {
            self.shut_off(|compiler| drop(yes(compiler)));
            return no(self);
        }
        let (yes, yes_ops) = self.aside(yes);
        let (no, no_ops) = self.aside(no);
        let Some((yes, yes_ops, no, no_ops)) = self.joined(span, (yes, yes_ops), (no, no_ops)) else {
            return Val::broken();
        };
        let kind = yes.kind;
        let (lo, hi) = (yes.lo.min(no.lo), yes.hi.max(no.hi));
        let most: Vec<i64> = yes.most.iter().zip(&*no.most).map(|(a, b)| *a.max(b)).collect();
        if yes.at == no.at && yes_ops.is_empty() && no_ops.is_empty() {
            return Val { at: yes.at, kind, lo, hi, most: most.into() };
        }
        let c = self.get(condition.at);
        let d = self.register();
        if Self::is_cheap(&yes_ops) && Self::is_cheap(&no_ops) {
            self.append(yes_ops);
            self.append(no_ops);
            let (a, b) = (self.get(yes.at), self.get(no.at));
            self.emit(Op::Select(d, c, a, b));
        } else {
            let (other, end) = (self.label(), self.label());
            self.emit(Op::JumpUnless(c, other));
            self.append(yes_ops);
            self.assign_register(d, yes.at);
            self.emit(Op::Jump(end));
            self.place(other);
            self.append(no_ops);
            self.assign_register(d, no.at);
            self.place(end);
        }
        Val { at: At::Reg(d), kind, lo, hi, most: most.into() }
    }

    /// Both values as the same kind.
    #[allow(clippy::type_complexity, reason = "two values, each with its instructions")]
    fn joined(
        &mut self,
        span: &Span,
        (yes, yes_ops): (Val, Vec<Op>),
        (no, no_ops): (Val, Vec<Op>),
    ) -> Option<(Val, Vec<Op>, Val, Vec<Op>)> {
        if yes.is_broken() || no.is_broken() {
            return None;
        }
        let into = |compiler: &mut Self, val: Val, mut ops: Vec<Op>, kind: Kind| {
            let (val, more) = compiler.aside(|compiler| compiler.as_kind(&val, kind));
            ops.extend(more);
            val.map(|val| (val, ops))
        };
        let kind = match (yes.kind, no.kind) {
            (a, b) if a == b => a,
            (Kind::Nothing, other) | (other, Kind::Nothing) => other,
            (bag @ Kind::Bag(_), _) | (_, bag @ Kind::Bag(_)) => bag,
            (Kind::Name(a), Kind::Name(b)) => {
                let (a, b) = (self.universes[a].atoms.clone(), self.universes[b].atoms.clone());
                let more: Vec<i64> = b.into_iter().filter(|atom| !a.contains(atom)).collect();
                Kind::Name(self.universe(a.into_iter().chain(more).collect(), None))
            }
            _ => {
                let message =
                    format!("one side is {}, the other {}", yes.kind.in_words(), no.kind.in_words());
                self.wrong(span, message);
                return None;
            }
        };
        let (yes, yes_ops) = into(self, yes, yes_ops, kind)?;
        let (no, no_ops) = into(self, no, no_ops, kind)?;
        Some((yes, yes_ops, no, no_ops))
    }

    pub(super) fn assign_register(&mut self, d: Reg, at: At) {
        match at {
            At::Const(value) => self.emit(Op::Set(d, value)),
            At::Reg(a) => self.emit(Op::Move(d, a)),
        }
    }

    /// `a and b`.
    pub(super) fn and(&mut self, a: &Val, b: impl FnOnce(&mut Self) -> Val) -> Val {
        self.joint(a, true, b)
    }

    /// `a or b`.
    pub(super) fn or(&mut self, a: &Val, b: impl FnOnce(&mut Self) -> Val) -> Val {
        self.joint(a, false, b)
    }

    /// The second decides where the first is `open`.
    fn joint(&mut self, a: &Val, open: bool, b: impl FnOnce(&mut Self) -> Val) -> Val {
        if a.is(open) {
            return b(self);
        }
        if a.is(!open) {
            self.shut_off(|compiler| drop(b(compiler)));
            return a.clone();
        }
        let (b, ops) = self.aside(b);
        let bin = if open { Bin::And } else { Bin::Or };
        if b.is(!open) && ops.is_empty() {
            return b;
        }
        if Self::is_cheap(&ops) {
            self.append(ops);
            if b.is(open) {
                return a.clone();
            }
            return self.truth_of(bin, a.at, b.at);
        }
        let d = self.register();
        let end = self.label();
        self.assign_register(d, a.at);
        self.emit(if open { Op::JumpUnless(d, end) } else { Op::JumpIf(d, end) });
        self.append(ops);
        self.assign_register(d, b.at);
        self.place(end);
        Val::new(At::Reg(d), Kind::Truth, 0, 1)
    }

    /// Ends the run unless the value is within these limits. What certainly leaves them is a mistake; with other options than
    /// the text's own it may never be reached, and ends the run if it is.
    pub(super) fn check(&mut self, value: &Val, limits: (i64, i64), span: &Span, what: &str) -> Val {
        self.check_sum(value, None, limits, span, what)
    }

    /// The same of a value that may be a sum.
    pub(super) fn check_sum(
        &mut self,
        value: &Val,
        sum: Option<(At, At)>,
        (low, high): (i64, i64),
        span: &Span,
        what: &str,
    ) -> Val {
        let limited = Val { lo: value.lo.max(low), hi: value.hi.min(high), ..value.clone() };
        if value.lo >= low && value.hi <= high {
            return value.clone();
        }
        if limited.lo > limited.hi && !self.is_varied {
            if self.dead == 0 {
                let found = range_in_words(value.lo, value.hi);
                let message =
                    format!("{what} is certainly out of its range: {found}, and {low} to {high} is allowed");
                self.wrong(span, message);
            }
            return Val { lo: low, hi: high, ..value.clone() };
        }
        // The run ends there: what would follow stays within what there is.
        let limited = match limited.lo > limited.hi {
            true => Val { at: At::Const(low), lo: low, hi: low, ..value.clone() },
            false => limited,
        };
        let number = self.new_check((low, high), span, what);
        match sum {
            Some((before, more)) => {
                let (before, more) = (self.get(before), self.get(more));
                self.emit(Op::CheckSum(before, more, number));
            }
            None => {
                let a = self.get(value.at);
                self.emit(Op::Check(a, number));
            }
        }
        limited
    }

    /// The variables that can be seen here.
    pub(super) fn seen_variables(&self) -> impl Iterator<Item = usize> + '_ {
        let globals = self.globals.values().filter_map(|global| match global {
            Global::Variable(number) => Some(*number),
            _ => None,
        });
        let locals = self.locals.iter().filter_map(|(_, local)| match local {
            Local::Variable(number) => Some(*number),
            Local::Value(_) => None,
        });
        globals.chain(locals)
    }

    fn new_check(&mut self, (low, high): (i64, i64), span: &Span, what: &str) -> u32 {
        let seen = self.seen_variables().collect();
        self.program.checks.push(Check { low, high, span: span.clone(), what: what.into(), seen });
        u32::try_from(self.program.checks.len() - 1).unwrap_or(0)
    }

    /// Ends the run unless a condition holds.
    pub(super) fn require(&mut self, condition: &Val, span: &Span, what: &str) {
        match condition.at {
            At::Const(0) if self.dead == 0 => self.wrong(span, what),
            At::Const(_) => {}
            At::Reg(a) => {
                let number = self.new_check((1, 1), span, what);
                self.emit(Op::Check(a, number));
            }
        }
    }
}

fn range_in_words(lo: i64, hi: i64) -> String {
    if lo == hi { lo.to_string() } else { format!("{lo} to {hi}") }
}
