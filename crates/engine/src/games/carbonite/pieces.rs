//! Pyramids as bits: one bit a piece type, one plane for "at least one", another for "at least two".
//!
//! ```text
//! bit   14 13 12 │ 11 10  9 │  8  7  6 │  5  4  3 │  2  1  0
//! size   L  M  S │  L  M  S │  L  M  S │  L  M  S │  L  M  S
//!       colour 4 │ colour 3 │ colour 2 │ colour 1 │ colour 0
//! ```
//!
//! The order of the bits is the order of the rules: colour 0 to 4, then S, M, L.

/// A set of piece types.
pub type Types = u16;

/// Every piece type.
pub const ALL: Types = 0x7FFF;
/// The small types of all colours; also the lowest bit of every colour.
pub const SMALL: Types = 0x1249;

/// The types of one colour; none for a colour from 5 up.
#[inline]
pub fn of_colour(colour: u32) -> Types {
    low_bits(7 << (3 * colour))
}

/// The types of one size: 0 small, 1 medium, 2 large.
#[inline]
pub const fn of_size(size: u32) -> Types {
    SMALL << size
}

/// The types of any of these sizes (bit 0 small, bit 1 medium, bit 2 large).
#[inline]
pub fn of_sizes(sizes: u32) -> Types {
    low_bits(u32::from(SMALL) * sizes)
}

#[inline]
fn low_bits(word: u32) -> Types {
    #[allow(clippy::cast_possible_truncation, reason = "masked to 15 bits")]
    let types = (word & u32::from(ALL)) as Types;
    types
}

/// All types of every colour that has one of `types`.
#[inline]
pub fn whole_colours(types: Types) -> Types {
    lowest_of_colours(types) * 7
}

/// The lowest bit of every colour that has one of `types`.
#[inline]
pub fn lowest_of_colours(types: Types) -> Types {
    (types | types >> 1 | types >> 2) & SMALL
}

/// The lowest bit of every colour of which all three sizes are in `types`.
#[inline]
pub fn full_colours(types: Types) -> Types {
    types & types >> 1 & types >> 2 & SMALL
}

/// How many of the lowest bits of colours are set: one multiplication adds the five of them up in bits 12 to 14.
#[inline]
pub fn count_lowest(colours: Types) -> u32 {
    (u32::from(colours) * u32::from(SMALL)) >> 12 & 7
}

/// The types of which both other sizes of the same colour are in `types`.
#[inline]
pub fn others_present(types: Types) -> Types {
    let next = (types << 1 & 0x6DB6) | (types >> 2 & 0x1249);
    let after = (types >> 1 & 0x36DB) | (types << 2 & 0x4924);
    next & after
}

/// Up to two of every piece type, in one place: both planes in one word. (As two numbers of 16 bits the compiler
/// moves them to vector registers and back in the middle of a trial, which costs a text policy a tenth.)
///
/// ```text
/// bits   30 … 16              14 … 0
///        types there are      types there is
///        two of               at least one of
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Planes(u32);

const TWO: u32 = 16;
/// The small types in both planes.
const SMALL_OF_BOTH: u32 = SMALL as u32 * (1 | 1 << TWO);

/// [`count_lowest`] of both planes with one multiplication: of the lower plane's sums less than 2²⁵ and of the upper
/// plane's other sums less than 2²⁷ + 2²⁵ lie below bit 28, so that nothing is carried into the upper count.
#[inline]
fn count_lowest_of_both(planes: u32) -> (u32, u32) {
    let sums = planes.wrapping_mul(SMALL.into());
    (sums >> 12 & 7, sums >> (12 + TWO) & 7)
}

impl Planes {
    /// At least one of the types `one`, two of those in its subset `two`.
    #[inline]
    pub const fn new(one: Types, two: Types) -> Self {
        debug_assert!(two & !one == 0, "two of a type without one");
        Self(one as u32 | (two as u32) << TWO)
    }

    /// The same number of every type of `types`: 1 or 2 copies.
    pub const fn filled(types: Types, copies: u8) -> Self {
        Self::new(types, if copies == 2 { types } else { 0 })
    }

    /// Types of which there is at least one.
    #[inline]
    #[allow(clippy::cast_possible_truncation, reason = "the lower plane")]
    pub fn one(self) -> Types {
        self.0 as Types
    }

    /// Types of which there are two; a subset of `one`.
    #[inline]
    #[allow(clippy::cast_possible_truncation, reason = "the upper plane")]
    pub fn two(self) -> Types {
        (self.0 >> TWO) as Types
    }

    /// With one more of each of `types`, of which there must be at most one.
    #[inline]
    #[must_use]
    pub fn with(self, types: Types) -> Self {
        debug_assert_eq!(self.two() & types, 0, "a third copy");
        let types = u32::from(types);
        Self(self.0 | types | (self.0 & types) << TWO)
    }

    /// With one less of each of `types`, of which there must be at least one.
    #[inline]
    #[must_use]
    pub fn without(self, types: Types) -> Self {
        debug_assert_eq!(types & !self.one(), 0, "taking what is not there");
        let types = u32::from(types);
        // Of those there are two of the second goes, of the others the first.
        let two = self.0 >> TWO & types;
        Self(self.0 ^ types ^ two ^ two << TWO)
    }

    /// How many pieces there are.
    #[inline]
    pub fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// How many of one size, 0 to 2, there are.
    #[inline]
    pub fn count_size(self, size: u32) -> u32 {
        let (one, two) = count_lowest_of_both(self.0 >> size & SMALL_OF_BOTH);
        one + two
    }

    /// Solid trees: one of each size of one colour.
    #[inline]
    pub fn solids(self) -> u32 {
        let (first, second) = self.trees();
        first + second
    }

    /// Colours with two solid trees.
    #[inline]
    pub fn pairs(self) -> u32 {
        self.trees().1
    }

    /// Colours with a solid tree, and colours with two.
    #[inline]
    fn trees(self) -> (u32, u32) {
        count_lowest_of_both(self.0 & self.0 >> 1 & self.0 >> 2 & SMALL_OF_BOTH)
    }

    /// How many of one type, given as its bit, there are.
    pub fn count_of(self, piece: Types) -> u32 {
        u32::from(self.one() & piece != 0) + u32::from(self.two() & piece != 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counting_by_multiplication_is_counting() {
        for colours in 0..=SMALL {
            if colours & !SMALL == 0 {
                assert_eq!(count_lowest(colours), colours.count_ones());
            }
        }
    }

    #[test]
    fn both_planes_are_counted_at_once() {
        let colours = |number: u32| (0..5).map(|c| (number >> c & 1) << (3 * c)).sum::<u32>();
        for (one, two) in (0..1024).map(|number| (number & 31, number >> 5)) {
            let counts = count_lowest_of_both(colours(one) | colours(two) << TWO);
            assert_eq!(counts, (one.count_ones(), two.count_ones()));
        }
    }

    #[test]
    fn others_present_is_what_it_says() {
        for types in 0..=ALL {
            for bit in 0..15 {
                let colour = 3 * (bit / 3);
                let others = (0..3).map(|s| colour + s).filter(|&b| b != bit);
                let expected = others.into_iter().all(|b| types >> b & 1 == 1);
                assert_eq!(others_present(types) >> bit & 1 == 1, expected, "{types:015b} {bit}");
            }
        }
    }

    #[test]
    fn with_and_without_are_inverse() {
        for one in [0, 5, 0x1234, ALL] {
            for planes in [Planes::new(one, 0), Planes::new(one, one & 0x1F00)] {
                assert_eq!(planes.with(0x0055).without(0x0055), planes);
            }
        }
    }
}
