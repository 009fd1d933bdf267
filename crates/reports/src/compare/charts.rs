//! The pictures of a pair: both distributions, their quantiles, and how often which has more.

use std::borrow::Cow;

use stopwise_analysis::paired::quantile_differences;
use stopwise_document::Chart;
use stopwise_document::chart::{Axis, Bars, Bins, Intervals, Lines, Mark, Plot, Row};
use stopwise_engine::paired::PairTally;
use stopwise_engine::tally::Histogram;

use super::ComparisonReport;
use crate::bins::{Breaks, bins, cumulative};
use crate::words::pair as limits;

/// Whether a metric is 0 or 1, which its mean says all of.
pub(super) fn is_share(histograms: &[Cow<'_, Histogram>; 2]) -> bool {
    histograms.iter().all(|histogram| histogram.iter().all(|(value, _)| value < 2))
}

/// Both distributions of the metric that was asked for, or else of the first that has more than two values.
pub(super) fn distributions(compared: &ComparisonReport, pair: &PairTally) -> Option<Chart> {
    let has_values =
        |&metric: &usize| !compared.metrics[metric].is_won() && !is_share(&compared.histograms(pair, metric));
    let asked = compared.drawn.filter(|&at| !compared.metrics[at].is_share());
    let metric = asked.or_else(|| (0..compared.metrics.len()).find(has_values))?;
    let histograms = compared.histograms(pair, metric);
    let about = compared.metrics[metric];
    let x = Axis::of(about.word(), about.unit);
    let named = || histograms.iter().zip(compared.names(pair));
    let breaks = Breaks::of(&histograms.each_ref().map(|histogram| &**histogram));
    let shares = Plot::Bins(Bins {
        x: x.clone(),
        y: Axis::share("share of the trials"),
        series: named()
            .map(|(histogram, name)| (name.to_owned(), bins(histogram, histogram.total(), &breaks)))
            .collect(),
        marks: Vec::new(),
    });
    let lines = Plot::Lines(Lines {
        x,
        y: Axis::share("share of the trials with this value or less"),
        series: named().map(|(histogram, name)| cumulative(name, histogram)).collect(),
        marks: Vec::new(),
        reference: None,
    });
    let whose = compared.whose().map_or_else(String::new, |whose| format!(" of {whose}"));
    let title = format!("{}{whose} ({})", about.word(), about.unit);
    let sentence = format!("How often each value of {} comes: {}.", about.word(), about.meaning);
    Some(Chart::new(title, sentence, shares).or("distributions", "cumulative", lines))
}

/// The difference of the metric that was asked for, or else of the first, quantile by quantile.
pub(super) fn quantiles(compared: &ComparisonReport, pair: &PairTally) -> Option<Chart> {
    let metric = compared.drawn.unwrap_or(0);
    let histograms = compared.histograms(pair, metric);
    if compared.metrics[metric].is_won() || is_share(&histograms) {
        return None;
    }
    let [a, b] = &histograms;
    let rows = quantile_differences(a, b, compared.stopping()).into_iter().map(|quantile| Row {
        label: format!("{:.0} %", 100.0 * quantile.share),
        value: Some(quantile.difference.value),
        interval: limits(quantile.difference.interval),
        note: format!("A {}, B {}", quantile.a, quantile.b),
        ..Row::default()
    });
    let about = compared.metrics[metric];
    let plot = Intervals {
        x: Axis::of(format!("{}, A − B", about.word()), about.unit),
        rows: rows.collect(),
        reference: Some(Mark { at: 0.0, label: "no difference".into() }),
    };
    let [name_a, name_b] = compared.names(pair);
    let sentence = format!(
        "Each quantile of {name_a} (A) less the same of {name_b} (B), with 95 % intervals: at 5 % the lowest trials of \
         both are compared, at 95 % the highest.",
    );
    Some(Chart::new("Difference, quantile by quantile", sentence, Plot::Intervals(plot)))
}

/// How often which has more, metric by metric: of most metrics neither more nor less is better.
pub(super) fn duels(compared: &ComparisonReport, pair: &PairTally) -> Chart {
    let trials = pair.trials.max(1) as f64;
    let rows = compared.metrics.iter().zip(&pair.metrics).map(|(metric, differences)| {
        let counts = [differences.more(), differences.equal(), differences.less()];
        let shares = counts.map(|count| Some(count as f64 / trials));
        (metric.word().to_owned(), shares.to_vec())
    });
    let plot = Bars {
        x: Axis::share("share of the trials"),
        parts: ["A more", "equal", "B more"].map(str::to_owned).to_vec(),
        rows: rows.collect(),
        is_stacked: true,
    };
    let [a, b] = compared.names(pair);
    let whose = compared.whose().map_or_else(String::new, |whose| format!(" for {whose}"));
    let sentence = format!(
        "The share of the trials in which {a} (A) has more{whose} than {b} (B), equally much, and less."
    );
    Chart::new("Trial by trial", sentence, Plot::Bars(plot))
}
