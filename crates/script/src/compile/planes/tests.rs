//! Random games with what is calculated for all at once, and the same as they are written: states, questions, events and all
//! that policies read are the same.

#[path = "../../../tests/texts/naive/generate.rs"]
#[allow(dead_code, reason = "other tests use the rest")]
mod generate;
#[path = "../../../tests/texts/naive/rows.rs"]
mod rows;

use stopwise_engine::chance::Chance as _;
use stopwise_engine::game::{Event, Events, Node, Question, Seat};

use crate::compile::{compile, compile_plainly};
use crate::op::Program;
use crate::words::Words;

#[derive(Default, PartialEq, Debug)]
struct Told(Vec<(Seat, usize)>);

impl Events for Told {
    fn event(&mut self, seat: Seat, event: Event) {
        self.0.push((seat, event.index()));
    }
}

/// All that policies read at a question.
fn read(program: &Program, words: &Words, state: &crate::state::State, question: Question) -> Vec<i64> {
    let mut all = Vec::new();
    let stop = state.stop();
    for (number, reading) in program.readings.iter().enumerate() {
        if !reading.at.iter().any(|(site, _)| *site as usize == stop) {
            continue;
        }
        let source = program.source(state, number);
        match reading.kind {
            Some(_) => {
                all.extend(question.actions.iter().map(|action| program.read(state, source, action.index())))
            }
            None => all.push(program.read(state, source, 0)),
        }
    }
    let masks = program.predicates(words, state, question, u32::MAX);
    all.extend(masks.iter().map(|mask| mask.cast_signed()));
    all
}

/// Plays both side by side, and answers at random.
fn beside(text: &str, games: u64) -> Option<bool> {
    let file = crate::read(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let (with, plain) = match (compile(&file, &[]), compile_plainly(&file, &[])) {
        (Ok(with), Ok(plain)) => (with, plain),
        (with, plain) => {
            assert!(with.is_err() && plain.is_err(), "{text}");
            return None;
        }
    };
    let [(words, _), (plain_words, _)] = [&with, &plain].map(Words::new);
    let mut random = generate::Random(0x2545_f491_4f6c_dd1d);
    for _ in 0..games {
        let (mut told, mut plainly_told) = (Told::default(), Told::default());
        let (mut node, mut plain_node) = (with.first(&mut told), plain.first(&mut plainly_told));
        for _ in 0..300 {
            assert_eq!(node, plain_node, "{text}");
            assert_eq!(told, plainly_told, "{text}");
            (node, plain_node) = match node {
                Node::Terminal(state) => {
                    for seat in 0..with.seats {
                        assert_eq!(with.measured(&state, seat), plain.measured(&state, seat), "{text}");
                    }
                    break;
                }
                Node::Chance(state, _, throw) => {
                    let outcomes: Vec<_> = throw.outcomes().collect();
                    let shown = outcomes[random.below(outcomes.len())].0;
                    (with.rolled(&state, shown, &mut told), plain.rolled(&state, shown, &mut plainly_told))
                }
                Node::Decision(state, question) => {
                    let values = read(&with, &words, &state, question);
                    assert_eq!(values, read(&plain, &plain_words, &state, question), "{text}\n{state:?}");
                    let actions: Vec<_> = question.actions.iter().collect();
                    let action = actions[random.below(actions.len())].index();
                    (
                        with.answered(&state, action, &mut told),
                        plain.answered(&state, action, &mut plainly_told),
                    )
                }
            };
        }
    }
    Some(with.code.steps.len() != plain.code.steps.len())
}

#[test]
fn games_of_rows_are_the_same() {
    let other: Vec<bool> = (0..300).filter_map(|seed| beside(&rows::game(seed), 6)).collect();
    let many = other.iter().filter(|is_other| **is_other).count();
    assert!(many >= 200, "{many} of {} have something that is calculated for all at once", other.len());
}
