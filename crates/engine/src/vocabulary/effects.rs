//! Which answers differ in effect.

use super::Prose;
use crate::game::{Action, Event, Events, Node, Question, Seat};

/// The answers to a question, those of the same effect together: what follows is the same, and so is what happens at once, as
/// of two pairs of dice in either order. Of each the first comes first. Only of games as text: at another table, whoever
/// watches sees more than a state has, such as how a city is built.
pub fn effects<G: Prose>(game: &G, (state, question): (G::State, Question)) -> Vec<Vec<Action>> {
    if !G::SHAPE.is_text {
        return question.actions.iter().map(|action| vec![action]).collect();
    }
    let (mut known, mut effects) = (Vec::new(), Vec::<Vec<Action>>::new());
    for action in question.actions.iter() {
        let mut heard = Heard::default();
        let next = match game.decide(state, question.kind, action, &mut heard) {
            Node::Decision(state, question) => (state, Some(question), None),
            Node::Chance(state, seat, chance) => (state, None, Some((seat, chance))),
            Node::Terminal(end) => (end, None, None),
        };
        let effect = (next, heard.0);
        match known.iter().position(|other| *other == effect) {
            Some(at) => effects[at].push(action),
            None => {
                known.push(effect);
                effects.push(vec![action]);
            }
        }
    }
    effects
}

#[derive(Default)]
struct Heard(Vec<(Seat, Event)>);

impl Events for Heard {
    fn event(&mut self, seat: Seat, event: Event) {
        self.0.push((seat, event));
    }
}
