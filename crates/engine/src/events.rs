//! What the rules announce, and who counts it.

use crate::node::Seat;

/// An event that the rules announce for a seat when it happens, so that it can be counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event(u8);

impl Event {
    /// A turn of the seat begins.
    pub const TURN: Self = Self(0);
    /// The seat rolls.
    pub const ROLL: Self = Self(1);
    /// The seat loses its turn to the dice.
    pub const BUST: Self = Self(2);
    /// The number of different events that a game may announce.
    pub const COUNT: usize = 16;

    /// The `n`-th event of a game's own, `n` from 0 to 12.
    pub const fn own(n: u8) -> Self {
        assert!(n < 13, "a game has at most thirteen events of its own");
        Self(n + 3)
    }

    /// Index into an array of [`Event::COUNT`] counters.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Listens to the events of a game. The rules only announce; they get nothing back.
pub trait Events {
    /// `event` happens to `seat`.
    fn event(&mut self, seat: Seat, event: Event);

    /// `event` happens to `seat` so many times.
    fn events(&mut self, seat: Seat, event: Event, many: u32) {
        (0..many).for_each(|_| self.event(seat, event));
    }

    /// Announces `event` for `seat` if `happens` is true, without a branch: for conditions that branch predictors
    /// cannot learn.
    #[inline(always)]
    fn event_if(&mut self, happens: bool, seat: Seat, event: Event) {
        if happens {
            self.event(seat, event);
        }
    }
}

/// Who counts the events of every seat.
pub trait Counts {
    /// How often each event has happened to a seat.
    fn counts(&mut self, seat: Seat) -> &mut [u32; Event::COUNT];

    /// A seat busts in this turn of its own, from 1.
    #[inline(always)]
    fn bust(&mut self, seat: Seat, turn: u32) {
        let _ = (seat, turn);
    }
}

/// Without a branch, but for busts, which are told.
impl<C: Counts> Events for C {
    #[inline]
    fn event(&mut self, seat: Seat, event: Event) {
        let counts = self.counts(seat);
        counts[event.index()] += 1;
        if event == Event::BUST {
            let turn = counts[Event::TURN.index()];
            self.bust(seat, turn);
        }
    }

    #[inline]
    fn events(&mut self, seat: Seat, event: Event, many: u32) {
        if event == Event::BUST {
            (0..many).for_each(|_| self.event(seat, event));
        } else {
            self.counts(seat)[event.index()] += many;
        }
    }

    #[inline(always)]
    fn event_if(&mut self, happens: bool, seat: Seat, event: Event) {
        if event != Event::BUST {
            self.counts(seat)[event.index()] += u32::from(happens);
        } else if happens {
            self.event(seat, event);
        }
    }
}

/// Ignores all events.
impl Events for () {
    #[inline]
    fn event(&mut self, _: Seat, _: Event) {}
}

/// Passes events on.
impl Events for &mut dyn Events {
    fn event(&mut self, seat: Seat, event: Event) {
        (**self).event(seat, event);
    }

    fn events(&mut self, seat: Seat, event: Event, many: u32) {
        (**self).events(seat, event, many);
    }
}
