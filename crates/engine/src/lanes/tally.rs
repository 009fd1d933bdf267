//! Counts of finished games for any game: a tally to which lanes add seat by seat.
//!
//! A game whose counting takes a large share of its time can instead count combinations of values from which all
//! metrics follow, as CarboniteDice and Pig do.

use super::{Counts, LaneGame, Noting};
use crate::plan::Batch;
use crate::tally::Tally;

/// A tally to which lanes add finished games.
#[derive(Clone, Debug)]
pub struct LaneTally {
    tally: Tally,
    /// Busts by the number of the turn, all players together.
    busts: Vec<u64>,
    noting: Option<Box<Noting>>,
    /// The number of the game whose seats are added.
    number: u16,
}

impl LaneTally {
    /// Counts a game, given the lower bits of its number, its length in turns of all seats, its ending and the number of its
    /// answers. Its seats must be added next.
    #[inline(always)]
    pub fn add_game(&mut self, number: u16, length: u32, ending: usize, answers: u64) {
        if let Some(noting) = &mut self.noting {
            noting.put(number, ending, answers);
            self.number = number;
        }
        self.tally.trials += 1;
        self.tally.endings[ending] += 1;
        if self.tally.seats.len() > 1 {
            self.tally.lengths.add(length);
        }
    }

    /// Counts the results of a seat: all metrics, each with its index.
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
        if let Some(noting) = &mut self.noting {
            let row = noting.row(self.number);
            for (metric, value) in values {
                row[seat * METRICS + metric] = value;
            }
        }
    }

    /// Counts a bust in a turn, numbered from 1 over all seats, which play in turn.
    #[inline(always)]
    pub fn add_bust(&mut self, turn: usize) {
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
        Self { tally: Tally::new(game), busts: vec![0; 256], noting: None, number: 0 }
    }

    fn counted(&self) -> Batch {
        self.tally.counted()
    }

    fn noting(&mut self) -> &mut Option<Box<Noting>> {
        &mut self.noting
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
