//! Answers that were given before.

/// The answers that are kept: a power of two.
const KEPT: usize = 1 << 12;

/// The words of the variables on which an answer depends.
pub(super) const READ: usize = 2;

/// Variables; truths as bits, and who was asked; the legal actions.
pub(super) type Asked = [u64; READ + 2];

/// No answer: an action has a lower number.
const NONE: u32 = u32::MAX;

/// The last answers to a question, each at a place that follows from what it depends on.
#[derive(Debug, Default)]
pub(super) struct Answers(Vec<(Asked, u32)>);

impl Answers {
    /// The answer to a question, by `answer` where it is not known.
    #[inline(always)]
    pub(super) fn of(&mut self, asked: Asked, answer: impl FnOnce() -> u32) -> u32 {
        if self.0.is_empty() {
            self.0.resize(KEPT, ([0; READ + 2], NONE));
        }
        let mut hash = 0_u64;
        for word in asked {
            hash = (hash.rotate_left(23) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        }
        let (known, known_answer) = &mut self.0[(hash >> 40) as usize & (KEPT - 1)];
        if *known != asked || *known_answer == NONE {
            (*known, *known_answer) = (asked, answer());
        }
        *known_answer
    }
}
