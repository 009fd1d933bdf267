//! The report of a paired comparison.

mod answer;
mod charts;
mod matrix;
mod sections;
pub mod sheets;
#[cfg(test)]
mod tests;

use crate::words::few_trials;
use std::borrow::Cow;

use stopwise_analysis::estimate::{Estimate, Interval, Level, Summary};
use stopwise_analysis::paired::{Comparison, MeanDifference, Stopping, WinTieLoss};
use stopwise_document::Report;
use stopwise_engine::game::{Better, Ending, Metric};
use stopwise_engine::paired::PairTally;
use stopwise_engine::tally::Histogram;
use stopwise_erased::Divergence;
use stopwise_narration::trials;

use super::head::Head;
use super::manifest::Subject;
use super::numbers::{DIFFERENCE, MEAN, Style, as_read, of_differences};
use super::shared_wins::in_games;
use super::stopped::Stopped;
use super::tables::Tables;
use super::terms;
use super::won::has_parts;

/// The result of a comparison, with the names of its parts.
#[derive(Debug)]
pub struct ComparisonReport {
    /// The game.
    pub game: &'static str,
    /// The names of all sets of rules, joined by ` / `.
    pub rules: String,
    /// How many play.
    pub seats: usize,
    /// What is compared: line-ups, each under every set of rules.
    pub sides: Vec<Side>,
    /// What is measured of a seat.
    pub metrics: Vec<Metric>,
    /// How games end.
    pub endings: Vec<Ending>,
    /// Whether policies were rotated.
    pub is_rotated: bool,
    /// What was played, with every difference.
    pub comparison: Comparison,
    /// Why the run stopped, if the number of trials was not fixed.
    pub stopped: Option<Stopped>,
    /// Whether the trials in which pairs differ were asked for.
    pub is_divergent: bool,
    /// The metric that judges, is drawn and told by quantiles, if one was asked for.
    pub drawn: Option<usize>,
    /// The first of them, for each pair.
    pub divergences: Vec<Vec<Parted>>,
    /// The seed of all trials.
    pub seed: u64,
    /// The command line that replays one of them, but for its number and its policies.
    pub replay: String,
}

/// A line-up under rules.
#[derive(Clone, Debug)]
pub struct Side {
    /// The name of the rules.
    pub rules: String,
    /// The label of the line-up.
    pub lineup: String,
    /// What tells it from all others.
    name: String,
}

impl Side {
    /// Whether one policy sits in every seat.
    fn is_alone(&self) -> bool {
        !self.lineup.contains(" / ")
    }

    /// All sides, of each the rules and the line-up. They go by their line-ups, by their rules, or by both, whichever differ.
    pub fn all(sides: impl IntoIterator<Item = (String, String)>) -> Vec<Self> {
        let sides: Vec<_> = sides.into_iter().collect();
        let is_one = |of: fn(&(String, String)) -> &String| {
            sides.iter().all(|side| sides.first().is_none_or(|first| of(first) == of(side)))
        };
        let (one_rules, one_lineup) = (is_one(|side| &side.0), is_one(|side| &side.1));
        let side = |(rules, lineup): &(String, String)| Self {
            name: match (one_rules, one_lineup) {
                (true, _) => lineup.clone(),
                (false, true) => format!("rules {rules}"),
                (false, false) => format!("{lineup} under {rules}"),
            },
            rules: rules.clone(),
            lineup: lineup.clone(),
        };
        sides.iter().map(side).collect()
    }
}

/// A trial in which two line-ups differ.
#[derive(Debug)]
pub struct Parted {
    /// Its number.
    pub trial: u64,
    /// The first decision in it that they make differently.
    pub first: Divergence,
}

/// A metric of a pair, A − B.
#[derive(Clone, Copy, Debug)]
struct Difference {
    mean: MeanDifference,
    /// The mean with its interval, which holds by itself.
    estimate: Estimate,
    duel: WinTieLoss,
    better: Better,
}

impl Difference {
    /// Half the width of the interval, as text.
    fn half(&self, scale: f64) -> String {
        self.estimate
            .interval
            .map_or_else(|| "–".into(), |interval| MEAN.times(scale).reach(self.mean.value, interval))
    }

    /// The mean difference, with its sign.
    fn shown(&self, scale: f64) -> String {
        DIFFERENCE.times(scale).fine(self.estimate.interval).number(self.mean.value)
    }

    /// Whether A is known to do better, or B; `None` if neither is.
    fn is_a_better(&self) -> Option<bool> {
        match (self.estimate.is_above(0.0), self.estimate.is_below(0.0)) {
            (false, false) => None,
            (is_more, _) => Some(is_more == (self.better == Better::Higher)),
        }
    }
}

impl ComparisonReport {
    /// The document, but for what was played and how to repeat it; with datasets if somebody reads them.
    pub fn report(&self, tables: Option<Tables<'_>>) -> Report {
        let rotated = if self.is_rotated { ", rotated," } else { "" };
        let mut report = Report {
            command: "compare",
            head: format!(
                "{} · rules {} · {}{rotated} on the same {} · seed {}",
                self.game,
                self.rules,
                self.only_lineup().map_or_else(|| format!("{} policies", self.lineups()), str::to_owned),
                trials(self.trials()),
                self.seed
            ),
            answer: answer::answer(self),
            warnings: few_trials(self.trials())
                .filter(|_| self.stopping() == Stopping::Fixed)
                .into_iter()
                .collect(),
            terms: self.terms(),
            ..Report::default()
        };
        if let Some(mut tables) = tables {
            sheets::datasets(&mut tables, self);
            tables.put_into(&mut report, self.seed);
            in_games(&mut report.data, &self.metrics);
        }
        Head {
            game: self.game,
            rules: &self.rules,
            policy: self.only_lineup().map(str::to_owned),
            policies: Some(self.lineups()),
            seats: self.seats,
            is_rotated: self.is_rotated,
            trials: self.trials(),
            seed: self.seed,
        }
        .put_into(&mut report);
        report.fact("metric", self.metric().name);
        report.fact("unit", as_read(self.metric()).1);
        if let Some(stopped) = &self.stopped {
            stopped.facts(&mut report);
        }
        sections::sections(&mut report, self);
        report
    }

    fn terms(&self) -> Vec<(String, String)> {
        let own = [
            ("A − B", "what A has in a trial less what B has in the same trial"),
            ("paired", "both play the same trials with the same dice, so that luck that both share cancels"),
            ("variance", "how many times as many trials independent runs would need for the same interval"),
            ("the same game", "both make every decision of a trial alike"),
        ];
        let mut all = terms::of(&self.metrics, &[]);
        all.extend(own.map(|(word, meaning)| (word.to_owned(), meaning.to_owned())));
        all
    }

    /// The trials of every pair.
    pub(crate) fn trials(&self) -> u64 {
        self.comparison.tally.trials()
    }

    /// Whether there are more than two sides.
    fn is_many(&self) -> bool {
        self.sides.len() > 2
    }

    /// How many line-ups there are: as many under all rules.
    fn lineups(&self) -> usize {
        self.sides.iter().filter(|side| side.rules == self.sides[0].rules).count()
    }

    /// The line-up, if there is one alone, under several sets of rules.
    fn only_lineup(&self) -> Option<&str> {
        self.sides.first().filter(|_| self.lineups() == 1).map(|side| &*side.lineup)
    }

    /// Whether both play by the same rules.
    fn is_of_same_rules(&self, pair: &PairTally) -> bool {
        self.sides[pair.a].rules == self.sides[pair.b].rules
    }

    /// The pairs, with their numbers.
    fn pairs(&self) -> impl Iterator<Item = (usize, &PairTally)> {
        self.comparison.tally.pairs.iter().enumerate()
    }

    /// The difference of the first metric, where that is 0 or 1: of the shares of trials with a 1.
    fn share_difference(&self, pair: usize) -> Option<Estimate> {
        let means = &self.comparison.means;
        means.is_share(0).then(|| means.estimate(&self.comparison.tally, pair, 0)).flatten()
    }

    /// A metric of a pair; `None` without trials.
    fn difference(&self, pair: usize, metric: usize) -> Option<Difference> {
        let differences = &self.comparison.tally.pairs[pair].metrics[metric];
        let better = self.metrics[metric].better;
        let mean = self.comparison.means.mean(&self.comparison.tally, pair, metric)?;
        let found = self.comparison.means.estimate(&self.comparison.tally, pair, metric)?;
        // A win is 1 or 0, whatever was seen.
        let differ = mean.spread > 0.0 || self.metrics[metric].is_won();
        Some(Difference {
            mean,
            estimate: found.of_values_that(differ),
            duel: WinTieLoss::of(differences, better),
            better,
        })
    }

    /// The metric that judges two line-ups, the first less the second, in whichever order they were compared.
    fn between(&self, one: usize, other: usize) -> Option<Difference> {
        let pairs = &self.comparison.tally.pairs;
        let of_both = (one.min(other), one.max(other));
        // They are in order, and there may be half a million.
        let at = pairs.binary_search_by_key(&of_both, |pair| (pair.a, pair.b)).ok()?;
        let found = self.difference(at, self.judged())?;
        if pairs[at].a == one {
            return Some(found);
        }
        let WinTieLoss { a_better, equal, b_better } = found.duel;
        Some(Difference {
            mean: MeanDifference { value: -found.mean.value, ..found.mean },
            estimate: found.estimate.negated(),
            duel: WinTieLoss { a_better: b_better, equal, b_better: a_better },
            ..found
        })
    }

    /// The metric that judges a pair, with an interval that holds together with those of all other pairs. `None` if the number
    /// of trials was not fixed.
    fn together(&self, found: &Difference) -> Option<Estimate> {
        let level = Level::SINGLE.among(self.comparison.tally.pairs.len());
        (self.stopping() == Stopping::Fixed).then(|| found.mean.fixed(level))
    }

    /// The line-ups by their mean of the metric that judges them, the best first; equal ones in order.
    fn order(&self) -> Vec<(usize, f64)> {
        let mean = |arm: &stopwise_engine::paired::ArmTally| {
            let (sum, _) = arm.histogram(self.judged()).sums();
            sum as f64 / arm.trials().max(1) as f64
        };
        let mut order: Vec<_> = self.comparison.tally.arms.iter().map(mean).enumerate().collect();
        order.sort_by(|(_, a), (_, b)| match self.metric().better {
            Better::Higher => b.total_cmp(a),
            Better::Lower => a.total_cmp(b),
        });
        order
    }

    /// The mean that a side has of the metric that judges.
    fn own_mean(&self, side: usize, style: Style) -> String {
        let own = Summary::of(&self.comparison.tally.arms[side].histogram(self.judged()));
        own.map_or_else(|| "–".into(), |own| own_digits(style, &own))
    }

    fn stopping(&self) -> Stopping {
        self.comparison.means.stopping()
    }

    /// Its head in the manifest.
    pub fn subject(&self) -> Subject<'_> {
        Subject {
            game: self.game,
            rules: &self.rules,
            seed: self.seed,
            trials: self.trials(),
            rotations: self.is_rotated.then(|| {
                let rotations = self.comparison.tally.arms.first().map(|arm| &arm.rotations);
                rotations.into_iter().flatten().map(|tally| tally.trials).collect()
            }),
        }
    }

    /// What a side is called.
    fn name(&self, side: usize) -> &str {
        &self.sides[side].name
    }

    /// What the sides of a pair are called.
    fn names(&self, pair: &PairTally) -> [&str; 2] {
        [pair.a, pair.b].map(|side| self.name(side))
    }

    /// The histograms of a metric for the first policies of A and of B.
    fn histograms(&self, pair: &PairTally, metric: usize) -> [Cow<'_, Histogram>; 2] {
        [pair.a, pair.b].map(|arm| self.comparison.tally.arms[arm].histogram(metric))
    }

    /// Whose metrics are compared; `None` in a game for one, where it is each policy that is named.
    fn whose(&self) -> Option<&str> {
        match (self.seats, self.is_rotated) {
            (1, _) => self.only_lineup(),
            (_, true) => Some("the first policy"),
            (_, false) => Some("seat 1"),
        }
    }

    /// The metric by which line-ups are judged: that which was asked for, else the game's first.
    fn judged(&self) -> usize {
        self.drawn.unwrap_or(0)
    }

    fn metric(&self) -> &Metric {
        &self.metrics[self.judged()]
    }

    /// What is said of wins where somebody had a part of one.
    fn ties(&self) -> &'static str {
        let at = self.judged();
        let is_shared =
            self.comparison.tally.arms.iter().any(|arm| has_parts(self.metric(), &arm.histogram(at)));
        if is_shared { ", ties shared" } else { "" }
    }

    /// How this metric is read: a factor, and the unit of a difference. Shares of wins are read in per cent.
    fn reading(&self) -> (f64, &'static str) {
        of_differences(self.metric())
    }

    /// What the intervals are, in a sentence.
    fn intervals(&self) -> &'static str {
        match self.stopping() {
            Stopping::Fixed => "Each interval is a 95 % interval by itself: of twenty, about one misses.",
            Stopping::Anytime(_) => {
                "Each interval is a 95 % interval by itself, which holds at every moment of the run at once."
            }
        }
    }
}

/// A mean by itself, to the digits that its standard error has.
fn own_digits(style: Style, of: &Summary) -> String {
    let around = |error: f64| Interval { low: of.mean - error, high: of.mean + error };
    style.fine(of.std_error.map(around)).number(of.mean)
}
