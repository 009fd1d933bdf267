//! The comparison report as JSON; `null` where nothing is known.

use serde_json::{Map, Value, json};
use stopwise_analysis::paired::{
    MeanDifference, WinTieLoss, early_difference, quantile_differences, variance_ratio,
};
use stopwise_engine::paired::PairTally;

use super::{ComparisonReport, PartingReport};
use crate::failure::Failure;
use crate::report::document::document;
use crate::report::words::limits;

/// The whole document.
pub(crate) fn json(compared: &ComparisonReport) -> Result<String, Failure> {
    let pairs = compared.pairs().zip(&compared.partings);
    let mut value = json!({
        "game": compared.game, "rules": compared.rules, "seed": compared.seed, "trials": compared.trials(),
        "stream_scheme": stopwise_engine::stream::SCHEME, "policies": compared.lineups, "rotated": compared.is_rotated,
        "seat": (!compared.is_rotated).then_some(1),
        "pairs": pairs.map(|(pair, partings)| of_pair(compared, pair, partings)).collect::<Vec<_>>(),
    });
    if let Some(stopped) = &compared.stopped {
        value["stopped"] = stopped.as_str().into();
    }
    document(value)
}

fn of_pair(
    compared: &ComparisonReport,
    (at, pair): (usize, &PairTally),
    partings: &[PartingReport],
) -> Value {
    let [a, b] = compared.names(pair);
    let stopping = compared.stopping();
    let [identical_low, identical_high] = limits(stopping.share(pair.identical, pair.trials).interval);
    let metrics = (0..pair.metrics.len()).filter_map(|metric| {
        Some((compared.metrics[metric].name.to_owned(), of_metric(compared, (at, pair), metric)?))
    });
    let [hist_a, hist_b] = compared.histograms(pair, 0);
    let quantiles = quantile_differences(&hist_a, &hist_b, stopping).into_iter().map(|quantile| {
        let [low, high] = limits(quantile.difference.interval);
        json!({
            "quantile": quantile.share, "a": quantile.a, "b": quantile.b, "difference": quantile.value(),
            "low": low, "high": high, "method": quantile.difference.method.to_string(),
        })
    });
    let early = early_difference(pair, stopping).map(|estimate| {
        let [low, high] = limits(estimate.interval);
        json!({
            "both": pair.early[1][1], "a_alone": pair.early[1][0], "b_alone": pair.early[0][1],
            "neither": pair.early[0][0], "share_difference": estimate.value, "low": low,
            "high": high, "method": estimate.method.to_string(),
        })
    });
    let mut value = json!({
        "policy_a": a, "policy_b": b, "trials": pair.trials,
        "identical_share": pair.identical as f64 / pair.trials.max(1) as f64,
        "identical_share_low": identical_low, "identical_share_high": identical_high,
        "metrics": metrics.collect::<Map<_, _>>(), "quantiles": quantiles.collect::<Vec<_>>(), "early": early,
    });
    if compared.is_divergent {
        value["divergent"] = partings.iter().map(parting).collect::<Vec<_>>().into();
    }
    value
}

fn of_metric(compared: &ComparisonReport, (at, pair): (usize, &PairTally), metric: usize) -> Option<Value> {
    let (about, differences) = (&compared.metrics[metric], &pair.metrics[metric]);
    let mean = MeanDifference::of(differences)?;
    let estimate = compared.mean_difference(at, metric)?;
    let [low, high] = limits(estimate.interval);
    let duel = WinTieLoss::of(differences, about.better);
    let [a, b] = compared.histograms(pair, metric);
    let of_trials = |count: u64| count as f64 / pair.trials as f64;
    Some(json!({
        "unit": about.unit, "mean_difference": mean.value, "std_error": mean.std_error, "low": low, "high": high,
        "method": estimate.method.to_string(), "a_better": of_trials(duel.a_better), "equal": of_trials(duel.equal),
        "b_better": of_trials(duel.b_better), "variance_ratio": variance_ratio(differences, &a, &b),
    }))
}

fn parting(told: &PartingReport) -> Value {
    let place =
        |(place, text): &(&str, String)| (place.to_lowercase().replace(' ', "_"), text.clone().into());
    json!({
        "trial": told.trial, "seat": told.seat, "turn": told.turn, "decisions_before": told.before,
        "decision": told.kind, "a": told.a, "b": told.b,
        "state": told.places.iter().map(place).collect::<Map<_, _>>(),
    })
}
