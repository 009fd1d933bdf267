//! Texts of a game for people: positions, actions, rolls and their consequences.

use super::Vocabulary;
use super::position::{Parts, Position};
use super::scene::Scene;
use crate::chance::Chance;
use crate::game::{Action, Event, Events, Game, NodeOf, Seat};

/// What was rolled, and the state in which it was.
pub type Rolled<G> = (<G as Game>::State, <<G as Game>::Chance as Chance>::Outcome);

/// The cause of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Cause<G: Game> {
    /// The outcome of a roll.
    Roll(<G::Chance as Chance>::Outcome),
    /// The answer to a question of this kind.
    Answer(usize, Action),
}

/// A step of a game: the state before and after, its cause, and the events announced.
#[derive(Clone, Copy, Debug)]
pub struct Transition<'s, G: Game> {
    /// The state in which the dice were rolled, or the question was asked.
    pub before: G::State,
    /// The cause of the step.
    pub cause: Cause<G>,
    /// The state after it.
    pub after: G::State,
    /// The events that the rules announced, in order.
    pub events: &'s [(Seat, Event)],
}

impl<G: Game> Transition<'_, G> {
    /// Whether the rules announced `event` for any seat.
    pub fn has(&self, event: Event) -> bool {
        self.seats(event).next().is_some()
    }

    /// The seats for which the rules announced `event`.
    pub fn seats(&self, event: Event) -> impl Iterator<Item = Seat> {
        self.events.iter().filter(move |announced| announced.1 == event).map(|&(seat, _)| seat)
    }
}

/// Information that an observer of a game has and its states do not keep, such as the shape of a city; the encoding is
/// the game's own.
pub type Sketch = u128;

/// The sketch of an observer who has seen nothing.
pub const NO_SKETCH: Sketch = 0;

/// Texts of a game for replays and lists of positions.
pub trait Prose: Game {
    /// What follows a state by a cause, or the beginning, told in full: with a stop also at rolls with one outcome
    /// ([`Chance::certain`]) and questions with one answer, which some games give themselves. Everything else is as in the game that is played.
    fn next_told(&self, from: Option<(Self::State, Cause<Self>)>, events: &mut impl Events) -> NodeOf<Self> {
        match from {
            None => self.root(events),
            Some((state, Cause::Roll(outcome))) => self.resolve(state, outcome, events),
            Some((state, Cause::Answer(kind, action))) => self.decide(state, kind, action, events),
        }
    }

    /// The name of an action, as in a list of options: "small red", "stop".
    fn describe_action(&self, state: &Self::State, kind: usize, action: Action) -> String;

    /// The name of an action that has the same name wherever it is legal, for programs that name actions: "small red",
    /// "stop". `None` if its name depends on the state. The names of a kind are distinct; [`Prose::describe_action`]
    /// begins with them.
    fn action_name(&self, kind: usize, action: Action) -> Option<String> {
        let _ = (kind, action);
        None
    }

    /// A sentence, without its subject, about taking the action of this name: "takes small red", "stops".
    fn tell_action(&self, kind: usize, action: Action, name: &str) -> String;

    /// The outcome of a roll in words.
    fn describe_outcome(&self, outcome: <Self::Chance as Chance>::Outcome) -> String;

    /// A sentence, without its subject, about a roll: "rolls red, small". `rolled` has the outcomes since the last such sentence
    /// or answer, each with the state in which it was rolled. `None` if this is a part of a roll that continues.
    fn tell_roll(&self, rolled: &[Rolled<Self>]) -> Option<String> {
        let (_, outcome) = rolled.last()?;
        Some(format!("rolls {}", self.describe_outcome(*outcome)))
    }

    /// Whether the roll or draw of a state is of all together, and nobody's.
    fn is_roll_of_all(&self, state: &Self::State) -> bool {
        let _ = state;
        false
    }

    /// The contents of every place, one entry per place; only what every seat may see.
    fn describe_state(&self, state: &Self::State) -> Vec<(&'static str, String)>;

    /// The same of a state without memory ([`Game::canonical`](crate::game::Game::canonical)): without what is forgotten there.
    fn describe_canonical(&self, state: &Self::State) -> Vec<(&'static str, String)> {
        self.describe_state(state)
    }

    /// The same at a decision, as the deciding seat sees it, with what is worked out for it.
    fn describe_decision(&self, state: Self::State) -> Vec<(&'static str, String)> {
        self.describe_state(&self.seen(state))
    }

    /// The same as it lies on the table before the seat that decides.
    fn scene(&self, state: Self::State, seat: Seat) -> Scene {
        let _ = seat;
        Scene { places: self.describe_decision(state), ..Scene::default() }
    }

    /// The parts of a position at which a seat decides, and the position with what `parts` gives: everything on which its
    /// future depends, and what policies remember. Where a text is read, `at` is the beginning of the game with the kind of
    /// decision that was asked for, and all its actions.
    ///
    /// # Errors
    ///
    /// Says which part is wrong, and what it takes; or that positions of this game have no text.
    fn position(&self, at: Position<Self>, parts: &mut Parts) -> Result<Position<Self>, String> {
        let _ = (at, parts);
        Err(format!("positions of {} have no text", self.info().name))
    }

    /// Whether play can come to this position, of which every part is possible, and its question is asked there; as far as
    /// that is told without a search.
    ///
    /// # Errors
    ///
    /// Says what is asked instead, or which parts do not go together.
    fn is_asked(&self, position: Position<Self>) -> Result<(), String> {
        let _ = position;
        Ok(())
    }

    /// A position that play comes to, where that is known without a policy.
    fn example(&self) -> Option<Position<Self>> {
        None
    }

    /// Why play hardly comes to a position of which every part is possible: what random games tell, where the rules do not.
    fn doubt(&self, position: Position<Self>) -> Option<String> {
        let _ = position;
        None
    }

    /// The sketch after a step, given the sketch before it. Most games have none.
    fn sketch(&self, before: Sketch, step: &Transition<'_, Self>) -> Sketch {
        let _ = (before, step);
        NO_SKETCH
    }

    /// [`Prose::describe_action`] for an observer with a sketch.
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

    /// [`Prose::describe_state`] for an observer with a sketch.
    fn describe_sketched_state(&self, state: &Self::State, sketch: Sketch) -> Vec<(&'static str, String)> {
        let _ = sketch;
        self.describe_state(state)
    }

    /// The same at a glance, for whoever follows the game: of a place that holds very much, such as a deck, how much it is.
    fn describe_at_a_glance(&self, state: &Self::State, sketch: Sketch) -> Vec<(&'static str, String)> {
        self.describe_sketched_state(state, sketch)
    }

    /// Explanations of a step that the places do not show, one sentence each: why a turn is lost and what that costs,
    /// how points came about, why something rolled cannot be taken. Empty for most steps.
    fn tell_step(&self, step: &Transition<'_, Self>) -> Vec<String> {
        let _ = step;
        Vec::new()
    }

    /// Explanations of a seat's result that no single step gives, one sentence each.
    fn tell_end(&self, end: &Self::State, seat: Seat) -> Vec<String> {
        let _ = (end, seat);
        Vec::new()
    }

    /// Whether `event` is already described by the action that implies it or by [`Prose::tell_step`], so that a replay
    /// omits it.
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

/// A list in a sentence: "red", "red and blue", "red, green and blue"; `last` is the word before the last item.
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

/// A count with its noun: "1 point", "no points", "3 points".
pub fn counted(count: u64, one: &str, several: &str) -> String {
    match count {
        0 => format!("no {several}"),
        1 => format!("1 {one}"),
        _ => format!("{count} {several}"),
    }
}

/// A number, or several, with its unit: of 1 the singular, where it is known how it is made. What is no number has none.
pub fn in_units(number: &str, unit: &str) -> String {
    let one = match unit {
        "dice" => "die",
        unit if ["sses", "shes", "ches", "xes"].iter().any(|end| unit.ends_with(end)) => {
            &unit[..unit.len() - 2]
        }
        unit if ["ies", "ss", "ves"].iter().any(|end| unit.ends_with(end)) => unit,
        unit => unit.strip_suffix('s').unwrap_or(unit),
    };
    match number {
        _ if unit.is_empty() || !number.bytes().any(|byte| byte.is_ascii_digit()) => number.to_owned(),
        "1" => format!("1 {one}"),
        _ => format!("{number} {unit}"),
    }
}

/// What a candidate of a question is worth, with its unit: the first of its numbers that has one.
pub fn worth_in_words<G: Vocabulary>(
    game: &G,
    state: &G::State,
    kind: usize,
    candidate: Action,
) -> Option<String> {
    let numbers = game.candidate_numbers();
    let at = numbers.iter().position(|of| of.kind == kind && !of.number.unit.is_empty())?;
    let value = game.candidate_number(state, candidate, at);
    let sign = if value < 0 { "-" } else { "" };
    Some(in_units(&format!("{sign}{}", grouped(value.unsigned_abs())), numbers[at].number.unit))
}

/// The name of a choice with what it is worth, where that is known: "1, 5 · 150 points".
pub fn with_worth(name: &str, worth: Option<&str>) -> String {
    worth.map_or_else(|| name.to_owned(), |worth| format!("{name} · {worth}"))
}

/// A number with commas between groups of three digits: 1,000,000.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
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
        assert_eq!(
            [
                ("1", "trios"),
                ("0", "trios"),
                ("1", "dice"),
                ("1", "boxes"),
                ("none : none", "steps"),
                ("1", "")
            ]
            .map(|(number, unit)| in_units(number, unit)),
            ["1 trio", "0 trios", "1 die", "1 box", "none : none", "1"]
        );
        assert_eq!([0, 999, 1000, 1_234_567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!((seats_in_words([0]), seats_in_words([0, 2])), ("seat 1".into(), "seats 1 and 3".into()));
    }
}
