//! Reads the rows of a finished dataset by column name, for reports made of another report's tables.

use stopwise_analysis::estimate::Interval;
use stopwise_document::{Cell, Dataset, Report};

/// A row of a table, by the names of its columns.
#[derive(Debug)]
pub struct Row<'t> {
    table: &'t Dataset,
    cells: &'t [Cell],
}

/// The rows of a table, if the report has it.
pub fn rows<'r>(report: &'r Report, file: &str) -> impl Iterator<Item = Row<'r>> {
    let table = report.dataset(file);
    table.into_iter().flat_map(|table| table.rows.iter().map(move |cells| Row { table, cells }))
}

impl Row<'_> {
    /// The cell of a column; empty if the table does not have it.
    fn cell(&self, column: &str) -> &Cell {
        let at = self.table.columns.iter().position(|heading| heading.name == column);
        at.and_then(|at| self.cells.get(at)).unwrap_or(&Cell::Empty)
    }

    /// As CSV writes it.
    pub fn text(&self, column: &str) -> String {
        self.cell(column).written()
    }

    /// Whether CSV writes it so.
    pub fn is(&self, column: &str, text: &str) -> bool {
        match self.cell(column) {
            Cell::Text(own) => **own == *text,
            other => other.written() == text,
        }
    }

    /// A whole number that is not negative.
    pub fn count(&self, column: &str) -> Option<u64> {
        match *self.cell(column) {
            Cell::Count(number) => Some(number),
            Cell::Whole(number) => u64::try_from(number).ok(),
            _ => None,
        }
    }

    /// A number.
    pub fn number(&self, column: &str) -> Option<f64> {
        match *self.cell(column) {
            Cell::Count(number) => Some(number as f64),
            Cell::Whole(number) => Some(number as f64),
            Cell::Real(number, _) => Some(number),
            Cell::Empty | Cell::Text(_) | Cell::Flag(_) => None,
        }
    }

    /// An interval, of the columns of its limits.
    pub fn interval(&self, low: &str, high: &str) -> Option<Interval> {
        Some(Interval { low: self.number(low)?, high: self.number(high)? })
    }
}
