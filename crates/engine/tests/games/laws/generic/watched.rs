//! One trial of whims, and all that can be seen of it: compiled once a game for every law that asks.

use stopwise_engine::game::{Action, Event, Events, Game, MAX_METRICS, MAX_SEATS, Question, Seat, Source};
use stopwise_engine::stream::Keys;
use stopwise_engine::trial::{Watch, trial};

use crate::common::Whim;

/// What is seen of a trial.
#[derive(Default)]
struct Seen {
    counts: [[u32; Event::COUNT]; MAX_SEATS],
    answers: Vec<(Question, Action)>,
    busts: Vec<(u8, u32)>,
}

impl Events for Seen {
    fn event(&mut self, seat: Seat, event: Event) {
        self.counts[seat][event.index()] += 1;
        if event == Event::BUST {
            let turn = self.counts[seat][Event::TURN.index()];
            self.busts.push((u8::try_from(seat).expect("few"), turn));
        }
    }
}

impl<G: Game> Watch<G> for Seen {
    fn decided(&mut self, _: G::State, question: Question, action: Action) {
        self.answers.push((question, action));
    }
}

/// A trial that was played.
pub(crate) struct Watched<G: Game> {
    /// Its last state.
    pub(crate) end: G::State,
    /// The metrics of every seat.
    pub(crate) metrics: Vec<[u32; MAX_METRICS]>,
    /// Turns of all seats.
    pub(crate) turns: u32,
    /// What was asked, and the answers.
    pub(crate) answers: Vec<(Question, Action)>,
    /// Who lost a turn, and which of his own, from 1.
    pub(crate) busts: Vec<(u8, u32)>,
}

/// Plays a trial. The line-up has a whim a seat, or one for all.
#[inline(never)]
pub(crate) fn watched<G: Game>(game: &G, lineup: &[Whim], seed: u64, number: u64) -> Watched<G> {
    let mut seen = Seen::default();
    let end = trial(game, lineup, &mut Keys::new(seed).streams(number, game.seats()), &mut seen);
    let Seen { counts, answers, busts } = seen;
    let counts = &counts[..game.seats()];
    let measured = |(seat, counts): (Seat, &[u32; Event::COUNT])| {
        let mut values = [0; MAX_METRICS];
        game.measure(end, seat, &mut values);
        for (value, metric) in values.iter_mut().zip(game.metrics()) {
            if let Source::Count(event) = metric.source {
                *value = counts[event.index()];
            }
        }
        values
    };
    let metrics = counts.iter().enumerate().map(measured).collect();
    let turns = counts.iter().map(|counts| counts[Event::TURN.index()]).sum();
    Watched { end, metrics, turns, answers, busts }
}
