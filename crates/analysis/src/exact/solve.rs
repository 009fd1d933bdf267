//! Best play, stage by stage: states are found forwards, values computed backwards.
//!
//! Where no state of a stage leads to its own stage, each value takes one evaluation (backward induction). Otherwise
//! positions recur, and the values of the stage are closed in from both sides (`closing`). The width at the end is the
//! error, up to rounding.
//!
//! Under best play, states that are equal by symmetry are merged (`Game::canonical`: CarboniteDice sorts its colours),
//! and decisions at which many paths meet are stored like rolls (`Game::ask_again`).

use std::cell::Cell;
use std::hint::black_box;
use std::mem;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

use stopwise_engine::game::{Action, Game, Node, Policy, Question};
use stopwise_engine::kept::{Covers, Kept};
use stopwise_engine::look_ahead::{Values, Worths};

use super::batch::Batch;
use super::bounds::Bounds;
use super::by_stage::ByStage;
use super::folds::{self, Compile, Discover, Evaluate};
use super::formulas::{Blocks, Extent, Formulas};
use super::interval_iteration::close_in;
use super::parts::{fill, in_parts};
use super::places::{Places, hash};
use super::size_bound::Sample;
use super::stage::{Found, Known, Stage};
use super::turn::Turns;
use super::walk::{Moment, Shared, Walk};
use super::{ExactError, Limits, Objective, Progress, Size};

/// The number of moments searched before their successors are added, which bounds the memory for successors.
const CHUNK: usize = 1 << 14;
/// The number of moments that a thread searches or evaluates between two progress reports.
const LOOK: usize = 256;
/// The number of moments that are looked for at a time.
const WARM: usize = 256;
/// The number of states, or the time, after which the size of the game is estimated.
const MANY: usize = 1_000_000;
const SOON: Duration = Duration::from_millis(400);

/// The values of all states before a roll, under best play of the free seats.
#[derive(Debug)]
pub struct Solution<G: Game> {
    pub(super) game: G,
    pub(super) objective: Objective,
    /// In their order.
    stages: Vec<(u64, Stage<G>)>,
    symmetric: bool,
    memory: u32,
    /// If only positions between turns are stored.
    turns: Option<Arc<Turns<G>>>,
    /// Bounds of the value at the start of the game; equal if no position recurs.
    pub value: Bounds,
    /// The number of stored states: those before a roll, or at which many paths meet; merged by symmetry if all seats
    /// are free.
    pub states: usize,
    /// The number of stages in which positions recur.
    pub cyclic_stages: usize,
}

/// The successors of some moments, stage by stage, and the length of their formulas.
struct Searched<G: Game> {
    found: Vec<Found<G>>,
    extent: Extent,
}

/// Solves a game. Seats with a policy follow it. A free first seat optimises the objective, and any other free seat
/// plays against it (the two-seat zero-sum game, or a best response).
///
/// # Errors
///
/// If the game is too large, has no single value, or its bounds do not converge, or if the watcher stops the walk.
pub fn solve<G: Game, P: Policy<G>>(
    game: &G,
    seats: &[Option<P>],
    objective: Objective,
    limits: Limits<'_>,
) -> Result<Solution<G>, ExactError> {
    let free = seats.iter().filter(|policy| policy.is_none()).count();
    if seats.len() > 2 && free > 1 {
        return Err(ExactError::SeveralFree);
    }
    found(game, seats, objective, limits, None)
}

/// Best play of all seats, of which only the positions between turns are stored: a turn by itself is looked at once. Others
/// are worked out when they are asked for. `None` if the game does not tell what outlasts a turn, if its turns have no steps by
/// themselves, or if positions return: their turns would have to be looked at in every sweep.
///
/// # Errors
///
/// As [`solve`].
pub fn solve_between_turns<G: Game>(
    game: &G,
    objective: Objective,
    limits: Limits<'_>,
) -> Result<Option<Solution<G>>, ExactError> {
    let Some(turns) = Turns::new(game) else { return Ok(None) };
    let turns = Arc::new(turns);
    match game.root(&mut ()) {
        Node::Chance(state, _, chance)
            if turns.of(game, &objective, state, chance).is_some_and(|turn| turn.steps.len() > 1) => {}
        _ => return Ok(None),
    }
    let free: Vec<Option<&Solution<G>>> = vec![None; game.seats()];
    match found(game, &free, objective, limits, Some(turns)) {
        Err(ExactError::TurnByTurn) => Ok(None),
        found => found.map(Some),
    }
}

fn found<G: Game, P: Policy<G>>(
    game: &G,
    seats: &[Option<P>],
    objective: Objective,
    limits: Limits<'_>,
    turns: Option<Arc<Turns<G>>>,
) -> Result<Solution<G>, ExactError> {
    let free = seats.iter().filter(|policy| policy.is_none()).count();
    let memory = seats.iter().flatten().fold(0, |memory, policy| memory | policy.memory());
    let mut solution = Solution {
        game: *game,
        objective,
        stages: Vec::new(),
        symmetric: free == seats.len(),
        memory,
        turns,
        value: [0.0; 2],
        states: 0,
        cyclic_stages: 0,
    };
    let mut walk = Walk::new(game, objective, seats);
    walk.turns.clone_from(&solution.turns);
    solution.discover(&walk, &limits)?;
    let bounds = game.bounds(objective.metric).map(|(least, most)| [least, most]);
    solution.evaluate(&walk, bounds, &limits)?;
    Ok(solution)
}

/// Enters moments into their stages; those of stage `number`, which is being searched, go to `own`.
fn enter<G: Game>(
    searched: Vec<Searched<G>>,
    number: u64,
    own: &mut Vec<Found<G>>,
    waiting: &mut ByStage<Stage<G>>,
    known: &mut Known,
) {
    let mut likely = Vec::new();
    for found in searched.iter().flat_map(|part| part.found.chunk_by(|a, b| a.stage == b.stage)) {
        if found[0].stage == number {
            own.extend_from_slice(found);
            continue;
        }
        let stage = waiting.of(found[0].stage);
        for found in found.chunks(WARM) {
            likely.clear();
            likely.extend(found.iter().filter_map(|found| stage.likely(found.hash)));
            black_box(likely.iter().fold(0, |sum, &at| sum ^ stage.touch(at)));
            found.iter().for_each(|found| known.add(stage, found));
        }
    }
}

impl<G: Game> Solution<G> {
    /// The representative of a state.
    fn key(&self, state: G::State) -> G::State {
        if self.symmetric {
            self.game.canonical(self.objective.settled(&self.game, state).1)
        } else {
            self.game.forget(state, self.memory)
        }
    }

    fn stand_in(&self, moment: Moment<G>) -> Moment<G> {
        moment.at(self.key(moment.state()))
    }

    /// Finds every moment, stage by stage; the moments of a stage are searched in parallel.
    fn discover<P: Policy<G>>(
        &mut self,
        walk: &Walk<'_, G, P>,
        limits: &Limits<'_>,
    ) -> Result<(), ExactError> {
        let mut waiting: ByStage<Stage<G>> = ByStage::default();
        let (began, mut known) = (Instant::now(), Known::default());
        let mut found = Vec::new();
        if self.symmetric {
            let states = self.game.states_at_least();
            let bytes = states.saturating_mul(Stage::<G>::STATE);
            limits.check(Size { states_at_least: states, bytes, ..Size::default() })?;
        }
        walk.root(&mut Discover { found: &mut found, extent: Extent::default() });
        walk.fault()?;
        for moment in found {
            let found = Found::new(&self.game, self.stand_in(moment));
            known.add(waiting.of(found.stage), &found);
        }
        while let Some((number, mut stage)) = waiting.pop_first() {
            let (mut at, mut searched, mut own) = (0, Vec::<Searched<G>>::new(), Vec::new());
            // What the last moments lead to is entered while the next ones are searched.
            while at < stage.len() || !searched.is_empty() {
                let end = stage.len().min(at + CHUNK);
                let moments: Vec<_> = stage.moments(at).take(end - at).collect();
                at = end;
                for part in &searched {
                    stage.extent += part.extent;
                }
                let (size, last) = (known.size, mem::take(&mut searched));
                let ((), next) = rayon::join(
                    || enter(last, number, &mut own, &mut waiting, &mut known),
                    || self.successors(walk, &moments, size, limits),
                );
                searched = next?;
                for found in own.drain(..) {
                    debug_assert!(found.stage == number, "a step never lowers the stage");
                    stage.is_cyclic = true;
                    known.add(&mut stage, &found);
                }
                limits.tell(Progress::Find { size: known.size })?;
                walk.fault()?;
                if stage.is_cyclic && self.turns.is_some() {
                    return Err(ExactError::TurnByTurn);
                }
                if stage.is_cyclic {
                    known.closing = known.closing.max(stage.closing());
                }
                limits.check(known.with_closing())?;
                // A sample does not tell positions between turns from others.
                let is_large = self.turns.is_none() && (known.size.states >= MANY || began.elapsed() > SOON);
                if is_large && known.size.states_at_least == 0 {
                    known.size.stages_at_least = known.size.stages + 1 + waiting.len();
                    // The formulas of states that are not known yet may be shorter.
                    let formula = if stage.is_cyclic { stage.closing() / at / 2 } else { 0 };
                    let state = Stage::<G>::STATE + formula;
                    let size = self.sample(walk, known.with_closing(), state, limits)?;
                    (known.size.states_at_least, known.size.stages_at_least) =
                        (size.states_at_least, size.stages_at_least);
                }
            }
            stage.is_complete();
            self.cyclic_stages += usize::from(stage.is_cyclic);
            self.stages.push((number, stage));
            known.size.stages += 1;
        }
        self.states = known.size.states;
        Ok(())
    }

    /// Estimates the size of the game from a sample, given the bytes of a state.
    fn sample<P: Policy<G>>(
        &self,
        walk: &Walk<'_, G, P>,
        found: Size,
        state: usize,
        limits: &Limits<'_>,
    ) -> Result<Size, ExactError> {
        let choose = |state, question: Question| {
            walk.seats[question.seat].as_ref().map(|policy| policy.choose(walk.game, state, question))
        };
        let key = |state| self.key(state);
        let sample = Sample { game: walk.game, key: &key, choose: &choose, asks: true };
        sample.size(found, state, limits)
    }

    /// The successors of some moments, found in parallel, and the length of the moments' formulas.
    fn successors<P: Policy<G>>(
        &self,
        walk: &Walk<'_, G, P>,
        moments: &[Moment<G>],
        size: Size,
        limits: &Limits<'_>,
    ) -> Result<Vec<Searched<G>>, ExactError> {
        let search = |part: Range<usize>| {
            limits.tell(Progress::Find { size })?;
            let mut found = Vec::new();
            let mut extent = Extent::default();
            for &moment in &moments[part] {
                let mut fold = Discover { found: &mut found, extent };
                walk.moment(moment, |state| self.key(state), &mut fold);
                extent = fold.extent;
            }
            // Many paths lead to one state: what is waiting to be entered is held once.
            let (mut places, mut distinct) = (Places::with_room(found.len() / 2), Vec::<Found<G>>::new());
            for moment in found {
                let next = Found::new(&self.game, self.stand_in(moment));
                let (state, known) = (next.moment.state(), &distinct);
                if places.add(next.hash, |at| known[at].moment.state() == state, |at| known[at].hash) {
                    distinct.push(next);
                }
            }
            distinct.sort_by_key(|found| found.stage);
            Ok(Searched { found: distinct, extent })
        };
        in_parts(moments.len(), LOOK, &search)
    }

    /// Computes every value, from the last stage to the first.
    fn evaluate<P: Policy<G>>(
        &mut self,
        walk: &Walk<'_, G, P>,
        bounds: Option<Bounds>,
        limits: &Limits<'_>,
    ) -> Result<(), ExactError> {
        let mut done = 0;
        for at in (0..self.stages.len()).rev() {
            let (number, stage) = &self.stages[at];
            let values = if stage.is_cyclic {
                let bounds = bounds.ok_or(ExactError::Unbounded { stage: *number })?;
                self.close_in(walk, *number, stage, bounds, done, limits)?
            } else {
                self.look_once(walk, stage, done, limits)?
            };
            done += values.len();
            self.stages[at].1.set(&values);
        }
        self.value = walk.root(&mut Evaluate { look_up: |moment| self.look_up(moment) });
        let [low, high] = self.value;
        if high - low > limits.width * high.abs().max(1.0) {
            return Err(ExactError::Wide);
        }
        Ok(())
    }

    pub(super) fn look_up(&self, moment: Moment<G>) -> Bounds {
        self.known(moment).expect("every moment that is reached is known")
    }

    fn known(&self, moment: Moment<G>) -> Option<Bounds> {
        self.bounds_of(self.key(moment.state()))
    }

    /// [`Solution::worths`] where only positions between turns are stored: the turn is looked at from every answer on.
    fn worths_within(&self, turns: &Arc<Turns<G>>, state: G::State, question: Question) -> Option<Vec<f64>> {
        let free: Vec<Option<&Self>> = vec![None; self.game.seats()];
        let mut walk = self.walk(&free);
        walk.turns = Some(Arc::clone(turns));
        let key = |state| self.key(state);
        let is_missing = Cell::new(false);
        let between = |moment| {
            self.known(moment).unwrap_or_else(|| {
                is_missing.set(true);
                [0.0; 2]
            })
        };
        let look_up = |moment| {
            let within = || walk.moment(self.stand_in(moment), key, &mut Evaluate { look_up: between });
            self.known(moment).unwrap_or_else(within)
        };
        let sign = if walk.wants_more(question.seat) { 1.0 } else { -1.0 };
        let worth = |action| {
            let mut fold = Evaluate { look_up };
            let [low, high] = walk.action(state, question, action, 0.0, &mut fold, &mut Shared::new(state));
            sign * f64::midpoint(low, high)
        };
        let worths = question.actions.iter().map(worth).collect();
        (!is_missing.get()).then_some(worths)
    }

    /// The steps of turns by themselves, if only positions between turns are stored.
    pub fn turn_steps(&self) -> usize {
        self.turns.as_ref().map_or(0, |turns| turns.steps())
    }

    /// The bounds of the moment of a representative state.
    fn bounds_of(&self, key: G::State) -> Option<Bounds> {
        let stage = self.stage(self.game.stage(key))?;
        Some(stage.bounds(stage.find(&key, hash(&key))?))
    }

    fn stage(&self, number: u64) -> Option<&Stage<G>> {
        let at = self.stages.binary_search_by_key(&number, |(number, _)| *number).ok()?;
        Some(&self.stages[at].1)
    }

    /// Backward induction: every moment leads to later stages only.
    fn look_once<P: Policy<G>>(
        &self,
        walk: &Walk<'_, G, P>,
        stage: &Stage<G>,
        done: usize,
        limits: &Limits<'_>,
    ) -> Result<Vec<Bounds>, ExactError> {
        let moments: Vec<_> = stage.moments(0).collect();
        let counted = AtomicUsize::new(done);
        let mut values = vec![[0.0; 2]; stage.len()];
        fill(&mut values, LOOK, &|part, values| {
            limits.tell(Progress::Evaluate { done: counted.load(Relaxed), states: self.states })?;
            let key = |state| self.key(state);
            if walk.turns.is_some() {
                for (value, &moment) in values.iter_mut().zip(&moments[part]) {
                    *value =
                        walk.moment(moment, key, &mut Evaluate { look_up: |moment| self.look_up(moment) });
                }
                counted.fetch_add(values.len(), Relaxed);
                return Ok(());
            }
            Batch::new(&self.stages).evaluate(walk, &key, &moments[part], values);
            counted.fetch_add(values.len(), Relaxed);
            Ok(())
        })?;
        Ok(values)
    }

    /// The values of a stage in which positions recur.
    fn close_in<P: Policy<G>>(
        &self,
        walk: &Walk<'_, G, P>,
        number: u64,
        stage: &Stage<G>,
        bounds: Bounds,
        done: usize,
        limits: &Limits<'_>,
    ) -> Result<Vec<Bounds>, ExactError> {
        let find = |next: Moment<G>| {
            let key = self.key(next.state());
            if self.game.stage(key) == number {
                let at = stage.find(&key, hash(&key)).expect("every moment that is reached is known");
                folds::Found::Here(u32::try_from(at).unwrap_or(u32::MAX))
            } else {
                folds::Found::Known(self.look_up(next))
            }
        };
        let moments = stage.len();
        let tell = |sweeps, closed| {
            limits.tell(Progress::CloseIn {
                sweeps,
                stage: moments,
                done: done + closed,
                states: self.states,
            })
        };
        let all: Vec<_> = stage.moments(0).collect();
        let compile = |part: Range<usize>| {
            let mut formulas = Formulas::new(Extent::default(), part.len());
            for (at, &moment) in all[part].iter().enumerate() {
                if at.is_multiple_of(LOOK) {
                    tell(0, 0)?;
                }
                walk.moment(moment, |state| self.key(state), &mut Compile { find, formulas: &mut formulas });
                formulas.end();
            }
            formulas.is_complete();
            Ok(formulas)
        };
        let formulas = Blocks::new(in_parts(moments, Blocks::MOMENTS, &compile)?);
        close_in(formulas, bounds, number, &tell)
    }

    /// The bounds of a state before a roll, or at which many paths meet; `None` for a state that this play never
    /// reaches.
    pub fn value_of(&self, state: G::State) -> Option<Bounds> {
        let settled = if self.symmetric { self.objective.settled(&self.game, state).0 } else { 0.0 };
        Some(self.bounds_of(self.key(state))?.map(|bound| bound + settled))
    }

    /// All states before a roll with their bounds, stage by stage.
    pub fn rolls(&self) -> impl Iterator<Item = (G::State, Bounds)> + '_ {
        let roll = |(moment, bounds): (Moment<G>, Bounds)| match moment {
            Moment::Roll(state, _) => Some((state, bounds)),
            Moment::Ask(..) => None,
        };
        self.stages.iter().flat_map(move |(_, stage)| stage.known().filter_map(roll))
    }

    /// All moments, stage by stage.
    pub(super) fn moments(&self) -> impl Iterator<Item = Moment<G>> + '_ {
        self.stages.iter().flat_map(|(_, stage)| stage.moments(0))
    }

    /// The error of the value: half the width of the bounds, and an allowance for rounding along a game.
    pub fn error(&self) -> f64 {
        let [low, high] = self.value;
        (high - low) / 2.0 + 1e-14 * high.abs().max(1.0)
    }

    /// The value at the start: the middle of the bounds.
    pub fn middle(&self) -> f64 {
        f64::midpoint(self.value[0], self.value[1])
    }

    /// The walk in which seats without a policy play their best.
    pub(super) fn walk<'w>(&'w self, seats: &'w [Option<&'w Self>]) -> Walk<'w, G, &'w Self> {
        Walk::new(&self.game, self.objective, seats)
    }

    /// The values of the answers to a question for the deciding seat, in the order of the actions, followed by best
    /// play. Greater is better, so values are negative if less of the metric is better. `None` if play never reaches
    /// the question.
    pub fn worths(&self, state: G::State, question: Question) -> Option<Vec<f64>> {
        if let Some(turns) = &self.turns {
            return self.worths_within(turns, state, question);
        }
        let worths = self.look_ahead(state, question)?;
        Some(worths.iter().map(|(_, worth)| worth).collect())
    }

    fn look_ahead(&self, state: G::State, question: Question) -> Option<Worths> {
        Worths::of(&self.game, &self.objective, self, state, question)
    }

    /// The best answers to a question, in the game's order: those whose values differ in no more than their last digits.
    /// Empty if play never reaches the question.
    pub(super) fn best_answers(&self, state: G::State, question: Question) -> impl Iterator<Item = Action> {
        let worths = self.look_ahead(state, question);
        worths.into_iter().flat_map(|worths| worths.answers().collect::<Vec<_>>())
    }

    /// The table of all values, in the form of a file ([`Kept`]): what best play needs to answer. Of best play for all seats.
    pub fn keep(&self) -> Vec<u8> {
        let positions = self.stages.iter().flat_map(|(_, stage)| {
            stage.known().map(|(moment, [low, high])| (moment.state(), f64::midpoint(low, high)))
        });
        Kept::write(&self.game, &self.objective, Covers::All, [self.middle(), self.error()], positions)
    }
}

/// The middles of the bounds.
impl<G: Game> Values<G> for Solution<G> {
    fn value(&self, _: &G, state: G::State) -> Option<f64> {
        self.value_of(state).map(|[low, high]| f64::midpoint(low, high))
    }
}

/// Best play of all seats: the first of the best answers, in the game's order. Against given policies it is best where no
/// other seat decides between an answer and the next roll.
impl<G: Game> Policy<G> for Solution<G> {
    fn choose(&self, _: &G, state: G::State, question: Question) -> Action {
        let first = question.actions.first();
        if question.actions.is_single() {
            return first;
        }
        self.look_ahead(state, question).and_then(|worths| worths.answers().next()).unwrap_or(first)
    }

    fn memory(&self) -> u32 {
        self.memory
    }
}
