//! Files with a row for every trial and seat. They are made in this crate, which is optimised, at millions of rows a
//! second.

mod columns;
mod csv;
mod packed;
mod parquet;
mod raw;
mod table;
mod thrift;

use serde::{Deserialize, Serialize};
use stopwise_engine::arms::Rows;
use stopwise_engine::game::Metric;
use stopwise_engine::rotation::{named_for, rotation_of};

use crate::rules::AnyRules;

pub use columns::{METRIC_COLUMN, TRIAL_COLUMNS, TrialColumn};
use parquet::Parquet;
pub use table::{Held, TableFile};

/// How rows are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowFormat {
    /// CSV (RFC 4180) with a header line.
    Csv,
    /// Apache Parquet, with the same columns.
    Parquet,
    /// The raw format that parts of a run pass on, for [`TrialRows::read`].
    Raw,
}

/// The progress of a file of trials, at a point at which it can be resumed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub struct RowState {
    /// The number of the first trial that is not in the file.
    pub trials: u64,
    /// The size of the file in bytes.
    pub bytes: u64,
    /// Parquet metadata of the row groups added since the previous state, its offset in the metadata of all row groups, and
    /// the number of all row groups.
    groups: Vec<u8>,
    offset: usize,
    count: usize,
}

impl RowState {
    /// The state after both, where `next` follows this one, or is of a file that was begun anew.
    #[must_use]
    pub fn then(mut self, next: Self) -> Self {
        self.groups.truncate(next.offset);
        self.groups.extend(next.groups);
        Self { groups: self.groups, offset: self.offset, ..next }
    }
}

/// The layout of an arm's rows: one row per trial and seat.
#[derive(Clone, Debug)]
pub struct TrialRows {
    format: RowFormat,
    /// The labels of the policies, by seat in trial 0.
    policies: Vec<String>,
    /// The labels as CSV fields.
    quoted: Vec<String>,
    endings: Vec<&'static str>,
    metrics: Vec<Metric>,
    rotations: usize,
    /// What was played, for formats that have a place for it.
    facts: Vec<(&'static str, String)>,
}

/// The rows of some trials, ready for [`TrialFile::add`].
#[derive(Clone, Debug)]
pub enum TrialShare {
    /// Lines of CSV.
    Lines {
        /// The number of trials.
        trials: u64,
        /// The lines.
        lines: Vec<u8>,
    },
    /// The results of the trials.
    Rows(Rows),
}

impl TrialRows {
    /// The layout for an arm of these rules. `policies` are the labels of the seats' policies in trial 0, and
    /// `rotations` is the number of line-ups that take turns.
    pub fn new(rules: &dyn AnyRules, policies: &[String], rotations: usize, format: RowFormat) -> Self {
        Self {
            format,
            policies: policies.to_vec(),
            quoted: policies.iter().map(|label| csv::quoted(label)).collect(),
            endings: rules.endings().iter().map(|ending| ending.name).collect(),
            metrics: rules.metrics().to_vec(),
            rotations,
            facts: Vec::new(),
        }
    }

    /// Says what was played: names and values, in the metadata of formats that have some.
    #[must_use]
    pub fn saying(self, facts: Vec<(&'static str, String)>) -> Self {
        Self { facts, ..self }
    }

    /// The rows of trials, beginning with number `first`.
    pub fn share(&self, first: u64, rows: &Rows) -> TrialShare {
        match self.format {
            RowFormat::Csv => {
                let mut lines = Vec::new();
                csv::lines(self, first, rows, &mut lines);
                TrialShare::Lines { trials: rows.trials() as u64, lines }
            }
            RowFormat::Parquet | RowFormat::Raw => TrialShare::Rows(rows.clone()),
        }
    }

    /// The bytes of a trial in the raw format, without the header of the file.
    pub fn raw_bytes(&self) -> usize {
        raw::bytes(self.policies.len(), self.metrics.len())
    }

    /// The header of a raw file.
    pub const RAW: &[u8] = raw::MAGIC;

    /// Reads trials, beginning with number `first`, from raw rows; `None` if the bytes are invalid.
    pub fn read(&self, first: u64, bytes: &[u8]) -> Option<TrialShare> {
        let rows = raw::read(bytes, self.policies.len(), self.metrics.len(), self.endings.len())?;
        Some(self.share(first, &rows))
    }

    /// The policy that plays in a seat, by its seat in trial 0.
    fn policy(&self, trial: u64, seat: usize) -> usize {
        named_for(seat, rotation_of(trial, self.rotations), self.policies.len())
    }
}

/// Writes a file of trials, which grows from trial 0 on.
///
/// The bytes depend only on the trials, not on how they are divided into shares. Memory holds at most 131,072 rows, and
/// some hundred bytes of metadata for every 131,072 rows written.
#[derive(Debug)]
pub struct TrialFile {
    seats: usize,
    /// The writer of Parquet.
    parquet: Option<Parquet>,
    /// Trials and bytes so far, for the other formats.
    trials: u64,
    bytes: u64,
}

impl TrialFile {
    /// A file without trials, to begin with number `first`. Its header is appended to `out`.
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

    /// A file in a saved state.
    pub fn resumed(rows: &TrialRows, state: &RowState) -> Self {
        let parquet = (rows.format == RowFormat::Parquet)
            .then(|| Parquet::resumed(rows, state.trials, state.bytes, &state.groups, state.count));
        Self { seats: rows.policies.len(), parquet, trials: state.trials, bytes: state.bytes }
    }

    /// The current state, valid once everything appended to `out` is written.
    pub fn state(&mut self) -> RowState {
        match &mut self.parquet {
            Some(parquet) => {
                let offset = parquet.told();
                let (trials, bytes, groups, count) = parquet.state();
                RowState { trials, bytes, groups, offset, count }
            }
            None => RowState { trials: self.trials, bytes: self.bytes, ..RowState::default() },
        }
    }

    /// Adds the next trials and appends to `out` what can be written.
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

    /// Appends the end of the file. Must be called once.
    pub fn end(&mut self, out: &mut Vec<u8>) {
        if let Some(parquet) = &mut self.parquet {
            parquet.end(out);
        }
    }
}
