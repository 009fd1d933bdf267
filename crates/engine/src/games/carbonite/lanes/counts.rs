//! Finished games, counted in a few additions each.
//!
//! Finished lanes are moved, field by field, to the end of a waiting line; whenever it is a vector long, the games
//! at its front are measured together. What is counted are combinations from which all metrics follow.
//!
//! The combinations are a vault value with turn and ending, and the set of turns that bombed out: four additions a
//! game.

use std::collections::BTreeMap;

use super::super::Carbonite;
use super::super::score::turns_shown;
use super::super::state::{COMPLETED, NO_MARKER};
use super::planes::LanePlanes;
use super::words::points;
use super::{COUNTED_MATCHES, Games, RECORD_BUSTS, RECORD_ENDING};
use crate::lanes::Counts;
use crate::lanes::plain::Plain;
use crate::lanes::simd::{MOST_LANES, Vector, Vector16};
use crate::tally::Tally;

/// The fields that metrics are read from.
const FIELDS: usize = 4;

/// Dense counts, and the rest in a map.
#[derive(Clone, Debug)]
struct Cells {
    dense: Vec<u64>,
    sparse: BTreeMap<u32, u64>,
}

impl Cells {
    fn new(dense: usize) -> Self {
        Self { dense: vec![0; dense], sparse: BTreeMap::new() }
    }

    #[inline(always)]
    fn add(&mut self, cell: u32) {
        match self.dense.get_mut(cell as usize) {
            Some(count) => *count += 1,
            None => self.add_rare(cell),
        }
    }

    #[cold]
    #[inline(never)]
    fn add_rare(&mut self, cell: u32) {
        *self.sparse.entry(cell).or_default() += 1;
    }

    fn iter(&self) -> impl Iterator<Item = (u32, u64)> + '_ {
        let dense = (0..).zip(self.dense.iter().copied()).filter(|&(_, count)| count > 0);
        dense.chain(self.sparse.iter().map(|(&cell, &count)| (cell, count)))
    }
}

/// Counts of finished games of `CarboniteDice`.
#[derive(Clone, Debug)]
pub struct CarboniteCounts {
    rules: Carbonite,
    waiting: [[u16; 3 * MOST_LANES]; FIELDS],
    length: usize,
    trials: u64,
    sum: u64,
    squares: u128,
    /// Vault points, and ending and turn as in the lower six bits of [`Games::record`].
    scores: Cells,
    /// Matches from the Vault (six bits), pairs (three bits), solid trees (four bits).
    trees: Cells,
    /// The turns that ended in a bomb-out, a bit each.
    bust_turns: Cells,
    rolls: Cells,
    /// What the Vault points are multiplied by, for every ending and turn.
    factors: [u32; ENDS as usize],
}

/// How many endings and turns there are, as in the lower bits of [`Games::record`].
const ENDS: u16 = 1 << RECORD_BUSTS;

/// The turn and the ending of one of them: a completed game is not ended by the marker of the turn after the last.
fn turn_and_ending(rules: &Carbonite, end: u32) -> (u32, u8) {
    let turn = end % (1 << RECORD_ENDING);
    if turn > rules.turns.into() {
        return (rules.turns.into(), COMPLETED);
    }
    (turn, u8::try_from(end >> RECORD_ENDING).unwrap_or(NO_MARKER))
}

impl CarboniteCounts {
    /// Moves the games of the lanes in `done` to the waiting line, and counts those at its front.
    #[inline(always)]
    pub(super) fn add<S: Vector16, const PUBLISHED: bool>(
        &mut self,
        simd: S,
        games: &Games<S, PUBLISHED>,
        done: S::M,
    ) {
        let Games { vault, record, counted, .. } = *games;
        for (field, line) in [vault.one, vault.two, record, counted].into_iter().zip(&mut self.waiting) {
            let end = &mut line[self.length..][..MOST_LANES];
            simd.compress(done, field, end.try_into().expect("a vector long"));
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

    /// Counts the first `games` of the waiting line.
    #[inline(always)]
    fn measure<S: Vector16>(&mut self, simd: S, games: usize) {
        let [one, two, record, counted] =
            self.waiting.each_ref().map(|line| line.first_chunk().expect("longer"));
        let vault = LanePlanes { one: simd.load(one), two: simd.load(two) };
        let (record, counted) = (simd.load(record), simd.load(counted));
        let (base, pairs) = points(simd, &self.rules, vault);
        let doublings = if self.rules.doubling { pairs } else { simd.splat(0) };
        let trees = simd.or(vault.solids(simd), simd.shl::<4>(pairs));
        let matches = simd.shr::<COUNTED_MATCHES>(counted);
        let bust_turns = simd.shr::<RECORD_BUSTS>(record);
        let [bases, doublings, ends, trees, bust_turns, rolls] = [
            lanes(simd, base),
            lanes(simd, doublings),
            lanes(simd, simd.and(record, simd.splat(ENDS - 1))),
            lanes(simd, simd.or(trees, simd.shl::<7>(matches))),
            lanes(simd, bust_turns),
            lanes(simd, simd.and(counted, simd.splat((1 << COUNTED_MATCHES) - 1))),
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
    }

    /// Counts who still waits.
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

#[inline(always)]
fn lanes<S: Vector16>(simd: S, v: S::V) -> [u16; MOST_LANES] {
    let mut lanes = [0; MOST_LANES];
    simd.store(v, &mut lanes);
    lanes
}

impl Counts<Carbonite> for CarboniteCounts {
    fn new(game: &Carbonite) -> Self {
        let mut factors = [0; ENDS as usize];
        for (end, factor) in (0..).zip(&mut factors) {
            let (turn, ending) = turn_and_ending(game, end);
            if turn > 0 {
                let (completed, pips) = turns_shown(turn, ending);
                *factor = game.factor(completed, pips);
            }
        }
        Self {
            rules: *game,
            waiting: [[0; 3 * MOST_LANES]; FIELDS],
            length: 0,
            trials: 0,
            sum: 0,
            squares: 0,
            scores: Cells::new(1 << 16),
            trees: Cells::new(1 << 13),
            bust_turns: Cells::new(1 << 10),
            rolls: Cells::new(1 << 8),
            factors,
        }
    }

    fn progress(&self) -> (u64, u64, u128) {
        (self.trials, self.sum, self.squares)
    }

    fn enter(mut self, game: &Carbonite, tally: &mut Tally) {
        self.flush();
        tally.trials += self.trials;
        tally.first.0 += self.sum;
        tally.first.1 += self.squares;
        let seat = &mut tally.seats[0];
        // In the order of the metrics: score, vault, solids, pairs, turns, completed, rolls, busts, vault matches.
        for (cell, games) in self.scores.iter() {
            let (vault, end) = (cell / u32::from(ENDS), cell % u32::from(ENDS));
            let (turn, ending) = turn_and_ending(game, end);
            let (completed, _) = turns_shown(turn, ending);
            seat.metrics[0].add_many(vault * self.factors[end as usize], games);
            seat.metrics[1].add_many(vault, games);
            seat.metrics[4].add_many(turn, games);
            seat.metrics[5].add_many(completed, games);
            tally.endings[usize::from(ending)] += games;
        }
        for (cell, games) in self.trees.iter() {
            seat.metrics[2].add_many(cell & 15, games);
            seat.metrics[3].add_many(cell >> 4 & 7, games);
            seat.metrics[8].add_many(cell >> 7, games);
        }
        for (rolls, games) in self.rolls.iter() {
            seat.metrics[6].add_many(rolls, games);
        }
        for (turns, games) in self.bust_turns.iter() {
            seat.metrics[7].add_many(turns.count_ones(), games);
            for turn in (0..16).filter(|turn| turns >> turn & 1 == 1) {
                seat.busts.add_many(turn + 1, games);
            }
        }
    }
}
