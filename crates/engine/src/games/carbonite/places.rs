//! Features and predicates of the pieces, written once for one game and for lanes.

use super::{Atom, Carbonite, Points, Retribution, VaultMatch};
use crate::bitboard::{Bitboard, Number};
use crate::games::pyramids::pieces::{self, SMALL};
use crate::games::pyramids::piles::Piles;
use crate::games::pyramids::stack::{CountOf, Stack};
use crate::games::pyramids::{FACES_MISSING, FACES_NOT_COVERED};

/// The number of faces of the pyramid die that end the game, for each [`Retribution`]. Entries 0 to 7 are indexed by
/// the sizes of a colour that can be matched, as three bits; entries 8 to 15 by those that can be removed. The sixteen
/// entries are stored twice.
static ENDING_FACES: [[u16; 32]; 3] =
    [ending_faces(FACES_NOT_COVERED), ending_faces(FACES_MISSING), ending_faces([0; 8])];

const fn ending_faces(failing: [u8; 8]) -> [u16; 32] {
    let mut table = [0; 32];
    let mut at = 0;
    while at < 32 {
        table[at] = if at % 16 < 8 { FACES_MISSING[at % 8] } else { failing[at % 8] } as u16;
        at += 1;
    }
    table
}

/// The places of all pieces at a decision, of one game or of every lane.
#[derive(Clone, Copy, Debug)]
pub(super) struct Places<W: Stack> {
    pub(super) bank: Piles<W>,
    pub(super) vault: Piles<W>,
    /// The types on the Counter, at most one of every colour.
    pub(super) counter: W::Plane,
    /// The type of the marker if it will be given back, else none.
    pub(super) marker: W::Plane,
}

impl<W: Stack> Places<W> {
    /// Vault and Counter together: what the player would have after stopping now.
    #[inline(always)]
    pub(super) fn stashed(&self) -> Piles<W> {
        self.vault.with(self.counter)
    }

    /// The types of the Bank that complete the second solid tree of a colour.
    #[inline(always)]
    pub(super) fn completing_pairs(&self) -> W::Plane {
        let held = self.stashed();
        let single = held.any().and_not(held.at_least(2));
        self.bank.any() & single & pieces::others_present(held.at_least(2))
    }

    /// The types of the Bank that complete a solid tree.
    #[inline(always)]
    pub(super) fn completing_solids(&self) -> W::Plane {
        let held = self.stashed().any();
        (self.bank.any().and_not(held) & pieces::others_present(held)) | self.completing_pairs()
    }

    /// The types of the colours with at least this many solid trees.
    #[inline(always)]
    pub(super) fn colours_with_trees(&self, number: u32) -> W::Plane {
        pieces::whole(pieces::full_colours(self.stashed().at_least(number)))
    }

    /// The types of the colours that can still reach two solid trees: Bank, Vault, Counter and a marker that will be
    /// given back hold two pieces of every size.
    #[inline(always)]
    pub(super) fn live(&self) -> W::Plane {
        let (bank, held) = (self.bank, self.stashed());
        let any = bank.any() | held.any();
        let both = (bank.any() & held.any()) | (self.marker & any);
        pieces::whole(pieces::full_colours(bank.at_least(2) | held.at_least(2) | both))
    }

    /// The types of which the two solid trees of their colour need no further piece: two are held, or the colour is not
    /// live.
    #[inline(always)]
    pub(super) fn surplus(&self) -> W::Plane {
        self.stashed().at_least(2) | self.live().complement()
    }

    /// The types that can be matched.
    #[inline(always)]
    pub(super) fn matchable(&self, rules: &Carbonite) -> W::Plane {
        match rules.vault_match {
            VaultMatch::NoMatch => self.bank.any(),
            _ => self.bank.any() | self.vault.any(),
        }
    }

    /// The number of rolls that end the game: a bomb-out without retribution, or nothing to match.
    #[inline(always)]
    pub(super) fn ending_rolls(&self, rules: &Carbonite) -> CountOf<W> {
        let faces = &ENDING_FACES[match rules.retribution {
            Retribution::All => 0,
            Retribution::Any => 1,
            Retribution::None => 2,
        }];
        let mut counter = self.counter;
        let mut removable = self.bank.any() | self.counter;
        let mut matchable = self.matchable(rules);
        let (sizes, none) = (counter.alike(7), counter.alike(0));
        let mut for_atom = none;
        let mut ending = none.look_up(&[0; 32]);
        for _ in 0..rules.colours {
            let bombs = counter.meets(sizes);
            let to_match = matchable & sizes;
            let to_remove = (removable & sizes) | none.alike(8);
            ending = ending + W::Plane::select(bombs, to_remove, to_match).look_up(faces);
            for_atom = for_atom | W::Plane::select(bombs, none, to_match);
            counter = counter >> 3;
            removable = removable >> 3;
            matchable = matchable >> 3;
        }
        if rules.atom == Atom::Choice { ending + for_atom.look_up(faces) } else { ending }
    }

    /// The number of colours that can still reach two solid trees.
    #[inline(always)]
    pub(super) fn live_colours(&self) -> CountOf<W> {
        let live = self.live();
        (live & live.alike(SMALL)).count_thirds()
    }
}

/// The Vault points of these pieces before doubling, and the number of colours that double them.
#[inline(always)]
pub(super) fn points<W: Stack>(points: &Points, held: Piles<W>) -> (CountOf<W>, CountOf<W>) {
    let (solids, pairs) = (held.trios(), held.pairs());
    let [small, medium, large] = [held.count_size(0), held.count_size(1), held.count_size(2)];
    let trees = small.least(medium.least(large));
    let singles = small + (medium + large) - trees.times(3);
    let mixed = (trees - solids).times(points.mixed);
    (solids.times(points.solid) + (mixed + singles.times(points.single)), pairs)
}
