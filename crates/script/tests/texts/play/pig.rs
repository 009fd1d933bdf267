//! Pig as text is the Pig in Rust: the same dice, the same trials, the same states.

use std::collections::HashSet;

use stopwise_engine::chance::Chance;
use stopwise_engine::game::{Action, Event, Events, Game, MAX_METRICS, Node, Policy, Question, Seat};
use stopwise_engine::games::pig::{self, Pig};
use stopwise_engine::stream::{Keys, Streams, WordSource};
use stopwise_engine::trial::{Watch, trial};
use stopwise_engine::vocabulary::Vocabulary;
use stopwise_script::{Script, State};

use crate::common::script;

/// Holds at a number of points that differs from score to score.
struct Hold(u64);

impl Hold {
    fn holds(&self, score: u64, points: u64) -> bool {
        points >= 2 + (score * 7919 + self.0) % 29
    }
}

impl Policy<Pig> for Hold {
    fn choose(&self, _: &Pig, state: pig::State, _: Question) -> Action {
        self.holds(state.score().into(), state.turn_total().into()).into()
    }
}

pub(crate) fn value(game: &Script, state: State, name: &str) -> u64 {
    let index = game.features().iter().position(|feature| feature.name == name).expect("a word of the game");
    game.feature(state, index).unsigned_abs()
}

impl Policy<Script> for Hold {
    fn choose(&self, game: &Script, state: State, _: Question) -> Action {
        self.holds(value(game, state, "score"), value(game, state, "points")).into()
    }
}

/// Everything that is announced, and the answers.
#[derive(Debug, Default, PartialEq)]
struct Record {
    events: Vec<(Seat, usize)>,
    answers: Vec<(Seat, Action)>,
}

impl Events for Record {
    fn event(&mut self, seat: Seat, event: Event) {
        self.events.push((seat, event.index()));
    }
}

impl<G: Game> Watch<G> for Record {
    fn decided(&mut self, _: G::State, question: Question, action: Action) {
        self.answers.push((question.seat, action));
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

#[test]
fn trials_are_those_of_the_pig_in_rust() {
    for (players, goal, sides) in [(1, 100, 6), (2, 100, 6), (3, 50, 4), (4, 37, 10), (2, 40, 2)] {
        let rust = Pig { players, goal, sides, ..Pig::STANDARD };
        let numbers = [u64::from(players), goal.into(), sides.into()].map(|number| number.to_string());
        let text = script("pig", &[("players", &numbers[0]), ("goal", &numbers[1]), ("sides", &numbers[2])]);
        let keys = Keys::new(11);
        for number in 0..60 {
            let policies = [Hold(number)];
            let (mut record, mut other) = (Record::default(), Record::default());
            let mut words = Counted(keys.streams(number, players.into()), 0);
            let mut other_words = Counted(keys.streams(number, players.into()), 0);
            let end = trial(&rust, &policies, &mut words, &mut record);
            let other_end = trial(&text, &policies, &mut other_words, &mut other);
            assert_eq!(record, other, "players {players}, trial {number}");
            assert_eq!(words.1, other_words.1);
            assert_eq!(rust.endings()[rust.ending(end)].name, text.endings()[text.ending(other_end)].name);
            for seat in 0..usize::from(players).min(rust.seats()) {
                let mut measured = [[0; MAX_METRICS]; 2];
                rust.measure(end, seat, &mut measured[0]);
                text.measure(other_end, seat, &mut measured[1]);
                if players > 1 {
                    assert!(text.metrics()[0].is_win(), "nobody is equal to the winner");
                    assert_eq!(measured[0][0], measured[1][0], "who wins trial {number}");
                }
            }
        }
    }
}

/// The states before rolls that any play reaches.
pub(crate) fn states<G: Game>(game: &G) -> usize {
    let mut seen = HashSet::new();
    let mut rest = vec![game.root(&mut ())];
    while let Some(node) = rest.pop() {
        match node {
            Node::Terminal(_) => {}
            Node::Decision(state, question) => {
                rest.extend(
                    question.actions.iter().map(|action| game.decide(state, question.kind, action, &mut ())),
                );
            }
            Node::Chance(state, _, chance) => {
                let state = game.forget(state, 0);
                if seen.insert(state) {
                    rest.extend(chance.outcomes().map(|(outcome, _)| game.resolve(state, outcome, &mut ())));
                }
            }
        }
    }
    seen.len()
}

/// 4,952 alone, as `stopwise solve pig --rules solo` says.
#[test]
fn states_are_as_many_as_those_of_the_pig_in_rust() {
    assert_eq!(states(&script("pig", &[("players", "1")])), 4_952);
    let rust = Pig { goal: 16, ..Pig::STANDARD };
    assert_eq!(states(&script("pig", &[("goal", "16")])), states(&rust));
}
