//! Multiple comparisons with the best cell.

use stopwise_engine::game::Better;

use super::{ALPHA, Cells, Form};
use crate::estimate::{Estimate, Interval, Level, Method, unsigned_zero};

/// A cell against the best of the others.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Standing {
    /// The amount by which its mean is worse than the best mean of the others, in the unit of the metric; negative if
    /// it is better. The interval holds simultaneously with those of all other cells. `None` if there are no others.
    pub loss: Option<Estimate>,
    /// Whether no other cell is known to be better.
    pub is_possible: bool,
}

/// Every cell against the best of the others.
#[derive(Clone, Debug, PartialEq)]
pub struct Best {
    /// The cell with the best mean; the first of equal ones.
    pub cell: usize,
    /// All cells, in their order.
    pub standings: Vec<Standing>,
}

impl Best {
    /// The cells that may be the best, other than the one with the best mean.
    pub fn ties(&self) -> impl Iterator<Item = usize> {
        let possible = self.standings.iter().enumerate().filter(|(_, standing)| standing.is_possible);
        possible.map(|(cell, _)| cell).filter(|&cell| cell != self.cell)
    }
}

/// Compares every cell with the best of the others; `None` without cells.
///
/// Multiple comparisons with the best (Hsu, Ann. Statist. 9, 1981, 1026–1034; on common dice Nelson and Matejcik,
/// Manag. Sci. 41, 1995, 1935–1945). Let *t* be the cell that truly is best, and let its differences from the *k* − 1
/// others have two-sided intervals that hold together with probability 1 − [`ALPHA`](super::ALPHA) (Bonferroni). Then
/// *t* is among the cells that may be best: those that no other is known to be better than, by such intervals. The
/// interval of a loss is the union of its intervals with each of these cells as *t*. So the correction is for *k* − 1
/// comparisons and not for all pairs, although the cell with the best mean is chosen from the same trials.
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
    let others = |cell: usize| (0..count).filter(move |&other| other != cell);
    let reach = cells.reach(count - 1);
    // By how much a cell is better than another.
    let lead = |cell: usize, other: usize| {
        let Form { value, half } = cells.contrast(&[cell], &[other], reach);
        Interval { low: sign * value - half, high: sign * value + half }
    };
    // The lead of each cell over all others if it is the best: a cell with an upper limit below 0 is not.
    let ahead = |cell| {
        let least = |least: Interval, lead: Interval| Interval {
            low: least.low.min(lead.low),
            high: least.high.min(lead.high),
        };
        let no_others = Interval { low: f64::INFINITY, high: f64::INFINITY };
        others(cell).map(|other| lead(cell, other)).fold(no_others, least)
    };
    let ahead: Vec<_> = (0..count).map(ahead).collect();
    let possible: Vec<_> = (0..count).filter(|&cell| ahead[cell].high >= 0.0).collect();
    let (method, level) = (Method::WithBest(cells.pairing()), Level::new(ALPHA).among(count - 1));
    let standing = |cell: usize| {
        let if_best = |&best: &usize| match best == cell {
            true => Interval { low: -ahead[cell].high, high: -ahead[cell].low.max(0.0) },
            false => {
                let Interval { low, high } = lead(best, cell);
                Interval { low: low.max(0.0), high }
            }
        };
        let either = |a: Interval, b: Interval| Interval { low: a.low.min(b.low), high: a.high.max(b.high) };
        let interval = possible.iter().map(if_best).reduce(either).and_then(Interval::bounded);
        let interval = interval
            .map(|Interval { low, high }| Interval { low: unsigned_zero(low), high: unsigned_zero(high) });
        let best_other = others(cell).map(|other| means[other]).reduce(f64::max);
        let loss = best_other.map(|other| Estimate { value: other - means[cell], interval, method, level });
        Standing { loss, is_possible: ahead[cell].high >= 0.0 }
    };
    let first_of = |best: usize, cell: usize| if means[cell] > means[best] { cell } else { best };
    Some(Best { cell: (0..count).fold(0, first_of), standings: (0..count).map(standing).collect() })
}
