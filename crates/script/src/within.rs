//! Turns by themselves: what a game does as long as it neither reads nor changes what outlasts the turn.

use std::collections::HashSet;

use stopwise_engine::chance::Chance;
use stopwise_engine::game::{Action, Events, Game, Node, Question, Within};

use crate::code::{Bits, Code, Row, Step, Watch};
use crate::op::Program;
use crate::pool::Shown;
use crate::script::Script;
use crate::state::{Place, State, WORDS};

/// What belongs to turns, and what outlasts them.
#[derive(Debug)]
pub(crate) struct Apart {
    /// The bits of a state that outlast a turn, and the other ones that last as long as it.
    outlasting: [u64; WORDS],
    own: [u64; WORDS],
    /// The other bits that the rules read after a stop, by stop.
    parts: Vec<[u64; WORDS]>,
    /// By step, whether it reads or changes what outlasts the turn.
    touches: Vec<bool>,
}

/// Steps that touch what outlasts the turn are not taken.
impl Watch for &Apart {
    fn keeps_out(self, step: usize) -> bool {
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
    pub(crate) fn new(script: &Script) -> Self {
        let program = script.program();
        let mut outer: Vec<bool> = vec![true; program.lasting.len()];
        let join = |outer: &[bool]| {
            let mut all = [0; WORDS];
            for (mask, _) in program.lasting.iter().zip(outer).filter(|(_, is)| **is) {
                all.iter_mut().zip(mask).for_each(|(all, mask)| *all |= mask);
            }
            all
        };
        let bits = |masks: &[u64; WORDS]| masks.iter().map(|mask| mask.count_ones()).sum::<u32>();
        let all = bits(&join(&outer));
        let mut best = Self::with(program, join(&outer));
        let mut steps = leading_out(script, &best);
        loop {
            let without = |at: usize| {
                let mut outer = outer.clone();
                outer[at] = false;
                let apart = Self::with(program, join(&outer));
                let left = bits(&apart.outlasting);
                let is_small = left >= FEWEST_BITS && all - left <= MOST_BITS;
                is_small.then(|| (leading_out(script, &apart), at, apart))
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

    fn with(program: &Program, outlasting: [u64; WORDS]) -> Self {
        let part = |played: &Vec<[u64; WORDS]>| {
            let mut part = [0; WORDS];
            for masks in played {
                part.iter_mut().zip(masks).for_each(|(part, mask)| *part |= mask);
            }
            part.iter_mut().zip(outlasting).for_each(|(part, outlasting)| *part &= !outlasting);
            part
        };
        let mut own = [0; WORDS];
        for masks in &program.lasting {
            own.iter_mut().zip(masks).zip(outlasting).for_each(|((own, mask), out)| *own |= mask & !out);
        }
        let parts = program.sites.iter().map(|site| part(&site.played)).collect();
        let is_touched =
            |masks: [u64; WORDS]| masks.iter().zip(outlasting).any(|(mask, bits)| mask & bits != 0);
        let touches = program.code.steps.iter().map(|step| is_touched(bits_of(&program.code, step)));
        Self { outlasting, own, parts, touches: touches.collect() }
    }

    fn part(&self, state: State) -> State {
        self.parts.get(state.stop()).map_or(state, |part| state.masked(part))
    }

    fn whole(&self, part: State, other: State) -> State {
        let mut words = part.0;
        for ((word, other), outlasting) in words.iter_mut().zip(other.0).zip(self.outlasting) {
            *word |= other & outlasting;
        }
        State(words)
    }
}

/// The steps that lead out of the first turn, and from there on to a roll or an end; very many if there are too many to count.
fn leading_out(script: &Script, apart: &Apart) -> usize {
    let (mut known, mut met, mut out) = (HashSet::new(), HashSet::new(), 0);
    let start @ Node::Chance(first, ..) = script.root(&mut ()) else { return usize::MAX };
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
        let mut after = |within: Option<Node<Script>>, out_to: &dyn Fn() -> Node<Script>| {
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
                    let within = script.program().rolled_within(&part, shown, apart, &mut ());
                    after(within, &|| script.resolve(whole, shown, &mut ()));
                }
            }
            Node::Decision(_, Question { kind, actions, .. }) => {
                for action in actions.iter() {
                    let within = script.program().answered_within(&part, action.index(), apart, &mut ());
                    after(within, &|| script.decide(whole, kind, action, &mut ()));
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

/// The bits of a state that a step reads or changes, but for the number of the stop and whose turn it is.
pub(crate) fn bits_of(code: &Code, step: &Step) -> [u64; WORDS] {
    let mut words = [0; WORDS];
    match step {
        Step::Get(bits)
        | Step::GetLow(bits, _)
        | Step::AddGet(bits, _)
        | Step::Put(bits)
        | Step::PutLow(bits, _) => {
            add(&mut words, *bits, 0);
        }
        Step::At(row, _)
        | Step::AtMe(row, _)
        | Step::Wide(row, _)
        | Step::PutAt(row, ..)
        | Step::PutAtMe(row, _)
        | Step::PutWide(row, ..) => add_row(&mut words, row),
        Step::Far(number) | Step::PutFar(number, _) => {
            let places = code.aside.far[*number as usize].iter();
            places.for_each(|place| add_place(&mut words, *place));
        }
        Step::Clear(word, mask) => words[usize::from(*word) & (WORDS - 1)] |= !mask,
        _ => {}
    }
    words
}

fn add(words: &mut [u64; WORDS], bits: Bits, by: u32) {
    words[usize::from(bits.word) & (WORDS - 1)] |=
        (u64::MAX >> (bits.down & 63)) << ((u32::from(bits.shift) + by) & 63);
}

pub(crate) fn add_row(words: &mut [u64; WORDS], row: &Row) {
    for at in 0..u64::from(row.len) {
        let (row, at) = row.turned(at);
        add(words, row.first, row.distance(at));
    }
}

pub(crate) fn add_place(words: &mut [u64; WORDS], place: Place) {
    words[usize::from(place.word)] |= place.mask() << place.shift;
}

/// How turns of texts go on.
#[derive(Debug)]
pub(crate) struct Turns;

impl Within<Script> for Turns {
    fn part(&self, game: &Script, state: State) -> State {
        game.apart().part(state)
    }

    fn whole(&self, game: &Script, part: State, other: State) -> State {
        game.apart().whole(part, other)
    }

    fn lasting(&self, game: &Script, state: State) -> [State; 2] {
        let apart = game.apart();
        [apart.outlasting, apart.own].map(|mask| {
            let mut words = state.0;
            words.iter_mut().zip(mask).for_each(|(word, mask)| *word &= mask);
            State(words)
        })
    }

    fn resolve(
        &self,
        game: &Script,
        part: State,
        shown: Shown,
        mut events: &mut dyn Events,
    ) -> Option<Node<Script>> {
        game.program().rolled_within(&part, shown, game.apart(), &mut events)
    }

    fn decide(
        &self,
        game: &Script,
        part: State,
        action: Action,
        mut events: &mut dyn Events,
    ) -> Option<Node<Script>> {
        game.program().answered_within(&part, action.index(), game.apart(), &mut events)
    }
}
