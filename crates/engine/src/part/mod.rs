//! Best play in a part of a game, such as a turn, as a function of the values of its exits. A part is explored once and
//! evaluated many times.
//!
//! A long game of equal turns is solved turn by turn: the values of a turn's exits depend on the unknown values of
//! positions, its structure does not.

mod condense;
mod explore;

use std::fmt;
use std::ops::Range;

use rustc_hash::FxHashMap;

use crate::game::{Game, Node, NodeOf};

/// An acyclic part of a game: its moments in reverse topological order, each after those it leads to.
pub struct Part<G: Game> {
    /// The nodes by which the part is left, without duplicates.
    pub exits: Vec<NodeOf<G>>,
    /// The states in which dice are rolled, each with its step.
    rolls: Vec<(G::State, u32)>,
    steps: Vec<Operation>,
    /// The successors of all steps, as numbers of steps.
    next: Vec<u32>,
    /// The weights of the outcomes that lead to them; of answers 1.
    weights: Vec<u32>,
    start: u32,
    /// The step of every moment.
    known: FxHashMap<Moment<G::State, G::Chance>, u32>,
    /// That of every exit, by state and whether the game is over there.
    known_exits: FxHashMap<(G::State, bool), u32>,
    /// The rolls and exits that decisions lead to, in their order.
    landings: Vec<u32>,
}

impl<G: Game> Default for Part<G> {
    fn default() -> Self {
        Self {
            exits: Vec::new(),
            rolls: Vec::new(),
            steps: Vec::new(),
            next: Vec::new(),
            weights: Vec::new(),
            start: 0,
            known: FxHashMap::default(),
            known_exits: FxHashMap::default(),
            landings: Vec::new(),
        }
    }
}

impl<G: Game> fmt::Debug for Part<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (exits, steps) = (self.exits.len(), self.steps.len());
        f.debug_struct("Part").field("exits", &exits).field("steps", &steps).finish_non_exhaustive()
    }
}

/// What [`Part::leave`] works in: as large as a part.
#[derive(Clone, Debug)]
pub struct Work<const L: usize> {
    values: Vec<[f64; L]>,
    chances: Vec<[f64; L]>,
}

impl<const L: usize> Default for Work<L> {
    fn default() -> Self {
        Self { values: Vec::new(), chances: Vec::new() }
    }
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

impl<S, C> Moment<S, C> {
    /// Of a node, unless it is an end.
    fn of<G: Game<State = S, Chance = C>>(game: &G, node: NodeOf<G>) -> Option<Self> {
        match node {
            Node::Terminal(_) => None,
            Node::Chance(state, _, chance) => Some(Self::Roll(game.canonical(state), chance)),
            Node::Decision(state, question) => Some(Self::Choose(game.canonical(state), question.kind)),
        }
    }
}

impl<G: Game> Part<G> {
    /// Adds a step with these successors; its number.
    fn push_step(&mut self, is_roll: bool, next: &[(u32, u32)]) -> u32 {
        let from = number(self.next.len());
        self.next.extend(next.iter().map(|(next, _)| next));
        self.weights.extend(next.iter().map(|(_, weight)| weight));
        let to = number(self.next.len());
        self.push(if is_roll { Operation::Roll(from, to) } else { Operation::Choose(from, to) })
    }

    fn push(&mut self, step: Operation) -> u32 {
        self.steps.push(step);
        number(self.steps.len() - 1)
    }

    /// The number of steps.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Whether it has no steps: never.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// Its approximate size in bytes while it is explored.
    pub fn bytes(&self) -> usize {
        self.next.len() * size_of::<[u32; 2]>()
            + self.steps.len()
                * (size_of::<Operation>() + 2 * size_of::<(Moment<G::State, G::Chance>, u32)>())
    }

    /// The value of the start under best play, given the values of the exits, for `L` independent problems.
    pub fn evaluate<const L: usize>(&self, exits: &[[f64; L]]) -> [f64; L] {
        self.values(exits)[self.start as usize]
    }

    /// The values of the start, for `L` independent problems, and the chances with which best play leaves the part by each exit.
    /// The first of equal actions is taken. `work` is for the values and chances of steps.
    pub fn leave<const L: usize>(&self, exits: &[[f64; L]], work: &mut Work<L>) -> ([f64; L], Vec<[f64; L]>) {
        let Work { values, chances } = work;
        self.evaluate_all(exits, values);
        chances.clear();
        chances.resize(self.start as usize + 1, [0.0; L]);
        chances[self.start as usize] = [1.0; L];
        let mut left = vec![[0.0; L]; exits.len()];
        // Successors have lower numbers.
        for at in (0..=self.start as usize).rev() {
            let here = chances[at];
            if here == [0.0; L] {
                continue;
            }
            match self.steps[at] {
                Operation::Exit(exit) => left[exit as usize] = here,
                Operation::Roll(from, to) => {
                    let weights = &self.weights[range(from, to)];
                    let total: f64 = weights.iter().map(|&weight| f64::from(weight)).sum();
                    for (&next, &weight) in self.next[range(from, to)].iter().zip(weights) {
                        let share = f64::from(weight) / total;
                        for (chance, here) in chances[next as usize].iter_mut().zip(&here) {
                            *chance += here * share;
                        }
                    }
                }
                Operation::Choose(from, to) => {
                    for lane in (0..L).filter(|&lane| here[lane] > 0.0) {
                        let is_best = |&&next: &&u32| values[next as usize][lane] == values[at][lane];
                        if let Some(&next) = self.next[range(from, to)].iter().find(is_best) {
                            chances[next as usize][lane] += here[lane];
                        }
                    }
                }
            }
        }
        (values[self.start as usize], left)
    }

    /// The values of all steps, given those of the exits.
    pub fn worths(&self, exits: &[f64]) -> Vec<[f64; 1]> {
        let exits: Vec<_> = exits.iter().map(|&worth| [worth]).collect();
        self.values(&exits)
    }

    /// The number of rolls and exits that decisions lead to.
    pub fn landings(&self) -> usize {
        self.landings.len()
    }

    /// The values of the rolls and exits that decisions lead to, given those of the exits: few of all steps, from which those
    /// of decisions follow.
    pub fn landed(&self, exits: &[f64]) -> Box<[f64]> {
        let values = self.worths(exits);
        self.landings.iter().map(|&step| values[step as usize][0]).collect()
    }

    /// The value of a step that a decision leads to, given [those](Part::landed) of rolls and exits. `met` has the decisions
    /// that were valued before. `None` for another step.
    pub fn look_ahead(&self, step: usize, landed: &[f64], met: &mut FxHashMap<u32, f64>) -> Option<f64> {
        let Operation::Choose(from, to) = self.steps[step] else {
            return self.landings.binary_search(&number(step)).ok().map(|at| landed[at]);
        };
        if let Some(&value) = met.get(&number(step)) {
            return Some(value);
        }
        let mut best = f64::NEG_INFINITY;
        for &next in &self.next[range(from, to)] {
            best = best.max(self.look_ahead(next as usize, landed, met)?);
        }
        met.insert(number(step), best);
        Some(best)
    }

    /// The decisions of a kind: their representative states.
    pub fn decisions(&self, kind: usize) -> impl Iterator<Item = G::State> {
        self.known.keys().filter_map(move |moment| match moment {
            Moment::Choose(state, own) if *own == kind => Some(*state),
            _ => None,
        })
    }

    /// The step of a node within the part, or of an exit.
    pub fn find(&self, game: &G, node: NodeOf<G>) -> Option<usize> {
        let exit = || self.known_exits.get(&exit_of(node));
        let within = Moment::of(game, node).and_then(|moment| self.known.get(&moment));
        within.or_else(exit).map(|&step| step as usize)
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
                    self.next[range(from, to)].iter().for_each(|&next| is_met[next as usize] = true);
                }
                Operation::Choose(from, to) if is_met[at] => {
                    let is_best = |&&next: &&u32| values[next as usize] == values[at];
                    let best = self.next[range(from, to)].iter().find(is_best);
                    best.into_iter().for_each(|&next| is_met[next as usize] = true);
                }
                _ => {}
            }
        }
        let met = self.rolls.iter().filter(|&&(_, step)| is_met[step as usize]);
        met.map(|&(state, step)| (state, values[step as usize][0])).collect()
    }

    /// The values of all steps.
    fn values<const L: usize>(&self, exits: &[[f64; L]]) -> Vec<[f64; L]> {
        let mut values = Vec::new();
        self.evaluate_all(exits, &mut values);
        values
    }

    fn evaluate_all<const L: usize>(&self, exits: &[[f64; L]], values: &mut Vec<[f64; L]>) {
        values.clear();
        values.reserve(self.steps.len());
        for &step in &self.steps {
            let value = match step {
                Operation::Exit(exit) => exits[exit as usize],
                Operation::Roll(from, to) => {
                    let (mut sum, mut total) = ([0.0; L], 0.0);
                    let weights = &self.weights[range(from, to)];
                    for (&next, &weight) in self.next[range(from, to)].iter().zip(weights) {
                        let weight = f64::from(weight);
                        total += weight;
                        for (sum, value) in sum.iter_mut().zip(&values[next as usize]) {
                            *sum += weight * value;
                        }
                    }
                    sum.map(|sum| sum / total)
                }
                Operation::Choose(from, to) => {
                    let mut best = [f64::NEG_INFINITY; L];
                    for &next in &self.next[range(from, to)] {
                        for (best, value) in best.iter_mut().zip(&values[next as usize]) {
                            *best = best.max(*value);
                        }
                    }
                    best
                }
            };
            values.push(value);
        }
    }
}

/// Makes outcomes, or actions, with the same successor one.
fn merge(next: &mut Vec<(u32, u32)>) {
    next.sort_unstable();
    next.dedup_by(|later, first| {
        let is_one = later.0 == first.0;
        first.1 += if is_one { later.1 } else { 0 };
        is_one
    });
}

fn range(from: u32, to: u32) -> Range<usize> {
    from as usize..to as usize
}

fn exit_of<S, C>(node: Node<S, C>) -> (S, bool) {
    match node {
        Node::Chance(state, ..) | Node::Decision(state, _) => (state, false),
        Node::Terminal(state) => (state, true),
    }
}

fn number(index: usize) -> u32 {
    u32::try_from(index).expect("a part of a game has fewer than 2³² steps")
}
