//! When trials end: after a number of them, once enough is known, or by the clock; and what is said of the end.

use std::time::Duration;

use serde_json::{Value, json};
use stopwise_analysis::paired::{ALPHA, Ended, Rule, Stopping, TARGET};
use stopwise_analysis::sequential::Design;
use stopwise_engine::game::Metric;
use stopwise_engine::vocabulary::in_units;
use stopwise_narration::trials as trials_in_words;
use stopwise_reports::stopped::Stopped;

use crate::args::Stop;
use crate::failure::Failure;

/// Said where nothing varied for so long that it counts as known.
pub(super) const ALL_ALIKE: &str = ", or all of its values were alike";

/// When trials end.
#[derive(Debug)]
pub(super) struct Ending {
    /// The metric that decides.
    pub(super) metric: usize,
    pub(super) about: Metric,
    /// Enough is known once intervals are no wider than this, of a share of a win in games.
    width: Option<f64>,
    /// Enough is known once it is decided which has more, or that they differ by no more than this.
    pub(super) decided: Option<f64>,
    budget: Option<Duration>,
    pub(super) stopping: Stopping,
    /// Trials at most.
    pub(super) most: u64,
}

impl Ending {
    /// What was asked for, about one of these metrics.
    pub(super) fn new(
        stop: &Stop,
        decided: Option<f64>,
        metric: usize,
        metrics: &[Metric],
    ) -> Result<Self, Failure> {
        let Stop { trials, until_width: width, budget } = *stop;
        let is_open = width.is_some() || decided.is_some() || budget.is_some();
        if trials == Some(0) {
            return Err(Failure::Input("--trials 0: write 1 or more".into()));
        }
        if let Some(width) = width.filter(|&width| !(width > 0.0 && width.is_finite())) {
            return Err(Failure::Input(format!("--until-width {width}: write a number above 0")));
        }
        if let Some(delta) = decided.filter(|&delta| !(delta >= 0.0 && delta.is_finite())) {
            return Err(Failure::Input(format!(
                "--until-decided {delta}: write the difference that would not matter, 0 or more"
            )));
        }
        let most = trials.unwrap_or(if is_open { 100_000_000 } else { 1_000_000 });
        let stopping =
            if is_open { Stopping::Anytime(Design::new(ALPHA, TARGET.min(most))) } else { Stopping::Fixed };
        let about = metrics[metric];
        Ok(Self { metric, about, width, decided, budget, stopping, most })
    }

    /// What every pair of a comparison has to meet.
    pub(super) fn asked(&self) -> Rule {
        let decided = self.decided.map(|delta| delta * f64::from(self.about.whole()));
        Rule { metric: self.metric, width: self.width(), decided }
    }

    /// How wide intervals are at most, in what trials count.
    pub(super) fn width(&self) -> Option<f64> {
        self.width.map(|width| width * f64::from(self.about.whole()))
    }

    /// Whether a number fixed beforehand ends them.
    pub(super) fn is_fixed(&self) -> bool {
        self.stopping == Stopping::Fixed
    }

    /// Why there were so many trials. `of` says what has intervals, before the name of the
    /// metric, and `otherwise` why else enough was known.
    pub(super) fn told(&self, ended: Ended, trials: u64, of: &str, otherwise: &str) -> Stopped {
        let (rule, shown) = (self.rule(of), trials_in_words(trials));
        let why = match ended {
            Ended::Enough => format!("Stopped at {shown}: {rule}{otherwise}"),
            Ended::AllPlayed => {
                let before = match rule.is_empty() {
                    true => String::new(),
                    false => format!(", too few for what was asked for: that {rule}"),
                };
                format!("Stopped at {shown}, the most that were allowed{before}")
            }
            Ended::BrokenOff => {
                let within = self.budget.map_or_else(String::new, |time| {
                    format!(", within the budget of {} s", time.as_secs_f64())
                });
                format!("Stopped after {shown}{within}; --stop-after {trials} repeats this")
            }
        };
        Stopped {
            why: format!("{why}. The intervals hold at every moment of the run at once (95 %)."),
            is_reached: (!rule.is_empty()).then_some(ended == Ended::Enough),
        }
    }

    /// What has to be known; empty if the clock alone decides.
    fn rule(&self, of: &str) -> String {
        let name = self.about.name;
        let shown = |number: f64| match self.about.is_won() {
            true => {
                let points = ((1e8 * number).round() / 1e6).to_string();
                format!("{number} ({})", in_units(&points, "percentage points"))
            }
            false => number.to_string(),
        };
        let width =
            self.width.map(|width| format!("every interval of {of}{name} is at most {} wide", shown(width)));
        let decided = self.decided.map(|delta| {
            let close = if delta > 0.0 {
                format!(", or that they are within {}", shown(delta))
            } else {
                String::new()
            };
            let which = match self.about.is_won() {
                true => "which wins more often".to_owned(),
                false => format!("which has more {name}"),
            };
            format!("it is known of every pair {which}{close}")
        });
        [width, decided].into_iter().flatten().collect::<Vec<_>>().join(", and ")
    }

    /// The rule and its outcome, for the manifest.
    pub(super) fn manifest(&self, stopped: &Stopped) -> Value {
        json!({
            "metric": self.about.name, "until_width": self.width,
            "budget_seconds": self.budget.map(|time| time.as_secs_f64()),
            "at_most": self.most, "stopped": stopped.why, "reached": stopped.is_reached,
        })
    }

    /// The budget and the number of trials with which a run is repeated that ended so: a clock does not end a run twice at the
    /// same trial. The budget stays, because intervals are those of a run that may stop.
    pub(super) fn again(&self, ended: Ended, trials: u64) -> (Option<Duration>, Option<u64>) {
        let is_by_trials = match ended {
            Ended::BrokenOff => true,
            Ended::AllPlayed => self.budget.is_some() && self.width.is_none() && self.decided.is_none(),
            Ended::Enough => false,
        };
        (self.budget.filter(|_| is_by_trials), is_by_trials.then_some(trials))
    }
}
