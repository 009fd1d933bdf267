//! The steps of a turn, in the order of the rules: roll, pass catapults on, place dice, roll again or stop, score.

use super::dice::{KNIGHT, Shown};
use super::graph::FRESH;
use super::rules::NineCatapults;
use super::state::State;
use super::{
    ALL_CATAPULTS, CAPPED, CITY, Carcassonne, DONE, DOUBLED, GOAL, KEEP, KNIGHT_ASIDE, KNIGHT_KEPT,
    NINE_CATAPULTS, NO_CITY, PLACE, PLAYED, STOP,
};
use crate::game::{Action, Actions, Event, Events, Node, NodeOf, Question};

impl Carcassonne {
    /// Begins a turn: the player has all dice except the knights that others keep.
    #[inline(always)]
    pub(super) fn begin_turn(&self, state: State, events: &mut impl Events) -> NodeOf<Self> {
        events.event(state.seat(), Event::TURN);
        if state.is_doubled() {
            events.event(state.seat(), DOUBLED);
        }
        let held = (state.kept >> 1).count_ones().to_le_bytes()[0];
        self.roll(State { dice: self.dice - held, ..state }, events)
    }

    /// Rolls all dice in hand.
    #[inline(always)]
    pub(super) fn roll(&self, state: State, events: &mut impl Events) -> NodeOf<Self> {
        events.event(state.seat(), Event::ROLL);
        State { rolls: state.rolls + 1, ..state }.roll_rest()
    }

    /// Records rolled dice; when all are rolled, catapults leave the turn.
    #[inline(always)]
    pub(super) fn rolled(&self, state: State, outcome: Shown, events: &mut impl Events) -> NodeOf<Self> {
        let kinds = self.faces.segments();
        let outcome =
            if self.faces.are_in_order() { outcome } else { outcome.moved(kinds.map(|kind| kind as u32)) };
        let state = State { shown: state.shown.and(outcome), ..state };
        if state.unrolled() > 0 {
            return state.roll_rest();
        }
        let shown = state.shown.without_catapults();
        let left = shown.total();
        if left == 0 && self.are_nine_catapults(&state) {
            events.event(state.seat(), ALL_CATAPULTS);
            if !self.is_solo() {
                self.count_city(&state, events);
                return state.end(NINE_CATAPULTS);
            }
        }
        self.place(State { shown, dice: left, ..state }, events)
    }

    /// Whether all dice of the game are catapults, given that all in hand are. If nothing was built or set aside, the
    /// dice that left the hand earlier were catapults, too.
    #[inline(always)]
    fn are_nine_catapults(&self, state: &State) -> bool {
        match self.nine_catapults {
            NineCatapults::Off => false,
            NineCatapults::Roll => state.dice == self.dice,
            NineCatapults::Turn => {
                state.city == FRESH && state.largest == 0 && state.knights == 0 && state.kept >> 1 == 0
            }
        }
    }

    /// The ways to place a die: one bit for each way to build, one for setting a knight aside, one for placing nothing
    /// more.
    #[inline(always)]
    pub(super) fn ways_to_place(&self, state: &State) -> Actions {
        let class = self.city(state);
        let mut builds = 0;
        for (kind, of_kind) in (0..).zip(class.of_kind) {
            builds |= if state.shown.count(kind) > 0 { of_kind } else { 0 };
        }
        let knight = if state.shown.count(KNIGHT) > 0 { KNIGHT_ASIDE.0 } else { 0 };
        Actions(u64::from(builds) | knight | DONE.0)
    }

    /// Asks what to place, if anything can be placed.
    #[inline(always)]
    pub(super) fn place(&self, state: State, events: &mut impl Events) -> NodeOf<Self> {
        let actions = self.ways_to_place(&state);
        if actions.is_single() {
            return self.placed(state, events);
        }
        Node::Decision(state, Question { seat: state.seat(), kind: PLACE, actions })
    }

    /// Places one die, or stops placing.
    #[inline(always)]
    pub(super) fn place_one(&self, state: State, action: Action, events: &mut impl Events) -> NodeOf<Self> {
        if action == DONE {
            return self.placed(state, events);
        }
        let taken = |face| (state.shown.without(Shown::one(face)), state.dice - 1);
        if action == KNIGHT_ASIDE {
            let (shown, dice) = taken(KNIGHT);
            let knights = (state.knights + 1).min(self.knights_needed);
            return self.place(State { shown, dice, knights, ..state }, events);
        }
        let (graph, class, way) = (self.graph(), self.city(&state), action.index());
        let (shown, dice) = taken(class.kind_of(action.0));
        let next = graph.next(class, way);
        let state = if class.closing >> way & 1 == 1 {
            State { city: FRESH, largest: state.largest.max(class.size + 1), ..state }
        } else {
            State { city: next, ..state }
        };
        self.place(State { shown, dice, ..state }, events)
    }

    /// Ends the placing: the dice not placed go back to the hand.
    #[inline(always)]
    fn placed(&self, state: State, events: &mut impl Events) -> NodeOf<Self> {
        let state = State { shown: Shown::default(), ..state };
        if state.dice > 0 && state.rolls < self.rolls {
            return Node::Decision(
                state,
                Question { seat: state.seat(), kind: STOP, actions: Actions::YES_NO },
            );
        }
        self.stop(state, events)
    }

    /// Ends the rolling; with enough knights the player may keep one.
    #[inline(always)]
    pub(super) fn stop(&self, state: State, events: &mut impl Events) -> NodeOf<Self> {
        let state = State { dice: 0, rolls: self.rolls, city: FRESH, ..state };
        if self.keeping && state.knights == self.knights_needed {
            return Node::Decision(
                state,
                Question { seat: state.seat(), kind: KEEP, actions: Actions::YES_NO },
            );
        }
        self.score_turn(state, false, events)
    }

    /// Ends the turn: the largest city scores, or a knight is kept instead.
    #[inline(always)]
    pub(super) fn score_turn(&self, state: State, keeps: bool, events: &mut impl Events) -> NodeOf<Self> {
        self.count_city(&state, events);
        let points = if keeps { 0 } else { u64::from(self.points_if_stopped(&state)) };
        if keeps {
            events.event(state.seat(), KNIGHT_KEPT);
        }
        let state = State { scores: state.scores + points, ..state };
        if self.is_solo() {
            if state.turn == self.turns {
                return state.end(PLAYED);
            }
        } else if self.score_after(&state, 0) >= u64::from(self.goal) {
            return state.end(GOAL);
        } else if state.turn == self.turn_cap {
            return state.end(CAPPED);
        }
        self.begin_turn(self.passed_on(state, keeps), events)
    }

    /// Announces the largest city of the turn.
    #[inline(always)]
    pub(super) fn count_city(&self, state: &State, events: &mut impl Events) {
        let event = if state.largest == 0 { NO_CITY } else { CITY[usize::from(state.largest) - 2] };
        events.event(state.seat(), event);
        if self.points.of(state.largest) == 0 {
            events.event(state.seat(), Event::BUST);
        }
    }
}
