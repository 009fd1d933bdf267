//! How best play answers a decision, by features: in every situation, however rarely it is met.

use std::collections::BTreeMap;
use std::ops::Range;

use rustc_hash::FxHashSet;
use stopwise_engine::chance::Chance as _;
use stopwise_engine::game::{Action, Node, NodeOf, Question};
use stopwise_engine::vocabulary::Vocabulary;

use super::in_turns::answers_in_turn;
use super::listed::{Visits, counted};
use super::parts::in_parts;
use super::walk::Moment;
use super::{ExactError, Limits, Progress, Solution};

/// The number of moments between two progress reports.
const LOOK: usize = 256;

/// The most features by which situations are told apart.
pub const MOST_FEATURES: usize = 3;

/// Situations that are alike in some features, and how best play answers them.
#[derive(Clone, Debug, PartialEq)]
pub struct Situations<A> {
    /// The values of the features; 0 behind the last one.
    pub values: [i64; MOST_FEATURES],
    /// How many there are.
    pub many: f64,
    /// In how many of them another answer is as good.
    pub ties: f64,
    /// Whether best play comes to one of them; `true` where that is not known.
    pub is_met: bool,
    /// The answers of best play in their order, with the number of situations that have it.
    pub answers: Vec<(A, f64)>,
}

impl<A: PartialEq> Situations<A> {
    /// In how many of them best play answers so.
    pub fn answered(&self, answer: &A) -> f64 {
        self.answers.iter().find(|(other, _)| other == answer).map_or(0.0, |(_, many)| *many)
    }
}

/// What best play answers in a situation.
pub(super) struct Answered<A> {
    pub(super) answer: A,
    pub(super) is_tied: bool,
    pub(super) is_met: bool,
}

/// The situations of every cell, and their answers.
pub(super) struct Cells<A>(BTreeMap<[i64; MOST_FEATURES], Sums<A>>);

struct Sums<A> {
    ties: f64,
    is_met: bool,
    answers: BTreeMap<A, f64>,
}

impl<A> Default for Cells<A> {
    fn default() -> Self {
        Self(BTreeMap::new())
    }
}

impl<A> Default for Sums<A> {
    fn default() -> Self {
        Self { ties: 0.0, is_met: false, answers: BTreeMap::new() }
    }
}

impl<A: Ord> Cells<A> {
    /// Counts a situation by the features of its state.
    pub(super) fn count<G: Vocabulary>(
        &mut self,
        game: &G,
        state: G::State,
        features: &[usize],
        answered: Answered<A>,
    ) {
        let mut values = [0; MOST_FEATURES];
        for (value, feature) in values.iter_mut().zip(features) {
            *value = game.feature(state, *feature);
        }
        let sums = self.0.entry(values).or_default();
        sums.ties += f64::from(u8::from(answered.is_tied));
        sums.is_met |= answered.is_met;
        *sums.answers.entry(answered.answer).or_default() += 1.0;
    }

    /// The sums of parts.
    pub(super) fn sum(parts: Vec<Self>) -> Vec<Situations<A>> {
        let mut all = Self::default();
        for (cell, part) in parts.into_iter().flat_map(|part| part.0) {
            let sums = all.0.entry(cell).or_default();
            sums.ties += part.ties;
            sums.is_met |= part.is_met;
            for (answer, many) in part.answers {
                *sums.answers.entry(answer).or_default() += many;
            }
        }
        let situations = |(values, Sums { ties, is_met, answers }): ([i64; MOST_FEATURES], Sums<A>)| {
            let many = answers.values().sum();
            Situations { values, many, ties, is_met, answers: answers.into_iter().collect() }
        };
        all.0.into_iter().map(situations).collect()
    }
}

/// The answers of best play to decisions of a kind, by up to three features, as `named` has them. Each situation counts as often
/// as there are positions before a roll from which it may come, the start of the game included; where only positions between
/// turns are stored, as often as there are turns to which it belongs.
///
/// # Errors
///
/// If the watcher stops the walk.
pub fn situations<G: Vocabulary, A: Ord + Send>(
    solution: &Solution<G>,
    kind: usize,
    features: &[usize],
    named: &(dyn Fn(G::State, Action) -> A + Sync),
    limits: Limits<'_>,
) -> Result<Vec<Situations<A>>, ExactError> {
    let moments: Vec<_> = solution.moments().collect();
    let tell = |done| limits.tell(Progress::Evaluate { done, states: moments.len() });
    let visits = &counted(solution, &|| tell(0).is_ok()).ok_or(ExactError::Interrupted)?;
    let asking = || Asking { solution, kind, features, named, visits, cells: Cells::default() };
    let counts = |part: Range<usize>| {
        tell(part.start)?;
        let mut asking = asking();
        moments[part].iter().for_each(|&moment| asking.moment(moment));
        Ok(asking.cells)
    };
    let mut start = asking();
    start.node(solution.game.root(&mut ()), &mut FxHashSet::default());
    let mut parts = in_parts(moments.len(), LOOK, &counts)?;
    parts.push(start.cells);
    Ok(Cells::sum(parts))
}

struct Asking<'s, G: Vocabulary, A> {
    solution: &'s Solution<G>,
    kind: usize,
    features: &'s [usize],
    named: &'s (dyn Fn(G::State, Action) -> A + Sync),
    /// How often best play comes to decisions, where that is known.
    visits: &'s Option<Visits<G>>,
    cells: Cells<A>,
}

impl<G: Vocabulary, A: Ord> Asking<'_, G, A> {
    fn moment(&mut self, moment: Moment<G>) {
        let game = self.solution.game;
        let mut met = FxHashSet::default();
        let turn = self.solution.turns.as_ref().and_then(|turns| self.solution.turn_of(turns, moment));
        if let Some((state, turn)) = turn {
            let (features, named, mut out) = (self.features, self.named, Vec::new());
            let cells = &mut self.cells;
            let mut count = |whole, action, is_tied| {
                let answered = Answered { answer: named(whole, action), is_tied, is_met: true };
                cells.count(&game, whole, features, answered);
            };
            let mut leads = |node: NodeOf<G>| {
                if let Node::Decision(..) = node {
                    out.push(node);
                }
            };
            answers_in_turn(self.solution, (state, &turn), self.kind, &mut count, &mut leads);
            out.into_iter().for_each(|node| self.node(node, &mut met));
            return;
        }
        match moment {
            Moment::Roll(state, chance) => {
                for (outcome, _) in chance.outcomes() {
                    self.node(game.resolve(state, outcome, &mut ()), &mut met);
                }
            }
            Moment::Ask(state, kind) => {
                if let Some(question) = game.ask_again(state, kind.into()) {
                    self.decision(state, question, &mut met);
                }
            }
        }
    }

    fn node(&mut self, node: NodeOf<G>, met: &mut FxHashSet<(G::State, usize)>) {
        match node {
            Node::Decision(state, question)
                if self.solution.turns.is_some()
                    || self.solution.game.met_again(state, question).is_none() =>
            {
                self.decision(state, question, met);
            }
            // These have moments of their own.
            Node::Decision(..) | Node::Chance(..) | Node::Terminal(_) => {}
        }
    }

    fn decision(&mut self, state: G::State, question: Question, met: &mut FxHashSet<(G::State, usize)>) {
        if !met.insert((state, question.kind)) {
            return;
        }
        let game = self.solution.game;
        if question.kind == self.kind && !question.actions.is_single() {
            let mut best = self.solution.best_answers(state, question);
            let action = best.next().unwrap_or(question.actions.first());
            let is_met = self.visits.as_ref().is_none_or(|visits| visits.of_decision(state, question) > 0.0);
            let answered =
                Answered { answer: (self.named)(state, action), is_tied: best.next().is_some(), is_met };
            self.cells.count(&game, state, self.features, answered);
        }
        for action in question.actions.iter() {
            self.node(game.decide(state, question.kind, action, &mut ()), met);
        }
    }
}
