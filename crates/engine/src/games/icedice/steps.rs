//! The steps of a turn, in the order of the rules: roll, take or bust, go on or stop.

use std::hint::select_unpredictable;

use super::state::State;
use super::{IceDice, NoChoice, STEAL, STOP, TAKE, VICTIM};
use crate::game::{Action, Actions, Event, Events, Node, NodeOf, Question};
use crate::games::pyramids::Dice;
use crate::games::pyramids::pieces::{self, Types};

impl IceDice {
    #[inline(always)]
    pub(super) fn roll(&self, state: State) -> NodeOf<Self> {
        Node::Chance(state, state.seat(), Dice { colours: 5 })
    }

    /// Asks which of the types rolled to take. A type can be taken if the Bank has it or, where the Bank does not, an
    /// opponent.
    #[inline(always)]
    pub(super) fn choose(&self, state: State, wanted: Types, events: &mut impl Events) -> NodeOf<Self> {
        let candidates = wanted & (state.bank.any() | state.places().held_by_others());
        if candidates == 0 {
            return match self.no_choice {
                NoChoice::Skip => Self::ask_to_stop(state),
                NoChoice::Bust => self.bust(state, events),
                NoChoice::Reroll => self.roll(state),
            };
        }
        let actions = Actions(candidates.into());
        Node::Decision(state, Question { seat: state.seat(), kind: TAKE, actions })
    }

    /// Puts the piece on the Counter: from the Bank if it has one, else it is stolen.
    #[inline(always)]
    pub(super) fn take(&self, state: State, piece: Types, events: &mut impl Events) -> NodeOf<Self> {
        let stolen = piece & !state.bank.any();
        if self.players > 2 && stolen != 0 {
            return Self::ask_for_victim(State { now: state.now.stealing(stolen), ..state });
        }
        // The one opponent is no question, and what is not there is not taken away.
        events.event_if(stolen != 0, state.seat(), STEAL);
        Self::ask_to_stop(State {
            bank: state.bank.without(piece),
            next: state.next.without(stolen),
            now: state.now.with_counter(piece),
            ..state
        })
    }

    /// Asks which of the opponents who have the piece loses it, the next seat first.
    #[inline(always)]
    fn ask_for_victim(state: State) -> NodeOf<Self> {
        let actions = Self::victims(&state);
        Node::Decision(state, Question { seat: state.seat(), kind: VICTIM, actions })
    }

    #[inline(always)]
    pub(super) fn victims(state: &State) -> Actions {
        let has =
            |place: usize, bit: u64| if state.others()[place].any() & state.stolen() == 0 { 0 } else { bit };
        Actions(has(0, 1) | has(1, 2) | has(2, 4))
    }

    /// Moves the piece from the victim's Vault to the Counter.
    #[inline(always)]
    pub(super) fn rob(&self, state: State, victim: Action, events: &mut impl Events) -> NodeOf<Self> {
        events.event(state.seat(), STEAL);
        let from = |place: u32| if victim.index() == place { state.stolen() } else { 0 };
        Self::ask_to_stop(State {
            next: state.next.without(from(0)),
            after: state.after.without(from(1)),
            last: state.last.without(from(2)),
            now: state.now.with_counter(state.stolen()).without_stolen(),
            ..state
        })
    }

    #[inline(always)]
    fn ask_to_stop(state: State) -> NodeOf<Self> {
        Node::Decision(state, Question { seat: state.seat(), kind: STOP, actions: Actions::YES_NO })
    }

    /// Moves the Counter to the player's Vault, which wins if it now holds enough trios.
    #[inline(always)]
    pub(super) fn stop(&self, state: State, events: &mut impl Events) -> NodeOf<Self> {
        let state = State { own: state.stashed(), now: state.now.without_counter(), ..state };
        if self.is_won(&state) {
            return Node::Terminal(state);
        }
        self.pass(state, events)
    }

    /// Whether the seat to play has won, if it has just stopped.
    #[inline(always)]
    pub(super) fn is_won(&self, state: &State) -> bool {
        state.own.trios() >= u32::from(self.trios)
    }

    /// Moves the Counter to the Bank and ends the turn.
    #[inline(always)]
    pub(super) fn bust(&self, state: State, events: &mut impl Events) -> NodeOf<Self> {
        events.event(state.seat(), Event::BUST);
        let bank = state.bank.with(state.counter());
        self.pass(State { bank, now: state.now.without_counter(), ..state }, events)
    }

    /// Begins the next seat's turn, unless the cap is reached.
    #[inline(always)]
    fn pass(&self, state: State, events: &mut impl Events) -> NodeOf<Self> {
        if state.turn() == self.turn_cap {
            return Node::Terminal(state);
        }
        let State { own, after, last, .. } = state;
        // Who played becomes the last of the others.
        let (next, after, last) = match self.players {
            2 => (own, after, last),
            3 => (after, own, last),
            _ => (after, last, own),
        };
        let state =
            State { own: state.next, next, after, last, now: state.now.passed(self.players), ..state };
        events.event(state.seat(), Event::TURN);
        self.roll(state)
    }

    /// The types of the colour rolled; for the Atom, all colours except those on the Counter. The number of the Atom is
    /// one that no colour has.
    #[inline(always)]
    pub(super) fn colours_rolled(state: &State, colour: u32) -> Types {
        let one = pieces::of_colour(colour);
        // Nothing foretells the Atom.
        select_unpredictable(one == 0, !pieces::whole_colours(state.counter()), one)
    }
}
