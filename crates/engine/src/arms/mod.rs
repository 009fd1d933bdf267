//! Arms: rules with the line-ups that play under them.
//!
//! An [`Arm`] is what runs and comparisons see of a game, whatever its type: a call a batch, and behind it loops that are
//! compiled once a game. In every trial all arms meet the same streams (see [`stream`](crate::stream)), so that a
//! difference between two of them comes from their answers, or their rules, alone. [`play`](crate::run::play) tallies one
//! arm. [`run_arms`] keeps a number an arm of each trial and its products with those of the others, and so serves many
//! arms; [`run_paired`](crate::paired::run_paired) keeps all that can be said about a pair.
//!
//! Comparisons play policies as they are and not in every faster form of them, so that fewer loops are compiled.

mod products;
mod rows;

use std::ops::Range;

pub use products::{MetricArm, Products, run_arms};
pub use rows::Rows;

use crate::game::{Game, MAX_METRICS, Policy, Seat};
use crate::plan::BATCH;
use crate::rotation::rotation_of;
use crate::stream::{Keys, WordSource};
use crate::tally::Tally;
use crate::trial::{Watch, trial};

/// Trials that one arm plays before the next does: so few that all that is noted of them stays in the cache.
pub(crate) const BLOCK: usize = 128;

/// Trials handed to a thread at a time, for this number of arms.
pub(crate) fn batch_of(arms: usize) -> u64 {
    (BATCH / arms.max(1) as u64).max(BLOCK as u64)
}

/// Rules, and the line-ups that play under them, behind an object-safe face.
pub trait Arm: Sync {
    /// How many line-ups take turns.
    fn lineups(&self) -> usize;

    /// A tally of no trials.
    fn tally(&self) -> Tally;

    /// What a metric is at least and at most, if the rules say so: [`Game::bounds`].
    fn bounds(&self, metric: usize) -> Option<(f64, f64)>;
}

/// The arm of a game: its rules and line-ups.
///
/// Of several line-ups trial *i* is played by line-up *i* mod *n*, whatever the plan. In comparisons they are the
/// [`rotations`](crate::rotation::rotations) of one, and what is measured is its first policy: the one in seat 1 in trial
/// 0, which where line-ups are rotated moves on by a seat from trial to trial.
#[derive(Clone, Debug)]
pub struct Lineups<G, P> {
    /// The rules.
    pub game: G,
    /// The line-ups, each with a policy for every seat or one for all of them.
    pub lineups: Vec<Vec<P>>,
}

impl<'p, G: Game, P: Policy<G>> Lineups<G, &'p P> {
    /// Of line-ups that are kept elsewhere.
    pub fn of<L: AsRef<[P]>>(game: &G, lineups: &'p [L]) -> Self {
        Self { game: *game, lineups: lineups.iter().map(|lineup| lineup.as_ref().iter().collect()).collect() }
    }
}

impl<G: Game, P: Policy<G>> Lineups<G, P> {
    /// The line-up of a trial.
    pub fn lineup(&self, trial: u64) -> &[P] {
        &self.lineups[rotation_of(trial, self.lineups.len())]
    }

    /// Every line-up's turns among the trials of a block.
    pub(crate) fn turns(&self, trials: &Range<u64>) -> impl Iterator<Item = Turns> + use<G, P> {
        let (step, end) = (self.lineups.len(), trials.end);
        let of = move |(at, first)| Turns { rotation: rotation_of(first, step), first, at, step, end };
        trials.clone().take(step).enumerate().map(of)
    }

    /// Plays the trials of one line-up.
    pub(crate) fn play(&self, keys: &Keys, turns: Turns, notes: &mut impl Notes<G>) {
        let (game, lineup) = (&self.game, &self.lineups[turns.rotation][..]);
        if is_solo(game) {
            play(game, lineup, turns, |number| keys.stream(number, 0), notes);
        } else {
            play(game, lineup, turns, |number| keys.streams(number, game.seats()), notes);
        }
    }
}

impl<G: Game, P: Policy<G>> Arm for Lineups<G, P> {
    fn lineups(&self) -> usize {
        self.lineups.len()
    }

    fn tally(&self) -> Tally {
        Tally::new(&self.game)
    }

    fn bounds(&self, metric: usize) -> Option<(f64, f64)> {
        self.game.bounds(metric)
    }
}

/// Whether one seat plays: known when a game is compiled that never has several, or always.
#[inline(always)]
pub(crate) fn is_solo<G: Game>(game: &G) -> bool {
    if const { *G::SEATS.start() > 1 } {
        false
    } else if const { *G::SEATS.end() == 1 } {
        true
    } else {
        game.seats() == 1
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
fn play<G: Game, P: Policy<G>, W: WordSource>(
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
