//! A digest of what can be hashed, the same on every machine and in every run: states in tables of values are known by it.

use std::hash::{Hash, Hasher};

/// An odd number whose bits look random: the fractional part of the golden ratio.
const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;

/// Every number that is hashed is a word of 64 bits, `x`, whatever its width; bytes are taken eight at a time, the least
/// significant first, and then their count. A word turns the digest `d` into the two halves of (`d` ^ `x`) · 0x9E3779B97F4A7C15,
/// one xor the other, plus 0xD1B54A32D192ED03. The first `d` is the salt, taken as a word.
#[derive(Clone, Copy, Debug)]
pub struct Digest(u64);

impl Digest {
    /// Another salt gives another digest, for those that collide.
    #[must_use]
    #[inline]
    pub fn new(salt: u64) -> Self {
        let mut digest = Self(0x2545_F491_4F6C_DD1D);
        digest.add(salt);
        digest
    }

    /// The digest of a value.
    #[inline]
    pub fn of(salt: u64, value: &impl Hash) -> u64 {
        let mut digest = Self::new(salt);
        value.hash(&mut digest);
        digest.finish()
    }

    /// The digest of bytes.
    #[must_use]
    pub fn of_bytes(bytes: &[u8]) -> u64 {
        let mut digest = Self::new(0);
        digest.write(bytes);
        digest.finish()
    }

    #[inline]
    fn add(&mut self, word: u64) {
        let product = u128::from(self.0 ^ word) * u128::from(FACTOR);
        #[expect(clippy::cast_possible_truncation, reason = "the lower half")]
        let (low, high) = (product as u64, (product >> 64) as u64);
        self.0 = (low ^ high).wrapping_add(0xD1B5_4A32_D192_ED03);
    }
}

impl Hasher for Digest {
    fn write(&mut self, bytes: &[u8]) {
        for part in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..part.len()].copy_from_slice(part);
            self.add(u64::from_le_bytes(word));
        }
        self.add(bytes.len() as u64);
    }

    #[inline]
    fn write_u8(&mut self, value: u8) {
        self.add(value.into());
    }

    #[inline]
    fn write_u16(&mut self, value: u16) {
        self.add(value.into());
    }

    #[inline]
    fn write_u32(&mut self, value: u32) {
        self.add(value.into());
    }

    #[inline]
    fn write_u64(&mut self, value: u64) {
        self.add(value);
    }

    #[inline]
    fn write_usize(&mut self, value: usize) {
        self.add(value as u64);
    }

    /// Mixed once more, so that the last word reaches every bit.
    #[inline]
    fn finish(&self) -> u64 {
        let mut last = *self;
        last.add(0);
        last.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As the documentation has it, by hand.
    #[test]
    fn one_word() {
        let step = |digest: u64, word: u64| {
            let product = u128::from(digest ^ word) * 0x9E37_79B9_7F4A_7C15_u128;
            let halves = (product % (1 << 64)) ^ (product >> 64);
            u64::try_from((halves + 0xD1B5_4A32_D192_ED03) % (1 << 64)).expect("64 bits")
        };
        let first = step(0x2545_F491_4F6C_DD1D, 7);
        assert_eq!(Digest::of(7, &5_u16), step(step(first, 5), 0));
        assert_eq!(Digest::of(7, &5_u64), Digest::of(7, &5_u16), "a number is its value");
        let bytes = step(step(step(step(0x2545_F491_4F6C_DD1D, 0), 0x0807_0605_0403_0201), 9), 9);
        assert_eq!(Digest::of_bytes(&[1, 2, 3, 4, 5, 6, 7, 8, 9]), step(bytes, 0));
    }

    /// It is in files: it never changes.
    #[test]
    fn it_stays() {
        assert_eq!(Digest::of(0, &[1_u64, 2, 3]), 16_014_190_374_751_477_668);
    }

    #[test]
    fn bits_are_even() {
        let mut counts = [0_u32; 64];
        for number in 0..4096_u64 {
            let digest = Digest::of(1, &(number, 3_u8));
            counts.iter_mut().zip(0..).for_each(|(count, bit)| *count += u32::from(digest >> bit & 1 == 1));
        }
        // Five standard deviations of 4,096 fair bits.
        assert!(counts.iter().all(|count| count.abs_diff(2048) < 160), "{counts:?}");
    }
}
