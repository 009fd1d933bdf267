//! Best play in a part of a game, such as a turn, as a function of the values of its exits. A part is explored once and
//! evaluated many times.
//!
//! A long game of equal turns is solved turn by turn: the values of a turn's exits depend on the unknown values of
//! positions, its structure does not.

use std::fmt;
use std::ops::Range;

use rustc_hash::FxHashMap;

use crate::chance::Chance;
use crate::game::{Game, Node};

/// The number of steps between two progress reports.
const LOOK: usize = 64;

/// An acyclic part of a game: its moments in reverse topological order, each after those it leads to.
pub struct Part<G: Game> {
    /// The nodes by which the part is left, without duplicates.
    pub exits: Vec<Node<G>>,
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
    fn of<G: Game<State = S, Chance = C>>(game: &G, node: Node<G>) -> Option<Self> {
        match node {
            Node::Terminal(_) => None,
            Node::Chance(state, _, chance) => Some(Self::Roll(game.canonical(state), chance)),
            Node::Decision(state, question) => Some(Self::Choose(game.canonical(state), question.kind)),
        }
    }
}

struct Explorer<'e, G: Game, E> {
    game: &'e G,
    /// Whether to go on with so many steps, of so many bytes.
    watch: &'e mut dyn FnMut(usize, usize) -> bool,
    /// Whether exploration has ended early.
    ended: bool,
    is_exit: E,
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
        Self::explore_within(game, start, is_exit, &mut |_, _| true).expect("nothing ends it")
    }

    /// [`Part::explore`], as long as `watch` says that it may go on with so many steps, of so many bytes; else `None`.
    ///
    /// # Panics
    ///
    /// If the part has 2³² steps.
    pub fn explore_within(
        game: &G,
        start: Node<G>,
        is_exit: impl Fn(&Node<G>) -> bool,
        watch: &mut dyn FnMut(usize, usize) -> bool,
    ) -> Option<Self> {
        let mut explorer = Explorer { game, watch, ended: false, is_exit, part: Self::default() };
        let start = explorer.step(start);
        (!explorer.ended).then_some(Self { start, ..explorer.part })
    }

    /// The same part for values alone, which takes half the time where many ways are alike: steps with the same successors are
    /// one. [`Part::best_rolls`] then tells nothing.
    #[must_use]
    pub fn condensed(self) -> Self {
        let Self { exits, steps, next, weights, start, mut known, mut known_exits, .. } = self;
        let mut few = Self { exits, ..Self::default() };
        let mut alike: FxHashMap<(bool, Vec<(u32, u32)>), u32> = FxHashMap::default();
        // The new number of every step.
        let mut now: Vec<u32> = Vec::with_capacity(steps.len());
        for step in steps {
            let (from, to, is_roll) = match step {
                Operation::Exit(_) => {
                    now.push(few.push(step));
                    continue;
                }
                Operation::Roll(from, to) => (from, to, true),
                Operation::Choose(from, to) => (from, to, false),
            };
            let next = next[range(from, to)].iter().map(|&next| now[next as usize]);
            let mut next: Vec<_> = next.zip(weights[range(from, to)].iter().copied()).collect();
            merge(&mut next);
            if !is_roll {
                next.iter_mut().for_each(|(_, weight)| *weight = 1);
            }
            now.push(match *next {
                [(only, _)] => only,
                _ => {
                    *alike.entry((is_roll, next)).or_insert_with_key(|(_, next)| few.push_step(is_roll, next))
                }
            });
        }
        known.values_mut().chain(known_exits.values_mut()).for_each(|step| *step = now[*step as usize]);
        let landings = few.decided_for();
        Self { start: now[start as usize], known, known_exits, landings, ..few }
    }

    /// The rolls and exits that decisions lead to.
    fn decided_for(&self) -> Vec<u32> {
        let is_choice = |step: u32| matches!(self.steps[step as usize], Operation::Choose(..));
        let mut is_led_to = vec![false; self.steps.len()];
        for step in &self.steps {
            if let Operation::Choose(from, to) = *step {
                self.next[range(from, to)].iter().for_each(|&next| is_led_to[next as usize] = true);
            }
        }
        (0..number(self.steps.len())).filter(|&step| is_led_to[step as usize] && !is_choice(step)).collect()
    }

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
}

impl<G: Game> Part<G> {
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
    pub fn find(&self, game: &G, node: Node<G>) -> Option<usize> {
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

impl<G: Game, E: Fn(&Node<G>) -> bool> Explorer<'_, G, E> {
    /// The step for a node; arbitrary after exploration has ended early.
    fn step(&mut self, node: Node<G>) -> u32 {
        if self.ended {
            return 0;
        }
        let moment = match Moment::of(self.game, node) {
            Some(moment) if !(self.is_exit)(&node) => moment,
            _ => return self.exit(node),
        };
        if let Some(&step) = self.part.known.get(&moment) {
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
        merge(&mut next);
        let step = match (moment, next.as_slice()) {
            (Moment::Choose(..), &[(only, _)]) => only,
            _ => {
                self.look();
                self.part.push_step(matches!(moment, Moment::Roll(..)), &next)
            }
        };
        if let Moment::Roll(state, _) = moment {
            self.part.rolls.push((state, step));
        }
        self.part.known.insert(moment, step);
        step
    }

    fn exit(&mut self, node: Node<G>) -> u32 {
        let key = exit_of(node);
        if let Some(&step) = self.part.known_exits.get(&key) {
            return step;
        }
        let exit = number(self.part.exits.len());
        self.part.exits.push(node);
        self.look();
        let step = self.part.push(Operation::Exit(exit));
        self.part.known_exits.insert(key, step);
        step
    }

    /// Asks now and then whether to go on.
    fn look(&mut self) {
        if self.part.steps.len().is_multiple_of(LOOK) {
            self.ended = !(self.watch)(self.part.steps.len(), self.part.bytes());
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

fn exit_of<G: Game>(node: Node<G>) -> (G::State, bool) {
    match node {
        Node::Chance(state, ..) | Node::Decision(state, _) => (state, false),
        Node::Terminal(state) => (state, true),
    }
}

fn number(index: usize) -> u32 {
    u32::try_from(index).expect("a part of a game has fewer than 2³² steps")
}
