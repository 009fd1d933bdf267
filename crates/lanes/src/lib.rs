//! Line-ups of text policies on lanes, as objects: the loops of all games on lanes are compiled here.
//!
//! This is a crate of its own so that it is compiled in parallel with the loops of the reference runner. Each of the
//! two crates is one codegen unit, because what a loop calls must be inlined, and takes half a minute to a minute on one
//! core.

use std::any::Any;
use std::fmt::Debug;
use std::ops::Range;
use std::sync::Arc;

use stopwise_engine::arms::{Lineups, Rows};
use stopwise_engine::games::{self, EachGame, Playable};
use stopwise_engine::lanes::dispatch::InstructionSet;
use stopwise_engine::lanes::{Counts, LaneGame};
use stopwise_engine::rotation::Share;
use stopwise_engine::run::{
    Plan, Watcher, batch_on_lanes, rows_on_lanes, run_in_turn_on_lanes, run_on_lanes,
};
use stopwise_engine::stream::Keys;
use stopwise_engine::tally::Tally;
use stopwise_policy::{LaneText, TextPolicy};

/// The line-ups of a game; their policies are shared.
pub type TextLineups<G> = Lineups<G, Arc<TextPolicy<G>>>;

/// An arm on lanes.
pub trait LaneArm: Debug + Send + Sync {
    /// Plays the trials of a plan as [`play`](stopwise_engine::run::play) does: the same tallies, bit for bit.
    ///
    /// # Panics
    ///
    /// If the machine does not have the instruction set.
    fn play(&self, set: InstructionSet, plan: &Plan, progress: &Watcher<'_>) -> Vec<Tally>;

    /// Makes ready to play batches of trials with the first line-up, with these keys, on one thread.
    fn counting(&self, set: InstructionSet, keys: &Keys) -> Box<dyn Counting>;

    /// Makes ready to play blocks of trials with a line-up, given its index, on one thread, and to tell what each trial was
    /// worth; nothing if lanes do not tell. `keys` are those of the line-up's share.
    fn player(&self, set: InstructionSet, lineup: usize, keys: &Keys) -> Option<Box<dyn LanePlayer>> {
        let _ = (set, lineup, keys);
        None
    }

    /// Plays batches of trials with the first line-up on this thread, one after the other, into one tally.
    ///
    /// # Panics
    ///
    /// If the machine does not have the instruction set.
    fn batches(&self, set: InstructionSet, keys: &Keys, batches: &[Range<u64>]) -> Tally {
        let mut counting = self.counting(set, keys);
        for trials in batches {
            counting.play(trials.clone());
        }
        counting.tally()
    }
}

/// A line-up on lanes, and the counts of the games that it has played.
pub trait Counting {
    /// Plays trials on this thread.
    ///
    /// # Panics
    ///
    /// If the machine does not have the instruction set.
    fn play(&mut self, trials: Range<u64>);

    /// All games played so far.
    fn tally(self: Box<Self>) -> Tally;
}

/// A line-up on lanes that also tells what every trial was worth.
pub trait LanePlayer: Counting {
    /// Plays the trials of a block, of at most 65,536, that belong to the line-up's share, on this thread, and puts what each
    /// was worth into its place among the rows of the block. `answers` says whether the rows have numbers for answers.
    ///
    /// # Panics
    ///
    /// If the machine does not have the instruction set.
    fn rows(&mut self, share: Share, block: &Range<u64>, answers: bool, rows: &mut Rows);
}

/// Line-ups on lanes, or the reason, in words, why lanes cannot play them.
type Found = Result<Box<dyn LaneArm>, String>;

/// The [`TextLineups`] of any game on lanes.
///
/// # Errors
///
/// The reason, in words, why lanes cannot play them; `game` is the game's name in it.
pub fn on_lanes(game: &str, lineups: &dyn Any) -> Found {
    let mut search = Search { lineups, found: None };
    games::each(&mut search);
    search.found.unwrap_or_else(|| Err(format!("{game} has no lanes")))
}

struct Search<'s> {
    lineups: &'s dyn Any,
    found: Option<Found>,
}

impl EachGame for Search<'_> {
    fn game<G: Playable>(&mut self, _: G) {}

    fn game_on_lanes<G: Playable + LaneGame>(&mut self, _: G) {
        if let Some(lineups) = self.lineups.downcast_ref::<TextLineups<G>>() {
            self.found = Some(OnLanes::of(lineups));
        }
    }
}

/// The line-ups of a game whose type is known.
#[derive(Debug)]
struct OnLanes<G> {
    game: G,
    lineups: Vec<Vec<LaneText>>,
}

impl<G: Playable + LaneGame> OnLanes<G> {
    fn of(arm: &TextLineups<G>) -> Found {
        if let Some(obstacle) = arm.game.obstacle() {
            return Err(obstacle);
        }
        let lineup = |lineup: &Vec<Arc<TextPolicy<G>>>| {
            lineup.iter().map(|policy| policy.on_lanes(&arm.game)).collect::<Result<Vec<_>, _>>()
        };
        let lineups = arm.lineups.iter().map(lineup).collect::<Result<_, _>>()?;
        Ok(Box::new(Self { game: arm.game, lineups }))
    }

    /// A line-up, ready to play.
    fn batches(&self, set: InstructionSet, lineup: usize, keys: &Keys) -> Batches<G> {
        let (game, lineup) = (self.game, self.lineups[lineup].clone());
        Batches { game, lineup, set, keys: *keys, counts: G::Counts::new(&self.game) }
    }
}

impl<G: Playable + LaneGame> LaneArm for OnLanes<G> {
    fn play(&self, set: InstructionSet, plan: &Plan, progress: &Watcher<'_>) -> Vec<Tally> {
        match self.lineups.as_slice() {
            [lineup] => vec![run_on_lanes(set, &self.game, lineup, plan, progress)],
            lineups => run_in_turn_on_lanes(set, &self.game, lineups, plan, progress),
        }
    }

    fn counting(&self, set: InstructionSet, keys: &Keys) -> Box<dyn Counting> {
        Box::new(self.batches(set, 0, keys))
    }

    fn player(&self, set: InstructionSet, lineup: usize, keys: &Keys) -> Option<Box<dyn LanePlayer>> {
        Some(Box::new(self.batches(set, lineup, keys)))
    }
}

/// The first line-up of a game whose type is known, and its counts.
struct Batches<G: LaneGame> {
    game: G,
    lineup: Vec<LaneText>,
    set: InstructionSet,
    keys: Keys,
    counts: G::Counts,
}

impl<G: LaneGame> Counting for Batches<G> {
    fn play(&mut self, trials: Range<u64>) {
        batch_on_lanes(self.set, &self.game, &self.lineup, &self.keys, trials, &mut self.counts);
    }

    fn tally(self: Box<Self>) -> Tally {
        let mut tally = Tally::new(&self.game);
        self.counts.enter(&self.game, &mut tally);
        tally
    }
}

impl<G: LaneGame> LanePlayer for Batches<G> {
    fn rows(&mut self, share: Share, block: &Range<u64>, answers: bool, rows: &mut Rows) {
        let Self { game, lineup, set, keys, counts } = self;
        rows_on_lanes(*set, game, lineup, keys, (share, block), answers, (counts, rows));
    }
}
