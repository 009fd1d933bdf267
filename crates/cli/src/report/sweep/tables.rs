//! The CSV files of a sweep. Their columns are a contract: first one per axis, under the name given on the command
//! line, then the same for all sweeps.
//!
//! `sweep.csv` grows while points are played. A cell is empty where nothing is known: after one trial, for a single
//! point, for the difference of the first level from itself.

use csv::WriterBuilder;
use stopwise_analysis::estimate::{Estimate, Interval, Method};
use stopwise_engine::game::Better;

use super::{PointReport, SweepReport};
use crate::failure::Failure;
use crate::grid::Grid;
use crate::report::tables::{SUMMARY, maybe, number};
use crate::report::words::{limits, rounded};

/// The table that grows during a run.
pub(crate) const SWEEP: &str = "sweep.csv";
/// The others, by file name.
pub(crate) const FILES: [&str; 2] = ["best.csv", "sensitivity.csv"];

/// The columns of `best.csv` after those of the axes.
const BEST: [&str; 13] = [
    "game",
    "rules",
    "policy",
    "metric",
    "unit",
    "trials",
    "mean",
    "loss",
    "loss_low",
    "loss_high",
    "method",
    "best",
    "may_be_best",
];

/// Whether all sweeps have a column of this name, so that no axis can.
pub(crate) fn is_column(name: &str) -> bool {
    SUMMARY.contains(&name) || BEST.contains(&name)
}

/// The bytes of the file of this name.
pub(crate) fn table(name: &str, swept: &SweepReport) -> Result<Vec<u8>, Failure> {
    match name {
        SWEEP => {
            let points = swept.points.iter().enumerate();
            let rows =
                points.map(|(at, point)| rows(&swept.grid, at, point)).collect::<Result<Vec<_>, _>>()?;
            Ok([vec![header(&swept.grid)?], rows].concat().concat())
        }
        "best.csv" => best(swept),
        "sensitivity.csv" => sensitivity(swept),
        other => Err(Failure::other(format!("no table {other}"))),
    }
}

/// The header of `sweep.csv`.
pub(crate) fn header(grid: &Grid) -> Result<Vec<u8>, Failure> {
    let names = grid.axes.iter().map(|axis| axis.name.as_str());
    lines([names.chain(SUMMARY).map(str::to_owned).collect()])
}

/// The rows of one point: one for every policy or seat, and metric.
pub(crate) fn rows(grid: &Grid, at: usize, point: &PointReport) -> Result<Vec<u8>, Failure> {
    let values = grid.values(at);
    let row = |row: &[String; SUMMARY.len()]| {
        values.iter().map(|&value| value.to_owned()).chain(row.iter().cloned()).collect()
    };
    lines(point.rows.iter().map(row))
}

fn lines(rows: impl IntoIterator<Item = Vec<String>>) -> Result<Vec<u8>, Failure> {
    let mut writer = WriterBuilder::new().from_writer(Vec::new());
    for row in rows {
        writer.write_record(row)?;
    }
    writer.into_inner().map_err(Failure::other)
}

/// A number that may be negative, with six decimals and no negative zero.
fn signed(value: f64) -> String {
    number(rounded(value, 6))
}

/// The limits in two cells.
fn cells(interval: Option<Interval>) -> [String; 2] {
    limits(interval).map(|limit| maybe(limit, signed))
}

/// A row per point: its loss against the best of the others, and whether it may be the best.
fn best(swept: &SweepReport) -> Result<Vec<u8>, Failure> {
    let names = swept.grid.axes.iter().map(|axis| axis.name.as_str());
    let mut table = vec![names.chain(BEST).map(str::to_owned).collect()];
    let Some(compared) = &swept.compared else { return lines(table) };
    let method = Method::WithBest(compared.cells.pairing()).to_string();
    for (at, (point, standing)) in swept.points.iter().zip(&compared.best.standings).enumerate() {
        let [low, high] = cells(standing.loss.and_then(|loss| loss.interval));
        let values = swept.grid.values(at).into_iter().map(str::to_owned);
        table.push(
            values
                .chain([
                    swept.game.into(),
                    point.rules.clone(),
                    point.policy.clone(),
                    swept.metric.name.into(),
                    swept.metric.unit.into(),
                    swept.trials.to_string(),
                    number(compared.cells.mean(at)),
                    maybe(standing.loss, |loss| signed(loss.value)),
                    low,
                    high,
                    method.clone(),
                    (at == compared.best.cell).to_string(),
                    standing.is_possible.to_string(),
                ])
                .collect(),
        );
    }
    lines(table)
}

/// A row per level of an axis, against the first level, and one for the best level against the worst.
fn sensitivity(swept: &SweepReport) -> Result<Vec<u8>, Failure> {
    let header = [
        "game",
        "axis",
        "row",
        "level",
        "against",
        "metric",
        "unit",
        "points",
        "mean",
        "difference",
        "low",
        "high",
        "method",
    ];
    let mut table = vec![header.map(str::to_owned).to_vec()];
    let Some(compared) = &swept.compared else { return lines(table) };
    let method = Method::AllLevels(compared.cells.pairing()).to_string();
    for (axis, effect) in swept.grid.axes.iter().zip(&compared.effects) {
        let points = (swept.points.len() / axis.levels.len()).to_string();
        let mut push = |row: &str, level: usize, against: Option<usize>, found: Option<Estimate>| {
            let [low, high] = cells(found.and_then(|found| found.interval));
            table.push(vec![
                swept.game.into(),
                axis.name.clone(),
                row.into(),
                axis.levels[level].clone(),
                against.map_or_else(String::new, |against| axis.levels[against].clone()),
                swept.metric.name.into(),
                swept.metric.unit.into(),
                points.clone(),
                number(effect.levels[level].mean),
                maybe(found, |found| signed(found.value)),
                low,
                high,
                method.clone(),
            ]);
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
    lines(table)
}
