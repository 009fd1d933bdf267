//! Many trials at once, on all threads, with either runner.
//!
//! The source of trials and the progress callback are called through pointers, once in thousands of games, so that only
//! the loops that play are compiled for each game and policy. With a copy for every command the program took seven
//! minutes to compile.

use std::fmt::Debug;
use std::ops::{ControlFlow, Range};

use crate::arms::{AT_ONCE, Arm, Lineups, ROWS, Rows, TrialRows, is_solo, player};
use crate::game::{Game, LineupJob, Policy};
use crate::lanes::dispatch::{InstructionSet, MachineJob, on_machine};
use crate::lanes::simd::Machine;
use crate::lanes::{Counts, LaneGame, LanePolicy, Noting};
use crate::plan::{BATCH, LanePace, Pace, Queue, from_one_queue};
pub use crate::plan::{Batch, Plan, Watcher};
use crate::rotation::{Share, shares};
use crate::stream::{Keys, WordSource};
use crate::tally::{Recorder, Tally};
use crate::trial::trial;

/// The most trials handed to the lanes of a thread at a time, and the size of the first batch.
const LANE_BATCH: u64 = 1 << 16;
const FIRST_LANE_BATCH: u64 = 1 << 6;

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
            let mut report = Batch { trials: trials.end - trials.start, sum: 0, squares: 0 };
            for ((lineup, tally), share) in tallies.iter_mut().enumerate().zip(shares(lineups)) {
                let before = tally.first;
                arm.batch(lineup, &share.keys(&keys), share.of(&trials), tally);
                report.sum += tally.first.0 - before.0;
                report.squares += tally.first.1 - before.1;
            }
            queue.report(progress(report));
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
        let is_fast = arm.fast_player(&keys).is_some();
        let (least, most) = if is_fast { (AT_ONCE, ROWS) } else { (arm.at_once(), ROW_BATCH) };
        let mut pace = Pace::new(least, most);
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

/// [`run`] on lanes: the same tally, bit for bit.
///
/// # Panics
///
/// If the machine does not have the instruction set, or if the rules have an obstacle.
pub fn run_on_lanes<G: LaneGame, P: LanePolicy>(
    set: InstructionSet,
    game: &G,
    lineup: &[P],
    plan: &Plan,
    progress: impl Fn(Batch) -> ControlFlow<()> + Sync,
) -> Tally {
    assert!(game.obstacle().is_none(), "lanes cannot play these rules");
    let keys = Keys::new(plan.seed);
    let play = |queue: &Queue<'_>| {
        let mut counts = G::Counts::new(game);
        let mut reported = counts.progress();
        let pace = LanePace::new(FIRST_LANE_BATCH, LANE_BATCH);
        let mut next = |counts: &mut G::Counts| {
            let now = counts.progress();
            if now.0 > reported.0 {
                let (trials, sum, squares) = (now.0 - reported.0, now.1 - reported.1, now.2 - reported.2);
                reported = now;
                queue.report(progress(Batch { trials, sum, squares }));
            }
            queue.take_share(pace.size(now.0), FIRST_LANE_BATCH).unwrap_or(0..0)
        };
        on_machine(set, OnLanes { game, lineup, keys: &keys, next: &mut next, counts: &mut counts });
        let mut tally = Tally::new(game);
        counts.enter(game, &mut tally);
        let (trials, sum, squares) =
            (tally.trials - reported.0, tally.first.0 - reported.1, tally.first.1 - reported.2);
        queue.report(progress(Batch { trials, sum, squares }));
        vec![tally]
    };
    only(on_all_threads(game, 1, (plan, &progress), play))
}

/// [`run_in_turn`] on lanes: the same tallies, bit for bit.
///
/// All lanes of a thread play one line-up at a time. With *n* line-ups a batch is *n* times as long, and its trials are
/// traversed once for each line-up.
///
/// # Panics
///
/// If the machine does not have the instruction set, or if the rules have an obstacle.
pub fn run_in_turn_on_lanes<G: LaneGame, P: LanePolicy, L: AsRef<[P]> + Sync>(
    set: InstructionSet,
    game: &G,
    lineups: &[L],
    plan: &Plan,
    progress: impl Fn(Batch) -> ControlFlow<()> + Sync,
) -> Vec<Tally> {
    assert!(game.obstacle().is_none(), "lanes cannot play these rules");
    let keys = Keys::new(plan.seed);
    let play = |queue: &Queue<'_>| {
        let mut counts: Vec<_> = lineups.iter().map(|_| G::Counts::new(game)).collect();
        let mut reported = Batch { trials: 0, sum: 0, squares: 0 };
        let mut report = |counted: &mut dyn Iterator<Item = (u64, u64, u128)>| {
            let mut now = Batch { trials: 0, sum: 0, squares: 0 };
            for (trials, sum, squares) in counted {
                now.trials += trials;
                now.sum += sum;
                now.squares += squares;
            }
            let (trials, sum) = (now.trials - reported.trials, now.sum - reported.sum);
            let squares = now.squares - reported.squares;
            reported = now;
            queue.report(progress(Batch { trials, sum, squares }));
        };
        let of_all = |trials: u64| trials.saturating_mul(lineups.len() as u64);
        let mut pace = Pace::new(of_all(FIRST_LANE_BATCH), of_all(LANE_BATCH));
        while let Some(trials) = queue.next(&mut pace) {
            for ((lineup, counts), share) in lineups.iter().zip(&mut counts).zip(shares(lineups.len())) {
                let (keys, trials) = (share.keys(&keys), share.of(&trials));
                batch_on_lanes(set, game, lineup.as_ref(), &keys, trials, counts);
            }
            report(&mut counts.iter().map(Counts::progress));
        }
        let enter = |counts: G::Counts| {
            let mut tally = Tally::new(game);
            counts.enter(game, &mut tally);
            tally
        };
        let tallies: Vec<_> = counts.into_iter().map(enter).collect();
        // With the games that had waited to be counted.
        report(&mut tallies.iter().map(|tally| (tally.trials, tally.first.0, tally.first.1)));
        tallies
    };
    on_all_threads(game, lineups.len(), (plan, &progress), play)
}

/// Line-ups that play many trials side by side on a thread.
pub trait SideBySide: Debug + Send + Sync {
    /// The number of line-ups, which take turns.
    fn lineups(&self) -> usize;

    /// An empty tally.
    fn tally(&self) -> Tally;

    /// Plays the trials that `next` hands out, until it hands out none, into a tally, and what each was worth into `rows`,
    /// if there are any; `next` is shown the tally. `keys` are those of the line-up's share.
    fn feed(
        &self,
        set: InstructionSet,
        lineup: usize,
        keys: &Keys,
        next: &mut Feed<'_>,
        tally: &mut Tally,
        rows: Option<TrialRows<'_>>,
    );
}

/// Hands out the next trials to a thread that has played these.
pub type Feed<'f> = dyn FnMut(&Tally) -> Range<u64> + 'f;

/// [`play`] for line-ups that play side by side: the same tallies, bit for bit.
pub fn play_side_by_side(
    arm: &dyn SideBySide,
    set: InstructionSet,
    plan: &Plan,
    progress: &Watcher<'_>,
) -> Vec<Tally> {
    let (keys, lineups) = (Keys::new(plan.seed), arm.lineups());
    let since = |reported: &mut (u64, u64, u128), now: (u64, u64, u128)| {
        let batch =
            Batch { trials: now.0 - reported.0, sum: now.1 - reported.1, squares: now.2 - reported.2 };
        *reported = now;
        batch
    };
    let of = |tally: &Tally| (tally.trials, tally.first.0, tally.first.1);
    let one = |queue: &Queue<'_>| {
        let (mut tally, mut reported) = (arm.tally(), (0, 0, 0));
        let pace = LanePace::new(FIRST_LANE_BATCH, LANE_BATCH);
        let mut next = |tally: &Tally| {
            if tally.trials > reported.0 {
                queue.report(progress(since(&mut reported, of(tally))));
            }
            queue.take_share(pace.size(tally.trials), FIRST_LANE_BATCH).unwrap_or(0..0)
        };
        arm.feed(set, 0, &keys, &mut next, &mut tally, None);
        queue.report(progress(since(&mut reported, of(&tally))));
        vec![tally]
    };
    let several = |queue: &Queue<'_>| {
        let mut tallies = vec![arm.tally(); lineups];
        let of_all = |trials: u64| trials.saturating_mul(lineups as u64);
        let mut pace = Pace::new(of_all(FIRST_LANE_BATCH), of_all(LANE_BATCH));
        while let Some(trials) = queue.next(&mut pace) {
            let mut report = Batch { trials: trials.end - trials.start, sum: 0, squares: 0 };
            for ((lineup, tally), share) in tallies.iter_mut().enumerate().zip(shares(lineups)) {
                let mut reported = of(tally);
                let mut left = Some(share.of(&trials));
                let mut next = |_: &Tally| left.take().unwrap_or(0..0);
                arm.feed(set, lineup, &share.keys(&keys), &mut next, tally, None);
                let batch = since(&mut reported, of(tally));
                report.sum += batch.sum;
                report.squares += batch.squares;
            }
            queue.report(progress(report));
        }
        tallies
    };
    let threads = if lineups == 1 {
        from_one_queue(plan, progress, one)
    } else {
        from_one_queue(plan, progress, several)
    };
    merged(&arm.tally(), lineups, threads)
}

/// The lanes' part of a run on one thread.
struct OnLanes<'r, G: LaneGame, P> {
    game: &'r G,
    lineup: &'r [P],
    keys: &'r Keys,
    /// Called once in many thousand games. A pointer, so that it is compiled once and not for every kind of run.
    next: &'r mut dyn FnMut(&mut G::Counts) -> Range<u64>,
    counts: &'r mut G::Counts,
}

impl<G: LaneGame, P: LanePolicy> MachineJob for OnLanes<'_, G, P> {
    type Output = ();

    fn run<M: Machine>(self, machine: M) {
        self.game.play(machine, self.lineup, self.keys, self.next, self.counts);
    }
}

/// Plays trials on the lanes of this thread.
pub fn batch_on_lanes<G: LaneGame, P: LanePolicy>(
    set: InstructionSet,
    game: &G,
    lineup: &[P],
    keys: &Keys,
    trials: Range<u64>,
    counts: &mut G::Counts,
) {
    let mut left = Some(trials);
    let mut next = |_: &mut G::Counts| left.take().unwrap_or(0..0);
    on_machine(set, OnLanes { game, lineup, keys, next: &mut next, counts });
}

/// Plays the trials of a block that belong to a line-up's share on the lanes of this thread, with the keys of the share, and
/// puts what each was worth into its place among the rows of the block, which has at most 65,536 trials. `answers` says
/// whether their answers are noted.
pub fn rows_on_lanes<G: LaneGame, P: LanePolicy>(
    set: InstructionSet,
    game: &G,
    lineup: &[P],
    keys: &Keys,
    (share, block): (Share, &Range<u64>),
    answers: bool,
    (counts, rows): (&mut G::Counts, &mut Rows),
) {
    let trials = share.of(block);
    *counts.noting() = Some(Box::new(Noting::new(std::mem::take(rows), (share, block), answers)));
    batch_on_lanes(set, game, lineup, keys, trials, counts);
    counts.settle();
    if let Some(noting) = counts.noting().take() {
        *rows = noting.rows;
    }
}

/// The merged results of all threads that played from one queue: one tally per line-up.
fn on_all_threads<G: Game>(
    game: &G,
    lineups: usize,
    (plan, progress): (&Plan, &Watcher<'_>),
    play: impl Fn(&Queue<'_>) -> Vec<Tally> + Sync,
) -> Vec<Tally> {
    merged(&Tally::new(game), lineups, from_one_queue(plan, progress, play))
}

/// Merges the tallies of all threads into one per line-up.
fn merged(empty: &Tally, lineups: usize, threads: Vec<Vec<Tally>>) -> Vec<Tally> {
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
            self.play::<false, _, _>(lineup, |number| keys.streams(number, game.seats()));
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
