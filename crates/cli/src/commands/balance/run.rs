//! The trials that count: all variants with all policies on the same dice.

use stopwise_analysis::balance::{Skill, contest, to_count};
use stopwise_engine::arms::Arm;
use stopwise_engine::paired::{PairedTally, add_paired};
use stopwise_engine::run::Plan;

use super::pilot::{Games, contestants};
use super::variant::Variant;
use crate::failure::Failure;
use crate::progress::Progress;
use crate::runner::fastest;

/// The stage in which they are played.
const COUNTED: &str = "trials";

/// The trials that count.
#[derive(Debug)]
pub(crate) struct Counted {
    pub(crate) tally: PairedTally,
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
}

impl Games<'_, '_> {
    /// Plays all variants with all policies on the same dice. An interrupted run is a shorter one.
    pub(crate) fn count(
        self,
        variants: &[Variant],
        (naive, best): (usize, &[usize]),
        trials: u64,
    ) -> Result<Counted, Failure> {
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
        let owned: Vec<_> = alone
            .iter()
            .chain(&tables)
            .map(|(variant, lineups)| fastest(&*variant.rules, lineups, 1))
            .collect();
        let failure = || owned.iter().find_map(|arm| arm.failure());
        let arms: Vec<&dyn Arm> = owned.iter().map(|arm| &**arm as _).collect();
        let measured = |arm: usize| {
            let variant = &variants[arm / policies];
            (&*variant.measures, variant.rules.metrics())
        };
        let base = |arm: usize| (arm >= policies).then(|| (arm % policies, measured(arm % policies)));
        let games: Vec<_> = (0..alone.len()).map(|arm| to_count(measured(arm), base(arm))).collect();
        let mut pairs = Vec::new();
        for (at, (variant, &best)) in variants.iter().zip(best).enumerate() {
            let is_pair = variant.rules.seats() == 1 && best != naive;
            places.skills.push(is_pair.then_some(pairs.len()));
            if is_pair {
                pairs.push((places.arm(at, best), places.arm(at, naive)));
            }
        }

        let progress = Progress::new(self.session, trials, variants[0].rules.metrics()[0], self.quiet);
        let watch = |batch| progress.batch(batch, failure().is_some());
        let none = || PairedTally::new(&arms, &pairs, 0).of_games(games.clone());
        let plan = self.plays.cut(Plan { seed: self.seed, trials: 0..trials });
        let mut play = |plan: &Plan| add_paired(&arms, none(), plan, &watch);
        let tally = self.plays.of(COUNTED, &plan, &mut play);
        for ((variant, lineups), arm) in alone.iter().chain(&tables).zip(&owned) {
            self.playing(&*variant.rules, lineups).check(&**arm)?;
        }
        Ok(Counted { tally: tally?, places })
    }
}

impl Counted {
    /// What is known of how much skill matters under a variant.
    pub(crate) fn skill(&self, at: usize, variant: &Variant, best: usize, naive: usize) -> Option<Skill> {
        if variant.policies.len() == 1 {
            return None;
        }
        if best == naive {
            return Some(Skill::Same { seats: variant.rules.seats() });
        }
        if let Some(pair) = self.places.skills[at] {
            let pair = &self.tally.pairs[pair];
            let scores = [pair.a, pair.b].map(|arm| self.tally.arms[arm].histogram(0).into_owned());
            return Some(Skill::Alone {
                gap: pair.metrics[0].clone(),
                scores,
                better: variant.rules.metrics()[0].better,
            });
        }
        let wins = self.contest(at, variant, best)?;
        Some(Skill::Table { wins, seats: variant.rules.seats() })
    }

    /// The wins of a policy at a table of naive ones, of so many games with a winner.
    pub(crate) fn contest(&self, at: usize, variant: &Variant, policy: usize) -> Option<(f64, u64)> {
        let arm = self.places.contests[at]? + policy;
        Some(contest(&self.tally.arms[arm].rotations, variant.rules.metrics()))
    }
}
