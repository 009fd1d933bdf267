//! The exact distribution under given policies: probability flows forward from the start, stage by stage.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use stopwise_engine::chance::Chance;
use stopwise_engine::game::{Event, Events, Game, MAX_METRICS, MAX_SEATS, Node, Policy, Seat, Source};

use super::{ExactError, Limits};

/// A stage is done when less probability than this is left in its cycles.
const LEFT: f64 = 1e-17;
/// Rounds after which a stage that does not empty is an error.
const ROUNDS: usize = 100_000;

/// The exact distribution of a game under given policies, up to rounding.
#[derive(Clone, Debug)]
pub struct Distribution {
    /// The mean of every metric, seat by seat.
    pub means: Vec<Vec<f64>>,
    /// The probability of every value, for the metrics that are read from the end of a game, seat by seat; empty
    /// for those that count events on the way.
    pub shares: Vec<Vec<BTreeMap<u32, f64>>>,
    /// The probability of every ending.
    pub endings: Vec<f64>,
    /// States in which dice are rolled.
    pub states: usize,
}

/// A compensated sum (Neumaier, ZAMM 54, 1974).
#[derive(Clone, Copy, Debug, Default)]
struct Sum {
    sum: f64,
    lost: f64,
}

impl Sum {
    #[inline]
    fn add(&mut self, term: f64) {
        let sum = self.sum + term;
        let (large, small) = if self.sum.abs() >= term.abs() { (self.sum, term) } else { (term, self.sum) };
        self.lost += (large - sum) + small;
        self.sum = sum;
    }

    fn value(self) -> f64 {
        self.sum + self.lost
    }
}

/// The expected number of events.
struct Expected {
    counts: [[Sum; Event::COUNT]; MAX_SEATS],
    weight: f64,
}

impl Events for Expected {
    #[inline]
    fn event(&mut self, seat: Seat, event: Event) {
        self.counts[seat][event.index()].add(self.weight);
    }
}

/// The rolls of one stage, and the probability of reaching each.
struct Stage<G: Game> {
    numbers: FxHashMap<G::State, usize>,
    rolls: Vec<(G::State, G::Chance)>,
    shares: Vec<f64>,
}

impl<G: Game> Stage<G> {
    /// The number of a roll, which is added if it is new.
    fn number(&mut self, state: G::State, chance: G::Chance) -> usize {
        let next = self.rolls.len();
        let number = *self.numbers.entry(state).or_insert(next);
        if number == next {
            self.rolls.push((state, chance));
            self.shares.push(0.0);
        }
        number
    }
}

impl<G: Game> Default for Stage<G> {
    fn default() -> Self {
        Self { numbers: FxHashMap::default(), rolls: Vec::new(), shares: Vec::new() }
    }
}

struct Pass<'p, G: Game, P> {
    game: &'p G,
    lineup: &'p [P],
    memory: u32,
    expected: Expected,
    flow: BTreeMap<u64, Stage<G>>,
    shares: Vec<Vec<BTreeMap<u32, Sum>>>,
    endings: Vec<Sum>,
    states: usize,
}

/// Propagates probability from the start of the game to its ends. `lineup` holds a policy for every seat, or one
/// for all.
///
/// # Errors
///
/// If there are too many states, or the game need not end under these policies.
pub fn distribution<G: Game, P: Policy<G>>(
    game: &G,
    lineup: &[P],
    limits: Limits,
) -> Result<Distribution, ExactError> {
    let (seats, metrics) = (game.seats(), game.metrics().len());
    let mut pass = Pass {
        game,
        lineup,
        memory: lineup.iter().fold(0, |memory, policy| memory | policy.memory()),
        expected: Expected { counts: [[Sum::default(); Event::COUNT]; MAX_SEATS], weight: 1.0 },
        flow: BTreeMap::new(),
        shares: vec![vec![BTreeMap::new(); metrics]; seats],
        endings: vec![Sum::default(); game.endings().len()],
        states: 0,
    };
    let root = game.root(&mut pass.expected);
    let first = follow(game, lineup, root, &mut pass.expected);
    pass.enter(first, 1.0);
    while let Some((number, mut stage)) = pass.flow.pop_first() {
        pass.visits(number, &mut stage, limits)?;
        pass.states += stage.rolls.len();
        for (&(state, chance), &share) in stage.rolls.iter().zip(&stage.shares) {
            let total: u32 = chance.outcomes().map(|(_, weight)| weight).sum();
            for (outcome, weight) in chance.outcomes() {
                let share = share * f64::from(weight) / f64::from(total);
                pass.expected.weight = share;
                let node = game.resolve(state, outcome, &mut pass.expected);
                pass.leave(number, node, share);
            }
        }
        if pass.states + pass.flow.values().map(|stage| stage.rolls.len()).sum::<usize>() > limits.states {
            return Err(ExactError::TooLarge { states: limits.states });
        }
    }
    Ok(pass.finish())
}

/// The next roll or end under the policies; events on the way go to `events`.
fn follow<G: Game, P: Policy<G>>(
    game: &G,
    lineup: &[P],
    mut node: Node<G>,
    events: &mut impl Events,
) -> Node<G> {
    while let Node::Decision(state, question) = node {
        let policy = if lineup.len() == 1 { &lineup[0] } else { &lineup[question.seat] };
        node = game.decide(state, question.kind, policy.choose(game, state, question), events);
    }
    node
}

impl<G: Game, P: Policy<G>> Pass<'_, G, P> {
    /// Turns the probability of entering a stage at each of its rolls into the expected number of visits, which is
    /// greater where positions recur.
    fn visits(&self, number: u64, stage: &mut Stage<G>, limits: Limits) -> Result<(), ExactError> {
        let mut steps = Vec::new();
        let mut at = 0;
        while at < stage.rolls.len() {
            let (state, chance) = stage.rolls[at];
            let total: u32 = chance.outcomes().map(|(_, weight)| weight).sum();
            for (outcome, weight) in chance.outcomes() {
                let node =
                    follow(self.game, self.lineup, self.game.resolve(state, outcome, &mut ()), &mut ());
                if let Node::Chance(next, _, chance) = node {
                    let next = self.game.forget(next, self.memory);
                    if self.game.stage(next) == number {
                        steps.push((at, stage.number(next, chance), f64::from(weight) / f64::from(total)));
                    }
                }
            }
            at += 1;
            if self.states + stage.rolls.len() > limits.states {
                return Err(ExactError::TooLarge { states: limits.states });
            }
        }
        if steps.is_empty() {
            return Ok(());
        }
        let mut moving = stage.shares.clone();
        for _ in 0..ROUNDS {
            let mut next = vec![0.0; moving.len()];
            for &(from, to, weight) in &steps {
                next[to] += moving[from] * weight;
            }
            for (visits, more) in stage.shares.iter_mut().zip(&next) {
                *visits += more;
            }
            if next.iter().sum::<f64>() < LEFT {
                return Ok(());
            }
            moving = next;
        }
        Err(ExactError::Stuck { stage: number })
    }

    /// Passes on probability that leaves a stage; transitions within the stage are in the visits.
    fn leave(&mut self, stage: u64, node: Node<G>, share: f64) {
        let node = follow(self.game, self.lineup, node, &mut self.expected);
        match node {
            Node::Chance(state, ..) if self.game.stage(self.game.forget(state, self.memory)) == stage => {}
            node => self.enter(node, share),
        }
    }

    /// Adds probability to a roll or an end.
    fn enter(&mut self, node: Node<G>, share: f64) {
        match node {
            Node::Chance(state, _, chance) => {
                let state = self.game.forget(state, self.memory);
                let stage = self.flow.entry(self.game.stage(state)).or_default();
                let number = stage.number(state, chance);
                stage.shares[number] += share;
            }
            Node::Terminal(end) => self.end(end, share),
            Node::Decision(..) => unreachable!("followed to a roll or an end"),
        }
    }

    fn end(&mut self, end: G::State, share: f64) {
        self.endings[self.game.ending(end)].add(share);
        for (seat, shares) in self.shares.iter_mut().enumerate() {
            let mut values = [0; MAX_METRICS];
            self.game.measure(end, seat, &mut values);
            for ((metric, value), shares) in self.game.metrics().iter().zip(values).zip(shares) {
                if metric.source == Source::End {
                    shares.entry(value).or_default().add(share);
                }
            }
        }
    }

    fn finish(self) -> Distribution {
        let mean = |seat: usize, index: usize, source| match source {
            Source::Count(event) => self.expected.counts[seat][event.index()].value(),
            Source::End => {
                let weigh = |(&value, share): (&u32, &Sum)| f64::from(value) * share.value();
                self.shares[seat][index].iter().map(weigh).sum()
            }
        };
        let sources = || self.game.metrics().iter().map(|metric| metric.source).enumerate();
        let means = (0..self.shares.len())
            .map(|seat| sources().map(|(index, source)| mean(seat, index, source)).collect())
            .collect();
        let value = |(&value, share): (&u32, &Sum)| (value, share.value());
        let shares = self
            .shares
            .iter()
            .map(|seat| seat.iter().map(|shares| shares.iter().map(value).collect()).collect());
        Distribution {
            means,
            shares: shares.collect(),
            endings: self.endings.iter().map(|share| share.value()).collect(),
            states: self.states,
        }
    }
}
