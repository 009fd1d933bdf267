//! How best play answers a yes/no decision, by features: in every situation, however rarely it is met.

use std::collections::BTreeMap;
use std::ops::Range;

use rustc_hash::FxHashSet;
use stopwise_engine::chance::Chance as _;
use stopwise_engine::game::{Action, Node, Policy as _, Question};
use stopwise_engine::vocabulary::Vocabulary;

use super::in_turns::answers_in_turn;
use super::parts::in_parts;
use super::walk::Moment;
use super::{ExactError, Limits, Progress, Solution};

/// The number of moments between two progress reports.
const LOOK: usize = 256;

/// The most features by which situations are told apart.
pub const MOST_FEATURES: usize = 3;

/// Situations that are alike in some features, and how best play answers them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Situations {
    /// The values of the features; 0 behind the last one.
    pub values: [i64; MOST_FEATURES],
    /// How many there are.
    pub many: f64,
    /// In how many of them the answer is yes.
    pub yes: f64,
}

/// The situations and the yeses of every cell.
#[derive(Default)]
pub(super) struct Cells(BTreeMap<[i64; MOST_FEATURES], (f64, f64)>);

impl Cells {
    /// Counts a situation by the features of its state.
    pub(super) fn count<G: Vocabulary>(
        &mut self,
        game: &G,
        state: G::State,
        features: &[usize],
        is_yes: bool,
    ) {
        let mut values = [0; MOST_FEATURES];
        for (value, feature) in values.iter_mut().zip(features) {
            *value = game.feature(state, *feature);
        }
        let sums = self.0.entry(values).or_default();
        *sums = (sums.0 + 1.0, sums.1 + f64::from(u8::from(is_yes)));
    }

    /// The sums of parts.
    pub(super) fn sum(parts: Vec<Self>) -> Vec<Situations> {
        let mut all = BTreeMap::<_, (f64, f64)>::new();
        for (cell, (many, yes)) in parts.into_iter().flat_map(|part| part.0) {
            let sums = all.entry(cell).or_default();
            *sums = (sums.0 + many, sums.1 + yes);
        }
        all.into_iter().map(|(values, (many, yes))| Situations { values, many, yes }).collect()
    }
}

/// The answers of best play to decisions of a kind, by up to three features. Each situation counts as often as there are
/// positions before a roll from which it may come; where only positions between turns are stored, as often as there are turns
/// to which it belongs.
///
/// # Errors
///
/// If the watcher stops the walk.
pub fn situations<G: Vocabulary>(
    solution: &Solution<G>,
    kind: usize,
    features: &[usize],
    limits: Limits<'_>,
) -> Result<Vec<Situations>, ExactError> {
    let moments: Vec<_> = solution.moments().collect();
    let counts = |part: Range<usize>| {
        limits.tell(Progress::Evaluate { done: part.start, states: moments.len() })?;
        let mut asking = Asking { solution, kind, features, cells: Cells::default() };
        moments[part].iter().for_each(|&moment| asking.moment(moment));
        Ok(asking.cells)
    };
    Ok(Cells::sum(in_parts(moments.len(), LOOK, &counts)?))
}

struct Asking<'s, G: Vocabulary> {
    solution: &'s Solution<G>,
    kind: usize,
    features: &'s [usize],
    cells: Cells,
}

impl<G: Vocabulary> Asking<'_, G> {
    fn moment(&mut self, moment: Moment<G>) {
        let game = self.solution.game;
        let mut met = FxHashSet::default();
        let turn = self.solution.turns.as_ref().and_then(|turns| self.solution.turn_of(turns, moment));
        if let Some((state, turn)) = turn {
            let (features, cells, mut out) = (self.features, &mut self.cells, Vec::new());
            let mut count = |whole, action| cells.count(&game, whole, features, action == Action::YES);
            let mut leads = |node: Node<G>| {
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

    fn node(&mut self, node: Node<G>, met: &mut FxHashSet<(G::State, usize)>) {
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
            let is_yes = self.solution.choose(&game, state, question) == Action::YES;
            self.cells.count(&game, state, self.features, is_yes);
        }
        for action in question.actions.iter() {
            self.node(game.decide(state, question.kind, action, &mut ()), met);
        }
    }
}
