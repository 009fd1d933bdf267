//! How many states a game has at least, from a sample of them: a walk that cannot end within its limits is refused before
//! it is begun.
//!
//! States are drawn independently from one distribution, whatever that is. Of n draws from L states, fewer are repeats the
//! more even the distribution is (Wong and Yue, Discrete Math. 6, 1973). Were there L states at most, the number of repeats
//! would be at least what it is among L equally likely ones: a sum of independent yes and no (its generating function has
//! real roots), which Chernoff's bound holds from below. So few repeats rule out all L up to some number.
//!
//! How states are drawn is of no matter to that, only how far they spread. A draw walks a few moves from one of the states
//! known, with leanings of its own among actions and among dice, so that what even play would hardly ever meet is met.
//! States that earlier looks have met are known to be there; they are counted, and draws of them left out: what is met again
//! and again says nothing of the rest. Between looks, the states known are fixed.

use std::hash::{BuildHasher as _, Hash};
use std::time::{Duration, Instant};

use rayon::prelude::*;
use rustc_hash::{FxBuildHasher, FxHashSet};
use stopwise_engine::chance::Chance;
use stopwise_engine::game::{Action, Game, Node, Question};
use stopwise_engine::stream::{Keys, WordSource};

use super::walk::Moment;
use super::{ExactError, Limits, Size, Step};

/// The paths of the looks. The first are games from their start, by which some states are known; the last are as many as
/// there is time for: what so many without a repeat rule out grows with the square of their number.
const LOOKS: [u64; 7] = [1 << 8, 1 << 13, 1 << 13, 1 << 13, 1 << 14, 1 << 20, 1 << 20];
/// After so long nothing is drawn any more, but for a last look where a tenth of the limit is passed.
const LONG: Duration = Duration::from_millis(700);
const LONGEST: Duration = Duration::from_millis(2700);
/// Moves of a game, at most.
const MOVES: usize = 1 << 11;
/// Moves of a draw, at most.
const FEW: usize = 40;
/// States known from which draws begin, at most.
const KNOWN: usize = 1 << 18;
/// The chance that any number here is too large is below e to this, negative.
const SURE: f64 = 25.0;

/// A game as it is walked: which states are one, and who chooses where a seat is not free.
pub(super) struct Sample<'s, G: Game, K, C> {
    pub(super) game: &'s G,
    /// The representative of a state.
    pub(super) key: K,
    /// What a seat's policy chooses; `None` for a free seat.
    pub(super) choose: C,
    /// Whether decisions are remembered in which many paths meet.
    pub(super) asks: bool,
}

impl<G, K, C> Sample<'_, G, K, C>
where
    G: Game,
    K: Fn(G::State) -> G::State + Sync,
    C: Fn(G::State, Question) -> Option<Action> + Sync,
{
    /// Looks again and again, until there are too many states (`state` bytes each, at least) for the limits, or until it
    /// has taken long enough. Returns what is known; `found` is what was known before.
    pub(super) fn size(&self, found: Size, state: usize, limits: &Limits<'_>) -> Result<Size, ExactError> {
        let began = Instant::now();
        let mut size = found;
        let mut known: Vec<Moment<G>> = Vec::new();
        let mut met: FxHashSet<u64> = FxHashSet::default();
        let mut stages: FxHashSet<u64> = FxHashSet::default();
        let mut number = 0;
        for (look, paths) in LOOKS.into_iter().enumerate() {
            let is_first = look == 0;
            let is_last = look + 1 == LOOKS.len();
            let is_near = size.states_at_least > limits.states / 10 || size.bytes > limits.bytes / 10;
            if is_last && !is_near {
                break;
            }
            let long = if is_last { LONGEST } else { LONG };
            let numbers = number..number + paths;
            number += paths;
            let paths: Vec<Vec<Moment<G>>> = numbers
                .into_par_iter()
                .map(|number| {
                    limits.tell(Step::Find { size })?;
                    let is_late = began.elapsed() > long;
                    Ok(match known.as_slice() {
                        _ if is_late => Vec::new(),
                        [] => self.walk(number, self.game.root(&mut ()), MOVES),
                        known => self.path(number, known),
                    })
                })
                .collect::<Result<_, ExactError>>()?;
            // The last moment of a path is the draw.
            let draws = paths.iter().filter_map(|path| path.last()).map(|moment| hash(&moment.state()));
            let draws: Vec<_> = draws.filter(|draw| !is_first && !met.contains(draw)).collect();
            let different = draws.iter().collect::<FxHashSet<_>>().len();
            let more = ruled_out(draws.len(), draws.len() - different, SURE + (LOOKS.len() as f64).ln());
            let states = met.len().saturating_add(more.max(different));
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

    /// The remembered moments of a short walk from a known one.
    fn path(&self, number: u64, known: &[Moment<G>]) -> Vec<Moment<G>> {
        let mut words = Keys::new(1).streams(number, 1);
        let start = known[below(&mut words, known.len())];
        let moves = 1 + below(&mut words, FEW);
        let node = match start {
            Moment::Roll(state, chance) => Node::Chance(state, 0, chance),
            Moment::Ask(state, kind) => match self.game.ask_again(state, kind) {
                Some(question) => Node::Decision(state, question),
                None => return Vec::new(),
            },
        };
        self.walk(number, node, moves)
    }

    /// The remembered moments of a walk.
    fn walk(&self, number: u64, start: Node<G>, moves: usize) -> Vec<Moment<G>> {
        let mut words = Keys::new(0).streams(number, 1);
        let lean = Lean { seed: u64::from(words.word(0)) << 32 | number, rounds: 1 << (words.word(0) >> 30) };
        let mut path = Vec::new();
        let mut node = start;
        for _ in 0..moves {
            match node {
                Node::Chance(state, _, chance) => {
                    path.push(Moment::Roll((self.key)(state), chance));
                    let index = lean.pick(chance.outcomes().count(), 64, &mut words);
                    let Some((outcome, _)) = chance.outcomes().nth(index) else { break };
                    node = self.game.resolve(state, outcome, &mut ());
                }
                Node::Decision(state, question) => {
                    if self.asks && self.game.ask_again(state, question.kind).is_some() {
                        path.push(Moment::Ask((self.key)(state), question.kind));
                    }
                    let mut any = || {
                        let count = question.actions.count() as usize;
                        question.actions.iter().nth(lean.pick(count, question.kind, &mut words))
                    };
                    let Some(action) = (self.choose)(state, question).or_else(&mut any) else { break };
                    node = self.game.decide(state, question.kind, action, &mut ());
                }
                Node::Terminal(_) => break,
            }
        }
        path
    }
}

/// A number below another.
fn below(words: &mut impl WordSource, number: usize) -> usize {
    usize::try_from((u64::from(words.word(0)) * number as u64) >> 32).unwrap_or(0)
}

/// What a walk leans to: the best by its own taste of some that are drawn.
struct Lean {
    seed: u64,
    rounds: u32,
}

impl Lean {
    /// A number below `count`, which is not 0; `what` has its own taste.
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

/// The greatest number of equally likely states of which so many draws would have so few repeats with a chance of no more
/// than e to `sure`, negative.
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

    /// Never more than there are, and not much less where draws suffice.
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
