//! One algebra of bits for numbers and for lanes: a rule that is written over [`Word`] holds for one game and for as many
//! as a vector has lanes.
//!
//! A number is a word of one game; [`Lane`](crate::lanes::Lane) is a word a lane. Both have the operators of numbers, and
//! the methods here for what numbers say otherwise. A constant is made from a word of the same kind
//! ([`Word::alike`]), because lanes know which instructions they are computed with.

use std::ops::{Add, BitAnd, BitOr, Shl, Shr, Sub};

/// Yes or no, for one game or for each lane.
pub trait Truth: Copy + BitAnd<Output = Self> + BitOr<Output = Self> {
    /// This, but not the other.
    fn and_not(self, other: Self) -> Self;
}

impl Truth for bool {
    #[inline(always)]
    fn and_not(self, other: Self) -> Self {
        self & !other
    }
}

/// A count.
pub trait Number: Copy + Add<Output = Self> + Sub<Output = Self> {
    /// The answer to a comparison.
    type Truth: Truth;

    /// A constant of the same kind.
    fn alike(self, number: u16) -> Self;
    /// That many times as many.
    fn times(self, number: u16) -> Self;
    /// The lesser.
    fn least(self, other: Self) -> Self;
    /// The greater.
    fn greatest(self, other: Self) -> Self;
    /// Whether both are equal.
    fn is(self, other: Self) -> Self::Truth;
    /// Whether it is at least the other.
    fn is_at_least(self, other: Self) -> Self::Truth;
    /// This number where that is true, else the other.
    fn select(truth: Self::Truth, yes: Self, no: Self) -> Self;
}

/// A set of bits: 16 of them.
pub trait Word:
    Copy
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + Sub<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
{
    /// The answer to a comparison.
    type Truth: Truth;
    /// What counts bits.
    type Count: Number<Truth = Self::Truth>;

    /// A constant of the same kind.
    fn alike(self, bits: u16) -> Self;
    /// These bits, but not those of the other.
    fn and_not(self, other: Self) -> Self;
    /// The bits that are not set.
    fn complement(self) -> Self;
    /// Whether both have a bit in common.
    fn meets(self, other: Self) -> Self::Truth;
    /// These bits where that is true, else those.
    fn select(truth: Self::Truth, yes: Self, no: Self) -> Self;
    /// No bit unless that is true.
    fn zero_unless(self, truth: Self::Truth) -> Self;
    /// How many of bits 0, 3, 6, 9 and 12 are set, where no others are.
    fn count_thirds(self) -> Self::Count;
    /// The entry that the lowest four bits name, of sixteen that the table holds twice.
    fn look_up(self, table: &[u16; 32]) -> Self::Count;

    /// Whether any bit is set.
    #[inline(always)]
    fn is_some(self) -> Self::Truth {
        self.meets(self)
    }
}

impl Number for u32 {
    type Truth = bool;

    #[inline(always)]
    fn alike(self, number: u16) -> Self {
        number.into()
    }

    #[inline(always)]
    fn times(self, number: u16) -> Self {
        self * u32::from(number)
    }

    #[inline(always)]
    fn least(self, other: Self) -> Self {
        self.min(other)
    }

    #[inline(always)]
    fn greatest(self, other: Self) -> Self {
        self.max(other)
    }

    #[inline(always)]
    fn is(self, other: Self) -> bool {
        self == other
    }

    #[inline(always)]
    fn is_at_least(self, other: Self) -> bool {
        self >= other
    }

    #[inline(always)]
    fn select(truth: bool, yes: Self, no: Self) -> Self {
        if truth { yes } else { no }
    }
}

impl Word for u16 {
    type Truth = bool;
    type Count = u32;

    #[inline(always)]
    fn alike(self, bits: u16) -> Self {
        bits
    }

    #[inline(always)]
    fn and_not(self, other: Self) -> Self {
        self & !other
    }

    #[inline(always)]
    fn complement(self) -> Self {
        !self
    }

    #[inline(always)]
    fn meets(self, other: Self) -> bool {
        self & other != 0
    }

    #[inline(always)]
    fn select(truth: bool, yes: Self, no: Self) -> Self {
        if truth { yes } else { no }
    }

    #[inline(always)]
    fn zero_unless(self, truth: bool) -> Self {
        if truth { self } else { 0 }
    }

    /// One multiplication adds the five bits up in bits 12 to 14: a machine need not have an instruction for it.
    #[inline(always)]
    fn count_thirds(self) -> u32 {
        (u32::from(self) * 0x1249) >> 12 & 7
    }

    #[inline(always)]
    fn look_up(self, table: &[u16; 32]) -> u32 {
        table[usize::from(self & 15)].into()
    }
}
