//! `pieces.rs` on lanes, function for function.

use super::super::pieces::{self, SMALL};
use crate::lanes::simd::Simd;

/// [`Planes`](pieces::Planes), a lane each.
#[derive(Clone, Copy, Debug)]
pub(super) struct LanePlanes<V> {
    pub(super) one: V,
    pub(super) two: V,
}

impl<V: Copy> LanePlanes<V> {
    #[inline(always)]
    pub(super) fn splat<S: Simd<V = V>>(simd: S, planes: pieces::Planes) -> Self {
        Self { one: simd.splat(planes.one()), two: simd.splat(planes.two()) }
    }

    #[inline(always)]
    pub(super) fn with<S: Simd<V = V>>(self, simd: S, types: V) -> Self {
        Self { one: simd.or(self.one, types), two: simd.or(self.two, simd.and(self.one, types)) }
    }

    #[inline(always)]
    pub(super) fn without<S: Simd<V = V>>(self, simd: S, types: V) -> Self {
        Self {
            one: simd.and_not(self.one, simd.and_not(types, self.two)),
            two: simd.and_not(self.two, types),
        }
    }

    /// `one` where the mask holds, else `other`.
    #[inline(always)]
    pub(super) fn select<S: Simd<V = V>>(simd: S, mask: S::M, a: Self, b: Self) -> Self {
        Self { one: simd.select(mask, a.one, b.one), two: simd.select(mask, a.two, b.two) }
    }

    #[inline(always)]
    pub(super) fn pairs<S: Simd<V = V>>(self, simd: S) -> V {
        count_lowest(simd, full_colours(simd, self.two))
    }

    #[inline(always)]
    pub(super) fn solids<S: Simd<V = V>>(self, simd: S) -> V {
        simd.add(count_lowest(simd, full_colours(simd, self.one)), self.pairs(simd))
    }

    /// How many of each size there are.
    #[inline(always)]
    pub(super) fn count_sizes<S: Simd<V = V>>(self, simd: S) -> [V; 3] {
        [
            simd.add(count_small(simd, self.one), count_small(simd, self.two)),
            simd.add(count_small(simd, simd.shr::<1>(self.one)), count_small(simd, simd.shr::<1>(self.two))),
            simd.add(count_small(simd, simd.shr::<2>(self.one)), count_small(simd, simd.shr::<2>(self.two))),
        ]
    }
}

#[inline(always)]
fn count_small<S: Simd>(simd: S, types: S::V) -> S::V {
    count_lowest(simd, simd.and(types, simd.splat(SMALL)))
}

#[inline(always)]
pub(super) fn whole_colours<S: Simd>(simd: S, types: S::V) -> S::V {
    let any = simd.or(types, simd.or(simd.shr::<1>(types), simd.shr::<2>(types)));
    let lowest = simd.and(any, simd.splat(SMALL));
    whole(simd, lowest)
}

/// All types of the colours whose lowest bits these are: eight times less once.
#[inline(always)]
pub(super) fn whole<S: Simd>(simd: S, lowest: S::V) -> S::V {
    simd.sub(simd.shl::<3>(lowest), lowest)
}

#[inline(always)]
pub(super) fn full_colours<S: Simd>(simd: S, types: S::V) -> S::V {
    let all = simd.and(types, simd.and(simd.shr::<1>(types), simd.shr::<2>(types)));
    simd.and(all, simd.splat(SMALL))
}

#[inline(always)]
pub(super) fn count_lowest<S: Simd>(simd: S, colours: S::V) -> S::V {
    simd.and(simd.shr::<12>(simd.mul(colours, simd.splat(SMALL))), simd.splat(7))
}

#[inline(always)]
pub(super) fn others_present<S: Simd>(simd: S, types: S::V) -> S::V {
    let [up_one, up_two] = [simd.shl::<1>(types), simd.shl::<2>(types)];
    let [down_one, down_two] = [simd.shr::<1>(types), simd.shr::<2>(types)];
    let next = simd.or(simd.and(up_one, simd.splat(0x6DB6)), simd.and(down_two, simd.splat(0x1249)));
    let after = simd.or(simd.and(down_one, simd.splat(0x36DB)), simd.and(up_two, simd.splat(0x4924)));
    simd.and(next, after)
}
