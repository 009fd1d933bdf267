//! The values of many moments at a time.
//!
//! What a moment leads to is anywhere in memory, and waiting for it, one after the other, is most of the time that a value
//! takes. So the formulas of some moments are compiled first, what they ask for is looked up all at once, and then they are
//! evaluated.

use std::hint::black_box;

use stopwise_engine::game::{Game, Policy};

use super::bounds::Bounds;
use super::folds::{Compile, Found};
use super::formulas::{Extent, Formulas};
use super::places::hash;
use super::stage::Stage;
use super::walk::{Moment, Walk};

/// The number of moments: what they ask for is to stay in the nearer caches.
const MOMENTS: usize = 64;

/// Moments that lead to later stages only.
pub(super) struct Batch<'s, G: Game> {
    /// In their order.
    stages: &'s [(u64, Stage<G>)],
    formulas: Formulas,
    /// What they ask for: the number of its stage, the representative state and its hash.
    asked: Vec<(usize, G::State, u64)>,
    likely: Vec<(usize, u32)>,
    values: Vec<Bounds>,
    steps: Vec<Bounds>,
}

impl<'s, G: Game> Batch<'s, G> {
    pub(super) fn new(stages: &'s [(u64, Stage<G>)]) -> Self {
        let formulas = Formulas::new(Extent::default(), MOMENTS);
        Self {
            stages,
            formulas,
            asked: Vec::new(),
            likely: Vec::new(),
            values: Vec::new(),
            steps: Vec::new(),
        }
    }

    /// Computes the bounds of moments.
    pub(super) fn evaluate<P: Policy<G>>(
        mut self,
        walk: &Walk<'_, G, P>,
        key: &impl Fn(G::State) -> G::State,
        moments: &[Moment<G>],
        bounds: &mut [Bounds],
    ) {
        for (moments, bounds) in moments.chunks(MOMENTS).zip(bounds.chunks_mut(MOMENTS)) {
            self.compile(walk, key, moments);
            self.look_up();
            for (at, bounds) in bounds.iter_mut().enumerate() {
                *bounds = self.formulas.evaluate(at, |asked| self.values[asked], &mut self.steps);
            }
        }
    }

    fn compile<P: Policy<G>>(
        &mut self,
        walk: &Walk<'_, G, P>,
        key: &impl Fn(G::State) -> G::State,
        moments: &[Moment<G>],
    ) {
        let Self { stages, formulas, asked, .. } = self;
        formulas.clear();
        asked.clear();
        let mut last = (0, usize::MAX);
        for &moment in moments {
            let find = |next: Moment<G>| {
                let state = key(next.state());
                let stage = walk.game.stage(state);
                if last.1 == usize::MAX || last.0 != stage {
                    let at = stages.binary_search_by_key(&stage, |(number, _)| *number);
                    last = (stage, at.expect("every stage that is reached is known"));
                }
                asked.push((last.1, state, hash(&state)));
                Found::Here(u32::try_from(asked.len() - 1).unwrap_or(u32::MAX))
            };
            walk.moment(moment, key, &mut Compile { find, formulas: &mut *formulas });
            formulas.end();
        }
    }

    fn look_up(&mut self) {
        let Self { stages, asked, likely, values, .. } = self;
        likely.clear();
        likely.extend(
            asked.iter().filter_map(|(stage, _, hash)| Some((*stage, stages[*stage].1.likely(*hash)?))),
        );
        black_box(likely.iter().fold(0, |sum, &(stage, at)| sum ^ stages[stage].1.touch(at)));
        values.clear();
        values.extend(asked.iter().map(|(stage, state, hash)| {
            let stage = &stages[*stage].1;
            stage.bounds(stage.find(state, *hash).expect("every moment that is reached is known"))
        }));
    }
}
