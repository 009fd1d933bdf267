//! The replay of a trial, told in words.

mod answers;
mod end;
mod player;
mod teller;

use std::fmt::Write as _;
use std::ops::{ControlFlow, RangeInclusive};

use serde_json::Value;
use stopwise_engine::chance::Chance;
use stopwise_engine::game::{Action, Node, Policy as _, Question};
use stopwise_engine::games::Playable;
use stopwise_engine::stream::{Keys, WordSource};
use stopwise_engine::vocabulary::{Cause, write_position};

pub use self::end::Outcome;
use self::player::Typed;
pub(crate) use self::player::{Answers, Player};
use self::teller::Teller;

/// The trial to replay, and the turns to tell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passage {
    /// The seed of the trial.
    pub seed: u64,
    /// The number of the trial, from 0.
    pub trial: u64,
    /// The turns, from 1, in each seat's own count; rounds, where seats have their turns together. Other turns are played but not told.
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
    let mut teller = Teller::new(rules, lineup, (passage, is_open), listener);
    let is_drawn = lineup.iter().any(Typed::is_by_chance);
    let mut words = Keys::new(passage.seed).streams_with(passage.trial, rules.seats(), is_drawn);
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
    lineup: &[Typed<'_, G>],
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
                let outcome = chance.certain().unwrap_or_else(|| chance.sample(words.word(seat)));
                teller.resolved(state, seat, outcome);
                (seat, state, Cause::Roll(outcome))
            }
            Node::Decision(state, question) => {
                let player = if lineup.len() == 1 { 0 } else { question.seat };
                let action = match &lineup[player].answers {
                    _ if question.actions.is_single() => question.actions.first(),
                    Answers::Text(policy) if policy.is_by_chance(question.kind) => {
                        policy.draw(game, &state, question, &mut || words.answer(question.seat))
                    }
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
