//! The pieces of one place, with several of a type: the operations that both pyramid games need on a [`Stack`].

use super::pieces::{self, SMALL, Types};
use super::stack::{CountOf, Stack, TruthOf};
use crate::bitboard::{Bitboard, Number};

/// The pieces of one place, for one game or for every lane.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Piles<W>(pub(in crate::games) W);

impl<W: Stack> Piles<W> {
    /// The types of which there are at least `number` pieces, from 1.
    #[inline(always)]
    pub fn at_least(self, number: u32) -> W::Plane {
        self.0.plane(number as usize - 1)
    }

    /// The types of which there is at least one piece.
    #[inline(always)]
    pub fn any(self) -> W::Plane {
        self.0.plane(0)
    }

    /// Adds one piece of each of `types`, none of which may be at its maximum.
    #[inline(always)]
    #[must_use]
    pub fn with(self, types: W::Plane) -> Self {
        Self(self.0 | W::lowest(types) | (self.0.raised() & W::every(types)))
    }

    /// Removes one piece of each of `types`; a type with no pieces stays empty.
    #[inline(always)]
    #[must_use]
    pub fn without(self, types: W::Plane) -> Self {
        Self(self.0.and_not(W::every(types).and_not(self.0.lowered())))
    }

    /// `yes` where the condition holds, else `no`.
    #[inline(always)]
    pub(in crate::games) fn select(truth: TruthOf<W>, yes: Self, no: Self) -> Self {
        Self(W::select(truth, yes.0, no.0))
    }

    /// For every type, the plane that one more piece would fill.
    #[inline(always)]
    pub(in crate::games) fn next(self) -> W {
        (self.0.raised() | W::lowest(self.any().alike(pieces::ALL))).and_not(self.0)
    }

    /// The number of pieces.
    #[inline(always)]
    pub fn count(self) -> CountOf<W> {
        self.0.count()
    }

    /// The number of pieces of one size, 0 to 2.
    #[inline(always)]
    pub fn count_size(self, size: u32) -> CountOf<W> {
        self.0.count_size(size)
    }

    /// The number of solid trees, or trios: one piece of each size of one colour.
    #[inline(always)]
    pub fn trios(self) -> CountOf<W> {
        full_colours(self.0).count_thirds()
    }

    /// The number of colours with at least two solid trees.
    #[inline(always)]
    pub fn pairs(self) -> CountOf<W> {
        full_colours(self.0).count_thirds_of(1)
    }

    /// The types of which one more piece completes a trio, each in the plane that the piece would fill.
    #[inline(always)]
    pub(in crate::games) fn completing(self) -> W {
        // Both other sizes of the colour are there as often: the next and the one after, going round.
        let planes = self.0;
        let next = (planes << 1).masked(0x6DB6) | (planes >> 2).masked(SMALL);
        let after = (planes >> 1).masked(0x36DB) | (planes << 2).masked(0x4924);
        self.next() & next & after
    }

    /// The types of which one piece less breaks a trio: there are no more pieces of the type than trios of its colour.
    #[inline(always)]
    pub(in crate::games) fn breaking(self) -> W::Plane {
        let lowest = full_colours(self.0);
        let whole = lowest | lowest << 1 | lowest << 2;
        self.any().and_not(self.0.and_not(whole).any())
    }

    /// The types of the size, or sizes, with the fewest pieces.
    #[inline(always)]
    pub(in crate::games) fn scarce_sizes(self) -> W::Plane {
        let [small, medium, large] = [self.count_size(0), self.count_size(1), self.count_size(2)];
        let fewest = small.least(medium.least(large));
        self.size_if(0, small.is(fewest))
            | self.size_if(1, medium.is(fewest))
            | self.size_if(2, large.is(fewest))
    }

    /// The types of a size if the condition holds, else none.
    #[inline(always)]
    fn size_if(self, size: u32, truth: TruthOf<W>) -> W::Plane {
        self.any().alike(pieces::of_size(size)).zero_unless(truth)
    }
}

/// In every plane, the lowest bit of each colour that has all three sizes in that plane.
#[inline(always)]
pub(in crate::games) fn full_colours<W: Stack>(planes: W) -> W {
    (planes & planes >> 1 & planes >> 2).masked(SMALL)
}

impl<W: Stack<Plane = Types>> Piles<W> {
    /// The number of pieces of one type, given as its bit.
    pub fn count_of(self, piece: Types) -> u32 {
        self.0.masked(piece).count()
    }
}

/// At most two pieces of every type, in one place: both planes in one 32-bit word.
pub type Planes = Piles<u32>;

impl Planes {
    /// One piece of each type in `one`, and a second one of the types in its subset `two`.
    #[inline]
    pub const fn new(one: Types, two: Types) -> Self {
        debug_assert!(two & !one == 0, "two of a type without one");
        Self(one as u32 | (two as u32) << 16)
    }

    /// The same number, 1 or 2, of every type in `types`.
    pub const fn filled(types: Types, copies: u8) -> Self {
        Self::new(types, if copies == 2 { types } else { 0 })
    }

    /// The types of which there is at least one piece.
    #[inline(always)]
    pub fn one(self) -> Types {
        self.at_least(1)
    }

    /// The types of which there are two pieces; a subset of `one`.
    #[inline(always)]
    pub fn two(self) -> Types {
        self.at_least(2)
    }
}

#[cfg(test)]
mod tests {
    use super::super::pieces::ALL;
    use super::*;

    #[test]
    fn with_and_without_are_inverse() {
        for one in [0, 5, 0x1234, ALL] {
            for planes in [Planes::new(one, 0), Planes::new(one, one & 0x1F00)] {
                assert_eq!(planes.with(0x0055).without(0x0055), planes);
            }
        }
    }

    #[test]
    fn scarce_sizes_are_those_of_which_there_are_fewest() {
        for one in 0..=ALL {
            for two in [0, one & 0x1C71, one] {
                let held = Planes::new(one, two);
                let count = |size| {
                    (one & pieces::of_size(size)).count_ones() + (two & pieces::of_size(size)).count_ones()
                };
                let fewest = count(0).min(count(1)).min(count(2));
                for size in 0..3 {
                    let expected = if count(size) == fewest { pieces::of_size(size) } else { 0 };
                    assert_eq!(held.scarce_sizes() & pieces::of_size(size), expected, "{held:?}");
                }
            }
        }
    }
}
