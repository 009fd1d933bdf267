//! Which questions are still wanted: a page that asks again no longer wants the answer to what it asked before.

use std::collections::VecDeque;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

/// Asks work to end.
pub(crate) type End = Arc<dyn Fn() + Send + Sync>;

/// So many pages and kinds of question are kept in mind; what is older was answered long ago.
const KEPT: usize = 256;

/// The last question of each kind, by page.
#[derive(Default)]
pub(crate) struct Newest(Mutex<VecDeque<(String, u64, End)>>);

impl fmt::Debug for Newest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Newest").finish_non_exhaustive()
    }
}

impl Newest {
    /// Somebody asks for the so-many-th time: what they asked earlier is ended. Whether nothing later was asked, which is so
    /// unless questions overtake each other on their way.
    pub(crate) fn ask(&self, who: &str, turn: u64, end: &End) -> bool {
        let mut asked = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(at) = asked.iter().position(|(known, ..)| known == who) {
            if asked[at].1 > turn {
                return false;
            }
            if let Some((_, _, end)) = asked.remove(at) {
                end();
            }
        }
        if asked.len() == KEPT {
            asked.pop_front();
        }
        asked.push_back((who.to_owned(), turn, Arc::clone(end)));
        true
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    #[test]
    fn what_is_newer_ends_what_is_older() {
        let ended = Arc::new(AtomicU32::new(0));
        let end = |bit: u32| -> End {
            let ended = Arc::clone(&ended);
            Arc::new(move || {
                ended.fetch_or(1 << bit, Ordering::SeqCst);
            })
        };
        let newest = Newest::default();
        assert!(newest.ask("a", 1, &end(0)));
        assert!(newest.ask("b", 1, &end(1)));
        assert!(newest.ask("a", 3, &end(2)));
        assert_eq!(ended.load(Ordering::SeqCst), 0b001);
        // It was overtaken.
        assert!(!newest.ask("a", 2, &end(3)));
        assert!(newest.ask("a", 4, &end(4)));
        assert_eq!(ended.load(Ordering::SeqCst), 0b101);
    }

    #[test]
    fn few_are_kept() {
        let newest = Newest::default();
        let end: End = Arc::new(|| {});
        for at in 0..10 * KEPT {
            newest.ask(&at.to_string(), 0, &end);
        }
        assert_eq!(newest.0.lock().expect("nobody panics").len(), KEPT);
    }
}
