//! AVX-512 on lanes of 16 bits.

use std::arch::x86_64::*;

use super::{Avx512, avx512_outlined, bytes_of};
use crate::game::MAX_SEATS;
use crate::lanes::simd::{
    Column, DRAWN, Generators, Job, LaneTable, MOST_LANES, MOST_PARTS, PCG_MULTIPLIER, Places, Vector,
    Vector16,
};

impl Vector for Avx512 {
    const LANES: usize = 32;
    const PARTS: usize = 4;
    const LARGEST: u16 = u16::MAX;
    const IN_LINE: bool = true;
    const NAME: &'static str = "avx512";
    type V = __m512i;
    type M = __mmask32;
    type Q = __m512i;
    /// All bits of a number set, or none.
    type K = __m512i;
    type Bits = __m512i;
    type Numbers = [u16; MOST_LANES];
    type Column = Column;
    const ZEROS: Column = [0; MOST_LANES];

    #[inline(always)]
    fn outlined<J: Job<Self>>(self, job: J) -> J::Output {
        op!(avx512_outlined(self, job))
    }

    ops! {
        splat(value: u16) -> __m512i { _mm512_set1_epi16(value as i16) }
        load(values: &[u16; MOST_LANES]) -> __m512i { _mm512_loadu_si512(values.as_ptr().cast()) }
        store(v: __m512i, values: &mut [u16; MOST_LANES]) -> () { _mm512_storeu_si512(values.as_mut_ptr().cast(), v) }
        and(a: __m512i, b: __m512i) -> __m512i { _mm512_and_si512(a, b) }
        or(a: __m512i, b: __m512i) -> __m512i { _mm512_or_si512(a, b) }
        and_not(a: __m512i, b: __m512i) -> __m512i { _mm512_andnot_si512(b, a) }
        add(a: __m512i, b: __m512i) -> __m512i { _mm512_add_epi16(a, b) }
        sub(a: __m512i, b: __m512i) -> __m512i { _mm512_sub_epi16(a, b) }
        count(mask: __mmask32, a: __m512i) -> __m512i { _mm512_mask_sub_epi16(a, mask, a, _mm512_set1_epi16(-1)) }
        mul(a: __m512i, b: __m512i) -> __m512i { _mm512_mullo_epi16(a, b) }
        min(a: __m512i, b: __m512i) -> __m512i { _mm512_min_epu16(a, b) }
        add_saturating(a: __m512i, b: __m512i) -> __m512i { _mm512_adds_epu16(a, b) }
        mul_saturating(a: __m512i, b: __m512i) -> __m512i {
            let upper = _mm512_mulhi_epu16(a, b);
            let fits = _mm512_testn_epi16_mask(upper, upper);
            _mm512_mask_mullo_epi16(_mm512_set1_epi16(-1), fits, a, b)
        }
        whole(v: __m512i) -> __mmask32 { _mm512_movepi16_mask(v) }
        eq(a: __m512i, b: __m512i) -> __mmask32 { _mm512_cmpeq_epi16_mask(a, b) }
        at_least(a: __m512i, b: __m512i) -> __mmask32 { _mm512_cmpge_epu16_mask(a, b) }
        select(mask: __mmask32, a: __m512i, b: __m512i) -> __m512i { _mm512_mask_blend_epi16(mask, b, a) }
        zero_unless(mask: __mmask32, a: __m512i) -> __m512i { _mm512_maskz_mov_epi16(mask, a) }
        zero_where(mask: __mmask32, a: __m512i) -> __m512i { _mm512_maskz_mov_epi16(!mask, a) }
        load_part(values: &Places) -> __m512i { _mm512_loadu_si512(values.as_ptr().cast()) }
        store_part(q: __m512i, values: &mut Places) -> () { _mm512_storeu_si512(values.as_mut_ptr().cast(), q) }
        splat_part(value: u64) -> __m512i { _mm512_set1_epi64(value as i64) }
        add_part(a: __m512i, b: __m512i) -> __m512i { _mm512_add_epi64(a, b) }
        mul_part(a: __m512i, b: __m512i) -> __m512i { _mm512_mullo_epi64(a, b) }
        chosen(mask: __m512i, part: usize) -> __m512i { _mm512_shuffle_epi8(mask, spread(part, 2)) }
        select_part(mask: __m512i, a: __m512i, b: __m512i) -> __m512i {
            _mm512_ternarylogic_epi64::<0xCA>(mask, a, b)
        }
        widened(v: __m512i, part: usize) -> __m512i {
            _mm512_and_si512(_mm512_srl_epi64(v, _mm_cvtsi32_si128(16 * part as i32)), _mm512_set1_epi64(0xFFFF))
        }
        shift_in(a: __m512i, by: __m512i, low: __m512i) -> __m512i { _mm512_or_si512(_mm512_sllv_epi64(a, by), low) }
        no_bits() -> __m512i { _mm512_setzero_si512() }
        count_bits(counts: __m512i, word: u64) -> __m512i {
            _mm512_mask_sub_epi8(counts, word, counts, _mm512_set1_epi8(-1))
        }
    }

    inlined! {
        mask_and(self, a: __mmask32, b: __mmask32) -> __mmask32 { a & b }
        mask_or(self, a: __mmask32, b: __mmask32) -> __mmask32 { a | b }
        mask_and_not(self, a: __mmask32, b: __mmask32) -> __mmask32 { a & !b }
        bits(self, mask: __mmask32) -> u64 { mask.into() }
        mask(self, bits: u64) -> __mmask32 { bits as u32 }
    }

    #[inline(always)]
    fn gather(self, table: &LaneTable, index: __m512i) -> __m512i {
        let entries = table.entries();
        // SAFETY: the length is looked at before so much is read; a gather reads four bytes at each index, and the
        // table has an entry more than the index is clamped to.
        unsafe {
            let part = |number: usize| _mm512_loadu_si512(entries.as_ptr().add(32 * number).cast());
            match entries.len() {
                32 => _mm512_permutexvar_epi16(index, part(0)),
                64 => _mm512_permutex2var_epi16(part(0), index, part(1)),
                128 => {
                    let low = _mm512_permutex2var_epi16(part(0), index, part(1));
                    let high = _mm512_permutex2var_epi16(part(2), index, part(3));
                    _mm512_mask_blend_epi16(self.meets(index, self.splat(64)), low, high)
                }
                _ => {
                    let index = self.min(index, self.splat(table.last()));
                    let low = _mm512_cvtepu16_epi32(_mm512_castsi512_si256(index));
                    let high = _mm512_cvtepu16_epi32(_mm512_extracti64x4_epi64::<1>(index));
                    let low = _mm512_i32gather_epi32::<2>(low, entries.as_ptr().cast());
                    let high = _mm512_i32gather_epi32::<2>(high, entries.as_ptr().cast());
                    let low = _mm512_castsi256_si512(_mm512_cvtepi32_epi16(low));
                    _mm512_inserti64x4::<1>(low, _mm512_cvtepi32_epi16(high))
                }
            }
        }
    }

    #[inline(always)]
    fn shr_part<const N: u32>(self, a: __m512i) -> __m512i {
        op!(_mm512_srli_epi64::<N>(a))
    }

    #[inline(always)]
    fn xor_shr<const N: u32>(self, a: __m512i) -> __m512i {
        op!(_mm512_xor_si512(a, _mm512_srli_epi64::<N>(a)))
    }

    /// The lower and upper halves of two parts' states side by side, so that one vector of 32-bit lanes computes the
    /// output function of both: bits 27 to 58 of the state, bits 45 to 63 of it, the rotation.
    #[inline(always)]
    fn pcg_words(self, states: [__m512i; 2]) -> [__m512i; 2] {
        op!({
            let (a, b) = (_mm512_castsi512_ps(states[0]), _mm512_castsi512_ps(states[1]));
            let lower = _mm512_castps_si512(_mm512_shuffle_ps::<0b10_00_10_00>(a, b));
            let upper = _mm512_castps_si512(_mm512_shuffle_ps::<0b11_01_11_01>(a, b));
            let mixed =
                _mm512_xor_si512(_mm512_shrdi_epi32::<27>(lower, upper), _mm512_srli_epi32::<13>(upper));
            let words = _mm512_rorv_epi32(mixed, _mm512_srli_epi32::<27>(upper));
            [words, _mm512_srli_epi64::<32>(words)]
        })
    }

    #[inline(always)]
    fn scaled(self, words: &[[__m512i; 2]; MOST_PARTS / 2], limit: u16) -> __m512i {
        op!({
            // Chosen bit by bit instead of shifted: shifts are what the generator waits for.
            let (low, high) = (paired_long(words[0], limit, 0), paired_long(words[1], limit, 16));
            _mm512_ternarylogic_epi64::<0xCA>(_mm512_set1_epi32(0xFFFF << 16), high, low)
        })
    }

    #[inline(always)]
    fn rests(self, words: [__m512i; 2], limit: u16) -> [__m512i; 2] {
        op!({
            let by = _mm512_set1_epi64(limit.into());
            [_mm512_mul_epu32(words[0], by), _mm512_mul_epu32(words[1], by)]
        })
    }

    #[inline(always)]
    fn bit_counts(self, counts: __m512i) -> [u8; 64] {
        let mut out = [0; 64];
        op!(_mm512_storeu_si512(out.as_mut_ptr().cast(), counts));
        out
    }
}

impl Vector16 for Avx512 {
    ops! {
        shl(a: __m512i, by: u32) -> __m512i { _mm512_sll_epi16(a, _mm_cvtsi32_si128(by as i32)) }
        shr(a: __m512i, by: u32) -> __m512i { _mm512_srl_epi16(a, _mm_cvtsi32_si128(by as i32)) }
        count_ones(a: __m512i) -> __m512i { _mm512_popcnt_epi16(a) }
        meets(a: __m512i, b: __m512i) -> __mmask32 { _mm512_test_epi16_mask(a, b) }
        compress(mask: __mmask32, v: __m512i, out: &mut [u16; MOST_LANES]) -> () {
            _mm512_storeu_si512(out.as_mut_ptr().cast(), _mm512_maskz_compress_epi16(mask, v))
        }
    }

    #[inline(always)]
    fn lookup_16(self, table: &[u16; 32], index: __m512i) -> __m512i {
        op!(_mm512_permutexvar_epi16(index, self.load(table)))
    }

    #[inline(always)]
    fn draw(
        self,
        states: &mut [Generators],
        increments: &[Generators],
        whose: &[u8; DRAWN],
        mask: &[i8; DRAWN],
        weights: &[u32; DRAWN],
    ) -> [u32; DRAWN] {
        op!({
            match states.len().min(increments.len()) {
                1 => draw_of::<1>(states, increments, whose, mask, weights),
                2 => draw_of::<2>(states, increments, whose, mask, weights),
                3 => draw_of::<3>(states, increments, whose, mask, weights),
                4 => draw_of::<4>(states, increments, whose, mask, weights),
                _ => draw_of::<0>(states, increments, whose, mask, weights),
            }
        })
    }
}

/// [`Vector16::draw`] for so many seats, or any number if none is said. Loops count their seats: iterators are not always
/// inlined.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi2")]
#[allow(clippy::needless_range_loop, reason = "the reason is given above")]
fn draw_of<const SEATS: usize>(
    states: &mut [Generators],
    increments: &[Generators],
    whose: &[u8; DRAWN],
    mask: &[i8; DRAWN],
    weights: &[u32; DRAWN],
) -> [u32; DRAWN] {
    let (lower, upper) = const { (halves(0), halves(1)) };
    let mut places = [0; DRAWN];
    let seats = if SEATS > 0 { SEATS } else { states.len().min(increments.len()).min(MAX_SEATS) };
    let (states, increments) = (&mut states[..seats], &increments[..seats]);
    // SAFETY: all that is read and written is at places below DRAWN in arrays that are as long.
    unsafe {
        let here = _mm512_movepi8_mask(_mm512_loadu_si512(mask.as_ptr().cast()));
        let whose = _mm512_loadu_si512(whose.as_ptr().cast());
        let mut theirs = [u64::MAX; MAX_SEATS];
        if SEATS != 1 {
            for seat in 0..seats {
                theirs[seat] = _mm512_cmpeq_epi8_mask(whose, _mm512_set1_epi8(seat as i8));
            }
        }
        let multiplier = _mm512_set1_epi64(PCG_MULTIPLIER as i64);
        for few in 0..DRAWN / FEW {
            let by = _mm512_loadu_si512(weights.as_ptr().add(few * FEW).cast());
            let moved = (here >> (few * FEW)) as u16 & _mm512_test_epi32_mask(by, by);
            let mut halves = [_mm512_setzero_si512(); 2];
            for half in 0..2 {
                let (at, moved) = (few * FEW + half * FEW / 2, (moved >> (half * FEW / 2)) as u8);
                let (mut state, mut increment) = (halves[half], halves[half]);
                for seat in 0..seats {
                    let own = (theirs[seat] >> at) as u8;
                    state = _mm512_mask_loadu_epi64(state, own, states[seat].0.as_ptr().add(at).cast());
                    increment =
                        _mm512_mask_loadu_epi64(increment, own, increments[seat].0.as_ptr().add(at).cast());
                }
                let next = _mm512_add_epi64(_mm512_mullo_epi64(state, multiplier), increment);
                for seat in 0..seats {
                    let own = (theirs[seat] >> at) as u8 & moved;
                    _mm512_mask_storeu_epi64(states[seat].0.as_mut_ptr().add(at).cast(), own, next);
                }
                halves[half] = state;
            }
            let [a, b] = halves;
            let lower = _mm512_permutex2var_epi32(a, _mm512_loadu_si512(lower.as_ptr().cast()), b);
            let upper = _mm512_permutex2var_epi32(a, _mm512_loadu_si512(upper.as_ptr().cast()), b);
            let mixed =
                _mm512_xor_si512(_mm512_shrdi_epi32::<27>(lower, upper), _mm512_srli_epi32::<13>(upper));
            let words = _mm512_rorv_epi32(mixed, _mm512_srli_epi32::<27>(upper));
            let even = _mm512_srli_epi64::<32>(_mm512_mul_epu32(words, by));
            let odd = _mm512_mul_epu32(_mm512_srli_epi64::<32>(words), _mm512_srli_epi64::<32>(by));
            let both = _mm512_mask_blend_epi32(0xAAAA, even, odd);
            _mm512_storeu_si512(places.as_mut_ptr().add(few * FEW).cast(), both);
        }
    }
    places
}

/// The lanes that are drawn at a time.
const FEW: usize = 16;

/// The numbers of the lower or the upper halves of sixteen numbers of 64 bits.
const fn halves(first: u32) -> [u32; FEW] {
    let (mut numbers, mut lane) = ([0; FEW], 0);
    while lane < FEW {
        numbers[lane] = 2 * lane as u32 + first;
        lane += 1;
    }
    numbers
}

/// The shuffle of [`bytes_of`].
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn spread(part: usize, bytes: usize) -> __m512i {
    let [even, odd] = bytes_of(part, bytes);
    _mm512_set4_epi64(odd, even, odd, even)
}

/// The words times `limit` over 2³², in fixed point. Each 64 bits hold one result of the first part below one of the
/// second, shifted up by `up` bits, with the fraction below.
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn paired_long(words: [__m512i; 2], limit: u16, up: u32) -> __m512i {
    let by = _mm512_set1_epi64(i64::from(limit) << up);
    let (a, b) = (_mm512_mul_epu32(words[0], by), _mm512_mul_epu32(words[1], by));
    let (a, b) = (_mm512_castsi512_ps(a), _mm512_castsi512_ps(b));
    _mm512_castps_si512(_mm512_shuffle_ps::<0b11_01_11_01>(a, b))
}
