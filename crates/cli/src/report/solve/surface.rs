//! The picture of a decision: from where on best play, and the policies, answer yes.

use stopwise_edge::Cells;
use stopwise_engine::vocabulary::Side;
use stopwise_report::Chart;
use stopwise_report::chart::{Axis, Heat, Heated, Line, Lines, Panel, Plot, Point, Tone};

use super::SolveReport;

/// A picture of fewer levels says nothing.
const FEWEST: usize = 5;
/// As many policies are drawn.
const MOST: usize = 5;
/// What best play is called.
const BEST: &str = "best play";

/// Best play and the policies, if the game has such a picture.
pub(super) fn chart(solved: &SolveReport) -> Option<Chart> {
    let (drawn, labels) = solved.surface.as_ref()?;
    if drawn.rows.1.len() < FEWEST {
        return None;
    }
    let policies = labels.iter().zip(&drawn.policies);
    let policies = policies.filter_map(|(label, cells)| Some((label.as_str(), cells.as_ref()?)));
    let all: Vec<(&str, &Cells)> =
        std::iter::once((BEST, &drawn.best)).chain(policies).take(MOST + 1).collect();
    let value = Axis::of(drawn.rising.title, drawn.rising.unit);
    let (rows, levels) = &drawn.rows;
    let plot = match &drawn.columns {
        None => Plot::Lines(Lines {
            x: Axis::of(rows.title, rows.unit),
            y: value,
            series: all.iter().map(|(name, cells)| line(name, levels, cells)).collect(),
            marks: Vec::new(),
            reference: None,
        }),
        Some((columns, across)) => Plot::Heat(Heat {
            x: named(columns, across),
            y: named(rows, levels),
            value,
            panels: all.iter().map(|(name, cells)| panel(name, cells)).collect(),
            middle: None,
            is_lower_better: false,
            legend: String::new(),
        }),
    };
    let over = match &drawn.columns {
        Some((columns, _)) => format!("{} and {}", rows.title, columns.title),
        None => rows.title.to_owned(),
    };
    let whose = if all.len() > 1 { ", of best play and of the policies" } else { " of best play" };
    let sentence =
        format!("The least {} by {over}{whose}; empty where play does not come.", drawn.rising.title);
    Some(Chart::new(drawn.title, sentence, plot))
}

fn named(side: &Side, levels: &[i64]) -> Axis {
    let levels = levels.iter().map(ToString::to_string).collect();
    Axis { unit: side.unit.into(), ..Axis::levels(side.title, levels) }
}

fn line(name: &str, levels: &[i64], cells: &Cells) -> Line {
    let point = |(&x, row): (&i64, &Vec<Option<i64>>)| {
        row[0].map(|y| Point { x: x as f64, y: y as f64, interval: None, tone: Tone::Plain })
    };
    Line {
        name: name.to_owned(),
        points: levels.iter().zip(cells).filter_map(point).collect(),
        is_step: false,
    }
}

fn panel(name: &str, cells: &Cells) -> Panel {
    let heated = |value: &Option<i64>| {
        value.map(|value| Heated { value: value as f64, interval: None, tone: Tone::Plain })
    };
    let rows = cells.iter().map(|row| row.iter().map(heated).collect());
    Panel { title: name.to_owned(), cells: rows.collect() }
}
