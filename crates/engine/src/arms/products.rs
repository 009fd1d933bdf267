//! One metric of many arms: its sums, and its products for every pair of arms.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::{Arm, BLOCK, Player, ROWS, Rows, batch_of};
use crate::plan::{Batch, Pace, Plan, Watcher, from_one_queue};
use crate::stream::Keys;
use crate::trial_result::Recording;

/// Sums and products of one value per arm and trial, as exact integers.
///
/// They give the sum and the sum of squares of every linear combination of the values, such as the difference of two
/// arms or the mean of some arms minus the mean of others. If the values are 0 or 1, a product counts the trials in
/// which both are 1.
///
/// Merging is associative and commutative. Memory: 16 bytes per pair of arms.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct Products {
    /// Finished trials.
    pub trials: u64,
    sums: Vec<u128>,
    /// The lower triangle, row by row: first × first, second × first, second × second, …
    products: Vec<u128>,
}

impl Products {
    /// Empty sums for this number of arms.
    pub fn new(arms: usize) -> Self {
        Self { trials: 0, sums: vec![0; arms], products: vec![0; arms * (arms + 1) / 2] }
    }

    /// The size of the sums of this number of arms, in bytes.
    pub fn bytes(arms: usize) -> u64 {
        (arms as u64).saturating_mul(arms as u64 + 3) / 2 * size_of::<u128>() as u64
    }

    /// The number of arms.
    pub fn arms(&self) -> usize {
        self.sums.len()
    }

    /// The sum of an arm's values.
    pub fn sum(&self, arm: usize) -> u128 {
        self.sums[arm]
    }

    /// The sum of the products of two arms' values; for an arm with itself, the sum of its squares.
    pub fn product(&self, a: usize, b: usize) -> u128 {
        let (less, more) = (a.min(b), a.max(b));
        self.products[more * (more + 1) / 2 + less]
    }

    /// The sums of some of the arms alone, in this order.
    #[must_use]
    pub fn only(&self, arms: &[usize]) -> Self {
        let pairs = arms.iter().enumerate().flat_map(|(at, &a)| arms[..=at].iter().map(move |&b| (a, b)));
        Self {
            trials: self.trials,
            sums: arms.iter().map(|&arm| self.sum(arm)).collect(),
            products: pairs.map(|(a, b)| self.product(a, b)).collect(),
        }
    }

    /// Adds a trial, given one value per arm.
    ///
    /// # Panics
    ///
    /// If the number of values differs from the number of arms.
    pub fn add(&mut self, values: &[u32]) {
        let columns: Vec<_> = values.iter().map(|&value| vec![value]).collect();
        self.add_block(&columns);
    }

    /// Adds several trials, given one column of values per arm.
    ///
    /// # Panics
    ///
    /// If the number of columns differs from the number of arms, or columns differ in length.
    pub fn add_block(&mut self, columns: &[Vec<u32>]) {
        assert_eq!(columns.len(), self.arms(), "a column an arm");
        let trials = columns.first().map_or(0, Vec::len);
        assert!(columns.iter().all(|column| column.len() == trials), "a value a trial");
        for first in (0..trials).step_by(BLOCK) {
            self.add_part(columns, first..trials.min(first + BLOCK));
        }
    }

    /// Adds some of the trials, at most [`BLOCK`]: few enough that all columns stay in the cache.
    fn add_part(&mut self, columns: &[Vec<u32>], trials: Range<usize>) {
        self.trials += trials.len() as u64;
        let is_small = |column: &Vec<u32>| column[trials.clone()].iter().all(|&value| value < SMALL);
        let are_small = columns.iter().all(is_small);
        let mut products = self.products.iter_mut();
        for (more, (a, sum)) in columns.iter().zip(&mut self.sums).enumerate() {
            let a = &a[trials.clone()];
            *sum += a.iter().map(|&value| u128::from(value)).sum::<u128>();
            for (b, product) in columns[..=more].iter().zip(&mut products) {
                let pairs = a.iter().zip(&b[trials.clone()]).map(|(&a, &b)| u64::from(a) * u64::from(b));
                *product +=
                    if are_small { u128::from(pairs.sum::<u64>()) } else { pairs.map(u128::from).sum() };
            }
        }
    }

    /// Adds the sums of `other`, which come from other trials of the same arms.
    pub fn merge(&mut self, other: &Self) {
        self.trials += other.trials;
        self.sums.iter_mut().zip(&other.sums).for_each(|(sum, more)| *sum += more);
        self.products.iter_mut().zip(&other.products).for_each(|(product, more)| *product += more);
    }
}

/// Values below this can be multiplied and summed over a block without a carry.
pub(crate) const SMALL: u32 = 1 << 28;

/// Plays the trials of a plan with every arm on the same dice, on the threads of the current rayon pool, and sums up
/// one metric of their first policies, an index into [`Game::metrics`](crate::game::Game::metrics).
///
/// The result is a function of the arms and the plan. `progress` is called as by [`play`](crate::run::play), with the
/// sums of the first arm. If it stops the run, unfinished batches are abandoned, because a trial of a thousand arms can
/// take long. The result then covers fewer trials than the plan, and not necessarily the first ones.
///
/// Memory is 16 bytes per pair of arms and thread, whatever the number of trials.
pub fn run_arms(arms: &[&dyn Arm], metric: usize, plan: &Plan, progress: &Watcher<'_>) -> Products {
    let keys = Keys::new(plan.seed);
    let first = |products: &Products| match products.arms() {
        0 => (0, 0),
        _ => (products.sum(0), products.product(0, 0)),
    };
    let threads = from_one_queue(plan, progress, |queue| {
        let mut products = Products::new(arms.len());
        let mut columns = vec![Vec::new(); arms.len()];
        let mut rows = Rows::default();
        let mut players: Vec<_> = arms.iter().map(|arm| arm.fast_player(&keys)).collect();
        let is_fast = players.iter().any(Option::is_some);
        let at_once = |(arm, player): (&&dyn Arm, &Option<Box<dyn Player + '_>>)| {
            player.as_ref().map_or(arm.at_once(), |player| player.at_once())
        };
        let least = arms.iter().zip(&players).map(at_once).max().unwrap_or(1);
        let mut pace = Pace::new(least, if is_fast { ROWS } else { batch_of(arms.len()) });
        let length = if is_fast { ROWS } else { BLOCK as u64 };
        while let Some(trials) = queue.next(&mut pace) {
            let before = first(&products);
            for block in trials.clone().step_by(usize::try_from(length).expect("a block is small")) {
                let block = block..trials.end.min(block.saturating_add(length));
                let length = usize::try_from(block.end - block.start).expect("a block is small");
                for ((arm, player), column) in arms.iter().zip(&mut players).zip(&mut columns) {
                    column.resize(length, 0);
                    match player {
                        Some(player) => {
                            rows.shape(*arm);
                            player.play(&block, false, &mut rows);
                            rows.own(metric, &block, arm.lineups(), column);
                        }
                        None => arm.block(&keys, &block, Recording::Nothing, &mut |end| {
                            column[end.at] = end.of(end.lineup)[metric]
                        }),
                    }
                    if pace.is_late() {
                        queue.report(progress(Batch::NONE));
                    }
                    if queue.may_leave(&trials) {
                        return products;
                    }
                }
                products.add_block(&columns);
            }
            let after = first(&products);
            queue.report(progress(Batch {
                trials: trials.end - trials.start,
                sum: u64::try_from(after.0 - before.0).unwrap_or(u64::MAX),
                squares: after.1 - before.1,
            }));
        }
        products
    });
    let mut total = Products::new(arms.len());
    threads.iter().for_each(|products| total.merge(products));
    total
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_of_large_values_are_exact() {
        let big = u32::MAX;
        let mut products = Products::new(2);
        (0..3).for_each(|_| products.add(&[big, 2]));
        let wide = u128::from(big);
        assert_eq!((products.trials, products.sum(0), products.sum(1)), (3, 3 * wide, 6));
        assert_eq!([products.product(0, 0), products.product(1, 1)], [3 * wide * wide, 12]);
        assert_eq!([products.product(0, 1), products.product(1, 0)], [6 * wide; 2]);
    }

    /// Adding a block equals adding its trials one by one, for long blocks and for large values.
    #[test]
    fn blocks_are_trials() {
        for (trials, scale) in [(3, 1), (BLOCK, SMALL - 200), (5, SMALL), (BLOCK + 1, SMALL / 2)] {
            let column = |arm: u32| (0..).map(|trial: u32| scale + arm * trial % 100).take(trials).collect();
            let columns: Vec<Vec<u32>> = (1..4).map(column).collect();
            let [mut block, mut single] = [Products::new(3), Products::new(3)];
            block.add_block(&columns);
            (0..trials).for_each(|at| single.add(&[columns[0][at], columns[1][at], columns[2][at]]));
            assert_eq!(block, single);
        }
    }
}
