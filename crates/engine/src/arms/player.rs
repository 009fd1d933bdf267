//! Playing an arm block by block, with the results of every trial in order.

use std::ops::Range;

use super::{Arm, Rows};
use crate::stream::Keys;
use crate::tally::Tally;
use crate::trial_result::Recording;

/// The most trials of a block.
pub const ROWS: u64 = 1 << 13;

/// Plays the trials of an arm on one thread.
pub trait Player {
    /// With how many trials a thread begins: fewer take as long.
    fn at_once(&self) -> u64;

    /// Plays a block of at most [`ROWS`] trials, and puts what each was worth into its row. `answers` says whether
    /// [`Rows::answers`] are wanted, where players [have](Arm::fast_player) them.
    fn play(&mut self, block: &Range<u64>, answers: bool, rows: &mut Rows);

    /// All trials played so far: a tally for each of the arm's line-ups.
    fn tallies(self: Box<Self>) -> Vec<Tally>;
}

/// The fastest player of an arm, with these keys.
pub fn player<'a>(arm: &'a dyn Arm, keys: &Keys) -> Box<dyn Player + 'a> {
    arm.fast_player(keys)
        .unwrap_or_else(|| Box::new(OneByOne { arm, keys: *keys, tallies: vec![arm.tally(); arm.lineups()] }))
}

/// The reference runner.
struct OneByOne<'a> {
    arm: &'a dyn Arm,
    keys: Keys,
    tallies: Vec<Tally>,
}

impl Player for OneByOne<'_> {
    fn at_once(&self) -> u64 {
        self.arm.at_once()
    }

    fn play(&mut self, block: &Range<u64>, _: bool, rows: &mut Rows) {
        rows.resize(usize::try_from(block.end - block.start).expect("a block is small"));
        self.arm.block(&self.keys, block, Recording::Busts, &mut |end| {
            self.tallies[end.lineup].enter(end);
            rows.enter(end);
        });
    }

    fn tallies(self: Box<Self>) -> Vec<Tally> {
        self.tallies
    }
}
