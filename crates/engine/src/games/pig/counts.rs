//! Finished games of Pig, counted in a few additions each.
//!
//! Finished lanes are moved, field by field, to the end of a waiting line; whenever it is a vector long, the games at
//! its front are counted.
#![allow(clippy::needless_range_loop, reason = "several arrays by seat and word go side by side")]

use super::{PLAYERS, Pig};
use crate::lanes::Counts;
use crate::lanes::simd::{MOST_LANES, Plain, Simd};
use crate::tally::{Histogram, Tally};

type Line = [u16; 3 * MOST_LANES];

/// The most words of busts.
const WORDS: usize = 4;

/// Lanes whose game is over, of no more than an epoch.
pub(super) struct Finished<V, const SEATS: usize, const BUSTS: usize> {
    pub(super) turn: V,
    pub(super) ending: V,
    pub(super) points: [V; SEATS],
    pub(super) rolls: [V; SEATS],
    /// A bit for each turn, the last one lowest.
    pub(super) busts: [V; BUSTS],
}

/// Counts of finished games of Pig.
#[derive(Clone, Debug)]
pub struct PigCounts {
    rules: Pig,
    turns: Line,
    endings: Line,
    points: [Line; PLAYERS],
    rolls: [Line; PLAYERS],
    busts: [Line; WORDS],
    length: usize,
    /// Seats and words of the table that the waiting games were played at.
    shape: (usize, usize),
    trials: u64,
    sum: u64,
    squares: u128,
    /// The last turn and the ending (one bit).
    games: Histogram,
    seats: [SeatCounts; PLAYERS],
    /// The turns of each seat among 64, the first one highest.
    turns_of: [u64; PLAYERS],
    /// Busts by turn, all seats together from the first, and by place in the vector, not yet in those of the seats.
    recent: Box<[[u16; MOST_LANES]; 16 * WORDS]>,
    /// Vectors counted there, fewer than would overflow 16 bits.
    vectors: u16,
}

/// What is counted of a seat.
#[derive(Clone, Debug, Default)]
struct SeatCounts {
    points: Histogram,
    rolls: Histogram,
    busts: Histogram,
    /// Busts by turn of the seat, from 1.
    bust_turns: Histogram,
}

impl PigCounts {
    /// Moves the games of the lanes in `done` to the waiting line, and counts those at its front.
    #[inline(always)]
    pub(super) fn add<S: Simd, const SEATS: usize, const BUSTS: usize>(
        &mut self,
        simd: S,
        done: S::M,
        games: &Finished<S::V, SEATS, BUSTS>,
    ) {
        let length = self.length;
        let wait = |line: &mut Line, field: S::V| {
            let end = &mut line[length..][..MOST_LANES];
            simd.compress(done, field, end.try_into().expect("a vector long"));
        };
        wait(&mut self.turns, games.turn);
        wait(&mut self.endings, games.ending);
        for seat in 0..SEATS {
            wait(&mut self.points[seat], games.points[seat]);
            wait(&mut self.rolls[seat], games.rolls[seat]);
        }
        for word in 0..BUSTS {
            wait(&mut self.busts[word], games.busts[word]);
        }
        self.length += simd.bits(done).count_ones() as usize;
        self.shape = (SEATS, BUSTS);
        if self.length >= S::LANES {
            self.measure::<SEATS, BUSTS>(S::LANES);
            self.move_up(S::LANES);
        }
    }

    /// Drops the first `games` of the waiting line.
    #[inline(always)]
    fn move_up(&mut self, games: usize) {
        let (seats, words) = self.shape;
        let by_seat = self.points[..seats].iter_mut().chain(&mut self.rolls[..seats]);
        let lines = by_seat.chain(&mut self.busts[..words]);
        for line in [&mut self.turns, &mut self.endings].into_iter().chain(lines) {
            line.copy_within(games..games + MOST_LANES, 0);
        }
        self.length -= games;
    }

    /// Counts the first `games` of the waiting line.
    #[inline(always)]
    fn measure<const SEATS: usize, const BUSTS: usize>(&mut self, games: usize) {
        let games = games.min(MOST_LANES);
        let mut words = [[0_u16; MOST_LANES]; BUSTS];
        for game in 0..games {
            let turn = self.turns[game];
            self.add_game(turn.into(), self.endings[game].into());
            let mut busts = 0;
            for word in (0..BUSTS).rev() {
                busts = busts << 16 | u64::from(self.busts[word][game]);
            }
            // The first turn comes to the highest bit.
            busts <<= 64 - u32::from(turn);
            for seat in 0..SEATS {
                let count = (busts & self.turns_of[seat]).count_ones();
                self.add_seat(seat, self.points[seat][game].into(), self.rolls[seat][game].into(), count);
            }
            for word in 0..BUSTS {
                words[word][game] = (busts >> (48 - 16 * word) & 0xFFFF) as u16;
            }
        }
        for word in 0..BUSTS {
            for turn in 0..16 {
                let recent = &mut self.recent[16 * word + turn];
                for place in 0..MOST_LANES {
                    recent[place] += words[word][place] >> (15 - turn) & 1;
                }
            }
        }
        self.vectors += 1;
        if self.vectors == u16::MAX {
            self.settle();
        }
    }

    #[cold]
    fn settle(&mut self) {
        let players = usize::from(self.rules.players);
        for (before, counts) in self.recent.iter_mut().enumerate() {
            let busts = counts.iter().map(|&count| u64::from(count)).sum();
            if busts > 0 {
                let turn = u32::try_from(before / players + 1).unwrap_or(u32::MAX);
                self.seats[before % players].bust_turns.add_many(turn, busts);
            }
            *counts = [0; MOST_LANES];
        }
        self.vectors = 0;
    }

    /// Counts a game by its last turn and how it ended.
    #[inline(always)]
    pub(super) fn add_game(&mut self, turn: u32, ending: u32) {
        let players = u32::from(self.rules.players);
        // Who reached the goal played last.
        let is_first_seats = players < 2 || (turn - 1).is_multiple_of(players);
        let first = if players == 1 { turn.into() } else { u64::from(ending == 0 && is_first_seats) };
        self.trials += 1;
        self.sum += first;
        self.squares += u128::from(first * first);
        self.games.add(turn << 1 | ending);
    }

    /// Counts what a seat did in a game.
    #[inline(always)]
    pub(super) fn add_seat(&mut self, seat: usize, points: u32, rolls: u32, busts: u32) {
        let counts = &mut self.seats[seat % PLAYERS];
        counts.points.add(points);
        counts.rolls.add(rolls);
        counts.busts.add(busts);
    }

    /// Counts a bust in a seat's turn.
    pub(super) fn add_bust(&mut self, seat: usize, turn: usize) {
        self.seats[seat % PLAYERS].bust_turns.add(u32::try_from(turn).unwrap_or(u32::MAX));
    }

    fn flush(&mut self) {
        while self.length > 0 {
            let games = self.length.min(Plain::LANES);
            match self.shape {
                (1, _) => self.measure::<1, 2>(games),
                (2, _) => self.measure::<2, 3>(games),
                _ => self.measure::<4, 4>(games),
            }
            self.move_up(games);
        }
    }
}

impl Counts<Pig> for PigCounts {
    fn new(game: &Pig) -> Self {
        let line = [0; 3 * MOST_LANES];
        let players = usize::from(game.players);
        let mut turns_of = [0; PLAYERS];
        for turn in 0..64 {
            turns_of[turn % players] |= 1 << (63 - turn);
        }
        Self {
            rules: *game,
            turns: line,
            endings: line,
            points: [line; PLAYERS],
            rolls: [line; PLAYERS],
            busts: [line; WORDS],
            length: 0,
            shape: (PLAYERS, WORDS),
            trials: 0,
            sum: 0,
            squares: 0,
            games: Histogram::default(),
            seats: [(); PLAYERS].map(|()| SeatCounts::default()),
            turns_of,
            recent: Box::new([[0; MOST_LANES]; 16 * WORDS]),
            vectors: 0,
        }
    }

    fn progress(&self) -> (u64, u64, u128) {
        (self.trials, self.sum, self.squares)
    }

    fn enter(mut self, game: &Pig, tally: &mut Tally) {
        self.flush();
        self.settle();
        tally.trials += self.trials;
        tally.first.0 += self.sum;
        tally.first.1 += self.squares;
        let players = u32::from(game.players);
        // In the order of the metrics: score or win, turns, rolls, busts, points.
        for (cell, games) in self.games.iter() {
            tally.endings[(cell & 1) as usize] += games;
            if players > 1 {
                tally.lengths.add_many(cell >> 1, games);
            }
            for (seat, tally) in (0..).zip(&mut tally.seats) {
                let turns = ((cell >> 1) + players - 1 - seat) / players;
                tally.metrics[1].add_many(turns, games);
                if players == 1 {
                    tally.metrics[0].add_many(turns, games);
                }
            }
        }
        for (tally, counts) in tally.seats.iter_mut().zip(&self.seats) {
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
