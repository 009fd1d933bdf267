//! Files with a row for every trial and seat: made here, where code is optimised, at millions of rows a second.

mod csv;
mod parquet;
mod thrift;

use std::ops::Range;

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
    Lines(Vec<u8>),
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
                let mut lines = Vec::new();
                csv::lines(self, arm, keys, trials, &mut lines);
                TrialShare::Lines(lines)
            }
            RowFormat::Parquet => {
                let mut rows = Rows::new(self.policies.len(), self.metrics.len());
                arm.rows(keys, &trials, &mut rows);
                TrialShare::Rows(rows)
            }
        }
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
pub struct TrialFile(Option<Parquet>);

impl TrialFile {
    /// A file of no trials: its first bytes are appended to `out`.
    pub fn new(rows: &TrialRows, out: &mut Vec<u8>) -> Self {
        match rows.format {
            RowFormat::Csv => {
                out.extend_from_slice(csv::header(rows).as_bytes());
                Self(None)
            }
            RowFormat::Parquet => Self(Some(Parquet::new(rows, out))),
        }
    }

    /// Adds the next trials, and appends to `out` what can be written.
    ///
    /// # Panics
    ///
    /// If the trials were played for a file of the other format.
    pub fn add(&mut self, share: &TrialShare, out: &mut Vec<u8>) {
        match (&mut self.0, share) {
            (None, TrialShare::Lines(lines)) => out.extend_from_slice(lines),
            (Some(parquet), TrialShare::Rows(rows)) => parquet.add(rows, out),
            _ => panic!("rows of another format"),
        }
    }

    /// Appends the last bytes, once.
    pub fn end(&mut self, out: &mut Vec<u8>) {
        if let Some(parquet) = &mut self.0 {
            parquet.end(out);
        }
    }
}
