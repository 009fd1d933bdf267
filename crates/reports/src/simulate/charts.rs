//! The pictures of a simulation.

use stopwise_analysis::estimate::Summary;
use stopwise_document::Chart;
use stopwise_document::chart::{Axis, Bars, Bins, Lines, Mark, Plot};

use super::{Measured, SimulationReport};
use crate::bins::{Breaks, bins, cumulative};
use crate::numbers::MEAN;
use crate::words::title;

/// Histograms are drawn over each other up to so many; of more only the cumulative lines are.
const OVERLAID: usize = 2;

/// The distribution of the metric that was asked for, or else of the first that varies for all who are told, or for somebody, and
/// is no truth: of games for several not who wins, or how much of it.
pub(super) fn distribution(found: &SimulationReport, told: &[&Measured]) -> Option<Chart> {
    let has_values = |metric: usize, of: &Measured| {
        let values = || of.standing.tally.metrics[metric].iter();
        values().count() > 1 && values().any(|(value, _)| value > 1)
    };
    let amounts = || (0..found.metrics.len()).filter(|&metric| !found.metrics[metric].is_won());
    let asked = found.drawn.filter(|&at| !found.about(at).is_share());
    let for_all = || amounts().find(|&metric| told.iter().all(|of| has_values(metric, of)));
    let for_any = || amounts().find(|&metric| told.iter().any(|of| has_values(metric, of)));
    let metric = asked.or_else(for_all).or_else(for_any)?;
    let about = found.about(metric);
    let all = found.values(metric, told.iter().copied());
    let x = Axis::of(about.word(), about.unit);
    let marks = match &all[..] {
        [only] => Summary::of(only.histogram).map(|s| marks(&s.over(only.trials))).unwrap_or_default(),
        _ => Vec::new(),
    };
    let lines = all.iter().map(|of| cumulative(&of.name, of.histogram));
    let lines = Plot::Lines(Lines {
        x: x.clone(),
        y: Axis::share("share of the trials with this value or less"),
        series: lines.collect(),
        marks: marks.clone(),
        reference: None,
    });
    let title = title(about.word(), about.unit);
    let sentence = format!("How often each value of {} comes: {}.", about.word(), about.meaning);
    if all.len() > OVERLAID {
        return Some(Chart::new(title, sentence, lines));
    }
    let breaks = Breaks::of(&all.iter().map(|of| of.histogram).collect::<Vec<_>>());
    let series = all.iter().map(|of| (of.name.clone(), bins(of.histogram, of.trials, &breaks)));
    let shares =
        Plot::Bins(Bins { x, y: Axis::share("share of the trials"), series: series.collect(), marks });
    let chart = Chart::new(title, sentence, shares).or("distribution", "cumulative", lines);
    Some(if all.len() == 1 { chart.in_text() } else { chart })
}

/// Mean, median and outer quantiles.
fn marks(s: &Summary) -> Vec<Mark> {
    let [_, p05, _, median, _, p95, _] = s.quantiles;
    vec![
        Mark { at: p05.into(), label: "5 %".into() },
        Mark { at: median.into(), label: "median".into() },
        Mark { at: MEAN.known(s.mean, s.mean().interval), label: "mean".into() },
        Mark { at: p95.into(), label: "95 %".into() },
    ]
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
