//! The tables and pictures of a simulation.

use stopwise_analysis::estimate::QUANTILES;
use stopwise_analysis::seats::Standing;
use stopwise_document::{Block, Report, Section, View};
use stopwise_engine::game::{Event, Metric};
use stopwise_engine::tally::Histogram;

use super::asked::{self, Answer};
use super::{Measured, SimulationReport, charts, turns, wins};
use crate::numbers::{MEAN, PERCENT, as_read};
use crate::words::percent;

/// Adds all sections.
pub(super) fn sections(
    report: &mut Report,
    found: &SimulationReport,
    standings: &[Measured],
    told: &[&Measured],
    answers: &[Answer],
) {
    let many = found.policies.len() > 1;
    let mut distribution = Section::default();
    charts::distribution(found, told).into_iter().for_each(|chart| distribution.chart(chart));
    // The first picture is the one that was asked for, or else who wins.
    if many && found.drawn.is_some() {
        report.section(std::mem::take(&mut distribution));
    }
    if many {
        report.section(wins::wins(found, standings));
    }
    let are_same = are_same(found, told);
    for measured in &told[..if are_same { 1 } else { told.len() }] {
        let label = &found.policies[measured.standing.policy];
        let mut section = Section::new(match (many, are_same) {
            (false, _) => String::new(),
            (true, false) => whose(found, &measured.standing),
            (true, true) => format!("Every seat · {label}, with the same numbers"),
        });
        let mut view = metrics(found, measured);
        if are_same && told[0].standing.tally.metrics != told[1].standing.tally.metrics {
            view.note("Dice that are rolled for all count for seat 1.");
        }
        section.view(view);
        report.section(section);
    }
    report.section(distribution);
    report.section(asked::section(found, answers));
    report.section(endings(found));
    let mut survival = turns::chart(found, told);
    let turns = if found.is_rotated() { Vec::new() } else { turns::sections(found, told) };
    for mut section in turns {
        section.blocks.extend(survival.take().map(Block::Chart));
        report.section(section);
    }
}

/// Whether all seats have the same policy and the same numbers, as where all answer alike to the same dice; but for rolls for all of
/// them, which count for one.
fn are_same(found: &SimulationReport, told: &[&Measured]) -> bool {
    let [Measured { standing: first, .. }, rest @ ..] = told else { return false };
    let is_same = |other: &Standing| {
        let both = first.tally.metrics.iter().zip(&other.tally.metrics).zip(&found.metrics);
        let is_roll =
            |metric: &Metric, of: &Histogram| metric.counts(Event::ROLL) && of.count(0) == of.total();
        first.tally.busts == other.tally.busts
            && both.into_iter().all(|((one, other), metric)| one == other || is_roll(metric, other))
    };
    !rest.is_empty()
        && rest.iter().all(|other| found.policies[other.standing.policy] == found.policies[first.policy])
        && rest.iter().all(|other| is_same(&other.standing))
}

/// The title of a standing.
fn whose(found: &SimulationReport, standing: &Standing) -> String {
    let label = &found.policies[standing.policy];
    match standing.seat {
        Some(seat) => format!("Seat {} · {label}", seat + 1),
        None => format!("{label} · all seats"),
    }
}

fn metrics(found: &SimulationReport, measured: &Measured) -> View {
    let mut view = View::new("").captioned("What was measured of every trial: means with their intervals, and the values that 1 to 99 % of the trials do not exceed").texts("").numbers("mean").numbers("± 95 %").numbers("std dev");
    for quantile in QUANTILES {
        let name = if quantile == 0.5 { "median".to_owned() } else { format!("{:.0} %", 100.0 * quantile) };
        view = view.numbers(name);
    }
    view = view.numbers("max").texts("");
    for ((metric, summary), mean) in found.metrics.iter().zip(&measured.summaries).zip(&measured.means) {
        // Of a game of cards nobody asks how often dice are rolled.
        let Some(s) = summary.as_ref().filter(|s| s.max > 0 || !metric.counts(Event::ROLL)) else { continue };
        let (scale, unit) = as_read(metric);
        let interval = mean.and_then(|mean| mean.interval);
        // Where all values are equal, nothing says how far others may be off.
        let known = interval.filter(|_| s.min < s.max);
        let half = known.map_or_else(|| "–".into(), |interval| MEAN.times(scale).reach(s.mean, interval));
        let style = MEAN.times(scale).fine(known);
        let value = |value: u32| MEAN.times(scale).as_asked(value.into());
        let deviation = s.std_dev.map_or_else(|| "–".into(), |deviation| style.number(deviation));
        let mut row = vec![metric.word().to_owned(), style.number(s.mean), half, deviation];
        row.extend(s.quantiles.map(value));
        row.extend([value(s.max), unit.to_owned()]);
        view.row(row);
    }
    view
}

fn endings(found: &SimulationReport) -> Section {
    let trials = found.tally.trials;
    let all = || found.endings.iter().zip(&found.tally.endings);
    let early: u64 = all().filter(|(ending, _)| ending.early).map(|(_, count)| count).sum();
    let share = found.stop.stopping.share(early, trials);
    let mut section = Section::default();
    let early = format!(
        "Ended early: {} of the trials ({}: {})",
        PERCENT.fine(share.interval).number(share.value),
        share.level,
        PERCENT.range(share.interval)
    );
    let mut view = View::new(early).texts("").numbers("").texts("");
    for (ending, &count) in all() {
        view.row([
            ending.name.to_owned(),
            percent(count as f64 / trials.max(1) as f64),
            ending.meaning.to_owned(),
        ]);
    }
    section.view(view);
    section.chart(charts::endings(found));
    section
}
