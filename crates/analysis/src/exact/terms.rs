//! The value of one roll as flat steps: made once from the rules, evaluated as often as bounds need.

use stopwise_engine::chance::Chance;
use stopwise_engine::game::{Better, Game, Node, Policy, Question};

use super::{Objective, Reward};

/// A lower and an upper bound.
pub(super) type Bounds = [f64; 2];

/// Where a state's value is found.
pub(super) enum Found {
    /// Known already.
    Known(Bounds),
    /// In the stage at hand, under this number.
    Here(u32),
}

/// One step on a stack of bounds.
#[derive(Clone, Copy, Debug)]
pub(super) enum Term {
    /// Pushes known bounds.
    Known(Bounds),
    /// Pushes the bounds of a state of this stage, plus a reward.
    Here(u32, f64),
    /// Replaces the top so many by the greatest or the least.
    Greatest(u32),
    Least(u32),
    /// Drops the top and adds it to the sum with this weight.
    Add(f64),
}

/// Who decides what, and what it is worth.
pub(super) struct Walk<'w, G: Game, P> {
    pub(super) game: &'w G,
    pub(super) objective: Objective,
    /// The policy of each seat; `None` for a seat that plays its best (the first seat) or worst (the others)
    /// for the first seat's objective.
    pub(super) seats: &'w [Option<P>],
}

impl<G: Game, P: Policy<G>> Walk<'_, G, P> {
    /// The steps of one roll, appended to `terms`. `find` says where the value of a state is.
    ///
    /// An outcome that leads back to the very same roll (dice rolled again) is left out and the others weigh
    /// more: that is exact, and keeps such a game free of cycles.
    pub(super) fn roll(
        &self,
        state: G::State,
        chance: G::Chance,
        key: impl Fn(G::State) -> G::State,
        find: &mut impl FnMut(G::State, usize, G::Chance) -> Found,
        terms: &mut Vec<Term>,
    ) {
        let start = terms.len();
        let mut total = 0.0;
        for (outcome, weight) in chance.outcomes() {
            let mut reward = Reward::new(&self.objective);
            let node = self.game.resolve(state, outcome, &mut reward);
            if let Node::Chance(next, ..) = node
                && reward.sum == 0.0
                && key(next) == state
            {
                continue;
            }
            total += f64::from(weight);
            self.node(node, reward.sum, find, terms);
            terms.push(Term::Add(f64::from(weight)));
        }
        for term in &mut terms[start..] {
            if let Term::Add(weight) = term {
                *weight /= total;
            }
        }
    }

    /// The steps of a node, for which `reward` was earned on the way.
    pub(super) fn node(
        &self,
        node: Node<G>,
        reward: f64,
        find: &mut impl FnMut(G::State, usize, G::Chance) -> Found,
        terms: &mut Vec<Term>,
    ) {
        match node {
            Node::Terminal(end) => {
                let worth = reward + self.objective.payoff(self.game, end);
                terms.push(Term::Known([worth, worth]));
            }
            Node::Chance(state, seat, chance) => terms.push(match find(state, seat, chance) {
                Found::Known([low, high]) => Term::Known([low + reward, high + reward]),
                Found::Here(number) => Term::Here(number, reward),
            }),
            Node::Decision(state, question) => self.decision(state, question, reward, find, terms),
        }
    }

    fn decision(
        &self,
        state: G::State,
        question: Question,
        reward: f64,
        find: &mut impl FnMut(G::State, usize, G::Chance) -> Found,
        terms: &mut Vec<Term>,
    ) {
        let mut follow = |action, terms: &mut Vec<Term>| {
            let mut earned = Reward::new(&self.objective);
            let node = self.game.decide(state, question.kind, action, &mut earned);
            self.node(node, reward + earned.sum, find, terms);
        };
        match &self.seats[question.seat] {
            Some(policy) => follow(policy.choose(self.game, state, question), terms),
            None => {
                for action in question.actions.iter() {
                    follow(action, terms);
                }
                let many = question.actions.count();
                if many > 1 {
                    terms.push(if self.wants_more(question.seat) {
                        Term::Greatest(many)
                    } else {
                        Term::Least(many)
                    });
                }
            }
        }
    }

    /// Whether a free seat wants the objective to be large.
    pub(super) fn wants_more(&self, seat: usize) -> bool {
        (self.objective.better == Better::Higher) == (seat == 0)
    }
}

/// Evaluates the steps of one roll; `here` holds the bounds of the stage's states.
pub(super) fn evaluate(terms: &[Term], here: &[Bounds], stack: &mut Vec<Bounds>) -> Bounds {
    let mut sum = [0.0; 2];
    for term in terms {
        match *term {
            Term::Known(bounds) => stack.push(bounds),
            Term::Here(number, reward) => {
                let [low, high] = here[number as usize];
                stack.push([low + reward, high + reward]);
            }
            Term::Greatest(many) => merge(stack, many, f64::max),
            Term::Least(many) => merge(stack, many, f64::min),
            Term::Add(weight) => {
                let [low, high] = stack.pop().unwrap_or_default();
                sum = [sum[0] + weight * low, sum[1] + weight * high];
            }
        }
    }
    sum
}

fn merge(stack: &mut Vec<Bounds>, many: u32, better: fn(f64, f64) -> f64) {
    let from = stack.len() - many as usize;
    let best = stack[from..].iter().copied().reduce(|a, b| [better(a[0], b[0]), better(a[1], b[1])]);
    stack.truncate(from);
    stack.extend(best);
}
