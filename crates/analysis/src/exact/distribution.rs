//! The exact distribution under given policies: probability flows forward from the start, stage by stage.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use rustc_hash::FxHashMap;
use stopwise_engine::chance::Chance;
use stopwise_engine::game::{
    Action, Event, Events, Game, MAX_METRICS, MAX_SEATS, Metric, Node, NodeOf, Policy, Question, Seat, Source,
};

use super::by_stage::ByStage;
use super::size_bound::Sample;
use super::{ExactError, Limits, Objective, Progress, Size};

/// The remaining probability in its cycles at which a stage is finished.
const LEFT: f64 = 1e-17;
/// Rounds after which a stage whose probability does not decrease to that is an error.
const ROUNDS: usize = 100_000;
/// The number of rolls followed between two progress reports.
const LOOK: usize = 256;
/// The number of states, or the time, after which the size of the game is estimated.
const MANY: usize = 1_000_000;
const SOON: Duration = Duration::from_secs(1);

/// The exact distribution of a game under given policies, up to rounding.
#[derive(Clone, Debug)]
pub struct Distribution {
    /// The mean of every metric, seat by seat.
    pub means: Vec<Vec<f64>>,
    /// The probability of every value, seat by seat, for the metrics that are read from the end of a game; empty for
    /// metrics that count events.
    pub shares: Vec<Vec<BTreeMap<u32, f64>>>,
    /// The probability of every ending.
    pub endings: Vec<f64>,
    /// The number of states in which dice are rolled, or a policy answers by chance.
    pub states: usize,
}

/// A compensated sum (Neumaier, ZAMM 54, 1974).
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sum {
    sum: f64,
    lost: f64,
}

impl Sum {
    #[inline]
    pub(super) fn add(&mut self, term: f64) {
        let sum = self.sum + term;
        let (large, small) = if self.sum.abs() >= term.abs() { (self.sum, term) } else { (term, self.sum) };
        self.lost += (large - sum) + small;
        self.sum = sum;
    }

    pub(super) fn value(self) -> f64 {
        self.sum + self.lost
    }
}

/// The expected number of events.
struct Expected {
    counts: [[Sum; Event::COUNT]; MAX_SEATS],
    weight: f64,
}

impl Expected {
    fn none() -> Self {
        Self { counts: [[Sum::default(); Event::COUNT]; MAX_SEATS], weight: 1.0 }
    }
}

impl Events for Expected {
    #[inline]
    fn event(&mut self, seat: Seat, event: Event) {
        self.counts[seat][event.index()].add(self.weight);
    }
}

/// Observes the decisions of policies on the way.
pub(super) trait Watch<G: Game> {
    /// Called before what may be drawn in this state is followed.
    fn rolled(&mut self, state: G::State) {
        let _ = state;
    }

    /// Called for an answer; `times` is its expected number per game.
    fn decided(&mut self, state: G::State, question: Question, action: Action, times: f64) {
        let _ = (state, question, action, times);
    }
}

/// Observes nothing.
impl<G: Game> Watch<G> for () {}

/// Where chance decides: a roll, or a question that a policy answers by chance.
#[derive(Clone, Copy)]
enum Draw<C> {
    Roll(C),
    Asked(Question),
}

/// The draws of one stage, and the probability of reaching each.
struct Stage<G: Game> {
    rolls: FxHashMap<G::State, usize>,
    asked: FxHashMap<(G::State, Question), usize>,
    draws: Vec<Drawn<G>>,
    shares: Vec<f64>,
}

impl<G: Game> Stage<G> {
    /// Its size in bytes.
    fn bytes(&self) -> usize {
        self.rolls.capacity() * 8 / 7 * (size_of::<(G::State, usize)>() + 1)
            + self.asked.capacity() * 8 / 7 * (size_of::<((G::State, Question), usize)>() + 1)
            + self.draws.capacity() * (size_of::<Drawn<G>>() + size_of::<f64>())
    }

    /// The index of a draw, which is added if it is new.
    fn number(&mut self, state: G::State, draw: Draw<G::Chance>) -> usize {
        let next = self.draws.len();
        let number = match draw {
            Draw::Roll(_) => *self.rolls.entry(state).or_insert(next),
            Draw::Asked(question) => *self.asked.entry((state, question)).or_insert(next),
        };
        if number == next {
            self.draws.push((state, draw));
            self.shares.push(0.0);
        }
        number
    }
}

impl<G: Game> Default for Stage<G> {
    fn default() -> Self {
        Self {
            rolls: FxHashMap::default(),
            asked: FxHashMap::default(),
            draws: Vec::new(),
            shares: Vec::new(),
        }
    }
}

/// The walk of a distribution, stage by stage. Policies and the observer are objects, so that it is compiled once for
/// each game: looking a state up takes much longer than a virtual call.
struct Pass<'p, G: Game> {
    game: &'p G,
    watch: &'p mut dyn Watch<G>,
    lineup: &'p [&'p dyn Policy<G>],
    memory: u32,
    settled: Option<Objective>,
    expected: Expected,
    flow: ByStage<Stage<G>>,
    shares: Vec<Vec<BTreeMap<u32, Sum>>>,
    endings: Vec<Sum>,
    /// What has been found so far; its bytes are those of the stages that still hold probability.
    size: Size,
    limits: Limits<'p>,
    /// Why the rules could not go on somewhere.
    fault: Option<String>,
}

/// Propagates probability from the start of the game to its ends. `lineup` holds a policy for every seat, or one for
/// all.
///
/// # Errors
///
/// If the game is too large or need not end under these policies, or if the watcher stops the walk.
pub fn distribution<G: Game, P: Policy<G>>(
    game: &G,
    lineup: &[P],
    limits: Limits<'_>,
) -> Result<Distribution, ExactError> {
    let lineup: Vec<&dyn Policy<G>> = lineup.iter().map(|policy| policy as _).collect();
    watched(game, &lineup, limits, None, &mut ())
}

/// [`distribution`] with an observer of the decisions. If nobody looks at what is settled of an objective, states that differ
/// in nothing else are one: then only what is observed is right.
pub(super) fn watched<G: Game>(
    game: &G,
    lineup: &[&dyn Policy<G>],
    limits: Limits<'_>,
    settled: Option<Objective>,
    watch: &mut dyn Watch<G>,
) -> Result<Distribution, ExactError> {
    let (seats, metrics) = (game.seats(), game.metrics().len());
    let mut pass = Pass {
        game,
        watch,
        lineup,
        memory: lineup.iter().fold(0, |memory, policy| memory | policy.memory()),
        settled,
        expected: Expected::none(),
        flow: ByStage::default(),
        shares: vec![vec![BTreeMap::new(); metrics]; seats],
        endings: vec![Sum::default(); game.endings().len()],
        size: Size::default(),
        limits,
        fault: None,
    };
    let root = game.root(&mut pass.expected);
    if let Node::Decision(state, _) = root {
        pass.watch.rolled(state);
    }
    let first = follow(game, lineup, root, &mut pass.expected, pass.watch, 1.0);
    pass.enter(first, 1.0);
    let began = Instant::now();
    while let Some((number, mut stage)) = pass.flow.pop_first() {
        pass.visits(number, &mut stage)?;
        for (at, (&(state, draw), &share)) in stage.draws.iter().zip(&stage.shares).enumerate() {
            if at.is_multiple_of(LOOK) {
                limits.tell(Progress::Flow { states: pass.size.states })?;
                limits.check(pass.size)?;
            }
            pass.watch.rolled(state);
            match draw {
                Draw::Roll(chance) => {
                    let total: u32 = chance.outcomes().map(|(_, weight)| weight).sum();
                    for (outcome, weight) in chance.outcomes() {
                        let share = share * f64::from(weight) / f64::from(total);
                        pass.expected.weight = share;
                        let node = game.resolve(state, outcome, &mut pass.expected);
                        pass.leave(number, node, share);
                    }
                }
                Draw::Asked(question) => {
                    for (action, part) in policy(lineup, question.seat).mix(game, &state, question) {
                        let share = share * part;
                        pass.expected.weight = share;
                        pass.watch.decided(state, question, action, share);
                        let node = game.decide(state, question.kind, action, &mut pass.expected);
                        pass.leave(number, node, share);
                    }
                }
            }
            let is_large = pass.size.states >= MANY || at.is_multiple_of(LOOK) && began.elapsed() > SOON;
            if is_large && pass.size.states_at_least == 0 {
                pass.sample()?;
            }
        }
        pass.size.stages += 1;
        pass.size.bytes -= stage.bytes();
        limits.check(pass.size)?;
    }
    match pass.fault.take() {
        Some(why) => Err(ExactError::Fault(why)),
        None => Ok(pass.finish()),
    }
}

/// The next draw or end under the policies. Events on the way go to `events`, decisions with their weight to `watch`.
fn follow<G: Game>(
    game: &G,
    lineup: &[&dyn Policy<G>],
    mut node: NodeOf<G>,
    events: &mut impl Events,
    watch: &mut dyn Watch<G>,
    times: f64,
) -> NodeOf<G> {
    while let Node::Decision(state, question) = node {
        let policy = policy(lineup, question.seat);
        if const { G::SHAPE.is_text } && policy.is_by_chance(question.kind) && !question.actions.is_single() {
            break;
        }
        let action = policy.choose(game, state, question);
        watch.decided(state, question, action, times);
        node = game.decide(state, question.kind, action, events);
    }
    node
}

/// A state, and what is drawn there.
type Drawn<G> = (<G as Game>::State, Draw<<G as Game>::Chance>);

/// The state of a node, and what is drawn there if it is no end.
fn draw<G: Game>(node: NodeOf<G>) -> Result<Drawn<G>, G::State> {
    match node {
        Node::Chance(state, _, chance) => Ok((state, Draw::Roll(chance))),
        Node::Decision(state, question) => Ok((state, Draw::Asked(question))),
        Node::Terminal(end) => Err(end),
    }
}

/// The policy of a seat; a line-up of one policy is for all seats.
fn policy<P: Copy>(lineup: &[P], seat: Seat) -> P {
    if lineup.len() == 1 { lineup[0] } else { lineup[seat] }
}

/// The mean of every metric of every seat.
fn means(metrics: &[Metric], expected: &Expected, shares: &[Vec<BTreeMap<u32, Sum>>]) -> Vec<Vec<f64>> {
    let of_seat = |(seat, shares): (usize, &Vec<BTreeMap<u32, Sum>>)| {
        let mean = |(metric, shares): (&Metric, &BTreeMap<u32, Sum>)| match metric.source {
            Source::Count(event) => expected.counts[seat][event.index()].value(),
            Source::End => shares.iter().map(|(&value, share)| f64::from(value) * share.value()).sum(),
        };
        metrics.iter().zip(shares).map(mean).collect()
    };
    shares.iter().enumerate().map(of_seat).collect()
}

/// The share of every value of every metric of every seat.
fn values(shares: &[Vec<BTreeMap<u32, Sum>>]) -> Vec<Vec<BTreeMap<u32, f64>>> {
    let value = |(&value, share): (&u32, &Sum)| (value, share.value());
    let of_metric = |shares: &BTreeMap<u32, Sum>| shares.iter().map(value).collect();
    shares.iter().map(|seat| seat.iter().map(of_metric).collect()).collect()
}

/// The representative of a state, without what policies do not remember.
fn known<G: Game>(game: &G, state: G::State, memory: u32, settled: Option<Objective>) -> G::State {
    let state = game.forget(state, memory);
    settled.map_or(state, |objective| objective.settled(game, state).1)
}

impl<G: Game> Pass<'_, G> {
    fn known(&self, state: G::State) -> G::State {
        known(self.game, state, self.memory, self.settled)
    }

    /// Estimates from a sample of games whether this one is too large.
    fn sample(&mut self) -> Result<(), ExactError> {
        let Self { game, lineup, memory, settled, .. } = *self;
        let choose =
            |state, question: Question| Some(policy(lineup, question.seat).choose(game, state, question));
        let key = |state| known(game, state, memory, settled);
        let sample = Sample { game, key: &key, choose: &choose, asks: false, turns: None };
        // Stages are dropped once probability has left them: of the memory the sample says nothing.
        let size = sample.size(self.size, 0, &self.limits)?;
        (self.size.states_at_least, self.size.stages_at_least) = (size.states_at_least, size.stages_at_least);
        Ok(())
    }

    /// Turns the probability of entering a stage at each of its rolls into the expected number of visits, which is
    /// greater where positions recur.
    fn visits(&mut self, number: u64, stage: &mut Stage<G>) -> Result<(), ExactError> {
        let mut steps: Vec<(usize, usize, f64)> = Vec::new();
        let mut at = 0;
        while at < stage.draws.len() {
            if at.is_multiple_of(LOOK) {
                self.limits.tell(Progress::Flow { states: self.size.states })?;
                let bytes = self.size.bytes + steps.capacity() * size_of::<(usize, usize, f64)>();
                self.limits.check(Size { bytes, ..self.size })?;
            }
            let before = (stage.draws.len(), stage.bytes());
            let (state, drawn) = stage.draws[at];
            let mut step = |node, share| {
                let node = follow(self.game, self.lineup, node, &mut (), &mut (), 0.0);
                let Ok((next, draw)) = draw::<G>(node) else { return };
                let next = self.known(next);
                if self.game.stage(next) == number {
                    steps.push((at, stage.number(next, draw), share));
                }
            };
            match drawn {
                Draw::Roll(chance) => {
                    let total: u32 = chance.outcomes().map(|(_, weight)| weight).sum();
                    for (outcome, weight) in chance.outcomes() {
                        let node = self.game.resolve(state, outcome, &mut ());
                        step(node, f64::from(weight) / f64::from(total));
                    }
                }
                Draw::Asked(question) => {
                    for (action, part) in policy(self.lineup, question.seat).mix(self.game, &state, question)
                    {
                        step(self.game.decide(state, question.kind, action, &mut ()), part);
                    }
                }
            }
            at += 1;
            self.size.states += stage.draws.len() - before.0;
            self.size.bytes += stage.bytes() - before.1;
        }
        if steps.is_empty() {
            return Ok(());
        }
        let mut moving = stage.shares.clone();
        for _ in 0..ROUNDS {
            let mut next = vec![0.0; moving.len()];
            for steps in steps.chunks(16 * LOOK) {
                self.limits.tell(Progress::Flow { states: self.size.states })?;
                for &(from, to, weight) in steps {
                    next[to] += moving[from] * weight;
                }
            }
            for (visits, more) in stage.shares.iter_mut().zip(&next) {
                *visits += more;
            }
            if next.iter().sum::<f64>() < LEFT {
                return Ok(());
            }
            moving = next;
        }
        Err(ExactError::Stuck { stage: number })
    }

    /// Passes on probability that leaves a stage; transitions within the stage are part of the visits.
    fn leave(&mut self, stage: u64, node: NodeOf<G>, share: f64) {
        let node = follow(self.game, self.lineup, node, &mut self.expected, self.watch, share);
        match draw::<G>(node) {
            Ok((state, _)) if self.game.stage(self.known(state)) == stage => {}
            _ => self.enter(node, share),
        }
    }

    /// Adds probability to a draw or an end.
    fn enter(&mut self, node: NodeOf<G>, share: f64) {
        match draw::<G>(node) {
            Ok((state, draw)) => {
                let state = self.known(state);
                let stage = self.flow.of(self.game.stage(state));
                let before = (stage.draws.len(), stage.bytes());
                let number = stage.number(state, draw);
                stage.shares[number] += share;
                self.size.states += stage.draws.len() - before.0;
                self.size.bytes += stage.bytes() - before.1;
            }
            Err(end) => self.end(end, share),
        }
    }

    fn end(&mut self, end: G::State, share: f64) {
        self.fault = self.fault.take().or_else(|| self.game.fault(end));
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
        Distribution {
            means: means(self.game.metrics(), &self.expected, &self.shares),
            shares: values(&self.shares),
            endings: self.endings.iter().map(|share| share.value()).collect(),
            states: self.size.states,
        }
    }
}
