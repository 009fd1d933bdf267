//! A simulation in pieces: tallies by the runner that is fastest, and beside them a row for every trial.

use std::ops::Range;
use std::time::{Duration, Instant};

use rayon::prelude::*;
use stopwise_edge::{AnyArm, TrialRows, TrialShare};
use stopwise_engine::run::Plan;
use stopwise_engine::stream::Keys;
use stopwise_engine::tally::Tally;

use crate::failure::Failure;
use crate::output::RowFile;

/// The most trials of a piece, whose rows are held in memory, and those that a thread writes at a time.
const MOST: u64 = 1 << 17;
const SHARE: u64 = 1 << 10;
/// Pieces grow as long as one takes less: what is begun is finished, whatever signal comes.
const AIM: Duration = Duration::from_millis(200);

/// Has `play` play the trials of a plan piece by piece: a tally for each line-up, and all rows in the order of the trials,
/// by the threads of the current pool. The rows are played a second time, by the reference runner, which plays the same games.
pub(super) fn play(
    arm: &dyn AnyArm,
    plan: &Plan,
    (rows, file): (&TrialRows, &mut RowFile),
    play: &mut dyn FnMut(&Plan) -> Result<Vec<Tally>, Failure>,
) -> Result<Vec<Tally>, Failure> {
    let keys = Keys::new(plan.seed);
    let mut all: Option<Vec<Tally>> = None;
    let (mut first, mut size) = (plan.trials.start, 1);
    while first < plan.trials.end {
        let begun = Instant::now();
        let piece = first..plan.trials.end.min(first.saturating_add(size));
        let tallies = play(&Plan { seed: plan.seed, trials: piece.clone() })?;
        let played: u64 = tallies.iter().map(|tally| tally.trials).sum();
        write(rows, arm, &keys, first..first + played, file);
        match &mut all {
            None => all = Some(tallies),
            Some(all) => all.iter_mut().zip(&tallies).for_each(|(all, tally)| all.merge(tally)),
        }
        first += played;
        if first < piece.end {
            break;
        }
        if begun.elapsed() < AIM {
            size = (size * 2).min(MOST);
        }
    }
    Ok(all.unwrap_or_default())
}

/// Appends the rows of some trials, in order.
fn write(rows: &TrialRows, arm: &dyn AnyArm, keys: &Keys, trials: Range<u64>, file: &mut RowFile) {
    if !file.is_wanted() {
        return;
    }
    let shares: Vec<_> = trials
        .clone()
        .step_by(usize::try_from(SHARE).unwrap_or(1))
        .map(|first| first..trials.end.min(first + SHARE))
        .collect();
    let shares: Vec<TrialShare> =
        shares.par_iter().map(|share| rows.play(arm, keys, share.clone())).collect();
    shares.iter().for_each(|share| file.append(share));
}
