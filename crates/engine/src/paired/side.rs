//! What an arm came to in a block of trials, in rows.

use std::ops::Range;

use crate::arms::{Arm, Rows};
use crate::rotation::rotation_of;

/// What an arm came to in a block of trials.
pub(super) struct Side {
    pub(super) rows: Rows,
    pub(super) lineups: usize,
    early: Vec<bool>,
}

impl Side {
    pub(super) fn of(arm: &dyn Arm) -> Self {
        Self { rows: Rows::of(arm), lineups: arm.lineups(), early: arm.early() }
    }

    /// Whether a trial ended early.
    pub(super) fn is_early(&self, at: usize) -> bool {
        self.early[self.rows.ending(at)]
    }

    /// A metric of the first policy in every trial of a block.
    #[inline(always)]
    pub(super) fn metric(&self, block: &Range<u64>, metric: usize) -> impl Iterator<Item = u32> {
        let (lineups, mut seat) = (self.lineups, rotation_of(block.start, self.lineups));
        (0..self.rows.trials()).map(move |at| {
            let value = self.rows.values(at, seat)[metric];
            seat += 1;
            if seat == lineups {
                seat = 0;
            }
            value
        })
    }
}
