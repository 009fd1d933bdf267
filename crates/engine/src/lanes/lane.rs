//! Vectors with operators: `a >> 1 & b` for `simd.and(simd.shr(a, 1), b)`.
//!
//! A [`Lane`] is a vector together with the proof that the machine has its instructions. The proof has size zero.

use std::ops::{Add, BitAnd, BitOr, Shl, Shr, Sub};

use super::simd::{LaneTable, Numbers, Vector, Vector16};
use crate::bitboard::{Bitboard, Number, Truth};

/// A vector with operators: a number in every lane. Arithmetic wraps.
#[derive(Clone, Copy, Debug)]
pub struct Lane<S: Vector> {
    /// The proof that the machine has the instructions.
    pub simd: S,
    /// The vector.
    pub v: S::V,
}

/// A mask with operators: a truth value in every lane.
#[derive(Clone, Copy, Debug)]
pub struct Mask<S: Vector> {
    /// The proof that the machine has the instructions.
    pub simd: S,
    /// The mask.
    pub m: S::M,
}

impl<S: Vector> Lane<S> {
    /// The same number in every lane.
    #[inline(always)]
    pub fn splat(simd: S, number: u16) -> Self {
        Self { simd, v: simd.splat(number) }
    }

    /// Wraps a vector.
    #[inline(always)]
    pub fn new(simd: S, v: S::V) -> Self {
        Self { simd, v }
    }

    /// Loads an array, one number per lane.
    #[inline(always)]
    pub fn load(simd: S, numbers: &S::Numbers) -> Self {
        Self { simd, v: simd.load(numbers) }
    }

    inlined! {
        with(self, v: S::V) -> Self { Self { v, ..self } }
        mask(self, m: S::M) -> Mask<S> { Mask { simd: self.simd, m } }
    }

    /// This value, but 0 where the mask holds.
    #[inline(always)]
    pub fn zero_where(self, mask: Mask<S>) -> Self {
        self.with(self.simd.zero_where(mask.m, self.v))
    }

    /// This value, but 0 where the mask does not hold.
    #[inline(always)]
    pub fn zero_unless(self, mask: Mask<S>) -> Self {
        self.with(self.simd.zero_unless(mask.m, self.v))
    }

    /// `yes` where the mask holds, else `no`.
    #[inline(always)]
    pub fn select(mask: Mask<S>, yes: Self, no: Self) -> Self {
        yes.with(yes.simd.select(mask.m, yes.v, no.v))
    }

    /// This value, plus 1 where the mask holds.
    #[inline(always)]
    pub fn count(self, mask: Mask<S>) -> Self {
        self.with(self.simd.count(mask.m, self.v))
    }

    /// The constant `number` in every lane.
    #[inline(always)]
    pub fn alike(self, number: u16) -> Self {
        self.with(self.simd.splat(number))
    }

    /// The bits of this value that are not set in `other`.
    #[inline(always)]
    pub fn and_not(self, other: Self) -> Self {
        self.with(self.simd.and_not(self.v, other.v))
    }

    /// The entry of a table at the index in each lane; undefined past the end.
    #[inline(always)]
    pub fn entry_of(self, table: &LaneTable) -> Self {
        self.with(self.simd.gather(table, self.v))
    }

    /// Where all bits are set. In every other lane no bit may be set.
    #[inline(always)]
    pub fn whole(self) -> Mask<S> {
        self.mask(self.simd.whole(self.v))
    }

    /// Where both values are equal.
    #[inline(always)]
    pub fn is(self, other: Self) -> Mask<S> {
        self.mask(self.simd.eq(self.v, other.v))
    }

    /// Where this value is at least `other`, unsigned.
    #[inline(always)]
    pub fn is_at_least(self, other: Self) -> Mask<S> {
        self.mask(self.simd.at_least(self.v, other.v))
    }

    /// The lanes as an array, followed by zeros.
    #[inline(always)]
    pub fn to_array(self) -> S::Numbers {
        let mut lanes = S::Numbers::ZEROS;
        self.simd.store(self.v, &mut lanes);
        lanes
    }
}

impl<S: Vector16> Lane<S> {
    /// The lowest bit that is set; 0 for 0.
    #[inline(always)]
    pub fn lowest_bit(self) -> Self {
        self.with(self.simd.lowest_bit(self.v))
    }

    /// The number of bits set.
    #[inline(always)]
    pub fn count_ones(self) -> Self {
        self.with(self.simd.count_ones(self.v))
    }
}

impl<S: Vector> Mask<S> {
    /// The mask with these bits.
    #[inline(always)]
    pub fn of_bits(simd: S, bits: u64) -> Self {
        Self { simd, m: simd.mask(bits) }
    }

    /// Bit *j* for lane *j*.
    #[inline(always)]
    pub fn bits(self) -> u64 {
        self.simd.bits(self.m)
    }
}

macro_rules! operators {
    ($($operator:ident $name:ident $operation:ident;)*) => {$(
        impl<S: Vector> $operator for Lane<S> {
            type Output = Self;

            inlined! { $name(self, other: Self) -> Self { self.with(self.simd.$operation(self.v, other.v)) } }
        }
    )*};
}

operators! {
    BitAnd bitand and;
    BitOr bitor or;
    Add add add;
    Sub sub sub;
}

impl<S: Vector16> Shl<u32> for Lane<S> {
    type Output = Self;

    #[inline(always)]
    fn shl(self, by: u32) -> Self {
        self.with(self.simd.shl(self.v, by))
    }
}

impl<S: Vector16> Shr<u32> for Lane<S> {
    type Output = Self;

    #[inline(always)]
    fn shr(self, by: u32) -> Self {
        self.with(self.simd.shr(self.v, by))
    }
}

impl<S: Vector> BitAnd for Mask<S> {
    type Output = Self;

    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        Self { m: self.simd.mask_and(self.m, other.m), ..self }
    }
}

impl<S: Vector> BitOr for Mask<S> {
    type Output = Self;

    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        Self { m: self.simd.mask_or(self.m, other.m), ..self }
    }
}

impl<S: Vector> Truth for Mask<S> {
    #[inline(always)]
    fn and_not(self, other: Self) -> Self {
        Self { m: self.simd.mask_and_not(self.m, other.m), ..self }
    }
}

impl<S: Vector> Number for Lane<S> {
    type Truth = Mask<S>;

    inlined! {
        alike(self, number: u16) -> Self { Lane::alike(self, number) }
        times(self, number: u16) -> Self { self.with(self.simd.mul(self.v, self.simd.splat(number))) }
        least(self, other: Self) -> Self { self.with(self.simd.min(self.v, other.v)) }
        /// a + b − min(a, b). The sum may wrap; the difference then wraps back.
        greatest(self, other: Self) -> Self { self + other - self.least(other) }
        is(self, other: Self) -> Mask<S> { Lane::is(self, other) }
        is_at_least(self, other: Self) -> Mask<S> { Lane::is_at_least(self, other) }
    }

    #[inline(always)]
    fn select(mask: Mask<S>, yes: Self, no: Self) -> Self {
        Lane::select(mask, yes, no)
    }
}

impl<S: Vector16> Bitboard for Lane<S> {
    type Truth = Mask<S>;
    type Count = Self;

    inlined! {
        alike(self, bits: u16) -> Self { Lane::alike(self, bits) }
        and_not(self, other: Self) -> Self { Lane::and_not(self, other) }
        complement(self) -> Self { Lane::alike(self, u16::MAX).and_not(self) }
        meets(self, other: Self) -> Mask<S> { self.mask(self.simd.meets(self.v, other.v)) }
    }

    #[inline(always)]
    fn select(mask: Mask<S>, yes: Self, no: Self) -> Self {
        Lane::select(mask, yes, no)
    }

    inlined! {
        zero_unless(self, mask: Mask<S>) -> Self { Lane::zero_unless(self, mask) }
        count_thirds(self) -> Self { self.count_ones() }
        look_up(self, table: &[u16; 32]) -> Self { self.with(self.simd.lookup_16(table, self.v)) }
    }
}
