//! What each answer is worth in a position: by best play where the game is small enough to be solved, else by games that go on
//! with each answer.

use std::ops::{ControlFlow, Range};
use std::sync::Arc;

use rayon::prelude::*;
use stopwise_analysis::choices::{Valued, valued};
use stopwise_analysis::estimate::{Estimate, Level, Method};
use stopwise_analysis::exact::{ExactError, Limits};
use stopwise_engine::game::{Better, Metric};
use stopwise_engine::run::Plan;
use stopwise_erased::{AnyBestPlay, AnyPolicy, AnyRules, Asked};
use stopwise_policy::metric_of_values;
use stopwise_reports::advise::{AdviseReport, Origin, Unknown};
use stopwise_reports::simulate::stop::whole;

use crate::args::By;
use crate::exact::{Walking, best_play, failure};
use crate::failure::Failure;
use crate::runner::Chosen;
use crate::session::Session;
use crate::threads::shared;

/// The message if a signal ends it.
pub(crate) const INTERRUPTED: &str = "interrupted: there is no advice yet";

/// The most states of a game that is solved to give advice: some seconds. Those of a text take longer, and so do states from
/// each of which very many others come: these take much memory.
const STATES: usize = 2_000_000;
const TEXT_STATES: usize = 100_000;
const TEXT_BYTES: usize = 256 << 20;
/// The games that tell which policy is the strongest.
const RACED: u64 = 1_000;
/// The games that go on with each choice, if nothing else is said.
const TRIALS: u64 = 2_000;
/// The fewest games of each choice in a review.
const FEWEST: u64 = 100;
/// The decisions of all games of a review, in which some seconds pass; those of games that go on from one decision are as many
/// as its game had from there, and of a game that is not over no fewer than these.
const REVIEWED: u64 = 5_000_000;
const LENGTH: usize = 60;
/// The games of one piece of work.
const BATCH: u64 = 250;

/// Gives advice on positions of one game.
pub(crate) struct Advisor {
    rules: Arc<dyn AnyRules>,
    name: String,
    best: Option<Best>,
    /// Whether a policy of the line-up has the values of best play, and they are wanted.
    has_kept: bool,
    /// The policies that play on, where there is no best play.
    lineup: Vec<AnyPolicy>,
    /// The policies whose answers are told.
    named: Vec<AnyPolicy>,
    /// What is played for, if the user says so.
    metric: Option<usize>,
    trials: Option<u64>,
    seed: u64,
    by: By,
    quiet: bool,
}

/// Best play, and the number of its states.
type Best = (Box<dyn AnyBestPlay>, usize);

/// Games that were played on from a decision.
pub(crate) struct Games {
    /// What the deciding seat came to, trial by trial, after each choice.
    pub(crate) of_choices: Vec<Vec<u32>>,
    /// The choice of the policy that plays on in its seat; `None` if it answers by chance.
    pub(crate) own: Option<usize>,
}

/// What an advisor needs to know.
pub(crate) struct Advised {
    pub(crate) rules: Arc<dyn AnyRules>,
    /// The name of the rules.
    pub(crate) name: String,
    /// The policies that play on, one for all seats or one for each.
    pub(crate) lineup: Vec<AnyPolicy>,
    /// What is played for, if the user says so: the number of a metric.
    pub(crate) metric: Option<usize>,
    /// How many games of each choice are played, if the user says so.
    pub(crate) trials: Option<u64>,
    pub(crate) seed: u64,
    pub(crate) by: By,
    /// The most memory of best play, in bytes.
    pub(crate) memory: usize,
    pub(crate) quiet: bool,
}

impl Advisor {
    /// Solves the game, if it is small enough and wanted, on the threads among which this is called.
    pub(crate) fn new(session: &Session, of: Advised) -> Result<Self, Failure> {
        let Advised { rules, name, lineup, metric, trials, seed, by, memory, quiet } = of;
        let (states, memory) = match by {
            By::Exact => (Limits::default().states, memory),
            _ if rules.entry().text.is_empty() => (STATES, memory),
            _ => (TEXT_STATES, memory.min(TEXT_BYTES)),
        };
        let exact = metric.unwrap_or(0);
        let objective = rules.metrics()[exact].name;
        // What both seats of a game want is to win.
        let is_common = rules.seats() == 1 || rules.metrics()[exact].is_won();
        if by == By::Exact && !is_common {
            return Err(Failure::Input(format!(
                "--by exact: best play of several is found for wins alone; leave --by exact out, and {objective} comes from games \
                 that go on"
            )));
        }
        let is_kept = |policy: &AnyPolicy| {
            metric_of_values(&policy.heading().text).is_some_and(|of| of == objective)
                && rules.kept_value(policy).is_some()
        };
        let has_kept = by != By::Trials && is_common && lineup.iter().any(is_kept);
        let best = match by {
            By::Trials => None,
            By::Auto if has_kept || !is_common => None,
            _ if rules.seats() > 2 && by == By::Auto => None,
            _ => solved(session, &*rules, exact, (states, memory, quiet), by)?,
        };
        if best.is_none() && lineup.is_empty() {
            return Err(Failure::Input(format!(
                "{} has no policy that could play on; name one: --policy FILE.toml, or --advice FILE.toml in `play`",
                rules.game()
            )));
        }
        let shipped = rules.entry().policies.iter();
        let shipped = shipped.filter_map(|policy| rules.compile(&policy.text(), &[]).ok());
        let mut named: Vec<AnyPolicy> = lineup.clone();
        named.extend(shipped);
        let mut known: Vec<String> = Vec::new();
        named.retain(|policy| {
            let title = policy.heading().title();
            let is_new = policy.is_text() && !known.contains(&title);
            known.push(title);
            is_new
        });
        Ok(Self { rules, name, best, has_kept, lineup, named, metric, trials, seed, by, quiet })
    }

    /// The position of a text.
    pub(crate) fn asked(&self, text: &str) -> Result<Asked, Failure> {
        self.rules.asked(text).map_err(|why| Failure::Input(format!("the position: {why}")))
    }

    /// What each answer is worth; games are played on the threads among which this is called.
    pub(crate) fn advise(&self, session: &Session, asked: Asked) -> Result<AdviseReport, Failure> {
        Ok(self.weigh(session, asked, self.trials.unwrap_or(TRIALS))?.0)
    }

    /// How many games of each choice a review plays, given for each decision its number of choices and its place in a game
    /// of so many decisions.
    pub(crate) fn trials_of(&self, decisions: impl Iterator<Item = (usize, usize)>, game: usize) -> u64 {
        self.trials.unwrap_or_else(|| reviewed(decisions, game))
    }

    /// Whether progress is shown.
    pub(crate) fn is_quiet(&self) -> bool {
        self.quiet
    }

    /// What is played for: the game's first metric, if no other is named.
    fn metric(&self) -> usize {
        self.metric.unwrap_or(0)
    }

    /// What the whole counts of the metric of games that are played, if it is a share.
    pub(crate) fn whole(&self) -> Option<u32> {
        let metric = self.metric();
        whole(&self.rules.metrics()[metric], self.rules.bounds(metric))
    }

    /// The same by so many games of each choice, with these games.
    pub(crate) fn weigh(
        &self,
        session: &Session,
        asked: Asked,
        trials: u64,
    ) -> Result<(AdviseReport, Option<Games>), Failure> {
        let mut games = None;
        let (metric, values, best, origin) = match self.exact(&asked) {
            Some((values, best, states)) => {
                (self.rules.metrics()[self.metric()], values, best, Origin::Exact { states })
            }
            None => {
                let why = self.unknown(&asked);
                self.check_playable(why)?;
                let metric = self.rules.metrics()[self.metric()];
                let played = games.insert(self.played(session, &asked, trials)?);
                let (best, values) =
                    valued(&played.of_choices, metric.better, self.whole()).ok_or_else(Self::interrupted)?;
                let labels = self.lineup.iter().map(AnyPolicy::label).collect();
                (metric, values, best, Origin::Played { trials, labels, why })
            }
        };
        let busts = asked.choices.iter().map(|choice| self.rules.bust_chance(&asked, choice.action));
        let answers = self.named.iter().filter_map(|policy| {
            let action = self.rules.answer(&asked, policy)?;
            Some((policy.heading().title(), asked.choice_of(action)?))
        });
        let report = AdviseReport {
            doubt: None,
            game: self.rules.game(),
            rules: self.name.clone(),
            seats: self.rules.seats(),
            metric,
            has_ties: self.rules.metrics().iter().any(Metric::is_share),
            endings: self.rules.told_endings(),
            kind: self.rules.kinds()[asked.kind],
            values,
            best,
            busts: busts.collect(),
            origin,
            answers: answers.collect(),
            seed: self.seed,
            asked,
        };
        Ok((report, games))
    }

    /// Why a position has no exact values, if best play is known.
    fn unknown(&self, asked: &Asked) -> Option<Unknown> {
        match &self.best {
            Some((best, _)) if !best.is_known(asked) => Some(Unknown::Waiting),
            None if !self.has_kept => None,
            _ => Some(Unknown::NoPlay),
        }
    }

    /// Whether games can go on from a position that has no exact values, and why it has none.
    fn check_playable(&self, why: Option<Unknown>) -> Result<(), Failure> {
        let why = why.unwrap_or(Unknown::NoPlay);
        if self.by == By::Exact {
            let check = if why == Unknown::NoPlay { "check its parts, or " } else { "" };
            return Err(Failure::Input(format!(
                "--by exact: {}; {check}leave --by exact out",
                why.in_words()
            )));
        }
        if self.lineup.is_empty() {
            return Err(Failure::Input(format!(
                "{}, and {} has no policy that could play on from it; check its parts, or name a policy: --policy FILE.toml",
                why.in_words(),
                self.rules.game()
            )));
        }
        Ok(())
    }

    /// The exact values, the best choice, and the number of states.
    fn exact(&self, asked: &Asked) -> Option<(Vec<Valued>, usize, usize)> {
        let kept = |policy: &AnyPolicy| self.rules.kept_worths(asked, policy);
        let (worths, states) = match &self.best {
            Some((best, _)) if !best.is_known(asked) => return None,
            Some((best, states)) => (best.worths(asked)?, *states),
            None if !self.has_kept => return None,
            None => self.lineup.iter().find_map(kept)?,
        };
        let metric = self.rules.metrics()[self.metric()];
        let is_less = (metric.better == Better::Higher) != (asked.seat == 0);
        let own = |worth: f64| match asked.seat > 0 && metric.is_won() {
            // In a game for two, what one seat does not win is the other's.
            true => f64::from(metric.whole()) + worth,
            false if is_less => -worth,
            false => worth,
        };
        let worths: Vec<f64> = worths.into_iter().map(own).collect();
        let sign = if metric.better == Better::Higher { 1.0 } else { -1.0 };
        // Of equally good choices the first, as best play takes it.
        let best =
            (0..worths.len()).rev().max_by(|a, b| (sign * worths[*a]).total_cmp(&(sign * worths[*b])))?;
        let exactly =
            |value: f64| Estimate { value, interval: None, method: Method::Exact, level: Level::SINGLE };
        let value = |(at, worth): (usize, &f64)| {
            let loss = sign * (worths[best] - worth);
            // Values are exact to some 10⁻¹¹.
            let loss = if loss < 1e-10 { 0.0 } else { loss };
            Valued { value: exactly(*worth), loss: (at != best).then(|| exactly(loss)) }
        };
        Some((worths.iter().enumerate().map(value).collect(), best, states))
    }

    /// Whether others have answered by chance, and it is hidden how: games that go on from there would tell.
    pub(crate) fn is_hidden(&self, asked: &Asked) -> bool {
        asked.is_veiled && self.lineup.iter().any(|policy| self.rules.answer(asked, policy).is_none())
    }

    /// Games that go on with each choice.
    fn played(&self, session: &Session, asked: &Asked, many: u64) -> Result<Games, Failure> {
        if self.is_hidden(asked) {
            return Err(Failure::Input(
                "somebody who is asked at the same time has answered by chance already, and what an answer is worth would tell how; \
                 ask in the place of who is asked first, or name policies without chance"
                    .into(),
            ));
        }
        let metric = self.metric();
        let of_choice = |action: u8| {
            let played = |trials| {
                let found = self.rules.played(asked, action, &self.lineup, (metric, self.seed), trials);
                found.map_err(|why| Failure::Input(impossible(&*self.rules, asked, &why)))
            };
            Self::all_trials(session, many, &played)
        };
        let of_choices: Result<_, Failure> =
            asked.choices.iter().map(|choice| of_choice(choice.action)).collect();
        let policy = if self.lineup.len() == 1 { 0 } else { asked.seat };
        let answer = self.rules.answer(asked, &self.lineup[policy]);
        let own = answer.map(|answer| asked.choice_of(answer).unwrap_or_default());
        Ok(Games { of_choices: of_choices?, own })
    }

    /// The results of a seat in games from the beginning, played by the policies that play on: the same trials as those of choices.
    pub(crate) fn begun(&self, session: &Session, seat: usize, many: u64) -> Result<Vec<u32>, Failure> {
        let metric = self.metric();
        let begun = |trials| self.rules.begun(seat, &self.lineup, (metric, self.seed), trials);
        Self::all_trials(session, many, &|trials| begun(trials).map_err(Failure::Other))
    }

    /// All trials, batch by batch.
    fn all_trials(
        session: &Session,
        many: u64,
        played: &(dyn Fn(Range<u64>) -> Result<Vec<u32>, Failure> + Sync),
    ) -> Result<Vec<u32>, Failure> {
        let batches = usize::try_from(many.div_ceil(BATCH)).unwrap_or(usize::MAX);
        let batch = |number: usize| {
            let first = number as u64 * BATCH;
            if session.is_ending() {
                return Err(Self::interrupted());
            }
            played(first..many.min(first + BATCH))
        };
        let parts: Result<Vec<Vec<u32>>, Failure> = shared(batches, batch).into_iter().collect();
        Ok(parts?.concat())
    }

    fn interrupted() -> Failure {
        Failure::Interrupted(INTERRUPTED.into())
    }

    /// The value of the game before it begins, for the first seat, if it was solved.
    pub(crate) fn value(&self) -> Option<f64> {
        match &self.best {
            Some((best, _)) => Some(best.solved(0).value),
            None if !self.has_kept => None,
            None => self.lineup.iter().find_map(|policy| self.rules.kept_value(policy)),
        }
    }
}

/// Why the rules could not go on from a position: what lies there too often, or what the rules met.
fn impossible(rules: &dyn AnyRules, asked: &Asked, why: &str) -> String {
    // Where that stands in the text helps nobody who types a position.
    let why = why.strip_prefix("line ").and_then(|why| why.split_once(": ")).map_or(why, |(_, why)| why);
    let why = why.rsplit_once(", in `").map_or(why, |(why, _)| why);
    let why = rules.doubt(asked).unwrap_or_else(|| format!("going on from it, {why}; check its parts"));
    format!("no play comes to this position: {why}")
}

fn reviewed(decisions: impl Iterator<Item = (usize, usize)>, game: usize) -> u64 {
    let left = |place: usize| game.max(LENGTH).saturating_sub(place);
    let each: u64 = decisions.map(|(choices, place)| (choices * left(place)) as u64).sum();
    (REVIEWED / each.max(1)).clamp(FEWEST, TRIALS)
}

/// The strongest of the policies that come with a game, judged by a few games: alone by its mean, otherwise by its share of the wins
/// in the first seat, in the mean over tables at which one of all policies has the other seats. The better half goes on to as
/// many games again, and so on up to all games (sequential halving: Karnin, Koren and Somekh 2013). `None` if there is none.
pub(crate) fn strongest(rules: &dyn AnyRules, metric: Option<usize>, seed: u64) -> Option<AnyPolicy> {
    let shipped = rules.entry().policies.iter();
    let all: Vec<AnyPolicy> = shipped.filter_map(|policy| rules.compile(&policy.text(), &[]).ok()).collect();
    let metric = metric.unwrap_or(0);
    let others = if rules.seats() > 1 { &all[..] } else { &all[..all.len().min(1)] };
    let against_all = |policy: &AnyPolicy| {
        let against = |other: &AnyPolicy| {
            let mut lineup = vec![other.clone(); rules.seats()];
            lineup[0] = policy.clone();
            lineup
        };
        Chosen::fastest(rules, &others.iter().map(against).collect::<Vec<_>>())
    };
    let mut left: Vec<_> = all.par_iter().map(|policy| (policy, against_all(policy), 0)).collect();
    let (mut played, mut next) = (0, RACED / 8);
    while left.len() > 1 && played < RACED {
        for (_, arm, total) in &mut left {
            let trials = played * others.len() as u64..next * others.len() as u64;
            let tallies = arm.play(&Plan { seed, trials }, &|_| ControlFlow::Continue(()));
            *total += tallies.iter().map(|tally| tally.seats[0].metrics[metric].sums().0).sum::<u128>();
        }
        left.sort_by(|(_, _, a), (_, _, b)| match rules.metrics()[metric].better {
            Better::Higher => b.cmp(a),
            _ => a.cmp(b),
        });
        left.truncate(left.len().div_ceil(2).max(2));
        (played, next) = (next, RACED.min(next * 2));
    }
    left.first().map(|(policy, ..)| (*policy).clone())
}

/// Best play, and the number of its states; nothing if there are more than is allowed.
fn solved(
    session: &Session,
    rules: &dyn AnyRules,
    metric: usize,
    (states, bytes, quiet): (usize, usize, bool),
    by: By,
) -> Result<Option<Best>, Failure> {
    let limits = Limits { states, bytes, ..Limits::default() };
    let walking = Walking::new(session, &limits, quiet, None);
    let limits = Limits { watch: &|step| walking.step(step), ..limits };
    let found = match by {
        By::Exact => best_play(rules, metric, limits),
        By::Auto | By::Trials => rules.best_play(metric, limits),
    };
    walking.finish();
    match found {
        Ok(best) => {
            let states = best.solved(0).states;
            Ok(Some((best, states)))
        }
        Err(ExactError::Interrupted) => Err(Advisor::interrupted()),
        Err(error) if by == By::Exact => Err(failure(rules, error)),
        Err(_) => Ok(None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A review of a short game plays all games, one of a long game as many as there is time for, and one without end some.
    #[test]
    fn reviews_have_an_end() {
        let of = |choices: usize, many: usize| reviewed((0..many).map(|place| (choices, place)), many);
        assert_eq!((of(2, 10), of(2, 0)), (TRIALS, TRIALS));
        // Every game goes on for half of the decisions in the mean: 8 × 64 × 32.5 decisions a trial.
        assert_eq!(of(8, 64), REVIEWED / 16_640);
        assert_eq!(of(30, 10_000), FEWEST);
    }
}
