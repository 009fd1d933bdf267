//! A fold over one turn: the value of a roll from the steps of its turn and the positions to which ways out of it lead.

use rustc_hash::FxHashMap;
use stopwise_engine::game::{Game, Node, NodeOf, Question};
use stopwise_engine::within::{Join, Turn, TurnStep, Way};

use super::turn::Turns;
use super::walk::{Fold, Shared, Walk};

impl<G: Game> Walk<'_, G> {
    /// The value of a roll by its turn.
    pub(super) fn by_turn<F: Fold<G>>(
        &self,
        turns: &Turns<G>,
        turn: &Turn<G>,
        state: G::State,
        fold: &mut F,
    ) -> F::Worth {
        let mut worths = Vec::with_capacity(turn.len());
        turn.evaluate(|part| turns.whole(self.game, part, state), &mut worths, &mut ByFold::new(self, fold));
        worths[worths.len() - 1]
    }
}

/// Folds the steps of a turn. A position that several ways out of the turn lead to is evaluated once.
pub(super) struct ByFold<'f, 'w, G: Game, F: Fold<G>> {
    walk: &'f Walk<'w, G>,
    fold: &'f mut F,
    met: FxHashMap<(G::State, Question), F::Worth>,
}

impl<'f, 'w, G: Game, F: Fold<G>> ByFold<'f, 'w, G, F> {
    pub(super) fn new(walk: &'f Walk<'w, G>, fold: &'f mut F) -> Self {
        Self { walk, fold, met: FxHashMap::default() }
    }
}

impl<G: Game, F: Fold<G>> ByFold<'_, '_, G, F> {
    /// The node to which a way out of a turn leads, and the reward on the way.
    pub(super) fn leave(&self, whole: G::State, step: &TurnStep<G>, way: &Way<G>) -> (NodeOf<G>, f64) {
        way.leave(self.walk.game, &self.walk.objective, whole, step)
    }

    /// The value of a node outside the turn.
    pub(super) fn node(&mut self, node: NodeOf<G>, reward: f64) -> F::Worth {
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

impl<G: Game, F: Fold<G>> Join<G> for ByFold<'_, '_, G, F> {
    type Worth = F::Worth;

    fn out(&mut self, whole: G::State, step: &TurnStep<G>, way: &Way<G>) -> F::Worth {
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
