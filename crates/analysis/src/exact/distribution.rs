//! The exact distribution under given policies: probability flows forward from the start, stage by stage.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};
use stopwise_engine::chance::Chance;
use stopwise_engine::game::{Event, Events, Game, MAX_METRICS, MAX_SEATS, Node, Policy, Seat, Source};

use super::{ExactError, Limits};

/// The probability that may be left in a stage when it is left.
const LEFT: f64 = 1e-17;
/// Rounds after which a stage that does not empty is given up.
const ROUNDS: usize = 100_000;

/// What happens under given policies, exactly (up to rounding).
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
    /// The probability that was still on its way when the walk stopped: a bound on the error of every share.
    pub left: f64,
}

/// A sum of many small numbers that loses none of them to rounding (Neumaier, ZAMM 54, 1974).
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

/// Probability on its way: by stage, by state.
type Flow<G> = BTreeMap<u64, FxHashMap<<G as Game>::State, (<G as Game>::Chance, f64)>>;

struct Pass<'p, G: Game, P> {
    game: &'p G,
    lineup: &'p [P],
    memory: u32,
    expected: Expected,
    shares: Vec<Vec<BTreeMap<u32, Sum>>>,
    endings: Vec<Sum>,
    states: usize,
    left: f64,
}

/// Follows all probability from the start of the game to its ends. `lineup` holds a policy for every seat, or
/// one for all.
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
    let memory = lineup.iter().fold(0, |memory, policy| memory | policy.memory());
    let expected = Expected { counts: [[Sum::default(); Event::COUNT]; MAX_SEATS], weight: 1.0 };
    let mut pass = Pass {
        game,
        lineup,
        memory,
        expected,
        shares: vec![vec![BTreeMap::new(); metrics]; seats],
        endings: vec![Sum::default(); game.endings().len()],
        states: 0,
        left: 0.0,
    };
    let mut flow = Flow::<G>::new();
    let root = game.root(&mut pass.expected);
    pass.follow(root, 1.0, &mut flow);
    while let Some((stage, mut here)) = flow.pop_first() {
        let mut met = FxHashSet::default();
        let mut rounds = 0;
        while !here.is_empty() {
            for (state, (chance, share)) in here.drain() {
                met.insert(state);
                let total: u32 = chance.outcomes().map(|(_, weight)| weight).sum();
                for (outcome, weight) in chance.outcomes() {
                    let share = share * f64::from(weight) / f64::from(total);
                    pass.expected.weight = share;
                    let node = game.resolve(state, outcome, &mut pass.expected);
                    pass.follow(node, share, &mut flow);
                }
            }
            // Positions that returned to this stage go round again, until hardly anything is left of them.
            if let Some(again) = flow.remove(&stage) {
                here = again;
            }
            rounds += 1;
            let left: f64 = here.values().map(|(_, share)| share).sum();
            if left < LEFT {
                pass.left += left;
                break;
            }
            if rounds > ROUNDS {
                return Err(ExactError::Stuck { stage });
            }
        }
        pass.states += met.len();
        if pass.states + flow.values().map(FxHashMap::len).sum::<usize>() > limits.states {
            return Err(ExactError::TooLarge { states: limits.states });
        }
    }
    Ok(pass.finish())
}

impl<G: Game, P: Policy<G>> Pass<'_, G, P> {
    /// Follows one node to the next roll, or to the end.
    fn follow(&mut self, mut node: Node<G>, share: f64, flow: &mut Flow<G>) {
        loop {
            match node {
                Node::Decision(state, question) => {
                    let policy =
                        if self.lineup.len() == 1 { &self.lineup[0] } else { &self.lineup[question.seat] };
                    let action = policy.choose(self.game, state, question);
                    self.expected.weight = share;
                    node = self.game.decide(state, question.kind, action, &mut self.expected);
                }
                Node::Chance(state, _, chance) => {
                    let state = self.game.forget(state, self.memory);
                    let here = flow.entry(self.game.stage(state)).or_default();
                    here.entry(state).or_insert((chance, 0.0)).1 += share;
                    return;
                }
                Node::Terminal(end) => return self.end(end, share),
            }
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
            left: self.left,
        }
    }
}
