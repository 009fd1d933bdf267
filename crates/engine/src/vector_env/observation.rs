//! Observations of tables, written into the caller's columns.

use std::hash::{Hash, Hasher};

use crate::vocabulary::Feature;

/// The number of tables whose features are computed before they are written.
pub(super) const BLOCK: usize = 16;
/// An upper bound on the number of features of a game; they are named by the bits of a word.
pub(super) const MAX_FEATURES: usize = 64;

/// Columns with one element per observed table. Empty columns are not written.
#[derive(Debug)]
pub struct Observation<'o> {
    /// The seat that decides, from 0.
    pub seats: &'o mut [u8],
    /// The kind of decision, an index into the kinds of [`Game::info`](crate::game::Game::info).
    pub kinds: &'o mut [u8],
    /// The legal actions, as bits; 0 if the game is over.
    pub masks: &'o mut [u64],
    /// The number of the trial.
    pub trials: &'o mut [u64],
    /// The bits of the states, [`Tables::words`](super::Tables::words) words per table, table by table. Equal words
    /// mean equal states, as the deciding seat sees them. The layout is the game's own: the fields of its state in
    /// order, from the lowest bit, with no field split across two words.
    pub states: &'o mut [u64],
    /// The variables of the states as the deciding seat sees them, a row of
    /// [`Vocabulary::variables`](crate::vocabulary::Vocabulary::variables) for each table.
    pub variables: &'o mut [f32],
    /// Which features to write, as bits by their indices.
    pub features: u64,
    /// The values of these features: one column per feature in the order of the indices, one after the other.
    pub numbers: Numbers<'o>,
}

/// Columns for the values of features.
#[derive(Debug)]
pub enum Numbers<'o> {
    /// Not written.
    None,
    /// In single precision; chances as numbers from 0 to 1.
    F32(&'o mut [f32]),
    /// In double precision; chances as numbers from 0 to 1.
    F64(&'o mut [f64]),
    /// As exact integers; chances times their denominator.
    I64(&'o mut [i64]),
}

impl Observation<'_> {
    /// Writes the question of a table.
    #[inline(always)]
    pub(super) fn question(&mut self, at: usize, seat: u8, kind: u8, mask: u64, trial: u64) {
        fn put<T>(column: &mut [T], at: usize, value: T) {
            if !column.is_empty() {
                column[at] = value;
            }
        }
        put(self.seats, at, seat);
        put(self.kinds, at, kind);
        put(self.masks, at, mask);
        put(self.trials, at, trial);
    }

    /// The requested features of a game.
    pub(super) fn wanted(&self, features: &[Feature]) -> u64 {
        let all = if features.len() < MAX_FEATURES { (1 << features.len()) - 1 } else { u64::MAX };
        if matches!(self.numbers, Numbers::None) { 0 } else { self.features & all }
    }
}

impl Numbers<'_> {
    /// Writes the values of a block of tables, beginning at an index, given the total number of tables.
    pub(super) fn write(
        &mut self,
        from: usize,
        count: usize,
        tables: usize,
        wanted: u64,
        values: &[[i64; BLOCK]; MAX_FEATURES],
        features: &[Feature],
    ) {
        let (mut left, mut start) = (wanted, from);
        while left != 0 {
            let feature = left.trailing_zeros() as usize;
            left &= left - 1;
            let (values, denominator) = (&values[feature][..count], features[feature].denominator);
            let places = start..start + count;
            start += tables;
            #[allow(
                clippy::cast_precision_loss,
                clippy::cast_possible_truncation,
                reason = "it is what is asked for"
            )]
            match self {
                Self::None => {}
                Self::I64(column) => column[places].copy_from_slice(values),
                Self::F32(column) if denominator == 1 => {
                    fill(&mut column[places], values, |value| value as f32);
                }
                Self::F32(column) => {
                    fill(&mut column[places], values, |value| (value as f64 / denominator as f64) as f32);
                }
                Self::F64(column) => {
                    fill(&mut column[places], values, |value| value as f64 / denominator as f64);
                }
            }
        }
    }
}

fn fill<T>(column: &mut [T], values: &[i64], number: impl Fn(i64) -> T) {
    for (place, &value) in column.iter_mut().zip(values) {
        *place = number(value);
    }
}

/// Packs hashed values into words: the [`Hash`] implementation of a state feeds all its fields.
pub(super) struct Packer<'w> {
    words: &'w mut [u64],
    /// The index of the word that is filled, and the number of its bits in use.
    at: usize,
    used: u32,
}

impl<'w> Packer<'w> {
    /// Writes a state.
    #[inline(always)]
    pub(super) fn pack(state: &impl Hash, words: &'w mut [u64]) {
        words.fill(0);
        state.hash(&mut Self { words, at: 0, used: 0 });
    }

    /// The number of words of a state.
    pub(super) fn words(state: &impl Hash) -> usize {
        let mut words = [0; 64];
        let mut packer = Packer { words: &mut words, at: 0, used: 0 };
        state.hash(&mut packer);
        packer.at + usize::from(packer.used > 0)
    }

    #[inline(always)]
    fn put(&mut self, value: u64, bits: u32) {
        if self.used + bits > 64 {
            self.at += 1;
            self.used = 0;
        }
        self.words[self.at] |= value << self.used;
        self.used += bits;
    }
}

impl Hasher for Packer<'_> {
    #[inline(always)]
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.put(byte.into(), 8));
    }

    #[inline(always)]
    fn write_u8(&mut self, value: u8) {
        self.put(value.into(), 8);
    }

    #[inline(always)]
    fn write_u16(&mut self, value: u16) {
        self.put(value.into(), 16);
    }

    #[inline(always)]
    fn write_u32(&mut self, value: u32) {
        self.put(value.into(), 32);
    }

    #[inline(always)]
    fn write_u64(&mut self, value: u64) {
        self.put(value, 64);
    }

    fn finish(&self) -> u64 {
        0
    }
}
