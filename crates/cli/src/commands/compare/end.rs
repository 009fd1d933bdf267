//! When a comparison ends, and why it did.

use stopwise_analysis::paired::{ALPHA, Comparison, Ended, Rule, Stopping, TARGET, is_same};
use stopwise_analysis::sequential::Design;
use stopwise_edge::AnyRules;
use stopwise_words::grouped;

use crate::args::Until;
use crate::failure::Failure;
use crate::setup::metric;

/// When a comparison ends.
pub(super) struct End {
    pub(super) rule: Rule,
    pub(super) stopping: Stopping,
    /// Trials at most.
    pub(super) most: u64,
}

impl End {
    pub(super) fn of(until: &Until, rules: &dyn AnyRules) -> Result<Self, Failure> {
        let is_open = until.until_width.is_some() || until.until_decided.is_some() || until.budget.is_some();
        if until.trials == Some(0) {
            return Err(Failure::Input("--trials 0: write 1 or more".into()));
        }
        if let Some(width) = until.until_width.filter(|&width| !(width > 0.0 && width.is_finite())) {
            return Err(Failure::Input(format!("--until-width {width}: write a number above 0")));
        }
        if let Some(delta) = until.until_decided.filter(|&delta| !(delta >= 0.0 && delta.is_finite())) {
            return Err(Failure::Input(format!(
                "--until-decided {delta}: write the difference that would not matter, 0 or more"
            )));
        }
        let metric = metric(rules, until.metric.as_deref())?;
        let most = until.trials.unwrap_or(if is_open { 100_000_000 } else { 1_000_000 });
        let stopping =
            if is_open { Stopping::Anytime(Design::new(ALPHA, TARGET.min(most))) } else { Stopping::Fixed };
        Ok(Self {
            rule: Rule { metric, width: until.until_width, decided: until.until_decided },
            stopping,
            most,
        })
    }

    /// Why there were so many trials; `None` if that was fixed beforehand.
    pub(super) fn told(
        &self,
        until: &Until,
        rules: &dyn AnyRules,
        comparison: &Comparison,
    ) -> Option<String> {
        if comparison.means.stopping() == Stopping::Fixed {
            return None;
        }
        let about = &rules.metrics()[self.rule.metric];
        let width =
            self.rule.width.map(|width| format!("every interval of {} is at most {width} wide", about.name));
        let decided = self.rule.decided.map(|delta| {
            let close =
                if delta > 0.0 { format!(", or that they are within {delta}") } else { String::new() };
            let which = match about.is_win() {
                true => "which wins more often".to_owned(),
                false => format!("which has more {}", about.name),
            };
            format!("it is known of every pair {which}{close}")
        });
        let rule = [width, decided].into_iter().flatten().collect::<Vec<_>>().join(", and ");
        let trials = comparison.tally.trials();
        let shown = grouped(trials);
        let why = match comparison.ended {
            Ended::Enough if comparison.tally.pairs.iter().any(is_same) => {
                format!("Stopped at {shown} trials: {rule}, or the two always played the same game")
            }
            Ended::Enough => format!("Stopped at {shown} trials: {rule}"),
            Ended::AllPlayed if rule.is_empty() => {
                format!("Stopped at {shown} trials, the most there were to be")
            }
            Ended::AllPlayed => {
                format!("Stopped at {shown} trials, the most there were to be, before this: {rule}")
            }
            Ended::BrokenOff => {
                let within = until.budget.map_or_else(String::new, |time| {
                    format!(", within the budget of {} s", time.as_secs_f64())
                });
                format!("Stopped after {shown} trials{within}; --stop-after {trials} repeats this")
            }
        };
        Some(format!("{why}. The intervals hold at every moment of the run at once (95 %)."))
    }
}
