//! The turns that a walk between turns has looked at, and how it goes through one.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rustc_hash::{FxHashMap, FxHashSet};
use stopwise_engine::game::{Game, Node, Policy, Question, Within};
use stopwise_engine::look_ahead::Objective;
use stopwise_engine::within::{Join, Rules, Step, Turn, Way};

use super::walk::{Fold, Shared, Walk};

/// The ways of turns that are kept: these take a few hundred megabytes. Turns that are needed again are looked at again.
const MOST_KEPT: usize = 1 << 25;

/// The turns that were looked at.
pub(super) struct Turns<G: Game> {
    within: &'static dyn Within<G>,
    known: Mutex<Known<G>>,
}

/// A roll, and the part of its state.
type Roll<G> = (<G as Game>::State, <G as Game>::Chance);

struct Known<G: Game> {
    /// By the roll and its part; nothing where positions of a turn return.
    turns: FxHashMap<Roll<G>, Option<Arc<Turn<G>>>>,
    /// Their ways.
    ways: usize,
    /// All that ever were looked at, and their steps.
    met: FxHashSet<Roll<G>>,
    steps: usize,
}

impl<G: Game> std::fmt::Debug for Turns<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Turns").field("steps", &self.steps()).finish_non_exhaustive()
    }
}

impl<G: Game> Turns<G> {
    pub(super) fn new(game: &G) -> Option<Self> {
        let known = Known { turns: FxHashMap::default(), ways: 0, met: FxHashSet::default(), steps: 0 };
        Some(Self { within: game.within()?, known: Mutex::new(known) })
    }

    fn known(&self) -> MutexGuard<'_, Known<G>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The number of steps of all turns.
    pub(super) fn steps(&self) -> usize {
        self.known().steps
    }

    /// The turn of a roll, which is its last step, if no position of it returns.
    pub(super) fn of(
        &self,
        game: &G,
        objective: &Objective,
        state: G::State,
        chance: G::Chance,
    ) -> Option<Arc<Turn<G>>> {
        let part = self.within.part(game, state);
        if let Some(known) = self.known().turns.get(&(part, chance)) {
            return known.clone();
        }
        let mut turn = Turn::default();
        let entered = turn.enter_roll(Rules { game, objective, within: self.within }, part, chance);
        let turn = entered.map(|_| Arc::new(turn));
        let mut known = self.known();
        let Known { turns, ways, met, steps } = &mut *known;
        if *ways > MOST_KEPT {
            turns.clear();
            *ways = 0;
        }
        if let Some(turn) = &turn {
            *ways += turn.ways();
            *steps += if met.insert((part, chance)) { turn.len() } else { 0 };
        }
        turns.insert((part, chance), turn.clone());
        turn
    }

    /// A step's part as the position of this roll has it.
    pub(super) fn whole(&self, game: &G, part: G::State, state: G::State) -> G::State {
        self.within.whole(game, part, state)
    }
}

/// Joins what a turn comes to by a fold. Positions that ways out of it lead to may be met on several ways; each is looked at once.
pub(super) struct ByFold<'f, 'w, G: Game, P, F: Fold<G>> {
    walk: &'f Walk<'w, G, P>,
    fold: &'f mut F,
    met: FxHashMap<(G::State, Question), F::Worth>,
}

impl<'f, 'w, G: Game, P, F: Fold<G>> ByFold<'f, 'w, G, P, F> {
    pub(super) fn new(walk: &'f Walk<'w, G, P>, fold: &'f mut F) -> Self {
        Self { walk, fold, met: FxHashMap::default() }
    }
}

impl<G: Game, P: Policy<G>, F: Fold<G>> ByFold<'_, '_, G, P, F> {
    /// What a way out of a turn leads to, and the reward on it.
    pub(super) fn leave(&self, whole: G::State, step: &Step<G>, way: &Way<G>) -> (Node<G>, f64) {
        way.leave(self.walk.game, &self.walk.objective, whole, step)
    }

    /// The value of what is out of the turn.
    pub(super) fn node(&mut self, node: Node<G>, reward: f64) -> F::Worth {
        match (node, reward) {
            (Node::Decision(state, question), 0.0) => {
                if let Some(worth) = self.met.get(&(state, question)) {
                    return *worth;
                }
                let mut shared = Shared::new(state);
                let worth = self.walk.decision(state, question, 0.0, self.fold, &mut shared);
                self.met.insert((state, question), worth);
                worth
            }
            (node, reward) => self.walk.node(node, reward, self.fold, &mut Shared::new(node.state())),
        }
    }
}

impl<G: Game, P: Policy<G>, F: Fold<G>> Join<G> for ByFold<'_, '_, G, P, F> {
    type Worth = F::Worth;

    fn out(&mut self, whole: G::State, step: &Step<G>, way: &Way<G>) -> F::Worth {
        let (node, reward) = self.leave(whole, step, way);
        self.node(node, reward)
    }

    fn mean(&mut self, ways: &[(F::Worth, f64)]) -> F::Worth {
        self.fold.mean(ways, ways.iter().map(|(_, weight)| weight).sum())
    }

    fn best(&mut self, question: Question, _: G::State, ways: &[(F::Worth, f64)]) -> F::Worth {
        let wants_more = self.walk.wants_more(question.seat);
        let mut best = ways[0].0;
        for (worth, _) in &ways[1..] {
            best = self.fold.better(best, *worth, wants_more);
        }
        best
    }
}
