//! The sweep report as text.

use std::fmt::Write as _;

use stopwise_analysis::estimate::{Interval, Method};
use stopwise_engine::game::Better;

use super::map::{line, map, mark, names};
use super::{GridComparison, SweepReport};
use crate::numbers::grouped;
use crate::output::Colour;
use crate::report::words::{range, rounded};

/// Points listed where there are too many axes for a chart, and ties named in a sentence.
const LISTED: usize = 10;

/// With fewer trials normal intervals may be inaccurate.
const FEW: u64 = 1000;

/// The whole text.
pub(crate) fn text(swept: &SweepReport, colour: Colour) -> String {
    let mut out = String::new();
    let rotated = if swept.is_rotated { ", rotated" } else { "" };
    let (points, trials) = (swept.points.len(), grouped(swept.trials));
    let _ = writeln!(
        out,
        "{} · rules {} · {}{rotated} · {points} {} on the same {trials} trials · seed {}",
        swept.game,
        swept.rules,
        swept.policy,
        if points == 1 { "point" } else { "points" },
        swept.seed
    );
    let Some(compared) = &swept.compared else {
        let _ =
            writeln!(out, "{points} of {} points are finished; nothing is compared.", swept.grid.points());
        return out;
    };
    let whose = match swept.seats {
        1 => String::new(),
        _ if swept.is_rotated => " of the first policy".into(),
        _ => " of seat 1".into(),
    };
    let better = if swept.metric.better == Better::Higher { "higher" } else { "lower" };
    let (_, unit) = swept.reading();
    let _ = writeln!(out, "\n{}{whose} ({unit}; {better} is better)\n", swept.metric.name);
    match swept.grid.axes.len() {
        1 => line(&mut out, swept, compared),
        2 => map(&mut out, swept, compared, colour),
        _ => list(&mut out, swept, compared),
    }
    let has_ties = compared.best.ties().next().is_some();
    let ties = if has_ties { "; ≈ may be the best as well" } else { "" };
    let more = match swept.grid.axes.len() {
        1 => "; intervals hold together",
        2 => "",
        _ => "; loss against the best of the other points, below 0 a lead; intervals hold together",
    };
    let _ = writeln!(out, "* the best mean{ties}{more}\n");
    winner(&mut out, swept, compared);
    levels(&mut out, swept, compared);
    if swept.trials < FEW {
        let _ = writeln!(
            out,
            "\nOnly {trials} trials: the intervals are those of normal sums, which take some thousands. Use --trials 100k."
        );
    }
    out
}

/// The best points, one per line.
fn list(out: &mut String, swept: &SweepReport, compared: &GridComparison) {
    let (scale, _) = swept.reading();
    let ranking = swept.ranking(compared);
    let labels: Vec<_> = ranking.iter().take(LISTED).map(|&at| swept.grid.label(at)).collect();
    let width = names(labels.iter());
    let _ = writeln!(out, "{:<width$}{:>13}{:>10}{:>12}   95 %", "", "mean", "± 95 %", "loss");
    for (&at, label) in ranking.iter().zip(&labels) {
        let standing = &compared.best.standings[at];
        let half = compared.half(at).map_or_else(|| "–".into(), |half| format!("{:.3}", scale * half));
        let interval = standing.loss.and_then(|loss| loss.interval);
        let loss = standing.loss.map_or_else(|| "–".into(), |loss| decimals(scale * loss.value));
        let limits = interval.map_or_else(|| "–".into(), |loss| to(scale, loss));
        let (mean, mark) = (scale * compared.cells.mean(at), mark(compared, at));
        let _ = writeln!(out, "{label:<width$}{mean:>12.3}{mark}{half:>10}{loss:>12}   {limits}");
    }
    let rest = ranking.len().saturating_sub(LISTED);
    if rest > 0 {
        let _ = writeln!(out, "and {rest} worse ones");
    }
    let _ = writeln!(out);
}

/// Three decimals, and no negative zero.
fn decimals(value: f64) -> String {
    format!("{:.3}", rounded(value, 3))
}

/// Both limits, in the displayed unit.
fn to(scale: f64, interval: Interval) -> String {
    range(|limit| decimals(scale * limit), Some(interval))
}

/// The best point, and those that may be the best.
fn winner(out: &mut String, swept: &SweepReport, compared: &GridComparison) {
    let best = &compared.best;
    let (scale, unit) = swept.reading();
    let (label, mean) = (swept.grid.label(best.cell), scale * compared.cells.mean(best.cell));
    let ties: Vec<_> = best.ties().map(|at| swept.grid.label(at)).collect();
    if swept.points.len() == 1 {
        let _ =
            writeln!(out, "There is one point, {label}, with {mean:.3} {unit}: nothing to compare it with.");
        return;
    }
    let loss = best.standings[best.cell].loss;
    let Some((interval, level)) = loss.and_then(|loss| Some((loss.interval?, loss.level))) else {
        let _ =
            writeln!(out, "Best seen: {label} with {mean:.3} {unit}. One trial does not say which is best.");
        return;
    };
    if ties.is_empty() {
        let lead = interval.negated();
        let _ = writeln!(
            out,
            "Best: {label} with {mean:.3} {unit}, better than every other point ({level}): by {}.",
            to(scale, lead)
        );
    } else if ties.len() + 1 == swept.points.len() {
        let _ = writeln!(
            out,
            "Best seen: {label} with {mean:.3} {unit}. These trials do not tell which of the {} points is best.",
            swept.points.len()
        );
    } else {
        let others = match ties.as_slice() {
            [tie] => tie.clone(),
            _ => {
                let named = ties.iter().take(LISTED).cloned().collect::<Vec<_>>().join(" · ");
                let rest = ties.len().saturating_sub(LISTED);
                let more = if rest > 0 { format!(" and {rest} more") } else { String::new() };
                format!("one of these {}: {named}{more}", ties.len())
            }
        };
        let _ = writeln!(
            out,
            "Best seen: {label} with {mean:.3} {unit}. The best ({level}) is that one or {others}."
        );
        let out_of_it = best.standings.iter().filter(|standing| !standing.is_possible);
        let least =
            out_of_it.filter_map(|standing| standing.loss?.interval).map(|loss| loss.low).reduce(f64::min);
        if let Some(least) = least.map(|least| rounded(scale * least, 3)).filter(|&least| least > 0.0) {
            let _ = writeln!(out, "Every other point is worse than the best, by {least:.3} or more.");
        }
    }
    let _ = writeln!(out, "method: {}", Method::WithBest(compared.cells.pairing()));
}

/// The effect of each axis.
fn levels(out: &mut String, swept: &SweepReport, compared: &GridComparison) {
    let (scale, _) = swept.reading();
    let axes = swept.grid.axes.iter().zip(&compared.effects).filter(|(axis, _)| axis.levels.len() > 1);
    if axes.clone().next().is_none() {
        return;
    }
    let title = if swept.grid.axes.len() == 1 { "What it does" } else { "What each does" };
    let width = names(axes.clone().map(|(axis, _)| &axis.name)).max(title.len());
    let level = names(axes.clone().flat_map(|(axis, _)| &axis.levels)).max(5);
    let _ = writeln!(
        out,
        "\n{title:<width$}  {:>level$}{:>12}  {:>level$}{:>12}{:>12}   95 %",
        "best", "mean", "worst", "mean", "apart"
    );
    for (axis, effect) in axes {
        let [(best, best_mean), (worst, worst_mean)] =
            [effect.best, effect.worst].map(|at| (&axis.levels[at], scale * effect.levels[at].mean));
        let limits = effect.range.interval.map_or_else(|| "–".into(), |range| to(scale, range));
        let _ = writeln!(
            out,
            "{:<width$}  {best:>level$}{best_mean:>12.3}  {worst:>level$}{worst_mean:>12.3}{:>12}   {limits}",
            axis.name,
            decimals(scale * effect.range.value)
        );
    }
    let means = if swept.grid.axes.len() == 1 { "" } else { "means over all other axes; " };
    let _ = writeln!(out, "method: {means}{:#}", Method::AllLevels(compared.cells.pairing()));
}
