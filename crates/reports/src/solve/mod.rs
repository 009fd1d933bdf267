//! The report of exact values.

mod against_best;
mod cells;
mod charts;
mod frequency;
mod hold_at;
mod losses;
mod pictured;
mod positions;
mod sections;
pub mod sheets;
mod surface;
mod table;
#[cfg(test)]
mod tests;
mod values;
mod varied;

use stopwise_analysis::exact::{Answered, Distribution, Loss};
use stopwise_document::{Real, Report};
use stopwise_engine::game::{Better, Ending, Kind, Metric};
use stopwise_engine::vocabulary::Feature;
use stopwise_erased::{Charted, Solved};

use super::numbers::as_read;
use super::terms;
use super::words::with_unit;
pub use against_best::AgainstBest;
pub use hold_at::WHERE as HOLD_AT_WHERE;
pub use positions::Listed;
pub use surface::Surface;
pub use table::AnswerTable;
pub use varied::{VariedPoint, VariedReport};

/// The exact value of best play, and of policies.
#[derive(Debug)]
pub struct SolveReport {
    /// The game.
    pub game: &'static str,
    /// The name of the rules.
    pub rules: String,
    /// How many play.
    pub seats: usize,
    /// Whether somebody wins every game that no cap cuts off.
    pub is_always_won: bool,
    /// What is measured of a seat.
    pub metrics: Vec<Metric>,
    /// How games end.
    pub endings: Vec<Ending>,
    /// The kinds of decisions.
    pub kinds: Vec<Kind>,
    /// The features that positions have.
    pub features: Vec<Feature>,
    /// Which metric was played for.
    pub metric: usize,
    /// Its least and greatest possible value, if the rules imply them.
    pub bounds: Option<(f64, f64)>,
    /// Unknown where there are three seats or more.
    pub best: Option<Solved>,
    /// The policies.
    pub worths: Vec<Worth>,
    /// Where best play answers yes, and where policies do.
    pub surface: Option<Surface>,
    /// The table for people that was asked for.
    pub table: Option<AnswerTable>,
    /// The decision whose answers are charted by their frequency, with those of best play.
    pub charted: Option<(Charted, Vec<Answered>)>,
}

/// What a policy is worth.
#[derive(Debug)]
pub struct Worth {
    /// Its label.
    pub label: String,
    /// Alone its mean; for two, what it is worth at the first seat against its best opponent.
    pub value: f64,
    /// For two, the first seat's mean where it has the best reply to the policy in the second; `None` otherwise, and where that is
    /// too much to find.
    pub reply: Option<f64>,
    /// What best play is worth more; `None` where there is no best play to compare with.
    pub regret: Option<f64>,
    /// The positions that it comes to, between turns if the game was solved turn by turn.
    pub states: usize,
    /// With the same policy in all seats; `None` where that is too much to find.
    pub alone: Option<Distribution>,
    /// What it gives away; `None` with several seats, and where that is too much to find.
    pub losses: Option<Vec<Loss>>,
    /// Its answers to the decision that is charted.
    pub answers: Vec<Answered>,
    /// In each of two seats, with best play in the other; empty with one seat or several, and where it is too much to find.
    pub against_best: Vec<AgainstBest>,
}

impl SolveReport {
    fn about(&self) -> Metric {
        self.metrics[self.metric]
    }

    /// A value of what is played for, as people read it.
    fn read(&self, value: f64) -> f64 {
        as_read(&self.about()).0 * value
    }

    /// The unit that it then has.
    fn unit(&self) -> &'static str {
        as_read(&self.about()).1
    }

    /// Whether every game of one seat has the same value: the best mean is the worst that is possible.
    fn is_always_the_same(&self) -> bool {
        let worst = self.bounds.map(|(least, most)| match self.about().better {
            Better::Higher => least,
            Better::Lower => most,
        });
        let is_worst = |best: &Solved| worst.is_some_and(|worst| (best.value - worst).abs() < 1e-9);
        self.seats == 1 && self.best.as_ref().is_some_and(is_worst)
    }

    /// The document, but for what was played and how to repeat it.
    pub fn report(&self) -> Report {
        let metric = self.about();
        let mut report = Report {
            command: "solve",
            head: format!("{} · rules {} · {}", self.game, self.rules, with_unit(metric.word(), self.unit())),
            data: sheets::datasets(self),
            terms: terms::of(&self.metrics, &self.endings),
            ..Report::default()
        };
        report.fact("game", self.game);
        report.fact("rules", &self.rules);
        report.fact("seats", self.seats);
        report.fact("metric", metric.name);
        report.fact("unit", self.unit());
        if let Some(best) = &self.best {
            let exact = |value| Real::shortest(self.read(value));
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
