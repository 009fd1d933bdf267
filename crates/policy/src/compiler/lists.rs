//! Reads the preference lists of a policy file.

use std::ops::Range;

use stopwise_engine::vocabulary::{Caution, Feature};
use toml::Spanned;
use toml::de::DeValue;

use super::reader::Reader;
use crate::comparison::Comparisons;
use crate::draft::{Decision, List, ListSource, Order};
use crate::entry::{Entry, EntrySource, Given};
use crate::expression::chance::{Chances, IN_CONDITIONS};
use crate::expression::condition::Condition;
use crate::expression::lint::narrowed;
use crate::expression::parameter::Parameter;
use crate::expression::scope::Scope;
use crate::preference::Preferences;
use crate::read::wrong_kind;
use crate::values::VALUES;
use crate::words::Words;
use stopwise_text::Problem;

impl<'t> Reader<'t> {
    /// A preference list, or several with conditions. A missing key is an empty list.
    pub(super) fn items(&mut self, kind: usize, parameters: &[Parameter]) -> Decision {
        let key = self.words.kinds[kind].name;
        let words = Words::new(self.words, kind);
        let mut lists = Vec::new();
        let mut sources = Vec::new();
        if let Some(value) = self.entries.get(key) {
            match value.get_ref().as_array() {
                None => {
                    self.problems.push(wrong_kind(value, "a list of conditions in quotes ([\"…\", \"…\"])"))
                }
                Some(array) if array.iter().any(|item| item.get_ref().is_table()) => {
                    // A list is used where those before it are not.
                    let mut here = self.words.features.to_vec();
                    for (index, item) in array.iter().enumerate() {
                        let is_last = index + 1 == array.len();
                        let (list, source) = self.chosen_list(item, is_last, &words, (parameters, &here));
                        self.warn_of_list(kind, &list.order, item.span());
                        if let Some(when) = &source.when {
                            let chances = Chances::NotHere(IN_CONDITIONS);
                            let scope = Scope { features: self.words.features, parameters, chances };
                            here = narrowed(when, false, scope, &here);
                        }
                        lists.push(list);
                        sources.push(source);
                    }
                }
                Some(_) => {
                    let given = Given { words: &words, parameters, here: &words.features };
                    let (order, entries) = self.list(value, given);
                    self.warn_of_list(kind, &order, value.span());
                    lists.push(List { order, ..List::default() });
                    sources.push(ListSource { when: None, entries });
                }
            }
        } else {
            self.note_unlisted(key, &words);
            self.warn_of_list(kind, &List::default().order, 0..0);
        }
        Decision::Items(lists, sources)
    }

    /// Keeps in mind a question that is answered by the order of the game alone, unless the positions of a table answer it.
    fn note_unlisted(&mut self, key: &'static str, words: &Words) {
        let tables = [Some(VALUES), self.words.table];
        if tables.into_iter().flatten().all(|table| self.entries.get(table).is_none()) {
            let example = words.of_candidate().first().map(|word| match word.is_truth {
                true => format!("{key} = [\"{}\"], for example, or ", word.name),
                false => format!("{key} = [\"most {}\"], for example, or ", word.name),
            });
            self.unlisted.push((key, format!("{}{key} = [] for the first", example.unwrap_or_default())));
        }
    }

    /// Warns of a list that may prefer a candidate that a player hardly ever wants.
    fn warn_of_list(&mut self, kind: usize, list: &Order, span: Range<usize>) {
        let key = self.words.kinds[kind].name;
        let of_kind = |caution: &&Caution| caution.kind == kind;
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
        words: &Words,
        (parameters, here): (&[Parameter], &[Feature]),
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
                    if let Some((checked, syntax)) = self.condition(value, parameters, here) {
                        list.when = Condition::compile(&checked, self.words.features);
                        list.checked = Some(checked);
                        source.when = Some(syntax);
                    }
                }
                "prefer" => {
                    let here = [words.of_candidate(), here].concat();
                    (list.order, source.entries) = self.list(value, Given { words, parameters, here: &here });
                }
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

    fn list(&mut self, value: &'t Spanned<DeValue<'t>>, given: Given<'_>) -> (Order, Vec<EntrySource>) {
        let mut entries = Vec::new();
        let mut sources = Vec::new();
        let array = value.get_ref().as_array();
        if array.is_none() {
            self.problems.push(wrong_kind(value, "a list of conditions in quotes ([\"…\", \"…\"])"));
        }
        for item in array.into_iter().flat_map(|array| array.iter()) {
            let Some(content) = item.get_ref().as_str() else {
                self.problems.push(wrong_kind(item, "a condition in quotes"));
                continue;
            };
            let mut constant = Vec::new();
            let read = given.read(content, &mut constant);
            if let Some((entry, source)) = self.placed(item, read, constant) {
                if let Entry::Where(checked) | Entry::Most(checked) = &entry {
                    self.uses(checked, &given.words.features);
                }
                entries.push(entry);
                sources.push(source);
            }
        }
        (order(entries, given.words), sources)
    }
}

/// A list of predicates, if it is one.
fn order(entries: Vec<Entry>, words: &Words) -> Order {
    let holds = |entry: &Entry| match entry {
        Entry::Holds(holds) => Some(holds.clone()),
        Entry::Where(_) | Entry::Most(_) => None,
    };
    match entries.iter().map(holds).collect() {
        Some(predicates) => Order::Preferences(Preferences::new(predicates)),
        None => Order::Comparisons(Comparisons::new(entries, words)),
    }
}
