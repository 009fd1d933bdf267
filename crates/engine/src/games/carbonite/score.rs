//! The points of the Vault, and their factor.

use super::places::points;
use super::state::{COMPLETED, NO_MARKER, State};
use super::{Carbonite, Multiplier};
use crate::games::pyramids::piles::Planes;

impl Carbonite {
    /// The points of the pieces in the Vault.
    #[inline(always)]
    pub(super) fn vault_points(&self, vault: Planes) -> u32 {
        let (base, pairs) = points(&self.points, vault);
        if self.doubling { base << pairs } else { base }
    }

    /// The factor on the Vault points, given the completed turns and the pips of the markers.
    #[inline(always)]
    pub(super) fn factor(&self, completed: u32, pips: u32) -> u32 {
        match self.multiplier {
            Multiplier::LastCompleted => completed,
            Multiplier::Pips => pips,
            Multiplier::PipsMinusOne => pips.saturating_sub(1),
            Multiplier::None => 1,
        }
    }

    /// The final score if the game ended in this turn.
    #[inline(always)]
    pub(super) fn score_if_ended(&self, state: &State) -> u32 {
        self.vault_points(state.vault) * self.factor(state.turn() - 1, state.turn())
    }
}

/// The completed turns and the pips of the markers, for a game that ended in this turn with this ending.
#[inline(always)]
pub(super) fn turns_shown(turn: u32, ending: u8) -> (u32, u32) {
    match ending {
        COMPLETED => (turn, turn),
        NO_MARKER => (turn - 1, turn - 1),
        _ => (turn - 1, turn),
    }
}
