//! Folds of the walk: the moments reached, bounds of values, or formulas for bounds that are not yet known.

use stopwise_engine::game::Game;

use super::Solution;
use super::ahead::Ahead;
use super::bounds::{Bounds, better, mean};
use super::formulas::{Extent, Formulas, Term};
use super::walk::{Fold, Moment};

/// Lists what moments lead to, and measures their formulas.
pub(super) struct Discover<'f, G: Game> {
    pub(super) solution: &'f Solution<G>,
    pub(super) ahead: &'f mut Ahead<G>,
    pub(super) extent: Extent,
}

impl<G: Game> Fold<G> for Discover<'_, G> {
    type Worth = ();

    fn known(&mut self, _: f64) {
        self.extent.steps += 1;
    }

    fn remembered(&mut self, moment: Moment<G>, _: f64) {
        self.extent.steps += 1;
        let _ = self.ahead.add(self.solution.found(moment));
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

impl<G: Game, L: FnMut(Moment<G>) -> Bounds> Fold<G> for Evaluate<L> {
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

/// Compiles the formula of a moment.
pub(super) struct Compile<'f, L> {
    /// The term of a moment.
    pub(super) find: L,
    pub(super) formulas: &'f mut Formulas,
}

impl<G: Game, L: FnMut(Moment<G>) -> Term> Fold<G> for Compile<'_, L> {
    type Worth = u32;

    fn known(&mut self, worth: f64) -> u32 {
        self.formulas.push(Term::Known([worth; 2]))
    }

    fn remembered(&mut self, moment: Moment<G>, reward: f64) -> u32 {
        let step = (self.find)(moment).plus(reward);
        self.formulas.push(step)
    }

    fn better(&mut self, a: u32, b: u32, wants_more: bool) -> u32 {
        self.formulas.push(Term::Better(a, b, wants_more))
    }

    fn mean(&mut self, parts: &[(u32, f64)], total: f64) -> u32 {
        self.formulas.push_mean(parts, total)
    }
}
