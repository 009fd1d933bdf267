//! Carcassonne: The Dice Game by Olivier Lamontagne and Klaus-Jürgen Wrede: cities from dice, for one to five players.
//!
//! A city is geometry, but a position stores only the number of its class in a graph of all cities (see `graph`).
//! Building is a look-up, and a position is a few small integers in 24 bytes (see [`State`]).
//!
//! The program allows every placement that the rules allow, except those after which nine dice cannot close the city: a
//! city that can never score is never better than rolling the dice again, and there are ten million such cities.

mod ahead;
mod asked;
mod atlas;
mod cities;
mod dice;
mod graph;
mod outlook;
mod prose;
mod remembered;
mod rules;
mod segments;
mod state;
mod steps;
mod tables;
mod two;
mod words;

pub use dice::{Roll, Shown};
pub use graph::{Class, ClassId, FRESH, Graph};
pub use remembered::{Memory, Run};
pub use rules::{Carcassonne, NineCatapults, Points};
pub use segments::{Faces, Segment};
pub use state::State;

use crate::game::{
    Action, AnswerForm, Ending, Event, Events, Game, Info, Kind, MAX_METRICS, Metric, NodeOf, Question, Seat,
    Shape, Solvable, TurnByTurn,
};

/// Index of the kind of decision: what to do with a die that shows a segment or a knight.
pub const PLACE: usize = 0;
/// Index of the kind of decision: whether to stop rolling.
pub const STOP: usize = 1;
/// Index of the kind of decision: whether to keep a knight instead of scoring.
pub const KEEP: usize = 2;

/// The answer to [`PLACE`] that sets a knight aside; the ways to build use the lower bits.
pub const KNIGHT_ASIDE: Action = Action(1 << 62);
/// The answer to [`PLACE`] that places nothing more.
pub const DONE: Action = Action(1 << 63);

/// Up to this cap the exact walk keeps the number of the turn in its states. A larger cap is a safety net that sensible
/// play does not reach, and the walk ignores it.
pub const EXACT_TURN_CAP: u16 = 20;

const KNIGHT_KEPT: Event = Event::own(0);
const DOUBLED: Event = Event::own(1);
const ALL_CATAPULTS: Event = Event::own(2);
const NO_CITY: Event = Event::own(3);
/// The events for the size of a turn's largest city, from two dice.
const CITY: [Event; 8] = [
    Event::own(4),
    Event::own(5),
    Event::own(6),
    Event::own(7),
    Event::own(8),
    Event::own(9),
    Event::own(10),
    Event::own(11),
];

const METRICS: [Metric; 16] = {
    let first = Metric::WIN;
    let [turns, rolls, busts, kept, doubled, none, two, three, four, five, six, seven, eight, nine] = COUNTS;
    let points = Metric::end("points", "points", "points at the end");
    [first, turns, rolls, busts, points, kept, doubled, none, two, three, four, five, six, seven, eight, nine]
};

const SOLO_METRICS: [Metric; 16] = {
    let first = Metric::end("score", "points", "points of all turns");
    let [turns, rolls, busts, kept, doubled, none, two, three, four, five, six, seven, eight, nine] = COUNTS;
    let catapults =
        Metric::count("all_catapults", "turns", "times that all dice were catapults", ALL_CATAPULTS);
    [
        first, turns, rolls, busts, kept, doubled, none, two, three, four, five, six, seven, eight, nine,
        catapults,
    ]
};

const COUNTS: [Metric; 14] = [
    Metric::count("turns", "turns", "turns of the seat", Event::TURN),
    Metric::count("rolls", "rolls", "rolls of all dice in hand", Event::ROLL),
    Metric::count("busts", "turns", "turns without a city worth points", Event::BUST).less(),
    Metric::count("knights_kept", "turns", "turns that kept a knight instead of scoring", KNIGHT_KEPT),
    Metric::count("doubled", "turns", "turns that began with a kept knight", DOUBLED),
    Metric::count("city_none", "turns", "turns without a closed city", NO_CITY).less(),
    Metric::count("city_two", "turns", "turns whose largest city has two dice", CITY[0]),
    Metric::count("city_three", "turns", "turns whose largest city has three dice", CITY[1]),
    Metric::count("city_four", "turns", "turns whose largest city has four dice", CITY[2]),
    Metric::count("city_five", "turns", "turns whose largest city has five dice", CITY[3]),
    Metric::count("city_six", "turns", "turns whose largest city has six dice", CITY[4]),
    Metric::count("city_seven", "turns", "turns whose largest city has seven dice", CITY[5]),
    Metric::count("city_eight", "turns", "turns whose largest city has eight dice", CITY[6]),
    Metric::count("city_nine", "turns", "turns whose largest city has nine dice", CITY[7]),
];

const GOAL: u8 = 0;
const NINE_CATAPULTS: u8 = 1;
const CAPPED: u8 = 2;
/// The only ending of a solitaire game.
const PLAYED: u8 = 0;

const ENDINGS: &[Ending] = &[
    Ending::regular("goal", "somebody reached the goal"),
    Ending::early("nine_catapults", "all dice were catapults"),
    Ending::CAPPED,
];

const SOLO_ENDINGS: &[Ending] = &[Ending::regular("played", "all turns were played")];

const MEMORY_TURN: u32 = 1;

/// The goal of a two-player game, and the number of states of best play that `solve carcassonne --set goal=3
/// --max-states 44M` found before it was stopped.
const COUNTED: (u16, usize) = (3, 44_019_279);

const INFO: &Info = &Info {
    name: "carcassonne",
    summary: "Carcassonne: The Dice Game, for two to five players or alone: cities from dice, three rolls a turn",
    options: rules::OPTIONS,
    kinds: &[
        Kind {
            name: "place",
            form: AnswerForm::Items,
            actions: 64,
            meaning: "which die to build with or to set aside, if any",
        },
        Kind {
            name: "stop",
            form: AnswerForm::YesNo,
            actions: 2,
            meaning: "whether to stop instead of rolling on",
        },
        Kind {
            name: "keep",
            form: AnswerForm::YesNo,
            actions: 2,
            meaning: "whether to keep a knight, for double points next turn, instead of scoring",
        },
    ],
    predicates: words::PREDICATES,
    metrics: &METRICS,
    endings: ENDINGS,
    tabled: &["dice", "roll", "city", "largest", "knights", "doubled"],
    solvable: &[
        Solvable { options: "--set dice=3 --set goal=5", states: 55_050, seconds: 0.1 },
        Solvable { options: "--set dice=3 --set goal=10", states: 220_200, seconds: 0.5 },
        Solvable { options: "--rules solo", states: 862_796, seconds: 1.0 },
        Solvable { options: "--rules solo-knight", states: 18_487_342, seconds: 18.0 },
    ],
    shared_turns: false,
};

impl Game for Carcassonne {
    type State = State;
    type Chance = Roll;

    const SHAPE: Shape = Shape::of(INFO, 1, 5);

    #[inline(always)]
    fn info(&self) -> &'static Info {
        INFO
    }

    fn seats(&self) -> usize {
        self.players.into()
    }

    fn root(&self, events: &mut impl Events) -> NodeOf<Self> {
        self.begin_turn(State { turn: 1, ..State::default() }, events)
    }

    #[inline(always)]
    fn decide(&self, state: State, kind: usize, action: Action, events: &mut impl Events) -> NodeOf<Self> {
        match kind {
            PLACE => self.place_one(state, action, events),
            STOP if action == Action::NO => self.roll(state, events),
            STOP => self.stop(state, events),
            _ => self.score_turn(state, action == Action::YES, events),
        }
    }

    #[inline(always)]
    fn resolve(&self, state: State, outcome: Shown, events: &mut impl Events) -> NodeOf<Self> {
        self.rolled(state, outcome, events)
    }

    fn metrics(&self) -> &'static [Metric] {
        if self.is_solo() { &SOLO_METRICS } else { INFO.metrics }
    }

    #[inline(always)]
    fn measure(&self, end: State, seat: Seat, values: &mut [u32; MAX_METRICS]) {
        let points = u32::try_from(self.score(&end, seat)).unwrap_or(u32::MAX);
        if self.is_solo() {
            values[0] = points;
        } else {
            values[0] = u32::from(end.ending != CAPPED && end.seat() == seat);
            values[4] = points;
        }
    }

    fn bounds(&self, metric: usize) -> Option<(f64, f64)> {
        let turn = f64::from(2 * self.points.most());
        let metric = &self.metrics()[metric];
        match metric.name {
            _ if metric.is_win() => Some((0.0, 1.0)),
            "points" => Some((0.0, f64::from(self.goal) + turn)),
            "score" => Some((0.0, turn * f64::from(self.turns))),
            _ => None,
        }
    }

    /// In a solitaire game, the points of the finished turns.
    #[inline]
    fn score_so_far(&self, state: State) -> u32 {
        if self.is_solo() { u32::try_from(state.scores).unwrap_or(u32::MAX) } else { 0 }
    }

    fn turn_by_turn(&self) -> Option<&'static dyn TurnByTurn<Self>> {
        two::Two::of(self)
    }

    /// Alone, the points so far: no decision depends on them.
    #[inline]
    fn settled(&self, state: State, metric: usize) -> (f64, State) {
        if !self.is_solo() {
            return (0.0, state);
        }
        let has = if metric == 0 { f64::from(self.score_so_far(state)) } else { 0.0 };
        (has, State { scores: 0, ..state })
    }

    fn endings(&self) -> &'static [Ending] {
        if self.is_solo() { SOLO_ENDINGS } else { INFO.endings }
    }

    #[inline(always)]
    fn ending(&self, end: State) -> usize {
        end.ending.into()
    }

    /// With the number of the turn, every roll and every die placed raises the stage. Without it, points rise turn by
    /// turn, and a turn without points leads back to the same scores: the game has cycles inside a stage.
    fn stage(&self, state: State) -> u64 {
        if state.turn == 0 {
            return (0..self.players.into()).map(|places| self.score_after(&state, places)).sum();
        }
        // Of a roll under way the dice that have fallen; of dice to be placed those that are gone.
        let unrolled = state.unrolled();
        let step = if unrolled > 0 { state.shown.total() } else { 2 * self.dice - state.dice };
        u64::from(state.turn) << 16 | u64::from(state.rolls) << 8 | u64::from(step)
    }

    /// The walk of the counted game was stopped after this many states. The bound holds for other options as well.
    /// Every path of that game is a path of a game with a higher goal, which does not end sooner; of a game with more
    /// rolls, in which the player stops after fewer; and of a game with a stricter rule for nine catapults, because all
    /// catapults in one roll are also all within a turn. The turn cap is not part of the states, and the number of
    /// turns matters only in a solitaire game.
    fn states_at_least(&self) -> usize {
        let (counted, states) = COUNTED;
        let Self { goal, rolls, nine_catapults, turn_cap, turns, .. } = *self;
        let measured = Self { goal, rolls, nine_catapults, turn_cap, turns, ..Self::TWO };
        let is_larger = goal >= counted && rolls >= Self::TWO.rolls && turn_cap > EXACT_TURN_CAP;
        if *self == measured && is_larger { states } else { 0 }
    }

    /// Dice can be placed in any order, so many paths meet at this decision.
    fn ask_again(&self, state: State, kind: usize) -> Option<Question> {
        (kind == PLACE).then(|| Question { seat: state.seat(), kind, actions: self.ways_to_place(&state) })
    }

    fn forget(&self, state: State, keep: u32) -> State {
        let is_net = !self.is_solo() && self.turn_cap > EXACT_TURN_CAP;
        if keep & MEMORY_TURN == 0 && is_net { State { turn: 0, ..state } } else { state }
    }

    /// These are interchangeable: cities that the dice in hand cannot close, or not at a size that beats the largest;
    /// the dice shown beside such a city, except knights; and knights that can no longer become enough.
    fn canonical(&self, state: State) -> State {
        let dice = state.dice;
        let class = self.city(&state);
        let is_lost = class.needed > dice || class.size + dice <= state.largest;
        let has_city = state.city != FRESH || state.largest > 0;
        let lost = if has_city && is_lost { self.lost_city(dice) } else { None };
        let (city, shown) =
            lost.map_or((state.city, state.shown), |city| (city, state.shown.without_faces()));
        // One stays for many: with a knight aside the dice are not all catapults any more.
        let can_keep = self.keeping && state.knights + dice >= self.knights_needed;
        let knights = if can_keep { state.knights } else { state.knights.min(1) };
        self.forget(State { city, shown, knights, ..state }, 0)
    }
}
