//! Games of random answers, and the questions that they come to: what they tell of a game nobody has to write down.

use stopwise_engine::chance::{Chance, bounded};
use stopwise_engine::game::{Node, Question};
use stopwise_engine::stream::{Keys, WordSource};

use crate::op::{Program, SiteForm};
use crate::state::State;

/// The games that are played, and the rolls and questions of all of them: whichever is over first.
const GAMES: u64 = 1_000;
const STEPS: u64 = 100_000;
/// The most questions that are looked at.
const QUESTIONS: usize = 4_000;

/// The games that were played, and the positions of their questions, as they came.
#[derive(Debug)]
pub(crate) struct Met {
    pub(crate) games: u64,
    pub(crate) questions: Vec<(State, Question)>,
}

impl Met {
    pub(crate) fn new(program: &Program) -> Self {
        let (keys, answers) = (Keys::new(1), Keys::new(2));
        let mut questions = Vec::new();
        let (mut games, mut left) = (0, STEPS);
        while games < GAMES && left > 0 && questions.len() < QUESTIONS {
            let mut words = keys.streams(games, program.seats);
            let mut answer = answers.stream(games, 0);
            let mut node = program.first(&mut ());
            loop {
                left = left.saturating_sub(1);
                node = match node {
                    Node::Chance(state, seat, throw) => {
                        program.rolled(&state, throw.sample(words.word(seat)), &mut ())
                    }
                    Node::Decision(state, question) => {
                        debug_assert!(matches!(program.sites[state.stop()].form, SiteForm::Ask(_)));
                        questions.push((state, question));
                        let number = bounded(answer.word(0), question.actions.count());
                        let action = question
                            .actions
                            .iter()
                            .nth(number as usize)
                            .unwrap_or_else(|| question.actions.first());
                        program.answered(&state, action.index(), &mut ())
                    }
                    Node::Terminal(_) => break,
                };
                if left == 0 {
                    break;
                }
            }
            games += 1;
        }
        Self { games, questions }
    }
}
