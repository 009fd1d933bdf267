//! Bits of a word of the state, and cells side by side.

use crate::mask::Mask;
use crate::state::{Place, WORDS};

/// A run of bits of a word of the state: shifted up, what is above it is gone; shifted down then, what is below it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Bits {
    pub(crate) word: u8,
    pub(crate) shift: u8,
    pub(crate) up: u8,
    pub(crate) down: u8,
}

impl Bits {
    pub(crate) fn of(place: Place) -> Self {
        let (shift, bits) = (place.shift & 63, place.bits.clamp(1, 64));
        Self { word: place.word, shift, up: 64 - bits - shift, down: 64 - bits }
    }

    /// These bits, so much further up.
    pub(crate) fn mask(&self, by: u32) -> Mask {
        let mut words = [0; WORDS];
        let bits = u64::MAX >> (self.down & 63);
        words[usize::from(self.word) & (WORDS - 1)] = bits << ((u32::from(self.shift) + by) & 63);
        Mask(words)
    }

    #[inline(always)]
    pub(crate) fn get(&self, words: &[u64; WORDS]) -> i64 {
        let word = words[usize::from(self.word) & (WORDS - 1)];
        (word << (self.up & 63) >> (self.down & 63)).cast_signed()
    }

    #[inline(always)]
    pub(crate) fn put(&self, words: &mut [u64; WORDS], value: i64) {
        let word = &mut words[usize::from(self.word) & (WORDS - 1)];
        let changed = (*word >> (self.shift & 63)) ^ value.cast_unsigned();
        *word ^= changed << (self.down & 63) >> (self.up & 63);
    }
}

/// Cells side by side in one word: the first, the distance in bits, and their number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Row {
    pub(crate) first: Bits,
    pub(crate) step: u8,
    pub(crate) len: u8,
}

impl Row {
    /// The number of an element; the last is taken for what is outside.
    #[inline(always)]
    pub(crate) fn within(&self, at: i64) -> u64 {
        at.cast_unsigned().min(u64::from(self.len).wrapping_sub(1))
    }

    /// The distance of an element from the first, in bits.
    #[inline(always)]
    pub(crate) fn distance(&self, at: u64) -> u32 {
        #[allow(clippy::cast_possible_truncation, reason = "a word has 64 bits")]
        let at = at as u32;
        at.wrapping_mul(self.step.into()) & 63
    }

    /// An element that is sure to be there.
    #[inline(always)]
    pub(crate) fn get(&self, words: &[u64; WORDS], at: u64) -> i64 {
        let word = words[usize::from(self.first.word) & (WORDS - 1)] >> self.distance(at);
        (word << (self.first.up & 63) >> (self.first.down & 63)).cast_signed()
    }

    /// The row from its beginning in the word of an element on, of a row that goes on in the next words; and the number of
    /// the element in it.
    #[inline(always)]
    pub(crate) fn turned(&self, at: u64) -> (Self, u64) {
        let in_word = 6 - (self.step.trailing_zeros() & 7).min(6);
        let [words, ..] = (at >> in_word).to_le_bytes();
        let first = Bits { word: self.first.word.wrapping_add(words), ..self.first };
        (Self { first, ..*self }, at & ((1 << in_word) - 1))
    }

    /// The bits of all elements, also of a row that goes on in the next words.
    pub(crate) fn mask(&self) -> Mask {
        let element = |at| {
            let (row, at) = self.turned(at);
            row.first.mask(row.distance(at))
        };
        (0..u64::from(self.len)).map(element).collect()
    }

    #[inline(always)]
    pub(crate) fn put(&self, words: &mut [u64; WORDS], at: u64, value: i64) {
        let (word, distance) = (&mut words[usize::from(self.first.word) & (WORDS - 1)], self.distance(at));
        let changed = (*word >> distance >> (self.first.shift & 63)) ^ value.cast_unsigned();
        *word ^= changed << (self.first.down & 63) >> (self.first.up & 63) << distance;
    }
}
