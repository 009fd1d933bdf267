//! `IceDice` by Andy Looney: a race of two to four players for trios of [pyramids](super::pyramids), with one Vault a
//! player, and theft.
//!
//! The state has six words. Four hold the Vaults, beginning with that of the seat to play and then in turn order, and
//! one holds the Bank, each as four bit planes (see [`stack`](super::pyramids::stack)). Nothing is indexed by seat, so
//! that a trial keeps the whole state in registers:
//!
//! ```text
//! own:u64   next:u64   after:u64   last:u64   bank:u64   seat:u16 turn:u16 stolen:u16 counter:u16
//! ```
//!
//! A piece to take is its bit in a plane, whatever its origin: it comes from the Bank if the Bank has one. A victim is
//! a bit as well: bit *n* is the seat *n* + 1 places after the thief.

mod asked;
pub mod lanes;
pub mod piles;
mod places;
mod prose;
mod rules;
mod state;
mod steps;
mod words;

pub use rules::{Copies, IceDice, NoChoice};
pub use state::State;

use super::pyramids::pieces::{self, Types};
use super::pyramids::{Dice, Roll};
use crate::game::{
    Action, AnswerForm, Ending, Event, Events, Game, Info, Kind, MAX_METRICS, Metric, NodeOf, Seat, Shape,
};

/// Index of the kind of decision: which piece to take after a roll.
pub const TAKE: usize = 0;
/// Index of the kind of decision: whom to steal from, if several opponents have the piece.
pub const VICTIM: usize = 1;
/// Index of the kind of decision: whether to stop.
pub const STOP: usize = 2;

const STEAL: Event = Event::own(0);

/// Up to this cap the exact walk keeps the number of the turn in its states. A larger cap is a safety net that sensible
/// play does not reach, and the walk ignores it.
pub const EXACT_TURN_CAP: u16 = 1000;

/// The indices of the metrics.
mod metric {
    pub(super) const WIN: usize = 0;
    pub(super) const TURNS: usize = 1;
    pub(super) const ROLLS: usize = 2;
    pub(super) const BUSTS: usize = 3;
    pub(super) const STEALS: usize = 4;
    pub(super) const TRIOS: usize = 5;
}

const METRICS: &[Metric] = &[
    Metric::WIN,
    Metric::count("turns", "turns", "turns of the seat", Event::TURN).less(),
    Metric::count("rolls", "rolls", "rolls of the two dice", Event::ROLL).less(),
    Metric::count("busts", "busts", "turns lost to the dice", Event::BUST).less(),
    Metric::count("steals", "pieces", "pieces stolen, also those lost again in a bust", STEAL),
    Metric::end("trios", "trios", "solid trios in the Vault at the end"),
];

const WON: usize = 0;
const CAPPED: usize = 1;

const ENDINGS: &[Ending] = &[Ending::regular("won", "somebody stopped with enough trios"), Ending::CAPPED];

const INFO: &Info = &Info {
    name: "icedice",
    summary: "IceDice by Andy Looney, for two to four players: a race for trios of pyramids, with theft",
    options: rules::OPTIONS,
    kinds: &[
        Kind {
            name: "take",
            form: AnswerForm::Items,
            actions: 15,
            meaning: "which matching piece goes on the Counter",
        },
        Kind { name: "victim", form: AnswerForm::Items, actions: 3, meaning: "whose piece is stolen" },
        Kind {
            name: "stop",
            form: AnswerForm::YesNo,
            actions: 2,
            meaning: "whether to bring the Counter into the Vault instead of rolling on",
        },
    ],
    predicates: words::PREDICATES,
    metrics: METRICS,
    endings: ENDINGS,
    tabled: &[],
    // A trio takes three turns of one player (a Counter has each colour once): nobody can win before the fifth turn, and
    // three turns of the smallest variant have 508,186 states, 80 times as many as two.
    solvable: &[],
    shared_turns: false,
};

impl Game for IceDice {
    type State = State;
    type Chance = Dice;

    const SHAPE: Shape = Shape::of(INFO, 2, 4).with_keys();

    #[inline(always)]
    fn info(&self) -> &'static Info {
        INFO
    }

    fn seats(&self) -> usize {
        self.players.into()
    }

    fn root(&self, events: &mut impl Events) -> NodeOf<Self> {
        events.event(0, Event::TURN);
        self.roll(State::start(self.copies()))
    }

    #[inline(always)]
    fn decide(&self, state: State, kind: usize, action: Action, events: &mut impl Events) -> NodeOf<Self> {
        #[allow(clippy::cast_possible_truncation, reason = "pieces are 15-bit actions")]
        let piece = action.0 as Types;
        match kind {
            TAKE => self.take(state, piece, events),
            VICTIM => self.rob(state, action, events),
            _ if action == Action::YES => self.stop(state, events),
            _ => self.roll(state),
        }
    }

    #[inline(always)]
    fn resolve(&self, state: State, roll: Roll, events: &mut impl Events) -> NodeOf<Self> {
        events.event(state.seat(), Event::ROLL);
        // No piece has the Atom's colour, so that it never busts.
        if state.counter() & pieces::of_colour(roll.colour) != 0 {
            return self.bust(state, events);
        }
        let wanted = Self::colours_rolled(&state, roll.colour) & pieces::of_sizes(roll.sizes);
        self.choose(state, wanted, events)
    }

    #[inline(always)]
    fn measure(&self, end: State, seat: Seat, values: &mut [u32; MAX_METRICS]) {
        let trios = self.vault(&end, seat).trios();
        // Whoever has enough has stopped with them: before a turn nobody has.
        values[metric::WIN] = u32::from(trios >= u32::from(self.trios));
        values[metric::TRIOS] = trios;
    }

    fn bounds(&self, metric: usize) -> Option<(f64, f64)> {
        let metric = &self.metrics()[metric];
        match metric.name {
            _ if metric.is_win() => Some((0.0, 1.0)),
            "trios" => Some((0.0, (5 * self.copies()).into())),
            "turns" | "busts" => Some((0.0, self.turn_cap.into())),
            _ => None,
        }
    }

    #[inline(always)]
    fn ending(&self, end: State) -> usize {
        if self.is_won(&end) { WON } else { CAPPED }
    }

    /// The turn, then the number of pieces on the Counter. A roll without a choice may lead back to the same state.
    /// Without the number of the turn a whole round may do so, because pieces that were won can be stolen.
    fn stage(&self, state: State) -> u64 {
        if state.turn() == 0 { 0 } else { u64::from(state.turn()) << 3 | u64::from(state.counter_count()) }
    }

    fn forget(&self, mut state: State, keep: u32) -> State {
        if keep & words::MEMORY_TURN == 0 && self.turn_cap > EXACT_TURN_CAP {
            state.now = state.now.without_turn();
        }
        state
    }

    /// Colours are interchangeable, so they are sorted.
    fn canonical(&self, state: State) -> State {
        self.forget(state, 0).with_sorted_colours()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metrics_have_their_numbers() {
        for (number, name) in [
            (metric::WIN, "win"),
            (metric::TURNS, "turns"),
            (metric::ROLLS, "rolls"),
            (metric::BUSTS, "busts"),
            (metric::STEALS, "steals"),
            (metric::TRIOS, "trios"),
        ] {
            assert_eq!(METRICS[number].name, name);
        }
    }
}
