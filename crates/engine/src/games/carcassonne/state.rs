//! The position, and what follows directly from it.

use super::Carcassonne;
use super::dice::{AT_ONCE, Roll, Shown};
use super::graph::{Class, ClassId, FRESH, Graph};
use crate::game::{Node, NodeOf, Seat};

/// Bits of a seat's points when there are several seats.
pub(super) const SCORE_BITS: u32 = 12;

/// The position.
///
/// The values of all seats are packed into one number, with the seat to play in the lowest bits and the others above it
/// in turn order.
///
/// ```text
/// scores   12 bits a seat   own │ next │ after that │ …      solitaire: the points, whole
/// kept      1 bit a seat    own │ next │ after that │ …      the own one doubles this turn
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct State {
    /// Points of all seats.
    pub(super) scores: u64,
    /// Dice that show a face and can still be placed; during a roll, the dice rolled so far.
    pub(super) shown: Shown,
    /// The class of the open city.
    pub(super) city: ClassId,
    /// The number of the turn, all players together, from 1; 0 if forgotten.
    pub(super) turn: u16,
    /// The seats that hold a kept knight, as bits.
    pub(super) kept: u8,
    /// Dice in the player's hand: not passed on, set aside or built.
    pub(super) dice: u8,
    /// Rolls of this turn so far.
    pub(super) rolls: u8,
    /// Dice of the largest city closed in this turn; 0 for none.
    pub(super) largest: u8,
    /// Knights set aside in this turn, no more than are needed to keep one.
    pub(super) knights: u8,
    /// The seat to play.
    pub(super) seat: u8,
    /// The index of the ending, in a terminal state.
    pub(super) ending: u8,
}

const _: () = assert!(size_of::<State>() == 24);

impl State {
    /// The seat to play, or the one that played last.
    pub fn seat(&self) -> Seat {
        self.seat.into()
    }

    /// Dice in the player's hand: not passed on, set aside or built.
    pub fn dice(&self) -> u8 {
        self.dice
    }

    /// Knights set aside in this turn, no more than are needed to keep one.
    pub fn knights(&self) -> u8 {
        self.knights
    }

    /// Dice of the largest city closed in this turn; 0 for none.
    pub fn largest(&self) -> u8 {
        self.largest
    }

    /// The class of the open city.
    pub fn city(&self) -> ClassId {
        self.city
    }

    /// Whether the points of this turn are doubled.
    #[inline(always)]
    pub fn is_doubled(&self) -> bool {
        self.kept & 1 == 1
    }

    /// Whether the seat that many places after the one to play keeps a knight.
    pub fn keeps(&self, places: usize) -> bool {
        self.kept >> places & 1 == 1
    }

    /// Dice of the current roll that are still to be rolled.
    #[inline(always)]
    pub(super) fn unrolled(&self) -> u8 {
        self.dice - self.shown.total()
    }

    /// Rolls the rest of the current roll, as many dice as one chance event allows.
    #[inline(always)]
    pub(super) fn roll_rest(self) -> NodeOf<Carcassonne> {
        Node::Chance(self, self.seat.into(), Roll { dice: self.unrolled().min(AT_ONCE) })
    }

    /// Ends the game.
    #[inline(always)]
    pub(super) fn end(self, ending: u8) -> NodeOf<Carcassonne> {
        let Self { scores, seat, .. } = self;
        Node::Terminal(Self { scores, seat, ending, ..Self::default() })
    }
}

impl Carcassonne {
    /// The graph of the cities that these rules' faces make.
    #[inline(always)]
    pub fn graph(&self) -> &'static Graph {
        Graph::of(self.faces.kinds())
    }

    /// The class of the open city.
    #[inline(always)]
    pub(super) fn city(&self, state: &State) -> &'static Class {
        self.graph().class(state.city)
    }

    /// A class of cities that this number of dice cannot close, as a representative of all of them.
    pub(super) fn lost_city(&self, dice: u8) -> Option<ClassId> {
        let lost = |(_, class): &(ClassId, &Class)| class.needed > dice;
        self.graph().classes().skip(1).find(lost).map(|(id, _)| id)
    }

    /// Points of the seat that many places after the one to play.
    #[inline(always)]
    pub(super) fn score_after(&self, state: &State, places: u32) -> u64 {
        if self.is_solo() {
            return state.scores;
        }
        state.scores >> (SCORE_BITS * places) & ((1 << SCORE_BITS) - 1)
    }

    /// Points of a seat.
    #[inline(always)]
    pub fn score(&self, state: &State, seat: Seat) -> u64 {
        let places = u8::try_from(seat).unwrap_or(0) + self.players - state.seat;
        self.score_after(state, u32::from(places % self.players))
    }

    /// The points of the turn if it ends here and no knight is kept.
    #[inline(always)]
    pub fn points_if_stopped(&self, state: &State) -> u16 {
        self.points.of(state.largest) << u8::from(state.is_doubled())
    }

    /// The position as the next seat sees it when its turn begins.
    #[inline(always)]
    pub(super) fn passed_on(&self, state: State, keeps: bool) -> State {
        let last = u32::from(self.players - 1);
        let scores = if self.is_solo() {
            state.scores
        } else {
            state.scores >> SCORE_BITS | self.score_after(&state, 0) << (SCORE_BITS * last)
        };
        let kept = state.kept >> 1 | u8::from(keeps) << last;
        let seat = if state.seat + 1 == self.players { 0 } else { state.seat + 1 };
        // A turn number of 0 was forgotten on purpose and stays so.
        let turn = if state.turn == 0 { 0 } else { state.turn + 1 };
        State { scores, kept, seat, turn, city: FRESH, ..State::default() }
    }
}
