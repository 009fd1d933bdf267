//! The stream contract: which random words a trial uses.
//!
//! **Scheme 1.** Every (seed, trial, seat) has its own stream, read in order, one 32-bit word per chance event. Nothing
//! else influences it: two policies, or two variants of the rules, get the same words in the same trial, and a seat's
//! words do not depend on what the others do.
//!
//! The generator is PCG32 (XSH-RR 64/32, O'Neill 2014) as in `rand_pcg`. Its 64-bit state and its 63-bit stream
//! selector are both hashes of the key:
//!
//! ```text
//! mix(x)    = Stafford's variant 13 of the MurmurHash3 finaliser, as in SplitMix64
//! a         = mix(mix(seed + 1·G) + scheme·G + seat·H)
//! b         = mix(a + H)
//! state     = mix(a + trial·G)        G = 9e3779b97f4a7c15 (2⁶⁴ / the golden ratio)
//! selector  = mix(b + trial·H)        H = d1342543de82ef95
//! pcg32     = Lcg64Xsh32::new(state, selector)
//! ```
//!
//! A policy that answers by chance draws from a stream of its own: the same with the number of its seat plus eight, one word
//! for each `chance(…)` of an answer, in the order of the text. So the dice stay the same, whatever policies draw.
//!
//! For one seed and seat, `trial → state` is a bijection, so no two trials share a state. Across seeds and
//! seats the 127 bits of (state, selector) are hashes of different keys. The known-answer vectors are in
//! `tests/data/streams.csv`; `tests/testu01` holds the statistical evidence that streams are independent.

use rand::Rng;
use rand_pcg::Lcg64Xsh32;

use crate::game::{MAX_SEATS, Seat};

/// The version of the stream contract. Results of different schemes cannot be compared trial by trial.
pub const SCHEME: u32 = 1;

const G: u64 = 0x9e37_79b9_7f4a_7c15;
const H: u64 = 0xd134_2543_de82_ef95;

/// The multiplier of the generator.
pub const MULTIPLIER: u64 = 0x5851_f42d_4c95_7f2d;

/// The multipliers of [`mix`].
pub(crate) const MIX_MULTIPLIERS: [u64; 2] = [0xbf58_476d_1ce4_e5b9, 0x94d0_49bb_1331_11eb];

/// Stafford's variant 13: a bijection of 64-bit words whose every input bit flips every output bit with
/// probability close to one half.
#[inline(always)]
const fn mix(mut x: u64) -> u64 {
    x = (x ^ (x >> 30)).wrapping_mul(MIX_MULTIPLIERS[0]);
    x = (x ^ (x >> 27)).wrapping_mul(MIX_MULTIPLIERS[1]);
    x ^ (x >> 31)
}

/// The keys of one seed: the values that the streams of all trials share, per seat.
#[derive(Clone, Copy, Debug)]
pub struct Keys {
    /// Of the dice of every seat, then of the answers of every seat.
    seats: [Key; 2 * MAX_SEATS],
}

/// The values that the streams of one seat share, and their increments from trial to trial.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Key {
    a: u64,
    b: u64,
    g: u64,
    h: u64,
}

impl Key {
    /// The numbers that are mixed into the state and the selector of a trial, each with the difference to those of the
    /// next.
    #[inline(always)]
    pub(crate) fn unmixed(self, trial: u64) -> [(u64, u64); 2] {
        let at = |start: u64, by: u64| (start.wrapping_add(trial.wrapping_mul(by)), by);
        [at(self.a, self.g), at(self.b, self.h)]
    }

    /// The initial values of the generator of a trial: state and selector.
    #[inline(always)]
    fn hashes(self, trial: u64) -> (u64, u64) {
        let [(state, _), (selector, _)] = self.unmixed(trial);
        (mix(state), mix(selector))
    }
}

impl Keys {
    /// The keys of `seed`.
    pub fn new(seed: u64) -> Self {
        let root = mix(seed.wrapping_add(G)).wrapping_add(G.wrapping_mul(SCHEME as u64));
        let mut seats = [Key { a: 0, b: 0, g: G, h: H }; 2 * MAX_SEATS];
        for (seat, key) in (0_u64..).zip(&mut seats) {
            key.a = mix(root.wrapping_add(H.wrapping_mul(seat)));
            key.b = mix(key.a.wrapping_add(H));
        }
        Self { seats }
    }

    /// The keys of every `step`-th trial from `first`: their trial *k* is trial `first` + *k* · `step` of these.
    pub fn every(&self, step: u64, first: u64) -> Self {
        let thin = |key: Key| Key {
            a: key.a.wrapping_add(first.wrapping_mul(key.g)),
            b: key.b.wrapping_add(first.wrapping_mul(key.h)),
            g: key.g.wrapping_mul(step),
            h: key.h.wrapping_mul(step),
        };
        Self { seats: self.seats.map(thin) }
    }

    /// The stream of one seat in one trial.
    #[inline]
    pub fn stream(&self, trial: u64, seat: Seat) -> Stream {
        let mut generator = self.generator(trial, seat);
        let next = generator.next_u32();
        Stream { generator, next }
    }

    /// The generator of that stream, before its first word.
    #[inline]
    pub fn generator(&self, trial: u64, seat: Seat) -> Lcg64Xsh32 {
        let (state, selector) = self.seats[seat].hashes(trial);
        Lcg64Xsh32::new(state, selector)
    }

    /// The state and the increment of that generator, for many streams side by side.
    #[inline]
    pub fn start(&self, trial: u64, seat: Seat) -> (u64, u64) {
        let (state, selector) = self.seats[seat].hashes(trial);
        let increment = selector << 1 | 1;
        (state.wrapping_add(increment).wrapping_mul(MULTIPLIER).wrapping_add(increment), increment)
    }

    /// The key of a seat.
    #[inline(always)]
    pub(crate) fn seat(&self, seat: Seat) -> Key {
        self.seats[seat]
    }

    /// The stream from which a policy in this seat draws, where it answers by chance.
    pub fn answers(&self, trial: u64, seat: Seat) -> Stream {
        self.stream(trial, MAX_SEATS + seat)
    }

    /// The streams of the first `seats` seats in one trial.
    #[inline]
    pub fn streams(&self, trial: u64, seats: usize) -> Streams {
        let mut streams = Streams { dice: [const { None }; MAX_SEATS], answers: [const { None }; MAX_SEATS] };
        for seat in 0..seats {
            streams.dice[seat] = Some(self.stream(trial, seat));
        }
        streams
    }

    /// The same, with those of answers if somebody answers by chance.
    #[inline]
    pub fn streams_with(&self, trial: u64, seats: usize, by_chance: bool) -> Streams {
        let mut streams = self.streams(trial, seats);
        if by_chance {
            for seat in 0..seats {
                streams.answers[seat] = Some(self.answers(trial, seat));
            }
        }
        streams
    }
}

/// The word of a generator in this state, before it advances.
#[inline(always)]
#[allow(clippy::cast_possible_truncation, reason = "the output is of 32 bits")]
pub fn word_of(state: u64) -> u32 {
    let bits = ((state >> 18 ^ state) >> 27) as u32;
    bits.rotate_right((state >> 59) as u32)
}

/// A source of random words for the trial runner.
pub trait WordSource {
    /// The next word of the seat's stream.
    fn word(&mut self, seat: Seat) -> u32;

    /// The next word for a policy in the seat that answers by chance.
    fn answer(&mut self, seat: Seat) -> u32;
}

/// The stream of one seat in one trial; also the words of a solitaire game.
///
/// Its next word is always drawn in advance. Branches that depend on the dice are often mispredicted, and the next roll
/// then need not wait for the generator as well (`first` of `CarboniteDice` 191 to 182 ns a game, solo Pig 223 to 209,
/// IceDice for two 846 to 797).
#[derive(Clone, Debug)]
pub struct Stream {
    generator: Lcg64Xsh32,
    next: u32,
}

impl WordSource for Stream {
    #[inline(always)]
    fn word(&mut self, _: Seat) -> u32 {
        std::mem::replace(&mut self.next, self.generator.next_u32())
    }

    /// Panics: where one stream is all, policies do not answer by chance.
    #[cold]
    fn answer(&mut self, _: Seat) -> u32 {
        unreachable!("only policies of games as text answer by chance, and these have streams of answers")
    }
}

/// The streams of one trial, one per seat.
#[derive(Clone, Debug)]
pub struct Streams {
    dice: [Option<Stream>; MAX_SEATS],
    /// Those of policies that answer by chance.
    answers: [Option<Stream>; MAX_SEATS],
}

impl WordSource for Streams {
    /// Panics if the seat does not play.
    #[inline(always)]
    fn word(&mut self, seat: Seat) -> u32 {
        self.dice[seat].as_mut().expect("the seat plays").word(seat)
    }

    /// Panics if the seat does not play, or nobody was to answer by chance.
    #[inline]
    fn answer(&mut self, seat: Seat) -> u32 {
        self.answers[seat].as_mut().expect("the seat may answer by chance").word(seat)
    }
}
