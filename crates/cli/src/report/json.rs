//! The simulation report as JSON.

use serde_json::{Map, Value, json};
use stopwise_analysis::estimate::{Estimate, Summary};
use stopwise_analysis::seats::Wins;

use super::document::document;
use super::words::limits;
use super::{SimulationReport, summary};
use crate::failure::Failure;

/// The whole document.
pub(crate) fn json(found: &SimulationReport) -> Result<String, Failure> {
    let trials = found.tally.trials;
    let endings = found.endings.iter().zip(&found.tally.endings).map(|(ending, &count)| {
        let share = Estimate::share(count, trials);
        let [low, high] = limits(share.interval);
        json!({
            "ending": ending.name, "early": ending.early, "count": count,
            "share": count as f64 / trials as f64, "share_low": low, "share_high": high,
        })
    });
    let mut value = json!({
        "game": found.game, "rules": found.rules, "seed": found.seed, "trials": trials,
        "stream_scheme": stopwise_engine::stream::SCHEME,
        "seats": seats(found), "endings": endings.collect::<Vec<_>>(),
    });
    let numbers = found.numbers();
    if let Some(wins) = found.wins(&numbers) {
        value["rotated"] = found.is_rotated().into();
        value["wins"] = winners(found, wins);
    }
    if let Some(length) = found.length() {
        value["length"] = metric(&length, "turns");
    }
    document(value)
}

/// All metrics of every seat; with rotation, of every policy in all seats (`null`) and in each.
pub(super) fn seats(found: &SimulationReport) -> Vec<Value> {
    let standings = found.standings();
    let seats = standings.iter().map(|standing| {
        let metrics = found.metrics.iter().zip(&standing.tally.metrics).filter_map(|(about, histogram)| {
            Some((about.name.to_owned(), metric(&summary(standing, histogram)?, about.unit)))
        });
        json!({
            "seat": standing.seat.map(|seat| seat + 1), "policy": found.policies[standing.policy],
            "metrics": metrics.collect::<Map<_, _>>(),
        })
    });
    seats.collect()
}

fn metric(s: &Summary, unit: &str) -> Value {
    let [low, high] = limits(s.mean().interval);
    json!({
        "unit": unit, "mean": s.mean, "std_error": s.std_error, "std_dev": s.std_dev,
        "mean_low": low, "mean_high": high, "min": s.min, "max": s.max,
        "p01": s.quantiles[0], "p05": s.quantiles[1], "p25": s.quantiles[2], "p50": s.quantiles[3],
        "p75": s.quantiles[4], "p95": s.quantiles[5], "p99": s.quantiles[6],
    })
}

/// Wins as shares of the games; `null` where nothing is known.
fn winners(found: &SimulationReport, wins: Wins<'_>) -> Value {
    let share = |estimate: Option<Estimate>| {
        estimate.map(|estimate| {
            let [low, high] = limits(estimate.interval);
            json!({ "share": estimate.value, "share_low": low, "share_high": high })
        })
    };
    let standings = if found.is_rotated() { found.standings() } else { Vec::new() };
    let policies = standings.iter().map(|standing| {
        json!({
            "policy": found.policies[standing.policy], "seat": standing.seat.map(|seat| seat + 1),
            "wins": share(wins.policy(standing.policy, standing.seat)),
        })
    });
    let edge = wins.first_seat_edge().map(|edge| {
        let [low, high] = limits(edge.interval);
        json!({ "edge": edge.value, "edge_low": low, "edge_high": high })
    });
    json!({
        "seats": (0..found.policies.len()).map(|seat| share(wins.seat(seat))).collect::<Vec<_>>(),
        "policies": policies.collect::<Vec<_>>(),
        "nobody": share(wins.nobody()),
        "first_seat": edge,
    })
}
