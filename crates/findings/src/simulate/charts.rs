//! The pictures of a simulation.

use stopwise_analysis::estimate::Summary;
use stopwise_analysis::seats::Standing;
use stopwise_engine::tally::Histogram;
use stopwise_report::Chart;
use stopwise_report::chart::{Axis, Bars, Bins, Line, Lines, Mark, Plot, Point, Tone};

use super::SimulationReport;
use super::sheets::turns_of;
use crate::bins::{Breaks, bins, cumulative};
use crate::words::with_unit;

/// Histograms are drawn over each other up to so many; of more only the cumulative lines are.
const OVERLAID: usize = 2;

/// A line has at most so many turns.
const TURNS: usize = 256;

/// The distribution of the metric that was asked for, or else of the first that has more than two values: of games for
/// several not who wins.
pub(super) fn distribution(found: &SimulationReport, told: &[Standing]) -> Option<Chart> {
    let has_values = |&metric: &usize| {
        told.iter().any(|standing| standing.tally.metrics[metric].iter().any(|(value, _)| value > 1))
    };
    let metric = found.drawn.or_else(|| (0..found.metrics.len()).find(has_values))?;
    let about = found.metrics[metric];
    let names: Vec<_> = told.iter().map(|standing| found.name(standing)).collect();
    let histograms: Vec<&Histogram> = told.iter().map(|standing| &standing.tally.metrics[metric]).collect();
    let x = Axis::of(about.name, about.unit);
    let marks = match histograms.as_slice() {
        [only] => Summary::of(only).map(|s| marks(&s)).unwrap_or_default(),
        _ => Vec::new(),
    };
    let lines = histograms.iter().zip(&names).map(|(histogram, name)| cumulative(name, histogram));
    let lines = Plot::Lines(Lines {
        x: x.clone(),
        y: Axis::share("share of the trials with this value or less"),
        series: lines.collect(),
        marks: marks.clone(),
        reference: None,
    });
    let title = with_unit(about.name, about.unit);
    let sentence = format!("How often each value of {} comes: {}.", about.name, about.meaning);
    if told.len() > OVERLAID {
        return Some(Chart::new(title, sentence, lines));
    }
    let breaks = Breaks::of(&histograms);
    let series =
        histograms.iter().zip(&names).map(|(histogram, name)| (name.clone(), bins(histogram, &breaks)));
    let shares =
        Plot::Bins(Bins { x, y: Axis::share("share of the trials"), series: series.collect(), marks });
    let chart = Chart::new(title, sentence, shares).or("distribution", "cumulative", lines);
    Some(if told.len() == 1 { chart.in_text() } else { chart })
}

/// Mean, median and outer quantiles.
fn marks(s: &Summary) -> Vec<Mark> {
    let [_, p05, _, median, _, p95, _] = s.quantiles;
    vec![
        Mark { at: p05.into(), label: "5 %".into() },
        Mark { at: median.into(), label: "median".into() },
        Mark { at: s.mean, label: "mean".into() },
        Mark { at: p95.into(), label: "95 %".into() },
    ]
}

/// How many trials are still going on at every turn, and how often it is lost.
pub(super) fn survival(found: &SimulationReport, told: &[Standing]) -> Option<Chart> {
    let mut series = Vec::new();
    for standing in told {
        let all = turns_of(found, standing);
        if all.len() < 2 {
            continue;
        }
        // Of tens of thousands a picture shows no more than of some hundreds.
        let turns: Vec<_> = all.iter().step_by(all.len().div_ceil(TURNS)).collect();
        let trials = standing.tally.metrics.first().map_or(0, Histogram::total).max(1) as f64;
        let name = |what: &str| match told.len() {
            1 => what.to_owned(),
            _ => format!("{what} · {}", found.name(standing)),
        };
        let point = |x: u32, y: f64| Point { x: x.into(), y, interval: None, tone: Tone::Plain };
        let line = |name: String, points: Vec<Point>| Line { name, points, is_step: false };
        // Where several play, all go on about as long: what differs is how often they lose a turn.
        if told.len() == 1 {
            let reached = turns.iter().map(|turn| point(turn.number, turn.reached as f64 / trials));
            series.push(line(name("turn reached"), reached.collect()));
        }
        let busts = turns.iter().filter(|turn| turn.reached > 0);
        let busts = busts.map(|turn| point(turn.number, turn.busts as f64 / turn.reached as f64));
        if turns.iter().any(|turn| turn.busts > 0) {
            series.push(line(name("bust, if reached"), busts.collect()));
        }
    }
    if series.is_empty() {
        return None;
    }
    let plot = Lines {
        x: Axis::of("turn", ""),
        y: Axis::share("share"),
        series,
        marks: Vec::new(),
        reference: None,
    };
    let sentence = match told.len() {
        1 => "The share of the trials that reach each turn, and of those the share that lose it to the dice.",
        _ => "Of those that reach a turn, the share that lose it to the dice.",
    };
    Some(Chart::new("Turn by turn", sentence, Plot::Lines(plot)))
}

/// How the trials end.
pub(super) fn endings(found: &SimulationReport) -> Chart {
    let trials = found.tally.trials.max(1) as f64;
    let all = found.endings.iter().zip(&found.tally.endings);
    let rows = all.map(|(ending, &count)| (ending.meaning.to_owned(), vec![Some(count as f64 / trials)]));
    let plot = Bars {
        x: Axis::share("share of the trials"),
        parts: vec!["share of the trials".into()],
        rows: rows.collect(),
        is_stacked: false,
    };
    Chart::new("How trials end", "The share of the trials that end in each way.", Plot::Bars(plot))
}
