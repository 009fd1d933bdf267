//! Pairs of arms whose trials are played many at a time: their rows are compared.

use std::ops::Range;

use super::tally::{PairTally, PairedTally};
use crate::arms::{Arm, Player, ROWS, Rows};
use crate::plan::{Batch, Pace, Queue, Watcher};
use crate::rotation::rotation_of;
use crate::stream::Keys;
use crate::tally::Histogram;

/// An arm that plays on a thread, and the rows of the last block.
struct Side<'a> {
    player: Box<dyn Player + 'a>,
    rows: Rows,
    lineups: usize,
    early: Vec<bool>,
}

/// The arms on a thread; `None` unless all can play many games at a time.
fn sides<'a>(arms: &[&'a dyn Arm], keys: &Keys) -> Option<Vec<Side<'a>>> {
    let side = |&arm: &&'a dyn Arm| {
        let player = arm.fast_player(keys)?;
        Some(Side { player, rows: Rows::of(arm), lineups: arm.lineups(), early: arm.early() })
    };
    arms.iter().map(side).collect()
}

/// Plays the trials of a queue with every arm on this thread and compares the pairs of the tally, to which it adds; `None`
/// unless all arms can play many games at a time.
pub(super) fn play(
    arms: &[&dyn Arm],
    keys: &Keys,
    queue: &Queue<'_>,
    tally: &mut PairedTally,
    progress: &Watcher<'_>,
) -> Option<()> {
    let mut sides = sides(arms, keys)?;
    let mut cells = Cells::new();
    // The rows of all arms stay in the cache, or at least in memory.
    let least = sides.iter().map(|side| side.player.at_once()).max().unwrap_or(1).min(ROWS);
    let most = (ROWS * 16 / arms.len().max(1) as u64).clamp(least, ROWS);
    let mut pace = Pace::new(least, most);
    while let Some(block) = queue.next(&mut pace) {
        for Side { player, rows, .. } in &mut sides {
            player.play(&block, true, rows);
        }
        for pair in &mut tally.pairs {
            pair.compare(&block, &sides[pair.a], &sides[pair.b], &mut cells);
        }
        queue.report(progress(sides.first().map_or(Batch::NONE, |side| side.rows.report())));
    }
    for (arm, side) in tally.arms.iter_mut().zip(sides) {
        let more = side.player.tallies();
        arm.rotations.iter_mut().zip(&more).for_each(|(tally, more)| tally.merge(more));
    }
    Some(())
}

impl Side<'_> {
    /// A metric of the first policy in every trial of a block.
    #[inline(always)]
    fn metric(&self, block: &Range<u64>, metric: usize) -> impl Iterator<Item = u32> {
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

impl PairTally {
    /// Counts the trials of a block.
    fn compare(&mut self, block: &Range<u64>, a: &Side<'_>, b: &Side<'_>, cells: &mut Cells) {
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
            let [a, b] = [a, b].map(|side| u64::from(side.early[side.rows.ending(at)]));
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
        self.count_wholes([&a.rows, &b.rows], cells);
    }

    /// Counts the metrics of all seats, added up.
    fn count_wholes(&mut self, [a, b]: [&Rows; 2], cells: &mut Cells) {
        for (metric, differences) in self.wholes.iter_mut().enumerate() {
            let wholes = (0..a.trials()).map(|at| (a.whole(at, metric), b.whole(at, metric)));
            cells.differences(wholes, differences);
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
struct Cells {
    counts: Box<[[u32; 2]; CELLS as usize]>,
}

const CELLS: u32 = 1 << 11;
/// The cell of a difference of 0.
const MIDDLE: u32 = CELLS / 2;

impl Cells {
    fn new() -> Self {
        Self { counts: vec![[0; 2]; CELLS as usize].try_into().expect("as many") }
    }

    #[inline(always)]
    fn differences(&mut self, values: impl Iterator<Item = (u32, u32)>, into: &mut super::Differences) {
        let (mut turn, mut least, mut most) = (0, MIDDLE, MIDDLE);
        for (a, b) in values {
            let cell = a.wrapping_sub(b).wrapping_add(MIDDLE);
            match self.counts.get_mut(cell as usize) {
                Some(counts) => counts[turn] += 1,
                None => into.add(a, b),
            }
            turn ^= 1;
            (least, most) = (least.min(cell), most.max(cell));
        }
        for cell in least..=most.min(CELLS - 1) {
            let count: u32 = std::mem::take(&mut self.counts[cell as usize]).iter().sum();
            if count > 0 {
                into.add_many(cell.max(MIDDLE) - MIDDLE, MIDDLE - cell.min(MIDDLE), count.into());
            }
        }
    }

    /// Counts the values that both have.
    #[inline(always)]
    fn common(&mut self, values: impl Iterator<Item = (u32, u32)>, into: &mut Histogram) {
        let (mut turn, mut most) = (0, 0);
        for (a, b) in values {
            // The first cell is for those that differ.
            let cell = if a == b { a.saturating_add(1) } else { 0 };
            match self.counts.get_mut(cell as usize) {
                Some(counts) => counts[turn] += 1,
                None => into.add(a),
            }
            turn ^= 1;
            most = most.max(cell);
        }
        for cell in 0..=most.min(CELLS - 1) {
            let count: u32 = std::mem::take(&mut self.counts[cell as usize]).iter().sum();
            if count > 0 && cell > 0 {
                into.add_many(cell - 1, count.into());
            }
        }
    }
}
