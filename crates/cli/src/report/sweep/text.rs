//! The sweep that people read.

use std::fmt::Write as _;

use stopwise_analysis::estimate::Interval;
use stopwise_engine::game::Better;

use super::map::{line, map, mark, names};
use super::{Compared, Swept};
use crate::numbers::grouped;
use crate::output::Colour;

/// Points listed where there are too many axes for a picture, and ties named in a sentence.
const LISTED: usize = 10;

/// The whole sweep.
pub(crate) fn text(swept: &Swept, colour: Colour) -> String {
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
    let _ = writeln!(out, "\n{}{whose} ({}; {better} is better)\n", swept.metric.name, swept.metric.unit);
    match swept.grid.axes.len() {
        1 => line(&mut out, swept, compared),
        2 => map(&mut out, swept, compared, colour),
        _ => list(&mut out, swept, compared),
    }
    let has_ties = compared.best.ties().next().is_some();
    let ties = if has_ties { "; ≈ may be the best as well" } else { "" };
    let together = if swept.grid.axes.len() == 1 { ". Intervals hold together" } else { "" };
    let _ = writeln!(out, "* the best mean{ties}{together}\n");
    winner(&mut out, swept, compared);
    levels(&mut out, swept, compared);
    out
}

/// The best points, one a line.
fn list(out: &mut String, swept: &Swept, compared: &Compared) {
    let ranking = swept.ranking(compared);
    let labels: Vec<_> = ranking.iter().take(LISTED).map(|&at| swept.grid.label(at)).collect();
    let width = names(labels.iter());
    let _ = writeln!(out, "{:<width$}{:>13}{:>10}{:>12}   95 %", "", "mean", "± 95 %", "loss");
    for (&at, label) in ranking.iter().zip(&labels) {
        let standing = &compared.best.standings[at];
        let half = compared.half(at).map_or_else(|| "–".into(), |half| format!("{half:.3}"));
        let loss = standing.loss.map_or_else(|| "–".into(), |loss| format!("{:.3}", plain(loss)));
        let limits = standing.interval.map_or_else(|| "–".into(), to);
        let (mean, mark) = (compared.cells.mean(at), mark(compared, at));
        let _ = writeln!(out, "{label:<width$}{mean:>12.3}{mark}{half:>10}{loss:>12}   {limits}");
    }
    let rest = ranking.len().saturating_sub(LISTED);
    if rest > 0 {
        let _ = writeln!(out, "and {rest} worse ones");
    }
    let _ = writeln!(out);
}

/// Three decimals without the sign of a negative zero.
fn plain(value: f64) -> f64 {
    (value * 1000.0).round() / 1000.0 + 0.0
}

fn to(Interval { low, high }: Interval) -> String {
    format!("{:.3} to {:.3}", plain(low), plain(high))
}

/// Which point is best, and how sure that is.
fn winner(out: &mut String, swept: &Swept, compared: &Compared) {
    let best = &compared.best;
    let (label, mean, unit) =
        (swept.grid.label(best.cell), compared.cells.mean(best.cell), swept.metric.unit);
    let standing = &best.standings[best.cell];
    let ties: Vec<_> = best.ties().collect();
    if swept.points.len() == 1 {
        let _ =
            writeln!(out, "There is one point, {label}, with {mean:.3} {unit}: nothing to compare it with.");
        return;
    }
    let Some(interval) = standing.interval else {
        let _ =
            writeln!(out, "Best seen: {label} with {mean:.3} {unit}. One trial does not say which is best.");
        return;
    };
    let least = best.standings.iter().filter(|standing| !standing.is_possible);
    let least = least.filter_map(|standing| standing.interval).map(|loss| loss.low).reduce(f64::min);
    let others = |least: f64| format!("Every other loses at least {:.3}.", plain(least));
    if ties.is_empty() {
        let lead = Interval { low: -interval.high, high: -interval.low };
        let _ = writeln!(
            out,
            "Best: {label} with {mean:.3} {unit}, better than every other point (95 %): by {}.",
            to(lead)
        );
    } else if ties.len() + 1 == swept.points.len() {
        let _ = writeln!(
            out,
            "Best seen: {label} with {mean:.3} {unit}. These trials do not tell which of the {} points is best.",
            swept.points.len()
        );
    } else {
        let named: Vec<_> = ties.iter().take(LISTED).map(|&at| swept.grid.label(at)).collect();
        let more =
            if ties.len() > LISTED { format!(" and {} more", ties.len() - LISTED) } else { String::new() };
        let mark = if swept.grid.axes.len() == 1 { ", " } else { " · " };
        let _ = writeln!(
            out,
            "Best seen: {label} with {mean:.3} {unit}. The best is that one or one of these {} (95 %): {}{more}. {}",
            ties.len(),
            named.join(mark),
            least.map_or_else(String::new, others)
        );
    }
    let _ = writeln!(out, "method: multiple comparisons with the best, fixed n, {}", compared.pairing());
}

/// What each axis does.
fn levels(out: &mut String, swept: &Swept, compared: &Compared) {
    if swept.points.len() == 1 {
        return;
    }
    let title = if swept.grid.axes.len() == 1 { "What it does" } else { "What each does" };
    let axes = swept.grid.axes.iter();
    let width = names(axes.clone().map(|axis| &axis.name)).max(title.len());
    let level = names(axes.clone().flat_map(|axis| &axis.levels)).max(5);
    let _ = writeln!(
        out,
        "\n{title:<width$}  {:>level$}{:>12}  {:>level$}{:>12}{:>12}   95 %",
        "best", "mean", "worst", "mean", "apart"
    );
    for (axis, effect) in axes.zip(&compared.effects) {
        let [(best, best_mean), (worst, worst_mean)] =
            [effect.best, effect.worst].map(|at| (&axis.levels[at], effect.levels[at].mean));
        let limits = effect.range.interval.map_or_else(|| "–".into(), to);
        let _ = writeln!(
            out,
            "{:<width$}  {best:>level$}{best_mean:>12.3}  {worst:>level$}{worst_mean:>12.3}{:>12.3}   {limits}",
            axis.name,
            plain(effect.range.value)
        );
    }
    let means = if swept.grid.axes.len() == 1 { "" } else { "means over all other axes; " };
    let _ = writeln!(out, "method: {means}all levels together (Bonferroni), fixed n, {}", compared.pairing());
}
