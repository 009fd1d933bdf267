//! The features of Pig on lanes.

use super::super::{STOP, State, feature};
use super::{Games, Pig};
use crate::bitboard::Number;
use crate::lanes::simd::{Numbers, Vector};
use crate::lanes::{Lane, LaneDigest, LaneView, Mask, one_by_one, widened};

/// The games of all lanes at the decision whether to hold.
#[derive(Clone, Copy)]
pub(super) struct View<'v, S: Vector, const SEATS: usize> {
    pub(super) rules: &'v Pig,
    pub(super) games: &'v Games<S, SEATS>,
    pub(super) here: &'v [Mask<S>; SEATS],
    /// Points that the seat to play is missing to the goal.
    pub(super) left: Lane<S>,
}

impl<S: Vector, const SEATS: usize> View<'_, S, SEATS> {
    /// The points of a seat that is missing `left`.
    #[inline(always)]
    fn points(&self, left: Lane<S>) -> Lane<S> {
        left.alike(self.rules.goal) - left
    }

    #[inline(always)]
    fn other_best(&self) -> Lane<S> {
        let goal = self.left.alike(self.rules.goal);
        let mut least = goal;
        for seat in 0..SEATS {
            least = least.least(Lane::select(self.here[seat], goal, self.games.left[seat]));
        }
        self.points(least)
    }

    /// The number of the player's turn: the turns before it divided by the players, plus one.
    #[inline(always)]
    fn turn(&self) -> S::Column {
        let (turns, players) = (self.games.turns, i32::from(self.rules.players));
        let mut turns = widened(turns.simd, turns.v);
        for (turn, &earlier) in turns.as_mut()[..S::LANES].iter_mut().zip(&self.games.long.turns) {
            *turn = (*turn + i32::from(earlier)) / players + 1;
        }
        turns
    }
}

impl<S: Vector, const SEATS: usize> LaneView<S> for View<'_, S, SEATS> {
    type Game = Pig;

    fn game(&self) -> &Pig {
        self.rules
    }

    fn kind(&self) -> usize {
        STOP
    }

    /// The states of all lanes, including those that are not asked, which does no harm.
    #[inline(always)]
    fn each_state(&self, mut f: impl FnMut(usize, State)) {
        let games = self.games;
        let players = usize::from(self.rules.players);
        let (mut left, mut scoring_turns) = ([S::Numbers::ZEROS; SEATS], [S::Numbers::ZEROS; SEATS]);
        for seat in 0..SEATS {
            left[seat] = games.left[seat].to_array();
            scoring_turns[seat] = games.scoring_turns[seat].to_array();
        }
        let (turns, total) = (games.turns.to_array(), games.total.to_array());
        let rolls = games.turn_rolls.to_array();
        for lane in 0..S::LANES {
            let before = games.long.turns[lane] + turns.get(lane);
            let seat = usize::from(before) % players;
            let mut state = State {
                total: total.get(lane),
                turn: before + 1,
                rolls: rolls.get(lane),
                seat: u16::try_from(seat).unwrap_or(0),
                ..State::default()
            };
            for place in 0..players {
                let at = (seat + place) % players % SEATS;
                state.scores |= u64::from(self.rules.goal - left[at].get(lane)) << (16 * place);
                state.scoring_turns |= u32::from(scoring_turns[at].get(lane)) << (8 * place);
            }
            f(lane, state);
        }
    }

    #[inline(always)]
    fn digest(&self) -> LaneDigest<S::V> {
        LaneDigest { fine: self.points(self.left).v, coarse: self.other_best().v, column: self.games.total.v }
    }

    #[inline(always)]
    fn small_number(&self, index: usize) -> Option<S::V> {
        let games = self.games;
        let number = match index {
            feature::SCORE => self.points(self.left),
            feature::TURN_TOTAL => games.total,
            feature::SCORE_IF_STOPPED => self.points(self.left) + games.total,
            feature::GOAL_LEFT => self.left,
            feature::GOAL => self.left.alike(self.rules.goal),
            feature::OTHER_BEST => self.other_best(),
            feature::PLAYERS => self.left.alike(self.rules.players.into()),
            feature::ROLLS_THIS_TURN => games.turn_rolls,
            feature::SCORING_TURNS => Games::<S, SEATS>::own(self.here, &games.scoring_turns),
            _ => return None,
        };
        Some(number.v)
    }

    #[inline(always)]
    fn column(&self, simd: S, index: usize) -> S::Column {
        match index {
            feature::LEAD => {
                let mut lead = widened(simd, self.points(self.left).v);
                for (lead, other) in lead.as_mut().iter_mut().zip(widened(simd, self.other_best().v).as_ref())
                {
                    *lead -= other;
                }
                lead
            }
            feature::TURN => self.turn(),
            _ => one_by_one(self, index),
        }
    }
}
