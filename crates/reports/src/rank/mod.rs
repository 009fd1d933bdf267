//! The report of a ranking.

mod answer;
mod charts;
mod meeting;
mod robin;
mod sections;
pub mod sheets;
#[cfg(test)]
mod tests;

use serde_json::{Value, json};
use stopwise_analysis::estimate::{Estimate, Level, Method};
use stopwise_analysis::rank::{Matchup, Race, Ranking, RoundRobin, Verdict};
use stopwise_document::{Real, Report};
use stopwise_engine::game::Metric;
use stopwise_narration::counted;

use super::head::Head;
use super::manifest::Subject;
use super::numbers::{DIFFERENCE, MEAN, PERCENT, POINTS, Style, as_read};
use super::tables::Tables;
use super::terms;
use super::won::Won;

/// The result of a ranking, with the names of its parts.
#[derive(Debug)]
pub struct RankReport {
    /// The game.
    pub game: &'static str,
    /// The name of the rules.
    pub rules: String,
    /// How many play.
    pub seats: usize,
    /// The seed of all trials.
    pub seed: u64,
    /// How probable it is at most that any statement of the ranking is wrong.
    pub alpha: f64,
    /// What is compared.
    pub metric: Metric,
    /// The metric of shared wins, where the game has one and another is compared.
    pub shared: Option<&'static str>,
    /// The label of every policy.
    pub labels: Vec<String>,
    /// What was played.
    pub by: By,
    /// The places.
    pub ranking: Ranking,
    /// The winner once more, if it was played on its own.
    pub fresh: Option<Fresh>,
    /// Two that were seen to give the same answers, so that nothing tells them apart.
    pub alike: Option<Alike>,
    /// All groups of those that were seen to give the same answers, and the games in which they were compared.
    pub same: (Vec<Vec<usize>>, u64),
}

/// The data of a ranking.
#[derive(Debug)]
pub enum By {
    /// All against the best, alone.
    Race(Box<Race>),
    /// Every two at a table.
    RoundRobin(RoundRobin),
}

/// What is said of a value that was the same in every trial, from which no interval follows.
const ALWAYS: &str = "in all trials";

/// Two policies that give the same answers.
#[derive(Debug)]
pub struct Alike {
    /// Their table.
    pub table: Matchup,
    /// The games in which their answers were compared.
    pub games: u64,
}

/// The winner on fresh trials, which its rank does not depend on.
#[derive(Debug)]
pub struct Fresh {
    /// The first trial; with seats, of each table.
    pub first_trial: u64,
    /// How many; with seats, at each table.
    pub trials: u64,
    /// Its mean, with a 95 % interval for a number of trials fixed beforehand; values that are all equal have none.
    pub mean: Estimate,
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
    pub(super) arms: [usize; 2],
    pub(super) trials: u64,
    pub(super) difference: Estimate,
    pub(super) verdict: Verdict,
}

impl Row<'_> {
    /// Its place, or the best and the worst that it can have.
    fn place(&self) -> String {
        match self.places {
            (best, worst) if best == worst => best.to_string(),
            (best, worst) => format!("{best}–{worst}"),
        }
    }

    /// The letters of its groups.
    fn letters(&self) -> String {
        self.groups.as_ref().map_or_else(String::new, |groups| groups.join(" "))
    }
}

impl By {
    /// The trials of the arm that played most; with seats, of a table.
    pub fn trials(&self) -> u64 {
        match self {
            Self::Race(race) => race.trials(),
            Self::RoundRobin(robin) => robin.tables().first().map_or(0, |table| table.games),
        }
    }
}

impl RankReport {
    /// The document, but for what was played and how to repeat it; with datasets if somebody reads them.
    pub fn report(&self, tables: Option<Tables<'_>>) -> Report {
        let how = match &self.by {
            By::Race(_) => format!("ranked by {}", self.metric.word()),
            By::RoundRobin(_) => {
                format!("everybody against everybody, {} a table", counted(self.by.trials(), "game"))
            }
        };
        let rows = self.rows();
        let mut report = Report {
            command: "rank",
            head: format!(
                "{} · rules {} · {} policies, {how} · seed {}",
                self.game,
                self.rules,
                self.labels.len(),
                self.seed
            ),
            answer: answer::answer(self, &rows),
            terms: self.terms(),
            ..Report::default()
        };
        if let Some(mut tables) = tables {
            sheets::datasets(&mut tables, self, &rows);
            tables.put_into(&mut report, self.seed);
        }
        Head {
            game: self.game,
            rules: &self.rules,
            policy: None,
            policies: Some(self.labels.len()),
            seats: self.seats,
            // At a table every policy plays in every seat.
            is_rotated: self.seats > 1,
            trials: self.by.trials(),
            seed: self.seed,
        }
        .put_into(&mut report);
        report.fact("metric", self.metric.name);
        report.fact("unit", self.unit());
        report.fact("alpha", Real::shortest(self.alpha));
        report.fact("method", self.method().to_string());
        if let By::Race(race) = &self.by {
            report.fact("resolution", Real::number(race.resolution()));
        }
        sections::sections(&mut report, self, &rows);
        report
    }

    fn terms(&self) -> Vec<(String, String)> {
        let both = [
            ("place", "the best and the worst place that the policy can have, as far as is known"),
            ("group", "policies that share a letter cannot be distinguished"),
        ];
        let strength = format!("the mean, over all other policies, of the share{}", self.won().that_it_wins);
        let beats = match self.seats {
            2 => "it wins more often than the other",
            _ => {
                "A beats B if A with one seat at a table of Bs wins more than B with one seat at a table of As; both may win more \
                 than a fair share there, or both less"
            }
        };
        let own: &[(&str, &str)] = match &self.by {
            By::Race(_) => &[
                ("resolution", "differences up to this are too small to matter"),
                ("fresh trials", "trials on which the ranking does not depend"),
            ],
            By::RoundRobin(_) => &[
                ("strength", &strength),
                ("beats", beats),
                ("cycle", "policies each of which beats the next, and the last the first"),
                ("fresh trials", "trials on which the ranking does not depend"),
            ],
        };
        let mut all = terms::of(&[self.metric], &[]);
        all.extend(both.iter().chain(own).map(|&(word, meaning)| (word.to_owned(), meaning.to_owned())));
        all
    }

    /// What values are counted in: wins, and shares of them, in games.
    pub(super) fn unit(&self) -> &'static str {
        as_read(&self.metric).1
    }

    /// How what is won is called.
    pub(super) fn won(&self) -> Won {
        Won::of(&[self.metric])
    }

    /// How values of the metric are written; wins in per cent.
    fn style(&self) -> Style {
        match &self.by {
            By::Race(_) => MEAN,
            By::RoundRobin(_) => PERCENT,
        }
    }

    /// How differences of two values are written; of wins in percentage points.
    fn difference_style(&self) -> Style {
        match &self.by {
            By::Race(_) => DIFFERENCE,
            By::RoundRobin(_) => POINTS,
        }
    }

    /// A value of the metric, with the decimals that its interval needs.
    fn shown(&self, estimate: Estimate) -> String {
        self.style().fine(estimate.interval).number(estimate.value)
    }

    /// A difference of two values in the same way.
    fn shown_difference(&self, estimate: Estimate) -> String {
        self.difference_style().fine(estimate.interval).number(estimate.value)
    }

    /// The interval of a difference of two policies.
    fn difference_limits(&self, estimate: Estimate, of: [usize; 2]) -> String {
        if self.have_one_value(estimate, &of) {
            return ALWAYS.into();
        }
        self.difference_style().range(estimate.interval)
    }

    /// Whether an estimate of these policies has no interval, as each of them had one value in all of its trials.
    fn have_one_value(&self, estimate: Estimate, of: &[usize]) -> bool {
        let By::Race(race) = &self.by else { return false };
        estimate.interval.is_none() && of.iter().all(|&policy| race.has_one_value(policy))
    }

    /// The interval of a value.
    fn limits(&self, estimate: Option<Estimate>) -> String {
        self.style().range(estimate.and_then(|estimate| estimate.interval))
    }

    /// Its head in the manifest.
    pub fn subject(&self) -> Subject<'_> {
        Subject {
            game: self.game,
            rules: &self.rules,
            seed: self.seed,
            trials: self.by.trials(),
            rotations: None,
        }
    }

    /// The stopping rule and the fresh trials, for the manifest.
    pub fn stopping(&self) -> Value {
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
                let others = (0..self.labels.len()).filter(|&other| other != number);
                let games = others.map(|other| robin.tables()[robin.table_of(number, other)].games).sum();
                let gap = || robin.gap(number, first);
                (games, robin.strength(number), (number != first).then(gap).flatten())
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

    /// The policy of a place, from 0, with each of those below it, in the order of the ranking.
    pub(super) fn pairs<'r>(&'r self, race: &'r Race, above: usize) -> impl Iterator<Item = Pair<'r>> {
        let order = &self.ranking.order;
        (above + 1..order.len()).map(move |below| {
            let (a, b) = (order[above], order[below]);
            let (difference, trials) = (race.difference(a, b), race.trials_of_both(a, b));
            // The order may follow by transitivity where the trials of the two do not decide it.
            let verdict = match race.verdict(a, b) {
                Verdict::Open | Verdict::Equal if self.ranking.is_better(a, b) => Verdict::A,
                verdict => verdict,
            };
            let (arms, policies) = ([a, b], [a, b].map(|number| self.labels[number].as_str()));
            Pair { policies, arms, trials, difference, verdict }
        })
    }
}
