//! Reads the preference lists of a policy file.

use std::ops::Range;

use stopwise_engine::vocabulary::{Caution, Feature, Predicate};
use toml::Spanned;
use toml::de::DeValue;

use super::reader::Reader;
use crate::draft::{Decision, List, ListSource};
use crate::expression::condition::Condition;
use crate::expression::lint::narrowed;
use crate::expression::parameter::Parameter;
use crate::expression::parse::{Syntax, Unread, parse};
use crate::expression::scope::Scope;
use crate::preference::{Holds, Preferences};
use crate::problem::{Problem, Problems};
use crate::read::wrong_kind;

impl<'t> Reader<'t> {
    /// A preference list, or several with conditions. A missing key is an empty list.
    pub(super) fn items(&mut self, key: &str, parameters: &[Parameter], used: &mut Vec<usize>) -> Decision {
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
