//! Best play, stage by stage: states are found forwards, values computed backwards.
//!
//! Where no state of a stage leads to its own stage, each value takes one evaluation (backward induction). Otherwise
//! positions may recur, and where they do their values are closed in from both sides (`interval_iteration.rs`). The width at the end
//! is the error, up to rounding.
//!
//! Under best play, states that are equal by symmetry are merged (`Game::canonical`: CarboniteDice sorts its colours),
//! and decisions at which many paths meet are stored like rolls (`Game::ask_again`).

use std::sync::Arc;

use stopwise_engine::game::{Action, Game, Node, Policy, Question};
use stopwise_engine::kept::{Covers, KNOWN, Kept};
use stopwise_engine::look_ahead::{Values, Worths};
use stopwise_engine::places::hash;
use stopwise_engine::within::WorthsWithin;

use super::ahead::Found;
use super::bounds::Bounds;
use super::folds::Evaluate;
use super::stage::Stage;
use super::turn::Turns;
use super::walk::{Moment, Walk};
use super::{ExactError, Limits, Objective};

/// The most bytes to remember what positions within turns are worth.
const REMEMBERED: usize = 1 << 30;

/// The values of all states before a roll, under best play of the free seats.
#[derive(Debug)]
pub struct Solution<G: Game> {
    pub(super) game: G,
    pub(super) objective: Objective,
    /// In their order.
    pub(super) stages: Vec<(u64, Stage<G>)>,
    pub(super) symmetric: bool,
    memory: u32,
    /// If only positions between turns are stored.
    pub(super) turns: Option<Arc<Turns<G>>>,
    /// What others are worth then.
    within: Option<WorthsWithin<G>>,
    /// Bounds of the value at the start of the game; equal if no position recurs.
    pub value: Bounds,
    /// The number of stored states: those before a roll, or at which many paths meet; merged by symmetry if all seats
    /// are free.
    pub states: usize,
    /// The number of stages in which positions recur.
    pub cyclic_stages: usize,
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
    has_one_value(game, seats.iter().filter(|policy| policy.is_none()).count())?;
    let seats = seats.iter().map(|policy| policy.as_ref().map(|policy| policy as _)).collect();
    found(game, seats, objective, limits, None)
}

/// Whether play in which so many seats are free has one value, with best play that a table of answers can be.
///
/// # Errors
///
/// Why not.
pub fn has_one_value(game: &impl Game, free: usize) -> Result<(), ExactError> {
    match free {
        0 | 1 => Ok(()),
        _ if game.seats() > 2 => Err(ExactError::SeveralFree),
        _ if game.asks_at_once() => Err(ExactError::AtOnce),
        _ => Ok(()),
    }
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
    has_one_value(game, game.seats())?;
    let Some(turns) = Turns::new(game, limits.bytes) else { return Ok(None) };
    let turns = Arc::new(turns);
    match game.root(&mut ()) {
        Node::Chance(state, _, chance)
            if turns.of(game, &objective, state, chance).is_some_and(|turn| turn.len() > 1) => {}
        _ => return Ok(None),
    }
    match found(game, vec![None; game.seats()], objective, limits, Some(turns)) {
        Err(ExactError::TurnByTurn) => Ok(None),
        found => found.map(Some),
    }
}

fn found<G: Game>(
    game: &G,
    seats: Vec<Option<&dyn Policy<G>>>,
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
        within: None,
        turns,
        value: [0.0; 2],
        states: 0,
        cyclic_stages: 0,
    };
    let mut walk = Walk::new(game, objective, seats);
    walk.turns.clone_from(&solution.turns);
    let size = solution.discover(&walk, &limits)?;
    let bounds = game.bounds(objective.metric).map(|(least, most)| [least, most]);
    solution.evaluate(&walk, bounds, &limits)?;
    if solution.turns.is_some() {
        solution.within = WorthsWithin::new(game, REMEMBERED.min(limits.bytes.saturating_sub(size.bytes)));
    }
    Ok(solution)
}

impl<G: Game> Solution<G> {
    /// The representative of a state.
    pub(super) fn key(&self, state: G::State) -> G::State {
        if self.symmetric {
            self.game.canonical(self.objective.settled(&self.game, state).1)
        } else {
            self.game.forget(state, self.memory)
        }
    }

    fn stand_in(&self, moment: Moment<G>) -> Moment<G> {
        moment.at(self.key(moment.state()))
    }

    pub(super) fn found(&self, moment: Moment<G>) -> Found<G> {
        Found::new(&self.game, self.stand_in(moment))
    }

    /// The fold of a walk over values that are known.
    pub(super) fn evaluation(&self) -> Evaluate<impl FnMut(Moment<G>) -> Bounds> {
        let known = "every moment that is reached is known";
        let look_up = move |moment: Moment<G>| self.bounds_of(self.key(moment.state())).expect(known);
        Evaluate { look_up }
    }

    /// The index of the metric that is played for.
    pub fn metric(&self) -> usize {
        self.objective.metric
    }

    /// The steps of turns by themselves, if only positions between turns are stored.
    pub fn turn_steps(&self) -> usize {
        self.turns.as_ref().map_or(0, |turns| turns.steps())
    }

    /// The bounds of the moment of a representative state.
    fn bounds_of(&self, key: G::State) -> Option<Bounds> {
        let (stage, at) = self.place_of_key(key)?;
        Some(self.stages[stage].1.bounds(at))
    }

    fn place_of_key(&self, key: G::State) -> Option<(usize, usize)> {
        let number = self.game.stage(key);
        let stage = self.stages.binary_search_by_key(&number, |(number, _)| *number).ok()?;
        Some((stage, self.stages[stage].1.find(&key, hash(&key))?))
    }

    pub(super) fn stage(&self, number: u64) -> Option<&Stage<G>> {
        let at = self.stages.binary_search_by_key(&number, |(number, _)| *number).ok()?;
        Some(&self.stages[at].1)
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

    /// The number of moments of every stage, in their order.
    pub(super) fn stages(&self) -> impl Iterator<Item = usize> {
        self.stages.iter().map(|(_, stage)| stage.len())
    }

    /// A moment by the place of its stage and its number there.
    pub(super) fn moment(&self, stage: usize, at: usize) -> Moment<G> {
        self.stages[stage].1.moment(at)
    }

    /// The place of a state's moment.
    pub(super) fn place_of(&self, state: G::State) -> Option<(usize, usize)> {
        self.place_of_key(self.key(state))
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

    /// The walk in which all seats play their best.
    pub(super) fn walk(&self) -> Walk<'_, G> {
        Walk::new(&self.game, self.objective, vec![None; self.game.seats()])
    }

    /// The values of the answers to a question for the deciding seat, in the order of the actions, followed by best
    /// play. Greater is better, so values are negative if less of the metric is better. `None` if play never reaches
    /// the question.
    pub fn worths(&self, state: G::State, question: Question) -> Option<Vec<f64>> {
        let worths = self.look_ahead(state, question)?;
        Some(worths.iter().map(|(_, worth)| worth).collect())
    }

    /// Whether these values are known: the bounds of what the answers lead to meet, which they need not where players would
    /// rather wait than go on.
    pub fn is_known(&self, state: G::State, question: Question) -> bool {
        let of = |bound| {
            Worths::of(&self.game, &self.objective, &Bound { solution: self, bound }, state, question)
        };
        // Turns by themselves have one value each.
        let (None, Some(low), Some(high)) = (&self.within, of(0), of(1)) else { return true };
        let meet = |((_, low), (_, high)): ((Action, f64), (Action, f64))| {
            (high - low).abs() <= KNOWN * high.abs().max(1.0)
        };
        low.iter().zip(high.iter()).all(meet)
    }

    /// What the answers to a question are worth for who decides; `None` if play never reaches it.
    pub(super) fn look_ahead(&self, state: G::State, question: Question) -> Option<Worths> {
        match &self.within {
            Some(within) => within.worths(&self.game, &self.objective, self, state, question),
            None => Worths::of(&self.game, &self.objective, self, state, question),
        }
    }

    /// The best answers to a question, in the game's order: those whose values differ in no more than their last digits.
    /// Empty if play never reaches the question.
    pub(super) fn best_answers(&self, state: G::State, question: Question) -> impl Iterator<Item = Action> {
        let worths = self.look_ahead(state, question);
        worths.into_iter().flat_map(|worths| worths.answers().collect::<Vec<_>>())
    }

    /// The table of all values that are stored, in the form of a file ([`Kept`]): what best play needs to answer. Of best
    /// play for all seats.
    pub fn keep(&self) -> Vec<u8> {
        let positions = self.stages.iter().flat_map(|(_, stage)| {
            stage.known().map(|(moment, [low, high])| (moment.state(), f64::midpoint(low, high)))
        });
        let covers = if self.turns.is_some() { Covers::BetweenTurns } else { Covers::All };
        let bounds = self.stages.iter().flat_map(|(_, stage)| stage.known().map(|(_, bounds)| bounds));
        let error = bounds.map(|[low, high]| (high - low) / 2.0).fold(self.error(), f64::max);
        Kept::write(&self.game, &self.objective, covers, [self.middle(), error], positions)
    }
}

/// The lower or the upper bounds.
struct Bound<'s, G: Game> {
    solution: &'s Solution<G>,
    bound: usize,
}

impl<G: Game> Values<G> for Bound<'_, G> {
    fn value(&self, _: &G, state: G::State) -> Option<f64> {
        Some(self.solution.value_of(state)?[self.bound])
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
        self.look_ahead(state, question).and_then(|worths| worths.choice()).unwrap_or(first)
    }

    fn memory(&self) -> u32 {
        self.memory
    }
}
