//! The tables of a comparison. Of two policies everything is shown; of more the terminal has every policy against every
//! other, and pages have the tables of every pair.

use stopwise_analysis::estimate::Summary;
use stopwise_analysis::paired::{early_difference, quantile_differences, variance_ratio};
use stopwise_document::{Block, Report, Section, View};
use stopwise_engine::paired::PairTally;

use super::{ComparisonReport, Parted, charts, matrix, own_digits};
use crate::numbers::{MEAN, POINTS, VALUE, as_read};
use crate::words::percent;

/// With more policies a line for every pair is too long for a terminal.
const LISTED: usize = 10;
/// With more pairs a page lists those with the best policy alone.
const MOST_LISTED: usize = 500;
/// Pairs with tables and pictures of their own.
const DETAILED: usize = 4;

/// Adds all sections.
pub(super) fn sections(report: &mut Report, compared: &ComparisonReport) {
    if compared.is_many() {
        report.section(matrix::section(compared));
        report.section(pairs(compared));
    }
    let detailed = detailed(compared);
    for (at, pair) in compared.pairs().filter(|(at, _)| detailed.contains(at)) {
        let [a, b] = compared.names(pair);
        let mut section = Section::new(format!("A {a} · B {b}"));
        let add = |section: &mut Section, view: View| match compared.is_many() {
            true => section.blocks.push(Block::Long(view)),
            false => section.view(view),
        };
        if let Some(chart) = charts::distributions(compared, pair) {
            section.chart(chart);
        }
        section.chart(charts::duels(compared, pair));
        add(&mut section, metrics(compared, at, pair));
        if let Some(chart) = charts::quantiles(compared, pair) {
            section.chart(chart);
            add(&mut section, quantiles(compared, pair));
        }
        if compared.is_many() {
            add(&mut section, early_table(compared, pair));
        } else if let Some(early) = early(compared, pair) {
            section.sentence(early);
        }
        report.section(section);
    }
    if compared.is_divergent {
        report.section(divergent(compared));
    }
}

/// The pairs whose tables and pictures a page shows: all, or where there are many those with the first of all policies. With
/// hundreds it would be a page that nobody reads.
fn detailed(compared: &ComparisonReport) -> Vec<usize> {
    let all: Vec<_> = compared.pairs().collect();
    let first = compared.order().first().map_or(0, |&(first, _)| first);
    let is_shown = |pair: &PairTally| all.len() <= DETAILED || pair.a == first || pair.b == first;
    let shown = all.iter().filter(|(_, pair)| is_shown(pair)).map(|&(at, _)| at);
    shown.take(DETAILED).collect()
}

/// The metric that judges every pair, a line each; of very many pairs, of those with the first of all policies.
fn pairs(compared: &ComparisonReport) -> Section {
    let (scale, unit) = compared.reading();
    let name = compared.metric().word();
    let first = compared.order().first().map_or(0, |&(first, _)| first);
    let all = compared.pairs().count();
    let is_listed = |pair: &PairTally| all <= MOST_LISTED || pair.a == first || pair.b == first;
    let (which, caption) = match all <= MOST_LISTED {
        true => ("Every pair", "The mean difference of every pair, on the same dice"),
        false => (
            "Every pair with the best",
            "The mean difference of every pair with the policy of the best mean, on the same dice",
        ),
    };
    let mut view = View::new("")
        .captioned(caption)
        .texts("A")
        .texts("B")
        .heads()
        .numbers("A − B")
        .numbers("± 95 %")
        .texts("");
    view = view.numbers("A better").numbers("equal").numbers("B better").numbers("same game");
    for (at, pair) in compared.pairs().filter(|(_, pair)| is_listed(pair)) {
        let Some(found) = compared.difference(at, compared.judged()) else { continue };
        let [a, b] = compared.names(pair);
        let share = |count: u64| percent(count as f64 / pair.trials.max(1) as f64);
        view.row([
            a.to_owned(),
            b.to_owned(),
            found.shown(scale),
            found.half(scale),
            if matrix::is_open(&found) { "≈".into() } else { String::new() },
            share(found.duel.a_better),
            share(found.duel.equal),
            share(found.duel.b_better),
            if compared.is_of_same_rules(pair) { share(pair.identical) } else { "–".into() },
        ]);
    }
    let mut section = Section::new(format!("{which}: {name} ({unit})"));
    match compared.sides.len() > LISTED {
        true => section.blocks.push(Block::Long(view)),
        false => section.view(view),
    }
    let shown = detailed(compared).len();
    if shown < all {
        section.note(format!(
            "{shown} of {all} pairs have pictures and tables of their own here; the files have all of every pair."
        ));
    }
    section
}

fn metrics(compared: &ComparisonReport, at: usize, pair: &PairTally) -> View {
    let mut view = View::new("")
        .captioned("Means of both, their difference on the same dice, and who has more in how many trials")
        .texts("")
        .numbers("A")
        .numbers("B")
        .numbers("A − B")
        .numbers("± 95 %");
    view = view.numbers("A more").numbers("equal").numbers("B more").numbers("variance").texts("");
    for (metric, differences) in pair.metrics.iter().enumerate() {
        let about = &compared.metrics[metric];
        let [a, b] = compared.histograms(pair, metric);
        let (Some(found), Some(mean_a), Some(mean_b)) =
            (compared.difference(at, metric), Summary::of(&a), Summary::of(&b))
        else {
            continue;
        };
        let ratio = variance_ratio(differences, &a, &b);
        let (scale, unit) = as_read(about);
        let share = |count: u64| percent(count as f64 / pair.trials as f64);
        view.row([
            about.word().to_owned(),
            own_digits(MEAN.times(scale), &mean_a),
            own_digits(MEAN.times(scale), &mean_b),
            found.shown(scale),
            found.half(scale),
            share(differences.more()),
            share(differences.equal()),
            share(differences.less()),
            ratio.map_or_else(|| "–".into(), |ratio| format!("{ratio:.2} ×")),
            unit.to_owned(),
        ]);
    }
    view.note(compared.intervals());
    view.note(format!("method: {}", methods(compared)));
    view.note("variance: that of independent runs, as a multiple of that of this paired one");
    view
}

/// The methods of the intervals, of shares and of other means: that of fewer metrics with their names.
fn methods(compared: &ComparisonReport) -> String {
    let means = &compared.comparison.means;
    let (shares, others): (Vec<usize>, Vec<_>) =
        (0..compared.metrics.len()).partition(|&metric| means.is_share(metric));
    let (few, many) = if shares.len() > others.len() { (others, shares) } else { (shares, others) };
    let method = |metric: usize| means.method(metric).in_words();
    let names: Vec<_> = few.iter().map(|&metric| compared.metrics[metric].word()).collect();
    let of_few = few.first().map(|&metric| format!("{} ({}); ", method(metric), names.join(", ")));
    format!("{}{}", of_few.unwrap_or_default(), many.first().copied().map(method).unwrap_or_default())
}

fn quantiles(compared: &ComparisonReport, pair: &PairTally) -> View {
    let metric = compared.judged();
    let [a, b] = compared.histograms(pair, metric);
    let mut view = View::new("")
        .captioned("Quantiles of both, and how far they are apart")
        .texts(format!("{} at", compared.metrics[metric].word()));
    view = view.numbers("A").numbers("B").numbers("A − B").texts("95 %");
    let differences = quantile_differences(&a, &b, compared.stopping());
    for quantile in &differences {
        let limits = match quantile.difference.interval {
            None => "too few trials".into(),
            known => VALUE.signed().range(known),
        };
        view.row([
            format!("{:.0} %", 100.0 * quantile.share),
            quantile.a.to_string(),
            quantile.b.to_string(),
            format!("{:+}", quantile.value()),
            limits,
        ]);
    }
    if let Some(quantile) = differences.first() {
        view.note(format!("method: {}", quantile.difference.method.in_words()));
    }
    view
}

/// How often A and B end early, as shares of the trials.
fn early_shares(pair: &PairTally) -> [String; 2] {
    let both = pair.early[1][1];
    [pair.early[1][0], pair.early[0][1]].map(|alone| percent((alone + both) as f64 / pair.trials as f64))
}

fn early(compared: &ComparisonReport, pair: &PairTally) -> Option<String> {
    let estimate = early_difference(pair, compared.stopping())?;
    let [a, b] = early_shares(pair);
    Some(format!(
        "Ended early: A {a}, B {b}; A − B {} percentage points ({}: {}; {})",
        POINTS.fine(estimate.interval).number(estimate.value),
        estimate.level,
        POINTS.range(estimate.interval),
        estimate.method.in_words()
    ))
}

fn early_table(compared: &ComparisonReport, pair: &PairTally) -> View {
    let mut view =
        View::new("").texts("").numbers("A").numbers("B").numbers("A − B (%-points)").texts("95 %");
    if let Some(estimate) = early_difference(pair, compared.stopping()) {
        let [a, b] = early_shares(pair);
        let style = POINTS.fine(estimate.interval);
        let (value, limits) = (style.number(estimate.value), style.range(estimate.interval));
        view.row(["ended early".into(), a, b, value, limits]);
        view.note(format!("method: {}", estimate.method.in_words()));
    }
    view
}

/// The trials in which pairs differ.
fn divergent(compared: &ComparisonReport) -> Section {
    let mut section =
        Section::new("The first trials in which they differ, at the first decision that differs");
    let (many, seats) = (compared.is_many(), compared.seats > 1);
    let mut view = View::new("").numbers("trial");
    if many {
        view = view.texts("A").texts("B");
    }
    if seats {
        view = view.numbers("seat");
    }
    view = view.numbers("turn").texts("decision").texts("A decides").texts("B decides");
    for ((_, pair), divergences) in compared.pairs().zip(&compared.divergences) {
        let [a, b] = compared.names(pair);
        if divergences.is_empty() {
            let who = if many { format!("{a} and {b}") } else { "They".into() };
            section.sentence(format!("{who} never differ in these trials."));
        }
        for Parted { trial, first } in divergences {
            let mut row = vec![trial.to_string()];
            if many {
                row.extend([a, b].map(str::to_owned));
            }
            if seats {
                row.push((first.seat + 1).to_string());
            }
            row.extend([first.turn.to_string(), first.kind.to_owned(), first.a.clone(), first.b.clone()]);
            view.row(row);
        }
    }
    if !view.rows.is_empty() {
        view.note(format!("To see one: {} --trial N --policy …", compared.replay));
    }
    section.view(view);
    section
}
