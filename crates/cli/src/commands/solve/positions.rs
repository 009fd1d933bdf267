//! Positions with their values, as many as are asked for.

use std::sync::Arc;

use stopwise_document::csv;
use stopwise_engine::game::Metric;
use stopwise_erased::{AnyBestPlay, Position, PositionFile, Solved};
use stopwise_reports::solve::sheets::{in_words, positions_of};

use super::refusal::INTERRUPTED;
use crate::args::PositionFormat;
use crate::commands::publish::Told;
use crate::failure::Failure;
use crate::session::Session;

/// Rows of CSV that are written at a time.
const ROWS: usize = 1 << 13;

/// What positions are of.
#[derive(Clone, Copy)]
pub(super) struct Listing<'l> {
    pub(super) session: &'l Session,
    pub(super) game: &'static str,
    pub(super) rules: &'l str,
    pub(super) metric: Metric,
    pub(super) most: usize,
}

impl<'l> Listing<'l> {
    /// Has the first positions listed in the document.
    pub(super) fn tell(&self, best: &dyn AnyBestPlay, solved: &mut Solved) -> Result<(), Failure> {
        let mut rows = Vec::new();
        best.each_position(self.most, &mut |position| {
            rows.push(position);
            !self.session.is_ending()
        });
        solved.positions = rows;
        self.check()
    }

    /// The same as a file, which is written as it is told: a million positions are no document.
    pub(super) fn file(self, best: Arc<dyn AnyBestPlay>, format: PositionFormat) -> Told<'l> {
        Box::new(move |out| match format {
            PositionFormat::Csv => self.csv(&*best, out),
            PositionFormat::Parquet => self.parquet(&*best, out),
        })
    }

    fn csv(
        &self,
        best: &dyn AnyBestPlay,
        out: &mut dyn FnMut(&[u8]) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let (mut rows, mut written, mut is_first) = (Vec::new(), Ok(()), true);
        let mut write = |rows: &mut Vec<Position>| {
            let table = positions_of(self.game, self.rules, self.metric, rows);
            let part = csv::csv(&table).map_err(Failure::other)?;
            // The first part has the names of the columns.
            let header = part.iter().position(|&byte| byte == b'\n').map_or(0, |end| end + 1);
            let from = if std::mem::take(&mut is_first) { 0 } else { header };
            rows.clear();
            out(&part[from..])
        };
        best.each_position(self.most, &mut |position| {
            rows.push(position);
            if rows.len() == ROWS {
                written = write(&mut rows);
            }
            written.is_ok() && !self.session.is_ending()
        });
        written?;
        self.check()?;
        write(&mut rows)
    }

    fn parquet(
        &self,
        best: &dyn AnyBestPlay,
        out: &mut dyn FnMut(&[u8]) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let words = [("game", self.game), ("rules", self.rules), ("metric", self.metric.name)];
        let always = words.map(|(name, word)| (name, word.to_owned())).to_vec();
        let (mut bytes, mut written) = (Vec::new(), Ok(()));
        let mut file = PositionFile::new(always, &mut bytes);
        best.each_position(self.most, &mut |position| {
            let [low, high] = position.bounds;
            file.add(in_words(&position), f64::midpoint(low, high), (high - low) / 2.0, &mut bytes);
            if !bytes.is_empty() {
                written = out(&bytes);
                bytes.clear();
            }
            written.is_ok() && !self.session.is_ending()
        });
        written?;
        self.check()?;
        file.end(&mut bytes);
        out(&bytes)
    }

    fn check(&self) -> Result<(), Failure> {
        if self.session.is_ending() { Err(Failure::Interrupted(INTERRUPTED.into())) } else { Ok(()) }
    }
}
