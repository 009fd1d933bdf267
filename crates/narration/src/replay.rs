//! The replay of a trial, told in words.

use std::collections::VecDeque;
use std::fmt::Write as _;
use std::ops::{ControlFlow, RangeInclusive};
use std::sync::Arc;

use serde_json::{Value, json};
use stopwise_engine::chance::Chance;
use stopwise_engine::game::{
    Action, AnswerForm, Event, Events, Game, MAX_METRICS, MAX_SEATS, Metric, Node, NodeOf, Policy as _,
    Question, Seat, Source,
};
use stopwise_engine::games::Playable;
use stopwise_engine::stream::{Keys, WordSource};
use stopwise_engine::trial_result::measure_seat;
use stopwise_engine::vocabulary::{
    Cause, NO_SKETCH, Rolled, Sketch, Transition, effects, listed, seats_in_words, with_worth,
    worth_in_words, write_position,
};
use stopwise_erased::AnyPolicy;
use stopwise_policy::TextPolicy;

use crate::names::in_a_word;
use crate::names::spoken;
use crate::numbers::grouped;
use crate::standings::Standings;

/// The trial to replay, and the turns to tell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passage {
    /// The seed of the trial.
    pub seed: u64,
    /// The number of the trial, from 0.
    pub trial: u64,
    /// The turns, from 1, in each seat's own count. Other turns are played but not told.
    pub turns: RangeInclusive<u32>,
}

impl Passage {
    /// All turns of a trial.
    pub fn whole(seed: u64, trial: u64) -> Self {
        Self { seed, trial, turns: 1..=u32::MAX }
    }
}

/// Receives a replay while it is told. Its methods return whether to continue.
pub trait Listener {
    /// Whether it wants more to be told; otherwise the trial is only played.
    fn wants_more(&self) -> bool {
        true
    }

    /// Further lines, each with its line break.
    fn text(&mut self, text: &str) -> ControlFlow<()>;
    /// The same as data: one object for each turn, roll, decision and bust, and for each consequence of a roll or
    /// decision.
    fn step(&mut self, step: Value) -> ControlFlow<()>;
}

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

/// How a telling ends.
#[derive(Clone, Debug, PartialEq)]
pub enum Told {
    /// The game is over.
    Over(Outcome),
    /// A decision for which no action is given: the position as text.
    Asked(String),
}

/// `is_open`: where given actions end before the game, the question is what is told.
pub(crate) fn replay<G: Playable>(
    rules: &G,
    lineup: &[Player<'_>],
    (passage, is_open): (&Passage, bool),
    listener: &mut dyn Listener,
) -> Option<Told> {
    let lineup: &Vec<_> = &lineup.iter().map(|player| player.typed(rules)).collect();
    let mut teller = Teller {
        game: rules,
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
        last: None,
        waiting: VecDeque::new(),
        passed: 0,
        news: None,
        to_play: None,
        has_news: false,
        secret: Vec::new(),
        is_open,
    };
    let mut words = Keys::new(passage.seed).streams(passage.trial, rules.seats());
    let end = match play(rules, lineup, &mut words, &mut teller)? {
        Ok(end) => end,
        Err(position) => return Some(Told::Asked(position)),
    };
    let outcome = teller.finish(end);
    (!teller.is_ended).then_some(Told::Over(outcome))
}

/// Plays a trial as [`trial`](stopwise_engine::trial::trial) does, step by step, so that it can be left in the middle: to the
/// end, or to a question that is open.
fn play<G: Playable>(
    game: &G,
    lineup: &[Player<'_, Arc<TextPolicy<G>>>],
    words: &mut impl WordSource,
    teller: &mut Teller<'_, G>,
) -> Option<Result<G::State, String>> {
    let mut node = game.next_told(None, teller);
    // How many of the actions of each are taken.
    let mut given = vec![0; lineup.len()];
    teller.announce();
    if teller.turn == 0 && teller.tells() {
        let _ = writeln!(teller.out, "\nBefore the first turn");
    }
    while teller.goes_on() {
        let (seat, before, cause) = match node {
            Node::Terminal(end) => return Some(Ok(end)),
            Node::Chance(state, seat, chance) => {
                let outcome = chance.sample(words.word(seat));
                teller.resolved(state, seat, outcome);
                (seat, state, Cause::Roll(outcome))
            }
            Node::Decision(state, question) => {
                let player = if lineup.len() == 1 { 0 } else { question.seat };
                let action = match &lineup[player].answers {
                    _ if question.actions.is_single() => question.actions.first(),
                    Answers::Text(policy) => policy.choose(game, state, question),
                    Answers::Given(actions) => match actions.get(given[player]) {
                        Some(&action) if is_legal(action, question) => {
                            given[player] += 1;
                            Action(1 << action)
                        }
                        None if teller.is_open => {
                            teller.tell_news();
                            teller.catch_up();
                            teller.goes_on();
                            return Some(Err(write_position(game, (state, question))));
                        }
                        wrong => {
                            teller.break_off(&lineup[player].label, state, question, wrong.copied());
                            return None;
                        }
                    },
                };
                teller.decided(state, question, action);
                (question.seat, state, Cause::Answer(question.kind, action))
            }
        };
        let next = game.next_told(Some((before, cause)), teller);
        teller.moved(seat, before, cause, &next);
        node = next;
    }
    None
}

fn is_legal(action: i64, question: Question) -> bool {
    (0..64).contains(&action) && question.actions.contains(Action(1 << action))
}

/// The player of one seat, or of all seats. Its policy was compiled for the game, whose type is not known to callers.
#[derive(Clone, Debug)]
pub(crate) struct Player<'p, P = &'p AnyPolicy> {
    /// Its name, with its parameters.
    pub(crate) label: String,
    pub(crate) answers: Answers<'p, P>,
}

/// The origin of the player's answers.
#[derive(Clone, Debug)]
pub(crate) enum Answers<'p, P = &'p AnyPolicy> {
    Text(P),
    /// Actions to take, by index, without forced ones.
    Given(&'p [i64]),
}

impl<'p> Player<'p> {
    /// The same player, of a game whose type is known.
    fn typed<G: Playable>(&self, rules: &G) -> Player<'p, Arc<TextPolicy<G>>> {
        let answers = match self.answers {
            Answers::Text(policy) => Answers::Text(crate::policy(policy, rules)),
            Answers::Given(actions) => Answers::Given(actions),
        };
        Player { label: self.label.clone(), answers }
    }
}

/// Tells the trial that it watches.
struct Teller<'t, G: Playable> {
    game: &'t G,
    lineup: &'t [Player<'t, Arc<TextPolicy<G>>>],
    listener: &'t mut dyn Listener,
    /// The turns to tell.
    turns: RangeInclusive<u32>,
    /// The current turn; 0 before the first.
    turn: u32,
    /// The observer's sketch, from the turns that are told.
    sketch: Sketch,
    /// Lines that have not yet been passed to the listener.
    out: String,
    /// Whether the listener asked to stop.
    is_ended: bool,
    /// What has been rolled since a roll was told or a question answered.
    rolled: Vec<Rolled<G>>,
    /// The events announced in this step.
    events: Vec<(Seat, Event)>,
    counts: [[u32; Event::COUNT]; MAX_SEATS],
    /// The places as they were last told, so that only changes are told.
    last: Option<Vec<(&'static str, String)>>,
    /// The last lines about rolls and answers that had no consequence yet.
    waiting: VecDeque<String>,
    /// The number of such lines before them.
    passed: usize,
    /// An event, and the seats to which it happened one after the other.
    news: Option<(Event, Vec<Seat>)>,
    /// The one seat whose turn it is; `None` if several have their turn at the same time.
    to_play: Option<Seat>,
    /// Whether anything has happened since the places were told.
    has_news: bool,
    /// Answers of which a person who is still asked may not know, and whether they may be elided.
    secret: Vec<(String, bool)>,
    /// Whether somebody answers who is shown the places when asked.
    is_open: bool,
}

/// The number of lines that may wait, and the number that are told if there were more.
const WAITING: usize = 4;
const TOLD: usize = 2;

impl<G: Playable> Teller<'_, G> {
    /// Passes the pending lines to the listener. Returns whether to continue.
    fn goes_on(&mut self) -> bool {
        let told = std::mem::take(&mut self.out);
        self.is_ended |= self.listener.text(&told).is_break();
        self.out = told;
        self.out.clear();
        !self.is_ended
    }

    fn step(&mut self, step: Value) {
        self.is_ended |= self.listener.step(step).is_break();
    }

    /// Holds back a line until it has a consequence.
    fn wait(&mut self, line: String) {
        if self.waiting.len() == WAITING * self.game.seats() {
            self.waiting.pop_front();
            self.passed += 1;
        }
        self.waiting.push_back(line);
    }

    fn line(&mut self, text: &str) {
        let _ = writeln!(self.out, "  {text}");
    }

    /// Tells the lines held back; of a long row of rolls and answers without consequence, only the last.
    fn catch_up(&mut self) {
        self.tell_news();
        let (mut lines, mut passed) = (std::mem::take(&mut self.waiting), std::mem::take(&mut self.passed));
        if passed > 0 {
            let more = lines.len() - TOLD * self.game.seats();
            lines.drain(..more);
            passed += more;
            self.line(&format!("… {} further rolls and answers", grouped(passed as u64)));
        }
        lines.iter().for_each(|line| self.line(line));
    }

    /// Whether this turn is told; with the first also what is before it.
    fn tells(&self) -> bool {
        self.listener.wants_more() && self.turns.contains(&self.turn.max(1))
    }

    /// Tells the consequences of a step: the game's own sentences, and the events announced.
    fn moved(&mut self, seat: Seat, before: G::State, cause: Cause<G>, next: &NodeOf<G>) {
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
    fn announce(&mut self) {
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

    /// Begins the next turn of a seat, which may be a turn that is not told, or the first that is.
    fn begin_turn(&mut self, seat: Seat) {
        let (was_told, turn) = (self.tells(), self.counts[seat][Event::TURN.index()]);
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
    fn tell_news(&mut self) {
        let Some((event, seats)) = self.news.take() else { return };
        // The rolls and answers that led to it come first.
        self.catch_up();
        let is_solo = self.game.seats() == 1;
        let who = seats_in_words(seats.iter().copied());
        if event == Event::TURN {
            let turn = self.counts[seats[0]][event.index()];
            let who = if is_solo { String::new() } else { format!(", {who}") };
            let _ = writeln!(self.out, "\nTurn {turn}{who}");
            self.to_play = (seats.len() == 1).then_some(seats[0]);
        } else if event == Event::BUST && (is_solo || self.to_play == Some(seats[0])) {
            self.line("bust: the turn is lost");
        } else if !is_solo {
            let counts = |metric: &&Metric| metric.source == Source::Count(event);
            let name = Game::metrics(self.game).iter().find(counts).map_or("event", |metric| metric.name);
            self.line(&format!("{name}: {who}"));
            self.has_news = true;
        }
    }

    /// The name of the acting seat, if the turn does not imply it.
    fn who(&self, seat: Seat) -> String {
        let is_told = self.game.seats() == 1 || self.to_play == Some(seat);
        if is_told { String::new() } else { format!("seat {} ", seat + 1) }
    }

    /// Tells the places that have changed since they were last told.
    fn places(&mut self, state: G::State) {
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

    /// Whether who answers was shown the places when asked.
    fn is_shown(&self, question: Question) -> bool {
        let player = &self.lineup[if self.lineup.len() == 1 { 0 } else { question.seat }];
        self.is_open && matches!(player.answers, Answers::Given(_)) && !question.actions.is_single()
    }

    /// Whether who is asked next does not know of this answer.
    fn is_secret(&self, state: G::State, question: Question, action: Action) -> bool {
        let next = |action| match self
            .game
            .next_told(Some((state, Cause::Answer(question.kind, action))), &mut ())
        {
            Node::Decision(next, asked) => Some((self.game.seen(next), asked.seat, next)),
            _ => None,
        };
        let is_hidden = |(seen, seat, whole): (G::State, Seat, G::State)| {
            let others = question.actions.iter().filter_map(next);
            others.into_iter().any(|other| (other.0, other.1) == (seen, seat) && other.2 != whole)
        };
        self.game.asks_at_once() && next(action).is_some_and(is_hidden)
    }

    /// Tells the answers that were not to be known.
    fn reveal(&mut self) {
        for (line, is_quiet) in std::mem::take(&mut self.secret) {
            if is_quiet {
                self.wait(line);
            } else {
                self.catch_up();
                self.line(&line);
            }
        }
    }

    /// The reason for the policy's choice.
    fn reason(&self, state: G::State, question: Question) -> String {
        let policy = if self.lineup.len() == 1 { &self.lineup[0] } else { &self.lineup[question.seat] };
        if question.actions.is_single() {
            return "nothing else is possible".into();
        }
        let Answers::Text(policy) = &policy.answers else { return String::new() };
        if let Some(reason) = policy.reason_by_worth(self.game, &state, question) {
            return reason;
        }
        let mut said = Vec::new();
        if policy.has_list(question.kind) {
            let mut before = question.actions;
            for (entry, left) in policy.narrowing(self.game, state, question) {
                if left != before {
                    said.push(format!("{entry} leaves {}", left.count()));
                }
                before = left;
            }
            if !before.is_single() {
                said.push("the first in order".into());
            }
        } else {
            let evidence = policy.evidence(self.game, state, question);
            said.extend(evidence.iter().map(|(name, value)| format!("{name} = {value}")));
            if policy.is_clipped(self.game, state, question) {
                said.push("the nearest that is legal".into());
            }
        }
        said.join(", ")
    }

    /// Ends a replay whose next given action is missing or illegal.
    fn break_off(&mut self, label: &str, state: G::State, question: Question, wrong: Option<i64>) {
        self.catch_up();
        let name = |action: Action| {
            let name = self.game.describe_sketched_action(&state, question.kind, action, self.sketch);
            format!("{} ({name})", action.index())
        };
        let possible: Vec<_> = question.actions.iter().map(name).collect();
        let possible = listed(&possible, "or");
        let kind = self.game.info().kinds[question.kind].name;
        let told = match wrong {
            None => format!("has no further actions; the game goes on with `{kind}`: {possible}"),
            Some(action) => {
                format!("answers {action}, which is no legal action of `{kind}` here: {possible}")
            }
        };
        let _ = writeln!(self.out, "\n{label} {told}");
        self.goes_on();
    }

    fn finish(&mut self, end: G::State) -> Outcome {
        self.reveal();
        self.catch_up();
        self.tell_left_out();
        let ending = Game::endings(self.game)[self.game.ending(end)];
        let _ = writeln!(self.out, "\nThe game is over ({}): {}", ending.name, ending.meaning);
        self.places(end);
        let measured = |seat: usize| {
            let mut values = [0; MAX_METRICS];
            measure_seat(self.game, end, seat, &self.counts[seat], &mut values);
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
                telling.iter().map(|&at| format!("{} {}", metrics[at].name, values[at])).collect();
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
        let played = self.counts.iter().map(|counts| counts[Event::TURN.index()]).max().unwrap_or(0);
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
fn object(members: Vec<(String, Value)>) -> Value {
    members.into_iter().collect()
}

/// "turn 7 is" or "turns 1 to 6 are".
fn turns_in_words(first: u32, last: u32) -> String {
    let (from, to) = (grouped(first.into()), grouped(last.into()));
    if first == last { format!("turn {from} is") } else { format!("turns {from} to {to} are") }
}

impl<G: Playable> Events for Teller<'_, G> {
    fn event(&mut self, seat: Seat, event: Event) {
        self.events.push((seat, event));
    }
}

impl<G: Playable> Teller<'_, G> {
    /// Tells a roll: the dice of a seat showed `outcome` in `state`.
    fn resolved(&mut self, state: G::State, seat: Seat, outcome: <G::Chance as Chance>::Outcome) {
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
        self.wait(format!("{}{told}", self.who(seat)));
        let dice = told.strip_prefix("rolls ").unwrap_or(&told);
        self.step(json!({ "step": "roll", "seat": seat + 1, "dice": dice }));
    }

    /// Tells a decision: a seat took `action` in `state`.
    fn decided(&mut self, state: G::State, question: Question, action: Action) {
        if !self.tells() {
            return;
        }
        self.rolled.clear();
        self.tell_news();
        let is_shown = self.is_shown(question);
        let is_quiet = !is_shown && self.game.is_quiet(question.kind, action);
        let is_secret = self.is_open && !is_shown && self.is_secret(state, question, action);
        if !(is_secret || question.actions.is_single()) {
            self.reveal();
        }
        if !is_quiet {
            self.catch_up();
        }
        if is_shown {
            self.last = Some(self.game.describe_at_a_glance(&state, self.sketch));
            self.has_news = false;
        } else if !is_quiet || self.has_news {
            self.places(state);
        }
        let name = |action| self.game.describe_sketched_action(&state, question.kind, action, self.sketch);
        let (kind, chosen) = (self.game.info().kinds[question.kind].name, name(action));
        let possible: Vec<_> = question.actions.iter().map(name).collect();
        let reason = self.reason(state, question);
        // Of answers of the same effect one is told.
        let others = effects(self.game, (state, question)).into_iter().filter(|same| !same.contains(&action));
        let in_words = |action| {
            let worth = worth_in_words(self.game, &state, question.kind, action);
            with_worth(&in_a_word(&name(action)), worth.as_deref())
        };
        let others: Vec<_> = others.map(|same| in_words(same[0])).collect();
        let choices = match self.game.info().kinds[question.kind].form {
            AnswerForm::Items | AnswerForm::Number if !others.is_empty() && !is_shown => {
                format!(" rather than {}", listed(&others, "or"))
            }
            _ => String::new(),
        };
        let because = if reason.is_empty() { String::new() } else { format!("   [{reason}]") };
        let told = self.game.tell_action(question.kind, action, &in_words(action));
        let line = format!("{}{told}{choices}{because}", self.who(question.seat));
        if is_secret {
            self.secret.push((line, is_quiet));
        } else if is_quiet {
            self.wait(line);
        } else {
            self.line(&line);
        }
        let places = self.game.describe_sketched_state(&state, self.sketch);
        let named = |(place, text): (&str, String)| (place.to_lowercase().replace(' ', "_"), text.into());
        let places = object(places.into_iter().map(named).collect());
        self.step(json!({
            "step": kind, "seat": question.seat + 1, "possible": possible, "chosen": chosen, "reason": reason,
            "state": places, "position": write_position(self.game, (state, question)),
        }));
    }
}

/// A number of a metric.
fn number(metric: &Metric, value: u32) -> Value {
    if metric.is_share() { metric.read(value).into() } else { value.into() }
}
