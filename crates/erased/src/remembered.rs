//! Carcassonne with policies whose turns are remembered.

use std::any::Any;
use std::sync::{Arc, Mutex, PoisonError};

use stopwise_engine::arms::{Arm as _, TrialRows};
use stopwise_engine::game::Policy as _;
use stopwise_engine::games::carcassonne::{Carcassonne, Memory, Run};
use stopwise_engine::lanes::dispatch::InstructionSet;
use stopwise_engine::side_by_side::{Feed, LanePlayer, SideBySide};
use stopwise_engine::stream::Keys;
use stopwise_engine::tally::Tally;
use stopwise_lanes::{Found, TextLineups};
use stopwise_policy::TextPolicy;

use crate::side_by_side::{Tallied, numbered};

/// Line-ups of Carcassonne, or the reason, in words, why turns cannot be remembered; nothing if they are of another game.
pub(crate) fn of(lineups: &dyn Any) -> Option<Found> {
    let lineups = lineups.downcast_ref::<TextLineups<Carcassonne>>()?;
    let (players, seats) = numbered(&lineups.lineups);
    let reads = players.iter().map(|policy| reads(policy)).collect::<Result<_, _>>();
    let remembered = |reads| {
        let (lineups, memories) = (lineups.clone(), Mutex::default());
        Box::new(Remembered { lineups, players, reads, seats, memories }) as _
    };
    Some(reads.map(remembered))
}

/// The features that a policy reads, by kind of question.
fn reads(policy: &TextPolicy<Carcassonne>) -> Result<[Vec<usize>; 3], String> {
    let mut reads = [const { Vec::new() }; 3];
    for (kind, reads) in reads.iter_mut().enumerate() {
        let found = policy.reads(kind);
        let file = || format!("the policy {} looks ahead, which lanes cannot do", policy.name());
        *reads = found.ok_or_else(file)?.features;
    }
    Ok(reads)
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

    fn at_once(&self) -> u64 {
        1
    }

    fn player<'a>(&'a self, _: InstructionSet, number: usize, keys: &Keys) -> Box<dyn LanePlayer + 'a> {
        let (game, keys) = (self.lineups.game, *keys);
        let choose =
            move |player: usize, state, question| self.players[player].choose(&game, state, question);
        let play = move |next: &mut Feed<'_>, tallies: &mut [Tally], rows: Option<TrialRows<'_>>| {
            let (lineup, mut memory) = (&self.seats[number], self.memory());
            let tally = &mut tallies[0];
            let run = Run { game, lineup, memory: &mut memory, choose: &choose, keys: &keys, tally, rows };
            run.play(next);
            self.memories.lock().unwrap_or_else(PoisonError::into_inner).push(memory);
        };
        Box::new(Tallied { tallies: vec![self.tally()], play })
    }
}
