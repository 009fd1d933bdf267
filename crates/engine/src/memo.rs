//! What is worked out when it is asked for, and remembered up to so many bytes; then all is forgotten. What is remembered changes
//! nothing but the time that an answer takes.

use std::fmt;
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rustc_hash::FxHashMap;

use crate::digest::Digest;

/// The parts by themselves, so that few threads wait for each other.
const SHARDS: usize = 64;

/// Values by keys.
pub(crate) struct Memo<K, V> {
    shards: Vec<Mutex<Shard<K, V>>>,
    /// The most bytes of a shard.
    most: usize,
}

struct Shard<K, V> {
    known: FxHashMap<K, Arc<V>>,
    bytes: usize,
}

impl<K, V> fmt::Debug for Memo<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Memo").field("most", &self.most).finish_non_exhaustive()
    }
}

impl<K: Copy + Eq + Hash, V: Default> Memo<K, V> {
    /// Up to so many bytes.
    pub(crate) fn new(most: usize) -> Self {
        let shard = || Mutex::new(Shard { known: FxHashMap::default(), bytes: 0 });
        Self { shards: std::iter::repeat_with(shard).take(SHARDS).collect(), most: most / SHARDS }
    }

    fn shard(&self, key: K) -> MutexGuard<'_, Shard<K, V>> {
        #[expect(clippy::cast_possible_truncation, reason = "any bits of it will do")]
        let number = Digest::of(1, &key) as usize % SHARDS;
        self.shards[number].lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The value of a key; nothing yet if it is new.
    pub(crate) fn of(&self, key: K) -> Arc<V> {
        Arc::clone(self.shard(key).known.entry(key).or_default())
    }

    /// Takes note that the value of a key has so many bytes more.
    pub(crate) fn grew(&self, key: K, bytes: usize) {
        let mut shard = self.shard(key);
        shard.bytes += bytes;
        if shard.bytes > self.most {
            shard.known.clear();
            shard.bytes = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::OnceLock;

    #[test]
    fn it_forgets_when_it_is_full() {
        let memo = Memo::<u64, OnceLock<u64>>::new(SHARDS * 100);
        let of = |key| {
            *memo.of(key).get_or_init(|| {
                memo.grew(key, 30);
                key * key
            })
        };
        for key in (0..10_000).chain(0..100) {
            assert_eq!(of(key), key * key);
            let most: usize =
                memo.shards.iter().map(|shard| shard.lock().expect("whole").known.len()).max().unwrap_or(0);
            assert!(most <= 4, "{most}");
        }
    }
}
