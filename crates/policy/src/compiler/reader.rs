//! The state of reading a policy file, and what all of its entries need.

use stopwise_engine::vocabulary::Feature;
use toml::Spanned;
use toml::de::DeValue;

use crate::expression::chance::{Chances, IN_TEXTS, MOST};
use crate::expression::check::{Checked, condition, quantity};
use crate::expression::columns::features_of;
use crate::expression::lint::{Constant, doubts};
use crate::expression::names::problems_of;
use crate::expression::parameter::Parameter;
use crate::expression::parse::{Syntax, parse};
use crate::expression::scope::Scope;
use crate::read::{Entries, wrong_kind};
use crate::words::KnownNames;
use stopwise_text::{Problem, Problems};

/// Reads one file and collects all problems.
pub(crate) struct Reader<'t> {
    pub(super) words: KnownNames<'t>,
    pub(super) entries: Entries<'t>,
    pub(crate) problems: Vec<Problem>,
    /// Suspicious entries that are not errors.
    pub(crate) warnings: Vec<Problem>,
    /// Comparisons that always or never hold.
    pub(crate) constant: Vec<Constant>,
    /// The questions that have no list, though one could answer them, with what to write.
    pub(crate) unlisted: Vec<(&'static str, String)>,
    /// The kinds of memory that expressions read.
    pub(super) memory: u32,
    /// The chances so far in the answers to one kind of question.
    pub(super) chances: usize,
}

/// Where there are more chances than words are drawn.
const TOO_MANY: &str = "the answers to one kind of question have at most eight chances";

impl<'t> Reader<'t> {
    pub(crate) fn new(words: KnownNames<'t>, entries: Entries<'t>) -> Self {
        let (problems, warnings, constant, unlisted) = Default::default();
        Self { words, entries, problems, warnings, constant, unlisted, memory: 0, chances: 0 }
    }

    /// Reads the table under a key, if there is one, with a function that knows the game.
    pub(crate) fn table<T>(
        &mut self,
        key: Option<&str>,
        read: impl FnOnce(Entries<'t>, &'t Spanned<DeValue<'t>>) -> Result<T, Vec<Problem>>,
    ) -> Option<T> {
        let value = self.entries.get(key?)?;
        read(self.entries, value).map_err(|problems| self.problems.extend(problems)).ok()
    }

    /// The text; if it could not be read, records the problem and returns an empty one.
    pub(super) fn noted(&mut self, text: Result<String, Problem>) -> String {
        text.unwrap_or_else(|problem| {
            self.problems.push(problem);
            String::new()
        })
    }

    /// Reads an expression that must be true or false. `here` has the ranges of features where it is evaluated.
    pub(super) fn condition(
        &mut self,
        value: &'t Spanned<DeValue<'t>>,
        parameters: &[Parameter],
        here: &[Feature],
    ) -> Option<(Checked, Syntax)> {
        let Some(content) = value.get_ref().as_str() else {
            self.problems.push(wrong_kind(value, "an expression in quotes, such as \"counter >= 2\""));
            return None;
        };
        self.expression(value, content, parameters, here, condition)
    }

    /// Reads an expression that must be a number.
    pub(super) fn quantity(
        &mut self,
        value: &'t Spanned<DeValue<'t>>,
        parameters: &[Parameter],
    ) -> Option<(Checked, Syntax)> {
        let Some(content) = value.get_ref().as_str() else {
            let problem = wrong_kind(value, "an expression in quotes");
            self.problems.push(problem.help("write for example \"3\", \"min(6, turn + 1)\", or a list"));
            return None;
        };
        let read = |syntax: &Syntax, scope: Scope<'_>| Ok(quantity(syntax, scope)?.0);
        self.expression(value, content, parameters, self.words.features, read)
    }

    fn expression(
        &mut self,
        value: &'t Spanned<DeValue<'t>>,
        content: &str,
        parameters: &[Parameter],
        here: &[Feature],
        check: impl FnOnce(&Syntax, Scope<'_>) -> Result<Checked, Problems>,
    ) -> Option<(Checked, Syntax)> {
        let (features, parsed) = (self.words.features, parse(content));
        let mut places = Vec::new();
        parsed.iter().for_each(|syntax| syntax.chances(&mut places));
        let before = self.chances;
        self.chances += places.len();
        let chances = match self.words.has_chances {
            true if self.chances > MOST => Chances::NotHere(TOO_MANY),
            true => Chances::Here(&places, features.len() - MOST + before),
            false => Chances::NotHere(IN_TEXTS),
        };
        let scope = Scope { features, parameters, chances };
        let parsed = parsed.map_err(|unread| problems_of(unread, scope));
        let mut constant = Vec::new();
        let read = parsed.and_then(|syntax| Ok((check(&syntax, scope)?, syntax))).inspect(|(_, syntax)| {
            doubts(syntax, scope, here, &mut constant);
        });
        let (checked, syntax) = self.placed(value, read, constant)?;
        self.uses(&checked, self.words.features);
        Some((checked, syntax))
    }

    /// What was read of a string, whose problems and constant comparisons are put in their places.
    pub(super) fn placed<T>(
        &mut self,
        value: &'t Spanned<DeValue<'t>>,
        read: Result<T, Problems>,
        constant: Vec<Constant>,
    ) -> Option<T> {
        let placed = |problem| self.entries.place(value, problem);
        self.constant.extend(constant.into_iter().map(|constant| constant.placed(placed)));
        read.map_err(|problems| self.problems.extend(problems.into_iter().map(placed))).ok()
    }

    /// Notes the memory that an expression over these features reads.
    pub(super) fn uses(&mut self, checked: &Checked, features: &[Feature]) {
        let mut used = Vec::new();
        features_of(checked, &mut used);
        self.memory = used.iter().fold(self.memory, |memory, &feature| memory | features[feature].memory);
    }
}
