//! The first decision at which two line-ups diverge.

use crate::game::{Action, Event, Events, Game, MAX_SEATS, Policy, Question, Seat, is_by_chance};
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
pub struct Divergence<G: Game> {
    /// How many decisions came before it, forced ones included.
    pub before: usize,
    /// The decision of A.
    pub a: Answered<G>,
    /// The decision of B in the same state.
    pub b: Action,
}

/// The first decision on which the two line-ups differ in this trial, if any.
pub fn divergence<G: Game, P: Policy<G>>(
    game: &G,
    a: &[P],
    b: &[P],
    keys: &Keys,
    number: u64,
) -> Option<Divergence<G>> {
    let mut diary = Diary { actions: Vec::new(), read: None, turns: [0; MAX_SEATS], divergence: None };
    // One loop for both, so that it is compiled once.
    for lineup in [b, a] {
        let mut words = keys.streams_with(number, game.seats(), is_by_chance::<G, P>(lineup));
        trial(game, lineup, &mut words, &mut diary);
        (diary.read, diary.turns) = (Some(0), [0; MAX_SEATS]);
    }
    diary.divergence
}

/// Records every action of B in its trial, and nothing else, since a game may have millions. Then compares them with
/// those of A while A plays. Up to the first difference both play the same game.
struct Diary<G: Game> {
    actions: Vec<Action>,
    /// The number of actions that were compared; `None` while they are recorded.
    read: Option<usize>,
    turns: [u32; MAX_SEATS],
    divergence: Option<Divergence<G>>,
}

impl<G: Game> Events for Diary<G> {
    fn event(&mut self, seat: Seat, event: Event) {
        self.turns[seat] += u32::from(event == Event::TURN);
    }
}

impl<G: Game> Watch<G> for Diary<G> {
    fn decided(&mut self, state: G::State, question: Question, action: Action) {
        let Some(before) = self.read else { return self.actions.push(action) };
        if self.divergence.is_some() {
            return;
        }
        self.read = Some(before + 1);
        if let Some(&b) = self.actions.get(before).filter(|&&b| b != action) {
            let turn = self.turns[question.seat];
            self.divergence = Some(Divergence { before, a: Answered { state, question, turn, action }, b });
        }
    }
}
