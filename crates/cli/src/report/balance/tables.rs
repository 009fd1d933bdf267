//! The CSV files of `balance`. Their columns are a contract.
//!
//! Intervals of `balance.csv` and `skill.csv` are 95 % intervals by themselves; those of the other files are
//! simultaneous within the file, and the column `together` is their number (Bonferroni). A cell is empty where nothing
//! is known.

use stopwise_analysis::balance::{Level, SKILL, Verdict, skill_unit};
use stopwise_analysis::estimate::Estimate;

use super::{BalanceReport, Claim, word};
use crate::failure::Failure;
use crate::report::tables::{csv, maybe, number, share};
use crate::report::words::limits;

/// The names of the tables, with or without targets and a search.
pub(crate) fn files(has_targets: bool, is_search: bool) -> Vec<&'static str> {
    let mut files = vec!["balance.csv", "effects.csv", "skill.csv", "standings.csv"];
    files.extend(has_targets.then_some("targets.csv"));
    files.extend(is_search.then_some("search.csv"));
    files
}

/// The bytes of the file of this name.
pub(crate) fn table(name: &str, balanced: &BalanceReport) -> Result<Vec<u8>, Failure> {
    match name {
        "balance.csv" => measures(balanced),
        "effects.csv" => effects(balanced),
        "skill.csv" => skill(balanced),
        "standings.csv" => standings(balanced),
        "targets.csv" => targets(balanced),
        "search.csv" => search(balanced),
        other => Err(Failure::other(format!("no table {other}"))),
    }
}

/// Shares with nine decimals, everything else with six.
fn cell(value: f64, is_share: bool) -> String {
    if is_share { share(value) } else { number(value) }
}

/// An estimate and its limits; empty where nothing is known.
fn cells(measured: Option<Estimate>, is_share: bool) -> [String; 3] {
    let [low, high] = limits(measured.and_then(|measured| measured.interval));
    [measured.map(|measured| measured.value), low, high].map(|it| maybe(it, |it| cell(it, is_share)))
}

fn seat(seats: usize) -> String {
    if seats == 1 { "1".into() } else { "all".into() }
}

fn measures(balanced: &BalanceReport) -> Result<Vec<u8>, Failure> {
    let header =
        ["game", "rules", "policy", "seat", "measure", "unit", "value", "low", "high", "method", "trials"];
    let mut rows = Vec::new();
    for (variant, ruled) in balanced.variants.iter().enumerate() {
        for (policy, label) in balanced.policies.iter().enumerate() {
            for measure in &ruled.measures {
                let measured = balanced.measured(variant, policy, measure, Level::SINGLE);
                let [value, low, high] = cells(measured, measure.is_share());
                rows.push([
                    balanced.game.into(),
                    ruled.name.clone(),
                    label.clone(),
                    seat(ruled.seats),
                    measure.name.clone(),
                    measure.unit.into(),
                    value,
                    low,
                    high,
                    measure.method().to_string(),
                    balanced.trials.to_string(),
                ]);
            }
        }
    }
    csv(header, rows)
}

fn effects(balanced: &BalanceReport) -> Result<Vec<u8>, Failure> {
    let header = [
        "game",
        "base",
        "rules",
        "changed",
        "policy",
        "measure",
        "unit",
        "base_value",
        "value",
        "difference",
        "low",
        "high",
        "method",
        "together",
        "trials",
    ];
    let effects = balanced.effects();
    let rows = effects.iter().map(|moved| {
        let (ruled, is_share) = (&balanced.variants[moved.variant], moved.measure.is_share());
        let estimate = moved.effect.difference;
        let [difference, low, high] = cells(Some(estimate), is_share);
        [
            balanced.game.into(),
            balanced.variants[0].name.clone(),
            ruled.name.clone(),
            ruled.changed.join("; "),
            balanced.policies[moved.policy].clone(),
            moved.measure.name.clone(),
            moved.measure.unit.into(),
            cell(moved.effect.base, is_share),
            cell(moved.effect.variant, is_share),
            difference,
            low,
            high,
            estimate.method.to_string(),
            estimate.level.together().to_string(),
            balanced.trials.to_string(),
        ]
    });
    csv(header, rows)
}

fn skill(balanced: &BalanceReport) -> Result<Vec<u8>, Failure> {
    let header =
        ["game", "rules", "best", "naive", "measure", "unit", "value", "low", "high", "method", "trials"];
    let mut rows = Vec::new();
    for (variant, ruled) in balanced.variants.iter().enumerate() {
        let Some(skill) = &balanced.skills[variant] else { continue };
        let is_share = ruled.seats > 1;
        let unit = if is_share { "share of games" } else { ruled.metrics[0].unit };
        for (name, unit, measured) in [
            ("gap", unit, skill.gap(Level::SINGLE)),
            ("luck", unit, skill.luck(Level::SINGLE)),
            (SKILL, skill_unit(ruled.seats), skill.size(Level::SINGLE)),
        ] {
            let Some(found) = measured else { continue };
            let [value, low, high] = cells(measured, is_share);
            rows.push([
                balanced.game.into(),
                ruled.name.clone(),
                balanced.policies[balanced.best[variant]].clone(),
                balanced.policies[balanced.naive].clone(),
                name.into(),
                unit.into(),
                value,
                low,
                high,
                found.method.to_string(),
                balanced.trials.to_string(),
            ]);
        }
    }
    csv(header, rows)
}

fn standings(balanced: &BalanceReport) -> Result<Vec<u8>, Failure> {
    let header = [
        "game",
        "rules",
        "policy",
        "measure",
        "unit",
        "value",
        "low",
        "high",
        "method",
        "together",
        "can_be_best",
        "trials",
    ];
    let mut rows = Vec::new();
    if let Some(standings) = balanced.standings() {
        for (variant, ruled) in balanced.variants.iter().enumerate() {
            let in_race = standings.can_be_best(variant);
            for (policy, label) in balanced.policies.iter().enumerate() {
                let measured = balanced.as_wanted(variant, standings.policies[variant][policy]);
                let is_share = ruled.seats > 1;
                let [value, low, high] = cells(Some(measured), is_share);
                rows.push([
                    balanced.game.into(),
                    ruled.name.clone(),
                    label.clone(),
                    if is_share { "wins against naive".into() } else { "mean score".into() },
                    if is_share { "share of games".into() } else { ruled.metrics[0].unit.into() },
                    value,
                    low,
                    high,
                    measured.method.to_string(),
                    measured.level.together().to_string(),
                    in_race[policy].to_string(),
                    balanced.trials.to_string(),
                ]);
            }
        }
    }
    csv(header, rows)
}

fn bound(at: Option<f64>, is_share: bool) -> String {
    at.map_or_else(String::new, |at| cell(at, is_share))
}

fn targets(balanced: &BalanceReport) -> Result<Vec<u8>, Failure> {
    let header = [
        "game",
        "rules",
        "policy",
        "measure",
        "unit",
        "at_least",
        "at_most",
        "value",
        "low",
        "high",
        "verdict",
        "trials_to_decide",
        "method",
        "together",
        "trials",
    ];
    let claims = balanced.claims();
    let together = claims.len().to_string();
    let rows = claims.iter().map(|claim| {
        let Claim { target, is_share, measured, .. } = *claim;
        let [value, low, high] = cells(Some(measured), is_share);
        let needed = match claim.verdict {
            Verdict::Undecided => claim.needed.map_or_else(String::new, |needed| needed.to_string()),
            _ => String::new(),
        };
        [
            balanced.game.into(),
            balanced.variants[claim.variant].name.clone(),
            balanced.who(claim.policy, claim.variant),
            target.measure.clone(),
            claim.unit.into(),
            bound(target.at_least, is_share),
            bound(target.at_most, is_share),
            value,
            low,
            high,
            word(claim.verdict).into(),
            needed,
            measured.method.to_string(),
            together.clone(),
            balanced.trials.to_string(),
        ]
    });
    csv(header, rows)
}

fn search(balanced: &BalanceReport) -> Result<Vec<u8>, Failure> {
    let header = [
        "game",
        "rules",
        "changed",
        "trials",
        "result",
        "policy",
        "measure",
        "at_least",
        "at_most",
        "value",
        "shortfall",
        "is_sure",
    ];
    let mut rows = Vec::new();
    for looked in balanced.search.iter().flat_map(|search| &search.looked) {
        let head = [
            balanced.game.to_owned(),
            looked.name.clone(),
            looked.changed.join("; "),
            looked.trials.to_string(),
            if looked.has_left { "left".into() } else { "stayed".into() },
        ];
        let row = |rest: [String; 7]| {
            let mut cells = head.iter().cloned().chain(rest);
            std::array::from_fn(|_| cells.next().unwrap_or_default())
        };
        if looked.misses.is_empty() {
            rows.push(row(Default::default()));
        }
        for miss in &looked.misses {
            let target = &balanced.targets[miss.target];
            let is_share = balanced.is_share(&target.measure);
            rows.push(row([
                balanced.policies[miss.policy].clone(),
                target.measure.clone(),
                bound(target.at_least, is_share),
                bound(target.at_most, is_share),
                cell(miss.value, is_share),
                cell(miss.shortfall, is_share),
                miss.is_sure.to_string(),
            ]));
        }
    }
    csv(header, rows)
}
