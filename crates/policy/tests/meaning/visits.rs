//! The decisions that random play reaches.

use std::collections::HashSet;

use stopwise_engine::chance::{Chance, bounded};
use stopwise_engine::game::{Action, AnswerForm, Game, Node, Question};
use stopwise_engine::stream::{Keys, WordSource};

/// Enough to be everywhere, few enough to be quick.
const MOST: usize = 3000;

/// Different decisions of many trials. Trials with a low number are bold, those with a high one cautious.
pub(crate) fn visits<G: Game>(game: &G) -> Vec<(G::State, Question)> {
    let (dice, choices) = (Keys::new(1), Keys::new(2));
    let mut seen = HashSet::new();
    let mut visits = Vec::new();
    for trial in 0..200 {
        let mut dice = dice.streams(trial, game.seats());
        let mut choices = choices.stream(trial, 0);
        let mut node = game.root(&mut ());
        // A trial may be endless where nobody stops; a part of it does.
        for _ in 0..500 {
            node = match node {
                Node::Terminal(_) => break,
                Node::Chance(state, seat, chance) => {
                    game.resolve(state, chance.sample(dice.word(seat)), &mut ())
                }
                Node::Decision(state, question) => {
                    if seen.insert((state, question.kind)) {
                        visits.push((state, question));
                    }
                    let word = choices.word(0);
                    let action = match game.info().kinds[question.kind].form {
                        AnswerForm::YesNo => Action::from(u64::from(bounded(word, 200)) < trial),
                        AnswerForm::Items | AnswerForm::Number => {
                            let chosen = bounded(word, question.actions.count()) as usize;
                            question.actions.iter().nth(chosen).expect("one of them")
                        }
                    };
                    game.decide(state, question.kind, action, &mut ())
                }
            };
        }
        if visits.len() >= MOST {
            break;
        }
    }
    visits
}
