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
#[cfg(doc)]
use crate::game::Game;
use crate::lanes::simd::{LaneTable, MOST_PARTS, Machine, Numbers, Places, Vector};
use crate::lanes::{Dice, LaneGame, LanePolicy, MOST_ROLLS, Streams, Table, drive};
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
        if Setup::new(self, lineup).largest <= <M::Narrow as Vector>::LARGEST {
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
}

impl Setup {
    fn new<P: LanePolicy>(rules: &Pig, lineup: &[P]) -> Self {
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
        Self { rules: *rules, points: LaneTable::new(&points), memory, largest, is_cap_near }
    }
}

/// One game per lane: its [`State`](super::State) and the counts of a recorder, for `SEATS` seats. Three seats use the
/// table for four.
#[derive(Clone, Copy, Debug)]
pub struct Games<S: Vector, const SEATS: usize> {
    /// Points missing to the goal, by seat.
    left: [S::V; SEATS],
    scoring_turns: [S::V; SEATS],
    rolls: [S::V; SEATS],
    total: S::V,
    turn_rolls: S::V,
    /// The number of finished turns.
    turns: S::V,
    /// The seat to play, for the table of four seats; otherwise the number of turns implies it.
    seat: S::V,
    /// The number of turns after which the game ends without a winner.
    cap: S::V,
    /// One bit per turn that ended since the last pause, the last turn lowest: 1 for a bust.
    busts: S::V,
    /// The number of turns that were finished at the last pause.
    before: S::V,
    /// The bits of all turns up to the last pause; higher bits are undefined.
    history: [Places; MOST_PARTS],
    long: Long<SEATS>,
}

impl<S: Vector, const SEATS: usize> Games<S, SEATS> {
    /// For every seat, all bits set in the lanes in which it is to play.
    #[inline(always)]
    fn plays(&self, simd: S) -> [S::V; SEATS] {
        let every = simd.splat(u16::MAX);
        let mut plays = [every; SEATS];
        if SEATS == 2 {
            // After an even number of turns it is the first seat's.
            let second = simd.and(self.turns, simd.splat(1));
            plays[0] = simd.sub(second, simd.splat(1));
            plays[1] = simd.sub(simd.splat(0), second);
        } else if SEATS > 2 {
            for (seat, plays) in (0..).zip(&mut plays) {
                *plays = simd.zero_unless(simd.eq(self.seat, simd.splat(seat)), every);
            }
        }
        plays
    }

    /// For every seat, the lanes in which it is to play.
    #[inline(always)]
    fn here(simd: S, plays: &[S::V; SEATS]) -> [S::M; SEATS] {
        let mut here = [simd.whole(plays[0]); SEATS];
        for seat in 1..SEATS {
            here[seat] = simd.whole(plays[seat]);
        }
        here
    }

    /// The value of the seat to play.
    #[inline(always)]
    fn own(simd: S, here: &[S::M; SEATS], seats: &[S::V; SEATS]) -> S::V {
        let mut own = seats[0];
        for seat in 1..SEATS {
            own = simd.select(here[seat], seats[seat], own);
        }
        own
    }

    /// The lanes of `mask` in which `seat` is to play.
    #[inline(always)]
    fn of_seat(simd: S, here: &[S::M; SEATS], seat: usize, mask: S::M) -> S::M {
        match (SEATS, seat) {
            (1, _) => mask,
            // Of two seats the first one plays where the second does not.
            (2, 0) => simd.mask_and_not(mask, here[1]),
            _ => simd.mask_and(mask, here[seat]),
        }
    }

    /// Adds 1 where the mask holds, up to `most`.
    #[inline(always)]
    fn count_up(simd: S, mask: S::M, count: S::V, most: u16) -> S::V {
        let is_full = simd.eq(count, simd.splat(most));
        simd.count(simd.mask_and_not(mask, is_full), count)
    }

    /// The lanes in which the line-up's policies choose to hold, each seat's policy in the lanes where it plays.
    #[inline(always)]
    fn ask<P: LanePolicy>(
        &self,
        simd: S,
        rules: &Pig,
        lineup: &[P],
        here: &[S::M; SEATS],
        left: S::V,
    ) -> S::M {
        let view = View { simd, rules, games: self, here, left };
        if let [policy] = lineup {
            return policy.yes(simd, STOP, &view);
        }
        let mut yes = simd.mask(0);
        for (&here, policy) in here.iter().zip(lineup) {
            yes = simd.mask_or(yes, simd.mask_and(here, policy.yes(simd, STOP, &view)));
        }
        yes
    }
}

impl<S: Vector, const SEATS: usize> Table<S, SEATS> for Games<S, SEATS> {
    type Rules = Pig;
    type Setup = Setup;
    type Counts = PigCounts;

    #[inline(always)]
    fn prepare<P: LanePolicy>(_: S, rules: &Pig, lineup: &[P]) -> Setup {
        Setup::new(rules, lineup)
    }

    #[inline(always)]
    fn start(simd: S, setup: &Setup) -> Self {
        let (none, rules) = (simd.splat(0), &setup.rules);
        Self {
            left: [simd.splat(rules.goal); SEATS],
            scoring_turns: [none; SEATS],
            rolls: [none; SEATS],
            total: none,
            turn_rolls: none,
            turns: none,
            seat: none,
            cap: simd.splat(rules.turn_cap.min(S::LARGEST)),
            busts: none,
            before: none,
            history: [[0; MOST_PARTS]; MOST_PARTS],
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
        let (none, one) = (simd.splat(0), simd.splat(1));
        let plays = self.plays(simd);
        let here = Self::here(simd, &plays);

        // resolve: the die.
        let [face, _] = streams.roll(simd, Self::dice(setup), roll, &plays);
        let points = simd.gather(&setup.points, face);
        for seat in 0..SEATS {
            let rolls = Self::of_seat(simd, &here, seat, active);
            self.rolls[seat] = simd.count(rolls, self.rolls[seat]);
        }
        let busts = simd.mask_and(active, simd.eq(points, none));
        let left = Self::own(simd, &here, &self.left);
        self.total = simd.min(simd.add(self.total, points), left);
        if setup.memory & MEMORY_ROLLS != 0 {
            let everywhere = simd.eq(none, none);
            self.turn_rolls = Self::count_up(simd, everywhere, self.turn_rolls, u16::MAX);
        }

        // decide: who holds banks the turn's points.
        let says = self.ask(simd, rules, lineup, &here, left);
        let holds = simd.mask_and(simd.mask_and_not(active, busts), says);
        let wins = simd.mask_and(holds, simd.eq(self.total, left));
        for seat in 0..SEATS {
            let holds = Self::of_seat(simd, &here, seat, holds);
            self.left[seat] = simd.sub(self.left[seat], simd.zero_unless(holds, self.total));
            if setup.memory & MEMORY_SCORING_TURNS != 0 {
                let most = u8::MAX.into();
                self.scoring_turns[seat] = Self::count_up(simd, holds, self.scoring_turns[seat], most);
            }
        }

        // The turn ends: its bit moves in.
        let ends = simd.mask_or(holds, busts);
        self.turns = simd.count(ends, self.turns);
        let moved = simd.add(self.busts, simd.zero_unless(ends, self.busts));
        self.busts = simd.count(busts, moved);
        self.total = simd.zero_where(ends, self.total);
        if setup.memory & MEMORY_ROLLS != 0 {
            self.turn_rolls = simd.zero_where(ends, self.turn_rolls);
        }

        // pass: unless somebody won or the cap is reached.
        let mut done = wins;
        if setup.is_cap_near || self.long.lanes != 0 {
            done = simd.mask_or(done, simd.mask_and(ends, simd.eq(self.turns, self.cap)));
        }
        if SEATS > 2 {
            let next = simd.add(self.seat, one);
            let is_last = simd.eq(next, simd.splat(rules.players.into()));
            self.seat = simd.select(ends, simd.select(is_last, none, next), self.seat);
        }
        done
    }

    #[inline(always)]
    fn pause(&mut self, simd: S, setup: &Setup, counts: &mut PigCounts) {
        // Fewer than a number has bits; said so that the compiler need not ask.
        let ended = simd.and(simd.sub(self.turns, self.before), simd.splat(63));
        for part in 0..S::PARTS {
            let (by, bits) = (simd.widened(ended, part), simd.widened(self.busts, part));
            let history = simd.shift_in(simd.load_part(&self.history[part]), by, bits);
            simd.store_part(history, &mut self.history[part]);
        }
        self.before = self.turns;
        self.busts = simd.splat(0);
        let mut many = simd.at_least(self.turns, simd.splat(MANY_TURNS));
        for rolls in self.rolls {
            many = simd.mask_or(many, simd.at_least(rolls, simd.splat(MANY_ROLLS)));
        }
        let many = simd.bits(many);
        if many != 0 {
            self.put_aside(simd, &setup.rules, many, counts);
        }
    }

    #[inline(always)]
    fn finish(&mut self, simd: S, setup: &Setup, done: S::M, counts: &mut PigCounts) {
        let over = simd.bits(done);
        let mut least = self.left[0];
        for seat in 1..SEATS {
            least = simd.min(least, self.left[seat]);
        }
        let (one, goal) = (simd.splat(1), simd.splat(setup.rules.goal));
        let capped = simd.sub(one, simd.zero_unless(simd.eq(least, simd.splat(0)), one));
        let mut finished = Finished::<S, SEATS> {
            turns: S::Numbers::ZEROS,
            games: S::Numbers::ZEROS,
            points: [S::Numbers::ZEROS; SEATS],
            rolls: [S::Numbers::ZEROS; SEATS],
            history: &self.history,
        };
        simd.store(self.turns, &mut finished.turns);
        simd.store(simd.add(simd.add(self.turns, self.turns), capped), &mut finished.games);
        for seat in 0..SEATS {
            simd.store(simd.sub(goal, self.left[seat]), &mut finished.points[seat]);
            simd.store(self.rolls[seat], &mut finished.rolls[seat]);
        }
        if over & self.long.lanes != 0 {
            self.long.finish(&setup.rules, over, &finished, counts);
            self.cap = simd.select(done, Self::start(simd, setup).cap, self.cap);
        }
        counts.add(simd, over & !self.long.lanes, &finished);
        self.long.lanes &= !over;

        // A lane that waits goes on adding to its turn.
        let start = Self::start(simd, setup);
        let select = |a: S::V, b: S::V| simd.select(done, a, b);
        self.total = select(start.total, self.total);
        self.turns = select(start.turns, self.turns);
        self.before = select(start.before, self.before);
        if setup.memory & MEMORY_ROLLS != 0 {
            self.turn_rolls = select(start.turn_rolls, self.turn_rolls);
        }
        for seat in 0..SEATS {
            self.left[seat] = select(start.left[seat], self.left[seat]);
            self.rolls[seat] = select(start.rolls[seat], self.rolls[seat]);
        }
        if setup.memory & MEMORY_SCORING_TURNS != 0 {
            for seat in 0..SEATS {
                self.scoring_turns[seat] = select(start.scoring_turns[seat], self.scoring_turns[seat]);
            }
        }
        if SEATS > 2 {
            self.seat = select(start.seat, self.seat);
        }
    }
}
