//! Trials in which many arms play, with the arms shared among the threads: those that take long, so that a run can be stopped
//! within a trial, and those of so many pairs that there is one tally of them. What is not complete is discarded.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use rayon::prelude::*;

use super::{GameColumns, PairedTally, Side, count_games, report};
use crate::arms::{Arm, batch_of};
use crate::plan::{AIM, Batch, Pace, Plan, Watcher};
use crate::stream::Keys;
use crate::tally::Tally;

/// With fewer arms than this, a trial ends soon enough.
const MANY: usize = 8;

/// Plays the first trials of a plan into a tally, one after the other, at least one and as long as each takes long; or all of
/// them, in blocks. Returns the plan of the remaining trials, which is empty after a report to break. The clock decides only
/// who plays which trials, which does not affect results.
pub(super) fn play_shared(
    arms: &[&dyn Arm],
    keys: &Keys,
    (plan, all): (&Plan, bool),
    tally: &mut PairedTally,
    progress: &Watcher<'_>,
) -> Plan {
    let Plan { seed, ref trials } = *plan;
    let left = |first| Plan { seed, trials: first..trials.end };
    if arms.len() < MANY {
        return left(trials.start);
    }
    let mut sides: Vec<_> = arms.iter().map(|arm| Side::of(*arm)).collect();
    let (mut columns, has_pairs) = (GameColumns::default(), !tally.pairs.is_empty());
    let mut pace = Pace::new(1, if all { batch_of(arms.len()) } else { 1 });
    let mut first = trials.start;
    while first < trials.end {
        let begun = Instant::now();
        let block = first..trials.end.min(first.saturating_add(pace.next()));
        let is_stopped = AtomicBool::new(false);
        let play = |(arm, side): (&&dyn Arm, &mut Side)| -> Option<Vec<Tally>> {
            if is_stopped.load(Ordering::Relaxed) || progress(Batch::NONE).is_break() {
                is_stopped.store(true, Ordering::Relaxed);
                return None;
            }
            let mut rotations = vec![arm.tally(); arm.lineups()];
            side.rows.play_into(*arm, keys, &block, has_pairs, &mut rotations);
            Some(rotations)
        };
        let played: Option<Vec<_>> = arms.par_iter().zip(&mut sides).map(play).collect();
        let Some(played) = played else {
            return left(trials.end);
        };
        tally.arms.iter_mut().zip(&played).for_each(|(arm, more)| arm.add(more));
        tally.compare(&block, &sides);
        count_games(&mut tally.games, &sides, &mut columns);
        if progress(report(&sides)).is_break() {
            return left(trials.end);
        }
        first = block.end;
        if !all && begun.elapsed() < AIM {
            break;
        }
    }
    left(first)
}
