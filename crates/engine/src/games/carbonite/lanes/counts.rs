//! Finished games, counted in a few additions each.
//!
//! Finished lanes are moved, field by field, to the end of a waiting line; whenever it is a vector long, the games
//! at its front are measured together. What is counted are combinations from which all metrics follow.

use std::collections::BTreeMap;

use super::super::Carbonite;
use super::super::score::turns_shown;
use super::Games;
use super::planes::LanePlanes;
use super::words::points;
use crate::lanes::Counts;
use crate::lanes::plain::Plain;
use crate::lanes::simd::{Lanes, MOST_LANES, Simd};
use crate::tally::Tally;

/// The fields that metrics are read from.
const FIELDS: usize = 6;

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
    /// Vault points, turn (four bits) and ending (two bits).
    scores: Cells,
    /// Matches from the Vault (six bits), pairs (three bits), solid trees (four bits).
    trees: Cells,
    /// The turns that ended in a bomb-out, a bit each.
    bust_turns: Cells,
    rolls: Cells,
    /// What the Vault points are multiplied by, for every turn and ending.
    factors: [u32; 64],
}

impl CarboniteCounts {
    /// Moves the games of the lanes in `done` to the waiting line, and counts those at its front.
    #[inline(always)]
    pub(super) fn add<S: Simd>(&mut self, simd: S, games: &Games<S>, done: S::M) {
        let Games { vault, turn, ending, rolls, vault_matches, bust_turns, .. } = *games;
        let shown = simd.or(simd.shl::<2>(turn), ending);
        for (field, line) in
            [vault.one, vault.two, shown, rolls, vault_matches, bust_turns].into_iter().zip(&mut self.waiting)
        {
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
    fn measure<S: Simd>(&mut self, simd: S, games: usize) {
        let [one, two] = [0, 1].map(|field| {
            let front: &[u16; MOST_LANES] = self.waiting[field][..MOST_LANES].try_into().expect("longer");
            simd.load(front)
        });
        let vault = LanePlanes { one, two };
        let (base, pairs) = points(simd, &self.rules, vault);
        let solids = vault.solids(simd);
        let trees = simd.or(solids, simd.shl::<4>(pairs));
        let [mut bases, mut doublings, mut all_trees] = [[0; MOST_LANES]; 3];
        simd.store(base, &mut bases);
        let doubled = if self.rules.doubling { pairs } else { simd.splat(0) };
        simd.store(doubled, &mut doublings);
        simd.store(trees, &mut all_trees);
        let [_, _, shown, rolls, vault_matches, bust_turns] = &self.waiting;
        for game in 0..games.min(MOST_LANES) {
            let vault = u32::from(bases[game]) << (doublings[game] & 31);
            let shown = u32::from(shown[game]) & 63;
            let score = u64::from(vault) * u64::from(self.factors[shown as usize]);
            self.sum += score;
            self.squares += u128::from(score * score);
            self.scores.add(vault << 6 | shown);
            self.trees.add(u32::from(vault_matches[game]) << 7 | u32::from(all_trees[game]));
            self.bust_turns.add(bust_turns[game].into());
            self.rolls.add(rolls[game].into());
        }
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

impl Counts<Carbonite> for CarboniteCounts {
    fn new(game: &Carbonite) -> Self {
        let mut factors = [0; 64];
        for (shown, factor) in (0_u8..).zip(&mut factors) {
            let (turn, ending) = (u32::from(shown >> 2), shown & 3);
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

    fn enter(mut self, _: &Carbonite, tally: &mut Tally) {
        self.flush();
        tally.trials += self.trials;
        tally.first.0 += self.sum;
        tally.first.1 += self.squares;
        let seat = &mut tally.seats[0];
        // In the order of the metrics: score, vault, solids, pairs, turns, completed, rolls, busts, vault matches.
        for (cell, games) in self.scores.iter() {
            let (vault, shown) = (cell >> 6, cell & 63);
            let (turn, ending) = (shown >> 2, shown & 3);
            let (completed, _) = turns_shown(turn, u8::try_from(ending).unwrap_or(0));
            seat.metrics[0].add_many(vault * self.factors[shown as usize], games);
            seat.metrics[1].add_many(vault, games);
            seat.metrics[4].add_many(turn, games);
            seat.metrics[5].add_many(completed, games);
            tally.endings[ending as usize] += games;
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
