//! What a policy does in a few games: whether it is ever asked, ever says yes, ever comes to an end.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use stopwise_engine::game::{Action, Event, Events, Game, Policy, Question, Seat, is_by_chance};
use stopwise_engine::stream::Keys;
use stopwise_engine::trial::{Watch, trial};
use stopwise_engine::vocabulary::Vocabulary;
use stopwise_policy::TextPolicy;

/// The seed of the games, that of commands which are given none, so that they can be replayed.
const SEED: u64 = 1;

/// Some games with a policy in every seat, trials from 0 of the seed that commands have without `--seed`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tried {
    /// How often each ending happened, in the order of the game's endings.
    pub endings: Vec<u64>,
    /// The answers to each kind of decision, in the order of the game's kinds.
    pub answers: Vec<Answers>,
    /// Which kinds of decision are met by somebody who does anything.
    pub is_met: Vec<bool>,
    /// Of each ending the first game, if there was one.
    pub first: Vec<Option<Course>>,
}

/// The answers to a kind of decision, but for those that were forced.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Answers {
    /// How often the question was asked.
    pub asked: u64,
    /// How often the answer was yes, to a yes/no question.
    pub yes: u64,
    /// How often the answer was another number than the policy asks for, as that is not legal.
    pub clipped: u64,
}

/// The course of one game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Course {
    /// The number of the trial.
    pub trial: u64,
    /// The turns of the seat that had most.
    pub turns: u64,
    /// Of every kind of decision the last of a seat's turns in which the answer was yes.
    pub last_yes: Vec<Option<u64>>,
}

impl Tried {
    /// The number of games.
    pub fn games(&self) -> u64 {
        self.endings.iter().sum()
    }
}

/// Plays `games` games, or fewer, once they have had `steps` turns and decisions together.
pub(crate) fn tried<G: Vocabulary>(game: &G, policy: &TextPolicy<G>, games: u64, steps: u64) -> Tried {
    let anything = played(game, &Anything, (games, steps), |_, _| false);
    let is_met = anything.answers.iter().map(|kind| kind.asked > 0).collect();
    let is_clipped = |state, question| policy.is_clipped(game, state, question);
    Tried { is_met, ..played(game, policy, (games, steps), is_clipped) }
}

/// Answers by the bits of the state, without a thought.
struct Anything;

impl<G: Game> Policy<G> for Anything {
    fn choose(&self, _: &G, state: G::State, question: Question) -> Action {
        let mut hasher = DefaultHasher::new();
        state.hash(&mut hasher);
        let count = u64::from(question.actions.count().max(1));
        let nth = usize::try_from(hasher.finish() % count).unwrap_or_default();
        question.actions.iter().nth(nth).unwrap_or_else(|| question.actions.first())
    }
}

fn played<G: Game, P: Policy<G>>(
    game: &G,
    policy: &P,
    (games, steps): (u64, u64),
    is_clipped: impl Fn(G::State, Question) -> bool,
) -> Tried {
    let (keys, kinds, endings) = (Keys::new(SEED), game.info().kinds.len(), game.endings().len());
    let mut found = Tried {
        endings: vec![0; endings],
        answers: vec![Answers::default(); kinds],
        is_met: vec![true; kinds],
        first: vec![None; endings],
    };
    let mut done = 0;
    for number in 0..games {
        if done >= steps {
            break;
        }
        let mut course = Followed {
            turns: vec![0; game.seats()],
            decisions: 0,
            last_yes: vec![None; kinds],
            answers: &mut found.answers,
            is_clipped: &is_clipped,
        };
        let lineup = [policy];
        let mut words = keys.streams_with(number, game.seats(), is_by_chance::<G, _>(&lineup));
        let end = trial(game, &lineup, &mut words, &mut course);
        done += course.turns.iter().sum::<u64>() + course.decisions;
        let turns = course.turns.into_iter().max().unwrap_or_default();
        let (last_yes, ending) = (course.last_yes, game.ending(end));
        found.endings[ending] += 1;
        found.first[ending].get_or_insert(Course { trial: number, turns, last_yes });
    }
    found
}

/// A game that is followed.
struct Followed<'a, F> {
    /// Of every seat.
    turns: Vec<u64>,
    decisions: u64,
    last_yes: Vec<Option<u64>>,
    answers: &'a mut [Answers],
    /// Whether an answer is another number than the one that was asked for.
    is_clipped: F,
}

impl<F> Events for Followed<'_, F> {
    fn event(&mut self, seat: Seat, event: Event) {
        self.turns[seat] += u64::from(event == Event::TURN);
    }
}

impl<G: Game, F: Fn(G::State, Question) -> bool> Watch<G> for Followed<'_, F> {
    fn decided(&mut self, state: G::State, question: Question, action: Action) {
        if question.actions.count() < 2 {
            return;
        }
        self.decisions += 1;
        let answers = &mut self.answers[question.kind];
        answers.asked += 1;
        answers.clipped += u64::from((self.is_clipped)(state, question));
        if action == Action::YES {
            answers.yes += 1;
            let last = &mut self.last_yes[question.kind];
            *last = (*last).max(Some(self.turns[question.seat]));
        }
    }
}
