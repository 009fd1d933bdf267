//! The random streams of the lanes: the same words as [`Keys::stream`], a vector at a time.

use std::ops::Range;

use super::simd::{MOST_LANES, Simd};
use crate::stream::{Key, Keys};

/// Streams computed ahead, so that the seeding runs on vectors.
const AHEAD: usize = 64;

/// A number of 64 bits a lane, in quarters: lane *j* lies in quarter *j* mod 4 at place *j* / 4.
type Quarters = [[u64; MOST_LANES / 4]; 4];

/// A stream for every lane and seat.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub struct Streams<const SEATS: usize> {
    states: [Quarters; SEATS],
    increments: [Quarters; SEATS],
}

impl<const SEATS: usize> Streams<SEATS> {
    pub(super) fn new() -> Self {
        let none = [[[0; MOST_LANES / 4]; 4]; SEATS];
        Self { states: none, increments: none }
    }

    /// The next word of the seat to play in every lane, split into a number below `first` and one below `second`,
    /// as [`split`](crate::chance::split) and [`bounded`](crate::chance::bounded) do. `plays` has all bits in the
    /// lanes in which a seat plays.
    #[inline(always)]
    pub fn roll_two<S: Simd>(
        &mut self,
        simd: S,
        first: u16,
        second: u16,
        plays: &[S::V; SEATS],
    ) -> (S::V, S::V) {
        let [first, second] = [simd.splat_quarter(first.into()), simd.splat_quarter(second.into())];
        let firsts = self.scaled(simd, first, plays);
        let seconds = [
            simd.widening_mul(firsts[0], second),
            simd.widening_mul(firsts[1], second),
            simd.widening_mul(firsts[2], second),
            simd.widening_mul(firsts[3], second),
        ];
        (simd.upper_halves(firsts), simd.upper_halves(seconds))
    }

    /// The next word of the seat to play in every lane, as a number below `faces`.
    #[inline(always)]
    pub fn roll<S: Simd>(&mut self, simd: S, faces: u16, plays: &[S::V; SEATS]) -> S::V {
        let faces = simd.splat_quarter(faces.into());
        let scaled = self.scaled(simd, faces, plays);
        simd.upper_halves(scaled)
    }

    /// Words as fractions of 2³², times `faces`.
    #[inline(always)]
    fn scaled<S: Simd>(&mut self, simd: S, faces: S::Q, plays: &[S::V; SEATS]) -> [S::Q; 4] {
        [
            simd.widening_mul(self.word::<S, 0>(simd, plays), faces),
            simd.widening_mul(self.word::<S, 1>(simd, plays), faces),
            simd.widening_mul(self.word::<S, 2>(simd, plays), faces),
            simd.widening_mul(self.word::<S, 3>(simd, plays), faces),
        ]
    }

    /// The next words of quarter `K`: of all seats' streams that of the seat to play moves on.
    #[inline(always)]
    fn word<S: Simd, const K: usize>(&mut self, simd: S, plays: &[S::V; SEATS]) -> S::Q {
        let mut state = simd.load_quarter(&self.states[0][K]);
        let mut increment = simd.load_quarter(&self.increments[0][K]);
        let seats = plays.iter().zip(&self.states).zip(&self.increments);
        for ((&plays, other), its) in seats.skip(1) {
            state = simd.select_quarter::<K>(plays, simd.load_quarter(&other[K]), state);
            increment = simd.select_quarter::<K>(plays, simd.load_quarter(&its[K]), increment);
        }
        let (next, word) = simd.pcg(state, increment);
        if SEATS == 1 {
            simd.store_quarter(next, &mut self.states[0][K]);
        } else {
            for (&plays, own) in plays.iter().zip(&mut self.states) {
                let kept = simd.load_quarter(&own[K]);
                simd.store_quarter(simd.select_quarter::<K>(plays, next, kept), &mut own[K]);
            }
        }
        word
    }
}

/// The streams of the trials to come, in order.
pub(super) struct Seeds<'k, N, const SEATS: usize> {
    keys: &'k Keys,
    next: N,
    trials: Range<u64>,
    states: [[u64; AHEAD]; SEATS],
    increments: [[u64; AHEAD]; SEATS],
    ready: Range<usize>,
}

impl<'k, N, const SEATS: usize> Seeds<'k, N, SEATS> {
    #[inline(always)]
    pub(super) fn new<C>(keys: &'k Keys, next: N) -> Self
    where
        N: FnMut(&mut C) -> Range<u64>,
    {
        let none = [[0; AHEAD]; SEATS];
        Self { keys, next, trials: 0..0, states: none, increments: none, ready: 0..0 }
    }

    /// Gives each of `lanes` the streams of the next trial; the lanes for which there was none.
    #[inline(always)]
    pub(super) fn hand_out<C>(&mut self, lanes: u32, streams: &mut Streams<SEATS>, counts: &mut C) -> u32
    where
        N: FnMut(&mut C) -> Range<u64>,
    {
        let mut left = lanes;
        while left != 0 {
            if self.ready.is_empty() && !self.prepare(counts) {
                return left;
            }
            let lane = left.trailing_zeros() as usize % MOST_LANES;
            left &= left - 1;
            let at = self.ready.start % AHEAD;
            self.ready.start += 1;
            for seat in 0..SEATS {
                streams.states[seat][lane % 4][lane / 4] = self.states[seat][at];
                streams.increments[seat][lane % 4][lane / 4] = self.increments[seat][at];
            }
        }
        0
    }

    /// Computes streams ahead; whether there were any.
    #[inline(always)]
    fn prepare<C>(&mut self, counts: &mut C) -> bool
    where
        N: FnMut(&mut C) -> Range<u64>,
    {
        if self.trials.is_empty() {
            self.trials = (self.next)(counts);
        }
        let first = self.trials.start;
        for seat in 0..SEATS {
            seed(self.keys.seat(seat), first, &mut self.states[seat], &mut self.increments[seat]);
        }
        let count = self.trials.end.saturating_sub(first).min(AHEAD as u64);
        self.trials.start += count;
        self.ready = 0..usize::try_from(count).unwrap_or(AHEAD);
        count > 0
    }
}

/// Where the generators of the trials from `first` on start.
///
/// A function of its own: inlined into the lanes it is unrolled there into a thousand instructions, which cost Pig for
/// two a tenth of its speed.
#[inline(never)]
fn seed(key: Key, first: u64, states: &mut [u64; AHEAD], increments: &mut [u64; AHEAD]) {
    for ((more, state), increment) in (0_u64..).zip(states).zip(increments) {
        (*state, *increment) = key.start(first.wrapping_add(more));
    }
}
