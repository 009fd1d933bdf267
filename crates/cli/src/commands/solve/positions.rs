//! Positions with their values, as many as are asked for.

use stopwise_document::csv;
use stopwise_engine::game::Metric;
use stopwise_erased::{AnyBestPlay, Position, Solved};
use stopwise_reports::solve::sheets::positions_of;

use super::refusal::INTERRUPTED;
use crate::failure::Failure;
use crate::session::Session;

/// The file of positions.
const POSITIONS: &str = "solution_positions.csv";
/// Rows that are written at a time.
const ROWS: usize = 1 << 13;

/// What positions are of.
pub(super) struct Listing<'l> {
    pub(super) session: &'l Session,
    pub(super) game: &'static str,
    pub(super) rules: &'l str,
    pub(super) metric: Metric,
}

impl Listing<'_> {
    /// Has the first positions listed: in the document, or in a file, as a million of them are no document.
    pub(super) fn positions(
        &self,
        best: &dyn AnyBestPlay,
        most: usize,
        solved: &mut Solved,
        is_file: bool,
    ) -> Result<Option<(&'static str, Vec<u8>)>, Failure> {
        let (mut bytes, mut rows, mut failed) = (Vec::new(), Vec::new(), None);
        best.each_position(most, &mut |position| {
            rows.push(position);
            if rows.len() == ROWS && is_file {
                failed = self.write(&mut rows, &mut bytes).err();
            }
            failed.is_none() && !self.session.is_ending()
        });
        if self.session.is_ending() {
            return Err(Failure::Interrupted(INTERRUPTED.into()));
        }
        if let Some(failure) = failed {
            return Err(failure);
        }
        if is_file {
            self.write(&mut rows, &mut bytes)?;
            return Ok(Some((POSITIONS, bytes)));
        }
        solved.positions = rows;
        Ok(None)
    }

    fn write(&self, rows: &mut Vec<Position>, bytes: &mut Vec<u8>) -> Result<(), Failure> {
        let table = positions_of(self.game, self.rules, self.metric, rows);
        let part = csv::csv(&table).map_err(Failure::other)?;
        // The first part has the names of the columns.
        let header = if bytes.is_empty() {
            0
        } else {
            part.iter().position(|&byte| byte == b'\n').map_or(0, |end| end + 1)
        };
        bytes.extend_from_slice(&part[header..]);
        rows.clear();
        Ok(())
    }
}
