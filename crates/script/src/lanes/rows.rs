//! What every trial was worth, in order.

use std::ops::Range;

use stopwise_engine::arms::Rows;
use stopwise_engine::rotation::Share;

use super::column::{Column, Mask, Number, PART, PARTS};

/// The rows of a block of trials, into which lanes put those of a line-up's share.
#[derive(Debug)]
pub struct TrialRows<'r> {
    /// The share, whose trials have the numbers that are played.
    pub share: Share,
    /// The block.
    pub block: Range<u64>,
    /// Whether the rows have numbers for answers.
    pub answers: bool,
    /// A row for every trial of the block.
    pub rows: &'r mut Rows,
}

impl TrialRows<'_> {
    /// Puts the ending and the answers of a trial of the share. Returns all metrics of all seats, to be set.
    pub(super) fn put(&mut self, trial: u64, ending: usize, answers: i64) -> &mut [u32] {
        let nth = usize::try_from(trial - self.share.of(&self.block).start).unwrap_or(usize::MAX);
        let step = usize::try_from(self.share.step).unwrap_or(usize::MAX);
        self.rows.put(self.share.begins(&self.block) + nth * step, ending, answers.cast_unsigned())
    }
}

/// Mixes an answer into the number for all answers of a game, in the games of a mask.
#[inline(always)]
pub(super) fn mix<T: Number>(numbers: &mut Column<i64>, answers: &Column<T>, mask: &Mask) {
    for at in 0..PARTS {
        let (answers, mask, mut part) = (answers.0[at], mask.0[at], numbers.0[at]);
        for lane in 0..PART {
            let mixed = mixed(part[lane], answers[lane].wide());
            part[lane] = part[lane].or_new(mask[lane], mixed);
        }
        numbers.0[at] = part;
    }
}

/// A number for all answers with one more: an odd factor, and the upper bits into the lower ones.
#[inline(always)]
pub(super) fn mixed(number: i64, answer: i64) -> i64 {
    let product = number.wrapping_add(answer).wrapping_add(1).wrapping_mul(-0x61c8_8646_80b5_83eb);
    product ^ (product.cast_unsigned() >> 29).cast_signed()
}
