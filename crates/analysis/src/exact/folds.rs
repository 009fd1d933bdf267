//! Folds of the walk: the moments reached, bounds of values, or formulas for bounds that are not yet known.

use stopwise_engine::game::Game;

use super::walk::{Fold, Moment};

/// A lower and an upper bound.
pub(super) type Bounds = [f64; 2];

/// The length of formulas.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Extent {
    steps: usize,
    parts: usize,
}

impl Extent {
    /// The size of the formulas in bytes.
    pub(super) fn bytes(self) -> usize {
        self.steps * (size_of::<Step>() + size_of::<Bounds>()) + self.parts * size_of::<(u32, f64)>()
    }
}

impl std::ops::AddAssign for Extent {
    fn add_assign(&mut self, more: Self) {
        self.steps += more.steps;
        self.parts += more.parts;
    }
}

/// Lists the moments that a moment leads to, and measures its formula.
pub(super) struct Discover<'f, G: Game> {
    pub(super) found: &'f mut Vec<Moment<G>>,
    pub(super) extent: Extent,
}

impl<G: Game> Fold<G> for Discover<'_, G> {
    type Worth = ();

    fn known(&mut self, _: f64) {
        self.extent.steps += 1;
    }

    fn remembered(&mut self, moment: Moment<G>, _: f64) {
        self.extent.steps += 1;
        self.found.push(moment);
    }

    fn better(&mut self, (): (), (): (), _: bool) {
        self.extent.steps += 1;
    }

    fn mean(&mut self, parts: &[((), f64)], _: f64) {
        self.extent.steps += 1;
        self.extent.parts += parts.len();
    }
}

/// Computes the bounds of a moment from those of the moments it leads to.
pub(super) struct Evaluate<L> {
    pub(super) look_up: L,
}

impl<G: Game, L: Fn(Moment<G>) -> Bounds> Fold<G> for Evaluate<L> {
    type Worth = Bounds;

    fn known(&mut self, worth: f64) -> Bounds {
        [worth; 2]
    }

    fn remembered(&mut self, moment: Moment<G>, reward: f64) -> Bounds {
        (self.look_up)(moment).map(|bound| bound + reward)
    }

    fn better(&mut self, a: Bounds, b: Bounds, wants_more: bool) -> Bounds {
        better(a, b, wants_more)
    }

    fn mean(&mut self, parts: &[(Bounds, f64)], total: f64) -> Bounds {
        mean(parts.iter().copied(), total)
    }
}

/// Inlined into the sweeps of other crates, which spend half of their time here.
#[inline]
fn better(a: Bounds, b: Bounds, wants_more: bool) -> Bounds {
    if wants_more { [a[0].max(b[0]), a[1].max(b[1])] } else { [a[0].min(b[0]), a[1].min(b[1])] }
}

fn mean(parts: impl Iterator<Item = (Bounds, f64)>, total: f64) -> Bounds {
    let sum =
        parts.fold([0.0; 2], |sum, (worth, weight)| [sum[0] + weight * worth[0], sum[1] + weight * worth[1]]);
    sum.map(|bound| bound / total)
}

/// One step of the formulas of a stage.
#[derive(Clone, Copy, Debug)]
enum Step {
    Known(Bounds),
    /// A moment of the same stage, plus a reward.
    Here(u32, f64),
    Better(u32, u32, bool),
    /// The mean of parts: the index of the first one, their number, their total weight.
    Mean(u32, u32, f64),
}

/// The bounds of a moment, or its place in the current stage.
pub(super) enum Found {
    /// Known.
    Known(Bounds),
    /// In the current stage, under this number.
    Here(u32),
}

/// The formulas of the moments of a stage, compiled once and evaluated in every sweep.
pub(super) struct Formulas<L> {
    pub(super) find: L,
    steps: Vec<Step>,
    parts: Vec<(u32, f64)>,
    /// The end of each moment's formula.
    ends: Vec<usize>,
    values: Vec<Bounds>,
}

impl<L> Formulas<L> {
    /// Formulas for this number of moments, with this total length.
    pub(super) fn new(find: L, extent: Extent, moments: usize) -> Self {
        Self {
            find,
            steps: Vec::with_capacity(extent.steps),
            parts: Vec::with_capacity(extent.parts),
            ends: Vec::with_capacity(moments),
            values: Vec::with_capacity(extent.steps),
        }
    }

    /// Marks the formula of the current moment as complete.
    pub(super) fn end(&mut self) {
        self.ends.push(self.steps.len());
        self.values.resize(self.steps.len(), [0.0; 2]);
    }

    /// Evaluates the formula of moment `number`, given the bounds of all moments of the stage.
    pub(super) fn evaluate(&mut self, number: usize, here: &[Bounds]) -> Bounds {
        let start = if number == 0 { 0 } else { self.ends[number - 1] };
        for at in start..self.ends[number] {
            self.values[at] = match self.steps[at] {
                Step::Known(bounds) => bounds,
                Step::Here(moment, reward) => here[moment as usize].map(|bound| bound + reward),
                Step::Better(a, b, wants_more) => {
                    better(self.values[a as usize], self.values[b as usize], wants_more)
                }
                Step::Mean(from, count, total) => {
                    let parts = &self.parts[from as usize..(from + count) as usize];
                    mean(parts.iter().map(|&(step, weight)| (self.values[step as usize], weight)), total)
                }
            };
        }
        self.values[self.ends[number] - 1]
    }

    fn push(&mut self, step: Step) -> u32 {
        self.steps.push(step);
        index(self.steps.len() - 1)
    }
}

/// An index. A stage has fewer than 2³² steps, each of which takes 24 bytes of memory.
fn index(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

impl<G: Game, L: FnMut(Moment<G>) -> Found> Fold<G> for Formulas<L> {
    type Worth = u32;

    fn known(&mut self, worth: f64) -> u32 {
        self.push(Step::Known([worth; 2]))
    }

    fn remembered(&mut self, moment: Moment<G>, reward: f64) -> u32 {
        match (self.find)(moment) {
            Found::Known(bounds) => self.push(Step::Known(bounds.map(|bound| bound + reward))),
            Found::Here(number) => self.push(Step::Here(number, reward)),
        }
    }

    fn better(&mut self, a: u32, b: u32, wants_more: bool) -> u32 {
        self.push(Step::Better(a, b, wants_more))
    }

    fn mean(&mut self, parts: &[(u32, f64)], total: f64) -> u32 {
        let from = index(self.parts.len());
        self.parts.extend_from_slice(parts);
        self.push(Step::Mean(from, index(parts.len()), total))
    }
}
