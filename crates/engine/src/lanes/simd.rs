//! The vector operations of an instruction set.
//!
//! A lane holds a number of 8 or 16 bits. [`Vector`] has the operations of both widths, [`Vector16`] those of the wider
//! one only, and a [`Machine`] has a vector of each width. Narrow lanes are twice as many; they serve games with small
//! numbers.
//!
//! The random stream of a lane is two 64-bit numbers, so a register holds only some of the lanes: a part. The number of
//! parts is 64 divided by the bits of a lane. Lane *j* is in part *j* mod parts at place *j* / parts. So the parts of a
//! result are combined by shifts and the lanes of a part are selected by bytes of a mask, without moving data across a
//! register.
//!
//! # Why not a SIMD library
//!
//! `wide` chooses its instructions at compile time, so that users would need `target-cpu`. `pulp` dispatches at run
//! time but lacks what lanes need most: 16-bit permutations as table look-ups, compression, 64-bit products.
//! `multiversion` leaves vectorisation to the compiler, which turned masks back into branches. The functions of
//! `std::arch` are safe to call inside functions with the target feature, but such functions cannot be trait methods.
//! Hence these small traits, with one macro around the intrinsics. A value of `Avx512` or `Avx2` is the proof that the
//! machine was checked.
//!
//! AVX-512 here means F, BW, DQ, VL, VBMI, VBMI2 and BITALG (AMD from Zen 4, Intel from Ice Lake): byte permutations,
//! compression and bit counts. A machine that lacks one of them uses AVX2.
//!
//! Everything generic over a vector is inlined into a function that has the target features. The loop of every kind of
//! table is an outlined function of its own: if several kinds share one, the compiler finds it too long and no longer
//! inlines the instructions. Code that would be compiled in too many places is outlined as well; otherwise a debug
//! build took minutes. These calls are marked as cold, or the compiler would keep registers free for them.
//!
//! # Masks stay in vector registers
//!
//! A mask of 64 lanes as a 64-bit number would be moved by the compiler to scalar registers and back. On narrow lanes a
//! mask is therefore a vector, with all bits of a lane set or none, and an answer is one vector comparison, whatever
//! the form of the condition.

use std::fmt::Debug;
use std::sync::Arc;

use crate::stream::word_of;

/// The most lanes of 16 bits of any instruction set.
pub const MOST_LANES: usize = 32;
/// The most lanes of 8 bits.
pub const MOST_NARROW: usize = 64;
/// The most parts of the streams, which is also the most lanes in a part.
pub const MOST_PARTS: usize = 8;

/// The streams from which places are drawn at a time.
pub const DRAWN: usize = 64;

/// The states or the increments of so many streams.
#[derive(Clone, Debug)]
#[repr(align(64))]
pub struct Generators(pub [u64; DRAWN]);

/// A 32-bit number for every lane, for arithmetic on features; the elements past the last lane are undefined.
pub type Column = [i32; MOST_LANES];

/// A number of 64 bits for each lane of a part.
pub type Places = [u64; MOST_PARTS];

/// An instruction set.
///
/// A value of the type is the proof that the machine has it.
pub trait Machine: Copy + Debug {
    /// Vectors with lanes of 16 bits.
    type Wide: Vector16;
    /// Vectors with lanes of 8 bits.
    type Narrow: Vector;

    /// The proof for lanes of 16 bits.
    fn wide(self) -> Self::Wide;
    /// The proof for lanes of 8 bits.
    fn narrow(self) -> Self::Narrow;
}

/// The random words of two parts.
pub type Pair<S> = [<S as Vector>::Q; 2];

/// The operations of vectors with lanes of either width. Arithmetic wraps at the width of a lane.
pub trait Vector: Copy + Debug + Send + Sync {
    /// The number of lanes of a vector.
    const LANES: usize;
    /// The number of parts of the streams of all lanes: 64 divided by the bits of a lane.
    const PARTS: usize;
    /// The greatest number that a lane holds.
    const LARGEST: u16;
    /// Whether code that could be shared is compiled where it is used if that is faster. The plain set, which few
    /// machines need and which takes most instructions for everything, rather saves the time to compile.
    const IN_LINE: bool;
    /// The name of the instructions in reports.
    const NAME: &'static str;
    /// A number in every lane.
    type V: Copy + Debug;
    /// A truth value for every lane.
    type M: Copy + Debug;
    /// 64 bits for each lane of a part.
    type Q: Copy + Debug;
    /// A truth value for every lane of a part.
    type K: Copy + Debug;
    /// A counter for each of 64 bits.
    type Bits: Copy + Debug;
    /// The lanes as an array; the elements past the last lane are undefined.
    type Numbers: Copy + Debug + Numbers;
    /// The lanes widened to 32 bits, for arithmetic.
    type Column: Copy + Debug + AsRef<[i32]> + AsMut<[i32]>;
    /// A column of zeros.
    const ZEROS: Self::Column;

    /// Runs `job` in a function of its own, compiled with these instructions. It is meant for code that would otherwise
    /// be compiled in too many places. The call is marked as cold, so that registers are allocated for the code around
    /// it.
    fn outlined<J: Job<Self>>(self, job: J) -> J::Output;

    /// The same number in every lane.
    fn splat(self, value: u16) -> Self::V;
    /// Loads an array, one number per lane.
    fn load(self, values: &Self::Numbers) -> Self::V;
    /// Writes the lanes to an array.
    fn store(self, v: Self::V, values: &mut Self::Numbers);
    /// a ∧ b
    fn and(self, a: Self::V, b: Self::V) -> Self::V;
    /// a ∨ b
    fn or(self, a: Self::V, b: Self::V) -> Self::V;
    /// a ∧ ¬b
    fn and_not(self, a: Self::V, b: Self::V) -> Self::V;
    /// a + b, wrapping
    fn add(self, a: Self::V, b: Self::V) -> Self::V;
    /// a − b, wrapping
    fn sub(self, a: Self::V, b: Self::V) -> Self::V;
    /// a + 1 where the mask holds, wrapping
    fn count(self, mask: Self::M, a: Self::V) -> Self::V;
    /// a · b, wrapping
    fn mul(self, a: Self::V, b: Self::V) -> Self::V;
    /// a + b, saturating
    fn add_saturating(self, a: Self::V, b: Self::V) -> Self::V;
    /// a · b, saturating
    fn mul_saturating(self, a: Self::V, b: Self::V) -> Self::V;
    /// The minimum, unsigned.
    fn min(self, a: Self::V, b: Self::V) -> Self::V;
    /// For every lane, the entry of the table at its index; undefined past the end.
    fn gather(self, table: &LaneTable, index: Self::V) -> Self::V;

    /// Whether a = b.
    fn eq(self, a: Self::V, b: Self::V) -> Self::M;
    /// Whether a ≥ b, without sign.
    fn at_least(self, a: Self::V, b: Self::V) -> Self::M;
    /// a ∧ b
    fn mask_and(self, a: Self::M, b: Self::M) -> Self::M;
    /// a ∨ b
    fn mask_or(self, a: Self::M, b: Self::M) -> Self::M;
    /// a ∧ ¬b
    fn mask_and_not(self, a: Self::M, b: Self::M) -> Self::M;
    /// `a` where the mask holds, else `b`.
    fn select(self, mask: Self::M, a: Self::V, b: Self::V) -> Self::V;
    /// `a` where the mask holds, else 0.
    fn zero_unless(self, mask: Self::M, a: Self::V) -> Self::V;
    /// 0 where the mask holds, else `a`.
    fn zero_where(self, mask: Self::M, a: Self::V) -> Self::V;
    /// Bit *j* for lane *j*.
    fn bits(self, mask: Self::M) -> u64;
    /// The mask of the lanes in which all bits are set. In every other lane no bit may be set.
    fn whole(self, v: Self::V) -> Self::M;
    /// The mask with bit *j* of `bits` for lane *j*.
    fn mask(self, bits: u64) -> Self::M;

    /// A number of 64 bits for each lane of a part.
    fn load_part(self, values: &Places) -> Self::Q;
    /// Writes a part.
    fn store_part(self, q: Self::Q, values: &mut Places);
    /// The same number for all lanes of a part.
    fn splat_part(self, value: u64) -> Self::Q;
    /// a + b, 64 bits each, wrapping
    fn add_part(self, a: Self::Q, b: Self::Q) -> Self::Q;
    /// a · b, 64 bits each, wrapping
    fn mul_part(self, a: Self::Q, b: Self::Q) -> Self::Q;
    /// a ≫ N, 64 bits each
    fn shr_part<const N: u32>(self, a: Self::Q) -> Self::Q;
    /// a ⊕ (a ≫ N), 64 bits each
    fn xor_shr<const N: u32>(self, a: Self::Q) -> Self::Q;
    /// The output words of PCG32 for the states of a pair of parts. The second part is half of all parts after the
    /// first. The words are in the lower half of each number, in an order that depends on the machine and that
    /// [`Vector::scaled`] undoes.
    fn pcg_words(self, states: [Self::Q; 2]) -> Pair<Self>;
    /// All words, pair by pair, as fractions of 2³² multiplied by `limit` and rounded down. The results must fit a
    /// lane.
    fn scaled(self, words: &[Pair<Self>; MOST_PARTS / 2], limit: u16) -> Self::V;
    /// The fractional parts that [`Vector::scaled`] drops, as words.
    fn rests(self, words: Pair<Self>, limit: u16) -> Pair<Self>;
    /// The mask of the lanes of a part in which all bits of `mask` are set. In every other lane no bit may be set.
    fn chosen(self, mask: Self::V, part: usize) -> Self::K;
    /// `a` where the mask holds, else `b`.
    fn select_part(self, mask: Self::K, a: Self::Q, b: Self::Q) -> Self::Q;
    /// The lanes of a part, widened to 64 bits.
    fn widened(self, v: Self::V, part: usize) -> Self::Q;
    /// (a ≪ by) ∨ low, 64 bits each; every shift is less than 64
    fn shift_in(self, a: Self::Q, by: Self::Q, low: Self::Q) -> Self::Q;

    /// Counters at zero.
    fn no_bits(self) -> Self::Bits;
    /// Adds each bit of a word to its counter. Counters wrap at 256.
    fn count_bits(self, counts: Self::Bits, word: u64) -> Self::Bits;
    /// The counters, beginning with that of the lowest bit.
    fn bit_counts(self, counts: Self::Bits) -> [u8; 64];
}

/// Lanes of 16 bits: planes of pieces, scores, counts.
pub trait Vector16: Vector<Numbers = [u16; MOST_LANES], Column = Column> {
    /// a ≪ by
    fn shl(self, a: Self::V, by: u32) -> Self::V;
    /// a ≫ by
    fn shr(self, a: Self::V, by: u32) -> Self::V;
    /// The entry at the index in the lowest four bits of each lane, from a table of sixteen entries stored twice.
    fn lookup_16(self, table: &[u16; 32], index: Self::V) -> Self::V;
    /// The number of bits set.
    fn count_ones(self, a: Self::V) -> Self::V;
    /// Whether a and b have a bit in common.
    fn meets(self, a: Self::V, b: Self::V) -> Self::M;
    /// Writes the lanes of the mask contiguously to the front of `out`. The elements after them are undefined.
    fn compress(self, mask: Self::M, v: Self::V, out: &mut [u16; MOST_LANES]);

    /// Places among as many as the weights: the next words of PCG32, as fractions of 2³², times the weights, rounded down.
    /// Each lane has a stream of every seat; if there are several, it takes that of the seat `whose`. The streams of lanes
    /// with all bits in the mask and a weight other than 0 go on; what the places of others are is undefined.
    #[inline(always)]
    fn draw(
        self,
        states: &mut [Generators],
        increments: &[Generators],
        whose: &[u8; DRAWN],
        mask: &[i8; DRAWN],
        weights: &[u32; DRAWN],
    ) -> [u32; DRAWN] {
        draw_few_by_few(states, increments, whose, mask, weights)
    }

    /// The lowest bit that is set; 0 for 0.
    #[inline(always)]
    fn lowest_bit(self, a: Self::V) -> Self::V {
        self.and(a, self.sub(self.splat(0), a))
    }
}

/// So many lanes are drawn at a time: what is known of them stays in registers.
const FEW: usize = 16;

#[inline(always)]
fn few_of<T: Copy>(all: &[T; DRAWN], few: usize) -> [T; FEW] {
    let mut lanes = [all[0]; FEW];
    for lane in 0..FEW {
        lanes[lane] = all[(few * FEW + lane) % DRAWN];
    }
    lanes
}

/// All bits of 64 where a lane of a mask has all bits, else none.
#[inline(always)]
fn all_bits(mask: [i8; FEW]) -> [u64; FEW] {
    let mut bits = [0; FEW];
    for lane in 0..FEW {
        bits[lane] = i64::from(mask[lane]).cast_unsigned();
    }
    bits
}

/// [`Vector16::draw`] for instructions that the compiler chooses. Loops count their seats and lanes: iterators are not always
/// inlined.
#[allow(clippy::needless_range_loop, reason = "the reason is given above")]
#[inline(always)]
fn draw_few_by_few(
    states: &mut [Generators],
    increments: &[Generators],
    whose: &[u8; DRAWN],
    mask: &[i8; DRAWN],
    weights: &[u32; DRAWN],
) -> [u32; DRAWN] {
    let (mut places, seats) = ([0; DRAWN], states.len().min(increments.len()));
    for few in 0..DRAWN / FEW {
        let (mut moved, weights, whose) = (few_of(mask, few), few_of(weights, few), few_of(whose, few));
        let are_of = |seat: usize, mut mask: [i8; FEW]| {
            for lane in 0..FEW {
                mask[lane] &= -i8::from(usize::from(whose[lane]) == seat);
            }
            mask
        };
        for lane in 0..FEW {
            moved[lane] &= -i8::from(weights[lane] != 0);
        }
        let (mut state, mut increment) = ([0; FEW], [0; FEW]);
        for seat in 0..seats {
            let (states, increments) = (few_of(&states[seat].0, few), few_of(&increments[seat].0, few));
            if seats == 1 {
                (state, increment) = (states, increments);
                break;
            }
            let own = all_bits(are_of(seat, [-1; FEW]));
            for lane in 0..FEW {
                state[lane] |= states[lane] & own[lane];
                increment[lane] |= increments[lane] & own[lane];
            }
        }
        for seat in 0..seats {
            let own = all_bits(if seats == 1 { moved } else { are_of(seat, moved) });
            let before = few_of(&states[seat].0, few);
            for lane in 0..FEW {
                let next = state[lane].wrapping_mul(PCG_MULTIPLIER).wrapping_add(increment[lane]);
                states[seat].0[(few * FEW + lane) % DRAWN] = before[lane] ^ (before[lane] ^ next) & own[lane];
            }
        }
        for lane in 0..FEW {
            let word = u64::from(word_of(state[lane]));
            #[allow(clippy::cast_possible_truncation, reason = "it is less than the weight")]
            let place = ((word * u64::from(weights[lane])) >> 32) as u32;
            places[(few * FEW + lane) % DRAWN] = place;
        }
    }
    places
}

/// The lanes of a vector as an array.
pub trait Numbers {
    /// Zeros.
    const ZEROS: Self;

    /// The number in a lane.
    fn get(&self, lane: usize) -> u16;
    /// Sets the number in a lane; it must fit.
    fn set(&mut self, lane: usize, number: u16);
}

impl Numbers for [u16; MOST_LANES] {
    const ZEROS: Self = [0; MOST_LANES];

    #[inline(always)]
    fn get(&self, lane: usize) -> u16 {
        self[lane % MOST_LANES]
    }

    #[inline(always)]
    fn set(&mut self, lane: usize, number: u16) {
        self[lane % MOST_LANES] = number;
    }
}

impl Numbers for [u8; MOST_NARROW] {
    const ZEROS: Self = [0; MOST_NARROW];

    #[inline(always)]
    fn get(&self, lane: usize) -> u16 {
        self[lane % MOST_NARROW].into()
    }

    #[inline(always)]
    #[allow(clippy::cast_possible_truncation, reason = "it fits the lane")]
    fn set(&mut self, lane: usize, number: u16) {
        self[lane % MOST_NARROW] = number as u8;
    }
}

/// A computation that [`Vector::outlined`] compiles once per instruction set.
pub trait Job<S> {
    /// Its result.
    type Output;

    /// Runs the computation. It must be `#[inline(always)]`, like everything it calls that takes a [`Vector`]: only
    /// code inlined into a function that has the target features is compiled with them.
    fn run(self, simd: S) -> Self::Output;
}

/// A look-up table for lanes, prepared for every instruction set. Copies share the entries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LaneTable {
    /// The entries, padded with the last one: to 32, 64 or 128 entries, or else by one.
    entries: Arc<[u16]>,
    /// The entries in 8 bits if all are small enough, padded to 64, 128 or 256.
    narrow: Arc<[u8]>,
    last: u16,
}

impl LaneTable {
    /// A table of 1 to 65,536 entries.
    ///
    /// # Panics
    ///
    /// If the number of entries is outside this range.
    pub fn new(entries: &[u16]) -> Self {
        let last = u16::try_from(entries.len() - 1).expect("at most 65,536 entries");
        let length = [32, 64, 128].into_iter().find(|&length| entries.len() <= length);
        let mut filled = entries.to_vec();
        filled.resize(length.unwrap_or(entries.len() + 1), entries[usize::from(last)]);
        let small: Option<Vec<u8>> = entries.iter().map(|&entry| entry.try_into().ok()).collect();
        let length = [64, 128, 256].into_iter().find(|&length| entries.len() <= length);
        let narrow = small.zip(length).map_or(Vec::new(), |(mut small, length)| {
            small.resize(length, small[usize::from(last)]);
            small
        });
        Self { entries: filled.into(), narrow: narrow.into(), last }
    }

    /// The index of the last entry.
    #[inline(always)]
    pub fn last(&self) -> u16 {
        self.last
    }

    /// The entries with their padding.
    #[inline(always)]
    pub fn entries(&self) -> &[u16] {
        &self.entries
    }

    /// The entries in 8 bits with their padding, to 64, 128 or 256 entries; empty if an entry or an index does not fit
    /// 8 bits.
    #[inline(always)]
    pub fn narrow(&self) -> &[u8] {
        &self.narrow
    }

    /// The greatest number that a lane must hold to use the table: an index or an entry.
    pub fn largest(&self) -> u16 {
        self.entries.iter().fold(self.last, |largest, &entry| largest.max(entry))
    }
}

/// The multiplier of PCG's 64-bit generator (Knuth, MMIX).
pub const PCG_MULTIPLIER: u64 = 6_364_136_223_846_793_005;
