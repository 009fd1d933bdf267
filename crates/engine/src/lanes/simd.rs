//! What a machine can do to many lanes at once.
//!
//! A lane holds a number of 8 or of 16 bits: [`Vector`] is what both widths can do, [`Vector16`] what only the wider one
//! can, and a [`Machine`] has both. Narrow lanes are twice as many; they serve games whose numbers are small.
//!
//! The random stream of a lane is two numbers of 64 bits, of which a register holds a part of the lanes: as many parts
//! as lanes share 64 bits. Lane *j* lies in part *j* mod parts at place *j* / parts, so that the parts of a result are
//! put together by shifts, and the lanes of a part are chosen by bytes of a mask, without moving anything far.
//!
//! # Why not a SIMD library
//!
//! `wide` chooses its instructions when it is compiled, so that users would need `target-cpu`. `pulp` dispatches at
//! run time but lacks what lanes need most: 16-bit permutation as a table look-up, compression, 64-bit products.
//! `multiversion` leaves the vectors to the compiler, which turned masks back into branches. `std::arch` is safe to
//! call inside functions that have the feature, but such functions cannot be trait methods. So these are small
//! traits of our own, with one macro around the intrinsics, and a value of `Avx512` or `Avx2` is the proof that the
//! machine was asked.
//!
//! AVX-512 here means F, BW, DQ, VL, VBMI, VBMI2 and BITALG (AMD from Zen 4, Intel from Ice Lake): permutations of
//! bytes, compression and bit counts. A machine that lacks one of them runs AVX2.
//!
//! Everything generic over a vector is inlined into a function that has the features. Every table's run is an
//! outlined function of its own: where tables of several kinds share one, the compiler finds it too long and no
//! longer inlines the instructions. So is what would be compiled in too many places; without that a debug build
//! took minutes. The compiler is told that these calls are cold, or it would keep registers free for them.
//!
//! # Masks stay where vectors are
//!
//! A mask of 64 lanes is a number of 64 bits, which the compiler moves to scalar registers and back. On narrow
//! lanes a mask is therefore a vector, all bits of a lane or none, and an answer is one comparison of vectors,
//! whatever form the condition has.

use std::fmt::Debug;
use std::sync::Arc;

/// The most lanes of 16 bits of any instruction set.
pub const MOST_LANES: usize = 32;
/// The most lanes of 8 bits.
pub const MOST_NARROW: usize = 64;
/// The most parts of the streams, and the most lanes of a part.
pub const MOST_PARTS: usize = 8;

/// A number of 32 bits a lane, for arithmetic on features; lanes that do not exist hold anything.
pub type Column = [i32; MOST_LANES];

/// A number of 64 bits for each lane of a part.
pub type Places = [u64; MOST_PARTS];

/// The instructions of one machine.
///
/// A value of the type is the proof that the machine has them.
pub trait Machine: Copy + Debug {
    /// Its lanes of 16 bits.
    type Wide: Vector16;
    /// Its lanes of 8 bits.
    type Narrow: Vector;

    /// Lanes of 16 bits.
    fn wide(self) -> Self::Wide;
    /// Lanes of 8 bits.
    fn narrow(self) -> Self::Narrow;
}

/// The words of two parts.
pub type Pair<S> = [<S as Vector>::Q; 2];

/// A vector of lanes, whatever their width. Numbers wrap at it.
pub trait Vector: Copy + Debug + Send + Sync {
    /// How many lanes a vector has.
    const LANES: usize;
    /// How many parts the streams of all lanes have: 64 over the bits of a lane.
    const PARTS: usize;
    /// The greatest number of a lane.
    const LARGEST: u16;
    /// What the instructions are called in reports.
    const NAME: &'static str;
    /// A number in every lane.
    type V: Copy + Debug;
    /// Yes or no a lane.
    type M: Copy + Debug;
    /// 64 bits for each lane of a part.
    type Q: Copy + Debug;
    /// Yes or no for each lane of a part.
    type K: Copy + Debug;
    /// A count for each bit of 64.
    type Bits: Copy + Debug;
    /// The lanes as an array, and any after them.
    type Numbers: Copy + Debug + Numbers;
    /// Lanes in 32 bits, for arithmetic.
    type Column: Copy + Debug + AsRef<[i32]> + AsMut<[i32]>;
    /// A column of zeros.
    const ZEROS: Self::Column;

    /// Runs a job in a function of its own that has these instructions, for what would be compiled in too many places.
    /// The compiler takes the call for a rare one: the registers around it belong to those who do without.
    fn outlined<J: Job<Self>>(self, job: J) -> J::Output;

    /// The same number in every lane.
    fn splat(self, value: u16) -> Self::V;
    /// The numbers of an array, one a lane.
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
    /// a + b, or the greatest number if that is less.
    fn add_saturating(self, a: Self::V, b: Self::V) -> Self::V;
    /// a · b, or the greatest number if that is less.
    fn mul_saturating(self, a: Self::V, b: Self::V) -> Self::V;
    /// The lesser of two numbers without sign.
    fn min(self, a: Self::V, b: Self::V) -> Self::V;
    /// The entry of a table that each lane names; past its end, anything.
    fn gather(self, table: &LaneTable, index: Self::V) -> Self::V;

    /// Whether a = b.
    fn eq(self, a: Self::V, b: Self::V) -> Self::M;
    /// Whether a ≥ b, without sign.
    fn at_least(self, a: Self::V, b: Self::V) -> Self::M;
    /// Both.
    fn mask_and(self, a: Self::M, b: Self::M) -> Self::M;
    /// Either.
    fn mask_or(self, a: Self::M, b: Self::M) -> Self::M;
    /// a, but not b.
    fn mask_and_not(self, a: Self::M, b: Self::M) -> Self::M;
    /// `a` where the mask holds, else `b`.
    fn select(self, mask: Self::M, a: Self::V, b: Self::V) -> Self::V;
    /// `a` where the mask holds, else 0.
    fn zero_unless(self, mask: Self::M, a: Self::V) -> Self::V;
    /// 0 where the mask holds, else `a`.
    fn zero_where(self, mask: Self::M, a: Self::V) -> Self::V;
    /// Bit *j* for lane *j*.
    fn bits(self, mask: Self::M) -> u64;
    /// The mask of the lanes in which all bits are set, where in the others none is.
    fn whole(self, v: Self::V) -> Self::M;
    /// The mask with these bits.
    fn mask(self, bits: u64) -> Self::M;

    /// A number of 64 bits for each lane of a part.
    fn load_part(self, values: &Places) -> Self::Q;
    /// Writes a part.
    fn store_part(self, q: Self::Q, values: &mut Places);
    /// The same number for every lane of a part.
    fn splat_part(self, value: u64) -> Self::Q;
    /// a + b, 64 bits each, wrapping
    fn add_part(self, a: Self::Q, b: Self::Q) -> Self::Q;
    /// a · b, 64 bits each, wrapping
    fn mul_part(self, a: Self::Q, b: Self::Q) -> Self::Q;
    /// a ⊕ (a shifted down), 64 bits each
    fn xor_shr<const N: u32>(self, a: Self::Q) -> Self::Q;
    /// The words of PCG32 for the states of a pair of parts, of which the second comes half of all parts after the first:
    /// in the lower half of each number, in an order of the machine's own that [`Vector::scaled`] undoes.
    fn pcg_words(self, states: [Self::Q; 2]) -> Pair<Self>;
    /// All words, pair by pair, as fractions of 2³² times `limit`, cut to whole numbers, which fit a lane.
    fn scaled(self, words: &[Pair<Self>; MOST_PARTS / 2], limit: u16) -> Self::V;
    /// What is cut off there, as words.
    fn rests(self, words: Pair<Self>, limit: u16) -> Pair<Self>;
    /// The places of a part in whose lanes all bits of `mask` are set, where in the others none is.
    fn chosen(self, mask: Self::V, part: usize) -> Self::K;
    /// `a` where the mask holds, else `b`.
    fn select_part(self, mask: Self::K, a: Self::Q, b: Self::Q) -> Self::Q;
    /// The lanes of a part, in 64 bits each.
    fn widened(self, v: Self::V, part: usize) -> Self::Q;
    /// Each number shifted up by as many bits as `by` says, fewer than 64, and `low` put in.
    fn shift_in(self, a: Self::Q, by: Self::Q, low: Self::Q) -> Self::Q;

    /// No bit counted yet.
    fn no_bits(self) -> Self::Bits;
    /// Counts the bits of a word, each by its place; a count wraps at 256.
    fn count_bits(self, counts: Self::Bits, word: u64) -> Self::Bits;
    /// The counts, that of the lowest bit first.
    fn bit_counts(self, counts: Self::Bits) -> [u8; 64];
}

/// Lanes of 16 bits: planes of pieces, scores, counts.
pub trait Vector16: Vector<Numbers = [u16; MOST_LANES], Column = Column> {
    /// a shifted up
    fn shl(self, a: Self::V, by: u32) -> Self::V;
    /// a shifted down
    fn shr(self, a: Self::V, by: u32) -> Self::V;
    /// The entry that the lowest four bits of each lane name, of sixteen that `table` holds twice.
    fn lookup_16(self, table: &[u16; 32], index: Self::V) -> Self::V;
    /// How many bits are set.
    fn count_ones(self, a: Self::V) -> Self::V;
    /// Whether a and b have a bit in common.
    fn meets(self, a: Self::V, b: Self::V) -> Self::M;
    /// Writes the lanes of the mask one after the other to the front of `out`, and anything behind them.
    fn compress(self, mask: Self::M, v: Self::V, out: &mut [u16; MOST_LANES]);

    /// The lowest bit that is set; none of none.
    #[inline(always)]
    fn lowest_bit(self, a: Self::V) -> Self::V {
        self.and(a, self.sub(self.splat(0), a))
    }
}

/// The lanes of a vector as an array.
pub trait Numbers {
    /// Zeros.
    const ZEROS: Self;

    /// The number of a lane.
    fn get(&self, lane: usize) -> u16;
    /// Sets the number of a lane, which fits it.
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

/// Something that [`Vector::outlined`] compiles once for every set of instructions.
pub trait Job<S> {
    /// What comes out.
    type Output;

    /// Does it. Must be `#[inline(always)]`, like everything it calls that takes [`Vector`]: only what is inlined into a
    /// function that has the instructions is compiled to them.
    fn run(self, simd: S) -> Self::Output;
}

/// A table of numbers that lanes look up, ready for every machine. Copies share the entries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LaneTable {
    /// The entries, filled up with the last one: to 32, 64, 128, or any number and one more.
    entries: Arc<[u16]>,
    /// The same in 8 bits, where all are small enough, filled up to 64, 128 or 256.
    narrow: Arc<[u8]>,
    last: u16,
}

impl LaneTable {
    /// A table of at least one and at most 65,536 entries.
    ///
    /// # Panics
    ///
    /// If there are none, or more.
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

    /// The entries and what fills them up.
    #[inline(always)]
    pub fn entries(&self) -> &[u16] {
        &self.entries
    }

    /// The entries in 8 bits and what fills them up, to 64, 128 or 256: none where an entry or an index does not fit 8
    /// bits.
    #[inline(always)]
    pub fn narrow(&self) -> &[u8] {
        &self.narrow
    }

    /// The greatest number that a lane must hold to look it up: an index, or an entry.
    pub fn largest(&self) -> u16 {
        self.entries.iter().fold(self.last, |largest, &entry| largest.max(entry))
    }
}

/// The multiplier of PCG's 64-bit generator (Knuth, MMIX).
pub const PCG_MULTIPLIER: u64 = 6_364_136_223_846_793_005;
