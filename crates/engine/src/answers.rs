//! Answers that were found before, so that what is asked again and again is worked out once.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::game::Action;

/// The bits of a word that say which action it is; the others are those of the digest.
const ACTION: u64 = 0x3f;
/// The least and the most places.
const LEAST: usize = 1 << 12;
const MOST: usize = 1 << 20;

/// Answers by digests of 64 bits, each at the one place that its lower bits say: a later one takes the place of an earlier one.
/// All threads read and write them. Two questions with one digest would have one answer; of n questions that are asked, some two
/// have one with a chance of n² in 2⁶⁵.
pub struct Answers {
    /// The upper bits of a digest and the action; 0 where there is nothing.
    places: Box<[AtomicU64]>,
}

impl fmt::Debug for Answers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Answers").field("places", &self.places.len()).finish_non_exhaustive()
    }
}

impl Answers {
    /// With room for about so many, up to a million.
    #[must_use]
    pub fn new(many: usize) -> Self {
        let places = many.clamp(LEAST, MOST).next_power_of_two();
        Self { places: std::iter::repeat_with(AtomicU64::default).take(places).collect() }
    }

    /// The answer to the question with this digest; `find` finds it where it is not known.
    #[inline]
    pub fn of(&self, digest: u64, find: impl FnOnce() -> Option<Action>) -> Option<Action> {
        #[expect(clippy::cast_possible_truncation, reason = "any bits of it will do")]
        let place = &self.places[digest as usize & (self.places.len() - 1)];
        let known = place.load(Ordering::Relaxed);
        if known & !ACTION == digest & !ACTION && known != 0 {
            return Some(Action(1 << (known & ACTION)));
        }
        let action = find()?;
        place.store(digest & !ACTION | u64::from(action.index()), Ordering::Relaxed);
        Some(action)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_found_is_not_looked_for() {
        let answers = Answers::new(0);
        let mut digest = 7_u64;
        for index in (0..64).cycle().take(5000) {
            digest = digest.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(1);
            let action = Action(1 << index);
            assert_eq!(answers.of(digest, || Some(action)), Some(action));
            assert_eq!(answers.of(digest, || None), Some(action));
            // The bits of the digest that tell the place are told apart by it, the others by the word.
            assert_eq!(answers.of(digest ^ 1 << 63, || None), None);
            assert_eq!(answers.of(digest ^ 1, || None), None);
        }
    }
}
