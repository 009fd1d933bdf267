//! Numbers of whole games, such as the rolls of all seats or whether somebody won: their sums, and their products with those of
//! the same trials under another arm.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::side::Side;
use crate::arms::{BLOCK, Rows, SMALL};
use crate::game::Seat;

/// A number of a whole game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub enum Number {
    /// A metric of all seats, added up.
    Sum(usize),
    /// The same by how many play, rounded up: of turns it is rounds, one that has begun counted.
    Rounds(usize),
    /// A metric of one seat.
    Of(Seat, usize),
    /// 1 if some seat has any of a metric: of wins, if the game has a winner.
    Any(usize),
    /// 1 if the first seat has more than this of a metric.
    Above(usize, u32),
    /// 1 if the game has this ending.
    Ending(usize),
    /// 1 if it ends early.
    Early,
    /// 1 if the game has a winner, by the first metric, who has at most so many more of a metric than any other seat, or fewer.
    /// Of those who share a win, the first is the winner.
    Close {
        /// The metric, as it is at the end.
        metric: usize,
        /// The most.
        most: u32,
    },
}

/// The metric that says who wins, in games for several.
const WIN: usize = 0;

impl Number {
    /// Puts the number of every trial into a column.
    fn put(self, side: &Side, column: &mut Column) {
        let rows = &side.rows;
        let seats = || 0..rows.seats();
        match self {
            Self::Sum(metric) if rows.seats() == 1 => column.set(rows.column(metric)),
            Self::Sum(metric) => column.set(each(rows, |at| rows.whole(at, metric))),
            Self::Rounds(metric) => {
                let seats = u32::try_from(rows.seats()).unwrap_or(1).max(1);
                column.set(each(rows, |at| rows.whole(at, metric).div_ceil(seats)));
            }
            Self::Of(seat, metric) => column.set(each(rows, |at| rows.values(at, seat)[metric])),
            Self::Any(metric) => {
                column.set(each(rows, |at| seats().any(|seat| rows.values(at, seat)[metric] > 0).into()));
            }
            Self::Above(metric, mark) => {
                column.set(each(rows, |at| (rows.values(at, 0)[metric] > mark).into()));
            }
            Self::Ending(ending) => column.set(each(rows, |at| (rows.ending(at) == ending).into())),
            Self::Early => column.set(each(rows, |at| side.is_early(at).into())),
            Self::Close { metric, most } => {
                let is_close = |at| {
                    let lead = lead(seats().map(|seat| {
                        let values = rows.values(at, seat);
                        (values[WIN], values[metric])
                    }));
                    lead.is_some_and(|lead| lead <= most)
                };
                column.set(each(rows, |at| is_close(at).into()));
            }
        }
    }
}

fn each<'r>(rows: &Rows, number: impl Fn(usize) -> u32 + 'r) -> impl Iterator<Item = u32> + 'r {
    (0..rows.trials()).map(number)
}

/// How much more than the best of the others the winner has, or 0 if that is less; `None` without a winner. Given is for each
/// seat its part of the win, or 0, and what it has.
fn lead(seats: impl Iterator<Item = (u32, u32)>) -> Option<u32> {
    let (mut winner, mut others) = (None, 0);
    for (win, value) in seats {
        if win > 0 && winner.is_none() {
            winner = Some(value);
        } else {
            others = others.max(value);
        }
    }
    winner.map(|winner| winner.saturating_sub(others))
}

/// A number in every trial of a block.
#[derive(Clone, Debug, Default)]
struct Column {
    values: Vec<u32>,
    most: u32,
}

impl Column {
    #[inline(always)]
    fn set(&mut self, values: impl Iterator<Item = u32>) {
        self.values.clear();
        self.values.extend(values);
        self.most = self.values.iter().copied().max().unwrap_or(0);
    }

    fn sum(&self) -> u128 {
        let parts = self.values.chunks(BLOCK).map(|part| part.iter().map(|&value| u64::from(value)).sum());
        parts.map(|sum: u64| u128::from(sum)).sum()
    }

    /// The sum of the products, trial by trial.
    fn product(&self, other: &Self) -> u128 {
        let is_small = self.most < SMALL && other.most < SMALL;
        let parts = self.values.chunks(BLOCK).zip(other.values.chunks(BLOCK));
        let of = |(a, b): (&[u32], &[u32])| {
            let pairs = a.iter().zip(b).map(|(&a, &b)| u64::from(a) * u64::from(b));
            if is_small { u128::from(pairs.sum::<u64>()) } else { pairs.map(u128::from).sum() }
        };
        parts.map(of).sum()
    }
}

/// Sums of the numbers of an arm's games, and of their products with those of another arm, as exact integers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub struct GameSums {
    /// The numbers.
    pub numbers: Vec<Number>,
    /// Of each the sum, and the sum of squares.
    pub sums: Vec<[u128; 2]>,
    /// The other arm, if there is one.
    pub against: Option<usize>,
    /// Of a number of this arm and of one of the other, both by their places, the sum of the products.
    pub products: Vec<([usize; 2], u128)>,
}

impl GameSums {
    /// Empty sums of these numbers, and of products with those of another arm, both by their places there.
    pub fn new(numbers: Vec<Number>, against: Option<(usize, Vec<[usize; 2]>)>) -> Self {
        let sums = vec![[0; 2]; numbers.len()];
        let (against, products) = against.unzip();
        let products = products.unwrap_or_default().into_iter().map(|of| (of, 0)).collect();
        Self { numbers, sums, against, products }
    }

    /// The place of a number.
    pub fn place(&self, number: Number) -> Option<usize> {
        self.numbers.iter().position(|&known| known == number)
    }

    /// The sum of a number, and the sum of its squares; `None` if it is not counted.
    pub fn sum(&self, number: Number) -> Option<[u128; 2]> {
        Some(self.sums[self.place(number)?])
    }

    /// The sum of the products of a number of this arm with one of the other; `None` if it is not counted.
    pub fn product(&self, place: usize, other: usize) -> Option<u128> {
        self.products.iter().find(|(of, _)| *of == [place, other]).map(|(_, sum)| *sum)
    }

    /// Whether what both count was the same in every trial, given the sums of the other arm.
    pub fn is_always_as(&self, other: &Self) -> bool {
        let is_same = |&([own, its], product): &([usize; 2], u128)| {
            let is_both = self.numbers[own] == other.numbers[its];
            !is_both || self.sums[own][1] + other.sums[its][1] == 2 * product
        };
        self.products.iter().all(is_same)
    }

    /// An empty one of the same numbers.
    pub(super) fn empty_one(&self) -> Self {
        let products = self.products.iter().map(|&(of, _)| (of, 0)).collect();
        Self {
            numbers: self.numbers.clone(),
            sums: vec![[0; 2]; self.sums.len()],
            against: self.against,
            products,
        }
    }

    pub(super) fn merge(&mut self, other: &Self) {
        for (sum, more) in self.sums.as_flattened_mut().iter_mut().zip(other.sums.as_flattened()) {
            *sum += more;
        }
        for ((_, sum), (_, more)) in self.products.iter_mut().zip(&other.products) {
            *sum += more;
        }
    }

    fn add(&mut self, own: &[Column], other: &[Column]) {
        for (sum, column) in self.sums.iter_mut().zip(own) {
            sum[0] += column.sum();
            sum[1] += if column.most > 1 { column.product(column) } else { column.sum() };
        }
        for (of, sum) in &mut self.products {
            *sum += own[of[0]].product(&other[of[1]]);
        }
    }
}

/// The numbers of the games of a block. Those of arms that others are compared with are kept until all are counted.
#[derive(Clone, Debug, Default)]
pub(super) struct GameColumns {
    kept: Vec<Vec<Column>>,
    own: Vec<Column>,
}

/// Puts the numbers of an arm into columns.
fn put(games: &GameSums, side: &Side, columns: &mut Vec<Column>) {
    columns.resize_with(games.numbers.len(), Column::default);
    games.numbers.iter().zip(columns).for_each(|(number, column)| number.put(side, column));
}

/// Counts the games of a block, which each arm played.
pub(super) fn count_games(arms: &mut [GameSums], sides: &[Side], columns: &mut GameColumns) {
    let GameColumns { kept, own } = columns;
    kept.resize_with(arms.len(), Vec::new);
    let others: BTreeSet<usize> = arms.iter().filter_map(|games| games.against).collect();
    for &other in &others {
        put(&arms[other], &sides[other], &mut kept[other]);
    }
    for (at, (games, side)) in arms.iter_mut().zip(sides).enumerate() {
        let other = games.against.map_or(&[][..], |other| &kept[other]);
        if others.contains(&at) {
            games.add(&kept[at], other);
        } else {
            put(games, side, own);
            games.add(own, other);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two of three share a win with equal values, and with different ones; one wins alone, by 3, and behind another; nobody wins.
    #[test]
    fn those_who_share_a_win_lead_by_little() {
        let games: [&[(u32, u32)]; 5] = [
            &[(0, 3), (6, 10), (6, 10)],
            &[(6, 9), (0, 4), (6, 7)],
            &[(0, 7), (12, 10)],
            &[(1, 5), (0, 8)],
            &[(0, 9), (0, 1)],
        ];
        let leads = games.map(|seats| lead(seats.iter().copied()));
        assert_eq!(leads, [Some(0), Some(2), Some(3), Some(0), None]);
    }

    /// Large values have no carry that is lost; those of long blocks neither.
    #[test]
    fn products_are_exact() {
        let column = |values: Vec<u32>| {
            let mut column = Column::default();
            column.set(values.into_iter());
            column
        };
        let big = column(vec![u32::MAX; 300]);
        let wide = u128::from(u32::MAX);
        assert_eq!((big.sum(), big.product(&big)), (300 * wide, 300 * wide * wide));
        let rising = column((0..1000).map(|at| SMALL - 1000 + at).collect());
        let (sum, squares) = (0..1000_u128)
            .map(|at| u128::from(SMALL) - 1000 + at)
            .fold((0, 0), |(sum, squares), value| (sum + value, squares + value * value));
        assert_eq!((rising.sum(), rising.product(&rising)), (sum, squares));
    }
}
