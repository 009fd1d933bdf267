//! The means with their intervals: for a fixed number of trials, or valid whenever the run stopped.

use stopwise_analysis::estimate::Estimate;
use stopwise_document::{Dataset, Real, Sheet};
use stopwise_engine::game::Metric;

use super::about::{self, RowContext};
use super::{Measured, SimulationReport};
use crate::words::limits;

/// The file.
pub(super) const FILE: &str = "means.csv";

/// A row of `means.csv`.
#[derive(Debug)]
pub(super) struct MeanRow {
    about: RowContext,
    metric: Metric,
    trials: u64,
    mean: Estimate,
}

pub(super) fn sheet() -> Sheet<MeanRow> {
    about::sheet(FILE, |r: &MeanRow| &r.about)
        .column("metric", "", "what was measured", |r| r.metric.name)
        .column("unit", "", "what one of the metric is", |r| r.metric.unit)
        .column("trials", "trials", "in how many trials it was measured", |r| r.trials)
        .column("mean", "unit of the metric", "the mean", |r| Real::number(r.mean.value))
        .column(
            "low",
            "unit of the metric",
            "lower limit of its 95 % interval; in a run that stops by looking it holds at every \
             moment; empty if nothing bounds it, as where all values are alike",
            |r| limits(r.mean.interval, Real::number)[0],
        )
        .column("high", "unit of the metric", "upper limit", |r| limits(r.mean.interval, Real::number)[1])
        .column("method", "", "how the interval is made", |r| r.mean.method.to_string())
}

/// The dataset.
pub(super) fn dataset(found: &SimulationReport, standings: &[Measured]) -> Dataset {
    let rows = standings.iter().flat_map(|Measured { standing, means, .. }| {
        let about = RowContext::of(found, standing);
        found.metrics.iter().zip(means).filter_map(move |(&metric, &mean)| {
            Some(MeanRow { about: about.clone(), metric, trials: standing.trials, mean: mean? })
        })
    });
    sheet().fill(rows)
}
