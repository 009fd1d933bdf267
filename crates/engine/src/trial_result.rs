//! Single trials that have ended, for those who take results one by one.

use crate::game::{Action, Counts, Event, Game, MAX_METRICS, MAX_SEATS, Question, Seat, Source};
use crate::trial::Watch;

/// What to record besides metrics and endings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recording {
    /// Nothing.
    Nothing,
    /// The turns in which seats bust.
    Busts,
    /// Busts and all answers.
    Answers,
}

/// A trial that has ended.
#[derive(Clone, Copy, Debug)]
pub struct TrialResult<'e> {
    /// Its index among the trials that were asked for.
    pub at: usize,
    /// The index of the line-up that played it, which is also the seat of that line-up's first policy.
    pub lineup: usize,
    /// Its ending, as an index into [`Game::endings`].
    pub ending: usize,
    /// Whether the game was cut short.
    pub early: bool,
    /// The number of turns of all seats together.
    pub turns: u32,
    /// Seat and turn of every bust, if they are recorded.
    pub busts: &'e [(u8, u32)],
    /// The indices of all answers, of any seat, in order, if they are recorded.
    pub answers: &'e [u8],
    /// All metrics of the first seat, then those of the second, …
    pub values: &'e [u32],
    /// The number of metrics of a seat.
    pub metrics: usize,
    /// Where the next seat's metrics begin, after those of a seat.
    pub stride: usize,
}

impl<'e> TrialResult<'e> {
    /// All metrics of a seat.
    pub fn of(&self, seat: Seat) -> &'e [u32] {
        &self.values[seat * self.stride..][..self.metrics]
    }
}

/// All metrics of one seat of a finished trial.
#[inline(always)]
pub fn measure_seat<G: Game>(
    game: &G,
    end: G::State,
    seat: Seat,
    counts: &[u32; Event::COUNT],
    values: &mut [u32; MAX_METRICS],
) {
    game.measure(end, seat, values);
    for (value, metric) in values.iter_mut().zip(game.metrics()) {
        if let Source::Count(event) = metric.source {
            *value = counts[event.index()];
        }
    }
}

/// Records a trial while it is played. What it records is chosen at run time, so that the loop of a game is compiled
/// once for all who take results.
pub(crate) struct Record {
    noting: Recording,
    counts: [[u32; Event::COUNT]; MAX_SEATS],
    values: [[u32; MAX_METRICS]; MAX_SEATS],
    busts: Vec<(u8, u32)>,
    answers: Vec<u8>,
}

impl Record {
    pub(crate) fn new(noting: Recording) -> Self {
        let (counts, values) = ([[0; Event::COUNT]; MAX_SEATS], [[0; MAX_METRICS]; MAX_SEATS]);
        Self { noting, counts, values, busts: Vec::new(), answers: Vec::new() }
    }

    /// Passes on the trial, which ended in `end`, and gets ready for the next. Out of line, or it takes registers from the
    /// loop of the trial.
    #[inline(never)]
    pub(crate) fn finish<G: Game>(
        &mut self,
        game: &G,
        end: G::State,
        (at, lineup): (usize, usize),
        ended: &mut dyn FnMut(&TrialResult<'_>),
    ) {
        let mut turns = 0;
        let seats = self.counts.iter_mut().zip(&mut self.values).enumerate().take(game.seats());
        for (seat, (counts, values)) in seats {
            measure_seat(game, end, seat, counts, values);
            turns += counts[Event::TURN.index()];
            *counts = [0; Event::COUNT];
        }
        let ending = game.ending(end);
        ended(&TrialResult {
            at,
            lineup,
            ending,
            early: game.endings()[ending].early,
            turns,
            busts: &self.busts,
            answers: &self.answers,
            values: self.values.as_flattened(),
            metrics: game.metrics().len(),
            stride: MAX_METRICS,
        });
        self.busts.clear();
        self.answers.clear();
    }
}

impl Counts for Record {
    #[inline(always)]
    fn counts(&mut self, seat: Seat) -> &mut [u32; Event::COUNT] {
        &mut self.counts[seat]
    }

    #[inline(always)]
    fn bust(&mut self, seat: Seat, turn: u32) {
        if self.noting != Recording::Nothing {
            #[allow(clippy::cast_possible_truncation, reason = "at most eight seats")]
            self.busts.push((seat as u8, turn));
        }
    }
}

impl<G: Game> Watch<G> for Record {
    #[inline]
    fn decided(&mut self, _: G::State, _: Question, action: Action) {
        if self.noting == Recording::Answers {
            #[allow(clippy::cast_possible_truncation, reason = "an action is one of 64")]
            self.answers.push(action.index() as u8);
        }
    }
}
