//! Pairs of arms are compared block by block: what every trial was worth to either stands in a row.

use std::ops::{Range, RangeInclusive};

use rayon::prelude::*;

use super::side::Side;
use super::tally::{Differences, FEW, PairTally, PairedTally};
use crate::tally::Histogram;

impl PairedTally {
    /// Counts a block for every pair; many are shared among the threads.
    pub(super) fn compare(&mut self, block: &Range<u64>, sides: &[Side]) {
        let pairs = self.pairs.par_iter_mut().with_min_len(FEW);
        pairs.for_each_init(Cells::new, |cells, pair| {
            pair.compare(block, &sides[pair.a], &sides[pair.b], cells);
        });
    }
}

impl PairTally {
    /// Counts the trials of a block; blocks come in order.
    pub(super) fn compare(&mut self, block: &Range<u64>, a: &Side, b: &Side, cells: &mut Cells) {
        let trials = a.rows.trials();
        self.trials += trials as u64;
        let are_equal = |at: usize| a.rows.answers(at) == b.rows.answers(at);
        let identical = (0..trials).filter(|&at| are_equal(at)).count();
        self.identical += identical as u64;
        let wanted = self.wanted().saturating_sub(self.parted.len());
        if wanted > 0 && identical < trials {
            let parted = (0..trials).filter(|&at| !are_equal(at)).take(wanted);
            self.parted.extend(parted.map(|at| block.start + at as u64));
        }
        let (mut of_a, mut of_b, mut of_both) = (0, 0, 0);
        for at in 0..trials {
            let [a, b] = [a, b].map(|side| u64::from(side.is_early(at)));
            (of_a, of_b, of_both) = (of_a + a, of_b + b, of_both + (a & b));
        }
        self.early[0][0] += trials as u64 - (of_a + of_b - of_both);
        self.early[0][1] += of_b - of_both;
        self.early[1][0] += of_a - of_both;
        self.early[1][1] += of_both;
        if a.lineups == 1 && b.lineups == 1 {
            self.count(|metric| a.rows.column(metric).zip(b.rows.column(metric)), cells);
        } else {
            self.count(|metric| a.metric(block, metric).zip(b.metric(block, metric)), cells);
        }
    }

    /// Counts all metrics, given the values of both in every trial.
    #[inline(always)]
    fn count<I: Iterator<Item = (u32, u32)>>(&mut self, values: impl Fn(usize) -> I, cells: &mut Cells) {
        for (metric, differences) in self.metrics.iter_mut().enumerate() {
            cells.differences(values(metric), differences);
        }
        cells.common(values(0), &mut self.common);
    }
}

/// Counters of small numbers, in which trials are counted before they are added to a histogram. Two of each number, so that
/// of trials with equal numbers one need not wait for the other.
pub(super) struct Cells {
    counts: Box<[[u32; 2]; CELLS as usize]>,
}

const CELLS: u32 = 1 << 11;
/// The cell of a difference of 0.
const MIDDLE: u32 = CELLS / 2;

impl Cells {
    pub(super) fn new() -> Self {
        Self { counts: vec![[0; 2]; CELLS as usize].try_into().expect("as many") }
    }

    #[inline(always)]
    fn differences(&mut self, values: impl Iterator<Item = (u32, u32)>, into: &mut Differences) {
        let cell = |a: u32, b: u32| a.wrapping_sub(b).wrapping_add(MIDDLE);
        for cell in self.count(values, cell, |a, b| into.add(a, b)) {
            let count = self.take(cell);
            if count > 0 {
                into.add_many(cell.max(MIDDLE) - MIDDLE, MIDDLE - cell.min(MIDDLE), count);
            }
        }
    }

    /// Counts the values that both have.
    #[inline(always)]
    fn common(&mut self, values: impl Iterator<Item = (u32, u32)>, into: &mut Histogram) {
        // The first cell is for those that differ.
        let cell = |a: u32, b: u32| if a == b { a.saturating_add(1) } else { 0 };
        for cell in self.count(values, cell, |a, _| into.add(a)) {
            let count = self.take(cell);
            if count > 0 && cell > 0 {
                into.add_many(cell - 1, count);
            }
        }
    }

    /// Counts values in their cells, and gives those that have none to `beyond`; the range of the cells.
    #[inline(always)]
    fn count(
        &mut self,
        values: impl Iterator<Item = (u32, u32)>,
        cell: impl Fn(u32, u32) -> u32,
        mut beyond: impl FnMut(u32, u32),
    ) -> RangeInclusive<u32> {
        let (mut turn, mut least, mut most) = (0, CELLS, 0);
        for (a, b) in values {
            let cell = cell(a, b);
            match self.counts.get_mut(cell as usize) {
                Some(counts) => counts[turn] += 1,
                None => beyond(a, b),
            }
            turn ^= 1;
            (least, most) = (least.min(cell), most.max(cell));
        }
        least..=most.min(CELLS - 1)
    }

    /// What is in a cell, which is then empty.
    fn take(&mut self, cell: u32) -> u64 {
        std::mem::take(&mut self.counts[cell as usize]).into_iter().map(u64::from).sum()
    }
}
