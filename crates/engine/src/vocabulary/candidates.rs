//! What policies may read of candidates, as columns that are the same for every kind of decision: for callers that look at
//! all candidates at once.

use std::fmt::Debug;

use super::{Feature, Vocabulary};
use crate::game::{Action, AnswerForm, MAX_KINDS, Question};

/// What policies may read of a candidate under one name: a predicate, as 1 or 0, or a number. Kinds of decision in which the
/// name means nothing have 0.
#[derive(Clone, Debug, PartialEq)]
pub struct CandidateColumn {
    /// Its name in a policy file.
    pub name: &'static str,
    /// Its meaning: a noun phrase, or of a predicate what follows "a candidate that".
    pub meaning: &'static str,
    /// The least and the greatest value under these rules, or 0 if that is beyond them.
    pub range: (f64, f64),
    /// Where it comes from, by kind of decision.
    sources: [Option<Source>; MAX_KINDS],
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Source {
    Predicate(usize),
    /// The index of a number, and its denominator.
    Number(usize, f64),
}

/// The columns of a game: its predicates, then the numbers of candidates, each in the game's order.
pub fn candidate_columns<G: Vocabulary>(game: &G) -> Vec<CandidateColumn> {
    let info = game.info();
    let mut columns: Vec<CandidateColumn> = Vec::new();
    let mut add = |name, meaning, range: (f64, f64), kind, source| {
        let place = columns.iter().position(|column| column.name == name).unwrap_or_else(|| {
            columns.push(CandidateColumn { name, meaning, range: (0.0, 0.0), sources: [None; MAX_KINDS] });
            columns.len() - 1
        });
        let column = &mut columns[place];
        column.range = (column.range.0.min(range.0), column.range.1.max(range.1));
        column.sources[kind] = Some(source);
    };
    for (index, predicate) in info.predicates.iter().enumerate() {
        let listed = info.kinds.iter().enumerate().filter(|(_, kind)| kind.form != AnswerForm::YesNo);
        for (kind, _) in listed.filter(|(kind, _)| game.known_predicates(*kind) >> index & 1 == 1) {
            add(predicate.name, predicate.meaning, (0.0, 1.0), kind, Source::Predicate(index));
        }
    }
    #[allow(clippy::cast_precision_loss, reason = "numbers of a game are small")]
    for (index, of_kind) in game.candidate_numbers().iter().enumerate() {
        let number = &of_kind.number;
        let denominator = number.denominator as f64;
        let range = (number.low as f64 / denominator, number.high as f64 / denominator);
        add(number.name, number.meaning, range, of_kind.kind, Source::Number(index, denominator));
    }
    columns
}

/// What is read of a candidate.
#[derive(Clone, Copy, Debug)]
pub struct Candidate<'c> {
    /// The place of its question among those that are read.
    pub question: usize,
    /// The kind of decision.
    pub kind: usize,
    /// The index of its action.
    pub action: usize,
    /// Its values in the columns that are wanted, in their order.
    pub values: &'c [f64],
}

/// Questions whose candidates can be read, now or later, and the variables of their states.
pub trait Candidates: Debug + Send + Sync {
    /// [`candidate_columns`] of the game.
    fn columns(&self) -> &[CandidateColumn];
    /// The most actions that a kind of decision has.
    fn most_actions(&self) -> usize;
    /// Calls `tell` for every candidate of the questions, in order, with its values in the columns `wanted`, given by their indices.
    ///
    /// # Panics
    ///
    /// If there is no such column.
    fn each(&self, wanted: &[usize], tell: &mut dyn FnMut(Candidate<'_>));
    /// [`Vocabulary::variables`] of the game, and their values, a row a question.
    fn variables(&self) -> Option<(Vec<Feature>, Vec<f32>)>;
}

/// Questions of a game in their states; `None` where nothing is asked.
#[derive(Clone, Debug)]
pub(crate) struct Kept<G: Vocabulary> {
    pub(crate) game: G,
    pub(crate) columns: Vec<CandidateColumn>,
    pub(crate) questions: Vec<Option<(G::State, Question)>>,
}

impl<G: Vocabulary> Candidates for Kept<G> {
    fn columns(&self) -> &[CandidateColumn] {
        &self.columns
    }

    fn most_actions(&self) -> usize {
        self.game.info().kinds.iter().map(|kind| usize::from(kind.actions)).max().unwrap_or_default()
    }

    fn variables(&self) -> Option<(Vec<Feature>, Vec<f32>)> {
        let variables = self.game.variables()?;
        let mut values = vec![0.0; self.questions.len() * variables.len()];
        let rows = values.chunks_exact_mut(variables.len().max(1));
        for (row, (state, question)) in
            rows.zip(&self.questions).filter_map(|(row, asked)| Some((row, (*asked)?)))
        {
            self.game.write_variables(&state, question.seat, row);
        }
        Some((variables, values))
    }

    fn each(&self, wanted: &[usize], tell: &mut dyn FnMut(Candidate<'_>)) {
        let mut values = vec![0.0; wanted.len()];
        let asked = self.questions.iter().enumerate();
        for (at, (state, question)) in asked.filter_map(|(at, asked)| Some((at, (*asked)?))) {
            let sources = || wanted.iter().map(|&column| self.columns[column].sources[question.kind]);
            let predicates = sources().fold(0, |predicates, source| match source {
                Some(Source::Predicate(index)) => predicates | 1 << index,
                _ => predicates,
            });
            let masks = if predicates == 0 {
                Default::default()
            } else {
                self.game.predicates_of(state, question, predicates)
            };
            let read = |source, action: Action| match source {
                None => 0.0,
                Some(Source::Predicate(index)) => f64::from(u8::from(masks[index] & action.0 != 0)),
                #[allow(clippy::cast_precision_loss, reason = "numbers of a game are small")]
                Some(Source::Number(index, denominator)) => {
                    self.game.candidate_number(&state, action, index) as f64 / denominator
                }
            };
            for action in question.actions.iter() {
                for (value, source) in values.iter_mut().zip(sources()) {
                    *value = read(source, action);
                }
                tell(Candidate {
                    question: at,
                    kind: question.kind,
                    action: action.index() as usize,
                    values: &values,
                });
            }
        }
    }
}
