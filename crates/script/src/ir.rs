//! Instructions on the way to code: with operands that may be known.

use crate::arithmetic::{Bin, Reg};
use crate::every::Every;
use crate::layout::BagOp;
use crate::row::Row;
use crate::set::Set;
use crate::state::Place;
use rustc_hash::FxHashMap;

/// An operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Arg {
    Reg(Reg),
    Const(i64),
    /// Whose turn it is.
    Me,
}

/// Cells in a row: side by side, or in words one after the other, with what is added; or by their number among those that
/// are neither.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cells {
    Near(Row, i32),
    Wide(Row, i32),
    Far(u32),
}

/// An instruction with operands that may be known.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Ir {
    Copy(Reg, Arg),
    Bin(Bin, Reg, Arg, Arg),
    Select(Reg, Arg, Arg, Arg),
    Table(Reg, u16, Arg),
    Bag(BagOp, u16, Reg, Arg, Arg),
    Every(Reg, Arg, Every),
    Ones(Reg, Arg),
    Get(Reg, Place),
    Put(Place, Arg),
    At(Reg, Cells, Arg),
    PutAt(Cells, Arg, Arg),
    Jump(usize),
    /// If the first is true, or is not.
    JumpIf(Arg, bool, usize),
    Check(Arg, u32),
    Event(u8, Arg),
    Events(u8, Arg, Arg),
    Tick(Place, usize),
    Give(u8, Arg),
    Stop(u32, Arg, Vec<Arg>),
    End(u32),
    Return,
}

impl Ir {
    /// Its operands.
    pub(crate) fn args(&self) -> Vec<Arg> {
        match self {
            Self::Copy(_, a)
            | Self::Table(_, _, a)
            | Self::Every(_, a, _)
            | Self::Ones(_, a)
            | Self::Put(_, a)
            | Self::At(_, _, a)
            | Self::JumpIf(a, ..)
            | Self::Check(a, _)
            | Self::Event(_, a)
            | Self::Give(_, a) => vec![*a],
            Self::Bin(_, _, a, b)
            | Self::Bag(_, _, _, a, b)
            | Self::PutAt(_, a, b)
            | Self::Events(_, a, b) => vec![*a, *b],
            Self::Select(_, c, a, b) => vec![*c, *a, *b],
            Self::Stop(_, seat, gives) => gives.iter().chain([seat]).copied().collect(),
            Self::Get(..) | Self::Jump(_) | Self::Tick(..) | Self::End(_) | Self::Return => Vec::new(),
        }
    }

    pub(crate) fn reads(&self) -> Vec<Reg> {
        self.args()
            .into_iter()
            .filter_map(|arg| match arg {
                Arg::Reg(register) => Some(register),
                _ => None,
            })
            .collect()
    }

    pub(crate) fn writes(&self) -> Option<Reg> {
        match self {
            Self::Copy(d, _)
            | Self::Bin(_, d, ..)
            | Self::Select(d, ..)
            | Self::Table(d, ..)
            | Self::Every(d, ..)
            | Self::Ones(d, _)
            | Self::Bag(_, _, d, ..)
            | Self::Get(d, _)
            | Self::At(d, ..) => Some(*d),
            _ => None,
        }
    }

    /// Whether what it gives is 0 or 1.
    pub(crate) fn is_truth(&self) -> bool {
        match self {
            Self::Bin(Bin::Eq | Bin::Ne | Bin::Lt | Bin::Le, ..) => true,
            Self::Get(_, place) => (place.bits, place.low) == (1, 0),
            Self::At(_, Cells::Near(row, low) | Cells::Wide(row, low), _) => (row.first.more, *low) == (0, 0),
            _ => false,
        }
    }

    pub(crate) fn target(&self) -> Option<usize> {
        match self {
            Self::Jump(to) | Self::JumpIf(_, _, to) | Self::Tick(_, to) => Some(*to),
            _ => None,
        }
    }

    pub(crate) fn leaves(&self) -> bool {
        matches!(self, Self::Jump(_) | Self::Stop(..) | Self::End(_) | Self::Return)
    }
}

/// An operation on two numbers, worked out as far as they are known.
pub(crate) fn bin_of(bin: Bin, d: Reg, a: Arg, b: Arg) -> Ir {
    match (bin, a, b) {
        (_, Arg::Const(a), Arg::Const(b)) => Ir::Copy(d, Arg::Const(bin.apply(a, b))),
        (Bin::Add | Bin::Sub | Bin::Or, a, Arg::Const(0)) | (Bin::Add | Bin::Or, Arg::Const(0), a) => {
            Ir::Copy(d, a)
        }
        (Bin::Mul, a, Arg::Const(1)) | (Bin::Mul, Arg::Const(1), a) => Ir::Copy(d, a),
        _ => Ir::Bin(bin, d, a, b),
    }
}

/// What is read before an instruction, from what is read after it.
pub(crate) fn step_back(ir: &Ir, set: &mut Set, live: &FxHashMap<usize, Set>) {
    if let Some(target) = ir.target().and_then(|to| live.get(&to)) {
        set.join(target);
    }
    if let Some(d) = ir.writes() {
        if !set.has(d) {
            return;
        }
        set.put(d, false);
    }
    ir.reads().into_iter().for_each(|register| set.put(register, true));
}
