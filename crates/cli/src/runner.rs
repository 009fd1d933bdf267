//! Which runner plays: lanes where game and policies have them, else the trial.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use stopwise_engine::lanes::dispatch::InstructionSet;
use stopwise_engine::run::{Plan, Watcher, play};
use stopwise_engine::side_by_side::play_side_by_side;
use stopwise_engine::stream::Keys;
use stopwise_engine::tally::Tally;
use stopwise_erased::{AnyArm, AnyPolicy, AnyRules, Fault};

use crate::args::Runner;
use crate::failure::Failure;

/// Line-ups on the runner that will play them.
#[derive(Debug)]
pub(crate) struct Chosen {
    arm: Box<dyn AnyArm>,
    /// Why lanes do not play, if they might have.
    obstacle: Option<String>,
}

impl Chosen {
    /// Line-ups on the runner that was asked for.
    pub(crate) fn new(
        wanted: Runner,
        rules: &dyn AnyRules,
        lineups: &[Vec<AnyPolicy>],
    ) -> Result<Self, Failure> {
        let mut arm = rules.arm(lineups);
        let set = match wanted {
            Runner::Trial => return Ok(Self { arm, obstacle: None }),
            Runner::Auto | Runner::Lanes => InstructionSet::best(),
            Runner::LanesAvx512 => available(InstructionSet::Avx512)?,
            Runner::LanesAvx2 => available(InstructionSet::Avx2)?,
            Runner::LanesPlain => InstructionSet::Plain,
        };
        let obstacle = match arm.use_lanes(set) {
            Ok(()) if wanted == Runner::Auto && is_long(&*rules.arm(lineups), 1) => {
                arm = rules.arm(lineups);
                "lanes play hundreds of games at a time, which would take seconds of such long ones".into()
            }
            Ok(()) => return Ok(Self { arm, obstacle: None }),
            Err(obstacle) => format!("lanes cannot play this: {obstacle}"),
        };
        match wanted {
            Runner::Auto => Ok(Self { arm, obstacle: Some(obstacle) }),
            _ => Err(Failure::Input(format!("{obstacle}; use --runner trial, or auto"))),
        }
    }

    /// Line-ups on the fastest runner.
    pub(crate) fn fastest(rules: &dyn AnyRules, lineups: &[Vec<AnyPolicy>]) -> Self {
        Self { arm: fastest(rules, lineups, 1), obstacle: None }
    }

    /// The arm that plays, for those who take trials one by one.
    pub(crate) fn arm(&self) -> &dyn AnyArm {
        &*self.arm
    }

    /// Its name.
    pub(crate) fn name(&self) -> &'static str {
        if self.arm.lanes().is_some() { "lanes" } else { "trial" }
    }

    /// The instructions that it runs on, if it chooses them.
    pub(crate) fn instructions(&self) -> Option<&'static str> {
        self.arm.lanes().map(|(_, set)| set.name())
    }

    /// The first trial in which the rules could not go on.
    pub(crate) fn fault(&self) -> Option<Fault> {
        self.arm.fault()
    }

    /// Why it could not go on, if so: a policy that is no text has failed, or the rules could not go on in a trial.
    pub(crate) fn failure(&self) -> Option<String> {
        self.arm.failure()
    }

    /// What ran and why, for people.
    pub(crate) fn describe(&self) -> String {
        match self.instructions().or(self.obstacle.as_deref()) {
            Some(detail) => format!("{} ({detail})", self.name()),
            None => self.name().into(),
        }
    }

    /// Plays the plan; a tally for each of the line-ups, which take turns.
    pub(crate) fn play(&self, plan: &Plan, progress: &Watcher<'_>) -> Vec<Tally> {
        let arm = &*self.arm;
        let Some((lanes, set)) = arm.lanes() else { return play(arm, plan, progress) };
        let tallies = play_side_by_side(lanes, set, plan, progress);
        if tallies.iter().any(|tally| arm.faults(tally) > 0) {
            // Only the reference runner says where the rules could not go on.
            let trials = tallies.iter().map(|tally| tally.trials).sum::<u64>();
            let played = Plan { trials: plan.trials.start..plan.trials.start + trials, ..plan.clone() };
            let _ = play(arm, &played, &|_| match arm.fault() {
                Some(_) => ControlFlow::Break(()),
                None => ControlFlow::Continue(()),
            });
        }
        tallies
    }
}

/// Line-ups for those who compare them or take their trials one by one: on lanes wherever `simulate` is. So many arms play
/// one after the other before anybody looks.
pub(crate) fn fastest(rules: &dyn AnyRules, lineups: &[Vec<AnyPolicy>], arms: usize) -> Box<dyn AnyArm> {
    let mut arm = rules.arm(lineups);
    match arm.use_lanes(InstructionSet::best()) {
        Ok(()) if is_long(&*rules.arm(lineups), arms) => rules.arm(lineups),
        _ => arm,
    }
}

/// Whether games are so long that the runs of their line-ups on lanes could not be stopped for seconds, where as many arms
/// play before anybody looks. The clock decides only how they are played. What goes wrong in the game that is timed is no
/// failure of the run: the arm is one that plays nothing else.
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
