//! Why a game has many states: the variables with most values.

use rustc_hash::FxHashSet;

use crate::mask::Mask;
use crate::op::{Program, Site, SiteForm, Told};
use crate::position::cells_of;
use crate::state::State;

/// What a roll of many dice has shown so far, which has no name.
const ROLL: &str = "a roll of many dice, part by part,";
/// More values than what else has no name, such as whose turn it is.
const FEW: usize = 16;

impl Program {
    /// How many values each variable has in some states, those with most values first.
    pub(crate) fn varied(&self, states: &mut dyn Iterator<Item = State>) -> Vec<(String, usize)> {
        let bits = |told: &Told| -> Mask {
            let cells = told.first..told.first + cells_of(told, self.seats);
            cells.map(|cell| Mask::from(self.places[cell as usize])).collect()
        };
        let named = self.told.iter().filter(|told| !told.name.is_empty());
        let mut varied: Vec<_> = named.map(|told| (told, bits(told), FxHashSet::default())).collect();
        let named = varied.iter().fold(Mask::default(), |all, (_, bits, _)| all | *bits);
        let mut rolls = FxHashSet::default();
        for state in states {
            let site = self.sites.get(state.stop());
            for (_, bits, values) in varied.iter_mut().filter(|(told, ..)| self.is_there(told, site)) {
                values.insert(state & *bits);
            }
            if let Some(Site { form: SiteForm::Roll(_), live, .. }) = site {
                rolls.insert(state & (*live & !named));
            }
        }
        let named = varied.into_iter().map(|(told, _, values)| (format!("`{}`", told.name), values.len()));
        let roll = (rolls.len() > FEW).then(|| (ROLL.to_owned(), rolls.len()));
        let mut varied: Vec<_> = named.chain(roll).collect();
        varied.sort_by_key(|(_, values)| usize::MAX - values);
        varied
    }
}
