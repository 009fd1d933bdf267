//! What flat code asks of the games on the lanes: features and predicates, each computed in a function that is compiled
//! once for each kind of table. The code that evaluates them is then compiled once for each width of lanes and
//! instruction set, and not for each game, number of seats and question.

use std::cell::Cell;

use stopwise_engine::lanes::simd::{Job, Vector, Vector16};
use stopwise_engine::lanes::{LaneView, widened};

use super::code::{Columns, Op};
use super::combined::Predicates;
use super::small::SmallCode;

/// A job that computes a feature in 32 bits, where it is no small number.
struct Wide<L> {
    view: L,
    feature: usize,
}

impl<S: Vector, L: LaneView<S>> Job<S> for Wide<L> {
    type Output = S::Column;

    #[inline(always)]
    fn run(self, simd: S) -> S::Column {
        self.view.column(simd, self.feature)
    }
}

/// A job that widens the lanes to 32 bits.
struct Widened<V>(V);

impl<S: Vector> Job<S> for Widened<S::V> {
    type Output = S::Column;

    #[inline(always)]
    fn run(self, simd: S) -> S::Column {
        widened(simd, self.0)
    }
}

/// A job that computes the actions for which a predicate holds.
struct Holds<'v, L> {
    view: &'v L,
    predicate: usize,
}

impl<S: Vector16, L: LaneView<S>> Job<S> for Holds<'_, L> {
    type Output = S::V;

    #[inline(always)]
    fn run(self, simd: S) -> S::V {
        self.view.predicate(simd, self.predicate)
    }
}

/// The games on the lanes, with their instruction set. A copy of the view: one whose address is taken would be written
/// to memory at every question, whether it is asked in this way or not.
pub(super) struct Asked<S, L> {
    pub(super) simd: S,
    pub(super) view: L,
}

impl<S: Vector, L: LaneView<S>> Columns<S> for Asked<S, L> {
    fn column(&self, feature: usize, out: &mut S::Column) {
        let Self { simd, view } = *self;
        // Small numbers are already compiled for small code.
        let (ops, misfit) = (&[Op::Feature(feature)], &Cell::new(false));
        let number = simd.outlined(SmallCode { ops, view, misfit: Some(misfit) });
        *out = match misfit.get() {
            false => simd.outlined(Widened(number)),
            true => simd.outlined(Wide { view, feature }),
        };
    }
}

impl<S: Vector16, L: LaneView<S>> Predicates<S> for Asked<S, L> {
    fn predicate(&self, predicate: usize, out: &mut S::V) {
        *out = self.simd.outlined(Holds { view: &self.view, predicate });
    }
}
