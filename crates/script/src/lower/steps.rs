//! The step for an operation and its operands.

use crate::code::{Slot, Step};
use crate::layout::BagOp;
use crate::op::Bin;

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

pub(super) fn is_comparison(bin: Bin) -> bool {
    matches!(bin, Bin::Eq | Bin::Ne | Bin::Lt | Bin::Le)
}

/// The opposite of `Eq` and `Ne`; of the others it is said apart.
pub(super) fn not(bin: Bin) -> Bin {
    match bin {
        Bin::Eq => Bin::Ne,
        Bin::Ne => Bin::Eq,
        other => other,
    }
}

pub(super) fn is_binary(op: BagOp) -> bool {
    matches!(op, BagOp::Count | BagOp::Minus | BagOp::Within | BagOp::Part | BagOp::Pairing | BagOp::Dice(_))
}

/// A step for acc and a constant.
pub(super) fn with_constant(bin: Bin, k: i64) -> Option<Step> {
    let shift = u8::try_from(k & 63).unwrap_or(0);
    Some(match bin {
        Bin::Add => Step::AddK(k),
        Bin::Sub => Step::AddK(k.wrapping_neg()),
        Bin::Mul => Step::MulK(k),
        Bin::Div => Step::DivK(k),
        Bin::Rem => Step::RemK(k),
        Bin::Min => Step::MinK(k),
        Bin::Max => Step::MaxK(k),
        Bin::Eq => Step::EqK(k),
        Bin::Ne => Step::NeK(k),
        Bin::Lt => Step::LtK(k),
        Bin::Le => Step::LtK(k.checked_add(1)?),
        Bin::And => Step::AndK(k),
        Bin::Or => Step::OrK(k),
        Bin::Shl => Step::ShlK(shift),
        Bin::Shr => Step::ShrK(shift),
    })
}

/// A step for a constant and acc.
pub(super) fn from_constant(bin: Bin, k: i64) -> Option<Step> {
    Some(match bin {
        Bin::Sub => Step::FromK(k),
        Bin::Lt => Step::GtK(k),
        Bin::Le => Step::GtK(k.checked_sub(1)?),
        Bin::Add | Bin::Mul | Bin::Min | Bin::Max | Bin::Eq | Bin::Ne | Bin::And | Bin::Or => {
            return with_constant(bin, k);
        }
        Bin::Div | Bin::Rem | Bin::Shl | Bin::Shr => return None,
    })
}

pub(super) fn straight(bin: Bin) -> fn(Slot) -> Step {
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

/// The step for the second operand in acc.
pub(super) fn turned(bin: Bin) -> Option<fn(Slot) -> Step> {
    Some(match bin {
        Bin::Sub => Step::From,
        Bin::Lt => Step::Gt,
        Bin::Le => Step::Ge,
        Bin::Div | Bin::Rem | Bin::Shl | Bin::Shr => return None,
        other => straight(other),
    })
}
