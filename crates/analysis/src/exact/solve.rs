//! Best play, stage by stage: states are found forwards, values computed backwards.
//!
//! Where no state of a stage leads to its own stage, each value takes one evaluation (backward induction). Otherwise
//! positions recur, and the values of the stage are closed in from both sides (`closing`). The width at the end is the
//! error, up to rounding.
//!
//! Under best play, states that are equal by symmetry are merged (`Game::canonical`: CarboniteDice sorts its colours),
//! and decisions at which many paths meet are stored like rolls (`Game::ask_again`).

use std::cell::Cell;
use std::mem;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

use stopwise_engine::game::{Action, Game, Node, Policy, Question};
use stopwise_engine::kept::{self, Covers};
use stopwise_engine::look_ahead::{Values, Worths};

use super::ahead::{Ahead, Found, Kept, Numbered};
use super::bounds::Bounds;
use super::by_stage::ByStage;
use super::folds::{Compile, Discover, Evaluate};
use super::formulas::{Blocks, Extent, Formulas, Term};
use super::interval_iteration::close_in;
use super::parts::in_parts;
use super::places::{hash, index};
use super::size_bound::Sample;
use super::stage::{Known, Stage};
use super::turn::Turns;
use super::walk::{Moment, Shared, Walk};
use super::{ExactError, Limits, Objective, Progress, Size};

/// The number of moments searched before their successors are added, which bounds the memory for successors.
const CHUNK: usize = 1 << 14;
/// The number of moments that a thread searches or evaluates between two progress reports; and where each is a turn.
const LOOK: usize = 512;
const TURNS: usize = 16;
/// The number of moments that are looked for at a time.
const WARM: usize = 256;
/// The number of moments whose formulas are evaluated at once: what they ask for is to stay in the nearer caches.
const FEW: usize = 64;
const KNOWN: &str = "every moment that is reached is known";
const AGAIN: &str = "the walk asks as it did before";
/// The number of states, or the time, after which the size of the game is estimated.
const MANY: usize = 1_000_000;
const SOON: Duration = Duration::from_secs(1);

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

/// What some moments lead to, and the length of their formulas.
struct Searched<G: Game> {
    moments: usize,
    ahead: Ahead<G>,
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
            stage.is_cyclic |= is_own;
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

    fn found(&self, moment: Moment<G>) -> Found<G> {
        Found::new(&self.game, self.stand_in(moment))
    }

    /// Finds every moment, stage by stage; the moments of a stage are searched in parallel.
    fn discover<P: Policy<G>>(
        &mut self,
        walk: &Walk<'_, G, P>,
        limits: &Limits<'_>,
    ) -> Result<(), ExactError> {
        let mut waiting: ByStage<Stage<G>> = ByStage::default();
        let (began, mut known) = (Instant::now(), Known::default());
        let mut ahead = Ahead::new(0);
        // Turns by themselves lead to thousands of positions, which are looked for again.
        let mut most = if self.turns.is_some() { 0 } else { limits.bytes / 2 };
        if self.symmetric {
            let states = self.game.states_at_least();
            let bytes = states.saturating_mul(Stage::<G>::STATE);
            limits.check(Size { states_at_least: states, bytes, ..Size::default() })?;
        }
        let key = |moment| self.found(moment);
        walk.root(&mut Discover { key, ahead: &mut ahead, extent: Extent::default() });
        walk.fault()?;
        for found in ahead.stages().flatten() {
            known.add(waiting.of(found.stage), found);
        }
        while let Some((number, mut stage)) = waiting.pop_first() {
            let (mut at, mut searched) = (0, Vec::<Searched<G>>::new());
            // What the last moments lead to is entered while the next ones are searched.
            while at < stage.len() || !searched.is_empty() {
                let end = stage.len().min(at + CHUNK);
                let moments: Vec<_> = stage.moments(at..end).collect();
                at = end;
                let (size, last) = (known.size, mem::take(&mut searched));
                let ((), next) = rayon::join(
                    || enter(last, (number, &mut stage), &mut waiting, &mut known, most),
                    || self.successors(walk, &moments, size, limits),
                );
                searched = next?;
                limits.tell(Progress::Find { size: known.size })?;
                walk.fault()?;
                if stage.is_cyclic && self.turns.is_some() {
                    return Err(ExactError::TurnByTurn);
                }
                if stage.is_cyclic {
                    known.closing = known.closing.max(stage.closing());
                }
                if known.with_closing().bytes > limits.bytes {
                    let stages = self.stages.iter_mut().map(|(_, stage)| stage).chain([&mut stage]);
                    stages.for_each(|stage| stage.ahead.forget());
                    (known.ahead, most) = (0, 0);
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
            Ok(self.search(walk, &moments[part]))
        };
        in_parts(moments.len(), if self.turns.is_some() { TURNS } else { LOOK }, &search)
    }

    fn search<P: Policy<G>>(&self, walk: &Walk<'_, G, P>, moments: &[Moment<G>]) -> Searched<G> {
        let mut ahead = Ahead::new(moments.len());
        let key = |moment| self.found(moment);
        let mut fold = Discover { key, ahead: &mut ahead, extent: Extent::default() };
        moments.iter().for_each(|&moment| walk.moment(moment, |state| self.key(state), &mut fold));
        let extent = fold.extent;
        ahead.sort();
        Searched { moments: moments.len(), ahead, extent }
    }

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
    fn formulas<P: Policy<G>>(
        &self,
        walk: &Walk<'_, G, P>,
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
            walk.moment(moment, |state| self.key(state), &mut Compile { find, formulas: &mut formulas });
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
    fn evaluate<P: Policy<G>>(
        &mut self,
        walk: &Walk<'_, G, P>,
        bounds: Option<Bounds>,
        limits: &Limits<'_>,
    ) -> Result<(), ExactError> {
        let mut done = 0;
        for at in (0..self.stages.len()).rev() {
            let ahead = mem::take(&mut self.stages[at].1.ahead);
            let (number, stage) = &self.stages[at];
            let values = if stage.is_cyclic {
                let bounds = bounds.ok_or(ExactError::Unbounded { stage: *number })?;
                self.close_in(walk, (*number, stage, &ahead), bounds, done, limits)?
            } else {
                self.look_once(walk, (*number, stage, &ahead), done, limits)?
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
                let mut fold = Evaluate { look_up: |moment| self.look_up(moment) };
                moments.iter().map(|&moment| walk.moment(moment, key, &mut fold)).collect()
            } else if let Some(kept) = kept {
                let (terms, mut asked) = (self.kept(number, &kept), kept.asked.iter());
                let mut next = || match terms[usize::from(*asked.next().expect(AGAIN))] {
                    Term::Known(bounds) => bounds,
                    _ => unreachable!("every moment leads to later stages"),
                };
                let mut fold = Evaluate { look_up: |_| next() };
                moments.iter().map(|&moment| walk.moment(moment, key, &mut fold)).collect()
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

    /// The values of a stage in which positions recur.
    fn close_in<P: Policy<G>>(
        &self,
        walk: &Walk<'_, G, P>,
        (number, stage, ahead): (u64, &Stage<G>, &Kept),
        bounds: Bounds,
        done: usize,
        limits: &Limits<'_>,
    ) -> Result<Vec<Bounds>, ExactError> {
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
        self.stages.iter().flat_map(|(_, stage)| stage.moments(0..stage.len()))
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

    /// The table of all values, in the form of a file ([`kept::Kept`]): what best play needs to answer. Of best play for all seats.
    pub fn keep(&self) -> Vec<u8> {
        let positions = self.stages.iter().flat_map(|(_, stage)| {
            stage.known().map(|(moment, [low, high])| (moment.state(), f64::midpoint(low, high)))
        });
        kept::Kept::write(&self.game, &self.objective, Covers::All, [self.middle(), self.error()], positions)
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
