//! Values while compiling: where they are, what they are, and what is known of them.

use std::rc::Rc;

use crate::op::{NamedKind, Reg};

/// Where a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum At {
    Const(i64),
    Reg(Reg),
}

/// What a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Number,
    Truth,
    /// A name of a universe, or none: the number of the name.
    Name(usize),
    Bag(u16),
    /// A seat.
    Player,
    Pairing,
    /// The word `none`.
    Nothing,
    /// A value that could not be understood.
    Broken,
}

impl Kind {
    /// As people are told it.
    pub(super) fn named(self) -> Option<NamedKind> {
        Some(match self {
            Self::Number => NamedKind::Number,
            Self::Truth => NamedKind::Truth,
            Self::Name(_) => NamedKind::Name,
            Self::Player => NamedKind::Player,
            Self::Bag(layout) => NamedKind::Bag(layout),
            Self::Pairing => NamedKind::Pairing,
            Self::Nothing | Self::Broken => return None,
        })
    }
}

/// A value with its range. Of a name, 0 is within the range if it may be none, of a player -1. Of a bag it is the range of its size, and
/// there is the most of each face.
#[derive(Clone, Debug)]
pub(super) struct Val {
    pub(super) at: At,
    pub(super) kind: Kind,
    pub(super) lo: i64,
    pub(super) hi: i64,
    pub(super) most: Rc<[i64]>,
}

impl Val {
    pub(super) fn new(at: At, kind: Kind, lo: i64, hi: i64) -> Self {
        let at = if lo == hi && matches!(kind, Kind::Number | Kind::Truth | Kind::Player) {
            At::Const(lo)
        } else {
            at
        };
        Self::kept(at, kind, lo, hi)
    }

    /// A value that stays where it is, even if its range is one number.
    pub(super) fn kept(at: At, kind: Kind, lo: i64, hi: i64) -> Self {
        Self { at, kind, lo, hi, most: Rc::new([]) }
    }

    pub(super) fn number(number: i64) -> Self {
        Self::new(At::Const(number), Kind::Number, number, number)
    }

    pub(super) fn truth(truth: bool) -> Self {
        Self::new(At::Const(truth.into()), Kind::Truth, truth.into(), truth.into())
    }

    pub(super) fn name(atom: i64, universe: usize) -> Self {
        Self::new(At::Const(atom), Kind::Name(universe), atom.min(1), i64::MAX)
    }

    pub(super) fn player(seat: usize) -> Self {
        let seat = i64::try_from(seat).unwrap_or(0);
        Self::new(At::Const(seat), Kind::Player, seat, seat)
    }

    pub(super) fn broken() -> Self {
        Self::kept(At::Const(0), Kind::Broken, 0, 0)
    }

    pub(super) fn is_broken(&self) -> bool {
        self.kind == Kind::Broken
    }

    /// The value, if it depends on options only.
    pub(super) fn known(&self) -> Option<i64> {
        match self.at {
            At::Const(value) => Some(value),
            At::Reg(_) => None,
        }
    }

    /// Whether a truth value is known, and which it is.
    pub(super) fn is(&self, truth: bool) -> bool {
        self.known() == Some(truth.into())
    }

    /// What is known of it if it may be another of its kind as well.
    pub(super) fn joined(&self, other: &Self) -> Self {
        let most: Vec<i64> = self.most.iter().zip(&*other.most).map(|(a, b)| *a.max(b)).collect();
        Self { lo: self.lo.min(other.lo), hi: self.hi.max(other.hi), ..self.clone() }.with_most(most)
    }

    pub(super) fn with_most(mut self, most: impl Into<Rc<[i64]>>) -> Self {
        self.most = most.into();
        self
    }
}

impl Kind {
    pub(super) fn in_words(self) -> &'static str {
        match self {
            Self::Number => "a number",
            Self::Truth => "a yes or no",
            Self::Name(_) => "a name",
            Self::Bag(_) => "a bag",
            Self::Player => "a player",
            Self::Pairing => "a pairing",
            Self::Nothing => "`none`",
            Self::Broken => "nothing",
        }
    }
}
