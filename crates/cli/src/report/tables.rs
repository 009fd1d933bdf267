//! The CSV files of a simulation. Their columns are a contract.
//!
//! With rotation, `summary.csv`, `distribution.csv` and `turns.csv` have rows for each policy and seat, and before them
//! rows of the policy in all seats, whose `seat` is `all` and not a number, so that these are not added to the others
//! by mistake. A trial in which a policy has several seats counts once for each; standard errors and intervals then
//! take the trials as clusters, because the values of one trial may be dependent. `endings.csv` is about whole games,
//! all rotations together.

use stopwise_analysis::estimate::{Estimate, wilson_of};
use stopwise_analysis::seats::Standing;
use stopwise_engine::tally::Histogram;

use super::words::limits;
use super::{SimulationReport, summary as summed};
use crate::failure::Failure;

/// The tables, by file name.
pub(crate) const FILES: [&str; 4] = ["summary.csv", "distribution.csv", "endings.csv", "turns.csv"];

/// The bytes of the file of this name.
pub(crate) fn table(name: &str, found: &SimulationReport) -> Result<Vec<u8>, Failure> {
    match name {
        "summary.csv" => summary(found),
        "distribution.csv" => distribution(found),
        "endings.csv" => endings(found),
        "turns.csv" => turns(found),
        other => Err(Failure::other(format!("no table {other}"))),
    }
}

/// A mean or deviation: six decimals.
pub(super) fn number(value: f64) -> String {
    format!("{value:.6}")
}

/// A share: nine decimals, which resolve one trial in a thousand million.
pub(super) fn share(value: f64) -> String {
    format!("{value:.9}")
}

/// A cell, empty where there is nothing to write.
pub(super) fn maybe<T>(value: Option<T>, show: impl Fn(T) -> String) -> String {
    value.map_or_else(String::new, show)
}

pub(super) fn share_of(count: u64, trials: u64) -> String {
    share(if trials == 0 { 0.0 } else { count as f64 / trials as f64 })
}

/// The bytes of a table from its header and rows.
pub(super) fn csv<const N: usize>(
    header: [&str; N],
    rows: impl IntoIterator<Item = [String; N]>,
) -> Result<Vec<u8>, Failure> {
    let mut writer = csv::WriterBuilder::new().from_writer(Vec::new());
    writer.write_record(header)?;
    for row in rows {
        writer.write_record(row)?;
    }
    writer.into_inner().map_err(Failure::other)
}

/// The columns of `summary.csv`.
pub(super) const SUMMARY: [&str; 19] = [
    "game",
    "rules",
    "policy",
    "seat",
    "metric",
    "unit",
    "trials",
    "mean",
    "std_error",
    "std_dev",
    "min",
    "p01",
    "p05",
    "p25",
    "p50",
    "p75",
    "p95",
    "p99",
    "max",
];

fn summary(found: &SimulationReport) -> Result<Vec<u8>, Failure> {
    csv(SUMMARY, summary_rows(found))
}

/// The rows of `summary.csv`.
pub(super) fn summary_rows(found: &SimulationReport) -> Vec<[String; SUMMARY.len()]> {
    let standings = found.standings();
    let rows = standings.iter().flat_map(|standing| {
        let [policy, seat] = found.who(standing);
        found.metrics.iter().zip(&standing.tally.metrics).filter_map(move |(metric, histogram)| {
            let s = summed(standing, histogram)?;
            let [p01, p05, p25, p50, p75, p95, p99] = s.quantiles.map(|value| value.to_string());
            Some([
                found.game.into(),
                found.rules.clone(),
                policy.clone(),
                seat.clone(),
                metric.name.into(),
                metric.unit.into(),
                s.trials.to_string(),
                number(s.mean),
                maybe(s.std_error, number),
                maybe(s.std_dev, number),
                s.min.to_string(),
                p01,
                p05,
                p25,
                p50,
                p75,
                p95,
                p99,
                s.max.to_string(),
            ])
        })
    });
    rows.collect()
}

fn distribution(found: &SimulationReport) -> Result<Vec<u8>, Failure> {
    let header = [
        "game",
        "rules",
        "policy",
        "seat",
        "metric",
        "value",
        "count",
        "share",
        "share_low",
        "share_high",
        "cumulative",
    ];
    let mut rows = Vec::new();
    for standing in found.standings() {
        let [policy, seat] = found.who(&standing);
        for (metric, histogram) in found.metrics.iter().zip(&standing.tally.metrics) {
            let trials = histogram.total();
            let mut below = 0;
            for (value, count) in histogram.iter() {
                below += count;
                // Trials are clusters: the values of several seats of one trial may be dependent.
                let interval = wilson_of(count as f64 / trials as f64, standing.trials);
                rows.push([
                    found.game.into(),
                    found.rules.clone(),
                    policy.clone(),
                    seat.clone(),
                    metric.name.into(),
                    value.to_string(),
                    count.to_string(),
                    share_of(count, trials),
                    share(interval.low),
                    share(interval.high),
                    share_of(below, trials),
                ]);
            }
        }
    }
    csv(header, rows)
}

fn endings(found: &SimulationReport) -> Result<Vec<u8>, Failure> {
    let header = ["game", "rules", "policy", "ending", "early", "count", "share", "share_low", "share_high"];
    let trials = found.tally.trials;
    let rows = found.endings.iter().zip(&found.tally.endings).map(|(ending, &count)| {
        let [low, high] = limits(Estimate::share(count, trials).interval);
        [
            found.game.into(),
            found.rules.clone(),
            found.lineup(),
            ending.name.into(),
            ending.early.to_string(),
            count.to_string(),
            share_of(count, trials),
            maybe(low, share),
            maybe(high, share),
        ]
    });
    csv(header, rows)
}

/// One turn of a standing over all its trials.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Turn {
    /// From 1.
    pub(crate) number: u32,
    /// How often the seat began this turn.
    pub(crate) reached: u64,
    /// How often this was the seat's last turn.
    pub(crate) ended_here: u64,
    /// How often the seat lost this turn to the dice.
    pub(crate) busts: u64,
}

/// The turns of a standing, from 1 to the last that any trial reached.
pub(crate) fn turns_of(found: &SimulationReport, standing: &Standing) -> Vec<Turn> {
    let Some(turns) = found.metric("turns") else {
        return Vec::new();
    };
    let tally = &standing.tally;
    let last = tally.metrics[turns].iter().last().map_or(0, |(turn, _)| turn);
    let mut reached = tally.metrics[turns].total() - tally.metrics[turns].count(0);
    let mut turn = |number| {
        let ended_here = tally.metrics[turns].count(number);
        let turn = Turn { number, reached, ended_here, busts: tally.busts.count(number) };
        reached -= ended_here;
        turn
    };
    (1..=last).map(&mut turn).collect()
}

fn turns(found: &SimulationReport) -> Result<Vec<u8>, Failure> {
    let header = [
        "game",
        "rules",
        "policy",
        "seat",
        "turn",
        "reached",
        "reached_share",
        "ended_here",
        "ended_share",
        "busts",
        "bust_share",
    ];
    let standings = found.standings();
    let rows = standings.iter().flat_map(|standing| {
        let [policy, seat] = found.who(standing);
        let trials = standing.tally.metrics.first().map_or(0, Histogram::total);
        turns_of(found, standing).into_iter().map(move |turn| {
            [
                found.game.into(),
                found.rules.clone(),
                policy.clone(),
                seat.clone(),
                turn.number.to_string(),
                turn.reached.to_string(),
                share_of(turn.reached, trials),
                turn.ended_here.to_string(),
                share_of(turn.ended_here, trials),
                turn.busts.to_string(),
                share_of(turn.busts, turn.reached),
            ]
        })
    });
    csv(header, rows)
}
