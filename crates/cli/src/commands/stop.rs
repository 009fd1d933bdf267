//! When a simulation ends: after a number of trials, once it knows enough, or by the clock.

use std::time::Duration;

use serde_json::{Value, json};
use stopwise_analysis::paired::{ALPHA, Ended, Stopping, TARGET, check_points};
use stopwise_analysis::seats::{by_policy, by_seat};
use stopwise_analysis::sequential::Design;
use stopwise_edge::{AnyArm, AnyRules};
use stopwise_engine::run::Plan;
use stopwise_engine::tally::Tally;
use stopwise_findings::simulate::stop::Stop as Told;
use stopwise_words::grouped;

use crate::args::Stop;
use crate::failure::Failure;

/// The end of a simulation.
#[derive(Debug)]
pub(super) struct End {
    /// The metric that decides.
    metric: usize,
    /// Its name.
    name: &'static str,
    /// Enough is known once every mean is known to an interval of this width.
    width: Option<f64>,
    budget: Option<Duration>,
    pub(super) stopping: Stopping,
    /// What every metric is at least and at most, where that is known.
    bounds: Vec<Option<(f64, f64)>>,
    /// The number of line-ups that take turns.
    rotations: u64,
    /// Trials at most.
    pub(super) most: u64,
}

impl End {
    /// What was asked for, about the metric with this index.
    pub(super) fn of(args: &Stop, metric: usize, rules: &dyn AnyRules) -> Result<Self, Failure> {
        let is_open = args.until_width.is_some() || args.budget.is_some();
        if args.trials == Some(0) {
            return Err(Failure::Input("--trials 0: write 1 or more".into()));
        }
        if let Some(width) = args.until_width.filter(|&width| !(width > 0.0 && width.is_finite())) {
            return Err(Failure::Input(format!("--until-width {width}: write a number above 0")));
        }
        let most = args.trials.unwrap_or(if is_open { 100_000_000 } else { 1_000_000 });
        let stopping =
            if is_open { Stopping::Anytime(Design::new(ALPHA, TARGET.min(most))) } else { Stopping::Fixed };
        Ok(Self {
            metric,
            name: rules.metrics()[metric].name,
            width: args.until_width,
            budget: args.budget,
            stopping,
            bounds: Vec::new(),
            rotations: 1,
            most,
        })
    }

    /// With what is known of the metrics of an arm.
    pub(super) fn knowing(self, arm: &dyn AnyArm) -> Self {
        let metrics = arm.tally().seats[0].metrics.len();
        let bounds = (0..metrics).map(|metric| arm.bounds(metric)).collect();
        Self { bounds, rotations: arm.lineups() as u64, ..self }
    }

    /// Whether a number fixed beforehand ends it.
    pub(super) fn is_fixed(&self) -> bool {
        self.stopping == Stopping::Fixed
    }

    /// Plays the trials of a plan from check point to check point, until enough is known or `play`, which plays a part of a
    /// plan with a tally for each line-up, plays less than its part. `lineup` is the number of every seat's policy.
    ///
    /// Where it stops is a function of the plan, the policies and the rule, unless `play` breaks off.
    pub(super) fn play(
        &self,
        plan: &Plan,
        lineup: &[usize],
        mut play: impl FnMut(&Plan) -> Result<Vec<Tally>, Failure>,
    ) -> Result<(Vec<Tally>, Ended), Failure> {
        let all = plan.trials.end;
        if self.is_fixed() {
            let tallies = play(plan)?;
            let is_whole = trials(&tallies) == self.most;
            return Ok((tallies, if is_whole { Ended::AllPlayed } else { Ended::BrokenOff }));
        }
        let mut whole: Vec<Tally> = Vec::new();
        for look in check_points(all) {
            // Sequences over rotations hold after whole rounds.
            let look = look.next_multiple_of(self.rotations).min(all);
            let first = trials(&whole);
            if look > first {
                let tallies = play(&Plan { seed: plan.seed, trials: first..look })?;
                if whole.is_empty() {
                    whole = tallies;
                } else {
                    whole.iter_mut().zip(&tallies).for_each(|(whole, tally)| whole.merge(tally));
                }
            }
            if trials(&whole) < look {
                return Ok((whole, Ended::BrokenOff));
            }
            // The end of a run that repeats one that was broken off is no check point.
            if (look < all || all == self.most) && self.is_enough(&whole, lineup) {
                return Ok((whole, Ended::Enough));
            }
        }
        Ok((whole, if all == self.most { Ended::AllPlayed } else { Ended::BrokenOff }))
    }

    /// Whether the mean of every seat, or of every rotated policy, is known well enough.
    fn is_enough(&self, rotations: &[Tally], lineup: &[usize]) -> bool {
        let Some(width) = self.width else { return false };
        let standings = match rotations {
            [only] => by_seat(only, lineup),
            _ => {
                by_policy(rotations, lineup).into_iter().filter(|standing| standing.seat.is_none()).collect()
            }
        };
        standings.iter().all(|standing| {
            let histogram = &standing.tally.metrics[self.metric];
            let mean = self.stopping.mean(histogram, standing.trials, self.bounds[self.metric]);
            mean.and_then(|mean| mean.interval).is_some_and(|found| found.high - found.low <= width)
        })
    }

    /// What a report says of the end, after so many trials.
    pub(super) fn told(&self, ended: Ended, trials: u64) -> Told {
        Told {
            stopping: self.stopping,
            bounds: self.bounds.clone(),
            told: (!self.is_fixed()).then(|| self.sentence(ended, trials)),
        }
    }

    fn sentence(&self, ended: Ended, trials: u64) -> String {
        let rule = self
            .width
            .map(|width| format!("every interval of the mean of {} is at most {width} wide", self.name));
        let shown = grouped(trials);
        let why = match (ended, rule) {
            (Ended::Enough, rule) => format!("Stopped at {shown} trials: {}", rule.unwrap_or_default()),
            (Ended::AllPlayed, None) => format!("Stopped at {shown} trials, the most there were to be"),
            (Ended::AllPlayed, Some(rule)) => {
                format!("Stopped at {shown} trials, the most there were to be, before this: {rule}")
            }
            (Ended::BrokenOff, _) => {
                let within = self.budget.map_or_else(String::new, |time| {
                    format!(", within the budget of {} s", time.as_secs_f64())
                });
                format!("Stopped after {shown} trials{within}; --stop-after {trials} repeats this")
            }
        };
        format!("{why}. The intervals hold at every moment of the run at once (95 %).")
    }

    /// The rule and its outcome, for the manifest.
    pub(super) fn manifest(&self, told: &Told) -> Option<Value> {
        told.told.as_ref().map(|stopped| {
            json!({
                "metric": self.name, "until_width": self.width,
                "budget_seconds": self.budget.map(|time| time.as_secs_f64()),
                "at_most": self.most, "stopped": stopped,
            })
        })
    }

    /// Whether the run is repeated by its number of trials: a clock does not end a run twice at the same trial.
    pub(super) fn is_repeated_by_trials(&self, ended: Ended) -> bool {
        match ended {
            Ended::BrokenOff => true,
            Ended::AllPlayed => self.budget.is_some() && self.width.is_none(),
            Ended::Enough => false,
        }
    }

    /// The budget as it is typed, for a run that is repeated by its number of trials: its intervals are those of a run that
    /// may stop.
    pub(super) fn typed_budget(&self, ended: Ended) -> Option<String> {
        self.budget().filter(|_| self.is_repeated_by_trials(ended))
    }

    /// The budget as it is typed.
    pub(super) fn budget(&self) -> Option<String> {
        self.budget.map(|budget| format!("{}s", budget.as_secs_f64()))
    }
}

fn trials(tallies: &[Tally]) -> u64 {
    tallies.iter().map(|tally| tally.trials).sum()
}
