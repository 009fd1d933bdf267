//! One step ahead: the best answer to a question, from what the positions that its answers lead to are worth.

use crate::game::{Action, Better, Event, Events, Game, MAX_METRICS, Node, Question, Seat, Source};

/// The loss in value up to which an answer also counts as best: more than the error of values, and so little that the losses
/// of a whole game do not add up to anything.
pub const SAME: f64 = 1e-10;

/// The least difference in value by which answers are told apart; relative for values above 1. Where a player can stay for ever,
/// staying is worth less by at least as much.
pub const LEAST_DIFFERENCE: f64 = 1.0 / (1_u64 << 44) as f64;

/// Whether an answer is as good as the best one, up to rounding: the first such answer is played.
pub fn is_as_good(worth: f64, best: f64) -> bool {
    best - worth <= best.abs().max(1.0) * LEAST_DIFFERENCE / 4.0
}

/// What is played for: a metric of the first seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Objective {
    /// Index into [`Game::metrics`].
    pub metric: usize,
    source: Source,
    better: Better,
}

impl Objective {
    /// The metric with this index.
    pub fn new<G: Game>(game: &G, metric: usize) -> Self {
        let declared = game.metrics()[metric];
        Self { metric, source: declared.source, better: declared.better }
    }

    /// The payoff of a terminal state; 0 if the metric counts events.
    #[inline]
    pub fn payoff<G: Game>(&self, game: &G, end: G::State) -> f64 {
        match self.source {
            Source::Count(_) => 0.0,
            Source::End => {
                let mut values = [0; MAX_METRICS];
                game.measure(end, 0, &mut values);
                f64::from(values[self.metric])
            }
        }
    }

    /// [`Game::settled`] of the metric.
    #[inline]
    pub fn settled<G: Game>(&self, game: &G, state: G::State) -> (f64, G::State) {
        game.settled(state, self.metric)
    }

    /// Whether a seat that plays for itself wants the objective to be large.
    #[inline]
    pub fn wants_more(&self, seat: Seat) -> bool {
        (self.better == Better::Higher) == (seat == 0)
    }
}

/// Counts the first seat's events of the objective.
#[derive(Clone, Copy, Debug)]
pub struct Reward {
    event: Option<Event>,
    /// How many there were.
    pub sum: f64,
}

impl Reward {
    /// None so far.
    #[inline]
    pub fn new(objective: &Objective) -> Self {
        let event = match objective.source {
            Source::Count(event) => Some(event),
            Source::End => None,
        };
        Self { event, sum: 0.0 }
    }
}

impl Events for Reward {
    #[inline]
    fn event(&mut self, seat: Seat, event: Event) {
        if seat == 0 && self.event == Some(event) {
            self.sum += 1.0;
        }
    }

    #[inline]
    fn events(&mut self, seat: Seat, event: Event, many: u32) {
        if seat == 0 && self.event == Some(event) {
            self.sum += f64::from(many);
        }
    }
}

/// What positions are worth for the first seat, if that is known: those before a roll, and decisions that can be
/// [asked again](Game::ask_again).
pub trait Values<G: Game> {
    /// The value of a [settled](Game::settled) state.
    fn value(&self, game: &G, state: G::State) -> Option<f64>;
}

/// What the answers to a question are worth for the deciding seat: greater is better.
#[derive(Clone, Copy, Debug)]
pub struct Worths {
    question: Question,
    /// By the index of the action.
    worths: [f64; 64],
}

impl Worths {
    /// Looks one step ahead. `None` if what an answer leads to is not known.
    pub fn of<G: Game>(
        game: &G,
        objective: &Objective,
        values: &impl Values<G>,
        state: G::State,
        question: Question,
    ) -> Option<Self> {
        let ahead = Ahead { game, objective, values };
        Self::by(objective, question, |action| ahead.action(state, question, action, 0.0))
    }

    /// Those of answers that are worth for the first seat what `value` says. `None` if it does not know one.
    pub fn by(
        objective: &Objective,
        question: Question,
        mut value: impl FnMut(Action) -> Option<f64>,
    ) -> Option<Self> {
        let sign = if objective.wants_more(question.seat) { 1.0 } else { -1.0 };
        let mut worths = [0.0; 64];
        for action in question.actions.iter() {
            worths[action.index() as usize] = sign * value(action)?;
        }
        Some(Self { question, worths })
    }

    /// One for every answer, in the game's order.
    pub fn iter(&self) -> impl Iterator<Item = (Action, f64)> {
        self.question.actions.iter().map(|action| (action, self.worths[action.index() as usize]))
    }

    /// The greatest.
    pub fn best(&self) -> f64 {
        self.iter().map(|(_, worth)| worth).fold(f64::NEG_INFINITY, f64::max)
    }

    /// The answer that is played: the first in the game's order of those that are as good as the best.
    pub fn choice(&self) -> Option<Action> {
        let best = self.best();
        self.iter().find(|(_, worth)| is_as_good(*worth, best)).map(|(action, _)| action)
    }

    /// The best answers, in the game's order: those whose values differ in no more than their last digits.
    pub fn answers(&self) -> impl Iterator<Item = Action> {
        let best = self.best();
        self.iter().filter(move |(_, worth)| best - worth <= SAME).map(|(action, _)| action)
    }
}

struct Ahead<'a, G, V> {
    game: &'a G,
    objective: &'a Objective,
    values: &'a V,
}

impl<G: Game, V: Values<G>> Ahead<'_, G, V> {
    fn action(&self, state: G::State, question: Question, action: Action, reward: f64) -> Option<f64> {
        let mut earned = Reward::new(self.objective);
        let node = self.game.decide(state, question.kind, action, &mut earned);
        let reward = reward + earned.sum;
        let stored = match node {
            Node::Terminal(end) => return Some(reward + self.objective.payoff(self.game, end)),
            Node::Chance(state, ..) => state,
            Node::Decision(state, question) => match self.game.met_again(state, question) {
                Some(state) => state,
                None => return self.question(state, question, reward),
            },
        };
        let (settled, state) = self.objective.settled(self.game, stored);
        self.values.value(self.game, state).map(|value| value + reward + settled)
    }

    /// The best of a question's answers.
    fn question(&self, state: G::State, question: Question, reward: f64) -> Option<f64> {
        let wants_more = self.objective.wants_more(question.seat);
        let better = |a: f64, b: f64| if wants_more { a.max(b) } else { a.min(b) };
        let mut actions = question.actions.iter();
        let mut best = self.action(state, question, actions.next()?, reward)?;
        for action in actions {
            best = better(best, self.action(state, question, action, reward)?);
        }
        Some(best)
    }
}
