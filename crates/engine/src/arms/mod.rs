//! Arms: rules with the policies that play under them, to be compared on the same dice.
//!
//! In every trial all arms meet the same streams (see [`stream`](crate::stream)), so that a difference between two of
//! them comes from their answers, or their rules, alone. [`run_arms`] keeps little of each trial, a number an arm and its
//! products with the others, and so serves many arms; [`run_paired`](crate::paired::run_paired) keeps all that can be
//! said about a pair.
//!
//! Arms play policies as they are and not in every faster form of them, so that fewer loops are compiled.

mod products;

use std::ops::Range;

pub use products::{Products, run_arms};

use crate::game::{Game, MAX_METRICS, Policy, Seat};
use crate::rotation::rotation_of;
use crate::run::BATCH;
use crate::stream::{Keys, Words};
use crate::trial::{Watch, trial};

/// Trials that one arm plays before the next does: so few that all that is noted of them stays in the cache.
pub(crate) const BLOCK: usize = 128;

/// Trials handed to a thread at a time where there are so many arms.
pub(crate) fn batch_of(arms: usize) -> u64 {
    (BATCH / arms.max(1) as u64).max(BLOCK as u64)
}

/// Rules, and the line-ups that play under them.
///
/// Of several line-ups trial *i* is played by line-up *i* mod *n*, and they are the
/// [`rotations`](crate::rotation::rotations) of one. What is measured is its first policy: the one in seat 1 in trial 0,
/// which where line-ups are rotated moves on by a seat from trial to trial.
#[derive(Debug)]
pub struct Arm<'a, G, L> {
    /// The rules.
    pub game: &'a G,
    /// A line-up, or all rotations of one.
    pub lineups: &'a [L],
}

impl<G, L> Clone for Arm<'_, G, L> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G, L> Copy for Arm<'_, G, L> {}

impl<'a, G: Game, L> Arm<'a, G, L> {
    /// The line-up of a trial.
    pub fn lineup(&self, trial: u64) -> &'a L {
        &self.lineups[rotation_of(trial, self.lineups.len())]
    }

    /// Every line-up's turns among the trials of a block.
    pub(crate) fn turns(&self, trials: &Range<u64>) -> impl Iterator<Item = Turns> + use<G, L> {
        let (step, end) = (self.lineups.len(), trials.end);
        let of = move |(at, first)| Turns { rotation: rotation_of(first, step), first, at, step, end };
        trials.clone().take(step).enumerate().map(of)
    }

    /// Plays the trials of one line-up.
    pub(crate) fn play<P: Policy<G>>(&self, keys: &Keys, turns: Turns, notes: &mut impl Notes<G>)
    where
        L: AsRef<[P]>,
    {
        let (game, lineup) = (self.game, self.lineups[turns.rotation].as_ref());
        if game.seats() == 1 {
            play(game, lineup, turns, |number| keys.stream(number, 0), notes);
        } else {
            play(game, lineup, turns, |number| keys.streams(number, game.seats()), notes);
        }
    }
}

/// The trials of a block that one line-up plays.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Turns {
    /// Which line-up; its first policy sits in the seat of this number.
    pub(crate) rotation: usize,
    /// The number of the first trial, and its place in the block.
    first: u64,
    at: usize,
    step: usize,
    end: u64,
}

/// Whoever notes what finished trials came to.
pub(crate) trait Notes<G: Game>: Watch<G> {
    /// The trial at this place in its block ended in `end`; `seat` is the one that is measured.
    fn finished(&mut self, game: &G, at: usize, seat: Seat, end: G::State);
}

/// Plays the trials of one line-up.
///
/// With the policies as they are: a loop for every quicker form of them ([`Policy::with_quickest`]), for every game and
/// whoever takes notes, would be some three hundred loops, and minutes of compiling.
fn play<G: Game, P: Policy<G>, W: Words>(
    game: &G,
    lineup: &[P],
    turns: Turns,
    words: impl Fn(u64) -> W,
    notes: &mut impl Notes<G>,
) {
    let Turns { rotation, first, mut at, step, end } = turns;
    for number in (first..end).step_by(step) {
        let end = trial(game, lineup, &mut words(number), notes);
        notes.finished(game, at, rotation, end);
        at += step;
    }
}

/// All metrics of a trial.
pub(crate) type Values = [u32; MAX_METRICS];
