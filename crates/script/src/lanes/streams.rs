//! The streams of many games side by side: PCG32, as [`stopwise_engine::stream`] says.

use stopwise_engine::game::Seat;
use stopwise_engine::stream::{Keys, MULTIPLIER, word_of};

use super::column::{Column, Mask, PART, PARTS, Parts};

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

    /// In the games of a mask, a place among as many as the weight, by the next word; where the weight is 0 none is taken.
    #[inline(always)]
    pub(super) fn places(&mut self, parts: Parts, weights: &Words, mask: &Mask, places: &mut Words) {
        for at in parts.all() {
            let (mask, weights, increments) = (mask.0[at], weights.0[at], self.increments.0[at]);
            if mask == [0; PART] {
                continue;
            }
            let (mut states, mut out) = (self.states.0[at], places.0[at]);
            for lane in 0..PART {
                let (state, weight) = (states[lane], weights[lane]);
                // All bits of those that draw.
                let drawn = i64::from(mask[lane] & -i16::from(weight != 0)).cast_unsigned();
                let next = state.wrapping_mul(MULTIPLIER).wrapping_add(increments[lane]);
                #[allow(clippy::cast_possible_truncation, reason = "it is less than the weight")]
                let place = ((u64::from(word_of(state)) * u64::from(weight)) >> 32) as u32;
                states[lane] = state ^ (state ^ next) & drawn;
                #[allow(clippy::cast_possible_truncation, reason = "all bits or none")]
                let drawn = drawn as u32;
                out[lane] ^= (out[lane] ^ place) & drawn;
            }
            self.states.0[at] = states;
            places.0[at] = out;
        }
    }
}

/// The same with the streams of several seats, each in the games in which a column has its number.
#[inline(always)]
pub(super) fn places_of_seats(
    streams: &mut [Streams],
    seats: &Column<i16>,
    parts: Parts,
    weights: &Words,
    mask: &Mask,
    places: &mut Words,
) {
    for at in parts.all() {
        let (mask, weights, seats) = (mask.0[at], weights.0[at], seats.0[at]);
        if mask == [0; PART] {
            continue;
        }
        // One of the seats has the stream of a game.
        let (mut states, mut increments) = ([0; PART], [0; PART]);
        for (seat, own) in (0_i16..).zip(&*streams) {
            for lane in 0..PART {
                let is_own = i64::from(-i16::from(seats[lane] == seat)).cast_unsigned();
                states[lane] |= own.states.0[at][lane] & is_own;
                increments[lane] |= own.increments.0[at][lane] & is_own;
            }
        }
        let (mut drawn, mut next, mut out) = ([0; PART], [0_u64; PART], places.0[at]);
        for lane in 0..PART {
            let (state, weight) = (states[lane], weights[lane]);
            drawn[lane] = mask[lane] & -i16::from(weight != 0);
            next[lane] = state.wrapping_mul(MULTIPLIER).wrapping_add(increments[lane]);
            #[allow(clippy::cast_possible_truncation, reason = "it is less than the weight")]
            let place = ((u64::from(word_of(state)) * u64::from(weight)) >> 32) as u32;
            out[lane] ^= (out[lane] ^ place) & i32::from(drawn[lane]).cast_unsigned();
        }
        places.0[at] = out;
        for (seat, own) in (0_i16..).zip(&mut *streams) {
            for lane in 0..PART {
                let is_own = i64::from(drawn[lane] & -i16::from(seats[lane] == seat)).cast_unsigned();
                own.states.0[at][lane] ^= (own.states.0[at][lane] ^ next[lane]) & is_own;
            }
        }
    }
}
