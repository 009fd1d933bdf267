//! Single games of the lanes, as `steps.rs` plays them: what is rare, and the end.

use super::super::rules::Freeze;
use super::super::state::{CHOSEN, FROZEN, PAIR, SEEN, SEVEN, SIXES, State};
use super::super::{CALL, DOUBLE, STAKE_WON};
use super::{Games, Row, Setup, counted};
use crate::chance::Chance;
use crate::game::{Event, Events, MAX_SEATS, Node, Seat};
use crate::lanes::Streams;
use crate::lanes::simd::{MOST_LANES, Vector16};

/// Counts the events of a single game.
struct Recorder<'c> {
    lane: usize,
    counted: &'c mut [[Row; counted::ALL]; MAX_SEATS],
    /// The seats that bust, as bits.
    busts: u64,
}

impl Events for Recorder<'_> {
    fn event(&mut self, seat: Seat, event: Event) {
        let what = match event {
            Event::ROLL => counted::ROLLS,
            Event::BUST => counted::BUSTS,
            CALL => counted::CALLS,
            DOUBLE => counted::DOUBLES,
            STAKE_WON => counted::STAKES_WON,
            // Turns and freezes are counted for all lanes at once.
            _ => return,
        };
        self.busts |= u64::from(event == Event::BUST) << seat;
        self.counted[seat][what][self.lane] += 1;
    }
}

impl<S: Vector16> Games<S> {
    /// The position in a lane, with the seats whose bits are set in each of these lanes of a [`State`].
    pub(super) fn state(&self, rules: &Freeze, lane: usize, seats: &[(u32, u16)]) -> State {
        let players = usize::from(rules.players);
        let mut counters = [0; MAX_SEATS];
        for (counters, row) in counters.iter_mut().zip(&self.counters) {
            *counters = row[lane];
        }
        let always = [(FROZEN, self.frozen[lane]), (SEVEN, self.sevens[lane]), (SEEN, self.seen[lane])];
        let lanes = seats.iter().chain(&always).fold(0, |lanes, &(at, seats)| lanes | u64::from(seats) << at);
        let state = State::of(&counters[..players], self.bank[lane], self.step[lane], lanes);
        (0..players).fold(state, |state, seat| state.with_wait(seat, self.waits[seat][lane].to_le_bytes()[0]))
    }

    /// Puts a position back into its lane.
    fn put(&mut self, rules: &Freeze, lane: usize, state: State) {
        let seats = |lane| u16::from(state.lane(lane).to_le_bytes()[0]);
        for seat in 0..usize::from(rules.players) {
            self.counters[seat][lane] = state.counters(seat);
            self.waits[seat][lane] = state.wait(seat).into();
        }
        self.bank[lane] = state.bank();
        (self.frozen[lane], self.sevens[lane], self.seen[lane]) = (seats(FROZEN), seats(SEVEN), seats(SEEN));
    }

    /// Settles the step of a lane in which these seats rolled double sixes, or other pairs that count.
    #[inline(never)]
    pub(super) fn settle_apart(
        &mut self,
        rules: &Freeze,
        streams: &mut Streams<S, MAX_SEATS>,
        lane: usize,
        sixes: u16,
        pairs: u16,
    ) {
        let state = self.state(rules, lane, &[(SIXES, sixes), (PAIR, pairs)]);
        let mut events = Recorder { lane, counted: &mut self.counted, busts: 0 };
        let mut state = rules.called_or_paired(state, &mut events);
        while state.pending() != 0 {
            let Node::Chance(drawing, seat, draw) = rules.node(state) else { unreachable!("somebody draws") };
            state = rules.drawn_rarely(drawing, draw.sample(streams.word(lane, seat)), &mut events);
        }
        let mut busts = events.busts;
        while busts != 0 {
            let seat = busts.trailing_zeros() as usize % MAX_SEATS;
            busts &= busts - 1;
            self.bust_turns[seat][self.busts[seat]] = self.turns[lane];
            self.busts[seat] += 1;
        }
        self.put(rules, lane, state);
    }

    /// Ends the game of a lane, or begins its tie-break.
    #[inline(never)]
    pub(super) fn end(&mut self, rules: &Freeze, lane: usize) {
        let state = rules.end(self.state(rules, lane, &[]));
        self.put(rules, lane, state);
        self.left[lane] = u16::from(state.lane(CHOSEN).to_le_bytes()[0]);
        self.status[lane] = u16::from(state.was_empty()) | u16::from(state.was_tied()) << 1;
    }

    /// Puts the start of a game into a lane.
    pub(super) fn restart(&mut self, setup: &Setup, lane: usize) {
        let (rules, lane) = (&setup.rules, lane % MOST_LANES);
        self.put(rules, lane, State::start(rules.players, rules.start_counters, rules.start_bank()));
        for row in self.counted.as_flattened_mut() {
            row[lane] = 0;
        }
        (self.left[lane], self.status[lane], self.freezes[lane]) = (0, 0, 0);
        (self.step[lane], self.turns[lane]) = (1, 1);
    }
}
