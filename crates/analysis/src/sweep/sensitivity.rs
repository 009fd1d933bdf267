//! Main effects: the effect of each axis of a grid.

use std::cell::Cell;

use stopwise_engine::game::Better;

use super::{ALPHA, Cells, LinearForm, Reach};
use crate::estimate::{Estimate, Interval, Level, Method};

/// A level of an axis: the mean over all cells with this level, with equal weights.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LevelEffect {
    /// The mean.
    pub mean: f64,
    /// Its mean minus that of the first level; `None` for the first level.
    pub more: Option<Estimate>,
}

/// The effect of an axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Effect {
    /// Its levels, in order.
    pub levels: Vec<LevelEffect>,
    /// The level with the best mean.
    pub best: usize,
    /// The level with the worst mean.
    pub worst: usize,
    /// The distance between the greatest and the least mean, 0 or more. The interval is for the distance between the
    /// levels that truly have the greatest and the least mean; `None` after a single trial, or if there is one level.
    pub range: Estimate,
}

/// The effects of all axes of a grid. `axes` is the number of levels of each axis; cells are in order, the last axis
/// varying fastest.
///
/// The intervals of all differences between two levels of an axis, for all axes, hold simultaneously with probability
/// 1 − [`ALPHA`] (Bonferroni), so that any of them may be selected afterwards.
///
/// # Panics
///
/// If the number of cells is not that of the grid.
pub fn sensitivities(cells: &Cells, axes: &[usize], better: Better) -> Vec<Effect> {
    assert_eq!(axes.iter().product::<usize>(), cells.count(), "a cell a point");
    let differences = axes.iter().map(|levels| levels * (levels - 1) / 2).sum();
    let reach = cells.reach(differences);
    let level = Level::new(ALPHA).among(differences);
    (0..axes.len()).map(|axis| effect(cells, &groups(axes, axis), better, (reach, level))).collect()
}

/// The cells of every level of an axis.
fn groups(axes: &[usize], axis: usize) -> Vec<Vec<usize>> {
    let cells: usize = axes.iter().product();
    let step: usize = axes[axis + 1..].iter().product();
    let of_level = |level| (0..cells).filter(move |cell| cell / step % axes[axis] == level).collect();
    (0..axes[axis]).map(of_level).collect()
}

fn effect(cells: &Cells, groups: &[Vec<usize>], better: Better, (reach, level): (Reach, Level)) -> Effect {
    let has_paired = Cell::new(false);
    let difference = |a: usize, b: usize| {
        let LinearForm { value, interval, is_paired } = cells.contrast(&groups[a], &groups[b], reach);
        has_paired.set(has_paired.get() || is_paired);
        let method = Method::AllLevels(cells.pairing(is_paired));
        Estimate { value, interval: interval.bounded(), method, level }
    };
    let mean =
        |group: &Vec<usize>| group.iter().map(|&cell| cells.mean(cell)).sum::<f64>() / group.len() as f64;
    let of_level = |level: usize| LevelEffect {
        mean: mean(&groups[level]),
        more: (level > 0).then(|| difference(level, 0)),
    };
    let levels: Vec<_> = (0..groups.len()).map(of_level).collect();
    let extreme = |is_beyond: fn(f64, f64) -> bool| {
        let beyond = |found: usize, level: usize| {
            if is_beyond(levels[level].mean, levels[found].mean) { level } else { found }
        };
        (0..levels.len()).fold(0, beyond)
    };
    let (greatest, least) = (extreme(|a, b| a > b), extreme(|a, b| a < b));
    // Of each level, the others that it may differ from most.
    let ends = cells.ends(groups.iter().map(Vec::as_slice).enumerate(), 1.0, reach);
    let others = |level: usize| -> Vec<usize> {
        match &ends {
            Some(ends) => ends.least(level).collect(),
            None => (0..levels.len()).filter(|&other| other != level).collect(),
        }
    };
    let intervals: Vec<_> = (0..levels.len())
        .flat_map(|a| others(a).into_iter().map(move |b| (a, b)))
        .filter_map(|(a, b)| difference(a, b).interval)
        .collect();
    let range = Interval {
        low: intervals.iter().map(|interval| interval.low).fold(0.0, f64::max),
        high: intervals.iter().map(|interval| interval.high).fold(0.0, f64::max),
    };
    let method = Method::AllLevels(cells.pairing(has_paired.get()));
    let nothing = Estimate { value: 0.0, interval: None, method, level };
    let farthest = if greatest == least { nothing } else { difference(greatest, least) };
    let (best, worst) = match better {
        Better::Higher => (greatest, least),
        Better::Lower => (least, greatest),
    };
    let is_known = !intervals.is_empty();
    Effect {
        best,
        worst,
        range: Estimate { interval: is_known.then_some(range), method, ..farthest },
        levels,
    }
}
