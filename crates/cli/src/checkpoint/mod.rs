//! The source of a command's tallies: trials are played now, or were played by an earlier run, or by another machine.
//!
//! A command plays in stages, each with a name, and the tallies of trials are a function of the stage and their numbers. So a
//! run can be split into shards, merged from them, and resumed, without any command knowing of it: each asks for its trials in
//! the same order, whoever plays them.

mod accumulate;
mod header;
mod journal;
mod kept;
mod known;
mod pace;
mod part;
mod record;
mod row_part;
mod shard;

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use stopwise_engine::run::Plan;
use stopwise_erased::Counted;

pub(crate) use header::{Header, build};
pub use part::Part;
pub(crate) use record::Record;
pub(crate) use row_part::RowPart;
pub(crate) use shard::{Shard, merged, missing};

use crate::failure::Failure;
use crate::output::{RowsLeft, note, shown};
use crate::session::Session;
use crate::stop::StopToken;
use journal::Journal;
use kept::Pending;
use known::Known;
use pace::Pace;
use record::PlayedTrials;

/// The kind of records that say how far rows have come.
const ROWS: &str = "rows";
/// Playing trials takes at least this many times as long as adding their tallies.
const ADDING: u32 = 20;

/// What a command is given besides its arguments.
#[derive(Clone, Debug, Default)]
pub(crate) struct Handed {
    /// The records known at the start.
    pub(crate) records: Vec<Record>,
    /// Who plays what is not known.
    pub(crate) rest: Trials,
    /// The rows of all trials, from the parts of a merged run.
    pub(crate) rows: Option<Vec<RowPart>>,
}

/// Who plays the trials of a command.
#[derive(Clone, Default)]
pub enum Trials {
    /// This process, on its threads.
    #[default]
    Here,
    /// Nobody: all tallies are known, from the parts of a merged run.
    Nowhere,
    /// The caller of the library, stage by stage: see [`Players`].
    Elsewhere(Players),
    /// This process, but of all stages only these trials: what the [`Players`] of another process were asked for, with what
    /// was known there. Found is a text, for them to give back.
    Only {
        /// The stage.
        stage: String,
        /// The trials.
        trials: Range<u64>,
        /// The records of other trials.
        known: String,
    },
}

/// Plays trials of a stage elsewhere: it gives the texts that [`Trials::Only`] gives for parts of the
/// trials, in order, one after the other.
pub type Players = Arc<dyn Fn(&Wanted<'_>) -> Result<String, String> + Send + Sync>;

/// Trials that are to be played elsewhere.
#[derive(Debug)]
pub struct Wanted<'w> {
    /// The stage.
    pub stage: &'w str,
    /// The trials.
    pub trials: Range<u64>,
    /// The records known so far.
    pub known: &'w str,
    /// The files that the call has read, by their paths: what a process elsewhere needs as
    /// [`Call::texts`](crate::library::Call::texts).
    pub texts: BTreeMap<String, String>,
    /// Whether the call has been asked to end: whoever plays should then stop, with an error.
    pub stop: &'w StopToken,
}

impl fmt::Debug for Trials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Here => f.write_str("Here"),
            Self::Nowhere => f.write_str("Nowhere"),
            Self::Elsewhere(_) => f.write_str("Elsewhere"),
            Self::Only { stage, trials, .. } => write!(f, "Only({stage}, {trials:?})"),
        }
    }
}

/// The source of the next trials of a stage.
enum Next<T> {
    /// Records, up to this trial.
    Found(T, u64),
    /// They are to be played here, up to this trial.
    ToPlay(u64),
}

/// The source of a command's tallies, and the check points to which they go.
#[derive(Debug)]
pub(crate) struct Plays<'s> {
    session: &'s Session,
    /// The words of the command that gives the same results.
    plan: Vec<String>,
    part: Option<Part>,
    known: Known,
    rest: Trials,
    rows_left: Option<RowsLeft>,
    is_resumed: bool,
    keeper: Mutex<Keeper<'s>>,
}

/// The records of what was played.
#[derive(Debug)]
struct Keeper<'s> {
    session: &'s Session,
    /// Check points.
    journal: Option<Journal<'s>>,
    /// All records, of a part of a run or of a run that is played elsewhere.
    records: Option<Vec<Record>>,
    /// Tallies that are not a record yet.
    pending: Option<Pending>,
    /// How far the rows of trials have come, if that is not written yet.
    rows: Option<RowsLeft>,
    /// How many trials are played at once.
    pace: Pace,
    /// How long it took to add the last tallies.
    adding: Duration,
    /// Whether some trials were not played to their end.
    is_short: bool,
}

impl<'s> Plays<'s> {
    /// For a run, or a part of it, in a directory, if it has one, where it may go on with what was left; `plan` are the words of
    /// the command that gives the same results.
    pub(crate) fn new(
        session: &'s Session,
        part: Option<Part>,
        (directory, goes_on): (Option<&Path>, bool),
        plan: Vec<String>,
        handed: &Handed,
    ) -> Result<Self, Failure> {
        let header = || Header::new(plan.clone(), session.texts_read(), part);
        let Handed { records, rest, .. } = handed.clone();
        let left = match directory.filter(|_| goes_on) {
            Some(directory) => left(directory, &header())?,
            None => None,
        };
        let is_resumed = left.is_some();
        let (old, length) = left.map_or((Vec::new(), None), |left| (left.records, Some(left.length)));
        let (rows, old): (Vec<_>, Vec<_>) = old.into_iter().partition(|record| record.about.kind == ROWS);
        let rows = rows.iter().filter_map(|record| serde_json::from_str(&record.payload).ok());
        let rows_left = rows.reduce(RowsLeft::then);
        if goes_on && !is_resumed {
            note(
                session,
                "no check points are here, of which a run leaves the first after two seconds, and none once it is over: this one \
                 begins with its first trial",
            );
        }
        let known = Known::of(records.into_iter().chain(old)).map_err(Failure::Other)?;
        let is_played_here = matches!(rest, Trials::Here);
        let journal = match directory.filter(|_| is_played_here) {
            Some(directory) => Some(Journal::new(session, directory, &header(), length)?),
            None => None,
        };
        let records = (part.is_some() || matches!(rest, Trials::Elsewhere(_))).then(Vec::new);
        let keeper = Keeper {
            session,
            journal,
            records,
            pending: None,
            rows: None,
            pace: Pace::default(),
            adding: Duration::ZERO,
            is_short: false,
        };
        Ok(Self { session, plan, part, known, rest, rows_left, is_resumed, keeper: Mutex::new(keeper) })
    }

    /// Whether a part of the run is played, of which nothing can be told yet.
    pub(crate) const fn is_part(&self) -> bool {
        self.part.is_some()
    }

    /// Whether some of its trials may have been played by an earlier process.
    pub(crate) const fn is_resumed(&self) -> bool {
        self.is_resumed
    }

    /// Whether this process plays all trials that are not known, whoever asks for them.
    pub(crate) const fn is_all_here(&self) -> bool {
        matches!(self.rest, Trials::Here)
    }

    /// Whether the call has been asked to end.
    pub(crate) fn is_ending(&self) -> bool {
        self.session.is_ending()
    }

    /// How far the rows of trials had come, in a resumed run.
    pub(crate) fn rows_left(&self) -> Option<RowsLeft> {
        self.rows_left.clone()
    }

    /// Whether check points are written before so long, so that it should be known how far the rows have come.
    pub(crate) fn wants_rows(&self, within: Duration) -> bool {
        self.keeper().journal.as_ref().is_some_and(|journal| journal.is_due_within(within))
    }

    /// Notes how far the rows have come.
    pub(crate) fn note_rows(&self, left: RowsLeft) {
        let mut keeper = self.keeper();
        let earlier = keeper.rows.take();
        keeper.rows = Some(match earlier {
            Some(earlier) => earlier.then(left),
            None => left,
        });
    }

    /// Notes how far the rows have come in a run that ends before all are written. Returns whether check points record it.
    pub(crate) fn leave_rows(&self, left: RowsLeft) -> Result<bool, Failure> {
        self.note_rows(left);
        self.leave_check_points()
    }

    /// Leaves check points of a run that ends before all is played. Returns whether a run can go on from them.
    pub(crate) fn leave_check_points(&self) -> Result<bool, Failure> {
        let mut keeper = self.keeper();
        keeper.fall_short()?;
        Ok(keeper.journal.as_ref().is_some_and(Journal::is_written))
    }

    /// This run's part of a plan.
    pub(crate) fn cut(&self, plan: Plan) -> Plan {
        self.part.map_or_else(|| plan.clone(), |part| part.cut(&plan))
    }

    /// The first trial from this one on that is not known, or `end`.
    pub(crate) fn reach(&self, stage: &str, from: u64, end: u64) -> u64 {
        let reach = self.known.reach(stage, from);
        if reach > from { reach } else { end }
    }

    /// What the trials of a plan came to, in a stage of the run. `play` plays some of them, on the threads of the current
    /// pool; once it plays fewer than it is asked for, so many are all.
    pub(crate) fn of<T: Counted + Clone>(
        &self,
        stage: &str,
        plan: &Plan,
        play: &mut dyn FnMut(&Plan) -> T,
    ) -> Result<T, Failure> {
        let Range { start, end } = plan.trials;
        let of = |trials| Plan { seed: plan.seed, trials };
        let mut total: Option<T> = None;
        let mut at = start;
        while at < end {
            let (found, next) = match self.found(stage, &of(at..end), play)? {
                Next::Found(found, next) => (found, next),
                Next::ToPlay(next) => self.play(stage, &of(at..next), play)?,
            };
            let is_whole = found.trials() == next - at;
            match &mut total {
                None => total = Some(found),
                Some(total) => total.merge(&found),
            }
            at = next;
            if !is_whole {
                self.keeper().fall_short()?;
                break;
            }
        }
        Ok(total.unwrap_or_else(|| play(&of(start..start))))
    }

    /// What is known of the first of these trials, or what somebody else played.
    fn found<T: Counted>(
        &self,
        stage: &str,
        plan: &Plan,
        play: &mut dyn FnMut(&Plan) -> T,
    ) -> Result<Next<T>, Failure> {
        let Range { start, end } = plan.trials;
        if let Some(record) = self.known.from(stage, start, end) {
            self.keeper().keep_known(record);
            return Ok(Next::Found(kept::counts(record).map_err(Failure::Other)?, record.about.end));
        }
        // What is known of these trials together with later ones cannot be divided.
        let next = self.known.next(stage, start + 1, end);
        match &self.rest {
            Trials::Here => Ok(Next::ToPlay(next)),
            Trials::Nowhere => Err(missing_trials(stage, &(start..next))),
            Trials::Elsewhere(players) => Ok(Next::Found(self.played(players, stage, &(start..next))?, next)),
            Trials::Only { stage: wanted, trials, .. } => {
                let plan = Plan { seed: plan.seed, trials: start..next };
                Err(only((wanted, trials), stage, &plan, play))
            }
        }
    }

    /// Plays the next of these trials, and keeps what they came to; up to where.
    fn play<T: Counted + Clone>(
        &self,
        stage: &str,
        plan: &Plan,
        play: &mut dyn FnMut(&Plan) -> T,
    ) -> Result<(T, u64), Failure> {
        let Range { start, end } = plan.trials;
        let next = self.keeper().next(start, end);
        let begun = Instant::now();
        let found = play(&Plan { seed: plan.seed, trials: start..next });
        if found.trials() == next - start {
            self.keeper().keep(stage, start..next, &found, begun.elapsed())?;
        }
        Ok((found, next))
    }

    /// What somebody else played.
    fn played<T: Counted>(&self, players: &Players, stage: &str, trials: &Range<u64>) -> Result<T, Failure> {
        let so_far: String = {
            let keeper = self.keeper();
            keeper.records.iter().flatten().map(Record::line).collect()
        };
        let wanted = Wanted {
            stage,
            trials: trials.clone(),
            known: &so_far,
            texts: self.session.texts_read(),
            stop: &self.session.stop,
        };
        let lines = players(&wanted).map_err(Failure::Other)?;
        let records: Option<Vec<_>> = lines.lines().map(Record::of).collect();
        let records =
            records.ok_or_else(|| Failure::Other(format!("what came back of {stage} is damaged")))?;
        let known = Known::of(records).and_then(|known| shard::compact(&known)).map_err(Failure::Other)?;
        match &known[..] {
            [record] if record.about.stage == stage && record.about.trials() == *trials => {
                let counts = kept::counts(record).map_err(Failure::Other)?;
                self.keeper().records.get_or_insert_default().push(record.clone());
                Ok(counts)
            }
            _ => Err(missing_trials(stage, trials)),
        }
    }

    /// The trials of a leg are played, after which a run looks: what is kept of them and of those after them is apart, so that
    /// it is found leg by leg.
    pub(crate) fn seal(&self) -> Result<(), Failure> {
        self.keeper().settle()
    }

    /// The part that was played, as a file.
    pub(crate) fn shard(&self) -> Result<Shard, Failure> {
        let mut keeper = self.keeper();
        keeper.settle()?;
        let records = keeper.records.take().unwrap_or_default();
        let known = Known::of(records).and_then(|known| shard::compact(&known));
        let header = Header::new(self.plan.clone(), self.session.texts_read(), self.part);
        Ok(Shard { header, records: known.map_err(Failure::Other)? })
    }

    /// Whether some trials that were asked for were not played.
    pub(crate) fn is_short(&self) -> bool {
        self.keeper().is_short
    }

    fn keeper(&self) -> MutexGuard<'_, Keeper<'s>> {
        // After another thread panicked what is behind the lock is still consistent.
        self.keeper.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Keeper<'_> {
    /// The end of the trials that are played before the next look at the clock.
    fn next(&self, start: u64, end: u64) -> u64 {
        if self.journal.is_some() { self.pace.next(start, end) } else { end }
    }

    fn is_keeping(&self) -> bool {
        self.journal.is_some() || self.records.is_some()
    }

    fn keep<T: Counted + Clone>(
        &mut self,
        stage: &str,
        trials: Range<u64>,
        counts: &T,
        took: Duration,
    ) -> Result<(), Failure> {
        if !self.is_keeping() {
            return Ok(());
        }
        // Large counts are written as they are played rather than added to others first, which takes as long.
        let wait = self.journal.as_ref().filter(|_| counts.is_large()).map(Journal::wait);
        self.pace.took(trials.end - trials.start, took, (self.adding * ADDING).max(wait.unwrap_or_default()));
        let begun = Instant::now();
        let is_added = self.pending.as_mut().is_some_and(|pending| pending.add(stage, &trials, counts));
        if !is_added {
            self.settle()?;
            self.pending = Some(Pending::new(stage, trials, counts.clone()));
        }
        self.adding = begun.elapsed();
        if self.journal.as_ref().is_some_and(Journal::is_due) {
            self.write_journal()?;
        }
        Ok(())
    }

    /// Writes all records.
    fn write_journal(&mut self) -> Result<(), Failure> {
        let begun = Instant::now();
        self.settle()?;
        let Some(journal) = &mut self.journal else { return Ok(()) };
        if let Some(rows) = self.rows.take() {
            let payload = serde_json::to_string(&rows).unwrap_or_default();
            let about = PlayedTrials { stage: ROWS.into(), first: 0, end: 0, kind: ROWS.into() };
            journal.add(Record { about, payload });
        }
        journal.write(begun);
        Ok(())
    }

    /// The run is being cut short: it leaves check points, if it has gone on for long enough, or is a part, of which nothing else
    /// is left.
    fn fall_short(&mut self) -> Result<(), Failure> {
        self.is_short = true;
        if self.records.is_some() || self.journal.as_ref().is_some_and(Journal::is_begun) {
            self.write_journal()
        } else {
            self.settle()
        }
    }

    /// What is known belongs to a part, too.
    fn keep_known(&mut self, record: &Record) {
        if let Some(records) = &mut self.records {
            records.push(record.clone());
        }
    }

    /// Makes a record of what is pending. A check point that takes seconds is not made after a signal, and the last one
    /// before it has to do.
    fn settle(&mut self) -> Result<(), Failure> {
        let Some(pending) = self.pending.take() else { return Ok(()) };
        let is_needed = self.records.is_some();
        let session = self.session;
        let Some(record) = pending.record(&|| is_needed || !session.is_ending()) else { return Ok(()) };
        self.keep_known(&record);
        if let Some(journal) = &mut self.journal {
            journal.add(record);
        }
        Ok(())
    }
}

/// The records that an earlier run of the same plan has left.
fn left(directory: &Path, header: &Header) -> Result<Option<journal::Left>, Failure> {
    let at = shown(directory);
    let left = journal::left(directory)
        .map_err(|error| Failure::Other(format!("cannot read the check points of `{at}`: {error}")))?;
    let Some(left) = left else { return Ok(None) };
    let is_part = |header: &Header| (header.parts.clone(), header.of);
    let difference = left.header.difference(header).or_else(|| {
        (is_part(&left.header) != is_part(header)).then(|| "they are different parts of it".into())
    });
    match difference {
        None => Ok(Some(left)),
        Some(difference) => Err(Failure::Input(format!(
            "--resume: `{at}` has the check points of another run: {difference}; name another directory, or leave --resume \
             out to begin anew"
        ))),
    }
}

fn missing_trials(stage: &str, trials: &Range<u64>) -> Failure {
    Failure::Other(format!("of {stage} the trials from {} to {} are missing", trials.start, trials.end))
}

/// Plays what alone is wanted, and says so with its line.
fn only<T: Counted>(
    (wanted, trials): (&str, &Range<u64>),
    stage: &str,
    plan: &Plan,
    play: &mut dyn FnMut(&Plan) -> T,
) -> Failure {
    if stage != wanted || trials.start < plan.trials.start || trials.end > plan.trials.end {
        return missing_trials(stage, &plan.trials);
    }
    let counts = play(&Plan { seed: plan.seed, trials: trials.clone() });
    if counts.trials() < trials.end - trials.start {
        return Failure::Interrupted("interrupted".into());
    }
    match kept::whole_record(stage, trials.clone(), &counts) {
        Ok(record) => Failure::Enough(record.line()),
        Err(message) => Failure::Other(message),
    }
}
