//! Arms: rules together with the line-ups that play under them.
//!
//! An [`Arm`] is the object-safe view of a game that runs and comparisons use. One virtual call plays a block of trials
//! and reports each; the loop behind it is compiled once per game, whoever takes the results. In every trial all arms use
//! the same streams (see [`stream`](crate::stream)), so a difference between two arms comes only from their policies or
//! their rules. [`play`](crate::run::play) tallies one arm. [`run_arms`] keeps one number per arm and trial and the
//! products of these numbers, and so serves many arms. [`run_paired`](crate::paired::run_paired) keeps the full comparison
//! of two arms.
//!
//! Comparisons play policies through their general form, not through every faster form, so that fewer loops are
//! compiled.

mod player;
mod products;
mod rows;

use std::ops::Range;

pub(crate) use player::one_by_one;
pub use player::{Player, ROWS, player};
pub(crate) use products::SMALL;
pub use products::{Products, run_arms};
pub use rows::{Rows, TrialRows, with_answer};

use crate::game::{Game, Policy, is_by_chance};
use crate::plan::BATCH;
use crate::rotation::rotation_of;
use crate::stream::{Keys, WordSource};
use crate::tally::Tally;
use crate::trial::trial;
use crate::trial_result::{Record, Recording, TrialResult};

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

    /// The numbers of seats and of metrics.
    fn shape(&self) -> (usize, usize) {
        let seats = self.tally().seats;
        (seats.len(), seats.first().map_or(0, |seat| seat.metrics.len()))
    }

    /// For every ending whether the game was cut short.
    fn early(&self) -> Vec<bool>;

    /// A player for one thread that plays many games at a time and notes answers, if the arm has one.
    fn fast_player<'a>(&'a self, keys: &Keys) -> Option<Box<dyn Player + 'a>> {
        let _ = keys;
        None
    }

    /// With how many trials a thread begins: more than one where they take little longer than one.
    fn at_once(&self) -> u64 {
        1
    }

    /// Plays a block of trials on this thread and reports each that ends, in any order.
    fn block(
        &self,
        keys: &Keys,
        trials: &Range<u64>,
        noting: Recording,
        ended: &mut dyn FnMut(&TrialResult<'_>),
    );
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

    /// Plays the trials of one line-up. Never inlined: two such loops in one function compete for its registers.
    ///
    /// It does not use the faster forms of policies ([`Policy::with_quickest`]): a loop for every form and game would be
    /// minutes of compilation.
    #[inline(never)]
    fn play<const SOLO: bool, W: WordSource>(
        &self,
        turns: Turns,
        words: impl Fn(u64) -> W,
        record: &mut Record,
        ended: &mut dyn FnMut(&TrialResult<'_>),
    ) {
        let (Turns { lineup, first, mut at, step, end }, game) = (turns, &self.game);
        let policies = &self.lineups[lineup][..];
        // Known to the compiler, so that no decision looks for its seat.
        assert!(!SOLO || game.seats() == 1, "one seat");
        let policies = if SOLO { &policies[..1] } else { policies };
        for number in (first..end).step_by(step) {
            let end = trial(game, policies, &mut words(number), record);
            record.finish(game, end, (at, lineup), ended);
            at += step;
        }
    }
}

/// The trials of a block that one line-up plays.
struct Turns {
    lineup: usize,
    /// The number of the first trial, and its index in the block.
    first: u64,
    at: usize,
    step: usize,
    /// The end of the block.
    end: u64,
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

    fn shape(&self) -> (usize, usize) {
        (self.game.seats(), self.game.metrics().len())
    }

    fn early(&self) -> Vec<bool> {
        self.game.endings().iter().map(|ending| ending.early).collect()
    }

    /// One line-up after the other, each of them its trials.
    fn block(
        &self,
        keys: &Keys,
        trials: &Range<u64>,
        noting: Recording,
        ended: &mut dyn FnMut(&TrialResult<'_>),
    ) {
        let (mut record, step) = (Record::new(noting), self.lineups.len());
        for (at, first) in trials.clone().take(step).enumerate() {
            let turns = Turns { lineup: rotation_of(first, step), first, at, step, end: trials.end };
            if is_solo(&self.game) {
                self.play::<true, _>(turns, |number| keys.stream(number, 0), &mut record, ended);
            } else {
                let by_chance = is_by_chance::<G, P>(&self.lineups[turns.lineup]);
                let streams = |number| keys.streams_with(number, self.game.seats(), by_chance);
                self.play::<false, _>(turns, streams, &mut record, ended);
            }
        }
    }
}

/// Whether a game with one seat is played by a loop of its own, whose stream stays in registers and whose decisions do
/// not look for their seat. Games that can have more seats have a second loop for it only where rounds are short: it
/// saves solo Pig a fifth of its time, and Carcassonne, with three kinds of decision, a fiftieth of its instructions.
#[inline(always)]
pub(crate) fn is_solo<G: Game>(game: &G) -> bool {
    if const { G::SHAPE.least_seats > 1 } {
        false
    } else if const { G::SHAPE.most_seats == 1 } {
        true
    } else {
        (const { G::SHAPE.kinds == 1 }) && game.seats() == 1
    }
}
