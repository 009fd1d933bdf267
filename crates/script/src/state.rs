//! A position as bits.

use std::ops::BitAnd;

use crate::mask::Mask;
pub(crate) use crate::mask::WORDS;

/// A position. Equal positions are equal bits.
///
/// ```text
/// word 0   16 bits: the stop │ 3 bits: whose turn it is, if several play in turns │ variables … │ 17 bits: stops of the turn
/// others   variables; none crosses a word
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct State(pub(crate) [u64; WORDS]);

/// The bits of the stop: its number, or what ended the game.
pub(crate) const STOP: u64 = 0xffff;
/// With the number of an ending, and with that of a check that failed.
pub(crate) const ENDED: u64 = 0x8000;
pub(crate) const FAILED: u64 = 0xc000;

/// Whose turn it is: so many bits of the first word, where several play in turns.
pub(crate) const ME: u32 = 16;
pub(crate) const ME_BITS: u32 = 3;
pub(crate) const MOST_ME: u64 = (1 << ME_BITS) - 1;
/// The stops of a turn: the rest of the first word from this bit on.
pub(crate) const TICKS: u32 = 47;
/// So many stops are near the cap of a turn.
pub(crate) const LATE: u64 = 1 << 16;

impl State {
    #[inline]
    pub(crate) fn stop(&self) -> usize {
        index((self.0[0] & STOP).cast_signed())
    }

    /// Whose turn it is.
    #[inline(always)]
    pub(crate) fn me(&self) -> u64 {
        self.0[0] >> ME & MOST_ME
    }

    /// Whether the turn has had so many stops that it is near its cap.
    #[inline]
    pub(crate) fn is_late(&self) -> bool {
        self.0[0] >> TICKS >= LATE
    }

    /// The state at a stop: what nothing reads any more is zero.
    #[inline(always)]
    pub(crate) fn at(words: &[u64; WORDS], live: &Mask, number: u32) -> Self {
        let mut words = std::array::from_fn(|word| words[word] & live.0[word]);
        words[0] |= u64::from(number);
        Self(words)
    }

    /// Comes to an end.
    #[inline(always)]
    pub(crate) fn end(&mut self, why: u64, number: u32) {
        self.0[0] = self.0[0] & !STOP | why | u64::from(number);
    }

    /// The number of the ending, if the game ended.
    #[inline]
    pub(crate) fn ending(&self) -> Option<usize> {
        let stop = self.0[0] & STOP;
        (ENDED..FAILED).contains(&stop).then(|| index((stop - ENDED).cast_signed()))
    }

    /// The number of the check that failed, if one did.
    #[inline]
    pub(crate) fn failed(&self) -> Option<usize> {
        let stop = self.0[0] & STOP;
        (stop >= FAILED).then(|| index((stop - FAILED).cast_signed()))
    }
}

/// Where a cell is in a state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Place {
    pub(crate) word: u8,
    pub(crate) shift: u8,
    pub(crate) bits: u8,
    /// What is added to the stored number.
    pub(crate) low: i32,
}

impl Place {
    /// The number in this place.
    #[inline(always)]
    pub(crate) fn value(self, words: &[u64; WORDS]) -> i64 {
        let word = words[usize::from(self.word) & (WORDS - 1)];
        (word >> (self.shift & 63) & self.mask()).cast_signed() + i64::from(self.low)
    }

    /// The bits of this place.
    #[inline]
    pub(crate) fn of(self, words: &[u64; WORDS]) -> u64 {
        words[usize::from(self.word)] >> self.shift & self.mask()
    }

    /// Whether some of these bits are among those of another place.
    pub(crate) fn meets(self, other: Self) -> bool {
        self.word == other.word && self.bits_of_word() & other.bits_of_word() != 0
    }

    /// Where these bits are in their word.
    pub(crate) fn bits_of_word(self) -> u64 {
        self.mask() << (self.shift & 63)
    }

    #[inline(always)]
    pub(crate) fn mask(self) -> u64 {
        (u64::MAX >> (64 - u32::from(self.bits).max(1))) & if self.bits == 0 { 0 } else { u64::MAX }
    }
}

#[inline(always)]
pub(crate) fn index(number: i64) -> usize {
    #[allow(
        clippy::cast_possible_truncation,
        reason = "positions are 64 bits wide, and negative ones are outside of all"
    )]
    let index = number.cast_unsigned() as usize;
    index
}

/// The bits of a place.
impl From<Place> for Mask {
    fn from(place: Place) -> Self {
        let mut words = [0; WORDS];
        words[usize::from(place.word)] = place.bits_of_word();
        Self(words)
    }
}

/// What a state has in these bits; the others are 0.
impl BitAnd<Mask> for State {
    type Output = Self;

    #[inline]
    fn bitand(self, mask: Mask) -> Self {
        Self(std::array::from_fn(|word| self.0[word] & mask.0[word]))
    }
}
