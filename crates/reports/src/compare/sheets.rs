//! The files of a comparison. Their columns are a contract.
//!
//! A difference is A − B, of the first policies. A cell is empty where nothing is known: a standard error after one
//! trial, the variance ratio of a difference that never varied, the limits of a quantile after few trials.

use std::borrow::Cow;
use std::sync::Arc;

use stopwise_analysis::estimate::Estimate;
use stopwise_analysis::paired::{
    BinDifference, Known, QuantileDifference, SHARES, bin_differences, early_difference,
    quantile_differences, variance_ratio,
};
use stopwise_document::{Cell, DataType, Dataset, Heading, Real, Sheet};
use stopwise_engine::game::Better;
use stopwise_engine::paired::{ArmTally, PairTally};

use super::{ComparisonReport, Difference, Parted};
use crate::tables::Tables;
use crate::words::{GAME, limits};

/// The files.
pub const FILES: [&str; 4] =
    ["comparison.csv", "comparison_quantiles.csv", "comparison_early.csv", "comparison_distribution.csv"];

/// Adds all datasets, in the order of [`FILES`]; after them the trials in which pairs differ, if they were asked for: JSON
/// has these, and no file.
pub(super) fn datasets(tables: &mut Tables<'_>, compared: &ComparisonReport) {
    let pairs = &compared.comparison.tally.pairs;
    tables.large(comparison(), pairs.len() * compared.metrics.len(), of_all_pairs(compared, mean_rows));
    tables.large(quantiles(), pairs.len() * SHARES.len(), of_all_pairs(compared, quantile_rows));
    tables.large(early(), pairs.len(), of_all_pairs(compared, early_row));
    // Each value of A is one of the pair.
    let values = |arm: &ArmTally| arm.histogram(0).iter().count();
    let values: Vec<_> = compared.comparison.tally.arms.iter().map(values).collect();
    let least = pairs.iter().map(|pair| values[pair.a]).sum();
    tables.large(distribution(), least, of_all_pairs(compared, distribution_rows));
    if compared.is_divergent {
        tables.add(divergent(compared));
    }
}

/// The files without rows, for the dictionary.
pub(crate) fn columns() -> Vec<Dataset> {
    vec![
        comparison().without_rows(),
        quantiles().without_rows(),
        early().without_rows(),
        distribution().without_rows(),
    ]
}

/// What is in the column `rules`.
const RULES: &str = "the preset or file, with every option that was changed; those of A and of B, joined by ` / `, where they \
                     play by different ones";

/// What the rows of a table are about.
#[derive(Clone, Debug)]
struct RowContext {
    game: Arc<str>,
    rules: Arc<str>,
    metric: Arc<str>,
    policies: [Arc<str>; 2],
}

impl RowContext {
    fn of(compared: &ComparisonReport, pair: &PairTally, metric: usize) -> Self {
        let sides = [pair.a, pair.b].map(|side| &compared.sides[side]);
        Self {
            game: compared.game.into(),
            rules: match compared.is_of_same_rules(pair) {
                true => sides[0].rules.as_str().into(),
                false => format!("{} / {}", sides[0].rules, sides[1].rules).into(),
            },
            metric: compared.metrics[metric].name.into(),
            policies: sides.map(|side| side.lineup.as_str().into()),
        }
    }
}

/// A table that begins with the game, and the rules of both sides.
fn sheet<R>(
    file: &'static str,
    about: impl Fn(&R) -> &RowContext + Copy + Send + Sync + 'static,
) -> Sheet<R> {
    let of_game = Sheet::new(file).column("game", "", GAME, move |r| about(r).game.clone());
    of_game.column("rules", "", RULES, move |r| about(r).rules.clone())
}

/// The parts of a table of all pairs, if there are few pairs.
const PARTS: usize = 256;
/// The most pairs of a part: between two parts a run can end.
const PAIRS: usize = 16;

/// The rows of all pairs in parts, given those of one with its number. Intervals take their time, so that threads share the
/// parts; those of a part are known from one pair to the next.
fn of_all_pairs<R>(
    compared: &ComparisonReport,
    rows: fn(&ComparisonReport, (usize, &PairTally), &mut Known) -> Vec<R>,
) -> (usize, impl Fn(usize) -> Vec<R>) {
    let pairs = &compared.comparison.tally.pairs;
    let size = pairs.len().div_ceil(PARTS).clamp(1, PAIRS);
    let of_part = move |part: usize| {
        let (mut known, mut all) = (Known::default(), Vec::new());
        for pair in pairs.iter().enumerate().skip(part * size).take(size) {
            all.append(&mut rows(compared, pair, &mut known));
        }
        all
    };
    (pairs.len().div_ceil(size), of_part)
}

/// A limit of an interval.
fn limit(found: &Estimate, side: usize, value: fn(f64) -> Real) -> Option<Real> {
    limits(found.interval, value)[side]
}

/// A row of `comparison.csv`: a metric of a pair.
#[derive(Debug)]
struct MeanRow {
    about: RowContext,
    found: Difference,
    trials: u64,
    /// Under the same rules.
    identical: Option<u64>,
    variance_ratio: Option<f64>,
    /// Of A and of B.
    means: [f64; 2],
}

fn comparison() -> Sheet<MeanRow> {
    sheet("comparison.csv", |r: &MeanRow| &r.about)
        .column("metric", "", "what was measured", |r| r.about.metric.clone())
        .column("policy_a", "", "A: a policy, or a line-up with one for each seat, joined by ` / `", |r| {
            r.about.policies[0].clone()
        })
        .column("policy_b", "", "B", |r| r.about.policies[1].clone())
        .column("trials", "trials", "how many trials both played on the same dice", |r| r.found.mean.trials)
        .column("mean_difference", "unit of the metric", "mean of A − B over the trials", |r| {
            Real::number(r.found.mean.value)
        })
        .column("std_error", "unit of the metric", "paired standard error; empty for one trial", |r| {
            r.found.mean.std_error.map(Real::number)
        })
        .column(
            "low",
            "unit of the metric",
            "lower limit of the 95 % interval of the mean difference; empty if nothing bounds it",
            |r| limit(&r.found.estimate, 0, Real::number),
        )
        .column("high", "unit of the metric", "upper limit; empty if nothing bounds it", |r| {
            limit(&r.found.estimate, 1, Real::number)
        })
        .column(
            "method",
            "",
            "how the interval is made: for a number of trials fixed beforehand or anytime-valid",
            |r| r.found.estimate.method.to_string(),
        )
        .column(
            "a_better",
            "share",
            "share of the trials in which A had more of the metric, or less where `direction` is `less`",
            |r| Real::share_of(r.found.duel.a_better, r.trials),
        )
        .column("equal", "share", "share of the trials in which both had equally much", |r| {
            Real::share_of(r.found.duel.equal, r.trials)
        })
        .column(
            "b_better",
            "share",
            "share of the trials in which B had more of the metric, or less where `direction` is `less`",
            |r| Real::share_of(r.found.duel.b_better, r.trials),
        )
        .column(
            "identical_share",
            "share",
            "share of the trials that were the same game throughout; empty where A and B play by \
             different rules",
            |r| r.identical.map(|identical| Real::share_of(identical, r.trials)),
        )
        .column(
            "variance_ratio",
            "ratio",
            "how many times as many trials independent runs would need; empty if the difference \
             never varied",
            |r| r.variance_ratio.map(Real::number),
        )
        .column(
            "direction",
            "",
            "what `a_better` and `b_better` count: `more` or `less` of the metric, whichever is \
             better where the metric is what a player wants",
            |r| match r.found.better {
                Better::Higher => "more",
                Better::Lower => "less",
            },
        )
        .column("mean_a", "unit of the metric", "mean of A over the trials", |r| Real::number(r.means[0]))
        .column("mean_b", "unit of the metric", "mean of B over the trials", |r| Real::number(r.means[1]))
}

fn mean_rows(compared: &ComparisonReport, (at, pair): (usize, &PairTally), _: &mut Known) -> Vec<MeanRow> {
    let row = |metric: usize| {
        let [a, b] = compared.histograms(pair, metric);
        Some(MeanRow {
            about: RowContext::of(compared, pair, metric),
            found: compared.difference(at, metric)?,
            trials: pair.trials,
            identical: compared.is_of_same_rules(pair).then_some(pair.identical),
            variance_ratio: variance_ratio(&pair.metrics[metric], &a, &b),
            means: [&a, &b].map(|values| values.sums().0 as f64 / values.total().max(1) as f64),
        })
    };
    (0..pair.metrics.len()).filter_map(row).collect()
}

/// A row of `comparison_quantiles.csv`.
#[derive(Debug)]
struct QuantileRow {
    about: RowContext,
    found: QuantileDifference,
}

fn quantiles() -> Sheet<QuantileRow> {
    sheet("comparison_quantiles.csv", |r: &QuantileRow| &r.about)
        .column("metric", "", "what was measured", |r| r.about.metric.clone())
        .column("policy_a", "", "A", |r| r.about.policies[0].clone())
        .column("policy_b", "", "B", |r| r.about.policies[1].clone())
        .column("quantile", "share", "which quantile: this share of the trials had its value or less", |r| {
            Real::shortest(r.found.share)
        })
        .column("value_a", "unit of the metric", "the quantile of A", |r| r.found.a)
        .column("value_b", "unit of the metric", "the quantile of B", |r| r.found.b)
        .column("difference", "unit of the metric", "A − B", |r| r.found.value())
        .column(
            "low",
            "unit of the metric",
            "lower limit of the 95 % interval of the difference; empty after too few trials",
            |r| limit(&r.found.difference, 0, Real::shortest),
        )
        .column("high", "unit of the metric", "upper limit; empty after too few trials", |r| {
            limit(&r.found.difference, 1, Real::shortest)
        })
        .column("method", "", "how the interval is made", |r| r.found.difference.method.to_string())
}

fn quantile_rows(
    compared: &ComparisonReport,
    (_, pair): (usize, &PairTally),
    _: &mut Known,
) -> Vec<QuantileRow> {
    let metric = compared.drawn.unwrap_or(0);
    let [a, b] = compared.histograms(pair, metric);
    let about = RowContext::of(compared, pair, metric);
    let found = quantile_differences(&a, &b, compared.stopping());
    found.into_iter().map(|found| QuantileRow { about: about.clone(), found }).collect()
}

/// A row of `comparison_early.csv`.
#[derive(Debug)]
struct EarlyRow {
    about: RowContext,
    trials: u64,
    /// How often the game ended early with A (first index: 0 no, 1 yes) and with B (second index).
    early: [[u64; 2]; 2],
    found: Estimate,
}

fn early() -> Sheet<EarlyRow> {
    sheet("comparison_early.csv", |r: &EarlyRow| &r.about)
        .column("policy_a", "", "A", |r| r.about.policies[0].clone())
        .column("policy_b", "", "B", |r| r.about.policies[1].clone())
        .column("trials", "trials", "how many trials both played", |r| r.trials)
        .column("both", "trials", "trials that ended early under both", |r| r.early[1][1])
        .column("a_alone", "trials", "trials that ended early under A alone", |r| r.early[1][0])
        .column("b_alone", "trials", "trials that ended early under B alone", |r| r.early[0][1])
        .column("neither", "trials", "trials that ended early under neither", |r| r.early[0][0])
        .column("share_difference", "share", "share of early ends, A − B", |r| Real::share(r.found.value))
        .column("low", "share", "lower limit of its 95 % interval", |r| limit(&r.found, 0, Real::share))
        .column("high", "share", "upper limit of its 95 % interval", |r| limit(&r.found, 1, Real::share))
        .column("method", "", "how the interval is made", |r| r.found.method.to_string())
}

fn early_row(compared: &ComparisonReport, (_, pair): (usize, &PairTally), _: &mut Known) -> Vec<EarlyRow> {
    let row = |found| EarlyRow {
        about: RowContext::of(compared, pair, 0),
        trials: pair.trials,
        early: pair.early,
        found,
    };
    early_difference(pair, compared.stopping()).map(row).into_iter().collect()
}

/// A row of `comparison_distribution.csv`: a value of the first metric.
#[derive(Debug)]
struct DistributionRow {
    about: RowContext,
    found: BinDifference,
    method: Option<Arc<str>>,
}

fn distribution() -> Sheet<DistributionRow> {
    sheet("comparison_distribution.csv", |r: &DistributionRow| &r.about)
        .column("metric", "", "what was measured", |r| r.about.metric.clone())
        .column("policy_a", "", "A", |r| r.about.policies[0].clone())
        .column("policy_b", "", "B", |r| r.about.policies[1].clone())
        .column("value", "unit of the metric", "a value that A or B had", |r| r.found.value)
        .column("count_a", "trials", "trials in which A had it", |r| r.found.a)
        .column("count_b", "trials", "trials in which B had it", |r| r.found.b)
        .column("share_difference", "share", "share of the trials, A − B", |r| {
            Real::share(r.found.difference.value)
        })
        .column("low", "share", "lower limit of its 95 % interval", |r| {
            limit(&r.found.difference, 0, Real::share)
        })
        .column("high", "share", "upper limit of its 95 % interval", |r| {
            limit(&r.found.difference, 1, Real::share)
        })
        .column("method", "", "how the interval is made", |r| r.method.clone())
}

fn distribution_rows(
    compared: &ComparisonReport,
    (at, pair): (usize, &PairTally),
    known: &mut Known,
) -> Vec<DistributionRow> {
    let [a, b] = compared.histograms(pair, 0);
    let about = RowContext::of(compared, pair, 0);
    let mut found = bin_differences(pair, &a, &b, compared.stopping(), known);
    // A difference has one interval, that of `comparison.csv`.
    if let Some(more) = compared.share_difference(at) {
        for bin in &mut found {
            bin.difference = if bin.value > 0 { more } else { more.negated() };
        }
    }
    // A method for all, so that its text is kept once.
    let method = found.first().map(|bin| Arc::from(bin.difference.method.to_string()));
    let row = |found| DistributionRow { about: about.clone(), found, method: method.clone() };
    found.into_iter().map(row).collect()
}

/// A row of `divergent`: a trial, and the first decision in it that A and B make differently.
#[derive(Debug)]
struct DivergenceRow<'r> {
    policies: [Arc<str>; 2],
    told: &'r Parted,
}

/// The trials in which pairs differ, with a column for every place of the state.
fn divergent(compared: &ComparisonReport) -> Dataset {
    let rows = || {
        compared.pairs().zip(&compared.divergences).flat_map(|((_, pair), divergences)| {
            let policies = compared.names(pair).map(Arc::from);
            divergences.iter().map(move |told| DivergenceRow { policies: policies.clone(), told })
        })
    };
    let mut places: Vec<&str> = Vec::new();
    for (place, _) in rows().flat_map(|row| &row.told.first.places) {
        if !places.contains(place) {
            places.push(place);
        }
    }
    let states: Vec<Vec<Cell>> =
        rows().map(|row| places.iter().map(|&place| at(row.told, place)).collect()).collect();
    let sheet = Sheet::<DivergenceRow<'_>>::new("divergent.csv")
        .column("policy_a", "", "A", |r| r.policies[0].clone())
        .column("policy_b", "", "B", |r| r.policies[1].clone())
        .column("trial", "", "the number of the trial, for `replay`", |r| r.told.trial)
        .column("seat", "", "the seat that decides, from 1", |r| r.told.first.seat + 1)
        .column("turn", "", "its turn, from 1", |r| r.told.first.turn)
        .column("decisions_before", "decisions", "how many both make alike before", |r| r.told.first.before)
        .column("decision", "", "what is decided", |r| r.told.first.kind)
        .column("a", "", "the action of A", |r| r.told.first.a.as_str())
        .column("b", "", "the action of B", |r| r.told.first.b.as_str());
    let mut found = sheet.fill(rows());
    found.columns.extend(places.iter().map(|place| state(place)));
    found.rows.iter_mut().zip(states).for_each(|(row, state)| row.extend(state));
    found
}

/// The column of a place: `state_` and its name.
fn state(place: &str) -> Heading {
    let name = format!("state_{}", place.to_lowercase().replace(' ', "_"));
    let meaning = format!("the state of the game before the decision: {}", place.to_lowercase());
    Heading { name: name.into(), data_type: DataType::Text, unit: Cow::Borrowed(""), meaning: meaning.into() }
}

fn at(told: &Parted, wanted: &str) -> Cell {
    let found = told.first.places.iter().find(|(place, _)| *place == wanted);
    found.map(|(_, text)| text.as_str()).into()
}
