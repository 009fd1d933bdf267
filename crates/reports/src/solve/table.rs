//! The table for people: in which situations best play answers yes.

use std::collections::BTreeMap;

use stopwise_analysis::exact::Answered;
use stopwise_document::chart::{Axis, Heat, Heated, Panel, Plot, Tone};
use stopwise_document::{Chart, Section, Sheet, View};

use super::SolveReport;
use super::cells::{RowContext, exact};
use crate::leading;

/// The file of the table that is asked for.
pub const FILE: &str = "decisions.csv";
/// The most columns and rows that people are shown.
const COLUMNS: usize = 16;
const ROWS: usize = 60;

/// How best play answers a kind of decision, by features.
#[derive(Debug)]
pub struct Table {
    /// The kind of decision.
    pub kind: &'static str,
    /// The feature from top to bottom.
    pub row: &'static str,
    /// The feature from left to right, if there is one.
    pub column: Option<&'static str>,
    /// Situations and yeses, by row, then by column.
    pub cells: Vec<Answered>,
}

impl Table {
    /// The levels of rows and columns, and whether some are left out, so that people can read them.
    fn levels(&self) -> ([Vec<i64>; 2], bool) {
        let mut is_part = false;
        let mut of = |values: &mut dyn Iterator<Item = i64>, most: usize| {
            let mut levels: Vec<_> = values.collect();
            levels.sort_unstable();
            levels.dedup();
            let every = levels.len().div_ceil(most).max(1);
            is_part |= every > 1;
            levels.into_iter().step_by(every).collect()
        };
        let rows = of(&mut self.cells.iter().map(|cell| cell.row), ROWS);
        let columns = of(&mut self.cells.iter().map(|cell| cell.column), COLUMNS);
        ([rows, columns], is_part)
    }

    pub(super) fn section(&self) -> Section {
        let ([rows, columns], is_part) = self.levels();
        let cells: BTreeMap<_, _> = self.cells.iter().map(|cell| ((cell.row, cell.column), cell)).collect();
        let title = match self.column {
            Some(column) => format!("Best play: {} by {} (down) and {column} (across)", self.kind, self.row),
            None => format!("Best play: {} by {}", self.kind, self.row),
        };
        let head = |column: &i64| self.column.map_or_else(|| self.kind.to_owned(), |_| column.to_string());
        let mut has_shares = false;
        let view = View::new(title).numbers(self.row);
        let mut view = columns.iter().fold(view, |view, column| view.numbers(head(column)));
        for &row in &rows {
            let mut cell = |&column: &i64| match cells.get(&(row, column)) {
                None => String::new(),
                Some(cell) if cell.yes == cell.decisions => "yes".into(),
                Some(cell) if cell.yes == 0.0 => "no".into(),
                Some(cell) => {
                    has_shares = true;
                    share(cell.yes / cell.decisions)
                }
            };
            view.row(std::iter::once(row.to_string()).chain(columns.iter().map(&mut cell)));
        }
        if has_shares {
            view.notes.push("A share is of the situations that differ in something else.".into());
        }
        if is_part {
            view.notes.push(format!("Not every value is shown; {FILE} has all."));
        }
        let mut section = Section::default();
        if self.column.is_some() && rows.len() > 1 && columns.len() > 1 {
            section.chart(self.chart(&rows, &columns, &cells));
        }
        section.view(view);
        section
    }

    fn chart(&self, rows: &[i64], columns: &[i64], cells: &BTreeMap<(i64, i64), &Answered>) -> Chart {
        let heated = |row: i64, column: i64| {
            let cell = cells.get(&(row, column))?;
            Some(Heated { value: cell.yes / cell.decisions, interval: None, tone: Tone::Plain })
        };
        let grid = rows.iter().map(|&row| columns.iter().map(|&column| heated(row, column)).collect());
        let names = |levels: &[i64]| levels.iter().map(ToString::to_string).collect();
        let across = self.column.unwrap_or_default();
        let plot = Heat {
            x: Axis::levels(across, names(columns)),
            y: Axis::levels(self.row, names(rows)),
            value: Axis::share(format!(
                "share of the situations in which best play answers `{}` with yes",
                self.kind
            )),
            panels: vec![Panel { title: "best play".into(), cells: grid.collect() }],
            middle: None,
            is_lower_better: false,
            legend: String::new(),
        };
        let sentence = format!(
            "In which situations best play answers `{}` with yes, by {} and {across}.",
            self.kind, self.row
        );
        Chart::new("When best play says yes", sentence, Plot::Heat(plot))
    }
}

/// A row of `decisions.csv`.
#[derive(Debug)]
pub(super) struct CellRow {
    about: RowContext,
    kind: &'static str,
    row: &'static str,
    column: Option<&'static str>,
    cell: Answered,
}

pub(super) fn rows(solved: &SolveReport, about: &RowContext) -> Vec<CellRow> {
    let of = |table: &Table| {
        let Table { kind, row, column, cells } = table;
        let row = |&cell: &Answered| CellRow { about: about.clone(), kind, row, column: *column, cell };
        cells.iter().map(row).collect::<Vec<_>>()
    };
    solved.table.iter().flat_map(of).collect()
}

pub(super) fn sheet() -> Sheet<CellRow> {
    leading::sheet(FILE, |r: &CellRow| r.about.game, |r| r.about.rules.clone())
        .column("kind", "", "a kind of decision that is answered with yes or no", |r| r.kind)
        .column("feature", "", "a feature that was asked for", |r| r.row)
        .column("value", "unit of the feature", "its value", |r| r.cell.row)
        .column("feature_2", "", "another one; empty if there is none", |r| r.column)
        .column("value_2", "unit of the feature", "its value", |r| r.column.map(|_| r.cell.column))
        .column(
            "situations",
            "situations",
            "how many there are, counted for every position before a roll from which one may come",
            |r| exact(r.cell.decisions),
        )
        .column("yes", "situations", "in how many of them best play answers yes", |r| exact(r.cell.yes))
}

/// A share that is neither none nor all, in percent.
fn share(share: f64) -> String {
    match share {
        _ if share < 0.005 => "< 1 %".into(),
        _ if share >= 0.995 => "> 99 %".into(),
        _ => format!("{:.0} %", 100.0 * share),
    }
}
