//! Pig on lanes: [`resolve`](Game::resolve), [`decide`](Game::decide) and the passing of the turn without branches.
//!
//! Lanes have 8 bits if all numbers fit, which gives twice as many lanes as 16 bits.
//!
//! Eight bits suffice if they hold the goal plus the points of a roll and all table entries that the policies look up,
//! unless a policy reads the number of rolls of the turn or computes in 16 bits. When a game has more turns or rolls
//! than a lane can count, its counts are moved out in pieces, so that other games are not slowed down (`long.rs`).
//!
//! A turn that ends shifts one bit into its lane: 1 for a bust. At a pause these bits, one per turn that has ended,
//! move to the 64-bit history of the game. When the game is over, one masked addition counts the busts of all turns;
//! only then is it determined which seat played which turn.
//!
//! Tried for two seats on Zen 5, without gain:
//!
//! - dealing each seat four rolls ahead into a hand of packed dice: no state is stored at a roll and the die no
//!   longer waits for the generator, but choosing from the hands costs what that saves, and about a seventh of all
//!   dice are unused at the end of a game (12 % slower with AVX-512, even with AVX2);
//! - the dice of all tables before the rules of all; masks of mask registers for parts; 12 or 16 rolls between two
//!   finishes;
//! - the finished games of all tables in one loop: its end is one misprediction for four tables, but finding table
//!   and lane of every game costs more (a fifth slower for one seat).
#![allow(clippy::needless_range_loop, reason = "several arrays by seat go side by side")]

mod counts;
mod long;
mod view;

use std::ops::Range;

use counts::Finished;
pub use counts::PigCounts;
use long::Long;
use view::View;

use super::{MEMORY_ROLLS, MEMORY_SCORING_TURNS, Pig, STOP};
use crate::bitboard::{Number, Truth};
#[cfg(doc)]
use crate::game::Game;
use crate::lanes::simd::{LaneTable, MOST_NARROW, MOST_PARTS, Machine, Numbers, Places, Vector};
use crate::lanes::{Dice, Digits, Lane, LaneGame, LanePolicy, LaneState, MOST_ROLLS, Mask, Streams, drive};
use crate::stream::Keys;

/// The number of turns of all seats together …
const MANY_TURNS: u16 = 48;
/// … or the number of rolls of one seat above which the counts are moved out: a lane counts turns in the bits of a
/// 64-bit number, and rolls in its own.
const MANY_ROLLS: u16 = 192;

impl LaneGame for Pig {
    type Counts = PigCounts;

    fn play<M: Machine, P: LanePolicy>(
        &self,
        machine: M,
        lineup: &[P],
        keys: &Keys,
        next: impl FnMut(&mut PigCounts) -> Range<u64>,
        counts: &mut PigCounts,
    ) {
        if Setup::new(self, lineup, false).largest <= <M::Narrow as Vector>::LARGEST {
            play(machine.narrow(), self, lineup, keys, next, counts);
        } else {
            play(machine.wide(), self, lineup, keys, next, counts);
        }
    }
}

/// Plays on lanes of one width.
fn play<S: Vector, P: LanePolicy>(
    simd: S,
    rules: &Pig,
    lineup: &[P],
    keys: &Keys,
    next: impl FnMut(&mut PigCounts) -> Range<u64>,
    counts: &mut PigCounts,
) {
    match rules.players {
        1 => drive::<S, P, Games<S, 1>, 1>(simd, rules, lineup, keys, next, counts),
        2 => drive::<S, P, Games<S, 2>, 2>(simd, rules, lineup, keys, next, counts),
        _ => drive::<S, P, Games<S, 4>, 4>(simd, rules, lineup, keys, next, counts),
    }
}

/// The rules as a table, and the properties of the line-up's policies that the loop needs.
#[derive(Debug)]
pub struct Setup {
    rules: Pig,
    /// The points of each face; 0 for a face that busts.
    points: LaneTable,
    /// The kinds of memory that some policy reads; no other memory is kept.
    memory: u32,
    /// The greatest number that a lane must hold.
    largest: u16,
    /// Whether a game can reach the cap before its counts are moved out.
    is_cap_near: bool,
    /// Whether the answers are noted.
    answers: bool,
}

impl Setup {
    fn new<P: LanePolicy>(rules: &Pig, lineup: &[P], answers: bool) -> Self {
        let points = |face: u16| match face {
            _ if rules.bust_faces.contains(face.into()) => 0,
            _ if rules.unit_score => 1,
            _ => face,
        };
        let points: Vec<u16> = (1..=rules.sides.into()).map(points).collect();
        let memory = lineup.iter().fold(0, |memory, policy| memory | policy.memory());
        // A turn's total is added to before it is cut; who does not hold may roll for ever.
        let most_points = points.iter().fold(0, |most, &points| most.max(points));
        let rolls = if memory & MEMORY_ROLLS != 0 { u16::MAX } else { MANY_ROLLS };
        let largest = lineup.iter().map(LanePolicy::largest).chain([rules.goal + most_points, rolls]);
        let largest = largest.fold(0, u16::max);
        let is_cap_near = usize::from(rules.turn_cap) < usize::from(MANY_TURNS) + MOST_ROLLS;
        Self { rules: *rules, points: LaneTable::new(&points), memory, largest, is_cap_near, answers }
    }
}

/// One game per lane: its [`State`](super::State) and the counts of a recorder, for `SEATS` seats. Three seats use the
/// table for four.
#[derive(Clone, Copy, Debug)]
pub struct Games<S: Vector, const SEATS: usize> {
    /// Points missing to the goal, by seat.
    left: [Lane<S>; SEATS],
    scoring_turns: [Lane<S>; SEATS],
    rolls: [Lane<S>; SEATS],
    total: Lane<S>,
    turn_rolls: Lane<S>,
    /// The number of finished turns.
    turns: Lane<S>,
    /// The seat to play, for the table of four seats; otherwise the number of turns implies it.
    seat: Lane<S>,
    /// The number of turns after which the game ends without a winner.
    cap: Lane<S>,
    /// One bit per turn that ended since the last pause, the last turn lowest: 1 for a bust.
    busts: Lane<S>,
    /// The number of turns that were finished at the last pause.
    before: Lane<S>,
    /// The bits of all turns up to the last pause; higher bits are undefined.
    history: [Places; MOST_PARTS],
    /// The number of answers since the last pause and, one bit each, they themselves, the last lowest; if they are noted.
    answered: Lane<S>,
    answers: Lane<S>,
    /// Those up to the last pause.
    digits: Digits,
    long: Long<SEATS>,
}

impl<S: Vector, const SEATS: usize> Games<S, SEATS> {
    /// For every seat, all bits set in the lanes in which it is to play.
    #[inline(always)]
    fn plays(&self) -> [Lane<S>; SEATS] {
        let every = self.turns.alike(u16::MAX);
        let mut plays = [every; SEATS];
        if SEATS == 2 {
            // After an even number of turns it is the first seat's.
            let second = self.turns & every.alike(1);
            plays[0] = second - every.alike(1);
            plays[1] = every.alike(0) - second;
        } else if SEATS > 2 {
            for (seat, plays) in (0..).zip(&mut plays) {
                *plays = every.zero_unless(self.seat.is(every.alike(seat)));
            }
        }
        plays
    }

    /// For every seat, the lanes in which it is to play.
    #[inline(always)]
    fn here(plays: &[Lane<S>; SEATS]) -> [Mask<S>; SEATS] {
        let mut here = [plays[0].whole(); SEATS];
        for seat in 1..SEATS {
            here[seat] = plays[seat].whole();
        }
        here
    }

    /// The value of the seat to play.
    #[inline(always)]
    fn own(here: &[Mask<S>; SEATS], seats: &[Lane<S>; SEATS]) -> Lane<S> {
        let mut own = seats[0];
        for seat in 1..SEATS {
            own = Lane::select(here[seat], seats[seat], own);
        }
        own
    }

    /// The lanes of `mask` in which `seat` is to play.
    #[inline(always)]
    fn of_seat(here: &[Mask<S>; SEATS], seat: usize, mask: Mask<S>) -> Mask<S> {
        match (SEATS, seat) {
            (1, _) => mask,
            // Of two seats the first one plays where the second does not.
            (2, 0) => mask.and_not(here[1]),
            _ => mask & here[seat],
        }
    }

    /// Adds 1 where the mask holds, up to `most`.
    #[inline(always)]
    fn count_up(count: Lane<S>, mask: Mask<S>, most: u16) -> Lane<S> {
        count.count(mask.and_not(count.is(count.alike(most))))
    }

    /// The lanes in which the line-up's policies choose to hold, each seat's policy in the lanes where it plays.
    #[inline(always)]
    fn ask<P: LanePolicy>(
        &self,
        rules: &Pig,
        lineup: &[P],
        here: &[Mask<S>; SEATS],
        left: Lane<S>,
    ) -> Mask<S> {
        let simd = left.simd;
        let view = View { rules, games: self, here, left };
        if let [policy] = lineup {
            return Mask { simd, m: policy.yes(simd, STOP, &view) };
        }
        let mut yes = Mask::of_bits(simd, 0);
        for (&here, policy) in here.iter().zip(lineup) {
            yes = yes | here & Mask { simd, m: policy.yes(simd, STOP, &view) };
        }
        yes
    }
}

impl<S: Vector, const SEATS: usize> LaneState<S, SEATS> for Games<S, SEATS> {
    type Rules = Pig;
    type Setup = Setup;
    type Counts = PigCounts;

    #[inline(always)]
    fn prepare<P: LanePolicy>(_: S, rules: &Pig, lineup: &[P], answers: bool) -> Setup {
        Setup::new(rules, lineup, answers)
    }

    #[inline(always)]
    fn start(simd: S, setup: &Setup) -> Self {
        let (none, rules) = (Lane::splat(simd, 0), &setup.rules);
        Self {
            left: [none.alike(rules.goal); SEATS],
            scoring_turns: [none; SEATS],
            rolls: [none; SEATS],
            total: none,
            turn_rolls: none,
            turns: none,
            seat: none,
            cap: none.alike(rules.turn_cap.min(S::LARGEST)),
            busts: none,
            before: none,
            history: [[0; MOST_PARTS]; MOST_PARTS],
            answered: none,
            answers: none,
            digits: Digits::NONE,
            long: Long::NONE,
        }
    }

    #[inline(always)]
    fn dice(setup: &Setup) -> Dice {
        Dice { first: setup.rules.sides.into(), second: None }
    }

    #[inline(always)]
    fn step<P: LanePolicy>(
        &mut self,
        simd: S,
        setup: &Setup,
        lineup: &[P],
        streams: &mut Streams<S, SEATS>,
        roll: usize,
        active: S::M,
    ) -> S::M {
        let rules = &setup.rules;
        let active = Mask { simd, m: active };
        let none = Lane::splat(simd, 0);
        let plays = self.plays();
        let here = Self::here(&plays);

        // resolve: the die.
        let mut rolling = [none.v; SEATS];
        for seat in 0..SEATS {
            rolling[seat] = plays[seat].v;
        }
        let [face, _] = streams.roll(simd, Self::dice(setup), roll, &rolling);
        let points = Lane::new(simd, face).entry_of(&setup.points);
        for seat in 0..SEATS {
            self.rolls[seat] = self.rolls[seat].count(Self::of_seat(&here, seat, active));
        }
        let busts = active & points.is(none);
        let left = Self::own(&here, &self.left);
        self.total = (self.total + points).least(left);
        if setup.memory & MEMORY_ROLLS != 0 {
            self.turn_rolls = Self::count_up(self.turn_rolls, none.is(none), u16::MAX);
        }

        // decide: who holds banks the turn's points.
        let holds = active.and_not(busts) & self.ask(rules, lineup, &here, left);
        let wins = holds & self.total.is(left);
        if setup.answers {
            let asked = active.and_not(busts);
            self.answered = self.answered.count(asked);
            self.answers = (self.answers + self.answers.zero_unless(asked)).count(holds);
        }
        for seat in 0..SEATS {
            let holds = Self::of_seat(&here, seat, holds);
            self.left[seat] = self.left[seat] - self.total.zero_unless(holds);
            if setup.memory & MEMORY_SCORING_TURNS != 0 {
                self.scoring_turns[seat] = Self::count_up(self.scoring_turns[seat], holds, u8::MAX.into());
            }
        }

        // The turn ends: its bit moves in.
        let ends = holds | busts;
        self.turns = self.turns.count(ends);
        self.busts = (self.busts + self.busts.zero_unless(ends)).count(busts);
        self.total = self.total.zero_where(ends);
        if setup.memory & MEMORY_ROLLS != 0 {
            self.turn_rolls = self.turn_rolls.zero_where(ends);
        }

        // pass: unless somebody won or the cap is reached.
        let mut done = wins;
        if setup.is_cap_near || self.long.lanes != 0 {
            done = done | ends & self.turns.is(self.cap);
        }
        if SEATS > 2 {
            let next = self.seat + none.alike(1);
            let is_last = next.is(none.alike(rules.players.into()));
            self.seat = Lane::select(ends, Lane::select(is_last, none, next), self.seat);
        }
        done.m
    }

    #[inline(always)]
    fn pause(&mut self, simd: S, setup: &Setup, counts: &mut PigCounts) {
        let none = Lane::splat(simd, 0);
        // Fewer than a number has bits; said so that the compiler need not ask.
        let ended = (self.turns - self.before) & none.alike(63);
        for part in 0..S::PARTS {
            let (by, bits) = (simd.widened(ended.v, part), simd.widened(self.busts.v, part));
            let history = simd.shift_in(simd.load_part(&self.history[part]), by, bits);
            simd.store_part(history, &mut self.history[part]);
        }
        self.before = self.turns;
        self.busts = none;
        if setup.answers {
            self.digits.add(simd, self.answered.v, self.answers.v);
            (self.answered, self.answers) = (none, none);
        }
        let mut many = self.turns.is_at_least(none.alike(MANY_TURNS));
        for rolls in self.rolls {
            many = many | rolls.is_at_least(none.alike(MANY_ROLLS));
        }
        let many = many.bits();
        if many != 0 {
            self.put_aside(&setup.rules, many, counts);
        }
    }

    #[inline(always)]
    fn finish(
        &mut self,
        simd: S,
        setup: &Setup,
        done: S::M,
        numbers: &[u16; MOST_NARROW],
        counts: &mut PigCounts,
    ) {
        let done = Mask { simd, m: done };
        let over = done.bits();
        let mut least = self.left[0];
        for seat in 1..SEATS {
            least = least.least(self.left[seat]);
        }
        let (none, one) = (least.alike(0), least.alike(1));
        let capped = one - one.zero_unless(least.is(none));
        let mut finished = Finished::<S, SEATS> {
            turns: self.turns.to_array(),
            games: (self.turns + self.turns + capped).to_array(),
            points: [S::Numbers::ZEROS; SEATS],
            rolls: [S::Numbers::ZEROS; SEATS],
            history: &self.history,
            numbers,
            digits: &mut self.digits,
        };
        for seat in 0..SEATS {
            finished.points[seat] = (none.alike(setup.rules.goal) - self.left[seat]).to_array();
            finished.rolls[seat] = self.rolls[seat].to_array();
        }
        if over & self.long.lanes != 0 {
            self.long.finish(&setup.rules, over, simd, &mut finished, counts);
            self.cap = Lane::select(done, Self::start(simd, setup).cap, self.cap);
        }
        counts.add(simd, over & !self.long.lanes, &mut finished);
        self.long.lanes &= !over;

        // A lane that waits goes on adding to its turn.
        self.total = self.total.zero_where(done);
        self.turns = self.turns.zero_where(done);
        self.before = self.before.zero_where(done);
        if setup.memory & MEMORY_ROLLS != 0 {
            self.turn_rolls = self.turn_rolls.zero_where(done);
        }
        for seat in 0..SEATS {
            self.left[seat] = Lane::select(done, none.alike(setup.rules.goal), self.left[seat]);
            self.rolls[seat] = self.rolls[seat].zero_where(done);
        }
        if setup.memory & MEMORY_SCORING_TURNS != 0 {
            for seat in 0..SEATS {
                self.scoring_turns[seat] = self.scoring_turns[seat].zero_where(done);
            }
        }
        if SEATS > 2 {
            self.seat = self.seat.zero_where(done);
        }
    }
}
