//! Wins, the advantage of going first and the length of games for several seats, as text.

use std::fmt::Write as _;

use stopwise_analysis::estimate::{Level, Method};
use stopwise_analysis::seats::Wins;

use super::SimulationReport;
use super::words::{percent, points, range};

/// The whole section.
pub(crate) fn wins(out: &mut String, found: &SimulationReport) {
    let numbers = found.numbers();
    if let Some(wins) = found.wins(&numbers) {
        shares(out, found, wins);
        edge(out, found, wins);
    }
    length(out, found);
}

fn shares(out: &mut String, found: &SimulationReport, wins: Wins<'_>) {
    let seats = 0..found.policies.len();
    let mut rows: Vec<_> = seats
        .map(|seat| {
            let who =
                if found.is_rotated() { String::new() } else { format!(" · {}", found.policies[seat]) };
            (format!("seat {}{who}", seat + 1), wins.seat(seat))
        })
        .collect();
    for standing in found.standings().iter().filter(|_| found.is_rotated()) {
        let label = match standing.seat {
            None => format!("{}{}", found.policies[standing.policy], chairs(wins.lineup, standing.policy)),
            Some(seat) => format!("  in seat {}", seat + 1),
        };
        rows.push((label, wins.policy(standing.policy, standing.seat)));
    }
    rows.push(("no winner".into(), wins.nobody()));

    let width = rows.iter().map(|(label, _)| label.chars().count()).max().unwrap_or(0);
    let (level, method) = (Level::SINGLE, Method::Wilson);
    let _ = writeln!(out, "\n{:<width$}{:>11}   {level} ({method})", "Wins", "share");
    for (label, estimate) in rows {
        let Some(estimate) = estimate else { continue };
        let share = percent(estimate.value);
        let limits = range(|limit| format!("{:>8}", percent(limit)), estimate.interval);
        let _ = writeln!(out, "{label:<width$}{share:>11}   {limits}");
    }
}

/// The number of seats of a policy, if it has several.
fn chairs(lineup: &[usize], policy: usize) -> String {
    match lineup.iter().filter(|&&other| other == policy).count() {
        1 => String::new(),
        count if count == lineup.len() => " (every seat)".into(),
        count => format!(" ({count} seats)"),
    }
}

fn edge(out: &mut String, found: &SimulationReport, wins: Wins<'_>) {
    let name = "Going first";
    let Some(edge) = wins.first_seat_edge() else {
        let what =
            if found.is_rotated() { "a rotation had no game with a winner" } else { "no game had a winner" };
        let _ = writeln!(out, "\n{name}    not known: {what}");
        return;
    };
    let (value, limits) = (points(edge.value), range(points, edge.interval));
    let _ =
        writeln!(out, "\n{name}    {value} percentage points ({}: {limits}; {})", edge.level, edge.method);
    let fair = percent(1.0 / found.policies.len() as f64);
    let _ = writeln!(out, "{:15}the first seat's share of the games with a winner, less a fair {fair}", "");
    if !found.is_rotated() && wins.lineup.iter().any(|&policy| policy != wins.lineup[0]) {
        let _ = writeln!(out, "{:15}with these policies in these seats; --rotate tells seat from policy", "");
    }
}

fn length(out: &mut String, found: &SimulationReport) {
    let Some(s) = found.length() else { return };
    let half =
        s.mean().interval.map_or_else(String::new, |interval| format!(" ± {:.3}", interval.half_width()));
    let [_, p05, _, median, _, p95, _] = s.quantiles;
    let _ = writeln!(
        out,
        "Game length    {:.3}{half} turns, all seats together; 5 % {p05}, median {median}, 95 % {p95}, max {}",
        s.mean, s.max
    );
}
