//! The CSV files of a comparison. Their columns are a contract.
//!
//! A difference is A − B, of the first policies. A cell is empty where nothing is known: a standard error after one
//! trial, the variance ratio of a difference that never varied, the limits of a quantile after few trials.

use stopwise_analysis::paired::{
    MeanDifference, WinTieLoss, bin_differences, early_difference, quantile_differences, variance_ratio,
};
use stopwise_engine::paired::PairTally;

use super::ComparisonReport;
use crate::failure::Failure;
use crate::report::tables::{csv, maybe, number, share, share_of};
use crate::report::words::limits;

/// The tables, by file name.
pub(crate) const FILES: [&str; 4] =
    ["comparison.csv", "comparison_quantiles.csv", "comparison_early.csv", "comparison_distribution.csv"];

/// The bytes of the file of this name.
pub(crate) fn table(name: &str, compared: &ComparisonReport) -> Result<Vec<u8>, Failure> {
    match name {
        "comparison.csv" => means(compared),
        "comparison_quantiles.csv" => quantiles(compared),
        "comparison_early.csv" => early(compared),
        "comparison_distribution.csv" => distribution(compared),
        other => Err(Failure::other(format!("no table {other}"))),
    }
}

/// The cells that all rows begin with.
fn head(compared: &ComparisonReport, pair: &PairTally, metric: usize) -> [String; 5] {
    let [a, b] = compared.names(pair);
    [compared.game.into(), compared.rules.clone(), compared.metrics[metric].name.into(), a.into(), b.into()]
}

fn means(compared: &ComparisonReport) -> Result<Vec<u8>, Failure> {
    let header = [
        "game",
        "rules",
        "metric",
        "policy_a",
        "policy_b",
        "trials",
        "mean_difference",
        "std_error",
        "low",
        "high",
        "method",
        "a_better",
        "equal",
        "b_better",
        "identical_share",
        "variance_ratio",
    ];
    let rows = compared.pairs().flat_map(|(at, pair)| {
        pair.metrics.iter().enumerate().filter_map(move |(metric, differences)| {
            let mean = MeanDifference::of(differences)?;
            let estimate = compared.mean_difference(at, metric)?;
            let [low, high] = limits(estimate.interval);
            let duel = WinTieLoss::of(differences, compared.metrics[metric].better);
            let [a, b] = compared.histograms(pair, metric);
            let [game, rules, name, policy_a, policy_b] = head(compared, pair, metric);
            Some([
                game,
                rules,
                name,
                policy_a,
                policy_b,
                mean.trials.to_string(),
                number(mean.value),
                maybe(mean.std_error, number),
                maybe(low, number),
                maybe(high, number),
                estimate.method.to_string(),
                share_of(duel.a_better, pair.trials),
                share_of(duel.equal, pair.trials),
                share_of(duel.b_better, pair.trials),
                share_of(pair.identical, pair.trials),
                maybe(variance_ratio(differences, &a, &b), number),
            ])
        })
    });
    csv(header, rows)
}

fn quantiles(compared: &ComparisonReport) -> Result<Vec<u8>, Failure> {
    let header = [
        "game",
        "rules",
        "metric",
        "policy_a",
        "policy_b",
        "quantile",
        "value_a",
        "value_b",
        "difference",
        "low",
        "high",
        "method",
    ];
    let rows = compared.pairs().flat_map(|(_, pair)| {
        let [a, b] = compared.histograms(pair, 0);
        quantile_differences(&a, &b, compared.stopping()).into_iter().map(move |quantile| {
            let [game, rules, name, policy_a, policy_b] = head(compared, pair, 0);
            let [low, high] = limits(quantile.difference.interval);
            [
                game,
                rules,
                name,
                policy_a,
                policy_b,
                quantile.share.to_string(),
                quantile.a.to_string(),
                quantile.b.to_string(),
                quantile.value().to_string(),
                maybe(low, |low| low.to_string()),
                maybe(high, |high| high.to_string()),
                quantile.difference.method.to_string(),
            ]
        })
    });
    csv(header, rows)
}

fn early(compared: &ComparisonReport) -> Result<Vec<u8>, Failure> {
    let header = [
        "game",
        "rules",
        "policy_a",
        "policy_b",
        "trials",
        "both",
        "a_alone",
        "b_alone",
        "neither",
        "share_difference",
        "low",
        "high",
        "method",
    ];
    let rows = compared.pairs().filter_map(|(_, pair)| {
        let estimate = early_difference(pair, compared.stopping())?;
        let [low, high] = limits(estimate.interval);
        let [[neither, b_alone], [a_alone, both]] = pair.early.map(|row| row.map(|count| count.to_string()));
        let [game, rules, _, policy_a, policy_b] = head(compared, pair, 0);
        Some([
            game,
            rules,
            policy_a,
            policy_b,
            pair.trials.to_string(),
            both,
            a_alone,
            b_alone,
            neither,
            share(estimate.value),
            maybe(low, share),
            maybe(high, share),
            estimate.method.to_string(),
        ])
    });
    csv(header, rows)
}

fn distribution(compared: &ComparisonReport) -> Result<Vec<u8>, Failure> {
    let header = [
        "game",
        "rules",
        "metric",
        "policy_a",
        "policy_b",
        "value",
        "count_a",
        "count_b",
        "share_difference",
        "low",
        "high",
        "method",
    ];
    let rows = compared.pairs().flat_map(|(_, pair)| {
        let [a, b] = compared.histograms(pair, 0);
        bin_differences(pair, &a, &b, compared.stopping()).into_iter().map(move |bin| {
            let [game, rules, name, policy_a, policy_b] = head(compared, pair, 0);
            let [low, high] = limits(bin.difference.interval);
            [
                game,
                rules,
                name,
                policy_a,
                policy_b,
                bin.value.to_string(),
                bin.a.to_string(),
                bin.b.to_string(),
                share(bin.difference.value),
                maybe(low, share),
                maybe(high, share),
                bin.difference.method.to_string(),
            ]
        })
    });
    csv(header, rows)
}
