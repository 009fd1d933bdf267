//! A hash for the oracles' tables, in which millions of keys are looked up that nobody chose to collide.

use std::hash::{BuildHasherDefault, Hasher};

pub type Mixing = BuildHasherDefault<Mixed>;

/// Multiplied and turned for every word.
#[derive(Debug, Default)]
pub struct Mixed(u64);

impl Mixed {
    fn add(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
}

impl Hasher for Mixed {
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.add(byte.into()));
    }

    fn write_u8(&mut self, number: u8) {
        self.add(number.into());
    }

    fn write_i32(&mut self, number: i32) {
        self.add(number.cast_unsigned().into());
    }

    fn write_u128(&mut self, number: u128) {
        number.to_le_bytes().as_chunks().0.iter().for_each(|&half| self.add(u64::from_le_bytes(half)));
    }

    fn write_usize(&mut self, number: usize) {
        self.add(number as u64);
    }

    /// Tables take the highest bits and the lowest.
    fn finish(&self) -> u64 {
        self.0 ^ self.0 >> 32
    }
}
