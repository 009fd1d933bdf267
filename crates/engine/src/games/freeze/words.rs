//! The features and predicates of Freeze Dice for policies.

use super::Freeze;
use super::state::{SEVEN, State};
use crate::game::{Game, Seat};
use crate::vocabulary::{MAX_PREDICATES, Masks, TableKey, Tabulation, Vocabulary};

/// The number of features that the table key fixes. They come first.
const DIGESTED_FEATURES: usize = 5;
/// The largest number of entries of a table of a condition: enough for 8 players, 100 counters each and 600 steps.
const LARGEST_TABLE: usize = 1 << 20;

/// The indices of the features that lanes compute for all lanes at once.
pub(super) mod feature {
    pub(in super::super) const LEAD: usize = 0;
    pub(in super::super) const STEP: usize = 1;
    pub(in super::super) const STEPS_LEFT: usize = 2;
    pub(in super::super) const DOUBLES: usize = 3;
    pub(in super::super) const PLAYERS: usize = 4;
    pub(in super::super) const COUNTERS: usize = 5;
    pub(in super::super) const OTHER_BEST: usize = 6;
    pub(in super::super) const OTHER_SUM: usize = 7;
    pub(in super::super) const AHEAD: usize = 8;
    pub(in super::super) const BANK: usize = 9;
    pub(in super::super) const STAKES: usize = 10;
    pub(in super::super) const SEVENS: usize = 11;
    pub(in super::super) const SHOWS_SEVEN: usize = 12;
}

impl Vocabulary for Freeze {
    crate::vocabulary::features! { rules, state;
        quick {
            0 "lead" "the player's counters less the best other player's, those on dice left out"
            [-i64::from(rules.counters()), rules.counters()] / 1, 0 => rules.lead(&state);
            1 "step" "the number of this step, from 1" [1, rules.steps] / 1, 0 => state.step();
            2 "steps_left" "steps after this one" [0, rules.steps - 1] / 1, 0 => rules.steps - state.step();
            3 "doubles" "1 if pairs other than sixes count in this step, else 0" [0, 1] / 1, 0
            => u8::from(rules.doubles_count(state.step()));
            4 "players" "players in the game" [rules.players, rules.players] / 1, 0 => rules.players;
            5 "counters" "the player's counters, of which there is at least one to freeze a six with"
            [1, rules.counters()] / 1, 0 => state.counters(state.decider());
        }
        slow {
            6 "other_best" "the best other player's counters, those on dice left out" [0, rules.counters()] / 1, 0
            => rules.other_best(&state);
            7 "other_sum" "the other players' counters together, those on dice left out" [0, rules.counters()] / 1, 0
            => rules.others(&state).map(|seat| state.counters(seat)).sum::<u16>();
            8 "ahead" "other players with more counters, those on dice left out" [0, rules.players - 1] / 1, 0
            => rules.others(&state).map(|seat| u8::from(rules.is_ahead(&state, seat))).sum::<u8>();
            9 "bank" "counters in the bank" [0, rules.counters()] / 1, 0 => state.bank();
            10 "stakes" "counters on dice, but for those that are put there in this step" [0, rules.players - 1] / 1, 0
            => state.stakes();
            11 "sevens" "players who show a sum of seven" [0, rules.players] / 1, 0
            => state.lane(SEVEN).count_ones();
            12 "shows_seven" "1 if the player shows a sum of seven, else 0" [0, 1] / 1, 0
            => u8::from(state.lane(SEVEN) >> state.decider() & 1 == 1);
            13 "waiting" "players who will not roll in the next step because a pair is being confirmed"
            [0, rules.players - 1] / 1, 0 => state.waiting().count_ones();
        }
    }

    fn predicates(&self, _: State, _: usize, _: u32) -> Masks {
        [0; MAX_PREDICATES]
    }
}

impl Tabulation for Freeze {
    /// Row: the steps left. Column: how far the player is behind, from 0 for all counters ahead. No key if that would
    /// make the table too large.
    fn digests(&self) -> (usize, usize) {
        let (rows, columns) = (usize::from(self.steps), 2 * usize::from(self.counters()) + 1);
        if rows * columns <= LARGEST_TABLE { (rows, columns) } else { (0, 0) }
    }

    #[inline(always)]
    fn digest(&self, state: State) -> TableKey {
        let column = i64::from(self.counters()) - self.lead(&state);
        TableKey {
            row: usize::from(self.steps - state.step()),
            column: usize::try_from(column).unwrap_or_default(),
        }
    }

    /// In this state seat 0 decides, and all counters that do not make up the difference are in the bank.
    #[inline]
    fn with_digest(&self, digest: TableKey) -> Option<State> {
        let all = i64::from(self.counters());
        let lead = all - i64::try_from(digest.column).ok()?;
        // Who asks has a counter.
        let own = u16::try_from(lead.max(1)).ok()?;
        let best = u16::try_from(i64::from(own) - lead).ok()?;
        let bank = self.counters().checked_sub(own + best)?;
        let step = u16::try_from(usize::from(self.steps).checked_sub(digest.row)?).ok()?;
        Some(State::start(2, 0, bank).with_more(0, own).with_more(1, best).asking(0, step))
    }

    fn is_digested(&self, index: usize) -> bool {
        index < DIGESTED_FEATURES
    }
}

impl Freeze {
    fn others(&self, state: &State) -> impl Iterator<Item = Seat> {
        let own = state.decider();
        (0..self.seats()).filter(move |&seat| seat != own)
    }

    #[inline(always)]
    fn other_best(&self, state: &State) -> u16 {
        state.without_counters(state.decider()).most_counters(self.players)
    }

    #[inline(always)]
    fn lead(&self, state: &State) -> i64 {
        i64::from(state.counters(state.decider())) - i64::from(self.other_best(state))
    }

    fn is_ahead(&self, state: &State, seat: Seat) -> bool {
        state.counters(seat) > state.counters(state.decider())
    }
}
