//! What happens with a setting: pictures, figures and sentences.

use std::time::Instant;

use serde::Deserialize;
use serde_json::{Value, json};
use stopwise_document::{Block, Chart, Report, html};
use stopwise_engine::tally::Histogram;
use stopwise_reports::live::{Before, Figure, Live};

use super::setting::Setting;
use super::{Clerk, Wrong, document};
use crate::args::{Request, Runner};
use crate::stop::StopToken;

/// The most trials of a picture.
pub(super) const MOST: u64 = 10_000_000;
/// The most values of a distribution that was seen earlier.
const VALUES: usize = 20_000;

/// What is to be drawn.
#[derive(Debug, Deserialize)]
pub(super) struct Draw {
    setting: Setting,
    trials: u64,
    /// The seat or policy, as an index into those that have rows.
    #[serde(default)]
    whose: usize,
    /// How long a roll takes.
    #[serde(default = "usual")]
    seconds: f64,
    /// The distribution behind this one.
    #[serde(default)]
    before: Option<Seen>,
}

#[derive(Debug, Deserialize)]
struct Seen {
    names: [String; 2],
    values: Vec<(u32, u64)>,
}

/// The most trials of a first picture, which is wanted at once.
pub(super) const FIRST: u64 = 20_000;

/// Up to this many trials are played faster without lanes.
const FEW: u64 = 500;

/// Seconds a roll, with picking up the dice and thinking.
fn usual() -> f64 {
    8.0
}

pub(super) fn picture(clerk: &Clerk<'_>, draw: &Draw, stop: &StopToken) -> Result<Value, Wrong> {
    let mut request = draw.setting.simulation(clerk, draw.trials.clamp(1, MOST));
    // Lanes play hundreds of games at a time; a few games are played faster one by one, with the same results.
    let is_few = draw.trials <= FEW;
    if is_few {
        request.runner = Runner::Trial;
    }
    let begun = Instant::now();
    let found = clerk.ask(&draw.setting, Request::Simulate(request), stop)?;
    let played = begun.elapsed().as_secs_f64() * 1e3;
    let notes = found.notes.clone();
    let mut report = document(found)?;
    if is_few {
        report.repeat = report.repeat.replace(" --runner trial", "");
    }
    let live = Live::of(&report);
    let metrics = live.metrics();
    let whose = live.whose.get(draw.whose).or(live.whose.first());
    let whose = whose.ok_or_else(|| Wrong(422, "nothing was measured".into()))?;
    let has_shape = |metric: &str| live.values(metric, whose).iter().nth(1).is_some();
    let metric = shown(draw.setting.metric.as_deref(), &metrics, live.whose.len() > 1, has_shape);
    let before = draw
        .before
        .as_ref()
        .filter(|seen| seen.values.len() <= VALUES)
        .map(|seen| Before { names: seen.names.clone(), values: Histogram::from(seen.values.clone()) });
    let distribution = live.distribution(&metric, whose, before.as_ref());
    let values: Vec<_> = live.values(&metric, whose).iter().collect();
    let survival = live.survival(whose);
    let others = charts(&report).into_iter().filter(|chart| !is_distribution(chart));
    let charts = std::iter::once(&distribution).chain(others).chain(&survival);
    let charts = charts.map(|chart| json!({ "title": chart.title, "html": html::chart(chart, 2) }));
    let told = live.whose.iter().map(|one| match one.seat {
        Some(seat) if live.whose.len() > 1 => format!("Seat {seat} · {}", one.policy),
        _ => one.policy.clone(),
    });
    let figures = live.figures(&metric, whose, draw.seconds.clamp(0.0, 3600.0));
    Ok(json!({
        "trials": draw.trials, "played": played, "head": report.head, "answer": report.answer, "warnings": report.warnings, "notes": notes,
        "metric": metric, "metrics": metrics, "whose": told.collect::<Vec<_>>(),
        "figures": figures.iter().map(figure).collect::<Vec<_>>(), "values": values,
        "charts": charts.collect::<Vec<_>>(), "command": report.repeat,
    }))
}

/// The metric that is shown: the one that is asked for, or the first that has something to draw.
fn shown(
    wanted: Option<&str>,
    metrics: &[(String, String)],
    is_many: bool,
    has_shape: impl Fn(&str) -> bool,
) -> String {
    let names = || metrics.iter().map(|(name, _)| name);
    let wanted = wanted.and_then(|wanted| names().find(|name| *name == wanted));
    // Wins have no shape, and points pile up where the game ends.
    let length = || names().find(|name| is_many && *name == "turns" && has_shape(name));
    let is_own = |name: &str| !["win", "share", "turns", "rolls", "busts"].contains(&name);
    let own = || names().find(|name| is_many && is_own(name) && has_shape(name));
    wanted.or_else(length).or_else(own).or_else(|| names().next()).cloned().unwrap_or_default()
}

/// The charts of a report.
pub(super) fn charts(report: &Report) -> Vec<&Chart> {
    let blocks = report.sections.iter().flat_map(|section| &section.blocks);
    let charts = blocks.filter_map(|block| match block {
        Block::Chart(chart) => Some(chart),
        _ => None,
    });
    charts.collect()
}

/// Whether a chart of a simulation is the distribution, which is drawn here in another way.
fn is_distribution(chart: &Chart) -> bool {
    chart.sentence.starts_with("How often each value of ")
}

fn figure(of: &Figure) -> Value {
    json!({
        "key": of.key, "title": of.title, "value": of.value, "text": of.text, "interval": of.interval, "half": of.half,
        "scale": of.difference.0, "unit": of.difference.1,
    })
}
