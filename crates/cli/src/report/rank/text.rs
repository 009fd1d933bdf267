//! The ranking that people read.

use std::fmt::Write as _;

use stopwise_analysis::estimate::Interval;
use stopwise_analysis::rank::{Aim, Race, Robin};

use super::robin::meetings;
use super::{By, Ranked, Row};
use crate::numbers::grouped;
use crate::report::text::percent;

/// The whole ranking.
pub(crate) fn text(ranked: &Ranked) -> String {
    let mut out = String::new();
    let how = match &ranked.by {
        By::Race(_) => format!("ranked by {}", ranked.metric.name),
        By::Robin(robin) => format!("everybody against everybody, {} a table", count(games(robin), "game")),
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
    // As exact as it was typed.
    let sure = format!("{} %", (1e8 * (1.0 - ranked.alpha)).round() / 1e6);
    let _ = writeln!(out, "With {sure} confidence all of this holds at once ({}).\n", ranked.method());
    order(&mut out, ranked);
    fresh(&mut out, ranked);
    if let By::Robin(robin) = &ranked.by {
        meetings(&mut out, ranked, robin);
    }
    out
}

fn games(robin: &Robin) -> u64 {
    robin.tables().first().map_or(0, |table| table.games)
}

/// How far the race came.
fn state(out: &mut String, ranked: &Ranked, race: &Race) {
    let trials = count(race.trials(), "trial");
    let resolution = format!("{} {}", short(race.resolution()), ranked.metric.unit);
    let unsettled = race.left().len();
    let _ = match (unsettled, race.racing().aim) {
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

/// So many of something.
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

/// Numbers of the metric: shares as percentages.
fn value(ranked: &Ranked, value: f64) -> String {
    match &ranked.by {
        By::Race(_) => format!("{:.3}", (value * 1000.0).round() / 1000.0 + 0.0),
        By::Robin(_) => percent((value * 10_000.0).round() / 10_000.0 + 0.0),
    }
}

fn limits(ranked: &Ranked, interval: Option<Interval>) -> String {
    match interval {
        Some(Interval { low, high }) => format!("{} to {}", value(ranked, low), value(ranked, high)),
        None => "not known".into(),
    }
}

fn order(out: &mut String, ranked: &Ranked) {
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
            row.mean.map_or_else(|| "not known".into(), |mean| value(ranked, mean)),
            limits(ranked, row.interval),
            row.to_first.map_or_else(String::new, |(difference, _)| value(ranked, difference)),
            row.to_first.map_or_else(String::new, |(_, interval)| limits(ranked, interval)),
        ]
    };
    let header = match &ranked.by {
        By::Race(_) => ["place", "group", "policy", "trials", "mean", "limits", "to the first", "limits"],
        By::Robin(_) => ["place", "group", "policy", "games", "wins", "limits", "to the first", "limits"],
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
        (Some(_), By::Robin(_)) => {
            writeln!(
                out,
                "Policies that share a letter are not told apart; wins are the mean share over all others."
            )
        }
        (None, _) => writeln!(out, "More groups than anybody reads: the files have every two."),
    };
}

fn fresh(out: &mut String, ranked: &Ranked) {
    let Some(fresh) = &ranked.fresh else { return };
    let rows = ranked.rows();
    let Some(first) = rows.first() else { return };
    let before =
        first.mean.map_or_else(String::new, |mean| format!("; {} in the ranking", value(ranked, mean)));
    let interval = fresh
        .interval
        .map_or_else(String::new, |interval| format!(" (95 %, fixed n: {})", limits(ranked, Some(interval))));
    let _ = writeln!(
        out,
        "\nThe first was chosen for doing well. On {} {} has {}{interval}{before}.",
        count(fresh.trials, "fresh trial"),
        first.policy,
        value(ranked, fresh.mean)
    );
}
