//! Many trials side by side on a thread: what plays so, and many of its threads at once.

use std::fmt::Debug;
use std::ops::Range;

use crate::arms::TrialRows;
use crate::instruction_set::InstructionSet;
use crate::plan::{Batch, LanePace, Pace, Plan, Queue, Watcher, from_one_queue};
use crate::rotation::shares;
use crate::run::merged;
use crate::stream::Keys;
use crate::tally::Tally;

/// The most trials handed to the lanes of a thread at a time, and the size of the first batch.
const LANE_BATCH: u64 = 1 << 16;
const FIRST_LANE_BATCH: u64 = 1 << 6;

/// Line-ups that play many trials side by side on a thread.
pub trait SideBySide: Debug + Send + Sync {
    /// The number of line-ups, which take turns.
    fn lineups(&self) -> usize;

    /// An empty tally.
    fn tally(&self) -> Tally;

    /// How many play on a thread, in turn: one for each line-up, or one for all of them.
    fn players(&self) -> usize {
        self.lineups()
    }

    /// How many games a player plays at a time: fewer take as long.
    fn at_once(&self) -> u64;

    /// A player, given its index, on one thread; `keys` are those of its share.
    fn player<'a>(&'a self, set: InstructionSet, number: usize, keys: &Keys) -> Box<dyn LanePlayer + 'a>;
}

/// What plays a line-up on a thread, or all of them, and what it has played.
pub trait LanePlayer {
    /// Plays the trials that `next` hands out, until it hands out none, and puts what each was worth into `rows`, if there
    /// are any.
    ///
    /// # Panics
    ///
    /// If the machine does not have the instruction set.
    fn feed(&mut self, next: &mut Feed<'_>, rows: Option<TrialRows<'_>>);

    /// What was counted so far; some games may wait to be counted.
    fn counted(&self) -> Batch;

    /// All games played so far: a tally for each of its line-ups.
    fn tallies(self: Box<Self>) -> Vec<Tally>;
}

/// Hands out the next trials to a thread that has counted so much.
pub type Feed<'f> = dyn FnMut(Batch) -> Range<u64> + 'f;

impl dyn LanePlayer + '_ {
    /// Plays trials, and puts what each was worth into `rows`, if there are any.
    ///
    /// # Panics
    ///
    /// If the machine does not have the instruction set.
    pub fn play(&mut self, trials: Range<u64>, rows: Option<TrialRows<'_>>) {
        let mut left = Some(trials);
        self.feed(&mut |_| left.take().unwrap_or(0..0), rows);
    }
}

/// Plays the trials of a plan as [`play`](crate::run::play) does: the same tallies, bit for bit.
///
/// Where each line-up has a player, they play one after the other: with *n* of them a batch is *n* times as long, and its
/// trials are traversed once for each.
///
/// # Panics
///
/// If the machine does not have the instruction set.
pub fn play_side_by_side(
    arm: &dyn SideBySide,
    set: InstructionSet,
    plan: &Plan,
    progress: &Watcher<'_>,
) -> Vec<Tally> {
    let (keys, players) = (Keys::new(plan.seed), arm.players());
    let on_thread = |queue: &Queue<'_>| {
        let mut reported = Batch::NONE;
        let mut report = |now: Batch| {
            queue.report(progress(now.since(reported)));
            reported = now;
        };
        let shares = shares(players).enumerate();
        let of_all = |trials: u64| trials.saturating_mul(players as u64);
        let mut players: Vec<_> =
            shares.map(|(at, share)| (share, arm.player(set, at, &share.keys(&keys)))).collect();
        if let [(_, player)] = &mut players[..] {
            let pace = LanePace::new(FIRST_LANE_BATCH, LANE_BATCH);
            let mut seen = 0;
            let mut next = |counted: Batch| {
                if counted.trials > seen {
                    seen = counted.trials;
                    report(counted);
                }
                queue.take_part(pace.size(counted.trials), FIRST_LANE_BATCH, 2).unwrap_or(0..0)
            };
            player.feed(&mut next, None);
        } else {
            // A batch is played to its end, so that small ones are played by lanes most of which are empty.
            let mut pace = Pace::new(of_all(arm.at_once()), of_all(LANE_BATCH));
            while let Some(trials) = queue.take_part(pace.next(), of_all(FIRST_LANE_BATCH), 1) {
                players.iter_mut().for_each(|(share, player)| player.play(share.of(&trials), None));
                report(players.iter().map(|(_, player)| player.counted()).sum());
            }
        }
        let tallies: Vec<Tally> = players.into_iter().flat_map(|(_, player)| player.tallies()).collect();
        // With the games that had waited to be counted.
        report(tallies.iter().map(Tally::counted).sum());
        tallies
    };
    merged(&arm.tally(), arm.lineups(), from_one_queue(plan, progress, on_thread))
}
