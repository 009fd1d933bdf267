//! `words.rs` on lanes: the features and predicates that a policy asks for.

use super::super::{Atom, Carbonite, MARK, State, VaultMatch};
use super::planes::{LanePlanes, full_colours, others_present, whole, whole_colours};
use super::{Games, Tables};
use crate::games::carbonite::pieces::{ALL, Planes, SMALL, of_size};
use crate::lanes::simd::{Column, MOST_LANES, Vector16};
use crate::lanes::{LaneDigest, LaneView, clamped};
use crate::vocabulary::Vocabulary;

/// The powers of two, twice.
const POWERS: [u16; 32] = {
    let mut powers = [0; 32];
    let mut at = 0;
    while at < 32 {
        powers[at] = 1 << (at % 16);
        at += 1;
    }
    powers
};

/// The games at a decision.
///
/// The fields are copies: behind a reference they would be written to memory before every question, looked at or not.
#[derive(Clone, Copy)]
pub(super) struct View<'v, S: Vector16> {
    simd: S,
    tables: &'v Tables,
    bank: LanePlanes<S::V>,
    vault: LanePlanes<S::V>,
    counter: S::V,
    marker: S::V,
    record: S::V,
    kind: usize,
    /// The lanes in which there is a decision; what is seen of the others means nothing.
    asked: S::M,
    /// Whether the last piece came from the Vault and stopping is still allowed.
    from_vault: S::M,
}

impl<'v, S: Vector16> View<'v, S> {
    #[inline(always)]
    pub(super) fn new<const PUBLISHED: bool>(
        simd: S,
        tables: &'v Tables,
        games: &Games<S, PUBLISHED>,
        kind: usize,
        asked: S::M,
    ) -> Self {
        let Games { bank, vault, counter, marker, record, .. } = *games;
        let from_vault = simd.mask(0);
        Self { simd, tables, bank, vault, counter, marker, record, kind, asked, from_vault }
    }

    #[inline(always)]
    pub(super) fn with_from_vault(self, from_vault: S::M) -> Self {
        Self { from_vault, ..self }
    }
}

impl<S: Vector16> View<'_, S> {
    #[inline(always)]
    fn stashed(&self) -> LanePlanes<S::V> {
        self.vault.with(self.simd, self.counter)
    }

    #[inline(always)]
    fn counter_count(&self) -> S::V {
        // There is at most one of each colour.
        self.simd.count_ones(self.counter)
    }

    #[inline(always)]
    fn turn(&self) -> S::V {
        self.simd.and(self.record, self.simd.splat(15))
    }

    /// The piece type of the marker that will be given back, if one will: while the next one is chosen it is still out.
    #[inline(always)]
    fn marker(&self) -> S::V {
        let simd = self.simd;
        let later = simd.splat(if self.kind == MARK { 0 } else { 1 });
        let returns = simd.lookup_16(&self.tables.returns, simd.add(self.record, later));
        simd.and(returns, self.marker)
    }

    #[inline(always)]
    fn not(&self, types: S::V) -> S::V {
        self.simd.and_not(self.simd.splat(u16::MAX), types)
    }

    /// The types in the Bank that complete a second tree.
    #[inline(always)]
    fn second(&self, held: LanePlanes<S::V>) -> S::V {
        let simd = self.simd;
        let second = simd.and_not(simd.and(self.bank.one, held.one), held.two);
        simd.and(second, others_present(simd, held.two))
    }

    #[inline(always)]
    fn live(&self) -> S::V {
        let (simd, bank, held) = (self.simd, self.bank, self.stashed());
        let any = simd.or(bank.one, held.one);
        let both = simd.or(simd.and(bank.one, held.one), simd.and(self.marker(), any));
        let two = simd.or(simd.or(bank.two, held.two), both);
        whole(simd, full_colours(simd, two))
    }

    #[inline(always)]
    fn scarce_sizes(&self) -> S::V {
        let simd = self.simd;
        let [small, medium, large] = self.stashed().count_sizes(simd);
        let fewest = simd.min(small, simd.min(medium, large));
        let small = simd.zero_unless(simd.eq(small, fewest), simd.splat(of_size(0)));
        let medium = simd.zero_unless(simd.eq(medium, fewest), simd.splat(of_size(1)));
        let large = simd.zero_unless(simd.eq(large, fewest), simd.splat(of_size(2)));
        simd.or(small, simd.or(medium, large))
    }

    #[inline(always)]
    fn column(&self, v: S::V) -> Column {
        let mut lanes = [0; MOST_LANES];
        self.simd.store(v, &mut lanes);
        let mut column = [0; MOST_LANES];
        for lane in 0..S::LANES {
            column[lane] = i32::from(lanes[lane]);
        }
        column
    }

    /// Vault points of these pieces.
    #[inline(always)]
    fn points(&self, held: LanePlanes<S::V>) -> Column {
        let (base, pairs) = points(self.simd, &self.tables.rules, held);
        let mut points = self.column(base);
        if self.tables.rules.doubling {
            for (points, pairs) in points.iter_mut().zip(self.column(pairs)) {
                *points <<= pairs & 31;
            }
        }
        points
    }

    /// The same in 16 bits, or the greatest number of them.
    #[inline(always)]
    fn small_points(&self, held: LanePlanes<S::V>) -> S::V {
        let (base, pairs) = points(self.simd, &self.tables.rules, held);
        if !self.tables.rules.doubling {
            return base;
        }
        self.simd.mul_saturating(base, self.simd.lookup_16(&POWERS, pairs))
    }

    /// How many of the rolls end the game.
    #[inline(always)]
    fn ending_rolls(&self) -> S::V {
        let (simd, rules) = (self.simd, &self.tables.rules);
        let sizes = simd.splat(7);
        let mut counter = self.counter;
        let mut removable = simd.or(self.bank.one, self.counter);
        let mut matchable = match rules.vault_match {
            VaultMatch::NoMatch => self.bank.one,
            _ => simd.or(self.bank.one, self.vault.one),
        };
        let (mut ending, mut for_atom) = (simd.splat(0), simd.splat(0));
        for _ in 0..rules.colours {
            let bombs = simd.meets(counter, sizes);
            let to_match = simd.and(matchable, sizes);
            let to_remove = simd.or(simd.and(removable, sizes), simd.splat(8));
            let at = simd.select(bombs, to_remove, to_match);
            ending = simd.add(ending, simd.lookup_16(&self.tables.ending_faces, at));
            for_atom = simd.or(for_atom, simd.select(bombs, simd.splat(0), to_match));
            counter = simd.shr::<3>(counter);
            removable = simd.shr::<3>(removable);
            matchable = simd.shr::<3>(matchable);
        }
        if rules.atom == Atom::Choice {
            ending = simd.add(ending, simd.lookup_16(&self.tables.ending_faces, for_atom));
        }
        ending
    }

    /// A feature that fits 16 bits, of those that are asked for more often.
    #[inline(always)]
    fn often_asked(&self, index: usize) -> Option<S::V> {
        let simd = self.simd;
        Some(match index {
            0 => self.turn(),
            1 => simd.sub(simd.splat(self.tables.rules.turns.into()), self.turn()),
            2 => self.counter_count(),
            3 => {
                let atom = simd.splat((self.tables.rules.atom == Atom::Bust).into());
                simd.mul(simd.add(self.counter_count(), atom), simd.splat(6))
            }
            4 => simd.zero_unless(self.from_vault, simd.splat(1)),
            5 => self.vault.count(simd),
            6 => self.bank.count(simd),
            8 => self.vault.solids(simd),
            9 => self.vault.pairs(simd),
            10 => self.stashed().solids(simd),
            11 => self.stashed().pairs(simd),
            16 => self.ending_rolls(),
            17 => simd.count_ones(simd.and(self.live(), simd.splat(SMALL))),
            _ => return None,
        })
    }

    /// A feature that is asked for less often: lane by lane, by the rules themselves.
    #[inline(never)]
    fn one_by_one(&self, index: usize) -> Column {
        let simd = self.simd;
        let mut lanes = [[0; MOST_LANES]; 7];
        let Self { bank, vault, counter, .. } = *self;
        let fields = [bank.one, bank.two, vault.one, vault.two, counter, self.turn(), self.marker()];
        for (lanes, field) in lanes.iter_mut().zip(fields) {
            simd.store(field, lanes);
        }
        let from_vault = simd.bits(self.from_vault);
        let mut column = [0; MOST_LANES];
        let asked = simd.bits(self.asked);
        for (lane, value) in column.iter_mut().enumerate().filter(|(lane, _)| asked >> lane & 1 == 1) {
            let [bank_one, bank_two, vault_one, vault_two, counter, turn, marker] =
                lanes.map(|field| field[lane]);
            let state = State::of(
                [Planes::new(bank_one, bank_two), Planes::new(vault_one, vault_two)],
                counter,
                u8::try_from(turn).unwrap_or(0),
                marker,
                self.kind == MARK,
                from_vault >> lane & 1 == 1,
            );
            *value = i32::try_from(self.tables.rules.feature(state, index)).unwrap_or(0);
        }
        column
    }
}

impl<S: Vector16> LaneView<S> for View<'_, S> {
    #[inline(always)]
    fn digest(&self) -> LaneDigest<S::V> {
        let simd = self.simd;
        let from_vault = simd.zero_unless(self.from_vault, simd.splat(16));
        LaneDigest {
            fine: simd.or(self.turn(), from_vault),
            coarse: simd.splat(0),
            column: self.counter_count(),
        }
    }

    #[inline(always)]
    fn feature(&self, index: usize) -> Column {
        match index {
            12 => self.points(self.vault),
            13 => self.points(self.stashed()),
            _ => match self.often_asked(index) {
                Some(feature) => self.column(feature),
                None => self.one_by_one(index),
            },
        }
    }

    #[inline(always)]
    fn small_feature(&self, simd: S, index: usize) -> S::V {
        match index {
            12 => self.small_points(self.vault),
            13 => self.small_points(self.stashed()),
            _ => match self.often_asked(index) {
                Some(feature) => feature,
                None => clamped(simd, &self.one_by_one(index)),
            },
        }
    }

    #[inline(always)]
    fn predicate(&self, index: usize) -> S::V {
        let simd = self.simd;
        let (bank, held) = (self.bank, self.stashed());
        let from_bank = if self.kind == MARK { simd.splat(ALL) } else { bank.one };
        match index {
            0 => from_bank,
            1 => self.not(from_bank),
            2 => simd.splat(of_size(0)),
            3 => simd.splat(of_size(1)),
            4 => simd.splat(of_size(2)),
            5 => {
                let first = simd.and_not(bank.one, held.one);
                simd.or(simd.and(first, others_present(simd, held.one)), self.second(held))
            }
            6 => self.second(held),
            7 => self.not(held.one),
            8 => whole_colours(simd, held.one),
            9 => simd.and_not(bank.one, bank.two),
            10 => self.live(),
            11 => whole(simd, full_colours(simd, held.one)),
            12 => whole(simd, full_colours(simd, held.two)),
            13 => simd.or(held.two, self.not(self.live())),
            _ => self.scarce_sizes(),
        }
    }
}

/// Vault points before doubling, and pairs: [`vault_points`](Carbonite::vault_points) in 16 bits.
#[inline(always)]
pub(super) fn points<S: Vector16>(simd: S, rules: &Carbonite, held: LanePlanes<S::V>) -> (S::V, S::V) {
    let (solids, pairs) = (held.solids(simd), held.pairs(simd));
    let [small, medium, large] = held.count_sizes(simd);
    let trees = simd.min(small, simd.min(medium, large));
    let singles = simd.sub(simd.add(small, simd.add(medium, large)), simd.mul(trees, simd.splat(3)));
    let solid = simd.mul(solids, simd.splat(rules.points.solid));
    let mixed = simd.mul(simd.sub(trees, solids), simd.splat(rules.points.mixed));
    let single = simd.mul(singles, simd.splat(rules.points.single));
    let base = simd.add(solid, simd.add(mixed, single));
    (base, pairs)
}
