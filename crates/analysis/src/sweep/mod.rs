//! What a grid of rules and policies says, all of whose cells were played on the same dice: which cell is best, which
//! others may be, and what each axis does.
//!
//! All of it is about linear forms of the cells' values in a trial: the difference of two cells, the mean of some less
//! the mean of others. A form's mean is that of all trials. How much it varies from trial to trial hangs on how the cells
//! go together on common dice; that is read from the [`Products`] of the first trials, which may be fewer, because a
//! standard deviation needs no more. The number of trials is fixed beforehand, so that normal intervals are right.

mod best;
mod sensitivity;

pub use best::{Best, Standing, best};
pub use sensitivity::{Difference, Effect, LevelEffect, sensitivities};

use stopwise_engine::arms::Products;
use stopwise_engine::tally::Histogram;

use crate::estimate::moments;

/// One minus the chance that everything that [`best`] says holds, or everything that [`sensitivities`] says.
pub const ALPHA: f64 = 0.05;

/// A form must rest on so many trials in which it is not 0 before its deviation there stands for that in all trials: with
/// 100 the standard error is within about 15 %, and where they are fewer nothing is assumed of how cells go together.
const ENOUGH: f64 = 100.0;

/// The values of one cell in all trials.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cell {
    /// Their sum.
    pub sum: u128,
    /// The sum of their squares.
    pub squares: u128,
    /// The least.
    pub min: u32,
    /// The greatest.
    pub max: u32,
}

impl From<&Histogram> for Cell {
    fn from(histogram: &Histogram) -> Self {
        let (sum, squares) = histogram.sums();
        let ends = histogram.iter().fold(None, |ends: Option<(u32, u32)>, (value, _)| {
            Some((ends.map_or(value, |(min, _)| min), value))
        });
        let (min, max) = ends.unwrap_or_default();
        Self { sum, squares, min, max }
    }
}

/// The cells of a grid.
#[derive(Clone, Debug)]
pub struct Cells {
    trials: u64,
    cells: Vec<Cell>,
    products: Option<Products>,
}

/// The mean of a linear form.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Form {
    /// Of all trials.
    pub value: f64,
    /// Its standard error; one trial says nothing about it.
    pub std_error: Option<f64>,
}

impl Cells {
    /// Cells with so many trials each, and what is known of the first of those trials together, if anything.
    ///
    /// # Panics
    ///
    /// If the products are of more trials or of another number of cells.
    pub fn new(trials: u64, cells: Vec<Cell>, products: Option<Products>) -> Self {
        if let Some(products) = &products {
            assert!(products.trials <= trials, "the products are of the first trials");
            assert_eq!(products.arms(), cells.len(), "an arm a cell");
        }
        Self { trials, cells, products }
    }

    /// How many cells.
    pub fn count(&self) -> usize {
        self.cells.len()
    }

    /// The trials of every cell.
    pub fn trials(&self) -> u64 {
        self.trials
    }

    /// How many of the first trials say how the cells go together.
    pub fn paired(&self) -> u64 {
        self.products.as_ref().map_or(0, |products| products.trials)
    }

    /// The mean of a cell.
    pub fn mean(&self, cell: usize) -> f64 {
        self.moments(cell).0
    }

    /// The standard error of the mean of a cell.
    pub fn std_error(&self, cell: usize) -> Option<f64> {
        (self.trials > 1).then(|| self.moments(cell).1 / (self.trials as f64).sqrt())
    }

    fn moments(&self, cell: usize) -> (f64, f64) {
        let Cell { sum, squares, .. } = self.cells[cell];
        if self.trials == 0 { (0.0, 0.0) } else { moments(self.trials, sum, squares) }
    }

    /// The mean of some cells less the mean of as many others.
    ///
    /// The standard error is the paired one. Where there are no products, or too few trials to trust them, it is what it
    /// can be at most whatever the dependence: the standard deviation of a sum is no more than the sum of the
    /// standard deviations.
    fn contrast(&self, more: &[usize], less: &[usize]) -> Form {
        debug_assert_eq!(more.len(), less.len());
        let sum = |cells: &[usize]| cells.iter().map(|&cell| self.cells[cell].sum).sum::<u128>();
        let (plus, minus) = (sum(more), sum(less));
        let scale = more.len().max(1) as f64;
        let size = plus.abs_diff(minus) as f64 / self.trials.max(1) as f64 / scale;
        let at_most = || more.iter().chain(less).map(|&cell| self.moments(cell).1).sum();
        let std_dev: f64 = self.paired_deviation(more, less).unwrap_or_else(at_most);
        Form {
            value: if plus < minus { -size } else { size },
            std_error: (self.trials > 1).then(|| std_dev / scale / (self.trials as f64).sqrt()),
        }
    }

    /// The standard deviation of the sum of some cells less the sum of others, from the products.
    fn paired_deviation(&self, more: &[usize], less: &[usize]) -> Option<f64> {
        let products = self.products.as_ref().filter(|products| products.trials > 1)?;
        let sum = |cells: &[usize]| cells.iter().map(|&cell| products.sum(cell)).sum::<u128>();
        let block = |rows: &[usize], columns: &[usize]| -> u128 {
            rows.iter().flat_map(|&a| columns.iter().map(move |&b| products.product(a, b))).sum()
        };
        let squares = (block(more, more) + block(less, less)).saturating_sub(2 * block(more, less));
        let all = || more.iter().chain(less).map(|&cell| &self.cells[cell]);
        let (min, max) = (all().map(|cell| cell.min).min()?, all().map(|cell| cell.max).max()?);
        let widest = f64::from(max - min) * more.len() as f64;
        let is_enough = squares as f64 >= ENOUGH * widest * widest;
        let (_, std_dev) = moments(products.trials, sum(more).abs_diff(sum(less)), squares);
        (products.trials == self.trials || is_enough).then_some(std_dev)
    }
}
