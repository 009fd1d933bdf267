//! How best play answers a decision, by features: in every situation, however rarely it is met.

use std::collections::BTreeMap;
use std::iter::Sum;
use std::ops::{AddAssign, Range};

use rustc_hash::FxHashSet;
use stopwise_engine::chance::Chance as _;
use stopwise_engine::game::{Action, Node, NodeOf, Question};
use stopwise_engine::look_ahead::Worths;
use stopwise_engine::vocabulary::Vocabulary;

use super::in_turns::answers_in_turn;
use super::listed::counted;
use super::parts::in_parts;
use super::walk::Moment;
use super::{ExactError, Limits, Progress, Solution};

/// The number of moments between two progress reports.
const LOOK: usize = 256;

/// The most features by which situations are told apart.
pub const MOST_FEATURES: usize = 3;

/// How often something is so.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Times {
    /// In how many situations.
    pub situations: f64,
    /// How often a game comes to them under best play, in the mean; 0 where that is not known.
    pub visits: f64,
    /// What a game loses in the mean if they are answered otherwise, each as well as can be, and best play follows; 0 where
    /// visits are not known.
    pub loss: f64,
}

impl Times {
    /// The share of some situations in all: of the times that best play comes to them, where it does; otherwise of the situations.
    pub fn share_of(self, all: Self) -> f64 {
        if all.visits > 0.0 { self.visits / all.visits } else { self.situations / all.situations }
    }
}

impl AddAssign for Times {
    fn add_assign(&mut self, other: Self) {
        self.situations += other.situations;
        self.visits += other.visits;
        self.loss += other.loss;
    }
}

impl Sum for Times {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::default(), |mut sum, times| {
            sum += times;
            sum
        })
    }
}

/// Situations that are alike in some features, and how best play answers them.
#[derive(Clone, Debug, PartialEq)]
pub struct Situations<A> {
    /// The values of the features; 0 behind the last one.
    pub values: [i64; MOST_FEATURES],
    /// The answers of best play in their order, with the situations that have each.
    pub answers: Vec<(A, Times)>,
    /// Those in which another answer is as good.
    pub ties: Times,
    /// Whether it is known how often best play comes to them.
    pub is_counted: bool,
}

impl<A: PartialEq> Situations<A> {
    /// How many there are, and how often best play comes to them.
    pub fn all(&self) -> Times {
        self.answers.iter().map(|(_, times)| *times).sum()
    }

    /// In which of them best play answers so.
    pub fn answered(&self, answer: &A) -> Times {
        self.answers
            .iter()
            .find(|(other, _)| other == answer)
            .map_or_else(Times::default, |(_, times)| *times)
    }

    /// How often best play comes to them, where that is known.
    pub fn visits(&self) -> Option<f64> {
        self.is_counted.then(|| self.all().visits)
    }

    /// Whether best play comes to one of them, as far as is known.
    pub fn is_met(&self) -> bool {
        self.visits() != Some(0.0)
    }

    /// The share of an answer.
    pub fn share(&self, answer: &A) -> f64 {
        self.answered(answer).share_of(self.all())
    }
}

/// What best play answers in a situation.
pub(super) struct Answered<A> {
    pub(super) answer: A,
    pub(super) is_tied: bool,
    pub(super) times: Times,
}

/// The situations of every cell, and their answers.
pub(super) struct Cells<A>(BTreeMap<[i64; MOST_FEATURES], Sums<A>>);

struct Sums<A> {
    ties: Times,
    answers: BTreeMap<A, Times>,
}

impl<A> Default for Cells<A> {
    fn default() -> Self {
        Self(BTreeMap::new())
    }
}

impl<A> Default for Sums<A> {
    fn default() -> Self {
        Self { ties: Times::default(), answers: BTreeMap::new() }
    }
}

impl<A: Ord> Cells<A> {
    /// Counts a situation by the features of its state.
    pub(super) fn count<G: Vocabulary>(
        &mut self,
        game: &G,
        state: G::State,
        features: &[usize],
        Answered { answer, is_tied, times }: Answered<A>,
    ) {
        let mut values = [0; MOST_FEATURES];
        for (value, feature) in values.iter_mut().zip(features) {
            *value = game.feature(state, *feature);
        }
        let sums = self.0.entry(values).or_default();
        if is_tied {
            sums.ties += times;
        }
        *sums.answers.entry(answer).or_default() += times;
    }

    /// The sums of parts, of which visits are counted or not.
    pub(super) fn sum(parts: Vec<Self>, is_counted: bool) -> Vec<Situations<A>> {
        let mut all = Self::default();
        for (cell, part) in parts.into_iter().flat_map(|part| part.0) {
            let sums = all.0.entry(cell).or_default();
            sums.ties += part.ties;
            for (answer, times) in part.answers {
                *sums.answers.entry(answer).or_default() += times;
            }
        }
        let situations = |(values, Sums { ties, answers }): ([i64; MOST_FEATURES], Sums<A>)| Situations {
            values,
            answers: answers.into_iter().collect(),
            ties,
            is_counted,
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
    let visits = counted(solution, &|| tell(0).is_ok()).ok_or(ExactError::Interrupted)?;
    let visits = visits.map(|visits| visits.of_moments().collect::<Vec<f64>>());
    let asking = || Asking { solution, kind, features, named, cells: Cells::default() };
    let counts = |part: Range<usize>| {
        tell(part.start)?;
        let mut asking = asking();
        part.for_each(|at| asking.moment(moments[at], visits.as_ref().map_or(0.0, |visits| visits[at])));
        Ok(asking.cells)
    };
    let mut start = asking();
    let once = if visits.is_some() { 1.0 } else { 0.0 };
    start.node(solution.game.root(&mut ()), once, &mut FxHashSet::default());
    let mut parts = in_parts(moments.len(), LOOK, &counts)?;
    parts.push(start.cells);
    Ok(Cells::sum(parts, visits.is_some()))
}

struct Asking<'s, G: Vocabulary, A> {
    solution: &'s Solution<G>,
    kind: usize,
    features: &'s [usize],
    named: &'s (dyn Fn(G::State, Action) -> A + Sync),
    cells: Cells<A>,
}

impl<G: Vocabulary, A: Ord> Asking<'_, G, A> {
    /// The decisions that follow a moment to which best play comes so often.
    fn moment(&mut self, moment: Moment<G>, visits: f64) {
        let game = self.solution.game;
        let mut met = FxHashSet::default();
        let turn = self.solution.turns.as_ref().and_then(|turns| self.solution.turn_of(turns, moment));
        if let Some((state, turn)) = turn {
            let (features, named, mut out) = (self.features, self.named, Vec::new());
            let cells = &mut self.cells;
            let times = Times { situations: 1.0, ..Times::default() };
            let mut count = |whole, action, is_tied| {
                cells.count(
                    &game,
                    whole,
                    features,
                    Answered { answer: named(whole, action), is_tied, times },
                );
            };
            let mut leads = |node: NodeOf<G>| {
                if let Node::Decision(..) = node {
                    out.push(node);
                }
            };
            answers_in_turn(self.solution, (state, &turn), self.kind, &mut count, &mut leads);
            out.into_iter().for_each(|node| self.node(node, 0.0, &mut met));
            return;
        }
        match moment {
            Moment::Roll(state, chance) => {
                let total: u32 = chance.outcomes().map(|(_, weight)| weight).sum();
                for (outcome, weight) in chance.outcomes() {
                    let visits = visits * f64::from(weight) / f64::from(total);
                    self.node(game.resolve(state, outcome, &mut ()), visits, &mut met);
                }
            }
            Moment::Ask(state, kind) => {
                if let Some(question) = game.ask_again(state, kind.into()) {
                    self.decision(state, question, visits, &mut met);
                }
            }
        }
    }

    fn node(&mut self, node: NodeOf<G>, visits: f64, met: &mut FxHashSet<(G::State, usize)>) {
        match node {
            Node::Decision(state, question)
                if self.solution.turns.is_some()
                    || self.solution.game.met_again(state, question).is_none() =>
            {
                self.decision(state, question, visits, met);
            }
            // These have moments of their own.
            Node::Decision(..) | Node::Chance(..) | Node::Terminal(_) => {}
        }
    }

    /// A decision counts once, and as often as it is visited on all ways that lead to it.
    fn decision(
        &mut self,
        state: G::State,
        question: Question,
        visits: f64,
        met: &mut FxHashSet<(G::State, usize)>,
    ) {
        let is_new = met.insert((state, question.kind));
        if !is_new && visits == 0.0 {
            return;
        }
        let game = self.solution.game;
        let is_wanted = question.kind == self.kind && !question.actions.is_single();
        let mut best = question.actions.first();
        if is_wanted || visits > 0.0 && !question.actions.is_single() {
            let worths = self.solution.look_ahead(state, question);
            let answers: Vec<_> = worths.iter().flat_map(Worths::answers).collect();
            best = answers.first().copied().unwrap_or(best);
            if is_wanted {
                let (is_tied, answer) = (answers.len() > 1, (self.named)(state, best));
                let loss = worths.filter(|_| !is_tied).map_or(0.0, |worths| loss(&worths, best));
                let times = Times { situations: f64::from(u8::from(is_new)), visits, loss: visits * loss };
                self.cells.count(&game, state, self.features, Answered { answer, is_tied, times });
            }
        }
        for action in question.actions.iter() {
            let visits = if action == best { visits } else { 0.0 };
            self.node(game.decide(state, question.kind, action, &mut ()), visits, met);
        }
    }
}

/// What the best of the other answers loses.
fn loss(worths: &Worths, best: Action) -> f64 {
    let others = worths.iter().filter(|(action, _)| *action != best).map(|(_, worth)| worth);
    worths.best() - others.fold(f64::NEG_INFINITY, f64::max)
}
