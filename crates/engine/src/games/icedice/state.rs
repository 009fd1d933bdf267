//! The state: forty-eight bytes, drawn in the documentation of the game.

use super::IceDice;
use super::piles::Piles;
use crate::game::Seat;
use crate::games::carbonite::pieces::{self, ALL, Types};

/// Where every pyramid is, whose turn it is and which. The layout is drawn in the module's documentation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    /// The Vault of the seat to play.
    pub(super) own: Piles,
    /// The Vaults of the others in turn order; those of seats that do not play are empty.
    pub(super) next: Piles,
    pub(super) after: Piles,
    pub(super) last: Piles,
    pub(super) bank: Piles,
    pub(super) counter: Types,
    /// The piece that is being stolen, while its owner is chosen.
    pub(super) stolen: Types,
    /// The number of the turn, all players together, from 1; 0 if forgotten.
    pub(super) turn: u16,
    /// Whose turn it is.
    pub(super) seat: u16,
}

const _: () = assert!(size_of::<State>() == 48);

impl State {
    /// The start: all in the Bank.
    pub(super) fn start(copies: u8) -> Self {
        let none = Piles::default();
        Self {
            own: none,
            next: none,
            after: none,
            last: none,
            bank: Piles::filled(ALL, copies),
            counter: 0,
            stolen: 0,
            turn: 1,
            seat: 0,
        }
    }

    /// The pieces in the Bank.
    pub fn bank(&self) -> Piles {
        self.bank
    }

    /// The piece types on the Counter: at most one of every colour.
    pub fn counter(&self) -> Types {
        self.counter
    }

    /// How many pieces are on the Counter.
    #[inline(always)]
    pub fn counter_count(&self) -> u32 {
        pieces::count_lowest(pieces::whole_colours(self.counter) & pieces::SMALL)
    }

    /// Whose turn it is.
    pub fn seat(&self) -> Seat {
        self.seat.into()
    }

    /// Vault and Counter together, as if the player stopped now.
    #[inline(always)]
    pub(super) fn stashed(&self) -> Piles {
        self.own.with(self.counter)
    }

    /// The Vaults of the other seats in turn order.
    #[inline(always)]
    pub(super) fn others(&self) -> [Piles; 3] {
        [self.next, self.after, self.last]
    }

    /// The types that somebody else's Vault holds.
    #[inline(always)]
    pub(super) fn held_by_others(&self) -> Types {
        self.next.any() | self.after.any() | self.last.any()
    }

    /// The Vault of the seat so many places after the one to play.
    #[inline(always)]
    pub(super) fn vault_after(&self, places: usize) -> Piles {
        [self.own, self.next, self.after, self.last][places]
    }

    /// The same position with the colours in a fixed order. Where a piece is being stolen the colours stay: no
    /// dice are rolled there, and values are remembered for rolls alone.
    pub(super) fn with_sorted_colours(self) -> Self {
        if self.stolen != 0 {
            return self;
        }
        let places = [self.own, self.next, self.after, self.last, self.bank];
        let mut colours = [0, 1, 2, 3, 4].map(|colour| {
            let counter = u64::from(self.counter) >> (3 * colour) & 7;
            places.iter().fold(counter, |key, place| key << 12 | place.of_colour(colour))
        });
        colours.sort_unstable_by(|a, b| b.cmp(a));
        let mut places = [Piles::default(); 5];
        let mut counter = 0;
        for (colour, key) in (0..).zip(colours) {
            for (shift, place) in (0..5).rev().zip(&mut places) {
                *place = place.with_colour(colour, key >> (12 * shift) & 0xFFF);
            }
            #[allow(clippy::cast_possible_truncation, reason = "three bits")]
            let bits = (key >> 60) as Types;
            counter |= bits << (3 * colour);
        }
        let [own, next, after, last, bank] = places;
        Self { own, next, after, last, bank, counter, ..self }
    }
}

impl IceDice {
    /// The Vault of a seat.
    #[inline(always)]
    pub fn vault(&self, state: &State, seat: Seat) -> Piles {
        let players = usize::from(self.players);
        state.vault_after((seat + players - state.seat()) % players)
    }

    /// The seat so many places after the one to play.
    #[inline(always)]
    pub(super) fn seat_after(&self, state: &State, places: usize) -> Seat {
        (state.seat() + places) % usize::from(self.players)
    }
}
