//! The simulation report as text.

use std::fmt::Write as _;

use stopwise_analysis::estimate::{Estimate, Interval, QUANTILES};
use stopwise_analysis::seats::Standing;
use stopwise_engine::tally::Histogram;

use super::tables::turns_of;
use super::wins::wins;
use super::words::{nearest, percent, range};
use super::{SimulationReport, summary};

/// Bars of the histogram.
const BARS: u32 = 16;
/// The width of the longest bar.
const WIDTH: f64 = 48.0;
/// Turns listed before the rest is summarised.
const TURNS: usize = 20;

/// The whole text.
pub(crate) fn text(found: &SimulationReport) -> String {
    let mut out = String::new();
    let trials = found.tally.trials;
    let rotated = if found.is_rotated() { ", rotated" } else { "" };
    let _ = writeln!(
        out,
        "{} · rules {} · {}{rotated} · {} · seed {}",
        found.game,
        found.rules,
        found.lineup(),
        crate::numbers::trials(trials),
        found.seed
    );
    let many = found.tally.seats.len() > 1;
    if many {
        wins(&mut out, found);
    }
    // With rotation, the standings by seat are only in the files.
    let standings = found.standings();
    for standing in standings.iter().filter(|standing| standing.seat.is_none() || !found.is_rotated()) {
        let label = &found.policies[standing.policy];
        match standing.seat {
            Some(seat) if many => {
                let _ = writeln!(out, "\nSeat {} · {label}", seat + 1);
            }
            Some(_) => {}
            None => {
                let _ = writeln!(out, "\n{label} · all seats");
            }
        }
        metrics(&mut out, found, standing);
    }
    endings(&mut out, found);
    for standing in standings.iter().filter(|_| !found.is_rotated()) {
        turns(&mut out, found, standing, many);
    }
    if let Some(histogram) = found.tally.seats.first().and_then(|seat| seat.metrics.first())
        && !many
    {
        let _ = writeln!(out, "\n{} ({})", found.metrics[0].name, found.metrics[0].unit);
        bars(&mut out, histogram);
    }
    if let Some(warning) = few_trials(trials) {
        let _ = writeln!(out, "\n{warning}");
    }
    if let Some(warning) = few_rotations(found) {
        let _ = writeln!(out, "{warning}");
    }
    out
}

fn metrics(out: &mut String, found: &SimulationReport, standing: &Standing) {
    let _ = writeln!(
        out,
        "\n{:<14}{:>10}{:>10}{:>10}   {:>6}{:>6}{:>6}{:>7}{:>6}{:>6}{:>6}{:>7}",
        "", "mean", "± 95 %", "std dev", "1 %", "5 %", "25 %", "median", "75 %", "95 %", "99 %", "max"
    );
    for (metric, histogram) in found.metrics.iter().zip(&standing.tally.metrics) {
        let Some(s) = summary(standing, histogram) else { continue };
        let known = |value: Option<f64>| value.map_or_else(|| "–".into(), |value| format!("{value:.3}"));
        let half = known(s.mean().interval.map(Interval::half_width));
        let _ = write!(out, "{:<14}{:>10.3}{half:>10}{:>10}   ", metric.name, s.mean, known(s.std_dev));
        for (share, value) in QUANTILES.iter().zip(s.quantiles) {
            let width = if *share == 0.5 { 7 } else { 6 };
            let _ = write!(out, "{value:>width$}");
        }
        let _ = writeln!(out, "{:>7}   {}", s.max, metric.unit);
    }
}

fn endings(out: &mut String, found: &SimulationReport) {
    let trials = found.tally.trials;
    let all = || found.endings.iter().zip(&found.tally.endings);
    let early: u64 = all().filter(|(ending, _)| ending.early).map(|(_, count)| count).sum();
    let share = Estimate::share(early, trials);
    let _ = writeln!(
        out,
        "\nEnded early: {} of the trials ({}: {})",
        percent(share.value),
        share.level,
        range(percent, share.interval)
    );
    for (ending, &count) in all() {
        let share = percent(count as f64 / trials.max(1) as f64);
        let _ = writeln!(out, "  {:<16}{share:>9}   {}", ending.name, ending.meaning);
    }
}

fn turns(out: &mut String, found: &SimulationReport, standing: &Standing, many: bool) {
    let turns = turns_of(found, standing);
    let trials = found.tally.trials.max(1) as f64;
    let whose = match standing.seat.filter(|_| many) {
        Some(seat) => format!(" of seat {}", seat + 1),
        None => String::new(),
    };
    let _ = writeln!(out, "\nTurn{whose:<10}{:>10}{:>12}{:>16}", "reached", "last turn", "bust if reached");
    for turn in turns.iter().take(TURNS) {
        let _ = writeln!(
            out,
            "{:>4}{:>20}{:>12}{:>16}",
            turn.number,
            percent(turn.reached as f64 / trials),
            percent(turn.ended_here as f64 / trials),
            percent(turn.busts as f64 / turn.reached.max(1) as f64)
        );
    }
    if let Some(next) = turns.get(TURNS) {
        let share = percent(next.reached as f64 / trials);
        let last = turns.last().map_or(0, |turn| turn.number);
        let _ = writeln!(out, "  later turns, up to {last}: reached by {share}");
    }
}

/// A histogram with bars of equal width up to the 99.5 % quantile, and one bar for the rest.
fn bars(out: &mut String, histogram: &Histogram) {
    let total = histogram.total();
    let top = stopwise_analysis::estimate::quantile(histogram, 0.995);
    let low = histogram.iter().next().map_or(0, |(value, _)| value);
    let step = nice_step((top.saturating_sub(low) / BARS).max(1));
    let start = low / step * step;
    let mut counts = vec![0_u64; ((top - start) / step + 1) as usize];
    let mut above = 0;
    for (value, count) in histogram.iter() {
        match counts.get_mut(((value - start) / step) as usize) {
            Some(bar) => *bar += count,
            None => above += count,
        }
    }
    let most = counts.iter().copied().max().unwrap_or(1).max(1) as f64;
    let mut bar = |label: String, count: u64| {
        let eighths = nearest(count as f64 / most * WIDTH * 8.0);
        let part = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8];
        let blocks = "█".repeat(eighths / 8);
        let share = percent(count as f64 / total.max(1) as f64);
        let line = format!("{label:>12} {share:>8} {blocks}{part}");
        let _ = writeln!(out, "{}", line.trim_end());
    };
    for (from, count) in (start..).step_by(step as usize).zip(counts) {
        let label = if step == 1 { from.to_string() } else { format!("{from}–{}", from + step - 1) };
        bar(label, count);
    }
    if above > 0 {
        bar("more".into(), above);
    }
}

/// The least of 1, 2, 5, 10, 20, 50, … that is at least `least`.
fn nice_step(least: u32) -> u32 {
    let mut scale = 1;
    loop {
        for step in [1, 2, 5] {
            if step * scale >= least {
                return step * scale;
            }
        }
        scale *= 10;
    }
}

fn few_trials(trials: u64) -> Option<String> {
    (trials < 10_000).then(|| {
        let beyond = trials / 100;
        format!(
            "Only {}: the 99 % quantile rests on {beyond} of them. For reports use --trials 1M.",
            crate::numbers::trials(trials)
        )
    })
}

/// A warning if some rotation has no trial.
fn few_rotations(found: &SimulationReport) -> Option<String> {
    let (all, trials) = (found.rotations.len(), found.tally.trials);
    let warning = || format!("Only {trials} of {all} rotations had a trial: use --trials {all} or more.");
    (trials < all as u64).then(warning)
}
