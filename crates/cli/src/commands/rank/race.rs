//! A game for one: a race on the same dice.

use stopwise_analysis::estimate::{Interval, Summary};
use stopwise_analysis::rank::{Aim, FRESH, LegOutcome, Race, RaceConfig, Resolution, play_leg};
use stopwise_engine::arms::{Arm, run_arms};
use stopwise_engine::run::Plan;
use stopwise_erased::{AnyArm, AnyPolicy};
use stopwise_narration::grouped;
use stopwise_reports::rank::{By, Fresh};

use super::stages::{Stage, Stages};
use super::{Field, Played, nothing_yet, trials_of};
use crate::args::{Aim as TypedAim, Runner};
use crate::checkpoint::Plays;
use crate::failure::Failure;
use crate::fault::Playing;
use crate::runner::{Chosen, fastest};

/// Differences that are too small to matter, in standard deviations of the leader's trials.
const RESOLUTION: f64 = 0.01;

pub(super) fn play(field: &Field<'_>, plays: &Plays<'_>, progress: &Stages<'_>) -> Result<Played, Failure> {
    let Field { args, rules, policies, metric, .. } = *field;
    // A wide range is of no use: what is known of the variance says more.
    let range = rules.bounds(metric).filter(|(low, high)| high - low <= 1.0);
    let config = RaceConfig {
        alpha: args.alpha,
        most: trials_of(args, true),
        aim: match args.aim.unwrap_or_default() {
            TypedAim::Order => Aim::Order,
            TypedAim::Best => Aim::Best,
        },
        resolution: args.resolution.map_or(Resolution::OfDeviation(RESOLUTION), Resolution::Absolute),
        better: rules.metrics()[metric].better,
        range: range.map(|(low, high)| Interval { low, high }),
    };
    let owned: Vec<_> = policies.iter().map(|policy| fastest(rules, &[vec![policy.clone()]], 1)).collect();
    let check = |arm: &dyn AnyArm, policy: &AnyPolicy| {
        let lineups = &[vec![policy.clone()]];
        let (session, seed) = (field.session, args.common.seed);
        Playing { session, game: &args.game, rules, lineups, seed }.check(arm)
    };
    let failure = || owned.iter().find_map(|arm| arm.failure());
    let watch = |batch| progress.batch(batch, failure().is_some());
    let arms: Vec<&dyn Arm> = owned.iter().map(|arm| &**arm as _).collect();
    let mut race = Race::new(arms.len(), config);
    let mut games = 0;
    let is_cut = loop {
        if args.common.ends_after(race.trials()) || (plays.is_ending() && race.trials() > 0) {
            break true;
        }
        let Some(leg) = race.leg() else { break false };
        let most = config.most;
        let stage = Stage { done: race.trials(), next: leg.trials.end, most, pieces: 1 };
        progress.begin(stage, &known(&race, policies));
        let mut play = |playing: &[usize], plan: &Plan| {
            let arms: Vec<_> = playing.iter().map(|&arm| arms[arm]).collect();
            let mut leg = |plan: &Plan| run_arms(&arms, metric, plan, &watch);
            let found = plays.of("race", plan, &mut leg);
            owned.iter().zip(policies).try_for_each(|(arm, policy)| check(&**arm, policy))?;
            plays.seal().and(found)
        };
        match play_leg(&mut race, args.common.seed, &mut play)? {
            LegOutcome::Played => games += leg.arms.len() as u64 * (leg.trials.end - leg.trials.start),
            LegOutcome::Stopped if race.trials() == 0 => return Err(nothing_yet(leg.trials.end)),
            LegOutcome::Stopped => break true,
            LegOutcome::Over => break false,
        }
    };
    let ranking = race.ranking();
    let winner = ranking.order[0];
    let trials = args.fresh.unwrap_or(race.trials());
    let mut fresh = None;
    if !is_cut && trials > 0 {
        let lineups = [vec![policies[winner].clone()]];
        let stage = Stage { done: 0, next: trials, most: trials, pieces: 1 };
        progress.begin(stage, &format!("fresh trials of {}", policies[winner].label()));
        let runner = Chosen::new(Runner::Auto, rules, &lineups)?;
        let plan = Plan { seed: args.common.seed, trials: FRESH..FRESH + trials };
        let watch = |batch| progress.batch(batch, runner.failure().is_some());
        let mut play = |plan: &Plan| runner.play(plan, &watch);
        let tallies = plays.of(&format!("fresh trials of {}", winner + 1), &plan, &mut play);
        check(runner.arm(), &policies[winner])?;
        let tallies = tallies?;
        games += tallies[0].trials;
        let summary =
            Summary::of(&tallies[0].seats[0].metrics[metric]).filter(|found| found.trials == trials);
        fresh = summary.map(|found| Fresh {
            first_trial: FRESH,
            trials,
            mean: found.mean().of_values_that(found.min < found.max),
        });
    }
    let is_cut = is_cut || (trials > 0 && fresh.is_none());
    Ok(Played {
        by: By::Race(Box::new(race)),
        ranking,
        fresh,
        is_cut,
        games,
        runner: "trial",
        instructions: None,
    })
}

/// What the last look told.
fn known(race: &Race, policies: &[AnyPolicy]) -> String {
    if race.trials() == 0 {
        return "first look ahead".into();
    }
    let first = race.leader();
    let Interval { low, high } = race.estimate(first).interval.unwrap_or(Interval::UNBOUNDED);
    format!(
        "{} of {} still play; {} leads with {:.3}, known from {low:.3} to {high:.3}",
        grouped(race.left().len() as u64),
        policies.len(),
        policies[first].label(),
        race.mean(first)
    )
}
