//! The comparison report as text.

use std::fmt::Write as _;

use stopwise_analysis::estimate::{Summary, unsigned_zero};
use stopwise_analysis::paired::{
    MeanDifference, WinTieLoss, early_difference, quantile_differences, variance_ratio,
};
use stopwise_engine::paired::PairTally;

use super::{ComparisonReport, PartingReport};
use crate::numbers::trials;
use crate::report::words::{percent, points, range, rounded};

/// The whole text.
pub(crate) fn text(compared: &ComparisonReport) -> String {
    let mut out = String::new();
    let _ = writeln!(
        out,
        "{} · rules {} · {} policies on the same {} · seed {}",
        compared.game,
        compared.rules,
        compared.lineups.len(),
        trials(compared.trials()),
        compared.seed
    );
    if compared.is_rotated {
        let seats = compared.seats;
        let _ = writeln!(
            out,
            "What is compared is the first policy of each line-up, in all {seats} seats in turn."
        );
    } else if compared.seats > 1 {
        let _ = writeln!(out, "What is compared is seat 1 of {}, and its policy's line-up.", compared.seats);
    }
    if let Some(stopped) = &compared.stopped {
        let _ = writeln!(out, "{stopped}");
    }
    for ((at, pair), partings) in compared.pairs().zip(&compared.partings) {
        let [a, b] = compared.names(pair);
        let _ = writeln!(out, "\nA {a}\nB {b}\n");
        sentences(&mut out, compared, at, pair);
        metrics(&mut out, compared, at, pair);
        quantiles(&mut out, compared, pair);
        early(&mut out, compared, pair);
        if compared.is_divergent {
            divergent(&mut out, compared, partings);
        }
    }
    out
}

/// Sentences about the first metric.
fn sentences(out: &mut String, compared: &ComparisonReport, at: usize, pair: &PairTally) {
    let (about, differences) = (&compared.metrics[0], &pair.metrics[0]);
    let Some(mean) = MeanDifference::of(differences) else { return };
    let duel = WinTieLoss::of(differences, about.better);
    let share = |count: u64| percent(count as f64 / pair.trials as f64);
    let [a, b] = compared.names(pair);
    // A 0/1 metric is shown as a percentage.
    let (scale, verb, unit, more) = match about.name {
        "win" => (100.0, "wins", "percentage points", ["more often", "less often"]),
        _ => (1.0, "has", about.unit, ["more", "less"]),
    };
    let (size, more) = (scale * mean.value.abs(), more[usize::from(mean.value < 0.0)]);
    let interval = compared.mean_difference(at, 0).and_then(|found| found.interval);
    let half =
        interval.map_or_else(String::new, |interval| format!(" ± {:.3}", scale * interval.half_width()));
    if duel.equal == pair.trials {
        let _ = writeln!(out, "{a} and {b} have the same {} in every trial.", about.name);
    } else {
        let _ = writeln!(
            out,
            "{a} {verb} {size:.3}{half} {unit} {more} than {b}; better in {} of the trials, equal in {}, worse in {}.",
            share(duel.a_better),
            share(duel.equal),
            share(duel.b_better)
        );
    }
    if duel.equal < pair.trials && interval.is_some_and(|interval| interval.low < 0.0 && interval.high > 0.0)
    {
        let _ = writeln!(out, "The interval holds 0: these trials do not say which has more.");
    }
    if pair.identical == pair.trials {
        let differing = compared.stopping().share(0, pair.trials);
        let most = at_most(differing.interval.map_or(1.0, |interval| interval.high));
        let _ = writeln!(
            out,
            "Every trial is the same game under both: if they differ at all, then in at most {most} of them ({}).",
            differing.level
        );
    } else {
        let _ = writeln!(out, "The same game in {} of the trials.", share(pair.identical));
    }
}

/// A share, as `1 of n` if it is too small for per cent.
fn at_most(share: f64) -> String {
    if share >= 1e-3 { percent(share) } else { format!("1 of {:.0}", (1.0 / share).floor()) }
}

fn metrics(out: &mut String, compared: &ComparisonReport, at: usize, pair: &PairTally) {
    let _ = writeln!(
        out,
        "\n{:<14}{:>10}{:>10}{:>10}{:>10}{:>11}{:>10}{:>10}{:>10}",
        "", "A", "B", "A − B", "± 95 %", "A better", "equal", "B better", "variance"
    );
    for (metric, differences) in pair.metrics.iter().enumerate() {
        let about = &compared.metrics[metric];
        let [hist_a, hist_b] = compared.histograms(pair, metric);
        let (Some(mean), Some(a), Some(b)) =
            (MeanDifference::of(differences), Summary::of(&hist_a), Summary::of(&hist_b))
        else {
            continue;
        };
        let duel = WinTieLoss::of(differences, about.better);
        let interval = compared.mean_difference(at, metric).and_then(|found| found.interval);
        let half = interval.map_or_else(|| "–".into(), |interval| format!("{:.3}", interval.half_width()));
        let ratio = variance_ratio(differences, &hist_a, &hist_b);
        let ratio = ratio.map_or_else(|| "–".into(), |ratio| format!("{ratio:.2} ×"));
        let [a_better, equal, b_better] = [duel.a_better, duel.equal, duel.b_better]
            .map(|count| percent(count as f64 / pair.trials as f64));
        let value = rounded(mean.value, 3);
        let _ = writeln!(
            out,
            "{:<14}{:>10.3}{:>10.3}{value:>+10.3}{half:>10}{a_better:>11}{equal:>10}{b_better:>10}{ratio:>10}   {}",
            about.name, a.mean, b.mean, about.unit
        );
    }
    let _ = writeln!(
        out,
        "{:14}method: {}; variance: of independent runs, by that of this paired one",
        "",
        methods(compared)
    );
}

/// The method of the intervals; two if that of the first metric differs from that of the others.
fn methods(compared: &ComparisonReport) -> String {
    let method = |metric| compared.comparison.means.method(metric);
    let first = method(0);
    match (1..compared.metrics.len()).map(method).find(|&other| other != first) {
        Some(other) => format!("{first} ({}); {other}", compared.metrics[0].name),
        None => first.to_string(),
    }
}

fn quantiles(out: &mut String, compared: &ComparisonReport, pair: &PairTally) {
    let [a, b] = compared.histograms(pair, 0);
    // The quantiles of a 0/1 metric say nothing beyond its mean.
    if [&a, &b].iter().all(|histogram| histogram.iter().all(|(value, _)| value < 2)) {
        return;
    }
    let title = format!("{} at", compared.metrics[0].name);
    let _ = writeln!(out, "\n{title:<14}{:>10}{:>10}{:>10}   95 %", "A", "B", "A − B");
    let differences = quantile_differences(&a, &b, compared.stopping());
    for quantile in &differences {
        let limits = match quantile.difference.interval {
            None => "too few trials".into(),
            known => range(|limit| format!("{:+}", unsigned_zero(limit)), known),
        };
        let _ = writeln!(
            out,
            "{:<14}{:>10}{:>10}{:>+10}   {limits}",
            format!("{:.0} %", 100.0 * quantile.share),
            quantile.a,
            quantile.b,
            quantile.value()
        );
    }
    if let Some(quantile) = differences.first() {
        let _ = writeln!(out, "{:14}method: {}", "", quantile.difference.method);
    }
}

fn early(out: &mut String, compared: &ComparisonReport, pair: &PairTally) {
    let Some(estimate) = early_difference(pair, compared.stopping()) else { return };
    let [a, b] = [pair.early[1][0], pair.early[0][1]]
        .map(|alone| percent((alone + pair.early[1][1]) as f64 / pair.trials as f64));
    let _ = writeln!(
        out,
        "\nEnded early   A {a}, B {b}; A − B {} percentage points ({}: {}; {})",
        points(estimate.value),
        estimate.level,
        range(points, estimate.interval),
        estimate.method
    );
}

fn divergent(out: &mut String, compared: &ComparisonReport, partings: &[PartingReport]) {
    if partings.is_empty() {
        let _ = writeln!(out, "\nThey never part.");
        return;
    }
    let _ = writeln!(
        out,
        "\nWhere they part first (see `stopwise replay{} --seed {} --trial N`)",
        if compared.is_rotated { " --rotate" } else { "" },
        compared.seed
    );
    for told in partings {
        let seat = if compared.seats > 1 { format!(" seat {},", told.seat) } else { String::new() };
        let _ = writeln!(
            out,
            "  trial {},{seat} turn {}, {}: A {}, B {}",
            told.trial, told.turn, told.kind, told.a, told.b
        );
    }
}
