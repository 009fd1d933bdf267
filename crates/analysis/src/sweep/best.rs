//! Multiple comparisons with the best cell.

use stopwise_engine::game::Better;

use super::{ALPHA, Cells};
use crate::estimate::{Estimate, Interval, Level, Method, Pairing, unsigned_zero};

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
    /// What is known of how they go together, and made intervals narrower.
    pub pairing: Pairing,
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
    let numbers: Vec<_> = (0..count).collect();
    let ends = |among: &mut dyn Iterator<Item = usize>| {
        cells.ends(among.map(|cell| (cell, &numbers[cell..=cell])), sign, reach)
    };
    // By how much a cell is better than another.
    let has_paired = std::cell::Cell::new(false);
    let lead = |cell: usize, other: usize| {
        let form = cells.contrast(&[cell], &[other], reach);
        has_paired.set(has_paired.get() || form.is_paired);
        form.signed(sign)
    };
    // The lead of each cell over all others if it is the best: a cell with an upper limit below 0 is not.
    let of_all = ends(&mut (0..count));
    let ahead = |cell| {
        let least = |least: Interval, other: usize| {
            let lead = lead(cell, other);
            Interval { low: least.low.min(lead.low), high: least.high.min(lead.high) }
        };
        let no_others = Interval { low: f64::INFINITY, high: f64::INFINITY };
        match &of_all {
            Some(ends) => ends.greatest(cell).fold(no_others, least),
            None => others(cell).fold(no_others, least),
        }
    };
    let ahead: Vec<_> = (0..count).map(ahead).collect();
    let possible: Vec<_> = (0..count).filter(|&cell| ahead[cell].high >= 0.0).collect();
    let of_possible = ends(&mut possible.iter().copied());
    let first_of = |best: usize, cell: usize| if means[cell] > means[best] { cell } else { best };
    let first = (0..count).fold(0, first_of);
    let second = others(first).map(|other| means[other]).reduce(f64::max);
    let pairing = cells.pairing(has_paired.get());
    let (method, level) =
        (Method::WithBest(pairing), Level::new(ALPHA).among((count - 1) * cells.statements));
    let standing = |cell: usize| {
        let if_best = |best: usize| match best == cell {
            true => Interval { low: -ahead[cell].high, high: -ahead[cell].low.max(0.0) },
            false => {
                let Interval { low, high } = lead(best, cell);
                Interval { low: low.max(0.0), high }
            }
        };
        let either = |a: Interval, b: Interval| Interval { low: a.low.min(b.low), high: a.high.max(b.high) };
        let is_possible = ahead[cell].high >= 0.0;
        let interval = match &of_possible {
            Some(ends) => ends.widest(cell).chain(is_possible.then_some(cell)).map(if_best).reduce(either),
            None => possible.iter().copied().map(if_best).reduce(either),
        };
        let interval = interval.and_then(Interval::bounded);
        let interval = interval
            .map(|Interval { low, high }| Interval { low: unsigned_zero(low), high: unsigned_zero(high) });
        let best_other = if cell == first { second } else { Some(means[first]) };
        let loss = best_other.map(|other| Estimate { value: other - means[cell], interval, method, level });
        Standing { loss, is_possible }
    };
    Some(Best { cell: first, standings: (0..count).map(standing).collect(), pairing })
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64;

    use super::super::{Cell, sensitivities};
    use super::*;

    /// Where nothing is assumed of how cells go together, few pairs are looked at. All pairs say the same, to the last bit:
    /// of cells that differ, that are equal, that are nearly so, and of which nothing is known.
    #[test]
    fn few_pairs_say_what_all_do() {
        let mut rng = Pcg64::seed_from_u64(5);
        for round in 0..400_u32 {
            let trials = [1, 2, 7, 1_000, 1 << 40][round as usize % 5];
            let count = rng.random_range(1..24_usize);
            let (means, spreads) = (1 << rng.random_range(0..8), 1 << rng.random_range(0..4));
            let cell = |rng: &mut Pcg64| {
                let (mean, off) = (rng.random_range(0..means), rng.random_range(0..2_u128));
                let n = u128::from(trials);
                let spread = if trials == 1 { 0 } else { rng.random_range(0..spreads) };
                let sum = n * mean + if trials > 2 { off } else { 0 };
                Cell {
                    sum,
                    squares: sum * sum / n + n * spread + u128::from(sum * sum % n > 0),
                    min: 0,
                    max: 300,
                    whole: None,
                }
            };
            let all = (0..count).map(|_| cell(&mut rng)).collect::<Vec<_>>();
            let cells = Cells::new(trials, all, None);
            for (better, sign) in [(Better::Higher, 1.0), (Better::Lower, -1.0)] {
                let found = best(&cells, better).expect("there are cells");
                let reach = cells.reach(count - 1);
                let lead = |a: usize, b: usize| {
                    let Interval { low, high } = cells.contrast(&[a], &[b], reach).signed(sign);
                    (low, high)
                };
                let others = |cell: usize| (0..count).filter(move |&other| other != cell);
                let least = |a: f64, b: f64| a.min(b);
                let low = |a: usize| others(a).map(|b| lead(a, b).0).fold(f64::INFINITY, least);
                let high = |a: usize| others(a).map(|b| lead(a, b).1).fold(f64::INFINITY, least);
                for (cell, standing) in found.standings.iter().enumerate() {
                    assert_eq!(standing.is_possible, high(cell) >= 0.0);
                    let of = |best: usize| match best == cell {
                        true => (-high(cell), -low(cell).max(0.0)),
                        false => (lead(best, cell).0.max(0.0), lead(best, cell).1),
                    };
                    let all: Vec<_> = (0..count).filter(|&best| high(best) >= 0.0).map(of).collect();
                    let interval = Interval {
                        low: all.iter().map(|limits| limits.0).fold(f64::INFINITY, f64::min),
                        high: all.iter().map(|limits| limits.1).fold(f64::NEG_INFINITY, f64::max),
                    };
                    let expected = (count > 1).then_some(interval).and_then(Interval::bounded);
                    assert_eq!(standing.loss.and_then(|loss| loss.interval), expected, "{cells:?}");
                }
                let effect = &sensitivities(&cells, &[count], better)[0];
                let differences = cells.reach(count * (count - 1) / 2);
                let pairs = || (0..count).flat_map(|a| others(a).map(move |b| (a, b)));
                let form = |(a, b): (usize, usize)| cells.contrast(&[a], &[b], differences);
                let expected = (count > 1 && trials > 1).then(|| Interval {
                    low: pairs().map(form).map(|form| form.interval.low).fold(0.0, f64::max),
                    high: pairs().map(form).map(|form| form.interval.high).fold(0.0, f64::max),
                });
                assert_eq!(effect.range.interval, expected.and_then(Interval::bounded));
            }
        }
    }
}
