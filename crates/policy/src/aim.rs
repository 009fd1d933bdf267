//! Answers to questions for a number: the nearest legal one to an expression.

use stopwise_engine::game::{Action, Question};
use stopwise_engine::vocabulary::{CandidateNumber, Vocabulary};

use crate::expression::check::{Checked, Kind};
use crate::expression::quantity::Quantity;

/// A compiled answer.
#[derive(Clone, Debug)]
pub(crate) struct Aim {
    wanted: Quantity,
    denominator: i64,
    /// The index of the number that is chosen.
    number: usize,
}

impl Aim {
    /// Compiles the expression for questions of a kind.
    pub(crate) fn new<G: Vocabulary>(game: &G, kind: usize, checked: &Checked) -> Self {
        let denominator = match checked.kind {
            Kind::Number(denominator) => denominator,
            Kind::Truth => 1,
        };
        let wanted = Quantity::compile(checked);
        let name = game.info().kinds[kind].name;
        let is_chosen = |number: &CandidateNumber| number.kind == kind && number.number.name == name;
        let number = game.candidate_numbers().iter().position(is_chosen).unwrap_or_default();
        Self { wanted, denominator, number }
    }

    /// The legal action with the nearest number, the first of two that are as near, and whether it is another number than
    /// the one that is wanted, rounded.
    pub(crate) fn nearest<G: Vocabulary>(
        &self,
        game: &G,
        state: &G::State,
        question: Question,
    ) -> (Action, bool) {
        self.nearest_of(game, state, question, |feature| game.feature_in_place(state, feature))
    }

    /// The same where features have these values.
    pub(crate) fn nearest_of<G: Vocabulary>(
        &self,
        game: &G,
        state: &G::State,
        question: Question,
        value: impl Fn(usize) -> i64,
    ) -> (Action, bool) {
        let wanted = i128::from(self.wanted.of(value));
        let parts = i128::from(self.denominator);
        let distance = |action: Action| {
            let number = game.candidate_number(state, action, self.number);
            (i128::from(number) * parts - wanted).abs()
        };
        let nearest = question.actions.iter().map(|action| (distance(action), action)).min();
        let (distance, action) = nearest.unwrap_or((0, question.actions.first()));
        (action, distance * 2 > parts)
    }
}
