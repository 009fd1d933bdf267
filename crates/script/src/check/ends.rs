//! Options at the ends of what they allow: a text promises that it can be played with every value.

use super::random::Met;
use crate::compile::{self, given};
use crate::op::{GameOption, Values};
use crate::problem::{Problem, Span};
use crate::text::GameText;

/// The games that are played with each, and their rolls and questions.
const GAMES: u64 = 50;
const STEPS: u64 = 50_000;

/// Why the rules cannot be read, or cannot go on, with the least or the greatest value of an option, or with one of its words,
/// where all others have their defaults: one problem an option.
pub(super) fn at_ends(text: &GameText) -> Vec<Problem> {
    text.options()
        .iter()
        .filter_map(|option| ends(option).find_map(|value| tried(text, option, value)))
        .collect()
}

/// The values that are tried.
pub(super) fn ends(option: &GameOption) -> impl Iterator<Item = String> {
    let values = match &option.values {
        Values::YesNo => vec!["yes".to_owned(), "no".to_owned()],
        Values::Whole(low, high) => vec![low.to_string(), high.to_string()],
        Values::Numbers(numbers) => numbers.iter().map(i64::to_string).collect(),
        Values::Words(words) => words.clone(),
    };
    values.into_iter().filter(|value| *value != option.value)
}

fn tried(text: &GameText, option: &GameOption, value: String) -> Option<Problem> {
    let when = format!("with {} = {value}", option.name);
    let declared = text.file().options.iter().find(|declared| declared.name.text == option.name);
    let place = declared.map_or(0..0, |declared| declared.name.span.clone());
    match compile::compile(text.file(), &given(text.file(), &[(option.name.clone(), value)])) {
        Err(problems) => problems.into_iter().next().map(|problem| at(problem, &place, &when)),
        Ok(program) => {
            let (_, end) = Met::new(&program, GAMES, STEPS).fault?;
            let failure = program.failure(&end)?;
            let message = format!("{when} the rules cannot go on: {}", failure.in_words(text.text()));
            Some(Problem::new(failure.span, message))
        }
    }
}

/// A problem at its own place, or, without one, at that of the option.
fn at(problem: Problem, place: &Span, when: &str) -> Problem {
    let span = if problem.span.is_empty() { place.clone() } else { problem.span };
    Problem { span, message: format!("{when}: {}", problem.message), ..problem }
}
