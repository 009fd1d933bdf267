//! The state: twelve bytes, drawn in the documentation of the game.

use super::Carbonite;
use super::places::Places;
use crate::bitboard::Bitboard;
use crate::game::{Node, NodeOf};
use crate::games::pyramids::pieces::{self, ALL, Types};
use crate::games::pyramids::piles::Planes;

pub(super) const NO_MARKER_OUT: u8 = 15;
const TAIL_MARKER: u8 = 0x0F;
const TAIL_ENDING: u8 = 0x70;
const TAIL_FROM_VAULT: u8 = 0x80;

pub(super) const COMPLETED: u8 = 0;
pub(super) const NO_MARKER: u8 = 1;
pub(super) const NO_RETRIBUTION: u8 = 2;
pub(super) const NO_MATCH: u8 = 3;

/// The place of every pyramid, and the turn. The layout is drawn in the module's documentation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    pub(super) bank: Planes,
    pub(super) vault: Planes,
    pub(super) counter: Types,
    pub(super) turn: u8,
    pub(super) tail: u8,
}

const _: () = assert!(size_of::<State>() == 12);

impl State {
    /// The pieces in the Bank.
    pub fn bank(&self) -> Planes {
        self.bank
    }

    /// The pieces in the Vault.
    pub fn vault(&self) -> Planes {
        self.vault
    }

    /// The piece types on the Counter: at most one of every colour.
    pub fn counter(&self) -> Types {
        self.counter
    }

    /// The number of pieces on the Counter.
    #[inline(always)]
    pub fn counter_count(&self) -> u32 {
        pieces::lowest_of_colours(self.counter).count_thirds()
    }

    /// The turn, from 1.
    #[inline(always)]
    pub fn turn(&self) -> u32 {
        u32::from(self.turn)
    }

    /// Vault and Counter together: what the player would have after stopping now.
    #[inline(always)]
    pub fn stashed(&self) -> Planes {
        self.vault.with(self.counter)
    }

    /// The places of the pieces.
    #[inline(always)]
    pub(super) fn places(&self) -> Places<u32> {
        Places { bank: self.bank, vault: self.vault, counter: self.counter, marker: self.marker() }
    }

    /// The piece type of the marker if it will be given back, else none.
    #[inline(always)]
    pub fn marker(&self) -> Types {
        (1 << (self.tail & TAIL_MARKER)) & ALL
    }

    #[inline(always)]
    pub(super) fn with_marker(self, marker: u8) -> Self {
        Self { tail: self.tail & !TAIL_MARKER | marker, ..self }
    }

    /// The state after the choice of the marker, which is the one that will be given back.
    #[inline(always)]
    pub(super) fn marked(self, marker: u8) -> Self {
        Self { tail: marker, ..self }
    }

    #[inline(always)]
    pub(super) fn with_from_vault(self, from_vault: bool) -> Self {
        Self { tail: self.tail & !TAIL_FROM_VAULT | u8::from(from_vault) << 7, ..self }
    }

    #[inline(always)]
    pub(super) fn is_from_vault(self) -> bool {
        self.tail & TAIL_FROM_VAULT != 0
    }

    /// The state in which the turn's marker is chosen: the marker of the turn before is still out.
    #[inline(always)]
    pub(super) fn marking(self) -> Self {
        Self { tail: self.tail | TAIL_ENDING, ..self }
    }

    #[inline(always)]
    pub(super) fn is_marking(self) -> bool {
        self.tail & TAIL_ENDING == TAIL_ENDING
    }

    #[inline(always)]
    pub(super) fn end(self, ending: u8) -> NodeOf<Carbonite> {
        Node::Terminal(Self { tail: ending << 4 | NO_MARKER_OUT, ..self })
    }

    /// The start, before the first turn.
    pub(super) fn start(bank: Planes) -> Self {
        Self { bank, vault: Planes::default(), counter: 0, turn: 0, tail: NO_MARKER_OUT }
    }

    /// The state of a decision, built from its parts; `marker` is the piece type of the marker that will be given back.
    pub(super) fn of(
        [bank, vault]: [Planes; 2],
        counter: Types,
        turn: u8,
        marker: Types,
        is_marking: bool,
        is_from_vault: bool,
    ) -> Self {
        let state = Self { bank, vault, counter, turn, tail: marker_number(marker) };
        if is_marking { state.marking() } else { state.with_from_vault(is_from_vault) }
    }

    /// The index of the ending of a terminal state.
    #[inline(always)]
    pub(super) fn ending(&self) -> u8 {
        (self.tail & TAIL_ENDING) >> 4
    }

    /// The same position with the colours in a fixed order, and without the memory of where the last piece came from.
    #[inline(always)]
    pub(super) fn with_sorted_colours(self) -> Self {
        let state = self.with_from_vault(false);
        let piles = [state.bank.one(), state.bank.two(), state.vault.one(), state.vault.two()];
        let piles = piles.iter().fold(0, |piles, &plane| piles << 16 | u64::from(plane));
        let [counter, marker] = [state.counter, state.marker()].map(u64::from);
        // What there is of each colour, the first plane highest.
        let mut colours = [0, 3, 6, 9, 12].map(|at| {
            (piles >> at & 0x0007_0007_0007_0007) << 13 | (counter >> at & 7) << 3 | marker >> at & 7
        });
        // A sorting network for five, greatest first (Knuth, TAOCP 3, 5.3.4): no branches to mispredict.
        for (low, high) in [(0, 1), (3, 4), (2, 4), (2, 3), (1, 4), (0, 3), (0, 2), (1, 3), (1, 2)] {
            let (a, b) = (colours[low], colours[high]);
            (colours[low], colours[high]) = (a.max(b), a.min(b));
        }
        let of = |shift: u32, mask: u64| {
            colours.iter().rev().fold(0, |all, colour| all << 3 | colour >> shift & mask)
        };
        let (piles, counter, marker) = (of(13, u64::MAX), of(3, 7), of(0, 7));
        #[allow(clippy::cast_possible_truncation, reason = "sixteen bits of four planes")]
        let [bank_one, bank_two, vault_one, vault_two, counter, marker] =
            [piles >> 48, piles >> 32, piles >> 16, piles, counter, marker].map(|plane| plane as Types);
        let state = State {
            bank: Planes::new(bank_one, bank_two),
            vault: Planes::new(vault_one, vault_two),
            counter,
            ..state
        };
        state.with_marker(marker_number(marker))
    }
}

/// The bit number of a marker as stored in the tail.
#[inline]
pub(super) fn marker_number(marker: Types) -> u8 {
    #[allow(clippy::cast_possible_truncation, reason = "at most 16")]
    let number = (marker | 0x8000).trailing_zeros() as u8;
    number
}
