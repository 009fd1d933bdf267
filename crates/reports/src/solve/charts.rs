//! The pictures of exact values.

use stopwise_document::Chart;
use stopwise_document::chart::{Axis, Line, Lines, Plot, Point, Tone};

use super::SolveReport;
use crate::numbers::as_read;
use crate::words::title;

/// A line has at most so many points.
const POINTS: usize = 400;

/// The exact distribution of the first metric with more than two values, of every policy.
pub(super) fn distributions(solved: &SolveReport) -> Option<Chart> {
    let known: Vec<_> =
        solved.worths.iter().filter_map(|worth| Some((worth, worth.alone.as_ref()?))).collect();
    let values = |metric: usize| known.iter().map(move |(_, alone)| &alone.shares[0][metric]);
    let metric = (0..solved.metrics.len()).find(|&metric| values(metric).any(|shares| shares.len() > 2))?;
    let about = solved.metrics[metric];
    let (scale, unit) = as_read(&about);
    let series = values(metric).zip(&known).map(|(shares, (worth, _))| {
        let every = shares.len().div_ceil(POINTS).max(1);
        let mut below: f64 = 0.0;
        let mut points = Vec::new();
        for (at, (&value, share)) in shares.iter().enumerate() {
            below += share;
            if at % every == 0 || at + 1 == shares.len() {
                points.push(Point {
                    x: scale * f64::from(value),
                    y: below.min(1.0),
                    interval: None,
                    tone: Tone::Plain,
                });
            }
        }
        Line { name: worth.label.clone(), points, is_step: true }
    });
    let plot = Lines {
        x: Axis::of(about.word(), unit),
        y: Axis::share("probability of this value or less"),
        series: series.collect(),
        marks: Vec::new(),
        reference: None,
    };
    let whose = if solved.seats > 1 { " of seat 1" } else { "" };
    let with = match &known[..] {
        [(worth, _)] => format!(" with {}", worth.label),
        _ => String::new(),
    };
    let sentence = format!("The exact probability that {}{whose} is at most a value{with}.", about.word());
    Some(Chart::new(title(about.word(), unit), sentence, Plot::Lines(plot)))
}
