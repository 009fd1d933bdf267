//! Games in which every answer is equally likely, and what happens in them.

use stopwise_engine::chance::{Chance, bounded};
use stopwise_engine::game::{Action, Event, Events, Node, Seat};
use stopwise_engine::stream::{Keys, WordSource};

use crate::machine::State;
use crate::mask::Mask;
use crate::op::{NamedKind, Program};

/// What happened in random games.
pub(super) struct Met {
    pub(super) games: u64,
    /// By kind of question, how often it was asked.
    pub(super) asked: Vec<u64>,
    /// By ending, then of games in which a number left its range.
    pub(super) ended: Vec<u64>,
    /// By ending, the turns of all players in the games that ended so.
    pub(super) turns: Vec<u64>,
    /// By variable, its least and greatest number where it was read.
    pub(super) ranges: Vec<Option<(i64, i64)>>,
    /// A game in which the rules could not go on.
    pub(super) fault: Option<(u64, State)>,
}

/// Counts turns.
struct Turns(u64);

impl Events for Turns {
    fn event(&mut self, _: Seat, event: Event) {
        self.0 += u64::from(event == Event::TURN);
    }
}

impl Met {
    /// Plays so many games, and no further one after so many rolls and questions of all of them.
    pub(super) fn new(program: &Program, games: u64, steps: u64) -> Self {
        let (keys, answers) = (Keys::new(1), Keys::new(2));
        let endings = program.endings.len() + 1;
        let mut met = Self {
            games: 0,
            asked: vec![0; program.kinds.len()],
            ended: vec![0; endings],
            turns: vec![0; endings],
            ranges: vec![None; program.named.len()],
            fault: None,
        };
        let mut left = steps;
        while met.games < games && left > 0 {
            let mut words = keys.streams(met.games, program.seats);
            let mut answer = answers.stream(met.games, 0);
            let mut turns = Turns(0);
            let mut node = program.first(&mut turns);
            loop {
                left = left.saturating_sub(1);
                node = match node {
                    Node::Chance(state, seat, throw) => {
                        if let Some(site) = program.sites.get(state.stop()) {
                            met.look(program, &state, site.live);
                        }
                        program.rolled(&state, throw.sample(words.word(seat)), &mut turns)
                    }
                    Node::Decision(state, question) => {
                        met.asked[question.kind] += 1;
                        let number = bounded(answer.word(0), question.actions.count());
                        let action = question.actions.iter().nth(number as usize).unwrap_or(Action::NO);
                        program.answered(&state, action.index(), &mut turns)
                    }
                    Node::Terminal(end) => {
                        let ending = end.ending().unwrap_or(endings - 1);
                        met.ended[ending] += 1;
                        met.turns[ending] += turns.0;
                        match end.failed() {
                            Some(_) => drop(met.fault.get_or_insert((met.games, end))),
                            // What a player is paid at the end no position has.
                            None => met.look(program, &end, program.lasting.iter().copied().collect()),
                        }
                        break;
                    }
                };
            }
            met.games += 1;
        }
        met
    }

    /// Notes the numbers of a position that are among these bits.
    fn look(&mut self, program: &Program, state: &State, live: Mask) {
        for (named, range) in program.named.iter().zip(&mut self.ranges) {
            let Some(named) = named.as_ref().filter(|named| matches!(named.kind, NamedKind::Number)) else {
                continue;
            };
            let players = if named.is_players { program.seats } else { 1 };
            for cell in (named.first..).take(players) {
                let place = program.places[cell as usize];
                if place.bits > 0 && place.of(&live.0) == place.mask() {
                    let value = program.value(state, cell);
                    let (low, high) = range.unwrap_or((value, value));
                    *range = Some((low.min(value), high.max(value)));
                }
            }
        }
    }
}
