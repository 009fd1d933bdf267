//! Best play in a part of a game, such as a turn, as a function of the values of its exits. A part is explored once and
//! evaluated many times.
//!
//! A long game of equal turns is solved turn by turn: the values of a turn's exits depend on the unknown values of
//! positions, its structure does not.

use rustc_hash::FxHashMap;
use stopwise_engine::chance::Chance;
use stopwise_engine::game::{Game, Node};

use super::{ExactError, Limits, Size};

/// The number of steps between two progress reports.
const LOOK: usize = 64;

/// An acyclic part of a game: its moments in reverse topological order, each after those it leads to.
#[derive(Debug)]
pub struct Part<G: Game> {
    /// The nodes by which the part is left, without duplicates.
    pub exits: Vec<Node<G>>,
    /// The states in which dice are rolled, each with its step.
    rolls: Vec<(G::State, u32)>,
    steps: Vec<Operation>,
    /// The successors of all steps, as numbers of steps with the weights of outcomes.
    next: Vec<(u32, u32)>,
    start: u32,
}

/// A step of a part; ranges are of `next`.
#[derive(Clone, Copy, Debug)]
enum Operation {
    Exit(u32),
    /// The weighted mean of its successors.
    Roll(u32, u32),
    /// The greatest value of its successors.
    Choose(u32, u32),
}

/// The key of a step while a part is explored.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Moment<S, C> {
    Roll(S, C),
    Choose(S, usize),
}

struct Explorer<'e, G: Game, E> {
    game: &'e G,
    limits: Limits<'e>,
    /// Why exploration has ended early.
    ended: Result<(), ExactError>,
    is_exit: E,
    known: FxHashMap<Moment<G::State, G::Chance>, u32>,
    /// The known exits, by state and whether the game is over there.
    known_exits: FxHashMap<(G::State, bool), u32>,
    part: Part<G>,
}

impl<G: Game> Part<G> {
    /// Explores the game from `start` to the nodes for which `is_exit` holds, and to its ends. All decisions on the way
    /// belong to one player. States that are equal by symmetry are merged ([`Game::canonical`]).
    ///
    /// # Panics
    ///
    /// If the part has 2³² steps.
    pub fn explore(game: &G, start: Node<G>, is_exit: impl Fn(&Node<G>) -> bool) -> Self {
        let limits = Limits { states: usize::MAX, ..Limits::default() };
        Self::explore_within(game, start, is_exit, limits).expect("there are no limits")
    }

    /// [`Part::explore`] within limits; each step counts as a state.
    ///
    /// # Errors
    ///
    /// If the part is too large, or if the watcher stops the walk.
    ///
    /// # Panics
    ///
    /// If the part has 2³² steps.
    pub fn explore_within(
        game: &G,
        start: Node<G>,
        is_exit: impl Fn(&Node<G>) -> bool,
        limits: Limits<'_>,
    ) -> Result<Self, ExactError> {
        let part =
            Self { exits: Vec::new(), rolls: Vec::new(), steps: Vec::new(), next: Vec::new(), start: 0 };
        let (known, known_exits) = (FxHashMap::default(), FxHashMap::default());
        let mut explorer = Explorer { game, limits, ended: Ok(()), is_exit, known, known_exits, part };
        let start = explorer.step(start);
        explorer.ended?;
        Ok(Self { start, ..explorer.part })
    }

    /// The number of steps.
    pub(super) fn len(&self) -> usize {
        self.steps.len()
    }

    /// Its approximate size in bytes while it is explored.
    pub(super) fn bytes(&self) -> usize {
        self.next.len() * size_of::<(u32, u32)>()
            + self.steps.len()
                * (size_of::<Operation>() + 2 * size_of::<(Moment<G::State, G::Chance>, u32)>())
    }
}

impl<G: Game> Part<G> {
    /// The value of the start under best play, given the values of the exits, for `L` independent problems.
    pub fn evaluate<const L: usize>(&self, exits: &[[f64; L]]) -> [f64; L] {
        self.values(exits)[self.start as usize]
    }

    /// The states in which dice are rolled that best play can reach, with their values, given the values of the exits.
    /// The first of equal actions is taken.
    pub fn best_rolls(&self, exits: &[f64]) -> Vec<(G::State, f64)> {
        let exits: Vec<_> = exits.iter().map(|&worth| [worth]).collect();
        let values = self.values(&exits);
        let mut is_met = vec![false; self.steps.len()];
        is_met[self.start as usize] = true;
        // Successors have lower numbers.
        for at in (0..self.steps.len()).rev().filter(|&at| at <= self.start as usize) {
            match self.steps[at] {
                Operation::Roll(from, to) if is_met[at] => {
                    self.next[from as usize..to as usize]
                        .iter()
                        .for_each(|&(next, _)| is_met[next as usize] = true);
                }
                Operation::Choose(from, to) if is_met[at] => {
                    let mut ways = self.next[from as usize..to as usize].iter();
                    let is_best = |&&(next, _): &&(u32, u32)| values[next as usize] == values[at];
                    ways.find(is_best).into_iter().for_each(|&(next, _)| is_met[next as usize] = true);
                }
                _ => {}
            }
        }
        let met = self.rolls.iter().filter(|&&(_, step)| is_met[step as usize]);
        met.map(|&(state, step)| (state, values[step as usize][0])).collect()
    }

    /// The values of all steps.
    fn values<const L: usize>(&self, exits: &[[f64; L]]) -> Vec<[f64; L]> {
        let mut values = Vec::with_capacity(self.steps.len());
        for &step in &self.steps {
            let value = match step {
                Operation::Exit(exit) => exits[exit as usize],
                Operation::Roll(from, to) => {
                    let (mut sum, mut total) = ([0.0; L], 0.0);
                    for &(next, weight) in &self.next[from as usize..to as usize] {
                        let (next, weight): (&[f64; L], _) = (&values[next as usize], f64::from(weight));
                        total += weight;
                        for (sum, value) in sum.iter_mut().zip(next) {
                            *sum += weight * value;
                        }
                    }
                    sum.map(|sum| sum / total)
                }
                Operation::Choose(from, to) => {
                    let mut best = [f64::NEG_INFINITY; L];
                    for &(next, _) in &self.next[from as usize..to as usize] {
                        for (best, value) in best.iter_mut().zip(&values[next as usize]) {
                            *best = best.max(*value);
                        }
                    }
                    best
                }
            };
            values.push(value);
        }
        values
    }
}

impl<G: Game, E: Fn(&Node<G>) -> bool> Explorer<'_, G, E> {
    /// The step for a node; arbitrary after exploration has ended early.
    fn step(&mut self, node: Node<G>) -> u32 {
        if self.ended.is_err() {
            return 0;
        }
        let moment = match node {
            _ if (self.is_exit)(&node) => return self.exit(node),
            Node::Terminal(_) => return self.exit(node),
            Node::Chance(state, _, chance) => Moment::Roll(self.game.canonical(state), chance),
            Node::Decision(state, question) => Moment::Choose(self.game.canonical(state), question.kind),
        };
        if let Some(&step) = self.known.get(&moment) {
            return step;
        }
        let next: Vec<_> = match node {
            Node::Chance(state, _, chance) => {
                let after = |(outcome, weight)| (self.game.resolve(state, outcome, &mut ()), weight);
                chance.outcomes().map(after).collect()
            }
            Node::Decision(state, question) => {
                let after = |action| (self.game.decide(state, question.kind, action, &mut ()), 1);
                question.actions.iter().map(after).collect()
            }
            Node::Terminal(_) => Vec::new(),
        };
        let mut next: Vec<_> = next.into_iter().map(|(node, weight)| (self.step(node), weight)).collect();
        // Outcomes, or actions, with the same successor are merged.
        next.sort_unstable();
        next.dedup_by(|later, first| {
            let is_one = later.0 == first.0;
            first.1 += if is_one { later.1 } else { 0 };
            is_one
        });
        let step = match (moment, next.as_slice()) {
            (Moment::Choose(..), &[(only, _)]) => only,
            _ => {
                let from = number(self.part.next.len());
                self.part.next.extend(next);
                let to = number(self.part.next.len());
                self.push(if matches!(moment, Moment::Roll(..)) {
                    Operation::Roll(from, to)
                } else {
                    Operation::Choose(from, to)
                })
            }
        };
        if let Moment::Roll(state, _) = moment {
            self.part.rolls.push((state, step));
        }
        self.known.insert(moment, step);
        step
    }

    fn exit(&mut self, node: Node<G>) -> u32 {
        let key = match node {
            Node::Chance(state, ..) | Node::Decision(state, _) => (state, false),
            Node::Terminal(state) => (state, true),
        };
        if let Some(&step) = self.known_exits.get(&key) {
            return step;
        }
        let exit = number(self.part.exits.len());
        self.part.exits.push(node);
        let step = self.push(Operation::Exit(exit));
        self.known_exits.insert(key, step);
        step
    }

    fn push(&mut self, step: Operation) -> u32 {
        if self.part.steps.len().is_multiple_of(LOOK) {
            let steps = self.part.steps.len();
            let size = Size { states: steps, bytes: self.part.bytes(), ..Size::default() };
            self.ended = self.limits.tell(super::Progress::Explore { steps }).and(self.limits.check(size));
        }
        self.part.steps.push(step);
        number(self.part.steps.len() - 1)
    }
}

fn number(index: usize) -> u32 {
    u32::try_from(index).expect("a part of a game has fewer than 2³² steps")
}
