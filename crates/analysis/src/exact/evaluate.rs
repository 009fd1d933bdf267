//! Computing every value, backwards, stage by stage.

use std::mem;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use stopwise_engine::game::Game;

use super::ahead::{Ahead, Found, Kept, Numbered};
use super::bounds::Bounds;
use super::discover::WARM;
use super::folds::{Compile, Evaluate};
use super::formulas::{Blocks, Extent, Formulas, Term};
use super::interval_iteration::close_in;
use super::parts::in_parts;
use super::stage::Stage;
use super::walk::{Moment, Walk};
use super::{ExactError, Limits, Progress, Solution};

/// The number of moments whose formulas are evaluated at once: what they ask for is to stay in the nearer caches.
const FEW: usize = 64;
const KNOWN: &str = "every moment that is reached is known";
const AGAIN: &str = "the walk asks as it did before";
impl<G: Game> Solution<G> {
    /// What is kept of what moments lead to.
    fn kept(&self, stage: u64, kept: &Numbered<'_>) -> Vec<Term> {
        let mut terms = Vec::new();
        for (number, numbers) in kept.stages() {
            let other = self.stage(number).expect(KNOWN);
            let is_own = number == stage;
            terms.extend(numbers.iter().map(|&at| other.term(at as usize, is_own)));
        }
        terms
    }

    /// The formulas of moments of a stage.
    fn formulas(
        &self,
        walk: &Walk<'_, G>,
        stage: u64,
        moments: &[Moment<G>],
        kept: Option<&Numbered<'_>>,
    ) -> Formulas {
        let mut formulas = Formulas::new(Extent::default(), moments.len());
        let mut kept = kept.map(|kept| (self.kept(stage, kept), kept.asked.iter()));
        let mut ahead = Ahead::new(0);
        for &moment in moments {
            let find = |next| match &mut kept {
                Some((terms, asked)) => terms[usize::from(*asked.next().expect(AGAIN))],
                None => Term::Here(ahead.add(self.found(next)), 0.0),
            };
            walk.moment(moment, &|state| self.key(state), &mut Compile { find, formulas: &mut formulas });
            formulas.end();
        }
        if kept.is_none() {
            let places = ahead.sort();
            let (mut terms, mut likely) = (Vec::new(), Vec::new());
            for found in ahead.stages() {
                let (other, is_own) = (self.stage(found[0].stage).expect(KNOWN), found[0].stage == stage);
                for found in found.chunks(WARM) {
                    other.warm(found, &mut likely);
                    let at = |found: &Found<G>| other.find(&found.moment.state(), found.hash).expect(KNOWN);
                    terms.extend(found.iter().map(|found| other.term(at(found), is_own)));
                }
            }
            formulas.replace(|at| terms[places[at] as usize]);
        }
        formulas
    }

    /// Computes every value, from the last stage to the first.
    pub(super) fn evaluate(
        &mut self,
        walk: &Walk<'_, G>,
        bounds: Option<Bounds>,
        limits: &Limits<'_>,
    ) -> Result<(), ExactError> {
        let mut done = 0;
        for at in (0..self.stages.len()).rev() {
            let ahead = mem::take(&mut self.stages[at].1.ahead);
            let (number, stage) = &self.stages[at];
            let (values, is_cyclic) = if stage.leads_within {
                self.close_in(walk, (*number, stage, &ahead), bounds, done, limits)?
            } else {
                (self.look_once(walk, (*number, stage, &ahead), done, limits)?, false)
            };
            done += values.len();
            self.cyclic_stages += usize::from(is_cyclic);
            self.stages[at].1.set(&values);
        }
        let value = walk.root(&mut self.evaluation());
        self.value = value;
        let [low, high] = self.value;
        if high - low > limits.width * high.abs().max(1.0) {
            let about = &walk.game.info().metrics[walk.objective.metric];
            let whole = if about.is_won() { f64::from(about.whole()) } else { 1.0 };
            return Err(ExactError::Wide { bounds: Some(self.value.map(|bound| bound / whole)) });
        }
        Ok(())
    }

    /// Backward induction: every moment leads to later stages only.
    fn look_once(
        &self,
        walk: &Walk<'_, G>,
        (number, stage, ahead): (u64, &Stage<G>, &Kept),
        done: usize,
        limits: &Limits<'_>,
    ) -> Result<Vec<Bounds>, ExactError> {
        let counted = AtomicUsize::new(done);
        let key = |state| self.key(state);
        let values = |at: Range<usize>| {
            limits.tell(Progress::Evaluate { done: counted.load(Relaxed), states: self.states })?;
            let (moments, kept) = ahead.part(at.start);
            let moments: Vec<_> = stage.moments(moments).collect();
            let values: Vec<Bounds> = if walk.turns.is_some() {
                let mut fold = self.evaluation();
                moments.iter().map(|&moment| walk.moment(moment, &key, &mut fold)).collect()
            } else if let Some(kept) = kept {
                let (terms, mut asked) = (self.kept(number, &kept), kept.asked.iter());
                let mut next = || match terms[usize::from(*asked.next().expect(AGAIN))] {
                    Term::Known(bounds) => bounds,
                    _ => unreachable!("every moment leads to later stages"),
                };
                let mut fold = Evaluate { look_up: |_| next() };
                moments.iter().map(|&moment| walk.moment(moment, &key, &mut fold)).collect()
            } else {
                let mut steps = Vec::new();
                let mut values = Vec::with_capacity(moments.len());
                for moments in moments.chunks(FEW) {
                    let formulas = self.formulas(walk, number, moments, None);
                    let value = |at| formulas.evaluate(at, |_| unreachable!(), &mut steps);
                    values.extend((0..moments.len()).map(value));
                }
                values
            };
            counted.fetch_add(values.len(), Relaxed);
            Ok(values)
        };
        Ok(in_parts(ahead.parts(), 1, &values)?.concat())
    }

    /// The values of a stage whose moments lead to others of it, and whether positions recur in it.
    fn close_in(
        &self,
        walk: &Walk<'_, G>,
        (number, stage, ahead): (u64, &Stage<G>, &Kept),
        bounds: Option<Bounds>,
        done: usize,
        limits: &Limits<'_>,
    ) -> Result<(Vec<Bounds>, bool), ExactError> {
        let moments = stage.len();
        let tell = |sweeps, closed| {
            limits.tell(Progress::CloseIn {
                sweeps,
                stage: moments,
                done: done + closed,
                states: self.states,
            })
        };
        let compile = |at: Range<usize>| {
            tell(0, 0)?;
            let (moments, kept) = ahead.part(at.start);
            let moments: Vec<_> = stage.moments(moments).collect();
            let mut formulas = self.formulas(walk, number, &moments, kept.as_ref());
            formulas.is_complete();
            Ok(formulas)
        };
        let formulas = Blocks::new(in_parts(ahead.parts(), 1, &compile)?);
        close_in(formulas, bounds, number, &tell)
    }
}
