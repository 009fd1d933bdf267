//! The state of reading a policy file, and what all of its entries need.

use stopwise_engine::vocabulary::Feature;
use toml::Spanned;
use toml::de::DeValue;

use crate::draft::KnownNames;
use crate::expression::check::{Checked, condition};
use crate::expression::columns::features_of;
use crate::expression::lint::doubts;
use crate::expression::names::problems_of;
use crate::expression::parameter::Parameter;
use crate::expression::parse::{Syntax, parse};
use crate::expression::scope::Scope;
use crate::problem::Problem;
use crate::read::{Entries, wrong_kind};

/// Reads one file and collects all problems.
pub(crate) struct Reader<'t> {
    pub(super) words: KnownNames<'t>,
    pub(super) entries: Entries<'t>,
    pub(crate) problems: Vec<Problem>,
    /// Suspicious entries that are not errors.
    pub(crate) warnings: Vec<Problem>,
}

impl<'t> Reader<'t> {
    pub(crate) fn new(words: KnownNames<'t>, entries: Entries<'t>) -> Self {
        Self { words, entries, problems: Vec::new(), warnings: Vec::new() }
    }

    /// Reads the value table, if there is one, with a function that knows the game.
    pub(crate) fn table<T>(
        &mut self,
        read: impl FnOnce(Entries<'t>, &'t Spanned<DeValue<'t>>) -> Result<T, Vec<Problem>>,
    ) -> Option<T> {
        let value = self.entries.get(self.words.table?)?;
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
        used: &mut Vec<usize>,
    ) -> Option<(Checked, Syntax)> {
        let Some(content) = value.get_ref().as_str() else {
            self.problems.push(wrong_kind(value, "an expression in quotes, such as \"counter >= 2\""));
            return None;
        };
        let scope = Scope { features: self.words.features, parameters };
        let parsed = parse(content).map_err(|unread| problems_of(unread, scope));
        let read = parsed.and_then(|syntax| Ok((condition(&syntax, scope)?, syntax)));
        match read {
            Ok((checked, syntax)) => {
                features_of(&checked, used);
                let mut warnings = Vec::new();
                doubts(&syntax, scope, here, &mut warnings);
                let entries = self.entries;
                self.warnings.extend(warnings.into_iter().map(|warning| entries.place(value, warning)));
                Some((checked, syntax))
            }
            Err(problems) => {
                let entries = self.entries;
                self.problems.extend(problems.into_iter().map(|problem| entries.place(value, problem)));
                None
            }
        }
    }
}
