//! The CSV files of a ranking. Their columns are a contract.
//!
//! A cell is empty where nothing is known.

use stopwise_analysis::estimate::Estimate;
use stopwise_analysis::rank::{Race, Verdict};

use super::{By, RankReport};
use crate::failure::Failure;
use crate::report::tables::{csv, maybe, number, share};
use crate::report::words::limits;

/// The main table.
pub(crate) const RANK: &str = "rank.csv";
/// The tables of games for one, and of games with seats.
pub(crate) const OF_RACES: [&str; 2] = [RANK, "rank_pairs.csv"];
pub(crate) const OF_ROBINS: [&str; 2] = [RANK, "matches.csv"];

/// The bytes of the file of this name.
pub(crate) fn table(name: &str, ranked: &RankReport) -> Result<Vec<u8>, Failure> {
    match (name, &ranked.by) {
        (RANK, _) => rank(ranked),
        ("rank_pairs.csv", By::Race(race)) => pairs(ranked, race),
        ("matches.csv", By::RoundRobin(_)) => matches(ranked),
        (other, _) => Err(Failure::other(format!("no table {other}"))),
    }
}

/// A value and its limits in three cells.
fn cells(estimate: Option<Estimate>, show: fn(f64) -> String) -> [String; 3] {
    let [low, high] = limits(estimate.and_then(|estimate| estimate.interval));
    [maybe(estimate, |estimate| show(estimate.value)), maybe(low, show), maybe(high, show)]
}

fn rank(ranked: &RankReport) -> Result<Vec<u8>, Failure> {
    let header = [
        "game",
        "rules",
        "metric",
        "unit",
        "policy",
        "place_best",
        "place_worst",
        "groups",
        "trials",
        "mean",
        "low",
        "high",
        "method",
        "to_first",
        "to_first_low",
        "to_first_high",
        "fresh_first_trial",
        "fresh_trials",
        "fresh_mean",
        "fresh_low",
        "fresh_high",
    ];
    let rows = ranked.rows().into_iter().enumerate().map(|(place, row)| {
        let [mean, low, high] = cells(row.mean, number);
        let [to_first, to_first_low, to_first_high] = cells(row.to_first, number);
        let fresh = ranked.fresh.as_ref().filter(|_| place == 0);
        let [fresh_mean, fresh_low, fresh_high] = cells(fresh.map(|fresh| fresh.mean), number);
        let count = |count: Option<u64>| maybe(count, |count| count.to_string());
        [
            ranked.game.into(),
            ranked.rules.clone(),
            ranked.metric.name.into(),
            ranked.metric.unit.into(),
            row.policy.into(),
            row.places.0.to_string(),
            row.places.1.to_string(),
            row.groups.map_or_else(String::new, |groups| groups.join(" ")),
            row.trials.to_string(),
            mean,
            low,
            high,
            ranked.method().to_string(),
            to_first,
            to_first_low,
            to_first_high,
            count(fresh.map(|fresh| fresh.first_trial)),
            count(fresh.map(|fresh| fresh.trials)),
            fresh_mean,
            fresh_low,
            fresh_high,
        ]
    });
    csv(header, rows)
}

/// The order of two policies in a cell.
pub(super) fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::A => "a",
        Verdict::B => "b",
        Verdict::Equal => "equal",
        Verdict::Open => "open",
    }
}

fn pairs(ranked: &RankReport, race: &Race) -> Result<Vec<u8>, Failure> {
    let header = [
        "game",
        "rules",
        "metric",
        "policy_a",
        "policy_b",
        "trials",
        "mean_difference",
        "low",
        "high",
        "method",
        "resolution",
        "better",
    ];
    let rows = ranked.pairs(race).map(|pair| {
        let [difference, low, high] = cells(Some(pair.difference), number);
        [
            ranked.game.into(),
            ranked.rules.clone(),
            ranked.metric.name.into(),
            pair.policies[0].into(),
            pair.policies[1].into(),
            pair.trials.to_string(),
            difference,
            low,
            high,
            ranked.method().to_string(),
            number(race.resolution()),
            word(pair.verdict).into(),
        ]
    });
    csv(header, rows)
}

fn matches(ranked: &RankReport) -> Result<Vec<u8>, Failure> {
    let header = [
        "game",
        "rules",
        "seats",
        "policy_a",
        "policy_b",
        "first_trial",
        "games",
        "no_winner",
        "a_share",
        "a_share_low",
        "a_share_high",
        "lead",
        "lead_low",
        "lead_high",
        "effect",
        "effect_low",
        "effect_high",
        "better",
        "method",
    ];
    let rows = ranked.meetings().into_iter().map(|meeting| {
        let [a_share, a_share_low, a_share_high] = cells(meeting.share, share);
        let [lead, lead_low, lead_high] = cells(meeting.lead, share);
        let [effect, effect_low, effect_high] = cells(meeting.effect, share);
        [
            ranked.game.into(),
            ranked.rules.clone(),
            ranked.seats.to_string(),
            meeting.policies[0].into(),
            meeting.policies[1].into(),
            meeting.first_trial.to_string(),
            meeting.table.games.to_string(),
            (meeting.table.games - meeting.table.decided).to_string(),
            a_share,
            a_share_low,
            a_share_high,
            lead,
            lead_low,
            lead_high,
            effect,
            effect_low,
            effect_high,
            word(meeting.verdict).into(),
            ranked.method().to_string(),
        ]
    });
    csv(header, rows)
}
