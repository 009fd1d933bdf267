//! A decision of a game that was played, judged.

use stopwise_engine::vocabulary::in_units;
use stopwise_reports::advise::{AdviseReport, Origin};

use super::table::PastDecision;

/// A decision, and what its choices are worth.
pub(super) struct Judged<'s> {
    pub(super) step: &'s PastDecision,
    /// Which of the choices was taken.
    pub(super) choice: usize,
    pub(super) found: AdviseReport,
}

impl Judged<'_> {
    /// What it cost, if that is certain.
    pub(super) fn cost(&self) -> f64 {
        let Some(loss) = self.found.values.get(self.choice).and_then(|value| value.loss) else {
            return 0.0;
        };
        if self.is_exact() || loss.is_above(0.0) { loss.value } else { 0.0 }
    }

    pub(super) fn is_exact(&self) -> bool {
        matches!(self.found.origin, Origin::Exact { .. })
    }

    /// An amount of the metric, without its sign.
    pub(super) fn amount(&self, value: f64) -> String {
        let (value, metric) = (self.found.scale() * value.abs(), self.found.metric);
        match (metric.is_won(), self.is_exact()) {
            (true, true) => format!("{:.2} percentage points", 100.0 * value),
            (true, false) => {
                format!("about {}", in_units(&format!("{:.0}", 100.0 * value), "percentage points"))
            }
            (false, true) => format!("{value:.3} {}", metric.unit),
            (false, false) => format!("about {}", in_units(&format!("{value:.0}"), metric.unit)),
        }
    }
}
