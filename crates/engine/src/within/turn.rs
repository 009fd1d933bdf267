//! A turn by itself: what it does until a step looks at what outlasts it, or changes that. It is found once for all positions
//! with the same part, and what it comes to is worked out for each.

use rustc_hash::FxHashSet;

use crate::chance::Chance;
use crate::digest::Digest;
use crate::game::{Action, Game, Node, NodeOf, Question, Within};
use crate::look_ahead::{Objective, Reward};
use crate::places::Places;

/// A way out of a turn: an answer, or what a roll shows.
#[derive(Debug)]
pub enum Way<G: Game> {
    /// To the question of the step.
    Answer(Action),
    /// By the roll of the step.
    Shown(<G::Chance as Chance>::Outcome),
}

impl<G: Game> Way<G> {
    /// What it leads to from a step, whose state is `whole`, and the reward on it.
    pub fn leave(
        &self,
        game: &G,
        objective: &Objective,
        whole: G::State,
        step: &TurnStep<G>,
    ) -> (NodeOf<G>, f64) {
        let mut reward = Reward::new(objective);
        let node = match *self {
            Self::Answer(action) => {
                let kind = step.question.map_or(0, |question| question.kind);
                game.decide(whole, kind, action, &mut reward)
            }
            Self::Shown(outcome) => game.resolve(whole, outcome, &mut reward),
        };
        (node, reward.sum)
    }
}

/// Where a way leads.
#[derive(Debug)]
pub enum To<'t, G: Game> {
    /// To a step, by its number.
    Step(usize),
    /// Out of the turn.
    Out(&'t Way<G>),
}

/// Marks a way that leads out of the turn.
const OUT: u32 = u32::MAX;
/// The most ways of a turn.
const MOST_WAYS: usize = 1 << 22;

/// A roll or a question.
#[derive(Debug)]
pub struct TurnStep<G: Game> {
    /// The part of its state.
    pub part: G::State,
    /// Nothing for a roll.
    pub question: Option<Question>,
    /// Where its ways end; they begin where those of the step before do.
    ways: usize,
    /// The same of those that lead out.
    out: usize,
}

/// The steps of a turn; they come after those that they lead to.
pub struct Turn<G: Game> {
    steps: Vec<TurnStep<G>>,
    /// By the digests of part and question.
    known: Places,
    /// The step that a way leads to, or [`OUT`]; and its weight.
    ways: Vec<(u32, u32)>,
    out: Vec<Way<G>>,
}

impl<G: Game> Default for Turn<G> {
    fn default() -> Self {
        Self { steps: Vec::new(), known: Places::default(), ways: Vec::new(), out: Vec::new() }
    }
}

impl<G: Game> std::fmt::Debug for Turn<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Turn").field("steps", &self.steps.len()).finish_non_exhaustive()
    }
}

/// How the values of ways become those of steps.
pub trait Join<G: Game> {
    /// A value.
    type Worth: Copy;

    /// That of a way out of the turn, from this step, whose state is `whole`.
    fn out(&mut self, whole: G::State, step: &TurnStep<G>, way: &Way<G>) -> Self::Worth;

    /// That of a roll, from those of its ways with their weights.
    fn mean(&mut self, ways: &[(Self::Worth, f64)]) -> Self::Worth;

    /// That of a question in a state, from those of its answers in their order.
    fn best(&mut self, question: Question, whole: G::State, ways: &[(Self::Worth, f64)]) -> Self::Worth;
}

/// A turn's game, and what counts in it.
#[derive(Clone, Copy, Debug)]
pub struct Rules<'r, G: Game> {
    /// The game.
    pub game: &'r G,
    /// What is played for.
    pub objective: &'r Objective,
    /// How its turns go on.
    pub within: &'static dyn Within<G>,
}

impl<G: Game> Turn<G> {
    /// The number of its steps.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Whether it has no steps yet.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// Its steps.
    pub fn steps(&self) -> &[TurnStep<G>] {
        &self.steps
    }

    /// Its size in bytes.
    pub fn bytes(&self) -> usize {
        self.steps.capacity() * size_of::<TurnStep<G>>()
            + self.known.bytes()
            + self.ways.capacity() * size_of::<(u32, u32)>()
            + self.out.capacity() * size_of::<Way<G>>()
    }

    /// The number of the step with this part and question.
    pub fn find(&self, part: G::State, question: Option<Question>) -> Option<usize> {
        let is_it = |at: usize| self.steps[at].part == part && self.steps[at].question == question;
        self.known.find(digest(part, question), is_it)
    }

    /// The ways of a step, with their weights.
    pub fn ways_of(&self, at: usize) -> impl Iterator<Item = (To<'_, G>, u32)> {
        let (ways, out) =
            at.checked_sub(1).map_or((0, 0), |before| (self.steps[before].ways, self.steps[before].out));
        let step = &self.steps[at];
        let mut out = self.out[out..step.out].iter();
        self.ways[ways..step.ways].iter().filter_map(move |&(to, weight)| {
            Some((if to == OUT { To::Out(out.next()?) } else { To::Step(to as usize) }, weight))
        })
    }

    /// The ways of a step whose state is `whole`, with the values of what they lead to.
    pub fn worths_of<J: Join<G>>(
        &self,
        at: usize,
        whole: G::State,
        worths: &[J::Worth],
        join: &mut J,
        into: &mut Vec<(J::Worth, f64)>,
    ) {
        into.clear();
        for (to, weight) in self.ways_of(at) {
            let worth = match to {
                To::Step(step) => worths[step],
                To::Out(way) => join.out(whole, &self.steps[at], way),
            };
            into.push((worth, f64::from(weight)));
        }
    }

    /// The values of steps from the first on that has none yet, after those that are known.
    pub fn evaluate<J: Join<G>>(
        &self,
        whole: impl Fn(G::State) -> G::State,
        worths: &mut Vec<J::Worth>,
        join: &mut J,
    ) {
        let mut ways = Vec::with_capacity(64);
        for at in worths.len()..self.steps.len() {
            let step = &self.steps[at];
            let whole = whole(step.part);
            self.worths_of(at, whole, worths, join, &mut ways);
            worths.push(match step.question {
                None => join.mean(&ways),
                Some(question) => join.best(question, whole, &ways),
            });
        }
    }

    /// Adds a roll, and what it leads to, where that is missing. `None` if positions return, or if there are too many ways.
    pub fn enter_roll(&mut self, rules: Rules<'_, G>, part: G::State, chance: G::Chance) -> Option<usize> {
        self.enter(rules, (part, None), || roll(rules, part, chance))
    }

    /// The same for a question.
    pub fn enter_question(
        &mut self,
        rules: Rules<'_, G>,
        part: G::State,
        question: Question,
    ) -> Option<usize> {
        self.enter(rules, (part, Some(question)), || asked(rules, part, question))
    }

    fn enter(
        &mut self,
        rules: Rules<'_, G>,
        (part, question): (G::State, Option<Question>),
        open: impl FnOnce() -> Open<G>,
    ) -> Option<usize> {
        if let Some(known) = self.find(part, question) {
            return Some(known);
        }
        let mut open = vec![open()];
        let mut is_open = FxHashSet::from_iter([(part, question)]);
        while let Some(top) = open.last_mut() {
            let Some((way, node, weight)) = top.after.next() else {
                let done = open.pop()?;
                is_open.remove(&(done.part, done.question));
                let step = self.push(done)?;
                if let Some(before) = open.last_mut() {
                    before.ways.push((step, before.weight));
                }
                continue;
            };
            let (state, question, chance) = match node {
                Some(Node::Chance(state, _, chance)) => (state, None, Some(chance)),
                Some(Node::Decision(state, question)) => (state, Some(question), None),
                Some(Node::Terminal(_)) | None => {
                    top.ways.push((OUT, weight));
                    top.out.push(way);
                    continue;
                }
            };
            let part = rules.within.part(rules.game, state);
            if let Some(step) = self.find(part, question) {
                top.ways.push((u32::try_from(step).ok()?, weight));
                continue;
            }
            if !is_open.insert((part, question)) {
                return None;
            }
            top.weight = weight;
            open.push(match (question, chance) {
                (Some(question), _) => asked(rules, part, question),
                (None, Some(chance)) => roll(rules, part, chance),
                (None, None) => return None,
            });
        }
        self.len().checked_sub(1)
    }

    fn push(&mut self, Open { part, question, ways, out, .. }: Open<G>) -> Option<u32> {
        if self.ways.len() + ways.len() > MOST_WAYS {
            return None;
        }
        self.ways.extend(ways);
        self.out.extend(out);
        let step = u32::try_from(self.steps.len()).ok()?;
        self.steps.push(TurnStep { part, question, ways: self.ways.len(), out: self.out.len() });
        let of = |at: usize| digest(self.steps[at].part, self.steps[at].question);
        self.known.add(digest(part, question), |_| false, of);
        Some(step)
    }
}

fn digest<S: std::hash::Hash>(part: S, question: Option<Question>) -> u64 {
    Digest::of(0, &(part, question))
}

/// A step that is being looked at.
struct Open<G: Game> {
    part: G::State,
    question: Option<Question>,
    after: std::vec::IntoIter<(Way<G>, Option<NodeOf<G>>, u32)>,
    ways: Vec<(u32, u32)>,
    out: Vec<Way<G>>,
    /// The weight of the way to the step that is looked at first.
    weight: u32,
}

impl<G: Game> Open<G> {
    fn new(part: G::State, question: Option<Question>, after: Vec<(Way<G>, Option<NodeOf<G>>, u32)>) -> Self {
        Self { part, question, after: after.into_iter(), ways: Vec::new(), out: Vec::new(), weight: 0 }
    }
}

/// What a roll leads to. An outcome that leads back to it is dropped, as in the walk.
fn roll<G: Game>(rules: Rules<'_, G>, part: G::State, chance: G::Chance) -> Open<G> {
    let Rules { game, objective, within } = rules;
    let mut after = Vec::new();
    for (outcome, weight) in chance.outcomes() {
        let mut reward = Reward::new(objective);
        let node = within.resolve(game, part, outcome, &mut reward);
        // What counts is looked at with everything.
        let node = node.filter(|_| reward.sum == 0.0);
        if let Some(Node::Chance(next, _, rolled)) = node
            && rolled == chance
            && within.part(game, next) == part
        {
            continue;
        }
        after.push((Way::Shown(outcome), node, weight));
    }
    Open::new(part, None, after)
}

fn asked<G: Game>(rules: Rules<'_, G>, part: G::State, question: Question) -> Open<G> {
    let after = question.actions.iter().map(|action| {
        let mut reward = Reward::new(rules.objective);
        let node = rules.within.decide(rules.game, part, action, &mut reward);
        (Way::Answer(action), node.filter(|_| reward.sum == 0.0), 1)
    });
    Open::new(part, Some(question), after.collect())
}
