//! The streams of many games side by side: PCG32, as [`stopwise_engine::stream`] says.

use stopwise_engine::game::Seat;
use stopwise_engine::lanes::simd::Vector16;
use stopwise_engine::stream::{Keys, MULTIPLIER, word_of};

use super::column::{Column, FEW, Mask, PART, PARTS, Parts, few_of, set_few};

/// A word of every game, or what is made of it.
pub(super) type Words = Column<u32>;

/// The streams of a seat.
#[derive(Clone, Debug)]
pub(super) struct Streams {
    states: Column<u64>,
    increments: Column<u64>,
}

/// The states and increments of streams that begin.
pub(super) type Started = ([u64; PART], [u64; PART]);

/// The streams of a seat in trials, at most as many as a part has.
#[inline(always)]
pub(super) fn started(keys: &Keys, fresh: &[(usize, u64)], seat: Seat) -> Started {
    let mut trials = [0; PART];
    for (trial, (_, fresh)) in trials.iter_mut().zip(fresh) {
        *trial = *fresh;
    }
    let (mut states, mut increments) = ([0; PART], [0; PART]);
    for at in 0..PART {
        (states[at], increments[at]) = keys.start(trials[at], seat);
    }
    (states, increments)
}

impl Streams {
    pub(super) fn new() -> Self {
        let none = Column([[0; PART]; PARTS]);
        Self { states: none, increments: none }
    }

    /// Begins the streams of trials in their lanes.
    pub(super) fn begin(&mut self, fresh: &[(usize, u64)], started: &Started) {
        for (&(lane, _), (state, increment)) in fresh.iter().zip(started.0.iter().zip(started.1)) {
            let (part, lane) = (lane / PART % PARTS, lane % PART);
            self.states.0[part][lane] = *state;
            self.increments.0[part][lane] = increment;
        }
    }

    /// The next word of a lane.
    pub(super) fn word(&mut self, lane: usize) -> u32 {
        let (part, lane) = (lane / PART % PARTS, lane % PART);
        let state = &mut self.states.0[part][lane];
        let word = word_of(*state);
        *state = state.wrapping_mul(MULTIPLIER).wrapping_add(self.increments.0[part][lane]);
        word
    }

    /// In the games of a mask, a place among as many as the weight, by the next word, which `show` gets; where the weight is
    /// 0 none is taken.
    #[inline(always)]
    pub(super) fn places<S: Vector16>(
        &mut self,
        simd: S,
        parts: Parts,
        mask: &Mask,
        weights: impl Fn(usize, usize) -> [u32; FEW],
        mut show: impl FnMut(usize, usize, [u32; FEW]),
    ) {
        for at in parts.all() {
            if mask.0[at] == [0; PART] {
                continue;
            }
            for few in 0..PART / FEW {
                let states = few_of(&self.states.0[at], few);
                let increments = few_of(&self.increments.0[at], few);
                let weights = weights(at, few);
                let drawn = drawn(few_of(&mask.0[at], few), weights);
                set_few(&mut self.states.0[at], few, next(states, increments, states, drawn));
                show(at, few, simd.places(&states, &weights));
            }
        }
    }
}

/// The same with the streams of several seats, each in the games in which a column has its number.
#[inline(always)]
pub(super) fn places_of_seats<S: Vector16>(
    simd: S,
    streams: &mut [Streams],
    seats: &Column<u8>,
    parts: Parts,
    mask: &Mask,
    weights: impl Fn(usize, usize) -> [u32; FEW],
    mut show: impl FnMut(usize, usize, [u32; FEW]),
) {
    for at in parts.all() {
        if mask.0[at] == [0; PART] {
            continue;
        }
        for few in 0..PART / FEW {
            let seats = few_of(&seats.0[at], few);
            let are_of = |seat: u8, mut mask: [i8; FEW]| {
                for lane in 0..FEW {
                    mask[lane] &= -i8::from(seats[lane] == seat);
                }
                mask
            };
            // One of the seats has the stream of a game.
            let (mut states, mut increments) = ([0; FEW], [0; FEW]);
            for (seat, own) in (0..).zip(&*streams) {
                let is_own = are_of(seat, [-1; FEW]);
                let (of_seat, theirs) = (few_of(&own.states.0[at], few), few_of(&own.increments.0[at], few));
                for lane in 0..FEW {
                    states[lane] |= of_seat[lane] & all_bits(is_own[lane]);
                    increments[lane] |= theirs[lane] & all_bits(is_own[lane]);
                }
            }
            let weights = weights(at, few);
            let drawn = drawn(few_of(&mask.0[at], few), weights);
            for (seat, own) in (0..).zip(&mut *streams) {
                let own = &mut own.states.0[at];
                set_few(own, few, next(states, increments, few_of(own, few), are_of(seat, drawn)));
            }
            show(at, few, simd.places(&states, &weights));
        }
    }
}

/// The games of a mask that take a word.
#[inline(always)]
fn drawn(mut mask: [i8; FEW], weights: [u32; FEW]) -> [i8; FEW] {
    for lane in 0..FEW {
        mask[lane] &= -i8::from(weights[lane] != 0);
    }
    mask
}

/// The next states in the games of a mask, other numbers in the others.
#[inline(always)]
fn next(states: [u64; FEW], increments: [u64; FEW], mut others: [u64; FEW], mask: [i8; FEW]) -> [u64; FEW] {
    for lane in 0..FEW {
        let next = states[lane].wrapping_mul(MULTIPLIER).wrapping_add(increments[lane]);
        others[lane] ^= (others[lane] ^ next) & all_bits(mask[lane]);
    }
    others
}

/// All bits of 64, or none.
#[inline(always)]
fn all_bits(mask: i8) -> u64 {
    i64::from(mask).cast_unsigned()
}
