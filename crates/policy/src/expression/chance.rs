//! Chance in conditions: `chance(0.3)` holds in three of ten answers.
//!
//! Behind the features of a game stand further ones, without a name, one for each chance in the answers to a kind of question.
//! Their numbers are drawn when the question is asked, and `chance(p)` compares one with p. So whoever evaluates an expression
//! with given numbers needs to know nothing of chance.

use std::ops::Range;

use stopwise_engine::vocabulary::Feature;

use super::parse::{Syntax, SyntaxForm};

/// How it is called.
pub(crate) const NAME: &str = "chance";
/// The most in the answers to a kind of question.
pub(crate) const MOST: usize = 8;
/// In how many parts a chance is counted: one is met to within 2⁻²⁴.
pub(crate) const PARTS: i64 = 1 << 24;
/// The number with which a chance does not come true, unless it is certain.
pub(crate) const NO: i64 = PARTS - 1;
/// The number with which it comes true, unless it is impossible.
pub(crate) const YES: i64 = 0;

/// Where chances may stand.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Chances<'s> {
    /// In this expression, at these places; the number of the first is that of this feature.
    Here(&'s [Range<usize>], usize),
    /// Not here, within another, where quotients are exact.
    Within,
    /// Not here: where they may.
    NotHere(&'static str),
}

/// Of what is chosen, and of what is within another chance.
pub(crate) const IN_CONDITIONS: &str =
    "it stands in a condition, in `when`, or in an expression for a number";
/// Of games in Rust.
pub(crate) const IN_TEXTS: &str = "policies answer by chance in games that are texts; several games in Rust are told as texts as well, such as pig.game";

/// The numbers that are drawn, as features.
pub(crate) fn words() -> [Feature; MOST] {
    let word = Feature {
        name: "",
        meaning: "",
        unit: "",
        low: 0,
        high: PARTS - 1,
        denominator: PARTS,
        is_truth: false,
        memory: 0,
    };
    [(); MOST].map(|()| word.clone())
}

/// A number from a random word.
pub(crate) fn drawn(word: u32) -> i64 {
    i64::from(word >> 8)
}

impl Syntax {
    /// Collects the places of its chances, in order.
    pub(crate) fn chances(&self, places: &mut Vec<Range<usize>>) {
        match &self.form {
            SyntaxForm::Number(..) | SyntaxForm::Truth(_) | SyntaxForm::Name(_) => {}
            SyntaxForm::Negate(inner) | SyntaxForm::Not(inner) => inner.chances(places),
            SyntaxForm::Binary(_, left, right) => {
                left.chances(places);
                right.chances(places);
            }
            SyntaxForm::Choose(condition, yes, no) => {
                [condition, yes, no].iter().for_each(|part| part.chances(places));
            }
            SyntaxForm::Call(name, _) if name == NAME => places.push(self.span.clone()),
            SyntaxForm::Call(_, arguments) => arguments.iter().for_each(|argument| argument.chances(places)),
        }
    }
}
