//! A position at which a seat decides, as an object: what can be answered, and what follows.

use std::any::Any;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use stopwise_engine::chance::Chance;
use stopwise_engine::game::{
    Action, Counts, Event, Events, Game, Kind, MAX_METRICS, MAX_SEATS, Node, NodeOf, Policy as _, Question,
    Seat, is_by_chance,
};
use stopwise_engine::games::Playable;
use stopwise_engine::stream::Keys;
use stopwise_engine::trial::{Watch, play_on};
use stopwise_engine::trial_result::measure_seat;
use stopwise_engine::vocabulary::{
    Position, PositionError, Scene, effects, read_position, with_worth, worth_in_words, write_position,
};
use stopwise_policy::nearest;

use crate::policy::{AnyPolicy, typed};

/// The longest meaning of a decision that stands for yes, in bytes; else its name does.
const SHORT: usize = 24;

/// A position at which a seat decides.
#[derive(Clone)]
pub struct Asked {
    /// The position as text, from which [`AnyRules::asked`](crate::AnyRules::asked) makes the same.
    pub text: String,
    /// The same without what only a program counts, for people to copy and change.
    pub typed: String,
    /// Who decides, from 0.
    pub seat: usize,
    /// Index into the kinds of decision.
    pub kind: usize,
    /// What can be answered, in the game's order; answers of the same effect are one choice.
    pub choices: Vec<Choice>,
    /// The contents of every place, as the deciding seat sees them, and what is worked out for it.
    pub places: Vec<(&'static str, String)>,
    /// The same as it lies on the table.
    pub scene: Scene,
    /// The parts that the text from which it was made has left out.
    pub assumed: Vec<String>,
    /// Whether it has answers of others who are asked at the same time, which the deciding seat does not see.
    pub is_veiled: bool,
    /// A [`Position`] of the game.
    position: Arc<dyn Any + Send + Sync>,
}

/// What can be answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The number of the action.
    pub action: u8,
    /// In words: "stop", "do not stop", "small red".
    pub name: String,
    /// The word that replays have for it: the same, but for a mere yes or no, of which the name says what it does.
    pub word: String,
    /// What it is worth, with its unit, if its game tells that of a candidate: "1,050 points".
    pub worth: Option<String>,
    /// Other answers of the same effect, by their numbers and words.
    pub same: Vec<(u8, String)>,
}

impl Choice {
    /// The answers of one effect in a position.
    pub(crate) fn of<G: Playable>(rules: &G, (state, question): Position<G>, effect: &[Action]) -> Self {
        #[allow(clippy::cast_possible_truncation, reason = "an action is one of 64")]
        let number = |action: Action| action.index() as u8;
        let word = |&action: &Action| (number(action), rules.describe_action(&state, question.kind, action));
        let mut same: Vec<(u8, String)> = effect.iter().map(word).collect();
        let worth = worth_in_words(rules, &state, question.kind, effect[0]);
        let (action, word) = same.remove(0);
        let name = Self::name(&rules.info().kinds[question.kind], &word);
        Self { action, name, word, worth, same }
    }

    /// Its name, and what it is worth.
    #[must_use]
    pub fn told(&self) -> String {
        with_worth(&self.name, self.worth.as_deref())
    }

    /// The numbers of its answers.
    fn actions(&self) -> impl Iterator<Item = u8> {
        std::iter::once(self.action).chain(self.same.iter().map(|(action, _)| *action))
    }

    /// The name of the answer that has this word in replays.
    #[must_use]
    pub fn name(kind: &Kind, word: &str) -> String {
        let asks = if (1..=SHORT).contains(&kind.meaning.len()) { kind.meaning } else { kind.name };
        let asks = asks.replace('_', " ");
        match word {
            "yes" => asks,
            "no" => format!("do not {asks}"),
            word => word.to_owned(),
        }
    }
}

/// Whether a part of a position is how many rolls and answers its turn has had, which matters to the cap on them alone.
fn is_counted(part: &str) -> bool {
    part.starts_with("stops=")
}

/// Whether it is what only a program counts, unless the rules or a policy read it.
fn is_clock(part: &str) -> bool {
    is_counted(part) || ["round=", "turns=", "played=", "rest="].iter().any(|clock| part.starts_with(clock))
}

/// A position of this text without what only a program counts: how many rolls and answers its turn has had, and of a game as text
/// rounds, turns and words that no variable holds, where nothing but a cap reads them.
fn typed_as<G: Playable>(rules: &G, written: &str) -> String {
    let without = |is_left_out: fn(&str) -> bool| {
        let parts: Vec<&str> = written.split_whitespace().filter(|part| !is_left_out(part)).collect();
        let text = parts.join(" ");
        let (state, question) = read_position(rules, &text).ok()?;
        Some((text, rules.forget(state, u32::MAX), question))
    };
    let Some(typed) = without(is_counted) else { return written.to_owned() };
    let has_clocks = typed.0.split_whitespace().any(is_clock);
    let shorter = has_clocks.then(|| without(is_clock)).flatten();
    shorter.filter(|shorter| (shorter.1, shorter.2) == (typed.1, typed.2)).unwrap_or(typed).0
}

impl fmt::Debug for Asked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Asked").field("text", &self.text).finish_non_exhaustive()
    }
}

impl Asked {
    /// The position of a text.
    pub(crate) fn read<G: Playable>(rules: &G, text: &str) -> Result<Self, String> {
        let position = read_position(rules, text).map_err(|error| match &error {
            PositionError::Unknown { name, known } => match nearest(name, known.iter().map(String::as_str)) {
                Some(near) => format!("{error}; did you mean `{near}`?"),
                None => error.to_string(),
            },
            PositionError::Wrong(why) => why.clone(),
        })?;
        let (state, question) = position;
        let written = write_position(rules, position);
        let name = |part: &str| part.split_once('=').map_or(part.to_owned(), |(name, _)| name.to_owned());
        let given: Vec<String> = text.split_whitespace().map(name).collect();
        let is_left_out = |part: &&str| !is_counted(part) && !given.contains(&name(part));
        Ok(Self {
            typed: typed_as(rules, &written),
            assumed: written.split_whitespace().filter(is_left_out).map(str::to_owned).collect(),
            is_veiled: rules.seen(state) != state,
            text: written,
            seat: question.seat,
            kind: question.kind,
            choices: effects(rules, position)
                .iter()
                .map(|effect| Choice::of(rules, position, effect))
                .collect(),
            places: rules.describe_decision(state),
            scene: rules.scene(state, question.seat),
            position: Arc::new(position),
        })
    }

    /// The choice to which an answer belongs, by the number of its action.
    #[must_use]
    pub fn choice_of(&self, action: u8) -> Option<usize> {
        self.choices.iter().position(|choice| choice.actions().any(|other| other == action))
    }

    /// The same, by its place among all answers that the rules allow.
    #[must_use]
    pub fn choice_at(&self, place: usize) -> Option<usize> {
        let mut actions: Vec<u8> = self.choices.iter().flat_map(Choice::actions).collect();
        actions.sort_unstable();
        actions.get(place).and_then(|action| self.choice_of(*action))
    }

    /// Of something that all answers have the one of each choice.
    pub(crate) fn of_choices<T: Copy>(&self, of_answers: &[T]) -> Vec<T> {
        let mut actions: Vec<u8> = self.choices.iter().flat_map(Choice::actions).collect();
        actions.sort_unstable();
        let of =
            |choice: &Choice| actions.binary_search(&choice.action).ok().and_then(|at| of_answers.get(at));
        self.choices.iter().filter_map(of).copied().collect()
    }

    /// The position, of a game whose type is known.
    pub(crate) fn typed<G: Playable>(&self, _: &G) -> Position<G> {
        *self.position.downcast_ref().expect("a position of the game that is asked")
    }
}

/// Why play hardly comes to the position.
pub(crate) fn doubt<G: Playable>(rules: &G, asked: &Asked) -> Option<String> {
    rules.doubt(asked.typed(rules))
}

/// What a policy answers: the number of an action; `None` if it answers by chance.
pub(crate) fn answer<G: Playable>(rules: &G, asked: &Asked, policy: &AnyPolicy) -> Option<u8> {
    let (state, question) = asked.typed(rules);
    let policy = policy.typed(rules);
    if policy.is_by_chance(question.kind) {
        return None;
    }
    u8::try_from(policy.choose(rules, state, question).index()).ok()
}

/// Counts the events of a game from a position on.
struct Counter([[u32; Event::COUNT]; MAX_SEATS]);

impl Counts for Counter {
    #[inline(always)]
    fn counts(&mut self, seat: Seat) -> &mut [u32; Event::COUNT] {
        &mut self.0[seat]
    }
}

impl<G: Game> Watch<G> for Counter {}

/// The values of a metric of the deciding seat in games that go on with an answer, one for each trial: what is counted is
/// counted from the position on. The dice of a trial are those of its number, whatever is answered.
///
/// # Errors
///
/// Why the rules could not go on: a position whose parts are each possible need not be one.
pub(crate) fn played<G: Playable>(
    rules: &G,
    asked: &Asked,
    action: u8,
    lineup: &[AnyPolicy],
    metric_and_seed: (usize, u64),
    trials: Range<u64>,
) -> Result<Vec<u32>, String> {
    let (state, question) = asked.typed(rules);
    let from = |counter: &mut _| rules.decide(state, question.kind, Action(1 << action), counter);
    played_from(rules, from, question.seat, lineup, metric_and_seed, trials)
}

/// The same of a seat in games from their beginning.
///
/// # Errors
///
/// Why the rules could not go on.
pub(crate) fn begun<G: Playable>(
    rules: &G,
    seat: Seat,
    lineup: &[AnyPolicy],
    metric_and_seed: (usize, u64),
    trials: Range<u64>,
) -> Result<Vec<u32>, String> {
    played_from(rules, |counter: &mut _| rules.root(counter), seat, lineup, metric_and_seed, trials)
}

fn played_from<G: Playable>(
    rules: &G,
    from: impl Fn(&mut Counter) -> NodeOf<G>,
    seat: Seat,
    lineup: &[AnyPolicy],
    (metric, seed): (usize, u64),
    trials: Range<u64>,
) -> Result<Vec<u32>, String> {
    let (lineup, keys) = (typed(rules, lineup), Keys::new(seed));
    let by_chance = is_by_chance::<G, _>(&lineup);
    let one = |trial| {
        let mut counter = Counter([[0; Event::COUNT]; MAX_SEATS]);
        let mut words = keys.streams_with(trial, rules.seats(), by_chance);
        let node = from(&mut counter);
        let end = play_on(rules, &lineup, node, &mut words, &mut counter);
        if let Some(why) = rules.fault(end) {
            return Err(why);
        }
        let mut values = [0; MAX_METRICS];
        measure_seat(rules, end, seat, &counter.0[seat], &mut values);
        Ok(values[metric])
    };
    trials.map(one).collect()
}

/// The most nodes of chance that are looked at for the chance of a bust, and the most of them one after the other.
const NODES: usize = 200_000;
const LAYERS: usize = 64;

/// Listens for a bust and for the end of the turn.
struct Busts {
    seat: Seat,
    busts: bool,
    ends: bool,
}

impl Events for Busts {
    fn event(&mut self, seat: Seat, event: Event) {
        self.busts |= seat == self.seat && event == Event::BUST;
        self.ends |= event == Event::TURN;
    }
}

/// The chance that the deciding seat loses its turn to the dice after an answer, before anybody decides again: exactly, by
/// all outcomes. `None` if there are too many.
pub(crate) fn bust_chance<G: Playable>(rules: &G, asked: &Asked, action: u8) -> Option<f64> {
    let (state, question) = asked.typed(rules);
    let seat = question.seat;
    let (mut busts, mut open, mut nodes) = (0.0, 1.0, 0);
    let mut listens = Busts { seat, busts: false, ends: false };
    let node = rules.decide(state, question.kind, Action(1 << action), &mut listens);
    // Its order is the same in every run.
    let mut layer: FxHashMap<(G::State, G::Chance), f64> = FxHashMap::default();
    let mut go_on = |node, chance: f64, listens: &Busts, next: &mut FxHashMap<_, f64>| {
        if listens.busts {
            busts += chance;
        } else if let (false, Some(roll)) = (listens.ends, until_roll(rules, node)) {
            *next.entry(roll).or_default() += chance;
        }
    };
    go_on(node, 1.0, &listens, &mut layer);
    for _ in 0..LAYERS {
        open = layer.values().sum();
        if open == 0.0 {
            break;
        }
        let mut next = FxHashMap::default();
        for ((state, chance), reached) in layer {
            let total: f64 = chance.outcomes().map(|(_, weight)| f64::from(weight)).sum();
            for (outcome, weight) in chance.outcomes() {
                nodes += 1;
                if nodes > NODES {
                    return None;
                }
                let mut listens = Busts { seat, busts: false, ends: false };
                let node = rules.resolve(state, outcome, &mut listens);
                go_on(node, reached * f64::from(weight) / total, &listens, &mut next);
            }
        }
        layer = next;
    }
    // What is still rolled again and again goes the way of the rest.
    Some(if open < 1.0 { busts / (1.0 - open) } else { 0.0 })
}

/// The roll that a node is; forced answers are given.
fn until_roll<G: Game>(rules: &G, mut node: NodeOf<G>) -> Option<(G::State, G::Chance)> {
    loop {
        node = match node {
            Node::Chance(state, _, chance) => return Some((state, chance)),
            Node::Decision(state, Question { kind, actions, .. }) if actions.is_single() => {
                rules.decide(state, kind, actions.first(), &mut ())
            }
            Node::Decision(..) | Node::Terminal(_) => return None,
        };
    }
}
