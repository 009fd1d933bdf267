//! Best play, stage by stage: every state found going forward, every value going back.
//!
//! Where no state of a stage leads to its own stage, one look at each state gives its value (backward
//! induction). Otherwise positions return, and the values of the stage are closed in from both sides: starting
//! from what the metric is at least and at most, every sweep maps lower bounds to lower bounds and upper bounds
//! to upper bounds, because averaging and choosing are monotone (interval iteration: Haddad and Monmege, Theor.
//! Comput. Sci. 735, 2018; stage by stage: topological value iteration, Dai, Mausam, Weld and Goldsmith, JAIR 42,
//! 2011). The width at the end is the error, up to rounding.

use std::collections::BTreeMap;

use rayon::prelude::*;
use rustc_hash::FxHashMap;
use stopwise_engine::game::{Action, Game, Node, Policy, Question};

use super::terms::{Bounds, Found, Term, Walk, evaluate};
use super::{ExactError, Limits, Objective, Reward};

/// Sweeps after which a stage that does not close is given up.
const SWEEPS: usize = 100_000;

/// The values of all states in which dice are about to be rolled, under the play that was asked for.
#[derive(Debug)]
pub struct Solution<G: Game> {
    game: G,
    objective: Objective,
    stages: BTreeMap<u64, Stage<G>>,
    symmetric: bool,
    memory: u32,
    /// Bounds of the value at the start of the game; equal where nothing returns.
    pub value: Bounds,
    /// States in which dice are rolled, after the symmetries of the game where all seats are free.
    pub states: usize,
    /// Stages in which positions return.
    pub cyclic_stages: usize,
}

#[derive(Debug)]
struct Stage<G: Game> {
    numbers: FxHashMap<G::State, u32>,
    rolls: Vec<(G::State, G::Chance)>,
    values: Vec<Bounds>,
    is_cyclic: bool,
}

impl<G: Game> Default for Stage<G> {
    fn default() -> Self {
        Self { numbers: FxHashMap::default(), rolls: Vec::new(), values: Vec::new(), is_cyclic: false }
    }
}

/// Solves a game: seats with a policy follow it, the first seat otherwise plays its best for the objective, any
/// other free seat its worst (the two-seat zero-sum game, or a best reply).
///
/// # Errors
///
/// If the game has too many states, or its value is not one number, or cannot be closed in.
pub fn solve<G: Game, P: Policy<G>>(
    game: &G,
    seats: &[Option<P>],
    objective: Objective,
    limits: Limits,
) -> Result<Solution<G>, ExactError> {
    let free = seats.iter().filter(|policy| policy.is_none()).count();
    if seats.len() > 2 && free > 1 {
        return Err(ExactError::SeveralFree);
    }
    let memory = seats.iter().flatten().fold(0, |memory, policy| memory | policy.memory());
    let mut solution = Solution {
        game: *game,
        objective,
        stages: BTreeMap::new(),
        symmetric: free == seats.len(),
        memory,
        value: [0.0; 2],
        states: 0,
        cyclic_stages: 0,
    };
    let walk = Walk { game, objective, seats };
    solution.discover(&walk, limits)?;
    let bounds = game.bounds(objective.metric).map(|(least, most)| [least, most]);
    solution.evaluate(&walk, bounds, limits)?;
    Ok(solution)
}

impl<G: Game> Solution<G> {
    /// The state that stands for `state`.
    fn key(&self, state: G::State) -> G::State {
        if self.symmetric { self.game.canonical(state) } else { self.game.forget(state, self.memory) }
    }

    /// Finds every state, stage by stage.
    fn discover<P: Policy<G>>(&mut self, walk: &Walk<'_, G, P>, limits: Limits) -> Result<(), ExactError> {
        let mut terms = Vec::new();
        let mut found = Vec::new();
        let mut root = self.game.root(&mut ());
        // A game may begin with decisions: a roll with one outcome stands before them.
        let mut waiting: BTreeMap<u64, Stage<G>> = BTreeMap::new();
        let add = |waiting: &mut BTreeMap<u64, Stage<G>>, state: G::State, chance| {
            let stage = waiting.entry(walk.game.stage(state)).or_default();
            let next = u32::try_from(stage.rolls.len()).unwrap_or(u32::MAX);
            let number = *stage.numbers.entry(state).or_insert(next);
            if number == next {
                stage.rolls.push((state, chance));
            }
            number == next
        };
        self.first_rolls(walk, &mut root, &mut found);
        for (state, chance) in found.drain(..) {
            self.states += usize::from(add(&mut waiting, state, chance));
        }
        while let Some((number, mut stage)) = waiting.pop_first() {
            let mut at = 0;
            while at < stage.rolls.len() {
                let (state, chance) = stage.rolls[at];
                at += 1;
                terms.clear();
                let mut note = |next, _, chance| {
                    found.push((self.key(next), chance));
                    Found::Known([0.0; 2])
                };
                walk.roll(state, chance, |state| self.key(state), &mut note, &mut terms);
                for (next, chance) in found.drain(..) {
                    let is_new = if walk.game.stage(next) == number {
                        stage.is_cyclic = true;
                        let fresh = u32::try_from(stage.rolls.len()).unwrap_or(u32::MAX);
                        let known = *stage.numbers.entry(next).or_insert(fresh);
                        if known == fresh {
                            stage.rolls.push((next, chance));
                        }
                        known == fresh
                    } else {
                        debug_assert!(walk.game.stage(next) > number, "a step never lowers the stage");
                        add(&mut waiting, next, chance)
                    };
                    self.states += usize::from(is_new);
                }
                if self.states > limits.states {
                    return Err(ExactError::TooLarge { states: limits.states });
                }
            }
            self.cyclic_stages += usize::from(stage.is_cyclic);
            self.stages.insert(number, stage);
        }
        Ok(())
    }

    /// The rolls that the start of the game leads to.
    fn first_rolls<P: Policy<G>>(
        &self,
        walk: &Walk<'_, G, P>,
        root: &mut Node<G>,
        found: &mut Vec<(G::State, G::Chance)>,
    ) {
        let mut terms = Vec::new();
        let mut note = |state, _, chance| {
            found.push((self.key(state), chance));
            Found::Known([0.0; 2])
        };
        walk.node(*root, 0.0, &mut note, &mut terms);
    }

    /// Computes every value, from the last stage to the first.
    fn evaluate<P: Policy<G>>(
        &mut self,
        walk: &Walk<'_, G, P>,
        bounds: Option<Bounds>,
        limits: Limits,
    ) -> Result<(), ExactError> {
        let numbers: Vec<u64> = self.stages.keys().rev().copied().collect();
        for number in numbers {
            let stage = &self.stages[&number];
            let values = if stage.is_cyclic {
                let bounds = bounds.ok_or(ExactError::Unbounded { stage: number })?;
                self.close_in(walk, number, stage, bounds)?
            } else {
                self.look_once(walk, stage)
            };
            if let Some(stage) = self.stages.get_mut(&number) {
                stage.values = values;
            }
        }
        let mut reward = Reward::new(&self.objective);
        let root = self.game.root(&mut reward);
        let mut terms = Vec::new();
        walk.node(root, reward.sum, &mut |state, _, _| Found::Known(self.look_up(state)), &mut terms);
        terms.push(Term::Add(1.0));
        self.value = evaluate(&terms, &[], &mut Vec::new());
        let [low, high] = self.value;
        if high - low > limits.width * high.abs().max(1.0) {
            return Err(ExactError::Wide);
        }
        Ok(())
    }

    fn look_up(&self, state: G::State) -> Bounds {
        let key = self.key(state);
        let stage = &self.stages[&self.game.stage(key)];
        stage.values[stage.numbers[&key] as usize]
    }

    /// Backward induction: every state leads to later stages only.
    fn look_once<P: Policy<G>>(&self, walk: &Walk<'_, G, P>, stage: &Stage<G>) -> Vec<Bounds> {
        let value = |(terms, stack): &mut (Vec<Term>, Vec<Bounds>),
                     &(state, chance): &(G::State, G::Chance)| {
            terms.clear();
            let mut find = |next, _, _| Found::Known(self.look_up(next));
            walk.roll(state, chance, |state| self.key(state), &mut find, terms);
            evaluate(terms, &[], stack)
        };
        stage.rolls.par_iter().with_min_len(64).map_init(Default::default, value).collect()
    }

    /// Interval iteration within one stage. States found later tend to be nearer the way out, so that sweeping
    /// from the last to the first moves values fastest.
    fn close_in<P: Policy<G>>(
        &self,
        walk: &Walk<'_, G, P>,
        number: u64,
        stage: &Stage<G>,
        bounds: Bounds,
    ) -> Result<Vec<Bounds>, ExactError> {
        let mut terms = Vec::new();
        let mut ends = Vec::with_capacity(stage.rolls.len());
        for &(state, chance) in &stage.rolls {
            let mut find = |next, _, _| {
                let key = self.key(next);
                if self.game.stage(key) == number {
                    Found::Here(stage.numbers[&key])
                } else {
                    Found::Known(self.look_up(next))
                }
            };
            walk.roll(state, chance, |state| self.key(state), &mut find, &mut terms);
            ends.push(terms.len());
        }
        let mut values = vec![bounds; stage.rolls.len()];
        let mut stack = Vec::new();
        for _ in 0..SWEEPS {
            let mut end = terms.len();
            let mut moved = 0.0_f64;
            for at in (0..values.len()).rev() {
                let start = if at == 0 { 0 } else { ends[at - 1] };
                let [low, high] = evaluate(&terms[start..end], &values, &mut stack);
                end = start;
                // A bound never gets worse, whatever rounding does.
                let [old_low, old_high] = values[at];
                values[at] = [low.max(old_low), high.min(old_high)];
                let scale = old_high.abs().max(1.0);
                moved = moved.max((values[at][0] - old_low) / scale).max((old_high - values[at][1]) / scale);
            }
            // Later stages left a width that this one cannot lower: it is done when nothing moves any more.
            if moved <= f64::EPSILON {
                return Ok(values);
            }
        }
        Err(ExactError::Stuck { stage: number })
    }

    /// The bounds at a roll; `None` for a state that this play never meets.
    pub fn value_of(&self, state: G::State) -> Option<Bounds> {
        let key = self.key(state);
        let stage = self.stages.get(&self.game.stage(key))?;
        stage.numbers.get(&key).map(|&number| stage.values[number as usize])
    }

    /// All rolls with their bounds, stage by stage.
    pub fn rolls(&self) -> impl Iterator<Item = (G::State, Bounds)> + '_ {
        self.stages.values().flat_map(|stage| {
            stage.rolls.iter().zip(&stage.values).map(|(&(state, _), &bounds)| (state, bounds))
        })
    }

    /// How far the value can be off: half the width of the bounds, and an allowance for rounding along a game.
    pub fn error(&self) -> f64 {
        let [low, high] = self.value;
        (high - low) / 2.0 + 1e-14 * high.abs().max(1.0)
    }

    /// The value at the start: the middle of the bounds.
    pub fn middle(&self) -> f64 {
        f64::midpoint(self.value[0], self.value[1])
    }

    /// What an action is worth to the first seat, counting what follows under best play.
    fn worth(&self, state: G::State, question: Question, action: Action) -> f64 {
        let mut reward = Reward::new(&self.objective);
        let mut node = self.game.decide(state, question.kind, action, &mut reward);
        loop {
            match node {
                Node::Terminal(end) => return reward.sum + self.objective.payoff(&self.game, end),
                Node::Chance(state, ..) => {
                    let [low, high] = self.value_of(state).unwrap_or([f64::NEG_INFINITY; 2]);
                    return reward.sum + f64::midpoint(low, high);
                }
                Node::Decision(state, question) => {
                    node = self.game.decide(state, question.kind, self.best(state, question), &mut reward);
                }
            }
        }
    }

    fn best(&self, state: G::State, question: Question) -> Action {
        let walk = Walk::<G, &Self> { game: &self.game, objective: self.objective, seats: &[] };
        let sign = if walk.wants_more(question.seat) { 1.0 } else { -1.0 };
        let worth = |action| sign * self.worth(state, question, action);
        // The first of equals, in the game's order.
        let better = |(best, most): (Action, f64), action| {
            let this = worth(action);
            if this > most { (action, this) } else { (best, most) }
        };
        let first = question.actions.first();
        question.actions.iter().skip(1).fold((first, worth(first)), better).0
    }
}

/// The solved policy: in every state it was solved for, an action of greatest value.
impl<G: Game> Policy<G> for Solution<G> {
    fn choose(&self, _: &G, state: G::State, question: Question) -> Action {
        if question.actions.is_single() { question.actions.first() } else { self.best(state, question) }
    }

    fn memory(&self) -> u32 {
        self.memory
    }
}
