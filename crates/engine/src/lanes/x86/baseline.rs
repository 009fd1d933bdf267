//! SSE2, which every x86-64 machine has: the implementation of
//! [`InstructionSet::Plain`](crate::lanes::dispatch::InstructionSet::Plain) there. On other architectures it is
//! [`plain`](crate::lanes::plain), arrays and loops that the compiler must vectorise; on x86-64 all lanes then take 78 CPU
//! seconds to compile, 33 with this.
//!
//! A vector is two registers. Lane *j* is in part *j* mod parts at place *j* / parts, so the 64-bit numbers of a vector
//! are its places as they are stored in memory.
#![allow(unsafe_code, reason = "SSE2 is part of x86-64; pointers come from references to arrays long enough")]
#![allow(unused_unsafe, reason = "operations are written alike, and some call others")]
#![allow(
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    clippy::cast_possible_truncation,
    reason = "intrinsics take signed numbers for bits, and small constants"
)]

use std::arch::x86_64::*;

use crate::lanes::simd::{
    Column, Job, LaneTable, MOST_LANES, MOST_NARROW, MOST_PARTS, Machine, Places, Vector, Vector16,
};

/// 16 lanes of 16 bits.
#[derive(Clone, Copy, Debug)]
pub(in crate::lanes) struct Sse2;

/// 32 lanes of 8 bits.
#[derive(Clone, Copy, Debug)]
pub(in crate::lanes) struct NarrowSse2;

impl Machine for Sse2 {
    type Wide = Self;
    type Narrow = NarrowSse2;

    inlined! {
        wide(self) -> Self { self }
        narrow(self) -> NarrowSse2 { NarrowSse2 }
    }
}

/// Two registers: the lanes of a vector, or the 64-bit numbers of a part.
type Two = [__m128i; 2];

/// Defines an operation by an intrinsic.
macro_rules! op {
    ($instructions:expr) => {
        // SAFETY: every x86-64 machine has SSE2.
        unsafe { $instructions }
    };
}

/// Applies an instruction to each register.
#[inline(always)]
fn each(a: Two, f: impl Fn(__m128i) -> __m128i) -> Two {
    [f(a[0]), f(a[1])]
}

/// Applies an instruction to each pair of registers.
#[inline(always)]
fn both(a: Two, b: Two, f: impl Fn(__m128i, __m128i) -> __m128i) -> Two {
    [f(a[0], b[0]), f(a[1], b[1])]
}

#[inline(always)]
fn select(mask: __m128i, a: __m128i, b: __m128i) -> __m128i {
    op!(_mm_or_si128(_mm_and_si128(mask, a), _mm_andnot_si128(mask, b)))
}

/// A shift count in a register.
#[inline(always)]
fn bits(count: usize) -> __m128i {
    op!(_mm_cvtsi32_si128(count as i32))
}

/// Expands sixteen bits to sixteen bytes, with all bits of a byte set or none.
#[inline(always)]
fn bytes_of(bits: u64) -> __m128i {
    let spread = |byte: u64| (byte & 0xFF).wrapping_mul(0x0101_0101_0101_0101) as i64;
    op!({
        let own = _mm_set1_epi64x(0x8040_2010_0804_0201_u64 as i64);
        let bits = _mm_set_epi64x(spread(bits >> 8), spread(bits));
        _mm_cmpeq_epi8(_mm_and_si128(bits, own), own)
    })
}

/// The output word of PCG32 for each state, in the lower half of 64 bits. The rotation is a multiplication by a power
/// of two, which is the fraction of a floating-point number with that exponent after adding 2⁵².
#[inline(always)]
fn word(state: __m128i) -> __m128i {
    op!({
        let mixed = _mm_srli_epi64::<27>(_mm_xor_si128(_mm_srli_epi64::<18>(state), state));
        let back = _mm_sub_epi64(_mm_setzero_si128(), _mm_srli_epi64::<59>(state));
        let exponent = _mm_add_epi64(_mm_and_si128(back, _mm_set1_epi64x(31)), _mm_set1_epi64x(1023));
        let power = _mm_castsi128_pd(_mm_slli_epi64::<52>(exponent));
        let power = _mm_castpd_si128(_mm_add_pd(power, _mm_set1_pd(4_503_599_627_370_496.0)));
        let product = _mm_mul_epu32(mixed, power);
        _mm_or_si128(product, _mm_srli_epi64::<32>(product))
    })
}

/// Shifts each 64-bit number left by its own count.
#[inline(always)]
fn shift_up(a: __m128i, by: __m128i) -> __m128i {
    op!({
        let first = _mm_castsi128_pd(_mm_sll_epi64(a, by));
        let second = _mm_castsi128_pd(_mm_sll_epi64(a, _mm_unpackhi_epi64(by, by)));
        _mm_castpd_si128(_mm_move_sd(second, first))
    })
}

/// The products of 8-bit lanes, in 16 bits each, for the lower and the upper half of a register.
#[inline(always)]
fn products(a: __m128i, b: __m128i) -> [__m128i; 2] {
    op!({
        let none = _mm_setzero_si128();
        [
            _mm_mullo_epi16(_mm_unpacklo_epi8(a, none), _mm_unpacklo_epi8(b, none)),
            _mm_mullo_epi16(_mm_unpackhi_epi8(a, none), _mm_unpackhi_epi8(b, none)),
        ]
    })
}

/// Defines the operations of one width whose implementations have the same form.
macro_rules! ops {
    ($($name:ident($($argument:ident: $kind:ty),*) -> $result:ty { $instructions:expr })*) => {
        $(#[inline(always)]
        fn $name(self, $($argument: $kind),*) -> $result {
            op!($instructions)
        })*
    };
}

/// Implements [`Vector`] for one width, given the instructions that differ between the widths.
macro_rules! vector {
    ($name:ident, $number:ty, $lanes:literal, $parts:literal, $numbers:ty, $column:ty; $($own:tt)*) => {
        impl $name {
            /// For each lane, the entry of the table at its index.
            #[inline(never)]
            fn entries(self, table: &LaneTable, index: &Two) -> Two {
                let entries = table.entries();
                if table.last() < 8 {
                    // Every one is taken, and kept where it is named.
                    let mut found = self.splat(0);
                    for (at, &entry) in (0..).zip(&entries[..8]) {
                        let is_named = self.eq(*index, self.splat(at));
                        found = self.or(found, self.and(self.splat(entry), is_named));
                    }
                    return found;
                }
                let mut lanes = <$numbers as crate::lanes::simd::Numbers>::ZEROS;
                self.store(self.min(*index, self.splat(table.last().min(Self::LARGEST))), &mut lanes);
                for lane in &mut lanes[..$lanes] {
                    *lane = entries[usize::from(*lane)] as $number;
                }
                self.load(&lanes)
            }
        }

        impl Vector for $name {
            const LANES: usize = $lanes;
            const PARTS: usize = $parts;
            const LARGEST: u16 = <$number>::MAX as u16;
            const IN_LINE: bool = false;
            const NAME: &'static str = "plain";
            type V = Two;
            /// All bits of a lane set, or none.
            type M = Two;
            type Q = Two;
            /// All bits of a number set, or none.
            type K = Two;
            type Bits = [__m128i; 4];
            type Numbers = $numbers;
            type Column = $column;
            const ZEROS: $column = [0; size_of::<$column>() / size_of::<i32>()];

            #[inline(never)]
            fn outlined<J: Job<Self>>(self, job: J) -> J::Output {
                job.run(self)
            }

            ops! {
                load(values: &$numbers) -> Two {{
                    let start: *const __m128i = values.as_ptr().cast();
                    [_mm_loadu_si128(start), _mm_loadu_si128(start.add(1))]
                }}
                store(v: Two, values: &mut $numbers) -> () {{
                    let start: *mut __m128i = values.as_mut_ptr().cast();
                    _mm_storeu_si128(start, v[0]);
                    _mm_storeu_si128(start.add(1), v[1]);
                }}
                and(a: Two, b: Two) -> Two { both(a, b, |a, b| _mm_and_si128(a, b)) }
                or(a: Two, b: Two) -> Two { both(a, b, |a, b| _mm_or_si128(a, b)) }
                and_not(a: Two, b: Two) -> Two { both(a, b, |a, b| _mm_andnot_si128(b, a)) }
                count(mask: Two, a: Two) -> Two { $name.sub(a, mask) }
                gather(table: &LaneTable, index: Two) -> Two { $name.entries(table, &index) }
                mask_and(a: Two, b: Two) -> Two { $name.and(a, b) }
                mask_or(a: Two, b: Two) -> Two { $name.or(a, b) }
                mask_and_not(a: Two, b: Two) -> Two { $name.and_not(a, b) }
                select(mask: Two, a: Two, b: Two) -> Two {
                    [select(mask[0], a[0], b[0]), select(mask[1], a[1], b[1])]
                }
                zero_unless(mask: Two, a: Two) -> Two { $name.and(a, mask) }
                zero_where(mask: Two, a: Two) -> Two { $name.and_not(a, mask) }
                whole(v: Two) -> Two { v }

                load_part(values: &Places) -> Two {{
                    let start: *const __m128i = values.as_ptr().cast();
                    [_mm_loadu_si128(start), _mm_loadu_si128(start.add(1))]
                }}
                store_part(q: Two, values: &mut Places) -> () {{
                    let start: *mut __m128i = values.as_mut_ptr().cast();
                    _mm_storeu_si128(start, q[0]);
                    _mm_storeu_si128(start.add(1), q[1]);
                }}
                splat_part(value: u64) -> Two { [_mm_set1_epi64x(value as i64); 2] }
                add_part(a: Two, b: Two) -> Two { both(a, b, |a, b| _mm_add_epi64(a, b)) }
                mul_part(a: Two, b: Two) -> Two {
                    both(a, b, |a, b| {
                        let crossed = _mm_add_epi64(
                            _mm_mul_epu32(_mm_srli_epi64::<32>(a), b),
                            _mm_mul_epu32(a, _mm_srli_epi64::<32>(b)),
                        );
                        _mm_add_epi64(_mm_mul_epu32(a, b), _mm_slli_epi64::<32>(crossed))
                    })
                }
                pcg_words(states: [Two; 2]) -> [Two; 2] { [each(states[0], word), each(states[1], word)] }
                scaled(words: &[[Two; 2]; MOST_PARTS / 2], limit: u16) -> Two {{
                    let limit = _mm_set1_epi64x(limit.into());
                    let mut out = [_mm_setzero_si128(); 2];
                    for part in 0..$parts {
                        let words = words[part % ($parts / 2)][part / ($parts / 2)];
                        out = both(out, words, |out, word| {
                            let whole = _mm_srli_epi64::<32>(_mm_mul_epu32(word, limit));
                            _mm_or_si128(out, _mm_sll_epi64(whole, bits(64 / $parts * part)))
                        });
                    }
                    out
                }}
                rests(words: [Two; 2], limit: u16) -> [Two; 2] {{
                    let limit = _mm_set1_epi64x(limit.into());
                    let rest = |word| _mm_mul_epu32(word, limit);
                    [each(words[0], rest), each(words[1], rest)]
                }}
                chosen(mask: Two, part: usize) -> Two {
                    each(mask, |lanes| {
                        let top = _mm_sll_epi64(lanes, bits(64 / $parts * ($parts - 1 - part)));
                        _mm_shuffle_epi32::<0b11_11_01_01>(_mm_srai_epi32::<31>(top))
                    })
                }
                select_part(mask: Two, a: Two, b: Two) -> Two { $name.select(mask, a, b) }
                widened(v: Two, part: usize) -> Two {
                    each(v, |lanes| {
                        let lowest = _mm_srl_epi64(lanes, bits(64 / $parts * part));
                        _mm_and_si128(lowest, _mm_set1_epi64x(<$number>::MAX.into()))
                    })
                }
                shift_in(a: Two, by: Two, low: Two) -> Two {
                    both(both(a, by, shift_up), low, |a, low| _mm_or_si128(a, low))
                }

                no_bits() -> [__m128i; 4] { [_mm_setzero_si128(); 4] }
                count_bits(counts: [__m128i; 4], word: u64) -> [__m128i; 4] {{
                    let add = |at: usize| _mm_sub_epi8(counts[at], bytes_of(word >> (16 * at)));
                    [add(0), add(1), add(2), add(3)]
                }}
                bit_counts(counts: [__m128i; 4]) -> [u8; 64] {{
                    let mut out = [0; 64];
                    for (part, counts) in out.chunks_exact_mut(16).zip(counts) {
                        _mm_storeu_si128(part.as_mut_ptr().cast(), counts);
                    }
                    out
                }}

                $($own)*
            }

            #[inline(always)]
            fn shr_part<const BY: u32>(self, a: Two) -> Two {
                op!(each(a, |a| _mm_srl_epi64(a, bits(BY as usize))))
            }

            #[inline(always)]
            fn xor_shr<const BY: u32>(self, a: Two) -> Two {
                op!(each(a, |a| _mm_xor_si128(a, _mm_srl_epi64(a, bits(BY as usize)))))
            }
        }
    };
}

vector! {
    Sse2, u16, 16, 4, [u16; MOST_LANES], Column;
    splat(value: u16) -> Two { [_mm_set1_epi16(value as i16); 2] }
    add(a: Two, b: Two) -> Two { both(a, b, |a, b| _mm_add_epi16(a, b)) }
    sub(a: Two, b: Two) -> Two { both(a, b, |a, b| _mm_sub_epi16(a, b)) }
    mul(a: Two, b: Two) -> Two { both(a, b, |a, b| _mm_mullo_epi16(a, b)) }
    add_saturating(a: Two, b: Two) -> Two { both(a, b, |a, b| _mm_adds_epu16(a, b)) }
    mul_saturating(a: Two, b: Two) -> Two {
        both(a, b, |a, b| {
            let fits = _mm_cmpeq_epi16(_mm_mulhi_epu16(a, b), _mm_setzero_si128());
            _mm_or_si128(_mm_mullo_epi16(a, b), _mm_xor_si128(fits, _mm_set1_epi16(-1)))
        })
    }
    min(a: Two, b: Two) -> Two { both(a, b, |a, b| _mm_sub_epi16(a, _mm_subs_epu16(a, b))) }
    eq(a: Two, b: Two) -> Two { both(a, b, |a, b| _mm_cmpeq_epi16(a, b)) }
    at_least(a: Two, b: Two) -> Two {
        both(a, b, |a, b| _mm_cmpeq_epi16(_mm_subs_epu16(b, a), _mm_setzero_si128()))
    }
    bits(mask: Two) -> u64 { _mm_movemask_epi8(_mm_packs_epi16(mask[0], mask[1])) as u64 }
    mask(bits: u64) -> Two {{
        let bytes = bytes_of(bits);
        [_mm_unpacklo_epi8(bytes, bytes), _mm_unpackhi_epi8(bytes, bytes)]
    }}
}

vector! {
    NarrowSse2, u8, 32, 8, [u8; MOST_NARROW], [i32; MOST_NARROW];
    splat(value: u16) -> Two { [_mm_set1_epi8(value as i8); 2] }
    add(a: Two, b: Two) -> Two { both(a, b, |a, b| _mm_add_epi8(a, b)) }
    sub(a: Two, b: Two) -> Two { both(a, b, |a, b| _mm_sub_epi8(a, b)) }
    mul(a: Two, b: Two) -> Two {
        both(a, b, |a, b| {
            let ([low, high], most) = (products(a, b), _mm_set1_epi16(0xFF));
            _mm_packus_epi16(_mm_and_si128(low, most), _mm_and_si128(high, most))
        })
    }
    add_saturating(a: Two, b: Two) -> Two { both(a, b, |a, b| _mm_adds_epu8(a, b)) }
    mul_saturating(a: Two, b: Two) -> Two {
        both(a, b, |a, b| {
            let ([low, high], most) = (products(a, b), _mm_set1_epi16(0xFF));
            let cut = |product| _mm_sub_epi16(product, _mm_subs_epu16(product, most));
            _mm_packus_epi16(cut(low), cut(high))
        })
    }
    min(a: Two, b: Two) -> Two { both(a, b, |a, b| _mm_min_epu8(a, b)) }
    eq(a: Two, b: Two) -> Two { both(a, b, |a, b| _mm_cmpeq_epi8(a, b)) }
    at_least(a: Two, b: Two) -> Two { both(a, b, |a, b| _mm_cmpeq_epi8(_mm_max_epu8(a, b), a)) }
    bits(mask: Two) -> u64 {
        _mm_movemask_epi8(mask[0]) as u64 | (_mm_movemask_epi8(mask[1]) as u64) << 16
    }
    mask(bits: u64) -> Two { [bytes_of(bits), bytes_of(bits >> 16)] }
}

impl Vector16 for Sse2 {
    ops! {
        meets(a: Two, b: Two) -> Two {
            both(a, b, |a, b| {
                let apart = _mm_cmpeq_epi16(_mm_and_si128(a, b), _mm_setzero_si128());
                _mm_xor_si128(apart, _mm_set1_epi16(-1))
            })
        }
        lookup_16(table: &[u16; 32], index: Two) -> Two { looked_up(table, &index) }
        count_ones(a: Two) -> Two {
            each(a, |a| {
                let pairs = _mm_sub_epi16(a, _mm_and_si128(_mm_srli_epi16::<1>(a), _mm_set1_epi16(0x5555)));
                let two = _mm_set1_epi16(0x3333);
                let fours = _mm_add_epi16(
                    _mm_and_si128(pairs, two),
                    _mm_and_si128(_mm_srli_epi16::<2>(pairs), two),
                );
                let bytes = _mm_add_epi16(fours, _mm_srli_epi16::<4>(fours));
                let bytes = _mm_and_si128(bytes, _mm_set1_epi16(0x0F0F));
                _mm_and_si128(_mm_add_epi16(bytes, _mm_srli_epi16::<8>(bytes)), _mm_set1_epi16(0x1F))
            })
        }
    }

    #[inline(always)]
    fn shl(self, a: Two, by: u32) -> Two {
        op!(each(a, |a| _mm_sll_epi16(a, bits(by as usize))))
    }

    #[inline(always)]
    fn shr(self, a: Two, by: u32) -> Two {
        op!(each(a, |a| _mm_srl_epi16(a, bits(by as usize))))
    }

    #[inline(never)]
    fn compress(self, mask: Two, v: Two, out: &mut [u16; MOST_LANES]) {
        let mut values = [0; MOST_LANES];
        self.store(v, &mut values);
        let bits = self.bits(mask);
        let mut next = 0;
        for (lane, &value) in values[..Self::LANES].iter().enumerate() {
            out[next % MOST_LANES] = value;
            next += (bits >> lane & 1) as usize;
        }
    }
}

/// [`Vector16::lookup_16`] without an instruction: SSE2 has no table look-up.
#[inline(never)]
fn looked_up(table: &[u16; 32], index: &Two) -> Two {
    let mut lanes = [0; MOST_LANES];
    Sse2.store(*index, &mut lanes);
    for lane in &mut lanes[..Sse2::LANES] {
        *lane = table[usize::from(*lane % 16)];
    }
    Sse2.load(&lanes)
}
