//! A run is a function of game, line-up and plan: threads, batches and their order do not affect the tally.

use std::ops::{ControlFlow, Range};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use stopwise_engine::game::{Event, Metric, Source};
use stopwise_engine::run::{Batch, Plan, batch, run, run_in_turn};
use stopwise_engine::stream::Keys;
use stopwise_engine::tally::Tally;
use stopwise_engine::vocabulary::Vocabulary;

use super::on_pool;
use crate::common::Whim;

const SEED: u64 = 11;
/// Two batches and a part of a third. A fault in how batches are handed out, counted or merged shows at their limits,
/// of which these are all kinds: between full ones, before one that is not full, and at the end. Nothing here is a
/// matter of chance, so that more trials would find no more.
const TRIALS: Range<u64> = 100..8_500;
/// As many threads: one alone, and as many as there are batches.
const THREADS: [usize; 2] = [1, 3];

fn one_by_one<G: Vocabulary>(game: &G, trials: Range<u64>) -> Tally {
    let mut tally = Tally::new(game);
    batch(game, &[Whim(6)], &Keys::new(SEED), trials, &mut tally);
    tally
}

fn on_threads<G: Vocabulary>(
    game: &G,
    threads: usize,
    trials: Range<u64>,
    progress: impl Fn(Batch) -> ControlFlow<()> + Send + Sync,
) -> Tally {
    let plan = Plan { seed: SEED, trials };
    on_pool(threads, &|| run(game, &[Whim(6)], &plan, &progress))
}

pub(super) fn check<G: Vocabulary>(game: &G) {
    let serial = one_by_one(game, TRIALS);
    totals(game, &serial, TRIALS.end - TRIALS.start);
    for threads in THREADS {
        parallel(game, threads, &serial);
        stopped(game, threads);
    }
    merged(game, &serial);
    edges(game);
    one_winner(game);
    in_turn(game, &serial);
}

/// Every trial is in every column once.
fn totals<G: Vocabulary>(game: &G, tally: &Tally, trials: u64) {
    assert_eq!(tally.trials, trials);
    assert_eq!(tally.endings.iter().sum::<u64>(), trials);
    assert_eq!(tally.endings.len(), game.endings().len());
    assert_eq!(tally.seats.len(), game.seats());
    for seat in &tally.seats {
        assert_eq!(seat.metrics.len(), game.metrics().len());
        for (metric, histogram) in game.metrics().iter().zip(&seat.metrics) {
            assert_eq!(histogram.total(), trials, "{}", metric.name);
            if metric.source == Source::Count(Event::BUST) {
                assert_eq!(histogram.sums().0, u128::from(seat.busts.total()), "busts by turn are all busts");
            }
        }
        assert_eq!(seat.busts.count(0), 0, "turns count from 1");
    }
    let (sum, squares) = tally.seats[0].metrics[0].sums();
    assert_eq!((u128::from(tally.first.0), tally.first.1), (sum, squares), "the running sums");
    lengths(game, tally, trials);
}

/// Where several play, the turns of all of them are counted together as well.
fn lengths<G: Vocabulary>(game: &G, tally: &Tally, trials: u64) {
    assert_eq!(tally.lengths.total(), if game.seats() > 1 { trials } else { 0 });
    let turns = game.metrics().iter().position(|metric| metric.source == Source::Count(Event::TURN));
    if let Some(turns) = turns.filter(|_| game.seats() > 1) {
        let sum: u128 = tally.seats.iter().map(|seat| seat.metrics[turns].sums().0).sum();
        assert_eq!(tally.lengths.sums().0, sum);
    }
}

/// At most one seat wins a game: intervals of win shares rest on that.
fn one_winner<G: Vocabulary>(game: &G) {
    let Some(win) = game.metrics().iter().position(Metric::is_win) else { return };
    for trial in 0..500 {
        let tally = one_by_one(game, trial..trial + 1);
        let wins: u128 = tally.seats.iter().map(|seat| seat.metrics[win].sums().0).sum();
        assert!(wins <= 1, "{wins} winners of trial {trial}");
    }
}

/// Line-ups that take turns: every trial is played by the one that its number names, on any number of threads, and
/// what a stopped run returns is the tallies of its first trials.
fn in_turn<G: Vocabulary>(game: &G, serial: &Tally) {
    let lineups = [[Whim(6)], [Whim(7)], [Whim(8)]];
    let alone = |trials: Range<u64>| {
        let mut tallies = vec![Tally::new(game); lineups.len()];
        for trial in trials {
            let turn = (trial % 3) as usize;
            batch(game, &lineups[turn], &Keys::new(SEED), trial..trial + 1, &mut tallies[turn]);
        }
        tallies
    };
    let play = |threads, trials, limit| {
        let batches = AtomicU64::new(0);
        let progress = |batch: Batch| match batches.fetch_add(u64::from(batch.trials > 0), Ordering::Relaxed)
        {
            before if before + 1 == limit && batch.trials > 0 => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        };
        let plan = Plan { seed: SEED, trials };
        on_pool(threads, &|| run_in_turn(game, &lineups, &plan, progress))
    };
    for trials in [TRIALS, 5..5, 5..6, 1..3, 2..4, 7..7 + 4097, u64::MAX - 10..u64::MAX] {
        assert_eq!(play(2, trials.clone(), 0), alone(trials));
    }
    for threads in 1..=2 {
        let stopped = play(threads, TRIALS, 1);
        let trials: u64 = stopped.iter().map(|tally| tally.trials).sum();
        assert!(trials > 0 && (threads > 1 || trials < TRIALS.end - TRIALS.start));
        assert_eq!(stopped, alone(TRIALS.start..TRIALS.start + trials));
    }
    let one =
        run_in_turn(game, &[[Whim(6)]], &Plan { seed: SEED, trials: TRIALS }, |_| ControlFlow::Continue(()));
    assert_eq!(one, std::slice::from_ref(serial));
}

/// Threads change nothing, and the call-back hears of everything.
fn parallel<G: Vocabulary>(game: &G, threads: usize, serial: &Tally) {
    let heard = Mutex::new((0, 0, 0));
    let tally = on_threads(game, threads, TRIALS, |batch| {
        let mut heard = heard.lock().expect("no panic");
        *heard = (heard.0 + batch.trials, heard.1 + batch.sum, heard.2 + batch.squares);
        ControlFlow::Continue(())
    });
    assert_eq!(&tally, serial, "on {threads} threads");
    assert_eq!(heard.into_inner().expect("no panic"), (tally.trials, tally.first.0, tally.first.1));
}

/// A run that is stopped has played the first trials of its plan, and no others; none if it is stopped before it begins.
fn stopped<G: Vocabulary>(game: &G, threads: usize) {
    assert_eq!(on_threads(game, threads, TRIALS, |_| ControlFlow::Break(())), Tally::new(game));
    let batches = AtomicU64::new(0);
    let tally = on_threads(game, threads, TRIALS, |_| {
        if batches.fetch_add(1, Ordering::Relaxed) == 1 {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    assert!(tally.trials > 0);
    // A thread may have begun another batch before it could know.
    assert!(threads > 1 || tally.trials < TRIALS.end - TRIALS.start, "it stops");
    assert_eq!(tally, one_by_one(game, TRIALS.start..TRIALS.start + tally.trials), "on {threads} threads");
}

/// Tallies of parts add up to that of the whole, in any order and grouping.
fn merged<G: Vocabulary>(game: &G, whole: &Tally) {
    let sum = |a: &Tally, b: &Tally| {
        let mut sum = a.clone();
        sum.merge(b);
        sum
    };
    let (first, second) = (TRIALS.start + 1, TRIALS.start + 5000);
    let a = one_by_one(game, TRIALS.start..first);
    let b = on_threads(game, 2, first..second, |_| ControlFlow::Continue(()));
    let c = one_by_one(game, second..TRIALS.end);
    assert_eq!(&sum(&sum(&a, &b), &c), whole);
    assert_eq!(&sum(&a, &sum(&b, &c)), whole, "associative");
    assert_eq!(&sum(&sum(&c, &b), &a), whole, "commutative");
    assert_eq!(&sum(whole, &Tally::new(game)), whole, "nothing added");
    assert_eq!(&sum(&Tally::new(game), whole), whole, "added to nothing");
}

/// Plans without trials, plans whose last batch is a single trial, and plans at the end of the numbers.
fn edges<G: Vocabulary>(game: &G) {
    let all = |_| ControlFlow::Continue(());
    assert_eq!(on_threads(game, 2, 5..5, all), Tally::new(game));
    for trials in [5..6, 7..7 + 4097, u64::MAX - 10..u64::MAX] {
        assert_eq!(on_threads(game, 2, trials.clone(), all), one_by_one(game, trials));
    }
}
