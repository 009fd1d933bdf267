//! The part of a policy file besides its answers: name, text and parameters.

use std::fmt::Write as _;

use crate::expression::lex::fraction;
use crate::expression::parameter::Parameter;
use stopwise_text::Problem;
use stopwise_text::Text;

/// So many parameters a label tells, whether they were changed or not.
const ALL_TOLD: usize = 2;

/// A policy's name, text and parameters: everything that does not depend on the type of the game.
#[derive(Clone, Debug)]
pub struct Heading {
    /// The policy's name.
    pub name: String,
    /// The name of its file, if a shipped policy has its name and another text.
    pub(crate) file: Option<String>,
    /// One sentence about what it does; empty if the text has none.
    pub summary: String,
    /// The text it was compiled from.
    pub text: Text,
    /// Its parameters, with their current values.
    pub parameters: Vec<Parameter>,
    /// A note for readers of its results, if there is one.
    pub remark: Option<String>,
    /// Suspicious entries that are not errors.
    pub(crate) warnings: Vec<Problem>,
    /// The questions that have no list, though one could answer them, with what to write.
    pub(crate) unlisted: Vec<(&'static str, String)>,
    /// Those of the warnings that are due to these rules, and to these values of the parameters.
    pub(crate) constant: Vec<Problem>,
}

impl Heading {
    /// The heading of a policy without parameters that is not compiled from its text.
    pub fn new(name: String, summary: String, text: Text) -> Self {
        Self {
            name,
            file: None,
            summary,
            text,
            parameters: Vec::new(),
            remark: None,
            warnings: Vec::new(),
            unlisted: Vec::new(),
            constant: Vec::new(),
        }
    }

    /// The name, with that of the file if a shipped policy is called the same: `first (mine.toml)`.
    pub fn title(&self) -> String {
        match &self.file {
            Some(file) => format!("{} ({file})", self.name),
            None => self.name.clone(),
        }
    }

    /// The title with its parameters, as reports show it: `first:k=2`. Of more than two, those alone are told whose values are
    /// not the text's.
    pub fn label(&self) -> String {
        self.label_without(|_| false)
    }

    /// The label without the parameters of some names.
    pub fn label_without(&self, is_left_out: impl Fn(&str) -> bool) -> String {
        let is_few = self.parameters.len() <= ALL_TOLD;
        let told = self.parameters.iter().filter(|parameter| is_few || parameter.is_changed);
        let mut label = self.title();
        for (index, parameter) in told.filter(|parameter| !is_left_out(&parameter.name)).enumerate() {
            let mark = if index == 0 { ':' } else { ',' };
            let _ = write!(label, "{mark}{}={}", parameter.name, parameter.value());
        }
        label
    }

    /// The warnings about suspicious entries under these rules, each with its place, in several lines.
    pub fn warnings(&self) -> impl Iterator<Item = String> + '_ {
        self.warnings.iter().map(|warning| self.text.error(warning.clone()).to_string())
    }

    /// A line on the questions that have no list, if there are any.
    pub fn unlisted(&self) -> Option<String> {
        let (_, advice) = self.unlisted.first()?;
        let names: Vec<String> = self.unlisted.iter().map(|(name, _)| format!("`{name}`")).collect();
        Some(format!(
            "no list for {}: the first in the game's order is taken; write {advice}",
            names.join(", ")
        ))
    }

    /// The comparisons that always or never hold under these rules: the place of each in the text, in bytes, and a line
    /// that says so.
    pub fn constant(&self) -> impl Iterator<Item = (usize, String)> + '_ {
        self.constant.iter().map(|problem| {
            let ranges = problem.help.iter().map(|help| format!(": {help}"));
            (problem.span.start, ranges.fold(problem.message.clone(), |line, ranges| line + &ranges))
        })
    }
}

/// A number with an optional sign, as numerator and denominator.
pub(crate) fn signed_fraction(text: &str) -> Result<(i64, i64), String> {
    match text.strip_prefix('-') {
        Some(positive) => fraction(positive).map(|(numerator, denominator)| (-numerator, denominator)),
        None => fraction(text.strip_prefix('+').unwrap_or(text)),
    }
}
