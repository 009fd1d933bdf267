//! A lower bound on the number of states of a game, from a sample: a walk that cannot end within its limits is refused
//! before it begins.
//!
//! States are drawn independently from one distribution, which may be any. For *n* draws from *L* states, the number
//! of repeats is stochastically least if all are equally likely (Wong and Yue, Discrete Math. 6, 1973). If there were at
//! most *L* states, the number of repeats would be at least that for *L* equally likely states. That number is a sum of
//! independent Bernoulli variables (its generating function has real roots), so Chernoff's bound limits it from below.
//! Hence few repeats rule out all *L* up to some number.
//!
//! The bound holds however states are drawn; the way matters only for how widely they spread. A draw is any
//! state of a walk of a few moves from one of the known states, with random preferences among actions and dice outcomes
//! of its own, so that it also reaches states that uniform play would hardly ever meet. States met in earlier rounds are
//! known to exist; they are counted, and draws of them are discarded, because repeated meetings say nothing about the
//! rest. Within a round the set of known states is fixed.

use std::hash::{BuildHasher as _, Hash};
use std::ops::Range;
use std::time::{Duration, Instant};

use rustc_hash::{FxBuildHasher, FxHashSet};
use stopwise_engine::chance::Chance;
use stopwise_engine::game::{Action, Game, Node, NodeOf, Question};
use stopwise_engine::look_ahead::{Objective, Reward};
use stopwise_engine::stream::{Keys, WordSource};
use stopwise_engine::within::may_be_told;

use super::parts::in_parts;
use super::walk::Moment;
use super::{ExactError, Limits, Progress, Size};

/// The number of walks of each round. Those of the first round are games from the start, which give the first known
/// states. The last rounds are as large as time allows: the number of states that a sample without repeats rules out
/// grows with the square of its size.
const LOOKS: [usize; 7] = [1 << 8, 1 << 13, 1 << 13, 1 << 13, 1 << 14, 1 << 20, 1 << 20];
/// The number of walks that a thread takes at once.
const PART: usize = 32;
/// The time after which no more states are drawn, except in a final round if there is hope of passing the limits by its end.
const LONG: Duration = Duration::from_millis(700);
const LONGEST: Duration = Duration::from_millis(4700);
/// The most moves of a game.
const MOVES: usize = 1 << 11;
/// The most moves of a draw.
const FEW: usize = 40;
/// The most known states from which draws begin.
const KNOWN: usize = 1 << 18;
/// The probability that any bound given here is too large is below e to the power of minus this number.
const SURE: f64 = 25.0;

/// A game as it is sampled: which states are equivalent, and who decides for seats that are not free.
pub(super) struct Sample<'s, G: Game> {
    pub(super) game: &'s G,
    /// The representative of a state.
    pub(super) key: &'s (dyn Fn(G::State) -> G::State + Sync),
    /// The choice of a seat's policy; `None` for a free seat.
    pub(super) choose: &'s (dyn Fn(G::State, Question) -> Option<Action> + Sync),
    /// Whether decisions at which many paths meet are stored as well.
    pub(super) asks: bool,
    /// What is played for, if only positions between turns are stored.
    pub(super) turns: Option<&'s Objective>,
}

impl<G: Game> Sample<'_, G> {
    /// Samples until the bound on states (of `state` bytes each, at least) exceeds the limits, or until time is up.
    /// Returns the size known then; `found` is the size known before.
    pub(super) fn size(&self, found: Size, state: usize, limits: &Limits<'_>) -> Result<Size, ExactError> {
        let began = Instant::now();
        let mut size = found;
        let mut known: Vec<Moment<G>> = Vec::new();
        let mut met: FxHashSet<u64> = FxHashSet::default();
        let mut stages: FxHashSet<u64> = FxHashSet::default();
        let (mut number, mut hope) = (0, 0);
        for (look, paths) in LOOKS.into_iter().enumerate() {
            let is_first = look == 0;
            let is_last = look + 1 == LOOKS.len();
            if is_last && hope <= limits.states && hope.saturating_mul(state) <= limits.bytes {
                break;
            }
            let long = if is_last { LONGEST } else { LONG };
            let path = |at: usize| {
                limits.tell(Progress::Find { size })?;
                let (number, is_late) = (number + at as u64, began.elapsed() > long);
                Ok(match known.as_slice() {
                    _ if is_late => Vec::new(),
                    [] => self.walk(number, self.game.root(&mut ()), MOVES),
                    known => self.path(number, known),
                })
            };
            let some = |part: Range<usize>| part.map(path).collect::<Result<Vec<_>, ExactError>>();
            let paths: Vec<_> = in_parts(paths, PART, &some)?.into_iter().flatten().collect();
            // Some moment of each path is the draw; the last ones are often alike.
            let draws = paths.iter().zip(number..).map(|(path, number)| {
                let at = below(&mut Keys::new(2).streams(number, 1), path.len());
                path.get(at).map(|moment| hash(&moment.state()))
            });
            let draws: Vec<_> = draws.flatten().filter(|draw| !is_first && !met.contains(draw)).collect();
            number += paths.len() as u64;
            let different = draws.iter().collect::<FxHashSet<_>>().len();
            let repeats = draws.len() - different;
            let more = ruled_out(draws.len(), repeats, SURE + (LOOKS.len() as f64).ln());
            let states = met.len().saturating_add(more.max(different));
            // Of L states that are drawn alike n²/2L repeats are expected: of others there may be many times more.
            hope = hope.max(1024 * draws.len() * draws.len() / (64 * repeats).max(1));
            for moment in paths.into_iter().flatten() {
                // Two states with one hash count as one: the number is too low, if anything.
                let number = hash(&moment.state());
                if met.insert(number) {
                    stages.insert(self.game.stage(moment.state()));
                    if known.len() < KNOWN {
                        known.push(moment);
                    } else {
                        known[met.len() % KNOWN] = moment;
                    }
                }
            }
            size.states_at_least = size.states_at_least.max(states);
            size.stages_at_least = size.stages_at_least.max(stages.len());
            size.bytes = size.bytes.max(states.saturating_mul(state));
            limits.check(size)?;
            if known.is_empty() {
                break;
            }
        }
        Ok(size)
    }

    /// The stored moments of a short walk from a known one.
    fn path(&self, number: u64, known: &[Moment<G>]) -> Vec<Moment<G>> {
        let mut words = Keys::new(1).streams(number, 1);
        let start = known[below(&mut words, known.len())];
        let moves = 1 + below(&mut words, FEW);
        let node = match start {
            Moment::Roll(state, chance) => Node::Chance(state, 0, chance),
            Moment::Ask(state, kind) => match self.game.ask_again(state, kind.into()) {
                Some(question) => Node::Decision(state, question),
                None => return Vec::new(),
            },
        };
        self.walk(number, node, moves)
    }

    /// The stored moments of a walk.
    fn walk(&self, number: u64, start: NodeOf<G>, moves: usize) -> Vec<Moment<G>> {
        let mut words = Keys::new(0).streams(number, 1);
        let lean = Lean { seed: u64::from(words.word(0)) << 32 | number, rounds: 1 << (words.word(0) >> 30) };
        let mut path = Vec::new();
        let mut node = start;
        for _ in 0..moves {
            match node {
                Node::Chance(state, _, chance) => {
                    let key = (self.key)(state);
                    path.push(Moment::Roll(key, chance));
                    if let Some(after) = self.turn((key, chance), &lean, &mut words) {
                        node = after;
                        continue;
                    }
                    let Some(outcome) = lean.outcome(chance, &mut words) else { break };
                    node = self.game.resolve(state, outcome, &mut ());
                }
                Node::Decision(state, question) => {
                    if let Some(state) = self.game.met_again(state, question).filter(|_| self.asks) {
                        path.push(Moment::ask((self.key)(state), question));
                    }
                    let mut any = || lean.answer(question, &mut words);
                    let Some(action) = (self.choose)(state, question).or_else(&mut any) else { break };
                    node = self.game.decide(state, question.kind, action, &mut ());
                }
                Node::Terminal(_) => break,
            }
        }
        path
    }

    /// Where a turn by itself leads to that begins with a roll.
    fn turn(
        &self,
        (state, chance): (G::State, G::Chance),
        lean: &Lean,
        words: &mut impl WordSource,
    ) -> Option<NodeOf<G>> {
        if const { !may_be_told::<G>() } {
            return None;
        }
        let (objective, within) = (self.turns?, self.game.within()?);
        let mut node = Node::Chance(state, 0, chance);
        for _ in 0..MOVES {
            let mut reward = Reward::new(objective);
            let part = within.part(self.game, node.state());
            let whole = || within.whole(self.game, part, state);
            let (inside, out) = match node {
                Node::Chance(_, _, chance) => {
                    let outcome = lean.outcome(chance, words)?;
                    let inside = within.resolve(self.game, part, outcome, &mut reward);
                    (inside, self.game.resolve(whole(), outcome, &mut ()))
                }
                Node::Decision(_, question) => {
                    let action = lean.answer(question, words)?;
                    let inside = within.decide(self.game, part, action, &mut reward);
                    (inside, self.game.decide(whole(), question.kind, action, &mut ()))
                }
                Node::Terminal(_) => return None,
            };
            match inside.filter(|node| reward.sum == 0.0 && !matches!(node, Node::Terminal(_))) {
                Some(next) => node = next,
                None => return Some(out),
            }
        }
        None
    }
}

/// A random number below `number`.
fn below(words: &mut impl WordSource, number: usize) -> usize {
    usize::try_from((u64::from(words.word(0)) * number as u64) >> 32).unwrap_or(0)
}

/// The preferences of a walk: it takes the one it likes best of some randomly drawn options.
struct Lean {
    seed: u64,
    rounds: u32,
}

impl Lean {
    /// What a roll shows.
    fn outcome<C: Chance>(&self, chance: C, words: &mut impl WordSource) -> Option<C::Outcome> {
        let index = self.pick(chance.outcomes().count(), 64, words);
        Some(chance.outcomes().nth(index)?.0)
    }

    /// An answer.
    fn answer(&self, question: Question, words: &mut impl WordSource) -> Option<Action> {
        let count = question.actions.count() as usize;
        question.actions.iter().nth(self.pick(count, question.kind, words))
    }

    /// A number below `count`, which must not be 0; each `what` has preferences of its own.
    fn pick(&self, count: usize, what: usize, words: &mut impl WordSource) -> usize {
        let taste = |at: &usize| hash(&(self.seed, what, *at));
        let mut draw = || below(words, count);
        let first = draw();
        (1..self.rounds).map(|_| draw()).chain([first]).max_by_key(taste).unwrap_or(0)
    }
}

fn hash(value: &impl Hash) -> u64 {
    FxBuildHasher.hash_one(value)
}

/// The greatest number of equally likely states for which this number of draws would have so few repeats with a
/// probability of at most e to the power of minus `sure`.
fn ruled_out(draws: usize, repeats: usize, sure: f64) -> usize {
    let (n, r) = (draws as f64, repeats as f64);
    let is_ruled_out = |states: f64| {
        // The draws without their expected number of different states: n − L (1 − (1 − 1/L)ⁿ), without cancellation where
        // L is large.
        let mean = if states > 1e6 * n {
            n * (n - 1.0) / (2.0 * states) * (1.0 - 1e-5)
        } else {
            n + states * (n * (-1.0 / states).ln_1p()).exp_m1()
        };
        mean > r && mean - r - if r > 0.0 { r * (mean / r).ln() } else { 0.0 } >= sure
    };
    let (mut low, mut high) = (0.0, 1e18_f64.ln());
    if !is_ruled_out(1.0) {
        return 0;
    }
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        if is_ruled_out(middle.exp()) {
            low = middle;
        } else {
            high = middle;
        }
    }
    #[expect(clippy::cast_possible_truncation, reason = "below 10¹⁸, rounded down")]
    let states = low.exp() as usize;
    states
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The bound never exceeds the true number, and is not much lower if there are enough draws.
    #[test]
    fn bounds_hold_and_are_near() {
        for (states, number) in [(1000_usize, 500_usize), (1000, 5000), (100_000, 10_000), (1 << 30, 1 << 19)]
        {
            let mut words = Keys::new(7).streams(0, 1);
            let different: FxHashSet<_> = (0..number).map(|_| below(&mut words, states)).collect();
            let low = ruled_out(number, number - different.len(), SURE);
            assert!(low <= states && low > states / 4, "{low} of {states}");
        }
    }

    #[test]
    fn no_repeats_among_few_draws() {
        assert_eq!(ruled_out(1, 0, SURE), 0);
        // n²/2L = 25.
        let low = ruled_out(10_000, 0, 25.0);
        assert!((1_990_000..2_000_000).contains(&low), "{low}");
    }
}
