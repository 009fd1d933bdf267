//! Many trials at once: the plan, the batches, the threads.

use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::game::{Game, Policy};
use crate::stream::Keys;
use crate::tally::{Recorder, Tally};
use crate::trial::trial;

/// Trials handed to a thread at a time: about a millisecond's work, so that a run can be watched and stopped.
const BATCH: u64 = 4096;

/// Which trials: trial *i* under seed *s* meets the same dice wherever and with whatever it is run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The seed of all streams.
    pub seed: u64,
    /// The numbers of the trials.
    pub trials: Range<u64>,
}

/// A finished batch, as the progress call-back sees it. Sums are those of the first metric of the first seat.
#[derive(Clone, Copy, Debug)]
pub struct Batch {
    /// Trials in the batch.
    pub trials: u64,
    /// Sum of the metric.
    pub sum: u64,
    /// Sum of its squares.
    pub squares: u128,
}

/// Plays the trials of a plan on the threads of the current rayon pool and tallies them.
///
/// The result is a function of the game, the line-up and the plan. After every batch `progress` is called, on
/// the thread that played it; once it answers [`ControlFlow::Break`] no further batch is begun. Batches are
/// handed out in order and every one begun is finished, so what a stopped run returns is the tally of exactly
/// the first `tally.trials` trials of the plan.
///
/// Memory is one tally a thread, whatever the number of trials.
pub fn run<G: Game, P: Policy<G>>(
    game: &G,
    lineup: &[P],
    plan: &Plan,
    progress: impl Fn(Batch) -> ControlFlow<()> + Sync,
) -> Tally {
    let keys = Keys::new(plan.seed);
    // Counted from the first trial of the plan, so that threads that find nothing left cannot overflow it.
    let next = AtomicU64::new(0);
    let trials = plan.trials.end.saturating_sub(plan.trials.start);
    let stopped = AtomicBool::new(false);
    let tallies = rayon::broadcast(|_| {
        let mut tally = Tally::new(game);
        while !stopped.load(Ordering::Relaxed) {
            let begun = next.fetch_add(BATCH, Ordering::Relaxed);
            if begun >= trials {
                break;
            }
            let start = plan.trials.start + begun;
            let end = start + BATCH.min(trials - begun);
            let before = tally.first;
            batch(game, lineup, &keys, start..end, &mut tally);
            let (sum, squares) = (tally.first.0 - before.0, tally.first.1 - before.1);
            if progress(Batch { trials: end - start, sum, squares }).is_break() {
                stopped.store(true, Ordering::Relaxed);
            }
        }
        tally
    });
    let mut total = Tally::new(game);
    for tally in &tallies {
        total.merge(tally);
    }
    total
}

/// Plays trials one after the other on this thread.
pub fn batch<G: Game, P: Policy<G>>(
    game: &G,
    lineup: &[P],
    keys: &Keys,
    trials: Range<u64>,
    tally: &mut Tally,
) {
    let seats = game.seats();
    let mut recorder = Recorder::new(tally);
    for number in trials {
        let end = if seats == 1 {
            trial(game, lineup, &mut keys.stream(number, 0), &mut recorder)
        } else {
            trial(game, lineup, &mut keys.streams(number, seats), &mut recorder)
        };
        recorder.finish(game, end);
    }
}
