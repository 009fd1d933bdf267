//! `words.rs` on lanes: the features and predicates that a policy asks for.

use super::super::places::{self, Places};
use super::super::words::{Is, feature};
use super::super::{Atom, Carbonite, MARK, State};
use super::{Games, Tables};
use crate::bitboard::Bitboard;
use crate::games::pyramids::pieces::{self, ALL, of_size};
use crate::games::pyramids::piles::{Piles, Planes};
use crate::games::pyramids::stack::LaneStack;
use crate::lanes::simd::{Column, MOST_LANES, Vector16};
use crate::lanes::{Lane, LaneDigest, LaneView, Mask, clamped, one_by_one, widened};

/// The pieces of one place, for every lane.
pub(super) type LanePiles<S> = Piles<LaneStack<S, 2>>;

/// The powers of two, stored twice.
const POWERS: [u16; 32] = {
    let mut powers = [0; 32];
    let mut at = 0;
    while at < 32 {
        powers[at] = 1 << (at % 16);
        at += 1;
    }
    powers
};

/// The games of all lanes at a decision.
///
/// The fields are copies: behind a reference they would be written to memory before every question, even if nothing
/// reads them.
#[derive(Clone, Copy)]
pub(super) struct View<'v, S: Vector16> {
    simd: S,
    tables: &'v Tables,
    bank: LanePiles<S>,
    vault: LanePiles<S>,
    counter: Lane<S>,
    marker: Lane<S>,
    record: Lane<S>,
    kind: usize,
    /// The lanes that have a decision; the values of other lanes mean nothing.
    asked: Mask<S>,
    /// Whether the last piece came from the Vault and stopping is still allowed.
    from_vault: Mask<S>,
}

impl<'v, S: Vector16> View<'v, S> {
    #[inline(always)]
    pub(super) fn new<const PUBLISHED: bool>(
        simd: S,
        tables: &'v Tables,
        games: &Games<S, PUBLISHED>,
        kind: usize,
        asked: Mask<S>,
    ) -> Self {
        let Games { bank, vault, counter, marker, record, .. } = *games;
        let from_vault = Mask::of_bits(simd, 0);
        Self { simd, tables, bank, vault, counter, marker, record, kind, asked, from_vault }
    }

    #[inline(always)]
    pub(super) fn with_from_vault(self, from_vault: Mask<S>) -> Self {
        Self { from_vault, ..self }
    }
}

impl<S: Vector16> View<'_, S> {
    #[inline(always)]
    fn splat(&self, number: u16) -> Lane<S> {
        Lane::splat(self.simd, number)
    }

    /// The places of the pieces. The marker is included only if it will be given back: while the next marker is chosen
    /// it is still out.
    #[inline(always)]
    fn places(&self) -> Places<LaneStack<S, 2>> {
        let Self { bank, vault, counter, .. } = *self;
        let turn = self.record + self.splat(if self.kind == MARK { 0 } else { 1 });
        Places { bank, vault, counter, marker: turn.look_up(&self.tables.returns) & self.marker }
    }

    #[inline(always)]
    fn stashed(&self) -> LanePiles<S> {
        self.vault.with(self.counter)
    }

    #[inline(always)]
    fn counter_count(&self) -> Lane<S> {
        // There is at most one of each colour.
        self.counter.count_ones()
    }

    #[inline(always)]
    fn turn(&self) -> Lane<S> {
        self.record & self.splat(15)
    }

    /// Vault points of these pieces.
    #[inline(always)]
    fn points(&self, held: LanePiles<S>) -> Column {
        let (base, pairs) = places::points(&self.tables.rules.points, held);
        let mut points = widened(self.simd, base.v);
        if self.tables.rules.doubling {
            for (points, pairs) in points.iter_mut().zip(widened(self.simd, pairs.v)) {
                *points <<= pairs & 31;
            }
        }
        points
    }

    /// The Vault points in 16 bits, saturating.
    #[inline(always)]
    fn small_points(&self, held: LanePiles<S>) -> Lane<S> {
        let (base, pairs) = places::points(&self.tables.rules.points, held);
        if !self.tables.rules.doubling {
            return base;
        }
        Lane::new(self.simd, self.simd.mul_saturating(base.v, pairs.look_up(&POWERS).v))
    }
}

impl<S: Vector16> LaneView<S> for View<'_, S> {
    type Game = Carbonite;
    /// Outlined lists cost `tidy` a quarter of its games per second with AVX-512 and AVX2: the state leaves the
    /// registers twice per roll. With the plain set, whose registers do not hold it anyway, they cost 6 %.
    const LISTS_IN_LINE: bool = S::IN_LINE;

    fn game(&self) -> &Carbonite {
        &self.tables.rules
    }

    fn kind(&self) -> usize {
        self.kind
    }

    #[inline(always)]
    fn each_state(&self, mut f: impl FnMut(usize, State)) {
        let Self { bank, vault, counter, .. } = *self;
        let [bank_one, bank_two] = bank.0.0;
        let [vault_one, vault_two] = vault.0.0;
        let marker = self.places().marker;
        let lanes = [
            bank_one.to_array(),
            bank_two.to_array(),
            vault_one.to_array(),
            vault_two.to_array(),
            counter.to_array(),
            self.turn().to_array(),
            marker.to_array(),
        ];
        let (from_vault, asked) = (self.from_vault.bits(), self.asked.bits());
        for lane in (0..MOST_LANES).filter(|lane| asked >> lane & 1 == 1) {
            let mut numbers = [0; 7];
            for (number, field) in numbers.iter_mut().zip(&lanes) {
                *number = field[lane];
            }
            let [bank_one, bank_two, vault_one, vault_two, counter, turn, marker] = numbers;
            let state = State::of(
                [Planes::new(bank_one, bank_two), Planes::new(vault_one, vault_two)],
                counter,
                u8::try_from(turn).unwrap_or(0),
                marker,
                self.kind == MARK,
                from_vault >> lane & 1 == 1,
            );
            f(lane, state);
        }
    }

    #[inline(always)]
    fn digest(&self) -> LaneDigest<S::V> {
        let from_vault = self.splat(16).zero_unless(self.from_vault);
        LaneDigest {
            fine: (self.turn() | from_vault).v,
            coarse: self.splat(0).v,
            column: self.counter_count().v,
        }
    }

    #[inline(always)]
    fn small_number(&self, index: usize) -> Option<S::V> {
        let rules = &self.tables.rules;
        let number = match index {
            feature::TURN => self.turn(),
            feature::TURNS_LEFT => self.splat(rules.turns.into()) - self.turn(),
            feature::COUNTER => self.counter_count(),
            feature::BUST_CHANCE => {
                let busting = self.counter_count() + self.splat((rules.atom == Atom::Bust).into());
                Lane::new(self.simd, self.simd.mul(busting.v, self.splat(6).v))
            }
            feature::VAULT_MATCH => self.splat(1).zero_unless(self.from_vault),
            feature::VAULT => self.vault.count(),
            feature::BANK => self.bank.count(),
            feature::SOLIDS => self.vault.trios(),
            feature::PAIRS => self.vault.pairs(),
            feature::SOLIDS_IF_STOPPED => self.stashed().trios(),
            feature::PAIRS_IF_STOPPED => self.stashed().pairs(),
            feature::END_CHANCE => self.places().ending_rolls(rules),
            feature::LIVE_COLOURS => self.places().live_colours(),
            _ => return None,
        };
        Some(number.v)
    }

    #[inline(always)]
    fn column(&self, _: S, index: usize) -> Column {
        match index {
            feature::VAULT_POINTS => self.points(self.vault),
            feature::POINTS_IF_STOPPED => self.points(self.stashed()),
            _ => one_by_one(self, index),
        }
    }

    #[inline(always)]
    fn saturated(&self, simd: S, index: usize) -> S::V {
        match index {
            feature::VAULT_POINTS => self.small_points(self.vault).v,
            feature::POINTS_IF_STOPPED => self.small_points(self.stashed()).v,
            _ => clamped(simd, &one_by_one(self, index)),
        }
    }

    #[inline(always)]
    fn predicate(&self, _: S, index: usize) -> S::V {
        let Some(is) = Is::at(index) else { unreachable!("a predicate of this game") };
        // The marker is looked up only where it is asked for: the compiler would do so before it looks at `is`.
        let Self { bank, vault, counter, .. } = *self;
        let places = Places { bank, vault, counter, marker: self.splat(0) };
        let (bank, held) = (self.bank.any(), self.stashed().any());
        let from_bank = if self.kind == MARK { self.splat(ALL) } else { bank };
        let types = match is {
            Is::FromBank => from_bank,
            Is::FromVault => from_bank.complement(),
            Is::Small => self.splat(of_size(0)),
            Is::Medium => self.splat(of_size(1)),
            Is::Large => self.splat(of_size(2)),
            Is::CompletesSolid => places.completing_solids(),
            Is::CompletesPair => places.completing_pairs(),
            Is::TypeMissing => held.complement(),
            Is::ColourStarted => pieces::whole_colours(held),
            Is::LastInBank => bank.and_not(self.bank.at_least(2)),
            Is::Live => self.places().live(),
            Is::ColourHasSolid => places.colours_with_trees(1),
            Is::ColourHasPair => places.colours_with_trees(2),
            Is::Surplus => self.places().surplus(),
            Is::ScarceSize => self.stashed().scarce_sizes(),
        };
        types.v
    }
}
