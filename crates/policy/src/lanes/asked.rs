//! What combined predicates ask of the games on the lanes: each predicate is computed in a function that is compiled once
//! for each kind of table, and what combines them once for each instruction set.

use stopwise_engine::lanes::LaneView;
use stopwise_engine::lanes::simd::{Job, Vector16};

use super::combined::Predicates;

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

impl<S: Vector16, L: LaneView<S>> Predicates<S> for Asked<S, L> {
    fn predicate(&self, predicate: usize, out: &mut S::V) {
        *out = self.simd.outlined(Holds { view: &self.view, predicate });
    }
}
