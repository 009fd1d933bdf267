//! A simulation in pieces: tallies by the runner that is fastest, and beside them a row for every trial.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use stopwise_engine::run::{Plan, Watcher, play_rows};
use stopwise_engine::tally::Tally;
use stopwise_erased::{AnyArm, TrialRows, TrialShare};

use crate::checkpoint::{Plays, RowPart};
use crate::failure::Failure;
use crate::output::RowFile;

/// The stage in which the trials of a simulation are played.
pub(super) const STAGE: &str = "trials";
/// The most trials of a piece, whose rows are held in memory.
const MOST: u64 = 1 << 17;
/// Pieces grow as long as one takes less: what is begun is finished, whatever signal comes.
const AIM: Duration = Duration::from_millis(200);

/// Rows of trials that were played, by the number of the first one, each with the number after the last one.
#[derive(Debug, Default)]
pub(super) struct Fresh(Mutex<BTreeMap<u64, (u64, TrialShare)>>);

impl Fresh {
    /// Plays a plan; its rows are ready to be written.
    pub(super) fn play(
        &self,
        (rows, arm): (&TrialRows, &dyn AnyArm),
        plan: &Plan,
        watch: &Watcher<'_>,
    ) -> Vec<Tally> {
        self.all().clear();
        play_rows(arm, plan, watch, &|first, played| {
            let share = rows.share(first, played);
            self.all().insert(first, (first + played.trials() as u64, share));
        })
    }

    /// The rows of a trial and those after it, which are taken away.
    fn take(&self, first: u64) -> Option<(u64, TrialShare)> {
        self.all().remove(&first)
    }

    fn all(&self) -> MutexGuard<'_, BTreeMap<u64, (u64, TrialShare)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Where rows come from.
#[derive(Debug)]
pub(super) enum RowSource<'s> {
    /// The trials are played by an arm.
    Played(&'s dyn AnyArm, &'s Fresh),
    /// They are read from the parts of a run, in order.
    Read(Vec<RowPart>),
}

/// A file of rows, and where they come from.
pub(super) struct Writing<'w> {
    pub(super) rows: TrialRows,
    pub(super) file: RowFile,
    pub(super) source: RowSource<'w>,
}

/// Has `play` play the trials of a plan piece by piece: a tally for each line-up, and all rows in the order of the trials,
/// by the threads of the current pool. Those whose tallies were known without their rows it is given `again`, whatever the
/// run's time.
pub(super) fn play(
    plan: &Plan,
    plays: &Plays,
    writing: &mut Writing<'_>,
    play: &mut dyn FnMut(&Plan) -> Vec<Tally>,
    again: &mut dyn FnMut(&Plan) -> Vec<Tally>,
) -> Result<Vec<Tally>, Failure> {
    let mut all: Option<Vec<Tally>> = None;
    let (mut first, mut size) = (plan.trials.start, 1);
    while first < plan.trials.end {
        let begun = Instant::now();
        // What is known is taken as a whole.
        let end = plays.reach(STAGE, first, plan.trials.end.min(first.saturating_add(size)));
        let tallies = plays.of(STAGE, &Plan { seed: plan.seed, trials: first..end }, play)?;
        let played: u64 = tallies.iter().map(|tally| tally.trials).sum();
        let mut from = first.max(writing.file.first());
        while from < first + played {
            let to = (from + MOST).min(first + played);
            let written = writing.write(&Plan { seed: plan.seed, trials: from..to }, again)?;
            // Only of trials that were known before are there so many.
            if written < first + played && (written < to || plays.is_ending()) {
                return Err(broken_off(plays, &mut writing.file));
            }
            from = to;
        }
        // The next piece takes twice as long at most, and after it tallies are written, with what is known by then.
        if plays.wants_rows(begun.elapsed().max(AIM) * 2)
            && let Some(left) = writing.file.check_point()
        {
            plays.note_rows(left);
        }
        match &mut all {
            None => all = Some(tallies),
            Some(all) => all.iter_mut().zip(&tallies).for_each(|(all, tally)| all.merge(tally)),
        }
        first += played;
        if first < end {
            if let Some(left) = writing.file.check_point() {
                plays.leave_rows(left)?;
            }
            break;
        }
        if begun.elapsed() < AIM {
            size = (size * 2).min(MOST);
        }
    }
    match all {
        Some(all) => Ok(all),
        None => plays.of(STAGE, &Plan { seed: plan.seed, trials: first..first }, play),
    }
}

/// A signal has come before the rows of all trials that are known were written: a file of these rows beside counts of all
/// trials would be another run's.
fn broken_off(plays: &Plays, file: &mut RowFile) -> Failure {
    let further = match leave(plays, file) {
        Ok(true) => "; --resume goes on from here",
        Ok(false) => "; nothing was written",
        Err(failure) => return failure,
    };
    Failure::Interrupted(format!(
        "interrupted: the rows of trials that are known were being written{further}"
    ))
}

/// Leaves the rows so far, and check points that know of them. Returns whether a run can go on from there.
pub(super) fn leave(plays: &Plays<'_>, file: &mut RowFile) -> Result<bool, Failure> {
    let Some(left) = file.check_point() else { return plays.leave_check_points() };
    let goes_on = plays.leave_rows(left)?;
    if goes_on {
        file.leave();
    }
    Ok(goes_on)
}

impl Writing<'_> {
    /// Appends the rows of the trials of a plan, in order; up to which it came. Those that are not there are played `again`.
    fn write(&mut self, plan: &Plan, again: &mut dyn FnMut(&Plan) -> Vec<Tally>) -> Result<u64, Failure> {
        let (Self { rows, file, source }, trials) = (self, &plan.trials);
        if !file.is_wanted() {
            return Ok(trials.end);
        }
        match source {
            RowSource::Played(_, fresh) => {
                let mut at = trials.start;
                while at < trials.end {
                    if let Some((end, share)) = fresh.take(at).filter(|(end, _)| *end <= trials.end) {
                        file.append(&share);
                        at = end;
                    } else if again(&Plan { seed: plan.seed, trials: at..trials.end }).iter().all(is_empty) {
                        return Ok(at);
                    }
                }
            }
            RowSource::Read(parts) => {
                for part in parts.iter().filter(|part| part.trials.start < trials.end) {
                    let within = trials.start.max(part.trials.start)..trials.end.min(part.trials.end);
                    if within.start < within.end {
                        file.append(&part.read(rows, within)?);
                    }
                }
            }
        }
        Ok(trials.end)
    }
}

fn is_empty(tally: &Tally) -> bool {
    tally.trials == 0
}
