//! Answers that were given before.

use rustc_hash::FxHashMap;

/// The most answers that are kept.
const KEPT: usize = 1 << 15;

/// The words of the variables on which an answer depends.
pub(super) const READ: usize = 2;

/// Variables; truths as bits, and who was asked; the legal actions.
pub(super) type Asked = [u64; READ + 2];

/// The answers to a question, by what they depend on.
#[derive(Debug, Default)]
pub(super) struct Answers(FxHashMap<Asked, u32>);

impl Answers {
    /// The answer to a question, by `answer` where it is not known.
    #[inline(always)]
    pub(super) fn of(&mut self, asked: Asked, answer: impl FnOnce() -> u32) -> u32 {
        if let Some(known) = self.0.get(&asked) {
            return *known;
        }
        if self.0.len() == KEPT {
            self.0.clear();
        }
        let answer = answer();
        self.0.insert(asked, answer);
        answer
    }
}
