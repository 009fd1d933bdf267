//! A policy as read: checked against the words of the game, not yet compiled for it.

use stopwise_engine::game::Kind;
use stopwise_engine::vocabulary::{Caution, Feature, Predicate};

use crate::expression::check::Checked;
use crate::expression::code::Condition;
use crate::expression::parameter::Parameter;
use crate::expression::parse::Syntax;
use crate::preference::Preferences;

/// The words of a game under its rules: what a text may speak of. Not generic, so that reading is compiled once.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Words<'w> {
    pub(crate) game: &'static str,
    pub(crate) kinds: &'static [Kind],
    pub(crate) features: &'w [Feature],
    pub(crate) predicates: &'static [Predicate],
    /// What lists had better leave alone.
    pub(crate) cautions: &'w [Caution],
    /// The key of a table of values, if the game has such tables.
    pub(crate) table: Option<&'static str>,
}

/// What a text says, checked but not yet compiled for the game.
#[derive(Debug)]
pub(crate) struct Draft {
    pub(crate) name: String,
    pub(crate) summary: String,
    pub(crate) parameters: Vec<Parameter>,
    /// One for every kind of decision.
    pub(crate) decisions: Vec<Decision>,
    /// The kinds of memory that conditions look at.
    pub(crate) memory: u32,
}

/// How one kind of decision is answered, as read.
#[derive(Debug)]
pub(crate) enum Decision {
    YesNo(Checked, Syntax),
    Items(Vec<List>, Vec<ListSource>),
    /// Something is wrong with it, which is among the problems.
    Wrong,
}

impl Decision {
    /// The same as written.
    pub(crate) fn source(&self) -> AnswerSource {
        match self {
            Self::YesNo(_, syntax) => AnswerSource::YesNo(syntax.clone()),
            Self::Items(_, sources) => AnswerSource::Items(sources.clone()),
            Self::Wrong => AnswerSource::Items(Vec::new()),
        }
    }
}

/// A preference list and when it applies.
#[derive(Clone, Debug)]
pub(crate) struct List {
    pub(crate) when: Condition,
    /// The same, checked but not compiled; none if it always applies.
    pub(crate) checked: Option<Checked>,
    pub(crate) preferences: Preferences,
}

impl Default for List {
    fn default() -> Self {
        Self { when: Condition::Always(true), checked: None, preferences: Preferences::default() }
    }
}

/// The same as written, for explanations.
#[derive(Clone, Debug)]
pub(crate) enum AnswerSource {
    YesNo(Syntax),
    Items(Vec<ListSource>),
}

#[derive(Clone, Debug, Default)]
pub(crate) struct ListSource {
    pub(crate) when: Option<Syntax>,
    pub(crate) entries: Vec<Syntax>,
}
