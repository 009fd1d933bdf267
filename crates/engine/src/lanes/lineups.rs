//! Line-ups on the lanes of a game.

use std::ops::Range;

use super::dispatch::{InstructionSet, MachineJob, on_machine};
use super::simd::{MOST_NARROW, Machine};
use super::{Counts, LaneGame, LanePolicy, Noting, TABLES};
use crate::arms::TrialRows;
use crate::plan::Batch;
use crate::side_by_side::{Feed, LanePlayer, SideBySide};
use crate::stream::Keys;
use crate::tally::Tally;

/// Line-ups of a game whose rules have no [obstacle](LaneGame::obstacle).
#[derive(Debug)]
pub struct LaneLineups<G, P> {
    /// The rules.
    pub game: G,
    /// The line-ups, each with a policy for every seat or one for all of them.
    pub lineups: Vec<Vec<P>>,
}

impl<G: LaneGame, P: LanePolicy + std::fmt::Debug + Send> SideBySide for LaneLineups<G, P> {
    fn lineups(&self) -> usize {
        self.lineups.len()
    }

    fn tally(&self) -> Tally {
        Tally::new(&self.game)
    }

    fn at_once(&self) -> u64 {
        (TABLES * MOST_NARROW) as u64
    }

    fn player<'a>(&'a self, set: InstructionSet, number: usize, keys: &Keys) -> Box<dyn LanePlayer + 'a> {
        assert!(self.game.obstacle().is_none(), "lanes cannot play these rules");
        let (game, counts) = (&self.game, G::Counts::new(&self.game));
        Box::new(Player { game, lineup: &self.lineups[number], set, keys: *keys, counts })
    }
}

/// A line-up on a thread, and its counts.
struct Player<'a, G: LaneGame, P> {
    game: &'a G,
    lineup: &'a [P],
    set: InstructionSet,
    keys: Keys,
    counts: G::Counts,
}

impl<G: LaneGame, P: LanePolicy> LanePlayer for Player<'_, G, P> {
    fn feed(&mut self, next: &mut Feed<'_>, rows: Option<TrialRows<'_>>) {
        let Self { game, lineup, ref keys, set, ref mut counts } = *self;
        let place = rows.map(|TrialRows { share, block, answers, rows }| {
            *counts.noting() = Some(Box::new(Noting::new(std::mem::take(rows), (share, &block), answers)));
            rows
        });
        let mut next = |counts: &mut G::Counts| next(counts.counted());
        on_machine(set, OnLanes { game, lineup, keys, next: &mut next, counts });
        if let Some(place) = place {
            counts.settle();
            *place = counts.noting().take().map(|noting| noting.rows).unwrap_or_default();
        }
    }

    fn counted(&self) -> Batch {
        self.counts.counted()
    }

    fn tallies(self: Box<Self>) -> Vec<Tally> {
        let mut tally = Tally::new(self.game);
        self.counts.enter(self.game, &mut tally);
        vec![tally]
    }
}

/// The run of a line-up, for an instruction set.
struct OnLanes<'r, G: LaneGame, P> {
    game: &'r G,
    lineup: &'r [P],
    keys: &'r Keys,
    /// Called once in many thousand games.
    next: &'r mut dyn FnMut(&mut G::Counts) -> Range<u64>,
    counts: &'r mut G::Counts,
}

impl<G: LaneGame, P: LanePolicy> MachineJob for OnLanes<'_, G, P> {
    type Output = ();
    const IS_PORTABLE: bool = InstructionSet::Plain.plays_games_in_rust();

    fn run<M: Machine>(self, machine: M) {
        self.game.play(machine, self.lineup, self.keys, self.next, self.counts);
    }
}
