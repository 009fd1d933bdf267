//! The table of advice. Its columns are a contract.

use stopwise_analysis::choices::Valued;
use stopwise_document::cell::NumberFormat;
use stopwise_document::{Dataset, Real, Sheet};

use super::{AdviseReport, Origin};
use crate::leading;
use crate::words::limits;

/// The file.
const FILE: &str = "advice.csv";

struct Row<'r> {
    of: &'r AdviseReport,
    at: usize,
    value: &'r Valued,
}

/// Twelve decimals of what is exact; six are plenty for what is played.
fn real(value: f64) -> Real {
    Real(value, NumberFormat::Rounded(12))
}

fn sheet<'r>() -> Sheet<Row<'r>> {
    leading::sheet(FILE, |r: &Row<'r>| r.of.game, |r| r.of.rules.as_str())
        .column("position", "", "the position as text, which --state reads", |r| r.of.asked.text.clone())
        .column("seat", "", "who decides, from 1", |r| r.of.asked.seat + 1)
        .column("decision", "", "the kind of decision", |r| r.of.kind.name)
        .column("choice", "", "what is chosen, in words", |r| r.of.asked.choices[r.at].name.clone())
        .column("metric", "", "what is played for", |r| r.of.metric.name)
        .column("value", "unit of the metric", "its mean for who decides, from the position on", |r| {
            real(r.value.value.value)
        })
        .column("value_low", "unit of the metric", "lower limit of its 95 % interval; empty if exact", |r| {
            limits(r.value.value.interval, real)[0]
        })
        .column("value_high", "unit of the metric", "upper limit", |r| {
            limits(r.value.value.interval, real)[1]
        })
        .column("loss", "unit of the metric", "how much better the best choice is on the same dice", |r| {
            r.value.loss.map_or_else(|| real(0.0), |loss| real(loss.value))
        })
        .column("loss_low", "unit of the metric", "lower limit of its 95 % interval", |r| {
            r.value.loss.and_then(|loss| limits(loss.interval, real)[0])
        })
        .column("loss_high", "unit of the metric", "upper limit", |r| {
            r.value.loss.and_then(|loss| limits(loss.interval, real)[1])
        })
        .column("bust", "share", "chance that the turn is lost before anybody decides again", |r| {
            r.of.busts[r.at].map(real)
        })
        .column("method", "", "`exact`, or `played`", |r| match r.of.origin {
            Origin::Exact { .. } => "exact",
            Origin::Played { .. } => "played",
        })
        .column("trials", "games", "how many were played of each choice; 0 if exact", |r| match r.of.origin {
            Origin::Exact { .. } => 0,
            Origin::Played { trials, .. } => trials,
        })
        .column("policies", "", "policies that choose it, separated by spaces", |r| {
            let labels = r.of.answers.iter().filter(|(_, choice)| *choice == r.at);
            labels.map(|(label, _)| label.as_str()).collect::<Vec<_>>().join(" ")
        })
}

pub(super) fn dataset(of: &AdviseReport) -> Dataset {
    sheet().fill(of.values.iter().enumerate().map(|(at, value)| Row { of, at, value }))
}

/// The same without rows, for the dictionary.
pub(crate) fn columns() -> Vec<Dataset> {
    vec![sheet().without_rows()]
}
