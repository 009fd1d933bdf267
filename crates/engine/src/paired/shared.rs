//! Trials that take long because many arms play in them. They are played one at a time, with their arms shared among
//! the threads, so that a run can be stopped within a trial. That trial is discarded; those before it are complete.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use rayon::prelude::*;

use super::{Block, PairedTally};
use crate::arms::Arm;
use crate::plan::{AIM, Batch, Plan, Watcher};
use crate::stream::Keys;
use crate::tally::Tally;

/// With fewer arms than this, a trial ends soon enough.
const MANY: usize = 8;

/// Plays the first trials of a plan into a tally, at least one and as long as each takes long. Returns the plan of the
/// remaining trials, which is empty after a report to break. The clock decides only who plays which trials, which does
/// not affect results.
pub(super) fn play_shared(
    arms: &[&dyn Arm],
    keys: &Keys,
    plan: &Plan,
    tally: &mut PairedTally,
    progress: &Watcher<'_>,
) -> Plan {
    let Plan { seed, ref trials } = *plan;
    let left = |first| Plan { seed, trials: first..trials.end };
    if arms.len() < MANY {
        return left(trials.start);
    }
    let mut blocks = vec![Block::default(); arms.len()];
    for number in trials.clone() {
        let begun = Instant::now();
        let is_stopped = AtomicBool::new(false);
        let play = |(arm, block): (&&dyn Arm, &mut Block)| -> Option<Vec<Tally>> {
            if is_stopped.load(Ordering::Relaxed) || progress(Batch::NONE).is_break() {
                is_stopped.store(true, Ordering::Relaxed);
                return None;
            }
            let mut rotations = vec![arm.tally(); arm.lineups()];
            block.play(*arm, keys, &(number..number + 1), &mut rotations);
            Some(rotations)
        };
        let played: Option<Vec<_>> = arms.par_iter().zip(&mut blocks).map(play).collect();
        let Some(played) = played else {
            return left(trials.end);
        };
        let before = tally.first();
        for (arm, rotations) in tally.arms.iter_mut().zip(&played) {
            arm.rotations.iter_mut().zip(rotations).for_each(|(tally, more)| tally.merge(more));
        }
        tally.compare(&(number..number + 1), &blocks);
        let after = tally.first();
        let batch = Batch { trials: 1, sum: after.0 - before.0, squares: after.1 - before.1 };
        if progress(batch).is_break() {
            return left(trials.end);
        }
        if begun.elapsed() < AIM {
            return left(number + 1);
        }
    }
    left(trials.end)
}
