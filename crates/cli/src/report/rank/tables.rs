//! The CSV files of a ranking. Their columns are a contract.
//!
//! A cell is empty where nothing is known.

use stopwise_analysis::estimate::Interval;
use stopwise_analysis::rank::{Race, Verdict};
use stopwise_analysis::seats::Estimate;

use super::{By, Ranked};
use crate::failure::Failure;
use crate::report::tables::{csv, number, share};

/// The main table.
pub(crate) const RANK: &str = "rank.csv";
/// The tables of games for one, and of games with seats.
pub(crate) const OF_RACES: [&str; 2] = [RANK, "rank_pairs.csv"];
pub(crate) const OF_ROBINS: [&str; 2] = [RANK, "matches.csv"];

/// The bytes of the file of this name.
pub(crate) fn table(name: &str, ranked: &Ranked) -> Result<Vec<u8>, Failure> {
    match (name, &ranked.by) {
        (RANK, _) => rank(ranked),
        ("rank_pairs.csv", By::Race(race)) => pairs(ranked, race),
        ("matches.csv", By::Robin(_)) => matches(ranked),
        (other, _) => Err(Failure::other(format!("no table {other}"))),
    }
}

fn maybe(value: Option<f64>) -> String {
    value.map_or_else(String::new, number)
}

/// Both limits.
fn limits(interval: Option<Interval>) -> [String; 2] {
    [maybe(interval.map(|interval| interval.low)), maybe(interval.map(|interval| interval.high))]
}

fn rank(ranked: &Ranked) -> Result<Vec<u8>, Failure> {
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
        let [low, high] = limits(row.interval);
        let [to_first_low, to_first_high] = limits(row.to_first.and_then(|(_, interval)| interval));
        let fresh = ranked.fresh.as_ref().filter(|_| place == 0);
        let [fresh_low, fresh_high] = limits(fresh.and_then(|fresh| fresh.interval));
        let count = |count: Option<u64>| count.map_or_else(String::new, |count| count.to_string());
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
            maybe(row.mean),
            low,
            high,
            ranked.method().into(),
            maybe(row.to_first.map(|(value, _)| value)),
            to_first_low,
            to_first_high,
            count(fresh.map(|fresh| fresh.first_trial)),
            count(fresh.map(|fresh| fresh.trials)),
            maybe(fresh.map(|fresh| fresh.mean)),
            fresh_low,
            fresh_high,
        ]
    });
    csv(header, rows)
}

/// What is known of two, A named first.
pub(super) fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::A => "a",
        Verdict::B => "b",
        Verdict::Equal => "equal",
        Verdict::Open => "open",
    }
}

fn pairs(ranked: &Ranked, race: &Race) -> Result<Vec<u8>, Failure> {
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
        let [low, high] = limits(pair.interval);
        [
            ranked.game.into(),
            ranked.rules.clone(),
            ranked.metric.name.into(),
            pair.policies[0].into(),
            pair.policies[1].into(),
            pair.trials.to_string(),
            number(pair.difference),
            low,
            high,
            ranked.method().into(),
            number(race.resolution()),
            word(pair.verdict).into(),
        ]
    });
    csv(header, rows)
}

fn matches(ranked: &Ranked) -> Result<Vec<u8>, Failure> {
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
    let three = |estimate: Option<Estimate>| {
        let of =
            |pick: fn(Estimate) -> f64| estimate.map_or_else(String::new, |estimate| share(pick(estimate)));
        [of(|it| it.value), of(|it| it.interval.low), of(|it| it.interval.high)]
    };
    let rows = ranked.meetings().into_iter().map(|meeting| {
        let [a_share, a_share_low, a_share_high] = three(meeting.share);
        let [lead, lead_low, lead_high] = three(meeting.lead);
        let [effect, effect_low, effect_high] = three(meeting.effect);
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
            ranked.method().into(),
        ]
    });
    csv(header, rows)
}
