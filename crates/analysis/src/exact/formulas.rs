//! Formulas for the bounds of moments that lead to each other, compiled once and evaluated many times.

use super::bounds::{Bounds, better, mean};

/// The length of formulas.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Extent {
    pub(super) steps: usize,
    pub(super) parts: usize,
}

impl Extent {
    /// The size of the formulas in bytes.
    pub(super) fn bytes(self) -> usize {
        self.steps * size_of::<Term>() + self.parts * size_of::<(u32, f64)>()
    }
}

impl std::ops::AddAssign for Extent {
    fn add_assign(&mut self, more: Self) {
        self.steps += more.steps;
        self.parts += more.parts;
    }
}

/// A step of a formula. It refers to earlier steps of the same formula by their number within it.
#[derive(Clone, Copy, Debug)]
pub(super) enum Term {
    Known(Bounds),
    /// A moment of the same stage, plus a reward.
    Here(u32, f64),
    Better(u32, u32, bool),
    /// The mean of parts: the index of the first one, their number, their total weight.
    Mean(u32, u32, f64),
}

impl Term {
    /// A value with a reward.
    #[inline]
    pub(super) fn plus(self, reward: f64) -> Self {
        match self {
            Self::Known(bounds) => Self::Known(bounds.map(|bound| bound + reward)),
            Self::Here(number, other) => Self::Here(number, other + reward),
            other => other,
        }
    }
}

/// The formulas of some moments, in their order.
#[derive(Debug)]
pub(super) struct Formulas {
    steps: Vec<Term>,
    parts: Vec<(u32, f64)>,
    /// The end of each moment's formula.
    ends: Vec<usize>,
    /// The start of the formula that is not complete yet.
    begun: usize,
}

impl Formulas {
    /// Room for this number of moments, with formulas of this total length.
    pub(super) fn new(extent: Extent, moments: usize) -> Self {
        Self {
            steps: Vec::with_capacity(extent.steps),
            parts: Vec::with_capacity(extent.parts),
            ends: Vec::with_capacity(moments),
            begun: 0,
        }
    }

    /// The number of complete formulas.
    fn len(&self) -> usize {
        self.ends.len()
    }

    /// Adds a step to the formula that is not complete yet. Returns its number within the formula.
    #[inline]
    pub(super) fn push(&mut self, step: Term) -> u32 {
        self.steps.push(step);
        index(self.steps.len() - 1 - self.begun)
    }

    /// Adds the mean of steps of this formula, with weights that sum to `total`.
    pub(super) fn push_mean(&mut self, parts: &[(u32, f64)], total: f64) -> u32 {
        let from = index(self.parts.len());
        self.parts.extend_from_slice(parts);
        self.push(Term::Mean(from, index(parts.len()), total))
    }

    /// Completes the formula of a moment.
    pub(super) fn end(&mut self) {
        self.begun = self.steps.len();
        self.ends.push(self.begun);
    }

    /// Gives back the memory that was set aside for more formulas.
    pub(super) fn is_complete(&mut self) {
        self.steps.shrink_to_fit();
        self.parts.shrink_to_fit();
    }

    /// What formulas name by number is known, or has other numbers.
    pub(super) fn replace(&mut self, terms: impl Fn(usize) -> Term) {
        for step in &mut self.steps {
            if let Term::Here(number, reward) = *step {
                *step = terms(number as usize).plus(reward);
            }
        }
    }

    /// Moments get other numbers.
    fn renumber(&mut self, numbers: &[u32]) {
        for step in &mut self.steps {
            if let Term::Here(moment, _) = step {
                *moment = numbers[*moment as usize];
            }
        }
    }

    fn start(&self, number: usize) -> usize {
        if number == 0 { 0 } else { self.ends[number - 1] }
    }

    /// The moments of the stage that moment `number` leads to, each as often as its formula names it: the first one at
    /// or after the step `at` of the formula, and the step after it.
    fn next(&self, number: usize, at: usize) -> Option<(usize, usize)> {
        let rest = &self.steps[self.start(number) + at..self.ends[number]];
        rest.iter().zip(at + 1..).find_map(|(step, after)| match *step {
            Term::Here(moment, _) => Some((moment as usize, after)),
            _ => None,
        })
    }

    /// The steps of the formula of moment `number`, and the parts of their means.
    fn formula(&self, number: usize) -> (&[Term], &[(u32, f64)]) {
        (&self.steps[self.start(number)..self.ends[number]], &self.parts)
    }

    /// Evaluates the formula of moment `number`, given the bounds of all moments of the stage. `values` is for those of its
    /// steps.
    #[inline]
    pub(super) fn evaluate(
        &self,
        number: usize,
        here: impl Fn(usize) -> Bounds,
        values: &mut Vec<Bounds>,
    ) -> Bounds {
        let (steps, parts) = self.formula(number);
        if values.len() < steps.len() {
            values.resize(steps.len(), [0.0; 2]);
        }
        // As a slice: nothing in the loop can change its length.
        let values = &mut values[..steps.len()];
        for (at, step) in steps.iter().enumerate() {
            values[at] = match *step {
                Term::Known(bounds) => bounds,
                Term::Here(moment, reward) => {
                    let [low, high] = here(moment as usize);
                    [low + reward, high + reward]
                }
                Term::Better(a, b, wants_more) => better(values[a as usize], values[b as usize], wants_more),
                Term::Mean(from, count, total) => {
                    let parts = &parts[from as usize..(from + count) as usize];
                    mean(parts.iter().map(|&(step, weight)| (values[step as usize], weight)), total)
                }
            };
        }
        values[steps.len() - 1]
    }
}

/// The formulas of all moments of a stage, in the order of the moments: in blocks, each compiled by itself.
#[derive(Debug)]
pub(super) struct Blocks {
    blocks: Vec<Formulas>,
    /// By moment: its block, and its number there.
    places: Vec<(u32, u32)>,
}

impl Blocks {
    pub(super) fn new(blocks: Vec<Formulas>) -> Self {
        let places = blocks
            .iter()
            .zip(0..)
            .flat_map(|(block, at)| (0..index(block.len())).map(move |number| (at, number)));
        Self { places: places.collect(), blocks }
    }

    /// The number of moments.
    pub(super) fn len(&self) -> usize {
        self.places.len()
    }

    /// The moments that formulas lead to get other numbers.
    pub(super) fn renumber(&mut self, numbers: &[u32]) {
        self.blocks.iter_mut().for_each(|block| block.renumber(numbers));
    }

    #[inline]
    fn place(&self, number: usize) -> (&Formulas, usize) {
        let (block, number) = self.places[number];
        (&self.blocks[block as usize], number as usize)
    }

    /// [`Formulas::next`].
    #[inline]
    pub(super) fn next(&self, number: usize, at: usize) -> Option<(usize, usize)> {
        let (block, number) = self.place(number);
        block.next(number, at)
    }

    /// All moments that moment `number` leads to.
    pub(super) fn successors(&self, number: usize) -> impl Iterator<Item = usize> + '_ {
        let mut at = 0;
        std::iter::from_fn(move || {
            let (next, after) = self.next(number, at)?;
            at = after;
            Some(next)
        })
    }

    /// [`Formulas::formula`].
    pub(super) fn formula(&self, number: usize) -> (&[Term], &[(u32, f64)]) {
        let (block, number) = self.place(number);
        block.formula(number)
    }

    /// [`Formulas::evaluate`].
    #[inline]
    pub(super) fn evaluate(
        &self,
        number: usize,
        here: impl Fn(usize) -> Bounds,
        values: &mut Vec<Bounds>,
    ) -> Bounds {
        let (block, number) = self.place(number);
        block.evaluate(number, here, values)
    }
}

/// An index. A stage has fewer than 2³² steps, each of which takes 24 bytes of memory.
fn index(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
