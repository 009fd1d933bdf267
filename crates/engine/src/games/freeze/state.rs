//! The position: four words.

use super::dice::Dice;
use crate::game::Seat;

/// The position.
///
/// What dice show matters only by its kind, so that a seat has a bit for each kind of roll. The bits of all seats
/// are a lane, and the lanes are one word:
///
/// ```text
/// near    16 bits a seat    counters of seats 0 │ 1 │ 2 │ 3            (in front of the player, not on dice)
/// far     16 bits a seat    counters of seats 4 │ 5 │ 6 │ 7
/// lanes    8 bits a lane    PENDING │ SIXES │ SEVEN │ PAIR │ ONE_SIX │ FROZEN │ SEEN │ CHOSEN
/// bank    16 bits           counters in the bank
/// step    16 bits           the number of the step, from 1
/// clock   32 bits           bits 0–23   steps for which each seat still waits, 3 bits a seat
///                           bits 24–26  the phase    27  the bank was empty at the end    28  there was a tie
/// ```
///
/// A seat's bit of a lane is kept only as long as something depends on it: `SIXES`, `PAIR` and `ONE_SIX` are gone with the
/// step; `SEVEN` is gone where the player is sure to roll again; `ONE_SIX` is not set for one who cannot freeze it, nor
/// `PAIR` where doubles do not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    near: u64,
    far: u64,
    pub(super) lanes: u64,
    pub(super) bank: u16,
    pub(super) step: u16,
    clock: u32,
}

const _: () = assert!(size_of::<State>() == 32);

/// A bit for each seat, by the place of its lowest bit in [`State::lanes`].
pub(super) type Lane = u32;

/// Who is still to roll, or to draw for a fumble.
pub(super) const PENDING: Lane = 0;
/// Who has rolled double sixes; once it is drawn, who calls.
pub(super) const SIXES: Lane = 8;
/// Who shows a sum of seven.
pub(super) const SEVEN: Lane = 16;
/// Who has rolled a pair that counts.
pub(super) const PAIR: Lane = 24;
/// Who has rolled a six that can be frozen, and is still to decide.
pub(super) const ONE_SIX: Lane = 32;
/// Who has a frozen die, with a counter on it.
pub(super) const FROZEN: Lane = 40;
/// Who has rolled at all.
pub(super) const SEEN: Lane = 48;
/// Who has decided to freeze; who has touched the dice; who is still in the tie-break; in the end, who has won.
pub(super) const CHOSEN: Lane = 56;

/// All of a lane.
pub(super) const fn all(lane: Lane) -> u64 {
    0xff << lane
}

/// What a draw is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    /// The rolls of a step.
    Roll = 0,
    /// Who of several calls.
    Caller = 1,
    /// The rolls of those who show nothing yet.
    FirstRoll = 2,
    /// Who touches the dice.
    Fumble = 3,
    /// The rolls of those who are tied.
    TieBreak = 4,
    /// The game is over.
    Over = 5,
}

const PHASE: u32 = 24;
const EMPTY: u32 = 1 << 27;
const TIED: u32 = 1 << 28;
/// The lowest bits of all waits.
const WAITS: u32 = 0o1111_1111;

/// The lanes of a roll, for seat 0.
const EFFECTS: [u64; Dice::COUNT] = {
    let mut effects = [1 << SEEN; Dice::COUNT];
    let mut roll = 0;
    while roll < Dice::COUNT {
        let (low, high) = Dice::faces_of(roll);
        effects[roll] |= match (low, high) {
            (6, 6) => 1 << SIXES,
            (1, 6) if Dice::is_loose(roll) => 1 << SEVEN,
            (1, 6) => 1 << SEVEN | 1 << ONE_SIX,
            (_, 6) if Dice::is_loose(roll) => 0,
            (_, 6) => 1 << ONE_SIX,
            _ if low + high == 7 => 1 << SEVEN,
            _ if low == high => 1 << PAIR,
            _ => 0,
        };
        roll += 1;
    }
    effects
};

/// What a roll changes in the lanes, for seat 0.
#[inline(always)]
pub(super) fn effect(dice: Dice) -> u64 {
    EFFECTS[dice.number()]
}

impl State {
    /// Nobody has rolled; everybody has as many counters.
    pub(super) fn start(players: u8, counters: u16, bank: u16) -> Self {
        let start = Self { near: 0, far: 0, lanes: 0, bank, step: 0, clock: 0 };
        (0..players).fold(start, |state, seat| state.with_more(seat.into(), counters))
    }

    /// The seats in a lane, as bits.
    #[inline(always)]
    pub(super) fn lane(&self, lane: Lane) -> u64 {
        self.lanes >> lane & 0xff
    }

    /// The counters in front of a player.
    #[inline(always)]
    pub fn counters(&self, seat: Seat) -> u16 {
        let word = if seat < 4 { self.near } else { self.far };
        #[allow(clippy::cast_possible_truncation, reason = "the lowest of four numbers of 16 bits")]
        let counters = (word >> (16 * (seat % 4))) as u16;
        counters
    }

    /// The player gets counters, from wherever.
    #[inline(always)]
    #[must_use]
    pub(super) fn with_more(mut self, seat: Seat, counters: u16) -> Self {
        let word = if seat < 4 { &mut self.near } else { &mut self.far };
        *word += u64::from(counters) << (16 * (seat % 4));
        self
    }

    /// The player gives a counter away.
    #[inline(always)]
    #[must_use]
    pub(super) fn with_one_less(mut self, seat: Seat) -> Self {
        let word = if seat < 4 { &mut self.near } else { &mut self.far };
        *word -= 1 << (16 * (seat % 4));
        self
    }

    /// Each of the players puts a counter on a six.
    #[inline(always)]
    #[must_use]
    pub(super) fn with_stakes(self, players: u64) -> Self {
        let state = seats(players).fold(self, Self::with_one_less);
        Self { lanes: state.lanes & !all(CHOSEN) | players << FROZEN, ..state }
    }

    /// The bank pays a counter, if it has one.
    #[inline(always)]
    pub(super) fn pay(&mut self, seat: Seat) -> bool {
        let pays = self.bank > 0;
        if pays {
            self.bank -= 1;
            *self = self.with_more(seat, 1);
        }
        pays
    }

    /// Counters in the bank.
    pub fn bank(&self) -> u16 {
        self.bank
    }

    /// Counters on frozen dice.
    pub fn stakes(&self) -> u16 {
        #[allow(clippy::cast_possible_truncation, reason = "at most eight")]
        let stakes = self.lane(FROZEN).count_ones() as u16;
        stakes
    }

    /// The number of the step, from 1.
    pub fn step(&self) -> u16 {
        self.step
    }

    /// The player decides in this step.
    #[must_use]
    pub(super) fn asking(self, seat: Seat, step: u16) -> Self {
        Self { lanes: self.lanes | 1 << ONE_SIX << seat, step, ..self }
    }

    /// Whose decision it is.
    #[inline(always)]
    pub fn decider(&self) -> Seat {
        self.lane(ONE_SIX).trailing_zeros() as Seat
    }

    #[inline(always)]
    pub(super) fn phase(&self) -> Phase {
        match self.clock >> PHASE & 7 {
            0 => Phase::Roll,
            1 => Phase::Caller,
            2 => Phase::FirstRoll,
            3 => Phase::Fumble,
            4 => Phase::TieBreak,
            _ => Phase::Over,
        }
    }

    #[inline(always)]
    #[must_use]
    pub(super) fn in_phase(self, phase: Phase) -> Self {
        Self { clock: self.clock & !(7 << PHASE) | (phase as u32) << PHASE, ..self }
    }

    /// The seats that wait for confirmation, as bits.
    pub(super) fn waiting(&self) -> u64 {
        let waits = (self.clock | self.clock >> 1 | self.clock >> 2) & WAITS;
        // Every third bit becomes every bit.
        (0..8).fold(0, |seats, seat| seats | u64::from(waits >> (3 * seat) & 1) << seat)
    }

    /// Those who wait do so for a step less.
    pub(super) fn pass_waits(&mut self) {
        self.clock -= (self.clock | self.clock >> 1 | self.clock >> 2) & WAITS;
    }

    /// Whether anybody waits for confirmation.
    #[inline(always)]
    pub(super) fn has_waits(&self) -> bool {
        self.clock & (7 * WAITS) != 0
    }

    /// The player waits so many steps.
    #[must_use]
    pub(super) fn with_wait(self, seat: Seat, steps: u8) -> Self {
        let clock = self.clock & !(7 << (3 * seat)) | u32::from(steps) << (3 * seat);
        Self { clock, ..self }
    }

    /// Nobody waits any more, and it is noted whether the bank was empty.
    #[must_use]
    pub(super) fn at_end(self) -> Self {
        Self { lanes: 0, clock: if self.bank == 0 { EMPTY } else { 0 }, ..self }
    }

    /// There is a tie-break.
    #[must_use]
    pub(super) fn tied(self) -> Self {
        Self { clock: self.clock | TIED, ..self }
    }

    /// Whether the game ended because the bank was empty.
    #[inline(always)]
    pub(super) fn was_empty(&self) -> bool {
        self.clock & EMPTY != 0
    }

    /// Whether there was a tie-break.
    #[inline(always)]
    pub(super) fn was_tied(&self) -> bool {
        self.clock & TIED != 0
    }
}

/// The seats of a set, from the lowest on.
pub(super) fn seats(mut set: u64) -> impl Iterator<Item = Seat> {
    std::iter::from_fn(move || {
        let seat = set.trailing_zeros() as Seat;
        set &= set.wrapping_sub(1);
        (seat < 64).then_some(seat)
    })
}
