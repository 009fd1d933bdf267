//! The position, in four words.
//!
//! A game has 2,400 rolls, so a roll must not wait for the previous one: the bits that say whose roll is next are in
//! another word than the results of the dice.

use super::dice::Dice;
use crate::game::Seat;

/// The position.
///
/// Only the kind of a roll matters, so a seat has one bit for each kind. The bits of all seats for one kind form a
/// lane, and all lanes are in one word:
///
/// ```text
/// near    16 bits a seat    counters of seats 0 │ 1 │ 2 │ 3            (in front of the player, not on dice)
/// far     16 bits a seat    counters of seats 4 │ 5 │ 6 │ 7
/// lanes    8 bits a lane    status │ SIXES │ SEVEN │ PAIR │ ONE_SIX │ FROZEN │ SEEN │ CHOSEN
/// table    bits 0–7         who is still to roll, or to draw for a call or a fumble, as bits
///          bits 8–23        counters in the bank
///          bits 24–39       the number of the step, from 1
///          bits 40–63       steps for which each seat still waits, 3 bits a seat
/// ```
///
/// The status: bits 0–2 hold the phase, bit 3 says that the bank was empty at the end, bit 4 that there was a tie.
///
/// All four fields are whole words: with smaller fields the trial would write a part and then read the whole, which
/// stalls the processor. The seats still to roll are not in `lanes`, because the next roll would wait for the result of
/// this one.
///
/// A bit of a lane is kept only while something depends on it. `SIXES`, `PAIR` and `ONE_SIX` are cleared at the end of
/// the step. `SEVEN` is cleared if the player is certain to roll again. `ONE_SIX` is not set for a player who cannot
/// freeze it, and `PAIR` not where doubles do not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    near: u64,
    far: u64,
    pub(super) lanes: u64,
    table: u64,
}

const _: () = assert!(size_of::<State>() == 32);

/// A lane, named by the place of its lowest bit in [`State::lanes`]: one bit per seat.
pub(super) type Lane = u32;

/// The players who rolled double sixes; once the caller is drawn, the caller.
pub(super) const SIXES: Lane = 8;
/// The players who show a sum of seven.
pub(super) const SEVEN: Lane = 16;
/// The players who rolled a pair that counts.
pub(super) const PAIR: Lane = 24;
/// The players who rolled a six that can be frozen and have not yet decided.
pub(super) const ONE_SIX: Lane = 32;
/// The players with a frozen die, and a counter on it.
pub(super) const FROZEN: Lane = 40;
/// The players who have rolled at least once.
pub(super) const SEEN: Lane = 48;
/// The players who decided to freeze, or touched the dice, or are still in the tie-break; at the end, the winner.
pub(super) const CHOSEN: Lane = 56;

/// All bits of a lane.
pub(super) const fn all(lane: Lane) -> u64 {
    0xff << lane
}

/// The purpose of a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    /// The rolls of a step.
    Roll = 0,
    /// Which of several callers is the first.
    Caller = 1,
    /// The rolls of players who show nothing yet.
    FirstRoll = 2,
    /// Which players touch the dice.
    Fumble = 3,
    /// The rolls of the tied players.
    TieBreak = 4,
    /// The game is over.
    Over = 5,
}

/// The phase, in the lowest bits of the lanes.
const PHASE: u64 = 7;
const EMPTY: u64 = 1 << 3;
const TIED: u64 = 1 << 4;

const PENDING: u64 = 0xff;
const BANK: u32 = 8;
const STEP: u32 = 24;
const WAIT: u32 = 40;
/// The lowest bit of every wait.
const WAITS: u64 = 0o1111_1111 << WAIT;

/// The lane bits that each roll sets, for seat 0.
const EFFECTS: [u64; 32] = {
    // The rest is there for looking up without a check.
    let mut effects = [1 << SEEN; 32];
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

/// The lane bits that a roll sets, for seat 0.
#[inline(always)]
pub(super) fn effect(dice: Dice) -> u64 {
    EFFECTS[dice.number() % 32]
}

impl State {
    /// The start: nobody has rolled, and every player has the same number of counters.
    pub(super) fn start(players: u8, counters: u16, bank: u16) -> Self {
        let start = Self { near: 0, far: 0, lanes: 0, table: u64::from(bank) << BANK };
        (0..players).fold(start, |state, seat| state.with_more(seat.into(), counters))
    }

    /// Applies a rare step to the state, which is passed as four separate words. A function that takes and returns
    /// states would make the trial keep its state in memory and copy it at every roll.
    #[inline(always)]
    pub(super) fn apart(self, rare: impl FnOnce(&mut [u64; 4])) -> Self {
        let mut words = [self.near, self.far, self.lanes, self.table];
        rare(&mut words);
        let [near, far, lanes, table] = words;
        Self { near, far, lanes, table }
    }

    /// The receiving side of [`State::apart`]: applies `rare` to a state given as four words.
    #[inline(always)]
    pub(super) fn change([near, far, lanes, table]: &mut [u64; 4], rare: impl FnOnce(Self) -> Self) {
        let state = rare(Self { near: *near, far: *far, lanes: *lanes, table: *table });
        (*near, *far, *lanes, *table) = (state.near, state.far, state.lanes, state.table);
    }

    /// The seats of a lane, as bits.
    #[inline(always)]
    pub(super) fn lane(&self, lane: Lane) -> u64 {
        self.lanes >> lane & 0xff
    }

    /// The players who are still to draw, as bits.
    #[inline(always)]
    pub(super) fn pending(&self) -> u64 {
        self.table & PENDING
    }

    /// The first player who is still to draw.
    #[inline(always)]
    pub(super) fn first_pending(&self) -> Seat {
        // They are the lowest bits.
        self.table.trailing_zeros() as Seat
    }

    /// Removes the first player who is still to draw, and returns that player.
    #[inline(always)]
    pub(super) fn take_pending(&mut self) -> Seat {
        let seat = self.first_pending();
        self.table &= self.table - 1;
        seat
    }

    /// The state in which exactly these players are still to draw.
    #[inline(always)]
    #[must_use]
    pub(super) fn with_pending(self, players: u64) -> Self {
        Self { table: self.table & !PENDING | players, ..self }
    }

    /// The number of players who rolled double sixes.
    pub(super) fn callers(&self) -> u8 {
        #[allow(clippy::cast_possible_truncation, reason = "at most eight")]
        let callers = self.lane(SIXES).count_ones() as u8;
        callers
    }

    /// The counters in front of a player.
    #[inline(always)]
    pub fn counters(&self, seat: Seat) -> u16 {
        let word = if seat < 4 { self.near } else { self.far };
        #[allow(clippy::cast_possible_truncation, reason = "the lowest of four numbers of 16 bits")]
        let counters = (word >> (16 * (seat % 4))) as u16;
        counters
    }

    /// The state in which this player has no counters.
    #[inline(always)]
    #[must_use]
    pub(super) fn without_counters(mut self, seat: Seat) -> Self {
        let word = if seat < 4 { &mut self.near } else { &mut self.far };
        *word &= !(0xffff << (16 * (seat % 4)));
        self
    }

    /// The largest number of counters that any player has.
    #[inline(always)]
    pub(super) fn most_counters(&self, players: u8) -> u16 {
        let near = (0..4).map(|seat| self.counters(seat)).max().unwrap_or(0);
        if players <= 4 {
            return near;
        }
        (4..8).map(|seat| self.counters(seat)).fold(near, u16::max)
    }

    /// Adds counters to a player.
    #[inline(always)]
    #[must_use]
    pub(super) fn with_more(mut self, seat: Seat, counters: u16) -> Self {
        let word = if seat < 4 { &mut self.near } else { &mut self.far };
        *word += u64::from(counters) << (16 * (seat % 4));
        self
    }

    /// Takes a counter from a player.
    #[inline(always)]
    #[must_use]
    pub(super) fn with_one_less(mut self, seat: Seat) -> Self {
        let word = if seat < 4 { &mut self.near } else { &mut self.far };
        *word -= 1 << (16 * (seat % 4));
        self
    }

    /// Moves a counter of each of these players onto a six.
    #[inline(always)]
    #[must_use]
    pub(super) fn with_stakes(self, players: u64) -> Self {
        let state = seats(players).fold(self, Self::with_one_less);
        Self { lanes: state.lanes & !all(CHOSEN) | players << FROZEN, ..state }
    }

    /// Pays a player one counter from the bank. Returns whether the bank had one.
    #[inline(always)]
    pub(super) fn pay(&mut self, seat: Seat) -> bool {
        let pays = self.bank() > 0;
        if pays {
            self.table -= 1 << BANK;
            *self = self.with_more(seat, 1);
        }
        pays
    }

    /// Counters in the bank.
    #[inline(always)]
    pub fn bank(&self) -> u16 {
        #[allow(clippy::cast_possible_truncation, reason = "16 bits")]
        let bank = (self.table >> BANK) as u16;
        bank
    }

    /// Adds counters to the bank.
    pub(super) fn fill_bank(&mut self, counters: u16) {
        self.table += u64::from(counters) << BANK;
    }

    /// Counters on frozen dice.
    pub fn stakes(&self) -> u16 {
        #[allow(clippy::cast_possible_truncation, reason = "at most eight")]
        let stakes = self.lane(FROZEN).count_ones() as u16;
        stakes
    }

    /// The number of the step, from 1.
    #[inline(always)]
    pub fn step(&self) -> u16 {
        #[allow(clippy::cast_possible_truncation, reason = "16 bits")]
        let step = (self.table >> STEP) as u16;
        step
    }

    /// Advances to the next step.
    #[inline(always)]
    pub(super) fn tick(&mut self) {
        self.table += 1 << STEP;
    }

    /// The state in which this player decides, in this step.
    #[must_use]
    pub(super) fn asking(self, seat: Seat, step: u16) -> Self {
        let table = self.table | u64::from(step) << STEP;
        Self { lanes: self.lanes | 1 << ONE_SIX << seat, table, ..self }
    }

    /// The state without the answers given so far, as the deciding players see it.
    #[inline(always)]
    #[must_use]
    pub(super) fn without_answers(self) -> Self {
        Self { lanes: self.lanes & !all(CHOSEN), ..self }
    }

    /// The seat that decides.
    #[inline(always)]
    pub fn decider(&self) -> Seat {
        self.lane(ONE_SIX).trailing_zeros() as Seat
    }

    #[inline(always)]
    pub(super) fn phase(&self) -> Phase {
        match self.lanes & PHASE {
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
        Self { lanes: self.lanes & !PHASE | phase as u64, ..self }
    }

    /// The lowest bit of every wait that is not finished.
    #[inline(always)]
    fn waits(&self) -> u64 {
        (self.table | self.table >> 1 | self.table >> 2) & WAITS
    }

    /// Whether any player waits for confirmation.
    #[inline(always)]
    pub(super) fn has_waits(&self) -> bool {
        self.table & (7 * WAITS) != 0
    }

    /// The seats that wait for confirmation, as bits.
    pub(super) fn waiting(&self) -> u64 {
        // Every third bit becomes every bit.
        (0..8).fold(0, |seats, seat| seats | (self.waits() >> WAIT >> (3 * seat) & 1) << seat)
    }

    /// Shortens every wait by one step.
    pub(super) fn pass_waits(&mut self) {
        self.table -= self.waits();
    }

    /// The state in which this player waits for this number of steps.
    #[must_use]
    pub(super) fn with_wait(self, seat: Seat, steps: u8) -> Self {
        let place = WAIT as usize + 3 * seat;
        Self { table: self.table & !(7 << place) | u64::from(steps) << place, ..self }
    }

    /// The number of steps that a player waits.
    pub(super) fn wait(&self, seat: Seat) -> u8 {
        (self.table >> (WAIT as usize + 3 * seat)).to_le_bytes()[0] & 7
    }

    /// The state of a decision without waits, built from its parts.
    pub(super) fn of(counters: &[u16], bank: u16, step: u16, lanes: u64) -> Self {
        let table = u64::from(bank) << BANK | u64::from(step) << STEP;
        let state = Self { near: 0, far: 0, lanes, table };
        counters.iter().enumerate().fold(state, |state, (seat, counters)| state.with_more(seat, *counters))
    }

    /// Ends all waits and records whether the bank was empty.
    #[must_use]
    pub(super) fn at_end(self) -> Self {
        let lanes = if self.bank() == 0 { EMPTY } else { 0 };
        Self { lanes, table: self.table & ((1 << WAIT) - 1), ..self }
    }

    /// The state in which these players are tied, or the single one has won.
    #[must_use]
    pub(super) fn with_best(self, players: u64) -> Self {
        let tied = if players.is_power_of_two() { 0 } else { TIED };
        Self { lanes: self.lanes & (EMPTY | TIED) | tied | players << CHOSEN, ..self }
    }

    /// Whether the game ended because the bank was empty.
    #[inline(always)]
    pub(super) fn was_empty(&self) -> bool {
        self.lanes & EMPTY != 0
    }

    /// Whether there was a tie-break.
    #[inline(always)]
    pub(super) fn was_tied(&self) -> bool {
        self.lanes & TIED != 0
    }
}

/// The seats of a set, from the lowest.
pub(super) fn seats(mut set: u64) -> impl Iterator<Item = Seat> {
    std::iter::from_fn(move || {
        let seat = set.trailing_zeros() as Seat;
        set &= set.wrapping_sub(1);
        (seat < 64).then_some(seat)
    })
}
