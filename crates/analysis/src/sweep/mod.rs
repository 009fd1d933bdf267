//! Analysis of a grid of rules and policies played on common dice: the best cell, the cells that may be best, and the
//! effect of each axis.
//!
//! All estimates are linear forms of the cells' values in a trial: the difference of two cells, the mean of some less
//! the mean of others. Their means are those of all trials. Their standard deviations depend on the covariances of the
//! cells on common dice, which come from the [`Products`] of the first trials; these may be fewer, because a standard
//! deviation needs fewer trials than a mean. The number of trials is fixed beforehand, so that normal intervals are
//! valid.

mod best;
mod ends;
mod sensitivity;

pub use best::{Best, Standing, best};
pub use sensitivity::{Effect, LevelEffect, sensitivities};

use stopwise_engine::arms::Products;
use stopwise_engine::tally::Histogram;

use crate::binomial::mean_share_limits;
use crate::estimate::{Estimate, Interval, Level, Method, Pairing, moments};
use crate::mean;
use crate::paired::share_difference;
use ends::Ends;

/// The largest probability that any interval of [`best`], or any of [`sensitivities`], misses.
pub const ALPHA: f64 = 0.05;

/// The part of [`ALPHA`] for standard deviations, if they come from fewer trials than the means.
const FOR_DEVIATIONS: f64 = 0.1;

/// Sums over the trials of one cell.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cell {
    /// The sum of the values.
    pub sum: u128,
    /// The sum of their squares.
    pub squares: u128,
    /// The least.
    pub min: u32,
    /// The greatest.
    pub max: u32,
    /// What the whole counts, of values that are shares: 1 of those that are 0 or 1.
    pub whole: Option<u32>,
}

impl From<&Histogram> for Cell {
    fn from(histogram: &Histogram) -> Self {
        let (sum, squares) = histogram.sums();
        let ends = histogram.iter().fold(None, |ends: Option<(u32, u32)>, (value, _)| {
            Some((ends.map_or(value, |(min, _)| min), value))
        });
        let (min, max) = ends.unwrap_or_default();
        Self { sum, squares, min, max, whole: None }
    }
}

/// The cells of a grid.
#[derive(Clone, Debug)]
pub struct Cells {
    trials: u64,
    cells: Vec<Cell>,
    /// Mean and standard deviation of every cell.
    moments: Vec<(f64, f64)>,
    /// The greatest standard deviation of a cell.
    greatest: f64,
    /// Whether the mean of a cell is known without trials.
    is_known: Vec<bool>,
    products: Option<Products>,
    /// Of how many statements about cells that hold together at [`ALPHA`] those about these are one.
    statements: usize,
}

/// The mean of a linear form.
#[derive(Clone, Copy, Debug, PartialEq)]
struct LinearForm {
    /// Over all trials.
    value: f64,
    /// Its interval, without ends after one trial.
    interval: Interval,
    /// Whether what cells have in common makes the interval narrower.
    is_paired: bool,
}

impl LinearForm {
    /// The interval of the form times 1 or −1.
    fn signed(&self, sign: f64) -> Interval {
        if sign < 0.0 { self.interval.negated() } else { self.interval }
    }
}

/// The parts of α for each of several simultaneous forms (Bonferroni).
#[derive(Clone, Copy, Debug, PartialEq)]
struct Reach {
    /// The level of the mean.
    level: Level,
    /// For the standard deviation: −ln of the probability that it is greater than its bound.
    nats: f64,
}

impl Cells {
    /// Cells with `trials` trials each, and the products of the first of these trials, if there are any.
    ///
    /// # Panics
    ///
    /// If the products are of more trials or of another number of cells.
    pub fn new(trials: u64, cells: Vec<Cell>, products: Option<Products>) -> Self {
        if let Some(products) = &products {
            assert!(products.trials <= trials, "the products are of the first trials");
            assert_eq!(products.arms(), cells.len(), "an arm a cell");
        }
        let of = |cell: &Cell| if trials == 0 { (0.0, 0.0) } else { moments(trials, cell.sum, cell.squares) };
        let (moments, is_known) = (cells.iter().map(of).collect::<Vec<_>>(), vec![false; cells.len()]);
        let greatest = moments.iter().map(|moments| moments.1).fold(0.0, f64::max);
        Self { trials, moments, greatest, is_known, cells, products, statements: 1 }
    }

    /// The same, where the mean of a cell is known without trials: nothing is open about it, nor, for its part, about how far
    /// others are from it.
    #[must_use]
    pub fn knowing(mut self, cell: usize, mean: f64) -> Self {
        (self.moments[cell], self.is_known[cell]) = ((mean, 0.0), true);
        self
    }

    /// Some of the cells alone, for one of several statements that are to hold together with probability 1 − [`ALPHA`]:
    /// each has its part of it (Bonferroni).
    #[must_use]
    pub fn only(&self, cells: &[usize], statements: usize) -> Self {
        Self {
            trials: self.trials,
            cells: cells.iter().map(|&cell| self.cells[cell].clone()).collect(),
            moments: cells.iter().map(|&cell| self.moments[cell]).collect(),
            greatest: self.greatest,
            is_known: cells.iter().map(|&cell| self.is_known[cell]).collect(),
            products: self.products.as_ref().map(|products| products.only(cells)),
            statements,
        }
    }

    /// The number of cells.
    pub fn count(&self) -> usize {
        self.cells.len()
    }

    /// The trials of every cell.
    pub fn trials(&self) -> u64 {
        self.trials
    }

    /// The number of first trials with products.
    pub fn paired(&self) -> u64 {
        self.products.as_ref().map_or(0, |products| products.trials)
    }

    /// The origin of the standard deviations of differences, of which some are paired, or none.
    fn pairing(&self, is_paired: bool) -> Pairing {
        match self.paired() {
            trials if is_paired && trials == self.trials => Pairing::All,
            trials if is_paired => Pairing::First(trials),
            _ => Pairing::AnyDependence,
        }
    }

    /// The mean of a cell.
    pub fn mean(&self, cell: usize) -> f64 {
        self.moments[cell].0
    }

    /// The standard error of the mean of a cell.
    pub fn std_error(&self, cell: usize) -> Option<f64> {
        (self.trials > 1).then(|| self.moments[cell].1 / (self.trials as f64).sqrt())
    }

    /// The mean of a cell with its interval at a level: exact if it is a share.
    pub fn estimate(&self, cell: usize, level: Level) -> Estimate {
        match self.cells[cell].whole.map(f64::from).filter(|_| !self.is_known[cell]) {
            Some(whole) => {
                let interval =
                    mean_share_limits(self.cells[cell].sum as f64 / whole, self.trials, level).times(whole);
                Estimate { value: self.mean(cell), interval: Some(interval), method: Method::Exact, level }
            }
            None => Estimate::around(self.mean(cell), self.cell_reach(cell, level), Method::Student, level)
                .of_values_that(self.is_known[cell] || self.moments[cell].1 > 0.0),
        }
    }

    /// How far the interval of a cell's mean reaches.
    fn cell_reach(&self, cell: usize, level: Level) -> f64 {
        let std_dev = self.moments[cell].1;
        match self.is_known[cell] {
            true => 0.0,
            false => mean::reach(std_dev, self.trials, self.scale(cell), level),
        }
    }

    /// The scale of what may be unseen of a cell. Values that are all alike say nothing of it: there it is that of the others,
    /// and without bounds where no cell's values differ, unless their range is known.
    fn scale(&self, cell: usize) -> f64 {
        match self.moments[cell].1 {
            std_dev if std_dev > 0.0 || self.cells[cell].whole.is_some() => mean::scale(std_dev),
            _ if self.greatest > 0.0 => mean::scale(self.greatest),
            _ => f64::INFINITY,
        }
    }

    /// The parts of α for each of `forms` forms.
    fn reach(&self, forms: usize) -> Reach {
        let forms = (forms.max(1) * self.statements) as f64;
        let for_deviations = if (2..self.trials).contains(&self.paired()) { FOR_DEVIATIONS } else { 0.0 };
        Reach {
            level: Level::new(ALPHA * (1.0 - for_deviations) / forms),
            nats: -(ALPHA * for_deviations / forms).ln(),
        }
    }

    /// The mean of some cells minus the mean of the same number of others.
    fn contrast(&self, more: &[usize], less: &[usize], reach: Reach) -> LinearForm {
        if let Some(found) = self.share_difference(more, less, reach.level) {
            return found;
        }
        debug_assert_eq!(more.len(), less.len());
        let scale = more.len().max(1) as f64;
        let value = match more.iter().chain(less).any(|&cell| self.is_known[cell]) {
            true => {
                let sum = |cells: &[usize]| cells.iter().map(|&cell| self.mean(cell)).sum::<f64>();
                sum(more) - sum(less)
            }
            false => {
                let sum = |cells: &[usize]| cells.iter().map(|&cell| self.cells[cell].sum).sum::<u128>();
                let (plus, minus) = (sum(more), sum(less));
                let size = plus.abs_diff(minus) as f64 / self.trials.max(1) as f64;
                if plus < minus { -size } else { size }
            }
        };
        let (half, is_paired) = self.half(more, less, reach);
        let (value, half) = (value / scale, half / scale);
        LinearForm { value, interval: Interval { low: value - half, high: value + half }, is_paired }
    }

    /// The difference of two cells whose values are 0 or 1, side by side in all trials: that of two paired shares.
    fn share_difference(&self, more: &[usize], less: &[usize], level: Level) -> Option<LinearForm> {
        let (&[a], &[b]) = (more, less) else { return None };
        let is_share = |cell: usize| self.cells[cell].whole == Some(1) && !self.is_known[cell];
        let products = self.products.as_ref().filter(|products| products.trials == self.trials)?;
        if !is_share(a) || !is_share(b) {
            return None;
        }
        let count = |sum: u128| u64::try_from(sum).unwrap_or(u64::MAX);
        let both = count(products.product(a, b));
        let [a, b] = [a, b].map(|cell| count(self.cells[cell].sum) - both);
        let found = share_difference([both, a, b, self.trials - both - a - b], level)?;
        Some(LinearForm { value: found.value, interval: found.interval?, is_paired: true })
    }

    /// What bounds the contrasts of many groups of as many cells each, if each group does so by itself: without products.
    /// The means are multiplied by `sign`.
    fn ends<'g>(
        &self,
        groups: impl Iterator<Item = (usize, &'g [usize])>,
        sign: f64,
        reach: Reach,
    ) -> Option<Ends> {
        let of = |(number, group): (usize, &[usize])| {
            let scale = group.len().max(1) as f64;
            let mean = group.iter().map(|&cell| self.moments[cell].0).sum::<f64>() / scale;
            let half = group.iter().map(|&cell| self.cell_reach(cell, reach.level)).sum::<f64>() / scale;
            (number, sign * mean, half)
        };
        (self.paired() < 2).then(|| Ends::new(groups.map(of)))
    }

    /// How far the interval of the sum of some cells less the sum of as many others reaches, and whether what they have in
    /// common makes it narrower.
    ///
    /// With products of all trials their standard deviation is exact. With products of the first n, the form's values
    /// there are a sample from those of all trials, whose range is known: it is at most the sample's √V plus the range
    /// times √(2 ln(1 / δ) / (n − 1)) (Maurer and Pontil, COLT 2009, theorem 10). Without products, and as an upper
    /// bound, the interval reaches as far as those of all cells together, under any dependence.
    fn half(&self, more: &[usize], less: &[usize], reach: Reach) -> (f64, bool) {
        let open = |cells: &[usize]| -> Vec<_> {
            cells.iter().copied().filter(|&cell| !self.is_known[cell]).collect()
        };
        let (more, less) = (&open(more)[..], &open(less)[..]);
        let all = || more.iter().chain(less);
        let at_most = all().map(|&cell| self.cell_reach(cell, reach.level)).sum();
        let is_one = more.len() + less.len() < 2;
        let Some(products) = self.products.as_ref().filter(|products| products.trials > 1 && !is_one) else {
            return (at_most, false);
        };
        let sum = |cells: &[usize]| cells.iter().map(|&cell| products.sum(cell)).sum::<u128>();
        let block = |rows: &[usize], columns: &[usize]| -> u128 {
            rows.iter().flat_map(|&a| columns.iter().map(move |&b| products.product(a, b))).sum()
        };
        let squares = block(more, more) + block(less, less) - 2 * block(more, less);
        let (_, mut std_dev) = moments(products.trials, sum(more).abs_diff(sum(less)), squares);
        if products.trials < self.trials {
            let range: f64 = all().map(|&cell| f64::from(self.cells[cell].max - self.cells[cell].min)).sum();
            std_dev += range * (2.0 * reach.nats / (products.trials - 1) as f64).sqrt();
        }
        let scale = |cells: &[usize]| cells.iter().map(|&cell| self.scale(cell)).sum::<f64>();
        let scale = scale(more).max(scale(less));
        let paired = mean::reach(std_dev, self.trials, scale, reach.level);
        // Of what nothing is known both are without bounds.
        (f64::min(paired, at_most), paired < at_most || paired.is_infinite())
    }
}
