//! Counts over pairs of trials: exact integers, in memory that does not grow with the number of trials.

use std::borrow::Cow;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::games::GameSums;
use crate::arms::Arm;
use crate::tally::{Histogram, Tally};

/// The number of pairs up to which one thread counts them all and frees them; more are shared among the threads.
pub(super) const FEW: usize = 1024;

/// A histogram of differences A − B.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub struct Differences {
    /// Differences of 0 and more.
    above: Histogram,
    /// Differences below 0, without their sign.
    below: Histogram,
}

impl FromIterator<(u32, u32)> for Differences {
    /// The differences of what two arms were worth, trial by trial.
    fn from_iter<I: IntoIterator<Item = (u32, u32)>>(pairs: I) -> Self {
        pairs.into_iter().fold(Self::default(), |mut all, (a, b)| {
            all.add(a, b);
            all
        })
    }
}

impl Differences {
    #[inline]
    pub(super) fn add(&mut self, a: u32, b: u32) {
        if a >= b {
            self.above.add(a - b);
        } else {
            self.below.add(b - a);
        }
    }

    /// Adds the same difference this many times.
    pub(super) fn add_many(&mut self, more: u32, less: u32, times: u64) {
        match less {
            0 => self.above.add_many(more, times),
            less => self.below.add_many(less, times),
        }
    }

    /// The number of differences counted.
    pub fn total(&self) -> u64 {
        self.above.total() + self.below.total()
    }

    /// How often A and B were equal.
    pub fn equal(&self) -> u64 {
        self.above.count(0)
    }

    /// How often A had more.
    pub fn more(&self) -> u64 {
        self.above.total() - self.equal()
    }

    /// How often A had less.
    pub fn less(&self) -> u64 {
        self.below.total()
    }

    /// The differences seen, in rising order, each with its count.
    pub fn iter(&self) -> impl Iterator<Item = (i64, u64)> + '_ {
        let below: Vec<_> = self.below.iter().collect();
        let below = below.into_iter().rev().map(|(less, count)| (-i64::from(less), count));
        below.chain(self.above.iter().map(|(more, count)| (i64::from(more), count)))
    }

    /// The sum of the positive differences, the sum of the negative ones without sign, and the sum of all squares.
    pub fn sums(&self) -> (u128, u128, u128) {
        let ((more, above), (less, below)) = (self.above.sums(), self.below.sums());
        (more, less, above + below)
    }

    fn merge(&mut self, other: &Self) {
        self.above.merge(&other.above);
        self.below.merge(&other.below);
    }
}

/// A comparison of two arms on the same trials.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct PairTally {
    /// The index of arm A.
    pub a: usize,
    /// The index of arm B.
    pub b: usize,
    /// Finished trials.
    pub trials: u64,
    /// Trials with identical answers. Rules are pure and both arms meet the same dice, so under the same rules the
    /// answers of all seats, in order, determine a game: equal answers mean equal games, and the first answers that
    /// differ are to the same question. Under different rules it means only that the answers were the same; where
    /// many are played at a time, that they were from step to step.
    pub identical: u64,
    /// Differences A − B of the first policies, in the order of [`Game::metrics`](crate::game::Game::metrics).
    pub metrics: Vec<Differences>,
    /// The values of the first metric in trials in which A and B had the same value. With the tallies of A and B it
    /// gives, for every value, how often both, only one or neither had it.
    pub common: Histogram,
    /// How often the game ended early with A (first index: 0 no, 1 yes) and with B (second index).
    pub early: [[u64; 2]; 2],
    /// The numbers of the first trials in which the two diverged, in order; at most as many as were requested.
    pub parted: Vec<u64>,
    wanted: usize,
}

impl PairTally {
    fn new(metrics: usize, a: usize, b: usize, wanted: usize) -> Self {
        Self {
            a,
            b,
            trials: 0,
            identical: 0,
            metrics: vec![Differences::default(); metrics],
            common: Histogram::default(),
            early: [[0; 2]; 2],
            parted: Vec::new(),
            wanted,
        }
    }

    /// The number of trials in which the two diverge that are kept.
    pub(super) fn wanted(&self) -> usize {
        self.wanted
    }

    fn merge(&mut self, other: &Self) {
        self.trials += other.trials;
        self.identical += other.identical;
        for (differences, more) in self.metrics.iter_mut().zip(&other.metrics) {
            differences.merge(more);
        }
        self.common.merge(&other.common);
        for (count, more) in self.early.as_flattened_mut().iter_mut().zip(other.early.as_flattened()) {
            *count += more;
        }
        self.parted.extend(&other.parted);
        self.parted.sort_unstable();
        self.parted.truncate(self.wanted);
    }
}

/// The results of one arm, as in a separate run of it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct ArmTally {
    /// A tally for each of the arm's line-ups.
    pub rotations: Vec<Tally>,
}

impl ArmTally {
    /// Adds the tallies of other trials.
    pub(super) fn add(&mut self, more: &[Tally]) {
        self.rotations.iter_mut().zip(more).for_each(|(tally, more)| tally.merge(more));
    }

    /// Finished trials.
    pub fn trials(&self) -> u64 {
        self.rotations.iter().map(|tally| tally.trials).sum()
    }

    /// A metric of the arm's first policy, over all seats that it sat in.
    pub fn histogram(&self, metric: usize) -> Cow<'_, Histogram> {
        let seats = self.rotations.iter().enumerate().map(|(seat, tally)| &tally.seats[seat].metrics[metric]);
        let whole = seats.map(Cow::Borrowed).reduce(|mut whole, seat| {
            whole.to_mut().merge(&seat);
            whole
        });
        whole.unwrap_or_default()
    }
}

/// Results of several arms on the same trials, and of pairs of them.
///
/// Merging is associative and commutative, and a tally is a function of the set of trials.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct PairedTally {
    /// The results of each arm.
    pub arms: Vec<ArmTally>,
    /// The pairs, in the requested order.
    pub pairs: Vec<PairTally>,
    /// Numbers of whole games of the first arms, where they are counted.
    pub games: Vec<GameSums>,
}

impl PairedTally {
    /// An empty tally for these arms and pairs, which keeps up to `divergences` trials in which a pair diverges.
    pub fn new(arms: &[&dyn Arm], pairs: &[(usize, usize)], divergences: usize) -> Self {
        let arms: Vec<_> =
            arms.iter().map(|arm| ArmTally { rotations: vec![arm.tally(); arm.lineups()] }).collect();
        let metrics = |arm: usize| arms[arm].rotations[0].seats[0].metrics.len();
        let pairs = pairs.iter().map(|&(a, b)| PairTally::new(metrics(a), a, b, divergences)).collect();
        Self { arms, pairs, games: Vec::new() }
    }

    /// That counts these numbers of whole games, too, of the first arms.
    #[must_use]
    pub fn of_games(mut self, games: Vec<GameSums>) -> Self {
        self.games = games;
        self
    }

    /// An empty tally of the same pairs of these arms.
    pub(super) fn empty_one(&self, arms: &[&dyn Arm]) -> Self {
        let pairs: Vec<_> = self.pairs.iter().map(|pair| (pair.a, pair.b)).collect();
        let empty = Self::new(arms, &pairs, self.pairs.first().map_or(0, |pair| pair.wanted));
        empty.of_games(self.games.iter().map(GameSums::empty_one).collect())
    }

    /// Adds the counts of `other`, a tally of other trials of the same arms and pairs.
    pub fn merge(&mut self, other: &Self) {
        for (arm, more) in self.arms.iter_mut().zip(&other.arms) {
            arm.add(&more.rotations);
        }
        let pairs = self.pairs.par_iter_mut().zip(&other.pairs).with_min_len(FEW);
        pairs.for_each(|(pair, more)| pair.merge(more));
        for (games, more) in self.games.iter_mut().zip(&other.games) {
            games.merge(more);
        }
    }

    /// Finished trials.
    pub fn trials(&self) -> u64 {
        self.arms.first().map_or(0, ArmTally::trials)
    }
}

/// Freeing many pairs takes seconds, which nobody waits for: a thread of its own does it. One of the pool would take it
/// up while it waits for others.
impl Drop for PairedTally {
    fn drop(&mut self) {
        if self.pairs.len() >= FEW {
            let pairs = std::mem::take(&mut self.pairs);
            // Without a thread they are freed here.
            let _ = std::thread::Builder::new().name("freeing".into()).spawn(move || drop(pairs));
        }
    }
}
