//! Pig on lanes: [`resolve`](Game::resolve), [`decide`](Game::decide) and the passing of the turn without branches.
#![allow(clippy::needless_range_loop, reason = "several arrays by seat go side by side")]

use std::ops::Range;

use super::counts::{Finished, PigCounts};
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
            1 => drive::<S, P, Games<S, 1, 2>, 1>(simd, &setup, lineup, keys, next, counts),
            2 => drive::<S, P, Games<S, 2, 3>, 2>(simd, &setup, lineup, keys, next, counts),
            _ => drive::<S, P, Games<S, 4, 4>, 4>(simd, &setup, lineup, keys, next, counts),
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

/// [`State`](super::State), a lane each, and what a recorder would count: for `SEATS` seats or one less than four.
///
/// An epoch is as many turns, of all seats together, as fit the bits of `WORDS` words.
#[derive(Clone, Copy, Debug)]
pub struct Games<S: Simd, const SEATS: usize, const WORDS: usize> {
    /// Points missing to the goal.
    left: [S::V; SEATS],
    scoring_turns: [S::V; SEATS],
    rolls: [S::V; SEATS],
    total: S::V,
    turn: S::V,
    turn_rolls: S::V,
    /// Whose turn it is, where the number of the turn does not say so: at the table for four.
    seat: S::V,
    /// A bit for each turn of the epoch that is over, the last one lowest: whether it ended in a bust.
    busts: [S::V; WORDS],
    /// The turn after which something is to be done: the last one of the epoch, or of the game.
    limit: S::V,
    /// What was counted in epochs that are over, in lanes that have had any.
    earlier: [[Earlier; MOST_LANES]; SEATS],
    /// The lanes with such epochs.
    long: u32,
}

/// Counts of a seat in a game of more than an epoch.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Earlier {
    rolls: u32,
    busts: u32,
}

impl<S: Simd, const SEATS: usize, const WORDS: usize> Games<S, SEATS, WORDS> {
    #[allow(clippy::cast_possible_truncation, reason = "four words at most")]
    const EPOCH: u16 = 16 * WORDS as u16;

    /// How many of the seats of a table play: a constant, except at the table for three or four.
    #[inline(always)]
    fn players(rules: &Pig) -> usize {
        if SEATS < 4 { SEATS } else { usize::from(rules.players).clamp(3, 4) }
    }

    /// All bits in the lanes in which a seat is to play, for every seat.
    #[inline(always)]
    fn plays(&self, simd: S) -> [S::V; SEATS] {
        let every = simd.splat(u16::MAX);
        let mut plays = [every; SEATS];
        if SEATS == 2 {
            // Odd turns are the first seat's.
            let one = simd.splat(1);
            plays[1] = simd.sub(simd.and(self.turn, one), one);
            plays[0] = simd.and_not(every, plays[1]);
        } else if SEATS > 2 {
            for (seat, plays) in (0..).zip(&mut plays) {
                *plays = simd.keep(simd.eq(self.seat, simd.splat(seat)), every);
            }
        }
        plays
    }

    /// The lanes in which a seat is to play, for every seat.
    #[inline(always)]
    fn here(simd: S, plays: &[S::V; SEATS]) -> [S::M; SEATS] {
        let mut here = [simd.whole(plays[0]); SEATS];
        for seat in 1..SEATS {
            here[seat] = simd.whole(plays[seat]);
        }
        here
    }

    /// What is there of the seat to play.
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
        if SEATS == 1 { mask } else { simd.both(mask, here[seat]) }
    }

    /// Adds 1 where the mask holds, up to `most`.
    #[inline(always)]
    fn count_up(simd: S, mask: S::M, count: S::V, most: u16) -> S::V {
        let is_full = simd.eq(count, simd.splat(most));
        simd.add(count, simd.keep(simd.but_not(mask, is_full), simd.splat(1)))
    }

    /// What `lineup` says to the question whether to hold, each seat's policy in the lanes where it plays.
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
        let mut yes = simd.mask(0);
        for (seat, policy) in lineup.iter().enumerate().take(SEATS) {
            let says = policy.yes(simd, STOP, &view);
            if lineup.len() == 1 {
                return says;
            }
            yes = simd.either(yes, simd.both(here[seat], says));
        }
        yes
    }

    /// The turns of the lanes in `at_limit` were the last of their epoch, or of their game: the lanes whose game is
    /// over. Few games get here.
    #[cold]
    #[inline(never)]
    fn at_limit(&mut self, simd: S, rules: &Pig, at_limit: u32, counts: &mut PigCounts) -> u32 {
        let players = Self::players(rules);
        let mut capped = 0;
        let [mut turns, mut limits] = [[0; MOST_LANES]; 2];
        simd.store(self.turn, &mut turns);
        simd.store(self.limit, &mut limits);
        let mut rolls = [[0; MOST_LANES]; SEATS];
        for seat in 0..SEATS {
            simd.store(self.rolls[seat], &mut rolls[seat]);
        }
        let words = self.words(simd);
        for lane in lanes_of(at_limit) {
            let turn = turns[lane];
            if turn == rules.turn_cap {
                capped |= 1 << lane;
                continue;
            }
            limits[lane] = rules.turn_cap.min(turn.saturating_add(Self::EPOCH));
            self.put_aside(lane, players, turn, words[lane], &rolls, counts);
        }
        let over = simd.mask(at_limit & !capped);
        let none = simd.splat(0);
        self.limit = simd.load(&limits);
        for seat in 0..SEATS {
            self.rolls[seat] = simd.select(over, none, self.rolls[seat]);
        }
        for word in 0..WORDS {
            self.busts[word] = simd.select(over, none, self.busts[word]);
        }
        self.long |= at_limit & !capped;
        capped
    }

    /// Counts what a lane did up to `turn` in an epoch, of which the busts are `word`.
    fn put_aside(
        &mut self,
        lane: usize,
        players: usize,
        turn: u16,
        word: u64,
        rolls: &[[u16; MOST_LANES]; SEATS],
        counts: &mut PigCounts,
    ) {
        for seat in 0..players {
            self.earlier[seat][lane].rolls += u32::from(rolls[seat][lane]);
        }
        for back in (0..Self::EPOCH.min(turn)).filter(|back| word >> back & 1 == 1) {
            let before = usize::from(turn - back) - 1;
            self.earlier[before % players][lane].busts += 1;
            counts.add_bust(before % players, before / players + 1);
        }
    }

    /// The busts of every lane, the last turn lowest.
    fn words(&self, simd: S) -> [u64; MOST_LANES] {
        let mut words = [0; MOST_LANES];
        for word in (0..WORDS).rev() {
            let mut lanes = [0; MOST_LANES];
            simd.store(self.busts[word], &mut lanes);
            for (all, more) in words.iter_mut().zip(lanes) {
                *all = *all << 16 | u64::from(more);
            }
        }
        words
    }

    /// Counts those of the lanes in `done` that have had an epoch.
    #[cold]
    #[inline(never)]
    fn finish_long(&mut self, simd: S, rules: &Pig, done: u32, ending: S::V, counts: &mut PigCounts) {
        let players = Self::players(rules);
        let [mut rolls, mut left] = [[[0; MOST_LANES]; SEATS]; 2];
        for seat in 0..SEATS {
            simd.store(self.rolls[seat], &mut rolls[seat]);
            simd.store(self.left[seat], &mut left[seat]);
        }
        let [mut turns, mut endings] = [[0; MOST_LANES]; 2];
        simd.store(self.turn, &mut turns);
        simd.store(ending, &mut endings);
        let words = self.words(simd);
        for lane in lanes_of(done & self.long) {
            self.put_aside(lane, players, turns[lane], words[lane], &rolls, counts);
            for seat in 0..players {
                let Earlier { rolls, busts } = std::mem::take(&mut self.earlier[seat][lane]);
                counts.add_seat(seat, (rules.goal - left[seat][lane]).into(), rolls, busts);
            }
            counts.add_game(turns[lane].into(), endings[lane].into());
        }
    }
}

/// The numbers of the lanes in a mask.
fn lanes_of(bits: u32) -> impl Iterator<Item = usize> {
    (0..MOST_LANES).filter(move |lane| bits >> lane & 1 == 1)
}

impl<S: Simd, const SEATS: usize, const WORDS: usize> Table<S, SEATS> for Games<S, SEATS, WORDS> {
    type Setup = Setup;
    type Counts = PigCounts;

    #[inline(always)]
    fn start(simd: S, setup: &Setup) -> Self {
        let (none, rules) = (simd.splat(0), &setup.rules);
        Self {
            left: [simd.splat(rules.goal); SEATS],
            scoring_turns: [none; SEATS],
            rolls: [none; SEATS],
            total: none,
            turn: simd.splat(1),
            turn_rolls: none,
            seat: none,
            busts: [none; WORDS],
            limit: simd.splat(rules.turn_cap.min(Self::EPOCH)),
            earlier: [[Earlier::default(); MOST_LANES]; SEATS],
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
        let (none, one) = (simd.splat(0), simd.splat(1));
        let plays = self.plays(simd);
        let here = Self::here(simd, &plays);

        // resolve: the die.
        let face = streams.roll(simd, rules.sides.into(), &plays);
        let points = simd.gather(&setup.points, face);
        for seat in 0..SEATS {
            let rolls = Self::of_seat(simd, &here, seat, active);
            self.rolls[seat] = simd.add(self.rolls[seat], simd.keep(rolls, one));
        }
        let busts = simd.both(active, simd.eq(points, none));
        let left = Self::own(simd, &here, &self.left);
        self.total = simd.min(simd.add(self.total, points), left);
        if setup.memory & MEMORY_ROLLS != 0 {
            let everywhere = simd.eq(none, none);
            self.turn_rolls = Self::count_up(simd, everywhere, self.turn_rolls, u16::MAX);
        }

        // decide: who holds banks the turn's points.
        let says = self.ask(simd, rules, lineup, &here, left);
        let holds = simd.both(simd.but_not(active, busts), says);
        let wins = simd.both(holds, simd.eq(self.total, left));
        for seat in 0..SEATS {
            let holds = Self::of_seat(simd, &here, seat, holds);
            self.left[seat] = simd.sub(self.left[seat], simd.keep(holds, self.total));
            if setup.memory & MEMORY_SCORING_TURNS != 0 {
                let most = u8::MAX.into();
                self.scoring_turns[seat] = Self::count_up(simd, holds, self.scoring_turns[seat], most);
            }
        }

        // The turn ends: its bit moves in.
        let ends = simd.either(holds, busts);
        for word in (1..WORDS).rev() {
            let moved = simd.shift_in(self.busts[word], self.busts[word - 1]);
            self.busts[word] = simd.select(ends, moved, self.busts[word]);
        }
        let moved = simd.add(self.busts[0], simd.keep(ends, self.busts[0]));
        self.busts[0] = simd.or(moved, simd.keep(busts, one));
        self.total = simd.select(ends, none, self.total);
        if setup.memory & MEMORY_ROLLS != 0 {
            self.turn_rolls = simd.select(ends, none, self.turn_rolls);
        }

        // pass: unless somebody won or the cap is reached.
        let at_limit = simd.bits(simd.but_not(simd.both(ends, simd.eq(self.turn, self.limit)), wins));
        let mut done = wins;
        if at_limit != 0 {
            let capped = self.at_limit(simd, rules, at_limit, counts);
            done = simd.either(done, simd.mask(capped));
        }
        let passes = simd.but_not(ends, done);
        self.turn = simd.add(self.turn, simd.keep(passes, one));
        if SEATS > 2 {
            let next = simd.add(self.seat, one);
            let is_last = simd.eq(next, simd.splat(rules.players.into()));
            self.seat = simd.select(passes, simd.select(is_last, none, next), self.seat);
        }
        done
    }

    #[inline(always)]
    fn finish(&mut self, simd: S, setup: &Setup, done: S::M, counts: &mut PigCounts) {
        let rules = &setup.rules;
        let (over, none, goal) = (simd.bits(done), simd.splat(0), simd.splat(rules.goal));
        let mut least = self.left[0];
        for seat in 1..SEATS {
            least = simd.min(least, self.left[seat]);
        }
        let ending = simd.select(simd.eq(least, none), simd.splat(GOAL), simd.splat(CAPPED));
        if over & self.long != 0 {
            self.finish_long(simd, rules, over, ending, counts);
        }
        let mut points = self.left;
        for seat in 0..SEATS {
            points[seat] = simd.sub(goal, self.left[seat]);
        }
        let finished = Finished { turn: self.turn, ending, points, rolls: self.rolls, busts: self.busts };
        counts.add(simd, simd.mask(over & !self.long), &finished);
        self.long &= !over;

        let start = Self::start(simd, setup);
        let select = |a: S::V, b: S::V| simd.select(done, a, b);
        self.total = select(start.total, self.total);
        self.turn = select(start.turn, self.turn);
        self.limit = select(start.limit, self.limit);
        self.turn_rolls = select(start.turn_rolls, self.turn_rolls);
        self.seat = select(start.seat, self.seat);
        for seat in 0..SEATS {
            self.left[seat] = select(start.left[seat], self.left[seat]);
            self.scoring_turns[seat] = select(start.scoring_turns[seat], self.scoring_turns[seat]);
            self.rolls[seat] = select(start.rolls[seat], self.rolls[seat]);
        }
        for word in 0..WORDS {
            self.busts[word] = select(start.busts[word], self.busts[word]);
        }
    }
}

/// The games at the decision whether to hold.
#[derive(Clone, Copy)]
struct View<'v, S: Simd, const SEATS: usize, const WORDS: usize> {
    simd: S,
    rules: &'v Pig,
    games: &'v Games<S, SEATS, WORDS>,
    here: &'v [S::M; SEATS],
    /// Points missing to the goal of the seat to play.
    left: S::V,
}

impl<S: Simd, const SEATS: usize, const WORDS: usize> View<'_, S, SEATS, WORDS> {
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

    /// Points of a seat that misses `left`.
    #[inline(always)]
    fn points(&self, left: S::V) -> S::V {
        self.simd.sub(self.simd.splat(self.rules.goal), left)
    }

    #[inline(always)]
    fn other_best(&self) -> S::V {
        let goal = self.simd.splat(self.rules.goal);
        let mut least = goal;
        for seat in 0..SEATS {
            let others = self.simd.select(self.here[seat], goal, self.games.left[seat]);
            least = self.simd.min(least, others);
        }
        self.points(least)
    }
}

impl<S: Simd, const SEATS: usize, const WORDS: usize> LaneView<S> for View<'_, S, SEATS, WORDS> {
    #[inline(always)]
    fn digest(&self) -> LaneDigest<S::V> {
        LaneDigest { fine: self.points(self.left), coarse: self.other_best(), column: self.games.total }
    }

    #[inline(always)]
    fn feature(&self, index: usize) -> Column {
        let (simd, games) = (self.simd, self.games);
        let own = self.points(self.left);
        match index {
            0 => self.column(own),
            1 => self.column(games.total),
            2 => self.column(simd.add(own, games.total)),
            3 => self.column(self.left),
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
            9 => self.column(Games::<S, SEATS, WORDS>::own(simd, self.here, &games.scoring_turns)),
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
