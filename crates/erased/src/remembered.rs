//! Carcassonne with policies whose turns are remembered.

use std::any::Any;
use std::sync::{Arc, Mutex, PoisonError};

use stopwise_engine::arms::{Arm as _, TrialRows};
use stopwise_engine::game::Policy as _;
use stopwise_engine::games::carcassonne::{Carcassonne, Memory, Run};
use stopwise_engine::lanes::dispatch::InstructionSet;
use stopwise_engine::run::{Feed, SideBySide};
use stopwise_engine::stream::Keys;
use stopwise_engine::tally::Tally;
use stopwise_lanes::{LaneArm, TextLineups};
use stopwise_policy::TextPolicy;

use crate::side_by_side::arm;

/// Line-ups of Carcassonne, or the reason, in words, why turns cannot be remembered; nothing if they are of another game.
pub(crate) fn of(lineups: &dyn Any) -> Option<Result<Box<dyn LaneArm>, String>> {
    let lineups = lineups.downcast_ref::<TextLineups<Carcassonne>>()?;
    let mut remembered = Remembered {
        lineups: lineups.clone(),
        players: Vec::new(),
        reads: Vec::new(),
        seats: Vec::new(),
        memories: Mutex::default(),
    };
    let seats =
        lineups.lineups.iter().map(|lineup| lineup.iter().map(|policy| remembered.player(policy)).collect());
    Some(seats.collect::<Result<_, _>>().map(|seats| arm(Remembered { seats, ..remembered })))
}

#[derive(Debug)]
struct Remembered {
    lineups: TextLineups<Carcassonne>,
    /// The different policies, and the features that each reads, by kind of question.
    players: Vec<Arc<TextPolicy<Carcassonne>>>,
    reads: Vec<[Vec<usize>; 3]>,
    /// The players of every line-up.
    seats: Vec<Vec<usize>>,
    /// What threads remember that are not playing.
    memories: Mutex<Vec<Memory>>,
}

impl Remembered {
    /// The index of a policy among the players.
    fn player(&mut self, policy: &Arc<TextPolicy<Carcassonne>>) -> Result<usize, String> {
        if let Some(known) = self.players.iter().position(|known| Arc::ptr_eq(known, policy)) {
            return Ok(known);
        }
        let mut reads = [const { Vec::new() }; 3];
        for (kind, reads) in reads.iter_mut().enumerate() {
            let found = policy.reads(kind);
            let file = || format!("the policy {} looks ahead, which lanes cannot do", policy.name());
            *reads = found.ok_or_else(file)?.features;
        }
        self.players.push(Arc::clone(policy));
        self.reads.push(reads);
        Ok(self.players.len() - 1)
    }

    /// What a thread remembers: what another one left, or nothing yet.
    fn memory(&self) -> Memory {
        let left = self.memories.lock().unwrap_or_else(PoisonError::into_inner).pop();
        left.unwrap_or_else(|| Memory::new(self.lineups.game, self.reads.iter().cloned()))
    }
}

impl SideBySide for Remembered {
    fn lineups(&self) -> usize {
        self.seats.len()
    }

    fn tally(&self) -> Tally {
        self.lineups.tally()
    }

    fn feed(
        &self,
        _: InstructionSet,
        lineup: usize,
        keys: &Keys,
        next: &mut Feed<'_>,
        tally: &mut Tally,
        rows: Option<TrialRows<'_>>,
    ) {
        let game = self.lineups.game;
        let choose = |player: usize, state, question| self.players[player].choose(&game, state, question);
        let mut memory = self.memory();
        let run = Run {
            game,
            lineup: &self.seats[lineup],
            memory: &mut memory,
            choose: &choose,
            keys,
            tally,
            rows,
        };
        run.play(next);
        self.memories.lock().unwrap_or_else(PoisonError::into_inner).push(memory);
    }
}
