//! The report of a simulation.

mod about;
mod answer;
pub mod asked;
mod charts;
mod games;
pub mod length;
mod means;
mod sections;
pub mod sheets;
pub mod stop;
#[cfg(test)]
mod tests;
mod turns;
mod wins;

use crate::words::few_trials;
use stopwise_analysis::estimate::{Estimate, Interval, Summary};
use stopwise_analysis::seats::{Standing, Wins, by_policy, by_seat};
use stopwise_document::{Real, Report};
use stopwise_engine::game::{Ending, Event, Metric};
use stopwise_engine::tally::{SeatTally, Tally};
use stopwise_erased::{AnyPolicy, AnyRules};
use stopwise_narration::trials;

use super::head::Head;
use super::manifest::Subject;
use super::numbers::{MEAN, as_read};
use super::seeded::add_method;
use super::shared_wins::in_games;
use super::tables::Tables;
use super::terms;
use super::won::{Won, has_parts};
use super::words::{limits, one_label};

/// What the policy of each seat is called.
pub fn labels(rules: &dyn AnyRules, lineup: &[AnyPolicy]) -> Vec<String> {
    let of_seat = |seat: usize| &lineup[if lineup.len() == 1 { 0 } else { seat }];
    (0..rules.seats()).map(|seat| of_seat(seat).label()).collect()
}

/// The result of a simulation, with the names of its parts.
#[derive(Debug)]
pub struct SimulationReport {
    /// The game.
    pub game: &'static str,
    /// The name of the rules.
    pub rules: String,
    /// The label of every seat's policy; of rotated policies, in trial 0.
    pub policies: Vec<String>,
    /// What is measured of a seat.
    pub metrics: Vec<Metric>,
    /// How games end.
    pub endings: Vec<Ending>,
    /// A tally for each rotation; a single one without rotation.
    pub rotations: Vec<Tally>,
    /// The tally of all trials.
    pub tally: Tally,
    /// The seed of all trials.
    pub seed: u64,
    /// Whether all seats begin each turn together.
    pub shares_turns: bool,
    /// What was asked besides.
    pub asked: asked::Asked,
    /// The metric whose distribution is drawn, if one was asked for.
    pub drawn: Option<usize>,
    /// How the number of trials was decided.
    pub stop: stop::Stop,
}

impl SimulationReport {
    /// Of a line-up under rules of this name, with a tally for each rotation; nothing was asked besides.
    pub fn new(
        rules: &dyn AnyRules,
        name: &str,
        lineup: &[AnyPolicy],
        rotations: Vec<Tally>,
        seed: u64,
    ) -> Self {
        Self {
            game: rules.game(),
            rules: name.to_owned(),
            policies: labels(rules, lineup),
            metrics: rules.metrics().to_vec(),
            endings: rules.told_endings(),
            tally: Tally::whole(&rotations),
            rotations,
            seed,
            shares_turns: rules.info().shared_turns,
            asked: asked::Asked::default(),
            drawn: None,
            stop: stop::Stop::default(),
        }
    }

    /// Whether policies are rotated.
    pub(crate) fn is_rotated(&self) -> bool {
        self.rotations.len() > 1
    }

    /// Its head in the manifest.
    pub fn subject(&self) -> Subject<'_> {
        let rotations = || self.rotations.iter().map(|tally| tally.trials).collect();
        Subject {
            game: self.game,
            rules: &self.rules,
            seed: self.seed,
            trials: self.tally.trials,
            rotations: self.is_rotated().then(rotations),
        }
    }

    /// The document, but for what was played and how to repeat it.
    pub fn report(&self, tables: Option<Tables<'_>>) -> Report {
        let standings = self.standings();
        // Where policies are rotated, those by seat are only in the files.
        let told: Vec<_> =
            standings.iter().filter(|of| of.standing.seat.is_none() || !self.is_rotated()).collect();
        let answers = asked::answers(self, &standings);
        let rotated = if self.is_rotated() { ", rotated" } else { "" };
        let mut report = Report {
            command: "simulate",
            head: format!(
                "{} · rules {} · {}{rotated} · {} · seed {}",
                self.game,
                self.rules,
                self.lineup(),
                trials(self.tally.trials),
                self.seed
            ),
            answer: answer::answer(self, &told),
            warnings: [
                self.few_for_means(),
                self.few_for_quantiles(),
                self.few_rotations(),
                self.lopsided(&told),
                asked::open(self, &answers),
                asked::never_above(self),
            ]
            .into_iter()
            .flatten()
            .collect(),
            terms: terms::of(&self.metrics, &self.endings),
            ..Report::default()
        };
        if let Some(mut tables) = tables {
            sheets::datasets(&mut tables, self, &standings, &answers);
            tables.put_into(&mut report, self.seed);
            add_method(&mut report.data, &self.stop.stopping.share(0, 1).method.to_string());
            in_games(&mut report.data, &self.metrics);
        }
        Head {
            game: self.game,
            rules: &self.rules,
            policy: Some(self.lineup()),
            policies: None,
            seats: self.policies.len(),
            is_rotated: self.is_rotated(),
            trials: self.tally.trials,
            seed: self.seed,
        }
        .put_into(&mut report);
        report.fact("shared_turns", self.shares_turns);
        if let Some(stopped) = &self.stop.told {
            stopped.facts(&mut report);
        }
        self.table_facts(&mut report);
        sections::sections(&mut report, self, &standings, &told, &answers);
        report
    }

    /// What is known of games for several as a whole.
    fn table_facts(&self, report: &mut Report) {
        if self.policies.len() < 2 {
            return;
        }
        for games::Quantity { name: [name, low, high], found, .. } in games::quantities(self) {
            let [from, to] = limits(found.and_then(|found| found.interval), Real::shortest);
            report.fact(name, found.map(|found| Real::shortest(found.value)));
            report.fact(low, from);
            report.fact(high, to);
        }
    }

    /// Index of the metric of this name.
    fn metric(&self, is_it: impl Fn(&Metric) -> bool) -> Option<usize> {
        self.metrics.iter().position(is_it)
    }

    /// The place of the number of turns among the metrics.
    fn turns(&self) -> Option<usize> {
        self.metric(|metric| metric.counts(Event::TURN))
    }

    /// The line-up in one cell: one label if all seats have the same, otherwise one per seat.
    pub(crate) fn lineup(&self) -> String {
        one_label(&self.policies)
    }

    /// For every seat, the number of its policy: that of the first seat with the same label.
    fn numbers(&self) -> Vec<usize> {
        numbers(&self.policies)
    }

    /// What the rows of all tables are about: the seats, or with rotation each policy, first in all seats and then in
    /// each.
    pub(crate) fn standings(&self) -> Vec<Measured> {
        let lineup: Vec<_> = (0..self.policies.len()).collect();
        let standings = if self.is_rotated() {
            by_policy(&self.rotations, &self.numbers())
        } else {
            by_seat(&self.tally, &lineup)
        };
        standings.into_iter().map(|standing| Measured::of(standing, &self.metrics, &self.stop)).collect()
    }

    /// The name of a standing: its policy, and its seat where there are several.
    fn name(&self, standing: &Standing) -> String {
        let label = &self.policies[standing.policy];
        match standing.seat {
            Some(seat) if self.policies.len() > 1 => format!("seat {} · {label}", seat + 1),
            _ => label.clone(),
        }
    }

    /// The length of games for several seats, in turns of all seats together, if the game has turns.
    fn length(&self) -> Option<Summary> {
        self.turns().and_then(|_| Summary::of(&self.tally.lengths))
    }

    /// The mean of [`SimulationReport::length`], with its interval.
    fn mean_length(&self) -> Option<Estimate> {
        let found = self.stop.stopping.mean(&self.tally.lengths, self.tally.trials, None)?;
        self.length().map(|length| found.of_values_that(length.min < length.max))
    }

    /// The wins in a game for several seats; `None` if nobody can win.
    fn wins<'f>(&'f self, numbers: &'f [usize]) -> Option<Wins<'f>> {
        Metric::of_wins(&self.metrics).filter(|_| self.policies.len() > 1)?;
        let stopping = self.stop.stopping;
        Some(Wins { rotations: &self.rotations, lineup: numbers, metrics: &self.metrics, stopping })
    }

    /// The words for what is won: those of shares where somebody had a part of a win.
    fn won(&self) -> Won {
        let is_shared = |seat: &SeatTally| {
            let mut of = self.metrics.iter().zip(&seat.metrics);
            of.any(|(metric, values)| has_parts(metric, values))
        };
        Won::of_games(self.tally.seats.iter().any(is_shared))
    }

    fn few_for_means(&self) -> Option<String> {
        few_trials(self.tally.trials).filter(|_| !self.stop.is_open())
    }

    fn few_for_quantiles(&self) -> Option<String> {
        let number = self.tally.trials;
        (number < 10_000).then(|| {
            let beyond = match number / 100 {
                0 => "on the greatest alone".to_owned(),
                beyond => format!("on {beyond} of them"),
            };
            let more = if self.stop.is_open() { "" } else { " For reports use --trials 1M." };
            format!("Only {}: the 99 % quantile rests {beyond}.{more}", trials(number))
        })
    }

    /// The first interval that ends within its range where ± of the table, the longer side, goes beyond.
    fn lopsided(&self, told: &[&Measured]) -> Option<String> {
        let ends = |mean: &Option<Estimate>| {
            let (value, Interval { low, high }) = mean.and_then(|mean| Some((mean.value, mean.interval?)))?;
            (low >= 0.0 && value > 0.0 && high > 2.0 * value).then_some(Interval { low, high })
        };
        let mut all = told.iter().flat_map(|measured| self.metrics.iter().zip(&measured.means));
        let (metric, limits) = all.find_map(|(metric, mean)| Some((metric, ends(mean)?)))?;
        let (scale, _) = as_read(metric);
        let range = MEAN.times(scale).range(Some(limits));
        Some(format!(
            "± is the longer side of an interval: that of {} is {range}, as in means.csv.",
            metric.word()
        ))
    }

    /// A warning if some rotation has no trial.
    fn few_rotations(&self) -> Option<String> {
        let (all, trials) = (self.rotations.len(), self.tally.trials);
        let warning = || format!("Only {trials} of {all} rotations had a trial: use --trials {all} or more.");
        (trials < all as u64).then(warning)
    }
}

/// A standing with what is estimated of each metric. Trials are clusters: values of several seats of one trial may be
/// dependent.
#[derive(Debug)]
pub(crate) struct Measured {
    standing: Standing,
    /// Of each metric; `None` without values.
    summaries: Vec<Option<Summary>>,
    /// Of each metric, with its interval; `None` without values.
    means: Vec<Option<Estimate>>,
}

impl Measured {
    fn of(standing: Standing, about: &[Metric], stop: &stop::Stop) -> Self {
        let metrics = &standing.tally.metrics;
        let summary = |of| Some(Summary::of(of)?.over(standing.trials));
        let summaries: Vec<Option<Summary>> = metrics.iter().map(summary).collect();
        let mean = |(metric, of): (usize, _)| {
            let whole = stop::whole(&about[metric], stop.bounds(metric));
            let found = stop.stopping.mean(of, standing.trials, whole)?;
            // What is had or not is so whatever was seen.
            let differ = summaries[metric].as_ref().is_some_and(|s| s.min < s.max);
            Some(found.of_values_that(differ || whole.is_some()))
        };
        let means = metrics.iter().enumerate().map(mean).collect();
        Self { standing, summaries, means }
    }
}

/// For every seat, the number of its policy: that of the first seat with the same label.
pub fn numbers(policies: &[String]) -> Vec<usize> {
    let first = |label| policies.iter().position(|other| other == label).unwrap_or(0);
    policies.iter().map(first).collect()
}
