//! Pairs of arms on the same trials, compared trial by trial.
//!
//! A [`PairedTally`] holds the results of each [`Arm`] and, for every pair, exact integers about the differences. The
//! analysis interprets them. The comparison is between the arms' **first policies**: their metrics, and how the games
//! end.
//!
//! A block of trials is played with each line-up in turn, so that each keeps its fastest loop; then all pairs are
//! counted. Two trials are the same game if and only if all answers in them are equal, because rules are pure and dice
//! are keyed. So identical trials are found without hashing states, and the first unequal answer is where two trials
//! diverge. Where all arms have players that play many games at a time ([`Arm::fast_player`]), blocks are longer, and numbers
//! stand for the answers ([`Rows::answers`](crate::arms::Rows::answers)).

mod divergence;
mod rows;
mod shared;
mod tally;

use std::ops::Range;

use rayon::prelude::*;

pub use divergence::{Answered, Divergence, divergence};
pub use tally::{ArmTally, Differences, PairTally, PairedTally};

use crate::arms::{Arm, BLOCK, batch_of};
use crate::game::MAX_METRICS;
use crate::plan::{Batch, Pace, Plan, Queue, Watcher, from_one_queue};
use crate::stream::Keys;
use crate::tally::Tally;
use crate::trial_result::Recording;

/// The number of pairs from which threads play and count the same trials together, rather than each its own: a tally
/// of many pairs takes long to fill, to merge and to free.
const MANY: usize = 1 << 16;

/// All pairs of this number of arms: the first arm with each later one, then the second, …
pub fn all_pairs(arms: usize) -> Vec<(usize, usize)> {
    (0..arms).flat_map(|a| (a + 1..arms).map(move |b| (a, b))).collect()
}

/// Plays the trials of a plan with every arm, on the threads of the current rayon pool, and compares pairs of them,
/// each (A, B) given by the indices of its arms.
///
/// The result is a function of the arms, the pairs and the plan. `progress` is called as by [`play`](crate::run::play),
/// with the sums of the first arm, and stops the run in the same way: the result then covers exactly the first trials
/// of the plan. For every pair the numbers of the first `divergences` trials in which the two diverge are kept.
///
/// Memory is one tally for each arm, pair and thread, whatever the number of trials; of many pairs, which all threads
/// count together, one for each arm and pair.
pub fn run_paired(
    arms: &[&dyn Arm],
    pairs: &[(usize, usize)],
    plan: &Plan,
    divergences: usize,
    progress: &Watcher<'_>,
) -> PairedTally {
    add_paired(arms, PairedTally::new(arms, pairs, divergences), plan, progress)
}

/// [`run_paired`] that adds to a tally of earlier trials of the same arms, which it returns.
pub fn add_paired(
    arms: &[&dyn Arm],
    mut total: PairedTally,
    plan: &Plan,
    progress: &Watcher<'_>,
) -> PairedTally {
    let keys = Keys::new(plan.seed);
    if total.pairs.len() < MANY && arms.iter().all(|arm| arm.fast_player(&keys).is_some()) {
        let threads = from_one_queue(plan, progress, |queue| {
            let mut tally = total.empty_one(arms);
            let played = rows::play(arms, &keys, queue, &mut tally, progress);
            played.map(|()| tally)
        });
        threads.iter().flatten().for_each(|tally| total.merge(tally));
        return total;
    }
    let plan = shared::play_shared(arms, &keys, plan, &mut total, progress);
    if plan.trials.is_empty() {
        return total;
    }
    let play = |queue: &Queue<'_>, tally: &mut PairedTally| {
        let mut blocks = vec![Block::default(); arms.len()];
        let least = arms.iter().map(|arm| arm.at_once()).max().unwrap_or(1);
        let mut pace = Pace::new(least, batch_of(arms.len()));
        while let Some(trials) = queue.next(&mut pace) {
            let before = tally.first();
            for block in trials.clone().step_by(BLOCK) {
                let block = block..trials.end.min(block.saturating_add(BLOCK as u64));
                play_block(arms, &keys, &block, &mut blocks, tally);
            }
            let after = tally.first();
            queue.report(progress(Batch {
                trials: trials.end - trials.start,
                sum: after.0 - before.0,
                squares: after.1 - before.1,
            }));
        }
    };
    if total.pairs.len() >= MANY {
        play(&Queue::new(&plan, progress), &mut total);
        return total;
    }
    let threads = from_one_queue(&plan, progress, |queue| {
        let mut tally = total.empty_one(arms);
        play(queue, &mut tally);
        tally
    });
    threads.iter().for_each(|tally| total.merge(tally));
    total
}

/// Plays a block with each arm, and compares the pairs; many of either are shared among the threads.
fn play_block(
    arms: &[&dyn Arm],
    keys: &Keys,
    trials: &Range<u64>,
    blocks: &mut [Block],
    tally: &mut PairedTally,
) {
    let least = if tally.pairs.len() >= MANY { 1 } else { arms.len() };
    let shared = arms.par_iter().zip(blocks.par_iter_mut()).zip(&mut tally.arms).with_min_len(least);
    shared.for_each(|((arm, block), tally)| {
        block.play(*arm, keys, trials, &mut tally.rotations);
    });
    tally.compare(trials, blocks);
}

/// All metrics of one seat in a trial.
type Values = [u32; MAX_METRICS];

/// The results of one arm in one trial.
#[derive(Clone, Copy, Debug)]
struct Played<'b> {
    /// The metrics of the first policy.
    values: &'b Values,
    /// Those of all seats, added up.
    wholes: &'b Values,
    /// Whether the game was cut short.
    early: bool,
    /// The indices of all answers, of any seat, in order.
    answers: &'b [u8],
}

/// The results of one arm in the trials of a block.
#[derive(Clone, Debug, Default)]
pub struct Block {
    ends: Vec<End>,
    /// The indices of the answers of all trials, one after the other. A game may have millions, so each takes one byte.
    answers: Vec<u8>,
}

#[derive(Clone, Debug, Default)]
struct End {
    values: Values,
    wholes: Values,
    early: bool,
    /// The range of the trial's answers among those of the block.
    answers: Range<usize>,
}

impl Block {
    /// Plays a block of trials into the tallies of the arm's line-ups; its results replace what was here.
    fn play(&mut self, arm: &dyn Arm, keys: &Keys, trials: &Range<u64>, rotations: &mut [Tally]) {
        let count = usize::try_from(trials.end - trials.start).expect("a block is small");
        self.ends.clear();
        self.ends.resize(count, End::default());
        self.answers.clear();
        arm.block(keys, trials, Recording::Answers, &mut |end| {
            let begun = self.answers.len();
            self.answers.extend_from_slice(end.answers);
            let mut values = Values::default();
            values[..end.metrics].copy_from_slice(end.of(end.lineup));
            let mut wholes = Values::default();
            for seat in end.values.chunks(end.stride) {
                wholes.iter_mut().zip(&seat[..end.metrics]).for_each(|(whole, value)| *whole += value);
            }
            self.ends[end.at] = End { values, wholes, early: end.early, answers: begun..self.answers.len() };
            rotations[end.lineup].enter(end);
        });
    }

    fn trials(&self) -> impl Iterator<Item = Played<'_>> {
        self.ends.iter().map(|End { values, wholes, early, answers }| Played {
            values,
            wholes,
            early: *early,
            answers: &self.answers[answers.clone()],
        })
    }
}
