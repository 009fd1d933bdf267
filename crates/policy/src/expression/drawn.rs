//! The chances in the answers to a kind of question: what is drawn for them, and every way in which they may come true.

use super::chance::{MOST, NO, PARTS, YES, drawn};
use super::check::{Checked, Instruction};
use super::parse::Operation;
use super::quantity::Quantity;

/// A chance in an answer.
#[derive(Clone, Debug)]
struct Chance {
    /// The number of its word.
    word: usize,
    /// It comes true where the word, multiplied by this, …
    scale: i64,
    /// … is less.
    least: Quantity,
}

/// The chances in the answers to a kind of question.
#[derive(Clone, Debug)]
pub(crate) struct Drawn {
    /// The number of the first word among the features.
    first: usize,
    /// The words that are drawn, those of chances that are certain included.
    many: usize,
    chances: Vec<Chance>,
}

/// A number for every word.
pub(crate) type Numbers = [i64; MOST];

impl Drawn {
    /// Those of these expressions; `None` where there is none. Words are features from `first` on.
    pub(crate) fn of<'c>(expressions: impl Iterator<Item = &'c Checked>, first: usize) -> Option<Self> {
        let mut chances = Vec::new();
        expressions.for_each(|checked| collect(checked, first, &mut chances));
        let many = chances.iter().map(|chance: &Chance| chance.word + 1).max()?;
        Some(Self { first, many, chances })
    }

    /// Draws the numbers.
    pub(crate) fn draw(&self, word: &mut dyn FnMut() -> u32) -> Numbers {
        let mut numbers = [NO; MOST];
        numbers[..self.many].iter_mut().for_each(|number| *number = drawn(word()));
        numbers
    }

    /// The value of a feature: a number, or what the game says.
    pub(crate) fn value(&self, numbers: &Numbers, feature: usize, of_game: impl FnOnce() -> i64) -> i64 {
        match feature.checked_sub(self.first) {
            Some(word) => numbers[word % MOST],
            None => of_game(),
        }
    }

    /// Calls `each` with numbers for every way in which chances come true or not, and the probability of that way. `value` has
    /// the features of the game.
    pub(crate) fn each(&self, value: impl Fn(usize) -> i64, each: &mut dyn FnMut(&Numbers, f64)) {
        let chance = |chance: &Chance| {
            let least = chance.least.of(&value);
            let parts = least.div_euclid(chance.scale) + i64::from(least.rem_euclid(chance.scale) > 0);
            parts.clamp(0, PARTS) as f64 / PARTS as f64
        };
        let shares: Vec<f64> = self.chances.iter().map(chance).collect();
        for way in 0..1_usize << self.chances.len() {
            let (mut numbers, mut share) = ([NO; MOST], 1.0);
            for (at, (chance, yes)) in self.chances.iter().zip(&shares).enumerate() {
                let comes_true = way >> at & 1 == 1;
                numbers[chance.word % MOST] = if comes_true { YES } else { NO };
                share *= if comes_true { *yes } else { 1.0 - yes };
            }
            if share > 0.0 {
                each(&numbers, share);
            }
        }
    }
}

/// Collects the comparisons of a word with a chance.
fn collect(checked: &Checked, first: usize, chances: &mut Vec<Chance>) {
    match &checked.step {
        Instruction::Constant(_) | Instruction::Feature(_) => {}
        Instruction::Negate(inner) | Instruction::Not(inner) => collect(inner, first, chances),
        Instruction::Binary(Operation::Less, left, right) if word_of(left, first).is_some() => {
            let (word, scale) = word_of(left, first).unwrap_or((0, 1));
            chances.push(Chance { word, scale, least: Quantity::compile(right) });
        }
        Instruction::Binary(_, left, right) => {
            collect(left, first, chances);
            collect(right, first, chances);
        }
        Instruction::Choose(condition, yes, no) => {
            [condition, yes, no].iter().for_each(|part| collect(part, first, chances));
        }
    }
}

/// The number of a word, and by what it is multiplied.
fn word_of(checked: &Checked, first: usize) -> Option<(usize, i64)> {
    match &checked.step {
        Instruction::Feature(feature) => Some((feature.checked_sub(first)?, 1)),
        Instruction::Binary(Operation::Multiply, left, right) => match (&left.step, &right.step) {
            (Instruction::Feature(feature), Instruction::Constant(scale)) => {
                Some((feature.checked_sub(first)?, *scale))
            }
            _ => None,
        },
        _ => None,
    }
}
