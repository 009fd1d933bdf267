//! A policy after reading: checked against the vocabulary of the game, not yet compiled for it.

use stopwise_engine::vocabulary::Caution;

use crate::comparison::Comparisons;
use crate::entry::EntrySource;
use crate::expression::check::Checked;
use crate::expression::condition::Condition;
use crate::expression::parameter::Parameter;
use crate::expression::parse::Syntax;
use crate::preference::{Holds, Preferences};

/// The contents of a text, checked but not yet compiled for the game.
#[derive(Debug)]
pub(crate) struct Draft {
    pub(crate) name: String,
    pub(crate) summary: String,
    pub(crate) parameters: Vec<Parameter>,
    /// One for every kind of decision.
    pub(crate) decisions: Vec<Decision>,
    /// The kinds of memory that conditions read.
    pub(crate) memory: u32,
}

/// The answer to one kind of decision, after reading.
#[derive(Debug)]
pub(crate) enum Decision {
    YesNo(Checked, Syntax),
    Items(Vec<List>, Vec<ListSource>),
    Number(Checked, Syntax),
    /// It was not read: it has errors, which are among the problems, or these rules never ask for it.
    Unread,
}

impl Decision {
    /// The same, as written.
    pub(crate) fn source(&self) -> AnswerSource {
        match self {
            Self::YesNo(_, syntax) => AnswerSource::YesNo(syntax.clone()),
            Self::Number(_, syntax) => AnswerSource::Number(syntax.clone()),
            Self::Items(_, sources) => AnswerSource::Items(sources.clone()),
            Self::Unread => AnswerSource::Items(Vec::new()),
        }
    }
}

/// A preference list, and the condition under which it applies.
#[derive(Clone, Debug)]
pub(crate) struct List {
    pub(crate) when: Condition,
    /// The checked condition; `None` if the list always applies.
    pub(crate) checked: Option<Checked>,
    pub(crate) order: Order,
}

/// The entries of a list.
#[derive(Clone, Debug)]
pub(crate) enum Order {
    /// Predicates alone.
    Preferences(Preferences),
    /// Numbers as well.
    Comparisons(Comparisons),
}

impl Default for List {
    fn default() -> Self {
        let order = Order::Preferences(Preferences::default());
        Self { when: Condition::Always(true), checked: None, order }
    }
}

impl Order {
    /// Whether a worse candidate may be preferred to a better one.
    pub(crate) fn ignores(&self, caution: &Caution) -> bool {
        let entries: Vec<_> = match self {
            Self::Preferences(list) => list.entries().map(Some).collect(),
            Self::Comparisons(list) => list.entries().collect(),
        };
        // Whether numbers heed it is not known.
        let heeds = |entry: Option<Holds>| entry.map_or(Some(false), |holds| holds.heeds(caution));
        !entries.into_iter().find_map(heeds).unwrap_or(false)
    }
}

/// The answer as written, for explanations.
#[derive(Clone, Debug)]
pub(crate) enum AnswerSource {
    YesNo(Syntax),
    Items(Vec<ListSource>),
    Number(Syntax),
}

#[derive(Clone, Debug, Default)]
pub(crate) struct ListSource {
    pub(crate) when: Option<Syntax>,
    pub(crate) entries: Vec<EntrySource>,
}
