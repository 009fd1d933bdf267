//! Finding every position, forwards, stage by stage.

use std::mem;
use std::ops::Range;
use std::time::{Duration, Instant};

use stopwise_engine::game::{Game, Question};
use stopwise_engine::places::index;

use super::ahead::Ahead;
use super::by_stage::ByStage;
use super::folds::Discover;
use super::formulas::Extent;
use super::parts::in_parts;
use super::size_bound::Sample;
use super::stage::{Known, Stage};
use super::walk::{Moment, Walk};
use super::{ExactError, Limits, Progress, Size, Solution};

/// The number of moments searched before their successors are added, which bounds the memory for successors.
const CHUNK: usize = 1 << 14;
/// The number of moments that a thread searches between two progress reports.
const LOOK: usize = 512;
/// Where each is a turn, which leads to thousands of positions, both numbers are so many times less.
const TURNS: usize = 32;
/// The number of moments that are looked for at a time.
pub(super) const WARM: usize = 256;
/// The most states that are looked at to tell why there are so many.
const LOOKED_AT: usize = 100_000;
/// The number of states, or the time, after which the size of the game is estimated.
const MANY: usize = 1_000_000;
const SOON: Duration = Duration::from_secs(1);

/// What some moments lead to, and the length of their formulas.
struct Searched<G: Game> {
    moments: usize,
    ahead: Ahead<G>,
    extent: Extent,
}

/// Enters what moments of a stage, `own`, lead to into the stages, and keeps it by number, as long as all takes at most `most`
/// bytes.
fn enter<G: Game>(
    searched: Vec<Searched<G>>,
    (number, own): (u64, &mut Stage<G>),
    waiting: &mut ByStage<Stage<G>>,
    known: &mut Known,
    most: usize,
) {
    let (mut likely, mut numbers) = (Vec::new(), Vec::new());
    for Searched { moments, ahead, extent } in searched {
        numbers.clear();
        for found in ahead.stages() {
            debug_assert!(found[0].stage >= number, "a step never lowers the stage");
            let is_own = found[0].stage == number;
            let stage = if is_own { &mut *own } else { waiting.of(found[0].stage) };
            stage.leads_within |= is_own;
            for found in found.chunks(WARM) {
                stage.warm(found, &mut likely);
                numbers.extend(found.iter().map(|found| index(known.add(stage, found))));
            }
        }
        own.extent += extent;
        let bytes = own.ahead.bytes();
        own.ahead.add(moments, &ahead, &numbers, most.saturating_sub(known.size.bytes + known.ahead));
        known.ahead += own.ahead.bytes() - bytes;
    }
}

impl<G: Game> Solution<G> {
    /// Finds every moment, stage by stage; the moments of a stage are searched in parallel. Returns the size of all.
    pub(super) fn discover(&mut self, walk: &Walk<'_, G>, limits: &Limits<'_>) -> Result<Size, ExactError> {
        let mut waiting: ByStage<Stage<G>> = ByStage::default();
        let (began, mut known) = (Instant::now(), Known::default());
        let turns = self.turns.clone();
        let few = if turns.is_some() { TURNS } else { 1 };
        let mut ahead = Ahead::new(0);
        // What turns lead to is looked for again.
        let mut most = if turns.is_some() { 0 } else { limits.bytes / 2 };
        if self.symmetric {
            let states = self.game.states_at_least();
            let bytes = states.saturating_mul(Stage::<G>::STATE);
            limits.check(Size { states_at_least: states, bytes, ..Size::default() })?;
        }
        walk.root(&mut Discover { solution: self, ahead: &mut ahead, extent: Extent::default() });
        walk.fault()?;
        for found in ahead.stages().flatten() {
            known.add(waiting.of(found.stage), found);
        }
        while let Some((number, mut stage)) = waiting.pop_first() {
            let (mut at, mut searched) = (0, Vec::<Searched<G>>::new());
            // What the last moments lead to is entered while the next ones are searched.
            while at < stage.len() || !searched.is_empty() {
                let end = stage.len().min(at + CHUNK / few);
                let moments: Vec<_> = stage.moments(at..end).collect();
                at = end;
                let (size, last) = (known.with_closing(), mem::take(&mut searched));
                let ((), next) = rayon::join(
                    || enter(last, (number, &mut stage), &mut waiting, &mut known, most),
                    || self.successors(walk, &moments, LOOK / few, size, limits),
                );
                searched = next?;
                known.beside = searched.iter().map(|part| part.ahead.bytes()).sum();
                known.beside += turns.as_ref().map_or(0, |turns| turns.bytes());
                limits.tell(Progress::Find { size })?;
                walk.fault()?;
                if stage.leads_within && turns.is_some() {
                    return Err(ExactError::TurnByTurn);
                }
                if stage.leads_within {
                    known.closing = known.closing.max(stage.closing());
                }
                if known.with_closing().bytes > limits.bytes {
                    let stages = self.stages.iter_mut().map(|(_, stage)| stage).chain([&mut stage]);
                    stages.for_each(|stage| stage.ahead.forget());
                    (known.ahead, most) = (0, 0);
                }
                limits.check(known.with_closing()).map_err(|error| self.with_varied(error, &stage))?;
                let is_large = known.size.states >= MANY || began.elapsed() > SOON;
                if is_large && known.size.states_at_least == 0 {
                    known.size.stages_at_least = known.size.stages + 1 + waiting.len();
                    // The formulas of states that are not known yet may be shorter.
                    let formula = if stage.leads_within { stage.closing() / at / 2 } else { 0 };
                    let state = Stage::<G>::STATE + formula;
                    let size = self
                        .sample(walk, known.with_closing(), state, limits)
                        .map_err(|error| self.with_varied(error, &stage))?;
                    (known.size.states_at_least, known.size.stages_at_least) =
                        (size.states_at_least, size.stages_at_least);
                }
            }
            stage.is_complete();
            self.stages.push((number, stage));
            known.size.stages += 1;
        }
        self.states = known.size.states;
        Ok(known.size)
    }

    /// An error, with the variables that have most values in what is found: all stages, and the one that is being searched.
    fn with_varied(&self, mut error: ExactError, stage: &Stage<G>) -> ExactError {
        if let ExactError::TooLarge { varied, .. } = &mut error {
            let stages = || self.stages.iter().map(|(_, stage)| stage).chain([stage]);
            let moments: usize = stages().map(Stage::len).sum();
            let found = stages().flat_map(|stage| stage.moments(0..stage.len()));
            let looked_at = found.step_by(moments / LOOKED_AT + 1);
            *varied = self.game.varied(&mut looked_at.map(|moment| moment.state()));
        }
        error
    }

    /// Estimates the size of the game from a sample, given the bytes of a state.
    fn sample(
        &self,
        walk: &Walk<'_, G>,
        found: Size,
        state: usize,
        limits: &Limits<'_>,
    ) -> Result<Size, ExactError> {
        let choose = |state, question: Question| {
            walk.seats[question.seat].map(|policy| policy.choose(walk.game, state, question))
        };
        let key = |state| self.key(state);
        let turns = self.turns.as_ref().map(|_| &self.objective);
        let sample = Sample { game: walk.game, key: &key, choose: &choose, asks: turns.is_none(), turns };
        sample.size(found, state, limits)
    }

    /// The successors of some moments, found in parallel, and the length of the moments' formulas.
    fn successors(
        &self,
        walk: &Walk<'_, G>,
        moments: &[Moment<G>],
        look: usize,
        size: Size,
        limits: &Limits<'_>,
    ) -> Result<Vec<Searched<G>>, ExactError> {
        let search = |part: Range<usize>| {
            limits.tell(Progress::Find { size })?;
            Ok(self.search(walk, &moments[part]))
        };
        in_parts(moments.len(), look, &search)
    }

    fn search(&self, walk: &Walk<'_, G>, moments: &[Moment<G>]) -> Searched<G> {
        let mut ahead = Ahead::new(moments.len());
        let mut fold = Discover { solution: self, ahead: &mut ahead, extent: Extent::default() };
        moments.iter().for_each(|&moment| walk.moment(moment, &|state| self.key(state), &mut fold));
        let extent = fold.extent;
        ahead.sort();
        Searched { moments: moments.len(), ahead, extent }
    }
}
