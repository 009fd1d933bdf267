//! Finished games of Pig, counted in a few additions each.
//!
//! Finished lanes are moved, field by field, to the end of a waiting line; whenever it is a vector long, the games at
//! its front are counted.
#![allow(clippy::needless_range_loop, reason = "several arrays by seat and word go side by side")]

use super::lanes::EPOCH;
use super::{PLAYERS, Pig};
use crate::lanes::Counts;
use crate::lanes::simd::{MOST_LANES, Plain, Simd};
use crate::tally::{Histogram, Tally};

type Line = [u16; 3 * MOST_LANES];

/// Counts of finished games of Pig.
#[derive(Clone, Debug)]
pub struct PigCounts {
    rules: Pig,
    turns: Line,
    shown: Line,
    /// Score, rolls, and the two words of busts of every seat.
    seats: [[Line; 4]; PLAYERS],
    length: usize,
    trials: u64,
    sum: u64,
    squares: u128,
    /// The last turn, the seat that played it (two bits), and the ending (one bit).
    games: Histogram,
    counts: [SeatCounts; PLAYERS],
}

/// What is counted of a seat.
#[derive(Clone, Debug)]
struct SeatCounts {
    points: Histogram,
    rolls: Histogram,
    busts: Histogram,
    /// Busts by turn, from 1.
    bust_turns: Histogram,
    /// Busts in the turns of the first epoch, by turn and by place in the vector, not yet in `bust_turns`.
    recent: [[u16; MOST_LANES]; EPOCH as usize],
    /// Vectors counted there, fewer than would overflow 16 bits.
    vectors: u16,
}

impl SeatCounts {
    fn new() -> Self {
        let none = Histogram::default;
        Self {
            points: none(),
            rolls: none(),
            busts: none(),
            bust_turns: none(),
            recent: [[0; MOST_LANES]; EPOCH as usize],
            vectors: 0,
        }
    }

    /// Counts the busts of games in which no epoch was over.
    #[inline(always)]
    fn add_bust_turns(&mut self, low: &[u16; MOST_LANES], high: &[u16; MOST_LANES]) {
        for (bit, turns) in (0..16).zip(0..) {
            for place in 0..MOST_LANES {
                self.recent[turns][place] += low[place] >> bit & 1;
                self.recent[turns + 16][place] += high[place] >> bit & 1;
            }
        }
        self.vectors += 1;
        if self.vectors == u16::MAX {
            self.settle();
        }
    }

    #[cold]
    fn settle(&mut self) {
        for (turn, counts) in (1..).zip(&mut self.recent) {
            let busts = counts.iter().map(|&count| u64::from(count)).sum();
            if busts > 0 {
                self.bust_turns.add_many(turn, busts);
            }
            *counts = [0; MOST_LANES];
        }
        self.vectors = 0;
    }
}

impl PigCounts {
    /// Moves the games of the lanes in `done` to the waiting line, and counts those at its front.
    #[inline(always)]
    pub(super) fn add<S: Simd, const SEATS: usize>(
        &mut self,
        simd: S,
        done: S::M,
        turn: S::V,
        shown: S::V,
        seats: &[[S::V; 4]; SEATS],
    ) {
        let length = self.length;
        let wait = |line: &mut Line, field: S::V| {
            let end = &mut line[length..][..MOST_LANES];
            simd.compress(done, field, end.try_into().expect("a vector long"));
        };
        wait(&mut self.turns, turn);
        wait(&mut self.shown, shown);
        for seat in 0..SEATS {
            for field in 0..4 {
                wait(&mut self.seats[seat][field], seats[seat][field]);
            }
        }
        self.length += simd.bits(done).count_ones() as usize;
        if self.length >= S::LANES {
            self.measure::<SEATS>(S::LANES);
            self.move_up(S::LANES);
        }
    }

    /// Drops the first `games` of the waiting line.
    #[inline(always)]
    fn move_up(&mut self, games: usize) {
        let seats = self.seats[..self.rules.players.into()].iter_mut().flatten();
        for line in [&mut self.turns, &mut self.shown].into_iter().chain(seats) {
            line.copy_within(games..games + MOST_LANES, 0);
        }
        self.length -= games;
    }

    /// Counts the first `games` of the waiting line.
    #[inline(always)]
    fn measure<const SEATS: usize>(&mut self, games: usize) {
        let games = games.min(MOST_LANES);
        for game in 0..games {
            let shown = u32::from(self.shown[game]);
            self.add_game(self.turns[game].into(), shown);
            for seat in 0..SEATS {
                let [score, rolls, low, high] = self.seats[seat].each_ref().map(|line| line[game]);
                let busts = u32::from(high) << 16 | u32::from(low);
                self.add_seat(seat, score.into(), rolls.into(), busts.count_ones());
            }
        }
        for seat in 0..SEATS {
            let front = |field: usize| -> [u16; MOST_LANES] {
                let mut front = [0; MOST_LANES];
                front[..games].copy_from_slice(&self.seats[seat][field][..games]);
                front
            };
            let (low, high) = (front(2), front(3));
            self.counts[seat].add_bust_turns(&low, &high);
        }
    }

    /// Counts a game by its last turn, who played it, and how it ended.
    #[inline(always)]
    pub(super) fn add_game(&mut self, turn: u32, shown: u32) {
        // Shown is 0 where the first seat reached the goal.
        let first = if self.rules.players == 1 { turn.into() } else { u64::from(shown == 0) };
        self.trials += 1;
        self.sum += first;
        self.squares += u128::from(first * first);
        self.games.add(turn << 3 | shown);
    }

    /// Counts what a seat did in a game.
    #[inline(always)]
    pub(super) fn add_seat(&mut self, seat: usize, points: u32, rolls: u32, busts: u32) {
        let counts = &mut self.counts[seat % PLAYERS];
        counts.points.add(points);
        counts.rolls.add(rolls);
        counts.busts.add(busts);
    }

    /// Counts a seat's busts of one epoch, a bit for each turn.
    pub(super) fn add_busts(&mut self, seat: usize, epoch: u32, bits: u32) {
        for turn in (0_u32..).zip(0..EPOCH).filter(|(turn, _)| bits >> turn & 1 == 1).map(|(turn, _)| turn) {
            self.counts[seat % PLAYERS].bust_turns.add(epoch * EPOCH + turn + 1);
        }
    }

    fn flush(&mut self) {
        while self.length > 0 {
            let games = self.length.min(Plain::LANES);
            match self.rules.players {
                1 => self.measure::<1>(games),
                2 => self.measure::<2>(games),
                _ => self.measure::<4>(games),
            }
            self.move_up(games);
        }
    }
}

impl Counts<Pig> for PigCounts {
    fn new(game: &Pig) -> Self {
        let line = [0; 3 * MOST_LANES];
        Self {
            rules: *game,
            turns: line,
            shown: line,
            seats: [[line; 4]; PLAYERS],
            length: 0,
            trials: 0,
            sum: 0,
            squares: 0,
            games: Histogram::default(),
            counts: [(); PLAYERS].map(|()| SeatCounts::new()),
        }
    }

    fn progress(&self) -> (u64, u64, u128) {
        (self.trials, self.sum, self.squares)
    }

    fn enter(mut self, game: &Pig, tally: &mut Tally) {
        self.flush();
        tally.trials += self.trials;
        tally.first.0 += self.sum;
        tally.first.1 += self.squares;
        let players = u32::from(game.players);
        // In the order of the metrics: score or win, turns, rolls, busts, points.
        for (cell, games) in self.games.iter() {
            tally.endings[(cell & 1) as usize] += games;
            if players > 1 {
                tally.lengths.add_many(cell >> 3, games);
            }
            for (seat, tally) in (0..).zip(&mut tally.seats) {
                let turns = ((cell >> 3) + players - 1 - seat) / players;
                tally.metrics[1].add_many(turns, games);
                if players == 1 {
                    tally.metrics[0].add_many(turns, games);
                }
            }
        }
        for (tally, counts) in tally.seats.iter_mut().zip(&mut self.counts) {
            counts.settle();
            for (points, games) in counts.points.iter() {
                if players > 1 {
                    tally.metrics[0].add_many(u32::from(points == game.goal.into()), games);
                }
                tally.metrics[4].add_many(points, games);
            }
            tally.metrics[2].merge(&counts.rolls);
            tally.metrics[3].merge(&counts.busts);
            tally.busts.merge(&counts.bust_turns);
        }
    }
}
