//! The exact value of best play, and of policies, under several rules.

use stopwise_document::chart::{Axis, Line, Lines, Plot, Point, Tone};
use stopwise_document::{
    Cell, Chart, DataType, Dataset, Folded, Heading, Number, Real, Report, Section, View,
};
use stopwise_engine::game::Metric;
use stopwise_erased::Solved;

use super::Worth;
use super::cells::RowContext;
use super::values::{ValueRow, solution};
use crate::grid::Grid;
use crate::numbers::as_read;
use crate::shared_wins::in_games;
use crate::words::with_unit;

/// The file.
pub const FILE: &str = "solution_varied.csv";

/// Values at every point of a grid of rules.
#[derive(Debug)]
pub struct VariedReport {
    /// The game.
    pub game: &'static str,
    /// The name of the rules but for what varies.
    pub rules: String,
    /// How many play, if as many in all settings.
    pub seats: Option<usize>,
    /// What is played for.
    pub metric: Metric,
    /// What varies.
    pub grid: Grid,
    /// In the order of the grid.
    pub points: Vec<VariedPoint>,
}

/// What is known under some rules: of best play first, if it is one number, then of each policy.
#[derive(Debug)]
pub struct VariedPoint(Vec<ValueRow>);

impl VariedPoint {
    /// What was found under rules of this name.
    pub fn new(
        game: &'static str,
        rules: &str,
        metric: Metric,
        best: Option<&Solved>,
        worths: &[Worth],
    ) -> Self {
        let about = || RowContext { game, rules: rules.into() };
        let best = best.map(|best| ValueRow::of_best(about(), metric, best));
        let worths = worths.iter().map(|worth| ValueRow::of(about(), metric, worth));
        Self(best.into_iter().chain(worths).collect())
    }
}

impl VariedReport {
    /// The document, but for what was played and how to repeat it.
    #[must_use]
    pub fn report(&self) -> Report {
        let mut report = Report {
            command: "solve",
            head: format!("{} · rules {} · {}", self.game, self.rules, self.in_unit()),
            answer: self.answer().into_iter().collect(),
            data: vec![self.dataset()],
            ..Report::default()
        };
        report.fact("game", self.game);
        report.fact("rules", &self.rules);
        report.fact("seats", self.seats);
        report.fact("metric", self.metric.name);
        report.fact("unit", as_read(&self.metric).1);
        let mut section = Section::default();
        section.view(self.view());
        if let Some(chart) = self.chart() {
            section.chart(chart);
        }
        report.section(section);
        report
    }

    /// Says of the rules of the first setting, which were described as what was played, what varies.
    pub fn head_by_axes(&self, report: &mut Report) {
        let names: Vec<_> = self.grid.axes.iter().map(|axis| axis.name.as_str()).collect();
        let Some(Folded { title, prose, .. }) = report.played.first_mut() else { return };
        *title = format!("{} · rules {} · varied: {}", self.game, self.rules, names.join(", "));
        prose.push(format!("The options below are those of the first setting: {}.", self.grid.label(0)));
    }

    /// A value, as people read it.
    fn read(&self, value: f64) -> f64 {
        as_read(&self.metric).0 * value
    }

    fn in_unit(&self) -> String {
        with_unit(self.metric.word(), as_read(&self.metric).1)
    }

    /// Where the first value is least, and where greatest.
    fn answer(&self) -> Option<String> {
        let values = self.points.iter().enumerate().map(|(at, point)| (point.0[0].value, at));
        let least = values.clone().min_by(|a, b| a.0.total_cmp(&b.0))?;
        // Of equal ones the first.
        let most = values.rev().max_by(|a, b| a.0.total_cmp(&b.0))?;
        let who = &self.points[0].0[0].policy;
        let told = |(value, at): (f64, usize)| format!("{:.6} at {}", self.read(value), self.grid.label(at));
        Some(format!("The {} of {who} is from {} to {}.", self.in_unit(), told(least), told(most)))
    }

    fn view(&self) -> View {
        let rows = &self.points[0].0;
        let mut view =
            self.grid.axes.iter().fold(View::new(""), |view, axis| view.numbers(axis.name.as_str()));
        view = view.heads();
        for row in rows {
            view = view.numbers(&*row.policy);
            if row.error.is_none() && row.regret.is_some() {
                view = view.numbers("regret");
            }
        }
        for (at, point) in self.points.iter().enumerate() {
            let mut cells: Vec<String> = self.grid.values(at).into_iter().map(str::to_owned).collect();
            for row in &point.0 {
                cells.push(format!("{:.9}", self.read(row.value)));
                if let (None, Some(Number::Real(Real(regret, _)))) = (row.error, row.regret) {
                    cells.push(format!("{:.9}", self.read(regret)));
                }
            }
            view.row(cells);
        }
        view
    }

    /// A line for each, by what alone varies, if that is a number.
    fn chart(&self) -> Option<Chart> {
        let [axis] = &*self.grid.axes else { return None };
        let levels: Option<Vec<f64>> = axis.levels.iter().map(|level| level.parse().ok()).collect();
        let levels = levels.filter(|levels| levels.len() > 1)?;
        let line = |at: usize| Line {
            name: self.points[0].0[at].policy.to_string(),
            points: levels
                .iter()
                .zip(&self.points)
                .map(|(&x, point)| Point {
                    x,
                    y: self.read(point.0[at].value),
                    interval: None,
                    tone: Tone::Plain,
                })
                .collect(),
            is_step: false,
        };
        let plot = Lines {
            x: Axis::of(axis.name.as_str(), ""),
            y: Axis::of(self.metric.word(), as_read(&self.metric).1),
            series: (0..self.points[0].0.len()).map(line).collect(),
            marks: Vec::new(),
            reference: None,
        };
        let sentence = format!("The exact {} by {}.", self.in_unit(), axis.name);
        Some(
            Chart::new(format!("{} by {}", self.in_unit(), axis.name), sentence, Plot::Lines(plot))
                .from_file(FILE),
        )
    }

    fn dataset(&self) -> Dataset {
        let axes = self.grid.axes.iter().map(|axis| heading(&axis.name, DataType::of_texts(&axis.levels)));
        let rows =
            self.points.iter().enumerate().flat_map(|(at, point)| point.0.iter().map(move |row| (at, row)));
        let cells = rows.clone().map(|(at, _)| self.grid.values(at).into_iter().map(Cell::from).collect());
        let mut filled = solution().fill(rows.map(|(_, row)| row.clone()));
        in_games(std::slice::from_mut(&mut filled), &[self.metric]);
        Dataset { file: FILE, ..filled }.after(axes.collect(), cells.collect())
    }
}

/// A column for an option; under another name if all such tables have one of its name.
fn heading(name: &str, data_type: DataType) -> Heading {
    let is_taken = solution().without_rows().columns.iter().any(|column| column.name == name);
    Heading {
        name: if is_taken { format!("option_{name}") } else { name.to_owned() }.into(),
        data_type,
        unit: "".into(),
        meaning: "a column for each --vary-rule, under its name, or `option_NAME` if another column has that name: the value there".into(),
    }
}

/// The same without rows, for the dictionary: `(axes)` stands for the columns of what varies.
pub(super) fn columns() -> Dataset {
    let values = Dataset { file: FILE, ..solution().without_rows() };
    values.after(vec![heading("(axes)", DataType::Text)], Vec::new())
}
