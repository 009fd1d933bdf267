//! The pictures of a sweep: a line for one axis, a heat map for two, one for each level of the first for three.

use stopwise_analysis::estimate::Interval;
use stopwise_document::Chart;
use stopwise_document::chart::{Axis, Heat, Heated, Intervals, Line, Lines, Mark, Panel, Plot, Point, Row};
use stopwise_engine::game::Better;

use super::sought::ends;
use super::{GridComparison, SweepReport, What};
use crate::grid;
use crate::numbers::as_read;

/// The means of all points, if there are not too many axes for a picture.
pub(super) fn means(swept: &SweepReport, compared: &GridComparison) -> Option<Chart> {
    let (_, unit) = swept.reading();
    let better = match (compared.sought.what(), swept.metric.better) {
        (What::Most, _) => "",
        (_, Better::Higher) => "; higher is better",
        (_, Better::Lower) => "; lower is better",
    };
    let title = format!("{}{} ({unit}{better})", swept.metric.word(), swept.whose());
    let sentence = format!(
        "The mean {} at every setting of the grid, with 95 % intervals that hold together: {}.",
        swept.metric.word(),
        compared.sought.legend()
    );
    match swept.grid.axes.as_slice() {
        [axis] => Some(Chart::new(title, sentence, line(swept, compared, axis)).in_text()),
        [_, _] => Some(Chart::new(title, sentence, heat(swept, compared)).in_text()),
        [_, _, _] => Some(Chart::new(title, sentence, heat(swept, compared))),
        _ => None,
    }
}

/// Of the means.
fn values(swept: &SweepReport) -> Axis {
    let label = format!("{}{}", swept.metric.word(), swept.whose());
    if swept.metric.is_won() { Axis::share(label) } else { Axis::of(label, swept.metric.unit) }
}

/// A mean as it is drawn, and its interval.
fn drawn(swept: &SweepReport, mean: f64, interval: Option<Interval>) -> (f64, Option<[f64; 2]>) {
    let (scale, _) = as_read(&swept.metric);
    (scale * mean, interval.map(|interval| [scale * interval.low, scale * interval.high]))
}

fn line(swept: &SweepReport, compared: &GridComparison, axis: &grid::Axis) -> Plot {
    let numbers: Option<Vec<f64>> = axis.levels.iter().map(|level| level.parse().ok()).collect();
    // In the order of the numbers, whatever order they were typed in.
    let numbers = numbers.filter(|numbers| numbers.is_sorted_by(|a, b| a < b));
    let x = match numbers {
        Some(_) => Axis::of(&*axis.name, ""),
        None => Axis::levels(&*axis.name, axis.levels.clone()),
    };
    let point = |at: usize| {
        let (y, interval) = drawn(swept, compared.cells.mean(at), compared.own(at));
        Point {
            x: numbers.as_ref().map_or(at as f64, |numbers| numbers[at]),
            y,
            interval,
            tone: compared.sought.tone(at),
        }
    };
    let points = (0..swept.points.len()).map(point).collect();
    Plot::Lines(Lines {
        x,
        y: values(swept),
        series: vec![Line { name: String::new(), points, is_step: false }],
        marks: Vec::new(),
        reference: None,
    })
}

/// The last axis runs to the right, the one before it down.
fn heat(swept: &SweepReport, compared: &GridComparison) -> Plot {
    let (last, rest) = swept.grid.axes.split_last().unwrap_or_else(|| unreachable!("two axes or three"));
    let (down, panels) = rest.split_last().unwrap_or_else(|| unreachable!("two axes or three"));
    let (columns, rows) = (last.levels.len(), down.levels.len());
    let cell = |at: usize| {
        let (value, interval) = drawn(swept, compared.cells.mean(at), compared.own(at));
        Some(Heated { interval, tone: compared.sought.tone(at), ..Heated::of(value) })
    };
    let panel = |number: usize| Panel {
        title: panels
            .first()
            .map_or_else(String::new, |axis| format!("{} = {}", axis.name, axis.levels[number])),
        cells: (0..rows)
            .map(|row| (0..columns).map(|column| cell((number * rows + row) * columns + column)).collect())
            .collect(),
    };
    let count = panels.first().map_or(1, |axis| axis.levels.len());
    Plot::Heat(Heat {
        x: Axis::levels(&*last.name, last.levels.clone()),
        y: Axis::levels(&*down.name, down.levels.clone()),
        value: values(swept),
        panels: (0..count).map(panel).collect(),
        middle: None,
        is_lower_better: compared.sought.what() != What::Most && swept.metric.better == Better::Lower,
        legend: compared.sought.legend(),
    })
}

/// How far the levels of each axis are apart that are farthest from each other.
pub(super) fn effects(swept: &SweepReport, compared: &GridComparison) -> Option<Chart> {
    let axes = swept.grid.axes.iter().zip(&compared.effects).filter(|(axis, _)| axis.levels.len() > 1);
    if axes.clone().count() < 2 {
        return None;
    }
    let mut rows: Vec<_> = axes
        .map(|(axis, effect)| {
            let (value, interval) = drawn(swept, effect.range.value, effect.range.interval);
            let [[first, last], names] =
                [swept.ends(axis.kind, effect).map(|at| &*axis.levels[at]), ends(axis.kind)];
            Row {
                label: axis.name.clone(),
                value: Some(value),
                interval,
                note: format!("{first} {}, {last} {}", names[0], names[1]),
                ..Row::default()
            }
        })
        .collect();
    rows.sort_by(|a, b| b.value.unwrap_or(0.0).abs().total_cmp(&a.value.unwrap_or(0.0).abs()));
    let plot =
        Intervals { x: values(swept), rows, reference: Some(Mark { at: 0.0, label: "no effect".into() }) };
    let sentence = "How far the levels of each axis are apart that are farthest from each other, over all levels of the others.";
    Some(Chart::new("What matters most", sentence, Plot::Intervals(plot)))
}
