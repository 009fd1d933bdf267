//! The tables for people: in which situations best play answers yes.

use std::collections::BTreeMap;

use stopwise_analysis::exact::Situations;
use stopwise_document::chart::{Axis, Heat, Heated, Panel, Plot, Tone};
use stopwise_document::{Chart, Section, Sheet, View};
use stopwise_engine::vocabulary::{Feature, listed};

use super::SolveReport;
use super::cells::{RowContext, exact};
use crate::leading;

/// The file of the table that is asked for.
pub const FILE: &str = "decisions.csv";
/// The most rows, columns, and tables that people are shown.
const SHOWN: [usize; 3] = [60, 16, 12];
/// The same where cells are numbers.
const SHOWN_OF_NUMBERS: [usize; 2] = [25, 12];

/// How best play answers a kind of decision, by features.
#[derive(Debug)]
pub struct Table {
    /// The kind of decision.
    pub kind: &'static str,
    /// One to three features: from top to bottom, from left to right, and from table to table.
    pub by: Vec<Feature>,
    /// Whether cells are the least value of the last feature at which the answer is yes.
    pub is_from: bool,
    /// Situations and yeses, in the order of the values.
    pub cells: Vec<Situations>,
}

/// What is shown of a table.
pub(super) struct Shown<'t> {
    pub(super) table: &'t Table,
    /// The values of the features.
    pub(super) levels: [Vec<i64>; 3],
    /// Whether some are left out, so that people can read it.
    pub(super) is_part: bool,
    pub(super) cells: BTreeMap<[i64; 3], &'t Situations>,
}

impl Table {
    pub(super) fn shown(&self) -> Shown<'_> {
        let mut is_part = false;
        let levels = std::array::from_fn(|at| {
            let mut levels: Vec<_> = self.cells.iter().map(|cell| cell.values[at]).collect();
            levels.sort_unstable();
            levels.dedup();
            let every = match self.is_from {
                false => levels.len().div_ceil(SHOWN[at]).max(1),
                // The last feature is in the cells.
                true if at + 1 >= self.by.len() => 1,
                true => round(levels.len().div_ceil(SHOWN_OF_NUMBERS[at])),
            };
            is_part |= every > 1;
            let round: Vec<_> = levels.iter().copied().filter(|level| level % every as i64 == 0).collect();
            // Of numbers round ones, if there are as many.
            if self.is_from && round.len() * every >= levels.len() {
                return round;
            }
            levels.into_iter().step_by(every).collect()
        });
        Shown {
            table: self,
            levels,
            is_part,
            cells: self.cells.iter().map(|cell| (cell.values, cell)).collect(),
        }
    }

    /// A value of one of the features, in words.
    pub(super) fn told(&self, at: usize, value: i64) -> String {
        match self.by.get(at) {
            Some(feature) if feature.is_truth => if value == 0 { "no" } else { "yes" }.to_owned(),
            _ => value.to_string(),
        }
    }

    pub(super) fn section(&self) -> Section {
        let shown = self.shown();
        let [rows, columns, pages] = &shown.levels;
        let mut section = Section::default();
        if rows.len() > 1 && columns.len() > 1 {
            section.chart(shown.chart());
        }
        let mut has_shares = false;
        let mut views: Vec<View> = pages.iter().map(|&page| shown.view(page, &mut has_shares)).collect();
        if let Some(last) = views.last_mut() {
            if has_shares {
                last.notes.push("A share is of the situations that differ in something else.".into());
            }
            if shown.is_part {
                last.notes.push(format!("Not every value is shown; {FILE} has all."));
            }
        }
        views.into_iter().for_each(|view| section.view(view));
        section
    }
}

/// A step of 1, 2, 5, 10, 20 … that is no shorter.
fn round(step: usize) -> usize {
    let scale = 10_usize.pow(step.max(1).ilog10());
    [scale, 2 * scale, 5 * scale].into_iter().find(|&round| round >= step).unwrap_or(10 * scale)
}

impl Shown<'_> {
    /// The table of a value of the third feature, if there is one.
    fn view(&self, page: i64, has_shares: &mut bool) -> View {
        let (table, [rows, columns, _]) = (self.table, &self.levels);
        let row = table.by[0].name;
        let mut title = format!("Best play: {} by {row}", table.kind);
        if let [_, column, ..] = &*table.by {
            title += &format!(" (down) and {} (across)", column.name);
        }
        if let [_, _, third] = &*table.by {
            title += &format!(" where {} is {}", third.name, table.told(2, page));
        }
        let head = |&column: &i64| match table.by.len() {
            1 => table.kind.to_owned(),
            _ => table.told(1, column),
        };
        let mut view =
            columns.iter().fold(View::new(title).numbers(row), |view, column| view.numbers(head(column)));
        for &row in rows {
            let mut cell = |&column: &i64| match self.cells.get(&[row, column, page]) {
                None => String::new(),
                Some(cell) if cell.yes == cell.many => "yes".into(),
                Some(cell) if cell.yes == 0.0 => "no".into(),
                Some(cell) => {
                    *has_shares = true;
                    share(cell.yes / cell.many)
                }
            };
            view.row(std::iter::once(table.told(0, row)).chain(columns.iter().map(&mut cell)));
        }
        view
    }

    /// A panel for each value of the third feature.
    fn chart(&self) -> Chart {
        let (table, [rows, columns, pages]) = (self.table, &self.levels);
        let heated = |values: [i64; 3]| {
            let cell = self.cells.get(&values)?;
            Some(Heated { value: cell.yes / cell.many, interval: None, tone: Tone::Plain })
        };
        let panel = |&page: &i64| {
            let row = |&row: &i64| columns.iter().map(|&column| heated([row, column, page])).collect();
            let title = match table.by.get(2) {
                Some(third) => format!("{} {}", third.name, table.told(2, page)),
                None => "best play".into(),
            };
            Panel { title, cells: rows.iter().map(row).collect() }
        };
        let axis = |at: usize| {
            let levels = self.levels[at].iter().map(|&value| table.told(at, value));
            Axis::levels(table.by[at].name, levels.collect())
        };
        let plot = Heat {
            x: axis(1),
            y: axis(0),
            value: Axis::share(format!(
                "share of the situations in which best play answers `{}` with yes",
                table.kind
            )),
            panels: pages.iter().map(panel).collect(),
            middle: None,
            is_lower_better: false,
            legend: String::new(),
        };
        let names: Vec<_> = table.by.iter().map(|feature| feature.name).collect();
        let sentence = format!(
            "In which situations best play answers `{}` with yes, by {}.",
            table.kind,
            listed(&names, "and")
        );
        Chart::new("When best play says yes", sentence, Plot::Heat(plot))
    }
}

/// A row of `decisions.csv`.
#[derive(Debug)]
pub(super) struct CellRow {
    about: RowContext,
    kind: &'static str,
    names: [Option<&'static str>; 3],
    cell: Situations,
}

impl CellRow {
    fn value(&self, at: usize) -> Option<i64> {
        self.names[at].map(|_| self.cell.values[at])
    }
}

pub(super) fn rows(solved: &SolveReport, about: &RowContext) -> Vec<CellRow> {
    let of = |table: &Table| {
        let names = std::array::from_fn(|at| table.by.get(at).map(|feature| feature.name));
        let row = |&cell: &Situations| CellRow { about: about.clone(), kind: table.kind, names, cell };
        table.cells.iter().map(row).collect::<Vec<_>>()
    };
    solved.table.iter().flat_map(of).collect()
}

pub(super) fn sheet() -> Sheet<CellRow> {
    leading::sheet(FILE, |r: &CellRow| r.about.game, |r| r.about.rules.clone())
        .column("kind", "", "a kind of decision that is answered with yes or no", |r| r.kind)
        .column("feature", "", "a feature that was asked for", |r| r.names[0])
        .column("value", "unit of the feature", "its value", |r| r.value(0))
        .column("feature_2", "", "another one; empty if there is none", |r| r.names[1])
        .column("value_2", "unit of the feature", "its value", |r| r.value(1))
        .column("feature_3", "", "a third one; empty if there is none", |r| r.names[2])
        .column("value_3", "unit of the feature", "its value", |r| r.value(2))
        .column(
            "situations",
            "situations",
            "how many there are, counted for every position before a roll from which one may come",
            |r| exact(r.cell.many),
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
