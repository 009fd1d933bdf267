//! What blocks leave to others. Each number has a column, as wide as its range: that of all that is ever left there.

use std::collections::BTreeMap;

use super::range::{ALL, Range, joined};
use crate::op::Reg;

/// A number that a block leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Left {
    /// In a register.
    Register(Reg),
    /// What a stop gives, by its number: an answer, or what a roll shows.
    Given(u32, u8),
    /// The ending and the seat, for the calculation at the end; what it comes to, by the number of the metric.
    Ending,
    Seat,
    Measured(u8),
}

/// The ranges that are known.
#[derive(Clone, Debug, Default)]
pub(super) struct Ranges {
    known: BTreeMap<Left, Range>,
    /// Whether one has grown.
    pub(super) are_wider: bool,
}

impl Ranges {
    /// The range of what is left there; that of 0 if nothing is.
    pub(super) fn of(&self, left: Left) -> Range {
        self.known.get(&left).copied().unwrap_or((0, 0))
    }

    /// What has a range.
    pub(super) fn all(&self) -> impl Iterator<Item = Left> {
        self.known.keys().copied()
    }

    /// Numbers of a range are left there as well.
    pub(super) fn join(&mut self, left: Left, range: Range) {
        let before = self.known.get(&left).copied();
        let whole = before.map_or(range, |before| joined(before, range));
        if before != Some(whole) {
            self.known.insert(left, whole);
            self.are_wider = true;
        }
    }

    /// Any number may be in a register.
    pub(super) fn give_up(&mut self) {
        let registers = self.known.iter_mut().filter(|(left, _)| matches!(left, Left::Register(_)));
        registers.for_each(|(_, range)| *range = ALL);
    }
}
