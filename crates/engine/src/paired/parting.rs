//! The first decision at which two line-ups diverge.

use std::iter::Enumerate;
use std::vec::IntoIter;

use crate::game::{Action, Event, Events, Game, MAX_SEATS, Policy, Question, Seat};
use crate::stream::Keys;
use crate::trial::{Watch, trial};

/// An answer, together with its question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answered<G: Game> {
    /// The state in which the question was asked.
    pub state: G::State,
    /// The question.
    pub question: Question,
    /// The turn of the seat that was asked, from 1.
    pub turn: u32,
    /// The answer.
    pub action: Action,
}

/// The first decision of a trial that two line-ups take differently.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parting<G: Game> {
    /// How many decisions came before it, forced ones included.
    pub before: usize,
    /// The decision of A.
    pub a: Answered<G>,
    /// The decision of B in the same state.
    pub b: Action,
}

/// The first decision on which the two line-ups differ in this trial, if any.
pub fn parting<G: Game, P: Policy<G>>(
    game: &G,
    a: &[P],
    b: &[P],
    keys: &Keys,
    number: u64,
) -> Option<Parting<G>> {
    let streams = || keys.streams(number, game.seats());
    let mut diary = Diary(Vec::new());
    trial(game, b, &mut streams(), &mut diary);
    let mut reader = Reader { diary: diary.0.into_iter().enumerate(), turns: [0; MAX_SEATS], parting: None };
    trial(game, a, &mut streams(), &mut reader);
    reader.parting
}

/// Records every action of a trial, and nothing else: a game may have millions.
struct Diary(Vec<Action>);

impl Events for Diary {
    fn event(&mut self, _: Seat, _: Event) {}
}

impl<G: Game> Watch<G> for Diary {
    fn decided(&mut self, _: G::State, _: Question, action: Action) {
        self.0.push(action);
    }
}

/// Compares the recorded actions of B with those of A while A plays. Up to the first difference both play the same
/// game.
struct Reader<G: Game> {
    diary: Enumerate<IntoIter<Action>>,
    turns: [u32; MAX_SEATS],
    parting: Option<Parting<G>>,
}

impl<G: Game> Events for Reader<G> {
    fn event(&mut self, seat: Seat, event: Event) {
        self.turns[seat] += u32::from(event == Event::TURN);
    }
}

impl<G: Game> Watch<G> for Reader<G> {
    fn decided(&mut self, state: G::State, question: Question, action: Action) {
        if self.parting.is_some() {
            return;
        }
        if let Some((before, b)) = self.diary.next().filter(|&(_, b)| b != action) {
            let turn = self.turns[question.seat];
            self.parting = Some(Parting { before, a: Answered { state, question, turn, action }, b });
        }
    }
}
