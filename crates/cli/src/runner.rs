//! Which runner plays: lanes where game and policies have them, else the trial.

use std::ops::ControlFlow;

use stopwise_engine::games::carbonite::Carbonite;
use stopwise_engine::games::carcassonne::Carcassonne;
use stopwise_engine::games::freeze::Freeze;
use stopwise_engine::games::icedice::IceDice;
use stopwise_engine::games::pig::Pig;
use stopwise_engine::lanes::LaneGame;
use stopwise_engine::lanes::dispatch::InstructionSet;
use stopwise_engine::run::{Batch, Plan, run_in_turn, run_in_turn_on_lanes, run_on_lanes};
use stopwise_engine::tally::Tally;
use stopwise_engine::vocabulary::Vocabulary;
use stopwise_policy::{LaneText, TextPolicy};

use crate::args::Runner;
use crate::failure::Failure;

/// Whoever is told of every batch. Not generic: the loops would be compiled for every command.
pub(crate) type Watcher<'w> = dyn Fn(Batch) -> ControlFlow<()> + Sync + 'w;

/// A game that may have lanes.
pub(crate) trait MayHaveLanes: Vocabulary {
    /// The line-up for lanes, or in words why they cannot play.
    fn lanes(&self, lineup: &[TextPolicy<Self>]) -> Result<Vec<LaneText>, String> {
        let _ = lineup;
        Err(format!("{} has no lanes", Self::NAME))
    }

    /// Plays line-ups in turn on lanes, which [`MayHaveLanes::lanes`] has allowed.
    fn play_lanes(
        &self,
        set: InstructionSet,
        lineups: &[Vec<LaneText>],
        plan: &Plan,
        progress: &Watcher<'_>,
    ) -> Vec<Tally> {
        let _ = (set, lineups, plan, progress);
        unreachable!("no line-up for lanes was given out")
    }
}

/// A game with lanes in the engine.
macro_rules! has_lanes {
    ($($game:ty),*) => {
        $(impl MayHaveLanes for $game {
            fn lanes(&self, lineup: &[TextPolicy<Self>]) -> Result<Vec<LaneText>, String> {
                match self.obstacle() {
                    Some(obstacle) => Err(obstacle),
                    None => lineup.iter().map(|policy| LaneText::new(policy, self)).collect(),
                }
            }

            fn play_lanes(
                &self,
                set: InstructionSet,
                lineups: &[Vec<LaneText>],
                plan: &Plan,
                progress: &Watcher<'_>,
            ) -> Vec<Tally> {
                match lineups {
                    [lineup] => vec![run_on_lanes(set, self, lineup, plan, progress)],
                    _ => run_in_turn_on_lanes(set, self, lineups, plan, progress),
                }
            }
        })*
    };
}
has_lanes!(Carbonite, IceDice, Pig);

impl MayHaveLanes for Freeze {}
impl MayHaveLanes for Carcassonne {}

/// The runner that will run.
#[derive(Clone, Debug)]
pub(crate) enum Chosen {
    /// The reference runner; if lanes were wanted, why they do not play.
    Trial(Option<String>),
    Lanes(InstructionSet, Vec<Vec<LaneText>>),
}

impl Chosen {
    /// The runner that was asked for.
    pub(crate) fn new<G: MayHaveLanes>(
        wanted: Runner,
        game: &G,
        lineups: &[Vec<TextPolicy<G>>],
    ) -> Result<Self, Failure> {
        let lanes = || {
            let lineups = lineups.iter().map(|lineup| game.lanes(lineup)).collect::<Result<_, _>>()?;
            Ok(Self::Lanes(InstructionSet::best(), lineups))
        };
        match wanted {
            Runner::Trial => Ok(Self::Trial(None)),
            Runner::Auto => Ok(lanes().unwrap_or_else(|obstacle| Self::Trial(Some(obstacle)))),
            Runner::Lanes => lanes().map_err(|obstacle| {
                Failure::Input(format!("lanes cannot play this: {obstacle}; use --runner trial, or auto"))
            }),
        }
    }

    /// Its name.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Trial(_) => "trial",
            Self::Lanes(..) => "lanes",
        }
    }

    /// The instructions that it runs on, if it chooses them.
    pub(crate) fn instructions(&self) -> Option<&'static str> {
        match self {
            Self::Trial(_) => None,
            Self::Lanes(set, _) => Some(set.name()),
        }
    }

    /// What ran and why, for people.
    pub(crate) fn describe(&self) -> String {
        match self {
            Self::Trial(None) => "trial".into(),
            Self::Trial(Some(obstacle)) => format!("trial (lanes cannot play this: {obstacle})"),
            Self::Lanes(set, _) => format!("lanes ({})", set.name()),
        }
    }

    /// Plays the plan; a tally for each of the line-ups, which take turns.
    pub(crate) fn play<G: MayHaveLanes>(
        &self,
        game: &G,
        lineups: &[Vec<TextPolicy<G>>],
        plan: &Plan,
        progress: &Watcher<'_>,
    ) -> Vec<Tally> {
        match self {
            Self::Trial(_) => run_in_turn(game, lineups, plan, progress),
            Self::Lanes(set, lineups) => game.play_lanes(*set, lineups, plan, progress),
        }
    }
}
