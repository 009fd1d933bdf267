//! Lanes of 8 bits: twice as many, for games whose numbers are small.

use std::arch::x86_64::*;

use super::{Avx2, Avx512, avx2, avx512};
use crate::lanes::simd::{Job, LaneTable, MOST_NARROW, MOST_PARTS, Machine, Places, Vector};

/// 64 lanes.
#[derive(Clone, Copy, Debug)]
pub(in crate::lanes) struct NarrowAvx512(pub(super) Avx512);

/// 32 lanes.
#[derive(Clone, Copy, Debug)]
pub(in crate::lanes) struct NarrowAvx2(pub(super) Avx2);

/// A job for narrow lanes, wrapped as a job for wide ones.
struct Narrowed<J>(J);

impl<J: Job<NarrowAvx512>> Job<Avx512> for Narrowed<J> {
    type Output = J::Output;

    #[inline(always)]
    fn run(self, wide: Avx512) -> J::Output {
        self.0.run(wide.narrow())
    }
}

impl<J: Job<NarrowAvx2>> Job<Avx2> for Narrowed<J> {
    type Output = J::Output;

    #[inline(always)]
    fn run(self, wide: Avx2) -> J::Output {
        self.0.run(wide.narrow())
    }
}

/// Operations that do not depend on the width of a lane: they call those of the wide lanes.
macro_rules! as_wide {
    ($v:ty, $bits:ty) => {
        #[inline(always)]
        fn outlined<J: Job<Self>>(self, job: J) -> J::Output {
            self.0.outlined(Narrowed(job))
        }

        inlined! {
            whole(self, v: $v) -> $v { v }
            load_part(self, values: &Places) -> $v { self.0.load_part(values) }
            store_part(self, q: $v, values: &mut Places) -> () { self.0.store_part(q, values); }
            splat_part(self, value: u64) -> $v { self.0.splat_part(value) }
            add_part(self, a: $v, b: $v) -> $v { self.0.add_part(a, b) }
            mul_part(self, a: $v, b: $v) -> $v { self.0.mul_part(a, b) }
        }

        #[inline(always)]
        fn shr_part<const N: u32>(self, a: $v) -> $v {
            self.0.shr_part::<N>(a)
        }

        #[inline(always)]
        fn xor_shr<const N: u32>(self, a: $v) -> $v {
            self.0.xor_shr::<N>(a)
        }

        inlined! {
            pcg_words(self, states: [$v; 2]) -> [$v; 2] { self.0.pcg_words(states) }
            rests(self, words: [$v; 2], limit: u16) -> [$v; 2] { self.0.rests(words, limit) }
            select_part(self, mask: $v, a: $v, b: $v) -> $v { self.0.select_part(mask, a, b) }
            shift_in(self, a: $v, by: $v, low: $v) -> $v { self.0.shift_in(a, by, low) }
            no_bits(self) -> $bits { self.0.no_bits() }
            count_bits(self, counts: $bits, word: u64) -> $bits { self.0.count_bits(counts, word) }
            bit_counts(self, counts: $bits) -> [u8; 64] { self.0.bit_counts(counts) }
        }
    };
}

impl Vector for NarrowAvx512 {
    const LANES: usize = 64;
    const PARTS: usize = 8;
    const LARGEST: u16 = u8::MAX as u16;
    const IN_LINE: bool = true;
    const NAME: &'static str = Avx512::NAME;
    type V = __m512i;
    /// All bits of a lane set, or none. As 64-bit numbers, like the instructions' masks, the masks would be moved to
    /// scalar registers and back.
    type M = __m512i;
    type Q = __m512i;
    type K = __m512i;
    type Bits = __m512i;
    type Numbers = [u8; MOST_NARROW];
    type Column = [i32; MOST_NARROW];
    const ZEROS: Self::Column = [0; MOST_NARROW];

    as_wide!(__m512i, __m512i);

    ops! {
        splat(value: u16) -> __m512i { _mm512_set1_epi8(value as i8) }
        load(values: &[u8; MOST_NARROW]) -> __m512i { _mm512_loadu_si512(values.as_ptr().cast()) }
        store(v: __m512i, values: &mut [u8; MOST_NARROW]) -> () { _mm512_storeu_si512(values.as_mut_ptr().cast(), v) }
        and(a: __m512i, b: __m512i) -> __m512i { _mm512_and_si512(a, b) }
        or(a: __m512i, b: __m512i) -> __m512i { _mm512_or_si512(a, b) }
        and_not(a: __m512i, b: __m512i) -> __m512i { _mm512_andnot_si512(b, a) }
        add(a: __m512i, b: __m512i) -> __m512i { _mm512_add_epi8(a, b) }
        sub(a: __m512i, b: __m512i) -> __m512i { _mm512_sub_epi8(a, b) }
        count(mask: __m512i, a: __m512i) -> __m512i { _mm512_sub_epi8(a, mask) }
        mul(a: __m512i, b: __m512i) -> __m512i {
            let even = _mm512_mullo_epi16(a, b);
            let odd = _mm512_mullo_epi16(_mm512_srli_epi16::<8>(a), _mm512_srli_epi16::<8>(b));
            _mm512_mask_blend_epi8(0xAAAA_AAAA_AAAA_AAAA, even, _mm512_slli_epi16::<8>(odd))
        }
        mul_saturating(a: __m512i, b: __m512i) -> __m512i {
            let low = _mm512_set1_epi16(0xFF);
            let even = _mm512_mullo_epi16(_mm512_and_si512(a, low), _mm512_and_si512(b, low));
            let odd = _mm512_mullo_epi16(_mm512_srli_epi16::<8>(a), _mm512_srli_epi16::<8>(b));
            let (even, odd) = (_mm512_min_epu16(even, low), _mm512_min_epu16(odd, low));
            _mm512_or_si512(even, _mm512_slli_epi16::<8>(odd))
        }
        min(a: __m512i, b: __m512i) -> __m512i { _mm512_min_epu8(a, b) }
        add_saturating(a: __m512i, b: __m512i) -> __m512i { _mm512_adds_epu8(a, b) }
        eq(a: __m512i, b: __m512i) -> __m512i { _mm512_movm_epi8(_mm512_cmpeq_epi8_mask(a, b)) }
        at_least(a: __m512i, b: __m512i) -> __m512i { _mm512_movm_epi8(_mm512_cmpge_epu8_mask(a, b)) }
        mask_and(a: __m512i, b: __m512i) -> __m512i { _mm512_and_si512(a, b) }
        mask_or(a: __m512i, b: __m512i) -> __m512i { _mm512_or_si512(a, b) }
        mask_and_not(a: __m512i, b: __m512i) -> __m512i { _mm512_andnot_si512(b, a) }
        select(mask: __m512i, a: __m512i, b: __m512i) -> __m512i { _mm512_ternarylogic_epi64::<0xCA>(mask, a, b) }
        zero_unless(mask: __m512i, a: __m512i) -> __m512i { _mm512_and_si512(mask, a) }
        zero_where(mask: __m512i, a: __m512i) -> __m512i { _mm512_andnot_si512(mask, a) }
        bits(mask: __m512i) -> u64 { _mm512_movepi8_mask(mask) }
        mask(bits: u64) -> __m512i { _mm512_movm_epi8(bits) }
        chosen(mask: __m512i, part: usize) -> __m512i { _mm512_shuffle_epi8(mask, avx512::spread(part, 1)) }
        widened(v: __m512i, part: usize) -> __m512i {
            _mm512_and_si512(_mm512_srl_epi64(v, _mm_cvtsi32_si128(8 * part as i32)), _mm512_set1_epi64(0xFF))
        }
    }

    #[inline(always)]
    fn gather(self, table: &LaneTable, index: __m512i) -> __m512i {
        let entries = table.narrow();
        // SAFETY: `self` is the proof; the length is looked at before so much is read.
        unsafe {
            let part = |number: usize| _mm512_loadu_si512(entries.as_ptr().add(64 * number).cast());
            match entries.len() {
                64 => _mm512_permutexvar_epi8(index, part(0)),
                128 => _mm512_permutex2var_epi8(part(0), index, part(1)),
                256 => {
                    let low = _mm512_permutex2var_epi8(part(0), index, part(1));
                    let high = _mm512_permutex2var_epi8(part(2), index, part(3));
                    _mm512_mask_blend_epi8(_mm512_movepi8_mask(index), low, high)
                }
                _ => unreachable!("lanes of 8 bits look up tables of 8 bits"),
            }
        }
    }

    #[inline(always)]
    fn scaled(self, words: &[[__m512i; 2]; MOST_PARTS / 2], limit: u16) -> __m512i {
        op!({
            let mut all = avx512::paired_long(words[0], limit, 0);
            for (pair, &words) in (0..).zip(words).skip(1) {
                let byte = _mm512_set1_epi32(0xFF << (8 * pair));
                all =
                    _mm512_ternarylogic_epi64::<0xCA>(byte, avx512::paired_long(words, limit, 8 * pair), all);
            }
            all
        })
    }
}

impl Vector for NarrowAvx2 {
    const LANES: usize = 32;
    const PARTS: usize = 8;
    const LARGEST: u16 = u8::MAX as u16;
    const IN_LINE: bool = true;
    const NAME: &'static str = Avx2::NAME;
    type V = __m256i;
    /// All bits of a lane set, or none.
    type M = __m256i;
    type Q = __m256i;
    type K = __m256i;
    type Bits = [__m256i; 2];
    type Numbers = [u8; MOST_NARROW];
    type Column = [i32; MOST_NARROW];
    const ZEROS: Self::Column = [0; MOST_NARROW];

    as_wide!(__m256i, [__m256i; 2]);

    ops! {
        splat(value: u16) -> __m256i { _mm256_set1_epi8(value as i8) }
        load(values: &[u8; MOST_NARROW]) -> __m256i { _mm256_loadu_si256(values.as_ptr().cast()) }
        store(v: __m256i, values: &mut [u8; MOST_NARROW]) -> () { _mm256_storeu_si256(values.as_mut_ptr().cast(), v) }
        and(a: __m256i, b: __m256i) -> __m256i { _mm256_and_si256(a, b) }
        or(a: __m256i, b: __m256i) -> __m256i { _mm256_or_si256(a, b) }
        and_not(a: __m256i, b: __m256i) -> __m256i { _mm256_andnot_si256(b, a) }
        add(a: __m256i, b: __m256i) -> __m256i { _mm256_add_epi8(a, b) }
        sub(a: __m256i, b: __m256i) -> __m256i { _mm256_sub_epi8(a, b) }
        count(mask: __m256i, a: __m256i) -> __m256i { _mm256_sub_epi8(a, mask) }
        mul(a: __m256i, b: __m256i) -> __m256i {
            let even = _mm256_and_si256(_mm256_mullo_epi16(a, b), _mm256_set1_epi16(0xFF));
            let odd = _mm256_mullo_epi16(_mm256_srli_epi16::<8>(a), _mm256_srli_epi16::<8>(b));
            _mm256_or_si256(even, _mm256_slli_epi16::<8>(odd))
        }
        mul_saturating(a: __m256i, b: __m256i) -> __m256i {
            let low = _mm256_set1_epi16(0xFF);
            let even = _mm256_mullo_epi16(_mm256_and_si256(a, low), _mm256_and_si256(b, low));
            let odd = _mm256_mullo_epi16(_mm256_srli_epi16::<8>(a), _mm256_srli_epi16::<8>(b));
            let (even, odd) = (_mm256_min_epu16(even, low), _mm256_min_epu16(odd, low));
            _mm256_or_si256(even, _mm256_slli_epi16::<8>(odd))
        }
        min(a: __m256i, b: __m256i) -> __m256i { _mm256_min_epu8(a, b) }
        add_saturating(a: __m256i, b: __m256i) -> __m256i { _mm256_adds_epu8(a, b) }
        eq(a: __m256i, b: __m256i) -> __m256i { _mm256_cmpeq_epi8(a, b) }
        at_least(a: __m256i, b: __m256i) -> __m256i { _mm256_cmpeq_epi8(_mm256_max_epu8(a, b), a) }
        mask_and(a: __m256i, b: __m256i) -> __m256i { _mm256_and_si256(a, b) }
        mask_or(a: __m256i, b: __m256i) -> __m256i { _mm256_or_si256(a, b) }
        mask_and_not(a: __m256i, b: __m256i) -> __m256i { _mm256_andnot_si256(b, a) }
        select(mask: __m256i, a: __m256i, b: __m256i) -> __m256i { _mm256_blendv_epi8(b, a, mask) }
        zero_unless(mask: __m256i, a: __m256i) -> __m256i { _mm256_and_si256(a, mask) }
        zero_where(mask: __m256i, a: __m256i) -> __m256i { _mm256_andnot_si256(mask, a) }
        bits(mask: __m256i) -> u64 { u64::from(_mm256_movemask_epi8(mask) as u32) }
        mask(bits: u64) -> __m256i {
            // Each byte of the bits eight times, and of each one bit.
            let bytes = _mm256_set_epi64x(0x0303_0303_0303_0303, 0x0202_0202_0202_0202, 0x0101_0101_0101_0101, 0);
            let bit = _mm256_set1_epi64x(0x8040_2010_0804_0201_u64 as i64);
            let spread = _mm256_shuffle_epi8(_mm256_set1_epi32(bits as i32), bytes);
            _mm256_cmpeq_epi8(_mm256_and_si256(spread, bit), bit)
        }
        chosen(mask: __m256i, part: usize) -> __m256i {
            _mm256_shuffle_epi8(mask, avx2::spread(part, 1))
        }
        widened(v: __m256i, part: usize) -> __m256i {
            _mm256_and_si256(_mm256_srl_epi64(v, _mm_cvtsi32_si128(8 * part as i32)), _mm256_set1_epi64x(0xFF))
        }
    }

    /// Byte shuffles look up 16 bytes, and give 0 for an index past them.
    #[inline(always)]
    fn gather(self, table: &LaneTable, index: __m256i) -> __m256i {
        if table.last() < 16
            && let Some(sixteen) = table.narrow().first_chunk::<16>()
        {
            // SAFETY: `self` is the proof, and so many bytes are there.
            return unsafe {
                let sixteen = _mm256_broadcastsi128_si256(_mm_loadu_si128(sixteen.as_ptr().cast()));
                _mm256_shuffle_epi8(sixteen, index)
            };
        }
        let mut found = self.splat(0);
        // Past the last sixteen nothing is found, which is no entry: a lane that asks so does not look at the answer.
        for (number, sixteen) in
            (0..).zip(table.narrow().chunks_exact(16)).take(usize::from(table.last()) / 16 + 1)
        {
            // SAFETY: `self` is the proof, and so many bytes are there.
            found = unsafe {
                let sixteen = _mm256_broadcastsi128_si256(_mm_loadu_si128(sixteen.as_ptr().cast()));
                let place = _mm256_sub_epi8(index, _mm256_set1_epi8(number << 4));
                // Past them the highest bit is set.
                let place = _mm256_adds_epu8(place, _mm256_set1_epi8(0x70));
                _mm256_or_si256(found, _mm256_shuffle_epi8(sixteen, place))
            };
        }
        found
    }

    #[inline(always)]
    fn scaled(self, words: &[[__m256i; 2]; MOST_PARTS / 2], limit: u16) -> __m256i {
        op!({
            let low = _mm256_or_si256(
                avx2::paired(words[0], limit),
                _mm256_slli_epi32::<8>(avx2::paired(words[1], limit)),
            );
            let high = _mm256_or_si256(
                avx2::paired(words[2], limit),
                _mm256_slli_epi32::<8>(avx2::paired(words[3], limit)),
            );
            _mm256_or_si256(low, _mm256_slli_epi32::<16>(high))
        })
    }
}
