//! Which policy is best, and at which table: alone by its score, with others by what it wins with one seat among naive ones.

use stopwise_analysis::balance::{Everywhere, Level, Standings};

use super::BalanceReport;
use crate::numbers::PERCENT;
use crate::words::percent;

/// The sentences; none of a single policy.
pub(super) fn answer(balanced: &BalanceReport) -> Vec<String> {
    let Some(standings) = balanced.standings() else { return Vec::new() };
    let (level, has_seats) = (Level::SINGLE, balanced.has_seats());
    let under = match balanced.variants.len() {
        1 => "under these rules",
        _ => "under every variant",
    };
    let (is_best, best) = match has_seats {
        true => (format!("wins most {}", table(balanced)), format!("wins most {}", table(balanced))),
        false => ("is the best of the policies".to_owned(), "is best".to_owned()),
    };
    let is_naive = |policy: usize| has_seats && policy == balanced.naive;
    let mut said = vec![match standings.everywhere() {
        // Against itself it has a fair share, whatever is played.
        Everywhere::Best(policy) if is_naive(policy) => format!(
            "No other policy does as well as {}, the naive one: each wins less than a fair share {} {under} ({level}).",
            balanced.policies[policy],
            table(balanced)
        ),
        Everywhere::Best(policy) => {
            let wins = wins(balanced, &standings, policy).unwrap_or_default();
            format!("{} {is_best} {under} ({level}){wins}.", balanced.policies[policy])
        }
        Everywhere::Nobody => format!("No policy {best} {under} ({level})."),
        Everywhere::Open => {
            let in_race = standings.can_be_best(0);
            let has_naive = has_seats && in_race[balanced.naive];
            let names = balanced.policies.iter().zip(in_race).enumerate().filter(|(_, (_, is_in))| *is_in);
            let is_told = |policy: usize| balanced.variants.len() > 1 || !is_naive(policy);
            let names = names.filter(|(policy, _)| is_told(*policy)).map(|(_, (name, _))| name.as_str());
            let names = names.collect::<Vec<_>>().join(" or ");
            match balanced.variants.len() {
                1 if has_naive => format!(
                    "These trials do not tell whether {names} wins more than a fair share {}.",
                    table(balanced)
                ),
                1 => format!("These trials do not tell which policy {best}: {names}."),
                _ => format!(
                    "These trials do not tell whether one policy {best} {under}; under {} it is {names}.",
                    balanced.variants[0].name
                ),
            }
        }
    }];
    if has_seats && balanced.policies.len() > 2 {
        said.push(format!(
            "Policies other than {} do not meet each other there: `stopwise rank` says which beats which.",
            balanced.policies[balanced.naive]
        ));
    }
    said
}

/// The table at which policies of a game for several are measured.
pub(super) fn table(balanced: &BalanceReport) -> String {
    let naive = &balanced.policies[balanced.naive];
    match balanced.variants.iter().any(|ruled| ruled.seats > 2) {
        true => format!("with one seat at a table of {naive}"),
        false => format!("against {naive}"),
    }
}

/// What it wins there under the base: `: 75.13 % under standard (73.20 % to 77.00 %), where 25.00 % is fair`.
fn wins(balanced: &BalanceReport, standings: &Standings, policy: usize) -> Option<String> {
    let ruled = balanced.variants.first().filter(|ruled| ruled.seats > 1)?;
    let found = standings.policies[0][policy];
    let limits = found.interval.map_or_else(String::new, |_| format!(" ({})", PERCENT.range(found.interval)));
    Some(format!(
        ": {}{limits}{} under {}, where {} is fair",
        PERCENT.fine(found.interval).number(found.value),
        balanced.won().of,
        ruled.name,
        percent(1.0 / ruled.seats as f64)
    ))
}
