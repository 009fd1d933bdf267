//! Where two line-ups part.

use crate::game::{Action, Event, Events, Game, MAX_SEATS, Policy, Question, Seat};
use crate::stream::Keys;
use crate::trial::{Watch, trial};

/// An answer, with all that it was an answer to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answered<G: Game> {
    /// Where it was given.
    pub state: G::State,
    /// What was asked.
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
    /// What A did.
    pub a: Answered<G>,
    /// What the seat would do in the place of A.
    pub b: Action,
}

/// The first decision that the two take differently in this trial, if any.
pub fn parting<G: Game, P: Policy<G>>(
    game: &G,
    a: &[P],
    b: &[P],
    keys: &Keys,
    number: u64,
) -> Option<Parting<G>> {
    let [a, b] = [a, b].map(|lineup| {
        let mut diary = Diary { turns: [0; MAX_SEATS], answers: Vec::new() };
        trial(game, lineup, &mut keys.streams(number, game.seats()), &mut diary);
        diary.answers
    });
    let differ = |(_, (a, b)): &(usize, (Answered<G>, Answered<G>))| a.action != b.action;
    let (before, (a, b)) = a.into_iter().zip(b).enumerate().find(differ)?;
    Some(Parting { before, a, b: b.action })
}

/// Writes down every answer of a trial.
struct Diary<G: Game> {
    turns: [u32; MAX_SEATS],
    answers: Vec<Answered<G>>,
}

impl<G: Game> Events for Diary<G> {
    fn event(&mut self, seat: Seat, event: Event) {
        self.turns[seat] += u32::from(event == Event::TURN);
    }
}

impl<G: Game> Watch<G> for Diary<G> {
    fn decided(&mut self, state: G::State, question: Question, action: Action) {
        let turn = self.turns[question.seat];
        self.answers.push(Answered { state, question, turn, action });
    }
}
