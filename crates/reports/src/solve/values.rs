//! `solution.csv`: a row for best play and one for each policy, with its value and its loss against best play.

use std::sync::Arc;

use stopwise_document::cell::NumberFormat;
use stopwise_document::{Number, Real, Sheet};
use stopwise_engine::game::Metric;
use stopwise_erased::Solved;

use super::Worth;
use super::cells::{RowContext, exact};
use crate::leading;

/// A row of `solution.csv`.
#[derive(Clone, Debug)]
pub(super) struct ValueRow {
    about: RowContext,
    metric: Metric,
    pub(super) policy: Arc<str>,
    pub(super) value: f64,
    pub(super) regret: Option<Number>,
    /// Of best play alone.
    pub(super) error: Option<Real>,
    states: usize,
    reply: Option<Number>,
}

impl ValueRow {
    pub(super) fn of_best(about: RowContext, metric: Metric, best: &Solved) -> Self {
        let error = Some(Real(best.error, NumberFormat::Exponent(1)));
        Self {
            about,
            metric,
            policy: "best play".into(),
            value: best.value,
            regret: Some(Number::Whole(0)),
            error,
            states: best.states,
            reply: None,
        }
    }

    pub(super) fn of(about: RowContext, metric: Metric, worth: &Worth) -> Self {
        Self {
            about,
            metric,
            policy: worth.label.as_str().into(),
            value: worth.value,
            regret: worth.regret.map(|regret| Number::Real(exact(regret))),
            error: None,
            states: worth.states,
            reply: worth.reply.map(|reply| Number::Real(exact(reply))),
        }
    }
}

pub(super) fn solution() -> Sheet<ValueRow> {
    leading::sheet("solution.csv", |r: &ValueRow| r.about.game, |r| r.about.rules.clone())
        .column("metric", "", "what is played for", |r| r.metric.name)
        .column("policy", "", "`best play`, or a policy with its parameters", |r| r.policy.clone())
        .column(
            "value",
            "unit of the metric",
            "the exact mean; with two seats that of the first, where the best reply has the second",
            |r| exact(r.value),
        )
        .column(
            "regret",
            "unit of the metric",
            "how much less (where less is better more) than best play",
            |r| r.regret,
        )
        .column(
            "error",
            "unit of the metric",
            "bound on the error of the value; 0 where no position returns",
            |r| r.error,
        )
        .column("states", "states", "how many states the walk held", |r| r.states)
        .column(
            "reply",
            "unit of the metric",
            "with two seats, the exact mean of the first seat with the best reply to the policy, which has the second seat; `value` is \
             that of the policy in the first seat, where the best reply has the second",
            |r| r.reply,
        )
}
