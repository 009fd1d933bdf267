//! Lanes in portable code: arrays and loops.
//!
//! The loops are written so that the compiler vectorises them with SSE2. Loops that it does not vectorise when they are
//! inlined are functions of their own.

use super::simd::{
    Column, Job, LaneTable, MOST_LANES, MOST_NARROW, MOST_PARTS, Machine, Numbers, Places, Vector, Vector16,
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

    inlined! {
        wide(self) -> Self { self }
        narrow(self) -> PlainNarrow { PlainNarrow }
    }
}

/// A lane; a truth value is all bits set or none.
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

/// The factor that moves the lowest bit of each lane to the top of the product, in order of the lanes.
const fn gathering(parts: u32) -> u64 {
    let (mut factor, mut lane) = (0, 0);
    while lane < parts {
        factor |= 1 << (64 - parts + lane - 64 / parts * lane);
        lane += 1;
    }
    factor
}

/// 2 to the power of `exponent`, at most 31, in the lower half of a 64-bit number. It is read from the fraction of a
/// floating-point sum with 2⁵², whose last bit stands for 1: SSE2 cannot shift lanes by different numbers of bits, but it
/// can add them.
#[inline(always)]
fn power(exponent: u64) -> u64 {
    const ONE_AT_THE_END: f64 = 4_503_599_627_370_496.0;
    (f64::from_bits((1023 + exponent) << 52) + ONE_AT_THE_END).to_bits() & 0xFFFF_FFFF
}

/// [`Vector::pcg_words`]. A rotation is a multiplication followed by an `or` of the halves of the product.
#[inline(never)]
fn words(states: &[[u64; 4]; 2]) -> [[u64; 4]; 2] {
    states.map(|states| {
        let mixed = each(states, states, |state, _| ((state >> 18) ^ state) >> 27);
        let rotated = each(mixed, states, |mixed, state| {
            (mixed & 0xFFFF_FFFF) * power(0_u64.wrapping_sub(state >> 59) % 32)
        });
        each(rotated, rotated, |product, _| product | product >> 32)
    })
}

/// Implements [`Vector`] for one width of lane.
macro_rules! plain_lanes {
    ($name:ident, $number:ty, $lanes:literal, $parts:literal, $numbers:ty, $column:ty) => {
        impl $name {
            /// [`Vector::gather`] from a table of few entries: every entry is read, and kept in the lanes whose index
            /// names it.
            #[inline(never)]
            #[allow(
                clippy::cast_possible_truncation,
                clippy::unnecessary_cast,
                reason = "entries fit the lanes"
            )]
            fn entries(self, table: &LaneTable, index: &[$number; $lanes]) -> [$number; $lanes] {
                let (index, entries) = (*index, table.entries());
                if table.last() < 8 {
                    let mut few = [0; 8];
                    for (few, &entry) in few.iter_mut().zip(entries) {
                        *few = entry as $number;
                    }
                    return each(index, index, |index, _| {
                        (0..8)
                            .fold(0, |found, at| found | few[usize::from(at)] & truth::<$number>(index == at))
                    });
                }
                let index = self.min(index, self.splat(table.last().min(<$number>::MAX as u16)));
                each(index, index, |index, _| entries[usize::from(index)] as $number)
            }
        }

        impl Vector for $name {
            const LANES: usize = $lanes;
            const PARTS: usize = $parts;
            const LARGEST: u16 = <$number>::MAX as u16;
            const IN_LINE: bool = false;
            const NAME: &'static str = "plain";
            type V = [$number; $lanes];
            /// All bits of a lane set, or none.
            type M = [$number; $lanes];
            type Q = [u64; 4];
            /// All bits set, or none.
            type K = [u64; 4];
            type Bits = [u8; 64];
            type Numbers = $numbers;
            type Column = $column;
            const ZEROS: $column = [0; size_of::<$column>() / size_of::<i32>()];

            #[inline(never)]
            fn outlined<J: Job<Self>>(self, job: J) -> J::Output {
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

            inlined! {
                store(self, v: Self::V, values: &mut $numbers) -> () { values[..$lanes].copy_from_slice(&v); }
                and(self, a: Self::V, b: Self::V) -> Self::V { each(a, b, |a, b| a & b) }
                or(self, a: Self::V, b: Self::V) -> Self::V { each(a, b, |a, b| a | b) }
                and_not(self, a: Self::V, b: Self::V) -> Self::V { each(a, b, |a, b| a & !b) }
                add(self, a: Self::V, b: Self::V) -> Self::V { each(a, b, <$number>::wrapping_add) }
                sub(self, a: Self::V, b: Self::V) -> Self::V { each(a, b, <$number>::wrapping_sub) }
                count(self, mask: Self::M, a: Self::V) -> Self::V { self.sub(a, mask) }
                mul(self, a: Self::V, b: Self::V) -> Self::V { each(a, b, <$number>::wrapping_mul) }
                add_saturating(self, a: Self::V, b: Self::V) -> Self::V { each(a, b, <$number>::saturating_add) }
                mul_saturating(self, a: Self::V, b: Self::V) -> Self::V { each(a, b, <$number>::saturating_mul) }
                min(self, a: Self::V, b: Self::V) -> Self::V { each(a, b, <$number>::min) }
                gather(self, table: &LaneTable, index: Self::V) -> Self::V { self.entries(table, &index) }
                eq(self, a: Self::V, b: Self::V) -> Self::M { each(a, b, |a, b| truth(a == b)) }
                at_least(self, a: Self::V, b: Self::V) -> Self::M { each(a, b, |a, b| truth(a >= b)) }
                mask_and(self, a: Self::M, b: Self::M) -> Self::M { self.and(a, b) }
                mask_or(self, a: Self::M, b: Self::M) -> Self::M { self.or(a, b) }
                mask_and_not(self, a: Self::M, b: Self::M) -> Self::M { self.and_not(a, b) }
                select(self, mask: Self::M, a: Self::V, b: Self::V) -> Self::V {
                    self.or(self.and(a, mask), self.and_not(b, mask))
                }
                zero_unless(self, mask: Self::M, a: Self::V) -> Self::V { self.and(a, mask) }
                zero_where(self, mask: Self::M, a: Self::V) -> Self::V { self.and_not(a, mask) }
            }

            #[inline(always)]
            fn bits(self, mask: Self::M) -> u64 {
                let ones = u64::MAX / u64::from(<$number>::MAX);
                // The lanes of a place, each one bit from where the product has it below the top.
                let gather = gathering($parts);
                let mut bits = 0;
                for (place, lanes) in self.places(mask).into_iter().enumerate() {
                    bits |= (lanes & ones).wrapping_mul(gather) >> (64 - $parts) << ($parts * place);
                }
                bits
            }

            #[inline(always)]
            fn whole(self, v: Self::V) -> Self::M {
                v
            }

            #[inline(always)]
            fn mask(self, bits: u64) -> Self::M {
                // The bits of a place in each of its lanes, of which each keeps its own.
                let ones = u64::MAX / u64::from(<$number>::MAX);
                let mut own = [0; $lanes];
                for (lane, own) in own.iter_mut().enumerate() {
                    *own = 1 << (lane % $parts);
                }
                let mut spread = [0; 4];
                for (place, spread) in spread.iter_mut().enumerate() {
                    *spread = (bits >> ($parts * place) & ((1 << $parts) - 1)) * ones;
                }
                self.eq(self.and(self.lanes(spread), own), own)
            }

            inlined! {
                load_part(self, values: &Places) -> [u64; 4] { [values[0], values[1], values[2], values[3]] }
                store_part(self, q: [u64; 4], values: &mut Places) -> () { values[..4].copy_from_slice(&q); }
                splat_part(self, value: u64) -> [u64; 4] { [value; 4] }
                add_part(self, a: [u64; 4], b: [u64; 4]) -> [u64; 4] { each(a, b, u64::wrapping_add) }
                mul_part(self, a: [u64; 4], b: [u64; 4]) -> [u64; 4] { each(a, b, u64::wrapping_mul) }
            }

            #[inline(always)]
            fn shr_part<const BY: u32>(self, a: [u64; 4]) -> [u64; 4] {
                each(a, a, |a, _| a >> BY)
            }

            #[inline(always)]
            fn xor_shr<const BY: u32>(self, a: [u64; 4]) -> [u64; 4] {
                each(a, a, |a, _| a ^ a >> BY)
            }

            #[inline(always)]
            fn pcg_words(self, states: [[u64; 4]; 2]) -> [[u64; 4]; 2] {
                words(&states)
            }

            #[inline(always)]
            fn scaled(self, words: &[[[u64; 4]; 2]; MOST_PARTS / 2], limit: u16) -> Self::V {
                let mut out = [0; 4];
                for part in 0..$parts {
                    let words = words[part % ($parts / 2)][part / ($parts / 2)];
                    out = each(out, words, |out, word| {
                        out | ((word & 0xFFFF_FFFF) * u64::from(limit) >> 32) << (64 / $parts * part)
                    });
                }
                self.lanes(out)
            }

            #[inline(always)]
            fn rests(self, words: [[u64; 4]; 2], limit: u16) -> [[u64; 4]; 2] {
                words.map(|words| each(words, words, |word, _| (word & 0xFFFF_FFFF) * u64::from(limit)))
            }

            #[inline(always)]
            fn chosen(self, mask: Self::V, part: usize) -> [u64; 4] {
                let places = self.places(mask);
                #[allow(
                    clippy::cast_possible_wrap,
                    clippy::cast_sign_loss,
                    reason = "the sign fills all bits"
                )]
                each(places, places, |lanes, _| {
                    ((lanes << (64 / $parts * ($parts - 1 - part))) as i64 >> 63) as u64
                })
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
                let places = self.places(v);
                each(places, places, |lanes, _| lanes >> (64 / $parts * part) & u64::from(<$number>::MAX))
            }

            inlined! {
                shift_in(self, a: [u64; 4], by: [u64; 4], low: [u64; 4]) -> [u64; 4] {
                    each(each(a, by, |a, by| a << (by & 63)), low, |a, low| a | low)
                }
                no_bits(self) -> [u8; 64] { [0; 64] }
            }

            #[inline(always)]
            fn count_bits(self, mut counts: [u8; 64], word: u64) -> [u8; 64] {
                let mut spread = [[0; 8]; 8];
                for (spread, bits) in spread.iter_mut().zip(word.to_le_bytes()) {
                    *spread = (u64::from(bits) * (u64::MAX / 255)).to_le_bytes();
                }
                for (bit, (count, &bits)) in counts.iter_mut().zip(spread.as_flattened()).enumerate() {
                    let own = 1 << (bit % 8);
                    *count = count.wrapping_sub(truth(bits & own == own));
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

impl Plain {
    /// The lanes of each place combined into one number, the first lane lowest.
    #[inline(always)]
    fn places(self, v: [u16; 16]) -> [u64; 4] {
        let mut places = [0; 4];
        for (place, lanes) in places.iter_mut().zip(v.as_chunks::<4>().0) {
            for (lane, &number) in lanes.iter().enumerate() {
                *place |= u64::from(number) << (16 * lane);
            }
        }
        places
    }

    /// The lanes taken from these places.
    #[inline(always)]
    #[allow(clippy::cast_possible_truncation, reason = "lane by lane")]
    fn lanes(self, places: [u64; 4]) -> [u16; 16] {
        let mut out = [0; 16];
        for (lane, out) in out.iter_mut().enumerate() {
            *out = (places[lane / 4] >> (16 * (lane % 4))) as u16;
        }
        out
    }
}

impl PlainNarrow {
    /// The lanes of each place combined into one number, the first lane lowest.
    #[inline(always)]
    fn places(self, v: [u8; 32]) -> [u64; 4] {
        let mut places = [0; 4];
        for (place, &lanes) in places.iter_mut().zip(v.as_chunks().0) {
            *place = u64::from_le_bytes(lanes);
        }
        places
    }

    /// The lanes taken from these places.
    #[inline(always)]
    fn lanes(self, places: [u64; 4]) -> [u8; 32] {
        let mut out = [0; 32];
        for (out, place) in out.as_chunks_mut().0.iter_mut().zip(places) {
            *out = place.to_le_bytes();
        }
        out
    }
}

plain_lanes!(Plain, u16, 16, 4, [u16; MOST_LANES], Column);
plain_lanes!(PlainNarrow, u8, 32, 8, [u8; MOST_NARROW], [i32; MOST_NARROW]);

impl Vector16 for Plain {
    inlined! {
        shl(self, a: [u16; 16], by: u32) -> [u16; 16] { each(a, a, |a, _| a << by) }
        shr(self, a: [u16; 16], by: u32) -> [u16; 16] { each(a, a, |a, _| a >> by) }
        lookup_16(self, table: &[u16; 32], index: [u16; 16]) -> [u16; 16] {
            each(index, index, |index, _| table[usize::from(index % 16)])
        }
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
