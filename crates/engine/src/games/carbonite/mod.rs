//! `CarboniteDice` by Fogus: solo, ten turns, thirty pyramids, and dice that take as well as give.
//!
//! The state is twelve bytes of bit planes (see [`pieces`]), so that a match, a bomb-out, a
//! stash and the scoring are a few `and`, `or` and shift operations:
//!
//! ```text
//! bank    one:u16 two:u16   vault  one:u16 two:u16   counter:u16   turn:u8   tail:u8
//! tail    bits 0–3  the marker that will be given back, as a bit number of its piece type; 15: none
//!         bits 4–6  the ending of a terminal state; 7 while the turn's marker is being chosen
//!         bit  7    the last piece came from the Vault and the player may still stop (`vault_match = "free"`)
//! ```
//!
//! The pieces in the Chamber and the large markers that are out are not stored: they never come back, and their number
//! follows from the rest.
//!
//! An action *is* a piece: a bit of the planes. A preference list over pieces is a few `and` operations, and the exact
//! walk, the replay and text policies need no action type of this game's own.

mod asked;
pub mod lanes;
mod places;
mod prose;
mod rules;
mod score;
mod state;
mod steps;
mod words;

pub use rules::{Atom, Carbonite, Multiplier, Points, Retribution, VaultMatch};
pub use state::State;

use super::pyramids::pieces::{self, Types};
use super::pyramids::piles::Planes;
use super::pyramids::{Dice, Roll};
use crate::game::{
    Action, AnswerForm, Ending, Event, Events, Game, Info, Kind, MAX_METRICS, Metric, NodeOf, Question, Seat,
    Shape, Solvable,
};

/// Index of the kind of decision: which colour of marker to take.
pub const MARK: usize = 0;
/// Index of the kind of decision: which piece to take after a roll.
pub const TAKE: usize = 1;
/// Index of the kind of decision: whether to stop.
pub const STOP: usize = 2;

const VAULT_MATCH: Event = Event::own(0);
/// The only seat.
const SOLO: Seat = 0;

/// The numbers of the metrics.
mod metric {
    pub(super) const SCORE: usize = 0;
    pub(super) const VAULT: usize = 1;
    pub(super) const SOLIDS: usize = 2;
    pub(super) const PAIRS: usize = 3;
    pub(super) const TURNS: usize = 4;
    pub(super) const COMPLETED: usize = 5;
    pub(super) const ROLLS: usize = 6;
    pub(super) const BUSTS: usize = 7;
    pub(super) const VAULT_MATCHES: usize = 8;
}

const METRICS: &[Metric] = &[
    Metric::end("score", "points", "Vault points times the multiplier"),
    Metric::end("vault", "points", "Vault points at the end"),
    Metric::end("solids", "trees", "solid trees in the Vault at the end"),
    Metric::end("pairs", "colours", "colours with two solid trees in the Vault at the end"),
    Metric::count("turns", "turns", "the turn in which the game ended", Event::TURN),
    Metric::end("completed", "turns", "completed turns"),
    Metric::count("rolls", "rolls", "rolls of the two dice", Event::ROLL),
    Metric::count("busts", "busts", "bomb-outs", Event::BUST).less(),
    Metric::count("vault_matches", "matches", "matches taken from the Vault", VAULT_MATCH),
];

const ENDINGS: &[Ending] = &[
    Ending::regular("completed", "all turns were played"),
    Ending::early("no_marker", "the Bank had no piece to mark the turn with"),
    Ending::early("no_retribution", "a bomb-out could not remove what it must"),
    Ending::early("no_match", "nothing could be matched"),
];

/// Chance states of the published rules with three colours that `solve --set colours=3` found before it was stopped.
const THREE_COLOURS: usize = 40_008_144;

const INFO: &Info = &Info {
    name: "carbonite",
    summary: "CarboniteDice by Fogus: solo, ten turns, thirty pyramids, dice that take as well as give",
    options: rules::OPTIONS,
    kinds: &[
        Kind {
            name: "mark",
            form: AnswerForm::Items,
            actions: 15,
            meaning: "which piece of the Bank marks the turn",
        },
        Kind {
            name: "take",
            form: AnswerForm::Items,
            actions: 15,
            meaning: "which matching piece goes on the Counter",
        },
        Kind {
            name: "stop",
            form: AnswerForm::YesNo,
            actions: 2,
            meaning: "whether to stash the Counter instead of rolling on",
        },
    ],
    predicates: words::PREDICATES,
    metrics: METRICS,
    endings: ENDINGS,
    tabled: &[],
    solvable: &[
        Solvable { options: "--set colours=2 --set turns=3", states: 4_775, seconds: 0.02 },
        Solvable { options: "--set colours=3 --set copies=1", states: 43_861, seconds: 0.09 },
        Solvable { options: "--set colours=2", states: 261_527, seconds: 0.5 },
        Solvable { options: "--set colours=4 --set copies=1", states: 886_773, seconds: 3.5 },
    ],
    shared_turns: false,
};

impl Game for Carbonite {
    type State = State;
    type Chance = Dice;

    const SHAPE: Shape = Shape::of(INFO, 1, 1).with_keys();

    #[inline(always)]
    fn info(&self) -> &'static Info {
        INFO
    }

    /// With three colours the walk was stopped after 40 million states. More colours and more turns only add states:
    /// every path of the smaller game is a path of the larger one in which the other colours are never rolled. The
    /// scoring options change no position.
    fn states_at_least(&self) -> usize {
        let Self { colours, turns, points, doubling, multiplier, .. } = *self;
        let measured = Self { colours, turns, points, doubling, multiplier, ..Self::WIKI };
        let is_larger = colours >= 3 && turns >= Self::WIKI.turns;
        if *self == measured && is_larger { THREE_COLOURS } else { 0 }
    }

    fn seats(&self) -> usize {
        1
    }

    fn root(&self, events: &mut impl Events) -> NodeOf<Self> {
        let types = (1 << (3 * self.colours)) - 1;
        self.next_turn(State::start(Planes::filled(types, self.copies)), events)
    }

    #[inline(always)]
    fn decide(&self, state: State, kind: usize, action: Action, events: &mut impl Events) -> NodeOf<Self> {
        #[allow(clippy::cast_possible_truncation, reason = "pieces are 15-bit actions")]
        let piece = action.0 as Types;
        match kind {
            MARK => self.mark(state, piece),
            TAKE => self.take(state, piece, events),
            _ if action == Action::YES => self.stash(state, events),
            _ => self.roll(state.with_from_vault(false)),
        }
    }

    #[inline(always)]
    fn resolve(&self, state: State, roll: Roll, events: &mut impl Events) -> NodeOf<Self> {
        events.event(SOLO, Event::ROLL);
        let is_atom = roll.colour == u32::from(self.colours);
        if is_atom && self.atom != Atom::Choice {
            return match self.atom {
                Atom::Reroll => self.roll(state),
                _ => self.lose_counter(state, events),
            };
        }
        // No piece has the Atom's colour, so that it never bombs out.
        let colour = pieces::of_colour(roll.colour);
        let sizes = pieces::of_sizes(roll.sizes);
        if state.counter & colour != 0 {
            return self.bomb_out(state, colour & sizes, events);
        }
        let wanted = if is_atom { !pieces::whole_colours(state.counter) } else { colour } & sizes;
        Self::match_one(state, wanted & self.matchable(&state))
    }

    #[inline(always)]
    fn measure(&self, end: State, _: Seat, values: &mut [u32; MAX_METRICS]) {
        let (completed, pips) = score::turns_shown(end.turn(), end.ending());
        let vault = self.vault_points(end.vault);
        values[metric::SCORE] = vault * self.factor(completed, pips);
        values[metric::VAULT] = vault;
        values[metric::SOLIDS] = end.vault.trios();
        values[metric::PAIRS] = end.vault.pairs();
        values[metric::COMPLETED] = completed;
    }

    /// The Vault points if this turn is the last.
    #[inline]
    fn score_so_far(&self, state: State) -> u32 {
        self.score_if_ended(&state)
    }

    #[inline(always)]
    fn ending(&self, end: State) -> usize {
        usize::from(end.ending())
    }

    /// Every roll but a rerolled Atom ends the turn or adds a piece to the Counter.
    #[inline]
    fn stage(&self, state: State) -> u64 {
        let step = if state.is_marking() { 0 } else { 1 + state.counter_count() };
        u64::from(state.turn) << 3 | u64::from(step)
    }

    /// Every way to end a turn leads to the choice of the next marker.
    fn ask_again(&self, state: State, kind: usize) -> Option<Question> {
        (kind == MARK).then(|| Self::ask_marker(&state))
    }

    fn forget(&self, state: State, keep: u32) -> State {
        if keep & words::MEMORY_FROM_VAULT == 0 { state.with_from_vault(false) } else { state }
    }

    /// Colours are interchangeable, so they are sorted.
    #[inline(always)]
    fn canonical(&self, state: State) -> State {
        state.with_sorted_colours()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metrics_have_their_numbers() {
        for (number, name) in [
            (metric::SCORE, "score"),
            (metric::VAULT, "vault"),
            (metric::SOLIDS, "solids"),
            (metric::PAIRS, "pairs"),
            (metric::TURNS, "turns"),
            (metric::COMPLETED, "completed"),
            (metric::ROLLS, "rolls"),
            (metric::BUSTS, "busts"),
            (metric::VAULT_MATCHES, "vault_matches"),
        ] {
            assert_eq!(METRICS[number].name, name);
        }
    }
}
