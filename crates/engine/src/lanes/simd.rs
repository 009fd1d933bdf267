//! What a machine can do to many lanes at once, as one trait; the plain form of it.
//!
//! A lane holds numbers of 16 bits: planes of pieces, scores, counts. Its random stream is two numbers of 64 bits,
//! of which a register holds a quarter of the lanes: lane *j* lies in quarter *j* mod 4 at place *j* / 4, so that the
//! four quarters of a result are put together by shifts, without moving anything between lanes.

use std::fmt::Debug;

/// The most lanes of any instruction set.
pub const MOST_LANES: usize = 32;

/// A number of 32 bits a lane, for arithmetic on features; lanes that do not exist hold anything.
pub type Column = [i32; MOST_LANES];

/// The instructions of one machine, on a vector of lanes.
///
/// A value of the type is the proof that the machine has them.
pub trait Simd: Copy + Debug + Send + Sync {
    /// How many lanes a vector has: 16 or 32.
    const LANES: usize;
    /// What it is called in reports.
    const NAME: &'static str;
    /// 16 bits a lane.
    type V: Copy + Debug;
    /// Yes or no a lane.
    type M: Copy + Debug;
    /// 64 bits for each lane of a quarter.
    type Q: Copy + Debug;

    /// Runs a job in a function of its own that has these instructions, for what would be compiled in too many places.
    /// The compiler takes the call for a rare one: the registers around it belong to those who do without.
    fn apart<J: Job<Self>>(self, job: J) -> J::Output;

    /// The same number in every lane.
    fn splat(self, value: u16) -> Self::V;
    /// The numbers of an array, one a lane.
    fn load(self, values: &[u16; MOST_LANES]) -> Self::V;
    /// Writes the lanes to an array.
    fn store(self, v: Self::V, values: &mut [u16; MOST_LANES]);
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
    /// a · b, the lower 16 bits
    fn mul(self, a: Self::V, b: Self::V) -> Self::V;
    /// The lesser of two numbers without sign.
    fn min(self, a: Self::V, b: Self::V) -> Self::V;
    /// a shifted up
    fn shl<const N: u32>(self, a: Self::V) -> Self::V;
    /// a shifted down
    fn shr<const N: u32>(self, a: Self::V) -> Self::V;
    /// Two numbers as one of 32 bits, shifted up by one: the upper half.
    #[inline(always)]
    fn shift_in(self, upper: Self::V, lower: Self::V) -> Self::V {
        self.or(self.shl::<1>(upper), self.shr::<15>(lower))
    }
    /// The entry of `table` that each lane names, 0 to 31.
    fn lookup(self, table: &[u16; 32], index: Self::V) -> Self::V;
    /// The entry of a longer table that each lane names; past its end, the last one.
    fn gather(self, table: &LaneTable, index: Self::V) -> Self::V;

    /// The lowest bit that is set; none of none.
    #[inline(always)]
    fn lowest_bit(self, a: Self::V) -> Self::V {
        self.and(a, self.sub(self.splat(0), a))
    }

    /// Whether a = b.
    fn eq(self, a: Self::V, b: Self::V) -> Self::M;
    /// Whether a ≥ b, without sign.
    fn at_least(self, a: Self::V, b: Self::V) -> Self::M;
    /// Whether a and b have a bit in common.
    fn meets(self, a: Self::V, b: Self::V) -> Self::M;
    /// Both.
    fn both(self, a: Self::M, b: Self::M) -> Self::M;
    /// Either.
    fn either(self, a: Self::M, b: Self::M) -> Self::M;
    /// a, but not b.
    fn but_not(self, a: Self::M, b: Self::M) -> Self::M;
    /// `a` where the mask holds, else `b`.
    fn select(self, mask: Self::M, a: Self::V, b: Self::V) -> Self::V;
    /// `a` where the mask holds, else 0.
    fn keep(self, mask: Self::M, a: Self::V) -> Self::V;
    /// Bit *j* for lane *j*.
    fn bits(self, mask: Self::M) -> u32;
    /// The mask of the lanes in which all bits are set, where in the others none is.
    fn whole(self, v: Self::V) -> Self::M;
    /// The mask with these bits.
    fn mask(self, bits: u32) -> Self::M;
    /// Writes the lanes of the mask one after the other to the front of `out`, and anything behind them.
    fn compress(self, mask: Self::M, v: Self::V, out: &mut [u16; MOST_LANES]);

    /// Four quarters of streams.
    fn load_quarter(self, values: &[u64; MOST_LANES / 4]) -> Self::Q;
    /// Writes a quarter.
    fn store_quarter(self, q: Self::Q, values: &mut [u64; MOST_LANES / 4]);
    /// The same number for every lane of a quarter.
    fn splat_quarter(self, value: u64) -> Self::Q;
    /// The next state of PCG32 and the word of this one, in the lower half of each number.
    fn pcg(self, state: Self::Q, increment: Self::Q) -> (Self::Q, Self::Q);
    /// The lower half of each number times the lower half of `by`, in full.
    fn widening_mul(self, a: Self::Q, by: Self::Q) -> Self::Q;
    /// Bits 32 to 47 of all lanes of the four quarters.
    fn upper_halves(self, quarters: [Self::Q; 4]) -> Self::V;
    /// Quarter `K`: `a` in the lanes in which all bits of `mask` are set, `b` where none is.
    fn select_quarter<const K: usize>(self, mask: Self::V, a: Self::Q, b: Self::Q) -> Self::Q;

    /// The entry that the lowest four bits of each lane name, of a table of sixteen that holds them twice.
    fn lookup_16(self, table: &[u16; 32], index: Self::V) -> Self::V;
    /// How many bits are set.
    fn count_ones(self, a: Self::V) -> Self::V;
    /// a + b without sign, or the greatest number if that is less.
    fn add_saturating(self, a: Self::V, b: Self::V) -> Self::V;
    /// a · b without sign, or the greatest number if that is less.
    fn mul_saturating(self, a: Self::V, b: Self::V) -> Self::V;
}

/// Something that is compiled once for every set of instructions.
pub trait Job<S> {
    /// What comes out.
    type Output;

    /// Does it. Must be `#[inline(always)]`, like everything it calls that takes a [`Simd`]: only what is inlined
    /// into a function that has the instructions is compiled to them.
    fn run(self, simd: S) -> Self::Output;
}

/// A table of numbers that lanes look up, ready for every machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LaneTable {
    /// The entries, filled up with the last one: to 32, 64, 128, or any number and one more.
    entries: Box<[u16]>,
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
        Self { entries: filled.into(), last }
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
}

/// No instructions but those every machine has: arrays and loops.
#[derive(Clone, Copy, Debug)]
pub struct Plain;

const N: usize = 16;

#[inline(always)]
fn each(a: [u16; N], b: [u16; N], f: impl Fn(u16, u16) -> u16) -> [u16; N] {
    let mut out = a;
    for (out, b) in out.iter_mut().zip(b) {
        *out = f(*out, b);
    }
    out
}

const fn truth(yes: bool) -> u16 {
    if yes { u16::MAX } else { 0 }
}

impl Simd for Plain {
    const LANES: usize = N;
    const NAME: &'static str = "plain";
    type V = [u16; N];
    /// All bits of a lane, or none.
    type M = [u16; N];
    type Q = [u64; 4];

    #[inline(never)]
    fn apart<J: Job<Self>>(self, job: J) -> J::Output {
        job.run(self)
    }

    #[inline(always)]
    fn splat(self, value: u16) -> [u16; N] {
        [value; N]
    }

    #[inline(always)]
    fn load(self, values: &[u16; MOST_LANES]) -> [u16; N] {
        let mut out = [0; N];
        out.copy_from_slice(&values[..N]);
        out
    }

    #[inline(always)]
    fn store(self, v: [u16; N], values: &mut [u16; MOST_LANES]) {
        values[..N].copy_from_slice(&v);
    }

    #[inline(always)]
    fn and(self, a: [u16; N], b: [u16; N]) -> [u16; N] {
        each(a, b, |a, b| a & b)
    }

    #[inline(always)]
    fn or(self, a: [u16; N], b: [u16; N]) -> [u16; N] {
        each(a, b, |a, b| a | b)
    }

    #[inline(always)]
    fn and_not(self, a: [u16; N], b: [u16; N]) -> [u16; N] {
        each(a, b, |a, b| a & !b)
    }

    #[inline(always)]
    fn add(self, a: [u16; N], b: [u16; N]) -> [u16; N] {
        each(a, b, u16::wrapping_add)
    }

    #[inline(always)]
    fn sub(self, a: [u16; N], b: [u16; N]) -> [u16; N] {
        each(a, b, u16::wrapping_sub)
    }

    #[inline(always)]
    fn mul(self, a: [u16; N], b: [u16; N]) -> [u16; N] {
        each(a, b, u16::wrapping_mul)
    }

    #[inline(always)]
    fn min(self, a: [u16; N], b: [u16; N]) -> [u16; N] {
        each(a, b, u16::min)
    }

    #[inline(always)]
    fn shl<const BY: u32>(self, a: [u16; N]) -> [u16; N] {
        each(a, a, |a, _| a << BY)
    }

    #[inline(always)]
    fn shr<const BY: u32>(self, a: [u16; N]) -> [u16; N] {
        each(a, a, |a, _| a >> BY)
    }

    #[inline(always)]
    fn lookup(self, table: &[u16; 32], index: [u16; N]) -> [u16; N] {
        each(index, index, |index, _| table[usize::from(index % 32)])
    }

    #[inline(always)]
    fn gather(self, table: &LaneTable, index: [u16; N]) -> [u16; N] {
        each(index, index, |index, _| table.entries()[usize::from(index.min(table.last()))])
    }

    #[inline(always)]
    fn eq(self, a: [u16; N], b: [u16; N]) -> [u16; N] {
        each(a, b, |a, b| truth(a == b))
    }

    #[inline(always)]
    fn at_least(self, a: [u16; N], b: [u16; N]) -> [u16; N] {
        each(a, b, |a, b| truth(a >= b))
    }

    #[inline(always)]
    fn meets(self, a: [u16; N], b: [u16; N]) -> [u16; N] {
        each(a, b, |a, b| truth(a & b != 0))
    }

    #[inline(always)]
    fn both(self, a: [u16; N], b: [u16; N]) -> [u16; N] {
        self.and(a, b)
    }

    #[inline(always)]
    fn either(self, a: [u16; N], b: [u16; N]) -> [u16; N] {
        self.or(a, b)
    }

    #[inline(always)]
    fn but_not(self, a: [u16; N], b: [u16; N]) -> [u16; N] {
        self.and_not(a, b)
    }

    #[inline(always)]
    fn select(self, mask: [u16; N], a: [u16; N], b: [u16; N]) -> [u16; N] {
        self.or(self.and(a, mask), self.and_not(b, mask))
    }

    #[inline(always)]
    fn keep(self, mask: [u16; N], a: [u16; N]) -> [u16; N] {
        self.and(a, mask)
    }

    #[inline(always)]
    fn bits(self, mask: [u16; N]) -> u32 {
        (0..N).fold(0, |bits, lane| bits | u32::from(mask[lane] & 1) << lane)
    }

    #[inline(always)]
    fn whole(self, v: [u16; N]) -> [u16; N] {
        v
    }

    #[inline(always)]
    fn mask(self, bits: u32) -> [u16; N] {
        let mut mask = [0; N];
        for (lane, mask) in mask.iter_mut().enumerate() {
            *mask = truth(bits >> lane & 1 == 1);
        }
        mask
    }

    #[inline(always)]
    fn compress(self, mask: [u16; N], v: [u16; N], out: &mut [u16; MOST_LANES]) {
        let mut next = 0;
        for (value, mask) in v.into_iter().zip(mask) {
            out[next % MOST_LANES] = value;
            next += usize::from(mask & 1);
        }
    }

    #[inline(always)]
    fn load_quarter(self, values: &[u64; MOST_LANES / 4]) -> [u64; 4] {
        [values[0], values[1], values[2], values[3]]
    }

    #[inline(always)]
    fn store_quarter(self, q: [u64; 4], values: &mut [u64; MOST_LANES / 4]) {
        values[..4].copy_from_slice(&q);
    }

    #[inline(always)]
    fn splat_quarter(self, value: u64) -> [u64; 4] {
        [value; 4]
    }

    #[inline(always)]
    fn pcg(self, state: [u64; 4], increment: [u64; 4]) -> ([u64; 4], [u64; 4]) {
        let (mut next, mut words) = (state, state);
        for place in 0..4 {
            let old = state[place];
            next[place] = old.wrapping_mul(PCG_MULTIPLIER).wrapping_add(increment[place]);
            #[allow(clippy::cast_possible_truncation, reason = "the output of PCG32 is the lower half")]
            let mixed = (((old >> 18) ^ old) >> 27) as u32;
            words[place] = u64::from(mixed.rotate_right((old >> 59) as u32));
        }
        (next, words)
    }

    #[inline(always)]
    fn widening_mul(self, a: [u64; 4], by: [u64; 4]) -> [u64; 4] {
        let mut out = a;
        for (out, by) in out.iter_mut().zip(by) {
            *out = (*out & 0xFFFF_FFFF) * (by & 0xFFFF_FFFF);
        }
        out
    }

    #[inline(always)]
    fn upper_halves(self, quarters: [[u64; 4]; 4]) -> [u16; N] {
        let mut out = [0; N];
        for (lane, out) in out.iter_mut().enumerate() {
            #[allow(clippy::cast_possible_truncation, reason = "16 bits are asked for")]
            let half = (quarters[lane % 4][lane / 4] >> 32) as u16;
            *out = half;
        }
        out
    }

    #[inline(always)]
    fn select_quarter<const K: usize>(self, mask: [u16; N], a: [u64; 4], b: [u64; 4]) -> [u64; 4] {
        let mut out = b;
        for place in 0..4 {
            if mask[4 * place + K] != 0 {
                out[place] = a[place];
            }
        }
        out
    }

    #[inline(always)]
    fn lookup_16(self, table: &[u16; 32], index: [u16; N]) -> [u16; N] {
        each(index, index, |index, _| table[usize::from(index % 16)])
    }

    #[inline(always)]
    #[allow(clippy::cast_possible_truncation, reason = "at most 16")]
    fn count_ones(self, a: [u16; N]) -> [u16; N] {
        each(a, a, |a, _| a.count_ones() as u16)
    }

    #[inline(always)]
    fn add_saturating(self, a: [u16; N], b: [u16; N]) -> [u16; N] {
        each(a, b, u16::saturating_add)
    }

    #[inline(always)]
    fn mul_saturating(self, a: [u16; N], b: [u16; N]) -> [u16; N] {
        each(a, b, u16::saturating_mul)
    }
}

/// The multiplier of PCG's 64-bit generator (Knuth, MMIX).
pub const PCG_MULTIPLIER: u64 = 6_364_136_223_846_793_005;
