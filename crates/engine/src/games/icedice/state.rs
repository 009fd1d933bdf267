//! The state: forty-eight bytes, drawn in the documentation of the game.

use super::IceDice;
use super::piles::Piles;
use super::places::Places;
use crate::game::Seat;
use crate::games::pyramids::pieces::{ALL, Types};

/// The place of every pyramid, the seat to play and the turn. The layout is drawn in the module's documentation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    /// The Vault of the seat to play.
    pub(super) own: Piles,
    /// The Vaults of the others in turn order; those of seats that do not play are empty.
    pub(super) next: Piles,
    pub(super) after: Piles,
    pub(super) last: Piles,
    pub(super) bank: Piles,
    pub(super) now: Now,
}

/// The fields that are not places of pyramids, in one word, so that a trial keeps them in one register: see the
/// drawing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Now(u64);

const STOLEN: u32 = 16;
const TURN: u32 = 32;
const SEAT: u32 = 48;
/// The mask of one of the four numbers, in the lowest bits.
const LOWEST: u64 = 0xFFFF;

impl Now {
    /// The first turn of the first seat.
    const START: Self = Self(1 << TURN);

    #[inline(always)]
    fn number(self, shift: u32) -> u16 {
        #[allow(clippy::cast_possible_truncation, reason = "one number of four")]
        let number = (self.0 >> shift) as u16;
        number
    }

    /// Adds these pieces to the Counter.
    #[inline(always)]
    #[must_use]
    pub(super) fn with_counter(self, types: Types) -> Self {
        Self(self.0 | u64::from(types))
    }

    /// Marks this piece as being stolen, while the victim is chosen.
    #[inline(always)]
    #[must_use]
    pub(super) fn stealing(self, piece: Types) -> Self {
        Self(self.0 | u64::from(piece) << STOLEN)
    }

    /// Ends the theft.
    #[inline(always)]
    #[must_use]
    pub(super) fn without_stolen(self) -> Self {
        Self(self.0 & !(LOWEST << STOLEN))
    }

    /// Empties the Counter.
    #[inline(always)]
    #[must_use]
    pub(super) fn without_counter(self) -> Self {
        Self(self.0 & !LOWEST)
    }

    /// The next turn, which is the next seat's. A turn number of 0 means that it was forgotten, and stays 0.
    #[inline(always)]
    #[must_use]
    pub(super) fn passed(self, players: u8) -> Self {
        let turn = if self.number(TURN) == 0 { 0 } else { 1 << TURN };
        let next = self.0 + turn + (1 << SEAT);
        Self(if next >> SEAT == u64::from(players) { next & !(LOWEST << SEAT) } else { next })
    }

    #[must_use]
    pub(super) fn without_turn(self) -> Self {
        Self(self.0 & !(LOWEST << TURN))
    }
}

const _: () = assert!(size_of::<State>() == 48);

impl State {
    /// The start: all pieces are in the Bank.
    pub(super) fn start(copies: u8) -> Self {
        let none = Piles::default();
        Self {
            own: none,
            next: none,
            after: none,
            last: none,
            bank: Piles::filled(ALL, copies),
            now: Now::START,
        }
    }

    /// The state of a decision, built from its parts: the Vaults, from that of the seat to play, and the Bank; then the
    /// Counter, the piece that is being stolen, the turn and the seat.
    pub(super) fn of(places: [Piles; 5], [counter, stolen, turn, seat]: [u16; 4]) -> Self {
        let [own, next, after, last, bank] = places;
        let [counter, stolen, turn, seat] = [counter, stolen, turn, seat].map(u64::from);
        let now = Now(counter | stolen << STOLEN | turn << TURN | seat << SEAT);
        Self { own, next, after, last, bank, now }
    }

    /// The pieces in the Bank.
    pub fn bank(&self) -> Piles {
        self.bank
    }

    /// The piece types on the Counter: at most one of every colour.
    #[inline(always)]
    pub fn counter(&self) -> Types {
        self.now.number(0)
    }

    /// The piece that is being stolen, while the victim is chosen; otherwise none.
    #[inline(always)]
    pub(super) fn stolen(&self) -> Types {
        self.now.number(STOLEN)
    }

    /// The number of the turn, all players together, from 1; 0 if forgotten.
    #[inline(always)]
    pub(super) fn turn(&self) -> u16 {
        self.now.number(TURN)
    }

    /// The number of pieces on the Counter.
    #[inline(always)]
    pub fn counter_count(&self) -> u32 {
        self.places().counter_count()
    }

    /// The seat to play.
    #[inline(always)]
    pub fn seat(&self) -> Seat {
        self.now.number(SEAT).into()
    }

    /// Vault and Counter together: what the player would have after stopping now.
    #[inline(always)]
    pub(super) fn stashed(&self) -> Piles {
        self.own.with(self.counter())
    }

    /// The places of the pieces.
    #[inline(always)]
    pub(super) fn places(&self) -> Places<u64, 3> {
        Places { own: self.own, others: self.others(), bank: self.bank, counter: self.counter() }
    }

    /// The Vaults of the other seats in turn order.
    #[inline(always)]
    pub(super) fn others(&self) -> [Piles; 3] {
        [self.next, self.after, self.last]
    }

    /// The Vault of the seat that many places after the one to play.
    #[inline(always)]
    pub(super) fn vault_after(&self, places: usize) -> Piles {
        [self.own, self.next, self.after, self.last][places]
    }

    /// The same position with the colours in a fixed order. While a piece is being stolen the colours are not sorted:
    /// no dice are rolled there, and the exact walk stores values only for rolls.
    pub(super) fn with_sorted_colours(self) -> Self {
        if self.stolen() != 0 {
            return self;
        }
        let places = [self.own, self.next, self.after, self.last, self.bank];
        let mut colours = [0, 1, 2, 3, 4].map(|colour| {
            let counter = u64::from(self.counter()) >> (3 * colour) & 7;
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
        Self { own, next, after, last, bank, now: self.now.without_counter().with_counter(counter) }
    }
}

impl IceDice {
    /// The Vault of a seat.
    #[inline(always)]
    pub fn vault(&self, state: &State, seat: Seat) -> Piles {
        let players = usize::from(self.players);
        state.vault_after((seat + players - state.seat()) % players)
    }

    /// The seat that many places after the one to play.
    #[inline(always)]
    pub(super) fn seat_after(&self, state: &State, places: usize) -> Seat {
        (state.seat() + places) % usize::from(self.players)
    }
}
