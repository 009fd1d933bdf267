//! Reports: pure functions from the results of a command to bytes, one file per format.

pub(crate) mod balance;
pub(crate) mod compare;
pub(crate) mod document;
pub(crate) mod json;
pub(crate) mod manifest;
pub(crate) mod markdown;
pub(crate) mod rank;
pub(crate) mod sweep;
pub(crate) mod tables;
pub(crate) mod text;
mod wins;
mod words;

use stopwise_analysis::estimate::Summary;
use stopwise_analysis::seats::{Standing, Wins, by_policy, by_seat};
use stopwise_engine::game::{Ending, Metric};
use stopwise_engine::tally::{Histogram, Tally};

use manifest::Subject;

/// The result of a simulation, with the names of its parts.
#[derive(Debug)]
pub(crate) struct SimulationReport {
    pub(crate) game: &'static str,
    pub(crate) rules: String,
    /// The label of every seat's policy; of rotated policies, in trial 0.
    pub(crate) policies: Vec<String>,
    pub(crate) metrics: Vec<Metric>,
    pub(crate) endings: Vec<Ending>,
    /// A tally for each rotation; a single one without rotation.
    pub(crate) rotations: Vec<Tally>,
    /// The tally of all trials.
    pub(crate) tally: Tally,
    pub(crate) seed: u64,
}

impl SimulationReport {
    /// Whether policies are rotated.
    pub(crate) fn is_rotated(&self) -> bool {
        self.rotations.len() > 1
    }

    /// Its head in the manifest.
    pub(crate) fn subject(&self) -> Subject<'_> {
        let rotations = || self.rotations.iter().map(|tally| tally.trials).collect();
        Subject {
            game: self.game,
            rules: &self.rules,
            seed: self.seed,
            trials: self.tally.trials,
            rotations: self.is_rotated().then(rotations),
        }
    }

    /// Index of the metric of this name.
    fn metric(&self, name: &str) -> Option<usize> {
        self.metrics.iter().position(|metric| metric.name == name)
    }

    /// The line-up in one cell: one label if all seats have the same, otherwise one per seat.
    pub(crate) fn lineup(&self) -> String {
        one_label(&self.policies)
    }

    /// For every seat, the number of its policy: that of the first seat with the same label.
    fn numbers(&self) -> Vec<usize> {
        let first = |label| self.policies.iter().position(|other| other == label).unwrap_or(0);
        self.policies.iter().map(first).collect()
    }

    /// The subjects of the rows of all tables: the seats, or with rotation each policy, first in all seats and then in
    /// each.
    pub(crate) fn standings(&self) -> Vec<Standing> {
        let lineup: Vec<_> = (0..self.policies.len()).collect();
        if self.is_rotated() {
            by_policy(&self.rotations, &self.numbers())
        } else {
            by_seat(&self.tally, &lineup)
        }
    }

    /// The cells `policy` and `seat` of a standing: the seat from 1, or `all`.
    pub(crate) fn who(&self, standing: &Standing) -> [String; 2] {
        let seat = standing.seat.map_or_else(|| "all".to_owned(), |seat| (seat + 1).to_string());
        [self.policies[standing.policy].clone(), seat]
    }

    /// The length of games for several seats, in turns of all seats together, if the game has turns.
    pub(crate) fn length(&self) -> Option<Summary> {
        self.metric("turns").and_then(|_| Summary::of(&self.tally.lengths))
    }

    /// The wins in a game for several seats; `None` if nobody can win.
    pub(crate) fn wins<'f>(&'f self, numbers: &'f [usize]) -> Option<Wins<'f>> {
        let metric = self.metric("win").filter(|_| self.policies.len() > 1)?;
        Some(Wins { rotations: &self.rotations, lineup: numbers, metric })
    }
}

/// A line-up in one cell: one label if all seats have the same, otherwise one per seat.
pub(crate) fn one_label(labels: &[String]) -> String {
    match labels.split_first() {
        Some((first, rest)) if rest.iter().all(|label| label == first) => first.clone(),
        _ => labels.join(" / "),
    }
}

/// Summarises a metric of a standing, with the trials as clusters: values of several seats of one trial may be
/// dependent.
pub(crate) fn summary(standing: &Standing, histogram: &Histogram) -> Option<Summary> {
    Summary::of(histogram).map(|summary| summary.over(standing.trials))
}
