//! Counting finished games with a few additions per game.
//!
//! Finished lanes are appended, field by field, to a buffer. Whenever the buffer fills a vector, the games at its front
//! are measured together. The counters hold combinations of fields from which all metrics follow.
//!
//! A game takes four additions: its Vault points with turn and ending, its trees and matches, and its turns that ended
//! in a bomb-out.

use super::super::Carbonite;
use super::super::places::points;
use super::super::score::turns_shown;
use super::super::state::{COMPLETED, NO_MARKER};
use super::super::{METRICS as ALL_METRICS, metric};
use super::{COUNTED_MATCHES, Games, RECORD_BUSTS, RECORD_ENDING};
use crate::games::pyramids::piles::Piles;
use crate::games::pyramids::stack::LaneStack;
use crate::lanes::plain::Plain;
use crate::lanes::simd::{MOST_LANES, MOST_NARROW, Vector, Vector16};
use crate::lanes::{Counts, Lane, Noting, Trace};
use crate::plan::Batch;
use crate::tally::{Histogram, Tally};

/// The fields that metrics are read from, and those that are only noted: the number of the trial and the answers.
const FIELDS: usize = 4;
const NOTED: usize = 1 + Trace::<Plain>::NUMBERS;

/// Counts of finished games of `CarboniteDice`.
#[derive(Clone, Debug)]
pub struct CarboniteCounts {
    rules: Carbonite,
    waiting: [[u16; 3 * MOST_LANES]; FIELDS + NOTED],
    length: usize,
    trials: u64,
    sum: u64,
    squares: u128,
    /// Vault points, with ending and turn as in the lower six bits of [`Games::record`].
    scores: Histogram,
    /// Matches from the Vault (six bits), pairs (three bits) and solid trees (four bits).
    trees: Histogram,
    /// The turns that ended in a bomb-out, one bit each.
    bust_turns: Histogram,
    rolls: Histogram,
    /// The factor on the Vault points, for every ending and turn.
    factors: [u32; ENDS as usize],
    /// What they show.
    shown: [Shown; ENDS as usize],
    noting: Option<Box<Noting>>,
}

const METRICS: usize = ALL_METRICS.len();

/// The number of combinations of ending and turn in the lower bits of [`Games::record`].
const ENDS: u16 = 1 << RECORD_BUSTS;

/// Splits such a combination into turn and ending. A completed game is stored with the turn after its last one.
fn turn_and_ending(rules: &Carbonite, end: u32) -> (u32, u8) {
    let turn = end % (1 << RECORD_ENDING);
    if turn > rules.turns.into() {
        return (rules.turns.into(), COMPLETED);
    }
    (turn, u8::try_from(end >> RECORD_ENDING).unwrap_or(NO_MARKER))
}

impl CarboniteCounts {
    /// Moves the games of the lanes in `done` to the buffer, and counts the games at its front.
    #[inline(always)]
    pub(super) fn add<S: Vector16, const PUBLISHED: bool>(
        &mut self,
        simd: S,
        games: &Games<S, PUBLISHED>,
        done: S::M,
        numbers: &[u16; MOST_NARROW],
    ) {
        let Games { vault, record, counted, .. } = *games;
        let [vault_one, vault_two] = vault.0.0;
        let mut append = |field: Lane<S>, line: usize| {
            let end = &mut self.waiting[line][self.length..][..MOST_LANES];
            simd.compress(done, field.v, end.try_into().expect("a vector long"));
        };
        append(vault_one, 0);
        append(vault_two, 1);
        append(record, 2);
        append(counted, 3);
        if self.noting.is_some() {
            let numbers = Lane::load(simd, numbers.first_chunk().expect("longer"));
            append(numbers, FIELDS);
            for (line, number) in games.trace.numbers().into_iter().enumerate() {
                append(number, FIELDS + 1 + line);
            }
        }
        self.length += simd.bits(done).count_ones() as usize;
        if self.length >= S::LANES {
            self.measure(simd, S::LANES);
            for line in &mut self.waiting {
                line.copy_within(S::LANES..2 * S::LANES, 0);
            }
            self.length -= S::LANES;
        }
    }

    /// Counts the first `games` of the buffer.
    #[inline(always)]
    fn measure<S: Vector16>(&mut self, simd: S, games: usize) {
        let first = |line: usize| Lane::load(simd, self.waiting[line].first_chunk().expect("longer"));
        let (one, two, record, counted) = (first(0), first(1), first(2), first(3));
        let vault = Piles(LaneStack([one, two]));
        let (base, pairs) = points(&self.rules.points, vault);
        let doublings = if self.rules.doubling { pairs } else { pairs.alike(0) };
        let trees = vault.trios() | pairs << 4;
        let matches = counted >> COUNTED_MATCHES;
        let [bases, doublings, ends, trees, bust_turns, rolls] = [
            base.to_array(),
            doublings.to_array(),
            (record & record.alike(ENDS - 1)).to_array(),
            (trees | matches << 7).to_array(),
            (record >> RECORD_BUSTS).to_array(),
            (counted & counted.alike((1 << COUNTED_MATCHES) - 1)).to_array(),
        ];
        let (mut sum, mut squares) = (0, 0);
        for game in 0..games.min(MOST_LANES) {
            // At most 30,000 points doubled five times, times ten: a vector of squares fits 64 bits.
            let vault = u32::from(bases[game]) << (doublings[game] & 31);
            let end = ends[game] & (ENDS - 1);
            let score = u64::from(vault) * u64::from(self.factors[usize::from(end)]);
            sum += score;
            squares += score * score;
            self.scores.add(vault << ENDS.ilog2() | u32::from(end));
            self.trees.add(trees[game].into());
            self.bust_turns.add(bust_turns[game].into());
            self.rolls.add(rolls[game].into());
        }
        self.sum += sum;
        self.squares += u128::from(squares);
        self.trials += games as u64;
        if let Some(noting) = &mut self.noting {
            let [numbers, traced @ ..] = self.waiting.last_chunk::<NOTED>().expect("longer");
            for game in 0..games.min(MOST_LANES) {
                let vault = u32::from(bases[game]) << (doublings[game] & 31);
                let end = usize::from(ends[game] & (ENDS - 1));
                let Shown { turn, completed, ending } = self.shown[end];
                let answers = Trace::<Plain>::joined([traced[0][game], traced[1][game], traced[2][game]]);
                let trees = u32::from(trees[game]);
                let row = noting.put(numbers[game], ending.into(), answers);
                let row: &mut [u32; METRICS] = row.try_into().expect("a seat");
                row[metric::SCORE] = vault * self.factors[end];
                row[metric::VAULT] = vault;
                row[metric::SOLIDS] = trees & 15;
                row[metric::PAIRS] = trees >> 4 & 7;
                row[metric::TURNS] = turn.into();
                row[metric::COMPLETED] = completed.into();
                row[metric::ROLLS] = rolls[game].into();
                row[metric::BUSTS] = bust_turns[game].count_ones();
                row[metric::VAULT_MATCHES] = trees >> 7;
            }
        }
    }

    /// Counts the games left in the buffer.
    fn flush(&mut self) {
        let left = self.length;
        for first in (0..left).step_by(Plain::LANES) {
            for line in &mut self.waiting {
                line.copy_within(first.., 0);
            }
            self.measure(Plain, (left - first).min(Plain::LANES));
        }
        self.length = 0;
    }
}

/// What turn and ending a game shows.
#[derive(Clone, Copy, Debug, Default)]
struct Shown {
    turn: u8,
    completed: u8,
    ending: u8,
}

impl Counts<Carbonite> for CarboniteCounts {
    fn new(game: &Carbonite) -> Self {
        let mut factors = [0; ENDS as usize];
        let mut shown = [Shown::default(); ENDS as usize];
        for ((end, factor), shown) in (0..).zip(&mut factors).zip(&mut shown) {
            let (turn, ending) = turn_and_ending(game, end);
            if turn > 0 {
                let (completed, pips) = turns_shown(turn, ending);
                *factor = game.factor(completed, pips);
                let [turn, completed] = [turn, completed].map(|turns| u8::try_from(turns).unwrap_or(u8::MAX));
                *shown = Shown { turn, completed, ending };
            }
        }
        Self {
            rules: *game,
            waiting: [[0; 3 * MOST_LANES]; FIELDS + NOTED],
            length: 0,
            trials: 0,
            sum: 0,
            squares: 0,
            scores: Histogram::default(),
            trees: Histogram::default(),
            bust_turns: Histogram::default(),
            rolls: Histogram::default(),
            factors,
            shown,
            noting: None,
        }
    }

    fn counted(&self) -> Batch {
        Batch { trials: self.trials, sum: self.sum, squares: self.squares }
    }

    fn noting(&mut self) -> &mut Option<Box<Noting>> {
        &mut self.noting
    }

    fn settle(&mut self) {
        self.flush();
    }

    fn enter(mut self, game: &Carbonite, tally: &mut Tally) {
        self.flush();
        tally.trials += self.trials;
        tally.first.0 += self.sum;
        tally.first.1 += self.squares;
        let seat = &mut tally.seats[0];
        for (cell, games) in self.scores.iter() {
            let (vault, end) = (cell / u32::from(ENDS), cell % u32::from(ENDS));
            let (turn, ending) = turn_and_ending(game, end);
            let (completed, _) = turns_shown(turn, ending);
            seat.metrics[metric::SCORE].add_many(vault * self.factors[end as usize], games);
            seat.metrics[metric::VAULT].add_many(vault, games);
            seat.metrics[metric::TURNS].add_many(turn, games);
            seat.metrics[metric::COMPLETED].add_many(completed, games);
            tally.endings[usize::from(ending)] += games;
        }
        for (cell, games) in self.trees.iter() {
            seat.metrics[metric::SOLIDS].add_many(cell & 15, games);
            seat.metrics[metric::PAIRS].add_many(cell >> 4 & 7, games);
            seat.metrics[metric::VAULT_MATCHES].add_many(cell >> 7, games);
        }
        for (rolls, games) in self.rolls.iter() {
            seat.metrics[metric::ROLLS].add_many(rolls, games);
        }
        for (turns, games) in self.bust_turns.iter() {
            seat.metrics[metric::BUSTS].add_many(turns.count_ones(), games);
            for turn in (0..16).filter(|turn| turns >> turn & 1 == 1) {
                seat.busts.add_many(turn + 1, games);
            }
        }
    }
}
