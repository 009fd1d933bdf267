//! What the Vault is worth, and what it is multiplied by.

use super::pieces::Planes;
use super::state::{COMPLETED, NO_MARKER};
use super::{Carbonite, Multiplier};

impl Carbonite {
    /// What the pieces in the Vault are worth.
    #[inline(always)]
    pub(super) fn vault_points(&self, vault: Planes) -> u32 {
        let solids = vault.solids();
        let sizes = [vault.count_size(0), vault.count_size(1), vault.count_size(2)];
        let trees = sizes[0].min(sizes[1]).min(sizes[2]);
        let singles = sizes.iter().sum::<u32>() - 3 * trees;
        let base = u32::from(self.points.solid) * solids
            + u32::from(self.points.mixed) * (trees - solids)
            + u32::from(self.points.single) * singles;
        if self.doubling { base << vault.pairs() } else { base }
    }

    /// What the Vault points are multiplied by, given the completed turns and what the markers show.
    #[inline(always)]
    pub(super) fn factor(&self, completed: u32, pips: u32) -> u32 {
        match self.multiplier {
            Multiplier::LastCompleted => completed,
            Multiplier::Pips => pips,
            Multiplier::PipsMinusOne => pips.saturating_sub(1),
            Multiplier::None => 1,
        }
    }
}

/// Completed turns, and what the markers show, of a game that ended in this turn in this way.
#[inline(always)]
pub(super) fn turns_shown(turn: u32, ending: u8) -> (u32, u32) {
    match ending {
        COMPLETED => (turn, turn),
        NO_MARKER => (turn - 1, turn - 1),
        _ => (turn - 1, turn),
    }
}
