//! Some of the bits of a state.

use std::ops::{BitAnd, BitOr, BitOrAssign, Not};

/// The words of a state.
pub(crate) const WORDS: usize = 8;

/// Bits of a state, as a state has them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Mask(pub(crate) [u64; WORDS]);

impl Mask {
    /// These bits of the first word.
    pub(crate) const fn first(bits: u64) -> Self {
        let mut words = [0; WORDS];
        words[0] = bits;
        Self(words)
    }

    /// Whether any bit is in both.
    pub(crate) fn meets(self, other: Self) -> bool {
        self & other != Self::default()
    }

    pub(crate) fn count(self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }
}

/// The bits of all of them.
impl FromIterator<Self> for Mask {
    fn from_iter<I: IntoIterator<Item = Self>>(masks: I) -> Self {
        masks.into_iter().fold(Self::default(), |all, mask| all | mask)
    }
}

impl BitOr for Mask {
    type Output = Self;

    #[inline]
    fn bitor(self, other: Self) -> Self {
        Self(std::array::from_fn(|word| self.0[word] | other.0[word]))
    }
}

impl BitOrAssign for Mask {
    fn bitor_assign(&mut self, other: Self) {
        *self = *self | other;
    }
}

impl BitAnd for Mask {
    type Output = Self;

    #[inline]
    fn bitand(self, other: Self) -> Self {
        Self(std::array::from_fn(|word| self.0[word] & other.0[word]))
    }
}

impl Not for Mask {
    type Output = Self;

    #[inline]
    fn not(self) -> Self {
        Self(self.0.map(|word| !word))
    }
}
