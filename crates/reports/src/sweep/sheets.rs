//! The files of a sweep. Their columns are a contract: first one per axis, under the name given on the command line,
//! then the same for all sweeps.
//!
//! `sweep.csv` grows while points are played. A cell is empty where nothing is known: after one trial, for a single
//! point, for the difference of the first level from itself.

use std::borrow::Cow;
use std::sync::Arc;

use stopwise_analysis::estimate::{Estimate, Interval, Method};
use stopwise_analysis::sweep::Standing;
use stopwise_document::cell::NumberFormat;
use stopwise_document::{Cell, DataType, Dataset, Heading, Real, Sheet};
use stopwise_engine::game::{Better, Metric};

use super::sought::{Group, Sought};
use super::{GridComparison, PointReport, SweepReport};
use crate::grid::Grid;
use crate::leading;
use crate::seeded::{self, seeded};
use crate::shared_wins::{in_games, retyped};
use crate::simulate::sheets::summary;
use crate::words::{GAME, limits};

/// The table that grows during a run.
pub const SWEEP: &str = "sweep.csv";
/// The others, by file name.
pub const FILES: [&str; 2] = ["best.csv", "sensitivity.csv"];

/// All datasets, the growing one first.
pub(crate) fn datasets(swept: &SweepReport) -> Vec<Dataset> {
    let points = swept.points.iter().enumerate();
    let rows = points.flat_map(|(at, point)| grown(&swept.grid, at, point)).collect();
    let mut growing = Dataset { file: SWEEP, columns: headings(&swept.grid), rows };
    retyped(&mut growing);
    let cells = |at| axis_cells(&swept.grid, at);
    let compared = swept.compared.as_ref();
    let best_rows = compared.map(|compared| best_rows(swept, compared)).unwrap_or_default();
    let at_points = best_rows.iter().map(|row| cells(row.at)).collect();
    let level_rows = compared.map(|compared| level_rows(swept, compared)).unwrap_or_default();
    let judged =
        vec![best().fill(best_rows).after(axes(&swept.grid), at_points), sensitivity().fill(level_rows)];
    let mut judged = seeded(judged, swept.seed);
    in_games(&mut judged, &[swept.metric]);
    std::iter::once(growing).chain(judged).collect()
}

/// The same without rows, for the dictionary: `(axes)` stands for the columns of the axes.
pub(crate) fn columns() -> Vec<Dataset> {
    let axes = || vec![axis("(axes)".into(), DataType::Text)];
    let growing = Dataset { file: SWEEP, ..summary().without_rows() };
    vec![
        growing.after(axes(), Vec::new()),
        best().without_rows().after(axes(), Vec::new()),
        sensitivity().without_rows(),
    ]
}

/// Whether all sweeps have a column of this name, so that no axis can.
pub fn is_column(name: &str) -> bool {
    name == "seed"
        || columns().iter().take(2).flat_map(|dataset| &dataset.columns).any(|column| column.name == name)
}

fn axis(name: Cow<'static, str>, data_type: DataType) -> Heading {
    let meaning = "a column for each --vary and --vary-rule, under its name: the value there";
    Heading { name, data_type, unit: "".into(), meaning: meaning.into() }
}

fn axes(grid: &Grid) -> Vec<Heading> {
    grid.axes.iter().map(|it| axis(it.name.clone().into(), DataType::of_texts(&it.levels))).collect()
}

fn axis_cells(grid: &Grid, at: usize) -> Vec<Cell> {
    grid.values(at).into_iter().map(Cell::from).collect()
}

/// The columns of `sweep.csv`.
pub fn headings(grid: &Grid) -> Vec<Heading> {
    axes(grid).into_iter().chain(summary().without_rows().columns).chain([seeded::heading()]).collect()
}

/// The rows of a point in `sweep.csv`: one for every policy or seat, and metric.
pub fn grown(grid: &Grid, at: usize, point: &PointReport) -> Vec<Vec<Cell>> {
    let cells = axis_cells(grid, at);
    point.rows.iter().map(|row| cells.iter().chain(row).cloned().collect()).collect()
}

/// A number that may be negative, with six decimals.
const fn signed(value: f64) -> Real {
    Real(value, NumberFormat::Rounded(6))
}

/// A limit of an interval.
fn limit(interval: Option<Interval>, side: usize) -> Option<Real> {
    limits(interval, signed)[side]
}

/// A row of `best.csv`: a point, its loss against the best of the others under the same rules, and whether it may be the
/// best; where rules alone vary, against what has most and what has least.
#[derive(Clone, Debug)]
struct BestRow {
    at: usize,
    game: &'static str,
    rules: Arc<str>,
    policy: Arc<str>,
    metric: Metric,
    trials: u64,
    mean: f64,
    sought: &'static str,
    loss: Option<Estimate>,
    method: Arc<str>,
    is_best: bool,
    may_be_best: bool,
}

fn best() -> Sheet<BestRow> {
    leading::sheet("best.csv", |r: &BestRow| r.game, |r| r.rules.clone())
        .column("policy", "", "the policy with its parameters", |r| r.policy.clone())
        .column("metric", "", "what says which setting is best", |r| r.metric.name)
        .column("unit", "", "what one of the metric is", |r| r.metric.unit)
        .column("trials", "trials", "how many trials the setting played, the same for all", |r| r.trials)
        .column(
            "mean",
            "unit of the metric",
            "the mean of the trials; in games for several of the first policy, which among its like has \
             exactly a fair share where every win is somebody's",
            |r| Real::number(r.mean),
        )
        .column(
            "sought",
            "",
            "what the next columns are about: `best`, the best setting under the same rules; or, where rules alone \
             vary, `most` and `least`, the setting with most and with least of the metric",
            |r| r.sought,
        )
        .column(
            "loss",
            "unit of the metric",
            "how far the mean is behind the best of the other settings under the same rules, or the most or the least \
             of all others; below 0 ahead by so much; empty for a single setting",
            |r| r.loss.map(|loss| signed(loss.value)),
        )
        .column(
            "loss_low",
            "unit of the metric",
            "lower limit of the loss; the limits of all settings hold together with 95 %; empty \
             after one trial",
            |r| limit(r.loss.and_then(|loss| loss.interval), 0),
        )
        .column("loss_high", "unit of the metric", "upper limit of the loss", |r| {
            limit(r.loss.and_then(|loss| loss.interval), 1)
        })
        .column(
            "method",
            "",
            "how the intervals are made, and what is known of how settings go together on common dice",
            |r| r.method.clone(),
        )
        .column(
            "best",
            "",
            "`true` for the setting with the best mean under the same rules, or with most or least; of equal ones the first",
            |r| r.is_best,
        )
        .column(
            "may_be_best",
            "",
            "`true` for the settings among which the true one is; all hold together with 95 %",
            |r| r.may_be_best,
        )
}

fn best_rows(swept: &SweepReport, compared: &GridComparison) -> Vec<BestRow> {
    let row = |sought, group: &Group, method: &Arc<str>, (at, standing): (usize, &Standing)| BestRow {
        at,
        game: swept.game,
        rules: swept.points[at].rules.as_str().into(),
        policy: swept.points[at].policy.as_str().into(),
        metric: swept.metric,
        trials: swept.trials,
        mean: compared.cells.mean(at),
        sought,
        loss: standing.loss,
        method: method.clone(),
        is_best: at == group.first(),
        may_be_best: standing.is_possible,
    };
    let rows = |sought, groups: &[Group]| {
        let mut rows: Vec<_> = groups
            .iter()
            .flat_map(|group| {
                let method = Arc::from(Method::WithBest(group.pairing()).to_string());
                group.standings().map(move |standing| row(sought, group, &method, standing))
            })
            .collect();
        rows.sort_by_key(|row| row.at);
        rows
    };
    let Sought { groups, least } = &compared.sought;
    match least {
        None => rows("best", groups),
        Some(least) => [rows("most", groups), rows("least", std::slice::from_ref(least))].concat(),
    }
}

/// A row of `sensitivity.csv`: a level of an axis against the first level, or the best level against the worst.
#[derive(Debug)]
struct LevelRow {
    game: &'static str,
    axis: Arc<str>,
    row: &'static str,
    level: Arc<str>,
    against: Option<Arc<str>>,
    metric: Metric,
    points: usize,
    mean: f64,
    found: Option<Estimate>,
    method: Arc<str>,
}

fn sensitivity() -> Sheet<LevelRow> {
    Sheet::<LevelRow>::new("sensitivity.csv")
        .column("game", "", GAME, |r| r.game)
        .column("axis", "", "what varies", |r| r.axis.clone())
        .column(
            "row",
            "",
            "`level`: a level against the first; `range`: the best level against the worst",
            |r| r.row,
        )
        .column("level", "", "the level", |r| r.level.clone())
        .column("against", "", "the level that it is compared with; empty for the first", |r| {
            r.against.clone()
        })
        .column("metric", "", "what was measured", |r| r.metric.name)
        .column("unit", "", "what one of the metric is", |r| r.metric.unit)
        .column("points", "settings", "how many settings have the level; each counts the same", |r| r.points)
        .column("mean", "unit of the metric", "the mean over those settings", |r| Real::number(r.mean))
        .column("difference", "unit of the metric", "the mean less that of the other level", |r| {
            r.found.map(|found| signed(found.value))
        })
        .column(
            "low",
            "unit of the metric",
            "lower limit of the difference; all levels of all axes hold together with 95 %; empty \
             after one trial",
            |r| limit(r.found.and_then(|found| found.interval), 0),
        )
        .column("high", "unit of the metric", "upper limit of the difference", |r| {
            limit(r.found.and_then(|found| found.interval), 1)
        })
        .column("method", "", "how the interval is made", |r| r.method.clone())
}

fn level_rows(swept: &SweepReport, compared: &GridComparison) -> Vec<LevelRow> {
    let mut rows = Vec::new();
    for (axis, effect) in swept.grid.axes.iter().zip(&compared.effects) {
        let mut push = |row, level: usize, against: Option<usize>, found: Option<Estimate>| {
            rows.push(LevelRow {
                game: swept.game,
                axis: axis.name.as_str().into(),
                row,
                level: axis.levels[level].as_str().into(),
                against: against.map(|against| axis.levels[against].as_str().into()),
                metric: swept.metric,
                points: swept.points.len() / axis.levels.len(),
                mean: effect.levels[level].mean,
                found,
                method: found.unwrap_or(effect.range).method.to_string().into(),
            });
        };
        for (at, level) in effect.levels.iter().enumerate() {
            push("level", at, level.more.map(|_| 0), level.more);
        }
        if effect.levels.len() > 1 {
            let range = match swept.metric.better {
                Better::Higher => effect.range,
                // The best level has less than the worst.
                Better::Lower => effect.range.negated(),
            };
            push("range", effect.best, Some(effect.worst), Some(range));
        }
    }
    rows
}
