//! The report of rule variants.

mod alike;
mod charts;
mod columns;
mod contest;
mod cut;
mod length;
mod overview;
mod seats;
mod sections;
mod sentences;
pub mod sheets;
#[cfg(test)]
mod tests;
mod topics;
mod verdicts;

use crate::won::Won;
use crate::words::few_trials;
use stopwise_analysis::balance::{
    Bounds, Effect, Level, Measure, SKILL, Sample, Skill, Standings, Verdict, effect, skill_unit,
};
use stopwise_analysis::estimate::{Estimate, Interval, Method};
use stopwise_analysis::won::wins_at;
use stopwise_document::Report;
use stopwise_engine::game::{Better, Ending, Metric};
use stopwise_engine::paired::GameSums;
use stopwise_engine::tally::Tally;
use stopwise_narration::{grouped, trials};
use stopwise_policy::Target;

use super::head::Head;
use super::manifest::Subject;
use super::seeded::seeded;
use super::terms;

/// The result of a balance run, with the names of its parts. Outer lists are by variant, inner ones by policy.
#[derive(Debug)]
pub struct BalanceReport {
    /// The game.
    pub game: &'static str,
    /// The seed of all trials.
    pub seed: u64,
    /// The trials of every variant with every policy.
    pub trials: u64,
    /// The number of pilot trials, which choose the best policy.
    pub pilot: u64,
    /// The first is the base.
    pub variants: Vec<Ruled>,
    /// The label of every policy.
    pub policies: Vec<String>,
    /// The number of the policy that plays naively.
    pub naive: usize,
    /// The best policy under each variant, in the pilot.
    pub best: Vec<usize>,
    /// What was played.
    pub tallies: Vec<Vec<Tally>>,
    /// Numbers of whole games, each variant's paired with those of the base.
    pub games: Vec<Vec<GameSums>>,
    /// What playing well is worth, by variant.
    pub skills: Vec<Option<Skill>>,
    /// Wins at a table of naive policies, shared ones in shares, and games with a winner.
    pub contests: Vec<Vec<Option<(f64, u64)>>>,
    /// What was wished for.
    pub targets: Vec<Target>,
    /// What a search screened, if one was asked for.
    pub search: Option<SearchReport>,
}

/// A variant of the rules.
#[derive(Debug)]
pub struct Ruled {
    /// Its name.
    pub name: String,
    /// The options that differ from the base.
    pub changed: Vec<String>,
    /// How many play.
    pub seats: usize,
    /// What is measured of a seat.
    pub metrics: Vec<Metric>,
    /// How games end.
    pub endings: Vec<Ending>,
    /// What targets may be about.
    pub measures: Vec<Measure>,
}

/// The result of a search.
#[derive(Debug)]
pub struct SearchReport {
    /// The number of combinations.
    pub combinations: usize,
    /// Whether only a sample of them was screened.
    pub is_sample: bool,
    /// The screened variants, without the base.
    pub looked: Vec<Screened>,
}

/// A variant that was screened.
#[derive(Debug)]
pub struct Screened {
    /// Its name.
    pub name: String,
    /// The options that differ from the base.
    pub changed: Vec<String>,
    /// Its trials: up to where it was dropped, or all of the screening.
    pub trials: u64,
    /// Whether it was dropped because a target certainly fails.
    pub has_left: bool,
    /// The targets that it misses, with how much.
    pub misses: Vec<Miss>,
}

/// A target that a screened variant misses.
#[derive(Clone, Copy, Debug)]
pub struct Miss {
    /// The number of the target.
    pub target: usize,
    /// The number of the policy.
    pub policy: usize,
    /// What was measured.
    pub value: f64,
    /// How far from the target that is, in its unit.
    pub shortfall: f64,
    /// Whether it surely fails: all that are said to hold together with probability 95 %.
    pub is_sure: bool,
}

/// A target under a variant with one policy, or for `skill` with all of them.
#[derive(Debug)]
pub(crate) struct Claim<'b> {
    pub variant: usize,
    pub policy: Option<usize>,
    pub target: &'b Target,
    pub unit: &'static str,
    pub is_share: bool,
    pub measured: Estimate,
    pub verdict: Verdict,
    /// The forecast of trials that would decide, if the verdict is open.
    pub needed: Option<u64>,
}

/// An effect of a variant on a measure.
#[derive(Debug)]
pub(crate) struct Moved<'b> {
    pub variant: usize,
    pub policy: usize,
    pub measure: &'b Measure,
    pub effect: Effect,
}

impl BalanceReport {
    /// Its head in the manifest.
    pub fn subject(&self) -> Subject<'_> {
        Subject {
            game: self.game,
            rules: &self.variants[0].name,
            seed: self.seed,
            trials: self.trials,
            rotations: None,
        }
    }

    /// The document, but for what was played and how to repeat it.
    pub fn report(&self) -> Report {
        let count = |count: usize, one: &str, many: &str| {
            format!("{} {}", grouped(count as u64), if count == 1 { one } else { many })
        };
        let of_each = if self.variants.len() * self.policies.len() == 1 { "" } else { " each" };
        let on_the_same = if of_each.is_empty() { "" } else { ", all on the same dice" };
        let mut report = Report {
            command: "balance",
            head: format!(
                "{} · {} · {} · {}{of_each}{on_the_same} · seed {}",
                self.game,
                count(self.variants.len(), "variant", "variants"),
                count(self.policies.len(), "policy", "policies"),
                trials(self.trials),
                self.seed
            ),
            warnings: few_trials(self.trials).into_iter().collect(),
            data: seeded(sheets::datasets(self), self.seed),
            terms: topics::terms(self),
            ..Report::default()
        };
        report.terms.extend(terms::of(&self.variants[0].metrics, &self.variants[0].endings));
        let base = &self.variants[0];
        Head {
            game: self.game,
            rules: &base.name,
            policy: None,
            policies: Some(self.policies.len()),
            seats: base.seats,
            // Each plays against itself.
            is_rotated: false,
            trials: self.trials,
            seed: self.seed,
        }
        .put_into(&mut report);
        report.fact("base", &base.name);
        report.fact("variants", self.variants.len());
        report.fact("naive", &self.policies[self.naive]);
        report.fact("pilot_trials", self.pilot);
        let search = self.search.as_ref();
        report.fact("combinations", search.map(|search| search.combinations));
        report.fact("screened", search.map(|search| search.looked.len()));
        sections::sections(&mut report, self);
        report
    }

    /// What a variant is called for people.
    fn name(&self, variant: usize) -> &str {
        self.shown(&self.variants[variant].name)
    }

    /// The same of one with this name: that in which it differs from the base.
    fn shown<'n>(&self, name: &'n str) -> &'n str {
        less_base(&self.variants[0].name, name)
    }

    /// How what is won is called.
    fn won(&self) -> Won {
        Won::of(&self.variants[0].metrics)
    }

    /// Whether some variant is for several players.
    fn has_seats(&self) -> bool {
        self.variants.iter().any(|ruled| ruled.seats > 1)
    }

    fn sample(&self, variant: usize, policy: usize) -> Sample<'_> {
        let Ruled { metrics, endings, .. } = &self.variants[variant];
        let games = Some(&self.games[variant][policy]);
        Sample { tally: &self.tallies[variant][policy], metrics, endings, games }
    }

    /// A measure under a variant with a policy.
    pub(crate) fn measured(
        &self,
        variant: usize,
        policy: usize,
        measure: &Measure,
        level: Level,
    ) -> Option<Estimate> {
        measure.of(self.sample(variant, policy), level)
    }

    /// The effects of all variants but the base, with simultaneous intervals.
    pub(crate) fn effects(&self) -> Vec<Moved<'_>> {
        let mut all = Vec::new();
        for (variant, ruled) in self.variants.iter().enumerate().skip(1) {
            for policy in 0..self.policies.len() {
                all.extend(ruled.measures.iter().filter_map(|measure| {
                    Some((variant, policy, [measure, self.measure(0, &measure.name)?]))
                }));
            }
        }
        let level = Level::SINGLE.among(all.len());
        let moved = |(variant, policy, measures): (usize, usize, [_; 2])| {
            let samples = [variant, 0].map(|variant| self.sample(variant, policy));
            let effect = effect(measures, samples, level)?;
            Some(Moved { variant, policy, measure: measures[0], effect })
        };
        all.into_iter().filter_map(moved).collect()
    }

    /// The performance of all policies under all variants, with simultaneous intervals: the mean score of a game for
    /// one seat, or the share of wins at a table of naive policies. More is better: scores of which less is better are
    /// negated. `None` if some table had no winner, or there is one policy.
    pub(crate) fn standings(&self) -> Option<Standings> {
        let level = Level::SINGLE.among(self.variants.len() * self.policies.len());
        // Negation is its own inverse.
        let of = |variant, policy| Some(self.as_wanted(variant, self.performance(variant, policy, level)?));
        let variant = |variant| (0..self.policies.len()).map(|policy| of(variant, policy)).collect();
        let policies = (0..self.variants.len()).map(variant).collect::<Option<_>>()?;
        (self.policies.len() > 1 && self.trials > 0).then_some(Standings { policies })
    }

    /// How well a policy does under a variant: what it wins with one seat at a table of naive ones, or its mean score alone.
    /// `None` if nobody won, or a single policy is for several.
    pub(crate) fn performance(&self, variant: usize, policy: usize, level: Level) -> Option<Estimate> {
        let ruled = &self.variants[variant];
        if let Some(contest) = self.contests[variant][policy] {
            let found = wins_at(contest, level)?;
            return Some(if policy == self.naive { fair(ruled.seats, level) } else { found });
        }
        let score = ruled.measures.iter().find(|measure| measure.name == "mean score")?;
        self.measured(variant, policy, score, level)
    }

    /// The targets that are about a measure of a variant: the variant, the policy, the target.
    fn open_claims(&self) -> Vec<(usize, Option<usize>, &Target)> {
        let mut open = Vec::new();
        for variant in 0..self.variants.len() {
            for target in &self.targets {
                if target.measure == SKILL {
                    open.extend(self.skills[variant].as_ref().map(|_| (variant, None, target)));
                    continue;
                }
                let is_for = |&policy: &usize| {
                    target.policy.as_ref().is_none_or(|only| *only == self.policies[policy])
                };
                if self.measure(variant, &target.measure).is_some() {
                    let policies = (0..self.policies.len()).filter(is_for);
                    open.extend(policies.map(|policy| (variant, Some(policy), target)));
                }
            }
        }
        open
    }

    /// All targets whose measure has a value, with simultaneous intervals.
    pub(crate) fn claims(&self) -> Vec<Claim<'_>> {
        let open = self.open_claims();
        let level = Level::SINGLE.among(open.len());
        let claim =
            |(variant, policy, target): (usize, Option<usize>, _)| self.claim(variant, policy, target, level);
        open.into_iter().filter_map(claim).collect()
    }

    fn claim<'b>(
        &'b self,
        variant: usize,
        policy: Option<usize>,
        target: &'b Target,
        level: Level,
    ) -> Option<Claim<'b>> {
        let (measured, unit, is_share) = match policy {
            None => {
                let skill = self.skills[variant].as_ref()?;
                let unit = skill_unit(self.variants[variant].seats);
                (skill.size(level)?, unit, self.variants[variant].seats > 1)
            }
            Some(policy) => {
                let measure = self.measure(variant, &target.measure)?;
                let measured = self.measured(variant, policy, measure, level)?;
                (measured, measure.unit, measure.is_share())
            }
        };
        let bounds = Bounds { at_least: target.at_least, at_most: target.at_most };
        let verdict = bounds.judge(measured.interval);
        let needed = match verdict {
            Verdict::Undecided => bounds.trials_to_decide(measured, self.trials),
            _ => None,
        };
        Some(Claim { variant, policy, target, unit, is_share, measured, verdict, needed })
    }

    fn measure(&self, variant: usize, name: &str) -> Option<&Measure> {
        self.variants[variant].measures.iter().find(|measure| measure.name == name)
    }
}

impl BalanceReport {
    /// A number of the standings with the original sign of the score.
    pub(crate) fn as_wanted(&self, variant: usize, measured: Estimate) -> Estimate {
        let ruled = &self.variants[variant];
        if ruled.seats > 1 || ruled.metrics[0].better == Better::Higher {
            return measured;
        }
        measured.negated()
    }

    /// The subject of a claim: a policy, or the best against the naive one.
    pub(crate) fn who(&self, policy: Option<usize>, variant: usize) -> String {
        match policy {
            Some(policy) => self.policies[policy].clone(),
            None => format!("{} against {}", self.policies[self.best[variant]], self.policies[self.naive]),
        }
    }

    /// Whether a measure of this name is a share.
    pub(crate) fn is_share(&self, name: &str) -> bool {
        let measures = || self.variants.iter().flat_map(|ruled| &ruled.measures);
        measures().any(|measure| measure.name == name && measure.is_share())
    }
}

/// What a policy has among its like, in every seat equally often: exactly its part.
fn fair(seats: usize, level: Level) -> Estimate {
    let value = 1.0 / seats as f64;
    Estimate {
        value,
        interval: Some(Interval { low: value, high: value }),
        method: Method::SamePolicy,
        level,
    }
}

/// The word for a verdict.
pub(crate) fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Pass => "pass",
        Verdict::Fail => "fail",
        Verdict::Undecided => "undecided",
    }
}

/// A name of rules without what it has from the base: `standard+goal=60` is `goal=60` beside `standard` and beside
/// `standard+goal=50`. Whole where an option of the base is not changed but missing.
fn less_base<'n>(base: &str, name: &'n str) -> &'n str {
    let is_base = name == base;
    let (mut base, mut own) = (base.split('+').peekable(), name);
    while let Some(part) = base.peek() {
        let Some(rest) = own.strip_prefix(part).and_then(|rest| rest.strip_prefix('+')) else { break };
        own = rest;
        base.next();
    }
    let key = |part: &str| part.find('=').map(|end| part[..=end].to_owned());
    let mut is_changed = |part| key(part).is_some_and(|key| own.split('+').any(|own| own.starts_with(&key)));
    if !is_base && base.all(&mut is_changed) { own } else { name }
}
