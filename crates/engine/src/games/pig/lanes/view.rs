//! The features of Pig on lanes.

use super::{Games, Pig};
use crate::lanes::simd::{Numbers, Vector};
use crate::lanes::{LaneDigest, LaneView};

/// The games at the decision whether to hold.
#[derive(Clone, Copy)]
pub(super) struct View<'v, S: Vector, const SEATS: usize> {
    pub(super) simd: S,
    pub(super) rules: &'v Pig,
    pub(super) games: &'v Games<S, SEATS>,
    pub(super) here: &'v [S::M; SEATS],
    /// Points missing to the goal of the seat to play.
    pub(super) left: S::V,
}

impl<S: Vector, const SEATS: usize> View<'_, S, SEATS> {
    #[inline(always)]
    fn column(&self, v: S::V) -> S::Column {
        let mut lanes = S::Numbers::ZEROS;
        self.simd.store(v, &mut lanes);
        let mut column = S::ZEROS;
        for (lane, value) in column.as_mut()[..S::LANES].iter_mut().enumerate() {
            *value = lanes.get(lane).into();
        }
        column
    }

    #[inline(always)]
    fn constant(value: u16) -> S::Column {
        let mut column = S::ZEROS;
        column.as_mut().fill(value.into());
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

    /// The player's turn: all turns before over the players, and this one.
    #[inline(always)]
    fn turn(&self) -> S::Column {
        let (mut turns, players) = (self.column(self.games.turns), i32::from(self.rules.players));
        for (turn, &earlier) in turns.as_mut()[..S::LANES].iter_mut().zip(&self.games.long.turns) {
            *turn = (*turn + i32::from(earlier)) / players + 1;
        }
        turns
    }
}

impl<S: Vector, const SEATS: usize> LaneView<S> for View<'_, S, SEATS> {
    #[inline(always)]
    fn digest(&self) -> LaneDigest<S::V> {
        LaneDigest { fine: self.points(self.left), coarse: self.other_best(), column: self.games.total }
    }

    #[inline(always)]
    fn feature(&self, index: usize) -> S::Column {
        let (simd, games) = (self.simd, self.games);
        let own = self.points(self.left);
        match index {
            0 => self.column(own),
            1 => self.column(games.total),
            2 => self.column(simd.add(own, games.total)),
            3 => self.column(self.left),
            4 => Self::constant(self.rules.goal),
            5 => self.column(self.other_best()),
            6 => {
                let (mut lead, other) = (self.column(own), self.column(self.other_best()));
                for (lead, other) in lead.as_mut().iter_mut().zip(other.as_ref()) {
                    *lead -= other;
                }
                lead
            }
            7 => Self::constant(self.rules.players.into()),
            8 => self.column(games.turn_rolls),
            9 => self.column(Games::<S, SEATS>::own(simd, self.here, &games.scoring_turns)),
            _ => self.turn(),
        }
    }

    #[inline(always)]
    fn predicate(&self, _: usize) -> S::V {
        self.simd.splat(0)
    }
}
