//! Which runner plays: lanes where game and policies have them, else the trial.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use stopwise_engine::lanes::dispatch::InstructionSet;
use stopwise_engine::run::{Plan, Watcher, play};
use stopwise_engine::stream::Keys;
use stopwise_engine::tally::Tally;
use stopwise_erased::{AnyArm, AnyPolicy, AnyRules, FastArm, Fault, LaneArm};

use crate::args::Runner;
use crate::failure::Failure;

/// Line-ups on the runner that will play them.
#[derive(Debug)]
pub(crate) enum Chosen {
    /// The reference runner; if lanes might have played, why they do not.
    Trial(Box<dyn AnyArm>, Option<String>),
    /// Lanes; beside them what finds out where the rules could not go on.
    Lanes(Box<dyn LaneArm>, InstructionSet, Box<dyn AnyArm>),
}

impl Chosen {
    /// Line-ups on the runner that was asked for.
    pub(crate) fn new(
        wanted: Runner,
        rules: &dyn AnyRules,
        lineups: &[Vec<AnyPolicy>],
    ) -> Result<Self, Failure> {
        let arm = rules.arm(lineups);
        let set = match wanted {
            Runner::Trial => return Ok(Self::Trial(arm, None)),
            Runner::Auto | Runner::Lanes => InstructionSet::best(),
            Runner::LanesAvx512 => available(InstructionSet::Avx512)?,
            Runner::LanesAvx2 => available(InstructionSet::Avx2)?,
            Runner::LanesPlain => InstructionSet::Plain,
        };
        match arm.on_lanes() {
            Ok(_) if wanted == Runner::Auto && is_long(&*arm, 1) => {
                let why =
                    "lanes play hundreds of games at a time, which would take seconds of such long ones";
                Ok(Self::Trial(arm, Some(why.into())))
            }
            Ok(lanes) => Ok(Self::Lanes(lanes, set, arm)),
            Err(obstacle) if wanted == Runner::Auto => {
                Ok(Self::Trial(arm, Some(format!("lanes cannot play this: {obstacle}"))))
            }
            Err(obstacle) => Err(Failure::Input(format!(
                "lanes cannot play this: {obstacle}; use --runner trial, or auto"
            ))),
        }
    }

    /// The arm that plays as this does, for those who take trials one by one.
    pub(crate) fn arm(&self, rules: &dyn AnyRules, lineups: &[Vec<AnyPolicy>]) -> Box<dyn AnyArm> {
        let arm = rules.arm(lineups);
        match self {
            Self::Trial(..) => arm,
            Self::Lanes(_, set, _) => match arm.on_lanes() {
                Ok(lanes) => Box::new(FastArm::new(arm, lanes, *set)),
                Err(_) => arm,
            },
        }
    }

    /// Its name.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Trial(..) => "trial",
            Self::Lanes(..) => "lanes",
        }
    }

    /// The instructions that it runs on, if it chooses them.
    pub(crate) fn instructions(&self) -> Option<&'static str> {
        match self {
            Self::Trial(..) => None,
            Self::Lanes(_, set, _) => Some(set.name()),
        }
    }

    /// The first trial in which the rules could not go on.
    pub(crate) fn fault(&self) -> Option<Fault> {
        match self {
            Self::Trial(arm, _) | Self::Lanes(_, _, arm) => arm.fault(),
        }
    }

    /// Why it could not go on, if so: a policy that is no text has failed, or the rules could not go on in a trial.
    pub(crate) fn failure(&self) -> Option<String> {
        match self {
            Self::Trial(arm, _) | Self::Lanes(_, _, arm) => arm.failure(),
        }
    }

    /// What ran and why, for people.
    pub(crate) fn describe(&self) -> String {
        match self {
            Self::Trial(_, None) => "trial".into(),
            Self::Trial(_, Some(why)) => format!("trial ({why})"),
            Self::Lanes(_, set, _) => format!("lanes ({})", set.name()),
        }
    }

    /// Plays the plan; a tally for each of the line-ups, which take turns.
    pub(crate) fn play(&self, plan: &Plan, progress: &Watcher<'_>) -> Vec<Tally> {
        match self {
            Self::Trial(arm, _) => play(&**arm, plan, progress),
            Self::Lanes(lanes, set, arm) => {
                let tallies = lanes.play(*set, plan, progress);
                if tallies.iter().any(|tally| arm.faults(tally) > 0) {
                    let trials = tallies.iter().map(|tally| tally.trials).sum::<u64>();
                    let played =
                        Plan { trials: plan.trials.start..plan.trials.start + trials, ..plan.clone() };
                    let _ = play(&**arm, &played, &|_| match arm.fault() {
                        Some(_) => ControlFlow::Break(()),
                        None => ControlFlow::Continue(()),
                    });
                }
                tallies
            }
        }
    }
}

/// Line-ups for those who compare them or take their trials one by one: on lanes wherever `simulate` is. So many arms play
/// one after the other before anybody looks.
pub(crate) fn fastest(rules: &dyn AnyRules, lineups: &[Vec<AnyPolicy>], arms: usize) -> Box<dyn AnyArm> {
    let arm = rules.arm(lineups);
    match arm.on_lanes() {
        Ok(lanes) if !is_long(&*arm, arms) => Box::new(FastArm::new(arm, lanes, InstructionSet::best())),
        _ => arm,
    }
}

/// Whether games are so long that the runs of their line-ups on lanes could not be stopped for seconds, where as many arms
/// play before anybody looks. The clock decides only how they are played.
fn is_long(arm: &dyn AnyArm, arms: usize) -> bool {
    let keys = Keys::new(0);
    let time = |_| {
        let (mut tally, begun) = (arm.tally(), Instant::now());
        arm.batch(0, &keys, 0..1, &mut tally);
        begun.elapsed()
    };
    // Once may be slow for other reasons.
    let time = (0..2).map(time).min().unwrap_or_default();
    time.saturating_mul(u32::try_from(arm.lineups().saturating_mul(arms)).unwrap_or(u32::MAX)) > LONG
}

/// The length of a trial, for one line-up, from which lanes do not play. The games on the lanes of a thread then take half a
/// second together (0.7 with AVX2), and a run that is stopped waits for up to two such rounds.
const LONG: Duration = Duration::from_millis(4);

/// The instructions, if this machine has them.
fn available(set: InstructionSet) -> Result<InstructionSet, Failure> {
    if set.is_available() {
        return Ok(set);
    }
    let best = InstructionSet::best().name();
    Err(Failure::Input(format!("this machine has no {}: use --runner lanes, which takes {best}", set.name())))
}
