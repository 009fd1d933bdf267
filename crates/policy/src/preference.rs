//! Preference lists: ordered predicates on the candidates of a decision, as masks.
//!
//! A list works from left to right: of the remaining candidates, those for which the entry holds are kept, if there are
//! any. At the end the first remaining candidate in the game's order is chosen. An entry is a predicate, or predicates
//! joined by `&&`, `||`, `!` (or: and, or, not).

use stopwise_engine::game::{Action, Actions};
use stopwise_engine::vocabulary::{Caution, MAX_PREDICATES, Masks};

use crate::expression::parse::{Operation, Syntax, SyntaxForm};
use crate::words::Words;
use stopwise_text::{Problems, both};

/// A compiled list.
#[derive(Clone, Debug, Default)]
pub(crate) struct Preferences {
    entries: Vec<Entry>,
    /// The predicates that the entries use, as bits.
    wanted: u32,
}

/// One entry: a predicate, its negation, or a combination of predicates.
#[derive(Clone, Debug)]
enum Entry {
    /// A predicate, and the mask that flips it if it is negated.
    Plain(usize, u64),
    Combined(Holds),
}

/// A combination of predicates.
#[derive(Clone, Debug)]
pub(crate) enum Holds {
    Is(usize),
    Not(Box<Holds>),
    Both(Box<Holds>, Box<Holds>),
    Either(Box<Holds>, Box<Holds>),
}

impl Holds {
    /// Reads an entry that joins nothing but names, given the words of candidates.
    ///
    /// # Errors
    ///
    /// All problems of the entry.
    pub(crate) fn read(syntax: &Syntax, words: &Words) -> Result<Self, Problems> {
        let read = |inner| Self::read(inner, words).map(Box::new);
        Ok(match &syntax.form {
            SyntaxForm::Name(name) => Self::Is(words.predicate(name, syntax)?),
            SyntaxForm::Not(inner) => Self::Not(read(inner)?),
            SyntaxForm::Binary(operator @ (Operation::And | Operation::Or), left, right) => {
                let (left, right) = both(read(left), read(right))?;
                if *operator == Operation::And { Self::Both(left, right) } else { Self::Either(left, right) }
            }
            _ => unreachable!("names only"),
        })
    }

    /// Whether it holds for a candidate about which only some predicates are known: those in `holds` are true, those in
    /// `fails` false.
    fn of(&self, holds: u32, fails: u32) -> Option<bool> {
        match self {
            Self::Is(index) => match (holds >> index & 1, fails >> index & 1) {
                (1, _) => Some(true),
                (_, 1) => Some(false),
                _ => None,
            },
            Self::Not(inner) => inner.of(holds, fails).map(|known| !known),
            Self::Both(left, right) => match (left.of(holds, fails), right.of(holds, fails)) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (Some(true), Some(true)) => Some(true),
                _ => None,
            },
            Self::Either(left, right) => match (left.of(holds, fails), right.of(holds, fails)) {
                (Some(true), _) | (_, Some(true)) => Some(true),
                (Some(false), Some(false)) => Some(false),
                _ => None,
            },
        }
    }

    /// Whether it prefers a better candidate to a worse one; `None` if it leaves that to the entries after it.
    pub(crate) fn heeds(&self, caution: &Caution) -> Option<bool> {
        let (better, worse) = (1 << caution.better, 1 << caution.worse);
        match (self.of(worse, better | caution.never), self.of(better, worse)) {
            (Some(false), Some(true)) => Some(true),
            // The worse one is not kept alone.
            (Some(false), _) | (_, Some(true)) => None,
            _ => Some(false),
        }
    }

    /// The predicates that it uses, as bits.
    pub(crate) fn wanted(&self) -> u32 {
        match self {
            Self::Is(index) => 1 << index,
            Self::Not(inner) => inner.wanted(),
            Self::Both(left, right) | Self::Either(left, right) => left.wanted() | right.wanted(),
        }
    }

    /// The actions of which it holds.
    #[inline]
    pub(crate) fn mask(&self, masks: &Masks) -> u64 {
        match self {
            Self::Is(index) => masks[*index % MAX_PREDICATES],
            Self::Not(inner) => !inner.mask(masks),
            Self::Both(left, right) => left.mask(masks) & right.mask(masks),
            Self::Either(left, right) => left.mask(masks) | right.mask(masks),
        }
    }
}

impl Preferences {
    /// Compiles the entries of a list.
    pub(crate) fn new(entries: Vec<Holds>) -> Self {
        let wanted = entries.iter().fold(0, |wanted, entry| wanted | entry.wanted());
        let compile = |entry| match entry {
            Holds::Is(index) => Entry::Plain(index, 0),
            Holds::Not(inner) if matches!(*inner, Holds::Is(_)) => match *inner {
                Holds::Is(index) => Entry::Plain(index, u64::MAX),
                other => Entry::Combined(other),
            },
            other => Entry::Combined(other),
        };
        Self { entries: entries.into_iter().map(compile).collect(), wanted }
    }

    /// The predicates that the entries use, as bits.
    #[inline]
    pub(crate) fn wanted(&self) -> u32 {
        self.wanted
    }

    /// The entries, as combinations of predicates.
    pub(crate) fn entries(&self) -> impl Iterator<Item = Holds> + '_ {
        self.entries.iter().map(|entry| match entry {
            Entry::Plain(index, 0) => Holds::Is(*index),
            Entry::Plain(index, _) => Holds::Not(Box::new(Holds::Is(*index))),
            Entry::Combined(holds) => holds.clone(),
        })
    }

    /// The list as (predicate, flip) pairs, if no entry combines predicates.
    pub(crate) fn plain(&self) -> Option<Vec<(usize, u64)>> {
        let plain = |entry: &Entry| match entry {
            Entry::Plain(index, flip) => Some((*index, *flip)),
            Entry::Combined(_) => None,
        };
        self.entries.iter().map(plain).collect()
    }

    /// The preferred one of `candidates`.
    #[inline(always)]
    pub(crate) fn choose(&self, masks: &Masks, candidates: Actions) -> Action {
        let mut left = candidates.0;
        for entry in &self.entries {
            let kept = left & entry.mask(masks);
            left = std::hint::select_unpredictable(kept == 0, left, kept);
        }
        Actions(left).first()
    }

    /// The candidates that remain after each entry.
    pub(crate) fn narrowing(&self, masks: &Masks, candidates: Actions) -> Vec<Actions> {
        let mut left = candidates.0;
        let narrow = |entry: &Entry| {
            let kept = left & entry.mask(masks);
            left = std::hint::select_unpredictable(kept == 0, left, kept);
            Actions(left)
        };
        self.entries.iter().map(narrow).collect()
    }
}

impl Entry {
    #[inline(always)]
    fn mask(&self, masks: &Masks) -> u64 {
        match self {
            Self::Plain(index, flip) => masks[*index % MAX_PREDICATES] ^ flip,
            Self::Combined(holds) => holds.mask(masks),
        }
    }
}
