//! Threads, plans and callbacks do not change results on lanes either.

use std::ops::{ControlFlow, Range};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::ThreadPoolBuilder;
use stopwise_engine::games::Rules;
use stopwise_engine::games::carbonite::Carbonite;
use stopwise_engine::games::freeze::{Bank, Freeze};
use stopwise_engine::games::icedice::IceDice;
use stopwise_engine::games::pig::Pig;
use stopwise_engine::lanes::dispatch::InstructionSet;
use stopwise_engine::rotation::rotations;
use stopwise_engine::run::{Batch, Plan, play};
use stopwise_engine::side_by_side::play_side_by_side;
use stopwise_engine::tally::Tally;

use super::compare::{Lineup, equal, object, on, policy, sets};

const SEED: u64 = 11;
/// A few batches of lanes, the last one not full.
const TRIALS: Range<u64> = 100..140_100;

/// Plays on this many threads.
fn pooled<R: Send>(threads: usize, play: impl FnOnce() -> R + Send) -> R {
    ThreadPoolBuilder::new().num_threads(threads).build().expect("threads").install(play)
}

fn one_by_one(lineup: &Lineup, trials: Range<u64>) -> Tally {
    pooled(1, || lineup.one_by_one(&Plan { seed: SEED, trials }))
}

fn on_lanes(
    lineup: &Lineup,
    (set, threads): (InstructionSet, usize),
    trials: Range<u64>,
    progress: impl Fn(Batch) -> ControlFlow<()> + Send + Sync,
) -> Tally {
    let plan = Plan { seed: SEED, trials };
    pooled(threads, || lineup.on_lanes(set, &plan, &progress))
}

fn assert_same(lineup: &Lineup, expected: &Tally, found: &Tally, (set, threads): (InstructionSet, usize)) {
    let at = format!("{} on {threads} threads", set.name());
    equal(&*lineup.rules, expected, found, &at).unwrap_or_else(|error| panic!("{error}"));
}

fn check<G: Rules>(game: &G, answers: &str) {
    let lineup = Lineup::of(game, answers).unwrap_or_else(|message| panic!("{message}"));
    let serial = one_by_one(&lineup, TRIALS);
    for set in sets() {
        for threads in [1, 3] {
            parallel(&lineup, (set, threads), &serial);
            stopped(&lineup, (set, threads), 1);
        }
        stopped(&lineup, (set, 1), 2);
        edges(&lineup, set);
    }
}

/// Threads change nothing, and the call-back hears of everything.
fn parallel(lineup: &Lineup, on: (InstructionSet, usize), serial: &Tally) {
    let heard = Mutex::new((0, 0, 0));
    let tally = on_lanes(lineup, on, TRIALS, |batch| {
        let mut heard = heard.lock().expect("no panic");
        *heard = (heard.0 + batch.trials, heard.1 + batch.sum, heard.2 + batch.squares);
        ControlFlow::Continue(())
    });
    assert_same(lineup, serial, &tally, on);
    assert_eq!(heard.into_inner().expect("no panic"), (tally.trials, tally.first.0, tally.first.1));
}

/// A run that is stopped, after the first batch or a later one, has played the first trials of its plan, and no others.
fn stopped(lineup: &Lineup, on: (InstructionSet, usize), after: u64) {
    let calls = AtomicU64::new(0);
    let tally = on_lanes(lineup, on, TRIALS, |batch| {
        if batch.trials > 0 && calls.fetch_add(1, Ordering::Relaxed) + 1 >= after {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    assert!(tally.trials > 0);
    // A thread may have begun another batch before it could know.
    assert!(on.1 > 1 || tally.trials < TRIALS.end - TRIALS.start, "it stops");
    let expected = one_by_one(lineup, TRIALS.start..TRIALS.start + tally.trials);
    assert_same(lineup, &expected, &tally, on);
}

/// Plans without trials, plans with fewer trials than lanes and a few more, plans whose last batch is a single trial,
/// and plans at the end of the numbers.
fn edges(lineup: &Lineup, set: InstructionSet) {
    let mut plans =
        vec![7..7 + 65_537, u64::MAX - 200..u64::MAX, u64::MAX - 10..u64::MAX, u64::MAX - 1..u64::MAX];
    plans.extend([0, 1, 2, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129].map(|count| 5..5 + count));
    plans.push(Range { start: 9, end: 5 });
    for trials in plans {
        let tally = on_lanes(lineup, (set, 2), trials.clone(), on);
        let expected = one_by_one(lineup, trials.clone());
        assert_eq!(expected.trials, trials.end.saturating_sub(trials.start));
        assert_same(lineup, &expected, &tally, (set, 2));
    }
}

#[test]
fn of_carbonite() {
    check(
        &Carbonite::WIKI,
        "stop = 'counter >= 2 || pairs_if_stopped > pairs'\n\
        take = ['from_bank', 'live', 'completes_pair']\n\
        mark = ['not last_in_bank', 'not live']",
    );
}

#[test]
fn of_pig() {
    let answers = "stop = 'turn_total >= 8 - min(scoring_turns, 3) || turn_total >= goal_left'";
    check(&Pig { players: 1, goal: 30, turn_cap: 40, ..Pig::STANDARD }, answers);
    check(&Pig { players: 3, goal: 15, turn_cap: 100, ..Pig::STANDARD }, answers);
}

#[test]
fn of_icedice() {
    let answers = "stop = 'counter >= 2 || trios_if_stopped >= goal'\n\
        take = ['completes_trio', 'steal', 'advances']\n\
        victim = ['breaks_trio', 'leader']";
    check(&IceDice { trios: 1, turn_cap: 40, ..IceDice::TWO }, answers);
}

#[test]
fn of_freeze() {
    let game = Freeze { players: 2, steps: 6, bank: Bank::InAll(3), ..Freeze::TABLE };
    check(&game, "freeze = 'lead < 0 || step > 4'");
}

/// Line-ups that take turns: the same tallies, whole and cut short, and the call-back hears of everything.
#[test]
fn rotated() {
    let game = Pig { players: 3, goal: 15, turn_cap: 100, ..Pig::STANDARD };
    let rules = object(&game);
    let of =
        |points: u64| policy(&*rules, &format!("stop = 'turn_total >= {points} || turn_total >= goal_left'"));
    let lineups = rotations(&[3, 5, 8].map(of));
    let lineup = Lineup::new(&rules, &lineups).expect("lanes can play it");
    for trials in [TRIALS, 4..4 + 2 * 3 * 65_536, 7..8, 5..5, u64::MAX - 100..u64::MAX] {
        let plan = Plan { seed: SEED, trials };
        let expected = play(&*lineup.arm, &plan, &on);
        for set in sets() {
            for threads in 1..=2 {
                for limit in [u64::MAX, 1] {
                    let (calls, heard) = (AtomicU64::new(0), AtomicU64::new(0));
                    let progress = |batch: Batch| {
                        heard.fetch_add(batch.trials, Ordering::Relaxed);
                        let is_enough =
                            batch.trials > 0 && calls.fetch_add(1, Ordering::Relaxed) + 1 >= limit;
                        if is_enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
                    };
                    let on_lanes = || play_side_by_side(lineup.lanes(), set, &plan, &progress);
                    let found = pooled(threads, on_lanes);
                    let count: u64 = found.iter().map(|tally| tally.trials).sum();
                    assert_eq!(heard.into_inner(), count);
                    if limit == u64::MAX {
                        assert!(found == expected, "{} on {threads} threads over {plan:?}", set.name());
                    } else {
                        let trials = plan.trials.start..plan.trials.start + count;
                        let first = play(&*lineup.arm, &Plan { seed: SEED, trials }, &on);
                        assert!(found == first, "{} stopped on {threads} threads over {plan:?}", set.name());
                    }
                }
            }
        }
    }
}
