//! Whom a program is run for.

use stopwise_engine::game::{Action, Dealer, Event, Events, Question, Seat};

use crate::pool::{Shown, Throw};
use crate::state::State;
use crate::watch::Watch;

/// Hears of what happens, and says how a run goes on.
pub(crate) trait Host: Events {
    /// Whether it looks at the states in which dice are rolled: what nothing reads any more is then zero.
    const LOOKS: bool;

    /// What the dice of a seat show; nothing if the run stops for them.
    fn roll(&mut self, state: &State, seat: Seat, throw: Throw) -> Option<Shown>;

    /// The answer to a question; nothing if the run stops for it.
    fn ask(&mut self, state: &State, question: Question) -> Option<Action>;

    /// Whether the run ends before a step.
    fn keeps_out(&self, step: usize) -> bool;

    /// Whether a question with one answer is asked as those with several are.
    fn asks_all(&self) -> bool;

    /// Whether a roll or draw with one outcome is made as those with several are.
    fn rolls_all(&self) -> bool;
}

/// Where a run stops.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stops {
    /// Where several outcomes or answers are possible, as games are played.
    Open,
    /// Also at questions with one answer.
    Asked,
    /// At all dice and questions, as games are told.
    Told,
}

/// Stops for all dice and questions.
pub(crate) struct Manner<'m, W = ()> {
    /// Who hears of what happens.
    pub(crate) events: &'m mut dyn Events,
    pub(crate) watch: W,
    pub(crate) stops: Stops,
}

impl<'m> Manner<'m> {
    /// As games are played.
    pub(crate) fn plain(events: &'m mut dyn Events) -> Self {
        Self { events, watch: (), stops: Stops::Open }
    }
}

impl<W: Watch> Host for Manner<'_, W> {
    const LOOKS: bool = true;

    #[inline(always)]
    fn roll(&mut self, _: &State, _: Seat, _: Throw) -> Option<Shown> {
        None
    }

    #[inline(always)]
    fn ask(&mut self, _: &State, _: Question) -> Option<Action> {
        None
    }

    #[inline(always)]
    fn keeps_out(&self, step: usize) -> bool {
        self.watch.keeps_out(step)
    }

    #[inline(always)]
    fn asks_all(&self) -> bool {
        self.stops != Stops::Open
    }

    #[inline(always)]
    fn rolls_all(&self) -> bool {
        self.stops == Stops::Told
    }
}

impl<W> Events for Manner<'_, W> {
    #[inline(always)]
    fn event(&mut self, seat: Seat, event: Event) {
        self.events.event(seat, event);
    }

    #[inline(always)]
    fn events(&mut self, seat: Seat, event: Event, many: u32) {
        self.events.events(seat, event, many);
    }
}

/// Plays to the end.
pub(crate) struct Playing<'t, D>(pub(crate) &'t mut D);

impl<D: Dealer<State, Throw>> Host for Playing<'_, D> {
    const LOOKS: bool = D::LOOKS;

    #[inline(always)]
    fn roll(&mut self, state: &State, seat: Seat, throw: Throw) -> Option<Shown> {
        Some(self.0.roll(state, seat, throw))
    }

    #[inline(always)]
    fn ask(&mut self, state: &State, question: Question) -> Option<Action> {
        Some(self.0.ask(state, question))
    }

    #[inline(always)]
    fn keeps_out(&self, _: usize) -> bool {
        false
    }

    #[inline(always)]
    fn asks_all(&self) -> bool {
        false
    }

    #[inline(always)]
    fn rolls_all(&self) -> bool {
        false
    }
}

impl<D: Events> Events for Playing<'_, D> {
    #[inline(always)]
    fn event(&mut self, seat: Seat, event: Event) {
        self.0.event(seat, event);
    }

    #[inline(always)]
    fn events(&mut self, seat: Seat, event: Event, many: u32) {
        self.0.events(seat, event, many);
    }
}
