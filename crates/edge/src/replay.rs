//! A trial, as a person at the table would tell it.

use std::fmt::Write as _;
use std::sync::Arc;

use serde_json::{Value, json};
use stopwise_engine::chance::Chance;
use stopwise_engine::game::{
    Action, Event, Events, Form, Game, MAX_METRICS, MAX_SEATS, Metric, Question, Seat, Source,
};
use stopwise_engine::games::Playable;
use stopwise_engine::stream::Keys;
use stopwise_engine::tally::measure_seat;
use stopwise_engine::trial::{Watch, trial};
use stopwise_policy::TextPolicy;

use crate::numbers::grouped;

/// A trial in words.
#[derive(Clone, Debug, PartialEq)]
pub struct Replay {
    /// Told line by line.
    pub text: String,
    /// The same as data: an object a turn, roll, decision and bust.
    pub steps: Vec<Value>,
    /// How it ended, as in [`AnyRules::endings`](crate::AnyRules::endings).
    pub ending: &'static str,
    /// An object a seat, with its metrics.
    pub seats: Vec<Value>,
}

pub(crate) fn replay<G: Playable>(
    rules: &G,
    lineup: &[Arc<TextPolicy<G>>],
    seed: u64,
    number: u64,
) -> Replay {
    let mut teller = Teller {
        game: rules,
        lineup,
        out: String::new(),
        steps: Vec::new(),
        counts: [[0; Event::COUNT]; MAX_SEATS],
        last: None,
        waiting: Vec::new(),
        news: None,
        to_play: None,
        has_news: false,
    };
    let mut words = Keys::new(seed).streams(number, rules.seats());
    let end = trial(rules, lineup, &mut words, &mut teller);
    let seats = teller.finish(end);
    let ending = Game::endings(rules)[rules.ending(end)].name;
    Replay { text: teller.out, steps: teller.steps, ending, seats }
}

/// Writes down what it sees.
struct Teller<'t, G: Playable> {
    game: &'t G,
    lineup: &'t [Arc<TextPolicy<G>>],
    out: String,
    steps: Vec<Value>,
    counts: [[u32; Event::COUNT]; MAX_SEATS],
    /// The places as they were last told, to tell only what changed.
    last: Option<Vec<(&'static str, String)>>,
    /// Lines about rolls and answers from which nothing has followed yet.
    waiting: Vec<String>,
    /// An event, and the seats it has happened to one after the other.
    news: Option<(Event, Vec<Seat>)>,
    /// The one seat whose turn it is; none if several have theirs at once.
    to_play: Option<Seat>,
    /// Whether something has happened since the places were told.
    has_news: bool,
}

/// How many lines a seat may wait to be told, and how many are told when there are more.
const WAITING: usize = 4;
const TOLD: usize = 2;

impl<G: Playable> Teller<'_, G> {
    fn line(&mut self, text: &str) {
        let _ = writeln!(self.out, "  {text}");
    }

    /// Tells what has been waiting: the last of it where nothing has followed from a long row of rolls and answers.
    fn catch_up(&mut self) {
        self.tell_news();
        let mut lines = std::mem::take(&mut self.waiting);
        if lines.len() > WAITING * self.game.seats() {
            let passed = lines.len() - TOLD * self.game.seats();
            lines.drain(..passed);
            self.line(&format!("… {} rolls and answers of which nothing comes", grouped(passed as u64)));
        }
        lines.iter().for_each(|line| self.line(line));
    }

    /// Tells the event that has happened last.
    fn tell_news(&mut self) {
        let Some((event, seats)) = self.news.take() else { return };
        // The rolls and answers that led to it come first.
        self.catch_up();
        let is_solo = self.game.seats() == 1;
        let who = seats.iter().map(|seat| (seat + 1).to_string()).collect::<Vec<_>>().join(", ");
        let who = format!("{} {who}", if seats.len() == 1 { "seat" } else { "seats" });
        if event == Event::TURN {
            let turn = self.counts[seats[0]][event.index()];
            let who = if is_solo { String::new() } else { format!(", {who}") };
            let _ = writeln!(self.out, "\nTurn {turn}{who}");
            self.to_play = (seats.len() == 1).then_some(seats[0]);
        } else if event == Event::BUST && (is_solo || self.to_play == Some(seats[0])) {
            self.line("bust!");
        } else if !is_solo {
            let counts = |metric: &&Metric| metric.source == Source::Count(event);
            let name = Game::metrics(self.game).iter().find(counts).map_or("event", |metric| metric.name);
            self.line(&format!("{name}: {who}"));
            self.has_news = true;
        }
    }

    /// Who does something, where the turn does not say it.
    fn who(&self, seat: Seat) -> String {
        let is_told = self.game.seats() == 1 || self.to_play == Some(seat);
        if is_told { String::new() } else { format!("seat {} ", seat + 1) }
    }

    /// Tells the places that changed since they were last told.
    fn places(&mut self, state: G::State) {
        let places = self.game.describe_state(&state);
        let changed: Vec<_> = places
            .iter()
            .filter(|place| self.last.as_ref().is_none_or(|last| !last.contains(place)))
            .map(|(place, text)| format!("      {place}: {text}"))
            .collect();
        for line in changed {
            let _ = writeln!(self.out, "{line}");
        }
        self.last = Some(places);
        self.has_news = false;
    }

    /// Why the policy chose as it did.
    fn reason(&self, state: G::State, question: Question) -> String {
        let policy = if self.lineup.len() == 1 { &self.lineup[0] } else { &self.lineup[question.seat] };
        if question.actions.is_single() {
            return "nothing else is possible".into();
        }
        if let Some((_, worth)) = policy.by_worth(self.game, &state, question) {
            return format!("the table: worth {worth:.4}");
        }
        match G::KINDS[question.kind].form {
            Form::YesNo => {
                let evidence = policy.evidence(self.game, state, question);
                let evidence: Vec<_> =
                    evidence.iter().map(|(name, value)| format!("{name} = {value}")).collect();
                evidence.join(", ")
            }
            Form::Items => {
                let mut before = question.actions;
                let mut said = Vec::new();
                for (entry, left) in policy.narrowing(self.game, state, question) {
                    if left != before {
                        said.push(format!("{entry} leaves {}", left.count()));
                    }
                    before = left;
                }
                if !before.is_single() {
                    said.push("the first in order".into());
                }
                said.join(", ")
            }
        }
    }

    fn finish(&mut self, end: G::State) -> Vec<Value> {
        self.catch_up();
        let ending = Game::endings(self.game)[self.game.ending(end)];
        let _ = writeln!(self.out, "\nThe game is over ({}): {}", ending.name, ending.meaning);
        self.places(end);
        let mut seats = Vec::new();
        for seat in 0..self.game.seats() {
            let mut values = [0; MAX_METRICS];
            measure_seat(self.game, end, seat, &self.counts[seat], &mut values);
            let named = Game::metrics(self.game).iter().zip(values);
            let text: Vec<_> =
                named.clone().map(|(metric, value)| format!("{} {value}", metric.name)).collect();
            let who = if self.game.seats() > 1 { format!("Seat {}: ", seat + 1) } else { String::new() };
            let _ = writeln!(self.out, "{who}{}", text.join(", "));
            let metrics: serde_json::Map<_, _> =
                named.map(|(metric, value)| (metric.name.to_owned(), value.into())).collect();
            seats.push(json!({ "seat": seat + 1, "metrics": metrics }));
        }
        seats
    }
}

impl<G: Playable> Events for Teller<'_, G> {
    fn event(&mut self, seat: Seat, event: Event) {
        self.counts[seat][event.index()] += 1;
        match event {
            Event::ROLL => return,
            Event::TURN => {
                let turn = self.counts[seat][event.index()];
                self.steps.push(json!({ "step": "turn", "seat": seat + 1, "turn": turn }));
            }
            Event::BUST => self.steps.push(json!({ "step": "bust", "seat": seat + 1 })),
            _ => {}
        }
        if self.game.is_told(event) {
            return;
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

impl<G: Playable> Watch<G> for Teller<'_, G> {
    fn resolved(&mut self, state: G::State, seat: Seat, outcome: <G::Chance as Chance>::Outcome) {
        self.tell_news();
        if self.has_news {
            self.places(state);
        }
        let dice = self.game.describe_outcome(outcome);
        self.waiting.push(format!("{}rolls {dice}", self.who(seat)));
        self.steps.push(json!({ "step": "roll", "seat": seat + 1, "dice": dice }));
    }

    fn decided(&mut self, state: G::State, question: Question, action: Action) {
        self.tell_news();
        let is_quiet = self.game.is_quiet(question.kind, action);
        if !is_quiet {
            self.catch_up();
        }
        if !is_quiet || self.has_news {
            self.places(state);
        }
        let name = |action| self.game.describe_action(&state, question.kind, action);
        let (kind, chosen) = (G::KINDS[question.kind].name, name(action));
        let possible: Vec<_> = question.actions.iter().map(name).collect();
        let reason = self.reason(state, question);
        let choices = match G::KINDS[question.kind].form {
            Form::Items if possible.len() > 1 => format!(" out of {}", possible.join(", ")),
            _ => String::new(),
        };
        let because = if reason.is_empty() { String::new() } else { format!("   [{reason}]") };
        let line = format!("{}{kind}: {chosen}{choices}{because}", self.who(question.seat));
        if is_quiet {
            self.waiting.push(line);
        } else {
            self.line(&line);
        }
        let places: serde_json::Map<_, _> = self
            .game
            .describe_state(&state)
            .into_iter()
            .map(|(place, text)| (place.to_lowercase().replace(' ', "_"), text.into()))
            .collect();
        self.steps.push(json!({
            "step": kind, "seat": question.seat + 1, "possible": possible, "chosen": chosen, "reason": reason,
            "state": places,
        }));
    }
}
