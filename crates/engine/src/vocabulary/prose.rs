//! A game in words: what a person at the table would say of a position, an answer, a roll and what comes of it.

use crate::chance::Chance;
use crate::game::{Action, Event, Game, Seat};

/// What moved a game on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Cause<G: Game> {
    /// The dice showed this.
    Roll(<G::Chance as Chance>::Outcome),
    /// To a question of this kind this was answered.
    Answer(usize, Action),
}

/// A move of a game: from where, by what, to where, and what was announced on the way.
#[derive(Clone, Copy, Debug)]
pub struct Step<'s, G: Game> {
    /// The state in which the dice were rolled, or the question was asked.
    pub before: G::State,
    /// What moved the game on.
    pub cause: Cause<G>,
    /// The state that it led to.
    pub after: G::State,
    /// What the rules announced, in order.
    pub events: &'s [(Seat, Event)],
}

impl<G: Game> Step<'_, G> {
    /// Whether the rules announced `event` for any seat.
    pub fn has(&self, event: Event) -> bool {
        self.seats(event).next().is_some()
    }

    /// The seats for which the rules announced `event`.
    pub fn seats(&self, event: Event) -> impl Iterator<Item = Seat> {
        self.events.iter().filter(move |announced| announced.1 == event).map(|&(seat, _)| seat)
    }
}

/// What whoever follows a game has seen and its states forget, such as the shape of a city, in bits of the game's own.
pub type Sketch = u128;

/// The sketch of one who has seen nothing.
pub const NO_SKETCH: Sketch = 0;

/// A game in words, for the replay of a trial and for lists of positions.
pub trait Prose: Game {
    /// An action by its name, as it stands in a list of what is possible: "small red", "stop".
    fn describe_action(&self, state: &Self::State, kind: usize, action: Action) -> String;

    /// The same for an action that has one name wherever it is legal, for programs that name actions: "small red", "stop".
    /// `None` where its name hangs on the state. No two of a kind have the same; [`Prose::describe_action`] begins with it.
    fn action_name(&self, kind: usize, action: Action) -> Option<String> {
        let _ = (kind, action);
        None
    }

    /// What a seat does that takes the action of this name, as a sentence without its subject: "takes small red", "stops".
    fn tell_action(&self, kind: usize, action: Action, name: &str) -> String;

    /// The dice in words.
    fn describe_outcome(&self, outcome: <Self::Chance as Chance>::Outcome) -> String;

    /// What a seat does whose dice show this, as a sentence without its subject: "rolls red, small". `None` where this is
    /// a part of a roll of which more is to come.
    fn tell_roll(&self, state: &Self::State, outcome: <Self::Chance as Chance>::Outcome) -> Option<String> {
        let _ = state;
        Some(format!("rolls {}", self.describe_outcome(outcome)))
    }

    /// What lies where, one line a place; nothing that a node would not show to every seat.
    fn describe_state(&self, state: &Self::State) -> Vec<(&'static str, String)>;

    /// What whoever follows a game has seen and the state forgets, after a step: what came before is handed in. For most
    /// games nothing.
    fn sketch(&self, before: Sketch, step: &Step<'_, Self>) -> Sketch {
        let _ = (before, step);
        NO_SKETCH
    }

    /// [`Prose::describe_action`] for one who has followed the game.
    fn describe_sketched_action(
        &self,
        state: &Self::State,
        kind: usize,
        action: Action,
        sketch: Sketch,
    ) -> String {
        let _ = sketch;
        self.describe_action(state, kind, action)
    }

    /// [`Prose::describe_state`] for one who has followed the game.
    fn describe_sketched_state(&self, state: &Self::State, sketch: Sketch) -> Vec<(&'static str, String)> {
        let _ = sketch;
        self.describe_state(state)
    }

    /// What came of a roll or an answer where the places do not say it, a sentence each: why a turn is lost and what that
    /// costs, how points came about, why something that was rolled cannot be had. Empty for most steps.
    fn tell_step(&self, step: &Step<'_, Self>) -> Vec<String> {
        let _ = step;
        Vec::new()
    }

    /// How the result of a seat came about, a sentence each, where no single step says it.
    fn tell_end(&self, end: &Self::State, seat: Seat) -> Vec<String> {
        let _ = (end, seat);
        Vec::new()
    }

    /// Whether `event` is told by the action that implies it or by [`Prose::tell_step`], so that a replay does not name
    /// it once more.
    fn is_told(&self, event: Event) -> bool {
        let _ = event;
        false
    }

    /// Whether a replay may elide long runs of this action.
    fn is_quiet(&self, kind: usize, action: Action) -> bool {
        let _ = (kind, action);
        false
    }
}

/// A list in a sentence: "red", "red and blue", "red, green and blue"; `last` stands before the last of them.
pub fn listed<T: AsRef<str>>(items: &[T], last: &str) -> String {
    match items {
        [] => String::new(),
        [one] => one.as_ref().to_owned(),
        [first @ .., end] => {
            let first: Vec<_> = first.iter().map(AsRef::as_ref).collect();
            format!("{} {last} {}", first.join(", "), end.as_ref())
        }
    }
}

/// So many things: "1 point", "no points", "3 points".
pub fn counted(count: u64, one: &str, several: &str) -> String {
    match count {
        0 => format!("no {several}"),
        1 => format!("1 {one}"),
        _ => format!("{count} {several}"),
    }
}

/// Seats by their numbers: "seat 1", "seats 1 and 3".
pub fn seats_in_words(seats: impl IntoIterator<Item = Seat>) -> String {
    let names: Vec<_> = seats.into_iter().map(|seat| (seat + 1).to_string()).collect();
    format!("{} {}", if names.len() == 1 { "seat" } else { "seats" }, listed(&names, "and"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_and_numbers_in_a_sentence() {
        assert_eq!(listed(&["red"], "or"), "red");
        assert_eq!(listed(&["red", "blue"], "or"), "red or blue");
        assert_eq!(listed(&["red", "green", "blue"], "and"), "red, green and blue");
        assert_eq!([0, 1, 2].map(|count| counted(count, "die", "dice")), ["no dice", "1 die", "2 dice"]);
        assert_eq!((seats_in_words([0]), seats_in_words([0, 2])), ("seat 1".into(), "seats 1 and 3".into()));
    }
}
