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
        let mut at = place(key, self.places.len());
        while let Some(&number) = self.places.get(at) {
            match self.values.get((number as usize).wrapping_sub(1)) {
                Some((own, value)) if is_same(own, key) => return *value,
                Some(_) => at = (at + 1) & (self.places.len() - 1),
                None => break,
            }
        }
        let value = find();
        self.add(*key, value);
        value
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
        let mut at = place(&self.values[number].0, self.places.len());
        while self.places[at] != 0 {
            at = (at + 1) & (self.places.len() - 1);
        }
        self.places[at] = u32::try_from(number + 1).unwrap_or(0);
    }
}

/// Where a key is looked for first, among so many places: a power of two, or none.
#[inline(always)]
fn place<const N: usize>(key: &[u64; N], places: usize) -> usize {
    let mut hash = 0_u64;
    for word in key {
        hash = (hash.rotate_left(5) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
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
