//! Preference lists that compare numbers of the candidates.
//!
//! They work from left to right as lists of predicates do: of the candidates that are left those are kept for which a
//! condition holds, if there are any, or those of which a number is greatest. An expression may read the state as well.

use stopwise_engine::game::{Action, Actions, Question};
use stopwise_engine::vocabulary::{MAX_PREDICATES, Preference, Reads, Vocabulary};

use crate::entry::Entry;
use crate::expression::check::Checked;
use crate::expression::columns::features_of;
use crate::expression::quantity::Quantity;
use crate::formula::{holds, of_candidate};
use crate::preference::Holds;
use crate::words::{Origin, Words};

/// A compiled list.
#[derive(Clone, Debug)]
pub(crate) struct Comparisons {
    entries: Vec<Comparison>,
    /// The entries, for those who compile them themselves.
    formulas: Box<[Preference]>,
    origins: Box<[Origin]>,
    /// The words that the entries use, and of these the predicates, as bits.
    used: Box<[usize]>,
    wanted: u32,
}

#[derive(Clone, Debug)]
enum Comparison {
    Holds(Holds),
    Where(Quantity),
    Most(Quantity),
}

impl Comparisons {
    /// Compiles the entries of a list.
    pub(crate) fn new(entries: Vec<Entry>, words: &Words) -> Self {
        let (mut used, mut wanted, mut formulas) = (Vec::new(), 0, Vec::new());
        let formula = |checked: &Checked| of_candidate(checked, &words.origins);
        let mut compile = |entry: Entry| match entry {
            Entry::Holds(joined) => {
                wanted |= joined.wanted();
                formulas.push(holds(&joined));
                Comparison::Holds(joined)
            }
            Entry::Where(checked) => {
                formulas.push(Preference::Where(formula(&checked)));
                features_of(&checked, &mut used);
                Comparison::Where(Quantity::compile(&checked))
            }
            Entry::Most(checked) => {
                formulas.push(Preference::Most(formula(&checked)));
                features_of(&checked, &mut used);
                Comparison::Most(Quantity::compile(&checked))
            }
        };
        let entries = entries.into_iter().map(&mut compile).collect();
        let wanted = wanted | words.wanted(&used);
        let formulas = formulas.into();
        Self { entries, formulas, origins: words.origins.clone(), used: used.into(), wanted }
    }

    /// The entries as formulas.
    pub(crate) fn formulas(&self) -> &[Preference] {
        &self.formulas
    }

    /// Adds what the entries read.
    pub(crate) fn reads(&self, reads: &mut Reads) {
        reads.predicates |= self.wanted;
        for &word in &self.used {
            match self.origins.get(word) {
                Some(Origin::Predicate(index)) => reads.predicates |= 1 << index,
                Some(Origin::Number(index)) => reads.numbers.push(*index),
                None => reads.features.push(word - self.origins.len()),
            }
        }
    }

    /// The entries that join predicates, as combinations of them; `None` for the others.
    pub(crate) fn entries(&self) -> impl Iterator<Item = Option<Holds>> + '_ {
        self.entries.iter().map(|entry| match entry {
            Comparison::Holds(holds) => Some(holds.clone()),
            Comparison::Where(_) | Comparison::Most(_) => None,
        })
    }

    /// The candidates that are left in the end; `tell` is called with those that are left after each entry.
    pub(crate) fn narrow<G: Vocabulary>(
        &self,
        game: &G,
        state: &G::State,
        question: Question,
        mut tell: impl FnMut(Actions),
    ) -> Actions {
        let masks = game.predicates_of(*state, question, self.wanted);
        let value = |candidate: Action, word: usize| match self.origins.get(word) {
            Some(Origin::Predicate(index)) => i64::from(masks[index % MAX_PREDICATES] & candidate.0 != 0),
            Some(Origin::Number(index)) => game.candidate_number(state, candidate, *index),
            None => game.feature_in_place(state, word - self.origins.len()),
        };
        let mut left = question.actions;
        for entry in &self.entries {
            if !left.is_single() {
                let kept = match entry {
                    Comparison::Holds(holds) => Actions(left.0 & holds.mask(&masks)),
                    Comparison::Where(condition) => {
                        kept(left, |action| condition.of(|word| value(action, word)) != 0)
                    }
                    Comparison::Most(number) => {
                        greatest(left, |action| number.of(|word| value(action, word)))
                    }
                };
                left = if kept.0 == 0 { left } else { kept };
            }
            tell(left);
        }
        left
    }
}

fn kept(actions: Actions, holds: impl Fn(Action) -> bool) -> Actions {
    Actions(actions.iter().filter(|&action| holds(action)).fold(0, |kept, action| kept | action.0))
}

/// Those of which the number is greatest.
fn greatest(actions: Actions, number: impl Fn(Action) -> i64) -> Actions {
    let (mut most, mut kept) = (i64::MIN, 0);
    for action in actions.iter() {
        let value = number(action);
        if value > most {
            (most, kept) = (value, 0);
        }
        if value == most {
            kept |= action.0;
        }
    }
    Actions(kept)
}
