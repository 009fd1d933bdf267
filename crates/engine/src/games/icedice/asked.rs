//! Which decisions the rules ask in a position.

use super::state::State;
use super::{IceDice, STOP, TAKE, VICTIM};
use crate::chance::Chance as _;
use crate::game::{Game as _, Node, NodeOf, Question};
use crate::games::pyramids::{Dice, is_offered, kinds_in_words, pieces};
use crate::vocabulary::Position;

impl IceDice {
    /// Whether the question is asked there; what is wrong if not.
    pub(super) fn is_asked_in(&self, (state, question): Position<Self>) -> Result<(), String> {
        let winner = (0..self.seats()).find(|seat| self.vault(&state, *seat).trios() >= self.trios.into());
        if let Some(seat) = winner {
            return Err(format!("seat {} has {} trios in the vault and has won", seat + 1, self.trios));
        }
        match question.kind {
            TAKE => is_offered(question.actions, self.after_rolls(state).filter_map(offered)),
            VICTIM => self.is_victim_asked(&state),
            _ if state.counter() != 0 || self.after_rolls(state).any(|node| asks(&node, STOP)) => Ok(()),
            _ => Err("decision=stop: nothing was taken yet; write counter=… with what was".into()),
        }
    }

    fn after_rolls(&self, state: State) -> impl Iterator<Item = NodeOf<Self>> {
        let rolls = Dice { colours: 5 }.outcomes();
        rolls.map(move |(roll, _)| self.resolve(state, roll, &mut ()))
    }

    fn is_victim_asked(&self, state: &State) -> Result<(), String> {
        let stolen = state.stolen();
        let piece = kinds_in_words(stolen, "or");
        if self.players == 2 {
            return Err("decision=victim: with two players nobody is asked from whom".into());
        }
        if stolen & state.bank().any() != 0 {
            return Err(format!(
                "stealing=…: the bank has {piece}, so that it is not stolen; say what the bank has"
            ));
        }
        match (0..5)
            .map(pieces::of_colour)
            .any(|colour| colour & stolen != 0 && colour & state.counter() != 0)
        {
            true => Err(format!("stealing=…: the counter has a piece of the colour of {piece}")),
            false => Ok(()),
        }
    }
}

fn asks(node: &NodeOf<IceDice>, kind: usize) -> bool {
    matches!(node, Node::Decision(_, question) if question.kind == kind)
}

/// What can be taken after a roll.
fn offered(node: NodeOf<IceDice>) -> Option<crate::game::Actions> {
    match node {
        Node::Decision(_, Question { kind: TAKE, actions, .. }) => Some(actions),
        _ => None,
    }
}
