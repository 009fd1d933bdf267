//! Queries about positions within turns, where only positions between turns are stored: each turn is traversed once.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use stopwise_engine::game::{Action, Game, MAX_KINDS, Node, NodeOf, Policy, Question};
use stopwise_engine::look_ahead::{SAME, is_as_good};
use stopwise_engine::vocabulary::Vocabulary;
use stopwise_engine::within::{Join, To, Turn, TurnStep, Way, may_be_told};

use super::bounds::Bounds;
use super::by_fold::ByFold;
use super::distribution::Sum;
use super::losses::{MISTAKE, TURN};
use super::parts::in_parts;
use super::turn::Turns;
use super::walk::Moment;
use super::{ExactError, Limits, Loss, Progress, Solution};

/// The number of turns between two progress reports.
const LOOK: usize = 16;

/// Goes through a turn: joins the values of its steps, and hands over each question with what its answers are worth for who
/// decides, and where ways out of the turn lead.
struct Asking<'f, 'w, G: Game, F: super::walk::Fold<G>, A, O> {
    inner: ByFold<'f, 'w, G, F>,
    sign: f64,
    asked: A,
    out: O,
}

impl<'w, G, F, A, O> Join<G> for Asking<'_, 'w, G, F, A, O>
where
    G: Game,
    F: super::walk::Fold<G, Worth = Bounds>,
    A: FnMut(Question, G::State, &[f64]),
    O: FnMut(NodeOf<G>),
{
    type Worth = Bounds;

    fn out(&mut self, whole: G::State, step: &TurnStep<G>, way: &Way<G>) -> Bounds {
        let (node, reward) = self.inner.leave(whole, step, way);
        (self.out)(node);
        self.inner.node(node, reward)
    }

    fn mean(&mut self, ways: &[(Bounds, f64)]) -> Bounds {
        self.inner.mean(ways)
    }

    fn best(&mut self, question: Question, whole: G::State, ways: &[(Bounds, f64)]) -> Bounds {
        let sign = if question.seat == 0 { self.sign } else { -self.sign };
        let worths: Vec<f64> =
            ways.iter().map(|([low, high], _)| sign * f64::midpoint(*low, *high)).collect();
        (self.asked)(question, whole, &worths);
        self.inner.best(question, whole, ways)
    }
}

/// The first of the best answers, in the game's order, and whether there are others.
fn best_of(question: Question, worths: &[f64]) -> (Action, bool) {
    let best = worths.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let first = question.actions.iter().zip(worths).find(|(_, worth)| is_as_good(**worth, best));
    let are_several = worths.iter().filter(|worth| best - **worth <= SAME).count() > 1;
    (first.map_or(question.actions.first(), |(action, _)| action), are_several)
}

impl<G: Game> Solution<G> {
    /// The turn of a moment, with what outlasts it; nothing if it is no roll, or if positions of the turn return.
    pub(super) fn turn_of(&self, turns: &Turns<G>, moment: Moment<G>) -> Option<(G::State, Arc<Turn<G>>)> {
        let Moment::Roll(state, chance) = moment else { return None };
        Some((state, turns.of(&self.game, &self.objective, state, chance)?))
    }

    /// Has all questions of a turn told, with what their answers are worth for who decides, and the nodes out of it.
    pub(super) fn each_question(
        &self,
        turns: &Turns<G>,
        (state, turn): (G::State, &Turn<G>),
        asked: impl FnMut(Question, G::State, &[f64]),
        out: impl FnMut(NodeOf<G>),
    ) {
        let mut walk = self.walk();
        walk.turns.clone_from(&self.turns);
        let mut fold = self.evaluation();
        let sign = if self.objective.wants_more(0) { 1.0 } else { -1.0 };
        let mut asking = Asking { inner: ByFold::new(&walk, &mut fold), sign, asked, out };
        turn.evaluate(|part| turns.whole(&self.game, part, state), &mut Vec::new(), &mut asking);
    }
}

/// Has the answers of best play to questions of a kind told, by moment: in its turn, each once, and whether others are as good.
pub(super) fn answers_in_turn<G: Game>(
    solution: &Solution<G>,
    (state, turn): (G::State, &Turn<G>),
    kind: usize,
    answered: &mut impl FnMut(G::State, Action, bool),
    out: &mut impl FnMut(NodeOf<G>),
) {
    if const { !may_be_told::<G>() } {
        return;
    }
    let Some(turns) = &solution.turns else { return };
    let asked = |question: Question, whole, worths: &[f64]| {
        if question.kind == kind && !question.actions.is_single() {
            let (action, is_tied) = best_of(question, worths);
            answered(whole, action, is_tied);
        }
    };
    solution.each_question(turns, (state, turn), asked, out);
}

/// The losses of a policy in a solitaire game of which only positions between turns are stored.
#[derive(Clone, Debug)]
pub struct LossesInTurns {
    /// The value of the policy: that of best play less its losses.
    pub value: f64,
    /// By turn, then by kind.
    pub rows: Vec<Loss>,
    /// The number of positions between turns that it reaches.
    pub states: usize,
}

/// What a policy loses in a game for one: its chances to come to positions go forwards turn by turn, and in every turn its answers
/// are held against the best ones. Nothing else is told of it: what happens within turns is not looked at.
///
/// # Errors
///
/// If the policy looks at what best play forgets, or if the watcher stops it.
pub fn losses_in_turns<G: Vocabulary>(
    solution: &Solution<G>,
    policy: &dyn Policy<G>,
    limits: Limits<'_>,
) -> Result<LossesInTurns, ExactError> {
    if const { !may_be_told::<G>() } {
        return Err(ExactError::TurnByTurn);
    }
    let Some(turns) = &solution.turns else { return Err(ExactError::TurnByTurn) };
    if policy.memory() != 0 || solution.game.seats() > 1 {
        return Err(ExactError::Remembers);
    }
    if (0..MAX_KINDS).any(|kind| policy.is_by_chance(kind)) {
        return Err(ExactError::ByChance);
    }
    let turn = solution.game.features().iter().position(|feature| feature.name == TURN);
    let judge = Judge { solution, turns, policy, turn };
    let mut flow =
        Flow { reached: solution.stages().map(|stage| vec![0.0; stage]).collect(), rows: BTreeMap::new() };
    let mut start = Found::default();
    judge.follow(solution.game.root(&mut ()), 1.0, &mut start);
    flow.add(start);
    let mut done = 0;
    for at in 0..flow.reached.len() {
        let met: Vec<(usize, f64)> =
            flow.reached[at].iter().copied().enumerate().filter(|(_, share)| *share > 0.0).collect();
        let found = in_parts(met.len(), LOOK, &|part: Range<usize>| {
            limits.tell(Progress::Flow { states: done + part.start })?;
            let mut found = Found::default();
            for &(moment, share) in &met[part] {
                judge.moment(solution.moment(at, moment), share, &mut found);
            }
            Ok(found)
        })?;
        found.into_iter().for_each(|found| flow.add(found));
        done += met.len();
    }
    let row = |(&(turn, kind), sums): (&(Option<u32>, usize), &[Sum; 3])| {
        let [decisions, mistakes, regret] = sums.map(Sum::value);
        Loss { kind, turn, decisions, mistakes, regret }
    };
    let rows: Vec<Loss> = flow.rows.iter().map(row).collect();
    let lost: f64 = rows.iter().map(|row| row.regret).sum();
    let sign = if solution.objective.wants_more(0) { 1.0 } else { -1.0 };
    Ok(LossesInTurns { value: solution.middle() - sign * lost, rows, states: done })
}

/// Decisions with their sums, by turn and kind.
type Rows = BTreeMap<(Option<u32>, usize), [Sum; 3]>;

/// How often the moments of each stage are reached, and what was lost.
struct Flow {
    reached: Vec<Vec<f64>>,
    rows: Rows,
}

/// What some moments lead to: moments by stage and number, with how often they are reached by this; and what was lost.
#[derive(Default)]
struct Found {
    next: BTreeMap<(usize, usize), f64>,
    rows: Rows,
}

impl Flow {
    fn add(&mut self, found: Found) {
        for ((stage, moment), share) in found.next {
            self.reached[stage][moment] += share;
        }
        for (row, sums) in found.rows {
            let all = self.rows.entry(row).or_default();
            all.iter_mut().zip(sums).for_each(|(all, sum)| all.add(sum.value()));
        }
    }
}

struct Judge<'j, G: Vocabulary> {
    solution: &'j Solution<G>,
    turns: &'j Turns<G>,
    policy: &'j dyn Policy<G>,
    /// The index of the feature for the turn.
    turn: Option<usize>,
}

impl<G: Vocabulary> Judge<'_, G> {
    fn moment(&self, moment: Moment<G>, share: f64, found: &mut Found) {
        let game = &self.solution.game;
        match (self.solution.turn_of(self.turns, moment), moment) {
            (Some((state, turn)), _) => self.through(state, &turn, share, found),
            (None, Moment::Roll(state, chance)) => {
                use stopwise_engine::chance::Chance as _;
                let total: f64 = chance.outcomes().map(|(_, weight)| f64::from(weight)).sum();
                for (outcome, weight) in chance.outcomes() {
                    let node = game.resolve(state, outcome, &mut ());
                    self.follow(node, share * f64::from(weight) / total, found);
                }
            }
            (None, Moment::Ask(..)) => {}
        }
    }

    /// Goes through a turn, from its roll on.
    fn through(&self, state: G::State, turn: &Turn<G>, share: f64, found: &mut Found) {
        // By step, where its answers begin.
        let (mut worths, mut begins) = (Vec::new(), Vec::new());
        let asked = |_: Question, _: G::State, answers: &[f64]| {
            begins.push(worths.len());
            worths.extend_from_slice(answers);
        };
        self.solution.each_question(self.turns, (state, turn), asked, |_| ());
        let mut shares = vec![0.0; turn.len()];
        let Some(first) = shares.last_mut() else { return };
        *first = share;
        for at in (0..turn.len()).rev() {
            let step = &turn.steps()[at];
            let begin = step.question.and_then(|_| begins.pop());
            let share = shares[at];
            if share == 0.0 {
                continue;
            }
            let whole = self.turns.whole(&self.solution.game, step.part, state);
            let mut go = |to: To<'_, G>, share: f64| match to {
                To::Step(next) => shares[next] += share,
                To::Out(way) => {
                    let game = &self.solution.game;
                    let (node, _) = way.leave(game, &self.solution.objective, whole, step);
                    self.follow(node, share, found);
                }
            };
            match step.question {
                None => {
                    let total: f64 = turn.ways_of(at).map(|(_, weight)| f64::from(weight)).sum();
                    turn.ways_of(at).for_each(|(to, weight)| go(to, share * f64::from(weight) / total));
                }
                Some(question) => {
                    let action = self.policy.choose(&self.solution.game, whole, question);
                    let number = question.actions.iter().position(|other| other == action).unwrap_or(0);
                    if let Some((to, _)) = turn.ways_of(at).nth(number) {
                        go(to, share);
                    }
                    let answers = &worths[begin.unwrap_or(0)..][..question.actions.iter().count()];
                    self.note((whole, question), number, answers, share, &mut found.rows);
                }
            }
        }
    }

    /// Follows the policy to the next moment.
    fn follow(&self, mut node: NodeOf<G>, share: f64, found: &mut Found) {
        let game = &self.solution.game;
        while let Node::Decision(state, question) = node {
            let action = self.policy.choose(game, state, question);
            if let Some(worths) = self.solution.worths(state, question) {
                let number = question.actions.iter().position(|other| other == action).unwrap_or(0);
                self.note((state, question), number, &worths, share, &mut found.rows);
            }
            node = game.decide(state, question.kind, action, &mut ());
        }
        if let Node::Chance(state, ..) = node
            && let Some(place) = self.solution.place_of(state)
        {
            *found.next.entry(place).or_default() += share;
        }
    }

    fn note(
        &self,
        (state, question): (G::State, Question),
        answer: usize,
        worths: &[f64],
        times: f64,
        rows: &mut Rows,
    ) {
        if question.actions.is_single() {
            return;
        }
        let loss = worths.iter().copied().fold(f64::NEG_INFINITY, f64::max) - worths[answer];
        let turn = self.turn.and_then(|turn| u32::try_from(self.solution.game.feature(state, turn)).ok());
        let sums = rows.entry((turn.filter(|&turn| turn > 0), question.kind)).or_default();
        sums[0].add(times);
        if loss > MISTAKE {
            sums[1].add(times);
        }
        sums[2].add(times * loss);
    }
}
