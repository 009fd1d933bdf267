//! Reads a policy file and checks everything that can be checked without playing the game.

use std::ops::Range;

use stopwise_engine::game::Form;
use stopwise_engine::vocabulary::{Caution, Feature, Predicate};
use toml::Spanned;
use toml::de::DeValue;

use crate::draft::{Decision, Draft, List, ListSource, Words};
use crate::expression::check::{Checked, condition};
use crate::expression::code::{Condition, features_of};
use crate::expression::doubt::{doubts, narrowed};
use crate::expression::names::problems_of;
use crate::expression::parameter::Parameter;
use crate::expression::parse::{Syntax, Unread, parse};
use crate::expression::scope::Scope;
use crate::heading::signed_fraction;
use crate::preference::{Holds, Preferences};
use crate::problem::{Problem, Problems, quoted};
use crate::read::{Entries, wrong_kind};
use crate::shipped;

/// The largest number of parameters.
const PARAMETERS: usize = 64;

const HEADER: [&str; 4] = ["game", "name", "summary", "params"];

/// Reads one file and collects all problems.
pub(crate) struct Reader<'t> {
    words: Words<'t>,
    entries: Entries<'t>,
    pub(crate) problems: Vec<Problem>,
    /// Suspicious entries that are not errors.
    pub(crate) warnings: Vec<Problem>,
}

impl<'t> Reader<'t> {
    pub(crate) fn new(words: Words<'t>, entries: Entries<'t>) -> Self {
        Self { words, entries, problems: Vec::new(), warnings: Vec::new() }
    }

    /// Reads everything except the value table.
    pub(crate) fn draft(&mut self, overrides: &[(String, String)]) -> Draft {
        let Words { game, kinds, features, table, .. } = self.words;
        let known = || HEADER.into_iter().chain(kinds.iter().map(|kind| kind.name)).chain(table);
        for (key, span, _) in self.entries.iter().filter(|(key, ..)| known().all(|known| known != *key)) {
            self.problems.push(Problem::unknown(span, "key", key, known()));
        }
        let for_game = self.noted(self.entries.string("game"));
        if let Some(value) = self.entries.get("game")
            && value.get_ref().is_str()
            && for_game != game
        {
            let games = || shipped::RULES.iter().map(|preset| preset.game);
            self.problems.push(match games().any(|known| known == for_game) {
                true => {
                    let message =
                        format!("this policy is for the game {}, not for `{game}`", quoted(&for_game));
                    Problem::new(value.span(), message)
                }
                false => {
                    let mut games: Vec<_> = games().collect();
                    games.dedup();
                    Problem::unknown(value.span(), "game", &for_game, games)
                }
            });
        }
        let name = self.noted(self.entries.name());
        let summary = match self.entries.get("summary") {
            Some(_) => self.noted(self.entries.string("summary")),
            None => String::new(),
        };
        let mut parameters = self.parameters();
        self.apply(&mut parameters, overrides);
        let mut used = Vec::new();
        let decisions = kinds.iter().map(|kind| match kind.form {
            Form::YesNo => self.yes_no(kind.name, &parameters, &mut used),
            Form::Items => self.items(kind.name, &parameters, &mut used),
        });
        let decisions: Vec<_> = decisions.collect();
        self.warn_of_unused(&parameters, &decisions);
        let memory = used.iter().fold(0, |memory, &feature: &usize| memory | features[feature].memory);
        Draft { name, summary, parameters, decisions, memory }
    }

    /// Warns of parameters that no condition uses.
    fn warn_of_unused(&mut self, parameters: &[Parameter], decisions: &[Decision]) {
        let mut names = Vec::new();
        for decision in decisions {
            match decision {
                Decision::YesNo(_, syntax) => syntax.names(&mut names),
                Decision::Items(_, sources) => {
                    sources
                        .iter()
                        .filter_map(|source| source.when.as_ref())
                        .for_each(|when| when.names(&mut names));
                }
                Decision::Wrong => {}
            }
        }
        let table = self.entries.get("params").and_then(|value| value.get_ref().as_table());
        for (key, _) in table.into_iter().flatten() {
            let name = key.get_ref().as_ref();
            if parameters.iter().any(|parameter| parameter.name == name) && !names.contains(&name) {
                let message =
                    format!("the parameter {} changes nothing: no condition asks for it", quoted(name));
                self.warnings.push(Problem::new(key.span(), message).help("use it, or leave it out"));
            }
        }
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
    fn noted(&mut self, text: Result<String, Problem>) -> String {
        text.unwrap_or_else(|problem| {
            self.problems.push(problem);
            String::new()
        })
    }

    fn parameters(&mut self) -> Vec<Parameter> {
        let Some(value) = self.entries.get("params") else {
            return Vec::new();
        };
        let Some(table) = value.get_ref().as_table() else {
            self.problems.push(wrong_kind(value, "a table such as { k = 2 }"));
            return Vec::new();
        };
        if table.len() > PARAMETERS {
            let message = format!("a policy has at most {PARAMETERS} parameters");
            self.problems.push(Problem::new(value.span(), message));
            return Vec::new();
        }
        let mut parameters = Vec::new();
        for (key, value) in table {
            let name = key.get_ref().as_ref();
            if let Some(feature) = self.words.features.iter().find(|feature| feature.name == name) {
                let message = format!("`{name}` is a feature of the game: {}", feature.meaning);
                self.problems.push(Problem::new(key.span(), message).help("give the parameter another name"));
            }
            if !is_name(name) {
                let problem = Problem::new(key.span(), format!("{} is no name", quoted(name))).help(
                    "write letters, digits and _ only, a letter first, but not and, or, not, true, false",
                );
                self.problems.push(problem);
            }
            // After a problem any number will do: the name is known.
            let (numerator, denominator) = number(value).unwrap_or_else(|problem| {
                self.problems.push(problem);
                (1, 1)
            });
            parameters.push(Parameter { name: name.to_owned(), numerator, denominator });
        }
        parameters
    }

    fn apply(&mut self, parameters: &mut [Parameter], overrides: &[(String, String)]) {
        for (name, value) in overrides {
            let known: Vec<_> = parameters.iter().map(|parameter| parameter.name.clone()).collect();
            let Some(parameter) = parameters.iter_mut().find(|parameter| parameter.name == *name) else {
                let problem = if known.is_empty() {
                    Problem::new(
                        0..0,
                        format!("the policy has no parameters, so {} cannot be set", quoted(name)),
                    )
                } else {
                    Problem::unknown(0..0, "parameter", name, known.iter().map(String::as_str))
                };
                self.problems.push(problem);
                continue;
            };
            match signed_fraction(value) {
                Ok((numerator, denominator)) => {
                    (parameter.numerator, parameter.denominator) = (numerator, denominator);
                }
                Err(message) => {
                    self.problems.push(Problem::new(0..0, format!("parameter {}: {message}", quoted(name))))
                }
            }
        }
    }

    /// Reads an expression that must be true or false. `here` has the ranges of features where it is evaluated.
    fn condition(
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

    fn yes_no(&mut self, key: &str, parameters: &[Parameter], used: &mut Vec<usize>) -> Decision {
        let found = match self.entries.get(key) {
            Some(value) => self.condition(value, parameters, self.words.features, used),
            None => {
                let problem = Problem::new(0..0, format!("the key `{key}` is missing"))
                    .help(format!("write {key} = \"…\", an expression that says yes or no"));
                self.problems.push(problem);
                None
            }
        };
        found.map_or(Decision::Wrong, |(checked, syntax)| Decision::YesNo(checked, syntax))
    }

    /// A preference list, or several with conditions. A missing key is an empty list.
    fn items(&mut self, key: &str, parameters: &[Parameter], used: &mut Vec<usize>) -> Decision {
        let mut lists = Vec::new();
        let mut sources = Vec::new();
        if let Some(value) = self.entries.get(key) {
            match value.get_ref().as_array() {
                None => self.problems.push(wrong_kind(value, "a list such as [\"from_bank\"]")),
                Some(array) if array.iter().any(|item| item.get_ref().is_table()) => {
                    // A list is used where those before it are not.
                    let mut here = self.words.features.to_vec();
                    for (index, item) in array.iter().enumerate() {
                        let is_last = index + 1 == array.len();
                        let (list, source) = self.chosen_list(item, is_last, (parameters, &here), used);
                        self.warn_of_list(key, list.preferences.clone(), item.span());
                        if let Some(when) = &source.when {
                            let scope = Scope { features: self.words.features, parameters };
                            here = narrowed(when, false, scope, &here);
                        }
                        lists.push(list);
                        sources.push(source);
                    }
                }
                Some(_) => {
                    let (list, entries) = self.list(value);
                    self.warn_of_list(key, list.clone(), value.span());
                    lists.push(List { preferences: list, ..List::default() });
                    sources.push(ListSource { when: None, entries });
                }
            }
        } else {
            self.warn_of_list(key, Preferences::default(), 0..0);
        }
        Decision::Items(lists, sources)
    }

    /// Warns of a list that may prefer a candidate that a player hardly ever wants.
    fn warn_of_list(&mut self, key: &str, list: Preferences, span: Range<usize>) {
        let kind = self.words.kinds.iter().position(|kind| kind.name == key);
        let of_kind = |caution: &&Caution| Some(caution.kind) == kind;
        for caution in self.words.cautions.iter().filter(of_kind).filter(|caution| list.ignores(caution)) {
            let what = if span == (0..0) {
                format!("without a list `{key}` the policy")
            } else {
                "this list".into()
            };
            let better = self.words.predicates[caution.better].name;
            let help = match span == (0..0) {
                true => format!("write {key} = [\"{better}\"]"),
                false => format!("begin the list, or each `prefer`, with \"{better}\""),
            };
            let message = format!("{what} {}", caution.message);
            self.warnings.push(Problem::new(span.clone(), message).help(help));
        }
    }

    /// Reads one of several lists: `{ when = "…", prefer = […] }`. Only the last may omit `when`.
    fn chosen_list(
        &mut self,
        item: &'t Spanned<DeValue<'t>>,
        is_last: bool,
        (parameters, here): (&[Parameter], &[Feature]),
        used: &mut Vec<usize>,
    ) -> (List, ListSource) {
        let mut list = List::default();
        let mut source = ListSource::default();
        let Some(table) = item.get_ref().as_table() else {
            let wanted = "{ when = \"…\", prefer = [...] }, as for the other lists of this key,";
            self.problems.push(wrong_kind(item, wanted));
            return (list, source);
        };
        for (key, value) in table {
            match key.get_ref().as_ref() {
                "when" => {
                    if let Some((checked, syntax)) = self.condition(value, parameters, here, used) {
                        list.when = Condition::compile(&checked, self.words.features);
                        list.checked = Some(checked);
                        source.when = Some(syntax);
                    }
                }
                "prefer" => (list.preferences, source.entries) = self.list(value),
                other => self.problems.push(Problem::unknown(key.span(), "key", other, ["when", "prefer"])),
            }
        }
        if !table.contains_key("prefer") {
            self.problems
                .push(Problem::new(item.span(), "the key `prefer` is missing").help("write prefer = [...]"));
        }
        if !is_last && !table.contains_key("when") {
            let problem = Problem::new(
                item.span(),
                "a list without `when` always applies, so that those after it never do",
            )
            .help("write it last");
            self.problems.push(problem);
        }
        (list, source)
    }

    fn list(&mut self, value: &'t Spanned<DeValue<'t>>) -> (Preferences, Vec<Syntax>) {
        let Some(array) = value.get_ref().as_array() else {
            self.problems.push(wrong_kind(value, "a list such as [\"from_bank\"]"));
            return Default::default();
        };
        let mut entries = Vec::new();
        let mut sources = Vec::new();
        for item in array.iter() {
            let Some(content) = item.get_ref().as_str() else {
                self.problems.push(wrong_kind(item, "a predicate in quotes, such as \"from_bank\""));
                continue;
            };
            let parsed = parse(content).map_err(|unread| predicate_problems(unread, self.words.predicates));
            match parsed.and_then(|syntax| Ok((Holds::read(&syntax, self.words.predicates)?, syntax))) {
                Ok((holds, syntax)) => {
                    entries.push(holds);
                    sources.push(syntax);
                }
                Err(problems) => {
                    let entries = self.entries;
                    self.problems.extend(problems.into_iter().map(|problem| entries.place(item, problem)));
                }
            }
        }
        (Preferences::new(entries), sources)
    }
}

/// The problems of an entry that cannot be parsed. If the intended expression is known, its predicates are checked as
/// well.
fn predicate_problems(unread: Unread, predicates: &[Predicate]) -> Problems {
    let Unread { mut problems, meant, .. } = unread;
    if let Some(Err(more)) = meant.map(|syntax| Holds::read(&syntax, predicates)) {
        problems.extend(more);
    }
    problems
}

fn is_name(name: &str) -> bool {
    !["and", "or", "not", "true", "false"].contains(&name)
        && name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// A number in a file, as an exact fraction.
fn number(value: &Spanned<DeValue<'_>>) -> Result<(i64, i64), Problem> {
    let text = match value.get_ref() {
        DeValue::Integer(integer) if integer.radix() == 10 => integer.as_str(),
        DeValue::Float(float) => float.as_str(),
        DeValue::Integer(_) => {
            return Err(Problem::new(value.span(), "write this number with decimal digits"));
        }
        _ => return Err(wrong_kind(value, "a number such as 2 or 0.35")),
    };
    signed_fraction(text).map_err(|message| Problem::new(value.span(), message))
}
