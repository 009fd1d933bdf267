//! The report of exact values.

mod against_best;
mod cells;
mod charts;
mod frequency;
mod losses;
mod sections;
pub(crate) mod sheets;
mod surface;

use stopwise_analysis::exact::{Answered, Distribution, Loss};
use stopwise_edge::{Charted, Solved};
use stopwise_engine::game::{Ending, Kind, Metric};
use stopwise_report::cell::Form;
use stopwise_report::{Cell, Report};

use super::terms;
use super::words::with_unit;
pub(crate) use against_best::AgainstBest;
pub(crate) use surface::Surface;

/// The exact value of best play, and of policies.
#[derive(Debug)]
pub(crate) struct SolveReport {
    pub(crate) game: &'static str,
    pub(crate) rules: String,
    pub(crate) seats: usize,
    pub(crate) metrics: Vec<Metric>,
    pub(crate) endings: Vec<Ending>,
    pub(crate) kinds: Vec<Kind>,
    /// Which metric was played for.
    pub(crate) metric: usize,
    /// Unknown where there are three seats or more.
    pub(crate) best: Option<Solved>,
    pub(crate) worths: Vec<Worth>,
    /// Where best play answers yes, and where policies do.
    pub(crate) surface: Option<Surface>,
    /// The decision whose answers are charted by their frequency, with those of best play.
    pub(crate) charted: Option<(Charted, Vec<Answered>)>,
}

/// What a policy is worth.
#[derive(Debug)]
pub(crate) struct Worth {
    pub(crate) label: String,
    /// Alone its mean; for two, what it is worth at the first seat against its best opponent.
    pub(crate) value: f64,
    /// What best play is worth more; `None` where there is no best play to compare with.
    pub(crate) regret: Option<f64>,
    /// With the same policy in all seats.
    pub(crate) alone: Distribution,
    /// What it gives away; `None` with several seats, and where that is too much to find.
    pub(crate) losses: Option<Vec<Loss>>,
    /// Its answers to the decision that is charted.
    pub(crate) answers: Vec<Answered>,
    /// In each of two seats, with best play in the other; empty with one seat or several, and where it is too much to find.
    pub(crate) against_best: Vec<AgainstBest>,
}

impl SolveReport {
    fn about(&self) -> Metric {
        self.metrics[self.metric]
    }

    /// The document, but for what was played and how to repeat it.
    pub(crate) fn report(&self) -> Report {
        let metric = self.about();
        let mut report = Report {
            command: "solve",
            head: format!("{} · rules {} · {}", self.game, self.rules, with_unit(metric.name, metric.unit)),
            data: sheets::datasets(self),
            terms: terms::of(&self.metrics, &self.endings),
            ..Report::default()
        };
        report.fact("game", self.game);
        report.fact("rules", &self.rules);
        report.fact("seats", self.seats);
        report.fact("metric", metric.name);
        report.fact("unit", metric.unit);
        if let Some(best) = &self.best {
            let exact = |value| Cell::Real(value, Form::Shortest);
            report.fact("value", exact(best.value));
            report.fact("low", exact(best.bounds[0]));
            report.fact("high", exact(best.bounds[1]));
            report.fact("error", exact(best.error));
            report.fact("states", best.states);
            report.fact("cyclic_stages", best.cyclic_stages);
        }
        sections::sections(&mut report, self);
        report
    }
}
