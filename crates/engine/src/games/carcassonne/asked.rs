//! Which decisions the rules ask in a position.

use super::graph::FRESH;
use super::{Carcassonne, PLACE, STOP};
use crate::vocabulary::Position;

impl Carcassonne {
    /// Whether the question is asked there; what is asked instead if not.
    pub(super) fn is_asked_in(&self, (state, question): Position<Self>) -> Result<(), String> {
        match question.kind {
            PLACE if question.actions.is_single() => {
                Err("shown=…: none of these dice can be placed, so that nothing is decided about them".into())
            }
            PLACE => Ok(()),
            STOP if state.rolls == self.rolls => Err(format!(
                "decision=stop: after roll {} of {} the turn is over; write rolls=… with those before",
                state.rolls, self.rolls
            )),
            STOP => Ok(()),
            _ if !self.keeping => Err("decision=keep: under these rules no knight is kept".into()),
            _ if state.knights < self.knights_needed => Err(format!(
                "decision=keep: a knight is kept with {} knights; write knights={0}",
                self.knights_needed
            )),
            _ if state.city != FRESH => {
                Err("decision=keep: the turn is over, and a city that is open is gone; leave city= out"
                    .into())
            }
            _ => Ok(()),
        }
    }
}
