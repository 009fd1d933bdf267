//! Wins, the advantage of going first and the length of games for several seats.

use stopwise_analysis::estimate::Estimate;
use stopwise_analysis::seats::Wins;
use stopwise_document::chart::{Axis, Intervals, Mark, Plot, Row};
use stopwise_document::{Chart, Section, View};

use super::answer::{part_of, reaching};
use super::{Measured, SimulationReport};
use crate::numbers::{MEAN, PERCENT, POINTS};
use crate::won::Won;
use crate::words::{headed, pair, percent};

/// The whole section.
pub(super) fn wins(found: &SimulationReport, standings: &[Measured]) -> Section {
    let mut section = Section::default();
    let numbers = found.numbers();
    if let Some(wins) = found.wins(&numbers) {
        let rows = rows(found, wins, standings);
        section.view(table(found, &rows));
        section.chart(chart(found, rows));
        if let Some(tied) = wins.tied() {
            let style = PERCENT.fine(tied.interval);
            let (value, limits) = (style.number(tied.value), style.range(tied.interval));
            section.sentence(format!(
                "Ties: several share the win of {value} of the games ({}: {limits}; {}).",
                tied.level,
                tied.method.in_words()
            ));
        }
        edge(&mut section, found, wins);
    }
    length(&mut section, found);
    section
}

/// Whom games without a winner are listed under.
const CHANCE: &str = "no winner";

/// Whose wins, and their share of the games.
fn rows(found: &SimulationReport, wins: Wins<'_>, standings: &[Measured]) -> Vec<(String, Estimate)> {
    let seats = 0..found.policies.len();
    let mut rows: Vec<_> = seats
        .map(|seat| {
            let who =
                if found.is_rotated() { String::new() } else { format!(" · {}", found.policies[seat]) };
            (format!("seat {}{who}", seat + 1), wins.seat(seat))
        })
        .collect();
    for Measured { standing, .. } in standings.iter().filter(|_| found.is_rotated()) {
        let label = match standing.seat {
            None => format!("{}{}", found.policies[standing.policy], chairs(wins.lineup, standing.policy)),
            Some(seat) => format!("{} in seat {}", found.policies[standing.policy], seat + 1),
        };
        rows.push((label, wins.policy(standing.policy, standing.seat)));
    }
    rows.push((CHANCE.into(), wins.nobody()));
    rows.into_iter().filter_map(|(label, estimate)| Some((label, estimate?))).collect()
}

fn table(found: &SimulationReport, rows: &[(String, Estimate)]) -> View {
    let Estimate { level, method, .. } = found.stop.stopping.share(0, found.tally.trials);
    let Won { plural, of_each, .. } = found.won();
    let mut view = View::new("")
        .captioned(of_each)
        .texts(plural)
        .numbers("share")
        .texts(format!("{level} ({})", method.in_words()));
    for (label, estimate) in rows {
        let style = PERCENT.fine(estimate.interval);
        view.row([label.clone(), style.number(estimate.value), style.range(estimate.interval)]);
    }
    view
}

fn chart(found: &SimulationReport, rows: Vec<(String, Estimate)>) -> Chart {
    // Games that nobody wins are no seat's.
    let nobody = rows.iter().find(|(label, _)| label == CHANCE).map_or(0.0, |(_, nobody)| nobody.value);
    let fair = (1.0 - nobody) / found.policies.len() as f64;
    let row = |(label, estimate): (String, Estimate)| Row {
        label: headed(label),
        value: Some(estimate.value),
        interval: pair(estimate.interval),
        ..Row::default()
    };
    let Won { of_each, of_all, .. } = found.won();
    let plot = Intervals {
        x: Axis::share(format!("share{of_all}")),
        rows: rows.into_iter().map(row).collect(),
        reference: Some(Mark { at: fair, label: "fair".into() }),
    };
    let of = if nobody > 0.0 { ", an equal share of the games with a winner" } else { "" };
    let fair = percent(fair);
    let sentence = format!("{of_each}, with 95 % intervals; fair is {fair}{of}.");
    Chart::new("Who wins", sentence, Plot::Intervals(plot))
}

/// The number of seats of a policy, if it has several.
fn chairs(lineup: &[usize], policy: usize) -> String {
    match lineup.iter().filter(|&&other| other == policy).count() {
        1 => String::new(),
        count if count == lineup.len() => " (every seat)".into(),
        count => format!(" ({count} seats)"),
    }
}

fn edge(section: &mut Section, found: &SimulationReport, wins: Wins<'_>) {
    let Some(edge) = wins.first_seat_edge() else {
        let what =
            if found.is_rotated() { "a rotation had no game with a winner" } else { "no game had a winner" };
        section.sentence(format!("Going first: not known, because {what}."));
        return;
    };
    let style = POINTS.fine(edge.interval);
    let (value, limits) = (style.number(edge.value), style.range(edge.interval));
    section.sentence(format!(
        "Going first: {value} percentage points ({}: {limits}; {}).",
        edge.level,
        edge.method.in_words()
    ));
    let fair = percent(1.0 / found.policies.len() as f64);
    let of = found.won().of;
    section.note(format!("That is the first seat's share{of}, less a fair {fair}."));
    let trials = || found.rotations.iter().map(|rotation| rotation.trials);
    if trials().max() > trials().min().map(|least| least + least / 100) {
        section
            .note("Every rotation counts as much as another, though they do not have equally many trials.");
    }
    if !found.is_rotated() && wins.lineup.iter().any(|&policy| policy != wins.lineup[0]) {
        section.note("It is so with these policies in these seats; --rotate tells seat from policy.");
    }
}

/// How long games are: turns of all seats added up, as everywhere, and those of each.
fn length(section: &mut Section, found: &SimulationReport) {
    let Some(s) = found.length() else { return };
    let interval = found.mean_length().and_then(|mean| mean.interval);
    let [_, p05, _, median, _, p95, _] = s.quantiles;
    let of_each = MEAN.number(s.mean / found.policies.len() as f64);
    let each = match found.shares_turns {
        true => format!("{of_each}, all seats at the same time"),
        false => format!("{of_each} a seat on average"),
    };
    if s.min == s.max {
        section.sentence(format!(
            "Game length: {} turns in every game, those of all seats added up. That is {each}.",
            s.max
        ));
        return;
    }
    section.sentence(format!(
        "Game length: {} turns, those of all seats added up: {} of the games have {median} or fewer, {} have {}, the longest {}. That is {each}.",
        MEAN.with_reach(s.mean, interval),
        part_of(&found.tally.lengths, 0..=median, (0.5, "half")),
        part_of(&found.tally.lengths, p05..=p95, (0.9, "90 of 100")),
        reaching(p05..=p95),
        s.max,
    ));
}
