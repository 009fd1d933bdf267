//! `words.rs` on lanes: the features and predicates that a policy asks for.

use super::super::{Atom, Carbonite, MARK, State};
use super::Games;
use super::planes::{LanePlanes, count_lowest, full_colours, others_present, whole, whole_colours};
use crate::games::carbonite::pieces::{ALL, Planes, SMALL, of_size};
use crate::lanes::simd::{Column, MOST_LANES, Simd};
use crate::lanes::{LaneDigest, LaneView};
use crate::vocabulary::Vocabulary;

/// The games at a decision.
pub(super) struct View<'v, S: Simd> {
    pub(super) simd: S,
    pub(super) rules: &'v Carbonite,
    pub(super) games: &'v Games<S>,
    pub(super) kind: usize,
    /// The lanes in which there is a decision; what is seen of the others means nothing.
    pub(super) asked: S::M,
    /// Whether the last piece came from the Vault and stopping is still allowed.
    pub(super) from_vault: S::M,
}

impl<S: Simd> View<'_, S> {
    #[inline(always)]
    fn stashed(&self) -> LanePlanes<S::V> {
        self.games.vault.with(self.simd, self.games.counter)
    }

    #[inline(always)]
    fn counter_count(&self) -> S::V {
        let lowest = self.simd.and(whole_colours(self.simd, self.games.counter), self.simd.splat(SMALL));
        count_lowest(self.simd, lowest)
    }

    #[inline(always)]
    fn not(&self, types: S::V) -> S::V {
        self.simd.and_not(self.simd.splat(u16::MAX), types)
    }

    /// The types in the Bank that complete a second tree.
    #[inline(always)]
    fn second(&self, held: LanePlanes<S::V>) -> S::V {
        let simd = self.simd;
        let second = simd.and_not(simd.and(self.games.bank.one, held.one), held.two);
        simd.and(second, others_present(simd, held.two))
    }

    #[inline(always)]
    fn live(&self) -> S::V {
        let (simd, bank, held) = (self.simd, self.games.bank, self.stashed());
        let any = simd.or(bank.one, held.one);
        let both = simd.or(simd.and(bank.one, held.one), simd.and(self.games.marker, any));
        let two = simd.or(simd.or(bank.two, held.two), both);
        whole(simd, full_colours(simd, two))
    }

    #[inline(always)]
    fn scarce_sizes(&self) -> S::V {
        let simd = self.simd;
        let [small, medium, large] = self.stashed().count_sizes(simd);
        let fewest = simd.min(small, simd.min(medium, large));
        let small = simd.keep(simd.eq(small, fewest), simd.splat(of_size(0)));
        let medium = simd.keep(simd.eq(medium, fewest), simd.splat(of_size(1)));
        let large = simd.keep(simd.eq(large, fewest), simd.splat(of_size(2)));
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
        let (base, pairs) = points(self.simd, self.rules, held);
        let mut points = self.column(base);
        if self.rules.doubling {
            for (points, pairs) in points.iter_mut().zip(self.column(pairs)) {
                *points <<= pairs & 31;
            }
        }
        points
    }

    /// A feature that is asked for less often: lane by lane, by the rules themselves.
    #[inline(never)]
    fn one_by_one(&self, index: usize) -> Column {
        let simd = self.simd;
        let mut lanes = [[0; MOST_LANES]; 7];
        let Games { bank, vault, counter, turn, marker, .. } = *self.games;
        for (lanes, field) in
            lanes.iter_mut().zip([bank.one, bank.two, vault.one, vault.two, counter, turn, marker])
        {
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
            *value = i32::try_from(self.rules.feature(state, index)).unwrap_or(0);
        }
        column
    }
}

impl<S: Simd> LaneView<S> for View<'_, S> {
    #[inline(always)]
    fn digest(&self) -> LaneDigest<S::V> {
        let simd = self.simd;
        let from_vault = simd.keep(self.from_vault, simd.splat(16));
        LaneDigest {
            fine: simd.or(self.games.turn, from_vault),
            coarse: simd.splat(0),
            column: self.counter_count(),
        }
    }

    #[inline(always)]
    fn feature(&self, index: usize) -> Column {
        let simd = self.simd;
        match index {
            0 => self.column(self.games.turn),
            1 => self.column(simd.sub(simd.splat(self.rules.turns.into()), self.games.turn)),
            2 => self.column(self.counter_count()),
            3 => {
                let atom = simd.splat((self.rules.atom == Atom::Bust).into());
                self.column(simd.mul(simd.add(self.counter_count(), atom), simd.splat(6)))
            }
            4 => self.column(simd.keep(self.from_vault, simd.splat(1))),
            8 => self.column(self.games.vault.solids(simd)),
            9 => self.column(self.games.vault.pairs(simd)),
            10 => self.column(self.stashed().solids(simd)),
            11 => self.column(self.stashed().pairs(simd)),
            12 => self.points(self.games.vault),
            13 => self.points(self.stashed()),
            17 => self.column(count_lowest(simd, simd.and(self.live(), simd.splat(SMALL)))),
            _ => self.one_by_one(index),
        }
    }

    #[inline(always)]
    fn predicate(&self, index: usize) -> S::V {
        let simd = self.simd;
        let (bank, held) = (self.games.bank, self.stashed());
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
pub(super) fn points<S: Simd>(simd: S, rules: &Carbonite, held: LanePlanes<S::V>) -> (S::V, S::V) {
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
