//! Bits of a word of the state, and cells side by side.

use crate::mask::Mask;
use crate::state::{Place, WORDS};

/// A run of bits of a word of the state: so many, less one, from a place on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Bits {
    pub(crate) word: u8,
    pub(crate) shift: u8,
    pub(crate) more: u8,
}

/// So many bits and one more. Of a table: shifts by a number that is not known take two or three instructions.
const LOW: [u64; 64] = {
    let (mut masks, mut at) = ([1; 64], 1);
    while at < 64 {
        masks[at] = masks[at - 1] << 1 | 1;
        at += 1;
    }
    masks
};

impl Bits {
    pub(crate) fn of(place: Place) -> Self {
        Self { word: place.word, shift: place.shift & 63, more: place.bits.clamp(1, 64) - 1 }
    }

    /// These bits, so much further up.
    pub(crate) fn mask(&self, by: u32) -> Mask {
        let mut words = [0; WORDS];
        words[usize::from(self.word) & (WORDS - 1)] = self.low() << ((u32::from(self.shift) + by) & 63);
        Mask(words)
    }

    /// As many of the lowest bits.
    #[inline(always)]
    pub(crate) fn low(&self) -> u64 {
        LOW[usize::from(self.more & 63)]
    }

    /// These bits, so much further up.
    #[inline(always)]
    fn get_from(&self, words: &[u64; WORDS], by: u32) -> i64 {
        let word = words[usize::from(self.word) & (WORDS - 1)];
        (word >> ((u32::from(self.shift) + by) & 63) & self.low()).cast_signed()
    }

    #[inline(always)]
    fn put_from(&self, words: &mut [u64; WORDS], by: u32, value: i64) {
        let (word, shift) =
            (&mut words[usize::from(self.word) & (WORDS - 1)], (u32::from(self.shift) + by) & 63);
        *word ^= ((*word >> shift ^ value.cast_unsigned()) & self.low()) << shift;
    }

    #[inline(always)]
    pub(crate) fn get(&self, words: &[u64; WORDS]) -> i64 {
        self.get_from(words, 0)
    }

    #[inline(always)]
    pub(crate) fn put(&self, words: &mut [u64; WORDS], value: i64) {
        self.put_from(words, 0, value);
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

    /// The bits of an element.
    pub(crate) fn at(&self, at: u64) -> Bits {
        let [by, ..] = self.distance(at).to_le_bytes();
        Bits { shift: self.first.shift.wrapping_add(by) & 63, ..self.first }
    }

    /// An element that is sure to be there.
    #[inline(always)]
    pub(crate) fn get(&self, words: &[u64; WORDS], at: u64) -> i64 {
        self.first.get_from(words, self.distance(at))
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
        self.first.put_from(words, self.distance(at), value);
    }
}
