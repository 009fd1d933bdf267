//! Features and predicates of the pieces, written once for one game and for lanes.

use super::IceDice;
use crate::bitboard::{Bitboard, Number};
use crate::games::pyramids::pieces::{self, SMALL};
use crate::games::pyramids::piles::Piles;
use crate::games::pyramids::stack::{CountOf, Stack};

/// The places of all pieces at a decision, of one game or of every lane.
#[derive(Clone, Copy, Debug)]
pub(super) struct Places<W: Stack, const OTHERS: usize> {
    /// The Vault of the seat to play.
    pub(super) own: Piles<W>,
    /// The Vaults of the others in turn order; those of seats that do not play are empty.
    pub(super) others: [Piles<W>; OTHERS],
    pub(super) bank: Piles<W>,
    /// The types on the Counter, at most one of every colour.
    pub(super) counter: W::Plane,
}

impl<W: Stack, const OTHERS: usize> Places<W, OTHERS> {
    /// Vault and Counter together: what the player would have after stopping now.
    #[inline(always)]
    pub(super) fn stashed(&self) -> Piles<W> {
        self.own.with(self.counter)
    }

    /// The number of pieces on the Counter.
    #[inline(always)]
    pub(super) fn counter_count(&self) -> CountOf<W> {
        pieces::lowest_of_colours(self.counter).count_thirds()
    }

    /// The types in any other Vault.
    #[inline(always)]
    pub(super) fn held_by_others(&self) -> W::Plane {
        let mut held = self.others[0].any();
        for other in &self.others[1..] {
            held = held | other.any();
        }
        held
    }

    /// The largest number of trios in another Vault.
    #[inline(always)]
    pub(super) fn most_trios_of_others(&self) -> CountOf<W> {
        let mut most = self.others[0].trios();
        for other in &self.others[1..] {
            most = most.greatest(other.trios());
        }
        most
    }

    /// The largest number of pieces in another Vault.
    #[inline(always)]
    pub(super) fn most_pieces_of_others(&self) -> CountOf<W> {
        let mut most = self.others[0].count();
        for other in &self.others[1..] {
            most = most.greatest(other.count());
        }
        most
    }

    /// The number of pieces that the player's Vault and the Counter lack to win.
    #[inline(always)]
    pub(super) fn missing(&self, rules: &IceDice) -> CountOf<W> {
        Lack::of(self.stashed(), rules).pieces
    }

    /// The number of pieces that the best of the other Vaults lacks to win.
    #[inline(always)]
    pub(super) fn best_other_missing(&self, rules: &IceDice) -> CountOf<W> {
        let mut least = Lack::of(self.others[0], rules).pieces;
        for &other in &self.others[1..] {
            least = least.least(Lack::of(other, rules).pieces);
        }
        least
    }

    /// The types of the colours of which Bank, Vault and Counter together hold two pieces of every size.
    #[inline(always)]
    pub(super) fn live(&self) -> W::Plane {
        let (held, bank) = (self.stashed(), self.bank);
        let two = bank.at_least(2) | held.at_least(2) | (bank.any() & held.any());
        pieces::whole(pieces::full_colours(two))
    }

    /// The types of which one more piece lowers the number of missing pieces.
    #[inline(always)]
    pub(super) fn advancing(&self, rules: &IceDice) -> W::Plane {
        Lack::of(self.stashed(), rules).less_with()
    }

    /// The rank of another seat: more trios first, then more pieces, of which there are at most sixty.
    #[inline(always)]
    pub(super) fn rank_of_other(&self, place: usize) -> CountOf<W> {
        self.others[place].trios().times(1 << 8) + self.others[place].count()
    }

    /// The rank of the leading opponents.
    #[inline(always)]
    pub(super) fn best_rank(&self) -> CountOf<W> {
        let mut best = self.rank_of_other(0);
        for place in 1..OTHERS {
            best = best.greatest(self.rank_of_other(place));
        }
        best
    }
}

/// The pieces that a place lacks to win, for the trios that lack fewest.
///
/// The *n*-th trio of a colour lacks the sizes with fewer than *n* pieces: the unset ones of the three bits in a plane.
/// Higher planes lack more, so the trios that lack fewest can all be had together.
struct Lack<W: Stack> {
    held: Piles<W>,
    /// The trios that lack no more than the last one needed, as the lowest bits of their colours in their planes.
    near: W,
    /// The number of pieces.
    pieces: CountOf<W>,
}

impl<W: Stack> Lack<W> {
    #[inline(always)]
    fn of(held: Piles<W>, rules: &IceDice) -> Self {
        let planes = held.0;
        let (small, medium, large) =
            (planes.masked(SMALL), (planes >> 1).masked(SMALL), (planes >> 2).masked(SMALL));
        // The trios that lack at most so many pieces, and how many of those needed lack more.
        let none = small & medium & large;
        let one = (small & medium) | (small & large) | (medium & large);
        let two = small | medium | large;
        let short = [Self::short(none, rules), Self::short(one, rules), Self::short(two, rules)];
        let zero = short[0].alike(0);
        let near = W::every(held.any().alike(SMALL));
        let near = W::select(short[2].is(zero), two, near);
        let near = W::select(short[1].is(zero), one, near);
        let near = W::select(short[0].is(zero), none, near);
        Self { held, near, pieces: short[0] + short[1] + short[2] }
    }

    /// The number of trios needed in addition to these.
    #[inline(always)]
    fn short(trios: W, rules: &IceDice) -> CountOf<W> {
        let count = trios.count_thirds();
        let goal = count.alike(rules.trios.into());
        goal - count.least(goal)
    }

    /// The types of which one more piece lowers the number.
    #[inline(always)]
    fn less_with(&self) -> W::Plane {
        let whole = self.near | self.near << 1 | self.near << 2;
        (self.held.next() & whole).any()
    }
}
