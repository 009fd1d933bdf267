//! The candidates of a question: kept until it is answered, which of them are legal, and which one an answer is.

use super::domain::Dom;
use super::value::{At, Kind, Val};
use super::{Compiler, Local};
use crate::op::{Bin, Op};
use crate::syntax::Loop;

/// A domain whose values outlast a stop.
#[derive(Clone, Debug)]
pub(super) enum Kept {
    Items(Vec<(Local, Option<usize>)>),
    Range(usize, usize),
    Parts(usize, usize),
    Pairings(usize),
}

/// How an action of a question is one of its candidates.
#[derive(Clone, Debug)]
pub(super) struct Candidates {
    pub(super) over: Loop,
    pub(super) kept: Kept,
    /// Whether actions number the legal candidates, of which there may be more than 64 in all.
    pub(super) is_ranked: bool,
}

impl Compiler<'_> {
    /// Keeps a domain over a stop, or over the passes of a loop.
    pub(super) fn keep(&mut self, dom: Dom) -> Kept {
        match dom {
            Dom::Items(items) => Kept::Items(items.into_iter().map(|item| self.keep_item(item)).collect()),
            Dom::Range(from, to) => Kept::Range(self.let_value("", &from), self.let_value("", &to)),
            Dom::Parts(bag, most) => Kept::Parts(self.let_value("", &bag), most),
            Dom::Pairings(bag) => Kept::Pairings(self.let_value("", &bag)),
        }
    }

    /// Keeps an item of a domain: what is not known, and the condition for its being there, as variables.
    pub(super) fn keep_item(&mut self, (value, is_there): (Val, Option<Val>)) -> (Local, Option<usize>) {
        let local = match value.known() {
            Some(_) => Local::Value(value),
            None => Local::Variable(self.let_value("", &value)),
        };
        (local, is_there.map(|is_there| self.let_value("", &is_there)))
    }

    /// The domain that was kept.
    pub(super) fn kept(&mut self, kept: &Kept) -> Dom {
        let span = 0..0;
        match kept {
            Kept::Items(items) => {
                let items = items.iter().map(|(local, is_there)| {
                    let value = match local {
                        Local::Value(value) => value.clone(),
                        Local::Variable(number) => self.variable_value(*number, &[], &span),
                    };
                    (value, is_there.map(|number| self.variable_value(number, &[], &span)))
                });
                Dom::Items(items.collect())
            }
            Kept::Range(from, to) => {
                Dom::Range(self.variable_value(*from, &[], &span), self.variable_value(*to, &[], &span))
            }
            Kept::Parts(bag, most) => Dom::Parts(self.variable_value(*bag, &[], &span), *most),
            Kept::Pairings(bag) => Dom::Pairings(self.variable_value(*bag, &[], &span)),
        }
    }

    /// The legal actions as bits, or their number.
    pub(super) fn legal(&mut self, candidates: &Candidates) -> At {
        let dom = self.kept(&candidates.kept);
        self.legal_of(&candidates.over, &dom, candidates.is_ranked)
    }

    /// The same of a domain.
    pub(super) fn legal_of(&mut self, over: &Loop, dom: &Dom, is_ranked: bool) -> At {
        let mut mask = At::Const(0);
        let kept = self.register();
        let is_written_out = matches!(dom, Dom::Items(_)) && !is_ranked;
        let position = self.register();
        let mut bit = 1_i64;
        let ((), mut ops) = self.aside(|compiler| {
            compiler.each(over, dom, |compiler, _, lets| {
                if is_written_out {
                    let part = compiler.bin(Bin::Mul, lets.at, At::Const(bit));
                    mask = compiler.bin(Bin::Or, mask, part);
                    bit = bit.wrapping_shl(1);
                    return;
                }
                let part = if is_ranked {
                    compiler.bin(Bin::Add, At::Reg(kept), lets.at)
                } else {
                    let part = compiler.bin(Bin::Shl, lets.at, At::Reg(position));
                    compiler.bin(Bin::Or, At::Reg(kept), part)
                };
                compiler.assign_register(kept, part);
                compiler.emit(Op::BinK(Bin::Add, position, position, 1));
            })
        });
        if is_written_out {
            self.append(ops);
            return mask;
        }
        let zeros = [Op::Set(kept, 0), Op::Set(position, 0)];
        ops.splice(0..0, zeros);
        match self.by_bag(dom, &mut ops, At::Reg(kept)) {
            Some(known) => known,
            None => {
                self.append(ops);
                At::Reg(kept)
            }
        }
    }

    /// The candidate of an action.
    pub(super) fn candidate(&mut self, candidates: &Candidates, action: At) -> Val {
        let dom = self.kept(&candidates.kept);
        if candidates.is_ranked {
            let (rank, found) = (self.register(), self.register());
            self.emit(Op::Set(rank, 0));
            self.emit(Op::Set(found, 0));
            let mut like = Val::broken();
            let locals = std::mem::take(&mut self.locals);
            self.locals.clone_from(&locals);
            self.each(&candidates.over, &dom, |compiler, value, lets| {
                let is = compiler.bin(Bin::Eq, At::Reg(rank), action);
                let is = compiler.bin(Bin::And, is, lets.at);
                let (c, a) = (compiler.get(is), compiler.get(value.at));
                compiler.emit(Op::Select(found, c, a, found));
                let next = compiler.bin(Bin::Add, At::Reg(rank), lets.at);
                compiler.assign_register(rank, next);
                let most = like.most.iter().zip(&*value.most).map(|(a, b)| *a.max(b)).collect::<Vec<_>>();
                like = match like.kind {
                    Kind::Broken => value.clone(),
                    _ => Val { lo: like.lo.min(value.lo), hi: like.hi.max(value.hi), ..value.clone() }
                        .with_most(most),
                };
            });
            self.locals = locals;
            return Val { at: At::Reg(found), ..like };
        }
        let Dom::Items(items) = dom else {
            let (_, most) = self.many(&dom);
            let at = Val::kept(action, Kind::Number, 0, (most - 1).max(0));
            return self.value_at(&dom, &at).0;
        };
        let Some((first, _)) = items.first().cloned() else { return Val::broken() };
        let (lo, hi) = items
            .iter()
            .fold((first.lo, first.hi), |(lo, hi), (value, _)| (lo.min(value.lo), hi.max(value.hi)));
        let known: Option<Vec<i64>> = items.iter().map(|(value, _)| value.known()).collect();
        let at = match known {
            Some(table) => self.look_up(table, action),
            None => {
                let mut at = first.at;
                for (number, (value, _)) in (0_i64..).zip(&items).skip(1) {
                    let is = self.bin(Bin::Eq, action, At::Const(number));
                    at = self.select(is, value.at, at);
                }
                at
            }
        };
        Val { at, lo, hi, ..first }
    }
}
