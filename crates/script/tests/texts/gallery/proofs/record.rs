//! What a trial leaves: all that is announced, asked and answered, and all that policies could read.

use std::fmt::Debug;
use std::sync::atomic::{AtomicU64, Ordering};

use stopwise_engine::game::{
    Action, AnswerForm, Event, Events, Game, MAX_METRICS, Policy, Question, Seat, Source,
};
use stopwise_engine::stream::{Keys, Streams, WordSource};
use stopwise_engine::trial::{Watch, trial};
use stopwise_engine::vocabulary::{CandidateNumber, Feature, Vocabulary};
use stopwise_script::Script;

/// What policies read of a game in Rust, by name, but for what its text has not.
#[derive(Default)]
pub(crate) struct Words {
    features: Vec<&'static str>,
    predicates: Vec<&'static str>,
    /// Of the candidates of a kind of question.
    numbers: Vec<(usize, &'static str)>,
    /// Features that are kept for one kind of question.
    only_at: &'static [(&'static str, usize)],
}

impl Words {
    pub(crate) fn of<G: Vocabulary>(
        game: &G,
        untold: &[&str],
        only_at: &'static [(&'static str, usize)],
    ) -> Self {
        let told = |name: &&str| !untold.contains(name);
        let numbers = game.candidate_numbers();
        Self {
            features: game.features().iter().map(|feature| feature.name).filter(told).collect(),
            predicates: game.info().predicates.iter().map(|predicate| predicate.name).collect(),
            numbers: numbers.iter().map(|known| (known.kind, known.number.name)).collect(),
            only_at,
        }
    }
}

/// A value in lowest terms, and what it is of: a word, and of a candidate its action.
type Said = (&'static str, Action, (i64, i64));

/// The value of a word, which is in its range.
fn value(word: &Feature, number: i64) -> (i64, i64) {
    let range = word.low..=word.high;
    assert!(range.contains(&number), "{} = {number}, not in {range:?}", word.name);
    let (mut a, mut b) = (number.abs(), word.denominator);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    (number / a.max(1), word.denominator / a.max(1))
}

/// A question of several answers, with what could be read, and the answer.
#[derive(Debug, PartialEq)]
struct Decision {
    asked: (Seat, usize, u64),
    said: Vec<Said>,
    answer: Action,
}

struct Record<'g, G> {
    game: &'g G,
    words: &'g Words,
    features: Vec<Feature>,
    numbers: Vec<CandidateNumber>,
    events: Vec<(Seat, usize)>,
    decisions: Vec<Decision>,
}

impl<G: Vocabulary> Record<'_, G> {
    /// Everything that can be read at a question.
    fn said(&self, state: G::State, question: Question) -> Vec<Said> {
        let Self { game, words, features, numbers, .. } = self;
        let is_kept = |name| words.only_at.iter().all(|(own, kind)| *own != name || *kind == question.kind);
        let of_state = words.features.iter().copied().filter(|name| is_kept(*name)).map(|name| {
            let at = features.iter().position(|feature| feature.name == name);
            let at = at.unwrap_or_else(|| panic!("a feature {name}"));
            (name, Action(0), value(&features[at], game.feature(state, at)))
        });
        let mut said: Vec<Said> = of_state.collect();
        if game.info().kinds[question.kind].form != AnswerForm::Items {
            return said;
        }
        let masks = game.predicates_of(state, question, u32::MAX);
        for &name in &words.predicates {
            let at = game.info().predicates.iter().position(|predicate| predicate.name == name);
            let at = at.filter(|at| game.known_predicates(question.kind) >> at & 1 == 1);
            let holds = masks[at.unwrap_or_else(|| panic!("a predicate {name}"))];
            said.extend(question.actions.iter().map(|one| (name, one, (i64::from(holds & one.0 != 0), 1))));
        }
        for &(kind, name) in words.numbers.iter().filter(|(kind, _)| *kind == question.kind) {
            let at = numbers.iter().position(|known| (known.kind, known.number.name) == (kind, name));
            let at = at.unwrap_or_else(|| panic!("a number {name}"));
            let number = |one| value(&numbers[at].number, game.candidate_number(&state, one, at));
            said.extend(question.actions.iter().map(|one| (name, one, number(one))));
        }
        said
    }
}

impl<G> Events for Record<'_, G> {
    fn event(&mut self, seat: Seat, event: Event) {
        self.events.push((seat, event.index()));
    }
}

impl<G: Vocabulary> Watch<G> for Record<'_, G> {
    fn decided(&mut self, state: G::State, question: Question, action: Action) {
        if !question.actions.is_single() {
            let asked = (question.seat, question.kind, question.actions.0);
            let said = self.said(state, question);
            self.decisions.push(Decision { asked, said, answer: action });
        }
    }
}

/// Counts the words of all seats.
struct Counted(Streams, usize);

impl WordSource for Counted {
    fn word(&mut self, seat: Seat) -> u32 {
        self.1 += 1;
        self.0.word(seat)
    }

    fn answer(&mut self, seat: Seat) -> u32 {
        self.0.answer(seat)
    }
}

/// What a trial leaves.
struct Left {
    decisions: Vec<Decision>,
    events: Vec<(Seat, usize)>,
    /// The words drawn, the ending, and what is measured at the end, seat by seat.
    end: (usize, &'static str, Vec<(&'static str, u32)>),
}

fn left<G: Vocabulary>(
    game: &G,
    policy: &impl Policy<G>,
    (seed, number): (u64, u64),
    words: &Words,
    metrics: &[&'static str],
) -> Left {
    let seats = game.seats();
    let (features, numbers) = (game.features(), game.candidate_numbers());
    let mut record = Record { game, words, features, numbers, events: Vec::new(), decisions: Vec::new() };
    let mut drawn = Counted(Keys::new(seed).streams(number, seats), 0);
    let end = trial(game, &[policy], &mut drawn, &mut record);
    let mut measured = Vec::new();
    for seat in 0..seats {
        let mut values = [0; MAX_METRICS];
        game.measure(end, seat, &mut values);
        for &name in metrics {
            let at = game.metrics().iter().position(|metric| metric.name == name).expect("a metric");
            assert_eq!(game.metrics()[at].source, Source::End, "{name}");
            // A win in shares and a whole one.
            measured.push((name, if name == "win" { values[at].min(1) } else { values[at] }));
        }
    }
    let Record { events, decisions, .. } = record;
    Left { decisions, events, end: (drawn.1, game.endings()[game.ending(end)].name, measured) }
}

fn same<T: Debug + PartialEq>(rust: &[T], text: &[T], what: &str) {
    for (number, (rust, text)) in rust.iter().zip(text).enumerate() {
        assert_eq!(rust, text, "{what} {number}: in Rust, and as text");
    }
    assert_eq!(rust.len(), text.len(), "{what}");
}

/// The same trial by a game in Rust and by its text leaves the same.
pub(crate) fn alike<R: Vocabulary>(
    (rust, text): (&R, &Script),
    (of_rust, of_text): (&impl Policy<R>, &impl Policy<Script>),
    trial: (u64, u64),
    words: &Words,
) {
    let at_end = rust.metrics().iter().filter(|metric| metric.source == Source::End);
    let metrics: Vec<_> = at_end.map(|metric| metric.name).collect();
    let rust = left(rust, of_rust, trial, words, &metrics);
    let text = left(text, of_text, trial, words, &metrics);
    for (number, (rust, text)) in rust.decisions.iter().zip(&text.decisions).enumerate() {
        same(&rust.said, &text.said, &format!("{trial:?}, decision {number}, word"));
    }
    same(&rust.decisions, &text.decisions, &format!("{trial:?}, decision"));
    same(&rust.events, &text.events, &format!("{trial:?}, event"));
    assert_eq!(rust.end, text.end, "{trial:?}");
}

/// Answers by its own number, the question, and how many there were before, so that it answers alike wherever positions
/// are. The number also says how cautious it is: yes in one to seven cases of eight.
pub(crate) struct Plan(u64, AtomicU64);

impl Plan {
    pub(crate) fn new(number: u64) -> Self {
        Self(number, AtomicU64::new(0))
    }
}

impl<G: Game> Policy<G> for Plan {
    fn choose(&self, game: &G, _: G::State, question: Question) -> Action {
        let Question { seat, kind, actions } = question;
        if actions.is_single() {
            return actions.first();
        }
        let before = self.1.fetch_add(1, Ordering::Relaxed);
        let asked = actions.0 ^ self.0 << 20 ^ (kind as u64) << 40 ^ (seat as u64) << 50;
        let mixed = (asked ^ before.wrapping_mul(0xd6e8_feb8_6659_fd93)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mixed = (mixed ^ mixed >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93) >> 33;
        if game.info().kinds[kind].form == AnswerForm::YesNo {
            return Action::from(mixed % 8 <= self.0 % 7);
        }
        let number = usize::try_from(mixed % u64::from(actions.count())).expect("a small number");
        actions.iter().nth(number).expect("an action")
    }
}
