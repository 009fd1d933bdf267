//! Tallies as records of a check point, and back.

use std::any::Any;
use std::ops::Range;

use stopwise_engine::arms::Products;
use stopwise_engine::paired::PairedTally;
use stopwise_engine::tally::Tally;
use stopwise_erased::{Counted, Seated};

use super::record::{PlayedTrials, Record};

/// Reads the tallies of a record.
///
/// # Errors
///
/// If the record holds tallies of another kind, or is damaged.
pub(super) fn counts<T: Counted>(record: &Record) -> Result<T, String> {
    let wrong = || {
        let PlayedTrials { stage, first, end, .. } = &record.about;
        format!("what is kept of {stage}, trials {first} to {end}, cannot be read")
    };
    if record.about.kind != T::KIND {
        return Err(wrong());
    }
    let counts = T::of_text(&record.payload).ok_or_else(wrong)?;
    let trials = record.about.end - record.about.first;
    if counts.trials() == trials { Ok(counts) } else { Err(wrong()) }
}

/// Writes tallies as a record; `None` if they are large and `goes_on` says that there is no time for it.
pub(super) fn record<T: Counted>(
    stage: &str,
    trials: Range<u64>,
    counts: &T,
    goes_on: &GoesOn<'_>,
) -> Option<Record> {
    let about = PlayedTrials {
        stage: stage.to_owned(),
        first: trials.start,
        end: trials.end,
        kind: T::KIND.to_owned(),
    };
    Some(Record { about, payload: counts.text(goes_on)? })
}

/// Whether there is time for a record that takes long to write.
type GoesOn<'g> = dyn Fn() -> bool + Sync + 'g;

/// Writes tallies as a record, however large they are.
pub(super) fn whole_record<T: Counted>(
    stage: &str,
    trials: Range<u64>,
    counts: &T,
) -> Result<Record, String> {
    record(stage, trials, counts, &|| true).ok_or_else(|| format!("the counts of {stage} have no text"))
}

/// Merges two records of adjacent trials.
pub(super) fn sum(a: &Record, b: &Record) -> Result<Record, String> {
    fn sum<T: Counted>(a: &Record, b: &Record) -> Result<Record, String> {
        let mut counts: T = self::counts(a)?;
        counts.merge(&self::counts(b)?);
        whole_record(&a.about.stage, a.about.first..b.about.end, &counts)
    }
    match a.about.kind.as_str() {
        <Vec<Tally>>::KIND => sum::<Vec<Tally>>(a, b),
        PairedTally::KIND => sum::<PairedTally>(a, b),
        Products::KIND => sum::<Products>(a, b),
        Seated::KIND => sum::<Seated>(a, b),
        kind => Err(format!("`{kind}` is no kind of counts")),
    }
}

/// Tallies that are not written yet; those of adjacent trials are merged into one record.
pub(super) struct Pending {
    stage: String,
    trials: Range<u64>,
    counts: Box<dyn Any + Send>,
    record: fn(&Self, &GoesOn<'_>) -> Option<Record>,
}

impl Pending {
    pub(super) fn new<T: Counted>(stage: &str, trials: Range<u64>, counts: T) -> Self {
        let record = |pending: &Self, goes_on: &GoesOn<'_>| {
            let counts = pending.counts.downcast_ref::<T>()?;
            record(&pending.stage, pending.trials.clone(), counts, goes_on)
        };
        Self { stage: stage.to_owned(), trials, counts: Box::new(counts), record }
    }

    /// Adds counts if they follow on these.
    pub(super) fn add<T: Counted>(&mut self, stage: &str, trials: &Range<u64>, more: &T) -> bool {
        if self.stage != stage || self.trials.end != trials.start {
            return false;
        }
        let Some(counts) = self.counts.downcast_mut::<T>() else { return false };
        counts.merge(more);
        self.trials.end = trials.end;
        true
    }

    /// As [`record`].
    pub(super) fn record(&self, goes_on: &GoesOn<'_>) -> Option<Record> {
        (self.record)(self, goes_on)
    }
}

impl std::fmt::Debug for Pending {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Pending")
            .field("stage", &self.stage)
            .field("trials", &self.trials)
            .finish_non_exhaustive()
    }
}
