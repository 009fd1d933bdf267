//! Reads a policy file and checks everything that can be checked without playing the game.

mod lists;
mod parameters;
mod reader;

use stopwise_engine::game::AnswerForm;

use crate::draft::{Decision, Draft};
use crate::expression::parameter::Parameter;
use crate::shipped;
use crate::values::VALUES;
use crate::words::KnownNames;
pub(crate) use reader::Reader;
use stopwise_text::{Problem, quoted};

const HEADER: [&str; 5] = ["game", "name", "summary", "params", VALUES];

impl Reader<'_> {
    /// Reads everything except the value table.
    pub(crate) fn draft(&mut self, overrides: &[(String, String)]) -> Draft {
        let KnownNames { game, kinds, table, .. } = self.words;
        let known = || HEADER.into_iter().chain(kinds.iter().map(|kind| kind.name)).chain(table);
        for (key, span, _) in self.entries.iter().filter(|(key, ..)| known().all(|known| known != *key)) {
            self.problems.push(Problem::unknown(span, "key", key, known()));
        }
        let for_game = self.noted(self.entries.string_such_as("game", game));
        let mut for_another = None;
        if let Some(value) = self.entries.get("game")
            && value.get_ref().is_str()
            && for_game != game
            // A file's game has the name that its text says.
            && !for_game.ends_with(".game")
        {
            let games = shipped::games;
            match games().any(|known| known == for_game) {
                true => {
                    let message =
                        format!("this policy is for the game {}, not for `{game}`", quoted(&for_game));
                    let help = format!("if it fits this game as well, write game = \"{game}\"");
                    for_another = Some(Problem::new(value.span(), message).help(help));
                }
                false => self.problems.push(Problem::unknown(value.span(), "game", &for_game, games())),
            }
        }
        let name = self.noted(self.entries.name());
        let summary = match self.entries.get("summary") {
            Some(_) => self.noted(self.entries.string("summary")),
            None => String::new(),
        };
        let mut parameters = self.parameters();
        self.apply(&mut parameters, overrides);
        let decisions: Vec<_> = (0..kinds.len()).map(|kind| self.decision(kind, &parameters)).collect();
        self.warn_of_hidden(&decisions);
        self.warn_of_unused(&parameters, &decisions);
        if let Some(problem) = for_another {
            // Its words are those of another game.
            self.problems = vec![problem];
        }
        Draft { name, summary, parameters, decisions, memory: self.memory }
    }

    /// The answer to questions of a kind. Where these rules never ask them, it may be of words that there are under others.
    fn decision(&mut self, kind: usize, parameters: &[Parameter]) -> Decision {
        self.chances = 0;
        let before = (self.problems.len(), self.warnings.len(), self.constant.len(), self.unlisted.len());
        let decision = match self.words.kinds[kind].form {
            AnswerForm::YesNo => self.yes_no(self.words.kinds[kind].name, parameters),
            AnswerForm::Items => self.items(kind, parameters),
            AnswerForm::Number => self.number(kind, parameters),
        };
        if self.words.asked[kind] {
            return decision;
        }
        self.problems.truncate(before.0);
        self.warnings.truncate(before.1);
        self.constant.truncate(before.2);
        self.unlisted.truncate(before.3);
        Decision::Unread
    }

    /// Warns of parameters in whose place a list means the game's word for a candidate.
    fn warn_of_hidden(&mut self, decisions: &[Decision]) {
        let words = self.words;
        let mut hidden = Vec::new();
        for (kind, decision) in decisions.iter().enumerate() {
            let Decision::Items(_, sources) = decision else { continue };
            let mut names = Vec::new();
            sources
                .iter()
                .flat_map(|source| &source.entries)
                .for_each(|entry| entry.syntax.names(&mut names));
            let known = words.predicates.iter().enumerate();
            let known = known.filter(|(index, _)| words.known_predicates[kind] >> index & 1 == 1);
            let meant = known.map(|(_, predicate)| predicate.name).filter(|name| names.contains(name));
            hidden.extend(meant.map(|name| (name, words.kinds[kind].name)));
        }
        let table = self.entries.get("params").and_then(|value| value.get_ref().as_table());
        for (key, _) in table.into_iter().flatten() {
            let name = key.get_ref().as_ref();
            if let Some((_, kind)) = hidden.iter().find(|(hidden, _)| *hidden == name) {
                let message = format!(
                    "in the list `{kind}` {} is the word of the game, and not this parameter",
                    quoted(name)
                );
                self.warnings.push(Problem::new(key.span(), message).help("give the parameter another name"));
            }
        }
    }

    /// Warns of parameters that no condition uses.
    fn warn_of_unused(&mut self, parameters: &[Parameter], decisions: &[Decision]) {
        if self.words.asked.contains(&false) {
            return;
        }
        let mut names = Vec::new();
        for decision in decisions {
            match decision {
                Decision::YesNo(_, syntax) | Decision::Number(_, syntax) => syntax.names(&mut names),
                Decision::Items(_, sources) => {
                    let entries = sources.iter().flat_map(|source| &source.entries);
                    let conditions = sources.iter().filter_map(|source| source.when.as_ref());
                    conditions
                        .chain(entries.map(|entry| &entry.syntax))
                        .for_each(|part| part.names(&mut names));
                }
                Decision::Unread => {}
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

    fn yes_no(&mut self, key: &str, parameters: &[Parameter]) -> Decision {
        let found = match self.entries.get(key) {
            Some(value) => self.condition(value, parameters, self.words.features),
            None => self.is_missing(key, "an expression that says yes or no"),
        };
        found.map_or(Decision::Unread, |(checked, syntax)| Decision::YesNo(checked, syntax))
    }

    /// An expression for a number, or a preference list.
    fn number(&mut self, kind: usize, parameters: &[Parameter]) -> Decision {
        let key = self.words.kinds[kind].name;
        let chosen =
            self.words.numbers.iter().filter(|number| number.kind == kind && number.number.name == key);
        let chosen = chosen.fold(0, |memory, number| memory | number.number.memory);
        let found = match self.entries.get(key) {
            Some(value) if value.get_ref().is_array() => return self.items(kind, parameters),
            Some(value) => self.quantity(value, parameters),
            None => self.is_missing(key, "an expression for a number, or a list"),
        };
        self.memory |= chosen;
        found.map_or(Decision::Unread, |(checked, syntax)| Decision::Number(checked, syntax))
    }

    fn is_missing<T>(&mut self, key: &str, wanted: &str) -> Option<T> {
        let problem = Problem::new(0..0, format!("the key `{key}` is missing"));
        self.problems.push(problem.help(format!("write {key} = \"…\", {wanted}")));
        None
    }
}
