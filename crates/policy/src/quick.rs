//! Fast paths: policies that answer every question by a threshold or a plain list, without a fallback. What a line-up
//! needs is determined once; the loop of a trial then contains nothing else.
//!
//! # What text costs
//!
//! `stopwise bench` plays a policy in Rust and the same policy as text alternately. On the reference runner text takes
//! from 2 % less to 9 % more time. The reasons:
//!
//! - What a line-up can answer at once is determined before the first trial, and the loop is compiled for each such form
//!   without a fallback. With the fallback, and its registers, text cost 13 to 20 %.
//! - A condition that turns from no to yes as the feature of the last roll grows is a threshold, known before the dice fall,
//!   so that nothing waits for the look-up. The look-up uses no more of the state than the condition depends on (the fine
//!   row).
//! - A list whose predicates depend only on the candidates' colour is a table over that colour's planes (the candidate key).
//!
//! Tried without gain: a jump per entry, a skip for forced choices, lists padded to one length (all equal or slower),
//! bits instead of bytes in the tables.

use stopwise_engine::game::{Action, AnswerForm, LineupJob, MAX_KINDS, Policy, Question};
use stopwise_engine::vocabulary::Vocabulary;

use crate::answer::{Answer, Full};
use crate::policy::TextPolicy;

impl<G: Vocabulary> Policy<G> for TextPolicy<G> {
    #[inline(always)]
    fn choose(&self, game: &G, state: G::State, question: Question) -> Action {
        let answer = &self.answers[question.kind % MAX_KINDS];
        match game.info().kinds[question.kind].form {
            AnswerForm::YesNo => {
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
            AnswerForm::Items | AnswerForm::Number if answer.is_first => question.actions.first(),
            AnswerForm::Items | AnswerForm::Number if answer.plain_list.is_empty() => {
                let copy = state;
                self.item_in_full(game, &copy, question)
            }
            AnswerForm::Items | AnswerForm::Number => answer.by_list(game, state, question),
        }
    }

    /// A game as text has neither table keys nor candidate keys.
    #[inline(always)]
    fn choose_in_place(&self, game: &G, state: &G::State, question: Question) -> Action {
        if const { !G::SHAPE.is_text } {
            return self.choose(game, *state, question);
        }
        let answer = &self.answers[question.kind % MAX_KINDS];
        match answer.by_bits.answer(game, state) {
            Some(yes) => yes.into(),
            None => self.calculated(game, state, question),
        }
    }

    #[inline(always)]
    fn is_by_chance(&self, kind: usize) -> bool {
        self.answers[kind % MAX_KINDS].drawn.is_some()
    }

    fn draw(&self, game: &G, state: &G::State, question: Question, word: &mut dyn FnMut() -> u32) -> Action {
        let answer = &self.answers[question.kind % MAX_KINDS];
        let Some(drawn) = &answer.drawn else { return self.choose_in_place(game, state, question) };
        let numbers = drawn.draw(word);
        let by_worth = self.by_worth(game, state, question);
        by_worth.unwrap_or_else(|| answer.with_numbers(game, state, question, (drawn, &numbers)))
    }

    fn mix(&self, game: &G, state: &G::State, question: Question) -> Vec<(Action, f64)> {
        let answer = &self.answers[question.kind % MAX_KINDS];
        let (Some(drawn), None) = (&answer.drawn, self.by_worth(game, state, question)) else {
            return vec![(self.choose_in_place(game, state, question), 1.0)];
        };
        let mut mix: Vec<(Action, f64)> = Vec::new();
        drawn.each(|feature| game.feature_in_place(state, feature), &mut |numbers, share| {
            let action = answer.with_numbers(game, state, question, (drawn, numbers));
            match mix.iter_mut().find(|(other, _)| *other == action) {
                Some((_, sum)) => *sum += share,
                None => mix.push((action, share)),
            }
        });
        mix
    }

    fn memory(&self) -> u32 {
        self.memory
    }

    fn with_quickest<J: LineupJob<G>>(lineup: &[&Self], job: J) -> J::Output {
        with_quickest(lineup, job)
    }
}

impl<G: Vocabulary> TextPolicy<G> {
    /// An answer in a game as text that no table has by bits.
    #[inline(never)]
    fn calculated(&self, game: &G, state: &G::State, question: Question) -> Action {
        let answer = &self.answers[question.kind % MAX_KINDS];
        match &answer.full {
            Full::YesNo(condition, _) if self.worths.is_none() && answer.drawn.is_none() => {
                condition.holds(game, state).into()
            }
            Full::YesNo(..) => self.yes_in_full(game, state, question).into(),
            _ if answer.is_first => question.actions.first(),
            _ if answer.plain_list.is_empty() => self.item_in_full(game, state, question),
            _ => answer.by_predicates(game, state, question),
        }
    }
}

/// Yes from a constant column.
const ONE: u8 = 0;
/// Yes from a column that depends on the fine row.
const BY_FINE: u8 = 1;
/// Yes from a column that depends on the row.
const BY_ROW: u8 = 2;
/// Yes from the minimum of a constant and of another constant minus the fine row.
const LESSER: u8 = 3;

/// A policy whose yes/no answers are thresholds of the form `FROM`, and whose lists have no conditions. Without `LISTS`
/// it takes the first item of every question.
struct Quick<'p, G: Vocabulary, const FROM: u8, const LISTS: bool> {
    policy: &'p TextPolicy<G>,
    /// The constants of thresholds that are not tables, for every kind of decision.
    numbers: [(usize, usize); MAX_KINDS],
}

impl<'p, G: Vocabulary, const FROM: u8, const LISTS: bool> Quick<'p, G, FROM, LISTS> {
    fn new(policy: &'p TextPolicy<G>) -> Self {
        let numbers = |answer: &Answer| {
            let table = &answer.by_digest;
            let (one, other) = match FROM {
                ONE => (table.first().unwrap_or(0), 0),
                _ => table.lesser().unwrap_or((0, 0)),
            };
            (one.into(), other.into())
        };
        Self { policy, numbers: policy.answers.each_ref().map(numbers) }
    }
}

impl<G: Vocabulary, const FROM: u8, const LISTS: bool> Policy<G> for Quick<'_, G, FROM, LISTS> {
    #[inline(always)]
    fn choose(&self, game: &G, state: G::State, question: Question) -> Action {
        let answer = &self.policy.answers[question.kind % MAX_KINDS];
        match game.info().kinds[question.kind].form {
            AnswerForm::YesNo => {
                let (digest, table) = (game.digest(state), &answer.by_digest);
                let (one, other) = self.numbers[question.kind % MAX_KINDS];
                let first = match FROM {
                    ONE => one,
                    LESSER => one.min(other.wrapping_sub(game.fine_row(state))),
                    BY_FINE => usize::from(table.by_fine()[game.fine_row(state)]),
                    _ => usize::from(table.rising()[digest.row]),
                };
                Action::from(digest.column >= first)
            }
            AnswerForm::Items | AnswerForm::Number if !LISTS || answer.is_first => question.actions.first(),
            AnswerForm::Items | AnswerForm::Number => answer.by_list(game, state, question),
        }
    }

    fn memory(&self) -> u32 {
        self.policy.memory()
    }
}

/// Runs the job with the fastest form of the line-up.
fn with_quickest<G: Vocabulary, J: LineupJob<G>>(lineup: &[&TextPolicy<G>], job: J) -> J::Output {
    // A game without keys has no thresholds: none of the quick loops is compiled for it.
    if const { !G::SHAPE.has_keys && G::SHAPE.yes_no } {
        return job.run(lineup);
    }
    // Kinds that the game does not have are answered by the first item.
    let all = |form: AnswerForm, holds: fn(&Answer) -> bool| {
        lineup.iter().flat_map(|policy| &policy.answers).filter(|answer| answer.form() == form).all(holds)
    };
    let is_quick = all(AnswerForm::YesNo, |answer| !answer.by_digest.rising().is_empty())
        && all(AnswerForm::Items, |answer| answer.is_first || !answer.plain_list.is_empty())
        && all(AnswerForm::Number, |_| false);
    if !is_quick {
        return job.run(lineup);
    }
    let is_one = all(AnswerForm::YesNo, |answer| answer.by_digest.first().is_some());
    let is_lesser = all(AnswerForm::YesNo, |answer| answer.by_digest.lesser().is_some());
    let is_by_fine = all(AnswerForm::YesNo, |answer| !answer.by_digest.by_fine().is_empty());
    let is_first = all(AnswerForm::Items, |answer| answer.is_first);
    if is_one {
        // Without decisions between items there are no lists to leave out.
        if const { G::SHAPE.items } && !is_first {
            return job.run(&quick::<G, ONE, true>(lineup));
        }
        return job.run(&quick::<G, ONE, false>(lineup));
    }
    match (is_lesser, is_by_fine) {
        (true, _) => job.run(&quick::<G, LESSER, true>(lineup)),
        (_, true) => job.run(&quick::<G, BY_FINE, true>(lineup)),
        _ => job.run(&quick::<G, BY_ROW, true>(lineup)),
    }
}

/// The line-up in this form.
fn quick<'p, G: Vocabulary, const FROM: u8, const LISTS: bool>(
    lineup: &[&'p TextPolicy<G>],
) -> Vec<Quick<'p, G, FROM, LISTS>> {
    lineup.iter().map(|policy| Quick::new(policy)).collect()
}
