//! The steps of a turn, in the order of the rules: mark, roll, match or bomb out, go on or stop.

use super::state::{COMPLETED, NO_MARKER, NO_MATCH, NO_RETRIBUTION, State, marker_number};
use super::{Carbonite, MARK, Retribution, SOLO, STOP, TAKE, VAULT_MATCH, VaultMatch};
use crate::game::{Actions, Event, Events, Node, NodeOf, Question};
use crate::games::pyramids::Dice;
use crate::games::pyramids::pieces::{self, Types};

/// The size of the piece that turn `turn` takes, 0 to 2.
#[inline]
pub(super) const fn marker_size(turn: u8) -> u32 {
    (turn as u32 - 1) % 3
}

/// The types of the marker's size, for every turn that the state can hold: a table, because every turn asks.
const MARKERS: [Types; 16] = {
    let mut markers = [0; 16];
    let mut turn: u8 = 1;
    while turn < 16 {
        markers[turn as usize] = pieces::of_size(marker_size(turn));
        turn += 1;
    }
    markers
};

impl Carbonite {
    /// Begins the next turn, or ends the game after the last one.
    #[inline(always)]
    pub(super) fn next_turn(&self, state: State, events: &mut impl Events) -> NodeOf<Self> {
        if state.turn == self.turns {
            return state.end(COMPLETED);
        }
        events.event(SOLO, Event::TURN);
        let state = State { turn: state.turn + 1, ..state };
        let question = Self::ask_marker(&state);
        if question.actions.0 == 0 {
            return state.end(NO_MARKER);
        }
        Node::Decision(state.marking(), question)
    }

    /// Asks which piece of the required size marks the turn.
    #[inline(always)]
    pub(super) fn ask_marker(state: &State) -> Question {
        let markers = state.bank.one() & MARKERS[usize::from(state.turn % 16)];
        Question { seat: SOLO, kind: MARK, actions: Actions(markers.into()) }
    }

    /// Takes the marker from the Bank, gives the next smaller one back, and rolls.
    #[inline(always)]
    pub(super) fn mark(&self, state: State, piece: Types) -> NodeOf<Self> {
        let bank = state.bank.without(piece).with(state.marker());
        // What `gives_back` says, read off the piece: a large marker stays out.
        let kept = if state.turn < self.turns { piece & !pieces::of_size(2) } else { 0 };
        self.roll(State { bank, ..state }.marked(marker_number(kept)))
    }

    /// Whether the marker of this turn is given back in the next.
    #[inline(always)]
    pub(super) fn gives_back(&self, turn: u8) -> bool {
        marker_size(turn) < 2 && turn < self.turns
    }

    /// Rolls the dice, from a state without the memory of where the last piece came from.
    #[inline(always)]
    pub(super) fn roll(&self, state: State) -> NodeOf<Self> {
        Node::Chance(state, SOLO, Dice { colours: self.colours })
    }

    /// The piece types that can be matched: from the Bank, or else from the Vault.
    #[inline(always)]
    pub(super) fn matchable(&self, state: &State) -> Types {
        match self.vault_match {
            VaultMatch::NoMatch => state.bank.one(),
            _ => state.bank.one() | state.vault.one(),
        }
    }

    /// Puts one of the candidates on the Counter; the player chooses if there are several.
    #[inline(always)]
    pub(super) fn match_one(state: State, candidates: Types) -> NodeOf<Self> {
        if candidates == 0 {
            return state.end(NO_MATCH);
        }
        Node::Decision(state, Question { seat: SOLO, kind: TAKE, actions: Actions(candidates.into()) })
    }

    /// Puts the piece on the Counter, from the Bank if it has one, else from the Vault.
    #[inline(always)]
    pub(super) fn take(&self, state: State, piece: Types, events: &mut impl Events) -> NodeOf<Self> {
        let counter = state.counter | piece;
        // One branch for all that hangs on the place, because a forced roll needs it anyway.
        let question = Question { seat: SOLO, kind: STOP, actions: Actions::YES_NO };
        if piece & state.bank.one() != 0 {
            return Node::Decision(State { bank: state.bank.without(piece), counter, ..state }, question);
        }
        events.event(SOLO, VAULT_MATCH);
        let state = State { vault: state.vault.without(piece), counter, ..state };
        if self.vault_match == VaultMatch::ForcedRoll {
            return self.roll(state);
        }
        Node::Decision(state.with_from_vault(true), question)
    }

    /// Moves the Counter to the Vault and ends the turn.
    #[inline(always)]
    pub(super) fn stash(&self, state: State, events: &mut impl Events) -> NodeOf<Self> {
        self.next_turn(State { vault: state.stashed(), counter: 0, ..state.with_from_vault(false) }, events)
    }

    /// Retribution: moves one piece of every type shown to the Chamber, from the Bank or else from the Counter.
    #[inline(always)]
    pub(super) fn bomb_out(&self, state: State, shown: Types, events: &mut impl Events) -> NodeOf<Self> {
        let removable = shown & (state.bank.one() | state.counter);
        let (fails, removed) = match self.retribution {
            Retribution::All => (removable != shown, removable),
            Retribution::Any => (removable == 0, removable),
            Retribution::None => (false, 0),
        };
        if fails {
            events.event(SOLO, Event::BUST);
            return state.end(NO_RETRIBUTION);
        }
        let from_bank = removed & state.bank.one();
        let from_counter = removed & !state.bank.one();
        let state =
            State { bank: state.bank.without(from_bank), counter: state.counter & !from_counter, ..state };
        self.lose_counter(state, events)
    }

    /// Moves the rest of the Counter to the Bank and ends the turn.
    #[inline(always)]
    pub(super) fn lose_counter(&self, state: State, events: &mut impl Events) -> NodeOf<Self> {
        events.event(SOLO, Event::BUST);
        self.next_turn(State { bank: state.bank.with(state.counter), counter: 0, ..state }, events)
    }
}
