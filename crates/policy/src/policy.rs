//! A policy file, compiled for a game and its rules.

use std::sync::{Arc, OnceLock};

use stopwise_engine::game::{Action, Actions, Game, MAX_KINDS, Question};
use stopwise_engine::vocabulary::{CandidateNumber, Feature, Vocabulary};

use crate::answer::{Answer, Full};
use crate::compiler::Reader;
use crate::draft::{AnswerSource, Decision, Draft, Order};
use crate::entry::EntrySource;
use crate::expression::chance;
use crate::expression::parameter::Parameter;
use crate::heading::Heading;
use crate::lanes::LaneText;
use crate::read::{Entries, Toml as _};
use crate::shipped::namesake;
use crate::value_table::ValueTable;
use crate::values::{VALUES, ValueFile};
use crate::words::KnownNames;
use stopwise_text::Text;
use stopwise_text::{TextError, in_order};

/// The key of a value table, in games that have them.
const TABLE: &str = "table";

/// A policy read from text, compiled for one game under one set of rules.
#[derive(Clone, Debug)]
pub struct TextPolicy<G: Game> {
    heading: Arc<Heading>,
    pub(crate) memory: u32,
    /// One for every kind of decision of the game.
    pub(crate) answers: [Answer; MAX_KINDS],
    pub(crate) sources: Vec<AnswerSource>,
    /// What is asked first, if the text has it.
    pub(crate) worths: Option<Worths<G>>,
    /// The policy compiled for lanes, on first use.
    pub(crate) lane_text: OnceLock<Result<LaneText, String>>,
}

/// Values of positions, from which answers follow.
#[derive(Clone, Debug)]
pub(crate) enum Worths<G: Game> {
    /// A table in the text, of positions of a turn.
    Rows(ValueTable<G>),
    /// A file beside the text, of all positions.
    File(ValueFile<G>),
}

impl<G: Vocabulary> TextPolicy<G> {
    /// Compiles a text. `overrides` are parameters, as name and number, that replace values of the text.
    ///
    /// # Errors
    ///
    /// All problems of the text, with their places, and overrides of parameters that the text does not have.
    pub fn compile(text: &Text, game: &G, overrides: &[(String, String)]) -> Result<Self, TextError> {
        let (table, unreadable) = text.recovered()?;
        let mut features = game.features();
        if const { G::SHAPE.is_text } {
            features.extend(chance::words());
        }
        let (numbers, cautions) = (game.candidate_numbers(), game.cautions());
        let info = game.info();
        let words = KnownNames {
            cautions: &cautions,
            table: (!info.tabled.is_empty()).then_some(TABLE),
            ..known_names(game, &features, &numbers)
        };
        let mut reader = Reader::new(words, Entries::new(text, &table));
        let Draft { name, summary, parameters, decisions, memory } = reader.draft(overrides);
        let rows = reader.table(words.table, |entries, value| ValueTable::read(entries, value, game));
        let file = reader.table(Some(VALUES), |_, value| ValueFile::read(text, value, game));
        let unused = rows.as_ref().filter(|rows| !rows.is_used);
        let remark = unused.map(|unused| {
            let rules = &unused.rules;
            format!("the table of `{name}` is for other rules ({rules}) and not used; its other answers play")
        });
        let worths = file.map(Worths::File).or(rows.map(Worths::Rows));
        let Reader { problems, mut warnings, mut constant, unlisted, .. } = reader;
        let problems = text.with_unreadable(problems, unreadable);
        if !problems.is_empty() {
            return Err(text.errors(problems));
        }
        warnings.extend(constant.iter().map(|constant| constant.problem.clone()));
        in_order(&mut warnings);
        constant.retain(|constant| constant.is_by_rules);
        let constant = constant.into_iter().map(|constant| constant.problem).collect();
        let sources = decisions.iter().map(Decision::source).collect();
        let mut answers = [(); MAX_KINDS].map(|()| Answer::items(Vec::new()));
        for ((kind, decision), slot) in decisions.into_iter().enumerate().zip(&mut answers) {
            *slot = Answer::new(game, kind, &features, decision);
        }
        if worths.is_some() {
            answers.iter_mut().for_each(Answer::disable_fast_path);
        }
        let file = namesake(info.name, &name, text);
        let heading = Heading {
            name,
            file,
            summary,
            text: text.clone(),
            parameters,
            remark,
            warnings,
            unlisted,
            constant,
        };
        Ok(Self { heading: Arc::new(heading), memory, answers, sources, worths, lane_text: OnceLock::new() })
    }

    /// Its name, text and parameters: everything that does not depend on the game.
    pub fn heading(&self) -> &Arc<Heading> {
        &self.heading
    }

    /// The policy's name.
    pub fn name(&self) -> &str {
        &self.heading.name
    }

    /// One sentence about what it does; empty if the text has none.
    pub fn summary(&self) -> &str {
        &self.heading.summary
    }

    /// The text it was compiled from.
    pub fn text(&self) -> &Text {
        &self.heading.text
    }

    /// Whether some of its answers are by chance.
    pub fn is_mixed(&self) -> bool {
        self.answers.iter().any(|answer| answer.drawn.is_some())
    }

    /// Its parameters, with their current values.
    pub fn parameters(&self) -> &[Parameter] {
        &self.heading.parameters
    }

    /// The name with its parameters: [`Heading::label`].
    pub fn label(&self) -> String {
        self.heading.label()
    }

    /// Its approximate size in bytes: the tables, counted twice for the compiled form for lanes.
    pub fn bytes(&self) -> usize {
        let tables = |answer: &Answer| answer.by_digest.bytes() * 2 + answer.by_local.len();
        size_of::<Self>() + self.answers.iter().map(tables).sum::<usize>()
    }

    /// The candidates left after each entry of the list that answers a question of items; empty for a yes/no question.
    pub fn narrowing(&self, game: &G, state: G::State, question: Question) -> Vec<(String, Actions)> {
        let AnswerSource::Items(sources) = &self.sources[question.kind] else {
            return Vec::new();
        };
        let Full::Items(lists) = &self.answers[question.kind].full else {
            return Vec::new();
        };
        if self.answers[question.kind].drawn.is_some() {
            return Vec::new();
        }
        let Some(index) = lists.iter().position(|list| list.when.holds(game, &state)) else {
            return Vec::new();
        };
        let left = match &lists[index].order {
            Order::Preferences(preferences) => {
                let masks = game.predicates_of(state, question, u32::MAX);
                preferences.narrowing(&masks, question.actions)
            }
            Order::Comparisons(comparisons) => {
                let mut left = Vec::new();
                comparisons.narrow(game, &state, question, |actions| left.push(actions));
                left
            }
        };
        sources[index].entries.iter().map(EntrySource::to_text).zip(left).collect()
    }

    /// Whether a preference list answers questions of a kind, and no expression.
    pub fn has_list(&self, kind: usize) -> bool {
        matches!(self.sources[kind], AnswerSource::Items(_))
    }

    /// Whether the answer to a question for a number is another than the expression asks for, as that is not legal.
    pub fn is_clipped(&self, game: &G, state: G::State, question: Question) -> bool {
        match &self.answers[question.kind].full {
            Full::Number(aim) if self.answers[question.kind].drawn.is_none() => {
                aim.nearest(game, &state, question).1
            }
            Full::YesNo(..) | Full::Items(_) | Full::Number(_) => false,
        }
    }

    /// The features on which an answer by an expression depends, with their values; empty for a list.
    pub fn evidence(&self, game: &G, state: G::State, question: Question) -> Vec<(&'static str, String)> {
        let (AnswerSource::YesNo(syntax) | AnswerSource::Number(syntax)) = &self.sources[question.kind]
        else {
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

/// What a text may refer to, without warnings and tables.
pub(crate) fn known_names<'w, G: Vocabulary>(
    game: &G,
    features: &'w [Feature],
    numbers: &'w [CandidateNumber],
) -> KnownNames<'w> {
    let info = game.info();
    KnownNames {
        game: info.name,
        kinds: info.kinds,
        features,
        predicates: info.predicates,
        asked: std::array::from_fn(|kind| kind >= info.kinds.len() || game.is_asked(kind)),
        known_predicates: std::array::from_fn(|kind| game.known_predicates(kind)),
        numbers,
        has_chances: G::SHAPE.is_text,
        cautions: &[],
        table: None,
    }
}

/// The denominators of fractions that people read as such: dice of three faces of six have 216.
const MOST_PARTS: i64 = 1000;

/// The value of a feature in the form in which people write it.
pub(crate) fn show_value(feature: &Feature, value: i64) -> String {
    match feature.denominator {
        1 if feature.is_truth => if value == 0 { "no" } else { "yes" }.to_owned(),
        1 => value.to_string(),
        denominator if denominator <= MOST_PARTS => format!("{value}/{denominator}"),
        denominator => format!("{:.4}", value as f64 / denominator as f64),
    }
}

impl<G: Vocabulary> TextPolicy<G> {
    /// Answers that take longer, behind calls so that they do not enlarge the loop of a trial.
    #[cold]
    #[inline(never)]
    pub(crate) fn yes_in_full(&self, game: &G, state: &G::State, question: Question) -> bool {
        match self.by_worth(game, state, question) {
            Some(action) => action == Action::YES,
            None => self.answers[question.kind].yes_in_full(game, state, question),
        }
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn item_in_full(&self, game: &G, state: &G::State, question: Question) -> Action {
        match self.by_worth(game, state, question) {
            Some(action) => action,
            None => self.answers[question.kind].item_in_full(game, state, question),
        }
    }

    /// The answer that follows from the values.
    pub(crate) fn by_worth(&self, game: &G, state: &G::State, question: Question) -> Option<Action> {
        match self.worths.as_ref()? {
            Worths::Rows(table) => table.answer(game, state, question).map(|(action, _)| action),
            Worths::File(file) => file.knows(question.kind).then(|| file.answer(game, *state, question))?,
        }
    }

    /// What the answers to a question are worth for who decides, greater is better, where it knows all values of best play for
    /// the game's first metric; and of how many positions.
    pub fn kept_worths(&self, game: &G, state: G::State, question: Question) -> Option<(Vec<f64>, usize)> {
        let file = self.objective_values(game)?;
        let worths = file.worths(game, state, question)?;
        Some((worths.iter().map(|(_, worth)| worth).collect(), file.positions()))
    }

    /// The value of the game before it begins, for the first seat, where it knows all values as above.
    pub fn kept_value(&self, game: &G) -> Option<f64> {
        self.objective_values(game).map(ValueFile::value)
    }

    /// All values of best play for the game's first metric, if they are known.
    fn objective_values(&self, game: &G) -> Option<&ValueFile<G>> {
        match &self.worths {
            Some(Worths::File(file)) if file.metric == game.metrics()[0].name && file.is_exact() => {
                Some(file)
            }
            _ => None,
        }
    }

    /// Why it answers as it does, if its answer follows from values.
    pub fn reason_by_worth(&self, game: &G, state: &G::State, question: Question) -> Option<String> {
        let (worth, whose) = match self.worths.as_ref()? {
            Worths::Rows(table) => (table.answer(game, state, question)?.1, ""),
            Worths::File(file) if !file.knows(question.kind) => return None,
            Worths::File(file) if game.seats() > 1 => (file.worth(game, *state, question)?, " for seat 1"),
            Worths::File(file) => (file.worth(game, *state, question)?, ""),
        };
        let metric = match self.worths.as_ref()? {
            Worths::Rows(_) => None,
            Worths::File(file) => game.metrics().iter().find(|metric| metric.name == file.metric),
        };
        let worth = worth / metric.map_or(1.0, |metric| f64::from(metric.whole()));
        Some(format!("the best in the table: worth {worth:.4}{whose}"))
    }
}
