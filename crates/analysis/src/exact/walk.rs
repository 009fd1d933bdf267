//! One step of the walk: the value of a moment from those of the moments it leads to.

use std::sync::{Arc, OnceLock};

use stopwise_engine::chance::Chance;
use stopwise_engine::game::{Action, Actions, Game, Node, NodeOf, Policy, Question};
use stopwise_engine::look_ahead::{Objective, Reward};
use stopwise_engine::within::may_be_told;

use super::ExactError;
use super::turn::Turns;

/// An algebra of values: how the walk combines the values of nodes.
pub(super) trait Fold<G: Game> {
    /// The representation of a value.
    type Worth: Copy + Default;

    /// A known number.
    fn known(&mut self, worth: f64) -> Self::Worth;
    /// A stored moment, and the reward on the way to it.
    fn remembered(&mut self, moment: Moment<G>, reward: f64) -> Self::Worth;
    /// The greater of two if `wants_more`, else the lesser.
    fn better(&mut self, a: Self::Worth, b: Self::Worth, wants_more: bool) -> Self::Worth;
    /// The mean, with weights that sum to `total`.
    fn mean(&mut self, parts: &[(Self::Worth, f64)], total: f64) -> Self::Worth;
}

/// A moment whose value is stored, so that all paths to it continue once.
#[derive(Clone, Copy, Debug)]
pub(super) enum Moment<G: Game> {
    /// Dice are about to be rolled.
    Roll(G::State, G::Chance),
    /// A decision of a kind at which many paths meet.
    Ask(G::State, u8),
}

impl<G: Game> Moment<G> {
    /// The decision of a question.
    pub(super) fn ask(state: G::State, question: Question) -> Self {
        // There are at most four kinds.
        Self::Ask(state, u8::try_from(question.kind).unwrap_or(u8::MAX))
    }

    pub(super) fn state(&self) -> G::State {
        match self {
            Self::Roll(state, _) | Self::Ask(state, _) => *state,
        }
    }

    /// The moment in another state, its representative.
    pub(super) fn at(self, state: G::State) -> Self {
        match self {
            Self::Roll(_, chance) => Self::Roll(state, chance),
            Self::Ask(_, kind) => Self::Ask(state, kind),
        }
    }
}

/// A game with its objective and the policies of its seats.
pub(super) struct Walk<'w, G: Game> {
    pub(super) game: &'w G,
    pub(super) objective: Objective,
    /// The policy of each seat; `None` for a free seat, which optimises the first seat's objective (the first seat) or
    /// plays against it (the others).
    pub(super) seats: Vec<Option<&'w dyn Policy<G>>>,
    /// The turns by themselves, where what is within them is not stored. All seats are free then.
    pub(super) turns: Option<Arc<Turns<G>>>,
    /// Why the rules could not go on somewhere.
    fault: OnceLock<String>,
}

/// A state or a node that there may be, its probability, and the reward on the way to it.
type Possible<T> = (T, f64, f64);

/// The values of the actions of a question that several outcomes of a roll lead to, by index.
pub(super) struct Shared<G: Game, W> {
    state: G::State,
    /// The kind of the question that was asked first.
    kind: Option<usize>,
    known: Actions,
    worths: [W; 64],
    /// The questions that were asked one after the other, and whether there were too many.
    in_a_row: u32,
    are_too_many: bool,
}

/// The most questions in a row, with nothing rolled between them, of which none is stored.
const IN_A_ROW: u32 = 1_000;
const TOO_MANY: &str = "";

impl<G: Game, W: Copy + Default> Shared<G, W> {
    /// For the outcomes of the roll in this state.
    pub(super) fn new(state: G::State) -> Self {
        Self {
            state,
            kind: None,
            known: Actions(0),
            worths: [W::default(); 64],
            in_a_row: 0,
            are_too_many: false,
        }
    }
}

impl<'w, G: Game> Walk<'w, G> {
    pub(super) fn new(game: &'w G, objective: Objective, seats: Vec<Option<&'w dyn Policy<G>>>) -> Self {
        Self { game, objective, seats, turns: None, fault: OnceLock::new() }
    }

    /// An error if the rules could not go on somewhere.
    pub(super) fn fault(&self) -> Result<(), ExactError> {
        match self.fault.get() {
            None => Ok(()),
            Some(why) if why == TOO_MANY => Err(ExactError::Questions),
            Some(why) => Err(ExactError::Fault(why.clone())),
        }
    }

    /// The value of a moment. `key` maps a state to its representative.
    ///
    /// An outcome that leads back to the same roll without reward (dice rolled again) is dropped and the others are
    /// renormalised: that is exact, and avoids a cycle.
    pub(super) fn moment<F: Fold<G>>(
        &self,
        moment: Moment<G>,
        key: &dyn Fn(G::State) -> G::State,
        fold: &mut F,
    ) -> F::Worth {
        let mut shared = Shared::new(moment.state());
        match moment {
            Moment::Ask(state, kind) => match self.game.ask_again(state, kind.into()) {
                Some(question) => self.decision(state, question, 0.0, fold, &mut shared),
                None => fold.known(0.0),
            },
            Moment::Roll(state, chance) => {
                if const { may_be_told::<G>() }
                    && let Some(turns) = &self.turns
                    && let Some(turn) = turns.of(self.game, &self.objective, state, chance)
                {
                    return self.by_turn(turns, &turn, state, fold);
                }
                let mut parts = Vec::with_capacity(64);
                let mut total = 0.0;
                for (outcome, weight) in chance.outcomes() {
                    let mut reward = Reward::new(&self.objective);
                    let node = self.game.resolve(state, outcome, &mut reward);
                    if let Node::Chance(next, _, rolled) = node
                        && reward.sum == 0.0
                        && rolled == chance
                        && key(next) == state
                    {
                        continue;
                    }
                    let weight = f64::from(weight);
                    total += weight;
                    parts.push((self.node(node, reward.sum, fold, &mut shared), weight));
                }
                fold.mean(&parts, total)
            }
        }
    }

    /// The value of the start of the game.
    pub(super) fn root<F: Fold<G>>(&self, fold: &mut F) -> F::Worth {
        let mut reward = Reward::new(&self.objective);
        let node = self.game.root(&mut reward);
        let (Node::Decision(state, _) | Node::Chance(state, ..) | Node::Terminal(state)) = node;
        self.node(node, reward.sum, fold, &mut Shared::new(state))
    }

    /// The value of a node, with the reward on the way to it. A node is larger than what it is made of, so it is never handed on.
    #[inline(always)]
    pub(super) fn node<F: Fold<G>>(
        &self,
        node: NodeOf<G>,
        reward: f64,
        fold: &mut F,
        shared: &mut Shared<G, F::Worth>,
    ) -> F::Worth {
        match node {
            Node::Terminal(end) => {
                if let Some(why) = self.game.fault(end) {
                    let _ = self.fault.set(why);
                }
                fold.known(reward + self.objective.payoff(self.game, end))
            }
            Node::Chance(state, _, chance) => {
                fold.remembered(Moment::Roll(state, chance), reward + self.settled(state))
            }
            // Turns by themselves know their questions.
            Node::Decision(state, question) => match self.game.met_again(state, question) {
                Some(state) if self.turns.is_none() => {
                    fold.remembered(Moment::ask(state, question), reward + self.settled(state))
                }
                // What follows is of no interest any more.
                _ if shared.are_too_many || shared.in_a_row == IN_A_ROW => {
                    shared.are_too_many = true;
                    let _ = self.fault.set(TOO_MANY.into());
                    fold.known(0.0)
                }
                _ => {
                    shared.in_a_row += 1;
                    let worth = self.decision(state, question, reward, fold, shared);
                    shared.in_a_row -= 1;
                    worth
                }
            },
        }
    }

    pub(super) fn decision<F: Fold<G>>(
        &self,
        state: G::State,
        question: Question,
        reward: f64,
        fold: &mut F,
        shared: &mut Shared<G, F::Worth>,
    ) -> F::Worth {
        let policy = self.seats[question.seat];
        if const { G::SHAPE.is_text }
            && let Some(policy) = policy
            && policy.is_by_chance(question.kind)
            && !question.actions.is_single()
        {
            return self.unseen(vec![(state, 1.0, reward)], question, fold, shared);
        }
        let chosen = policy.map(|policy| Actions(policy.choose(self.game, state, question).0));
        let wants_more = self.wants_more(question.seat);
        let mut best = None;
        for action in chosen.unwrap_or(question.actions).iter() {
            let worth = self.action(state, question, action, reward, fold, shared);
            best = Some(best.map_or(worth, |best| fold.better(best, worth, wants_more)));
        }
        best.unwrap_or_else(|| fold.known(0.0))
    }

    /// The value of a question that is asked in one of several states, with the probability and the reward of each: answers by
    /// chance have led to them, and who answers at once with others does not see which one it is and has one answer for all.
    fn unseen<F: Fold<G>>(
        &self,
        states: Vec<Possible<G::State>>,
        question: Question,
        fold: &mut F,
        shared: &mut Shared<G, F::Worth>,
    ) -> F::Worth {
        let decided = |&(state, share, reward): &Possible<G::State>, action| {
            let mut earned = Reward::new(&self.objective);
            let node = self.game.decide(state, question.kind, action, &mut earned);
            (node, share, reward + earned.sum)
        };
        let Some(policy) = self.seats[question.seat] else {
            let wants_more = self.wants_more(question.seat);
            let mut best = None;
            for action in question.actions.iter() {
                let next = states.iter().map(|state| decided(state, action)).collect();
                let worth = self.mean(next, fold, shared);
                best = Some(best.map_or(worth, |best| fold.better(best, worth, wants_more)));
            }
            return best.unwrap_or_else(|| fold.known(0.0));
        };
        let mut next: Vec<Possible<NodeOf<G>>> = Vec::new();
        for &(state, share, reward) in &states {
            let mix = match policy.is_by_chance(question.kind) && !question.actions.is_single() {
                true => policy.mix(self.game, &state, question),
                false => vec![(policy.choose(self.game, state, question), 1.0)],
            };
            next.extend(
                mix.into_iter().map(|(action, part)| decided(&(state, share * part, reward), action)),
            );
        }
        match self.asked_blindly(&next) {
            Some((states, question)) => self.unseen(states, question, fold, shared),
            None => self.mean(next, fold, shared),
        }
    }

    /// The mean value of nodes with these probabilities and rewards.
    fn mean<F: Fold<G>>(
        &self,
        nodes: Vec<Possible<NodeOf<G>>>,
        fold: &mut F,
        shared: &mut Shared<G, F::Worth>,
    ) -> F::Worth {
        let total = nodes.iter().map(|(_, share, _)| share).sum();
        let worth = |(node, share, reward)| (self.node(node, reward, fold, shared), share);
        let parts: Vec<_> = nodes.into_iter().map(worth).collect();
        fold.mean(&parts, total)
    }

    /// The states of these nodes and the question that all of them are, if they differ and who is asked cannot tell them apart.
    fn asked_blindly(&self, nodes: &[Possible<NodeOf<G>>]) -> Option<(Vec<Possible<G::State>>, Question)> {
        let asked = |(node, share, reward): &Possible<NodeOf<G>>| match node {
            Node::Decision(state, question) => Some(((*state, *share, *reward), *question)),
            Node::Chance(..) | Node::Terminal(_) => None,
        };
        let (states, questions): (Vec<_>, Vec<_>) =
            nodes.iter().map(asked).collect::<Option<Vec<_>>>()?.into_iter().unzip();
        let (first, question) = (states.first()?.0, *questions.first()?);
        let seen = self.game.seen(first);
        let is_alike = |(state, ..): &Possible<G::State>| self.game.seen(*state) == seen;
        let is_blind = states.iter().any(|(state, ..)| *state != first)
            && states.iter().all(is_alike)
            && questions.iter().all(|other| *other == question);
        is_blind.then_some((states, question))
    }

    /// The value of an action, with the reward on the way to the question.
    #[inline(always)]
    pub(super) fn action<F: Fold<G>>(
        &self,
        state: G::State,
        question: Question,
        action: Action,
        reward: f64,
        fold: &mut F,
        shared: &mut Shared<G, F::Worth>,
    ) -> F::Worth {
        // If a roll changed nothing but the legal actions, several of its outcomes share actions.
        let is_shared = state == shared.state
            && reward == 0.0
            && *shared.kind.get_or_insert(question.kind) == question.kind;
        let number = action.index() as usize;
        if is_shared && shared.known.contains(action) {
            return shared.worths[number];
        }
        let mut earned = Reward::new(&self.objective);
        let node = self.game.decide(state, question.kind, action, &mut earned);
        let worth = self.node(node, reward + earned.sum, fold, shared);
        if is_shared {
            shared.known.0 |= action.0;
            shared.worths[number] = worth;
        }
        worth
    }

    /// What the first seat has already, and the values of states do not have. Policies may look at it.
    fn settled(&self, state: G::State) -> f64 {
        if self.seats.iter().all(Option::is_none) { self.objective.settled(self.game, state).0 } else { 0.0 }
    }

    /// Whether a free seat wants the objective to be large.
    pub(super) fn wants_more(&self, seat: usize) -> bool {
        self.objective.wants_more(seat)
    }
}
