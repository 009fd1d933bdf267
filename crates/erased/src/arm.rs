//! Rules with line-ups, ready to play.

use std::fmt::Debug;
use std::sync::{Mutex, PoisonError};

use stopwise_engine::game::is_by_chance;
use stopwise_engine::games::Playable;
use stopwise_engine::lanes::dispatch::InstructionSet;
use stopwise_engine::rotation::rotation_of;
use stopwise_engine::run::TallyArm;
use stopwise_engine::side_by_side::SideBySide;
use stopwise_engine::stream::Keys;
use stopwise_engine::tally::Tally;
use stopwise_engine::trial::trial;
use stopwise_lanes::TextLineups;

use crate::fast_player::FastPlayer;
use crate::on_lanes::on_lanes;

/// An arm of any game: everything that runs, comparisons and rankings need of rules with their line-ups.
pub trait AnyArm: TallyArm + Debug + Send {
    /// Has the arm play on lanes, with these instructions, wherever the reference runner is not asked for.
    ///
    /// # Errors
    ///
    /// The reason, in words, why lanes cannot play it.
    fn use_lanes(&mut self, set: InstructionSet) -> Result<(), String>;

    /// The lanes that the arm plays on, and their instructions.
    fn lanes(&self) -> Option<(&dyn SideBySide, InstructionSet)> {
        None
    }

    /// Why the arm could not play all trials, if a policy that answers in batches failed, or the rules could not go on in
    /// a trial. Its counts are then useless. Text policies never fail.
    fn failure(&self) -> Option<String> {
        self.fault().map(|fault| format!("trial {}: {}", fault.trial, fault.why))
    }

    /// How many trials of a tally ended as the rules could not go on.
    fn faults(&self, tally: &Tally) -> u64 {
        let _ = tally;
        0
    }

    /// The first trial in which the rules could not go on, and why: [`Game::fault`](stopwise_engine::game::Game::fault).
    fn fault(&self) -> Option<Fault> {
        None
    }
}

/// A trial in which the rules could not go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The number of the trial.
    pub trial: u64,
    /// Why, with the line of the text.
    pub why: String,
}

/// The arm of a game whose type is known.
#[derive(Debug)]
pub(crate) struct TypedArm<G: Playable> {
    lineups: TextLineups<G>,
    lanes: Option<(Box<dyn SideBySide>, InstructionSet)>,
    /// The first trial in which the rules could not go on.
    fault: Mutex<Option<Fault>>,
}

impl<G: Playable> TypedArm<G> {
    pub(crate) fn new(lineups: TextLineups<G>) -> Self {
        Self { lineups, lanes: None, fault: Mutex::new(None) }
    }

    /// Whether the rules could not go on when a trial ended so.
    fn is_fault(&self, ending: usize) -> bool {
        self.lineups.game.endings()[ending].fault
    }

    fn faulty(&self, tally: &Tally) -> u64 {
        (0..tally.endings.len()).filter(|&ending| self.is_fault(ending)).map(|at| tally.endings[at]).sum()
    }

    /// Plays a trial again that ended in a fault. `key` is its number among those of `keys`, which are those of one
    /// line-up.
    #[cold]
    fn note(&self, lineup: usize, keys: &Keys, key: u64) -> bool {
        let game = &self.lineups.game;
        let policies = &self.lineups.lineups[lineup];
        let mut words = keys.streams_with(key, game.seats(), is_by_chance::<G, _>(policies));
        let end = trial(game, policies, &mut words, &mut ());
        let Some(why) = game.fault(end) else { return false };
        let trial = key * self.lineups.lineups.len() as u64 + lineup as u64;
        let mut first = self.fault.lock().unwrap_or_else(PoisonError::into_inner);
        if first.as_ref().is_none_or(|first| trial < first.trial) {
            *first = Some(Fault { trial, why });
        }
        true
    }
}

/// Implements the traits of an arm by those of its line-ups.
mod delegated {
    use std::ops::Range;

    use stopwise_engine::arms::{Arm, Player};
    use stopwise_engine::trial_result::{Recording, TrialResult};

    use super::*;

    impl<G: Playable> Arm for TypedArm<G> {
        fn lineups(&self) -> usize {
            self.lineups.lineups()
        }

        fn tally(&self) -> Tally {
            self.lineups.tally()
        }

        fn bounds(&self, metric: usize) -> Option<(f64, f64)> {
            self.lineups.bounds(metric)
        }

        fn shape(&self) -> (usize, usize) {
            self.lineups.shape()
        }

        fn early(&self) -> Vec<bool> {
            self.lineups.early()
        }

        fn fast_player<'a>(&'a self, keys: &Keys) -> Option<Box<dyn Player + 'a>> {
            let faulty = (0..self.lineups.game.endings().len()).filter(|&ending| self.is_fault(ending));
            let player = |lanes| Box::new(FastPlayer::new(self, lanes, keys, faulty.collect())) as _;
            self.lanes().map(player)
        }

        fn block(
            &self,
            keys: &Keys,
            trials: &Range<u64>,
            noting: Recording,
            ended: &mut dyn FnMut(&TrialResult<'_>),
        ) {
            let lineups = self.lineups.lineups.len();
            let mut fault = None;
            self.lineups.block(keys, trials, noting, &mut |result| {
                if self.is_fault(result.ending) {
                    let trial = trials.start + result.at as u64;
                    fault = Some(fault.map_or(trial, |fault: u64| fault.min(trial)));
                }
                ended(result);
            });
            if let Some(trial) = fault {
                let (lineup, step) = (rotation_of(trial, lineups), lineups as u64);
                self.note(lineup, &keys.every(step, lineup as u64), trial / step);
            }
        }
    }

    impl<G: Playable> TallyArm for TypedArm<G> {
        fn batch(&self, lineup: usize, keys: &Keys, trials: Range<u64>, tally: &mut Tally) {
            let before = self.faulty(tally);
            self.lineups.batch(lineup, keys, trials.clone(), tally);
            if self.faulty(tally) > before {
                let _ = trials.clone().any(|key| self.note(lineup, keys, key));
            }
        }
    }
}

impl<G: Playable> AnyArm for TypedArm<G> {
    fn use_lanes(&mut self, set: InstructionSet) -> Result<(), String> {
        self.lanes = Some((on_lanes(self.lineups.game.info().name, &self.lineups, set)?, set));
        Ok(())
    }

    fn lanes(&self) -> Option<(&dyn SideBySide, InstructionSet)> {
        self.lanes.as_ref().map(|(lanes, set)| (&**lanes, *set))
    }

    fn faults(&self, tally: &Tally) -> u64 {
        self.faulty(tally)
    }

    fn fault(&self) -> Option<Fault> {
        self.fault.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
