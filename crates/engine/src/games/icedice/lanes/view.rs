//! `words.rs` on lanes: the features and predicates that a policy asks for.

use super::super::piles;
use super::super::places::Places;
use super::super::words::{Is, feature};
use super::super::{IceDice, NoChoice, State, VICTIM, pieces};
use super::LanePiles;
use crate::bitboard::{Bitboard, Number};
use crate::games::pyramids::pieces::{ALL, of_size};
use crate::games::pyramids::piles::Piles;
use crate::games::pyramids::stack::{LaneStack, Stack};
use crate::lanes::simd::{MOST_LANES, Vector16};
use crate::lanes::{Lane, LaneDigest, LaneView, Mask};

/// The games of all lanes at a decision.
#[derive(Clone, Copy)]
pub(super) struct View<'v, S: Vector16, const OTHERS: usize, const PLANES: usize> {
    pub(super) rules: &'v IceDice,
    pub(super) own: LanePiles<S, PLANES>,
    /// A reference, because these vectors are in memory anyway and are too many to copy at every question.
    pub(super) others: &'v [LanePiles<S, PLANES>; OTHERS],
    pub(super) bank: LanePiles<S, PLANES>,
    pub(super) counter: Lane<S>,
    /// The piece that is being stolen, while the victim is chosen.
    pub(super) stolen: Lane<S>,
    pub(super) turn: Lane<S>,
    pub(super) seat: Lane<S>,
    pub(super) kind: usize,
    /// The lanes that have a decision; the values of other lanes mean nothing.
    pub(super) asked: Mask<S>,
}

impl<S: Vector16, const OTHERS: usize, const PLANES: usize> View<'_, S, OTHERS, PLANES> {
    #[inline(always)]
    fn places(&self) -> Places<LaneStack<S, PLANES>, OTHERS> {
        let Self { own, others, bank, counter, .. } = *self;
        Places { own, others: *others, bank, counter }
    }

    #[inline(always)]
    fn splat(&self, number: u16) -> Lane<S> {
        self.counter.alike(number)
    }

    /// The candidates among the types of another seat. If the question is whom to steal from, the candidate is that
    /// seat's place, provided that it has the piece.
    #[inline(always)]
    fn of_other(&self, place: usize, types: Lane<S>) -> Lane<S> {
        if self.kind == VICTIM {
            self.splat(1 << place).zero_unless(types.meets(self.stolen))
        } else {
            types.and_not(self.bank.any())
        }
    }

    /// The candidates that belong to the leading opponents.
    #[inline(always)]
    fn of_leaders(&self) -> Lane<S> {
        let places = self.places();
        let best = places.best_rank();
        let mut all = self.splat(0);
        for place in 0..OTHERS {
            let mut types = self.others[place].any();
            // The one opponent leads.
            if self.rules.players > 2 {
                types = types.zero_unless(places.rank_of_other(place).is(best));
            }
            all = all | self.of_other(place, types);
        }
        all
    }

    /// The candidates that break a trio of an opponent.
    #[inline(always)]
    fn breaking(&self) -> Lane<S> {
        let mut all = self.splat(0);
        for place in 0..OTHERS {
            all = all | self.of_other(place, self.others[place].breaking());
        }
        all
    }
}

impl<S: Vector16, const OTHERS: usize, const PLANES: usize> LaneView<S> for View<'_, S, OTHERS, PLANES> {
    type Game = IceDice;

    fn game(&self) -> &IceDice {
        self.rules
    }

    fn kind(&self) -> usize {
        self.kind
    }

    #[inline(always)]
    fn each_state(&self, mut f: impl FnMut(usize, State)) {
        let arrays = |piles: &LanePiles<S, PLANES>| {
            let mut arrays = [[0; MOST_LANES]; PLANES];
            for (array, plane) in arrays.iter_mut().zip(piles.0.0) {
                *array = plane.to_array();
            }
            arrays
        };
        let (own, bank) = (arrays(&self.own), arrays(&self.bank));
        let mut others = [[[0; MOST_LANES]; PLANES]; OTHERS];
        for (arrays_of, other) in others.iter_mut().zip(self.others) {
            *arrays_of = arrays(other);
        }
        let (counter, stolen) = (self.counter.to_array(), self.stolen.to_array());
        let (turn, seat) = (self.turn.to_array(), self.seat.to_array());
        let asked = self.asked.bits();
        for lane in (0..MOST_LANES).filter(|lane| asked >> lane & 1 == 1) {
            let at = |planes: &[[u16; MOST_LANES]; PLANES]| {
                let word = |word: u64, plane: &[u16; MOST_LANES]| word << 16 | u64::from(plane[lane]);
                Piles(planes.iter().rev().fold(0, word))
            };
            let mut vaults = [piles::Piles::default(); 3];
            for (vault, other) in vaults.iter_mut().zip(&others) {
                *vault = at(other);
            }
            let numbers = [counter[lane], stolen[lane], turn[lane], seat[lane]];
            f(lane, State::of([at(&own), vaults[0], vaults[1], vaults[2], at(&bank)], numbers));
        }
    }

    #[inline(always)]
    fn digest(&self) -> LaneDigest<S::V> {
        LaneDigest {
            fine: self.places().stashed().trios().v,
            coarse: self.splat(0).v,
            column: self.counter.count_ones().v,
        }
    }

    #[inline(always)]
    fn small_number(&self, index: usize) -> Option<S::V> {
        let (places, rules) = (self.places(), self.rules);
        let number = match index {
            // There is at most one of each colour.
            feature::COUNTER => self.counter.count_ones(),
            feature::BUST_CHANCE if rules.no_choice != NoChoice::Bust => self.counter.count_ones().times(6),
            feature::TRIOS_IF_STOPPED => places.stashed().trios(),
            feature::GOAL => self.splat(rules.trios.into()),
            feature::PLAYERS => self.splat(rules.players.into()),
            feature::TRIOS => self.own.trios(),
            feature::BEST_OTHER_TRIOS => places.most_trios_of_others(),
            feature::VAULT => self.own.count(),
            feature::BANK => self.bank.count(),
            feature::PAIRS => self.own.pairs(),
            feature::PAIRS_IF_STOPPED => places.stashed().pairs(),
            feature::MISSING => places.missing(rules),
            feature::BEST_OTHER_MISSING => places.best_other_missing(rules),
            feature::BEST_OTHER_VAULT => places.most_pieces_of_others(),
            _ => return None,
        };
        Some(number.v)
    }

    #[inline(always)]
    fn predicate(&self, _: S, index: usize) -> S::V {
        let Some(is) = Is::at(index) else { unreachable!("a predicate of this game") };
        let (places, bank) = (self.places(), self.bank.any());
        let held = places.stashed();
        let types = match is {
            Is::FromBank => bank,
            Is::Steal => bank.complement(),
            Is::Small => self.splat(of_size(0)),
            Is::Medium => self.splat(of_size(1)),
            Is::Large => self.splat(of_size(2)),
            Is::CompletesTrio => held.completing().any(),
            Is::CompletesPair => held.completing().plane(1),
            Is::TypeMissing => held.any().complement(),
            Is::ColourStarted => pieces::whole_colours(held.any()),
            Is::LastInBank => bank.and_not(self.bank.at_least(2)),
            Is::Live => places.live(),
            Is::Advances => places.advancing(self.rules),
            Is::Leader => return self.of_leaders().v,
            Is::BreaksTrio => return self.breaking().v,
        };
        if self.kind == VICTIM {
            // All victims, if it holds of the piece.
            return self.splat(ALL).zero_unless(types.meets(self.stolen)).v;
        }
        types.v
    }
}
