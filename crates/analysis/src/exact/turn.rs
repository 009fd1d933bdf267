//! Turns by themselves: what a game does until a step looks at what outlasts the turn, or changes it, is found once for all
//! positions with the same part, and what it comes to is worked out for each.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rustc_hash::{FxHashMap, FxHashSet};
use stopwise_engine::chance::Chance;
use stopwise_engine::game::{Action, Game, Node, Question, Within};
use stopwise_engine::look_ahead::{Objective, Reward};

/// An answer to a question of a kind, or what a roll shows.
pub(super) enum Way<G: Game> {
    Answer(usize, Action),
    Shown(<G::Chance as Chance>::Outcome),
}

/// Marks a way that leads out of the turn.
pub(super) const OUT: u32 = u32::MAX;
/// The most ways of a turn.
const MOST_WAYS: usize = 1 << 22;

/// A roll or a question.
pub(super) struct Step<G: Game> {
    pub(super) part: G::State,
    /// Nothing for a roll.
    pub(super) question: Option<Question>,
    /// Where its ways end; they begin where those of the step before do.
    pub(super) ways: usize,
    /// The same of those that lead out.
    pub(super) out: usize,
}

/// A turn from one of its rolls on; steps come after those that they lead to, and the roll is the last.
pub(super) struct Turn<G: Game> {
    pub(super) steps: Vec<Step<G>>,
    /// The step that a way leads to, or [`OUT`]; and its weight.
    pub(super) ways: Vec<(u32, u32)>,
    pub(super) out: Vec<Way<G>>,
}

/// The ways of turns that are kept: these take a few hundred megabytes. Turns that are needed again are looked at again.
const MOST_KEPT: usize = 1 << 25;

/// The turns that were looked at.
pub(super) struct Turns<G: Game> {
    within: &'static dyn Within<G>,
    known: Mutex<Known<G>>,
}

struct Known<G: Game> {
    /// By the part of the roll; nothing where positions of a turn return.
    turns: FxHashMap<G::State, Option<Arc<Turn<G>>>>,
    /// Their ways.
    ways: usize,
    /// The parts of all that ever were looked at, and their steps.
    met: FxHashSet<G::State>,
    steps: usize,
}

impl<G: Game> std::fmt::Debug for Turns<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Turns").field("steps", &self.steps()).finish_non_exhaustive()
    }
}

impl<G: Game> Turns<G> {
    pub(super) fn new(game: &G) -> Option<Self> {
        let known = Known { turns: FxHashMap::default(), ways: 0, met: FxHashSet::default(), steps: 0 };
        Some(Self { within: game.within()?, known: Mutex::new(known) })
    }

    fn known(&self) -> MutexGuard<'_, Known<G>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The number of steps of all turns.
    pub(super) fn steps(&self) -> usize {
        self.known().steps
    }

    /// The turn of a roll, if no position of it returns.
    pub(super) fn of(
        &self,
        game: &G,
        objective: &Objective,
        state: G::State,
        chance: G::Chance,
    ) -> Option<Arc<Turn<G>>> {
        let part = self.within.part(game, state);
        if let Some(known) = self.known().turns.get(&part) {
            return known.clone();
        }
        let mut explorer = Explorer { game, objective, within: self.within, known: FxHashMap::default() };
        let turn = explorer.turn(part, chance).map(Arc::new);
        let mut known = self.known();
        let Known { turns, ways, met, steps } = &mut *known;
        if *ways > MOST_KEPT {
            turns.clear();
            *ways = 0;
        }
        if let Some(turn) = &turn {
            *ways += turn.ways.len();
            *steps += if met.insert(part) { turn.steps.len() } else { 0 };
        }
        turns.insert(part, turn.clone());
        turn
    }

    /// A step's part as the position of this roll has it.
    pub(super) fn whole(&self, game: &G, part: G::State, state: G::State) -> G::State {
        self.within.whole(game, part, state)
    }
}

struct Explorer<'e, G: Game> {
    game: &'e G,
    objective: &'e Objective,
    within: &'static dyn Within<G>,
    /// The steps of rolls and questions; nothing while they are being looked at.
    known: FxHashMap<(G::State, Option<Question>), Option<u32>>,
}

/// A step that is being looked at.
struct Open<G: Game> {
    part: G::State,
    question: Option<Question>,
    after: std::vec::IntoIter<(Way<G>, Option<Node<G>>, u32)>,
    ways: Vec<(u32, u32)>,
    out: Vec<Way<G>>,
    /// The weight of the way to the step that is looked at first.
    weight: u32,
}

impl<G: Game> Explorer<'_, G> {
    /// `None` if positions return, or if there are too many ways.
    fn turn(&mut self, part: G::State, chance: G::Chance) -> Option<Turn<G>> {
        let mut turn = Turn { steps: Vec::new(), ways: Vec::new(), out: Vec::new() };
        let mut open = vec![self.roll(part, chance)];
        self.known.insert((part, None), None);
        while let Some(top) = open.last_mut() {
            let Some((way, node, weight)) = top.after.next() else {
                let Open { part, question, ways, out, .. } = open.pop()?;
                turn.ways.extend(ways);
                turn.out.extend(out);
                if turn.ways.len() > MOST_WAYS {
                    return None;
                }
                let step = u32::try_from(turn.steps.len()).ok()?;
                turn.steps.push(Step { part, question, ways: turn.ways.len(), out: turn.out.len() });
                self.known.insert((part, question), Some(step));
                if let Some(before) = open.last_mut() {
                    before.ways.push((step, before.weight));
                }
                continue;
            };
            let next = match node {
                Some(Node::Chance(state, _, chance)) => (state, None, Some(chance)),
                Some(Node::Decision(state, question)) => (state, Some(question), None),
                Some(Node::Terminal(_)) | None => {
                    top.ways.push((OUT, weight));
                    top.out.push(way);
                    continue;
                }
            };
            let (part, question) = (self.within.part(self.game, next.0), next.1);
            match self.known.get(&(part, question)) {
                Some(Some(step)) => top.ways.push((*step, weight)),
                Some(None) => return None,
                None => {
                    top.weight = weight;
                    self.known.insert((part, question), None);
                    let next = match (question, next.2) {
                        (Some(question), _) => self.question(part, question),
                        (None, Some(chance)) => self.roll(part, chance),
                        (None, None) => return None,
                    };
                    open.push(next);
                }
            }
        }
        Some(turn)
    }

    /// What a roll leads to. An outcome that leads back to it is dropped, as in the walk.
    fn roll(&self, part: G::State, chance: G::Chance) -> Open<G> {
        let mut after = Vec::new();
        for (outcome, weight) in chance.outcomes() {
            let mut reward = Reward::new(self.objective);
            let node = self.within.resolve(self.game, part, outcome, &mut reward);
            // What counts is looked at with everything.
            let node = node.filter(|_| reward.sum == 0.0);
            if let Some(Node::Chance(next, _, rolled)) = node
                && rolled == chance
                && self.within.part(self.game, next) == part
            {
                continue;
            }
            after.push((Way::Shown(outcome), node, weight));
        }
        Open { part, question: None, after: after.into_iter(), ways: Vec::new(), out: Vec::new(), weight: 0 }
    }

    fn question(&self, part: G::State, question: Question) -> Open<G> {
        let after: Vec<_> = question
            .actions
            .iter()
            .map(|action| {
                let mut reward = Reward::new(self.objective);
                let node = self.within.decide(self.game, part, action, &mut reward);
                (Way::Answer(question.kind, action), node.filter(|_| reward.sum == 0.0), 1)
            })
            .collect();
        let question = Some(question);
        Open { part, question, after: after.into_iter(), ways: Vec::new(), out: Vec::new(), weight: 0 }
    }
}
