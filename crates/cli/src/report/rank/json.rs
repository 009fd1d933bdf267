//! The ranking as JSON; `null` where nothing is known.

use serde_json::{Value, json};
use stopwise_analysis::estimate::Estimate;
use stopwise_analysis::rank::Race;

use super::tables::word;
use super::{By, RankReport};
use crate::failure::Failure;
use crate::report::document::document;
use crate::report::words::limits;

/// The whole document.
pub(crate) fn json(ranked: &RankReport) -> Result<String, Failure> {
    let mut value = json!({
        "game": ranked.game, "rules": ranked.rules, "seed": ranked.seed, "seats": ranked.seats,
        "stream_scheme": stopwise_engine::stream::SCHEME, "metric": ranked.metric.name, "unit": ranked.metric.unit,
        "alpha": ranked.alpha, "method": ranked.method().to_string(), "trials": ranked.by.trials(),
        "ranking": rows(ranked), "groups": groups(ranked),
        "fresh": ranked.fresh.as_ref().map(|fresh| {
            let [low, high] = limits(fresh.mean.interval);
            json!({
                "policy": ranked.labels[ranked.ranking.order[0]], "first_trial": fresh.first_trial,
                "trials": fresh.trials, "mean": fresh.mean.value, "low": low, "high": high,
                "method": format!("fixed n, {}", fresh.mean.level),
            })
        }),
    });
    match &ranked.by {
        By::Race(race) => {
            value["resolution"] = race.resolution().into();
            value["unsettled"] = race.left().iter().map(|&arm| ranked.labels[arm].clone()).collect();
            value["pairs"] = pairs(ranked, race);
        }
        By::RoundRobin(robin) => {
            let names =
                |ring: &Vec<usize>| ring.iter().map(|&at| ranked.labels[at].clone()).collect::<Value>();
            value["matches"] = matches(ranked);
            value["rings"] = robin.cycles().iter().map(names).collect();
        }
    }
    document(value)
}

fn rows(ranked: &RankReport) -> Value {
    let rows = ranked.rows().into_iter().map(|row| {
        let [low, high] = limits(row.mean.and_then(|mean| mean.interval));
        let [to_first_low, to_first_high] = limits(row.to_first.and_then(|to_first| to_first.interval));
        json!({
            "policy": row.policy, "place_best": row.places.0, "place_worst": row.places.1, "groups": row.groups,
            "trials": row.trials, "mean": row.mean.map(|mean| mean.value), "low": low, "high": high,
            "to_first": row.to_first.map(|to_first| to_first.value), "to_first_low": to_first_low,
            "to_first_high": to_first_high,
        })
    });
    rows.collect()
}

/// The policies of every group.
fn groups(ranked: &RankReport) -> Option<Vec<Vec<&str>>> {
    let name = |&place: &usize| ranked.labels[ranked.ranking.order[place]].as_str();
    let groups = ranked.ranking.groups.as_ref()?.iter();
    Some(groups.map(|places| places.iter().map(name).collect()).collect())
}

fn pairs(ranked: &RankReport, race: &Race) -> Value {
    let pairs = ranked.pairs(race).map(|pair| {
        let [low, high] = limits(pair.difference.interval);
        json!({
            "policy_a": pair.policies[0], "policy_b": pair.policies[1], "trials": pair.trials,
            "mean_difference": pair.difference.value, "low": low, "high": high, "better": word(pair.verdict),
        })
    });
    pairs.collect()
}

fn matches(ranked: &RankReport) -> Value {
    let estimate = |estimate: Option<Estimate>| {
        estimate.map(|estimate| {
            let [low, high] = limits(estimate.interval);
            json!({ "value": estimate.value, "low": low, "high": high })
        })
    };
    let meetings = ranked.meetings().into_iter().map(|meeting| {
        json!({
            "policy_a": meeting.policies[0], "policy_b": meeting.policies[1], "first_trial": meeting.first_trial,
            "games": meeting.table.games, "no_winner": meeting.table.games - meeting.table.decided,
            "a_share": estimate(meeting.share), "lead": estimate(meeting.lead),
            "effect": estimate(meeting.effect), "better": word(meeting.verdict),
        })
    });
    meetings.collect()
}
