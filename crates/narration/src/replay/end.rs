//! What is told of the end: who has won, and what every seat has.

use std::fmt::Write as _;

use serde_json::{Value, json};
use stopwise_engine::game::{Game, MAX_METRICS, Metric, Seat};
use stopwise_engine::games::Playable;
use stopwise_engine::trial_result::measure_seat;

use super::player::Answers;
use super::teller::{Teller, turns_in_words};
use crate::standings::Standings;

/// The end of a trial.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// The ending, as in [`AnyRules::endings`](stopwise_erased::AnyRules::endings).
    pub ending: &'static str,
    /// Who has won and by what, in a sentence without its full stop; empty in a game for one that nobody plays.
    pub said: String,
    /// The metrics that say more than the sentence.
    pub telling: Vec<&'static str>,
    /// One object per seat, with its policy and its metrics.
    pub seats: Vec<Value>,
    /// The same metrics in their order, as they are counted.
    pub values: Vec<[u32; MAX_METRICS]>,
}

impl<G: Playable> Teller<'_, G> {
    pub(super) fn finish(&mut self, end: G::State) -> Outcome {
        self.reveal();
        self.catch_up();
        self.tell_left_out();
        let ending = Game::endings(self.game)[self.game.ending(end)];
        let is_over = if ending.fault { "cannot go on" } else { "is over" };
        // Of what is wrong with a text the line and the values.
        let why = self.game.fault(end).unwrap_or_else(|| ending.meaning.to_owned());
        let _ = writeln!(self.out, "\nThe game {is_over} ({}): {why}", ending.name);
        self.places(end);
        let measured = |seat: usize| {
            let mut values = [0; MAX_METRICS];
            measure_seat(self.game, end, seat, &self.counts[seat], &mut values);
            // Who was ahead of a game that cannot go on has not won it.
            let won = Game::metrics(self.game).iter().zip(&mut values).filter(|(metric, _)| metric.is_won());
            won.for_each(|(_, value)| *value = if ending.fault { 0 } else { *value });
            values
        };
        let values: Vec<_> = (0..self.game.seats()).map(measured).collect();
        let player = |seat: usize| &self.lineup[if self.lineup.len() == 1 { 0 } else { seat }];
        let labels: Vec<String> = (0..self.game.seats()).map(|seat| player(seat).label.clone()).collect();
        let is_person = |&seat: &Seat| self.is_open && matches!(player(seat).answers, Answers::Given(_));
        let metrics = Game::metrics(self.game);
        let you = (0..self.game.seats()).find(is_person);
        let result = Standings { metrics, values: &values, labels: &labels, you };
        let (said, telling) = (result.said().unwrap_or_default(), result.telling());
        if !said.is_empty() {
            let _ = writeln!(self.out, "{said}.");
        }
        let mut seats = Vec::new();
        for (seat, (values, label)) in values.iter().zip(&labels).enumerate() {
            let words: Vec<_> =
                telling.iter().map(|&at| format!("{} {}", metrics[at].word(), values[at])).collect();
            let who = if self.game.seats() > 1 { format!("Seat {}, ", seat + 1) } else { String::new() };
            let _ = writeln!(self.out, "{who}{label}: {}", words.join(", "));
            for sentence in self.game.tell_end(&end, seat) {
                self.line(&sentence);
            }
            let named = metrics.iter().zip(*values);
            let metrics = object(
                named.map(|(metric, value)| (metric.name.to_owned(), number(metric, value))).collect(),
            );
            seats.push(json!({ "seat": seat + 1, "policy": label, "metrics": metrics }));
        }
        self.goes_on();
        let telling = telling.into_iter().map(|at| metrics[at].name).collect();
        Outcome { ending: ending.name, said, telling, seats, values }
    }

    /// Tells which turns were played but not told, except those before the first that was told.
    fn tell_left_out(&mut self) {
        let played = (0..self.game.seats()).map(|seat| self.turn_of(seat)).max().unwrap_or(0);
        let (first, last) = (*self.turns.start(), *self.turns.end());
        if played < first {
            let left_out = turns_in_words(1, played);
            let _ = writeln!(self.out, "\n… {left_out} left out: the game has no turn {first}");
        } else if played > last {
            let _ = writeln!(self.out, "\n… {} left out", turns_in_words(last + 1, played));
        }
    }
}

/// An object of these members.
pub(super) fn object(members: Vec<(String, Value)>) -> Value {
    members.into_iter().collect()
}

/// A number of a metric.
fn number(metric: &Metric, value: u32) -> Value {
    if metric.is_share() { metric.read(value).into() } else { value.into() }
}
