//! The ranking as text.

use std::fmt::Write as _;

use stopwise_analysis::estimate::Estimate;
use stopwise_analysis::rank::{Aim, Race, RoundRobin};

use super::robin::meetings;
use super::{By, RankReport, Row};
use crate::numbers::grouped;
use crate::report::words::{percent, range, rounded};

/// The whole text.
pub(crate) fn text(ranked: &RankReport) -> String {
    let mut out = String::new();
    let how = match &ranked.by {
        By::Race(_) => format!("ranked by {}", ranked.metric.name),
        By::RoundRobin(robin) => {
            format!("everybody against everybody, {} a table", count(games(robin), "game"))
        }
    };
    let _ = writeln!(
        out,
        "{} · rules {} · {} policies {how} · seed {}",
        ranked.game,
        ranked.rules,
        ranked.labels.len(),
        ranked.seed
    );
    if let By::Race(race) = &ranked.by {
        state(&mut out, ranked, race);
    }
    let (level, method) = (ranked.level(), ranked.method());
    let _ = writeln!(out, "With {level} confidence all of this holds at once ({method}).\n");
    order(&mut out, ranked);
    fresh(&mut out, ranked);
    if let By::RoundRobin(robin) = &ranked.by {
        meetings(&mut out, ranked, robin);
    }
    out
}

fn games(robin: &RoundRobin) -> u64 {
    robin.tables().first().map_or(0, |table| table.games)
}

/// The state of the race.
fn state(out: &mut String, ranked: &RankReport, race: &Race) {
    let trials = count(race.trials(), "trial");
    let resolution = format!("{} {}", short(race.resolution()), ranked.metric.unit);
    let unsettled = race.left().len();
    let _ = match (unsettled, race.config().aim) {
        (0, Aim::Order) => writeln!(
            out,
            "Settled after {trials}: every two are told apart, or known to be within {resolution}."
        ),
        (0, Aim::Best) => writeln!(
            out,
            "Settled after {trials}: whoever may be best is told apart from the others, or within {resolution}."
        ),
        _ => writeln!(
            out,
            "After {trials} {unsettled} policies are neither told apart from all others nor within {resolution}; \
             more --trials would tell."
        ),
    };
}

/// A number of things, with the plural.
fn count(number: u64, what: &str) -> String {
    format!("{} {what}{}", grouped(number), if number == 1 { "" } else { "s" })
}

/// Three significant digits.
fn short(value: f64) -> String {
    if value == 0.0 {
        return "0".into();
    }
    let digits = (2.0 - value.abs().log10().floor()).clamp(0.0, 9.0);
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 9")]
    let digits = digits as usize;
    let text = format!("{value:.digits$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').into() } else { text }
}

/// A value of the metric; shares as percentages.
fn value(ranked: &RankReport, value: f64) -> String {
    match &ranked.by {
        By::Race(_) => format!("{:.3}", rounded(value, 3)),
        By::RoundRobin(_) => percent(rounded(value, 4)),
    }
}

fn limits(ranked: &RankReport, estimate: Option<Estimate>) -> String {
    range(|limit| value(ranked, limit), estimate.and_then(|estimate| estimate.interval))
}

fn order(out: &mut String, ranked: &RankReport) {
    let rows = ranked.rows();
    let place = |row: &Row<'_>| match row.places {
        (best, worst) if best == worst => best.to_string(),
        (best, worst) => format!("{best}–{worst}"),
    };
    let cells = |row: &Row<'_>| {
        [
            place(row),
            row.groups.as_ref().map_or_else(String::new, |groups| groups.join(" ")),
            row.policy.to_owned(),
            grouped(row.trials),
            row.mean.map_or_else(|| "not known".into(), |mean| value(ranked, mean.value)),
            limits(ranked, row.mean),
            row.to_first.map_or_else(String::new, |to_first| value(ranked, to_first.value)),
            row.to_first.map_or_else(String::new, |to_first| limits(ranked, Some(to_first))),
        ]
    };
    let header = match &ranked.by {
        By::Race(_) => ["place", "group", "policy", "trials", "mean", "limits", "to the first", "limits"],
        By::RoundRobin(_) => {
            ["place", "group", "policy", "games", "wins", "limits", "to the first", "limits"]
        }
    };
    let table: Vec<[String; 8]> =
        std::iter::once(header.map(str::to_owned)).chain(rows.iter().map(cells)).collect();
    let width = |column: usize| table.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: [usize; 8] = std::array::from_fn(width);
    for row in &table {
        let mut line = String::new();
        for (column, (cell, &width)) in row.iter().zip(&widths).enumerate() {
            let _ = match column {
                0..=2 => write!(line, "{cell:<width$}  "),
                5 | 7 => write!(line, " {cell:<width$}  "),
                _ => write!(line, "{cell:>width$} "),
            };
        }
        let _ = writeln!(out, "{}", line.trim_end());
    }
    let _ = match (&ranked.ranking.groups, &ranked.by) {
        (Some(_), By::Race(_)) => {
            writeln!(
                out,
                "Policies that share a letter are not told apart; means are in {}.",
                ranked.metric.unit
            )
        }
        (Some(_), By::RoundRobin(_)) => {
            writeln!(
                out,
                "Policies that share a letter are not told apart; wins are the mean share over all others."
            )
        }
        (None, _) => writeln!(out, "More groups than anybody reads: the files have every two."),
    };
}

fn fresh(out: &mut String, ranked: &RankReport) {
    let Some(fresh) = &ranked.fresh else { return };
    let rows = ranked.rows();
    let Some(first) = rows.first() else { return };
    let before =
        first.mean.map_or_else(String::new, |mean| format!("; {} in the ranking", value(ranked, mean.value)));
    let interval = fresh.mean.interval.map_or_else(String::new, |_| {
        format!(" ({}, fixed n: {})", fresh.mean.level, limits(ranked, Some(fresh.mean)))
    });
    let _ = writeln!(
        out,
        "\nThe first was chosen for doing well. On {} {} has {}{interval}{before}.",
        count(fresh.trials, "fresh trial"),
        first.policy,
        value(ranked, fresh.mean.value)
    );
}
