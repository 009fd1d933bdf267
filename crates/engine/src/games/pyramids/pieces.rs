//! Pyramids as bits: one bit per piece type, with one plane for "at least one" and another for "at least two".
//!
//! ```text
//! bit   14 13 12 │ 11 10  9 │  8  7  6 │  5  4  3 │  2  1  0
//! size   L  M  S │  L  M  S │  L  M  S │  L  M  S │  L  M  S
//!       colour 4 │ colour 3 │ colour 2 │ colour 1 │ colour 0
//! ```
//!
//! The order of the bits is the order of the rules: colour 0 to 4, then S, M, L.

use crate::bitboard::Bitboard;

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
#[inline(always)]
pub fn whole_colours<W: Bitboard>(types: W) -> W {
    whole(lowest_of_colours(types))
}

/// All types of the colours whose lowest bits are given: eight times the number minus the number.
#[inline(always)]
pub fn whole<W: Bitboard>(lowest: W) -> W {
    (lowest << 3) - lowest
}

/// The lowest bit of every colour that has one of `types`.
#[inline(always)]
pub fn lowest_of_colours<W: Bitboard>(types: W) -> W {
    (types | types >> 1 | types >> 2) & types.alike(SMALL)
}

/// The lowest bit of every colour of which all three sizes are in `types`.
#[inline(always)]
pub fn full_colours<W: Bitboard>(types: W) -> W {
    types & types >> 1 & types >> 2 & types.alike(SMALL)
}

/// The types whose colour has both other sizes in `types`.
#[inline(always)]
pub fn others_present<W: Bitboard>(types: W) -> W {
    let next = (types << 1 & types.alike(0x6DB6)) | (types >> 2 & types.alike(SMALL));
    let after = (types >> 1 & types.alike(0x36DB)) | (types << 2 & types.alike(0x4924));
    next & after
}

#[cfg(test)]
mod tests {
    use super::super::stack::Stack;
    use super::*;

    #[test]
    fn counting_by_multiplication_is_counting() {
        for colours in 0..=SMALL {
            if colours & !SMALL == 0 {
                assert_eq!(colours.count_thirds(), colours.count_ones());
            }
        }
    }

    #[test]
    fn both_planes_are_counted_at_once() {
        let colours = |number: u32| (0..5).map(|c| (number >> c & 1) << (3 * c)).sum::<u32>();
        for (one, two) in (0..1024).map(|number| (number & 31, number >> 5)) {
            let planes = colours(one) | colours(two) << 16;
            assert_eq!(planes.count_thirds_of(0), one.count_ones());
            assert_eq!(planes.count_thirds_of(1), two.count_ones());
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
}
