//! The games that `balance` plays: a pilot that chooses the best policy, a screening, and those that count.
//!
//! Which trials are which follows from their numbers, so that none serves two ends: trials from 0 on are those that count and
//! the same as in every other command, those from 2⁶³ on choose the best policy, those from 2⁶² on screen.

use std::ops::ControlFlow;

use stopwise_analysis::balance::{Sample, Screening, Skill, contest};
use stopwise_engine::arms::Arm;
use stopwise_engine::game::Better;
use stopwise_engine::lead::{Leads, run_leads};
use stopwise_engine::paired::{PairedTally, run_paired};
use stopwise_engine::rotation::rotations;
use stopwise_engine::run::Plan;
use stopwise_engine::tally::Tally;
use stopwise_policy::{Target, TextPolicy};

use super::variants::{Lead, Variant};
use crate::args::Runner;
use crate::failure::Failure;
use crate::progress::Progress;
use crate::report::balance::{Looked, Miss, SKILL};
use crate::runner::Chosen;
use crate::setup::Playable;

/// Trials that choose the best policy, where there are several.
pub(crate) const PILOT: u64 = 10_000;
const PILOT_FROM: u64 = 1 << 63;
const SCREENING_FROM: u64 = 1 << 62;
/// Trials after which a run is looked at, to count leads in the same ones.
const CHUNK: u64 = 1 << 16;

/// The seed, and whether progress is shown.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Table {
    pub(crate) seed: u64,
    pub(crate) quiet: bool,
}

/// The policy at a table of naive ones, each seat in turn; alone, the policy.
fn contestants<G: Playable>(variant: &Variant<G>, policy: usize, naive: usize) -> Vec<Vec<TextPolicy<G>>> {
    let seats = variant.rules.seats();
    let mut lineup = vec![variant.policies[naive].clone(); seats];
    lineup[0] = variant.policies[policy].clone();
    rotations(&lineup)
}

impl Table {
    /// Plays trials with a line-up, or its rotations, as fast as can be.
    fn play<G: Playable>(
        self,
        rules: &G,
        lineups: &[Vec<TextPolicy<G>>],
        from: u64,
        count: u64,
    ) -> Result<Vec<Tally>, Failure> {
        let progress = Progress::new(count, rules.metrics()[0].name, self.quiet);
        let plan = Plan { seed: self.seed, trials: from..from + count };
        let runner = Chosen::new(Runner::Auto, rules, lineups)?;
        let tallies = runner.play(rules, lineups, &plan, |batch| progress.batch(batch));
        progress.finish();
        if tallies.iter().map(|tally| tally.trials).sum::<u64>() < count {
            return Err(Failure::Interrupted(
                "interrupted before the trials that count: there is no result".into(),
            ));
        }
        Ok(tallies)
    }

    /// The policy with the best mean score, or with most wins against naive ones, in trials that serve nothing else.
    pub(crate) fn best<G: Playable>(self, variant: &Variant<G>, naive: usize) -> Result<usize, Failure> {
        if variant.policies.len() == 1 {
            return Ok(0);
        }
        let mut best: Option<(u128, usize)> = None;
        for policy in 0..variant.policies.len() {
            let lineups = contestants(variant, policy, naive);
            let tallies = self.play(&variant.rules, &lineups, PILOT_FROM, PILOT)?;
            let (sum, is_more) = match variant.rules.seats() {
                1 => {
                    let (sum, _) = tallies[0].seats[0].metrics[0].sums();
                    (sum, variant.rules.metrics()[0].better == Better::Higher)
                }
                _ => (u128::from(contest(&tallies, 0).0), true),
            };
            let is_better = |(other, _): (u128, usize)| if is_more { sum > other } else { sum < other };
            if best.is_none_or(is_better) {
                best = Some((sum, policy));
            }
        }
        Ok(best.map_or(0, |(_, policy)| policy))
    }

    /// Plays a variant until a target surely fails, or to the end of the screening.
    pub(crate) fn screen<G: Playable>(
        self,
        variant: &Variant<G>,
        targets: &[Target],
        labels: &[String],
        screening: &Screening,
    ) -> Result<Looked, Failure> {
        let mut tallies = vec![Tally::new(&variant.rules); variant.policies.len()];
        let (mut played, mut misses) = (0, Vec::new());
        for at in screening.check_points() {
            for (policy, tally) in variant.policies.iter().zip(&mut tallies) {
                let lineup = [vec![policy.clone()]];
                let more = self.play(&variant.rules, &lineup, SCREENING_FROM + played, at - played)?;
                more.iter().for_each(|more| tally.merge(more));
            }
            played = at;
            misses = misses_of(variant, targets, labels, screening, &tallies);
            if misses.iter().any(|miss| miss.is_sure) {
                break;
            }
        }
        let has_left = misses.iter().any(|miss| miss.is_sure);
        Ok(Looked {
            name: variant.name.clone(),
            changed: variant.changed.clone(),
            trials: played,
            has_left,
            misses,
        })
    }
}

/// The claims of a variant: every target for every policy that it is for. `skill` is one for all of them.
fn claims<'t>(targets: &'t [Target], labels: &'t [String]) -> impl Iterator<Item = (usize, usize)> + 't {
    let is_for = |target: &Target, label: &String| target.policy.as_ref().is_none_or(|only| only == label);
    targets.iter().enumerate().filter(|(_, target)| target.measure != SKILL).flat_map(move |(at, target)| {
        labels
            .iter()
            .enumerate()
            .filter(move |(_, label)| is_for(target, label))
            .map(move |(policy, _)| (at, policy))
    })
}

/// How many claims there are of a variant in a screening.
pub(crate) fn claim_count(targets: &[Target], labels: &[String]) -> usize {
    claims(targets, labels).count()
}

/// The targets that a variant misses, surely or so far.
fn misses_of<G: Playable>(
    variant: &Variant<G>,
    targets: &[Target],
    labels: &[String],
    screening: &Screening,
    tallies: &[Tally],
) -> Vec<Miss> {
    let (metrics, endings) = (variant.rules.metrics(), variant.rules.endings());
    let of = |(target, policy): (usize, usize)| {
        let wanted = &targets[target];
        let measure = variant.measures.iter().find(|measure| measure.name == wanted.measure)?;
        let sample = Sample { tally: &tallies[policy], metrics, endings, leads: None };
        let seen = screening.look(measure, &crate::report::balance::bounds(wanted), sample);
        let value = seen.measured?.value;
        (seen.fails || seen.shortfall > 0.0).then_some(Miss {
            target,
            policy,
            value,
            shortfall: seen.shortfall,
            is_sure: seen.fails,
        })
    };
    claims(targets, labels).filter_map(of).collect()
}

/// The trials that count.
#[derive(Debug)]
pub(crate) struct Counted {
    pub(crate) tally: PairedTally,
    /// For every variant and policy.
    pub(crate) leads: Vec<Vec<Option<Leads>>>,
    /// Which arm and which pair is which.
    pub(crate) places: Places,
}

/// Where arms and pairs are: variants with policies in all seats first, variant by variant.
#[derive(Clone, Debug)]
pub(crate) struct Places {
    policies: usize,
    /// For every variant the arms of its policies at a naive table.
    pub(crate) contests: Vec<Option<usize>>,
    /// For every variant the pair of its best and naive policy.
    pub(crate) skills: Vec<Option<usize>>,
}

impl Places {
    pub(crate) fn arm(&self, variant: usize, policy: usize) -> usize {
        variant * self.policies + policy
    }

    /// The pair of a variant and the base.
    pub(crate) fn effect(&self, variant: usize, policy: usize) -> Option<usize> {
        Some(variant.checked_sub(1)? * self.policies + policy)
    }
}

impl Table {
    /// Plays all variants with all policies on the same dice. An interrupted run is a shorter one.
    pub(crate) fn count<G: Playable>(
        self,
        variants: &[Variant<G>],
        (naive, best): (usize, &[usize]),
        lead: Option<Lead>,
        trials: u64,
    ) -> Counted {
        let policies = variants[0].policies.len();
        let mut places = Places { policies, contests: Vec::new(), skills: Vec::new() };
        // Line-ups live longer than the arms that play them.
        let alone: Vec<_> = variants
            .iter()
            .flat_map(|variant| {
                variant.policies.iter().map(move |policy| (variant, vec![vec![policy.clone()]]))
            })
            .collect();
        let mut tables = Vec::new();
        for variant in variants {
            let is_contest = variant.rules.seats() > 1 && policies > 1;
            places.contests.push(is_contest.then(|| alone.len() + tables.len()));
            if is_contest {
                tables.extend((0..policies).map(|policy| (variant, contestants(variant, policy, naive))));
            }
        }
        let arms: Vec<_> = alone
            .iter()
            .chain(&tables)
            .map(|(variant, lineups)| Arm { game: &variant.rules, lineups: lineups.as_slice() })
            .collect();
        let mut pairs: Vec<_> = (policies..alone.len()).map(|arm| (arm, arm % policies)).collect();
        for (at, (variant, &best)) in variants.iter().zip(best).enumerate() {
            let is_pair = variant.rules.seats() == 1 && best != naive;
            places.skills.push(is_pair.then_some(pairs.len()));
            if is_pair {
                pairs.push((places.arm(at, best), places.arm(at, naive)));
            }
        }

        let progress = Progress::new(trials, variants[0].rules.metrics()[0].name, self.quiet);
        let mut tally = PairedTally::new(&arms, &pairs, 0);
        let mut leads: Vec<Vec<_>> = variants.iter().map(|_| (0..policies).map(|_| None).collect()).collect();
        let mut played = 0;
        while played < trials {
            let end = trials.min(played + CHUNK);
            let plan = Plan { seed: self.seed, trials: played..end };
            let part = run_paired(&arms, &pairs, &plan, 0, |batch| progress.batch(batch));
            let complete = Plan { seed: self.seed, trials: played..played + part.trials() };
            played += part.trials();
            tally.merge(&part);
            for (variant, leads) in variants.iter().zip(&mut leads) {
                let Some(metric) = lead.and_then(|lead| index(variant, lead)) else { continue };
                for (policy, leads) in variant.policies.iter().zip(leads) {
                    let lineup = std::slice::from_ref(policy);
                    // To the end: the games of these trials are to be looked at in every way, or not at all.
                    let more =
                        run_leads(&variant.rules, lineup, metric, &complete, |_| ControlFlow::Continue(()));
                    let sum: &mut Leads = leads.get_or_insert_with(Leads::default);
                    sum.trials += more.trials;
                    sum.leads.merge(&more.leads);
                }
            }
            if played < end {
                break;
            }
        }
        progress.finish();
        Counted { tally, leads, places }
    }
}

/// The metric in which winners lead, in games for several.
fn index<G: Playable>(variant: &Variant<G>, lead: Lead) -> Option<usize> {
    let mut metrics = variant.rules.metrics().iter();
    (variant.rules.seats() > 1).then(|| metrics.position(|metric| metric.name == lead.metric)).flatten()
}

impl Counted {
    /// What is known of how much skill matters under a variant.
    pub(crate) fn skill<G: Playable>(
        &self,
        at: usize,
        variant: &Variant<G>,
        best: usize,
        naive: usize,
    ) -> Option<Skill> {
        if variant.policies.len() == 1 {
            return None;
        }
        if best == naive {
            return Some(Skill::Same);
        }
        if let Some(pair) = self.places.skills[at] {
            let pair = &self.tally.pairs[pair];
            let scores = [pair.a, pair.b].map(|arm| self.tally.arms[arm].histogram(0));
            return Some(Skill::Alone {
                gap: pair.metrics[0].clone(),
                scores,
                better: variant.rules.metrics()[0].better,
            });
        }
        let wins = self.contest(at, best)?;
        Some(Skill::Table { wins, seats: variant.rules.seats() })
    }

    /// The wins of a policy at a table of naive ones, of so many games.
    pub(crate) fn contest(&self, at: usize, policy: usize) -> Option<(u64, u64)> {
        let arm = self.places.contests[at]? + policy;
        Some(contest(&self.tally.arms[arm].rotations, 0))
    }
}
