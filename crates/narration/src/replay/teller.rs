//! What is told of a trial while it goes on: turns, rolls, events and their consequences, as lines and as data.

use std::collections::VecDeque;
use std::fmt::Write as _;
use std::ops::RangeInclusive;

use serde_json::{Value, json};
use stopwise_engine::chance::Chance;
use stopwise_engine::game::{Event, Events, Game, MAX_SEATS, Metric, Node, NodeOf, Seat, Source};
use stopwise_engine::games::Playable;
use stopwise_engine::vocabulary::{Cause, NO_SKETCH, Rolled, Sketch, Transition, seats_in_words};

use super::player::Typed;
use super::{Listener, Passage};
use crate::names::spoken;
use crate::numbers::grouped;

/// Tells the trial that it watches.
pub(super) struct Teller<'t, G: Playable> {
    pub(super) game: &'t G,
    pub(super) lineup: &'t [Typed<'t, G>],
    pub(super) listener: &'t mut dyn Listener,
    /// The turns to tell.
    pub(super) turns: RangeInclusive<u32>,
    /// The current turn; 0 before the first.
    pub(super) turn: u32,
    /// The observer's sketch, from the turns that are told.
    pub(super) sketch: Sketch,
    /// Lines that have not yet been passed to the listener.
    pub(super) out: String,
    /// Whether the listener asked to stop.
    pub(super) is_ended: bool,
    /// What has been rolled since a roll was told or a question answered.
    pub(super) rolled: Vec<Rolled<G>>,
    /// The events announced in this step.
    pub(super) events: Vec<(Seat, Event)>,
    pub(super) counts: [[u32; Event::COUNT]; MAX_SEATS],
    /// How often turns began, and whether those of several seats ever began together: then these rounds are counted, in
    /// which a seat may have no turn.
    pub(super) rounds: u32,
    pub(super) has_rounds: bool,
    /// The places as they were last told, so that only changes are told.
    pub(super) last: Option<Vec<(&'static str, String)>>,
    /// The last lines about rolls and answers that had no consequence yet.
    pub(super) waiting: VecDeque<String>,
    /// The number of such lines before them.
    pub(super) passed: usize,
    /// An event, and the seats to which it happened one after the other.
    pub(super) news: Option<(Event, Vec<Seat>)>,
    /// The one seat whose turn it is; `None` if several have their turn at the same time.
    pub(super) to_play: Option<Seat>,
    /// Whether anything has happened since the places were told.
    pub(super) has_news: bool,
    /// Answers of which a person who is still asked may not know, and whether they may be elided.
    pub(super) secret: Vec<(String, bool)>,
    /// Whether somebody answers who is shown the places when asked.
    pub(super) is_open: bool,
}

/// The number of lines that may wait, and the number that are told if there were more.
const WAITING: usize = 4;
const TOLD: usize = 2;

impl<'t, G: Playable> Teller<'t, G> {
    /// `is_open`: see [`replay`](super::replay).
    pub(super) fn new(
        game: &'t G,
        lineup: &'t [Typed<'t, G>],
        (passage, is_open): (&Passage, bool),
        listener: &'t mut dyn Listener,
    ) -> Self {
        Self {
            game,
            lineup,
            listener,
            turns: passage.turns.clone(),
            turn: 0,
            sketch: NO_SKETCH,
            out: String::new(),
            is_ended: false,
            rolled: Vec::new(),
            events: Vec::new(),
            counts: [[0; Event::COUNT]; MAX_SEATS],
            rounds: 0,
            has_rounds: false,
            last: None,
            waiting: VecDeque::new(),
            passed: 0,
            news: None,
            to_play: None,
            has_news: false,
            secret: Vec::new(),
            is_open,
        }
    }

    /// Passes the pending lines to the listener. Returns whether to continue.
    pub(super) fn goes_on(&mut self) -> bool {
        let told = std::mem::take(&mut self.out);
        self.is_ended |= self.listener.text(&told).is_break();
        self.out = told;
        self.out.clear();
        !self.is_ended
    }

    /// The same as data: one object for each turn, roll, decision and bust, and for each consequence of a roll or
    /// decision.
    pub(super) fn step(&mut self, step: Value) {
        self.is_ended |= self.listener.step(step).is_break();
    }

    /// Holds back a line until it has a consequence.
    pub(super) fn wait(&mut self, line: String) {
        if self.waiting.len() == WAITING * self.game.seats() {
            self.waiting.pop_front();
            self.passed += 1;
        }
        self.waiting.push_back(line);
    }

    pub(super) fn line(&mut self, text: &str) {
        let _ = writeln!(self.out, "  {text}");
    }

    /// Tells the lines held back; of a long row of rolls and answers without consequence, only the last.
    pub(super) fn catch_up(&mut self) {
        self.tell_news();
        let (mut lines, mut passed) = (std::mem::take(&mut self.waiting), std::mem::take(&mut self.passed));
        if passed > 0 {
            let more = lines.len() - TOLD * self.game.seats();
            lines.drain(..more);
            passed += more;
            let is_roll = |metric: &&Metric| metric.counts(Event::ROLL);
            let rolls = Game::metrics(self.game).iter().find(is_roll).map_or("rolls", Metric::word);
            self.line(&format!("… {} further {rolls} and answers", grouped(passed as u64)));
        }
        lines.iter().for_each(|line| self.line(line));
    }

    /// Whether this turn is told; with the first also what is before it.
    pub(super) fn tells(&self) -> bool {
        self.listener.wants_more() && self.turns.contains(&self.turn.max(1))
    }

    /// Tells the consequences of a step: the game's own sentences, and the events announced.
    pub(super) fn moved(&mut self, seat: Seat, before: G::State, cause: Cause<G>, next: &NodeOf<G>) {
        if self.tells() {
            let after = match *next {
                Node::Decision(state, _) | Node::Chance(state, ..) | Node::Terminal(state) => state,
            };
            let step = Transition { before, cause, after, events: &self.events };
            let said = self.game.tell_step(&step);
            self.sketch = self.game.sketch(self.sketch, &step);
            if !said.is_empty() {
                self.reveal();
                self.catch_up();
                said.iter().for_each(|sentence| self.line(sentence));
                self.step(json!({ "step": "news", "seat": seat + 1, "text": said }));
            }
        }
        self.announce();
    }

    /// Tells the events that the rules announced, in order.
    pub(super) fn announce(&mut self) {
        let begun = self.events.iter().filter(|(_, event)| *event == Event::TURN).count();
        self.rounds += u32::from(begun > 0);
        self.has_rounds |= begun > 1;
        for (seat, event) in std::mem::take(&mut self.events) {
            self.counts[seat][event.index()] += 1;
            if event == Event::TURN {
                self.begin_turn(seat);
            }
            if event == Event::ROLL || !self.tells() {
                continue;
            }
            match event {
                Event::TURN => {
                    let turn = self.turn;
                    self.step(json!({ "step": "turn", "seat": seat + 1, "turn": turn }));
                }
                Event::BUST => self.step(json!({ "step": "bust", "seat": seat + 1 })),
                _ => {}
            }
            if self.game.is_told(event) {
                // Where several play at once, the places are told once more.
                self.has_news |= self.game.seats() > 1 && self.to_play.is_none();
                continue;
            }
            match &mut self.news {
                Some((same, seats)) if *same == event => seats.push(seat),
                _ => {
                    self.tell_news();
                    self.news = Some((event, vec![seat]));
                }
            }
        }
    }

    /// The number of a seat's turn.
    pub(super) fn turn_of(&self, seat: Seat) -> u32 {
        if self.has_rounds { self.rounds } else { self.counts[seat][Event::TURN.index()] }
    }

    /// Begins the next turn of a seat, which may be a turn that is not told, or the first that is.
    pub(super) fn begin_turn(&mut self, seat: Seat) {
        let (was_told, turn) = (self.tells(), self.turn_of(seat));
        let first = *self.turns.start();
        if was_told && !self.turns.contains(&turn) {
            self.catch_up();
        }
        if self.listener.wants_more() && self.turn < first && self.turns.contains(&turn) && first > 1 {
            let _ = writeln!(self.out, "\n… {} left out", turns_in_words(1, first - 1));
        }
        self.turn = turn;
    }

    /// Tells the last event.
    pub(super) fn tell_news(&mut self) {
        let Some((event, seats)) = self.news.take() else { return };
        // The rolls and answers that led to it come first.
        self.catch_up();
        let is_solo = self.game.seats() == 1;
        let who = seats_in_words(seats.iter().copied());
        if event == Event::TURN {
            let turn = self.turn_of(seats[0]);
            let who = if is_solo { String::new() } else { format!(", {who}") };
            let _ = writeln!(self.out, "\nTurn {turn}{who}");
            self.to_play = (seats.len() == 1).then_some(seats[0]);
        } else if event == Event::BUST && (is_solo || self.to_play == Some(seats[0])) {
            self.line("bust: the turn is lost");
        } else if !is_solo {
            let counts = |metric: &&Metric| metric.source == Source::Count(event);
            let name = Game::metrics(self.game).iter().find(counts).map_or("event", Metric::word);
            self.line(&format!("{name}: {}", times_in_words(&seats)));
            self.has_news = true;
        }
    }

    /// The name of the acting seat, if the turn does not imply it.
    pub(super) fn who(&self, seat: Seat) -> String {
        let is_told = self.game.seats() == 1 || self.to_play == Some(seat);
        if is_told { String::new() } else { format!("seat {} ", seat + 1) }
    }

    /// Tells the places that have changed since they were last told.
    pub(super) fn places(&mut self, state: G::State) {
        let places = self.game.describe_at_a_glance(&state, self.sketch);
        let changed: Vec<_> = places
            .iter()
            .filter(|place| self.last.as_ref().is_none_or(|last| !last.contains(place)))
            .map(|(place, text)| format!("      {}: {text}", spoken(place)))
            .collect();
        for line in changed {
            let _ = writeln!(self.out, "{line}");
        }
        self.last = Some(places);
        self.has_news = false;
    }

    /// Tells the answers that were not to be known.
    pub(super) fn reveal(&mut self) {
        for (line, is_quiet) in std::mem::take(&mut self.secret) {
            if is_quiet {
                self.wait(line);
            } else {
                self.catch_up();
                self.line(&line);
            }
        }
    }

    /// Tells a roll: the dice of a seat showed `outcome` in `state`.
    pub(super) fn resolved(&mut self, state: G::State, seat: Seat, outcome: <G::Chance as Chance>::Outcome) {
        if !self.tells() {
            return;
        }
        self.reveal();
        self.tell_news();
        self.rolled.push((state, outcome));
        let Some(told) = self.game.tell_roll(&self.rolled) else { return };
        self.rolled.clear();
        if self.has_news {
            self.places(state);
        }
        let is_of_all = self.game.is_roll_of_all(&state);
        let who = if is_of_all { "the table ".to_owned() } else { self.who(seat) };
        self.wait(format!("{who}{told}"));
        let dice = told.strip_prefix("rolls ").unwrap_or(&told);
        let seat = (!is_of_all).then_some(seat + 1);
        self.step(json!({ "step": "roll", "seat": seat, "dice": dice }));
    }
}

impl<G: Playable> Events for Teller<'_, G> {
    fn event(&mut self, seat: Seat, event: Event) {
        self.events.push((seat, event));
    }
}

/// Seats for which something was counted: "seats 1 and 3", or "3, seat 1" where it was counted several times at once.
fn times_in_words(seats: &[Seat]) -> String {
    let runs: Vec<&[Seat]> = seats.chunk_by(|one, other| one == other).collect();
    if runs.len() == seats.len() {
        return seats_in_words(seats.iter().copied());
    }
    let told = |run: &&[Seat]| format!("{}, {}", run.len(), seats_in_words(run.iter().copied().take(1)));
    runs.iter().map(told).collect::<Vec<_>>().join("; ")
}

/// "turn 7 is" or "turns 1 to 6 are".
pub(super) fn turns_in_words(first: u32, last: u32) -> String {
    let (from, to) = (grouped(first.into()), grouped(last.into()));
    if first == last { format!("turn {from} is") } else { format!("turns {from} to {to} are") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_counted_several_times_at_once_is_told_once() {
        let told = [&[0][..], &[0, 2], &[0, 0, 0], &[0, 0, 1]].map(times_in_words);
        assert_eq!(told, ["seat 1", "seats 1 and 3", "3, seat 1", "2, seat 1; 1, seat 2"]);
    }
}
