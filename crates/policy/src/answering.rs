//! How a policy answers, for those who compile its conditions and lists themselves.

use stopwise_engine::game::Game;
use stopwise_engine::vocabulary::{Answering, List, Reads};

use crate::answer::Full;
use crate::draft::{self, Order};
use crate::expression::columns::features_of;
use crate::formula::{holds, of_state};
use crate::policy::{TextPolicy, Worths};

impl<G: Game> TextPolicy<G> {
    /// How it answers a kind of question.
    pub fn answering(&self, kind: usize) -> Answering {
        if self.worths.is_some() {
            return Answering::default();
        }
        let (mut formula, mut lists) = (None, None);
        match &self.answers[kind].full {
            Full::YesNo(_, checked) => formula = Some(of_state(checked)),
            Full::Items(own) => lists = Some(own.iter().map(list).collect()),
            Full::Number(_) => (),
        }
        Answering { formula, lists, reads: self.reads(kind) }
    }

    /// What its conditions and lists for a kind of question read; nothing if it answers by a number or by a file of
    /// values.
    pub fn reads(&self, kind: usize) -> Option<Reads> {
        if let Some(Worths::File(file)) = &self.worths
            && file.knows(kind)
        {
            return None;
        }
        let mut found = Reads::default();
        match &self.answers[kind].full {
            Full::YesNo(_, checked) => features_of(checked, &mut found.features),
            Full::Items(own) => {
                for list in own {
                    list.checked.iter().for_each(|checked| features_of(checked, &mut found.features));
                    match &list.order {
                        Order::Preferences(preferences) => found.predicates |= preferences.wanted(),
                        Order::Comparisons(comparisons) => comparisons.reads(&mut found),
                    }
                }
            }
            Full::Number(_) => return None,
        }
        Some(found)
    }
}

/// A list as formulas.
fn list(list: &draft::List) -> List {
    let entries = match &list.order {
        Order::Preferences(preferences) => preferences.entries().map(|entry| holds(&entry)).collect(),
        Order::Comparisons(comparisons) => comparisons.formulas().to_vec(),
    };
    List { when: list.checked.as_ref().map(of_state), entries }
}
