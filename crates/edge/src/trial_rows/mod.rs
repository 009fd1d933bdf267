//! Files with a row for every trial and seat: made here, where code is optimised, at millions of rows a second.

mod csv;
mod parquet;
mod raw;
mod thrift;

use std::ops::Range;

use serde::{Deserialize, Serialize};
use stopwise_engine::arms::{MetricArm, Rows};
use stopwise_engine::rotation::{named_for, rotation_of};
use stopwise_engine::stream::Keys;

use crate::rules::AnyRules;

use parquet::Parquet;

/// How rows are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowFormat {
    /// Lines of RFC 4180, the first with the names of the columns.
    Csv,
    /// Apache Parquet, with the same columns.
    Parquet,
    /// As parts of a run hand them on, for [`TrialRows::read`].
    Raw,
}

/// How far a file of trials has come, at a moment at which it can be gone on with.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub struct RowState {
    /// The number of the first trial that is not in these bytes.
    pub trials: u64,
    /// Bytes of the file.
    pub bytes: u64,
    /// What Parquet's end says of row groups that are new since the last such moment, and how many there are in all.
    groups: Vec<u8>,
    count: usize,
}

impl RowState {
    /// The state after this one, with all that both say.
    #[must_use]
    pub fn then(mut self, next: Self) -> Self {
        self.groups.extend(next.groups);
        Self { groups: self.groups, ..next }
    }
}

/// What the rows of an arm are: a row a trial and seat.
#[derive(Clone, Debug)]
pub struct TrialRows {
    format: RowFormat,
    /// Of the seats in trial 0.
    policies: Vec<String>,
    /// The same, as fields of CSV.
    quoted: Vec<String>,
    endings: Vec<&'static str>,
    metrics: Vec<&'static str>,
    rotations: usize,
}

/// The rows of some trials: ready for [`TrialFile::add`].
#[derive(Clone, Debug)]
pub enum TrialShare {
    /// Lines of CSV.
    Lines {
        /// Of so many trials.
        trials: u64,
        /// The lines.
        lines: Vec<u8>,
    },
    /// What the trials came to.
    Rows(Rows),
}

impl TrialRows {
    /// For an arm of these rules; `policies` are the labels of the seats' policies in trial 0, and `rotations` is the
    /// number of line-ups that take turns.
    pub fn new(rules: &dyn AnyRules, policies: &[String], rotations: usize, format: RowFormat) -> Self {
        Self {
            format,
            policies: policies.to_vec(),
            quoted: policies.iter().map(|label| csv::quoted(label)).collect(),
            endings: rules.endings().iter().map(|ending| ending.name).collect(),
            metrics: rules.metrics().iter().map(|metric| metric.name).collect(),
            rotations,
        }
    }

    /// Plays trials on this thread.
    pub fn play(&self, arm: &dyn MetricArm, keys: &Keys, trials: Range<u64>) -> TrialShare {
        match self.format {
            RowFormat::Csv => {
                let (count, mut lines) = (trials.end - trials.start, Vec::new());
                csv::played(self, arm, keys, trials, &mut lines);
                TrialShare::Lines { trials: count, lines }
            }
            RowFormat::Parquet | RowFormat::Raw => {
                let mut rows = Rows::new(self.policies.len(), self.metrics.len());
                arm.rows(keys, &trials, &mut rows);
                TrialShare::Rows(rows)
            }
        }
    }

    /// Bytes of a trial in raw rows; before the first there are those that say what the file is.
    pub fn raw_bytes(&self) -> usize {
        raw::bytes(self.policies.len(), self.metrics.len())
    }

    /// How a file of raw rows begins.
    pub const RAW: &[u8] = raw::MAGIC;

    /// Trials from this one on, of raw rows; `None` if these are none.
    pub fn read(&self, first: u64, bytes: &[u8]) -> Option<TrialShare> {
        let rows = raw::read(bytes, self.policies.len(), self.metrics.len(), self.endings.len())?;
        Some(match self.format {
            RowFormat::Csv => {
                let mut lines = Vec::new();
                csv::lines(self, first, &rows, &mut lines);
                TrialShare::Lines { trials: rows.trials() as u64, lines }
            }
            RowFormat::Parquet | RowFormat::Raw => TrialShare::Rows(rows),
        })
    }

    /// Whose policy, by its seat in trial 0, plays in a seat.
    fn policy(&self, trial: u64, seat: usize) -> usize {
        named_for(seat, rotation_of(trial, self.rotations), self.policies.len())
    }
}

/// The bytes of a file of trials, which grows from trial 0 on.
///
/// They are a function of the trials alone, however those are shared out. What is kept in memory is at most 131,072 rows,
/// and of each so many rows that have gone some hundred bytes.
#[derive(Debug)]
pub struct TrialFile {
    seats: usize,
    /// Of Parquet.
    parquet: Option<Parquet>,
    /// Trials and bytes so far, of every other format.
    trials: u64,
    bytes: u64,
}

impl TrialFile {
    /// A file of no trials, from this one on: its first bytes are appended to `out`.
    pub fn new(rows: &TrialRows, first: u64, out: &mut Vec<u8>) -> Self {
        let begin = out.len();
        let mut parquet = None;
        match rows.format {
            RowFormat::Csv => out.extend_from_slice(csv::header(rows).as_bytes()),
            RowFormat::Parquet => parquet = Some(Parquet::new(rows, out)),
            RowFormat::Raw => out.extend_from_slice(raw::MAGIC),
        }
        Self { seats: rows.policies.len(), parquet, trials: first, bytes: (out.len() - begin) as u64 }
    }

    /// A file that has come so far.
    pub fn resumed(rows: &TrialRows, state: &RowState) -> Self {
        let parquet = (rows.format == RowFormat::Parquet)
            .then(|| Parquet::resumed(rows, state.trials, state.bytes, &state.groups, state.count));
        Self { seats: rows.policies.len(), parquet, trials: state.trials, bytes: state.bytes }
    }

    /// How far it has come, if all that was appended to `out` is written.
    pub fn state(&mut self) -> RowState {
        match &mut self.parquet {
            Some(parquet) => {
                let (trials, bytes, groups, count) = parquet.state();
                RowState { trials, bytes, groups, count }
            }
            None => RowState { trials: self.trials, bytes: self.bytes, ..RowState::default() },
        }
    }

    /// Adds the next trials, and appends to `out` what can be written.
    ///
    /// # Panics
    ///
    /// If the trials were played for a file of another format.
    pub fn add(&mut self, share: &TrialShare, out: &mut Vec<u8>) {
        let begin = out.len();
        match (&mut self.parquet, share) {
            (None, TrialShare::Lines { trials, lines }) => {
                out.extend_from_slice(lines);
                self.trials += trials;
            }
            (None, TrialShare::Rows(rows)) => {
                raw::add(rows, self.seats, out);
                self.trials += rows.trials() as u64;
            }
            (Some(parquet), TrialShare::Rows(rows)) => parquet.add(rows, out),
            _ => panic!("rows of another format"),
        }
        self.bytes += (out.len() - begin) as u64;
    }

    /// Appends the last bytes, once.
    pub fn end(&mut self, out: &mut Vec<u8>) {
        if let Some(parquet) = &mut self.parquet {
            parquet.end(out);
        }
    }
}
