//! Many policies at once: every one against every other.

use stopwise_document::chart::{Axis, Heat, Heated, Panel, Plot, Tone};
use stopwise_document::{Block, Chart, Section, View};
use stopwise_engine::game::Better;

use super::{ComparisonReport, Difference};
use crate::numbers::{MEAN, as_read};
use crate::words::pair;

/// With more policies there are too many cells for a terminal.
const WIDE: usize = 12;
/// With more there are too many for a page.
const MOST: usize = 60;

/// The section, by the metric that judges.
pub(super) fn section(compared: &ComparisonReport) -> Section {
    let name = compared.metric().word();
    let of = compared.whose().map_or_else(String::new, |whose| format!(" of {whose}"));
    let mut section = Section::new(format!("Every policy against every other: {name}{of}"));
    let order = compared.order();
    let is_wide = order.len() > WIDE;
    if is_wide {
        section.view(to_first(compared, &order));
    }
    if order.len() <= MOST {
        let views = [differences(compared, &order), better(compared, &order)];
        for view in views {
            section.blocks.push(if is_wide { Block::Long(view) } else { Block::View(view) });
        }
        section.chart(chart(compared, &order));
    }
    section.note(compared.intervals());
    section.note(format!("method: {}", compared.comparison.means.method(compared.judged()).in_words()));
    section
}

/// The policies as rows, the best first, each with its place and its mean.
fn rows(compared: &ComparisonReport, order: &[(usize, f64)]) -> Vec<[String; 2]> {
    let (scale, _) = compared.reading();
    let width = order.len().to_string().len();
    let row = |(place, &(lineup, _)): (usize, &(usize, f64))| {
        let label = format!("{:>width$} {}", place + 1, compared.name(lineup));
        [label, compared.own_mean(lineup, MEAN.times(scale))]
    };
    order.iter().enumerate().map(row).collect()
}

/// The unit of a mean as it is shown.
fn unit(compared: &ComparisonReport) -> &'static str {
    if compared.metric().is_won() { "% of the games" } else { compared.metric().unit }
}

/// A table with a column for every policy.
fn table(
    compared: &ComparisonReport,
    order: &[(usize, f64)],
    title: String,
    cell: impl Fn(&Difference) -> String,
) -> View {
    let mut view = View::new(title).texts("row less column").numbers("mean");
    for place in 1..=order.len() {
        view = view.numbers(place.to_string());
    }
    for (head, &(one, _)) in rows(compared, order).into_iter().zip(order) {
        let cells = order.iter().map(|&(other, _)| match compared.between(one, other) {
            Some(found) if one != other => cell(&found),
            _ => "–".into(),
        });
        view.row(head.into_iter().chain(cells));
    }
    view
}

fn differences(compared: &ComparisonReport, order: &[(usize, f64)]) -> View {
    let (scale, unit_of_it) = compared.reading();
    let better = match compared.metric().better {
        Better::Higher => "",
        Better::Lower => "; less is better",
    };
    let title = match unit_of_it == unit(compared) {
        true => format!("Mean differences ({unit_of_it}{better})"),
        false => format!("Mean differences ({unit_of_it}; means in {}{better})", unit(compared)),
    };
    let cell = |found: &Difference| {
        let open = if is_open(found) { "≈" } else { " " };
        format!("{} ± {}{open}", found.shown(scale), found.half(scale))
    };
    let mut view = table(compared, order, title, cell);
    if view.rows.iter().flatten().any(|cell| cell.ends_with('≈')) {
        view.note("≈ these trials do not show which is better");
    }
    view
}

/// From so many trials on a difference that all of them have is that of most, at 95 %: 0.975 to the power of 1 / n is above one half.
const ENOUGH: u64 = 6;

/// Whether it is not known who does better. A difference that all of enough trials have has no interval, and is no less known for that.
pub(super) fn is_open(found: &Difference) -> bool {
    let is_always = found.mean.trials >= ENOUGH && found.mean.spread == 0.0 && found.mean.value != 0.0;
    found.is_a_better().is_none() && !(is_always && found.estimate.interval.is_none())
}

fn better(compared: &ComparisonReport, order: &[(usize, f64)]) -> View {
    let trials = compared.trials().max(1) as f64;
    let cell = |found: &Difference| format!("{:.2}", 100.0 * found.duel.a_better as f64 / trials);
    let title = "Trials in which the row does better than the column (%)".to_owned();
    let mut view = table(compared, order, title, cell);
    if let Some(first) = view.columns.first_mut() {
        first.text = "row better".into();
    }
    view.note(
        "what a cell and the one across the diagonal lack of 100 % are trials in which both do equally well",
    );
    view
}

/// Every policy against the best seen.
fn to_first(compared: &ComparisonReport, order: &[(usize, f64)]) -> View {
    let (scale, unit_of_it) = compared.reading();
    let mut view = View::new(format!("Against the first ({unit_of_it})"));
    view =
        view.texts("").numbers("mean").numbers("less the first").numbers("± 95 %").numbers("better than it");
    let first = order.first().map_or(0, |&(first, _)| first);
    let trials = compared.trials().max(1) as f64;
    for (head, &(one, _)) in rows(compared, order).into_iter().zip(order) {
        let found = compared.between(one, first);
        let cells = match &found {
            None => [const { String::new() }; 3],
            Some(found) => [
                found.shown(scale),
                found.half(scale),
                crate::words::percent(found.duel.a_better as f64 / trials),
            ],
        };
        view.row(head.into_iter().chain(cells));
    }
    view
}

fn chart(compared: &ComparisonReport, order: &[(usize, f64)]) -> Chart {
    let names: Vec<_> = order.iter().map(|&(lineup, _)| compared.name(lineup).to_owned()).collect();
    let metric = compared.metric();
    let (scale, _) = as_read(metric);
    let cell = |one: usize, other: usize| {
        let found = compared.between(one, other)?;
        let tone = match found.is_a_better() {
            Some(true) => Tone::Best,
            Some(false) => Tone::Bad,
            None => Tone::Plain,
        };
        let interval = pair(found.estimate.times(scale).interval);
        Some(Heated { interval, tone, ..Heated::of(scale * found.mean.value) })
    };
    let cells = order.iter().map(|&(one, _)| order.iter().map(|&(other, _)| cell(one, other)).collect());
    let value = match metric.is_won() {
        true => Axis::points("difference of the shares won, row less column"),
        false => Axis::of(format!("difference of {}, row less column", metric.word()), metric.unit),
    };
    let plot = Heat {
        x: Axis::levels("less", names.clone()),
        y: Axis::levels("", names),
        value,
        panels: vec![Panel { title: String::new(), cells: cells.collect() }],
        middle: Some(0.0),
        is_lower_better: metric.better == Better::Lower,
        legend: "* the row is known to be better, ▾ to be worse (95 %, each by itself)".into(),
    };
    let sentence =
        format!("The mean {} of the row less that of the column, on the same trials.", metric.word());
    Chart::new("Mean differences", sentence, Plot::Heat(plot))
}
