//! `pieces.rs` on lanes, function for function.

use super::super::pieces::{self, SMALL};
use crate::lanes::simd::Vector16;

/// [`Planes`](pieces::Planes), a lane each.
#[derive(Clone, Copy, Debug)]
pub(super) struct LanePlanes<V> {
    pub(super) one: V,
    pub(super) two: V,
}

impl<V: Copy> LanePlanes<V> {
    #[inline(always)]
    pub(super) fn splat<S: Vector16<V = V>>(simd: S, planes: pieces::Planes) -> Self {
        Self { one: simd.splat(planes.one()), two: simd.splat(planes.two()) }
    }

    #[inline(always)]
    pub(super) fn with<S: Vector16<V = V>>(self, simd: S, types: V) -> Self {
        Self { one: simd.or(self.one, types), two: simd.or(self.two, simd.and(self.one, types)) }
    }

    #[inline(always)]
    pub(super) fn without<S: Vector16<V = V>>(self, simd: S, types: V) -> Self {
        Self {
            one: simd.and_not(self.one, simd.and_not(types, self.two)),
            two: simd.and_not(self.two, types),
        }
    }

    /// `a` where the mask holds, else `b`.
    #[inline(always)]
    pub(super) fn select<S: Vector16<V = V>>(simd: S, mask: S::M, a: Self, b: Self) -> Self {
        Self { one: simd.select(mask, a.one, b.one), two: simd.select(mask, a.two, b.two) }
    }

    #[inline(always)]
    pub(super) fn count<S: Vector16<V = V>>(self, simd: S) -> V {
        simd.add(simd.count_ones(self.one), simd.count_ones(self.two))
    }

    #[inline(always)]
    pub(super) fn pairs<S: Vector16<V = V>>(self, simd: S) -> V {
        simd.count_ones(full_colours(simd, self.two))
    }

    #[inline(always)]
    pub(super) fn solids<S: Vector16<V = V>>(self, simd: S) -> V {
        simd.add(simd.count_ones(full_colours(simd, self.one)), self.pairs(simd))
    }

    /// How many of each size there are.
    #[inline(always)]
    pub(super) fn count_sizes<S: Vector16<V = V>>(self, simd: S) -> [V; 3] {
        [self.count_size(simd, 0), self.count_size(simd, 1), self.count_size(simd, 2)]
    }

    #[inline(always)]
    fn count_size<S: Vector16<V = V>>(self, simd: S, size: u32) -> V {
        let of_size = simd.splat(pieces::of_size(size));
        let (one, two) = (simd.and(self.one, of_size), simd.and(self.two, of_size));
        simd.add(simd.count_ones(one), simd.count_ones(two))
    }
}

#[inline(always)]
pub(super) fn whole_colours<S: Vector16>(simd: S, types: S::V) -> S::V {
    let any = simd.or(types, simd.or(simd.shr::<1>(types), simd.shr::<2>(types)));
    let lowest = simd.and(any, simd.splat(SMALL));
    whole(simd, lowest)
}

/// All types of the colours whose lowest bits these are: eight times less once.
#[inline(always)]
pub(super) fn whole<S: Vector16>(simd: S, lowest: S::V) -> S::V {
    simd.sub(simd.shl::<3>(lowest), lowest)
}

#[inline(always)]
pub(super) fn full_colours<S: Vector16>(simd: S, types: S::V) -> S::V {
    let all = simd.and(types, simd.and(simd.shr::<1>(types), simd.shr::<2>(types)));
    simd.and(all, simd.splat(SMALL))
}

#[inline(always)]
pub(super) fn others_present<S: Vector16>(simd: S, types: S::V) -> S::V {
    let [up_one, up_two] = [simd.shl::<1>(types), simd.shl::<2>(types)];
    let [down_one, down_two] = [simd.shr::<1>(types), simd.shr::<2>(types)];
    let next = simd.or(simd.and(up_one, simd.splat(0x6DB6)), simd.and(down_two, simd.splat(0x1249)));
    let after = simd.or(simd.and(down_one, simd.splat(0x36DB)), simd.and(up_two, simd.splat(0x4924)));
    simd.and(next, after)
}
