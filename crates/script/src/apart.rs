//! Turns by themselves: what a game does as long as it neither reads nor changes what outlasts the turn.

use std::collections::HashSet;

use stopwise_engine::chance::Chance;
use stopwise_engine::game::Question;

use crate::machine::Node;
use crate::mask::Mask;
use crate::op::{Program, Site};
use crate::state::{STOP, State};
use crate::watch::Watch;

/// What belongs to turns, and what outlasts them.
#[derive(Debug)]
pub(crate) struct Apart {
    /// The bits of a state that outlast a turn, and the other ones that last as long as it.
    outlasting: Mask,
    own: Mask,
    /// The other bits that the rules read after a stop, and the stop, by stop.
    parts: Vec<Mask>,
    /// By step, whether it reads or changes what outlasts the turn.
    touches: Vec<bool>,
}

/// Steps that touch what outlasts the turn are not taken.
impl Watch for Apart {
    fn keeps_out(&self, step: usize) -> bool {
        self.touches[step]
    }
}

/// The most steps that are looked at to tell how a turn goes on, and the most bits of what outlasts a turn and belongs to it
/// all the same.
const MOST_STEPS: usize = 100_000;
const MOST_BITS: u32 = 16;
/// The fewest bits that outlast a turn.
const FEWEST_BITS: u32 = 3;

impl Apart {
    /// Variables outlast a turn, but for those without which far fewer steps lead out of it: what says which answers are legal.
    pub(crate) fn new(program: &Program) -> Self {
        let mut outer = vec![true; program.lasting.len()];
        let join = |outer: &[bool]| -> Mask {
            program.lasting.iter().zip(outer).filter(|(_, is)| **is).map(|(mask, _)| *mask).collect()
        };
        let all = join(&outer).count();
        let mut best = Self::with(program, join(&outer));
        let mut steps = leading_out(program, &best);
        loop {
            let without = |at: usize| {
                let mut outer = outer.clone();
                outer[at] = false;
                let apart = Self::with(program, join(&outer));
                let left = apart.outlasting.count();
                let is_small = left >= FEWEST_BITS && all - left <= MOST_BITS;
                is_small.then(|| (leading_out(program, &apart), at, apart))
            };
            let others = (1..outer.len()).filter(|at| outer[*at]).filter_map(without);
            match others.min_by_key(|(fewer, at, _)| (*fewer, *at)) {
                Some((fewer, at, apart)) if fewer.saturating_mul(3) <= steps.saturating_mul(2) => {
                    (outer[at], best, steps) = (false, apart, fewer);
                }
                _ => return best,
            }
        }
    }

    fn with(program: &Program, outlasting: Mask) -> Self {
        let own = program.lasting.iter().copied().collect::<Mask>() & !outlasting;
        let part = |site: &Site| {
            let played: Mask = site.played.iter().copied().collect();
            played & !outlasting | Mask::first(STOP)
        };
        let parts = program.sites.iter().map(part).collect();
        let touches = program.code.steps.iter().map(|step| program.code.touched(step).meets(outlasting));
        Self { outlasting, own, parts, touches: touches.collect() }
    }

    /// A state without what outlasts the turn, and without memory that only policies read.
    pub(crate) fn part(&self, state: State) -> State {
        self.parts.get(state.stop()).map_or(state, |part| state & *part)
    }

    /// A part with what outlasts the turn in another state.
    pub(crate) fn whole(&self, part: State, other: State) -> State {
        let outer = other & self.outlasting;
        State(std::array::from_fn(|word| part.0[word] | outer.0[word]))
    }

    /// What of a state outlasts the turn, and what of the turn's own lasts as long as it.
    pub(crate) fn lasting(&self, state: State) -> [State; 2] {
        [self.outlasting, self.own].map(|mask| state & mask)
    }
}

/// The steps that lead out of the first turn, and from there on to a roll or an end; very many if there are too many to count.
fn leading_out(program: &Program, apart: &Apart) -> usize {
    let (mut known, mut met, mut out) = (HashSet::new(), HashSet::new(), 0);
    let start @ Node::Chance(first, ..) = program.first(&mut ()) else { return usize::MAX };
    // With what outlasts the turn, and if it has left that alone.
    let mut open = vec![(start, true)];
    let mut steps = 0;
    while let Some((node, is_within)) = open.pop() {
        let state = match node {
            Node::Terminal(_) => continue,
            Node::Chance(state, ..) | Node::Decision(state, _) => state,
        };
        if !(is_within || matches!(node, Node::Decision(..)) && met.insert(state)) {
            continue;
        }
        let part = apart.part(state);
        let question = if let Node::Decision(_, question) = node { Some(question) } else { None };
        if is_within && !known.insert((part, question)) {
            continue;
        }
        let whole = if is_within { apart.whole(part, first) } else { state };
        let mut after = |within: Option<Node>, out_to: &dyn Fn() -> Node| {
            steps += 1;
            match within.filter(|_| is_within) {
                Some(node) => open.push((node, true)),
                None => {
                    out += 1;
                    open.push((out_to(), false));
                }
            }
        };
        match node {
            Node::Chance(_, _, throw) => {
                for (shown, _) in throw.outcomes().take(MOST_STEPS) {
                    let within = program.rolled_within(&part, shown, apart, &mut ());
                    after(within, &|| program.rolled(&whole, shown, &mut ()));
                }
            }
            Node::Decision(_, Question { actions, .. }) => {
                for action in actions.iter() {
                    let within = program.answered_within(&part, action.index(), apart, &mut ());
                    after(within, &|| program.answered(&whole, action.index(), &mut ()));
                }
            }
            Node::Terminal(_) => {}
        }
        if steps > MOST_STEPS {
            return usize::MAX;
        }
    }
    out
}
