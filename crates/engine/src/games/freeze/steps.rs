//! The events of a step: rolls, a freeze or doubles, frozen sixes, and the end of the game.
//!
//! Events that are simultaneous at the table are sequential here: rolls are a sequence of draws from the players' own
//! streams, decisions a sequence of questions in the same position. The draws, in order:
//!
//! - A word from each player who may roll in this step, in seat order. Players who wait, or never roll, draw none.
//! - If several players show double sixes and one of them is drawn, a word from the first of them, by seat.
//! - In a freeze, a word from each player who shows nothing yet.
//! - If doubles count and dice may be touched, a word from each caller, or in a step without a freeze from each player
//!   with a pair. A certain fumble takes no word.
//! - In a tie-break, a word from each tied player, round after round.
//!
//! A state alone determines what comes next, and only [`Freeze::node`] reads it. All other functions change states, and
//! rare changes are outlined. So the trial keeps the state in registers, which together with the order of the bits in
//! [`State`] reduced the time of a roll from 22 to 9 ns.

use super::dice::{Draw, Drawn};
use super::numbers::Fraction;
use super::rules::{Freeze, Simultaneous, StakeAtEnd};
use super::state::{CHOSEN, FROZEN, ONE_SIX, PAIR, Phase, SEEN, SEVEN, SIXES, State, all, effect, seats};
use super::{CALL, DOUBLE, FREEZE, STAKE, STAKE_WON};
use crate::game::{Actions, Event, Events, Node, NodeOf, Question, Seat};

impl Freeze {
    /// The next node: a draw of the first pending player, the end, or the decision of the first player with a single
    /// six.
    ///
    /// All who decide see the same position: the answers of others are in [`CHOSEN`], which no policy reads.
    #[inline(always)]
    pub(super) fn node(&self, state: State) -> NodeOf<Self> {
        if state.pending() != 0 {
            let seat = state.first_pending();
            let is_frozen = state.lanes >> FROZEN >> seat & 1 == 1;
            let draw = match state.phase() {
                Phase::Roll if is_frozen => Draw::Loose(self.rate.of(seat)),
                Phase::Roll => Draw::Both(self.rate.of(seat)),
                Phase::Caller => Draw::Caller(state.callers()),
                Phase::Fumble => Draw::Fumble(self.fumble),
                Phase::FirstRoll | Phase::TieBreak | Phase::Over => Draw::Both(Fraction::ONE),
            };
            return Node::Chance(state, seat, draw);
        }
        if state.phase() == Phase::Over {
            return Node::Terminal(state);
        }
        let question = Question { seat: state.decider(), kind: super::FREEZE_SIX, actions: Actions::YES_NO };
        Node::Decision(state, question)
    }

    /// Begins the next step, or ends the game. Steps in which nobody may roll are skipped.
    #[inline(always)]
    pub(super) fn next_step(&self, mut state: State) -> State {
        loop {
            if self.is_over(&state) {
                return state.apart(|words| self.end_apart(words));
            }
            state.tick();
            let mut rolling = self.everybody() & !self.rate.never();
            if state.has_waits() {
                rolling &= !state.waiting();
                state.pass_waits();
            }
            // Whoever is sure to roll will show something else.
            let kept = all(FROZEN) | all(SEEN) | (all(SEVEN) & !((rolling & self.rate.certain()) << SEVEN));
            state.lanes &= kept;
            if rolling != 0 {
                return state.with_pending(rolling);
            }
        }
    }

    /// Whether the game ends after this step.
    #[inline(always)]
    fn is_over(&self, state: &State) -> bool {
        state.bank() == 0 || state.step() == self.steps
    }

    /// Records the roll of a player.
    #[inline(always)]
    pub(super) fn rolled(&self, mut state: State, drawn: Drawn, events: &mut impl Events) -> State {
        let seat = state.take_pending();
        if let Drawn::Dice(dice) = drawn {
            events.event(seat, Event::ROLL);
            let mut matters = !0;
            if !self.freezing || state.counters(seat) == 0 {
                matters &= !(1 << ONE_SIX);
            }
            if !self.doubles_count(state.step()) {
                matters &= !(1 << PAIR);
            }
            state.lanes = state.lanes & !(1 << SEVEN << seat) | (effect(dice) & matters) << seat;
        }
        if state.pending() != 0 {
            return state;
        }
        if state.lanes & (all(SIXES) | all(PAIR)) != 0 {
            let state = state.apart(|words| self.called_apart(words, events));
            return self.settled(state);
        }
        self.ask(state)
    }

    /// Continues after a rare draw, or after somebody called or showed a pair, unless there is more to draw.
    #[inline(always)]
    pub(super) fn settled(&self, state: State) -> State {
        if state.pending() == 0 && state.phase() == Phase::Roll { self.ask(state) } else { state }
    }

    /// Lets players with a six decide whether to freeze it; the next step follows.
    #[inline(always)]
    fn ask(&self, state: State) -> State {
        if state.lanes & all(ONE_SIX) != 0 {
            return state;
        }
        let chosen = state.lane(CHOSEN);
        self.next_step(if chosen == 0 { state } else { state.with_stakes(chosen) })
    }

    /// Records whether a player freezes a six.
    #[inline(always)]
    pub(super) fn answered(&self, mut state: State, freezes: bool, events: &mut impl Events) -> State {
        let seat = state.decider();
        state.lanes &= !(1 << ONE_SIX << seat);
        if freezes {
            events.event(seat, STAKE);
            state.lanes |= 1 << CHOSEN << seat;
        }
        self.ask(state)
    }

    /// Records a draw that is not an ordinary roll.
    pub(super) fn drawn_rarely(&self, mut state: State, drawn: Drawn, events: &mut impl Events) -> State {
        let phase = state.phase();
        let seat = state.take_pending();
        match drawn {
            Drawn::Dice(dice) => {
                events.event(seat, Event::ROLL);
                // The first roll of one who showed nothing calls nothing; in a tie-break only sixes matter.
                let matters = if phase == Phase::TieBreak { 1 << SIXES } else { 1 << SEVEN | 1 << SEEN };
                state.lanes |= (effect(dice) & matters) << seat;
            }
            Drawn::Caller(number) => {
                let caller = seats(state.lane(SIXES)).nth(number.into());
                state.lanes &= !all(SIXES);
                state.lanes |= caller.map_or(0, |caller| 1 << SIXES << caller);
            }
            Drawn::Fumble(fumbles) => state.lanes |= u64::from(fumbles) << CHOSEN << seat,
            Drawn::Stays => {}
        }
        if state.pending() != 0 {
            return state;
        }
        match phase {
            Phase::Caller => self.first_rolls(state, events),
            Phase::FirstRoll => self.fumbles(state, events),
            Phase::Fumble => self.settle(state, events),
            Phase::Roll | Phase::TieBreak | Phase::Over => Self::rolled_off(state),
        }
    }

    #[inline(never)]
    fn called_apart(&self, words: &mut [u64; 4], events: &mut impl Events) {
        State::change(words, |state| self.called_or_paired(state, events));
    }

    #[inline(never)]
    fn end_apart(&self, words: &mut [u64; 4]) {
        State::change(words, |state| self.end(state));
    }

    #[inline(never)]
    pub(super) fn drawn_apart(&self, words: &mut [u64; 4], drawn: Drawn, events: &mut impl Events) {
        State::change(words, |state| self.drawn_rarely(state, drawn, events));
    }

    /// Settles a step in which somebody showed double sixes, or a pair that counts, up to its questions. Where something
    /// must be drawn for that, the state says so.
    pub(super) fn called_or_paired(&self, mut state: State, events: &mut impl Events) -> State {
        let callers = state.lane(SIXES);
        if callers == 0 {
            return self.fumbles(state, events);
        }
        // A freeze: pairs and single sixes do not matter any more.
        state.lanes &= !(all(PAIR) | all(ONE_SIX));
        if self.simultaneous == Simultaneous::First && !callers.is_power_of_two() {
            let first = callers & callers.wrapping_neg();
            return state.in_phase(Phase::Caller).with_pending(first);
        }
        self.first_rolls(state, events)
    }

    /// In a freeze, players who show nothing yet roll.
    fn first_rolls(&self, state: State, events: &mut impl Events) -> State {
        let unseen = self.everybody() & !state.lane(SEEN);
        if unseen == 0 {
            return self.fumbles(state, events);
        }
        state.in_phase(Phase::FirstRoll).with_pending(unseen)
    }

    /// Draws fumbles if doubles count: of the callers, or without a caller, of the players with a pair.
    fn fumbles(&self, mut state: State, events: &mut impl Events) -> State {
        let callers = state.lane(SIXES);
        let pairs = if callers == 0 { state.lane(PAIR) } else { callers };
        if self.fumble == Fraction::ZERO || !self.doubles_count(state.step()) {
            return self.settle(state, events);
        }
        if self.fumble == Fraction::ONE {
            state.lanes |= pairs << CHOSEN;
            return self.settle(state, events);
        }
        state.in_phase(Phase::Fumble).with_pending(pairs)
    }

    /// Pays for the freeze, or for the doubles.
    fn settle(&self, state: State, events: &mut impl Events) -> State {
        let state = state.in_phase(Phase::Roll);
        if state.lane(SIXES) == 0 {
            return self.pay_doubles(state, events);
        }
        let mut state = self.freeze(state, events);
        if !self.is_over(&state) {
            (0..self.players.into()).for_each(|seat| events.event(seat, Event::TURN));
        }
        state.lanes &= !(all(SIXES) | all(CHOSEN));
        state
    }

    /// Settles a freeze: stakes go to the bank, the bonus and the callers are paid.
    fn freeze(&self, mut state: State, events: &mut impl Events) -> State {
        let everybody = self.everybody();
        let callers = state.lane(SIXES);
        let counting = callers & !state.lane(CHOSEN);
        let sevens = state.lane(SEVEN);
        seats(everybody).for_each(|seat| events.event(seat, FREEZE));
        seats(callers).for_each(|seat| events.event(seat, CALL));
        seats(counting & state.lane(FROZEN)).for_each(|seat| events.event(seat, STAKE_WON));
        state.fill_bank(state.stakes());
        state.lanes &= !all(FROZEN);
        if self.broke_bonus && seats(sevens).any(|seat| state.counters(seat) == 0) {
            for seat in self.in_turn(everybody, callers.trailing_zeros()) {
                state.pay(seat);
            }
        }
        let mut payers = 0;
        for caller in seats(counting) {
            state.pay(caller);
            // A caller shows twelve, and so is none of the sevens.
            for payer in seats(sevens) {
                if state.counters(payer) > 0 {
                    state = state.with_one_less(payer).with_more(caller, 1);
                    payers |= 1_u64 << payer;
                }
            }
        }
        seats(payers).for_each(|seat| events.event(seat, Event::BUST));
        self.confirm(state, callers)
    }

    /// Pays one counter for each pair without a fumble.
    fn pay_doubles(&self, mut state: State, events: &mut impl Events) -> State {
        let pairs = state.lane(PAIR);
        let first = u32::from(state.step() % u16::from(self.players));
        for seat in self.in_turn(pairs & !state.lane(CHOSEN), first) {
            if state.pay(seat) {
                events.event(seat, DOUBLE);
            }
        }
        state.lanes &= !(all(PAIR) | all(CHOSEN));
        self.confirm(state, pairs)
    }

    /// The seats of a set in turn order, beginning with `first`.
    fn in_turn(&self, set: u64, first: u32) -> impl Iterator<Item = Seat> {
        seats(set >> first << first).chain(seats(set & ((1 << first) - 1)))
    }

    /// If doubles count, lets these players wait for confirmation.
    fn confirm(&self, state: State, players: u64) -> State {
        if !self.doubles_count(state.step()) {
            return state;
        }
        seats(players).fold(state, |state, seat| state.with_wait(seat, self.confirm_steps))
    }

    /// Ends the game, or begins a tie-break.
    pub(super) fn end(&self, state: State) -> State {
        let frozen = state.lane(FROZEN);
        let mut end = state.at_end();
        match self.stake_at_end {
            StakeAtEnd::Returned => end = seats(frozen).fold(end, |end, seat| end.with_more(seat, 1)),
            StakeAtEnd::Paid => end.fill_bank(state.stakes()),
        }
        let most = end.most_counters(self.players);
        let best = seats(self.everybody()).filter(|&seat| end.counters(seat) == most);
        let best = best.fold(0, |best, seat| best | 1_u64 << seat);
        Self::decided_by(end.with_best(best))
    }

    /// Continues with the best players: a single one has won, several roll again.
    fn decided_by(state: State) -> State {
        let left = state.lane(CHOSEN);
        if left.is_power_of_two() {
            state.in_phase(Phase::Over)
        } else {
            state.in_phase(Phase::TieBreak).with_pending(left)
        }
    }

    /// Continues after all tied players have rolled.
    fn rolled_off(state: State) -> State {
        let sixes = state.lane(SIXES);
        Self::decided_by(if sixes == 0 { state } else { state.with_best(sixes) })
    }
}
