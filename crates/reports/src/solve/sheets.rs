//! The files of exact values. Their columns are a contract.

use std::sync::Arc;

use stopwise_analysis::exact::Loss;
use stopwise_document::{Dataset, Sheet};
use stopwise_engine::game::{Ending, Metric};

use super::cells::{RowContext, TURN, exact};
use super::surface::Surface;
use super::values::{ValueRow, solution};
use super::{SolveReport, Worth, against_best, hold_at, positions, table, varied};
use crate::leading;
use crate::shared_wins::in_games;
pub use hold_at::FILE as HOLD_AT;
pub use table::FILE as DECISIONS;
pub use varied::FILE as VARIED;

/// The files; one of them is for games for two.
pub fn files(seats: usize) -> Vec<&'static str> {
    FILES.into_iter().chain((seats == 2).then_some(against_best::FILE)).collect()
}

const FILES: [&str; 9] = [
    "solution.csv",
    "solution_means.csv",
    "solution_endings.csv",
    "solution_distribution.csv",
    positions::FILE,
    "regret.csv",
    "thresholds.csv",
    table::FILE,
    hold_at::FILE,
];

/// All datasets, in the order of [`files`].
pub(crate) fn datasets(solved: &SolveReport) -> Vec<Dataset> {
    let about = || RowContext { game: solved.game, rules: solved.rules.as_str().into() };
    let best = solved.best.as_ref().map(|best| ValueRow::of_best(about(), solved.about(), best));
    let worths = solved.worths.iter().map(|worth| ValueRow::of(about(), solved.about(), worth));
    let of = |worth: &Worth| PolicyRow { about: about(), policy: worth.label.as_str().into() };
    let means = solved.worths.iter().flat_map(|worth| mean_rows(solved, worth, &of(worth)));
    let endings = solved.worths.iter().flat_map(|worth| ending_rows(solved, worth, &of(worth)));
    let values = solved.worths.iter().flat_map(|worth| share_rows(solved, worth, &of(worth)));
    let losses = solved.worths.iter().flat_map(|worth| loss_rows(solved, worth, &of(worth)));
    let listed = positions::Listed {
        game: solved.game,
        rules: &solved.rules,
        metric: solved.about(),
        kinds: &solved.kinds,
        features: &solved.features,
    };
    let positions = solved.best.as_ref().map_or(&[][..], |best| &best.positions);
    let mut all = vec![
        solution().fill(best.into_iter().chain(worths)),
        solution_means().fill(means),
        solution_endings().fill(endings),
        solution_distribution().fill(values),
        listed.dataset(positions),
        regret().fill(losses),
        thresholds().fill(solved.surface.iter().flat_map(|surface| threshold_rows(solved, surface))),
        table::sheet().fill(table::rows(solved, &about())),
        hold_at::sheet().fill(hold_at::rows(solved, &about())),
    ];
    if solved.seats == 2 {
        all.push(against_best::sheet().fill(against_best::rows(solved, &about())));
    }
    // Positions are read already, as they may be written alone.
    let others = all.iter_mut().filter(|table| table.file != positions::FILE);
    others.for_each(|table| in_games(std::slice::from_mut(table), &solved.metrics));
    all
}

/// The same without rows, for the dictionary.
pub(crate) fn columns() -> Vec<Dataset> {
    vec![
        solution().without_rows(),
        solution_means().without_rows(),
        solution_endings().without_rows(),
        solution_distribution().without_rows(),
        positions::columns(),
        regret().without_rows(),
        thresholds().without_rows(),
        table::sheet().without_rows(),
        hold_at::sheet().without_rows(),
        against_best::sheet().without_rows(),
        varied::columns(),
    ]
}

/// The same, and the policy.
#[derive(Clone, Debug)]
struct PolicyRow {
    about: RowContext,
    policy: Arc<str>,
}

/// A table that begins with the game, its rules and the policy.
fn of_policies<R: 'static>(file: &'static str, of: fn(&R) -> &PolicyRow) -> Sheet<R> {
    leading::sheet(file, move |r| of(r).about.game, move |r| of(r).about.rules.clone()).column(
        "policy",
        "",
        "the policy with its parameters, in every seat",
        move |r| of(r).policy.clone(),
    )
}

/// A row of `solution_means.csv`.
#[derive(Debug)]
struct MeanRow {
    of: PolicyRow,
    seat: usize,
    metric: Metric,
    mean: f64,
}

fn solution_means() -> Sheet<MeanRow> {
    of_policies("solution_means.csv", |r: &MeanRow| &r.of)
        .column("seat", "", "from 1", |r| r.seat)
        .column("metric", "", "what is measured", |r| r.metric.name)
        .column("unit", "", "what one of the metric is", |r| r.metric.unit)
        .column("mean", "unit of the metric", "its exact mean", |r| exact(r.mean))
}

fn mean_rows(solved: &SolveReport, worth: &Worth, of: &PolicyRow) -> Vec<MeanRow> {
    let seats = worth.alone.iter().flat_map(|alone| &alone.means).zip(1..);
    let of_seat = |(means, seat): (&Vec<f64>, usize)| {
        let row = move |(&metric, &mean): (&Metric, &f64)| MeanRow { of: of.clone(), seat, metric, mean };
        solved.metrics.iter().zip(means).map(row).collect::<Vec<_>>()
    };
    seats.flat_map(of_seat).collect()
}

/// A row of `solution_endings.csv`.
#[derive(Debug)]
struct EndingRow {
    of: PolicyRow,
    ending: Ending,
    share: f64,
}

fn solution_endings() -> Sheet<EndingRow> {
    of_policies("solution_endings.csv", |r: &EndingRow| &r.of)
        .column("ending", "", "how the game ends", |r| r.ending.name)
        .column("early", "", "`true` for endings that cut the game short", |r| r.ending.early)
        .column("share", "share", "its exact probability", |r| exact(r.share))
}

fn ending_rows(solved: &SolveReport, worth: &Worth, of: &PolicyRow) -> Vec<EndingRow> {
    let shares = worth.alone.iter().flat_map(|alone| &alone.endings);
    let endings = solved.endings.iter().zip(shares);
    endings.map(|(&ending, &share)| EndingRow { of: of.clone(), ending, share }).collect()
}

/// A row of `solution_distribution.csv`.
#[derive(Debug)]
struct ShareRow {
    of: PolicyRow,
    seat: usize,
    metric: Metric,
    value: u32,
    share: f64,
}

fn solution_distribution() -> Sheet<ShareRow> {
    of_policies("solution_distribution.csv", |r: &ShareRow| &r.of)
        .column("seat", "", "from 1", |r| r.seat)
        .column("metric", "", "what is measured", |r| r.metric.name)
        .column("value", "unit of the metric", "a value that it can have", |r| r.value)
        .column("share", "share", "the exact probability of that value", |r| exact(r.share))
}

fn share_rows(solved: &SolveReport, worth: &Worth, of: &PolicyRow) -> Vec<ShareRow> {
    let mut rows = Vec::new();
    for (shares, seat) in worth.alone.iter().flat_map(|alone| &alone.shares).zip(1..) {
        for (&metric, shares) in solved.metrics.iter().zip(shares) {
            rows.extend(shares.iter().map(|(&value, &share)| ShareRow {
                of: of.clone(),
                seat,
                metric,
                value,
                share,
            }));
        }
    }
    rows
}

/// A row of `regret.csv`.
#[derive(Debug)]
struct LossRow {
    of: PolicyRow,
    metric: Metric,
    kind: &'static str,
    loss: Loss,
}

fn loss_rows(solved: &SolveReport, worth: &Worth, of: &PolicyRow) -> Vec<LossRow> {
    let losses = worth.losses.iter().flatten();
    let row = |&loss: &Loss| LossRow {
        of: of.clone(),
        metric: solved.about(),
        kind: solved.kinds[loss.kind].name,
        loss,
    };
    losses.map(row).collect()
}

fn regret() -> Sheet<LossRow> {
    leading::sheet("regret.csv", |r: &LossRow| r.of.about.game, |r| r.of.about.rules.clone())
        .column("policy", "", "the policy with its parameters, alone", |r| r.of.policy.clone())
        .column("metric", "", "what is played for", |r| r.metric.name)
        .column("unit", "", "what one of the metric is", |r| r.metric.unit)
        .column("kind", "", "a kind of decision", |r| r.kind)
        .column("turn", "turns", TURN, |r| r.loss.turn)
        .column("decisions", "decisions", "how many with a choice there are in a game, in the mean", |r| {
            exact(r.loss.decisions)
        })
        .column(
            "mistakes",
            "decisions",
            "how many of them in which another answer is better by more than 10⁻⁹, with best play \
             afterwards",
            |r| exact(r.loss.mistakes),
        )
        .column(
            "regret",
            "unit of the metric",
            "what they lose in a game, in the mean, with best play after each; all rows together are \
             the policy's regret",
            |r| exact(r.loss.regret),
        )
}

/// A row of `thresholds.csv`.
#[derive(Debug)]
struct ThresholdRow {
    about: RowContext,
    metric: Metric,
    policy: Arc<str>,
    kind: &'static str,
    /// Features with their values; there may be no second one.
    at: [Option<(&'static str, i64)>; 2],
    rising: &'static str,
    least: i64,
}

fn threshold_rows(solved: &SolveReport, surface: &Surface) -> Vec<ThresholdRow> {
    let drawn = &surface.drawn;
    let (row, levels) = &drawn.rows;
    let mut rows = Vec::new();
    for (policy, cells) in surface.named() {
        for (&value, cells) in levels.iter().zip(cells) {
            for (at, cell) in cells.iter().enumerate() {
                let Some(least) = *cell else { continue };
                let column = drawn.columns.as_ref().map(|(column, levels)| (column.name, levels[at]));
                rows.push(ThresholdRow {
                    about: RowContext { game: solved.game, rules: solved.rules.as_str().into() },
                    metric: solved.about(),
                    policy: policy.into(),
                    kind: solved.kinds[drawn.kind].name,
                    at: [Some((row.name, value)), column],
                    rising: drawn.rising.name,
                    least,
                });
            }
        }
    }
    rows
}

fn thresholds() -> Sheet<ThresholdRow> {
    leading::sheet("thresholds.csv", |r: &ThresholdRow| r.about.game, |r| r.about.rules.clone())
        .column("metric", "", "what is played for", |r| r.metric.name)
        .column("policy", "", "`best play`, or a policy with its parameters", |r| r.policy.clone())
        .column("kind", "", "a kind of decision that is answered with yes or no", |r| r.kind)
        .column("feature", "", "a feature that the answer depends on", |r| r.at[0].map(|(name, _)| name))
        .column("value", "unit of the feature", "its value", |r| r.at[0].map(|(_, value)| value))
        .column("feature_2", "", "another one; empty if there is none", |r| r.at[1].map(|(name, _)| name))
        .column("value_2", "unit of the feature", "its value", |r| r.at[1].map(|(_, value)| value))
        .column("threshold_of", "", "the feature from whose least value on the answer may be yes", |r| {
            r.rising
        })
        .column("threshold", "unit of the feature", "its least value at which the answer is yes", |r| r.least)
}
