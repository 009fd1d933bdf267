//! AVX2 on lanes of 16 bits.

use std::arch::x86_64::*;

use super::{Avx2, avx2_outlined, bytes_of};
use crate::lanes::simd::{
    Column, DRAWN, Generators, Job, LaneTable, MOST_LANES, MOST_PARTS, Machine, PCG_MULTIPLIER, Places,
    Vector, Vector16,
};

impl Vector for Avx2 {
    const LANES: usize = 16;
    const PARTS: usize = 4;
    const LARGEST: u16 = u16::MAX;
    const IN_LINE: bool = true;
    const NAME: &'static str = "avx2";
    type V = __m256i;
    /// All bits of a lane set, or none.
    type M = __m256i;
    type Q = __m256i;
    /// All bits of a number set, or none.
    type K = __m256i;
    type Bits = [__m256i; 2];
    type Numbers = [u16; MOST_LANES];
    type Column = Column;
    const ZEROS: Column = [0; MOST_LANES];

    #[inline(always)]
    fn outlined<J: Job<Self>>(self, job: J) -> J::Output {
        op!(avx2_outlined(self, job))
    }

    ops! {
        splat(value: u16) -> __m256i { _mm256_set1_epi16(value as i16) }
        load(values: &[u16; MOST_LANES]) -> __m256i { _mm256_loadu_si256(values.as_ptr().cast()) }
        store(v: __m256i, values: &mut [u16; MOST_LANES]) -> () { _mm256_storeu_si256(values.as_mut_ptr().cast(), v) }
        and(a: __m256i, b: __m256i) -> __m256i { _mm256_and_si256(a, b) }
        or(a: __m256i, b: __m256i) -> __m256i { _mm256_or_si256(a, b) }
        and_not(a: __m256i, b: __m256i) -> __m256i { _mm256_andnot_si256(b, a) }
        add(a: __m256i, b: __m256i) -> __m256i { _mm256_add_epi16(a, b) }
        sub(a: __m256i, b: __m256i) -> __m256i { _mm256_sub_epi16(a, b) }
        count(mask: __m256i, a: __m256i) -> __m256i { _mm256_sub_epi16(a, mask) }
        mul(a: __m256i, b: __m256i) -> __m256i { _mm256_mullo_epi16(a, b) }
        min(a: __m256i, b: __m256i) -> __m256i { _mm256_min_epu16(a, b) }
        add_saturating(a: __m256i, b: __m256i) -> __m256i { _mm256_adds_epu16(a, b) }
        eq(a: __m256i, b: __m256i) -> __m256i { _mm256_cmpeq_epi16(a, b) }
        at_least(a: __m256i, b: __m256i) -> __m256i { _mm256_cmpeq_epi16(_mm256_max_epu16(a, b), a) }
        mask_and(a: __m256i, b: __m256i) -> __m256i { _mm256_and_si256(a, b) }
        mask_or(a: __m256i, b: __m256i) -> __m256i { _mm256_or_si256(a, b) }
        mask_and_not(a: __m256i, b: __m256i) -> __m256i { _mm256_andnot_si256(b, a) }
        select(mask: __m256i, a: __m256i, b: __m256i) -> __m256i { _mm256_blendv_epi8(b, a, mask) }
        zero_unless(mask: __m256i, a: __m256i) -> __m256i { _mm256_and_si256(a, mask) }
        zero_where(mask: __m256i, a: __m256i) -> __m256i { _mm256_andnot_si256(mask, a) }
        load_part(values: &Places) -> __m256i { _mm256_loadu_si256(values.as_ptr().cast()) }
        store_part(q: __m256i, values: &mut Places) -> () { _mm256_storeu_si256(values.as_mut_ptr().cast(), q) }
        splat_part(value: u64) -> __m256i { _mm256_set1_epi64x(value as i64) }
        add_part(a: __m256i, b: __m256i) -> __m256i { _mm256_add_epi64(a, b) }
        chosen(mask: __m256i, part: usize) -> __m256i {
            _mm256_shuffle_epi8(mask, spread(part, 2))
        }
        select_part(mask: __m256i, a: __m256i, b: __m256i) -> __m256i {
            // Byte by byte. Of numbers chosen whole the compiler makes masked stores, which are slow on some machines.
            _mm256_blendv_epi8(b, a, mask)
        }
        widened(v: __m256i, part: usize) -> __m256i {
            _mm256_and_si256(_mm256_srl_epi64(v, _mm_cvtsi32_si128(16 * part as i32)), _mm256_set1_epi64x(0xFFFF))
        }
        shift_in(a: __m256i, by: __m256i, low: __m256i) -> __m256i { _mm256_or_si256(_mm256_sllv_epi64(a, by), low) }
        no_bits() -> [__m256i; 2] { [_mm256_setzero_si256(); 2] }
    }

    #[inline(always)]
    fn gather(self, table: &LaneTable, index: __m256i) -> __m256i {
        if let Ok(small) = table.entries().try_into() {
            // SAFETY: `self` is the proof.
            let [low, high] = unsafe { [sixteen(small, 0, index), sixteen(small, 16, index)] };
            return self.select(self.meets(index, self.splat(16)), high, low);
        }
        let index = self.min(index, self.splat(table.last()));
        // SAFETY: `self` is the proof; a gather reads four bytes at each index, and the table has an entry more than
        // the index is clamped to, or was filled up.
        unsafe {
            let entries = table.entries().as_ptr().cast();
            let low = _mm256_cvtepu16_epi32(_mm256_castsi256_si128(index));
            let high = _mm256_cvtepu16_epi32(_mm256_extracti128_si256::<1>(index));
            let lower_halves = _mm256_set1_epi32(0xFFFF);
            let low = _mm256_and_si256(_mm256_i32gather_epi32::<2>(entries, low), lower_halves);
            let high = _mm256_and_si256(_mm256_i32gather_epi32::<2>(entries, high), lower_halves);
            _mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_packus_epi32(low, high))
        }
    }

    inlined! { whole(self, v: __m256i) -> __m256i { v } }

    #[inline(always)]
    fn bits(self, mask: __m256i) -> u64 {
        let bytes = op!(_mm256_movemask_epi8(_mm256_packs_epi16(mask, _mm256_setzero_si256()))) as u32;
        u64::from(bytes & 0xFF | bytes >> 8 & 0xFF00)
    }

    #[inline(always)]
    fn mask(self, bits: u64) -> __m256i {
        let mut lanes = [0; MOST_LANES];
        for (lane, bit) in lanes.iter_mut().enumerate().take(16) {
            *bit = 1 << lane;
        }
        self.meets(self.splat(bits as u16), self.load(&lanes))
    }

    /// The product of the lower halves, plus the cross products of lower and upper halves, shifted up.
    #[inline(always)]
    fn mul_part(self, a: __m256i, b: __m256i) -> __m256i {
        op!({
            let swapped = _mm256_shuffle_epi32::<0b10_11_00_01>;
            let crossed = _mm256_mullo_epi32(a, swapped(b));
            let crossed = _mm256_add_epi32(crossed, swapped(crossed));
            let upper = _mm256_and_si256(crossed, _mm256_set1_epi64x(!0xFFFF_FFFF));
            _mm256_add_epi64(_mm256_mul_epu32(a, b), upper)
        })
    }

    #[inline(always)]
    fn shr_part<const N: u32>(self, a: __m256i) -> __m256i {
        op!(_mm256_srl_epi64(a, _mm_cvtsi32_si128(N as i32)))
    }

    #[inline(always)]
    fn xor_shr<const N: u32>(self, a: __m256i) -> __m256i {
        op!(_mm256_xor_si256(a, _mm256_srl_epi64(a, _mm_cvtsi32_si128(N as i32))))
    }

    #[inline(always)]
    fn mul_saturating(self, a: __m256i, b: __m256i) -> __m256i {
        let upper = op!(_mm256_mulhi_epu16(a, b));
        self.or(self.mul(a, b), self.meets(upper, upper))
    }

    /// As with AVX-512, except for the shift of two numbers into one and the rotation.
    #[inline(always)]
    fn pcg_words(self, states: [__m256i; 2]) -> [__m256i; 2] {
        op!({
            let (a, b) = (_mm256_castsi256_ps(states[0]), _mm256_castsi256_ps(states[1]));
            let upper = _mm256_castps_si256(_mm256_shuffle_ps::<0b11_01_11_01>(a, b));
            let a = _mm256_castsi256_ps(_mm256_srli_epi64::<27>(states[0]));
            let b = _mm256_castsi256_ps(_mm256_srli_epi64::<27>(states[1]));
            let middle = _mm256_castps_si256(_mm256_shuffle_ps::<0b10_00_10_00>(a, b));
            let mixed = _mm256_xor_si256(middle, _mm256_srli_epi32::<13>(upper));
            let by = _mm256_srli_epi32::<27>(upper);
            // Up by one and by the rest of 31: to shift by 32 would be to choose.
            let back = _mm256_xor_si256(by, _mm256_set1_epi32(31));
            let doubled = _mm256_add_epi32(mixed, mixed);
            let words = _mm256_or_si256(_mm256_srlv_epi32(mixed, by), _mm256_sllv_epi32(doubled, back));
            [words, _mm256_castps_si256(_mm256_movehdup_ps(_mm256_castsi256_ps(words)))]
        })
    }

    #[inline(always)]
    fn scaled(self, words: &[[__m256i; 2]; MOST_PARTS / 2], limit: u16) -> __m256i {
        op!({
            let (low, high) = (paired(words[0], limit), paired(words[1], limit));
            _mm256_or_si256(low, _mm256_slli_epi32::<16>(high))
        })
    }

    #[inline(always)]
    fn rests(self, words: [__m256i; 2], limit: u16) -> [__m256i; 2] {
        op!({
            let by = _mm256_set1_epi64x(limit.into());
            [_mm256_mul_epu32(words[0], by), _mm256_mul_epu32(words[1], by)]
        })
    }

    #[inline(always)]
    fn count_bits(self, counts: [__m256i; 2], word: u64) -> [__m256i; 2] {
        let (low, high) = (self.narrow().mask(word), self.narrow().mask(word >> 32));
        op!([_mm256_sub_epi8(counts[0], low), _mm256_sub_epi8(counts[1], high)])
    }

    #[inline(always)]
    fn bit_counts(self, counts: [__m256i; 2]) -> [u8; 64] {
        let mut out = [0; 64];
        for (half, counts) in out.chunks_exact_mut(32).zip(counts) {
            op!(_mm256_storeu_si256(half.as_mut_ptr().cast(), counts));
        }
        out
    }
}

impl Vector16 for Avx2 {
    ops! {
        shl(a: __m256i, by: u32) -> __m256i { _mm256_sll_epi16(a, _mm_cvtsi32_si128(by as i32)) }
        shr(a: __m256i, by: u32) -> __m256i { _mm256_srl_epi16(a, _mm_cvtsi32_si128(by as i32)) }
        meets(a: __m256i, b: __m256i) -> __m256i {
            _mm256_xor_si256(_mm256_cmpeq_epi16(_mm256_and_si256(a, b), _mm256_setzero_si256()), _mm256_set1_epi8(-1))
        }
    }

    #[inline(always)]
    fn compress(self, mask: __m256i, v: __m256i, out: &mut [u16; MOST_LANES]) {
        let mut values = [0; MOST_LANES];
        self.store(v, &mut values);
        let mut bits = self.bits(mask);
        let mut next = 0;
        while bits != 0 {
            out[next % MOST_LANES] = values[bits.trailing_zeros() as usize % MOST_LANES];
            bits &= bits - 1;
            next += 1;
        }
    }

    #[inline(always)]
    fn lookup_16(self, table: &[u16; 32], index: __m256i) -> __m256i {
        op!(sixteen(table, 0, index))
    }

    /// Looks up the counts of half bytes and adds them.
    #[inline(always)]
    fn count_ones(self, a: __m256i) -> __m256i {
        op!({
            let counts =
                _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4));
            let half_bytes = _mm256_set1_epi8(15);
            let low = _mm256_shuffle_epi8(counts, _mm256_and_si256(a, half_bytes));
            let high = _mm256_shuffle_epi8(counts, _mm256_and_si256(_mm256_srli_epi16::<4>(a), half_bytes));
            _mm256_maddubs_epi16(_mm256_add_epi8(low, high), _mm256_set1_epi8(1))
        })
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
        match states.len().min(increments.len()) {
            1 => self.draw_of::<1>(states, increments, whose, mask, weights),
            2 => self.draw_of::<2>(states, increments, whose, mask, weights),
            _ => self.draw_of::<0>(states, increments, whose, mask, weights),
        }
    }
}

/// The lanes that are drawn at a time.
const FEW: usize = 8;

impl Avx2 {
    /// [`Vector16::draw`] for so many seats, or any number if none is said. Loops count their seats: iterators are not
    /// always inlined.
    #[inline(always)]
    #[allow(clippy::needless_range_loop, reason = "the reason is given above")]
    fn draw_of<const SEATS: usize>(
        self,
        states: &mut [Generators],
        increments: &[Generators],
        whose: &[u8; DRAWN],
        mask: &[i8; DRAWN],
        weights: &[u32; DRAWN],
    ) -> [u32; DRAWN] {
        let mut places = [0; DRAWN];
        let seats = if SEATS > 0 { SEATS } else { states.len().min(increments.len()) };
        let (states, increments) = (&mut states[..seats], &increments[..seats]);
        let multiplier = self.splat_part(PCG_MULTIPLIER);
        for few in 0..DRAWN / FEW {
            op!({
                let by = _mm256_loadu_si256(weights.as_ptr().add(few * FEW).cast());
                let here = _mm256_cvtepi8_epi32(_mm_loadl_epi64(mask.as_ptr().add(few * FEW).cast()));
                let moved = _mm256_andnot_si256(_mm256_cmpeq_epi32(by, _mm256_setzero_si256()), here);
                let moved = [_mm256_castsi256_si128(moved), _mm256_extracti128_si256::<1>(moved)];
                let mut halves = [_mm256_setzero_si256(); 2];
                for half in 0..2 {
                    let (at, moved) = (few * FEW + half * FEW / 2, _mm256_cvtepi32_epi64(moved[half]));
                    let (mut state, mut increment) = (halves[half], halves[half]);
                    for seat in 0..seats {
                        let own = self.are_of::<SEATS>(whose, at, seat);
                        let states = _mm256_loadu_si256(states[seat].0.as_ptr().add(at).cast());
                        let increments = _mm256_loadu_si256(increments[seat].0.as_ptr().add(at).cast());
                        state = _mm256_or_si256(state, _mm256_and_si256(states, own));
                        increment = _mm256_or_si256(increment, _mm256_and_si256(increments, own));
                    }
                    let next = self.add_part(self.mul_part(state, multiplier), increment);
                    for seat in 0..seats {
                        let states = states[seat].0.as_mut_ptr().add(at).cast();
                        let moved = _mm256_and_si256(moved, self.are_of::<SEATS>(whose, at, seat));
                        let next = self.select_part(moved, next, _mm256_loadu_si256(states));
                        _mm256_storeu_si256(states, next);
                    }
                    halves[half] = state;
                }
                // Two words of the first half, two of the second, and so on.
                let [words, _] = self.pcg_words(halves);
                let words = _mm256_permute4x64_epi64::<0b11_01_10_00>(words);
                let even = _mm256_srli_epi64::<32>(_mm256_mul_epu32(words, by));
                let odd = _mm256_mul_epu32(_mm256_srli_epi64::<32>(words), _mm256_srli_epi64::<32>(by));
                let both = _mm256_blend_epi32::<0b1010_1010>(even, odd);
                _mm256_storeu_si256(places.as_mut_ptr().add(few * FEW).cast(), both);
            });
        }
        places
    }

    /// All bits of four lanes whose seat it is.
    #[inline(always)]
    fn are_of<const SEATS: usize>(self, whose: &[u8; DRAWN], at: usize, seat: usize) -> __m256i {
        op!({
            if SEATS == 1 {
                _mm256_set1_epi8(-1)
            } else {
                let whose = _mm_loadu_si32(whose.as_ptr().add(at));
                _mm256_cmpeq_epi64(_mm256_cvtepu8_epi64(whose), _mm256_set1_epi64x(seat as i64))
            }
        })
    }
}

/// The shuffle of [`bytes_of`].
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn spread(part: usize, bytes: usize) -> __m256i {
    let [even, odd] = bytes_of(part, bytes);
    _mm256_set_epi64x(odd, even, odd, even)
}

/// The words times `limit` over 2³², in fixed point. Each 64 bits hold one result of the first part below one of the
/// second, with the fraction below.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn paired(words: [__m256i; 2], limit: u16) -> __m256i {
    let by = _mm256_set1_epi64x(limit.into());
    let (a, b) = (_mm256_mul_epu32(words[0], by), _mm256_mul_epu32(words[1], by));
    let (a, b) = (_mm256_castsi256_ps(a), _mm256_castsi256_ps(b));
    _mm256_castps_si256(_mm256_shuffle_ps::<0b11_01_11_01>(a, b))
}

/// For each lane, the entry at the index in its lowest four bits, of the sixteen entries from `first` on. A byte shuffle
/// looks up sixteen bytes: once for the lower bytes of the entries, once for the upper ones.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn sixteen(table: &[u16; 32], first: usize, index: __m256i) -> __m256i {
    let eight = |from: usize| {
        let entries = &table[from..][..8];
        // SAFETY: eight numbers of 16 bits are there.
        unsafe { _mm_loadu_si128(entries.as_ptr().cast()) }
    };
    let (a, b, low_bytes) = (eight(first), eight(first + 8), _mm_set1_epi16(0xFF));
    let low = _mm_packus_epi16(_mm_and_si128(a, low_bytes), _mm_and_si128(b, low_bytes));
    let high = _mm_packus_epi16(_mm_srli_epi16::<8>(a), _mm_srli_epi16::<8>(b));
    let place = _mm256_and_si256(index, _mm256_set1_epi16(15));
    let low_place = _mm256_or_si256(place, _mm256_set1_epi16(0x8000_u16 as i16));
    let high_place = _mm256_or_si256(_mm256_slli_epi16::<8>(place), _mm256_set1_epi16(0x0080));
    let low = _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(low), low_place);
    _mm256_or_si256(low, _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(high), high_place))
}
