//! The games before those that count: a pilot that chooses the best policy, and a screening.
//!
//! Which trials are which follows from their numbers, so that none serves two ends: trials from 0 on are those that count and
//! the same as in every other command, those from 2⁶³ on choose the best policy, those from 2⁶² on screen.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use stopwise_analysis::balance::{Bounds, SKILL, Sample, Screening, contest};
use stopwise_engine::game::Better;
use stopwise_engine::rotation::rotations;
use stopwise_engine::run::{Plan, play};
use stopwise_engine::tally::Tally;
use stopwise_erased::{AnyPolicy, AnyRules};
use stopwise_policy::Target;
use stopwise_reports::balance::{Miss, Screened};

use super::variant::Variant;
use crate::args::{GameArgs, Runner};
use crate::checkpoint::Plays;
use crate::failure::Failure;
use crate::fault::Playing;
use crate::output::note;
use crate::progress::{Progress, Steps};
use crate::runner::Chosen;
use crate::session::Session;

/// Trials that choose the best policy, at most, where there are several.
const PILOT: u64 = 10_000;
const PILOT_FROM: u64 = 1 << 63;
const SCREENING_FROM: u64 = 1 << 62;
/// Games that are looked at beforehand, at most, and for how long.
const LOOKED: u64 = 8;
const LOOK: Duration = Duration::from_secs(1);

/// How games are played: whose call it is, the seed, whether progress is shown, and where trials are from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Games<'p, 's> {
    pub(crate) session: &'s Session,
    /// The rules of which the variants are changes.
    pub(crate) game: &'p GameArgs,
    pub(crate) seed: u64,
    pub(crate) quiet: bool,
    pub(crate) plays: &'p Plays<'s>,
}

/// How many trials choose the best policy: as many as count, but no more than enough. What so few do not tell apart, as many that
/// count do not either, and what is said of the chosen holds however it was chosen, since they are others.
pub(super) fn pilot(trials: u64) -> u64 {
    trials.min(PILOT)
}

/// The policy at a table of naive ones, each seat in turn; alone, the policy.
pub(super) fn contestants(variant: &Variant, policy: usize, naive: usize) -> Vec<Vec<AnyPolicy>> {
    let seats = variant.rules.seats();
    let mut lineup = vec![variant.policies[naive].clone(); seats];
    lineup[0] = variant.policies[policy].clone();
    rotations(&lineup)
}

/// Who plays what, in a line of progress.
fn doing(policy: &str, variant: &Variant) -> String {
    format!("{policy} under {}", variant.name)
}

impl Games<'_, '_> {
    /// Who plays the trials of an arm.
    pub(super) fn playing<'p>(
        &'p self,
        rules: &'p dyn AnyRules,
        lineups: &'p [Vec<AnyPolicy>],
    ) -> Playing<'p> {
        Playing { session: self.session, game: self.game, rules, lineups, seed: self.seed }
    }

    /// Plays trials with a line-up, or its rotations, as fast as can be.
    fn play(
        self,
        stage: &str,
        rules: &dyn AnyRules,
        lineups: &[Vec<AnyPolicy>],
        from: u64,
        count: u64,
    ) -> Result<Vec<Tally>, Failure> {
        let progress = Progress::new(self.session, count, rules.metrics()[0], self.quiet);
        let plan = Plan { seed: self.seed, trials: from..from + count };
        let runner = Chosen::new(Runner::Auto, rules, lineups)?;
        let watch = |batch| progress.batch(batch, runner.failure().is_some());
        let mut play = |plan: &Plan| runner.play(plan, &watch);
        let tallies = self.plays.of(stage, &plan, &mut play);
        self.playing(rules, lineups).check(runner.arm())?;
        let tallies = tallies?;
        // Of many small plans each may be over before anybody looks.
        if self.session.is_ending() || tallies.iter().map(|tally| tally.trials).sum::<u64>() < count {
            return Err(Failure::Interrupted(
                "interrupted: the trials that count had not begun, so that there is no result, and nothing was written"
                    .into(),
            ));
        }
        Ok(tallies)
    }

    /// Says by name, before many games are played, which policies' first games under a variant are all cut off. Of those that are
    /// `known` it has been said.
    pub(crate) fn look(self, variant: &Variant, known: &mut BTreeSet<usize>, steps: &Steps<'_>) {
        for (number, policy) in variant.policies.iter().enumerate() {
            if self.quiet || known.contains(&number) || self.session.is_ending() {
                continue;
            }
            let (arm, begun) = (variant.rules.arm(&[vec![policy.clone()]]), Instant::now());
            let is_cut = |trial: u64| {
                let plan = Plan { seed: self.seed, trials: trial..trial + 1 };
                let tallies = play(&*arm, &plan, &|_| ControlFlow::Continue(()));
                let mut endings = tallies[0].endings.iter().zip(variant.rules.told_endings());
                endings.any(|(&games, ending)| ending.cap && games > 0)
            };
            let what = doing(&policy.label(), variant);
            let looked = steps.during(what, || {
                for trial in 0..LOOKED {
                    if self.session.is_ending() || !is_cut(trial) {
                        return 0;
                    }
                    // Of games that take long fewer say enough.
                    if begun.elapsed() > LOOK {
                        return trial + 1;
                    }
                }
                LOOKED
            });
            let first = match looked {
                0 => continue,
                1 => "the first is cut off".to_owned(),
                several => format!("all of the first {several} are cut off"),
            };
            known.insert(number);
            let said = format!(
                "note: {} may not end its games: under {} {first}. Such games take long and say little; leave the policy out, or \
                 set a lower cap if the rules have an option for it",
                policy.label(),
                variant.name
            );
            note(self.session, &said);
        }
    }

    /// The policy with the best mean score, or with most wins against naive ones, in trials that serve nothing else.
    pub(crate) fn best(
        self,
        (at, variant): (usize, &Variant),
        naive: usize,
        trials: u64,
        steps: &Steps<'_>,
    ) -> Result<usize, Failure> {
        if variant.policies.len() == 1 {
            return Ok(0);
        }
        let mut best = (f64::NEG_INFINITY, naive);
        for policy in 0..variant.policies.len() {
            let lineups = contestants(variant, policy, naive);
            let stage = format!("pilot of variant {at}, policy {policy}");
            let what = doing(&variant.policies[policy].label(), variant);
            let play = || self.play(&stage, &*variant.rules, &lineups, PILOT_FROM, trials);
            let tallies = steps.during(what, play)?;
            let value = match (variant.rules.seats(), variant.rules.metrics()[0].better) {
                (1, better) => {
                    let (sum, _) = tallies[0].seats[0].metrics[0].sums();
                    if better == Better::Lower { -(sum as f64) } else { sum as f64 }
                }
                _ => {
                    let (wins, decided) = contest(&tallies, variant.rules.metrics());
                    wins / decided.max(1) as f64
                }
            };
            if value > best.0 {
                best = (value, policy);
            }
            steps.step();
        }
        Ok(best.1)
    }

    /// Plays a variant until a target surely fails, or to the end of the screening.
    pub(crate) fn screen(
        self,
        candidate: usize,
        variant: &Variant,
        targets: &[Target],
        labels: &[String],
        screening: &Screening,
    ) -> Result<Screened, Failure> {
        let mut tallies = vec![variant.rules.arm(&[]).tally(); variant.policies.len()];
        let (mut played, mut misses) = (0, Vec::new());
        for at in screening.check_points() {
            for (number, (policy, tally)) in variant.policies.iter().zip(&mut tallies).enumerate() {
                let lineup = [vec![policy.clone()]];
                let stage = format!("screening of {candidate}, policy {number}");
                let more =
                    self.play(&stage, &*variant.rules, &lineup, SCREENING_FROM + played, at - played)?;
                more.iter().for_each(|more| tally.merge(more));
            }
            played = at;
            misses = misses_of(variant, targets, labels, screening, &tallies);
            if misses.iter().any(|miss| miss.is_sure) {
                break;
            }
        }
        let has_left = misses.iter().any(|miss| miss.is_sure);
        Ok(Screened {
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
fn misses_of(
    variant: &Variant,
    targets: &[Target],
    labels: &[String],
    screening: &Screening,
    tallies: &[Tally],
) -> Vec<Miss> {
    let (metrics, endings) = (variant.rules.metrics(), &variant.rules.told_endings());
    let of = |(target, policy): (usize, usize)| {
        let wanted = &targets[target];
        let measure = variant.measures.iter().find(|measure| measure.name == wanted.measure)?;
        let bounds = Bounds { at_least: wanted.at_least, at_most: wanted.at_most };
        let sample = Sample { tally: &tallies[policy], metrics, endings, games: None };
        let seen = screening.look(measure, &bounds, sample);
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
