//! Answers that were given before.

use crate::op::WORDS;

/// The answers that are kept: a power of two.
const KEPT: usize = 1 << 12;

/// Who was asked, what the answer depends on (variables, truths as bits), and the legal actions.
pub(super) type Asked = (usize, [u64; WORDS], u64, u64);

/// The last answers to a question, each at a place that follows from what it depends on.
#[derive(Debug, Default)]
pub(super) struct Answers(Vec<Option<(Asked, u32)>>);

impl Answers {
    /// The answer to a question, by `answer` where it is not known.
    #[inline(always)]
    pub(super) fn of(&mut self, asked: Asked, answer: impl FnOnce() -> u32) -> u32 {
        let (seat, words, truths, actions) = &asked;
        if self.0.is_empty() {
            self.0.resize(KEPT, None);
        }
        let mix = |hash: u64, word: &u64| (hash.rotate_left(23) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let hash = words.iter().chain([truths]).fold(mix(*seat as u64, actions), mix);
        let place = &mut self.0[(hash >> 40) as usize & (KEPT - 1)];
        match place {
            Some((known, answer)) if *known == asked => *answer,
            place => {
                let answer = answer();
                *place = Some((asked, answer));
                answer
            }
        }
    }
}
