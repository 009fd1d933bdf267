//! A paired run counts the same as playing the arms one by one, trial by trial, on any number of threads.

use std::collections::BTreeMap;
use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicUsize, Ordering};

use stopwise_engine::arms::{Arm, Lineups, Products, run_arms};
use stopwise_engine::game::{Action, MAX_METRICS};
use stopwise_engine::games::pig::Pig;
use stopwise_engine::paired::{Differences, PairedTally, all_pairs, divergence, run_paired};
use stopwise_engine::rotation::rotations;
use stopwise_engine::run::{Plan, run_in_turn};
use stopwise_engine::stream::Keys;
use stopwise_engine::vocabulary::Vocabulary;

use super::watched::watched;
use super::{after_a_batch, on_pool};
use crate::common::Whim;

const SEED: u64 = 13;
/// A block that is not full.
const FEW: Range<u64> = 40..240;
/// Two batches of four arms, 1,024 trials each, and one that is not full, whose last block of 128 is not full either.
const MANY: Range<u64> = 40..2_400;
const PARTINGS: usize = 5;

/// The line-ups of four arms: two that differ, one of them again, and one in which the first moves from seat to seat.
fn lineups<G: Vocabulary>(game: &G) -> [Vec<Vec<Whim>>; 4] {
    let mut table = vec![Whim(5); game.seats()];
    table[0] = Whim(6);
    [vec![vec![Whim(6)]], vec![vec![Whim(5)]], vec![vec![Whim(6)]], rotations(&table)]
}

fn on_threads<G: Vocabulary>(game: &G, threads: usize, trials: Range<u64>) -> (PairedTally, Products) {
    let plan = Plan { seed: SEED, trials };
    let lineups = lineups(game);
    let arms = lineups.each_ref().map(|lineups| Lineups::of(game, lineups));
    on_pool(threads, &|| {
        let paired =
            run_paired(&paired(&arms), &all_pairs(4), &plan, PARTINGS, &|_| ControlFlow::Continue(()));
        (paired, run_arms(&measured(&arms), 0, &plan, &|_| ControlFlow::Continue(())))
    })
}

type Arms<'l, G> = [Lineups<G, &'l Whim>; 4];

fn paired<'a, G: Vocabulary>(arms: &'a Arms<'_, G>) -> [&'a dyn Arm; 4] {
    arms.each_ref().map(|arm| arm as _)
}

fn measured<'a, G: Vocabulary>(arms: &'a Arms<'_, G>) -> [&'a dyn Arm; 4] {
    arms.each_ref().map(|arm| arm as _)
}

pub(super) fn check<G: Vocabulary>(game: &G) {
    trial_by_trial(game);
    let both = on_threads(game, 1, MANY);
    assert_eq!(on_threads(game, 3, MANY), both, "on as many threads as there are batches");
    let (mut first, second) = (on_threads(game, 2, MANY.start..1_001), on_threads(game, 2, 1_001..MANY.end));
    let mut other = second.clone();
    other.0.merge(&first.0);
    other.1.merge(&first.1);
    first.0.merge(&second.0);
    first.1.merge(&second.1);
    assert_eq!((&first, &other), (&both, &both), "parts in any order");
    let (whole, products) = both;
    for (tally, lineups) in whole.arms.iter().zip(&lineups(game)) {
        let plan = Plan { seed: SEED, trials: MANY };
        let alone = run_in_turn(game, lineups, &plan, |_| ControlFlow::Continue(()));
        assert_eq!(tally.rotations, alone, "a run of its own");
    }
    // The third arm is the first: nothing differs, and the fourth pair is the first turned round.
    let [ab, aa, _, ba, ..] = &whole.pairs[..] else { panic!("six pairs") };
    assert_eq!((aa.identical, aa.parted.len(), aa.early[0][1] + aa.early[1][0]), (aa.trials, 0, 0));
    for ((ab, aa), ba) in ab.metrics.iter().zip(&aa.metrics).zip(&ba.metrics) {
        assert_eq!(aa.iter().collect::<Vec<_>>(), [(0, MANY.end - MANY.start)]);
        let mut turned: Vec<_> = ba.iter().map(|(value, count)| (-value, count)).collect();
        turned.reverse();
        assert_eq!(ab.iter().collect::<Vec<_>>(), turned);
        sums(ab);
    }
    // What the products say of a pair is what its differences say.
    assert_eq!((products.trials, products.arms()), (MANY.end - MANY.start, 4));
    for (arm, tally) in whole.arms.iter().enumerate() {
        let sums = tally.histogram(0).sums();
        assert_eq!((products.sum(arm), products.product(arm, arm)), sums);
    }
    for pair in &whole.pairs {
        let (squares, twice) = (|arm| products.product(arm, arm), 2 * products.product(pair.a, pair.b));
        assert_eq!(pair.metrics[0].sums().2 + twice, squares(pair.a) + squares(pair.b));
    }
    stopped(game);
    of_many(game, &on_threads(game, 2, FEW).0);
}

/// Many arms share threads otherwise than few, and what each did is the same; in the middle of a trial they stop, and it is
/// lost.
fn of_many<G: Vocabulary>(game: &G, few: &PairedTally) {
    let plan = Plan { seed: SEED, trials: FEW };
    let lineups = lineups(game);
    let arms = lineups.each_ref().map(|lineups| Lineups::of(game, lineups));
    let many = paired(&arms).repeat(3);
    let whole =
        on_pool(2, &|| run_paired(&many, &all_pairs(4), &plan, PARTINGS, &|_| ControlFlow::Continue(())));
    assert_eq!((&whole.pairs, whole.arms.len()), (&few.pairs, 12));
    assert!(whole.arms.chunks(4).all(|arms| arms == few.arms));
    // Arms are looked at one by one, then there is a report of the trial.
    for looks in [1, 7, 12, 13] {
        let looked = AtomicUsize::new(0);
        let stopped = on_pool(2, &|| {
            run_paired(&many, &all_pairs(4), &plan, PARTINGS, &|_| match looked
                .fetch_add(1, Ordering::Relaxed)
                + 1
                < looks
            {
                true => ControlFlow::Continue(()),
                false => ControlFlow::Break(()),
            })
        });
        let first = looks / 13;
        assert!(stopped.arms.iter().all(|arm| arm.trials() == first as u64), "{looks}");
        assert_eq!(stopped.pairs[0].trials, first as u64, "{looks}");
    }
}

/// Of very many pairs there is one tally, which all threads fill.
#[test]
fn very_many_pairs_are_those_of_few() {
    let game = Pig::PIGLET;
    let few = on_threads(&game, 2, FEW).0;
    let plan = Plan { seed: SEED, trials: FEW };
    let lineups = lineups(&game);
    let arms = lineups.each_ref().map(|lineups| Lineups::of(&game, lineups));
    let (arms, pairs) = (paired(&arms).repeat(3), all_pairs(4).repeat(11_000));
    let whole = on_pool(2, &|| run_paired(&arms, &pairs, &plan, PARTINGS, &|_| ControlFlow::Continue(())));
    assert!(whole.pairs.chunks(6).all(|pairs| pairs == few.pairs));
    assert!(whole.arms.chunks(4).all(|arms| arms == few.arms));
}

/// Sums and counts are those of the values one by one.
fn sums(differences: &Differences) {
    let (mut sums, mut counts) = ((0, 0, 0), [0; 3]);
    for (value, count) in differences.iter() {
        let (size, times) = (u128::from(value.unsigned_abs()), u128::from(count));
        sums.0 += if value > 0 { size * times } else { 0 };
        sums.1 += if value < 0 { size * times } else { 0 };
        sums.2 += size * size * times;
        counts[usize::from(value >= 0) + usize::from(value > 0)] += count;
    }
    assert_eq!(differences.sums(), sums);
    assert_eq!([differences.less(), differences.equal(), differences.more()], counts);
    assert_eq!(differences.total(), MANY.end - MANY.start);
}

/// What a run that is stopped returns are the first trials of the plan.
fn stopped<G: Vocabulary>(game: &G) {
    let plan = Plan { seed: SEED, trials: MANY };
    let lineups = lineups(game);
    let arms = lineups.each_ref().map(|lineups| Lineups::of(game, lineups));
    // A batch for each thread may have begun, and there are three.
    let (stopped, products) = on_pool(2, &|| {
        let paired = run_paired(&paired(&arms), &all_pairs(4), &plan, PARTINGS, &after_a_batch);
        (paired, run_arms(&measured(&arms), 0, &plan, &after_a_batch))
    });
    let first = |trials| {
        assert!(trials > 0 && trials < MANY.end - MANY.start);
        on_threads(game, 1, MANY.start..MANY.start + trials)
    };
    assert_eq!(stopped, first(stopped.trials()).0);
    assert_eq!(products, first(products.trials).1);
}

/// Metrics of the arm's first policy, whether the game ended early, and all answers.
fn play<G: Vocabulary>(
    game: &G,
    lineups: &[Vec<Whim>],
    number: u64,
) -> ([u32; MAX_METRICS], bool, Vec<Action>) {
    let seat = usize::try_from(number).expect("small") % lineups.len();
    let played = watched(game, &lineups[seat], SEED, number);
    let answers = played.answers.iter().map(|&(_, action)| action).collect();
    (played.metrics[seat], game.endings()[game.ending(played.end)].early, answers)
}

fn trial_by_trial<G: Vocabulary>(game: &G) {
    let (found, _) = on_threads(game, 2, FEW);
    let lineups = lineups(game);
    for pair in &found.pairs {
        let [a, b] = [pair.a, pair.b].map(|at| &lineups[at][..]);
        let mut differences = vec![BTreeMap::new(); game.metrics().len()];
        let (mut early, mut common, mut parted) = ([[0; 2]; 2], BTreeMap::new(), Vec::new());
        for number in FEW {
            let (of_a, of_b) = (play(game, a, number), play(game, b, number));
            for ((counts, a), b) in differences.iter_mut().zip(of_a.0).zip(of_b.0) {
                *counts.entry(i64::from(a) - i64::from(b)).or_insert(0) += 1;
            }
            early[usize::from(of_a.1)][usize::from(of_b.1)] += 1;
            if of_a.0[0] == of_b.0[0] {
                *common.entry(of_a.0[0]).or_insert(0) += 1;
            }
            let [arm_a, arm_b] = [a, b].map(|lineups| Lineups::of(game, lineups));
            let (with_a, with_b) = (arm_a.lineup(number), arm_b.lineup(number));
            let divergence = divergence(game, with_a, with_b, &Keys::new(SEED), number);
            assert_eq!(divergence.is_some(), of_a.2 != of_b.2);
            if let Some(divergence) = divergence {
                parted.push(number);
                assert_eq!(of_a.2[..divergence.before], of_b.2[..divergence.before]);
                let [a, b] = [&of_a, &of_b].map(|of| of.2[divergence.before]);
                assert!((a, b) == (divergence.a.action, divergence.b) && a != b);
                assert!(divergence.a.question.actions.contains(b), "both were asked the same");
            }
        }
        assert_eq!(pair.identical, FEW.end - FEW.start - parted.len() as u64);
        parted.truncate(PARTINGS);
        assert_eq!((pair.trials, &pair.early, &pair.parted), (FEW.end - FEW.start, &early, &parted));
        assert!(pair.common.iter().eq(common));
        assert_eq!(pair.metrics.len(), differences.len());
        for (found, expected) in pair.metrics.iter().zip(differences) {
            assert!(found.iter().eq(expected));
        }
    }
}
