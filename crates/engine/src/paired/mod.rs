//! Pairs of arms on the same trials, compared trial by trial.
//!
//! A [`PairedTally`] holds the results of each [`Arm`] and, for every pair, exact integers about the differences. The
//! analysis interprets them. The comparison is between the arms' **first policies**: their metrics, and how the games
//! end.
//!
//! A block of trials is played with each line-up in turn, so that each keeps its fastest loop; then all pairs are
//! counted. Two trials are the same game if and only if all answers in them are equal, because rules are pure and dice
//! are keyed. So identical trials are found without hashing states, and the first unequal answer is where two trials
//! diverge. Numbers stand for the answers ([`Rows::answers`](crate::arms::Rows::answers)).

mod divergence;
mod games;
mod rows;
mod shared;
mod side;
mod tally;

pub use divergence::{Answered, Divergence, divergence};
pub use games::{GameSums, Number};
pub use tally::{ArmTally, Differences, PairTally, PairedTally};

use crate::arms::{Arm, Player, ROWS, one_by_one, player};
use crate::plan::{Batch, Pace, Plan, Queue, Watcher, from_one_queue};
use crate::stream::Keys;
use games::{GameColumns, count_games};
use rows::Cells;
use shared::play_shared;
use side::Side;

/// The number of pairs from which threads play and count the same trials together, rather than each its own: a tally
/// of many pairs takes long to fill, to merge and to free.
const MANY: usize = 1 << 16;

/// All pairs of this number of arms: the first arm with each later one, then the second, …
pub fn all_pairs(arms: usize) -> Vec<(usize, usize)> {
    (0..arms).flat_map(|a| (a + 1..arms).map(move |b| (a, b))).collect()
}

/// Plays the trials of a plan with every arm, on the threads of the current rayon pool, and compares pairs of them,
/// each (A, B) given by the indices of its arms.
///
/// The result is a function of the arms, the pairs and the plan. `progress` is called as by [`play`](crate::run::play),
/// with the sums of the first arm, and stops the run in the same way: the result then covers exactly the first trials
/// of the plan. For every pair the numbers of the first `divergences` trials in which the two diverge are kept.
///
/// Memory is one tally for each arm, pair and thread, whatever the number of trials; of many pairs, which all threads
/// count together, one for each arm and pair.
pub fn run_paired(
    arms: &[&dyn Arm],
    pairs: &[(usize, usize)],
    plan: &Plan,
    divergences: usize,
    progress: &Watcher<'_>,
) -> PairedTally {
    add_paired(arms, PairedTally::new(arms, pairs, divergences), plan, progress)
}

/// [`run_paired`] that adds to a tally of earlier trials of the same arms, which it returns.
pub fn add_paired(
    arms: &[&dyn Arm],
    mut total: PairedTally,
    plan: &Plan,
    progress: &Watcher<'_>,
) -> PairedTally {
    let keys = Keys::new(plan.seed);
    let are_many = total.pairs.len() >= MANY;
    // Answers have numbers that only players of one kind share.
    let are_fast = !are_many && arms.iter().all(|arm| arm.fast_player(&keys).is_some());
    let plan = match are_fast {
        true => plan.clone(),
        false => play_shared(arms, &keys, (plan, are_many), &mut total, progress),
    };
    if plan.trials.is_empty() {
        return total;
    }
    let threads = from_one_queue(&plan, progress, |queue| {
        let players =
            arms.iter().map(|arm| if are_fast { player(*arm, &keys) } else { one_by_one(*arm, &keys) });
        let mut tally = total.empty_one(arms);
        play_alone(arms, players.collect(), queue, &mut tally, progress);
        tally
    });
    threads.iter().for_each(|tally| total.merge(tally));
    total
}

/// Plays the trials of a queue with every arm on this thread.
fn play_alone(
    arms: &[&dyn Arm],
    mut players: Vec<Box<dyn Player + '_>>,
    queue: &Queue<'_>,
    tally: &mut PairedTally,
    progress: &Watcher<'_>,
) {
    let mut sides: Vec<_> = arms.iter().map(|arm| Side::of(*arm)).collect();
    let (mut cells, mut columns) = (Cells::new(), GameColumns::default());
    let has_pairs = !tally.pairs.is_empty();
    // The rows of all arms stay in the cache, or at least in memory.
    let least = players.iter().map(|player| player.at_once()).max().unwrap_or(1).min(ROWS);
    let most = (ROWS * 16 / arms.len().max(1) as u64).clamp(least, ROWS);
    let mut pace = Pace::new(least, most);
    while let Some(block) = queue.next(&mut pace) {
        for (player, side) in players.iter_mut().zip(&mut sides) {
            player.play(&block, has_pairs, &mut side.rows);
        }
        for pair in &mut tally.pairs {
            pair.compare(&block, &sides[pair.a], &sides[pair.b], &mut cells);
        }
        count_games(&mut tally.games, &sides, &mut columns);
        queue.report(progress(report(&sides)));
    }
    for (arm, player) in tally.arms.iter_mut().zip(players) {
        arm.add(&player.tallies());
    }
}

/// What is reported of a block.
fn report(sides: &[Side]) -> Batch {
    sides.first().map_or(Batch::NONE, |side| side.rows.report())
}
