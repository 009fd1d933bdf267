//! The random streams of the lanes: the same words as [`Keys::stream`], one vector at a time.
//!
//! With one seat, the next words of a lane's stream are its next rolls in any case. All dice up to the pause are
//! computed at once, with the generators in registers. The streams of coming trials are seeded eight vectors at a time.
//!
//! With several seats, the dice determine who rolls next. A lane selects the state of the stream to draw from and
//! writes it back; swapping streams when the turn passes moved eight registers per roll. Seeding is a function of its
//! own: inlined into the lanes, its loop over 64 keys was unrolled into 600 products of 64 bits, and Pig for two seats
//! took 13 % longer (with sums in place of products 8 %, with a table of multiples 10 %).
//!
//! Tried without gain: drawing each seat's next number ahead of its turn; computing halves of products by 52-bit
//! multiplication instead of shuffles.
#![allow(clippy::needless_range_loop, reason = "several arrays by part and seat go side by side")]

use std::ops::Range;

use super::MOST_ROLLS;
use super::noting::low;
use super::simd::{Job, MOST_NARROW, MOST_PARTS, PCG_MULTIPLIER, Pair, Places, Vector};
use crate::stream::{Key, Keys, MIX_MULTIPLIERS, word_of};

/// The number of vectors of streams that are seeded ahead.
const AHEAD: usize = 8;

/// A 64-bit number for every lane.
type Parts = [Places; MOST_PARTS];

/// The dice of a roll: one or two numbers, each below its limit, read from one random word. The first is read as in
/// [`bounded`](crate::chance::bounded), the second from the rest that [`split`](crate::chance::split) leaves.
#[derive(Clone, Copy, Debug)]
pub struct Dice {
    /// The limit of the first number.
    pub first: u16,
    /// The limit of the second number, if there is one.
    pub second: Option<u16>,
}

/// A stream for every lane and seat.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub struct Streams<S: Vector, const SEATS: usize> {
    states: [Parts; SEATS],
    increments: [Parts; SEATS],
    /// The first numbers of the coming rolls, if they do not depend on who rolls.
    firsts: [S::V; MOST_ROLLS],
    seconds: [S::V; MOST_ROLLS],
    /// The lower bits of the number of every lane's trial.
    pub(super) numbers: [u16; MOST_NARROW],
}

impl<S: Vector, const SEATS: usize> Streams<S, SEATS> {
    pub(super) fn new(simd: S) -> Self {
        let none = [[[0; MOST_PARTS]; MOST_PARTS]; SEATS];
        let dealt = [simd.splat(0); MOST_ROLLS];
        Self { states: none, increments: none, firsts: dealt, seconds: dealt, numbers: [0; MOST_NARROW] }
    }

    /// Prepares the next `rolls` rolls. A single seat gets the next words of its stream in any case, so they are
    /// computed at once, with the generators in registers.
    #[inline(always)]
    pub(super) fn deal(&mut self, simd: S, dice: Dice, rolls: usize) {
        if SEATS > 1 {
            return;
        }
        let mut states = [simd.splat_part(0); MOST_PARTS];
        let mut increments = states;
        for part in 0..S::PARTS {
            states[part] = simd.load_part(&self.states[0][part]);
            increments[part] = simd.load_part(&self.increments[0][part]);
        }
        for (first, second) in self.firsts[..rolls].iter_mut().zip(&mut self.seconds) {
            let shown = read(simd, dice, &states);
            *first = shown[0];
            if dice.second.is_some() {
                *second = shown[1];
            }
            for part in 0..S::PARTS {
                states[part] = next(simd, states[part], increments[part]);
            }
        }
        for part in 0..S::PARTS {
            simd.store_part(states[part], &mut self.states[0][part]);
        }
    }

    /// The numbers that the dice show. Of the streams of all seats, that of the seat to play advances. `plays` has all
    /// bits set in the lanes in which a seat plays.
    #[inline(always)]
    pub fn roll(&mut self, simd: S, dice: Dice, roll: usize, plays: &[S::V; SEATS]) -> [S::V; 2] {
        if SEATS == 1 {
            return [self.firsts[roll], self.seconds[roll]];
        }
        let none = simd.splat_part(0);
        let mut words = [[none; 2]; MOST_PARTS / 2];
        // Written out: a loop over the pairs would be unrolled for one set of instructions, and not for another.
        words[0] = self.draw(simd, 0, plays);
        words[1] = self.draw(simd, 1, plays);
        if S::PARTS > 4 {
            words[2] = self.draw(simd, 2, plays);
            words[3] = self.draw(simd, 3, plays);
        }
        shown(simd, dice, words)
    }

    /// A number below `limit` from the next word of a seat's stream, which advances where all bits of `moves` are set, or
    /// in all lanes.
    #[inline(always)]
    pub fn number(&mut self, simd: S, seat: usize, limit: u16, moves: Option<S::V>) -> S::V {
        let none = simd.splat_part(0);
        let mut words = [[none; 2]; MOST_PARTS / 2];
        for pair in 0..S::PARTS / 2 {
            let mut next = |part| self.next_part(simd, seat, part, moves);
            words[pair] = simd.pcg_words([next(pair), next(pair + S::PARTS / 2)]);
        }
        simd.scaled(&words, limit)
    }

    /// The states of a seat's streams, which advance.
    #[inline(always)]
    fn next_part(&mut self, simd: S, seat: usize, part: usize, moves: Option<S::V>) -> S::Q {
        let state = simd.load_part(&self.states[seat][part]);
        let mut next = next(simd, state, simd.load_part(&self.increments[seat][part]));
        if let Some(moves) = moves {
            next = simd.select_part(simd.chosen(moves, part), next, state);
        }
        simd.store_part(next, &mut self.states[seat][part]);
        state
    }

    /// The next word of a seat's stream in one lane.
    pub fn word(&mut self, lane: usize, seat: usize) -> u32 {
        let (part, place) = (lane % S::PARTS, lane / S::PARTS % MOST_PARTS);
        let state = &mut self.states[seat][part][place];
        let word = word_of(*state);
        *state = state.wrapping_mul(PCG_MULTIPLIER).wrapping_add(self.increments[seat][part][place]);
        word
    }

    /// The next words of a pair of parts.
    #[inline(always)]
    fn draw(&mut self, simd: S, pair: usize, plays: &[S::V; SEATS]) -> Pair<S> {
        let states = [self.draw_part(simd, pair, plays), self.draw_part(simd, pair + S::PARTS / 2, plays)];
        simd.pcg_words(states)
    }

    /// The states of the streams of the seats to play, which advance.
    #[inline(always)]
    fn draw_part(&mut self, simd: S, part: usize, plays: &[S::V; SEATS]) -> S::Q {
        let mut kept = [simd.load_part(&self.states[0][part]); SEATS];
        let mut chosen = [simd.chosen(plays[0], part); SEATS];
        let (mut state, mut increment) = (kept[0], simd.load_part(&self.increments[0][part]));
        for seat in 1..SEATS {
            kept[seat] = simd.load_part(&self.states[seat][part]);
            chosen[seat] = simd.chosen(plays[seat], part);
            let its = simd.load_part(&self.increments[seat][part]);
            state = simd.select_part(chosen[seat], kept[seat], state);
            increment = simd.select_part(chosen[seat], its, increment);
        }
        let next = next(simd, state, increment);
        for seat in 0..SEATS {
            let moved = if SEATS == 2 && seat == 0 {
                simd.select_part(chosen[1], kept[0], next)
            } else {
                simd.select_part(chosen[seat], next, kept[seat])
            };
            simd.store_part(moved, &mut self.states[seat][part]);
        }
        state
    }

    /// Puts the streams of a trial into a lane.
    #[inline(always)]
    fn set(&mut self, lane: usize, seat: usize, state: u64, increment: u64) {
        let (part, place) = (lane % S::PARTS, lane / S::PARTS % MOST_PARTS);
        self.states[seat][part][place] = state;
        self.increments[seat][part][place] = increment;
    }
}

/// The next states of PCG32.
#[inline(always)]
fn next<S: Vector>(simd: S, states: S::Q, increments: S::Q) -> S::Q {
    simd.add_part(simd.mul_part(states, simd.splat_part(PCG_MULTIPLIER)), increments)
}

/// The numbers that the dice show for the words of these states.
#[inline(always)]
fn read<S: Vector>(simd: S, dice: Dice, states: &[S::Q; MOST_PARTS]) -> [S::V; 2] {
    let mut words = [[simd.splat_part(0); 2]; MOST_PARTS / 2];
    for pair in 0..S::PARTS / 2 {
        words[pair] = simd.pcg_words([states[pair], states[pair + S::PARTS / 2]]);
    }
    shown(simd, dice, words)
}

/// The numbers that the dice show for these words.
#[inline(always)]
fn shown<S: Vector>(simd: S, dice: Dice, mut words: [Pair<S>; MOST_PARTS / 2]) -> [S::V; 2] {
    let first = simd.scaled(&words, dice.first);
    let Some(second) = dice.second else { return [first; 2] };
    for words in &mut words[..S::PARTS / 2] {
        *words = simd.rests(*words, dice.first);
    }
    [first, simd.scaled(&words, second)]
}

/// The streams of coming trials, in order.
pub(super) struct Seeds<'k, N, const SEATS: usize> {
    keys: &'k Keys,
    next: N,
    trials: Range<u64>,
    ahead: [Ahead; SEATS],
    ready: Range<usize>,
}

/// Vectors of streams. Aligned like vectors, because reading a vector that was written across two cache lines waits.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Ahead {
    states: [Places; AHEAD],
    increments: [Places; AHEAD],
}

impl<'k, N, const SEATS: usize> Seeds<'k, N, SEATS> {
    #[inline(always)]
    pub(super) fn new<C>(keys: &'k Keys, next: N) -> Self
    where
        N: FnMut(&mut C) -> Range<u64>,
    {
        let none = [[0; MOST_PARTS]; AHEAD];
        let ahead = [Ahead { states: none, increments: none }; SEATS];
        Self { keys, next, trials: 0..0, ahead, ready: 0..0 }
    }

    /// Gives each of `lanes` the streams of the next trial. Returns the lanes for which no trial was left.
    ///
    /// A function of its own: the loop of every table has two such calls. In place they are a tenth of what compiles
    /// lanes, and CarboniteDice `first` plays a hundredth faster with AVX2.
    #[inline(never)]
    pub(super) fn hand_out<S: Vector, C>(
        &mut self,
        simd: S,
        lanes: u64,
        streams: &mut Streams<S, SEATS>,
        counts: &mut C,
    ) -> u64
    where
        N: FnMut(&mut C) -> Range<u64>,
    {
        let places = S::LANES / S::PARTS;
        let mut left = lanes;
        while left != 0 {
            if self.ready.is_empty() && !self.prepare(simd, counts) {
                return left;
            }
            let lane = left.trailing_zeros() as usize;
            left &= left - 1;
            let (vector, place) = (self.ready.start / places % AHEAD, self.ready.start % places);
            let number = self.trials.start.wrapping_sub(self.ready.len() as u64);
            streams.numbers[lane % MOST_NARROW] = low(number);
            self.ready.start += 1;
            for seat in 0..SEATS {
                let Ahead { states, increments } = &self.ahead[seat];
                streams.set(lane, seat, states[vector][place], increments[vector][place]);
            }
        }
        0
    }

    /// Seeds streams ahead. Returns whether any trial was left.
    fn prepare<S: Vector, C>(&mut self, simd: S, counts: &mut C) -> bool
    where
        N: FnMut(&mut C) -> Range<u64>,
    {
        if self.trials.is_empty() {
            self.trials = (self.next)(counts);
        }
        let first = self.trials.start;
        for seat in 0..SEATS {
            simd.outlined(Seeding { key: self.keys.seat(seat), first, ahead: &mut self.ahead[seat] });
        }
        let ahead = AHEAD * S::LANES / S::PARTS;
        let count = self.trials.end.saturating_sub(first).min(ahead as u64);
        self.trials.start += count;
        self.ready = 0..usize::try_from(count).unwrap_or(ahead);
        count > 0
    }
}

/// A job that computes the initial states of the generators of the trials from `first` on, before the first word: what
/// `Lcg64Xsh32::new` derives from state and selector, one vector at a time.
struct Seeding<'s> {
    key: Key,
    first: u64,
    ahead: &'s mut Ahead,
}

impl<S: Vector> Job<S> for Seeding<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self, simd: S) {
        let Self { key, first, ahead } = self;
        let places = S::LANES / S::PARTS;
        // What is mixed grows by the same from trial to trial.
        let [(state, state_by), (selector, selector_by)] = key.unmixed(first);
        let mut trials = [[0; MOST_PARTS]; 2];
        for place in 0..MOST_PARTS {
            trials[0][place] = state_by.wrapping_mul(place as u64).wrapping_add(state);
            trials[1][place] = selector_by.wrapping_mul(place as u64).wrapping_add(selector);
        }
        let (mut state, mut selector) = (simd.load_part(&trials[0]), simd.load_part(&trials[1]));
        let state_by = simd.splat_part(state_by.wrapping_mul(places as u64));
        let selector_by = simd.splat_part(selector_by.wrapping_mul(places as u64));
        for vector in 0..AHEAD {
            let selected = mixed(simd, selector);
            let increment = simd.add_part(simd.add_part(selected, selected), simd.splat_part(1));
            let start = simd.add_part(mixed(simd, state), increment);
            simd.store_part(next(simd, start, increment), &mut ahead.states[vector]);
            simd.store_part(increment, &mut ahead.increments[vector]);
            state = simd.add_part(state, state_by);
            selector = simd.add_part(selector, selector_by);
        }
    }
}

/// [`mix`](crate::stream), one vector at a time.
#[inline(always)]
fn mixed<S: Vector>(simd: S, x: S::Q) -> S::Q {
    let [first, second] = MIX_MULTIPLIERS;
    let x = simd.mul_part(simd.xor_shr::<30>(x), simd.splat_part(first));
    let x = simd.mul_part(simd.xor_shr::<27>(x), simd.splat_part(second));
    simd.xor_shr::<31>(x)
}
