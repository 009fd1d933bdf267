//! What others see of a program and of its states.

use crate::mask::Mask;
use crate::op::{Program, Site, Term};
use crate::state::{STOP, State, WORDS, index};

impl Program {
    /// The number of instructions, and of the words that a state uses.
    pub fn size(&self) -> (usize, usize) {
        (self.ops.len(), self.words)
    }

    /// The options with the values for which it was compiled.
    pub fn options(&self) -> impl Iterator<Item = (&str, &str)> {
        self.options.iter().map(|option| (&*option.name, &*option.value))
    }

    /// The seats that play.
    pub fn seats(&self) -> usize {
        self.seats
    }

    /// What a number of this program may be read as: the names and unit of everything that policies can read.
    pub fn readings(&self) -> impl Iterator<Item = (&str, &str, &str)> {
        let shown = self.readings.iter().filter(|reading| !reading.is_hidden());
        shown.map(|reading| (&*reading.name, &*reading.unit, &*reading.meaning))
    }

    /// The state as the player sees it who is asked.
    pub(crate) fn seen(&self, state: State) -> State {
        self.sites.get(state.stop()).map_or(state, |site| state & !site.hidden)
    }

    /// The state without what only policies read, but for these kinds of memory and what they read of candidates.
    pub(crate) fn forget(&self, state: State, keep: u32) -> State {
        let Some(site) = self.sites.get(state.stop()) else { return state };
        let kinds = site.kept.iter().enumerate().filter(|(kind, _)| keep >> kind & 1 == 1);
        let kept: Mask = kinds.map(|(_, mask)| *mask).collect();
        state & (self.position(&state, site) | kept | site.of_candidates)
    }

    /// The state without what only policies read.
    pub(crate) fn without_memory(&self, state: State) -> State {
        self.sites.get(state.stop()).map_or(state, |site| state & self.position(&state, site))
    }

    /// The bits of a position: the stop, what the rules read, and what is told of a question.
    pub(crate) fn position(&self, state: &State, site: &Site) -> Mask {
        let mut mask = *self.played(state, site) | Mask::first(STOP);
        if self.words < WORDS {
            mask.0[WORDS - 1] = u64::MAX;
        }
        mask
    }

    /// What the rules read of a state at a stop.
    fn played<'s>(&self, state: &State, site: &'s Site) -> &'s Mask {
        let time = self.clock.map_or(0, |clock| self.places[clock as usize].of(&state.0));
        &site.played[index(time.cast_signed()).min(site.played.len() - 1)]
    }

    /// A number that no step lowers.
    pub(crate) fn stage(&self, state: &State) -> u64 {
        let Some(site) = self.sites.get(state.stop()) else { return u64::MAX };
        let played = self.played(state, site);
        let term = |term: &Term| {
            let value = term.place.of(&state.0);
            let value = if term.falls { term.most.saturating_sub(value) } else { value };
            let is_read = term.place.of(&played.0) == term.place.mask();
            term.times * if is_read { value } else { term.most }
        };
        // In the setup it is nobody's turn yet, so that the turn tells nothing.
        let is_after = self.setup_sites > 0 && state.stop() >= self.setup_sites;
        self.stages.iter().fold(u64::from(is_after), |number, stage| {
            let sum: u64 =
                if stage.terms.is_empty() { site.rank } else { stage.terms.iter().map(term).sum() };
            number * stage.radix + sum.min(stage.radix - 1)
        })
    }
}
