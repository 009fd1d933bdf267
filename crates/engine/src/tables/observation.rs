//! What tables show, in the caller's columns.

use std::hash::{Hash, Hasher};

use crate::vocabulary::Feature;

/// Tables whose features are computed before they are written down.
pub(super) const BLOCK: usize = 16;
/// More features than a game has; bits of a word name them.
pub(super) const MAX_FEATURES: usize = 64;

/// Columns with a place for every table that is observed. Those that are empty are not wanted.
#[derive(Debug)]
pub struct Observation<'o> {
    /// Who decides, from 0.
    pub seats: &'o mut [u8],
    /// What is decided, as in [`Game::KINDS`](crate::game::Game::KINDS).
    pub kinds: &'o mut [u8],
    /// The legal actions, as bits; none where the game is over.
    pub masks: &'o mut [u64],
    /// The number of the trial.
    pub trials: &'o mut [u64],
    /// The bits of the states, [`Tables::words`](super::Tables::words) words a table, table by table: equal words mean equal
    /// states, as the seat that decides sees them. Their meaning is the game's own: fields of its state in their order, from the
    /// lowest bit, none of which lies in two words.
    pub states: &'o mut [u64],
    /// Which features, as bits by their numbers.
    pub features: u64,
    /// Their values: a column a feature in the order of their numbers, one after the other.
    pub numbers: Numbers<'o>,
}

/// Values of features.
#[derive(Debug)]
pub enum Numbers<'o> {
    /// Not wanted.
    None,
    /// As numbers; chances as numbers from 0 to 1.
    F32(&'o mut [f32]),
    /// The same, twice as exact.
    F64(&'o mut [f64]),
    /// As they are counted: chances times their denominator.
    I64(&'o mut [i64]),
}

impl Observation<'_> {
    /// Writes down what a table asks.
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

    /// Which of a game's features are wanted.
    pub(super) fn wanted(&self, features: &[Feature]) -> u64 {
        let all = if features.len() < MAX_FEATURES { (1 << features.len()) - 1 } else { u64::MAX };
        if matches!(self.numbers, Numbers::None) { 0 } else { self.features & all }
    }
}

impl Numbers<'_> {
    /// Writes the values of a block of tables from a place on, of so many tables in all.
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

/// Packs what is hashed into words: a state says by its [`Hash`] of which numbers it is made.
pub(super) struct Packer<'w> {
    words: &'w mut [u64],
    /// The word that is filled, and how many of its bits are taken.
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

    /// How many words a state takes.
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
