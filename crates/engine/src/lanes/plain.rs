//! No instructions but those every machine has: arrays and loops.

use super::simd::{
    Column, Job, LaneTable, Lanes, MOST_LANES, MOST_NARROW, MOST_PARTS, Machine, Numbers, Places, Simd,
};

/// 16 lanes of 16 bits.
#[derive(Clone, Copy, Debug)]
pub struct Plain;

/// 32 lanes of 8 bits.
#[derive(Clone, Copy, Debug)]
pub struct PlainNarrow;

impl Machine for Plain {
    type Wide = Self;
    type Narrow = PlainNarrow;

    #[inline(always)]
    fn wide(self) -> Self {
        self
    }

    #[inline(always)]
    fn narrow(self) -> PlainNarrow {
        PlainNarrow
    }
}

/// A lane, with all bits set or none for yes and no.
trait Lane: Copy {
    const ALL: Self;
    const NONE: Self;
}

impl Lane for u16 {
    const ALL: Self = Self::MAX;
    const NONE: Self = 0;
}

impl Lane for u8 {
    const ALL: Self = Self::MAX;
    const NONE: Self = 0;
}

#[inline(always)]
fn each<T: Copy, const N: usize>(a: [T; N], b: [T; N], f: impl Fn(T, T) -> T) -> [T; N] {
    let mut out = a;
    for (out, b) in out.iter_mut().zip(b) {
        *out = f(*out, b);
    }
    out
}

#[inline(always)]
fn truth<T: Lane>(yes: bool) -> T {
    if yes { T::ALL } else { T::NONE }
}

/// Lanes of one width.
macro_rules! plain_lanes {
    ($name:ident, $number:ty, $lanes:literal, $parts:literal, $numbers:ty, $column:ty) => {
        impl Lanes for $name {
            const LANES: usize = $lanes;
            const PARTS: usize = $parts;
            const LARGEST: u16 = <$number>::MAX as u16;
            const NAME: &'static str = "plain";
            type V = [$number; $lanes];
            /// All bits of a lane, or none.
            type M = [$number; $lanes];
            type Q = [u64; 4];
            /// All bits, or none.
            type K = [u64; 4];
            type Bits = [u8; 64];
            type Numbers = $numbers;
            type Column = $column;
            const ZEROS: $column = [0; size_of::<$column>() / size_of::<i32>()];

            #[inline(never)]
            fn apart<J: Job<Self>>(self, job: J) -> J::Output {
                job.run(self)
            }

            #[inline(always)]
            #[allow(clippy::cast_possible_truncation, clippy::unnecessary_cast, reason = "numbers wrap")]
            fn splat(self, value: u16) -> Self::V {
                [value as $number; $lanes]
            }

            #[inline(always)]
            fn load(self, values: &$numbers) -> Self::V {
                let mut out = [0; $lanes];
                out.copy_from_slice(&values[..$lanes]);
                out
            }

            #[inline(always)]
            fn store(self, v: Self::V, values: &mut $numbers) {
                values[..$lanes].copy_from_slice(&v);
            }

            #[inline(always)]
            fn and(self, a: Self::V, b: Self::V) -> Self::V {
                each(a, b, |a, b| a & b)
            }

            #[inline(always)]
            fn or(self, a: Self::V, b: Self::V) -> Self::V {
                each(a, b, |a, b| a | b)
            }

            #[inline(always)]
            fn and_not(self, a: Self::V, b: Self::V) -> Self::V {
                each(a, b, |a, b| a & !b)
            }

            #[inline(always)]
            fn add(self, a: Self::V, b: Self::V) -> Self::V {
                each(a, b, <$number>::wrapping_add)
            }

            #[inline(always)]
            fn sub(self, a: Self::V, b: Self::V) -> Self::V {
                each(a, b, <$number>::wrapping_sub)
            }

            #[inline(always)]
            fn mul(self, a: Self::V, b: Self::V) -> Self::V {
                each(a, b, <$number>::wrapping_mul)
            }

            #[inline(always)]
            fn add_saturating(self, a: Self::V, b: Self::V) -> Self::V {
                each(a, b, <$number>::saturating_add)
            }

            #[inline(always)]
            fn mul_saturating(self, a: Self::V, b: Self::V) -> Self::V {
                each(a, b, <$number>::saturating_mul)
            }

            #[inline(always)]
            fn min(self, a: Self::V, b: Self::V) -> Self::V {
                each(a, b, <$number>::min)
            }

            #[inline(always)]
            #[allow(
                clippy::cast_possible_truncation,
                clippy::unnecessary_cast,
                reason = "entries fit the lanes"
            )]
            fn gather(self, table: &LaneTable, index: Self::V) -> Self::V {
                let entry = |index: $number| table.entries()[usize::from(u16::from(index).min(table.last()))];
                each(index, index, |index, _| entry(index) as $number)
            }

            #[inline(always)]
            fn eq(self, a: Self::V, b: Self::V) -> Self::M {
                each(a, b, |a, b| truth(a == b))
            }

            #[inline(always)]
            fn at_least(self, a: Self::V, b: Self::V) -> Self::M {
                each(a, b, |a, b| truth(a >= b))
            }

            #[inline(always)]
            fn both(self, a: Self::M, b: Self::M) -> Self::M {
                self.and(a, b)
            }

            #[inline(always)]
            fn either(self, a: Self::M, b: Self::M) -> Self::M {
                self.or(a, b)
            }

            #[inline(always)]
            fn but_not(self, a: Self::M, b: Self::M) -> Self::M {
                self.and_not(a, b)
            }

            #[inline(always)]
            fn select(self, mask: Self::M, a: Self::V, b: Self::V) -> Self::V {
                self.or(self.and(a, mask), self.and_not(b, mask))
            }

            #[inline(always)]
            fn keep(self, mask: Self::M, a: Self::V) -> Self::V {
                self.and(a, mask)
            }

            #[inline(always)]
            fn bits(self, mask: Self::M) -> u64 {
                (0..$lanes).fold(0, |bits, lane| bits | u64::from(mask[lane] & 1) << lane)
            }

            #[inline(always)]
            fn whole(self, v: Self::V) -> Self::M {
                v
            }

            #[inline(always)]
            fn mask(self, bits: u64) -> Self::M {
                let mut mask = [0; $lanes];
                for (lane, mask) in mask.iter_mut().enumerate() {
                    *mask = truth(bits >> lane & 1 == 1);
                }
                mask
            }

            #[inline(always)]
            fn load_part(self, values: &Places) -> [u64; 4] {
                [values[0], values[1], values[2], values[3]]
            }

            #[inline(always)]
            fn store_part(self, q: [u64; 4], values: &mut Places) {
                values[..4].copy_from_slice(&q);
            }

            #[inline(always)]
            fn splat_part(self, value: u64) -> [u64; 4] {
                [value; 4]
            }

            #[inline(always)]
            fn add_part(self, a: [u64; 4], b: [u64; 4]) -> [u64; 4] {
                each(a, b, u64::wrapping_add)
            }

            #[inline(always)]
            fn mul_part(self, a: [u64; 4], b: [u64; 4]) -> [u64; 4] {
                each(a, b, u64::wrapping_mul)
            }

            #[inline(always)]
            fn xor_shr<const BY: u32>(self, a: [u64; 4]) -> [u64; 4] {
                each(a, a, |a, _| a ^ a >> BY)
            }

            #[inline(always)]
            fn pcg_words(self, states: [[u64; 4]; 2]) -> [[u64; 4]; 2] {
                states.map(|states| {
                    each(states, states, |state, _| {
                        #[allow(clippy::cast_possible_truncation, reason = "PCG32 puts out the lower half")]
                        let mixed = (((state >> 18) ^ state) >> 27) as u32;
                        u64::from(mixed.rotate_right((state >> 59) as u32))
                    })
                })
            }

            #[inline(always)]
            fn scaled(self, words: &[[[u64; 4]; 2]; MOST_PARTS / 2], limit: u16) -> Self::V {
                let mut out = [0; $lanes];
                for (lane, out) in out.iter_mut().enumerate() {
                    let (part, place) = (lane % $parts, lane / $parts);
                    let word = words[part % ($parts / 2)][part / ($parts / 2)][place];
                    #[allow(clippy::cast_possible_truncation, reason = "it fits a lane")]
                    let number = ((word & 0xFFFF_FFFF) * u64::from(limit) >> 32) as $number;
                    *out = number;
                }
                out
            }

            #[inline(always)]
            fn rests(self, words: [[u64; 4]; 2], limit: u16) -> [[u64; 4]; 2] {
                words.map(|words| each(words, words, |word, _| (word & 0xFFFF_FFFF) * u64::from(limit)))
            }

            #[inline(always)]
            fn chosen(self, mask: Self::V, part: usize) -> [u64; 4] {
                let mut chosen = [0; 4];
                for (place, chosen) in chosen.iter_mut().enumerate() {
                    *chosen = if mask[$parts * place + part] == 0 { 0 } else { u64::MAX };
                }
                chosen
            }

            #[inline(always)]
            fn select_part(self, mask: [u64; 4], a: [u64; 4], b: [u64; 4]) -> [u64; 4] {
                let mut out = b;
                for place in 0..4 {
                    out[place] = a[place] & mask[place] | b[place] & !mask[place];
                }
                out
            }

            #[inline(always)]
            fn widened(self, v: Self::V, part: usize) -> [u64; 4] {
                let mut out = [0; 4];
                for (place, out) in out.iter_mut().enumerate() {
                    *out = v[$parts * place + part].into();
                }
                out
            }

            #[inline(always)]
            fn shift_in(self, a: [u64; 4], by: [u64; 4], low: [u64; 4]) -> [u64; 4] {
                each(each(a, by, |a, by| a << (by & 63)), low, |a, low| a | low)
            }

            #[inline(always)]
            fn no_bits(self) -> [u8; 64] {
                [0; 64]
            }

            #[inline(always)]
            fn count_bits(self, mut counts: [u8; 64], word: u64) -> [u8; 64] {
                for (bit, count) in counts.iter_mut().enumerate() {
                    *count = count.wrapping_add((word >> bit & 1) as u8);
                }
                counts
            }

            #[inline(always)]
            fn bit_counts(self, counts: [u8; 64]) -> [u8; 64] {
                counts
            }
        }
    };
}

plain_lanes!(Plain, u16, 16, 4, [u16; MOST_LANES], Column);
plain_lanes!(PlainNarrow, u8, 32, 8, [u8; MOST_NARROW], [i32; MOST_NARROW]);

impl Simd for Plain {
    #[inline(always)]
    fn shl<const BY: u32>(self, a: [u16; 16]) -> [u16; 16] {
        each(a, a, |a, _| a << BY)
    }

    #[inline(always)]
    fn shr<const BY: u32>(self, a: [u16; 16]) -> [u16; 16] {
        each(a, a, |a, _| a >> BY)
    }

    #[inline(always)]
    fn lookup_16(self, table: &[u16; 32], index: [u16; 16]) -> [u16; 16] {
        each(index, index, |index, _| table[usize::from(index % 16)])
    }

    #[inline(always)]
    #[allow(clippy::cast_possible_truncation, reason = "at most 16")]
    fn count_ones(self, a: [u16; 16]) -> [u16; 16] {
        each(a, a, |a, _| a.count_ones() as u16)
    }

    #[inline(always)]
    fn meets(self, a: [u16; 16], b: [u16; 16]) -> [u16; 16] {
        each(a, b, |a, b| truth(a & b != 0))
    }

    #[inline(always)]
    fn compress(self, mask: [u16; 16], v: [u16; 16], out: &mut [u16; MOST_LANES]) {
        let mut next = 0;
        for (value, mask) in v.into_iter().zip(mask) {
            out.set(next, value);
            next += usize::from(mask & 1);
        }
    }
}
