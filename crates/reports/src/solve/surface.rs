//! The chart of a yes/no decision: at which values of its features best play and the policies answer yes.

use stopwise_document::Chart;
use stopwise_document::chart::{Axis, Heat, Heated, Line, Lines, Panel, Plot, Point, Tone};
use stopwise_erased::{Cells, Drawn, Side};

use super::SolveReport;

/// A picture of fewer levels says nothing.
const FEWEST: usize = 5;
/// A picture of more levels of two features has squares that nobody sees.
const LEVELS: usize = 50;
/// As many policies are drawn.
const MOST: usize = 5;
/// What best play is called.
const BEST: &str = "best play";

/// Where best play answers yes, and where the policies do.
#[derive(Debug)]
pub struct Surface {
    /// Their answers, place by place.
    pub drawn: Drawn,
    /// Of the policies.
    pub labels: Vec<String>,
}

impl Surface {
    /// Best play, and the policies that have a place in the picture.
    pub(super) fn named(&self) -> impl Iterator<Item = (&str, &Cells)> {
        let policies = self.labels.iter().zip(&self.drawn.policies);
        let policies = policies.filter_map(|(label, cells)| Some((label.as_str(), cells.as_ref()?)));
        std::iter::once((BEST, &self.drawn.best)).chain(policies)
    }
}

/// Best play and the policies, if the game has such a picture.
pub(super) fn chart(solved: &SolveReport) -> Option<Chart> {
    let surface = solved.surface.as_ref()?;
    let drawn = &surface.drawn;
    if drawn.rows.1.len() < FEWEST {
        return None;
    }
    let all: Vec<(&str, &Cells)> = surface.named().take(MOST + 1).collect();
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
            x: named(columns, &thinned(across)),
            y: named(rows, &thinned(levels)),
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
    Some(Chart::new(drawn.title, sentence, plot).from_file("thresholds.csv"))
}

fn named(side: &Side, levels: &[i64]) -> Axis {
    Axis::levels(side.title, levels.iter().map(ToString::to_string).collect())
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

/// Every so many of the levels, so that no more than [`LEVELS`] are left.
fn thinned<T: Clone>(levels: &[T]) -> Vec<T> {
    levels.iter().step_by(levels.len().div_ceil(LEVELS).max(1)).cloned().collect()
}

fn panel(name: &str, cells: &Cells) -> Panel {
    let heated = |value: Option<i64>| value.map(|value| Heated::of(value as f64));
    let rows = thinned(cells).into_iter().map(|row| thinned(&row).into_iter().map(heated).collect());
    Panel { title: name.to_owned(), cells: rows.collect() }
}
