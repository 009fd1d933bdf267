//! The two dice.

use crate::chance::{Chance, split};

/// A roll of both dice: the colour die, with the Atom, and the pyramid die, with one or two sizes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Dice {
    pub(in crate::games) colours: u8,
}

/// The outcome of rolling both dice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Roll {
    /// The colour; the Atom has the number of colours in play.
    pub colour: u32,
    /// The sizes: bit 0 small, bit 1 medium, bit 2 large.
    pub sizes: u32,
}

/// The faces of the pyramid die, S, M, L, SM, SL, ML, as three bits each.
#[inline]
pub(in crate::games) const fn pyramid_face(face: u32) -> u32 {
    0o653_421 >> (3 * face) & 7
}

/// By the sizes of a colour, as bits: the number of faces of the pyramid die that show a size not among them.
pub(in crate::games) const FACES_NOT_COVERED: [u8; 8] = faces_where(false);
/// By the sizes of a colour, as bits: the number of faces that show only sizes not among them.
pub(in crate::games) const FACES_MISSING: [u8; 8] = faces_where(true);

const fn faces_where(all_missing: bool) -> [u8; 8] {
    let mut table = [0; 8];
    let mut sizes = 0;
    while sizes < 8 {
        let mut face = 0;
        while face < 6 {
            let shown = pyramid_face(face);
            let here = shown & sizes;
            if (all_missing && here == 0) || (!all_missing && here != shown) {
                table[sizes as usize] += 1;
            }
            face += 1;
        }
        sizes += 1;
    }
    table
}

impl Chance for Dice {
    type Outcome = Roll;

    fn outcomes(self) -> impl Iterator<Item = (Roll, u32)> {
        let colours = 0..=u32::from(self.colours);
        colours.flat_map(|colour| (0..6).map(move |face| (Roll { colour, sizes: pyramid_face(face) }, 1)))
    }

    #[inline(always)]
    fn sample(self, word: u32) -> Roll {
        let (colour, rest) = split(word, u32::from(self.colours) + 1);
        let (face, _) = split(rest, 6);
        Roll { colour, sizes: pyramid_face(face) }
    }
}
