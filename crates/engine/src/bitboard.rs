//! One bit algebra for numbers and for lanes: a rule written over [`Bitboard`] serves one game, or as many games as a
//! vector has lanes.
//!
//! A number is a word for one game; a [`Lane`](crate::lanes::Lane) holds a word for each of several games. Both have
//! the operators of numbers, and the methods here for the remaining operations. A constant is made from an existing
//! word ([`Bitboard::alike`]), because lanes carry the proof of their instruction set.

use std::ops::{Add, BitAnd, BitOr, Shl, Shr, Sub};

/// A truth value, for one game or for each lane.
pub trait Truth: Copy + BitAnd<Output = Self> + BitOr<Output = Self> {
    /// This, and not `other`.
    fn and_not(self, other: Self) -> Self;
}

impl Truth for bool {
    #[inline(always)]
    fn and_not(self, other: Self) -> Self {
        self & !other
    }
}

/// A count, for one game or for each lane.
pub trait Number: Copy + Add<Output = Self> + Sub<Output = Self> {
    /// The result of a comparison.
    type Truth: Truth;

    /// The constant `number`.
    fn alike(self, number: u16) -> Self;
    /// The product with `number`.
    fn times(self, number: u16) -> Self;
    /// The minimum.
    fn least(self, other: Self) -> Self;
    /// The maximum.
    fn greatest(self, other: Self) -> Self;
    /// Whether both are equal.
    fn is(self, other: Self) -> Self::Truth;
    /// Whether this is at least `other`.
    fn is_at_least(self, other: Self) -> Self::Truth;
    /// `yes` where the condition holds, else `no`.
    fn select(truth: Self::Truth, yes: Self, no: Self) -> Self;
}

/// A set of 16 bits, for one game or for each lane.
pub trait Bitboard:
    Copy
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + Sub<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
{
    /// The result of a comparison.
    type Truth: Truth;
    /// The type that counts bits.
    type Count: Number<Truth = Self::Truth>;

    /// The constant `bits`.
    fn alike(self, bits: u16) -> Self;
    /// The bits that are not in `other`.
    fn and_not(self, other: Self) -> Self;
    /// The bits that are not set.
    fn complement(self) -> Self;
    /// Whether both have a bit in common.
    fn meets(self, other: Self) -> Self::Truth;
    /// `yes` where the condition holds, else `no`.
    fn select(truth: Self::Truth, yes: Self, no: Self) -> Self;
    /// This set where the condition holds, else the empty set.
    fn zero_unless(self, truth: Self::Truth) -> Self;
    /// How many of bits 0, 3, 6, 9 and 12 are set. No other bits may be set.
    fn count_thirds(self) -> Self::Count;
    /// The entry at the index in the lowest four bits, from a table of sixteen entries stored twice.
    fn look_up(self, table: &[u16; 32]) -> Self::Count;

    /// Whether any bit is set.
    #[inline(always)]
    fn is_some(self) -> Self::Truth {
        self.meets(self)
    }
}

impl Number for u32 {
    type Truth = bool;

    inlined! {
        alike(self, number: u16) -> Self { number.into() }
        times(self, number: u16) -> Self { self * u32::from(number) }
        least(self, other: Self) -> Self { self.min(other) }
        greatest(self, other: Self) -> Self { self.max(other) }
        is(self, other: Self) -> bool { self == other }
        is_at_least(self, other: Self) -> bool { self >= other }
    }

    #[inline(always)]
    fn select(truth: bool, yes: Self, no: Self) -> Self {
        if truth { yes } else { no }
    }
}

impl Bitboard for u16 {
    type Truth = bool;
    type Count = u32;

    inlined! {
        alike(self, bits: u16) -> Self { bits }
        and_not(self, other: Self) -> Self { self & !other }
        complement(self) -> Self { !self }
        meets(self, other: Self) -> bool { self & other != 0 }
    }

    #[inline(always)]
    fn select(truth: bool, yes: Self, no: Self) -> Self {
        if truth { yes } else { no }
    }

    inlined! {
        zero_unless(self, truth: bool) -> Self { if truth { self } else { 0 } }
        /// One multiplication adds up the five bits in bits 12 to 14: a machine need not have a bit-count instruction.
        count_thirds(self) -> u32 { (u32::from(self) * 0x1249) >> 12 & 7 }
        look_up(self, table: &[u16; 32]) -> u32 { table[usize::from(self & 15)].into() }
    }
}
