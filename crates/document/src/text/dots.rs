//! Values with intervals, as text: a dot on a line, on a scale from the least limit to the greatest.

use std::fmt::Write as _;

use super::table::table;
use super::value::{fixed, mark};
use crate::cell::NumberFormat;
use crate::chart::{Axis, Intervals, Lines, Tone};
use crate::rounding::Rounding;
use crate::view::View;

/// The width of the scale, in characters.
const SCALE: usize = 48;

/// A line of [`draw`].
struct Dot {
    name: String,
    value: f64,
    interval: Option<[f64; 2]>,
    tone: Tone,
    note: String,
}

/// The points of the first line.
pub(super) fn lines(out: &mut String, lines: &Lines, width: usize) {
    let Some(line) = lines.series.first() else { return };
    let dot = |point: &crate::chart::Point| Dot {
        name: level(&lines.x, point.x),
        value: point.y,
        interval: point.interval,
        tone: point.tone,
        note: String::new(),
    };
    draw(out, &lines.x.title, &lines.y, &line.points.iter().map(dot).collect::<Vec<_>>(), width);
}

/// All rows that have a value.
pub(super) fn intervals(out: &mut String, intervals: &Intervals, width: usize) {
    let dot = |row: &crate::chart::Row| {
        Some(Dot {
            name: row.label.clone(),
            value: row.value?,
            interval: row.interval,
            tone: row.tone,
            note: row.note.clone(),
        })
    };
    draw(out, "", &intervals.x, &intervals.rows.iter().filter_map(dot).collect::<Vec<_>>(), width);
}

fn draw(out: &mut String, title: &str, axis: &Axis, dots: &[Dot], width: usize) {
    let limits = |dot: &Dot| dot.interval.unwrap_or([dot.value; 2]);
    let low = dots.iter().map(|dot| limits(dot)[0].min(dot.value)).fold(f64::INFINITY, f64::min);
    let high = dots.iter().map(|dot| limits(dot)[1].max(dot.value)).fold(f64::NEG_INFINITY, f64::max);
    let unit = if axis.is_share { format!(" {}", axis.percent()) } else { String::new() };
    let with_unit = |value: f64, rounding| format!("{}{unit}", fixed(axis, value, rounding));
    // Limits of a share are not as far from it on both sides.
    let known = |dot: &Dot| {
        let known = dot.interval.map(|[low, high]| match axis.is_share {
            true => format!("{} to {}", fixed(axis, low, Rounding::Down), fixed(axis, high, Rounding::Up)),
            false => fixed(axis, 0.5 * (high - low), Rounding::Up),
        });
        known.unwrap_or_else(|| "–".into())
    };
    let ends = [with_unit(low, Rounding::Down), with_unit(high, Rounding::Up)];
    let mut view = View::new("").texts(title).numbers("mean");
    view = if axis.is_share { view.texts("95 %") } else { view.numbers("± 95 %") };
    let name = dots.iter().map(|dot| dot.name.chars().count()).max().unwrap_or(0);
    let scale = width.saturating_sub(name.max(title.chars().count()) + 32).clamp(16, SCALE);
    let gap = scale.saturating_sub(ends[0].chars().count());
    view = view.texts(format!("{}{:>gap$}", ends[0], ends[1]));
    let place = |value: f64| {
        let share = if high > low { (value - low) / (high - low) } else { 0.5 };
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "from 0 to the last place"
        )]
        let at = (share.clamp(0.0, 1.0) * (scale - 1) as f64).round_ties_even() as usize;
        at
    };
    for dot in dots {
        let [from, to] = limits(dot);
        let mut places = vec![' '; scale];
        places[place(from)..=place(to)].fill('─');
        places[place(dot.value)] = '●';
        let mut places: String = places.into_iter().collect();
        if !dot.note.is_empty() {
            let _ = write!(places, "  {}", dot.note);
        }
        let value = with_unit(dot.value, Rounding::Nearest);
        view.row([dot.name.clone(), format!("{value}{}", mark(dot.tone)), known(dot), places]);
    }
    table(out, &view, usize::MAX);
}

/// The name of a value on an axis.
fn level(axis: &Axis, x: f64) -> String {
    let mut levels = axis.levels.iter().enumerate();
    let name = levels.find(|(at, _)| *at as f64 == x).map(|(_, name)| name.clone());
    name.unwrap_or_else(|| NumberFormat::Shortest.written(x))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::{Line, Point};

    #[test]
    fn points_on_a_scale() {
        let point = |x, y, tone| Point { x, y, interval: Some([y - 0.5, y + 0.5]), tone };
        let line = Line {
            name: String::new(),
            points: vec![point(1.0, 0.5, Tone::Plain), point(2.0, 3.5, Tone::Best)],
            is_step: false,
        };
        let chart = Lines { x: Axis::of("n", ""), series: vec![line], ..Lines::default() };
        let mut out = String::new();
        lines(&mut out, &chart, 49);
        let wanted = "n    mean  ± 95 %  0.000      4.000\n1  0.500    0.500  ──●──\n2  3.500*   0.500             ──●──\n";
        assert_eq!(out, wanted);
    }
}
