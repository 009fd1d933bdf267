//! Folds of the walk: the moments reached, bounds of values, or formulas for bounds that are not yet known.

use stopwise_engine::game::Game;

use super::bounds::{Bounds, better, mean};
use super::formulas::{Extent, Formulas, Term};
use super::walk::{Fold, Moment};

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

/// The bounds of a moment, or its place in the current stage.
pub(super) enum Found {
    /// Known.
    Known(Bounds),
    /// In the current stage, under this number.
    Here(u32),
}

/// Compiles the formula of a moment.
pub(super) struct Compile<'f, L> {
    pub(super) find: L,
    pub(super) formulas: &'f mut Formulas,
}

impl<G: Game, L: FnMut(Moment<G>) -> Found> Fold<G> for Compile<'_, L> {
    type Worth = u32;

    fn known(&mut self, worth: f64) -> u32 {
        self.formulas.push(Term::Known([worth; 2]))
    }

    fn remembered(&mut self, moment: Moment<G>, reward: f64) -> u32 {
        let step = match (self.find)(moment) {
            Found::Known(bounds) => Term::Known(bounds.map(|bound| bound + reward)),
            Found::Here(number) => Term::Here(number, reward),
        };
        self.formulas.push(step)
    }

    fn better(&mut self, a: u32, b: u32, wants_more: bool) -> u32 {
        self.formulas.push(Term::Better(a, b, wants_more))
    }

    fn mean(&mut self, parts: &[(u32, f64)], total: f64) -> u32 {
        self.formulas.push_mean(parts, total)
    }
}
