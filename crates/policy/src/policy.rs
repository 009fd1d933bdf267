//! A policy file, compiled for a game and its rules.

use std::fmt::Write as _;

use stopwise_engine::game::{Action, Actions, Form, Game, LineupJob, MAX_KINDS, Policy, Question};
use stopwise_engine::vocabulary::{Feature, Local, MAX_PREDICATES, Vocabulary};
use toml::Spanned;
use toml::de::DeValue;

use crate::expression::check::{Checked, Parameter, Scope, condition};
use crate::expression::code::{ByDigest, Condition, features_of};
use crate::expression::lex::fraction;
use crate::expression::parse::{Syntax, parse};
use crate::preference::{Holds, Preferences};
use crate::problem::{Problem, TextError, quoted};
use crate::quick;
use crate::read::{Entries, PolicyText, wrong_kind};
use crate::worths::Worths;

/// A policy read from text, compiled for one game under one set of rules.
#[derive(Clone, Debug)]
pub struct TextPolicy<G: Game> {
    name: String,
    summary: String,
    text: PolicyText,
    parameters: Vec<Parameter>,
    memory: u32,
    /// One for every kind of decision of the game.
    pub(crate) answers: [Answer; MAX_KINDS],
    pub(crate) sources: Vec<AnswerSource>,
    /// What is asked first, if the text has it.
    pub(crate) worths: Option<Worths<G>>,
}

/// How one kind of decision is answered: quickly, if the table or the list alone says it, else in full.
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    /// Yes/no for every digest of the game; empty if the condition asks for more.
    pub(crate) by_digest: ByDigest,
    /// Whether the first action is the answer, whatever the state.
    pub(crate) is_first: bool,
    /// The predicates of the one unconditional list and what to flip them with; empty if there is more to it.
    pub(crate) plain_list: Box<[(usize, u64)]>,
    /// The predicates of that list, as bits.
    wanted: u32,
    /// The number of the preferred action for every local digest of the kind; empty if the list asks for more.
    by_local: Box<[u8]>,
    full: Full,
}

#[derive(Clone, Debug)]
pub(crate) enum Full {
    YesNo(Condition, Checked),
    /// The first list whose condition holds.
    Items(Vec<List>),
}

/// A preference list and when it applies.
#[derive(Clone, Debug)]
pub(crate) struct List {
    when: Condition,
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

/// The most parameters.
const PARAMETERS: usize = 64;

const HEADER: [&str; 4] = ["game", "name", "summary", "params"];
/// The key of a table of worths, for games that have them.
const TABLE: &str = "table";

impl<G: Vocabulary> TextPolicy<G> {
    /// Compiles a text. `overrides` are parameters, as name and number, that replace the text's own values.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with the text, with the places; a parameter that the text does not have.
    pub fn compile(text: &PolicyText, game: &G, overrides: &[(String, String)]) -> Result<Self, TextError> {
        let table = text.table()?;
        Compiler { entries: Entries::new(text, &table), features: game.features(), problems: Vec::new() }
            .compile(text, game, overrides)
    }

    /// The policy's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it does, in a sentence.
    pub fn summary(&self) -> &str {
        &self.summary
    }

    /// The text it was compiled from.
    pub fn text(&self) -> &PolicyText {
        &self.text
    }

    /// Its parameters, with the values in force.
    pub fn parameters(&self) -> &[Parameter] {
        &self.parameters
    }

    /// The name with all parameters, as reports show it: `first:k=2`.
    pub fn label(&self) -> String {
        let mut label = self.name.clone();
        for (index, parameter) in self.parameters.iter().enumerate() {
            let mark = if index == 0 { ':' } else { ',' };
            let _ = write!(label, "{mark}{}={}", parameter.name, parameter.value());
        }
        label
    }

    /// How decisions of a kind are answered in full.
    pub(crate) fn full(&self, kind: usize) -> &Full {
        &self.answers[kind].full
    }

    /// The candidates left after each entry of the list that answers a question of items; empty for yes/no.
    pub fn narrowing(&self, game: &G, state: G::State, question: Question) -> Vec<(String, Actions)> {
        let AnswerSource::Items(sources) = &self.sources[question.kind] else {
            return Vec::new();
        };
        let Full::Items(lists) = &self.answers[question.kind].full else {
            return Vec::new();
        };
        let Some(index) = lists.iter().position(|list| list.when.holds(game, state)) else {
            return Vec::new();
        };
        let masks = game.predicates(state, question.kind, u32::MAX);
        let left = lists[index].preferences.narrowing(&masks, question.actions);
        sources[index].entries.iter().map(Syntax::to_text).zip(left).collect()
    }

    /// The features that the answer to a yes/no question rests on, with their values; empty for items.
    pub fn evidence(&self, game: &G, state: G::State, question: Question) -> Vec<(&'static str, String)> {
        let AnswerSource::YesNo(syntax) = &self.sources[question.kind] else {
            return Vec::new();
        };
        let features = game.features();
        let mut names = Vec::new();
        syntax.names(&mut names);
        let indices =
            names.iter().filter_map(|name| features.iter().position(|feature| feature.name == *name));
        let show =
            |index: usize| (features[index].name, show_value(&features[index], game.feature(state, index)));
        indices.map(show).collect()
    }
}

/// A feature's value as people write it.
pub(crate) fn show_value(feature: &Feature, value: i64) -> String {
    if feature.denominator == 1 { value.to_string() } else { format!("{value}/{}", feature.denominator) }
}

impl Parameter {
    /// The value as it is written in a file.
    pub fn value(&self) -> String {
        if self.denominator == 1 {
            return self.numerator.to_string();
        }
        // The denominator divides a power of ten, at most 10^6.
        let millions = self.numerator * (1_000_000 / self.denominator);
        let text = format!(
            "{}{}.{:06}",
            if millions < 0 { "-" } else { "" },
            millions.abs() / 1_000_000,
            millions.abs() % 1_000_000
        );
        text.trim_end_matches('0').to_owned()
    }
}

impl<G: Vocabulary> Policy<G> for TextPolicy<G> {
    #[inline(always)]
    fn choose(&self, game: &G, state: G::State, question: Question) -> Action {
        let answer = &self.answers[question.kind % MAX_KINDS];
        match G::KINDS[question.kind].form {
            Form::YesNo => {
                let yes = match answer.by_digest.at_once(game.digest(state)) {
                    Some(yes) => yes,
                    None => {
                        let copy = state;
                        self.yes_in_full(game, &copy, question)
                    }
                };
                Action::from(yes)
            }
            // Most rolls leave no choice, and many lists are empty: neither needs the masks.
            Form::Items if answer.is_first => question.actions.first(),
            Form::Items if answer.plain_list.is_empty() => {
                let copy = state;
                self.item_in_full(game, &copy, question)
            }
            Form::Items => answer.by_list(game, state, question),
        }
    }

    fn memory(&self) -> u32 {
        self.memory
    }

    fn with_quickest<J: LineupJob<G>>(lineup: &[Self], job: J) -> J::Output {
        quick::with_quickest(lineup, job)
    }
}

impl<G: Vocabulary> TextPolicy<G> {
    /// The answers that take longer, behind calls that do not crowd the loop of a trial.
    #[cold]
    #[inline(never)]
    fn yes_in_full(&self, game: &G, state: &G::State, question: Question) -> bool {
        match self.by_worth(game, state, question) {
            Some((action, _)) => action == Action::YES,
            None => self.answers[question.kind].yes_in_full(game, state),
        }
    }

    #[cold]
    #[inline(never)]
    fn item_in_full(&self, game: &G, state: &G::State, question: Question) -> Action {
        match self.by_worth(game, state, question) {
            Some((action, _)) => action,
            None => self.answers[question.kind].item_in_full(game, state, question),
        }
    }

    /// What the table of worths answers, and what that is worth.
    pub fn by_worth(&self, game: &G, state: &G::State, question: Question) -> Option<(Action, f64)> {
        self.worths.as_ref()?.answer(game, state, question)
    }

    /// What somebody should know who plays it under these rules, if anything.
    pub fn remark(&self) -> Option<String> {
        let worths = self.worths.as_ref().filter(|worths| !worths.is_used)?;
        Some(format!(
            "the table of `{}` is for other rules ({}) and not used; its other answers play",
            self.name, worths.rules
        ))
    }
}

impl Answer {
    /// The item that a list without conditions prefers.
    #[inline(always)]
    pub(crate) fn by_list<G: Vocabulary>(&self, game: &G, state: G::State, question: Question) -> Action {
        if let Some(Local { digest, base }) = game.local(state, question)
            && let Some(number) = self.by_local.get(digest)
        {
            return Action(1 << (u32::from(*number) + base));
        }
        let masks = game.predicates(state, question.kind, self.wanted);
        let mut left = question.actions.0;
        for &(index, flip) in &self.plain_list {
            let kept = left & (masks[index % MAX_PREDICATES] ^ flip);
            left = if kept == 0 { left } else { kept };
        }
        Actions(left).first()
    }

    fn yes_in_full<G: Vocabulary>(&self, game: &G, state: &G::State) -> bool {
        if let Some(yes) = self.by_digest.answer(game.digest(*state)) {
            return yes;
        }
        match &self.full {
            Full::YesNo(condition, _) => condition.holds(game, *state),
            Full::Items(_) => unreachable!("a decision between yes and no"),
        }
    }

    fn item_in_full<G: Vocabulary>(&self, game: &G, state: &G::State, question: Question) -> Action {
        let state = *state;
        let Full::Items(lists) = &self.full else { unreachable!("a decision between items") };
        match lists.iter().find(|list| list.when.holds(game, state)) {
            Some(List { preferences, .. }) => {
                let masks = game.predicates(state, question.kind, preferences.wanted());
                preferences.choose(&masks, question.actions)
            }
            None => question.actions.first(),
        }
    }

    fn yes_no<G: Vocabulary>(game: &G, features: &[Feature], checked: Checked) -> Self {
        Self {
            by_digest: ByDigest::tabulate(game, &checked, features),
            is_first: false,
            plain_list: Box::default(),
            by_local: Box::default(),
            wanted: 0,
            full: Full::YesNo(Condition::compile(&checked, features), checked),
        }
    }

    /// Fills `by_local`, if the local digests of the kind fix what the list looks at.
    fn tabulate_list<G: Vocabulary>(&mut self, game: &G, kind: usize) {
        if self.plain_list.is_empty() || self.wanted & !G::local_predicates(kind) != 0 {
            return;
        }
        let action = |digest| match game.with_local(kind, digest) {
            Some((state, question)) => u8::try_from(self.item_in_full(game, &state, question).index()).ok(),
            // Nobody will ask.
            None => Some(0),
        };
        self.by_local = (0..game.locals(kind)).map(action).collect::<Option<_>>().unwrap_or_default();
    }

    /// Leaves nothing to be answered at once: something else is asked first.
    fn take_time(&mut self) {
        *self = Self { full: std::mem::replace(&mut self.full, Full::Items(Vec::new())), ..Self::slow() };
    }

    /// Nothing known at once.
    fn slow() -> Self {
        Self {
            by_digest: ByDigest::default(),
            is_first: false,
            plain_list: Box::default(),
            wanted: 0,
            by_local: Box::default(),
            full: Full::Items(Vec::new()),
        }
    }

    fn items(lists: Vec<List>) -> Self {
        let plain = match lists.as_slice() {
            [] => Some(Vec::new()),
            [List { when: Condition::Always(true), preferences, .. }] => preferences.plain(),
            _ => None,
        };
        let is_first = plain.as_ref().is_some_and(Vec::is_empty);
        let plain_list = plain.unwrap_or_default().into_boxed_slice();
        let wanted = plain_list.iter().fold(0, |wanted, (index, _)| wanted | 1 << index);
        Self {
            by_digest: ByDigest::default(),
            is_first,
            plain_list,
            wanted,
            by_local: Box::default(),
            full: Full::Items(lists),
        }
    }
}

/// Reads one file, gathering everything that is wrong with it.
struct Compiler<'t> {
    entries: Entries<'t>,
    features: Vec<Feature>,
    problems: Vec<Problem>,
}

impl<'t> Compiler<'t> {
    fn compile<G: Vocabulary>(
        mut self,
        text: &PolicyText,
        game: &G,
        overrides: &[(String, String)],
    ) -> Result<TextPolicy<G>, TextError> {
        let table = (!G::TABLED.is_empty()).then_some(TABLE);
        let known = || HEADER.into_iter().chain(G::KINDS.iter().map(|kind| kind.name)).chain(table);
        for (key, span, _) in self.entries.iter().filter(|(key, ..)| known().all(|known| known != *key)) {
            self.problems.push(Problem::unknown(span, "key", key, known()));
        }
        let for_game = self.noted(self.entries.string("game"));
        if let Some(value) = self.entries.get("game")
            && value.get_ref().is_str()
            && for_game != G::NAME
        {
            let message = format!("this policy is for the game {}, not for `{}`", quoted(&for_game), G::NAME);
            self.problems.push(Problem::new(value.span(), message));
        }
        let name = self.noted(self.entries.name());
        let summary = self.noted(self.entries.string("summary"));
        let mut parameters = self.parameters();
        self.apply(&mut parameters, overrides);
        let mut used = Vec::new();
        let mut answers = [(); MAX_KINDS].map(|()| Answer::items(Vec::new()));
        let mut sources = Vec::new();
        for ((index, kind), slot) in G::KINDS.iter().enumerate().zip(&mut answers) {
            let (answer, source) = match kind.form {
                Form::YesNo => self.yes_no(game, kind.name, &parameters, &mut used),
                Form::Items => self.items::<G>(kind.name, &parameters, &mut used),
            };
            *slot = answer;
            slot.tabulate_list(game, index);
            sources.push(source);
        }
        let worths = self.worths(game);
        if worths.is_some() {
            answers.iter_mut().for_each(Answer::take_time);
        }
        if !self.problems.is_empty() {
            return Err(text.errors(self.problems));
        }
        let memory = used.iter().fold(0, |memory, &feature: &usize| memory | self.features[feature].memory);
        let text = text.clone();
        Ok(TextPolicy { name, summary, text, parameters, memory, answers, sources, worths })
    }

    /// The text, or an empty one and a problem more.
    fn noted(&mut self, text: Result<String, Problem>) -> String {
        text.unwrap_or_else(|problem| {
            self.problems.push(problem);
            String::new()
        })
    }

    fn worths<G: Vocabulary>(&mut self, game: &G) -> Option<Worths<G>> {
        if G::TABLED.is_empty() {
            // The key is unknown and noted.
            return None;
        }
        let read = Worths::read(self.entries, self.entries.get(TABLE)?, game);
        read.map_err(|problems| self.problems.extend(problems)).ok()
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
            if let Some(feature) = self.features.iter().find(|feature| feature.name == name) {
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

    /// An expression that says yes or no.
    fn condition(
        &mut self,
        value: &'t Spanned<DeValue<'t>>,
        parameters: &[Parameter],
        used: &mut Vec<usize>,
    ) -> Option<(Checked, Syntax)> {
        let Some(content) = value.get_ref().as_str() else {
            self.problems.push(wrong_kind(value, "an expression in quotes, such as \"counter >= 2\""));
            return None;
        };
        let scope = Scope { features: &self.features, parameters };
        let read = |content| -> Result<(Checked, Syntax), Problem> {
            let syntax = parse(content)?;
            Ok((condition(&syntax, scope)?, syntax))
        };
        match read(content) {
            Ok((checked, syntax)) => {
                features_of(&checked, used);
                Some((checked, syntax))
            }
            Err(problem) => {
                self.problems.push(self.entries.place(value, problem));
                None
            }
        }
    }

    fn yes_no<G: Vocabulary>(
        &mut self,
        game: &G,
        key: &str,
        parameters: &[Parameter],
        used: &mut Vec<usize>,
    ) -> (Answer, AnswerSource) {
        let found = match self.entries.get(key) {
            Some(value) => self.condition(value, parameters, used),
            None => {
                let problem = Problem::new(0..0, format!("the key `{key}` is missing"))
                    .help(format!("write {key} = \"…\", an expression that says yes or no"));
                self.problems.push(problem);
                None
            }
        };
        match found {
            Some((checked, syntax)) => {
                (Answer::yes_no(game, &self.features, checked), AnswerSource::YesNo(syntax))
            }
            // The problem is noted and nothing will be played.
            None => (Answer::items(Vec::new()), AnswerSource::Items(Vec::new())),
        }
    }

    /// A preference list, or several with conditions. A missing key is an empty list.
    fn items<G: Vocabulary>(
        &mut self,
        key: &str,
        parameters: &[Parameter],
        used: &mut Vec<usize>,
    ) -> (Answer, AnswerSource) {
        let mut lists = Vec::new();
        let mut sources = Vec::new();
        if let Some(value) = self.entries.get(key) {
            match value.get_ref().as_array() {
                None => self.problems.push(wrong_kind(value, "a list such as [\"from_bank\"]")),
                Some(array) if array.iter().any(|item| item.get_ref().is_table()) => {
                    for (index, item) in array.iter().enumerate() {
                        let is_last = index + 1 == array.len();
                        let (list, source) = self.chosen_list::<G>(item, is_last, parameters, used);
                        lists.push(list);
                        sources.push(source);
                    }
                }
                Some(_) => {
                    let (list, entries) = self.list::<G>(value);
                    lists.push(List { preferences: list, ..List::default() });
                    sources.push(ListSource { when: None, entries });
                }
            }
        }
        (Answer::items(lists), AnswerSource::Items(sources))
    }

    /// One of several lists: `{ when = "…", prefer = […] }`; the last may stand without `when`.
    fn chosen_list<G: Vocabulary>(
        &mut self,
        item: &'t Spanned<DeValue<'t>>,
        is_last: bool,
        parameters: &[Parameter],
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
                    if let Some((checked, syntax)) = self.condition(value, parameters, used) {
                        list.when = Condition::compile(&checked, &self.features);
                        list.checked = Some(checked);
                        source.when = Some(syntax);
                    }
                }
                "prefer" => (list.preferences, source.entries) = self.list::<G>(value),
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

    fn list<G: Vocabulary>(&mut self, value: &'t Spanned<DeValue<'t>>) -> (Preferences, Vec<Syntax>) {
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
            match parse(content).and_then(|syntax| Ok((Holds::read(&syntax, G::PREDICATES)?, syntax))) {
                Ok((holds, syntax)) => {
                    entries.push(holds);
                    sources.push(syntax);
                }
                Err(problem) => self.problems.push(self.entries.place(item, problem)),
            }
        }
        (Preferences::new(entries), sources)
    }
}

fn is_name(name: &str) -> bool {
    !["and", "or", "not", "true", "false"].contains(&name)
        && name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// A number of a file, exactly.
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

fn signed_fraction(text: &str) -> Result<(i64, i64), String> {
    match text.strip_prefix('-') {
        Some(positive) => fraction(positive).map(|(numerator, denominator)| (-numerator, denominator)),
        None => fraction(text.strip_prefix('+').unwrap_or(text)),
    }
}
