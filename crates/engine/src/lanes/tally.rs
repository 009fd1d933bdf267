//! Counts of finished games for any game: a tally that is added to seat by seat.
//!
//! A game whose counting takes much of its time can count combinations instead, from which all metrics follow, as
//! CarboniteDice and Pig do.

use super::{Counts, LaneGame};
use crate::tally::Tally;

/// A tally that lanes add finished games to.
#[derive(Clone, Debug)]
pub struct LaneTally {
    tally: Tally,
    /// Busts by the number of the turn, all players together.
    busts: Vec<u64>,
}

impl LaneTally {
    /// Counts a game by its length in turns of all seats, and its ending; its seats are to follow.
    #[inline(always)]
    pub fn add_game(&mut self, length: u32, ending: usize) {
        self.tally.trials += 1;
        self.tally.endings[ending] += 1;
        if self.tally.seats.len() > 1 {
            self.tally.lengths.add(length);
        }
    }

    /// Counts what a seat did in a game: all metrics, each with its number.
    #[inline(always)]
    pub fn add_seat<const METRICS: usize>(&mut self, seat: usize, values: [(usize, u32); METRICS]) {
        for (metric, value) in values {
            if seat == 0 && metric == 0 {
                let value = u64::from(value);
                self.tally.first.0 += value;
                self.tally.first.1 += u128::from(value * value);
            }
            self.tally.seats[seat].metrics[metric].add(value);
        }
    }

    /// Counts a bust in a turn, from 1, of all players together, who play in turn.
    #[inline(always)]
    pub fn add_bust(&mut self, turn: u16) {
        let turn = usize::from(turn);
        match self.busts.get_mut(turn) {
            Some(busts) => *busts += 1,
            None => self.add_late_bust(turn),
        }
    }

    #[cold]
    #[inline(never)]
    fn add_late_bust(&mut self, turn: usize) {
        self.busts.resize((turn + 1).next_power_of_two(), 0);
        self.busts[turn] += 1;
    }
}

impl<G: LaneGame> Counts<G> for LaneTally {
    fn new(game: &G) -> Self {
        Self { tally: Tally::new(game), busts: vec![0; 256] }
    }

    fn progress(&self) -> (u64, u64, u128) {
        (self.tally.trials, self.tally.first.0, self.tally.first.1)
    }

    fn enter(mut self, _: &G, tally: &mut Tally) {
        let players = self.tally.seats.len();
        for (before, &busts) in self.busts.iter().skip(1).enumerate().filter(|&(_, &busts)| busts > 0) {
            let turn = u32::try_from(before / players + 1).unwrap_or(u32::MAX);
            self.tally.seats[before % players].busts.add_many(turn, busts);
        }
        tally.merge(&self.tally);
    }
}
