//! The best cell, and those that may be best as well.

use stopwise_engine::game::Better;

use super::{ALPHA, Cells, Form};
use crate::estimate::Interval;
use crate::normal::upper;

/// A cell against the best of the others.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Standing {
    /// How much worse its mean is than the best mean of the others; below 0 it is better by so much. In the unit of the
    /// metric, and nothing if there are no others.
    pub loss: Option<f64>,
    /// The interval of the loss, simultaneous with those of all other cells; `None` if nothing is known.
    pub interval: Option<Interval>,
    /// Whether it may be the best.
    pub is_possible: bool,
}

/// Every cell against the best of the others.
#[derive(Clone, Debug, PartialEq)]
pub struct Best {
    /// The cell with the best mean; of equal ones the first.
    pub cell: usize,
    /// All cells, in their order.
    pub standings: Vec<Standing>,
}

impl Best {
    /// The cells that may be the best, but for the one that looks best.
    pub fn ties(&self) -> impl Iterator<Item = usize> {
        let possible = self.standings.iter().enumerate().filter(|(_, standing)| standing.is_possible);
        possible.map(|(cell, _)| cell).filter(|&cell| cell != self.cell)
    }
}

/// Compares every cell with the best of the others; `None` without cells.
///
/// Multiple comparisons with the best (Hsu, Ann. Statist. 9, 1981, 1026–1034; for unequal deviations Edwards and Hsu, J. Am.
/// Stat. Assoc. 78, 1983, 965–971; on common dice Nelson and Matejcik, Manag. Sci. 41, 1995, 1935–1945), with Bonferroni's
/// factor over the *k* − 1 comparisons of the cell that truly is best: with probability 1 − [`ALPHA`] it is among those
/// that may be best, and all intervals hold, although the cell that looks best was chosen from the same trials. A
/// cell is out if some other is better by more than the chance of a one-sided test at α / (*k* − 1) allows.
pub fn best(cells: &Cells, better: Better) -> Option<Best> {
    let count = cells.count();
    if count == 0 {
        return None;
    }
    let sign = match better {
        Better::Higher => 1.0,
        Better::Lower => -1.0,
    };
    let means: Vec<_> = (0..count).map(|cell| sign * cells.mean(cell)).collect();
    let first_of = |best: usize, cell: usize| if means[cell] > means[best] { cell } else { best };
    let others = |cell: usize| (0..count).filter(move |&other| other != cell);
    let z = upper(ALPHA / (count - 1).max(1) as f64);
    // What a cell has more than another: by the trials, at least, at most.
    let lead = |cell: usize, other: usize| {
        let Form { value, std_error } = cells.contrast(&[cell], &[other]);
        let half = std_error.map_or(f64::INFINITY, |error| z * error);
        Interval { low: sign * value - half, high: sign * value + half }
    };
    // The most that each can be better than all others together: less than 0 is out.
    let most = |cell| others(cell).map(|other| lead(cell, other).high).fold(f64::INFINITY, f64::min);
    let most: Vec<_> = (0..count).map(most).collect();
    let possible: Vec<_> = (0..count).filter(|&cell| most[cell] >= 0.0).collect();
    let standing = |cell: usize| {
        let rivals = possible.iter().filter(|&&rival| rival != cell);
        let least = rivals.map(|&rival| lead(cell, rival).low).fold(0.0, f64::min);
        let interval = Interval { low: -most[cell].max(0.0), high: -least };
        let loss = others(cell).map(|other| means[other]).reduce(f64::max).map(|other| other - means[cell]);
        Standing {
            loss,
            // Adding 0 takes the sign from a negative zero.
            interval: (interval.low.is_finite() && interval.high.is_finite())
                .then_some(Interval { low: interval.low + 0.0, high: interval.high + 0.0 }),
            is_possible: most[cell] >= 0.0,
        }
    };
    let standings = (0..count).map(standing).collect();
    Some(Best { cell: (0..count).fold(0, first_of), standings })
}
