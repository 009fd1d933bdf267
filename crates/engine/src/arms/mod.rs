//! Arms: rules together with the line-ups that play under them.
//!
//! An [`Arm`] is the object-safe view of a game that runs and comparisons use. One virtual call plays a batch; the
//! loops behind it are compiled once per game. In every trial all arms use the same streams (see
//! [`stream`](crate::stream)), so a difference between two arms comes only from their policies or their rules.
//! [`play`](crate::run::play) tallies one arm. [`run_arms`] keeps one number per arm and trial and the products of
//! these numbers, and so serves many arms. [`run_paired`](crate::paired::run_paired) keeps the full comparison of two
//! arms.
//!
//! Comparisons play policies through their general form, not through every faster form, so that fewer loops are
//! compiled.

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

/// Trials that one arm plays before the next arm does: few enough that their results stay in the cache.
pub(crate) const BLOCK: usize = 128;

/// Trials handed to a thread at a time, given the number of arms.
pub(crate) fn batch_of(arms: usize) -> u64 {
    (BATCH / arms.max(1) as u64).max(BLOCK as u64)
}

/// Rules and the line-ups that play under them, behind an object-safe interface.
pub trait Arm: Sync {
    /// The number of line-ups, which take turns.
    fn lineups(&self) -> usize;

    /// An empty tally.
    fn tally(&self) -> Tally;

    /// The least and greatest possible value of a metric, if the rules imply them: [`Game::bounds`].
    fn bounds(&self, metric: usize) -> Option<(f64, f64)>;

    /// With how many trials a thread begins: more than one where they take little longer than one.
    fn at_once(&self) -> u64 {
        1
    }
}

/// The arm of a game: its rules and line-ups.
///
/// With *n* line-ups, trial *i* is played by line-up *i* mod *n*, whatever the plan. In comparisons the line-ups are
/// the [`rotations`](crate::rotation::rotations) of one line-up, and the first policy of that line-up is measured. It
/// sits in seat 1 in trial 0 and, if line-ups rotate, one seat further in each following trial.
#[derive(Clone, Debug)]
pub struct Lineups<G, P> {
    /// The rules.
    pub game: G,
    /// The line-ups, each with a policy for every seat or one for all of them.
    pub lineups: Vec<Vec<P>>,
}

impl<'p, G: Game, P: Policy<G>> Lineups<G, &'p P> {
    /// An arm that borrows its line-ups.
    pub fn of<L: AsRef<[P]>>(game: &G, lineups: &'p [L]) -> Self {
        Self { game: *game, lineups: lineups.iter().map(|lineup| lineup.as_ref().iter().collect()).collect() }
    }
}

impl<G: Game, P: Policy<G>> Lineups<G, P> {
    /// The line-up of a trial.
    pub fn lineup(&self, trial: u64) -> &[P] {
        &self.lineups[rotation_of(trial, self.lineups.len())]
    }

    /// The share of each line-up in the trials of a block.
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

/// Whether the game has one seat. Decided at compile time for games that never, or always, have several.
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
    /// The index of the line-up, which is also the seat of its first policy.
    pub(crate) rotation: usize,
    /// The number of the first trial, and its index in the block.
    first: u64,
    at: usize,
    step: usize,
    end: u64,
}

impl Turns {
    /// All trials of a block, played by the first line-up.
    pub(crate) fn of_first(trials: &Range<u64>) -> Self {
        Self { rotation: 0, first: trials.start, at: 0, step: 1, end: trials.end }
    }
}

/// Receives the results of finished trials.
pub(crate) trait Notes<G: Game>: Watch<G> {
    /// The trial at index `at` of its block ended in `end`; `seat` is the measured seat.
    fn finished(&mut self, game: &G, at: usize, seat: Seat, end: G::State);
}

/// Plays the trials of one line-up.
///
/// It does not use the faster forms of policies ([`Policy::with_quickest`]): a loop for every form, game and receiver
/// of results would be about three hundred loops and minutes of compilation.
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

/// All metrics of one seat in a trial.
pub(crate) type Values = [u32; MAX_METRICS];
