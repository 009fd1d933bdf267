//! Playing an arm block by block, with the results of every trial in order.

use std::ops::Range;

use super::{Arm, Rows};
use crate::stream::Keys;
use crate::tally::Tally;

/// The most trials of a block.
pub const ROWS: u64 = 1 << 13;

/// Plays the trials of an arm on one thread.
pub trait Player {
    /// With how many trials a thread begins: fewer take as long.
    fn at_once(&self) -> u64;

    /// Plays a block of at most [`ROWS`] trials, and puts what each was worth into its row. `answers` says whether
    /// [`Rows::answers`] are wanted.
    fn play(&mut self, block: &Range<u64>, answers: bool, rows: &mut Rows);

    /// All trials played so far: a tally for each of the arm's line-ups.
    fn tallies(self: Box<Self>) -> Vec<Tally>;
}

/// The fastest player of an arm, with these keys.
pub fn player<'a>(arm: &'a dyn Arm, keys: &Keys) -> Box<dyn Player + 'a> {
    arm.fast_player(keys).unwrap_or_else(|| one_by_one(arm, keys))
}

/// The reference runner.
pub(crate) fn one_by_one<'a>(arm: &'a dyn Arm, keys: &Keys) -> Box<dyn Player + 'a> {
    Box::new(OneByOne { arm, keys: *keys, tallies: vec![arm.tally(); arm.lineups()] })
}

struct OneByOne<'a> {
    arm: &'a dyn Arm,
    keys: Keys,
    tallies: Vec<Tally>,
}

impl Player for OneByOne<'_> {
    fn at_once(&self) -> u64 {
        self.arm.at_once()
    }

    fn play(&mut self, block: &Range<u64>, answers: bool, rows: &mut Rows) {
        rows.play_into(self.arm, &self.keys, block, answers, &mut self.tallies);
    }

    fn tallies(self: Box<Self>) -> Vec<Tally> {
        self.tallies
    }
}
