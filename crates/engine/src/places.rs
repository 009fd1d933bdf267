//! Where things are in a list, by their hashes: four bytes a place, and no things.

use std::hash::{Hash, Hasher};

use crate::digest::Digest;

/// A hash all of whose bits are good.
#[inline]
pub fn hash(value: &impl Hash) -> u64 {
    let mut words = Words { digest: Digest::new(0), word: 0, bits: 0 };
    value.hash(&mut words);
    words.finish()
}

/// Numbers side by side, as many as a word holds, for their digest.
struct Words {
    digest: Digest,
    word: u64,
    bits: u32,
}

impl Words {
    #[inline(always)]
    fn add(&mut self, number: u64, bits: u32) {
        if self.bits + bits > u64::BITS {
            self.digest.write_u64(self.word);
            (self.word, self.bits) = (0, 0);
        }
        self.word |= number << self.bits;
        self.bits += bits;
    }
}

impl Hasher for Words {
    fn write(&mut self, bytes: &[u8]) {
        self.digest.write(bytes);
    }

    #[inline(always)]
    fn write_u8(&mut self, value: u8) {
        self.add(value.into(), u8::BITS);
    }

    #[inline(always)]
    fn write_u16(&mut self, value: u16) {
        self.add(value.into(), u16::BITS);
    }

    #[inline(always)]
    fn write_u32(&mut self, value: u32) {
        self.add(value.into(), u32::BITS);
    }

    #[inline(always)]
    fn write_u64(&mut self, value: u64) {
        self.digest.write_u64(value);
    }

    #[inline(always)]
    fn write_usize(&mut self, value: usize) {
        self.digest.write_usize(value);
    }

    #[inline(always)]
    fn finish(&self) -> u64 {
        let mut digest = self.digest;
        digest.write_u64(self.word);
        digest.finish()
    }
}

/// A table with open addressing. A place holds the number of a thing plus one, in as many bits as numbers of places have, and
/// above them bits of its hash, so that hardly ever a thing is looked at that is not the one; 0 if it is free.
#[derive(Clone, Debug, Default)]
pub struct Places {
    places: Vec<u32>,
    count: usize,
}

/// The fewest places.
const LEAST: usize = 16;

impl Places {
    /// The fewest bytes a thing: at most three quarters of the places are taken.
    pub const ENTRY: usize = size_of::<u32>() * 4 / 3;

    /// Its size in bytes.
    pub fn bytes(&self) -> usize {
        self.places.len() * size_of::<u32>()
    }

    /// The number of the thing with this hash for which `is_it` holds.
    #[inline]
    pub fn find(&self, hash: u64, is_it: impl Fn(usize) -> bool) -> Option<usize> {
        if self.places.is_empty() { None } else { self.look(hash, is_it).ok() }
    }

    /// The number of the first thing that [`Places::find`] would look at, most often the one.
    #[inline]
    pub fn first(&self, hash: u64) -> Option<u32> {
        let mask = self.places.len().wrapping_sub(1);
        let number = *self.places.get(start(hash) & mask)? & low(mask);
        number.checked_sub(1)
    }

    /// The number of the thing with this hash for which `is_it` holds: the next one, if there is none. `hash_of` are the hashes of
    /// those that are there.
    #[inline]
    pub fn add(&mut self, hash: u64, is_it: impl Fn(usize) -> bool, hash_of: impl Fn(usize) -> u64) -> usize {
        if (self.count + 1) * 4 > self.places.len() * 3 {
            self.grow(self.places.len() * 2, &hash_of);
        }
        self.look(hash, is_it).unwrap_or_else(|place| {
            self.enter(place, hash);
            self.count - 1
        })
    }

    fn enter(&mut self, place: usize, hash: u64) {
        self.count += 1;
        let mask = low(self.places.len() - 1);
        self.places[place] = tag(hash) & !mask | index(self.count);
    }

    /// The number of the thing, or the free place where it would be.
    #[inline]
    fn look(&self, hash: u64, is_it: impl Fn(usize) -> bool) -> Result<usize, usize> {
        let mask = self.places.len() - 1;
        let tag = tag(hash) & !low(mask);
        let mut place = start(hash) & mask;
        loop {
            let found = self.places[place];
            let number = found & low(mask);
            if number == 0 {
                return Err(place);
            }
            if found & !low(mask) == tag && is_it(number as usize - 1) {
                return Ok(number as usize - 1);
            }
            place = (place + 1) & mask;
        }
    }

    #[cold]
    fn grow(&mut self, length: usize, hash_of: &dyn Fn(usize) -> u64) {
        let count = self.count;
        self.places = vec![0; length.max(LEAST)];
        self.count = 0;
        for at in 0..count {
            let hash = hash_of(at);
            if let Err(place) = self.look(hash, |_| false) {
                self.enter(place, hash);
            }
        }
    }
}

/// Where the search for a thing begins: the upper half of its hash.
#[inline]
fn start(hash: u64) -> usize {
    (hash >> 32) as usize
}

/// The lower half, of which places hold some bits.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "the lower half")]
fn tag(hash: u64) -> u32 {
    hash as u32
}

/// A mask of numbers of places, of which there are at most 2³².
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "at most 32 bits")]
fn low(mask: usize) -> u32 {
    mask as u32
}

/// A number of a thing: there are fewer than 2³².
#[inline]
pub fn index(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Beside the map that it stands for, with good hashes and with bad ones.
    #[test]
    fn things_are_where_they_were_put() {
        for bits in [64_usize, 36, 33, 3] {
            let of = |value: u64| hash(&value) >> (64 - bits) << (64 - bits);
            let (mut places, mut things) = (Places::default(), Vec::<u64>::new());
            let mut known = std::collections::HashMap::new();
            for step in 0..2000_u64 {
                let value = step * step % 1009;
                let next = known.len();
                let at = places.add(of(value), |at| things[at] == value, |at| of(things[at]));
                assert_eq!(at, known.get(&value).copied().unwrap_or(next), "{bits} bits, {value}");
                if at == next {
                    known.insert(value, next);
                    things.push(value);
                }
            }
            for value in 0..1200 {
                let found = places.find(of(value), |at| things[at] == value);
                assert_eq!(found, known.get(&value).copied(), "{bits} bits, {value}");
            }
            assert!(places.bytes() >= things.len() * Places::ENTRY);
        }
        assert_eq!(Places::default().find(1, |_| true), None);
        assert_eq!(Places::default().first(1), None);
    }
}
