//! The streams of many games side by side: PCG32, as [`stopwise_engine::stream`] says.

use stopwise_engine::game::Seat;
use stopwise_engine::lanes::simd::{Generators, Vector16};
use stopwise_engine::stream::{Keys, MULTIPLIER, word_of};

use super::column::{Column, Mask, Move, PART, PARTS, Parts};

/// A word of every game, or what is made of it.
pub(super) type Words = Column<u32>;

/// The streams of all seats: by part, then by seat.
#[derive(Debug)]
pub(super) struct Streams {
    seats: usize,
    states: Vec<Generators>,
    increments: Vec<Generators>,
}

/// Whose streams are drawn from: a seat's, or in each game that of the seat in a column.
#[derive(Clone, Copy)]
pub(super) enum Whose<'w> {
    One(Seat),
    Each(&'w Column<u8>),
}

/// The states and increments of streams that begin.
pub(super) type Started = ([u64; PART], [u64; PART]);

/// The streams of a seat in trials, at most as many as a part has.
#[inline(always)]
pub(super) fn started(keys: &Keys, fresh: &[u64], seat: Seat) -> Started {
    let mut trials = [0; PART];
    for (trial, fresh) in trials.iter_mut().zip(fresh) {
        *trial = *fresh;
    }
    let (mut states, mut increments) = ([0; PART], [0; PART]);
    for at in 0..PART {
        (states[at], increments[at]) = keys.start(trials[at], seat);
    }
    (states, increments)
}

impl Streams {
    pub(super) fn new(seats: usize) -> Self {
        let none = vec![Generators([0; PART]); PARTS * seats];
        Self { seats, states: none.clone(), increments: none }
    }

    /// Begins the streams of a seat in the lanes of trials.
    pub(super) fn begin(&mut self, seat: Seat, lanes: &[u16], (states, increments): &Started) {
        for ((lane, state), increment) in lanes.iter().zip(states).zip(increments) {
            let (at, lane) = (usize::from(*lane) / PART * self.seats + seat, usize::from(*lane) % PART);
            self.states[at].0[lane] = *state;
            self.increments[at].0[lane] = *increment;
        }
    }

    /// Moves the streams of games.
    pub(super) fn gather(&mut self, moves: &[Move]) {
        for (to, from) in moves {
            let (to, from) = (usize::from(*to), usize::from(*from));
            for seat in 0..self.seats {
                let place = |lane: usize| (lane / PART * self.seats + seat, lane % PART);
                let ((at, lane), (of, other)) = (place(to), place(from));
                self.states[at].0[lane] = self.states[of].0[other];
                self.increments[at].0[lane] = self.increments[of].0[other];
            }
        }
    }

    /// The next word of a seat in a lane.
    pub(super) fn word(&mut self, seat: Seat, lane: usize) -> u32 {
        let (at, lane) = (lane / PART * self.seats + seat, lane % PART);
        let state = &mut self.states[at].0[lane];
        let word = word_of(*state);
        *state = state.wrapping_mul(MULTIPLIER).wrapping_add(self.increments[at].0[lane]);
        word
    }

    /// In the games of a mask, a place among as many as the weight, by the next word, which `show` gets; where the weight is
    /// 0 none is taken.
    #[inline(always)]
    pub(super) fn draw<'w, S: Vector16>(
        &mut self,
        simd: S,
        parts: Parts,
        whose: Whose<'_>,
        mask: &Mask,
        weights: impl Fn(usize) -> &'w [u32; PART],
        mut show: impl FnMut(usize, &[u32; PART]),
    ) {
        for at in parts.all() {
            if mask.0[at] == [0; PART] {
                continue;
            }
            let first = at * self.seats;
            let (seats, whose) = match whose {
                Whose::One(seat) => (first + seat..first + seat + 1, &[0; PART]),
                Whose::Each(seats) => (first..first + self.seats, &seats.0[at]),
            };
            let (states, increments) = (&mut self.states[seats.clone()], &self.increments[seats]);
            show(at, &simd.draw(states, increments, whose, &mask.0[at], weights(at)));
        }
    }
}
