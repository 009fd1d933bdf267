//! Many trials at once, on all threads, with the reference runner.
//!
//! The source of trials and the progress callback are called through pointers, once in thousands of games, so that only
//! the loops that play are compiled for each game and policy. With a copy for every command the program took seven
//! minutes to compile.

use std::ops::{ControlFlow, Range};

use crate::arms::{Arm, Lineups, ROWS, Rows, is_solo, player};
use crate::game::{Game, LineupJob, Policy, is_by_chance};
use crate::plan::{BATCH, Pace, Queue, from_one_queue};
pub use crate::plan::{Batch, Plan, Watcher};
use crate::rotation::shares;
use crate::stream::{Keys, WordSource};
use crate::tally::{Recorder, Tally};
use crate::trial::trial;

/// An arm that plays its trials into tallies with the fastest form of the reference runner.
pub trait TallyArm: Arm {
    /// Plays trials of one line-up, given its index, on this thread. `keys` are those of the line-up's share.
    fn batch(&self, lineup: usize, keys: &Keys, trials: Range<u64>, tally: &mut Tally);
}

/// Plays the trials of a plan on the threads of the current rayon pool. Returns a tally for each of the arm's line-ups,
/// which take turns (see [`Lineups`]). Together the tallies hold the first trials of the plan.
///
/// The result is a function of the arm and the plan. `progress` is called after every batch, on the thread that played it,
/// and, unless the plan begins with trial 0, before the first one, with an empty batch; once it returns
/// [`ControlFlow::Break`] no further batch is begun. Batches are handed out in order and every batch that was begun is
/// finished, so a stopped run returns the tally of exactly the first trials of the plan.
///
/// Memory is one tally for each line-up and thread, whatever the number of trials.
pub fn play(arm: &dyn TallyArm, plan: &Plan, progress: &Watcher<'_>) -> Vec<Tally> {
    let (keys, lineups) = (Keys::new(plan.seed), arm.lineups());
    let on_thread = |queue: &Queue<'_>| {
        let mut tallies = vec![arm.tally(); lineups];
        let mut pace = Pace::new(arm.at_once(), BATCH);
        while let Some(trials) = queue.next(&mut pace) {
            let counted = |tallies: &[Tally]| tallies.iter().map(Tally::counted).sum::<Batch>();
            let before = counted(&tallies);
            for ((lineup, tally), share) in tallies.iter_mut().enumerate().zip(shares(lineups)) {
                arm.batch(lineup, &share.keys(&keys), share.of(&trials), tally);
            }
            queue.report(progress(counted(&tallies).since(before)));
        }
        tallies
    };
    merged(&arm.tally(), lineups, from_one_queue(plan, progress, on_thread))
}

/// The most trials whose rows are handed on at a time, unless many games are played at a time.
const ROW_BATCH: u64 = 1 << 10;

/// [`play`], with what every trial was worth: `take` is given the number of the first trial of a block and the rows of the
/// block, by the thread that has played it. Blocks come in any order; together they are the first trials of the plan.
pub fn play_rows(
    arm: &dyn Arm,
    plan: &Plan,
    progress: &Watcher<'_>,
    take: &(dyn Fn(u64, &Rows) + Sync),
) -> Vec<Tally> {
    let keys = Keys::new(plan.seed);
    let on_thread = |queue: &Queue<'_>| {
        let mut player = player(arm, &keys);
        let mut rows = Rows::of(arm);
        let most = if arm.fast_player(&keys).is_some() { ROWS } else { ROW_BATCH };
        let mut pace = Pace::new(player.at_once(), most);
        while let Some(block) = queue.next(&mut pace) {
            player.play(&block, false, &mut rows);
            take(block.start, &rows);
            queue.report(progress(rows.report()));
        }
        player.tallies()
    };
    merged(&arm.tally(), arm.lineups(), from_one_queue(plan, progress, on_thread))
}

/// [`play`] with one line-up: a policy for every seat, or one for all of them.
pub fn run<G: Game, P: Policy<G>>(
    game: &G,
    lineup: &[P],
    plan: &Plan,
    progress: impl Fn(Batch) -> ControlFlow<()> + Sync,
) -> Tally {
    only(run_in_turn(game, &[lineup], plan, progress))
}

/// [`play`] with line-ups that take turns, such as those of [`rotations`](crate::rotation::rotations).
pub fn run_in_turn<G: Game, P: Policy<G>, L: AsRef<[P]>>(
    game: &G,
    lineups: &[L],
    plan: &Plan,
    progress: impl Fn(Batch) -> ControlFlow<()> + Sync,
) -> Vec<Tally> {
    play(&Lineups::of(game, lineups), plan, &progress)
}

/// Merges the tallies of all threads into one per line-up.
pub(crate) fn merged(empty: &Tally, lineups: usize, threads: Vec<Vec<Tally>>) -> Vec<Tally> {
    let mut totals = vec![empty.clone(); lineups];
    for tallies in threads {
        for (total, tally) in totals.iter_mut().zip(&tallies) {
            total.merge(tally);
        }
    }
    totals
}

/// The tally of the only line-up.
fn only(mut tallies: Vec<Tally>) -> Tally {
    tallies.pop().expect("a tally a line-up")
}

/// Plays trials one after the other on this thread.
pub fn batch<G: Game, P: Policy<G>>(
    game: &G,
    lineup: &[P],
    keys: &Keys,
    trials: Range<u64>,
    tally: &mut Tally,
) {
    let lineup: Vec<&P> = lineup.iter().collect();
    P::with_quickest(&lineup, OneByOne { game, keys, trials, tally });
}

impl<G: Game, P: Policy<G>> TallyArm for Lineups<G, P> {
    fn batch(&self, lineup: usize, keys: &Keys, trials: Range<u64>, tally: &mut Tally) {
        batch(&self.game, &self.lineups[lineup], keys, trials, tally);
    }
}

/// The job that [`batch`] runs with the line-up.
struct OneByOne<'b, G> {
    game: &'b G,
    keys: &'b Keys,
    trials: Range<u64>,
    tally: &'b mut Tally,
}

impl<G: Game> LineupJob<G> for OneByOne<'_, G> {
    type Output = ();

    fn run<P: Policy<G>>(self, lineup: &[P]) {
        let (game, keys) = (self.game, self.keys);
        if is_solo(game) {
            self.play::<true, _, _>(lineup, |number| keys.stream(number, 0));
        } else {
            let by_chance = is_by_chance::<G, P>(lineup);
            self.play::<false, _, _>(lineup, |number| keys.streams_with(number, game.seats(), by_chance));
        }
    }
}

impl<G: Game> OneByOne<'_, G> {
    /// Never inlined: two such loops in one function compete for its registers, which cost Pig a third.
    ///
    /// `SOLO` says at compile time that there is one seat with one policy, so that no decision checks their number
    /// (solo Pig: 2,160 instructions a game instead of 2,430).
    #[inline(never)]
    fn play<const SOLO: bool, P: Policy<G>, W: WordSource>(self, lineup: &[P], words: impl Fn(u64) -> W) {
        let game = self.game;
        let lineup = if SOLO { &lineup[..1] } else { lineup };
        let mut recorder = Recorder::new(self.tally);
        for number in self.trials {
            let end = trial(game, lineup, &mut words(number), &mut recorder);
            recorder.finish(game, end);
        }
    }
}
