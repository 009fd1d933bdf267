//! The files of a simulation. Their columns are a contract.
//!
//! With rotation, `summary.csv`, `distribution.csv` and `turns.csv` have rows for each policy and seat, and before them
//! rows of the policy in all seats, whose `seat` is empty, so that these are not added to the others by mistake. A trial in which a policy has several seats counts once for each; standard errors and intervals then
//! take the trials as clusters, because the values of one trial may be dependent. `endings.csv` is about whole games,
//! all rotations together.

use std::sync::Arc;

use stopwise_analysis::estimate::{Estimate, Interval, Summary};
use stopwise_analysis::paired::Stopping;
use stopwise_analysis::seats::Standing;
use stopwise_document::{Dataset, Real, Sheet};
use stopwise_engine::game::{Ending, Metric};
use stopwise_engine::tally::Histogram;

use super::about::{self, RowContext};
use super::asked::{self, Answer};
use super::length::LENGTH;
use super::stop::{Shares, Stop};
use super::{Measured, SimulationReport, games, means, turns};
use crate::leading;
use crate::tables::Tables;
use crate::words::limits;

/// The files; `wins.csv` and `games.csv` are for games with several seats, `asked.csv` if anything was asked besides.
pub fn files(seats: usize, is_asked: bool) -> Vec<&'static str> {
    let several: &[&str] = if seats > 1 { &["wins.csv", games::FILE] } else { &[] };
    let own = ["summary.csv", "distribution.csv", "endings.csv", "turns.csv"].into_iter();
    own.chain(several.iter().copied()).chain(is_asked.then_some(asked::FILE)).chain([means::FILE]).collect()
}

/// Adds all datasets, in the order of [`files`].
pub(super) fn datasets(
    tables: &mut Tables<'_>,
    found: &SimulationReport,
    standings: &[Measured],
    answers: &[Answer],
) {
    // Of long games with many seats there are hundreds of thousands.
    let distribution = |at: usize| match standings.get(at) {
        Some(of) => distribution_rows(found, &of.standing),
        None => length_rows(found),
    };
    let turns = |at: usize| turns::rows(found, &standings[at].standing);
    tables.add(summary().fill(summary_rows(found, standings)));
    tables.large(
        distribution_sheet(&found.stop),
        0,
        (standings.len() + usize::from(found.is_about_length()), distribution),
    );
    tables.add(endings(&found.stop).fill(ending_rows(found)));
    tables.large(turns::sheet(), 0, (standings.len(), turns));
    if found.policies.len() > 1 {
        tables.add(wins().fill(win_rows(found, standings)));
        tables.add(games::dataset(found));
    }
    asked::dataset(found, answers)
        .into_iter()
        .chain([means::dataset(found, standings)])
        .for_each(|table| tables.add(table));
}

/// The same without rows, for the dictionary.
pub(crate) fn columns() -> Vec<Dataset> {
    vec![
        summary().without_rows(),
        distribution_sheet(&Stop::default()).without_rows(),
        endings(&Stop::default()).without_rows(),
        turns::sheet().without_rows(),
        wins().without_rows(),
        asked::sheet().without_rows(),
        games::sheet().without_rows(),
        means::sheet().without_rows(),
    ]
}

/// A row of `summary.csv`.
#[derive(Debug)]
pub(crate) struct SummaryRow {
    about: RowContext,
    metric: Metric,
    summary: Summary,
}

/// The quantiles of a summary, in its order.
const QUANTILES: [(&str, &str); 7] = [
    ("p01", "the least value that at least 1 % of the trials did not exceed"),
    ("p05", "the least value that at least 5 % of the trials did not exceed"),
    ("p25", "the least value that at least 25 % of the trials did not exceed"),
    ("p50", "the median"),
    ("p75", "the least value that at least 75 % of the trials did not exceed"),
    ("p95", "the least value that at least 95 % of the trials did not exceed"),
    ("p99", "the least value that at least 99 % of the trials did not exceed"),
];

pub(crate) fn summary() -> Sheet<SummaryRow> {
    let sheet = about::sheet("summary.csv", |r: &SummaryRow| &r.about)
        .column("metric", "", "what was measured", |r| r.metric.name)
        .column("unit", "", "what one of the metric is", |r| r.metric.unit)
        .column("trials", "trials", "how many trials the row is made of; those of all seats count each trial once a seat", |r| r.summary.trials)
        .column("mean", "unit of the metric", "the mean of the trials", |r| Real::number(r.summary.mean))
        .column(
            "std_error",
            "unit of the metric",
            "standard error of the mean; of all seats together from the mean of each trial; its interval is in means.csv of `simulate`",
            |r| r.summary.std_error.map(Real::number),
        )
        .column("std_dev", "unit of the metric", "standard deviation of one trial", |r| {
            r.summary.std_dev.map(Real::number)
        })
        .column("min", "unit of the metric", "the least value seen", |r| r.summary.min);
    let sheet = QUANTILES.into_iter().enumerate().fold(sheet, |sheet, (at, (name, meaning))| {
        sheet.column(name, "unit of the metric", meaning, move |r| r.summary.quantiles[at])
    });
    sheet.column("max", "unit of the metric", "the greatest value seen", |r| r.summary.max)
}

/// The rows of `summary.csv`.
pub(crate) fn summary_rows(found: &SimulationReport, standings: &[Measured]) -> Vec<SummaryRow> {
    let rows = standings.iter().flat_map(|Measured { standing, summaries, .. }| {
        let about = RowContext::of(found, standing);
        found.metrics.iter().zip(summaries).filter_map(move |(&metric, summary)| {
            Some(SummaryRow { about: about.clone(), metric, summary: summary.clone()? })
        })
    });
    rows.collect()
}

/// What the limits of a share mean.
fn of_shares(stop: &Stop) -> [&'static str; 2] {
    match stop.stopping {
        Stopping::Fixed => [
            "lower limit of the 95 % interval of the share (Clopper-Pearson)",
            "upper limit of the 95 % interval of the share (Clopper-Pearson)",
        ],
        Stopping::Anytime(_) => [
            "lower limit of the 95 % interval of the share (anytime-valid, beta-binomial)",
            "upper limit of the 95 % interval of the share (anytime-valid, beta-binomial)",
        ],
    }
}

/// A row of `distribution.csv`.
#[derive(Debug)]
struct DistributionRow {
    about: RowContext,
    metric: &'static str,
    value: u32,
    count: u64,
    /// Trials with this value or less.
    below: u64,
    trials: u64,
    interval: Option<Interval>,
}

fn distribution_sheet(stop: &Stop) -> Sheet<DistributionRow> {
    let [low, high] = of_shares(stop);
    about::sheet_of_games("distribution.csv", |r: &DistributionRow| &r.about)
        .column("metric", "", "what was measured", |r| r.metric)
        .column("value", "unit of the metric", "a value that was seen", |r| r.value)
        .column("count", "trials", "how many trials had it", |r| r.count)
        .column("share", "share", "count by trials, from 0 to 1", |r| Real::share_of(r.count, r.trials))
        .column("share_low", "share", low, |r| limits(r.interval, Real::share)[0])
        .column("share_high", "share", high, |r| limits(r.interval, Real::share)[1])
        .column("cumulative", "share", "share of the trials with this value or less", |r| {
            Real::share_of(r.below, r.trials)
        })
}

fn distribution_rows(found: &SimulationReport, standing: &Standing) -> Vec<DistributionRow> {
    let about = RowContext::of(found, standing);
    let of = |(metric, histogram): (&Metric, _)| {
        rows_of(&about, metric.name, histogram, found.shares(standing)).collect::<Vec<_>>()
    };
    found.metrics.iter().zip(&standing.tally.metrics).flat_map(of).collect()
}

/// The rows of the length of games for several.
fn length_rows(found: &SimulationReport) -> Vec<DistributionRow> {
    let about = RowContext::of_all(found);
    rows_of(&about, LENGTH.name, &found.tally.lengths, found.shares_of(1)).collect()
}

fn rows_of(
    about: &RowContext,
    metric: &'static str,
    histogram: &Histogram,
    mut shares: Shares,
) -> impl Iterator<Item = DistributionRow> {
    let trials = histogram.total();
    let mut below = 0;
    histogram.iter().map(move |(value, count)| {
        below += count;
        let interval = shares.interval(count, trials);
        DistributionRow { about: about.clone(), metric, value, count, below, trials, interval }
    })
}

/// A row of `endings.csv`.
#[derive(Debug)]
struct EndingRow {
    game: &'static str,
    rules: Arc<str>,
    lineup: Arc<str>,
    ending: Ending,
    count: u64,
    trials: u64,
    limits: [Option<Real>; 2],
}

fn endings(stop: &Stop) -> Sheet<EndingRow> {
    let [low, high] = of_shares(stop);
    leading::sheet("endings.csv", |r: &EndingRow| r.game, |r| r.rules.clone())
        .column(
            "policy",
            "",
            "the policy with its parameters; where seats differ one for each, joined by ` / `",
            |r| r.lineup.clone(),
        )
        .column("ending", "", "how the game ended", |r| r.ending.name)
        .column("early", "true or false", "whether this ending cuts the game short", |r| r.ending.early)
        .column("count", "trials", "how many trials ended so", |r| r.count)
        .column("share", "share", "count by trials, from 0 to 1", |r| Real::share_of(r.count, r.trials))
        .column("share_low", "share", low, |r| r.limits[0])
        .column("share_high", "share", high, |r| r.limits[1])
}

fn ending_rows(found: &SimulationReport) -> impl Iterator<Item = EndingRow> {
    let (lineup, rules): (Arc<str>, Arc<str>) = (found.lineup().into(), found.rules.as_str().into());
    let trials = found.tally.trials;
    let stopping = found.stop.stopping;
    found.endings.iter().zip(&found.tally.endings).map(move |(&ending, &count)| EndingRow {
        game: found.game,
        rules: rules.clone(),
        lineup: lineup.clone(),
        ending,
        count,
        trials,
        limits: limits(stopping.share(count, trials).interval, Real::share),
    })
}

/// A row of `wins.csv`.
#[derive(Debug)]
struct WinRow {
    game: &'static str,
    rules: Arc<str>,
    who: &'static str,
    policy: Option<Arc<str>>,
    seat: Option<usize>,
    share: Estimate,
}

fn wins() -> Sheet<WinRow> {
    leading::sheet("wins.csv", |r: &WinRow| r.game, |r| r.rules.clone())
        .column(
            "who",
            "",
            "whose wins: those of a `seat`, of a `policy`, of a `policy in a seat`, or of `nobody`",
            |r| r.who,
        )
        .column(
            "policy",
            "",
            "the policy; empty where policies are rotated and the row is about a seat",
            |r| r.policy.clone(),
        )
        .column("seat", "", "from 1; empty where the row is about all seats", |r| r.seat)
        .column(
            "share",
            "share",
            "the share of the games that were won, of a win where those who tie share it",
            |r| Real::share(r.share.value),
        )
        .column("share_low", "share", "lower limit of its 95 % interval; empty if nothing bounds it", |r| {
            limits(r.share.interval, Real::share)[0]
        })
        .column("share_high", "share", "upper limit of its 95 % interval; empty if nothing bounds it", |r| {
            limits(r.share.interval, Real::share)[1]
        })
        .column("method", "", "how the interval is made", |r| r.share.method.to_string())
}

fn win_rows(found: &SimulationReport, standings: &[Measured]) -> Vec<WinRow> {
    let numbers = found.numbers();
    let Some(wins) = found.wins(&numbers) else { return Vec::new() };
    let row = |who, policy: Option<usize>, seat: Option<usize>, share: Option<Estimate>| {
        Some(WinRow {
            game: found.game,
            rules: found.rules.as_str().into(),
            who,
            policy: policy.map(|policy| found.policies[policy].as_str().into()),
            seat: seat.map(|seat| seat + 1),
            share: share?,
        })
    };
    let of_seat =
        |seat: usize| row("seat", (!found.is_rotated()).then_some(seat), Some(seat), wins.seat(seat));
    let of_policy = |Measured { standing, .. }: &Measured| {
        let who = if standing.seat.is_none() { "policy" } else { "policy in a seat" };
        row(who, Some(standing.policy), standing.seat, wins.policy(standing.policy, standing.seat))
    };
    let seats = (0..found.policies.len()).filter_map(of_seat);
    let policies = standings.iter().filter(|_| found.is_rotated()).filter_map(of_policy);
    seats.chain(policies).chain(row("nobody", None, None, wins.nobody())).collect()
}
