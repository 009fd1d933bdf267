//! Every game is played by policies and at random, under its defaults and every preset.

use stopwise_engine::chance::Chance as _;
use stopwise_engine::game::{Event, Events, Game as _, Node, Policy as _, Question, Seat};
use stopwise_engine::stream::{Keys, WordSource as _};
use stopwise_engine::vocabulary::{Cause, Prose as _, read_position, write_position};
use stopwise_script::{GameText, Script, State};

use super::{PROOFS, policy, texts};
use crate::common::{Any, Written, ends, files, plays, stem};

/// The trials of each.
const TRIALS: u64 = 60;

/// The game under its defaults and under every preset.
pub(crate) fn variants(text: &GameText) -> Vec<(String, Script)> {
    let presets = text.presets().iter().map(|preset| (preset.name.clone(), preset.values.clone()));
    let all = [("defaults".to_owned(), Vec::new())].into_iter().chain(presets);
    all.map(|(name, values)| (name, text.script(&values).unwrap_or_else(|error| panic!("{error}")))).collect()
}

#[test]
fn any_play_ends() {
    for (name, text) in texts() {
        assert_eq!(text.name(), name);
        assert!(!text.meaning().is_empty(), "{name}");
        assert_eq!(text.expects().is_empty(), PROOFS.contains(&name.as_str()), "{name}");
        for (variant, game) in variants(&text) {
            plays(&game, &Any, TRIALS, &format!("{name}, {variant}"));
        }
    }
}

#[test]
fn every_policy_plays() {
    for (name, text) in texts().filter(|(name, _)| !PROOFS.contains(&name.as_str())) {
        let policies = files(&format!("policies/{name}"), "toml");
        assert!(policies.len() >= 3, "{name} has {} policies", policies.len());
        for (variant, game) in variants(&text) {
            for file in &policies {
                let policy = policy(&game, &name, stem(file));
                plays(&game, &policy, TRIALS, &format!("{name}, {variant}, {}", policy.name()));
            }
        }
    }
}

/// What is written at a question is the same position when it is read.
#[test]
fn positions_are_read_back() {
    for (_, text) in texts() {
        for (_, game) in variants(&text) {
            ends(&game, &Written, 4).for_each(drop);
        }
    }
}

/// The events of a game, in order.
#[derive(Default)]
struct Heard(Vec<(Seat, Event)>);

impl Events for Heard {
    fn event(&mut self, seat: Seat, event: Event) {
        self.0.push((seat, event));
    }
}

/// Law: a telling stops at questions with one answer too, and is otherwise the game that is played, event by event. How many
/// such questions there were.
fn told_in_full(game: &Script, trial: u64) -> usize {
    let mut words = Keys::new(37).streams(trial, game.seats());
    let (mut events, mut heard, mut forced) = (Heard::default(), Heard::default(), 0);
    let mut played = game.root(&mut events);
    let mut told = game.next_told(None, &mut heard);
    loop {
        while let Node::Decision(state, question @ Question { kind, actions, .. }) = told
            && actions.is_single()
        {
            forced += 1;
            let text = write_position(game, (state, question));
            assert_eq!(read_position(game, &text), Ok((state, question)), "{text}");
            told = game.next_told(Some((state, Cause::Answer(kind, actions.first()))), &mut heard);
        }
        match (told, played) {
            // An end may still hold what only a question read.
            (Node::Terminal(told), Node::Terminal(played)) => {
                let result = |end| {
                    (game.ending(end), [0, game.seats() - 1].map(|seat| game.program().measured(&end, seat)))
                };
                assert_eq!(result(told), result(played));
            }
            _ => assert_eq!(told, played),
        }
        assert_eq!(heard.0, events.0);
        let (state, cause): (State, _) = match played {
            Node::Terminal(_) => return forced,
            Node::Chance(state, seat, throw) => (state, Cause::Roll(throw.sample(words.word(seat)))),
            Node::Decision(state, question) => {
                (state, Cause::Answer(question.kind, Any.choose(game, state, question)))
            }
        };
        played = match cause {
            Cause::Roll(shown) => game.resolve(state, shown, &mut events),
            Cause::Answer(kind, action) => game.decide(state, kind, action, &mut events),
        };
        told = game.next_told(Some((state, cause)), &mut heard);
    }
}

#[test]
fn answers_without_a_choice_are_told() {
    let with_forced: Vec<String> = texts()
        .filter(|(_, text)| {
            variants(text)
                .iter()
                .map(|(_, game)| (0..6).map(|trial| told_in_full(game, trial)).sum::<usize>())
                .sum::<usize>()
                > 0
        })
        .map(|(name, _)| name)
        .collect();
    // A box that alone fits, a die that alone scores.
    for name in ["shut-the-box", "farkle", "cant-stop", "yahtzee"] {
        assert!(with_forced.iter().any(|found| found == name), "{name}: {with_forced:?}");
    }
}
