//! Which decisions the rules ask in a position.

use super::{Carbonite, MARK, TAKE, VaultMatch};
use crate::chance::Chance as _;
use crate::game::{Game as _, Node, Question};
use crate::games::pyramids::{Dice, is_offered};
use crate::vocabulary::Position;

impl Carbonite {
    /// Whether the question is asked there; what is wrong if not.
    pub(super) fn is_asked_in(&self, (state, question): Position<Self>) -> Result<(), String> {
        let from_vault = state.is_from_vault();
        match question.kind {
            MARK if state.counter != 0 => {
                Err("decision=mark begins a turn, when the counter is empty; leave counter= out".into())
            }
            MARK => Ok(()),
            TAKE => {
                let rolls = Dice { colours: self.colours }.outcomes();
                let nodes = rolls.map(|(roll, _)| self.resolve(state, roll, &mut ()));
                let offers = nodes.filter_map(|node| match node {
                    Node::Decision(_, Question { kind: TAKE, actions, .. }) => Some(actions),
                    _ => None,
                });
                is_offered(question.actions, offers)
            }
            _ if state.counter == 0 => {
                Err("decision=stop: nothing was taken yet; write counter=… with what was".into())
            }
            _ => match self.vault_match {
                VaultMatch::NoMatch if from_vault => {
                    Err("from_vault=yes: under these rules nothing is taken from the vault".into())
                }
                VaultMatch::ForcedRoll if from_vault => Err(
                    "from_vault=yes: under these rules who takes a piece of the vault rolls again and is not asked".into(),
                ),
                _ => Ok(()),
            },
        }
    }
}
