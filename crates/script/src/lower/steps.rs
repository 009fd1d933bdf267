//! The step for an operation and its operands.

use crate::arithmetic::Bin;
use crate::code::{Slot, Step};
use crate::layout::BagOp;

/// How two numbers compare.
#[derive(Clone, Copy, Debug)]
pub(super) enum Order {
    Eq,
    Ne,
    Lt,
    Ge,
    Le,
    Gt,
}

impl Order {
    /// What a comparison says, or its opposite.
    pub(super) fn of(bin: Bin, wanted: bool) -> Option<Self> {
        Some(match (bin, wanted) {
            (Bin::Eq, true) | (Bin::Ne, false) => Self::Eq,
            (Bin::Ne, true) | (Bin::Eq, false) => Self::Ne,
            (Bin::Lt, true) => Self::Lt,
            (Bin::Lt, false) => Self::Ge,
            (Bin::Le, true) => Self::Le,
            (Bin::Le, false) => Self::Gt,
            _ => return None,
        })
    }

    /// The same with a number, as less than or not less than another.
    pub(super) fn with_constant(self, k: i64) -> (Self, i64) {
        match self {
            Self::Le => (Self::Lt, k.saturating_add(1)),
            Self::Gt => (Self::Ge, k.saturating_add(1)),
            other => (other, k),
        }
    }

    /// The same of the numbers the other way round.
    pub(super) fn turned(self) -> Self {
        match self {
            Self::Lt => Self::Gt,
            Self::Ge => Self::Le,
            Self::Le => Self::Ge,
            Self::Gt => Self::Lt,
            other => other,
        }
    }
}

pub(super) fn is_binary(op: BagOp) -> bool {
    matches!(op, BagOp::Count | BagOp::Minus | BagOp::Within | BagOp::Part | BagOp::Pairing | BagOp::Dice(_))
}

type WithNumber = fn(Slot, Slot, i64) -> Step;

/// The step for a register and a number, with the number that it takes.
pub(super) fn with_constant(bin: Bin, k: i64) -> Option<(WithNumber, i64)> {
    Some(match bin {
        Bin::Add => (Step::AddK, k),
        Bin::Sub => (Step::AddK, k.wrapping_neg()),
        Bin::Mul => (Step::MulK, k),
        Bin::Div => (Step::DivK, k),
        Bin::Rem => (Step::RemK, k),
        Bin::Min => (Step::MinK, k),
        Bin::Max => (Step::MaxK, k),
        Bin::Eq => (Step::EqK, k),
        Bin::Ne => (Step::NeK, k),
        Bin::Lt => (Step::LtK, k),
        Bin::Le => (Step::LtK, k.checked_add(1)?),
        Bin::And => (Step::AndK, k),
        Bin::Or => (Step::OrK, k),
        Bin::Shl => (Step::ShlK, k),
        Bin::Shr => (Step::ShrK, k),
    })
}

/// The step for a number and a register.
pub(super) fn from_constant(bin: Bin, k: i64) -> Option<(WithNumber, i64)> {
    Some(match bin {
        Bin::Sub => (Step::FromK, k),
        Bin::Lt => (Step::GtK, k),
        Bin::Le => (Step::GtK, k.checked_sub(1)?),
        Bin::Add | Bin::Mul | Bin::Min | Bin::Max | Bin::Eq | Bin::Ne | Bin::And | Bin::Or => {
            return with_constant(bin, k);
        }
        Bin::Div | Bin::Rem | Bin::Shl | Bin::Shr => return None,
    })
}

/// The step for two registers.
pub(super) fn straight(bin: Bin) -> fn(Slot, Slot, Slot) -> Step {
    match bin {
        Bin::Add => Step::Add,
        Bin::Sub => Step::Sub,
        Bin::Mul => Step::Mul,
        Bin::Div => Step::Div,
        Bin::Rem => Step::Rem,
        Bin::Min => Step::Min,
        Bin::Max => Step::Max,
        Bin::Eq => Step::Eq,
        Bin::Ne => Step::Ne,
        Bin::Lt => Step::Lt,
        Bin::Le => Step::Le,
        Bin::And => Step::And,
        Bin::Or => Step::Or,
        Bin::Shl => Step::Shl,
        Bin::Shr => Step::Shr,
    }
}
