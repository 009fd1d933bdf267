//! Counting finished games of Pig with a few additions per game.
#![allow(clippy::needless_range_loop, reason = "several arrays by seat go side by side")]

use super::super::{CAPPED, GOAL, METRICS, PLAYERS, Pig, metric};
use crate::lanes::simd::{MOST_NARROW, MOST_PARTS, Numbers, Places, Vector};
use crate::lanes::{Counts, Digits, Noting};
use crate::plan::Batch;
use crate::tally::{Histogram, Tally};

/// More calls than this could overflow the 16-bit sums.
const MANY_CALLS: u16 = u16::MAX / 64;

/// The lanes of a table, some of whose games are over.
///
/// Aligned like vectors: reading a lane from a vector that was written across two cache lines waits for both.
#[repr(align(64))]
pub(super) struct Finished<'g, S: Vector, const SEATS: usize> {
    pub(super) turns: S::Numbers,
    /// Twice the number of turns, plus one if the cap was reached.
    pub(super) games: S::Numbers,
    pub(super) points: [S::Numbers; SEATS],
    pub(super) rolls: [S::Numbers; SEATS],
    /// One bit per turn, the last turn lowest: 1 for a bust. Higher bits are undefined.
    pub(super) history: &'g [Places; MOST_PARTS],
    /// The lower bits of the numbers of the trials.
    pub(super) numbers: &'g [u16; MOST_NARROW],
    /// The answers.
    pub(super) digits: &'g mut Digits,
}

impl<S: Vector, const SEATS: usize> Finished<'_, S, SEATS> {
    #[inline(always)]
    pub(super) fn history(&self, lane: usize) -> u64 {
        self.history[lane % S::PARTS][lane / S::PARTS % MOST_PARTS]
    }
}

/// What a seat has at the end of a game.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seated {
    pub(super) points: u32,
    pub(super) rolls: u32,
    pub(super) busts: u32,
}

/// Counts of finished games of Pig.
#[derive(Clone, Debug)]
#[repr(align(64))]
pub struct PigCounts {
    rules: Pig,
    /// The number of games, by number of turns and ending (one bit).
    games: Box<[u64; 256]>,
    long_games: Histogram,
    seats: [SeatCounts; PLAYERS],
    /// For each seat, the mask of its turns among 64, with the first turn in the highest bit.
    turns_of: [u64; PLAYERS],
    /// Busts by turn, of all seats together, the first turn in the highest place. These are not yet added to the seats'
    /// counts.
    busts: [u16; 64],
    calls: u16,
    noting: Option<Box<Noting>>,
}

/// Counts of one seat.
#[derive(Clone, Debug)]
struct SeatCounts {
    points: Box<[u64; 1024]>,
    rolls: Box<[u64; 256]>,
    busts: Box<[u64; 65]>,
    long_points: Histogram,
    long_rolls: Histogram,
    long_busts: Histogram,
    /// Busts by the seat's turn, from 1.
    bust_turns: Histogram,
}

impl SeatCounts {
    fn new() -> Self {
        Self {
            points: Box::new([0; 1024]),
            rolls: Box::new([0; 256]),
            busts: Box::new([0; 65]),
            long_points: Histogram::default(),
            long_rolls: Histogram::default(),
            long_busts: Histogram::default(),
            bust_turns: Histogram::default(),
        }
    }
}

impl PigCounts {
    /// Counts the games of the lanes that are over.
    #[inline(always)]
    pub(super) fn add<S: Vector, const SEATS: usize>(
        &mut self,
        simd: S,
        lanes: u64,
        games: &mut Finished<'_, S, SEATS>,
    ) {
        let mut left = lanes;
        let mut bust_turns = simd.no_bits();
        while left != 0 {
            let lane = left.trailing_zeros() as usize;
            left &= left - 1;
            // The first turn comes to the highest bit.
            let busts = games.history(lane) << ((64 - u32::from(games.turns.get(lane))) % 64);
            bust_turns = simd.count_bits(bust_turns, busts);
            self.games[usize::from(games.games.get(lane)) % 256] += 1;
            for seat in 0..SEATS {
                let counts = &mut self.seats[seat];
                counts.points[usize::from(games.points[seat].get(lane)) % 1024] += 1;
                counts.rolls[usize::from(games.rolls[seat].get(lane)) % 256] += 1;
                let own = if SEATS == 1 { busts } else { busts & self.turns_of[seat] };
                counts.busts[own.count_ones() as usize] += 1;
            }
            let (game, turns_of) = (u32::from(games.games.get(lane)), self.turns_of);
            let Finished { numbers, points, rolls, digits, .. } = games;
            let game = (numbers[lane], game >> 1, game & 1);
            self.note::<SEATS>(
                game,
                || digits.take(simd, lane),
                |seat| Seated {
                    points: points[seat].get(lane).into(),
                    rolls: rolls[seat].get(lane).into(),
                    busts: if SEATS == 1 { busts } else { busts & turns_of[seat] }.count_ones(),
                },
            );
        }
        for (sum, busts) in self.busts.iter_mut().zip(simd.bit_counts(bust_turns)) {
            *sum += u16::from(busts);
        }
        self.calls += 1;
        if self.calls == MANY_CALLS {
            self.count_busts();
        }
    }

    #[cold]
    #[inline(never)]
    fn count_busts(&mut self) {
        let players = usize::from(self.rules.players);
        let busts = std::mem::replace(&mut self.busts, [0; 64]);
        for (before, busts) in busts.into_iter().rev().enumerate().filter(|&(_, busts)| busts > 0) {
            let turn = u32::try_from(before / players + 1).unwrap_or(u32::MAX);
            self.seats[before % players].bust_turns.add_many(turn, busts.into());
        }
        self.calls = 0;
    }

    /// Notes a game, if games are noted, given the lower bits of its number, its turns and its ending (one bit).
    #[inline(always)]
    pub(super) fn note<const SEATS: usize>(
        &mut self,
        (number, turns, ending): (u16, u32, u32),
        answers: impl FnOnce() -> u64,
        seated: impl Fn(usize) -> Seated,
    ) {
        let Some(noting) = &mut self.noting else { return };
        let answers = if noting.answers { answers() } else { 0 };
        let row = noting.put(number, usize::from(if ending == 0 { GOAL } else { CAPPED }), answers);
        let players = match SEATS {
            1 => 1,
            2 => 2,
            _ => u32::from(self.rules.players),
        };
        let seats = row.as_chunks_mut::<{ METRICS.len() }>().0;
        for (seat, row) in (0..players).zip(seats) {
            let Seated { points, rolls, busts } = seated(seat as usize % SEATS);
            let own = if SEATS == 1 { turns } else { (turns + players - 1 - seat) / players };
            let is_won = points == u32::from(self.rules.goal);
            row[metric::FIRST] = if SEATS == 1 { turns } else { u32::from(is_won) };
            row[metric::TURNS] = own;
            row[metric::ROLLS] = rolls;
            row[metric::BUSTS] = busts;
            row[metric::POINTS] = points;
        }
    }

    /// Counts a long game, given its turns and its ending (one bit).
    pub(super) fn add_long_game(&mut self, turns: u32, ending: u32) {
        self.long_games.add(turns << 1 | ending);
    }

    /// Counts the results of a seat in a long game.
    pub(super) fn add_long_seat(&mut self, seat: usize, Seated { points, rolls, busts }: Seated) {
        let counts = &mut self.seats[seat % PLAYERS];
        counts.long_points.add(points);
        counts.long_rolls.add(rolls);
        counts.long_busts.add(busts);
    }

    /// Counts a bust of a seat in a turn of a long game.
    #[inline]
    pub(super) fn add_bust(&mut self, seat: usize, turn: usize) {
        self.seats[seat % PLAYERS].bust_turns.add(u32::try_from(turn).unwrap_or(u32::MAX));
    }

    /// Every pair of turns and ending (one bit), encoded as one number, with the number of its games.
    fn games(&self) -> impl Iterator<Item = (u32, u64)> + '_ {
        counted(&*self.games).chain(self.long_games.iter())
    }
}

/// The nonzero cells of an array, with their indices.
fn counted(cells: &[u64]) -> impl Iterator<Item = (u32, u64)> + '_ {
    (0..).zip(cells.iter().copied()).filter(|&(_, count)| count > 0)
}

impl Counts<Pig> for PigCounts {
    fn new(game: &Pig) -> Self {
        let players = usize::from(game.players);
        let mut turns_of = [0; PLAYERS];
        for turn in 0..64 {
            turns_of[turn % players] |= 1 << (63 - turn);
        }
        Self {
            rules: *game,
            games: Box::new([0; 256]),
            long_games: Histogram::default(),
            seats: [(); PLAYERS].map(|()| SeatCounts::new()),
            turns_of,
            busts: [0; 64],
            calls: 0,
            noting: None,
        }
    }

    fn noting(&mut self) -> &mut Option<Box<Noting>> {
        &mut self.noting
    }

    fn counted(&self) -> Batch {
        let players = u32::from(self.rules.players);
        let of_cell = |(cell, trials): (u32, u64)| {
            let (turns, ending) = (cell >> 1, cell & 1);
            let first = match players {
                1 => turns,
                // Who reached the goal played last.
                _ => u32::from(ending == u32::from(GOAL) && (turns - 1).is_multiple_of(players)),
            };
            let first = u64::from(first);
            Batch { trials, sum: first * trials, squares: u128::from(first * first) * u128::from(trials) }
        };
        self.games().map(of_cell).sum()
    }

    fn enter(mut self, game: &Pig, tally: &mut Tally) {
        self.count_busts();
        let Batch { trials, sum, squares } = self.counted();
        tally.trials += trials;
        tally.first.0 += sum;
        tally.first.1 += squares;
        let players = u32::from(game.players);
        for (cell, games) in self.games() {
            tally.endings[usize::from(if cell & 1 == 0 { GOAL } else { CAPPED })] += games;
            if players > 1 {
                tally.lengths.add_many(cell >> 1, games);
            }
            for (seat, tally) in (0..).zip(&mut tally.seats) {
                let turns = ((cell >> 1) + players - 1 - seat) / players;
                tally.metrics[metric::TURNS].add_many(turns, games);
                if players == 1 {
                    tally.metrics[metric::FIRST].add_many(turns, games);
                }
            }
        }
        for (tally, counts) in tally.seats.iter_mut().zip(&self.seats) {
            for (points, games) in counted(&*counts.points).chain(counts.long_points.iter()) {
                if players > 1 {
                    tally.metrics[metric::FIRST].add_many(u32::from(points == u32::from(game.goal)), games);
                }
                tally.metrics[metric::POINTS].add_many(points, games);
            }
            for (rolls, games) in counted(&*counts.rolls).chain(counts.long_rolls.iter()) {
                tally.metrics[metric::ROLLS].add_many(rolls, games);
            }
            for (busts, games) in counted(&*counts.busts).chain(counts.long_busts.iter()) {
                tally.metrics[metric::BUSTS].add_many(busts, games);
            }
            tally.busts.merge(&counts.bust_turns);
        }
    }
}
