//! Up to four of every piece type in one place, as four planes of bits.
//!
//! Plane *n* has the types of which there are at least *n*; in a plane a type has its bit of
//! [`pieces`]:
//!
//! ```text
//! bits   63 … 48       47 … 32       31 … 16       15 … 0
//!        at least 4    at least 3    at least 2    at least 1        bits 15, 31, 47 and 63 are never set
//! ```
//!
//! Every plane is a subset of the one below it. So the least of three numbers is an `and`, a piece more moves a
//! type's bits up a plane, and a piece less moves them down.

use crate::games::carbonite::pieces::{self, ALL, SMALL, Types};

/// The lowest bit of every plane.
const PLANES: u64 = 0x0001_0001_0001_0001;
/// All of the lowest plane.
const LOWEST: u64 = 0xFFFF;

/// The pieces of one place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Piles(u64);

/// The same types in every plane.
#[inline(always)]
pub(super) const fn in_every_plane(types: Types) -> u64 {
    types as u64 * PLANES
}

/// The types that are in any plane.
#[inline(always)]
pub(super) fn in_any_plane(planes: u64) -> Types {
    let half = planes | planes >> 32;
    #[allow(clippy::cast_possible_truncation, reason = "the lowest plane")]
    let types = (half | half >> 16) as Types;
    types & ALL
}

/// The types that are in the second plane.
#[inline(always)]
pub(super) fn in_second_plane(planes: u64) -> Types {
    Piles(planes).at_least(2)
}

impl Piles {
    /// So many, 0 to 4, of each of `types`.
    pub(super) const fn filled(types: Types, copies: u8) -> Self {
        Self(if copies == 0 { 0 } else { in_every_plane(types) & (u64::MAX >> (64 - 16 * copies as u32)) })
    }

    /// So many trios, 0 to 20, the first colours having one more than the last.
    pub(super) fn with_trios(trios: usize) -> Self {
        let colours = (0..5).map(|colour| (pieces::of_colour(colour), trios + 4 - colour as usize));
        colours.fold(Self::default(), |piles, (types, trios)| {
            (0..trios / 5).fold(piles, |piles, _| piles.with(types))
        })
    }

    /// The planes.
    #[inline(always)]
    pub(super) fn planes(self) -> u64 {
        self.0
    }

    /// The types of which there are at least so many, 1 to 4.
    #[inline(always)]
    pub fn at_least(self, number: u32) -> Types {
        #[allow(clippy::cast_possible_truncation, reason = "one plane of four")]
        let plane = (self.0 >> (16 * (number - 1))) as Types;
        plane
    }

    /// The types of which there is any.
    #[inline(always)]
    pub fn any(self) -> Types {
        self.at_least(1)
    }

    /// With one more of each of `types`.
    #[inline(always)]
    #[must_use]
    pub(super) fn with(self, types: Types) -> Self {
        debug_assert_eq!(self.at_least(4) & types, 0, "a fifth copy");
        Self(self.0 | ((self.0 << 16 | LOWEST) & in_every_plane(types)))
    }

    /// With one less of each of `types`; of those there are none of, there are none still.
    #[inline(always)]
    #[must_use]
    pub(super) fn without(self, types: Types) -> Self {
        Self(self.0 & (self.0 >> 16 | !in_every_plane(types)))
    }

    /// For every type, the plane that one more of it would fill.
    #[inline(always)]
    pub(super) fn next(self) -> u64 {
        (self.0 << 16 | LOWEST) & !self.0 & in_every_plane(ALL)
    }

    /// How many pieces there are.
    pub fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// Solid trios: one of each size of one colour.
    #[inline(always)]
    pub fn trios(self) -> u32 {
        count_lowest(full_colours(self.0))
    }

    /// Colours with two trios or more.
    pub(super) fn pairs(self) -> u32 {
        pieces::count_lowest(pieces::full_colours(self.at_least(2)))
    }

    /// How many of one type, given as its bit, there are.
    pub fn count_of(self, piece: Types) -> u32 {
        (self.0 & in_every_plane(piece)).count_ones()
    }

    /// The types of which one more makes a trio more, each in the plane that it would fill.
    #[inline(always)]
    pub(super) fn completing(self) -> u64 {
        // Both other sizes of the colour are there as often: the next and the one after, going round.
        let next = (self.0 << 1 & in_every_plane(0x6DB6)) | (self.0 >> 2 & in_every_plane(SMALL));
        let after = (self.0 >> 1 & in_every_plane(0x36DB)) | (self.0 << 2 & in_every_plane(0x4924));
        self.next() & next & after
    }

    /// The types of which one less makes a trio less: those there are no more of than trios of the colour.
    #[inline(always)]
    pub(super) fn breaking(self) -> Types {
        let whole = full_colours(self.0) * 7;
        self.any() & !in_any_plane(self.0 & !whole)
    }

    /// The twelve bits of one colour, plane by plane.
    pub(super) fn of_colour(self, colour: u32) -> u64 {
        (0..4).fold(0, |bits, plane| bits | (self.0 >> (16 * plane + 3 * colour) & 7) << (3 * plane))
    }

    /// With these twelve bits as those of a colour that has none.
    #[must_use]
    pub(super) fn with_colour(self, colour: u32, bits: u64) -> Self {
        Self(
            (0..4).fold(self.0, |planes, plane| {
                planes | (bits >> (3 * plane) & 7) << (16 * plane + 3 * colour)
            }),
        )
    }
}

/// The lowest bit of every colour, in every plane, of which that plane has all three sizes.
#[inline(always)]
pub(super) fn full_colours(planes: u64) -> u64 {
    planes & planes >> 1 & planes >> 2 & in_every_plane(SMALL)
}

/// How many of the lowest bits of colours are set, in all planes: one multiplication adds the planes up into numbers
/// of three bits, a colour each, and another those in pairs. A machine need not have an instruction for it, and
/// what the compiler puts in its place is longer.
#[inline(always)]
pub(super) fn count_lowest(colours: u64) -> u32 {
    let colours = colours.wrapping_mul(PLANES) >> 48;
    let pairs = (colours & 0o7_07_07) + (colours >> 3 & 0o7_07);
    #[allow(clippy::cast_possible_truncation, reason = "at most twenty")]
    let count = ((pairs * 0o1_01_01) >> 12) as u32 & 31;
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every number of pieces of the three sizes of a colour, beside some of its neighbours.
    fn all() -> impl Iterator<Item = (Piles, [u32; 3], u32)> {
        (0..5).flat_map(|colour| {
            (0..125_u8).map(move |counts| {
                let counts = [counts % 5, counts / 5 % 5, counts / 25];
                let bits = |size: u32| Types::from(1_u8) << (3 * colour + size);
                let mut piles = Piles::filled(ALL & !pieces::of_colour(colour) & 0x5A5A, 3);
                for (size, copies) in (0..).zip(counts) {
                    piles.0 |= Piles::filled(bits(size), copies).0;
                }
                (piles, counts.map(u32::from), colour)
            })
        })
    }

    fn trios([small, medium, large]: [u32; 3]) -> u32 {
        small.min(medium).min(large)
    }

    #[test]
    fn counting_by_multiplication_is_counting() {
        let lowest = in_every_plane(SMALL);
        // All subsets of the twenty bits, as the bits of a number that skips the others.
        let mut subset = lowest;
        loop {
            assert_eq!(count_lowest(subset), subset.count_ones());
            if subset == 0 {
                break;
            }
            subset = (subset - 1) & lowest;
        }
    }

    #[test]
    fn one_more_and_one_less() {
        for (piles, counts, colour) in all() {
            let others = piles.trios() - trios(counts);
            for size in 0..3 {
                let piece = 1 << (3 * colour + size);
                let at = size as usize;
                assert_eq!(piles.count_of(piece), counts[at]);
                let mut fewer = counts;
                fewer[at] = fewer[at].saturating_sub(1);
                let less = piles.without(piece);
                assert_eq!(less.trios(), others + trios(fewer));
                assert_eq!(less.count(), piles.count() + fewer[at] - counts[at]);
                let breaks = counts[at] > 0 && trios(fewer) < trios(counts);
                assert_eq!(piles.breaking() & piece != 0, breaks, "{counts:?} {size}");
                if counts[at] == 4 {
                    continue;
                }
                let mut more = counts;
                more[at] += 1;
                let with = piles.with(piece);
                assert_eq!(with.without(piece), piles);
                assert_eq!(with.trios(), others + trios(more));
                let completes = trios(more) > trios(counts);
                assert_eq!(in_any_plane(piles.completing()) & piece != 0, completes, "{counts:?} {size}");
                assert_eq!(with.planes() ^ piles.planes(), piles.next() & in_every_plane(piece));
            }
        }
    }

    #[test]
    fn a_colour_comes_back() {
        for (piles, _, colour) in all() {
            let others = Piles(piles.0 & !in_every_plane(pieces::of_colour(colour)));
            assert_eq!(others.with_colour(colour, piles.of_colour(colour)), piles);
        }
    }
}
