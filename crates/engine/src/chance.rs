//! Chance events: values that can be sampled from one random word or enumerated.

use std::fmt::Debug;

/// A finite random event. Sampled by the runner from one 32-bit word, enumerated by the exact walk.
///
/// The two agree by construction: [`Chance::sample`] is a monotone map from words to outcomes in the order of
/// [`Chance::outcomes`], so an even grid of words reproduces the weights.
pub trait Chance: Copy + Debug + PartialEq + Eq + std::hash::Hash + Send + Sync {
    /// What can happen.
    type Outcome: Copy + PartialEq + Eq + Debug + Send + Sync;

    /// Every outcome once, with its integer weight.
    fn outcomes(self) -> impl Iterator<Item = (Self::Outcome, u32)>;

    /// The outcome that `word` stands for.
    fn sample(self, word: u32) -> Self::Outcome;

    /// The only outcome, of an event that takes no random word: a telling stops there, a game that is played does not.
    fn certain(&self) -> Option<Self::Outcome> {
        None
    }
}

/// A number from 0 to `faces` − 1 for a random word: the word as a fraction of 2³², times `faces`, rounded down
/// (Lemire, ACM TOMACS 29(1), 2019, without the rejection step).
///
/// The bias is bounded: every face has ⌊2³²/faces⌋ or one more of the 2³² words, so its probability is off by
/// less than 2⁻³² (2.4·10⁻¹⁰), which 10¹⁷ trials could not show.
#[inline]
pub fn bounded(word: u32, faces: u32) -> u32 {
    split(word, faces).0
}

/// [`bounded`], and the rest of the word, from which an independent die can be read. The pair is equal to one die with
/// `faces` · n faces, read as quotient and remainder.
#[inline]
pub fn split(word: u32, faces: u32) -> (u32, u32) {
    let product = u64::from(word) * u64::from(faces);
    #[allow(clippy::cast_possible_truncation, reason = "the two halves of a 64-bit product")]
    let halves = ((product >> 32) as u32, product as u32);
    halves
}

/// A fair die with faces 1 to `n`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Die(pub u32);

impl Chance for Die {
    type Outcome = u32;

    fn outcomes(self) -> impl Iterator<Item = (u32, u32)> {
        (1..=self.0).map(|face| (face, 1))
    }

    #[inline]
    fn sample(self, word: u32) -> u32 {
        bounded(word, self.0) + 1
    }
}
