//! The number of pieces of every type, as a stack of bit planes.
//!
//! A [`Stack`] is a list of planes, each a set of piece types. Plane *n*, counted from 0, holds the types with more
//! than *n* pieces, so every plane is a subset of the one below it. The minimum of three numbers is then an `and`, one
//! more piece moves a type up a plane, and one piece less moves it down.
//!
//! For a single game all planes are in one word: two planes in 32 bits or four in 64. (Stored as 16-bit numbers they
//! would be moved by the compiler to vector registers and back in the middle of a trial, which costs a text policy a
//! tenth.)
//!
//! ```text
//! bits   63 … 48        47 … 32        31 … 16        15 … 0
//!        at least 4     at least 3     at least 2     at least 1        bits 15, 31, 47 and 63 are never set
//! ```
//!
//! On lanes every plane is a vector.

use std::hint::select_unpredictable;
use std::ops::{BitAnd, BitOr, Shl, Shr};

use super::pieces::{ALL, SMALL, Types};
use crate::bitboard::Bitboard;
use crate::lanes::simd::Vector16;
use crate::lanes::{Lane, Mask};

/// The type that counts the pieces of a stack.
pub type CountOf<W> = <<W as Stack>::Plane as Bitboard>::Count;
/// The type of a condition on a stack.
pub type TruthOf<W> = <<W as Stack>::Plane as Bitboard>::Truth;

/// Planes of piece types, for one game or for every lane.
///
/// The operators work plane by plane. Shifts move bits across colours, so their results must be masked.
pub trait Stack:
    Copy + BitAnd<Output = Self> + BitOr<Output = Self> + Shl<u32, Output = Self> + Shr<u32, Output = Self>
{
    /// A set of types.
    type Plane: Bitboard;

    /// The plane with this number, from 0.
    fn plane(self, number: usize) -> Self::Plane;
    /// The same types in every plane.
    fn every(types: Self::Plane) -> Self;
    /// These types in plane 0, and nothing above it.
    fn lowest(types: Self::Plane) -> Self;
    /// Every plane restricted to these types.
    fn masked(self, types: Types) -> Self;
    /// Every plane without the types of the same plane of `other`.
    fn and_not(self, other: Self) -> Self;
    /// Moves every plane up by one and leaves plane 0 empty.
    fn raised(self) -> Self;
    /// Moves every plane down by one and leaves the highest one empty.
    fn lowered(self) -> Self;
    /// The types that are in at least one plane.
    fn any(self) -> Self::Plane;
    /// `yes` where the condition holds, else `no`.
    fn select(truth: TruthOf<Self>, yes: Self, no: Self) -> Self;
    /// The number of bits set in all planes.
    fn count(self) -> CountOf<Self>;
    /// The sum of [`Bitboard::count_thirds`] over all planes.
    fn count_thirds(self) -> CountOf<Self>;
    /// [`Bitboard::count_thirds`] of one plane.
    fn count_thirds_of(self, plane: usize) -> CountOf<Self>;
    /// The number of bits of one size, 0 to 2, set in all planes.
    fn count_size(self, size: u32) -> CountOf<Self>;
}

/// The methods of [`Stack`] that are the same for all integers, given the type of the integer.
macro_rules! stack_in_a_word {
    ($word:ty) => {
        type Plane = Types;

        #[inline(always)]
        fn plane(self, number: usize) -> Types {
            #[allow(clippy::cast_possible_truncation, reason = "one plane of several")]
            let plane = (self >> (16 * number)) as Types;
            plane
        }

        #[inline(always)]
        fn every(types: Types) -> Self {
            in_every_plane(types.into())
        }

        #[inline(always)]
        fn lowest(types: Types) -> Self {
            types.into()
        }

        inlined! {
            masked(self, types: Types) -> Self { self & Self::every(types) }
            and_not(self, other: Self) -> Self { self & !other }
            raised(self) -> Self { self << 16 }
            lowered(self) -> Self { self >> 16 }
        }

        #[inline(always)]
        fn select(truth: bool, yes: Self, no: Self) -> Self {
            // Which it is, no predictor of branches learns.
            select_unpredictable(truth, yes, no)
        }

        #[inline(always)]
        fn count(self) -> u32 {
            self.count_ones()
        }

        #[inline(always)]
        fn count_size(self, size: u32) -> u32 {
            (self >> size).masked(SMALL).count_thirds()
        }
    };
}

impl Stack for u32 {
    stack_in_a_word!(u32);

    inlined! {
        any(self) -> Types { self.plane(0) | self.plane(1) }
        count_thirds(self) -> u32 { self.count_thirds_of(0) + self.count_thirds_of(1) }
        /// Both planes with one multiplication: of plane 0's sums less than 2²⁵ and of plane 1's other sums less than
        /// 2²⁷ + 2²⁵ lie below bit 28, so that nothing is carried into the upper count.
        count_thirds_of(self, plane: usize) -> u32 { self.wrapping_mul(SMALL.into()) >> (16 * plane + 12) & 7 }
    }
}

impl Stack for u64 {
    stack_in_a_word!(u64);

    #[inline(always)]
    fn any(self) -> Types {
        let half = self | self >> 32;
        (half | half >> 16).plane(0) & ALL
    }

    /// One multiplication adds the planes up into numbers of three bits, a colour each, and another those in pairs. A
    /// machine need not have an instruction for it, and what the compiler puts in its place is longer.
    #[inline(always)]
    fn count_thirds(self) -> u32 {
        let colours = self.wrapping_mul(in_every_plane(1)) >> 48;
        let pairs = (colours & 0o7_07_07) + (colours >> 3 & 0o7_07);
        #[allow(clippy::cast_possible_truncation, reason = "at most twenty")]
        let count = ((pairs * 0o1_01_01) >> 12) as u32 & 31;
        count
    }

    #[inline(always)]
    fn count_thirds_of(self, plane: usize) -> u32 {
        self.plane(plane).count_thirds()
    }
}

/// Repeats a set of types in every plane of a word.
trait Repeat: Copy {
    /// The word with the set in every plane.
    fn repeated(self) -> Self;
}

impl Repeat for u32 {
    #[inline(always)]
    fn repeated(self) -> Self {
        self | self << 16
    }
}

impl Repeat for u64 {
    #[inline(always)]
    fn repeated(self) -> Self {
        self * 0x0001_0001_0001_0001
    }
}

#[inline(always)]
fn in_every_plane<W: Repeat>(types: W) -> W {
    types.repeated()
}

/// Planes for all lanes, one vector per plane.
#[derive(Clone, Copy, Debug)]
pub struct LaneStack<S: Vector16, const N: usize>(pub [Lane<S>; N]);

impl<S: Vector16, const N: usize> LaneStack<S, N> {
    /// The empty set in every plane.
    #[inline(always)]
    fn none(self) -> Self {
        Self([self.0[0].alike(0); N])
    }
}

/// Builds a stack plane by plane from an expression, with the same plane of another stack if one is given. A closure
/// might not be inlined, and would then not be compiled for the instruction set.
macro_rules! planes {
    ($stack:expr, |$plane:ident| $new:expr) => {{
        let mut stack = $stack;
        for plane in &mut stack.0 {
            let $plane = *plane;
            *plane = $new;
        }
        stack
    }};
    ($stack:expr, $other:expr, |$plane:ident, $its:ident| $new:expr) => {{
        let (mut stack, other) = ($stack, $other);
        for number in 0..N {
            let ($plane, $its) = (stack.0[number], other.0[number]);
            stack.0[number] = $new;
        }
        stack
    }};
}

impl<S: Vector16, const N: usize> BitAnd for LaneStack<S, N> {
    type Output = Self;

    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        planes!(self, other, |a, b| a & b)
    }
}

impl<S: Vector16, const N: usize> BitOr for LaneStack<S, N> {
    type Output = Self;

    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        planes!(self, other, |a, b| a | b)
    }
}

impl<S: Vector16, const N: usize> Shl<u32> for LaneStack<S, N> {
    type Output = Self;

    #[inline(always)]
    fn shl(self, by: u32) -> Self {
        planes!(self, |plane| plane << by)
    }
}

impl<S: Vector16, const N: usize> Shr<u32> for LaneStack<S, N> {
    type Output = Self;

    #[inline(always)]
    fn shr(self, by: u32) -> Self {
        planes!(self, |plane| plane >> by)
    }
}

impl<S: Vector16, const N: usize> Stack for LaneStack<S, N> {
    type Plane = Lane<S>;

    /// The empty set above the highest plane.
    #[inline(always)]
    fn plane(self, number: usize) -> Lane<S> {
        if number < N { self.0[number] } else { self.0[0].alike(0) }
    }

    #[inline(always)]
    fn every(types: Lane<S>) -> Self {
        Self([types; N])
    }

    #[inline(always)]
    fn lowest(types: Lane<S>) -> Self {
        let mut planes = [types.alike(0); N];
        planes[0] = types;
        Self(planes)
    }

    #[inline(always)]
    fn masked(self, types: Types) -> Self {
        planes!(self, |plane| plane & plane.alike(types))
    }

    #[inline(always)]
    fn and_not(self, other: Self) -> Self {
        planes!(self, other, |a, b| a.and_not(b))
    }

    #[inline(always)]
    fn raised(self) -> Self {
        let mut raised = self.none();
        for plane in 1..N {
            raised.0[plane] = self.0[plane - 1];
        }
        raised
    }

    #[inline(always)]
    fn lowered(self) -> Self {
        let mut lowered = self.none();
        for plane in 1..N {
            lowered.0[plane - 1] = self.0[plane];
        }
        lowered
    }

    #[inline(always)]
    fn any(self) -> Lane<S> {
        let mut any = self.0[0];
        for plane in 1..N {
            any = any | self.0[plane];
        }
        any
    }

    #[inline(always)]
    fn select(mask: Mask<S>, yes: Self, no: Self) -> Self {
        planes!(yes, no, |yes, no| Lane::select(mask, yes, no))
    }

    #[inline(always)]
    fn count(self) -> Lane<S> {
        let mut count = self.0[0].count_ones();
        for plane in 1..N {
            count = count + self.0[plane].count_ones();
        }
        count
    }

    inlined! {
        count_thirds(self) -> Lane<S> { self.count() }
        count_thirds_of(self, plane: usize) -> Lane<S> { self.plane(plane).count_ones() }
        count_size(self, size: u32) -> Lane<S> { self.masked(SMALL << size).count() }
    }
}
