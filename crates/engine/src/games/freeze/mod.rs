//! Freeze Dice by Stone Librande: everybody rolls at once, double sixes freeze the table, sevens pay.
//!
//! Real-time play is modelled in equal time steps. Three points that the rules page leaves open:
//!
//! - The first of several callers is drawn with a word from the stream of the first of them by seat. Whether a player has
//!   touched the dice takes a separate word. The order of all draws is listed at the head of `steps.rs`.
//! - In the formula "seat (step mod players)" for the first seat paid for doubles, seats count from 0 and steps from 1.
//! - A turn is the time up to a freeze, and a bust is a freeze in which the player has to pay.

mod asked;
mod dice;
mod lanes;
mod numbers;
mod prose;
mod rules;
mod state;
mod steps;
mod words;

pub use dice::{Dice, Draw, Drawn};
pub use numbers::{Bank, Fraction, Rates};
pub use rules::{Doubles, Freeze, Simultaneous, StakeAtEnd};
pub use state::State;

use crate::game::{
    Action, AnswerForm, Ending, Event, Events, Game, Info, Kind, MAX_METRICS, Metric, NodeOf, Seat, Shape,
    Solvable,
};
use state::{CHOSEN, Phase};

/// Index of the kind of decision: whether to freeze a six.
pub const FREEZE_SIX: usize = 0;

const FREEZE: Event = Event::own(0);
const CALL: Event = Event::own(1);
const DOUBLE: Event = Event::own(2);
const STAKE: Event = Event::own(3);
const STAKE_WON: Event = Event::own(4);

/// The indices of the metrics.
mod metric {
    pub(super) const WIN: usize = 0;
    pub(super) const TURNS: usize = 1;
    pub(super) const ROLLS: usize = 2;
    pub(super) const BUSTS: usize = 3;
    pub(super) const COUNTERS: usize = 4;
    pub(super) const FREEZES: usize = 5;
    pub(super) const CALLS: usize = 6;
    pub(super) const DOUBLES: usize = 7;
    pub(super) const STAKES: usize = 8;
    pub(super) const STAKES_WON: usize = 9;
    pub(super) const TIE_BREAK: usize = 10;
    pub(super) const STEPS: usize = 11;
}

const METRICS: &[Metric] = &[
    Metric::WIN,
    Metric::count("turns", "turns", "turns begun: a freeze ends one", Event::TURN),
    Metric::count("rolls", "rolls", "rolls of one die or two, those of a tie-break too", Event::ROLL),
    Metric::count("busts", "busts", "freezes in which the seat paid for a sum of seven", Event::BUST).less(),
    Metric::end("counters", "counters", "counters at the end, with those that came back from dice"),
    Metric::count("freezes", "freezes", "freezes of the game, whoever called", FREEZE),
    Metric::count("calls", "freezes", "freezes the seat called", CALL),
    Metric::count("doubles", "counters", "counters earned with pairs other than sixes", DOUBLE),
    Metric::count("stakes", "counters", "counters put on a six", STAKE).less(),
    Metric::count(
        "stakes_won",
        "counters",
        "counters on a six with which the seat called and was paid",
        STAKE_WON,
    ),
    Metric::end("tie_break", "games", "1 if a tie-break decided the game").less(),
    Metric::end("steps", "steps", "steps played"),
];

const TIME: usize = 0;
const BANK_EMPTY: usize = 1;

const ENDINGS: &[Ending] = &[
    Ending::regular("time", "the clock ran out"),
    Ending::early("bank_empty", "the bank had no counter left"),
];

const INFO: &Info = &Info {
    name: "freeze",
    summary: "Freeze Dice by Stone Librande: two to eight players roll at once, and double sixes stop the table",
    options: rules::OPTIONS,
    kinds: &[Kind {
        name: "freeze",
        form: AnswerForm::YesNo,
        actions: 2,
        meaning: "whether to put a counter on a six and freeze it",
    }],
    predicates: &[],
    metrics: METRICS,
    endings: ENDINGS,
    tabled: &[],
    solvable: &[
        Solvable { options: "--set players=2 --set steps=10", states: 3_236, seconds: 0.01 },
        Solvable { options: "--set players=2 --set steps=30", states: 100_016, seconds: 0.4 },
    ],
    shared_turns: true,
};

impl Game for Freeze {
    type State = State;
    type Chance = Draw;

    const SHAPE: Shape = Shape::of(INFO, 2, 8).with_keys();

    #[inline(always)]
    fn info(&self) -> &'static Info {
        INFO
    }

    fn seats(&self) -> usize {
        self.players.into()
    }

    #[inline(always)]
    fn root(&self, events: &mut impl Events) -> NodeOf<Self> {
        (0..self.seats()).for_each(|seat| events.event(seat, Event::TURN));
        self.node(self.next_step(State::start(self.players, self.start_counters, self.start_bank())))
    }

    #[inline(always)]
    fn decide(&self, state: State, _: usize, action: Action, events: &mut impl Events) -> NodeOf<Self> {
        self.node(self.answered(state, action == Action::YES, events))
    }

    #[inline(always)]
    fn resolve(&self, state: State, drawn: Drawn, events: &mut impl Events) -> NodeOf<Self> {
        if state.phase() == Phase::Roll {
            return self.node(self.rolled(state, drawn, events));
        }
        let state = state.apart(|words| self.drawn_apart(words, drawn, events));
        self.node(self.settled(state))
    }

    #[inline(always)]
    fn measure(&self, end: State, seat: Seat, values: &mut [u32; MAX_METRICS]) {
        values[metric::WIN] = u32::from(end.lane(CHOSEN) == 1 << seat);
        values[metric::COUNTERS] = end.counters(seat).into();
        values[metric::TIE_BREAK] = end.was_tied().into();
        values[metric::STEPS] = end.step().into();
    }

    fn bounds(&self, metric: usize) -> Option<(f64, f64)> {
        let steps = f64::from(self.steps);
        let metric = &METRICS[metric];
        match metric.name {
            _ if metric.is_win() => Some((0.0, 1.0)),
            "tie_break" => Some((0.0, 1.0)),
            "counters" => Some((0.0, self.counters().into())),
            "turns" => Some((1.0, steps)),
            // Nothing bounds the rolls of a tie-break.
            "rolls" => None,
            _ => Some((0.0, steps)),
        }
    }

    /// Hides the answers of other players.
    #[inline]
    fn seen(&self, state: State) -> State {
        state.without_answers()
    }

    #[inline(always)]
    fn ending(&self, end: State) -> usize {
        if end.was_empty() { BANK_EMPTY } else { TIME }
    }

    fn asks_at_once(&self) -> bool {
        self.freezing
    }

    /// Every draw lowers the number of draws left in a step; a round of a tie-break repeats until a player is out.
    fn stage(&self, state: State) -> u64 {
        if state.phase() == Phase::TieBreak {
            return 1 << 32 | u64::from(8 - state.lane(CHOSEN).count_ones());
        }
        let done = u64::from(8 - state.pending().count_ones());
        u64::from(state.step()) << 8 | (state.phase() as u64) << 4 | done
    }
}
