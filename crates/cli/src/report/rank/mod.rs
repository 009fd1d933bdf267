//! Reports of rankings, one file per format.

pub(crate) mod json;
mod robin;
pub(crate) mod tables;
pub(crate) mod text;

use serde_json::{Value, json};
use stopwise_analysis::estimate::{Estimate, Level, Method};
use stopwise_analysis::rank::{Race, Ranking, RoundRobin, Verdict};
use stopwise_engine::game::Metric;

use super::manifest::Subject;

/// The result of a ranking, with the names of its parts.
#[derive(Debug)]
pub(crate) struct RankReport {
    pub(crate) game: &'static str,
    pub(crate) rules: String,
    pub(crate) seats: usize,
    pub(crate) seed: u64,
    pub(crate) alpha: f64,
    pub(crate) metric: Metric,
    /// The label of every policy.
    pub(crate) labels: Vec<String>,
    pub(crate) by: By,
    pub(crate) ranking: Ranking,
    pub(crate) fresh: Option<Fresh>,
}

/// The data of a ranking.
#[derive(Debug)]
pub(crate) enum By {
    Race(Box<Race>),
    RoundRobin(RoundRobin),
}

/// The winner on fresh trials, which its rank does not depend on.
#[derive(Debug)]
pub(crate) struct Fresh {
    /// The first trial; with seats, of each table.
    pub(crate) first_trial: u64,
    pub(crate) trials: u64,
    /// Its mean, with a 95 % interval for a number of trials fixed beforehand; values that are all equal have none.
    pub(crate) mean: Estimate,
}

/// A policy in the ranking.
#[derive(Debug)]
pub(super) struct Row<'r> {
    pub(super) policy: &'r str,
    /// Its best and worst possible place.
    pub(super) places: (usize, usize),
    /// The letters of its groups, if there are not too many.
    pub(super) groups: Option<Vec<String>>,
    pub(super) trials: u64,
    pub(super) mean: Option<Estimate>,
    /// Its mean less that of the first; `None` for the first.
    pub(super) to_first: Option<Estimate>,
}

/// Two policies of a race, the one ranked higher first.
#[derive(Debug)]
pub(super) struct Pair<'r> {
    pub(super) policies: [&'r str; 2],
    pub(super) trials: u64,
    pub(super) difference: Estimate,
    pub(super) verdict: Verdict,
}

impl By {
    /// The trials of the arm that played most; with seats, of a table.
    pub(crate) fn trials(&self) -> u64 {
        match self {
            Self::Race(race) => race.trials(),
            Self::RoundRobin(robin) => robin.tables().first().map_or(0, |table| table.games),
        }
    }

    pub(crate) fn ranking(&self) -> Ranking {
        match self {
            Self::Race(race) => race.ranking(),
            Self::RoundRobin(robin) => robin.ranking(),
        }
    }
}

impl RankReport {
    /// Its head in the manifest.
    pub(crate) fn subject(&self) -> Subject<'_> {
        Subject {
            game: self.game,
            rules: &self.rules,
            seed: self.seed,
            trials: self.by.trials(),
            rotations: None,
        }
    }

    /// The stopping rule and the fresh trials, for the manifest.
    pub(crate) fn stopping(&self) -> Value {
        let mut value = json!({
            "metric": self.metric.name, "alpha": self.alpha,
            "fresh": self.fresh.as_ref().map(|fresh| {
                json!({ "first_trial": fresh.first_trial, "trials": fresh.trials })
            }),
        });
        if let By::Race(race) = &self.by {
            value["aim"] = format!("{:?}", race.config().aim).to_lowercase().into();
            value["resolution"] = race.resolution().into();
            value["at_most"] = race.config().most.into();
            value["unsettled"] = race.left().len().into();
        }
        value
    }

    /// How the intervals are made.
    pub(super) fn method(&self) -> Method {
        match &self.by {
            By::Race(race) => race.method(),
            By::RoundRobin(robin) => robin.method(),
        }
    }

    /// The level at which all intervals hold simultaneously.
    pub(super) fn level(&self) -> Level {
        match &self.by {
            By::Race(race) => race.level(),
            By::RoundRobin(robin) => robin.level(),
        }
    }

    /// All policies, in the order of the ranking.
    pub(super) fn rows(&self) -> Vec<Row<'_>> {
        let order = self.ranking.order.iter().enumerate();
        order.map(|(place, &number)| self.row(place, number)).collect()
    }

    fn row(&self, place: usize, number: usize) -> Row<'_> {
        let first = self.ranking.order[0];
        let (trials, mean, to_first) = match &self.by {
            By::Race(race) => {
                (race.trials_of(number), Some(race.estimate(number)), Some(race.difference(number, first)))
            }
            By::RoundRobin(robin) => {
                let is_theirs = |one, others| one == number || (self.seats == 2 && others == number);
                let tables = robin.tables().iter().filter(|table| is_theirs(table.one, table.others));
                let gap = || robin.gap(number, first);
                let to_first = (number != first).then(gap).flatten();
                (tables.map(|table| table.games).sum(), robin.strength(number), to_first)
            }
        };
        Row {
            policy: &self.labels[number],
            places: self.ranking.places[number],
            groups: self.ranking.letters(place),
            trials,
            mean,
            to_first: to_first.filter(|_| number != first),
        }
    }

    /// Every two policies of a race, in the order of the ranking.
    pub(super) fn pairs<'r>(&'r self, race: &'r Race) -> impl Iterator<Item = Pair<'r>> {
        let order = &self.ranking.order;
        let pairs = (0..order.len()).flat_map(|at| (at + 1..order.len()).map(move |below| (at, below)));
        pairs.map(move |(above, below)| {
            let (a, b) = (order[above], order[below]);
            let (difference, trials) = (race.difference(a, b), race.trials_of_both(a, b));
            // The order may follow by transitivity where the trials of the two do not decide it.
            let verdict = match race.verdict(a, b) {
                Verdict::Open | Verdict::Equal if self.ranking.is_better(a, b) => Verdict::A,
                verdict => verdict,
            };
            let policies = [a, b].map(|number| self.labels[number].as_str());
            Pair { policies, trials, difference, verdict }
        })
    }
}
