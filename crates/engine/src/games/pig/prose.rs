//! Texts of Pig for people.

use super::{Pig, State};
use crate::game::{Action, Event, Game as _, Question, Seat};
use crate::vocabulary::{Cause, Parts, Position, Prose, Transition, counted};

impl Prose for Pig {
    fn describe_action(&self, _: &State, _: usize, action: Action) -> String {
        name(action).into()
    }

    fn action_name(&self, _: usize, action: Action) -> Option<String> {
        Some(name(action).into())
    }

    fn tell_action(&self, _: usize, action: Action, _: &str) -> String {
        if action == Action::YES { "holds" } else { "rolls again" }.into()
    }

    fn position(&self, at: Position<Self>, parts: &mut Parts) -> Result<Position<Self>, String> {
        let (state, question) = at;
        let (goal, others) = (u64::from(self.goal), usize::from(self.players) - 1);
        let seat = parts.seat("seat", state.seat(), others + 1)?;
        let own = parts.number("score", state.own(), 0..=goal - 1)?;
        let name = if others > 1 { "others" } else { "other" };
        let scores: Vec<u16> = (1..=others).map(|places| state.score_after(places)).collect();
        let scores = if others > 0 { parts.numbers(name, scores, 0..=goal - 1)? } else { scores };
        let total = parts.number("turn_total", state.total, 0..=goal - u64::from(own))?;
        let turn = parts.rare_number("turn_of_all", state.turn, 1, 0..=self.turn_cap.into())?;
        let rolls = parts.rare_number("rolls_this_turn", state.rolls, 0, 0..=u16::MAX.into())?;
        let scoring: Vec<u8> = state.scoring_turns.to_le_bytes()[..=others].to_vec();
        let scoring = if parts.is_given("scoring_turns") || scoring.iter().any(|turns| *turns > 0) {
            parts.numbers("scoring_turns", scoring, 0..=u8::MAX.into())?
        } else {
            scoring
        };
        let packed = |bits: u32, all: &mut dyn Iterator<Item = u64>| {
            all.enumerate().fold(0, |packed, (places, one)| packed | one << (bits as usize * places))
        };
        let scores = packed(16, &mut std::iter::once(own).chain(scores).map(u64::from));
        let scoring = packed(8, &mut scoring.into_iter().map(u64::from));
        #[allow(clippy::cast_possible_truncation, reason = "four numbers of 8 bits; at most four seats")]
        let (scoring_turns, place) = (scoring as u32, seat as u16);
        let state = State { scores, scoring_turns, total, turn, rolls, seat: place };
        Ok((state, Question { seat, ..question }))
    }

    fn is_asked(&self, (state, _): Position<Self>) -> Result<(), String> {
        let why =
            "nothing is decided before the first roll of a turn; write turn_total=… with what was rolled";
        if state.total == 0 { Err(why.into()) } else { Ok(()) }
    }

    fn describe_outcome(&self, face: u32) -> String {
        // "An eight": their names begin with a vowel.
        let article = if matches!(face, 8 | 11 | 18) { "an" } else { "a" };
        format!("{article} {face}")
    }

    fn describe_state(&self, state: &State) -> Vec<(&'static str, String)> {
        let scores: Vec<_> = (0..self.seats()).map(|seat| self.score(state, seat).to_string()).collect();
        let is_enough = state.total > 0 && state.total == self.goal_left(state);
        let enough = if is_enough { ", enough for the goal" } else { "" };
        let mut places =
            vec![("Scores", scores.join(" : ")), ("Turn total", format!("{}{enough}", state.total))];
        if self.players > 1 {
            places.insert(0, ("To play", format!("seat {}", state.seat + 1)));
        }
        places
    }

    fn tell_step(&self, step: &Transition<'_, Self>) -> Vec<String> {
        let State { total, .. } = step.before;
        match step.cause {
            Cause::Roll(face) if step.has(Event::BUST) => {
                let points = match total {
                    0 => String::new(),
                    total => format!(
                        ", and the {} of this turn are gone",
                        counted(total.into(), "point", "points")
                    ),
                };
                let points = if total == 1 { points.replace(" are gone", " is gone") } else { points };
                vec![format!("bust: {} loses the turn{points}", self.describe_outcome(face))]
            }
            Cause::Answer(_, Action::YES) => {
                let own = step.before.own();
                let goal = if own + total == self.goal { ", the goal" } else { "" };
                vec![format!("{own} + {total} = {}{goal}", counted((own + total).into(), "point", "points"))]
            }
            _ => Vec::new(),
        }
    }

    fn tell_end(&self, end: &State, seat: Seat) -> Vec<String> {
        if self.players > 1 {
            return Vec::new();
        }
        let points = self.score(end, seat);
        let points = if points < self.goal {
            format!("{points} of {}", counted(self.goal.into(), "point", "points"))
        } else {
            counted(points.into(), "point", "points")
        };
        let turns = counted(end.turn.into(), "turn", "turns");
        vec![format!("Score: {turns} for {points}; the fewer the better.")]
    }

    fn is_told(&self, event: Event) -> bool {
        event == Event::BUST
    }
}

fn name(action: Action) -> &'static str {
    if action == Action::YES { "hold" } else { "roll again" }
}
