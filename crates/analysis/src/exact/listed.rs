//! Positions one by one, with what they are worth and how often best play comes there: decisions with a choice at the start, then
//! positions before a roll that are stored, each followed by the decisions with a choice to which its roll leads.

use rustc_hash::{FxHashMap, FxHashSet};
use stopwise_engine::chance::Chance as _;
use stopwise_engine::game::{Action, Game, Node, NodeOf, Question};
use stopwise_engine::look_ahead::{SAME, is_as_good};

use super::Solution;
use super::bounds::Bounds;
use super::walk::{Moment, Shared};

/// Visits are counted up to so many stored positions: some seconds, and half a gigabyte.
const COUNTED: usize = 2_000_000;
/// The share of a game within a stage after which it is over, and the most rounds until then.
const LEFT: f64 = 1e-17;
const ROUNDS: usize = 100_000;
/// The moments between two questions whether to go on.
const LOOK: usize = 256;

/// A position.
#[derive(Clone, Copy, Debug)]
pub struct Listed<G: Game> {
    /// Its state.
    pub state: G::State,
    /// The bounds of the first seat's mean from there on, under best play.
    pub bounds: Bounds,
    /// How often a game comes there under best play, in the mean; `None` if there are too many positions to know.
    pub visits: Option<f64>,
    /// What is decided there; `None` before a roll.
    pub decided: Option<Decided>,
}

/// The best answer to a question, and the best of the others.
#[derive(Clone, Copy, Debug)]
pub struct Decided {
    /// What is asked.
    pub question: Question,
    /// The first of the best answers, in the game's order.
    pub best: Action,
    /// The first of the best others.
    pub second: Action,
    /// What the first seat has in the mean after that one.
    pub second_value: f64,
    /// What the deciding seat loses with it; 0 if it is as good.
    pub loss: f64,
}

/// A decision: that the rules ask another one in the same state is told by what can be answered.
type Key<S> = (S, usize, u64);

/// Tells the first positions until `tell` says no. `goes_on` is asked before that, while visits are counted.
pub fn each_listed<G: Game>(
    solution: &Solution<G>,
    most: usize,
    goes_on: &dyn Fn() -> bool,
    tell: &mut dyn FnMut(Listed<G>) -> bool,
) {
    let Some(visits) = counted(solution, goes_on) else { return };
    let (mut met, mut left) = (FxHashSet::default(), most);
    let mut tell = |listed| {
        left -= 1;
        tell(listed) && left > 0
    };
    if most == 0 {
        return;
    }
    // Of a moment, or at the start.
    let mut decisions = |moment: Option<Moment<G>>| {
        let mut new = Vec::new();
        let mut find = |step: Following<G>| match step {
            Following::Decision(state, question, _) => {
                let is_new = met.insert(key(state, question));
                if is_new {
                    new.push((state, question));
                }
                is_new
            }
            Following::Moment(..) => true,
        };
        match moment {
            Some(moment) => steps(solution, moment, None, &mut find),
            None => follow(solution, solution.game.root(&mut ()), None, &mut find),
        }
        new.into_iter().map(|(state, question)| {
            let (bounds, decided) = decided(solution, state, question);
            let visits = visits.as_ref().map(|visits| visits.of_decision(state, question));
            Listed { state, bounds, visits, decided: Some(decided) }
        })
    };
    if !decisions(None).all(&mut tell) {
        return;
    }
    for (number, (_, stage)) in solution.stages.iter().enumerate() {
        for (at, (moment, bounds)) in stage.known().enumerate() {
            let times = visits.as_ref().map(|visits| visits.moments[number][at]);
            if let Moment::Roll(state, _) = moment
                && !tell(Listed { state, bounds, visits: times, decided: None })
            {
                return;
            }
            // Of a game that is solved turn by turn, what is within turns is not stored.
            if solution.turns.is_none() && !decisions(Some(moment)).all(&mut tell) {
                return;
            }
        }
    }
}

fn key<S>(state: S, question: Question) -> Key<S> {
    (state, question.kind, question.actions.0)
}

/// What the answers to a question are worth.
fn decided<G: Game>(solution: &Solution<G>, state: G::State, question: Question) -> (Bounds, Decided) {
    let walk = solution.walk();
    let mut fold = solution.evaluation();
    let mut shared = Shared::new(state);
    let sign = if walk.wants_more(question.seat) { 1.0 } else { -1.0 };
    let mut worth = |action| walk.action(state, question, action, 0.0, &mut fold, &mut shared);
    let worths: Vec<(Action, Bounds)> =
        question.actions.iter().map(|action| (action, worth(action))).collect();
    let value = |at: usize| f64::midpoint(worths[at].1[0], worths[at].1[1]);
    // The first of those that are as good as the best.
    let first = |except: Option<usize>| {
        let others = || (0..worths.len()).filter(|at| Some(*at) != except);
        let most = others().map(|at| sign * value(at)).fold(f64::NEG_INFINITY, f64::max);
        others().find(|at| is_as_good(sign * value(*at), most)).unwrap_or(0)
    };
    let best = first(None);
    let second = first(Some(best));
    let loss = sign * (value(best) - value(second));
    let decided = Decided {
        question,
        best: worths[best].0,
        second: worths[second].0,
        second_value: value(second),
        loss: if loss <= SAME { 0.0 } else { loss },
    };
    (worths[best].1, decided)
}

/// What follows a moment.
enum Following<G: Game> {
    /// A decision with a choice, how often it is met, and whether best play comes there.
    Decision(G::State, Question, Option<f64>),
    /// Another moment, of this state, that best play comes to.
    Moment(G::State, f64),
}

/// Has all that may follow a moment told, whatever is answered; with its weight where best play comes there, if the moment has
/// one. What follows a decision is told if `tell` says yes to it.
fn steps<G: Game>(
    solution: &Solution<G>,
    moment: Moment<G>,
    weight: Option<f64>,
    tell: &mut dyn FnMut(Following<G>) -> bool,
) {
    let game = &solution.game;
    match moment {
        Moment::Roll(state, chance) => {
            let total: u32 = chance.outcomes().map(|(_, weight)| weight).sum();
            for (outcome, part) in chance.outcomes() {
                let share = weight.map(|weight| weight * f64::from(part) / f64::from(total));
                follow(solution, game.resolve(state, outcome, &mut ()), share, tell);
            }
        }
        Moment::Ask(state, kind) => {
            if let Some(question) = game.ask_again(state, kind.into()) {
                decide(solution, (state, question), weight, tell);
            }
        }
    }
}

fn follow<G: Game>(
    solution: &Solution<G>,
    node: NodeOf<G>,
    weight: Option<f64>,
    tell: &mut dyn FnMut(Following<G>) -> bool,
) {
    let moment = match node {
        Node::Terminal(_) => return,
        Node::Chance(state, ..) => state,
        Node::Decision(state, question) => match solution.game.met_again(state, question) {
            Some(state) => state,
            None => return decide(solution, (state, question), weight, tell),
        },
    };
    if let Some(weight) = weight {
        tell(Following::Moment(moment, weight));
    }
}

fn decide<G: Game>(
    solution: &Solution<G>,
    (state, question): (G::State, Question),
    weight: Option<f64>,
    tell: &mut dyn FnMut(Following<G>) -> bool,
) {
    let game = &solution.game;
    let goes_on = question.actions.is_single() || tell(Following::Decision(state, question, weight));
    if !goes_on {
        return;
    }
    let best = weight.map(|_| stopwise_engine::game::Policy::choose(solution, game, state, question));
    for action in question.actions.iter() {
        let weight = weight.filter(|_| best == Some(action));
        follow(solution, game.decide(state, question.kind, action, &mut ()), weight, tell);
    }
}

/// How often best play comes to moments, stage by stage, and to decisions.
pub(super) struct Visits<G: Game> {
    moments: Vec<Vec<f64>>,
    decisions: FxHashMap<Key<G::State>, f64>,
}

/// Counts visits; the inner `None` if there are too many positions, the outer one if it is not to go on.
pub(super) fn counted<G: Game>(
    solution: &Solution<G>,
    goes_on: &dyn Fn() -> bool,
) -> Option<Option<Visits<G>>> {
    if solution.turns.is_some() || solution.states > COUNTED {
        return Some(None);
    }
    let moments = solution.stages().map(|many| vec![0.0; many]).collect();
    let mut visits = Visits { moments, decisions: FxHashMap::default() };
    follow(solution, solution.game.root(&mut ()), Some(1.0), &mut |step| {
        visits.add(solution, &step, 1.0);
        !matches!(step, Following::Decision(_, _, None))
    });
    for number in 0..visits.moments.len() {
        if !visits.stage(solution, number, goes_on)? {
            return Some(None);
        }
    }
    Some(Some(visits))
}

impl<G: Game> Visits<G> {
    /// How often best play comes to a decision.
    pub(super) fn of_decision(&self, state: G::State, question: Question) -> f64 {
        self.decisions.get(&key(state, question)).copied().unwrap_or(0.0)
    }

    /// How often it comes to each moment, stage by stage.
    pub(super) fn of_moments(self) -> impl Iterator<Item = f64> {
        self.moments.into_iter().flatten()
    }

    fn add(&mut self, solution: &Solution<G>, step: &Following<G>, times: f64) {
        match *step {
            Following::Decision(state, question, Some(share)) => {
                *self.decisions.entry(key(state, question)).or_default() += times * share;
            }
            Following::Moment(state, share) => {
                if let Some((stage, at)) = solution.place_of(state) {
                    self.moments[stage][at] += times * share;
                }
            }
            Following::Decision(..) => {}
        }
    }

    /// Goes on from the moments of a stage, those that follow within it included: positions may return. Whether the game leaves
    /// it.
    fn stage(&mut self, solution: &Solution<G>, number: usize, goes_on: &dyn Fn() -> bool) -> Option<bool> {
        let many = self.moments[number].len();
        let mut open: Vec<usize> = (0..many).filter(|&at| self.moments[number][at] > 0.0).collect();
        let mut is_met = vec![false; many];
        open.iter().for_each(|&at| is_met[at] = true);
        let (mut within, mut out) = (Vec::new(), Vec::new());
        let mut done = 0;
        while let Some(&from) = open.get(done) {
            done += 1;
            if done % LOOK == 0 && !goes_on() {
                return None;
            }
            steps(solution, solution.moment(number, from), Some(1.0), &mut |step| {
                match step {
                    Following::Decision(_, _, None) => return false,
                    Following::Moment(state, share) => match solution.place_of(state) {
                        Some((stage, to)) if stage == number => {
                            within.push((from, to, share));
                            if !std::mem::replace(&mut is_met[to], true) {
                                open.push(to);
                            }
                        }
                        _ => out.push((from, step)),
                    },
                    Following::Decision(..) => out.push((from, step)),
                }
                true
            });
        }
        let mut moving = if within.is_empty() { Vec::new() } else { self.moments[number].clone() };
        let mut rounds = 0;
        while moving.iter().sum::<f64>() >= LEFT {
            rounds += 1;
            if rounds > ROUNDS {
                return Some(false);
            }
            if !goes_on() {
                return None;
            }
            let mut next = vec![0.0; many];
            within.iter().for_each(|&(from, to, share)| next[to] += moving[from] * share);
            self.moments[number].iter_mut().zip(&next).for_each(|(visits, more)| *visits += more);
            moving = next;
        }
        for (from, step) in out {
            let times = self.moments[number][from];
            self.add(solution, &step, times);
        }
        Some(true)
    }
}
