//! Turns that the game tells by [what outlasts them](Within): a turn by itself is looked at once, and what positions within it
//! are worth follows from those between turns.

mod turn;

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError, RwLock, Weak};

use rustc_hash::FxHashMap;

use crate::game::{Game, Node, NodeOf, Question, Within};
use crate::look_ahead::{Objective, Reward, Values, Worths};
use crate::memo::Memo;

pub use turn::{Join, Rules, To, Turn, TurnStep, Way};

/// Whether games of a type may tell what outlasts their turns: those that are texts. For others nothing that looks at turns is
/// compiled.
pub const fn may_be_told<G: Game>() -> bool {
    G::SHAPE.is_text
}

/// What positions within turns are worth, from those between turns: the turn to which a question belongs is evaluated, and
/// remembered.
///
/// Steps are told apart by their parts, so that turns need not be known by where they begin: what lasts as long as a turn tells
/// which steps are found together, and evaluated together.
pub struct WorthsWithin<G: Game> {
    within: &'static dyn Within<G>,
    /// By what of the turns' own lasts.
    turns: Memo<G::State, RwLock<Turn<G>>>,
    /// What steps are worth for the first seat, by what lasts.
    worths: Memo<[G::State; 2], Mutex<Known<G>>>,
}

/// What the steps of a turn are worth, in their order: that of another turn, forgotten and found again, may be another one.
struct Known<G: Game> {
    turn: Weak<RwLock<Turn<G>>>,
    worths: Vec<f64>,
}

impl<G: Game> Default for Known<G> {
    fn default() -> Self {
        Self { turn: Weak::new(), worths: Vec::new() }
    }
}

impl<G: Game> fmt::Debug for WorthsWithin<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WorthsWithin").finish_non_exhaustive()
    }
}

impl<G: Game> WorthsWithin<G> {
    /// With so many bytes to remember what was worked out; `None` if the game does not tell what outlasts its turns.
    pub fn new(game: &G, bytes: usize) -> Option<Self> {
        Self::remembering(game, bytes / 4 * 3, bytes / 4)
    }

    /// The same with so many bytes to remember turns by themselves, and what their steps are worth.
    pub fn remembering(game: &G, turns: usize, worths: usize) -> Option<Self> {
        Some(Self { within: game.within()?, turns: Memo::new(turns), worths: Memo::new(worths) })
    }

    /// What the answers to a question are worth for who decides, given the values of positions between turns; `None` if they do
    /// not have all that it leads to.
    pub fn worths(
        &self,
        game: &G,
        objective: &Objective,
        between: &impl Values<G>,
        state: G::State,
        question: Question,
    ) -> Option<Worths> {
        if const { !may_be_told::<G>() } {
            return None;
        }
        let (settled, state) = objective.settled(game, game.canonical(state));
        let rules = Rules { game, objective, within: self.within };
        let lasting @ [_, own] = self.within.lasting(game, state);
        let part = self.within.part(game, state);
        let turn = self.turns.of(own);
        let found = turn.read().unwrap_or_else(PoisonError::into_inner).find(part, Some(question));
        let step = found.or_else(|| {
            let mut turn = turn.write().unwrap_or_else(PoisonError::into_inner);
            let before = turn.bytes();
            let step = turn.enter_question(rules, part, question);
            self.turns.grew(own, turn.bytes() - before);
            step
        });
        let mut ahead = Ahead { game, objective, between, met: FxHashMap::default() };
        let mut worth_of = |of: &Turn<G>, step| {
            let known = self.worths.of(lasting);
            let mut known = known.lock().unwrap_or_else(PoisonError::into_inner);
            let Known { turn: last, worths } = &mut *known;
            if !Weak::ptr_eq(last, &Arc::downgrade(&turn)) {
                (*last, *worths) = (Arc::downgrade(&turn), Vec::new());
            }
            if worths.len() <= step {
                let before = worths.len();
                of.evaluate(|part| self.within.whole(game, part, state), worths, &mut ahead);
                let bytes = (worths.len() - before) * size_of::<f64>() + size_of::<[G::State; 2]>();
                self.worths.grew(lasting, bytes);
            }
            let mut ways = Vec::new();
            of.worths_of(step, state, worths, &mut ahead, &mut ways);
            ways
        };
        let ways = match step {
            Some(step) => worth_of(&turn.read().unwrap_or_else(PoisonError::into_inner), step),
            // Positions return in the turn, which the table then has.
            None => ahead.answers(state, question, 0.0),
        };
        let mut ways = ways.into_iter().map(|(worth, _)| worth + settled).filter(|worth| !worth.is_nan());
        Worths::by(objective, question, |_| ways.next())
    }
}

/// Looks at what is out of a turn. What is not known is no number.
struct Ahead<'a, G: Game, V> {
    game: &'a G,
    objective: &'a Objective,
    between: &'a V,
    /// The questions out of the turn to which several ways may lead.
    met: FxHashMap<(G::State, Question), f64>,
}

impl<G: Game, V: Values<G>> Ahead<'_, G, V> {
    fn node(&mut self, node: NodeOf<G>, reward: f64) -> f64 {
        match node {
            Node::Terminal(end) => reward + self.objective.payoff(self.game, end),
            Node::Chance(state, ..) => {
                let (settled, state) = self.objective.settled(self.game, state);
                self.between.value(self.game, state).map_or(f64::NAN, |value| value + reward + settled)
            }
            Node::Decision(state, question) => {
                if let Some(worth) = self.met.get(&(state, question)) {
                    return reward + worth;
                }
                let answers = self.answers(state, question, 0.0);
                let worth = self.best_of(question, &answers);
                self.met.insert((state, question), worth);
                reward + worth
            }
        }
    }

    fn answers(&mut self, state: G::State, question: Question, reward: f64) -> Vec<(f64, f64)> {
        let answers = question.actions.iter().map(|action| {
            let mut earned = Reward::new(self.objective);
            let node = self.game.decide(state, question.kind, action, &mut earned);
            (self.node(node, reward + earned.sum), 1.0)
        });
        answers.collect()
    }

    fn best_of(&self, question: Question, answers: &[(f64, f64)]) -> f64 {
        let wants_more = self.objective.wants_more(question.seat);
        let better = |a: f64, b: f64| match (a.is_nan() || b.is_nan(), wants_more) {
            (true, _) => f64::NAN,
            (false, true) => a.max(b),
            (false, false) => a.min(b),
        };
        let worths = answers.iter().map(|(worth, _)| *worth);
        worths.reduce(better).unwrap_or(f64::NAN)
    }
}

impl<G: Game, V: Values<G>> Join<G> for Ahead<'_, G, V> {
    type Worth = f64;

    fn out(&mut self, whole: G::State, step: &TurnStep<G>, way: &Way<G>) -> f64 {
        let (node, reward) = way.leave(self.game, self.objective, whole, step);
        self.node(node, reward)
    }

    fn mean(&mut self, ways: &[(f64, f64)]) -> f64 {
        let total: f64 = ways.iter().map(|(_, weight)| weight).sum();
        ways.iter().map(|(worth, weight)| worth * weight).sum::<f64>() / total
    }

    fn best(&mut self, question: Question, _: G::State, ways: &[(f64, f64)]) -> f64 {
        self.best_of(question, ways)
    }
}
