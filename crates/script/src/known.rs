//! What was found before, by what it depends on.

/// The most values that are kept.
const MOST: usize = 1 << 15;

/// Values by keys of words. Found in the order in which they were added: those that are met most often are the first, and
/// lie side by side.
#[derive(Debug)]
pub(crate) struct Known<const N: usize, V> {
    values: Vec<([u64; N], V)>,
    /// The number of a value from 1, or 0: at most half of them are taken.
    places: Vec<u32>,
}

impl<const N: usize, V> Default for Known<N, V> {
    fn default() -> Self {
        Self { values: Vec::new(), places: Vec::new() }
    }
}

impl<const N: usize, V: Copy> Known<N, V> {
    /// The value of a key, by `find` where it is not known.
    #[inline(always)]
    pub(crate) fn of(&mut self, key: &[u64; N], find: impl FnOnce() -> V) -> V {
        if let Some(value) = self.get(hash(key), key) {
            return value;
        }
        let value = find();
        self.add(*key, value);
        value
    }

    /// The value of a key with this [`hash`], if it is known.
    #[inline(always)]
    pub(crate) fn get(&self, hash: u64, key: &[u64; N]) -> Option<V> {
        let mut at = place(hash, self.places.len());
        loop {
            let number = *self.places.get(at)? as usize;
            let (own, value) = self.values.get(number.wrapping_sub(1))?;
            if is_same(own, key) {
                return Some(*value);
            }
            at = (at + 1) & (self.places.len() - 1);
        }
    }

    #[cold]
    #[inline(never)]
    fn add(&mut self, key: [u64; N], value: V) {
        if self.values.len() == MOST {
            self.values.clear();
            self.places.fill(0);
        }
        self.values.push((key, value));
        if self.values.len() * 2 > self.places.len() {
            self.places = vec![0; (self.values.len() * 4).next_power_of_two().max(64)];
            (0..self.values.len()).for_each(|number| self.enter(number));
        } else {
            self.enter(self.values.len() - 1);
        }
    }

    fn enter(&mut self, number: usize) {
        let mut at = place(hash(&self.values[number].0), self.places.len());
        while self.places[at] != 0 {
            at = (at + 1) & (self.places.len() - 1);
        }
        self.places[at] = u32::try_from(number + 1).unwrap_or(0);
    }
}

/// A number that tells where a key is looked for.
#[inline(always)]
#[allow(clippy::needless_range_loop, reason = "in loops over columns iterators are not always inlined")]
pub(crate) fn hash<const N: usize>(key: &[u64; N]) -> u64 {
    let mut hash = 0_u64;
    for word in 0..N {
        hash = (hash.rotate_left(5) ^ key[word]).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
    hash
}

/// Where a key with this hash is looked for first, among so many places: a power of two, or none.
#[inline(always)]
fn place(hash: u64, places: usize) -> usize {
    #[allow(clippy::cast_possible_truncation, reason = "the upper bits, as many as there are places")]
    let place = hash.unbounded_shr(64 - places.trailing_zeros()) as usize;
    place
}

#[inline(always)]
fn is_same<const N: usize>(a: &[u64; N], b: &[u64; N]) -> bool {
    let mut other = 0;
    for at in 0..N {
        other |= a[at] ^ b[at];
    }
    other == 0
}
