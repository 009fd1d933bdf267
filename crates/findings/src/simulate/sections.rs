//! The tables and pictures of a simulation.

use stopwise_analysis::estimate::QUANTILES;
use stopwise_analysis::seats::Standing;
use stopwise_report::{Block, Report, Section, View};

use super::sheets::turns_of;
use super::{SimulationReport, asked, charts, summary, wins};
use crate::words::{percent, range};

/// Turns listed before the rest is summarised.
const TURNS: usize = 20;

/// Adds all sections.
pub(super) fn sections(report: &mut Report, found: &SimulationReport) {
    let many = found.policies.len() > 1;
    let told = found.told();
    let mut distribution = Section::default();
    charts::distribution(found, &told).into_iter().for_each(|chart| distribution.chart(chart));
    // The first picture is the one that was asked for, or else who wins.
    if many && found.drawn.is_some() {
        report.section(std::mem::take(&mut distribution));
    }
    if many {
        report.section(wins::wins(found));
    }
    for standing in &told {
        let mut section = Section::new(if many { whose(found, standing) } else { String::new() });
        section.view(metrics(found, standing));
        report.section(section);
    }
    report.section(distribution);
    report.section(asked::section(found));
    report.section(endings(found));
    let mut survival = charts::survival(found, &told);
    for standing in told.iter().filter(|_| !found.is_rotated()) {
        let mut section = turns(found, standing, many);
        section.blocks.extend(survival.take().map(Block::Chart));
        report.section(section);
    }
}

/// The title of a standing.
fn whose(found: &SimulationReport, standing: &Standing) -> String {
    let label = &found.policies[standing.policy];
    match standing.seat {
        Some(seat) => format!("Seat {} · {label}", seat + 1),
        None => format!("{label} · all seats"),
    }
}

fn metrics(found: &SimulationReport, standing: &Standing) -> View {
    let mut view = View::new("").captioned("What was measured of every trial: means with their intervals, and the values that 1 to 99 % of the trials do not exceed").texts("").numbers("mean").numbers("± 95 %").numbers("std dev");
    for quantile in QUANTILES {
        let name = if quantile == 0.5 { "median".to_owned() } else { format!("{:.0} %", 100.0 * quantile) };
        view = view.numbers(name);
    }
    view = view.numbers("max").texts("");
    for (at, (metric, histogram)) in found.metrics.iter().zip(&standing.tally.metrics).enumerate() {
        let Some(s) = summary(standing, histogram) else { continue };
        let interval = found.mean(standing, at).and_then(|mean| mean.interval);
        let half = interval.map_or_else(|| "–".into(), |interval| format!("{:.3}", interval.half_width()));
        let deviation = s.std_dev.map_or_else(|| "–".into(), |deviation| format!("{deviation:.3}"));
        let mut row = vec![metric.name.to_owned(), format!("{:.3}", s.mean), half, deviation];
        row.extend(s.quantiles.map(|value| value.to_string()));
        row.extend([s.max.to_string(), metric.unit.to_owned()]);
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
        percent(share.value),
        share.level,
        range(&percent, share.interval)
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

fn turns(found: &SimulationReport, standing: &Standing, many: bool) -> Section {
    let turns = turns_of(found, standing);
    let trials = found.tally.trials.max(1) as f64;
    let title = match standing.seat.filter(|_| many) {
        Some(seat) => format!("Turn of seat {}", seat + 1),
        None => "Turn".into(),
    };
    let mut view = View::new("")
        .captioned("How many trials reach a turn, end with it, and lose it to the dice")
        .numbers(title)
        .numbers("reached")
        .numbers("last turn")
        .numbers("bust if reached");
    for turn in turns.iter().take(TURNS) {
        view.row([
            turn.number.to_string(),
            percent(turn.reached as f64 / trials),
            percent(turn.ended_here as f64 / trials),
            percent(turn.busts as f64 / turn.reached.max(1) as f64),
        ]);
    }
    if let Some(next) = turns.get(TURNS) {
        let share = percent(next.reached as f64 / trials);
        let last = turns.last().map_or(0, |turn| turn.number);
        view.note(format!("Later turns, up to {last}: reached by {share}."));
    }
    let mut section = Section::default();
    section.view(view);
    section
}
