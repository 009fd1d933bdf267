//! In which positions the rules ask somebody.

use super::Freeze;
use super::state::{CHOSEN, FROZEN, ONE_SIX, SEEN, SEVEN, State, seats};
use crate::game::Seat;
use crate::vocabulary::{Position, seats_in_words};

impl Freeze {
    /// Whether all who are to be asked are, and by the counters that the game has; what is wrong if not.
    pub(super) fn is_asked_in(&self, (state, _): Position<Self>) -> Result<(), String> {
        if !self.freezing {
            return Err("under these rules nobody can freeze a six, so that nothing is decided".into());
        }
        let (asked, chosen, frozen) = (state.lane(ONE_SIX), state.lane(CHOSEN), state.lane(FROZEN));
        let unseen = self.everybody() & !state.lane(SEEN);
        let waiting = all_where(self, |seat| state.wait(seat) > 0);
        let broke = all_where(self, |seat| state.counters(seat) == 0);
        let refused = [
            ((asked | chosen) & broke, "no counter to put on a six, and is not asked", "counters"),
            ((asked | chosen) & frozen, "a frozen six already, and is not asked", "frozen"),
            ((asked | chosen) & unseen, "not rolled, and is not asked", "not_rolled"),
            ((asked | chosen) & waiting, "to wait, and is not asked", "waits"),
            (asked & chosen, "answered already", "freezing"),
            (state.lane(SEVEN) & unseen, "not rolled, and shows no seven", "not_rolled"),
        ];
        if let Some((who, why, part)) = refused.iter().find(|(who, ..)| *who != 0) {
            let seat = who.trailing_zeros() as Seat;
            return Err(format!("{part}=…: {} has {why}", seats_in_words([seat])));
        }
        if let Some(late) = seats(chosen).find(|seat| *seat > state.decider()) {
            let (late, first) = (seats_in_words([late]), seats_in_words([state.decider()]));
            return Err(format!("freezing=…: {late} has not answered yet, because {first} is asked before"));
        }
        self.are_counters_right(&state)
    }

    fn are_counters_right(&self, state: &State) -> Result<(), String> {
        if state.bank() == 0 && !self.doubles_count(state.step()) {
            return Err("the bank is empty, and the game over; write bank=… with what it has".into());
        }
        let held: u32 = seats(self.everybody()).map(|seat| u32::from(state.counters(seat))).sum();
        let (there, all) =
            (held + u32::from(state.bank()) + u32::from(state.stakes()), u32::from(self.counters()));
        match there == all {
            true => Ok(()),
            false => Err(format!(
                "the game has {all} counters, and the places together have {there}: the players, the bank, and frozen sixes"
            )),
        }
    }
}

/// The seats of which something is so.
fn all_where(rules: &Freeze, is_so: impl Fn(Seat) -> bool) -> u64 {
    seats(rules.everybody()).filter(|seat| is_so(*seat)).fold(0, |all, seat| all | 1 << seat)
}
