//! Positions with their values, as many as are asked for.

use std::sync::Arc;

use stopwise_document::cell::Cell;
use stopwise_document::{DataType, Report, csv};
use stopwise_engine::game::{Kind, Metric};
use stopwise_engine::vocabulary::Feature;
use stopwise_erased::{AnyBestPlay, Held, Position, Solved, TableFile};
use stopwise_reports::solve::Listed;

use crate::args::PositionFormat;
use crate::exact::INTERRUPTED;
use crate::failure::Failure;
use crate::publish::Told;
use crate::session::Session;

/// Rows that are written at a time.
const ROWS: usize = 1 << 13;

/// What positions are of.
#[derive(Clone, Copy)]
pub(super) struct Listing<'l> {
    pub(super) session: &'l Session,
    pub(super) game: &'static str,
    pub(super) rules: &'l str,
    pub(super) metric: Metric,
    pub(super) kinds: &'l [Kind],
    pub(super) most: usize,
}

impl<'l> Listing<'l> {
    /// Has the first positions listed in the document.
    pub(super) fn tell(&self, best: &dyn AnyBestPlay, solved: &mut Solved) -> Result<(), Failure> {
        solved.positions = self.positions(best)?;
        Ok(())
    }

    /// The same in a document that was handed over, of which the files have no rows.
    pub(super) fn hand_over(&self, best: &dyn AnyBestPlay, report: &mut Report) -> Result<(), Failure> {
        let table = self.listed(&best.features()).dataset(&self.positions(best)?);
        if let Some(known) = report.data.iter_mut().find(|known| known.file == table.file) {
            *known = table;
        }
        Ok(())
    }

    fn positions(&self, best: &dyn AnyBestPlay) -> Result<Vec<Position>, Failure> {
        let mut rows = Vec::new();
        best.each_position(self.most, &|| !self.session.is_ending(), &mut |position| {
            rows.push(position);
            !self.session.is_ending()
        });
        self.check()?;
        Ok(rows)
    }

    /// The same as a file, which is written as it is told: a million positions are no document.
    pub(super) fn file(self, best: Arc<dyn AnyBestPlay>, format: PositionFormat) -> Told<'l> {
        Box::new(move |out| match format {
            PositionFormat::Csv => self.csv(&*best, out),
            PositionFormat::Parquet => self.parquet(&*best, out),
        })
    }

    fn listed<'f>(&'f self, features: &'f [Feature]) -> Listed<'f> {
        let Self { game, rules, metric, kinds, .. } = *self;
        Listed { game, rules, metric, kinds, features }
    }

    /// Has all positions written, some at a time.
    fn each_part(
        &self,
        best: &dyn AnyBestPlay,
        write: &mut dyn FnMut(&[Position]) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let (mut rows, mut written) = (Vec::new(), Ok(()));
        best.each_position(self.most, &|| !self.session.is_ending(), &mut |position| {
            rows.push(position);
            if rows.len() == ROWS {
                written = write(&rows);
                rows.clear();
            }
            written.is_ok() && !self.session.is_ending()
        });
        written?;
        self.check()?;
        write(&rows)
    }

    fn csv(
        &self,
        best: &dyn AnyBestPlay,
        out: &mut dyn FnMut(&[u8]) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let (features, mut is_first) = (best.features(), true);
        self.each_part(best, &mut |rows| {
            let part = csv::csv(&self.listed(&features).dataset(rows)).map_err(Failure::other)?;
            // The first part has the names of the columns.
            let header = part.iter().position(|&byte| byte == b'\n').map_or(0, |end| end + 1);
            out(&part[if std::mem::take(&mut is_first) { 0 } else { header }..])
        })
    }

    fn parquet(
        &self,
        best: &dyn AnyBestPlay,
        out: &mut dyn FnMut(&[u8]) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let features = best.features();
        let columns = self.listed(&features).dataset(&[]).columns;
        let columns = columns.iter().map(|column| (column.name.to_string(), held(column.data_type)));
        let mut bytes = Vec::new();
        let mut file = TableFile::new("positions", columns.collect(), &mut bytes);
        self.each_part(best, &mut |rows| {
            for row in self.listed(&features).dataset(rows).rows {
                file.add(|column, held| hold(&row[column], held), &mut bytes);
            }
            let written = out(&bytes);
            bytes.clear();
            written
        })?;
        file.end(&mut bytes);
        out(&bytes)
    }

    fn check(&self) -> Result<(), Failure> {
        if self.session.is_ending() { Err(Failure::Interrupted(INTERRUPTED.into())) } else { Ok(()) }
    }
}

/// An empty column.
fn held(data_type: DataType) -> Held {
    match data_type {
        DataType::Text => Held::Texts(Vec::new()),
        DataType::Integer | DataType::Unsigned => Held::Integers(Vec::new()),
        DataType::Real => Held::Reals(Vec::new()),
        DataType::Flag => Held::Flags(Vec::new()),
    }
}

/// Adds a cell to its column.
fn hold(cell: &Cell, held: &mut Held) {
    match held {
        Held::Texts(values) => values.push(match cell {
            Cell::Text(text) => Some(text.clone()),
            _ => None,
        }),
        Held::Integers(values) => values.push(match *cell {
            Cell::Whole(number) => Some(number),
            Cell::Count(number) => i64::try_from(number).ok(),
            _ => None,
        }),
        Held::Reals(values) => values.push(match *cell {
            Cell::Real(number, _) => Some(number),
            _ => None,
        }),
        Held::Flags(values) => values.push(match *cell {
            Cell::Flag(flag) => Some(flag),
            _ => None,
        }),
    }
}
