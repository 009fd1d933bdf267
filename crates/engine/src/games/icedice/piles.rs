//! Up to four of every piece type in one place: four planes in one word (see [`stack`](crate::games::pyramids::stack)).

use crate::games::pyramids::pieces::{self, Types};
use crate::games::pyramids::piles::Piles as AnyPiles;
use crate::games::pyramids::stack::Stack;

/// The pieces of one place.
pub type Piles = AnyPiles<u64>;

impl Piles {
    /// The same number, 0 to 4, of every type in `types`.
    pub(super) fn filled(types: Types, copies: u8) -> Self {
        Self(if copies == 0 { 0 } else { u64::every(types) & (u64::MAX >> (64 - 16 * u32::from(copies))) })
    }

    /// This number of trios, 0 to 20, spread over the colours; the first colours may have one more than the last.
    pub(super) fn with_trios(trios: usize) -> Self {
        let colours = (0..5).map(|colour| (pieces::of_colour(colour), trios + 4 - colour as usize));
        colours.fold(Self::default(), |piles, (types, trios)| {
            (0..trios / 5).fold(piles, |piles, _| piles.with(types))
        })
    }

    /// The twelve bits of one colour, plane by plane.
    pub(super) fn of_colour(self, colour: u32) -> u64 {
        (0..4).fold(0, |bits, plane| bits | (self.0 >> (16 * plane + 3 * colour) & 7) << (3 * plane))
    }

    /// The pieces with these twelve bits for a colour that was empty.
    #[must_use]
    pub(super) fn with_colour(self, colour: u32, bits: u64) -> Self {
        Self(
            (0..4).fold(self.0, |planes, plane| {
                planes | (bits >> (3 * plane) & 7) << (16 * plane + 3 * colour)
            }),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::pyramids::pieces::{ALL, SMALL};

    /// Every number of pieces of the three sizes of a colour, with some pieces in the neighbouring colours.
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
        let lowest = u64::every(SMALL);
        // All subsets of the twenty bits, as the bits of a number that skips the others.
        let mut subset = lowest;
        loop {
            assert_eq!(subset.count_thirds(), subset.count_ones());
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
                assert_eq!(piles.completing().any() & piece != 0, completes, "{counts:?} {size}");
                assert_eq!(with.0 ^ piles.0, piles.next().masked(piece));
            }
        }
    }

    #[test]
    fn a_colour_comes_back() {
        for (piles, _, colour) in all() {
            let others = AnyPiles(piles.0 & !u64::every(pieces::of_colour(colour)));
            assert_eq!(others.with_colour(colour, piles.of_colour(colour)), piles);
        }
    }
}
