//! `words.rs` on lanes: the features that a policy asks for.

use super::super::state::{ONE_SIX, State};
use super::super::words::feature;
use super::super::{FREEZE_SIX, Freeze};
use super::{Games, Setup};
use crate::bitboard::{Bitboard, Number};
use crate::lanes::simd::{MOST_LANES, Vector16};
use crate::lanes::{Lane, LaneDigest, LaneView, Mask, one_by_one, widened};

/// The games of all lanes at the decision of a seat.
#[derive(Clone, Copy)]
pub(super) struct View<'v, S: Vector16> {
    pub(super) setup: &'v Setup,
    pub(super) games: &'v Games<S>,
    pub(super) seat: usize,
    /// The lanes in which it has a decision; the values of other lanes mean nothing.
    pub(super) asked: Mask<S>,
}

impl<S: Vector16> View<'_, S> {
    #[inline(always)]
    fn counters(&self) -> Lane<S> {
        self.games.load(&self.games.counters[self.seat])
    }

    /// The counters of the other seats.
    #[inline(always)]
    fn others(&self) -> impl Iterator<Item = Lane<S>> {
        let seats = self.setup.seats().filter(|&seat| seat != self.seat);
        seats.map(|seat| self.games.load(&self.games.counters[seat]))
    }

    #[inline(always)]
    fn other_best(&self) -> Lane<S> {
        self.others().fold(self.counters().alike(0), Number::greatest)
    }

    #[inline(always)]
    fn steps_left(&self) -> Lane<S> {
        let step = self.games.load(&self.games.step);
        step.alike(self.setup.rules.steps) - step
    }

    /// The sum over the other seats.
    #[inline(always)]
    fn sum(&self, of: impl Fn(Lane<S>) -> Lane<S>) -> Lane<S> {
        self.others().fold(self.counters().alike(0), |sum, counters| sum + of(counters))
    }
}

impl<S: Vector16> LaneView<S> for View<'_, S> {
    type Game = Freeze;

    fn game(&self) -> &Freeze {
        &self.setup.rules
    }

    fn kind(&self) -> usize {
        FREEZE_SIX
    }

    #[inline(always)]
    fn each_state(&self, mut f: impl FnMut(usize, State)) {
        let asked = self.asked.bits();
        for lane in (0..MOST_LANES).filter(|lane| asked >> lane & 1 == 1) {
            f(lane, self.games.state(&self.setup.rules, lane, &[(ONE_SIX, 1 << self.seat)]));
        }
    }

    #[inline(always)]
    fn digest(&self) -> LaneDigest<S::V> {
        let all = self.counters().alike(self.setup.rules.counters());
        LaneDigest {
            fine: self.steps_left().v,
            coarse: all.alike(0).v,
            column: (all + self.other_best() - self.counters()).v,
        }
    }

    #[inline(always)]
    fn small_number(&self, index: usize) -> Option<S::V> {
        let (games, rules) = (self.games, &self.setup.rules);
        let own = self.counters();
        let one = own.alike(1);
        let number = match index {
            feature::STEP => games.load(&games.step),
            feature::STEPS_LEFT => self.steps_left(),
            feature::DOUBLES => one.zero_unless(games.doubles_count(self.setup, self.asked)),
            feature::PLAYERS => own.alike(rules.players.into()),
            feature::COUNTERS => own,
            feature::OTHER_BEST => self.other_best(),
            feature::OTHER_SUM => self.sum(|counters| counters),
            feature::AHEAD => self.sum(|counters| one.zero_where(own.is_at_least(counters))),
            feature::BANK => games.load(&games.bank),
            feature::STAKES => games.load(&games.frozen).count_ones(),
            feature::SEVENS => games.load(&games.sevens).count_ones(),
            feature::SHOWS_SEVEN => {
                one.zero_unless(games.load(&games.sevens).meets(own.alike(1 << self.seat)))
            }
            _ => return None,
        };
        Some(number.v)
    }

    #[inline(always)]
    fn column(&self, simd: S, index: usize) -> S::Column {
        if index != feature::LEAD {
            return one_by_one(self, index);
        }
        let mut lead = widened(simd, self.counters().v);
        for (lead, other) in lead.as_mut().iter_mut().zip(widened(simd, self.other_best().v).as_ref()) {
            *lead -= other;
        }
        lead
    }
}
