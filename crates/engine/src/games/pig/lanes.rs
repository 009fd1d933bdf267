//! Pig on lanes: [`resolve`](Game::resolve), [`decide`](Game::decide) and the passing of the turn without branches.
#![allow(clippy::needless_range_loop, reason = "several arrays by seat and word go side by side")]

use std::ops::Range;

use super::counts::PigCounts;
use super::{CAPPED, GOAL, MEMORY_ROLLS, MEMORY_SCORING_TURNS, Pig, STOP};
#[cfg(doc)]
use crate::game::Game;
use crate::lanes::simd::{Column, LaneTable, MOST_LANES, Simd};
use crate::lanes::{LaneDigest, LaneGame, LanePolicy, LaneView, Streams, Table, drive};
use crate::stream::Keys;

impl LaneGame for Pig {
    type Counts = PigCounts;

    #[inline(always)]
    fn play<S: Simd, P: LanePolicy>(
        &self,
        simd: S,
        lineup: &[P],
        keys: &Keys,
        next: impl FnMut(&mut PigCounts) -> Range<u64>,
        counts: &mut PigCounts,
    ) {
        let setup = Setup::new(self, lineup);
        match self.players {
            1 => drive::<S, P, Games<S, 1>, 1>(simd, &setup, lineup, keys, next, counts),
            2 => drive::<S, P, Games<S, 2>, 2>(simd, &setup, lineup, keys, next, counts),
            _ => drive::<S, P, Games<S, 4>, 4>(simd, &setup, lineup, keys, next, counts),
        }
    }
}

/// The rules as a table, and what the policies of the line-up look at.
#[derive(Debug)]
pub struct Setup {
    rules: Pig,
    /// Points of each face; none for one that busts.
    points: LaneTable,
    /// The kinds of memory that somebody looks at; the rest is not kept.
    memory: u32,
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
        Self { rules: *rules, points: LaneTable::new(&points), memory }
    }
}

/// [`State`](super::State), a lane each, and what a recorder would count. What there is of every seat begins with the
/// seat to play.
#[derive(Clone, Copy, Debug)]
pub struct Games<S: Simd, const SEATS: usize> {
    scores: [S::V; SEATS],
    scoring_turns: [S::V; SEATS],
    total: S::V,
    turn: S::V,
    turn_rolls: S::V,
    seat: S::V,
    rolls: [S::V; SEATS],
    /// The turns of the seat that ended in a bust, a bit each, 16 to a word: those of [`EPOCH`] turns.
    busts: [[S::V; 2]; SEATS],
    /// The bit of this turn in those words; in neither when an epoch is over.
    turn_bit: [S::V; 2],
    /// What was counted in epochs that are over, in lanes that have had any.
    earlier: [[Earlier; MOST_LANES]; SEATS],
    /// Epochs that are over.
    epochs: [u32; MOST_LANES],
    /// The lanes with such epochs.
    long: u32,
}

/// A seat's turns until its busts are put aside.
pub(super) const EPOCH: u32 = 32;

/// Counts of a seat in a game of more than [`EPOCH`] turns.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Earlier {
    rolls: u32,
    busts: u32,
}

/// In the lanes of the mask the seat to play becomes the last, and the others move up.
#[inline(always)]
fn pass<S: Simd, const SEATS: usize>(simd: S, mask: S::M, players: usize, seats: &mut [S::V; SEATS]) {
    let old = *seats;
    for seat in 0..players {
        seats[seat] = simd.select(mask, old[(seat + 1) % players], old[seat]);
    }
}

/// How many of the seats of a table play: a constant, except at the table for three or four.
#[inline(always)]
fn players<const SEATS: usize>(rules: &Pig) -> usize {
    if SEATS < 4 { SEATS } else { usize::from(rules.players).clamp(3, 4) }
}

impl<S: Simd, const SEATS: usize> Games<S, SEATS> {
    /// Adds 1 where the mask holds, up to `most`.
    #[inline(always)]
    fn count_up(simd: S, mask: S::M, count: S::V, most: u16) -> S::V {
        let is_full = simd.eq(count, simd.splat(most));
        simd.add(count, simd.keep(simd.but_not(mask, is_full), simd.splat(1)))
    }

    /// What `lineup` says to the question whether to hold, each seat's policy in the lanes where it plays.
    #[inline(always)]
    fn ask<P: LanePolicy>(&self, simd: S, rules: &Pig, lineup: &[P]) -> S::M {
        let view = View { simd, rules, games: self };
        let mut yes = simd.mask(0);
        for (seat, policy) in (0..).zip(lineup) {
            let says = policy.yes(simd, STOP, &view);
            if lineup.len() == 1 {
                return says;
            }
            let here = simd.eq(self.seat, simd.splat(seat));
            yes = simd.either(yes, simd.both(here, says));
        }
        yes
    }

    /// The next seat's turn begins in the lanes of `over`.
    #[inline(always)]
    fn pass_turn(
        &mut self,
        simd: S,
        setup: &Setup,
        over: S::M,
        streams: &mut Streams<SEATS>,
        counts: &mut PigCounts,
    ) {
        let one = simd.splat(1);
        self.turn = simd.add(self.turn, simd.keep(over, one));
        let mut rounds = over;
        if SEATS > 1 {
            let next = simd.add(self.seat, one);
            let is_last = simd.eq(next, simd.splat(setup.rules.players.into()));
            rounds = simd.both(over, is_last);
            self.seat = simd.select(over, simd.select(is_last, simd.splat(0), next), self.seat);
            let players = players::<SEATS>(&setup.rules);
            pass(simd, over, players, &mut self.scores);
            pass(simd, over, players, &mut self.rolls);
            if setup.memory & MEMORY_SCORING_TURNS != 0 {
                pass(simd, over, players, &mut self.scoring_turns);
            }
            let old = self.busts;
            for seat in 0..players {
                for word in 0..2 {
                    let next = old[(seat + 1) % players][word];
                    self.busts[seat][word] = simd.select(over, next, old[seat][word]);
                }
            }
            streams.pass(simd, over, players);
        }
        // The bit moves up when everybody has played.
        let [low, high] = self.turn_bit;
        let moved = [simd.shl::<1>(low), simd.or(simd.shl::<1>(high), simd.shr::<15>(low))];
        self.turn_bit = [simd.select(rounds, moved[0], low), simd.select(rounds, moved[1], high)];
        let ended = simd.bits(simd.eq(simd.or(self.turn_bit[0], self.turn_bit[1]), simd.splat(0)));
        if ended != 0 {
            self.end_epoch(simd, players::<SEATS>(&setup.rules), ended, counts);
        }
    }

    /// Puts aside what was counted in the lanes of `over`. Few games get here.
    #[cold]
    #[inline(never)]
    fn end_epoch(&mut self, simd: S, players: usize, over: u32, counts: &mut PigCounts) {
        let mask = simd.mask(over);
        let none = simd.splat(0);
        let [mut seats, mut rolls, mut lows, mut highs] = [[0; MOST_LANES]; 4];
        simd.store(self.seat, &mut seats);
        for place in 0..players {
            simd.store(self.rolls[place], &mut rolls);
            simd.store(self.busts[place][0], &mut lows);
            simd.store(self.busts[place][1], &mut highs);
            for lane in lanes_of(over) {
                let seat = (usize::from(seats[lane]) + place) % players;
                let earlier = &mut self.earlier[seat][lane];
                earlier.rolls += u32::from(rolls[lane]);
                let busts = u32::from(highs[lane]) << 16 | u32::from(lows[lane]);
                earlier.busts += busts.count_ones();
                counts.add_busts(seat, self.epochs[lane], busts);
            }
            self.rolls[place] = simd.select(mask, none, self.rolls[place]);
            let [low, high] = self.busts[place];
            self.busts[place] = [simd.select(mask, none, low), simd.select(mask, none, high)];
        }
        lanes_of(over).for_each(|lane| self.epochs[lane] += 1);
        self.turn_bit[0] = simd.select(mask, simd.splat(1), self.turn_bit[0]);
        self.long |= over;
    }
}

/// The numbers of the lanes in a mask.
pub(super) fn lanes_of(bits: u32) -> impl Iterator<Item = usize> {
    (0..MOST_LANES).filter(move |lane| bits >> lane & 1 == 1)
}

impl<S: Simd, const SEATS: usize> Table<S, SEATS> for Games<S, SEATS> {
    type Setup = Setup;
    type Counts = PigCounts;

    #[inline(always)]
    fn start(simd: S, _: &Setup) -> Self {
        let (none, one) = (simd.splat(0), simd.splat(1));
        Self {
            scores: [none; SEATS],
            scoring_turns: [none; SEATS],
            total: none,
            turn: one,
            turn_rolls: none,
            seat: none,
            rolls: [none; SEATS],
            busts: [[none; 2]; SEATS],
            turn_bit: [one, none],
            earlier: [[Earlier::default(); MOST_LANES]; SEATS],
            epochs: [0; MOST_LANES],
            long: 0,
        }
    }

    #[inline(always)]
    fn step<P: LanePolicy>(
        &mut self,
        simd: S,
        setup: &Setup,
        lineup: &[P],
        streams: &mut Streams<SEATS>,
        active: S::M,
        counts: &mut PigCounts,
    ) -> S::M {
        let rules = &setup.rules;
        let (none, goal) = (simd.splat(0), simd.splat(rules.goal));

        // resolve: the die.
        let face = streams.roll(simd, rules.sides.into());
        let points = simd.gather(&setup.points, face);
        self.rolls[0] = simd.add(self.rolls[0], simd.keep(active, simd.splat(1)));
        let busts = simd.both(active, simd.eq(points, none));
        for word in 0..2 {
            self.busts[0][word] = simd.or(self.busts[0][word], simd.keep(busts, self.turn_bit[word]));
        }
        let goal_left = simd.sub(goal, self.scores[0]);
        self.total = simd.min(simd.add(self.total, points), goal_left);
        if setup.memory & MEMORY_ROLLS != 0 {
            let everywhere = simd.eq(none, none);
            self.turn_rolls = Self::count_up(simd, everywhere, self.turn_rolls, u16::MAX);
        }

        // decide: who holds banks the turn's points.
        let holds = simd.but_not(simd.both(active, self.ask(simd, rules, lineup)), busts);
        self.scores[0] = simd.add(self.scores[0], simd.keep(holds, self.total));
        if setup.memory & MEMORY_SCORING_TURNS != 0 {
            self.scoring_turns[0] = Self::count_up(simd, holds, self.scoring_turns[0], u8::MAX.into());
        }
        let wins = simd.both(holds, simd.eq(self.scores[0], goal));

        // pass: unless somebody won or the cap is reached.
        let ends_turn = simd.either(holds, busts);
        self.total = simd.select(ends_turn, none, self.total);
        if setup.memory & MEMORY_ROLLS != 0 {
            self.turn_rolls = simd.select(ends_turn, none, self.turn_rolls);
        }
        let is_last = simd.eq(self.turn, simd.splat(rules.turn_cap));
        let capped = simd.but_not(simd.both(ends_turn, is_last), wins);
        let done = simd.either(wins, capped);
        self.pass_turn(simd, setup, simd.but_not(ends_turn, done), streams, counts);
        done
    }

    #[inline(always)]
    fn finish(&mut self, simd: S, setup: &Setup, done: S::M, counts: &mut PigCounts) {
        let (over, players) = (simd.bits(done), players::<SEATS>(&setup.rules));
        let won = simd.eq(self.scores[0], simd.splat(setup.rules.goal));
        let ending = simd.select(won, simd.splat(GOAL), simd.splat(CAPPED));
        let shown = simd.or(simd.shl::<1>(self.seat), ending);
        if over & self.long != 0 {
            self.finish_long(simd, players, over, shown, counts);
        }
        let seats = self.by_seat(simd, players);
        counts.add(simd, simd.mask(over & !self.long), self.turn, shown, &seats);
        self.long &= !over;

        let start = Self::start(simd, setup);
        let select = |a: S::V, b: S::V| simd.select(done, a, b);
        self.total = select(start.total, self.total);
        self.turn = select(start.turn, self.turn);
        self.turn_rolls = select(start.turn_rolls, self.turn_rolls);
        self.seat = select(start.seat, self.seat);
        for seat in 0..SEATS {
            self.scores[seat] = select(start.scores[seat], self.scores[seat]);
            self.scoring_turns[seat] = select(start.scoring_turns[seat], self.scoring_turns[seat]);
            self.rolls[seat] = select(start.rolls[seat], self.rolls[seat]);
            for word in 0..2 {
                self.busts[seat][word] = select(start.busts[seat][word], self.busts[seat][word]);
            }
        }
        for word in 0..2 {
            self.turn_bit[word] = select(start.turn_bit[word], self.turn_bit[word]);
        }
    }
}

impl<S: Simd, const SEATS: usize> Games<S, SEATS> {
    /// Score, rolls and the two words of busts of every seat, in the order of the seats.
    #[inline(always)]
    fn by_seat(&self, simd: S, players: usize) -> [[S::V; 4]; SEATS] {
        let of = |place: usize| {
            [self.scores[place], self.rolls[place], self.busts[place][0], self.busts[place][1]]
        };
        let mut seats = [[simd.splat(0); 4]; SEATS];
        for (seat, out) in seats.iter_mut().enumerate().take(players) {
            *out = of(seat);
            for to_play in 1..players {
                #[allow(clippy::cast_possible_truncation, reason = "at most four seats")]
                let here = simd.eq(self.seat, simd.splat(to_play as u16));
                let theirs = of((seat + players - to_play) % players);
                for field in 0..4 {
                    out[field] = simd.select(here, theirs[field], out[field]);
                }
            }
        }
        seats
    }

    /// Counts those of the lanes in `done` that have had an epoch.
    #[cold]
    #[inline(never)]
    fn finish_long(&mut self, simd: S, players: usize, done: u32, shown: S::V, counts: &mut PigCounts) {
        let seats = self.by_seat(simd, players);
        let mut lanes = [[[0; MOST_LANES]; 4]; SEATS];
        for (lanes, seat) in lanes.iter_mut().flatten().zip(seats.iter().flatten()) {
            simd.store(*seat, lanes);
        }
        let [mut turns, mut all_shown] = [[0; MOST_LANES]; 2];
        simd.store(self.turn, &mut turns);
        simd.store(shown, &mut all_shown);
        for lane in lanes_of(done & self.long) {
            for seat in 0..players {
                let [score, rolls, low, high] = lanes[seat].map(|field| field[lane]);
                let earlier = std::mem::take(&mut self.earlier[seat][lane]);
                let busts = u32::from(high) << 16 | u32::from(low);
                counts.add_busts(seat, self.epochs[lane], busts);
                let rolls = earlier.rolls + u32::from(rolls);
                counts.add_seat(seat, score.into(), rolls, earlier.busts + busts.count_ones());
            }
            self.epochs[lane] = 0;
            counts.add_game(turns[lane].into(), all_shown[lane].into());
        }
    }
}

/// The games at the decision whether to hold.
struct View<'v, S: Simd, const SEATS: usize> {
    simd: S,
    rules: &'v Pig,
    games: &'v Games<S, SEATS>,
}

impl<S: Simd, const SEATS: usize> View<'_, S, SEATS> {
    #[inline(always)]
    fn column(&self, v: S::V) -> Column {
        let mut lanes = [0; MOST_LANES];
        self.simd.store(v, &mut lanes);
        let mut column = [0; MOST_LANES];
        for lane in 0..S::LANES {
            column[lane] = i32::from(lanes[lane]);
        }
        column
    }

    #[inline(always)]
    fn other_best(&self) -> S::V {
        let mut best = self.simd.splat(0);
        for &score in &self.games.scores[1..] {
            best = self.simd.select(self.simd.at_least(score, best), score, best);
        }
        best
    }
}

impl<S: Simd, const SEATS: usize> LaneView<S> for View<'_, S, SEATS> {
    #[inline(always)]
    fn digest(&self) -> LaneDigest<S::V> {
        LaneDigest { fine: self.games.scores[0], coarse: self.other_best(), column: self.games.total }
    }

    #[inline(always)]
    fn feature(&self, index: usize) -> Column {
        let (simd, games) = (self.simd, self.games);
        let own = games.scores[0];
        match index {
            0 => self.column(own),
            1 => self.column(games.total),
            2 => self.column(simd.add(own, games.total)),
            3 => self.column(simd.sub(simd.splat(self.rules.goal), own)),
            4 => [self.rules.goal.into(); MOST_LANES],
            5 => self.column(self.other_best()),
            6 => {
                let (mut lead, other) = (self.column(own), self.column(self.other_best()));
                for (lead, other) in lead.iter_mut().zip(other) {
                    *lead -= other;
                }
                lead
            }
            7 => [self.rules.players.into(); MOST_LANES],
            8 => self.column(games.turn_rolls),
            9 => self.column(games.scoring_turns[0]),
            _ => {
                // The player's turn: all turns so far over the players, rounded up.
                let (mut turn, players) = (self.column(games.turn), i32::from(self.rules.players));
                for turn in &mut turn {
                    *turn = (*turn + players - 1) / players;
                }
                turn
            }
        }
    }

    #[inline(always)]
    fn predicate(&self, _: usize) -> S::V {
        self.simd.splat(0)
    }
}
